//! `wayloom bench crowds`: time for a step.

use super::peers;
use super::stage::{People, Stage, rect};
use crate::document::Repeat;
use crate::geometry::Polygon;
use crate::jobs::JobContext;
use crate::lab::measure::thread_time;
use crate::lab::{Better, LabError, Report, Row};
use crate::sim::models;
use crate::sim::world::World;

/// People at one for each square metre in a hall with pillars, half of them against the others.
pub(super) fn hall(count: u32) -> Stage {
    let side = f64::from(count).sqrt();
    let mut stage = Stage::new(side, side);
    let mut x = 6.0;
    while x < side - 6.0 {
        let mut y = 6.0;
        while y < side - 6.0 {
            stage.walls.push(rect(x, y, x + 1.0, y + 1.0));
            y += 12.0;
        }
        x += 12.0;
    }
    let half = |x0: f64, x1: f64, goal: f64, back: f64| People {
        goals: vec![
            rect(goal, 0.0, goal + 1.0, side),
            rect(back, 0.0, back + 1.0, side),
        ],
        repeat: Repeat::BackAndForth,
        ..People::new(rect(x0, 0.0, x1, side), count / 2, rect(0.0, 0.0, 1.0, 1.0))
    };
    stage
        .people(half(0.0, 0.5 * side, side - 1.0, 0.0))
        .people(half(0.5 * side, side, 0.0, side - 1.0))
}

/// Median time of a step, and half the distance between the quartiles: processor time of the thread
/// that makes it, which does the serial part and its share of the rest. Unit: milliseconds.
fn step_time(world: &mut World, ctx: &JobContext) -> Result<(f64, f64), LabError> {
    for _ in 0..20 {
        world.step(ctx)?;
    }
    let mut times = Vec::new();
    for _ in 0..60 {
        let started = thread_time();
        world.step(ctx)?;
        times.push((thread_time() - started).as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    Ok((times[30], 0.5 * (times[45] - times[15])))
}

fn on(threads: usize, count: u32, model: &str, ctx: &JobContext) -> Result<(f64, f64), LabError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| LabError::Unavailable(error.to_string()))?;
    pool.install(|| step_time(&mut hall(count).world(model, 1, ctx)?, ctx))
}

/// Walls of [`hall`] as boxes, for the peers.
fn boxes(stage: &Stage) -> Vec<[f64; 4]> {
    let corners = |wall: &Polygon| {
        let bounds = wall.bounds();
        [bounds.min.x, bounds.min.y, bounds.max.x, bounds.max.y]
    };
    stage.walls.iter().map(corners).collect()
}

/// # Errors
/// The job was cancelled.
pub fn bench(ctx: &JobContext) -> Result<Report, LabError> {
    let mut rows = Vec::new();
    let mut walker = 0.0;
    for row in models::rows() {
        let (time, spread) = on(1, 10_000, row.id, ctx)?;
        let what = format!("10,000 people, 1/m², walls, one thread: {}", row.title);
        let line = Row::new(what, "ms", time).spread(spread);
        rows.push(if row.id == models::rows()[0].id {
            walker = time;
            line.goal(10.0, Better::Lower)
        } else {
            line
        });
    }
    let stage = hall(10_000);
    let world = stage.world("walker", 1, ctx)?;
    let side = stage.bounds.size().x;
    for peer in peers::measured(&world, &boxes(&stage), side, 20) {
        let what = format!(
            "10,000 people, 1/m², walls, one thread: beside {}",
            peer.name
        );
        rows.push(
            Row::new(what, "ms", walker)
                .beside(peer.name, peer.step)
                .goal(peer.step, Better::Lower),
        );
    }
    let (time, spread) = on(2, 50_000, "walker", ctx)?;
    rows.push(
        Row::new(
            "50,000 people, 1/m², walls, two threads: Walker",
            "ms",
            time,
        )
        .spread(spread)
        .goal(40.0, Better::Lower),
    );
    Ok(Report {
        name: "crowds".to_owned(),
        rows,
    })
}
