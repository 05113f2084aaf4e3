//! What becomes of a way when something moves onto it (§8.3).
//!
//! The way is cut in three: from the start to the last cell before the rupture, the rupture, and the
//! rest to the goal. Only the middle is searched anew, with all cells of the last part as goals.

use super::astar::Astar;
use super::cell_path::CellPath;
use super::goals::Goals;
use super::smooth::{Smoothing, cost_of, smoothed};
use super::ways::Ways;
use crate::document::Action;
use crate::nav::voxel::{CellPlace, Reach, SurfaceId};

#[derive(Clone, Debug, PartialEq)]
pub enum Rerouted {
    /// What is still ahead is not touched.
    Intact,
    Mended {
        /// From where one is.
        path: CellPath,
        /// The part that was searched for, before it was joined to the rest.
        middle: Vec<SurfaceId>,
        /// The last cell before the rupture and the first behind it, by their numbers on the old way.
        rupture: [usize; 2],
        expanded: usize,
    },
    /// There is no way round, or something stands where one is or on the goal. With the number of the
    /// cell on the old way that is the first not to be had any more.
    Lost { at: usize },
}

/// Mends a way for somebody who is at its cell number `at`. `old` are the places of its cells, which
/// outlast the ids of the grid that it was planned on.
pub fn rerouted(
    search: &mut Astar,
    reach: Reach<'_>,
    old: &[CellPlace],
    at: usize,
    smoothing: Smoothing,
) -> Rerouted {
    if old.is_empty() {
        return Rerouted::Intact;
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
        return Rerouted::Lost { at: end };
    };
    let here: Vec<SurfaceId> = cells.get(at).copied().flatten().into_iter().collect();
    let open = Ways::between(reach, &here, &Goals::new(surfaces, [goal]));
    let holds = |index: usize| {
        let (a, b) = (cells[index]?, cells[index + 1]?);
        // Whoever is in the border already may stay there.
        (open.is_open(b) || !open.is_open(a)).then(|| reach.action(a, b))?
    };
    let actions: Vec<Option<Action>> = (0..old.len() - 1).map(holds).collect();
    let broken = |index: &usize| actions[*index].is_none();
    let (Some(before), Some(last)) = (
        (at..actions.len()).find(broken),
        (at..actions.len()).rfind(broken),
    ) else {
        return Rerouted::Intact;
    };
    let after = last + 1;
    let Some(start) = cells[before] else {
        return Rerouted::Lost { at: before };
    };
    let lost = Rerouted::Lost { at: before + 1 };
    let ways = Ways::between(reach, &[start], &Goals::new(surfaces, [goal]));
    let goals = Goals::new(surfaces, cells[after..].iter().flatten().copied());
    let Some(middle) = search.plan(&ways, start, &goals) else {
        return lost;
    };
    let Some(joint) = middle
        .cells
        .last()
        .and_then(|end| (after..cells.len()).rfind(|index| cells[*index] == Some(*end)))
    else {
        return lost;
    };
    let kept = |from: usize, to: usize| cells[from..to].iter().flatten().copied();
    let done = |from: usize, to: usize| actions[from..to].iter().flatten().copied();
    let mut whole: Vec<SurfaceId> = kept(at, before).collect();
    let mut deeds: Vec<Action> = std::iter::once(Action::Walk)
        .chain(done(at, before))
        .collect();
    whole.extend(&middle.cells);
    deeds.extend(middle.actions.iter().skip(1));
    whole.extend(kept(joint + 1, cells.len()));
    deeds.extend(done(joint, actions.len()));
    let cost = cost_of(&ways, &whole);
    let path = CellPath::new(surfaces, whole, deeds, cost);
    Rerouted::Mended {
        path: smoothed(&ways, &path, smoothing),
        middle: middle.cells,
        rupture: [before, after],
        expanded: search.expanded().len(),
    }
}
