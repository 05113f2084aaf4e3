//! Speeds: alone, in single file, in a corridor.

use super::stage::{People, Stage, rect, run};
use super::track::{Flow, Track};
use super::{SEEDS, mean};
use crate::base::Distribution;
use crate::geometry::{HeightField, Polygon, Rect};
use crate::jobs::JobContext;
use crate::lab::{Better, LabError, Row};
use crate::sim::world::{AgentState, World};
use glam::DVec2;
use rayon::prelude::*;

/// A polygon turned about a point.
fn turned(polygon: Polygon, about: DVec2, degrees: f64) -> Polygon {
    let rotation = DVec2::from_angle(degrees.to_radians());
    polygon.map(|p| about + rotation.rotate(p - about))
}

/// RiMEA 1: a corridor of 2 m by 40 m, one person at 1.33 m/s, at four angles.
pub(super) fn alone(ctx: &JobContext) -> Result<Vec<Row>, LabError> {
    let mut times = Vec::new();
    for degrees in [0.0, 30.0, 45.0, 90.0] {
        let about = DVec2::splat(30.0);
        let shape = |x0: f64, y0: f64, x1: f64, y1: f64| {
            turned(
                rect(30.0 + x0, 30.0 + y0, 30.0 + x1, 30.0 + y1),
                about,
                degrees,
            )
        };
        let goal = shape(19.5, -1.0, 21.0, 1.0);
        let mut people = People::new(shape(-20.7, -0.2, -20.3, 0.2), 1, goal);
        people.speed = Distribution::Constant(1.33);
        let stage = Stage::new(60.0, 60.0)
            .wall(shape(-21.0, 1.0, 21.0, 1.2))
            .wall(shape(-21.0, -1.2, 21.0, -1.0))
            .people(people);
        let mut world = stage.world("walker", 1, ctx)?;
        let mut walked = 0.0;
        let mut last: Option<DVec2> = None;
        run(&mut world, 60.0, ctx, |world: &World| {
            for agent in world.agents() {
                let at = agent.position.truncate();
                walked += last.map_or(0.0, |last| last.distance(at));
                last = Some(at);
            }
        })?;
        times.push(40.0 / (walked / world.time()).max(1e-9));
    }
    let spread = times.iter().fold(0.0_f64, |worst, t| {
        worst.max((t / mean(&times) - 1.0).abs())
    });
    Ok(vec![
        Row::new("RiMEA 1: 40 m at 1.33 m/s, four angles", "s", mean(&times)).within(26.0, 34.0),
        Row::new("RiMEA 1: spread over the angles", "%", 100.0 * spread).goal(1.0, Better::Lower),
    ])
}

/// RiMEA 2 and 3: stairs of 10 m along their slope, up at 0.50 m/s and down at 0.65 m/s, at four
/// angles.
pub(super) fn stairs(ctx: &JobContext) -> Result<Vec<Row>, LabError> {
    let (run_length, rise) = (8.0, 6.0);
    let mut rows = Vec::new();
    for (what, is_up, expected) in [
        ("RiMEA 2: 10 m of stairs upwards", true, 20.0),
        ("RiMEA 3: 10 m of stairs downwards", false, 15.4),
    ] {
        let mut times = Vec::new();
        for degrees in [0.0, 30.0, 45.0, 90.0] {
            let about = DVec2::splat(20.0);
            let forward = DVec2::from_angle(f64::to_radians(degrees));
            let along = |p: DVec2| (p - about).dot(forward) * if is_up { 1.0 } else { -1.0 };
            let mut ground =
                HeightField::flat(Rect::new(DVec2::ZERO, DVec2::splat(40.0)), 0.25, 0.0);
            let height = |p: DVec2| (along(p) / run_length + 0.5).clamp(0.0, 1.0) * rise;
            let columns = ground.columns;
            let posts = (0..ground.rows).flat_map(|row| (0..columns).map(move |c| (c, row)));
            ground.heights = posts
                .map(|(column, row)| height(DVec2::new(column as f64, row as f64) * 0.25))
                .collect();
            let shape = |x0: f64, y0: f64, x1: f64, y1: f64| {
                turned(
                    rect(20.0 + x0, 20.0 + y0, 20.0 + x1, 20.0 + y1),
                    about,
                    degrees,
                )
            };
            let mut people =
                People::new(shape(-8.2, -0.2, -7.8, 0.2), 1, shape(8.0, -1.0, 10.0, 1.0));
            people.speed = Distribution::Constant(1.34);
            let mut stage = Stage::new(40.0, 40.0)
                .wall(shape(-10.0, 1.0, 10.0, 1.2))
                .wall(shape(-10.0, -1.2, 10.0, -1.0))
                .people(people);
            stage.ground = Some(ground);
            let mut world = stage.world("walker", 1, ctx)?;
            let mut time = 0.0;
            run(&mut world, 120.0, ctx, |world: &World| {
                let on_stairs = |a: &AgentState| {
                    (a.position.truncate() - about).dot(forward).abs() <= 0.5 * run_length
                };
                if world.agents().any(|agent| on_stairs(&agent)) {
                    time += world.options().step;
                }
            })?;
            times.push(time);
        }
        let spread = times.iter().fold(0.0_f64, |worst, t| {
            worst.max((t / mean(&times) - 1.0).abs())
        });
        rows.push(
            Row::new(format!("{what}, four angles"), "s", mean(&times))
                .within(0.95 * expected, 1.05 * expected),
        );
        let what = format!("{what}: spread over the angles");
        rows.push(Row::new(what, "%", 100.0 * spread).goal(1.0, Better::Lower));
    }
    Ok(rows)
}

/// Density and the 10, 50 and 90 % quantiles of speed of people in single file.
const BAND: [[f64; 4]; 6] = [
    [0.3, 0.84, 1.16, 1.47],
    [0.7, 0.60, 0.97, 1.31],
    [1.1, 0.32, 0.52, 0.84],
    [1.5, 0.11, 0.27, 0.49],
    [1.9, 0.05, 0.16, 0.31],
    [2.3, 0.03, 0.12, 0.25],
];

/// RiMEA 16: speed over density in single file.
pub(super) fn single_file(ctx: &JobContext) -> Result<Vec<Row>, LabError> {
    let speed = Distribution::Normal {
        mean: 1.24,
        deviation: 0.1,
    };
    let track = Track {
        straight: 8.0,
        radius: 2.0,
        width: 0.5,
    };
    let runs: Vec<(u32, u64)> = BAND
        .into_iter()
        .map(|[density, ..]| (density * track.length()).round() as u32)
        .flat_map(|count| (0..SEEDS).map(move |seed| (count, seed)))
        .collect();
    let samples: Vec<Vec<(f64, f64)>> = runs
        .into_par_iter()
        .map(|(count, seed)| {
            let mut world = track.world(count, Flow::One, seed, speed, ctx)?;
            let mut samples = Vec::new();
            run(&mut world, 90.0, ctx, |world| {
                if world.time() > 30.0 && world.tick().is_multiple_of(20) {
                    headways(world, &track, &mut samples);
                }
            })?;
            Ok(samples)
        })
        .collect::<Result<_, LabError>>()?;
    let samples: Vec<(f64, f64)> = samples.into_iter().flatten().collect();
    Ok(BAND
        .into_iter()
        .map(|[density, low, middle, high]| {
            let speeds: Vec<f64> = samples
                .iter()
                .filter(|(rho, _)| (rho - density).abs() < NEAR)
                .map(|(_, speed)| *speed)
                .collect();
            let what = format!("RiMEA 16: speed in single file at {density}/m");
            let ours = if speeds.is_empty() {
                f64::NAN
            } else {
                mean(&speeds)
            };
            Row::new(what, "m/s", ours).paper(middle).within(low, high)
        })
        .collect())
}

/// Speeds count for a density that differs from theirs by less. Unit: 1/m.
const NEAR: f64 = 0.1;

/// Density in front of each on the straights, 1/headway, and its speed along them.
fn headways(world: &World, track: &Track, samples: &mut Vec<(f64, f64)>) {
    let agents: Vec<_> = world.agents().collect();
    let (from, [low, high]) = track.corner();
    let (middle, to) = (0.5 * (low + high), from + track.straight);
    for agent in &agents {
        let at = agent.position;
        let forward = if at.y < middle { 1.0 } else { -1.0 };
        let ahead = agents
            .iter()
            .filter(|other| (other.position.y - at.y).abs() < 0.5)
            .map(|other| (other.position.x - at.x) * forward)
            .filter(|gap| *gap > 0.0)
            .fold(f64::INFINITY, f64::min);
        if (from..to).contains(&at.x) && (from..to).contains(&(at.x + ahead * forward)) {
            samples.push((1.0 / ahead, agent.velocity.x * forward));
        }
    }
}

/// Density and speed of real people in a corridor of 1.8 m, in one direction.
const JUELICH: [[f64; 2]; 8] = [
    [0.50, 1.33],
    [0.67, 1.34],
    [1.14, 1.19],
    [1.56, 0.99],
    [1.68, 0.95],
    [2.06, 0.64],
    [2.46, 0.41],
    [3.06, 0.30],
];

/// Densities beyond those that were measured. Unit: 1/m².
const DENSER: [f64; 3] = [4.0, 5.0, 6.0];

/// RiMEA 4: speed over density in a corridor, on a track of 2 m; a minute after ten seconds.
pub(super) fn corridor(ctx: &JobContext) -> Result<Vec<Row>, LabError> {
    let speed = super::stage::SPEEDS;
    let track = Track {
        straight: 12.0,
        radius: 4.0,
        width: 2.0,
    };
    let densities = JUELICH.map(|[density, _]| density).into_iter();
    let runs: Vec<(f64, u64)> = densities
        .chain(DENSER)
        .flat_map(|density| (0..SEEDS).map(move |seed| (density, seed)))
        .collect();
    let speeds: Vec<f64> = runs
        .into_par_iter()
        .map(|(density, seed)| {
            let count = (density * track.length() * track.width).round() as u32;
            let mut world = track.world(count, Flow::One, seed, speed, ctx)?;
            let mut samples = Vec::new();
            run(&mut world, 70.0, ctx, |world| {
                if world.time() > 10.0 && world.tick().is_multiple_of(10) {
                    on_straights(world, &track, &mut samples);
                }
            })?;
            Ok(mean(&samples))
        })
        .collect::<Result<_, LabError>>()?;
    let curve: Vec<f64> = speeds.chunks(SEEDS as usize).map(mean).collect();
    let mut rows: Vec<Row> = JUELICH
        .into_iter()
        .zip(&curve)
        .map(|([density, measured], speed)| {
            let what = format!("RiMEA 4: speed in a corridor at {density}/m²");
            Row::new(what, "m/s", *speed)
                .paper(measured)
                .within(0.8 * measured, 1.2 * measured)
        })
        .collect();
    let rises = curve
        .windows(2)
        .filter(|pair| pair[1] > pair[0] + 0.03)
        .count();
    rows.push(
        Row::new(
            "RiMEA 4: times that speed rises with density, up to 6/m²",
            "",
            rises as f64,
        )
        .goal(0.0, Better::Lower),
    );
    Ok(rows)
}

/// Speeds along the track of all who are on its straights, but not next to the bends.
fn on_straights(world: &World, track: &Track, samples: &mut Vec<f64>) {
    let (edge, [low, high]) = track.corner();
    let middle = 0.5 * (low + high);
    let shown = edge + 0.2 * track.straight..edge + 0.8 * track.straight;
    samples.extend(
        world
            .agents()
            .filter(|agent| shown.contains(&agent.position.x))
            .map(|agent| agent.velocity.x * (middle - agent.position.y).signum()),
    );
}

/// Density and speed of real people in a corridor of 3.6 m, in both directions; their free speed
/// was higher.
const COUNTERFLOW: [[f64; 2]; 3] = [[1.0, 1.18], [1.6, 0.85], [2.25, 0.56]];

/// Speed of those real people when they were few. Unit: m/s.
const FREE_SPEED: f64 = 1.52;

/// Speed over density in counterflow, on a track of 3.6 m.
pub(super) fn counterflow(ctx: &JobContext) -> Result<Vec<Row>, LabError> {
    let track = Track {
        straight: 14.0,
        radius: 5.0,
        width: 3.6,
    };
    let runs: Vec<(f64, u64)> = COUNTERFLOW
        .into_iter()
        .flat_map(|[density, _]| (0..SEEDS).map(move |seed| (density, seed)))
        .collect();
    let speeds: Vec<f64> = runs
        .into_par_iter()
        .map(|(density, seed)| {
            let count = (density * track.length() * track.width).round() as u32;
            let speed = super::stage::SPEEDS;
            let mut world = track.world(count, Flow::Both, seed, speed, ctx)?;
            let mut samples = Vec::new();
            run(&mut world, 60.0, ctx, |world| {
                if world.time() > 25.0 && world.tick().is_multiple_of(10) {
                    let speeds: Vec<f64> = world
                        .agents()
                        .map(|agent| agent.velocity.length())
                        .collect();
                    samples.push(mean(&speeds));
                }
            })?;
            Ok(mean(&samples))
        })
        .collect::<Result<_, LabError>>()?;
    let free = super::stage::SPEEDS.mean() / FREE_SPEED;
    Ok(COUNTERFLOW
        .into_iter()
        .zip(speeds.chunks(SEEDS as usize))
        .map(|([density, measured], speeds)| {
            let what = format!("Counterflow: speed at {density}/m², scaled to the free speed");
            let least = if density > 2.0 {
                0.3
            } else {
                0.75 * measured * free
            };
            Row::new(what, "m/s", mean(speeds))
                .paper(measured * free)
                .goal(least, Better::Higher)
        })
        .collect())
}
