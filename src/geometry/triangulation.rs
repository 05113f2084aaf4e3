//! Constrained Delaunay triangulation of polygons.

use super::{
    Polygon, Ring,
    boolean::{self, Combine},
    lattice::Collinear,
};
use glam::DVec2;
use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation as _};
use std::collections::VecDeque;

/// The interior of a polygon. Triangles are counter-clockwise. `outline` holds the boundary edges,
/// each once with the interior on its left, split wherever a corner lies on them: exactly the edges
/// that no two triangles share.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Triangulation {
    pub points: Vec<DVec2>,
    pub triangles: Vec<[u32; 3]>,
    pub outline: Vec<[u32; 2]>,
}

impl Triangulation {
    /// Accepts any polygon, including self-crossing ones: even–odd rule on the millimetre lattice
    /// of the [booleans](boolean). Empty where nothing is enclosed.
    #[must_use]
    pub fn of_polygon(polygon: &Polygon) -> Self {
        let pieces = boolean::combine(
            Combine::Union,
            std::slice::from_ref(polygon),
            &[],
            Collinear::Keep,
        );
        let rings: Vec<Ring> = pieces
            .into_iter()
            .flat_map(|piece| std::iter::once(piece.outer).chain(piece.holes))
            .collect();
        Self::of_rings(&rings)
    }

    /// Triangulates rings that do not cross, by the even–odd rule. Drops edges that would cross an
    /// earlier one, and rings with a coordinate that is not finite.
    #[must_use]
    pub fn of_rings(rings: &[Ring]) -> Self {
        let mut cdt = ConstrainedDelaunayTriangulation::<Point2<f64>>::new();
        for ring in rings.iter().filter(|r| r.iter().all(|p| p.is_finite())) {
            let handles: Vec<_> = ring
                .iter()
                // Adding zero turns −0 into 0.
                .filter_map(|p| cdt.insert(Point2::new(p.x + 0.0, p.y + 0.0)).ok())
                .collect();
            for (i, from) in handles.iter().enumerate() {
                let to = handles[(i + 1) % handles.len()];
                if *from != to && cdt.can_add_constraint(*from, to) {
                    cdt.add_constraint(*from, to);
                }
            }
        }
        let inside = inside_faces(&cdt);
        let mut result = Self {
            points: cdt
                .vertices()
                .map(|v| DVec2::new(v.position().x, v.position().y))
                .collect(),
            ..Self::default()
        };
        for face in cdt.inner_faces() {
            if !inside[face.fix().index()] {
                continue;
            }
            result
                .triangles
                .push(face.vertices().map(|v| v.index() as u32));
            for edge in face.adjacent_edges() {
                if !inside[edge.rev().face().fix().index()] {
                    result
                        .outline
                        .push([edge.from().index() as u32, edge.to().index() as u32]);
                }
            }
        }
        result
    }

    /// Unit: m².
    #[must_use]
    pub fn area(&self) -> f64 {
        self.triangles
            .iter()
            .map(|t| {
                let [a, b, c] = t.map(|i| self.points[i as usize]);
                (b - a).perp_dot(c - a) * 0.5
            })
            .sum()
    }
}

/// For each face index, whether it lies inside an odd number of rings.
fn inside_faces(cdt: &ConstrainedDelaunayTriangulation<Point2<f64>>) -> Vec<bool> {
    let mut inside: Vec<Option<bool>> = vec![None; cdt.num_all_faces()];
    let outer = cdt.outer_face().fix();
    inside[outer.index()] = Some(false);
    let mut queue = VecDeque::new();
    for edge in cdt.convex_hull() {
        // Hull edges have the outer face on their left.
        let (inner, here) = if edge.face().is_outer() {
            (edge.rev().face(), edge.is_constraint_edge())
        } else {
            (edge.face(), edge.is_constraint_edge())
        };
        if let Some(inner) = inner.as_inner()
            && inside[inner.fix().index()].is_none()
        {
            inside[inner.fix().index()] = Some(here);
            queue.push_back(inner);
        }
    }
    while let Some(face) = queue.pop_front() {
        let here = inside[face.fix().index()] == Some(true);
        for edge in face.adjacent_edges() {
            let Some(next) = edge.rev().face().as_inner() else {
                continue;
            };
            let slot = &mut inside[next.fix().index()];
            if slot.is_none() {
                *slot = Some(here != edge.is_constraint_edge());
                queue.push_back(next);
            }
        }
    }
    inside.into_iter().map(|i| i == Some(true)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Rect, hostile};
    use proptest::prelude::*;

    #[test]
    fn a_square_with_a_hole_keeps_its_area() {
        let mut polygon = Polygon::rect(Rect::new(DVec2::ZERO, DVec2::splat(10.0)));
        polygon.holes.push(
            Rect::new(DVec2::splat(2.0), DVec2::splat(4.0))
                .corners()
                .to_vec(),
        );
        let flat = Triangulation::of_polygon(&polygon);
        assert!((flat.area() - 96.0).abs() < 1e-9);
        assert_eq!(flat.outline.len(), 8);
    }

    #[test]
    fn a_hole_that_touches_the_edge_leaves_no_gap() {
        let mut polygon = Polygon::rect(Rect::new(DVec2::ZERO, DVec2::splat(10.0)));
        polygon.holes.push(vec![
            DVec2::new(5.0, 0.0),
            DVec2::new(7.0, 4.0),
            DVec2::new(3.0, 4.0),
        ]);
        let flat = Triangulation::of_polygon(&polygon);
        assert!((flat.area() - 92.0).abs() < 1e-9);
        // The lower edge is split where the hole touches it.
        assert_eq!(flat.outline.len(), 8);
    }

    proptest! {
        #[test]
        fn the_triangles_cover_what_the_booleans_say(polygon in hostile::small_polygon()) {
            let flat = Triangulation::of_polygon(&polygon);
            let given = std::slice::from_ref(&polygon);
            let pieces = boolean::combine(Combine::Union, given, &[], Collinear::Keep);
            let area: f64 = pieces.iter().map(Polygon::area).sum();
            prop_assert!((flat.area() - area).abs() < 1e-6, "{} {}", flat.area(), area);
            for t in &flat.triangles {
                let centre = t.iter().map(|i| flat.points[*i as usize]).sum::<DVec2>() / 3.0;
                prop_assert!(pieces.iter().any(|piece| piece.contains(centre)));
            }
        }

        #[test]
        fn arbitrary_polygons_never_panic(polygon in hostile::any_polygon()) {
            let flat = Triangulation::of_polygon(&polygon);
            prop_assert!(flat.area() >= 0.0);
            let rings: Vec<Ring> = polygon.rings().cloned().collect();
            prop_assert!(Triangulation::of_rings(&rings).area() >= 0.0);
        }

        /// Each outline edge is unshared and each inner one shared by two triangles.
        #[test]
        fn the_outline_is_what_the_triangles_leave_unshared(polygon in hostile::small_polygon()) {
            let flat = Triangulation::of_polygon(&polygon);
            let mut edges: Vec<[u32; 2]> = flat
                .triangles
                .iter()
                .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
                .collect();
            edges.retain(|[a, b]| !flat.triangles.iter().any(|&[x, y, z]| {
                [[x, y], [y, z], [z, x]].contains(&[*b, *a])
            }));
            edges.sort_unstable();
            let mut outline = flat.outline.clone();
            outline.sort_unstable();
            prop_assert_eq!(edges, outline);
        }
    }
}
