//! Films of real people, where they are at hand: the folder is named by `WAYLOOM_PEOPLE`.

use crate::exchange::people::{self, PeopleOptions};
use crate::geometry::{Polygon, Rect};
use crate::jobs::JobContext;
use crate::lab::{LabError, Row};
use crate::sim::measures::{
    CutOff, Measurement, MeasuringArea, MeasuringLine, Walkable, area_figures, line_figures,
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
    }
    Ok(rows)
}
