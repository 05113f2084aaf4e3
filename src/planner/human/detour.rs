//! How an agent on its path reacts to obstacles that have moved: the abandoned stretch, its
//! replacement, or where the path ends (§8.3).

use super::cell_path::CellPath;
use crate::base::EntityId;
use crate::geometry::Rect;
use crate::nav::voxel::{CellPlace, Explainer, Footing, LevelVoxels, SurfaceCell, WhyNot};
use crate::planner::metrics;
use glam::DVec3;

/// A stretch of a path that was replanned.
#[derive(Clone, Debug, PartialEq)]
pub struct Detour {
    /// The abandoned stretch, between the points where the old and new paths part and meet again.
    pub old: Vec<DVec3>,
    /// The replacement.
    pub new: Vec<DVec3>,
    /// Share of the remaining path that is kept, from 0 to 1.
    pub kept: f64,
    /// Expanded cells.
    pub expanded: usize,
    /// What has moved there.
    pub around: Vec<EntityId>,
}

/// A path that is cut off before its goal.
#[derive(Clone, Debug, PartialEq)]
pub struct Loss {
    /// The first point of the path that can no longer be reached.
    pub at: DVec3,
    /// Why this body cannot stand there, if that is the reason.
    pub why: Option<WhyNot>,
    /// What has moved there.
    pub around: Vec<EntityId>,
}

/// A path on its grid.
#[derive(Clone, Copy, Debug)]
pub(super) struct OnGrid<'a> {
    pub level: &'a LevelVoxels,
    pub path: &'a CellPath,
}

impl OnGrid<'_> {
    fn places(&self) -> Vec<CellPlace> {
        let surfaces = self.level.surfaces();
        let cells = self.path.cells.iter();
        let cells = cells.filter_map(|id| surfaces.get(*id));
        cells.map(SurfaceCell::place).collect()
    }
}

impl Detour {
    /// The difference between a path from cell number `at` on and its repaired version.
    pub(super) fn between(
        old: OnGrid<'_>,
        at: usize,
        new: OnGrid<'_>,
        rupture: [usize; 2],
        expanded: usize,
    ) -> Self {
        let (before, after) = (old.places(), new.places());
        let before = before.get(at..).unwrap_or_default();
        let old_points = old.path.points(old.level.surfaces());
        let old_points = old_points.get(at..).unwrap_or_default();
        let new_points = new.path.points(new.level.surfaces());
        let shorter = before.len().min(after.len());
        let same = |(a, b): &(&CellPlace, &CellPlace)| a == b;
        let head = before.iter().zip(&after).take_while(same).count();
        let tail = before.iter().rev().zip(after.iter().rev());
        let tail = tail.take_while(same).count().min(shorter - head);
        // From the last common cell before the difference to the first one after it.
        let middle = |points: &[DVec3]| {
            let end = (points.len() - tail + 1).min(points.len());
            points[head.saturating_sub(1)..end].to_vec()
        };
        let (left, walked) = (middle(old_points), middle(&new_points));
        let whole = metrics::length(old_points);
        let kept = if whole > 0.0 {
            1.0 - metrics::length(&left) / whole
        } else {
            0.0
        };
        let ruptured = &old.path.points(old.level.surfaces())[rupture[0]..=rupture[1]];
        Self {
            old: left,
            new: walked,
            kept: kept.clamp(0.0, 1.0),
            expanded,
            around: moved_at(old.level, new.level, ruptured),
        }
    }

    /// Length of the replacement. Unit: metres.
    #[must_use]
    pub fn length(&self) -> f64 {
        metrics::length(&self.new)
    }

    /// Length of the abandoned stretch. Unit: metres.
    #[must_use]
    pub fn old_length(&self) -> f64 {
        metrics::length(&self.old)
    }

    /// Describes it, with entity names from `label`.
    #[must_use]
    pub fn sentence(&self, label: impl Fn(EntityId) -> String) -> String {
        format!(
            "re-routed {:.1} m{}; {:.0} % kept",
            self.length(),
            listed(" around ", &self.around, label),
            (100.0 * self.kept).floor()
        )
    }
}

impl Loss {
    /// At a cell of the old path, for a body that now stands on `footing`.
    pub(super) fn of(
        old: OnGrid<'_>,
        index: usize,
        level: &LevelVoxels,
        footing: &Footing,
    ) -> Self {
        let points = old.path.points(old.level.surfaces());
        let index = index.min(points.len().saturating_sub(1));
        let at = points.get(index).copied().unwrap_or_default();
        let explainer = Explainer {
            voxels: &level.voxels,
            footing,
        };
        let place = old.places().get(index).copied();
        Self {
            at,
            why: place.and_then(|place| explainer.left(place)),
            around: moved_at(old.level, level, &[at]),
        }
    }

    /// The likely cause, where known.
    #[must_use]
    pub fn blocker(&self) -> Option<EntityId> {
        let moved = self.around.first().copied();
        moved.or_else(|| self.why.as_ref()?.object())
    }

    /// Describes it, with entity names from `label`.
    #[must_use]
    pub fn sentence(&self, label: impl Fn(EntityId) -> String) -> String {
        let why = match &self.why {
            Some(why) => format!(": {}", why.sentence(&label)),
            None => listed(" by ", &self.around, label),
        };
        // Adding 0 turns -0 into 0.
        let at = (self.at * 100.0).round() / 100.0 + 0.0;
        format!(
            "the path is blocked at {:.2}, {:.2}, {:.2}{why}, and there is no way around",
            at.x, at.y, at.z
        )
    }
}

fn listed(before: &str, ids: &[EntityId], label: impl Fn(EntityId) -> String) -> String {
    match ids {
        [] => String::new(),
        [one] => format!("{before}\"{}\"", label(*one)),
        [one, other] => format!("{before}\"{}\" and \"{}\"", label(*one), label(*other)),
        [one, others @ ..] => {
            format!("{before}\"{}\" and {} others", label(*one), others.len())
        }
    }
}

/// Entities that moved near a stretch; otherwise all that moved.
fn moved_at(before: &LevelVoxels, now: &LevelVoxels, stretch: &[DVec3]) -> Vec<EntityId> {
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for p in stretch {
        low = low.min(*p);
        high = high.max(*p);
    }
    let near = Rect::new(low.truncate(), high.truncate()).expanded(now.voxels.frame().cell);
    let moved = now.moved_since(before);
    let is_implemented = |bounds: &(DVec3, DVec3)| {
        let (low, high) = bounds;
        Rect::new(low.truncate(), high.truncate()).overlaps(&near)
    };
    let there: Vec<EntityId> = moved
        .iter()
        .filter(|(_, bounds)| bounds.as_ref().is_some_and(is_implemented))
        .map(|(id, _)| *id)
        .collect();
    if there.is_empty() {
        moved.into_iter().map(|(id, _)| id).collect()
    } else {
        there
    }
}
