//! All figures of a run or a film at the places where it is measured.

use super::area::{AreaSample, Fruin, LevelOfService, classic_density, in_area, mean_speed};
use super::line::{Crossing, crossings, flow};
use super::people::Frames;
use super::voronoi::{CutOff, Walkable, cells_of, voronoi_density};
use crate::geometry::Polygon;
use crate::jobs::{Cancelled, JobContext};
use glam::DVec2;

/// Half the time over which speeds are taken. Unit: seconds.
const SPEED_SPAN: f64 = 0.2;

/// Where people are counted.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuringLine {
    pub name: String,
    pub ends: [DVec2; 2],
}

/// Where density and speed are taken: a convex area.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuringArea {
    pub name: String,
    pub area: Polygon,
}

/// Figures at a line.
#[derive(Clone, Debug, PartialEq)]
pub struct LineFigures {
    pub name: String,
    /// Unit: metres.
    pub width: f64,
    pub crossings: Vec<Crossing>,
    /// Between the first and the last. Unit: 1/s.
    pub flow: Option<f64>,
}

/// Figures of an area.
#[derive(Clone, Debug, PartialEq)]
pub struct AreaFigures {
    pub name: String,
    pub samples: Vec<AreaSample>,
    /// Means over the frames with an agent inside. Unit: 1/m².
    pub classic: f64,
    pub voronoi: f64,
    /// Highest of all frames. Unit: 1/m².
    pub densest: f64,
    /// Unit: m/s.
    pub speed: f64,
    pub service: LevelOfService,
}

/// What to measure.
#[derive(Clone, Debug)]
pub struct Measurement<'a> {
    pub lines: &'a [MeasuringLine],
    pub areas: &'a [MeasuringArea],
    pub walkable: &'a Walkable,
    pub cut_off: Option<CutOff>,
    /// First and last frame that count.
    pub frames: [usize; 2],
    /// Only every so many frames of areas.
    pub every: usize,
}

/// Counts at lines.
#[must_use]
pub fn line_figures(frames: &Frames, what: &Measurement<'_>) -> Vec<LineFigures> {
    let [from, to] = what.frames;
    what.lines
        .iter()
        .map(|line| {
            let mut crossings = crossings(frames, line.ends);
            crossings.retain(|crossing| (from..=to).contains(&crossing.frame));
            LineFigures {
                name: line.name.clone(),
                width: line.ends[0].distance(line.ends[1]),
                flow: flow(&crossings, frames.interval),
                crossings,
            }
        })
        .collect()
}

/// Densities and speeds in areas.
///
/// # Errors
/// The job was cancelled.
pub fn area_figures(
    frames: &Frames,
    what: &Measurement<'_>,
    ctx: &JobContext,
) -> Result<Vec<AreaFigures>, Cancelled> {
    let half = (SPEED_SPAN / frames.interval).round().max(1.0) as usize;
    let [from, to] = what.frames;
    let last = to.min(frames.frames.len().saturating_sub(1));
    let mut all = Vec::with_capacity(what.areas.len());
    for MeasuringArea { name, area } in what.areas {
        let reach = what.cut_off.map_or(10.0, |cut_off| cut_off.radius);
        let scope = area.bounds().expanded(reach);
        let mut samples = Vec::new();
        for number in (from..=last).step_by(what.every.max(1)) {
            ctx.checkpoint()?;
            let frame = &frames.frames[number];
            let cells = cells_of(frame, what.walkable, what.cut_off, Some(scope));
            samples.push(AreaSample {
                time: frames.time(number),
                count: in_area(frame, area).count(),
                classic: classic_density(frame, area),
                voronoi: voronoi_density(&cells, &area.outer),
                speed: mean_speed(frames, number, area, half),
            });
        }
        all.push(AreaFigures::of(name.clone(), samples));
    }
    Ok(all)
}

impl AreaFigures {
    fn of(name: String, samples: Vec<AreaSample>) -> Self {
        let inside: Vec<&AreaSample> = samples.iter().filter(|s| s.count > 0).collect();
        let mean = |value: &dyn Fn(&AreaSample) -> f64| {
            let sum: f64 = inside.iter().map(|sample| value(sample)).sum();
            sum / (inside.len().max(1) as f64)
        };
        let densest = samples.iter().map(|s| s.voronoi).fold(0.0, f64::max);
        let voronoi = mean(&|sample| sample.voronoi);
        Self {
            classic: mean(&|sample| sample.classic),
            voronoi,
            densest,
            speed: mean(&|sample| sample.speed.unwrap_or(0.0)),
            service: Fruin::Walkway.level(voronoi),
            name,
            samples,
        }
    }
}
