//! Repairs after one constraint has moved by a metre, against planning from scratch, on three scenes.

use super::super::measure::thread_time;
use super::super::{Better, LabError, Row};
use super::EPSILON;
use super::query::{Scene, improve, median, millis_since, repaired};
use crate::base::Random;
use crate::document::{ConstraintDomain, Level};
use crate::geometry::Polygon;
use crate::geometry::visibility::{View, visible};
use crate::jobs::JobContext;
use crate::nav::constraint::{Field, FieldRule, Region, Term};
use crate::planner::constraint::ad_star::AdStar;
use crate::planner::constraint::domain::Domain;
use glam::{DVec2, DVec3};
use std::sync::Arc;

/// Queries on all scenes together, and how often the guard moves in each.
const QUERIES: usize = 90;
const MOVES: usize = 4;

/// What a guard sees. Units: metres, degrees.
const RANGE: f64 = 12.0;
const ANGLE: f64 = 70.0;

/// Weight of its line of sight.
const WEIGHT: f64 = -6.0;

/// Names the constraint that moves.
const KEY: u64 = 1;

/// Not near the line of sight of a guard: the walls of a level limit it.
pub(super) fn sight(level: &Level, eye: DVec2, facing: f64, range: f64, angle: f64) -> Term {
    let view = View {
        eye,
        range,
        facing,
        angle: angle.to_radians(),
    };
    let walls = level
        .obstacles()
        .flat_map(|(_, _, obstacle)| obstacle.area.edges().collect::<Vec<_>>());
    let seen: Vec<Polygon> = visible(&view, walls).into_iter().collect();
    Term {
        key: KEY,
        name: "not near line of sight of Guard".into(),
        rule: FieldRule::Near,
        weight: WEIGHT,
        region: Arc::new(Region::of_polygons(&seen)),
    }
}

/// Where the guard stands when the plan is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Guard {
    Anywhere,
    OnThePath,
}

/// Shares of planning from scratch, by move. Unit: per cent.
#[derive(Debug, Default)]
struct Shares {
    times: Vec<f64>,
    expansions: Vec<f64>,
}

pub(super) fn rows(scenes: &[Scene], ctx: &JobContext) -> Result<Vec<Row>, LabError> {
    ctx.stage("Repairs");
    let mut rows = Vec::new();
    for (guard, place) in [
        (Guard::Anywhere, "anywhere"),
        (Guard::OnThePath, "on the path"),
    ] {
        for (domain, name) in [
            (ConstraintDomain::Dense, "dense"),
            (ConstraintDomain::Adaptive, "adaptive"),
        ] {
            let mut shares = Shares::default();
            for (index, scene) in scenes.iter().enumerate() {
                measured(scene, guard, domain, index as u64, &mut shares, ctx)?;
            }
            let count = shares.times.len();
            for (what, values) in [("time", shares.times), ("expansions", shares.expansions)] {
                let row = Row::new(
                    format!(
                        "AD*, {name}: {what} of a repair, of planning from scratch, guard {place}, median of {count}"
                    ),
                    "%",
                    median(values),
                );
                rows.push(row.goal(20.0, Better::Lower));
            }
        }
    }
    Ok(rows)
}

fn measured(
    scene: &Scene,
    guard: Guard,
    domain: ConstraintDomain,
    seed: u64,
    shares: &mut Shares,
    ctx: &JobContext,
) -> Result<(), LabError> {
    let ground = scene.ground(domain);
    let mut random = Random::new(31 + seed);
    let bounds = scene.nav.bounds();
    for [start, goal] in scene.queries(QUERIES / 3, 11 + seed) {
        ctx.checkpoint()?;
        let plan = |field: &Arc<Field>| {
            let clock = thread_time();
            let mut domain = Domain::new(&ground, field, start, goal);
            let mut search = AdStar::default();
            search.begin(&domain, domain.start(), domain.goal(), EPSILON);
            improve(&mut search, &mut domain);
            (millis_since(clock), domain, search)
        };
        let mut eye = match guard {
            Guard::Anywhere => random.point(bounds.min, bounds.max),
            Guard::OnThePath => {
                let (_, domain, search) = plan(&scene.field);
                let points = domain.points(&search.path());
                points
                    .get(points.len() / 2)
                    .map_or(start, |p| *p)
                    .truncate()
            }
        };
        let mut facing = random.range(0.0, std::f64::consts::TAU);
        let field_at = |eye: DVec2, facing: f64| {
            let mut terms = scene.field.terms().to_vec();
            terms.push(sight(scene.nav.level(), eye, facing, RANGE, ANGLE));
            Arc::new(Field::new(terms, scene.field.base()))
        };
        let (_, mut domain, mut search) = plan(&field_at(eye, facing));
        for _ in 0..MOVES {
            eye += DVec2::from_angle(facing);
            facing += random.range(-0.3, 0.3);
            let field = field_at(eye, facing);
            let (millis, expanded) = repaired(&mut search, &mut domain, &ground, &field, start);
            let (anew, _, scratch) = plan(&field);
            shares.times.push(100.0 * millis / anew);
            let all = scratch.expanded().max(1) as f64;
            shares.expansions.push(100.0 * expanded as f64 / all);
        }
    }
    Ok(())
}

/// As [`sight`], as a field of its own.
pub(super) fn sight_alone(level: &Level, eye: DVec3, range: f64, angle: f64) -> Arc<Field> {
    let term = sight(level, eye.truncate(), 0.0, range, angle);
    Arc::new(Field::new(vec![term], 0.0))
}
