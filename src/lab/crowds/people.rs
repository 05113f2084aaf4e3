//! Films of real people, where they are at hand: the folder is named by `WAYLOOM_PEOPLE`.

use super::stage::{Counter, People, Stage, rect, run};
use super::{SEEDS, mean};
use crate::document::{Arrival, Spawn};
use crate::exchange::people::{self, PeopleOptions};
use crate::geometry::{Polygon, Rect};
use crate::jobs::JobContext;
use crate::lab::{LabError, Row};
use crate::sim::measures::{
    CutOff, Measurement, MeasuringArea, MeasuringLine, Walkable, area_figures, crossings,
    line_figures,
};
use glam::DVec2;
use std::path::PathBuf;

/// Experiments in a corridor of 1.8 m: name, steady frames, density, speed and flow that were
/// measured.
const RUNS: [(&str, [i64; 2], [f64; 2]); 5] = [
    ("uo-050-180-180", [211, 800], [0.50, 1.33]),
    ("uo-100-180-180", [200, 790], [1.14, 1.19]),
    ("uo-145-180-180", [300, 1097], [1.68, 0.95]),
    ("uo-180-180-070", [500, 1399], [3.06, 0.30]),
    ("uo-180-180-120", [300, 1099], [2.06, 0.64]),
];

pub(super) fn real(ctx: &JobContext) -> Result<Vec<Row>, LabError> {
    let Some(folder) = std::env::var_os("WAYLOOM_PEOPLE").map(PathBuf::from) else {
        return Ok(Vec::new());
    };
    let mut rows = Vec::new();
    for (name, [from, to], [density, speed]) in RUNS {
        let Ok(bytes) = std::fs::read(folder.join(format!("{name}.txt"))) else {
            continue;
        };
        let options = PeopleOptions {
            rate: Some(16.0),
            scale: Some(0.01),
        };
        let frames = people::read(&bytes, &options)
            .map_err(|error| LabError::Unavailable(format!("{name}: {error}")))?;
        let place = |x: f64, y: f64| DVec2::new(x, y);
        let corridor = Rect::new(place(0.0, -8.0), place(1.8, 8.0));
        let area = Rect::new(place(0.0, -2.0), place(1.8, 0.0));
        let walkable = Walkable::new(&[Polygon::rect(corridor)]);
        let what = Measurement {
            lines: &[MeasuringLine {
                name: String::new(),
                ends: [place(0.0, 0.0), place(1.8, 0.0)],
            }],
            areas: &[MeasuringArea {
                name: String::new(),
                area: Polygon::rect(area),
            }],
            walkable: &walkable,
            cut_off: Some(CutOff::default()),
            frames: [from, to].map(|frame| (frame - frames.first).max(0) as usize),
            every: 8,
        };
        let lines = line_figures(&frames, &what);
        let areas = area_figures(&frames, &what, ctx)?;
        let flow = lines[0].flow.unwrap_or(0.0) / 1.8;
        rows.push(
            Row::new(
                format!("{name}: density as filmed"),
                "1/m²",
                areas[0].voronoi,
            )
            .paper(density),
        );
        rows.push(Row::new(format!("{name}: speed as filmed"), "m/s", areas[0].speed).paper(speed));
        rows.push(Row::new(format!("{name}: flow as filmed"), "1/(m·s)", flow));
        let entered: Vec<f64> = crossings(&frames, [place(-1.0, 3.5), place(2.8, 3.5)])
            .iter()
            .map(|crossing| frames.time(crossing.frame))
            .collect();
        let window = what.frames.map(|frame| frames.time(frame));
        let simulated = fed(&entered, exit_of(name), window, ctx)? / 1.8;
        let what = format!("{name}: flow simulated with the filmed inflow");
        rows.push(
            Row::new(what, "1/(m·s)", simulated)
                .paper(flow)
                .within(0.85 * flow, 1.15 * flow),
        );
    }
    Ok(rows)
}

/// Width of the exit, of the numbers in a name. Unit: metres.
fn exit_of(name: &str) -> f64 {
    let mut numbers = name.split('-').filter_map(|part| part.parse::<f64>().ok());
    numbers.next_back().unwrap_or(180.0) / 100.0
}

/// People per second in a corridor of 1.8 m that people enter at these times, between two times.
/// They were filmed half a metre behind its entrance, so that is where they appear; its width has
/// had its effect then.
fn fed(
    entered: &[f64],
    exit: f64,
    [from, to]: [f64; 2],
    ctx: &JobContext,
) -> Result<f64, LabError> {
    let half = 0.5 * exit;
    let mut stage = Stage::new(20.0, 6.0)
        .wall(rect(0.0, 0.0, 12.0, 2.1))
        .wall(rect(0.0, 3.9, 12.0, 6.0))
        .wall(rect(12.0, 0.0, 12.2, 3.0 - half))
        .wall(rect(12.0, 3.0 + half, 12.2, 6.0));
    let arrivals = entered.iter().map(|at| Arrival {
        at: *at,
        count: 1,
        over: 0.0,
    });
    let area = rect(3.7, 2.1, 4.7, 3.9);
    let count = entered.len() as u32;
    stage = stage.people(People {
        spawn: Spawn::Timetable(arrivals.collect()),
        ..People::new(area, count, rect(17.0, 0.0, 20.0, 6.0))
    });
    let flows: Vec<f64> = (0..SEEDS)
        .map(|seed| {
            let mut world = stage.world("walker", seed, ctx)?;
            let mut counter = Counter::new(8.0);
            run(&mut world, to, ctx, |world| {
                counter.note(world.time(), world.agents());
            })?;
            let within = counter.times.iter().filter(|t| (from..to).contains(*t));
            Ok(within.count() as f64 / (to - from))
        })
        .collect::<Result<_, LabError>>()?;
    Ok(mean(&flows))
}
