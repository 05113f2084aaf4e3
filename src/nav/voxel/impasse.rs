//! Where a body gets no further: of all ways to a goal that take steps it cannot make, the one whose
//! worst step lacks the least.
//!
//! Stairs that are too steep are many steps, each a little too high: only the way over all of them
//! tells that the rise is to blame, not the floor above.

use super::reach::{Borders, Reach};
use super::surface::SurfaceId;
use super::why_not::{Explainer, Obstacle, WhyNot};
use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};

/// Cells that are looked through at most.
const MOST_CELLS: usize = 50_000;

/// How much further than a body reaches one looks for somebody who stands there. Unit: cells.
const LOOK: i32 = 4;

/// By how much the steps from somewhere to the goal are too much, as [`Explainer::between`] has it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Lack {
    worst: f64,
    whole: f64,
}

impl Lack {
    const NONE: Self = Self {
        worst: 0.0,
        whole: 0.0,
    };

    const fn and(self, excess: f64) -> Self {
        Self {
            worst: self.worst.max(excess),
            whole: self.whole + excess,
        }
    }

    fn is_less_than(self, other: Self) -> bool {
        let by_worst = self.worst.total_cmp(&other.worst);
        by_worst.then(self.whole.total_cmp(&other.whole)) == Ordering::Less
    }
}

/// A cell that may be next; the greatest is taken first.
#[derive(Clone, Copy, Debug)]
struct Open {
    lack: Lack,
    cell: SurfaceId,
}

impl Ord for Open {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_worst = other.lack.worst.total_cmp(&self.lack.worst);
        by_worst
            .then(other.lack.whole.total_cmp(&self.lack.whole))
            .then(other.cell.cmp(&self.cell))
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Open {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Open {}

/// How one would get on from a cell.
#[derive(Clone, Copy, Debug)]
struct Link {
    lack: Lack,
    /// The next cell towards the goal; none at the goal.
    next: Option<SurfaceId>,
    /// What is in the way to it, and by how much, where that step cannot be made.
    trouble: Option<(f64, Obstacle)>,
    is_settled: bool,
}

impl Explainer<'_> {
    /// Why a cell cannot be got to from those that were reached.
    #[must_use]
    pub fn reaching(
        &self,
        goal: SurfaceId,
        is_reached: impl Fn(SurfaceId) -> bool,
    ) -> Option<WhyNot> {
        if is_reached(goal) {
            return None;
        }
        if let Some(why) = self.standing(goal) {
            return Some(why);
        }
        let surfaces = &self.voxels.surfaces;
        let reach = Reach::new(surfaces, self.footing, Borders::Ignore);
        let first = Link {
            lack: Lack::NONE,
            next: None,
            trouble: None,
            is_settled: false,
        };
        let mut links = HashMap::from([(goal, first)]);
        let mut open = BinaryHeap::from([Open {
            lack: Lack::NONE,
            cell: goal,
        }]);
        let mut settled = 0;
        // The best way known so far, should the search become too long.
        let mut known: Option<(Lack, SurfaceId)> = None;
        while let Some(Open { lack, cell: id }) = open.pop() {
            let Some(link) = links.get_mut(&id).filter(|link| !link.is_settled) else {
                continue;
            };
            link.is_settled = true;
            if is_reached(id) {
                return Some(self.worst_of(id, &links));
            }
            settled += 1;
            if settled > MOST_CELLS {
                break;
            }
            let mut offer = |cell: SurfaceId, lack: Lack, trouble: Option<(f64, Obstacle)>| {
                let is_known = links
                    .get(&cell)
                    .is_some_and(|known| !lack.is_less_than(known.lack));
                if !is_known {
                    let link = Link {
                        lack,
                        next: Some(id),
                        trouble,
                        is_settled: false,
                    };
                    links.insert(cell, link);
                    if is_reached(cell) && known.is_none_or(|(best, _)| lack.is_less_than(best)) {
                        known = Some((lack, cell));
                    }
                    open.push(Open { lack, cell });
                }
            };
            reach.moves_into(id, |step| offer(step.cell, lack, None));
            // Around level ground nothing ends.
            let Some(cell) = surfaces.get(id).filter(|_| !self.footing.is_flat(id)) else {
                continue;
            };
            let span = self.footing.body.reach + LOOK;
            for dy in -span..=span {
                for dx in -span..=span {
                    let column = surfaces.column(i32::from(cell.x) + dx, i32::from(cell.y) + dy);
                    for other in column.map(SurfaceId) {
                        if other == id || !self.footing.is_standable(other) {
                            continue;
                        }
                        let there = &surfaces.cells()[other.index()];
                        let (excess, obstacle) = self.between(there, cell);
                        let obstacle = obstacle.unwrap_or(Obstacle::Border);
                        offer(other, lack.and(excess), Some((excess, obstacle)));
                    }
                }
            }
        }
        known.map(|(_, from)| self.worst_of(from, &links))
    }

    /// The step of a way that lacks the most; of equal ones the first.
    fn worst_of(&self, from: SurfaceId, links: &HashMap<SurfaceId, Link>) -> WhyNot {
        let surfaces = &self.voxels.surfaces;
        let mut at = from;
        let mut worst: Option<(f64, WhyNot)> = None;
        while let Some((link, next)) = links.get(&at).and_then(|link| Some((link, link.next?))) {
            if let Some((excess, obstacle)) = link.trouble
                && worst.is_none_or(|(known, _)| excess > known)
            {
                let why = WhyNot {
                    obstacle,
                    at: surfaces.point(next),
                    from: Some(surfaces.point(at)),
                };
                worst = Some((excess, why));
            }
            at = next;
        }
        match worst {
            Some((_, why)) if why.obstacle != Obstacle::Border => why,
            // Every step can be made, if not as far from walls as asked for.
            _ => WhyNot {
                obstacle: Obstacle::Border,
                at: surfaces.point(at),
                from: None,
            },
        }
    }
}
