//! Flows: doors, counterflow, corners.

use super::stage::{Counter, People, Stage, door, rect, run};
use super::{SEEDS, mean};
use crate::jobs::JobContext;
use crate::lab::{Better, LabError, Row};
use crate::sim::models;
use rayon::prelude::*;

/// Widths whose flow must be proportional to them. Unit: metres.
const WIDTHS: [f64; 6] = [0.8, 1.0, 1.2, 1.6, 2.0, 2.5];

/// People per second through a door of that width.
fn door_flow(model: &str, width: f64, seed: u64, ctx: &JobContext) -> Result<f64, LabError> {
    let mut world = door(width, 150).world(model, seed, ctx)?;
    let mut counter = Counter::new(10.1);
    run(&mut world, 300.0, ctx, |world| {
        counter.note(world.time(), world.agents());
    })?;
    Ok(counter.flow())
}

fn flows(model: &str, widths: &[f64], seeds: u64, ctx: &JobContext) -> Result<Vec<f64>, LabError> {
    let runs: Vec<(f64, u64)> = widths
        .iter()
        .flat_map(|width| (0..seeds).map(move |seed| (*width, seed)))
        .collect();
    let flows: Vec<f64> = runs
        .into_par_iter()
        .map(|(width, seed)| door_flow(model, width, seed, ctx))
        .collect::<Result<_, LabError>>()?;
    Ok(flows.chunks(seeds as usize).map(mean).collect())
}

/// Flow through doors of six widths, five seeds each.
pub(super) fn doors(ctx: &JobContext) -> Result<Vec<Row>, LabError> {
    let found = flows("walker", &WIDTHS, 5, ctx)?;
    let mut rows: Vec<Row> = WIDTHS
        .iter()
        .zip(&found)
        .map(|(width, flow)| {
            let what = format!("Flow through a door of {width} m");
            Row::new(what, "1/(m·s)", flow / width)
                .paper(1.9)
                .within(1.5, 2.3)
        })
        .collect();
    rows.push(
        Row::new(
            "Flow over width: R² of a straight line",
            "",
            r_squared(&WIDTHS, &found),
        )
        .goal(0.97, Better::Higher),
    );
    for row in models::rows().iter().skip(1) {
        let flow = flows(row.id, &[1.2], SEEDS, ctx)?[0];
        let what = format!("Flow through a door of 1.2 m, {} (to compare)", row.title);
        rows.push(Row::new(what, "1/(m·s)", flow / 1.2).paper(1.9));
    }
    Ok(rows)
}

fn r_squared(x: &[f64], y: &[f64]) -> f64 {
    let (mx, my) = (mean(x), mean(y));
    let sum = |f: &dyn Fn(f64, f64) -> f64| x.iter().zip(y).map(|(x, y)| f(*x, *y)).sum::<f64>();
    let xy = sum(&|x, y| (x - mx) * (y - my));
    let xx = sum(&|x, _| (x - mx) * (x - mx));
    let yy = sum(&|_, y| (y - my) * (y - my));
    xy * xy / (xx * yy).max(f64::MIN_POSITIVE)
}

/// A hundred rooms with narrow doors, and RiMEA 9.
pub(super) fn stuck(ctx: &JobContext) -> Result<Vec<Row>, LabError> {
    let runs: Vec<(f64, u64)> = [0.6, 0.8, 1.0, 1.2]
        .into_iter()
        .flat_map(|width| (0..25).map(move |seed| (width, 100 + seed)))
        .collect();
    let empty: Vec<bool> = runs
        .into_par_iter()
        .map(|(width, seed)| {
            let mut world = door(width, 60).world("walker", seed, ctx)?;
            run(&mut world, 240.0, ctx, |_| {})
        })
        .collect::<Result<_, LabError>>()?;
    let stuck = empty.iter().filter(|is_empty| !**is_empty).count();
    let mut rows = vec![
        Row::new(
            "Rooms of 100 that do not empty, doors of 0.6 to 1.2 m",
            "",
            stuck as f64,
        )
        .goal(0.0, Better::Lower),
    ];
    let times: Vec<(f64, bool)> = [true, false]
        .into_par_iter()
        .map(|all_open| {
            let mut world = hall(all_open).world("walker", 1, ctx)?;
            let is_empty = run(&mut world, 900.0, ctx, |_| {})?;
            Ok((world.time(), is_empty))
        })
        .collect::<Result<_, LabError>>()?;
    let left = times.iter().filter(|(_, is_empty)| !is_empty).count();
    rows.push(
        Row::new("RiMEA 9: halls of two that do not empty", "", left as f64)
            .goal(0.0, Better::Lower),
    );
    let ratio = times[1].0 / times[0].0;
    rows.push(Row::new("RiMEA 9: two doors against four", "×", ratio).within(1.6, 2.4));
    Ok(rows)
}

/// RiMEA 9: 30 m by 20 m, 1000 people, four doors of 1 m in the long sides, or two; everyone takes
/// the nearest.
fn hall(all_open: bool) -> Stage {
    let mut stage = Stage::new(30.0, 24.0);
    // Doors 4 m from the corners.
    let doors = [4.0, 25.0];
    for (side, (y0, y1)) in [(0, (1.8, 2.0)), (1, (22.0, 22.2))] {
        let is_open = all_open || side == 1;
        let mut from = 0.0;
        for x in doors.into_iter().filter(|_| is_open) {
            stage.walls.push(rect(from, y0, x, y1));
            from = x + 1.0;
        }
        stage.walls.push(rect(from, y0, 30.0, y1));
    }
    // People by the door that is nearest to them.
    for (x0, x1) in [(2.0, 15.0), (15.0, 28.0)] {
        if all_open {
            let below = People::new(rect(x0, 4.0, x1, 12.0), 250, rect(x0, 0.0, x1, 1.0));
            let above = People::new(rect(x0, 12.0, x1, 20.0), 250, rect(x0, 23.0, x1, 24.0));
            stage = stage.people(below).people(above);
        } else {
            let all = People::new(rect(x0, 4.0, x1, 20.0), 500, rect(x0, 23.0, x1, 24.0));
            stage = stage.people(all);
        }
    }
    stage
}

/// RiMEA 11: a room with two exits of 1 m in one wall, and everyone nearer to one of them.
pub(super) fn two_exits(ctx: &JobContext) -> Result<Vec<Row>, LabError> {
    let far: Vec<f64> = (0..SEEDS)
        .into_par_iter()
        .map(|seed| {
            let mut stage = Stage::new(30.0, 24.0)
                .wall(rect(0.0, 20.0, 21.0, 20.2))
                .wall(rect(22.0, 20.0, 27.0, 20.2))
                .wall(rect(28.0, 20.0, 30.0, 20.2))
                .wall(rect(24.4, 20.2, 24.6, 24.0))
                .people(People {
                    goals: Vec::new(),
                    ..People::new(rect(2.0, 2.0, 15.5, 18.0), 1000, rect(0.0, 0.0, 1.0, 1.0))
                });
            stage.exits = vec![rect(19.0, 22.0, 24.0, 23.8), rect(25.0, 22.0, 29.8, 23.8)];
            let mut world = stage.world("walker", seed, ctx)?;
            let (mut near, mut far) = (0.0, 0.0);
            run(&mut world, 900.0, ctx, |world| {
                for departure in world.departures() {
                    *(if departure.at.x > 24.5 {
                        &mut far
                    } else {
                        &mut near
                    }) += 1.0;
                }
            })?;
            Ok(100.0 * far / (near + far))
        })
        .collect::<Result<_, LabError>>()?;
    Ok(vec![
        Row::new("RiMEA 11: people who take the far exit", "%", mean(&far)).within(10.0, 45.0),
    ])
}

/// Two rooms of 10 m by 10 m and a corridor of 10 m by 2 m; 100 people against some.
pub(super) fn counterflow(ctx: &JobContext) -> Result<Vec<Row>, LabError> {
    let against = [0_u32, 10, 50, 100];
    let runs: Vec<(u32, u64)> = against
        .into_iter()
        .flat_map(|count| (0..SEEDS).map(move |seed| (count, seed)))
        .collect();
    let times: Vec<f64> = runs
        .into_par_iter()
        .map(|(count, seed)| {
            let mut stage = Stage::new(30.0, 10.0)
                .wall(rect(10.0, 0.0, 20.0, 4.0))
                .wall(rect(10.0, 6.0, 20.0, 10.0))
                .people(People::new(
                    rect(0.5, 0.5, 9.5, 9.5),
                    100,
                    rect(27.0, 0.0, 30.0, 10.0),
                ));
            if count > 0 {
                stage = stage.people(People::new(
                    rect(20.5, 0.5, 29.5, 9.5),
                    count,
                    rect(0.0, 0.0, 3.0, 10.0),
                ));
            }
            let mut world = stage.world("walker", seed, ctx)?;
            let mut last = 0.0;
            run(&mut world, 400.0, ctx, |world| {
                let first = world.scenario().sources[0].entity;
                if world.agents().any(|agent| agent.entity == first) {
                    last = world.time();
                }
            })?;
            Ok(last)
        })
        .collect::<Result<_, LabError>>()?;
    let means: Vec<f64> = times.chunks(SEEDS as usize).map(mean).collect();
    let mut rows: Vec<Row> = against
        .iter()
        .zip(&means)
        .map(|(count, time)| Row::new(format!("Counterflow: 100 against {count}"), "s", *time))
        .collect();
    let falls = means.windows(2).filter(|pair| pair[1] <= pair[0]).count();
    rows.push(
        Row::new(
            "Counterflow: times that more people are not slower",
            "",
            falls as f64,
        )
        .goal(0.0, Better::Lower),
    );
    Ok(rows)
}

/// RiMEA 15: 500 people round a corner take longer than straight on by the inner length, and less
/// than by the outer one.
pub(super) fn corner(ctx: &JobContext) -> Result<Vec<Row>, LabError> {
    let straight = |length: f64| {
        Stage::new(length + 8.0, 20.0).people(People::new(
            rect(0.2, 0.2, 6.0, 19.8),
            500,
            rect(length + 6.0, 0.0, length + 8.0, 20.0),
        ))
    };
    // 34 m to the inner corner and 10 m behind it: along the inner wall it is 44 m, and along a
    // quarter of a circle about the corner at the outer one 34 m + 31.4 m + 10 m.
    let bent = Stage::new(60.0, 32.0)
        .wall(rect(0.0, 20.0, 40.0, 32.0))
        .people(People::new(
            rect(0.2, 0.2, 6.0, 19.8),
            500,
            rect(40.0, 30.0, 60.0, 32.0),
        ));
    let stages = [straight(44.0), bent, straight(75.4)];
    let times: Vec<f64> = stages
        .par_iter()
        .map(|stage| {
            let times: Vec<f64> = (0..SEEDS)
                .map(|seed| {
                    let mut world = stage.world("walker", seed, ctx)?;
                    run(&mut world, 300.0, ctx, |_| {})?;
                    Ok(world.time())
                })
                .collect::<Result<_, LabError>>()?;
            Ok(mean(&times))
        })
        .collect::<Result<_, LabError>>()?;
    Ok(vec![
        Row::new("RiMEA 15: 500 people round a corner", "s", times[1]).within(times[0], times[2]),
    ])
}
