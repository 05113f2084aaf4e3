//! How fast it is in a city, beside a peer, and while a guard is dragged. Times are processor times.

use super::super::live::planned;
use super::super::measure::{process_time, thread_time};
use super::super::{Better, LabError, Report, Row, measure, scene};
use super::query::{Scene, agent_of, improve, median, millis_since, repaired};
use super::repairs::sight_alone;
use super::{EPSILON, RADIUS};
use crate::document::template::{Options, Template};
use crate::document::{ConstraintDomain, Edit, Entity, Kind, KindName, ops};
use crate::jobs::JobContext;
use crate::nav::BakeQuality;
use crate::nav::constraint::Lattice;
use crate::planner::constraint::ad_star::AdStar;
use crate::planner::constraint::astar::AStar;
use crate::planner::constraint::domain::Domain;
use glam::DVec3;
use std::sync::Arc;

/// # Errors
/// Cancelled, or a scene cannot be made.
pub fn bench(ctx: &JobContext) -> Result<Report, LabError> {
    let level = Template::City.build(&Options::default())?;
    let nav = scene::nav_for(&level, RADIUS, ctx)?;
    ctx.stage("The lattice of city");
    let built = measure::time(
        std::time::Duration::from_millis(800),
        || (),
        |()| Lattice::plane(nav.bounds(), nav.cells(), 1.0, ctx),
    );
    let lattice = nav.lattice(1.0);
    let mut rows = vec![
        Row::new("city, states 1 m apart", "", lattice.state_count() as f64),
        Row::new("building them", "ms", built.median * 1e3).spread(built.spread * 1e3),
    ];
    ctx.stage("Asking in city");
    let scene = Scene {
        field: Arc::default(),
        lattice: Arc::clone(&lattice),
        nav,
    };
    let queries = scene.queries(24, 5);
    let ground = scene.ground(ConstraintDomain::Dense);
    let mut ours = Vec::new();
    let mut peers = Vec::new();
    let mut expansions = Vec::new();
    for [start, goal] in &queries {
        ctx.checkpoint()?;
        let mut domain = Domain::new(&ground, &scene.field, *start, *goal);
        let mut search = AStar::default();
        let clock = thread_time();
        search.begin(&domain, domain.start(), domain.goal());
        search.run(&mut domain, usize::MAX);
        let secs = millis_since(clock) * 1e-3;
        ours.push(secs * 1e3);
        expansions.push(secs * 1e6 / search.expanded().max(1) as f64);
        peers.push(peer_secs(&lattice, *start, *goal) * 1e3);
    }
    rows.push(
        Row::new(
            "city, dense A* without constraints: per expansion, median",
            "µs",
            median(expansions),
        )
        .goal(1.0, Better::Lower),
    );
    let (ours, peer) = (median(ours), median(peers));
    rows.push(
        Row::new(
            "city, dense A* without constraints: a query, median",
            "ms",
            ours,
        )
        .beside(PEER, peer),
    );
    rows.push(
        Row::new(
            format!("times as fast as {PEER} on the same grid"),
            "×",
            peer / ours,
        )
        .goal(2.0, Better::Higher),
    );
    rows.extend(guard_rows(&scene, &queries, ctx)?);
    rows.extend(drag_rows(ctx)?);
    Ok(Report {
        name: "constraints".to_owned(),
        rows,
    })
}

const PEER: &str = "pathfinding 4";

/// The peer on the same states and steps, with the same estimate. Unit: seconds.
fn peer_secs(lattice: &Lattice, start: DVec3, goal: DVec3) -> f64 {
    let nearest = |p: DVec3| lattice.nearest(p.truncate()).unwrap_or(0);
    let (start, goal) = (nearest(start), nearest(goal));
    let goal_at = lattice.point(goal);
    // It needs whole numbers or a wrapper: tenths of millimetres.
    let whole = |metres: f64| (metres * 1e4) as u64;
    let clock = thread_time();
    let found = pathfinding::prelude::astar(
        &start,
        |state| {
            let state = *state;
            (0..8).filter_map(move |direction| {
                let other = lattice.neighbour(state, direction)?;
                Some((other, whole(lattice.step_length(state, direction, other))))
            })
        },
        |state| whole(lattice.point(*state).distance(goal_at)),
        |state| *state == goal,
    );
    std::hint::black_box(found);
    millis_since(clock) * 1e-3
}

/// A guard whose sight is avoided moves by a metre.
fn guard_rows(
    scene: &Scene,
    queries: &[[DVec3; 2]],
    ctx: &JobContext,
) -> Result<Vec<Row>, LabError> {
    ctx.stage("A guard in city");
    let mut times = Vec::new();
    let mut ratios = Vec::new();
    let mut bytes = Vec::new();
    let ground = scene.ground(ConstraintDomain::Dense);
    for [start, goal] in queries.iter().take(8) {
        ctx.checkpoint()?;
        let middle = start.lerp(*goal, 0.5);
        let level = scene.nav.level();
        let sight = |by: f64| sight_alone(level, middle + DVec3::X * by, 20.0, 90.0);
        let field = sight(0.0);
        let mut domain = Domain::new(&ground, &field, *start, *goal);
        let mut search = AdStar::default();
        search.begin(&domain, domain.start(), domain.goal(), EPSILON);
        improve(&mut search, &mut domain);
        bytes.push((search.bytes() + domain.bytes()) as f64 / search.touched() as f64);
        let scratch = search.expanded();
        for step in 1..=10 {
            let field = sight(f64::from(step));
            let (millis, expanded) = repaired(&mut search, &mut domain, &ground, &field, *start);
            times.push(millis);
            ratios.push(expanded as f64 / scratch.max(1) as f64);
        }
    }
    Ok(vec![
        Row::new(
            "city, AD*: a guard moved by 1 m, repair, median",
            "ms",
            median(times),
        )
        .goal(10.0, Better::Lower),
        Row::new(
            "city, AD*: expansions of a repair, of those of the first plan, median",
            "%",
            100.0 * median(ratios),
        )
        .goal(20.0, Better::Lower),
        Row::new(
            "city, AD*: memory per touched state, median",
            "B",
            median(bytes),
        )
        .goal(96.0, Better::Lower),
    ])
}

/// Steps of a drag, and their length in metres: a hand that moves by 7.5 m a second, at 30 frames.
const STEPS: i32 = 48;
const STEP: f64 = 0.25;

/// A guard dragged through the guarded yard, under ten agents with constraints: what the editor does
/// for each previewed state.
pub(super) fn drag_rows(ctx: &JobContext) -> Result<Vec<Row>, LabError> {
    ctx.stage("Dragging a guard");
    let level = Template::Guards.build(&Options::default())?;
    let at = agent_of(&level, "Guard")?.start;
    let Some((id, entity)) = level
        .find(KindName::Agent, "Guard")
        .and_then(|id| Some((id, level.get(id)?)))
    else {
        return Err(LabError::Unavailable("the scene has no guard".to_owned()));
    };
    let mut before = planned(Arc::new(level.clone()), None, BakeQuality::Full, ctx)?;
    let mut times = Vec::new();
    for step in 1..=STEPS {
        let mut moved = Entity::clone(entity);
        if let Kind::Agent(agent) = &mut moved.kind {
            agent.start = at + DVec3::new(0.0, STEP * f64::from(step), 0.0);
        }
        let level = Arc::new(ops::apply(&level, &[Edit::replace(id, moved)])?);
        let clock = process_time();
        let now = planned(level, Some(&before), BakeQuality::Preview, ctx)?;
        let millis = process_time().saturating_sub(clock).as_secs_f64() * 1e3;
        times.push(millis);
        before = now;
    }
    let slowest = times.iter().copied().fold(0.0, f64::max);
    Ok(vec![
        Row::new(
            "guards: dragging a guard under ten constrained agents, a frame, median",
            "ms",
            median(times),
        )
        .goal(1e3 / 30.0, Better::Lower),
        Row::new("the slowest of these frames", "ms", slowest),
    ])
}
