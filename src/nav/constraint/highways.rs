//! The highways of the hybrid domain (Ninomiya et al. 2014, §4.3): transitions of a triangulation
//! between the nearest dense states.

use super::lattice::{DIRECTIONS, Lattice};
use super::triangles::Triangles;
use std::collections::{BTreeMap, BTreeSet};

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
