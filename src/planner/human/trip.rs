//! All legs of somebody's way from cell to cell, and what becomes of them while things move.

use super::astar::Astar;
use super::smooth::Smoothing;
use super::walk::{Change, Target, Walk};
use crate::document::Profile;
use crate::nav::voxel::LevelVoxels;
use crate::planner::missions::Stop;
use crate::planner::{Path, metrics};
use glam::DVec3;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub struct Trip {
    legs: Vec<TripLeg>,
}

/// From one place to the next.
#[derive(Clone, Debug)]
struct TripLeg {
    from: DVec3,
    to: DVec3,
    walk: Walk,
}

impl Trip {
    /// From stop to stop, up to the first that cannot be got to; `None` if that is the very first.
    #[must_use]
    pub fn plan(
        search: &mut Astar,
        level: &Arc<LevelVoxels>,
        profile: &Arc<Profile>,
        start: DVec3,
        stops: &[Stop],
    ) -> Option<Self> {
        let mut legs = Vec::with_capacity(stops.len());
        let mut from = start;
        for stop in stops {
            let targets = Target::all(stop.area.as_deref(), stop.place);
            let smoothing = Smoothing::default();
            let Some(walk) = Walk::plan(search, level, profile, from, &targets, smoothing) else {
                break;
            };
            let to = stop.end(&walk.way(from, stop.place));
            legs.push(TripLeg { from, to, walk });
            from = to;
        }
        (!legs.is_empty()).then_some(Self { legs })
    }

    #[must_use]
    pub const fn len(&self) -> usize {
        self.legs.len()
    }

    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.legs.is_empty()
    }

    /// A way for each leg, the first from wherever one is.
    pub fn ways(&self) -> impl Iterator<Item = Path> {
        let legs = self.legs.iter();
        legs.map(|leg| leg.walk.way(leg.from, leg.to))
    }

    /// Cells that were looked at to plan all of it.
    #[must_use]
    pub fn expanded(&self) -> usize {
        self.legs.iter().map(|leg| leg.walk.expanded()).sum()
    }

    /// The cell of the first leg that one is at after so many metres of it.
    #[must_use]
    pub fn cell_at(&self, metres: f64) -> usize {
        let Some(first) = self.legs.first() else {
            return 0;
        };
        let points = first.walk.points();
        let mut along = 0.0;
        let after = points.windows(2).position(|pair| {
            let step = metrics::length(pair);
            along += step;
            along - 0.5 * step > metres
        });
        after.unwrap_or(points.len().saturating_sub(1))
    }

    /// Where a cell of the first leg is.
    #[must_use]
    pub fn place_of(&self, cell: usize) -> Option<DVec3> {
        self.legs.first()?.walk.points().get(cell).copied()
    }

    /// Forgets the legs before this one.
    pub fn drop_legs(&mut self, count: usize) {
        self.legs.drain(..count.min(self.legs.len()));
    }

    /// From somewhere to the same goals, planned from nothing; `None` where that leads nowhere.
    #[must_use]
    pub fn anew(&self, search: &mut Astar, level: &Arc<LevelVoxels>, here: DVec3) -> Option<Self> {
        let profile = Arc::clone(self.legs.first()?.walk.profile());
        let stops: Vec<Stop> = self
            .legs
            .iter()
            .map(|leg| Stop {
                place: leg.to,
                area: None,
            })
            .collect();
        Self::plan(search, level, &profile, here, &stops)
    }

    /// Things have moved while one is at `here`, at cell number `at` of the first leg. What is lost is kept
    /// as it was, with all that comes after it.
    pub fn update(
        &mut self,
        search: &mut Astar,
        level: &Arc<LevelVoxels>,
        here: Option<(DVec3, usize)>,
    ) -> Vec<Change> {
        let mut changes = Vec::with_capacity(self.legs.len());
        for (index, leg) in self.legs.iter_mut().enumerate() {
            let at = here.filter(|_| index == 0);
            let change = leg
                .walk
                .update(search, level, at.map_or(0, |(_, cell)| cell));
            let is_over = matches!(change, Change::Lost(_) | Change::Other);
            if let Some((place, _)) = at
                && !is_over
            {
                leg.from = place;
            }
            changes.push(change);
            if is_over {
                break;
            }
        }
        changes
    }
}
