//! Density and speed within an area.

use super::people::{Frames, Position};
use crate::geometry::Polygon;
use crate::sim::world::AgentIndex;
use glam::DVec2;

/// One frame of an area.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AreaSample {
    /// Unit: seconds.
    pub time: f64,
    pub count: usize,
    /// People by area. Unit: 1/m².
    pub classic: f64,
    /// By Voronoi cells. Unit: 1/m².
    pub voronoi: f64,
    /// Mean of those inside; `None` without agents inside. Unit: m/s.
    pub speed: Option<f64>,
}

/// Those within an area in a frame; a border counts as inside.
pub fn in_area<'a>(
    frame: &'a [Position],
    area: &'a Polygon,
) -> impl Iterator<Item = &'a Position> + 'a {
    let bounds = area.bounds();
    let contains = move |p: DVec2| {
        bounds.contains(p) && (area.contains(p) || area.distance_to_edge(p) < 1e-12)
    };
    frame.iter().filter(move |position| contains(position.at))
}

/// People in an area divided by its size. Unit: 1/m².
#[must_use]
pub fn classic_density(frame: &[Position], area: &Polygon) -> f64 {
    in_area(frame, area).count() as f64 / area.area().abs().max(f64::MIN_POSITIVE)
}

/// Mean speed of those in an area, each over some frames before and after. Unit: m/s.
#[must_use]
pub fn mean_speed(frames: &Frames, frame: usize, area: &Polygon, half: usize) -> Option<f64> {
    let here = frames.frames.get(frame)?;
    let ids: Vec<AgentIndex> = in_area(here, area).map(|position| position.id).collect();
    let speeds = ids.iter().filter_map(|id| frames.speed(frame, *id, half));
    let (sum, count) = speeds.fold((0.0, 0), |(sum, count), speed| (sum + speed, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

/// Levels of service, from free movement to standstill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LevelOfService {
    A,
    B,
    C,
    D,
    E,
    F,
}

impl LevelOfService {
    pub const ALL: [Self; 6] = [Self::A, Self::B, Self::C, Self::D, Self::E, Self::F];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::B => "B",
            Self::C => "C",
            Self::D => "D",
            Self::E => "E",
            Self::F => "F",
        }
    }
}

/// Fruin's scales (1971).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fruin {
    Walkway,
    Stairs,
    Queue,
}

impl Fruin {
    /// Highest densities of levels A to E. Unit: 1/m².
    #[must_use]
    pub const fn limits(self) -> [f64; 5] {
        match self {
            Self::Walkway => [0.31, 0.43, 0.72, 1.08, 2.17],
            Self::Stairs => [0.54, 0.72, 1.08, 1.54, 2.7],
            Self::Queue => [0.83, 1.08, 1.54, 3.57, 5.26],
        }
    }

    #[must_use]
    pub fn level(self, density: f64) -> LevelOfService {
        let above = self
            .limits()
            .iter()
            .filter(|limit| density > **limit)
            .count();
        LevelOfService::ALL[above]
    }
}
