//! The domain of triangles (Ninomiya et al. 2014, §4.1): midpoints of the edges of a triangulation
//! of free space, into which the regions of constraints are drawn.

use super::field::Field;
use crate::geometry::Polygon;
use crate::nav::CellMap;
use crate::nav::free_space::FreeSpace;
use glam::DVec2;
use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation as _};
use std::collections::HashMap;

/// Most edges of regions that are drawn into the triangulation: beyond, they are too fine to help.
const MOST_EDGES: usize = 4_096;

/// Free space in triangles whose edges follow walls and regions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Triangles {
    /// Midpoints of edges.
    pub points: Vec<DVec2>,
    /// Each triangle by its three midpoints.
    pub triangles: Vec<[u32; 3]>,
    corners: Vec<[DVec2; 3]>,
    /// Triangles on both sides of a midpoint.
    sides: Vec<[u32; 2]>,
}

/// No triangle.
const NONE: u32 = u32::MAX;

impl Triangles {
    /// Without a field, of free space alone.
    #[must_use]
    pub fn build(free: &FreeSpace, cells: &CellMap, field: Option<&Field>) -> Self {
        let mut cdt = ConstrainedDelaunayTriangulation::<Point2<f64>>::new();
        let point = |p: DVec2| Point2::new(p.x + 0.0, p.y + 0.0);
        let walls = free.areas.iter().flat_map(Polygon::edges);
        for (a, b) in walls {
            if let (Ok(a), Ok(b)) = (cdt.insert(point(a)), cdt.insert(point(b)))
                && a != b
                && cdt.can_add_constraint(a, b)
            {
                cdt.add_constraint(a, b);
            }
        }
        let inner = free.bounds;
        let regions = field.into_iter().flat_map(Field::terms);
        let edges = regions.flat_map(|term| term.region.edges().iter().copied());
        for [a, b] in edges.take(MOST_EDGES) {
            let [a, b] = [a, b].map(|p| inner.clamp(p));
            if a.distance_squared(b) < 1e-6 {
                continue;
            }
            if let (Ok(a), Ok(b)) = (cdt.insert(point(a)), cdt.insert(point(b)))
                && a != b
            {
                cdt.add_constraint_and_split(a, b, |vertex| vertex);
            }
        }
        let mut built = Self::default();
        let mut midpoints: HashMap<usize, u32> = HashMap::new();
        for face in cdt.inner_faces() {
            let at = |p: Point2<f64>| DVec2::new(p.x, p.y);
            let corners = face.vertices().map(|vertex| at(vertex.position()));
            let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
            if cells.locate(middle).is_none() {
                continue;
            }
            let number = built.triangles.len() as u32;
            let own = face.adjacent_edges().map(|edge| {
                let key = edge.as_undirected().fix().index();
                let next = built.points.len() as u32;
                let midpoint = *midpoints.entry(key).or_insert(next);
                if midpoint == next {
                    let [a, b] = [edge.from(), edge.to()].map(|vertex| at(vertex.position()));
                    built.points.push((a + b) * 0.5);
                    built.sides.push([NONE; 2]);
                }
                let sides = &mut built.sides[midpoint as usize];
                let free = usize::from(sides[0] != NONE);
                sides[free] = number;
                midpoint
            });
            built.triangles.push(own);
            built.corners.push(corners);
        }
        built
    }

    /// Transitions from a midpoint to the others of its triangles.
    pub fn beside(&self, node: u32) -> impl Iterator<Item = u32> {
        let sides = self.sides.get(node as usize).copied().unwrap_or([NONE; 2]);
        sides
            .into_iter()
            .filter_map(|side| self.triangles.get(side as usize))
            .flatten()
            .copied()
            .filter(move |other| *other != node)
    }

    /// The triangle that contains a point; of several, the first.
    #[must_use]
    pub fn locate(&self, p: DVec2) -> Option<u32> {
        let inside = |[a, b, c]: &[DVec2; 3]| {
            let turn = |a: DVec2, b: DVec2| (b - a).perp_dot(p - a);
            let turns = [turn(*a, *b), turn(*b, *c), turn(*c, *a)];
            turns.iter().all(|turn| *turn >= -1e-9)
        };
        self.corners
            .iter()
            .position(inside)
            .map(|index| index as u32)
    }
}
