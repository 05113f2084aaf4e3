//! Figures of a run: counts, flows, densities, speeds and times.
//!
//! Definitions are those of pedestrian dynamics as PedPy computes them, so that figures of ours,
//! of other simulators and of real people can be laid side by side.

mod area;
mod heat;
mod line;
mod people;
mod places;
mod plots;
mod report;
#[cfg(test)]
mod tests;
mod voronoi;

pub use area::{AreaSample, Fruin, LevelOfService, classic_density, in_area, mean_speed};
pub use heat::{HeatKind, HeatMaps, REACH};
pub use line::{Crossing, crossings, flow};
pub use people::{Frames, Position, Travel, evacuation_curve, travels};
pub use places::{measuring_areas, measuring_lines};
pub use plots::{AreaCurve, FLOW_WINDOW, JUELICH, LineCurve, RunPlots, histogram, weidmann};
pub use report::{
    AreaFigures, LineFigures, Measurement, MeasuringArea, MeasuringLine, area_figures, line_figures,
};
pub use voronoi::{CutOff, Walkable, cells_of, voronoi_density};
