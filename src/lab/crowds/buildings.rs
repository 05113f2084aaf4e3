//! Parts of buildings: rooms with assigned exits, and stairs behind a crowd.

use super::SEEDS;
use super::stage::{People, Stage, rect, run};
use crate::geometry::HeightField;
use crate::jobs::JobContext;
use crate::lab::{Better, LabError, Row};
use glam::DVec2;
use rayon::prelude::*;

/// RiMEA 10: twelve rooms at a corridor; those of four rooms are sent to the secondary exit.
pub(super) fn assigned_exits(ctx: &JobContext) -> Result<Vec<Row>, LabError> {
    // Two rows of six rooms of 3 m by 5 m, a corridor of 1 m between them, and a shaft of 1.2 m to
    // the main exit between the second and the third room of the upper row.
    const SHAFT: f64 = 1.2;
    const DOOR: f64 = 0.9;
    let (low, high, top) = (5.0, 6.0, 11.0);
    let left = |room: u32| {
        let column = room % 6;
        3.0 * f64::from(column) + if column >= 2 { SHAFT } else { 0.0 }
    };
    let main = rect(6.0, top + 0.2, 6.0 + SHAFT, top + 1.2);
    let secondary = rect(20.0, low, 21.0, high);
    let mut stage = Stage::new(21.0, top + 1.2)
        .wall(rect(6.0, 0.0, 6.0 + SHAFT, low))
        .wall(rect(0.0, top, 6.0, top + 1.2))
        .wall(rect(6.0 + SHAFT, top, 21.0, top + 1.2))
        .wall(rect(19.2, 0.0, 21.0, low))
        .wall(rect(19.2, high, 21.0, top));
    for room in 0..12 {
        let x = left(room);
        let (is_upper, wall) = (room < 6, 0.1);
        let (edge, y0, y1) = if is_upper {
            (high, high + wall, top)
        } else {
            (low - wall, 0.0, low - wall)
        };
        let door = x + 1.5;
        stage = stage
            .wall(rect(x, edge, door - 0.5 * DOOR, edge + wall))
            .wall(rect(door + 0.5 * DOOR, edge, x + 3.0, edge + wall))
            .wall(rect(x, y0, x + 0.05, y1))
            .wall(rect(x + 2.95, y0, x + 3.0, y1));
        let is_secondary = matches!(room, 4 | 5 | 10 | 11);
        let goal = if is_secondary { &secondary } else { &main };
        let count = if room == 2 { 1 } else { 2 };
        let area = rect(x + 0.5, y0 + 1.0, x + 2.5, y1 - 1.0);
        stage = stage.people(People::new(area, count, goal.clone()));
    }
    let counts: Vec<[u32; 3]> = (0..SEEDS)
        .into_par_iter()
        .map(|seed| {
            let mut world = stage.world("walker", seed, ctx)?;
            let mut counts = [0; 3];
            let is_empty = run(&mut world, 120.0, ctx, |world| {
                for departure in world.departures() {
                    counts[usize::from(departure.at.x > 19.0)] += 1;
                }
            })?;
            counts[2] = u32::from(!is_empty);
            Ok(counts)
        })
        .collect::<Result<_, LabError>>()?;
    // The worst of all seeds.
    let farthest = |index: usize, wanted: u32| {
        let counts = counts.iter().map(|counts| counts[index]);
        f64::from(
            counts
                .max_by_key(|count| count.abs_diff(wanted))
                .unwrap_or(0),
        )
    };
    Ok(vec![
        Row::new(
            "RiMEA 10: people who leave by the main exit",
            "",
            farthest(0, 15),
        )
        .within(15.0, 15.0),
        Row::new(
            "RiMEA 10: people who leave by the secondary exit",
            "",
            farthest(1, 8),
        )
        .within(8.0, 8.0),
    ])
}

/// Speeds of people on stairs over density: fast and slow ones, each with half the width of its
/// band (Corbetta et al.).
fn band(rho: f64, is_up: bool) -> [f64; 2] {
    let (fast, fast_width, slow, slow_width) = if is_up {
        (
            0.18 * rho * rho - 0.55 * rho + 1.02,
            0.35 - 0.14 * rho,
            0.48 + 0.01 * rho,
            0.10 - 0.02 * rho,
        )
    } else {
        (
            0.33 * rho * rho - 1.02 * rho + 1.39,
            0.29 - 0.11 * rho,
            0.67 - 0.08 * rho,
            0.14 - 0.06 * rho,
        )
    };
    [
        (slow - slow_width).min(fast - fast_width),
        (slow + slow_width).max(fast + fast_width),
    ]
}

/// Densities of RiMEA 13 and their bins. Unit: 1/m².
const BINS: [[f64; 2]; 3] = [[0.6, 0.9], [0.9, 1.2], [1.2, 1.5]];

/// RiMEA 13: 100 people in a room of 10 m by 10 m, and stairs of 2 m by 5 m behind it.
pub(super) fn stairs(ctx: &JobContext) -> Result<Vec<Row>, LabError> {
    const RISE: f64 = 3.0;
    let mut rows = Vec::new();
    let mut means = Vec::new();
    for (name, is_up) in [("up", true), ("down", false)] {
        let samples: Vec<Vec<(f64, f64)>> = (0..SEEDS)
            .into_par_iter()
            .map(|seed| {
                let mut stage = Stage::new(22.0, 10.0)
                    .wall(rect(10.0, 0.0, 15.0, 4.0))
                    .wall(rect(10.0, 6.0, 15.0, 10.0))
                    .people(People::new(
                        rect(0.3, 0.3, 9.7, 9.7),
                        100,
                        rect(20.0, 0.0, 22.0, 10.0),
                    ));
                let mut ground = HeightField::flat(stage.bounds, 0.25, 0.0);
                let columns = ground.columns;
                ground.heights = (0..ground.rows * columns)
                    .map(|post| {
                        let x = (post % columns) as f64 * 0.25;
                        let share = ((x - 10.0) / 5.0).clamp(0.0, 1.0);
                        RISE * if is_up { share } else { 1.0 - share }
                    })
                    .collect();
                stage.ground = Some(ground);
                let mut world = stage.world("walker", seed, ctx)?;
                let mut samples = Vec::new();
                let along = (1.0 + (RISE / 5.0) * (RISE / 5.0)).sqrt();
                run(&mut world, 300.0, ctx, |world| {
                    if !world.tick().is_multiple_of(20) {
                        return;
                    }
                    let on_stairs = |p: DVec2| (10.0..15.0).contains(&p.x);
                    let speeds: Vec<f64> = world
                        .agents()
                        .filter(|agent| on_stairs(agent.position.truncate()))
                        .map(|agent| agent.velocity.length() * along)
                        .collect();
                    let density = speeds.len() as f64 / 10.0;
                    samples.extend(speeds.into_iter().map(|speed| (density, speed)));
                })?;
                Ok(samples)
            })
            .collect::<Result<_, LabError>>()?;
        let samples: Vec<(f64, f64)> = samples.into_iter().flatten().collect();
        let within = |[low, high]: [f64; 2]| {
            let chosen = samples.iter().copied();
            chosen
                .filter(|(rho, _)| (low..high).contains(rho))
                .collect::<Vec<_>>()
        };
        let all = within([BINS[0][0], BINS[2][1]]);
        let inside = all.iter().filter(|(rho, speed)| {
            let [low, high] = band(*rho, is_up);
            (low..=high).contains(speed)
        });
        let share = 100.0 * inside.count() as f64 / all.len().max(1) as f64;
        let what = format!("RiMEA 13: speeds {name} the stairs inside the band");
        rows.push(Row::new(what, "%", share).goal(50.0, Better::Higher));
        let mean = |bin: [f64; 2]| {
            let speeds: Vec<f64> = within(bin).into_iter().map(|(_, speed)| speed).collect();
            (!speeds.is_empty()).then(|| super::mean(&speeds))
        };
        means.push(BINS.map(mean));
    }
    let slower = BINS.iter().enumerate().filter(|(bin, _)| {
        match (means[0][*bin], means[1][*bin]) {
            (Some(up), Some(down)) => down <= up,
            // A density that was never there shows nothing.
            _ => true,
        }
    });
    rows.push(
        Row::new(
            "RiMEA 13: densities of three at which down is not faster than up",
            "",
            slower.count() as f64,
        )
        .goal(0.0, Better::Lower),
    );
    Ok(rows)
}
