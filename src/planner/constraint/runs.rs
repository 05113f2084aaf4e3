//! The adaptive domain: transitions of several steps where nothing happens.
//!
//! The paper keeps with every expanded state how many steps it skips, so that its graph depends on
//! who expanded a state first; a search from the goal that repairs cannot undo that. Here a
//! transition from a state in one direction runs on for up to four steps and ends early where the
//! accumulated weight passes a threshold, where the next step is blocked, at states that were moved,
//! and on the row, column and diagonals of the goal. It also ends on every fourth row and column of
//! the lattice: a search from the goal does not know on which states the start's runs will end, and
//! would have to look at all of them.
//!
//! All of that follows from the field, free space and the goal, so predecessors can be listed. States
//! on which no run ends are never predecessors.

use super::step_costs::StepCosts;
use crate::nav::constraint::Lattice;
use crate::nav::constraint::lattice::{DIRECTIONS, OFFSETS, opposite};

/// No transition has more steps than this.
const MOST_STEPS: usize = 8;

/// What makes the domain dense.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Density {
    /// The most steps of a transition.
    pub steps: i32,
    /// A run ends where more than this was accumulated.
    pub threshold: f64,
    pub by: DensityBy,
}

/// What a run accumulates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DensityBy {
    /// Σ|W_c|, as printed: dense inside of large constant constraints, too.
    Size,
    /// The difference of ΣW_c from state to state, and every step next to a wall: what the paper
    /// names as its limitations, mended.
    Change,
}

impl Density {
    /// After the paper: at most four steps.
    pub const PRINTED: Self = Self {
        steps: 4,
        threshold: 2.0,
        by: DensityBy::Size,
    };
    pub const OURS: Self = Self {
        steps: 4,
        threshold: 0.5,
        by: DensityBy::Change,
    };
}

#[derive(Clone, Copy, Debug)]
pub struct Runs {
    pub density: Density,
    /// Column and row of the goal.
    pub goal: Option<[i32; 2]>,
}

impl Runs {
    /// Whether every run in this direction ends at a state.
    fn always_ends(&self, lattice: &Lattice, at: u32, direction: usize) -> bool {
        let [dx, dy] = OFFSETS[direction];
        let [x, y] = lattice.place(at);
        let steps = self.density.steps;
        if (dx != 0 && x.rem_euclid(steps) == 0) || (dy != 0 && y.rem_euclid(steps) == 0) {
            return true;
        }
        if lattice.is_moved(at)
            || (self.density.by == DensityBy::Change && lattice.open(at) != u8::MAX)
        {
            return true;
        }
        self.goal.is_some_and(|[gx, gy]| {
            (dx != 0 && x == gx)
                || (dy != 0 && y == gy)
                || (dx != dy && x - y == gx - gy)
                || (dx != -dy && x + y == gx + gy)
        })
    }

    /// Whether a run may end at a state: others are no nodes of the graph.
    pub fn may_end(&self, costs: &mut StepCosts, at: u32) -> bool {
        let lattice = costs.lattice();
        let [x, y] = lattice.place(at);
        let steps = self.density.steps;
        x.rem_euclid(steps) == 0
            || y.rem_euclid(steps) == 0
            || lattice.open(at) != u8::MAX
            || lattice.is_moved(at)
            || self
                .goal
                .is_some_and(|[gx, gy]| x == gx || y == gy || x - y == gx - gy || x + y == gx + gy)
            || costs.acts(at)
    }

    /// The transition from a state that is no end of runs, if it leads to another state.
    pub fn straight(&self, costs: &mut StepCosts, from: u32, to: u32) -> Option<f64> {
        let [a, b] = [from, to].map(|state| costs.lattice().place(state));
        let [dx, dy] = [b[0] - a[0], b[1] - a[1]];
        if dx.abs().max(dy.abs()) > self.density.steps || self.may_end(costs, from) {
            return None;
        }
        let direction = OFFSETS
            .iter()
            .position(|step| *step == [dx.signum(), dy.signum()])?;
        let (end, cost) = self.run(costs, from, direction)?;
        (end == to).then_some(cost)
    }

    /// Where the transition from a state in a direction ends, and its cost.
    pub fn run(&self, costs: &mut StepCosts, from: u32, direction: usize) -> Option<(u32, f64)> {
        let mut at = from;
        let (mut cost, mut sum) = (0.0, 0.0);
        for _ in 0..self.density.steps {
            let Some(next) = costs.lattice().neighbour(at, direction) else {
                break;
            };
            let step = costs.cost(at, direction, next);
            if step.is_infinite() {
                break;
            }
            cost += step;
            at = next;
            if self.always_ends(costs.lattice(), at, direction) {
                break;
            }
            sum += self.gain(costs, at);
            if sum > self.density.threshold {
                break;
            }
        }
        (at != from).then_some((at, cost))
    }

    /// How far a transition leads beyond its first step, along either axis. Unit: metres.
    pub fn longest(&self, lattice: &Lattice) -> f64 {
        f64::from(self.density.steps) * lattice.spacing()
    }

    /// Visits the states that transitions from one may end on, whatever the field is, with their
    /// lengths.
    pub fn visit_passed(&self, lattice: &Lattice, from: u32, mut visit: impl FnMut(u32, f64)) {
        for direction in 0..DIRECTIONS {
            let (mut at, mut length) = (from, 0.0);
            for _ in 0..self.density.steps {
                let Some(next) = lattice.neighbour(at, direction) else {
                    break;
                };
                length += lattice.step_length(at, direction, next);
                at = next;
                visit(at, length);
                if self.always_ends(lattice, at, direction) {
                    break;
                }
            }
        }
    }

    /// Adds the states from which a run may pass one of those that changed, and these themselves; some
    /// more than once.
    pub fn passing(&self, lattice: &Lattice, changed: &[u32], found: &mut Vec<u32>) {
        found.extend_from_slice(changed);
        for &state in changed {
            for direction in 0..DIRECTIONS {
                let mut at = state;
                for _ in 0..self.density.steps {
                    let Some(before) = lattice.neighbour(at, opposite(direction)) else {
                        break;
                    };
                    at = before;
                    found.push(at);
                    if self.always_ends(lattice, at, direction) {
                        break;
                    }
                }
            }
        }
    }

    pub fn successors(&self, costs: &mut StepCosts, from: u32, mut visit: impl FnMut(u32, f64)) {
        for direction in 0..DIRECTIONS {
            if let Some((to, cost)) = self.run(costs, from, direction) {
                visit(to, cost);
            }
        }
    }

    /// Backwards from a state, in each direction: which of the states there have a run that ends on
    /// it, as [`Self::run`] would find for each of them.
    pub fn predecessors(&self, costs: &mut StepCosts, to: u32, mut visit: impl FnMut(u32, f64)) {
        let last = self.gain(costs, to);
        for direction in 0..DIRECTIONS {
            let always = self.always_ends(costs.lattice(), to, direction);
            let mut ends_here = always.then_some(true);
            let (mut at, mut sum) = (to, 0.0);
            let mut steps = [0.0; MOST_STEPS];
            for (count, taken) in (1..=self.density.steps).zip(1..=MOST_STEPS) {
                let Some(before) = costs.lattice().neighbour(at, opposite(direction)) else {
                    break;
                };
                let step = costs.cost(before, direction, at);
                if step.is_infinite() {
                    break;
                }
                steps[taken - 1] = step;
                at = before;
                let ends = count == self.density.steps
                    || sum + last > self.density.threshold
                    || *ends_here.get_or_insert_with(|| !self.goes_on(costs, to, direction));
                if ends && self.may_end(costs, at) {
                    // In the order of the run, so that both sums are rounded alike.
                    visit(at, steps[..taken].iter().rev().sum());
                }
                if self.always_ends(costs.lattice(), at, direction) {
                    break;
                }
                sum += self.gain(costs, at);
                if sum > self.density.threshold {
                    break;
                }
            }
        }
    }

    /// What a run accumulates at a state.
    fn gain(&self, costs: &mut StepCosts, at: u32) -> f64 {
        match self.density.by {
            DensityBy::Size => costs.size(at),
            DensityBy::Change => costs.change(at),
        }
    }

    /// Whether there is a next step.
    fn goes_on(&self, costs: &mut StepCosts, at: u32, direction: usize) -> bool {
        let next = costs.lattice().neighbour(at, direction);
        next.is_some_and(|next| costs.cost(at, direction, next).is_finite())
    }
}
