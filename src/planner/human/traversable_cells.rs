//! The cells that a search may enter: open ones, and those that lead into and out of the border.

use super::goals::Goals;
use crate::nav::voxel::{Borders, Move, Reach, SurfaceCells, SurfaceId};
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

#[derive(Clone, Debug)]
pub struct TraversableCells<'a> {
    pub reach: Reach<'a>,
    /// Border cells that may be entered nonetheless.
    exempt: Arc<BTreeSet<SurfaceId>>,
}

impl<'a> TraversableCells<'a> {
    /// Open cells only.
    #[must_use]
    pub fn new(reach: Reach<'a>) -> Self {
        Self {
            reach,
            exempt: Arc::default(),
        }
    }

    /// Open cells and the given exemptions.
    #[must_use]
    pub const fn with(reach: Reach<'a>, exempt: Arc<BTreeSet<SurfaceId>>) -> Self {
        Self { reach, exempt }
    }

    #[must_use]
    pub const fn exempt(&self) -> &Arc<BTreeSet<SurfaceId>> {
        &self.exempt
    }

    /// Exempts border cells for a start and goals that lie in the border: those on the shortest
    /// paths to the nearest cells off it.
    #[must_use]
    pub fn between(reach: Reach<'a>, starts: &[SurfaceId], goals: &Goals) -> Self {
        let mut traversable = Self::new(reach);
        if reach.borders == Borders::Avoid {
            for start in starts {
                traversable.open_border(*start, false);
            }
            // For a region, its cells off the border suffice if it has any.
            let off_border = |id: &&SurfaceId| reach.is_open(**id);
            if goals.cells().iter().find(off_border).is_none() {
                for goal in goals.cells() {
                    traversable.open_border(*goal, true);
                }
            }
        }
        traversable
    }

    /// Spreads through the border, level by level, until it is left.
    fn open_border(&mut self, from: SurfaceId, backwards: bool) {
        let footing = self.reach.footing;
        if !footing.is_border(from) || self.exempt.contains(&from) {
            return;
        }
        let mut queue = VecDeque::from([(from, 0_u32)]);
        let mut seen = BTreeSet::from([from]);
        let mut last_level = u32::MAX;
        while let Some((cell, level)) = queue.pop_front() {
            if level > last_level {
                break;
            }
            Arc::make_mut(&mut self.exempt).insert(cell);
            let visit = |found: Move| {
                if !footing.is_border(found.cell) {
                    last_level = last_level.min(level);
                } else if seen.insert(found.cell) {
                    queue.push_back((found.cell, level + 1));
                }
            };
            if backwards {
                self.reach.moves_into(cell, visit);
            } else {
                self.reach.moves_from(cell, visit);
            }
        }
    }

    #[must_use]
    pub const fn surfaces(&self) -> &'a SurfaceCells {
        self.reach.surfaces
    }

    #[must_use]
    pub fn is_open(&self, id: SurfaceId) -> bool {
        self.reach.is_open(id) || (!self.exempt.is_empty() && self.exempt.contains(&id))
    }

    /// Moves to cells that may be entered.
    pub fn moves_from(&self, id: SurfaceId, mut visit: impl FnMut(Move)) {
        self.reach.moves_from(id, |found| {
            if self.is_open(found.cell) {
                visit(found);
            }
        });
    }

    /// Moves from cells that may be entered.
    pub fn moves_into(&self, id: SurfaceId, mut visit: impl FnMut(Move)) {
        self.reach.moves_into(id, |found| {
            if self.is_open(found.cell) {
                visit(found);
            }
        });
    }
}
