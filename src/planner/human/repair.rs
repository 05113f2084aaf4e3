//! Step-by-step repair of a kept path while obstacles move (§8.3).

use super::astar::{Astar, Outcome};
use super::cell_leg::CellLeg;
use super::detour::{Detour, Loss, OnGrid};
use super::reroute::{Damage, Rerouted, Rupture, damage};
use super::smooth::Smoothing;
use crate::nav::voxel::{Borders, Footing, LevelVoxels, Reach};
use std::sync::Arc;

/// What a change of the level did to a kept path.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Change {
    /// The part ahead is unaffected.
    #[default]
    None,
    /// The path now leads around the obstacle.
    Repaired(Detour),
    /// No path leads on. The old one is kept in case it becomes passable again.
    Lost(Loss),
    /// The grid differs, so the old cells cannot be compared.
    Other,
}

/// A repair in progress. Only the broken part ahead of the agent is searched again, then the path
/// is smoothed again.
#[derive(Clone, Debug)]
pub(super) struct Repair {
    level: Arc<LevelVoxels>,
    footing: Arc<Footing>,
    /// The cell of the old path that the agent is on.
    at: usize,
    smoothing: Smoothing,
    /// Attempts left, last first.
    borders: Vec<Borders>,
    /// A search for the replacement is running.
    searching: Option<Box<Rupture>>,
    /// The first cell that can no longer be reached.
    lost: usize,
}

/// How a repair ended: what it did, and the path from the agent on unless it is lost.
pub(super) type Repaired = (Change, Option<CellLeg>);

impl Repair {
    pub fn begin(
        held: &CellLeg,
        level: &Arc<LevelVoxels>,
        footing: Arc<Footing>,
        at: usize,
    ) -> Self {
        let mut borders = vec![Borders::Ignore];
        if held.borders != Borders::Ignore {
            borders.push(held.borders);
        }
        Self {
            level: Arc::clone(level),
            at: at.min(held.places().len().saturating_sub(1)),
            smoothing: footing.body.conduct.smoothing,
            footing,
            borders,
            searching: None,
            lost: 0,
        }
    }

    /// Restarts the search for the replacement.
    pub fn restart(&mut self) {
        self.searching = None;
    }

    /// Expands cells within the budget; `None` while there is more to do.
    pub fn run(
        &mut self,
        held: &CellLeg,
        search: &mut Astar,
        left: &mut usize,
    ) -> Option<Repaired> {
        loop {
            let Some(&borders) = self.borders.last() else {
                let loss = Loss::of(held.on_grid(), self.lost, &self.level, &self.footing);
                return Some((Change::Lost(loss), None));
            };
            let reach = Reach::new(self.level.surfaces(), &self.footing, borders);
            let rerouted = match self.searching.take() {
                Some(rupture) => {
                    let traversable = rupture.traversable(reach);
                    let before = search.expanded().len();
                    let outcome = search.run(&traversable, &rupture.goals, *left);
                    let expanded = search.expanded().len();
                    *left = left.saturating_sub(expanded - before);
                    let middle = match outcome {
                        Outcome::Running => {
                            self.searching = Some(rupture);
                            return None;
                        }
                        Outcome::Found(goal) => search.path_to(&traversable, goal),
                        Outcome::Exhausted => None,
                    };
                    rupture.joined(reach, middle, expanded, self.smoothing)
                }
                None => match damage(reach, held.places(), self.at) {
                    Damage::Intact => Rerouted::Intact,
                    Damage::Lost { at } => Rerouted::Lost { at },
                    Damage::Ruptured(rupture) => {
                        search.begin(&rupture.traversable(reach), rupture.start, &rupture.goals);
                        self.searching = Some(rupture);
                        continue;
                    }
                },
            };
            let leg = |path| {
                let (level, footing) = (Arc::clone(&self.level), Arc::clone(&self.footing));
                Some(CellLeg::new(level, footing, borders, path))
            };
            match rerouted {
                Rerouted::Lost { at } => self.lost = at,
                Rerouted::Intact => {
                    if let Some(rest) = held.rest(&self.level, self.at) {
                        return Some((Change::None, leg(rest)));
                    }
                }
                Rerouted::Repaired {
                    path,
                    rupture,
                    expanded,
                    ..
                } => {
                    let new = OnGrid {
                        level: &self.level,
                        path: &path,
                    };
                    let detour = Detour::between(held.on_grid(), self.at, new, rupture, expanded);
                    return Some((Change::Repaired(detour), leg(path)));
                }
            }
            self.borders.pop();
        }
    }
}

#[cfg(test)]
#[path = "repair_tests.rs"]
mod tests;
