//! What holds of every navigation mesh.

use super::NavMesh;
use crate::geometry::predicates::{Side, side};
use std::collections::HashMap;

/// Violated invariants; for tests.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NavMeshFault {
    #[error("polygon {0} has a corner that does not exist, or one twice")]
    Corners(usize),
    #[error("polygon {0} is not convex and counter-clockwise")]
    Shape(usize),
    #[error("polygon {0} and its neighbour across side {1} do not share its ends")]
    Neighbour(usize, usize),
    #[error("polygons {0} and {1} touch along a whole side but are not neighbours")]
    Coincident(usize, usize),
    #[error("polygons {0} and {1} are neighbours in different components")]
    Component(usize, usize),
}

impl NavMesh {
    /// # Errors
    /// The first invariant that does not hold.
    pub fn check_invariants(&self) -> Result<(), NavMeshFault> {
        /// Coordinates in metres are rounded; so much may a straight side bend. Unit: m².
        const ROUNDING: f64 = 1e-9;
        let mut sides: HashMap<[u64; 4], (usize, usize)> = HashMap::new();
        for (index, polygon) in self.polygons.iter().enumerate() {
            let count = polygon.corners.len();
            let is_known = |corner: &u32| (*corner as usize) < self.vertices.len();
            let mut sorted = polygon.corners.clone();
            sorted.sort_unstable();
            sorted.dedup();
            if count < 3
                || sorted.len() != count
                || polygon.beside.len() != count
                || !sorted.iter().all(is_known)
            {
                return Err(NavMeshFault::Corners(index));
            }
            let at = |i: usize| self.vertices[polygon.corners[i % count] as usize];
            for i in 0..count {
                let (a, b, c) = (at(i), at(i + 1), at(i + 2));
                if side(a, b, c) == Side::Right && (b - a).perp_dot(c - a) < -ROUNDING {
                    return Err(NavMeshFault::Shape(index));
                }
                let key = [a.x, a.y, b.x, b.y].map(|v| (v + 0.0).to_bits());
                sides.insert(key, (index, i));
            }
        }
        for (index, polygon) in self.polygons.iter().enumerate() {
            let count = polygon.corners.len();
            for i in 0..count {
                let ends = [polygon.corners[i], polygon.corners[(i + 1) % count]];
                let [a, b] = ends.map(|corner| self.vertices[corner as usize]);
                let back = [b.x, b.y, a.x, a.y].map(|v| (v + 0.0).to_bits());
                let across = sides.get(&back);
                match (polygon.beside[i], across) {
                    (None, None) => {}
                    (None, Some((other, _))) => {
                        return Err(NavMeshFault::Coincident(index, *other));
                    }
                    (Some(other), Some(&(its, k))) if other as usize == its => {
                        let beyond = &self.polygons[its];
                        let next = (k + 1) % beyond.corners.len();
                        if [beyond.corners[next], beyond.corners[k]] != ends
                            || beyond.beside[k] != Some(index as u32)
                        {
                            return Err(NavMeshFault::Neighbour(index, i));
                        }
                        if beyond.component != polygon.component {
                            return Err(NavMeshFault::Component(index, its));
                        }
                    }
                    _ => return Err(NavMeshFault::Neighbour(index, i)),
                }
            }
        }
        Ok(())
    }
}
