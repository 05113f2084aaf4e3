//! Costs of the hybrid domain's highways, evaluated when they are first read.

use super::step_costs::rounded_up;
use crate::geometry::Rect;
use crate::nav::constraint::field::TermChange;
use crate::nav::constraint::{Field, Highways, Lattice};
use std::sync::Arc;

/// Highways with their costs.
#[derive(Clone, Debug)]
pub struct HighwayCosts {
    highways: Arc<Highways>,
    costs: Vec<f32>,
}

impl HighwayCosts {
    #[must_use]
    pub fn new(highways: Arc<Highways>) -> Self {
        Self {
            costs: vec![f32::NAN; highways.ends.len()],
            highways,
        }
    }

    #[must_use]
    pub const fn highways(&self) -> &Arc<Highways> {
        &self.highways
    }

    fn evaluated(&self, index: u32, lattice: &Lattice, field: &Field) -> f32 {
        let [a, b] = self.highways.ends[index as usize].map(|end| lattice.point(end));
        rounded_up(field.cost(a, b, lattice.spacing()))
    }

    /// Visits the highways from a state.
    pub fn visit(
        &mut self,
        state: u32,
        lattice: &Lattice,
        field: &Field,
        mut visit: impl FnMut(u32, f64),
    ) {
        let highways = Arc::clone(&self.highways);
        for &index in highways.from(state) {
            let mut cost = self.costs[index as usize];
            if cost.is_nan() {
                cost = self.evaluated(index, lattice, field);
                self.costs[index as usize] = cost;
            }
            if cost.is_finite() {
                let [a, b] = highways.ends[index as usize];
                visit(if a == state { b } else { a }, f64::from(cost));
            }
        }
    }

    /// Constraints changed. Ends of highways that may have other costs.
    pub fn update(&mut self, changes: &[TermChange], lattice: &Lattice) -> Vec<u32> {
        let mut changed = Vec::new();
        for (cost, ends) in self.costs.iter_mut().zip(&self.highways.ends) {
            let [a, b] = ends.map(|end| lattice.point(end).truncate());
            let line = Rect::spanning(a, b);
            let is_near = |rect: Rect| rect.overlaps(&line);
            if changes.iter().any(|change| change.influence().any(is_near)) {
                *cost = f32::NAN;
                changed.extend(ends);
            }
        }
        changed
    }

    /// Visits the highways from a state with their lengths.
    pub fn visit_lengths(&self, state: u32, lattice: &Lattice, mut visit: impl FnMut(u32, f64)) {
        for &index in self.highways.from(state) {
            let [a, b] = self.highways.ends[index as usize];
            let length = lattice.point(a).distance(lattice.point(b));
            visit(if a == state { b } else { a }, length);
        }
    }

    pub const fn bytes(&self) -> usize {
        self.costs.len() * 4
    }
}
