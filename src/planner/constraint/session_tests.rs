//! The session on sample levels: repairs, hand-over of memory, shares of the cost, explanations.

use super::replan::ReplanKind;
use crate::base::EntityId;
use crate::document::template::{Options, Template};
use crate::document::{
    Constraint, ConstraintDomain, ConstraintOptions, ConstraintSearch, Edit, Entity, Kind,
    KindName, Level, PlannerId, Rule, ops,
};
use crate::geometry::{Polygon, Rect};
use crate::jobs::JobContext;
use crate::nav::constraint::Situation;
use crate::nav::{BakeRequest, NavBundle, NavData};
use crate::planner::constraint::ConstraintQuery;
use crate::planner::mission_session::Baseline;
use crate::planner::{Answer, MissionQueries, MissionSession, PathRequest, Step, registry};
use glam::{DVec2, DVec3};
use std::sync::Arc;

const RADIUS: f64 = 0.3;

fn guards() -> Level {
    Template::Guards.build(&Options::default()).expect("drawn")
}

/// The yard with its guard elsewhere.
fn with_guard_at(level: &Level, y: f64) -> Level {
    let id = level.find(KindName::Agent, "Guard").expect("drawn");
    let mut entity = (**level.get(id).expect("drawn")).clone();
    if let Kind::Agent(agent) = &mut entity.kind {
        agent.start.y = y;
    }
    ops::apply(level, &[Edit::replace(id, entity)]).expect("valid")
}

fn baked(level: &Level) -> NavData {
    let request = BakeRequest::for_radius(Arc::new(level.clone()), RADIUS);
    let bundle = NavBundle::bake(request, &JobContext::default()).expect("runs");
    bundle.nav(RADIUS).expect("baked")
}

fn queries(level: &Level, name: &str, options: ConstraintOptions) -> MissionQueries {
    let id = level.find(KindName::Agent, name).expect("drawn");
    let Kind::Agent(agent) = &level.get(id).expect("drawn").kind else {
        panic!("no agent");
    };
    let mut queries = MissionQueries::of_agent(level, agent, None);
    queries.about.constraints.options = options;
    queries
}

fn options(domain: ConstraintDomain, search: ConstraintSearch) -> ConstraintOptions {
    ConstraintOptions {
        domain,
        search,
        spacing: Some(1.0),
        ..ConstraintOptions::DEFAULT
    }
}

#[test]
fn a_plan_is_repaired_when_a_guard_moves_and_costs_what_a_new_one_costs() {
    let ctx = JobContext::default();
    let level = guards();
    let nav = baked(&level);
    let mut repairs = 0;
    for domain in ConstraintDomain::ALL {
        let options = options(domain, ConstraintSearch::AdStar);
        let first = queries(&level, "Shadow", options);
        let (mut mission, _) =
            MissionSession::plan(PlannerId::CONSTRAINT, &nav, &first, &ctx).expect("plans");
        for y in [26.0, 28.0, 30.0, 12.0] {
            let moved = with_guard_at(&level, y);
            let now = queries(&moved, "Shadow", options);
            let (next, legs) = mission
                .plan_again(&nav, &now, Baseline::Last, &ctx)
                .expect("repairs");
            let (_, fresh) =
                MissionSession::plan(PlannerId::CONSTRAINT, &nav, &now, &ctx).expect("plans");
            let cost = |answer: &Answer| answer.path().expect("found").cost;
            let (repaired, anew) = (cost(&legs[0].answer), cost(&fresh[0].answer));
            // Of several best paths, pulling may gain more on one than on the other.
            assert!(
                (repaired - anew).abs() < 0.05 * anew,
                "{domain:?} {y}: {repaired} {anew}"
            );
            let replan = next.legs()[0].replans().last().expect("noted");
            assert!(!replan.what.is_empty(), "{replan:?}");
            if replan.kind == ReplanKind::Repaired && domain != ConstraintDomain::Triangles {
                repairs += 1;
            }
            mission = next;
        }
    }
    assert!(repairs >= 8, "{repairs} of 16 moves were repaired");
}

#[test]
fn a_cancelled_repair_leaves_what_it_learnt_in_order() {
    let ctx = JobContext::default();
    let level = guards();
    let nav = baked(&level);
    let options = options(ConstraintDomain::Dense, ConstraintSearch::AdStar);
    let first = queries(&level, "Shadow", options);
    let (mission, _) =
        MissionSession::plan(PlannerId::CONSTRAINT, &nav, &first, &ctx).expect("plans");
    let moved = with_guard_at(&level, 30.0);
    let now = queries(&moved, "Shadow", options);
    let request = now.request(&now.stops[0], now.start);
    // As a job that is cancelled after a few expansions.
    let mut given_up = mission.legs()[0].fork();
    crate::planner::session::update(&mut *given_up, &nav, &request);
    assert!(!matches!(given_up.step(3), Step::NoPath));
    drop(given_up);
    let (next, legs) = mission
        .plan_again(&nav, &now, Baseline::Last, &ctx)
        .expect("repairs");
    let mut fresh = registry::open(PlannerId::CONSTRAINT, &nav, &request).expect("opens");
    let fresh = crate::planner::session::run(&mut *fresh, &ctx).expect("runs");
    let [a, b] = [&legs[0].answer, &fresh].map(|answer| answer.path().expect("found").cost);
    assert!((a - b).abs() < 0.05 * b, "{a} {b}");
    assert_eq!(
        next.legs()[0].replans().last().map(|replan| replan.kind),
        Some(ReplanKind::Repaired)
    );
}

#[test]
fn the_bound_falls_and_shares_add_up() {
    let level = guards();
    let nav = baked(&level);
    let queries = queries(
        &level,
        "Wall walker",
        options(ConstraintDomain::Graded, ConstraintSearch::AraStar),
    );
    let request = queries.request(&queries.stops[0], queries.start);
    let mut session = registry::open(PlannerId::CONSTRAINT, &nav, &request).expect("opens");
    let mut bounds = Vec::new();
    let path = loop {
        match session.step(500) {
            Step::Running => assert!(!session.view().nodes.is_empty()),
            Step::Improved { bound, .. } => bounds.push(bound),
            Step::Done(path) => break path,
            Step::NoPath => panic!("there is a path"),
        }
    };
    assert_eq!(bounds, [2.5, 2.0, 1.5]);
    let sum: f64 = path.cost_by.values().sum();
    assert!(
        (sum - path.cost).abs() < 1e-6 * path.cost,
        "{sum} {}",
        path.cost
    );
    assert!(
        path.cost_by
            .keys()
            .any(|name| name.starts_with("constraint:"))
    );
    assert!(path.cost >= path.length - 1e-6);
}

#[test]
fn hard_constraints_that_block_are_named() {
    let ring = |id: u64, area: Rect| {
        let kind = Kind::Annotation(crate::document::Annotation::Area(Polygon::rect(area)));
        Edit::create(EntityId::new(id), Entity::new(format!("Zone {id}"), kind))
    };
    let strip = |x: f64| Rect::new(DVec2::new(x, -1.0), DVec2::new(x + 5.0, 101.0));
    let edits = [ring(1, strip(40.0)), ring(2, strip(70.0))];
    let level = ops::apply(&Level::default(), &edits).expect("valid");
    let nav = baked(&level);
    let never = |id: u64| Constraint::new(Rule::NotIn, EntityId::new(id).into());
    let reason = |constraints: &[Constraint], start: (f64, f64)| {
        let situation = Situation::of(&level);
        let options = options(ConstraintDomain::Graded, ConstraintSearch::AdStar);
        let request = PathRequest {
            constraints: ConstraintQuery::of(&level, constraints, options, &situation),
            ..PathRequest::in_space(DVec2::from(start).extend(0.0), DVec3::new(90.0, 50.0, 0.0))
        };
        let answer = registry::plan(
            PlannerId::CONSTRAINT,
            &nav,
            &request,
            &JobContext::default(),
        );
        match answer.expect("runs") {
            Answer::Found(path) => panic!("{path:?}"),
            Answer::NotFound(reason) => reason.reason,
        }
    };
    let one = reason(&[never(1)], (10.0, 50.0));
    assert!(one.contains("Zone 1") && !one.contains("Zone 2"), "{one}");
    let both = reason(&[never(1), never(2)], (10.0, 50.0));
    assert!(both.contains("Zone 1") && both.contains("Zone 2"), "{both}");
    let inside = reason(&[never(1)], (42.0, 50.0));
    assert!(
        inside.contains("the start") && inside.contains("Zone 1"),
        "{inside}"
    );
}
