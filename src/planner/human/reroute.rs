//! Rerouting a path around an obstacle that has moved onto it (§8.3).
//!
//! The path is cut in three: from the start to the last cell before the rupture, the rupture, and
//! the rest to the goal. Only the middle is searched again, with all cells of the last part as
//! goals.

use super::astar::Astar;
use super::cell_path::CellPath;
use super::goals::Goals;
use super::smooth::{Smoothing, cost_of, smoothed};
use super::traversable_cells::TraversableCells;
use crate::document::Action;
use crate::nav::voxel::{CellPlace, Reach, SurfaceId};
use std::collections::BTreeSet;
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq)]
pub enum Rerouted {
    /// The part ahead is unaffected.
    Intact,
    Repaired {
        /// From the agent's position.
        path: CellPath,
        /// The replanned part, before it was joined to the rest.
        middle: Vec<SurfaceId>,
        /// Indices on the old path of the last cell before the rupture and the first one behind it.
        rupture: [usize; 2],
        expanded: usize,
    },
    /// There is no way around, or the agent's cell or the goal is blocked. Holds the index on the
    /// old path of the first cell that can no longer be reached.
    Lost { at: usize },
}

/// What a change of the level did to a path, before any search.
#[derive(Clone, Debug)]
pub(super) enum Damage {
    Intact,
    Lost { at: usize },
    Ruptured(Box<Rupture>),
}

/// A path that is broken somewhere ahead.
#[derive(Clone, Debug)]
pub(super) struct Rupture {
    /// The agent's index on the old path.
    at: usize,
    /// The old path's cells in the new grid, and the action from each to the next where that is
    /// still possible.
    cells: Vec<Option<SurfaceId>>,
    actions: Vec<Option<Action>>,
    /// The last cell before the rupture and the first behind it.
    before: usize,
    after: usize,
    pub start: SurfaceId,
    /// The cells left behind the rupture.
    pub goals: Goals,
    /// Border cells that may be entered nonetheless.
    exempt: Arc<BTreeSet<SurfaceId>>,
}

/// Looks for ruptures ahead of an agent at cell number `at`. `old` holds the coordinates of the
/// path's cells, which outlive the cell ids of the old grid.
pub(super) fn damage(reach: Reach<'_>, old: &[CellPlace], at: usize) -> Damage {
    if old.is_empty() {
        return Damage::Intact;
    }
    let surfaces = reach.surfaces;
    let cells: Vec<Option<SurfaceId>> = old
        .iter()
        .map(|place| {
            let id = surfaces.at(*place)?;
            reach.footing.is_standable(id).then_some(id)
        })
        .collect();
    let end = old.len() - 1;
    let Some(goal) = cells[end] else {
        return Damage::Lost { at: end };
    };
    let here: Vec<SurfaceId> = cells.get(at).copied().flatten().into_iter().collect();
    let open = TraversableCells::between(reach, &here, &Goals::new(surfaces, [goal]));
    let holds = |index: usize| {
        let (a, b) = (cells[index]?, cells[index + 1]?);
        // An agent that is already in the border may stay there.
        (open.is_open(b) || !open.is_open(a)).then(|| reach.action(a, b))?
    };
    let actions: Vec<Option<Action>> = (0..old.len() - 1).map(holds).collect();
    let broken = |index: &usize| actions[*index].is_none();
    let (Some(before), Some(last)) = (
        (at..actions.len()).find(broken),
        (at..actions.len()).rfind(broken),
    ) else {
        return Damage::Intact;
    };
    let after = last + 1;
    let Some(start) = cells[before] else {
        return Damage::Lost { at: before };
    };
    let traversable = TraversableCells::between(reach, &[start], &Goals::new(surfaces, [goal]));
    Damage::Ruptured(Box::new(Rupture {
        at,
        goals: Goals::new(surfaces, cells[after..].iter().flatten().copied()),
        exempt: Arc::clone(traversable.exempt()),
        cells,
        actions,
        before,
        after,
        start,
    }))
}

impl Rupture {
    /// Cells that the search for the middle may enter.
    pub fn traversable<'a>(&self, reach: Reach<'a>) -> TraversableCells<'a> {
        TraversableCells::with(reach, Arc::clone(&self.exempt))
    }

    /// The path around the rupture, through the middle that was found.
    pub fn joined(
        &self,
        reach: Reach<'_>,
        middle: Option<CellPath>,
        expanded: usize,
        smoothing: Smoothing,
    ) -> Rerouted {
        let Self {
            at,
            cells,
            actions,
            before,
            after,
            ..
        } = self;
        let lost = Rerouted::Lost { at: before + 1 };
        let Some(middle) = middle else {
            return lost;
        };
        let Some(joint) = middle
            .cells
            .last()
            .and_then(|end| (*after..cells.len()).rfind(|index| cells[*index] == Some(*end)))
        else {
            return lost;
        };
        let kept = |from: usize, to: usize| cells[from..to].iter().flatten().copied();
        let done = |from: usize, to: usize| actions[from..to].iter().flatten().copied();
        let mut whole: Vec<SurfaceId> = kept(*at, *before).collect();
        let mut deeds: Vec<Action> = std::iter::once(Action::Walk)
            .chain(done(*at, *before))
            .collect();
        whole.extend(&middle.cells);
        deeds.extend(middle.actions.iter().skip(1));
        whole.extend(kept(joint + 1, cells.len()));
        deeds.extend(done(joint, actions.len()));
        let traversable = self.traversable(reach);
        let cost = cost_of(&traversable, &whole);
        let path = CellPath::new(reach.surfaces, whole, deeds, cost);
        Rerouted::Repaired {
            path: smoothed(&traversable, &path, smoothing),
            middle: middle.cells,
            rupture: [*before, *after],
            expanded,
        }
    }
}

/// Repairs a path for an agent at cell number `at`, without interruption.
pub fn rerouted(
    search: &mut Astar,
    reach: Reach<'_>,
    old: &[CellPlace],
    at: usize,
    smoothing: Smoothing,
) -> Rerouted {
    match damage(reach, old, at) {
        Damage::Intact => Rerouted::Intact,
        Damage::Lost { at } => Rerouted::Lost { at },
        Damage::Ruptured(rupture) => {
            let middle = search.plan(&rupture.traversable(reach), rupture.start, &rupture.goals);
            rupture.joined(reach, middle, search.expanded().len(), smoothing)
        }
    }
}
