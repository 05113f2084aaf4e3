//! The highways of the hybrid domain (Ninomiya et al. 2014, §4.3): transitions of a triangulation
//! between the nearest dense states.

use super::triangles::Triangles;
use crate::geometry::Rect;
use crate::nav::constraint::field::TermChange;
use crate::nav::constraint::lattice::DIRECTIONS;
use crate::nav::constraint::{Field, Lattice};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Steps of a highway where there is no triangulation.
const STRAIGHT: i32 = 8;

/// Long transitions, in both directions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Highways {
    pub ends: Vec<[u32; 2]>,
    /// By state, the highways from it.
    by_state: BTreeMap<u32, Vec<u32>>,
}

impl Highways {
    /// λ maps each midpoint to the nearest dense state; a highway exists where the straight line
    /// between two such states is free.
    #[must_use]
    pub fn over(lattice: &Lattice, triangles: &Triangles) -> Self {
        let nearest: Vec<Option<u32>> = triangles
            .points
            .iter()
            .map(|p| lattice.nearest(*p))
            .collect();
        let mut found = BTreeSet::new();
        for triangle in &triangles.triangles {
            for i in 0..3 {
                let pair = [triangle[i], triangle[(i + 1) % 3]].map(|m| nearest[m as usize]);
                if let [Some(a), Some(b)] = pair {
                    found.insert([a.min(b), a.max(b)]);
                }
            }
        }
        let is_new = |[a, b]: &[u32; 2]| {
            a != b && (0..DIRECTIONS).all(|k| lattice.neighbour(*a, k) != Some(*b))
        };
        let is_free = |[a, b]: &[u32; 2]| lattice.is_free(lattice.point(*a), lattice.point(*b));
        Self::of(found.into_iter().filter(is_new).filter(is_free).collect())
    }

    /// Straight lines over surfaces, which no triangulation covers: between every eighth column and
    /// row.
    #[must_use]
    pub fn straight(lattice: &Lattice) -> Self {
        let mut ends = Vec::new();
        for state in 0..lattice.len() as u32 {
            let [x, y] = lattice.place(state);
            if x.rem_euclid(STRAIGHT) != 0 || y.rem_euclid(STRAIGHT) != 0 {
                continue;
            }
            for direction in 0..DIRECTIONS / 2 {
                let mut at = Some(state);
                for _ in 0..STRAIGHT {
                    at = at.and_then(|at| lattice.neighbour(at, direction));
                }
                if let Some(end) =
                    at.filter(|end| lattice.is_free(lattice.point(state), lattice.point(*end)))
                {
                    ends.push([state, end]);
                }
            }
        }
        Self::of(ends)
    }

    fn of(ends: Vec<[u32; 2]>) -> Self {
        let mut by_state: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (pair, index) in ends.iter().zip(0..) {
            for end in pair {
                by_state.entry(*end).or_default().push(index);
            }
        }
        Self { ends, by_state }
    }

    pub fn from(&self, state: u32) -> &[u32] {
        self.by_state.get(&state).map_or(&[], Vec::as_slice)
    }
}

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
        let cost = field.cost(a, b, lattice.spacing());
        let rounded = cost as f32;
        if f64::from(rounded) < cost {
            rounded.next_up()
        } else {
            rounded
        }
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

    /// Constraints changed. Ends of highways that have other costs.
    pub fn update(&mut self, changes: &[TermChange], lattice: &Lattice, field: &Field) -> Vec<u32> {
        let mut changed = Vec::new();
        for index in 0..self.costs.len() {
            let before = self.costs[index];
            if before.is_nan() {
                continue;
            }
            let ends = self.highways.ends[index];
            let [a, b] = ends.map(|end| lattice.point(end).truncate());
            let line = Rect::spanning(a, b);
            let is_near = |rect: Rect| rect.overlaps(&line);
            if !changes.iter().any(|change| change.influence().any(is_near)) {
                continue;
            }
            self.costs[index] = self.evaluated(index as u32, lattice, field);
            if self.costs[index] != before {
                changed.extend(ends);
            }
        }
        changed
    }

    pub const fn bytes(&self) -> usize {
        self.costs.len() * 4
    }
}
