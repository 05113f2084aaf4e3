//! A mesh seen from above: its footprint and its visible feature lines.

use super::mesh_edges::feature_edges;
use super::trace::{CellGrid, traced};
use super::{Polygon, TriMesh, simplify};
use glam::{DVec2, DVec3};

/// Cells along the longer side of the raster from which the footprint is traced.
const CELLS: f64 = 512.0;
/// Edges that bend less than this are not drawn: cosine of 30°.
const EDGE_COSINE: f64 = 0.866;
/// Only this many of the longest lines are drawn per mesh.
const MAX_LINES: usize = 6_000;
/// Meshes with more triangles are drawn without lines, which would only be a blot.
const MAX_TRIANGLES: usize = 400_000;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshPlan {
    /// The footprint, accurate to one raster cell.
    pub outline: Vec<Polygon>,
    /// Lines not hidden from above, judged at their midpoints.
    pub lines: Vec<[DVec3; 2]>,
}

impl MeshPlan {
    #[must_use]
    pub fn of(mesh: &TriMesh) -> Self {
        let heights = Heights::of(mesh);
        let tolerance = 1.1 * heights.grid.cell;
        let outline = traced(&heights.grid, |x, y| heights.at(x, y).is_some())
            .into_iter()
            .map(|whole| {
                let ring = |ring: &Vec<DVec2>| simplify::simplified_ring(ring, tolerance);
                let outer = ring(&whole.outer);
                // A wall one cell wide would vanish.
                if outer.len() < 3 {
                    return whole;
                }
                let holes = whole.holes.iter().map(ring);
                Polygon {
                    outer,
                    holes: holes.filter(|hole| hole.len() >= 3).collect(),
                }
            })
            .collect();
        Self {
            outline,
            lines: lines(mesh, &heights),
        }
    }
}

fn lines(mesh: &TriMesh, heights: &Heights) -> Vec<[DVec3; 2]> {
    if mesh.triangles.len() > MAX_TRIANGLES {
        return Vec::new();
    }
    // Edges lie on the surface that would hide them: allow a tolerance, larger on slopes.
    let play = 2.0 * heights.grid.cell;
    let mut lines: Vec<[DVec3; 2]> = feature_edges(mesh, EDGE_COSINE)
        .into_iter()
        .map(|edge| edge.map(|i| mesh.vertices[i as usize]))
        .filter(|[a, b]| a.truncate() != b.truncate())
        .filter(|[a, b]| {
            [0.5, 0.2, 0.8].into_iter().any(|share| {
                let p = a.lerp(*b, share);
                heights
                    .near(p.truncate())
                    .is_none_or(|top| p.z >= top - play)
            })
        })
        .collect();
    if lines.len() > MAX_LINES {
        let length = |[a, b]: &[DVec3; 2]| a.truncate().distance_squared(b.truncate());
        lines.sort_by(|a, b| length(b).total_cmp(&length(a)));
        lines.truncate(MAX_LINES);
    }
    lines
}

/// The highest point of the mesh over each cell.
struct Heights {
    grid: CellGrid,
    top: Vec<f32>,
}

impl Heights {
    fn of(mesh: &TriMesh) -> Self {
        let bounds = mesh.bounds();
        let size = bounds.size().truncate();
        let cell = (size.max_element() / CELLS).max(1e-9);
        let count = |extent: f64| ((extent / cell).ceil() as usize).clamp(1, CELLS as usize + 1);
        let (columns, rows) = (count(size.x), count(size.y));
        let origin = if bounds.is_empty() {
            DVec2::ZERO
        } else {
            bounds.min.truncate()
        };
        let mut heights = Self {
            grid: CellGrid {
                origin,
                cell,
                columns,
                rows,
            },
            top: vec![f32::NEG_INFINITY; columns * rows],
        };
        for triangle in mesh.corners() {
            heights.add(triangle);
        }
        heights
    }

    fn cells(&self, p: DVec2) -> DVec2 {
        (p - self.grid.origin) / self.grid.cell
    }

    fn at(&self, column: usize, row: usize) -> Option<f64> {
        let top = self.top[row * self.grid.columns + column];
        (top > f32::NEG_INFINITY).then_some(f64::from(top))
    }

    /// Height of the cell at `p`; positions at the border use the nearest cell.
    fn near(&self, p: DVec2) -> Option<f64> {
        let at = self.cells(p).max(DVec2::ZERO);
        let column = (at.x as usize).min(self.grid.columns - 1);
        let row = (at.y as usize).min(self.grid.rows - 1);
        self.at(column, row)
    }

    fn raise(&mut self, p: DVec2, z: f64) {
        let at = p.max(DVec2::ZERO);
        let column = (at.x as usize).min(self.grid.columns - 1);
        let row = (at.y as usize).min(self.grid.rows - 1);
        let top = &mut self.top[row * self.grid.columns + column];
        *top = top.max(z as f32);
    }

    fn add(&mut self, corners: [DVec3; 3]) {
        let [a, b, c] = corners.map(|p| self.cells(p.truncate()));
        let [za, zb, zc] = corners.map(|p| p.z);
        let area = (b - a).perp_dot(c - a);
        // A wall projects to a line, and a triangle smaller than a cell may miss its centre.
        for ((p, zp), (q, zq)) in [((a, za), (b, zb)), ((b, zb), (c, zc)), ((c, zc), (a, za))] {
            let steps = (p.distance(q) * 1.5).ceil().clamp(1.0, 2.0 * CELLS);
            for i in 0..=steps as usize {
                let share = i as f64 / steps;
                self.raise(p.lerp(q, share), zp + (zq - zp) * share);
            }
        }
        if area.abs() < 1.0 {
            return;
        }
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let first = |x: f64| (x - 0.5).ceil().max(0.0) as usize;
        let last =
            |x: f64, count: usize| ((x - 0.5).floor().max(-1.0) + 1.0).min(count as f64) as usize;
        for row in first(low.y)..last(high.y, self.grid.rows) {
            for column in first(low.x)..last(high.x, self.grid.columns) {
                let p = DVec2::new(column as f64 + 0.5, row as f64 + 0.5);
                let u = (b - p).perp_dot(c - p) / area;
                let v = (c - p).perp_dot(a - p) / area;
                let w = 1.0 - u - v;
                if u >= 0.0 && v >= 0.0 && w >= 0.0 {
                    self.raise(p, u * za + v * zb + w * zc);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A 4 × 2 table top at height 1 with a smaller box beneath it.
    fn table() -> TriMesh {
        let mut mesh = TriMesh::default();
        for (x, y, z) in [(4.0, 2.0, 1.0), (1.0, 1.0, 0.0)] {
            let n = mesh.vertices.len() as u32;
            mesh.vertices.extend([
                DVec3::new(0.0, 0.0, z),
                DVec3::new(x, 0.0, z),
                DVec3::new(x, y, z),
                DVec3::new(0.0, y, z),
            ]);
            mesh.add_quad([n, n + 1, n + 2, n + 3]);
        }
        mesh
    }

    #[test]
    fn the_outline_is_what_is_covered_and_hidden_lines_are_left_out() {
        let plan = MeshPlan::of(&table());
        assert_eq!(plan.outline.len(), 1);
        assert!((plan.outline[0].area() - 8.0).abs() < 0.05);
        assert_eq!(plan.lines.len(), 4, "those of the top");
        assert!(plan.lines.iter().all(|[a, b]| a.z + b.z == 2.0));
    }

    #[test]
    fn walls_points_and_nothing_have_a_plan_too() {
        let wall = TriMesh {
            vertices: vec![DVec3::ZERO, DVec3::X * 9.0, DVec3::new(9.0, 0.0, 3.0)],
            triangles: vec![[0, 1, 2]],
        };
        assert_eq!(MeshPlan::of(&wall).outline.len(), 1);
        let point = TriMesh {
            vertices: vec![DVec3::splat(7.0); 3],
            triangles: vec![[0, 1, 2]],
        };
        let _ = MeshPlan::of(&point);
        assert_eq!(MeshPlan::of(&TriMesh::default()), MeshPlan::default());
    }

    #[test]
    fn a_hole_stays_one() {
        let mut mesh = TriMesh::default();
        for (x0, y0, x1, y1) in [
            (0.0, 0.0, 9.0, 3.0),
            (0.0, 6.0, 9.0, 9.0),
            (0.0, 3.0, 3.0, 6.0),
            (6.0, 3.0, 9.0, 6.0),
        ] {
            let n = mesh.vertices.len() as u32;
            let corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)];
            mesh.vertices
                .extend(corners.map(|(x, y)| DVec3::new(x, y, 0.5)));
            mesh.add_quad([n, n + 1, n + 2, n + 3]);
        }
        let plan = MeshPlan::of(&mesh);
        assert_eq!(plan.outline.len(), 1);
        assert_eq!(plan.outline[0].holes.len(), 1);
        assert!((plan.outline[0].area() - 72.0).abs() < 1.0);
    }

    /// A flat mesh of the triangles between corners, at a height.
    fn flat(triangles: &[[(f64, f64); 3]], z: f64) -> TriMesh {
        let corners = triangles.iter().flatten();
        TriMesh {
            vertices: corners.map(|(x, y)| DVec3::new(*x, *y, z)).collect(),
            triangles: (0..triangles.len() as u32)
                .map(|i| [3 * i, 3 * i + 1, 3 * i + 2])
                .collect(),
        }
    }

    #[test]
    fn outlines_and_holes_of_three_corners_are_simplified_and_kept() {
        // Along diagonals the steps of the raster are within the tolerance.
        let [a, b, c] = [(0.0, 0.0), (10.0, 0.0), (0.0, 10.0)];
        let plan = MeshPlan::of(&flat(&[[a, b, c]], 0.0));
        assert_eq!(plan.outline.len(), 1);
        let corners = plan.outline[0].outer.len();
        assert!((3..=6).contains(&corners), "{corners} corners");
        assert!((plan.outline[0].area() - 50.0).abs() < 0.5);

        let [d, e, f] = [(2.0, 2.0), (5.0, 2.0), (2.0, 5.0)];
        let frame = [
            [a, b, d],
            [b, e, d],
            [b, c, e],
            [c, f, e],
            [c, a, f],
            [a, d, f],
        ];
        let plan = MeshPlan::of(&flat(&frame, 0.0));
        assert_eq!(plan.outline.len(), 1);
        let [hole] = &plan.outline[0].holes[..] else {
            panic!("one hole, not {}", plan.outline[0].holes.len());
        };
        assert!((3..=6).contains(&hole.len()), "{} corners", hole.len());
        assert!((plan.outline[0].area() - (50.0 - 4.5)).abs() < 1.0);
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(32))]
        #[test]
        fn a_plan_covers_what_lies_under_some_triangle(
            triangles in proptest::collection::vec(proptest::array::uniform3((0.0..20.0, 0.0..20.0)), 1..6),
            probes in proptest::collection::vec((0.0..20.0, 0.0..20.0), 40),
        ) {
            let plan = MeshPlan::of(&flat(&triangles, 1.0));
            let cell = 20.0 * std::f64::consts::SQRT_2 / CELLS;
            for (x, y) in probes {
                let p = DVec2::new(x, y);
                let mut is_covered = false;
                let mut to_border = f64::INFINITY;
                for corners in &triangles {
                    let [a, b, c] = corners.map(|(x, y)| DVec2::new(x, y));
                    let sides = [(a, b), (b, c), (c, a)];
                    let turns = sides.map(|(from, to)| (to - from).perp_dot(p - from) > 0.0);
                    is_covered |= turns[0] == turns[1] && turns[1] == turns[2];
                    for (from, to) in sides {
                        let near = crate::geometry::polygon::closest_on_segment(from, to, p);
                        to_border = to_border.min(near.distance(p));
                    }
                }
                // Simplification moves the outline by a cell, rasterisation by another.
                if to_border > 3.0 * cell {
                    let is_outlined = plan.outline.iter().any(|part| part.contains(p));
                    proptest::prop_assert_eq!(is_covered, is_outlined, "{}", p);
                }
            }
        }
    }
}
