//! Properties of every planner's session: budgets, cancelling, missions with areas.

use crate::base::EntityId;
use crate::document::template::{Options, Template};
use crate::document::{
    Agent, Edit, Entity, Goal, Heading, Kind, KindName, Level, Mission, PlannerId, Region, ops,
};
use crate::geometry::{Polygon, Rect};
use crate::jobs::{Cancelled, JobContext};
use crate::nav::{BakeRequest, NavBundle, NavData};
use crate::planner::*;
use glam::{DVec2, DVec3};
use std::sync::Arc;

fn labyrinth() -> (NavData, PathRequest) {
    let level = Template::Labyrinth.build(&Options::default());
    let level = level.expect("drawn");
    let ctx = JobContext::default();
    let request = BakeRequest::for_radius(Arc::new(level.clone()), 0.3);
    let nav = NavBundle::bake(request, &ctx).expect("not cancelled");
    let nav = nav.nav(0.3).expect("baked");
    let visitor = level.find(KindName::Agent, "Visitor").expect("drawn");
    let Kind::Agent(agent) = &level.get(visitor).expect("drawn").kind else {
        panic!("no agent");
    };
    let queries = MissionQueries::of_agent(&level, agent, None);
    let request = queries.request(&queries.stops[0], queries.start);
    (nav, request)
}

fn available() -> impl Iterator<Item = PlannerId> {
    let built_in = PlannerId::BUILT_IN.into_iter();
    built_in.filter(|id| registry::is_available(*id))
}

#[test]
fn a_cancelled_job_ends_every_planner() {
    let (nav, request) = labyrinth();
    let ctx = JobContext::default();
    ctx.cancel();
    for id in available() {
        let mut session = registry::open(id, &nav, &request).expect("available");
        assert_eq!(session::run(&mut *session, &ctx), Err(Cancelled), "{id}");
        assert_eq!(session.expanded(), 0, "{id} did not look");
        let answer = registry::plan(id, &nav, &request, &ctx);
        assert_eq!(answer, Err(PlanError::Cancelled(Cancelled)), "{id}");
    }
}

/// Largest number of recorded steps per step of a walker.
const NOTED: usize = 14;

#[test]
fn no_step_does_more_than_its_budget_and_all_lead_to_the_same_path() {
    const BUDGET: usize = 40;
    let (nav, request) = labyrinth();
    for id in available() {
        let mut session = registry::open(id, &nav, &request).expect("available");
        let (mut calls, mut before) = (0, 0);
        let mut better: Vec<(Path, f64)> = Vec::new();
        let path = loop {
            calls += 1;
            let step = session.step(BUDGET);
            let spent = session.expanded() - before;
            assert!(spent <= NOTED * BUDGET, "{id}: {spent} at once");
            before = session.expanded();
            match step {
                Step::Running => {}
                Step::Improved { path, bound } => better.push((path, bound)),
                Step::Done(path) => break path,
                Step::NoPath => panic!("{id}: there is a path"),
            }
        };
        check_improvements(id, &request, &better, &path);
        assert_eq!(session.step(BUDGET), Step::Done(path.clone()), "{id}");
        // A step of a walk counts as an expansion.
        let done = path.expanded + path.times.len();
        assert!(
            calls * NOTED * BUDGET >= done,
            "{id}: {calls} calls for {done}"
        );
        let Ok(Answer::Found(whole)) = registry::plan(id, &nav, &request, &JobContext::default())
        else {
            panic!("{id} finds it at once as well");
        };
        assert_eq!(path.points, whole.points, "{id}");
        assert_eq!(path.expanded, whole.expanded, "{id}");
    }
}

/// Paths on the way to the last one lead to the goal and keep what they promise: bounds fall, and no
/// path costs more than its bound times the cost of the last one.
fn check_improvements(id: PlannerId, request: &PathRequest, better: &[(Path, f64)], last: &Path) {
    let bounds: Vec<f64> = better.iter().map(|(_, bound)| *bound).collect();
    assert!(bounds.is_sorted_by(|a, b| a > b), "{id}: {bounds:?}");
    assert!(bounds.iter().all(|bound| *bound > 1.0), "{id}: {bounds:?}");
    let ends = |path: &Path| {
        let first = path.points.first().expect("a path has points");
        let last = path.points.last().expect("a path has points");
        [first.truncate(), last.truncate()]
    };
    for (path, bound) in better {
        let [start, goal] = ends(path);
        assert!(start.distance(request.start.truncate()) < 1e-6, "{id}");
        assert!(goal.distance(request.goal.truncate()) < 1e-6, "{id}");
        // Pulling taut gains more on some paths than on others.
        let most = bound * last.cost * (1.0 + PULLED);
        assert!(path.cost <= most, "{id}: {} > {most}", path.cost);
        assert!(path.cost >= last.cost * (1.0 - PULLED), "{id}");
    }
}

/// Share of its cost by which pulling may shorten one path more than another of equal cost.
const PULLED: f64 = 0.05;

const AREA: EntityId = EntityId::new(90_000);
const AGENT: EntityId = EntityId::new(90_001);

/// The stairs, and one agent that walks to any point of a wide area, then on.
fn with_area(planner: PlannerId) -> Level {
    let level = Template::Stairs.build(&Options::default()).expect("drawn");
    let others = level.iter().filter(|(_, entity)| {
        matches!(entity.kind, Kind::Agent(_) | Kind::Crowd(_) | Kind::Test(_))
    });
    let mut edits: Vec<Edit> = others.map(|(id, _)| Edit::Delete { id }).collect();
    let adult = level.find(KindName::Profile, "Adult").expect("drawn");
    let terrain = level.find(KindName::Terrain, "Floor").or_else(|| {
        let is_terrain = |(_, e): &(EntityId, &Arc<Entity>)| matches!(e.kind, Kind::Terrain(_));
        level.iter().find(is_terrain).map(|(id, _)| id)
    });
    let area = Polygon::rect(Rect::new(DVec2::new(6.0, 1.0), DVec2::new(14.0, 5.0)));
    let region = Region {
        area,
        terrain: terrain.unwrap_or(EntityId::new(0)),
    };
    edits.push(Edit::create(
        AREA,
        Entity::new("Area", Kind::Region(region)),
    ));
    let agent = Agent {
        start: DVec3::new(5.0, 3.0, 0.0),
        heading: Heading::degrees(0.0),
        mission: Mission {
            goals: vec![Goal::inside(AREA), Goal::At(DVec3::new(5.0, 6.0, 0.0))],
            planner,
            ..Mission::new(adult)
        },
    };
    edits.push(Edit::create(
        AGENT,
        Entity::new("Agent", Kind::Agent(agent)),
    ));
    ops::apply(&level, &edits).expect("valid")
}

#[test]
fn plan_and_bench_ask_the_same_of_a_goal_that_is_an_area() {
    for planner in [PlannerId::HUMAN, PlannerId::PORTAL] {
        let level = Arc::new(with_area(planner));
        let ctx = JobContext::default();
        let bundle = NavBundle::bake(missions::bake_request(level), &ctx).expect("not cancelled");
        let planned = PlannedLevel::plan(bundle, None, Slopes::default(), &ctx);
        let planned = planned.expect("not cancelled");
        let plan = &planned.plans[&AGENT];
        assert!(plan.trouble().is_none(), "{:?}", plan.trouble());
        let bench = planned.compare(AGENT, &ctx).expect("not cancelled");
        let bench = bench.expect("an agent with goals");
        let row = bench.rows.iter().find(|row| row.method.planner == planner);
        let row = row.expect("compared");
        let figures = row.outcome.as_ref().expect("found");
        assert!((figures.length - plan.length()).abs() < 1e-9, "{planner}");
        assert!(row.requests[0].goal_area.is_some());
        // The second leg begins where the first one ended, anywhere in the area.
        let legs: Vec<DVec3> = plan.legs.iter().map(|leg| leg.from).collect();
        let asked: Vec<DVec3> = row.requests.iter().map(|request| request.start).collect();
        assert_eq!(legs, asked, "{planner}");
    }
}
