//! What somebody on a way does about things that have moved: the stretch that is left, what is walked
//! instead, or where it ends (§8.3).

use super::cell_path::CellPath;
use crate::base::EntityId;
use crate::geometry::Rect;
use crate::nav::voxel::{CellPlace, Explainer, Footing, LevelVoxels, SurfaceCell, WhyNot};
use crate::planner::metrics;
use glam::DVec3;

/// A stretch of a way that was searched for anew.
#[derive(Clone, Debug, PartialEq)]
pub struct Detour {
    /// What is left, from the last place that both ways pass to the first that they pass again.
    pub old: Vec<DVec3>,
    /// What is walked instead.
    pub new: Vec<DVec3>,
    /// How much of what lay ahead is walked as before, from 0 to 1.
    pub kept: f64,
    /// Cells that were looked at.
    pub expanded: usize,
    /// What has moved there.
    pub around: Vec<EntityId>,
}

/// A way that ends before its goal.
#[derive(Clone, Debug, PartialEq)]
pub struct Loss {
    /// The first place of the way that is not to be had any more.
    pub at: DVec3,
    /// Why nobody can stand there, where that is it.
    pub why: Option<WhyNot>,
    /// What has moved there.
    pub around: Vec<EntityId>,
}

/// A way on some grid.
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
    /// What differs between a way from cell number `at` on and the one that it became.
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
        // From the last that both have to the first that both have again.
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

    /// Of what is walked instead. Unit: metres.
    #[must_use]
    pub fn length(&self) -> f64 {
        metrics::length(&self.new)
    }

    /// Of what is left. Unit: metres.
    #[must_use]
    pub fn old_length(&self) -> f64 {
        metrics::length(&self.old)
    }

    /// In words, with the names that `label` gives.
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
    /// At a cell of the old way, for a body that stands on `footing` now.
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

    /// What is to be blamed, as far as that is known.
    #[must_use]
    pub fn blocker(&self) -> Option<EntityId> {
        let moved = self.around.first().copied();
        moved.or_else(|| self.why.as_ref()?.object())
    }

    /// In words, with the names that `label` gives.
    #[must_use]
    pub fn sentence(&self, label: impl Fn(EntityId) -> String) -> String {
        let why = match &self.why {
            Some(why) => format!(": {}", why.sentence(&label)),
            None => listed(" by ", &self.around, label),
        };
        // Adding 0 takes the sign from a 0.
        let at = (self.at * 100.0).round() / 100.0 + 0.0;
        format!(
            "the way is blocked at {:.2}, {:.2}, {:.2}{why}, and no way leads round",
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

/// What stands elsewhere than before and near a stretch; else all that stands elsewhere.
fn moved_at(before: &LevelVoxels, now: &LevelVoxels, stretch: &[DVec3]) -> Vec<EntityId> {
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for p in stretch {
        low = low.min(*p);
        high = high.max(*p);
    }
    let near = Rect::new(low.truncate(), high.truncate()).expanded(now.voxels.frame().cell);
    let moved = now.moved_since(before);
    let is_there = |bounds: &(DVec3, DVec3)| {
        let (low, high) = bounds;
        Rect::new(low.truncate(), high.truncate()).overlaps(&near)
    };
    let there: Vec<EntityId> = moved
        .iter()
        .filter(|(_, bounds)| bounds.as_ref().is_some_and(is_there))
        .map(|(id, _)| *id)
        .collect();
    if there.is_empty() {
        moved.into_iter().map(|(id, _)| id).collect()
    } else {
        there
    }
}
