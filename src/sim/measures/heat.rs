//! Maps of a run: how dense it gets where, how many pass, how fast, how long to the exit.

use super::area::{Fruin, LevelOfService};
use crate::geometry::Rect;
use crate::jobs::{Cancelled, JobContext};
use crate::sim::wlrec::Run;
use crate::sim::world::AgentIndex;
use glam::{DVec2, DVec3};
use std::collections::BTreeMap;

/// Density is taken in a disc of this radius around the middle of a square. Unit: metres.
pub const REACH: f64 = 0.9;

/// Sides of squares, where the level is not too large for it. Unit: metres.
const SIDE: f64 = 0.4;

/// Most squares along a side.
const MOST_SQUARES: f64 = 512.0;

/// Frames closer together than this add nothing. Unit: seconds.
const INTERVAL: f64 = 0.2;

/// What a map shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HeatKind {
    MaxDensity,
    MeanDensity,
    Usage,
    Speed,
    TimeToExit,
    Service,
}

impl HeatKind {
    pub const ALL: [Self; 6] = [
        Self::MaxDensity,
        Self::MeanDensity,
        Self::Usage,
        Self::Speed,
        Self::TimeToExit,
        Self::Service,
    ];

    /// Follows a number.
    #[must_use]
    pub const fn unit(self) -> &'static str {
        match self {
            Self::MaxDensity | Self::MeanDensity | Self::Service => "/m²",
            Self::Usage => " people",
            Self::Speed => " m/s",
            Self::TimeToExit => " s",
        }
    }
}

/// All maps of a run, on one grid.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatMaps {
    /// Lower left corner of the grid.
    pub origin: DVec2,
    /// Unit: metres.
    pub side: f64,
    pub columns: usize,
    pub rows: usize,
    /// Unit: 1/m².
    max_density: Vec<f32>,
    /// Over the time of the run. Unit: 1/m².
    mean_density: Vec<f32>,
    /// How many different people were in a square.
    usage: Vec<u32>,
    /// Sums of speeds and of times to the exit, and how many were summed.
    speed: Vec<(f32, u32)>,
    exit: Vec<(f32, u32)>,
}

impl HeatMaps {
    /// # Errors
    /// The job was cancelled.
    pub fn of_run(run: &Run, bounds: Rect, ctx: &JobContext) -> Result<Self, Cancelled> {
        let mut maps = Self::empty(bounds);
        let interval = run.header().interval();
        let every = (INTERVAL / interval).round().max(1.0) as u64;
        let leaves: BTreeMap<AgentIndex, f64> = run
            .departures()
            .values()
            .map(|departure| (departure.index, departure.tick as f64 * run.header().step))
            .collect();
        let mut last: BTreeMap<AgentIndex, (DVec2, f64, usize)> = BTreeMap::new();
        let mut field = Field::new(maps.columns * maps.rows);
        let mut frames = 0_u64;
        let mut number = 0_u64;
        let total = run.frames().max(1);
        run.each_frame(|time, present| {
            let is_taken = number.is_multiple_of(every);
            number += 1;
            if !is_taken || ctx.is_cancelled() {
                return;
            }
            ctx.report(number as f32 / total as f32);
            frames += 1;
            for (index, at) in present {
                maps.note(*index, *at, time, &leaves, &mut last);
                maps.splat(at.truncate(), &mut field);
            }
            field.flush(&mut maps);
        });
        ctx.checkpoint()?;
        for mean in &mut maps.mean_density {
            *mean /= frames.max(1) as f32;
        }
        Ok(maps)
    }

    fn empty(bounds: Rect) -> Self {
        let size = bounds.size().max(DVec2::splat(1.0));
        let side = SIDE.max(size.max_element() / MOST_SQUARES);
        let columns = (size.x / side).ceil().max(1.0) as usize;
        let rows = (size.y / side).ceil().max(1.0) as usize;
        let count = columns * rows;
        Self {
            origin: bounds.min,
            side,
            columns,
            rows,
            max_density: vec![0.0; count],
            mean_density: vec![0.0; count],
            usage: vec![0; count],
            speed: vec![(0.0, 0); count],
            exit: vec![(0.0, 0); count],
        }
    }

    /// The square of a place.
    #[must_use]
    pub fn square(&self, at: DVec2) -> Option<usize> {
        let cell = ((at - self.origin) / self.side).floor();
        let is_inside = cell.x >= 0.0
            && cell.y >= 0.0
            && cell.x < self.columns as f64
            && cell.y < self.rows as f64;
        is_inside.then(|| cell.y as usize * self.columns + cell.x as usize)
    }

    /// The middle of a square.
    #[must_use]
    pub fn middle(&self, square: usize) -> DVec2 {
        let cell = [square % self.columns, square / self.columns];
        self.origin + (DVec2::from(cell.map(|i| i as f64)) + 0.5) * self.side
    }

    /// Usage, speed and time to the exit where one person is.
    fn note(
        &mut self,
        index: AgentIndex,
        at: DVec3,
        time: f64,
        leaves: &BTreeMap<AgentIndex, f64>,
        last: &mut BTreeMap<AgentIndex, (DVec2, f64, usize)>,
    ) {
        let at = at.truncate();
        let Some(square) = self.square(at) else {
            return;
        };
        let before = last.insert(index, (at, time, square));
        if before.is_none_or(|(.., known)| known != square) {
            self.usage[square] += 1;
        }
        if let Some((from, since, _)) = before.filter(|(_, since, _)| time > *since) {
            let (sum, count) = &mut self.speed[square];
            *sum += (from.distance(at) / (time - since)) as f32;
            *count += 1;
        }
        if let Some(left) = leaves.get(&index) {
            let (sum, count) = &mut self.exit[square];
            *sum += (left - time).max(0.0) as f32;
            *count += 1;
        }
    }

    /// Adds one person to the squares whose middles are within reach.
    fn splat(&self, at: DVec2, field: &mut Field) {
        let low = ((at - REACH - self.origin) / self.side - 0.5)
            .ceil()
            .max(DVec2::ZERO);
        let high = ((at + REACH - self.origin) / self.side - 0.5).floor();
        let (right, top) = (self.columns as f64 - 1.0, self.rows as f64 - 1.0);
        if high.x < 0.0 || high.y < 0.0 || low.x > right || low.y > top {
            return;
        }
        let high = high.min(DVec2::new(right, top));
        for row in low.y as usize..=high.y as usize {
            for column in low.x as usize..=high.x as usize {
                let square = row * self.columns + column;
                if self.middle(square).distance_squared(at) <= REACH * REACH {
                    field.add(square);
                }
            }
        }
    }

    /// The value of a map in a square; `None` where no one was.
    #[must_use]
    pub fn value(&self, kind: HeatKind, square: usize) -> Option<f64> {
        let mean =
            |(sum, count): (f32, u32)| (count > 0).then(|| f64::from(sum) / f64::from(count));
        match kind {
            HeatKind::MaxDensity | HeatKind::Service => {
                Some(f64::from(self.max_density[square])).filter(|v| *v > 0.0)
            }
            HeatKind::MeanDensity => {
                Some(f64::from(self.mean_density[square])).filter(|v| *v > 1e-4)
            }
            HeatKind::Usage => Some(f64::from(self.usage[square])).filter(|v| *v > 0.0),
            HeatKind::Speed => mean(self.speed[square]),
            HeatKind::TimeToExit => mean(self.exit[square]),
        }
    }

    /// Fruin's level of a square, by its greatest density.
    #[must_use]
    pub fn service(&self, square: usize) -> Option<LevelOfService> {
        let density = self.value(HeatKind::Service, square)?;
        Some(Fruin::Walkway.level(density))
    }

    /// The greatest value of a map; 0 if there is none.
    #[must_use]
    pub fn greatest(&self, kind: HeatKind) -> f64 {
        let squares = 0..self.columns * self.rows;
        let values = squares.filter_map(|square| self.value(kind, square));
        values.fold(0.0, f64::max)
    }
}

/// How many are within reach of each square in one frame.
struct Field {
    counts: Vec<u16>,
    touched: Vec<usize>,
}

impl Field {
    fn new(squares: usize) -> Self {
        Self {
            counts: vec![0; squares],
            touched: Vec::new(),
        }
    }

    fn add(&mut self, square: usize) {
        if self.counts[square] == 0 {
            self.touched.push(square);
        }
        self.counts[square] = self.counts[square].saturating_add(1);
    }

    fn flush(&mut self, maps: &mut HeatMaps) {
        let per_person = (1.0 / (std::f64::consts::PI * REACH * REACH)) as f32;
        for square in self.touched.drain(..) {
            let density = f32::from(std::mem::take(&mut self.counts[square])) * per_person;
            maps.max_density[square] = maps.max_density[square].max(density);
            maps.mean_density[square] += density;
        }
    }
}
