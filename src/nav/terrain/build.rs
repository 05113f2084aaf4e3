//! Triangulation from scratch: split all edges where they meet, then triangulate.

use super::arrangement::{Segment, planar};
use super::input::TerrainInput;
use super::locate::Buckets;
use super::mesh::{BLOCKED, NONE, Rect2, TerrainMesh, Triangle, snapped};
use super::paint::Painter;
use crate::geometry::{
    Polygon, Rect, boolean::intersection, crossing::count_meetings, heap::untangled,
};
use crate::jobs::{Cancelled, JobContext};
use glam::DVec2;
use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation as _};
use std::collections::HashMap;

/// Most places where the outlines of painted terrain may meet.
const MOST_MEETINGS: usize = 200_000;

impl TerrainMesh {
    /// # Errors
    /// The job was cancelled.
    pub fn build(input: &TerrainInput, ctx: &JobContext) -> Result<Self, Cancelled> {
        Self::build_cut(input, &[], ctx)
    }

    /// As [`Self::build`], with further lines that no triangle crosses. They should be within the
    /// bounds. Unit: metres.
    ///
    /// # Errors
    /// The job was cancelled.
    pub(super) fn build_cut(
        input: &TerrainInput,
        lines: &[[DVec2; 2]],
        ctx: &JobContext,
    ) -> Result<Self, Cancelled> {
        ctx.checkpoint()?;
        let bounds = input.bounds;
        let inner = Rect::new(snapped(bounds.min), snapped(bounds.max));
        if !bounds.size().is_finite() || inner.size().min_element() < 1.0 {
            return Ok(Self::default());
        }
        let obstacles: Vec<Polygon> = input
            .obstacles
            .iter()
            .map(|area| Polygon::clone(area))
            .collect();
        let patches: Vec<Polygon> = input
            .patches
            .iter()
            .map(|patch| Polygon::clone(&patch.area))
            .collect();
        // Nothing is made of what would be millions of triangles.
        let Some(obstacles) = untangled(&obstacles) else {
            return Ok(Self::default());
        };
        if count_meetings(&patches, MOST_MEETINGS).is_none() {
            return Ok(Self::default());
        }
        let mut segments: Vec<Segment> = edges_of(&Polygon::rect(bounds)).collect();
        for area in patches.iter().chain(&*obstacles) {
            for_edges_within(area, bounds, |edge| segments.push(edge));
        }
        segments.extend(lines.iter().map(|ends| ends.map(snapped)));
        let pieces = planar(segments);
        ctx.checkpoint()?;
        let mut mesh = triangulated(&pieces);
        ctx.checkpoint()?;
        mesh.bounds = Rect2(inner);
        let all: Vec<u32> = (0..mesh.len() as u32).collect();
        mesh.paint(&Painter::new(input, &[bounds]), &all);
        mesh.find_sole_kind();
        mesh.buckets = Buckets::new(&mesh);
        mesh.raise_walls();
        Ok(mesh)
    }
}

pub(super) fn edges_of(polygon: &Polygon) -> impl Iterator<Item = Segment> + '_ {
    polygon.edges().map(|(a, b)| [snapped(a), snapped(b)])
}

/// The edges of an area on the lattice, clipped to the bounds.
pub(super) fn for_edges_within(area: &Polygon, bounds: Rect, mut add: impl FnMut(Segment)) {
    if !area.points().all(|p| p.is_finite()) {
        return;
    }
    let whole = Rect::of_points(area.points());
    if bounds.contains_rect(&whole) {
        edges_of(area).for_each(add);
    } else if bounds.overlaps(&whole) {
        let kept = intersection(std::slice::from_ref(area), &[Polygon::rect(bounds)]);
        let inner = Rect::new(snapped(bounds.min), snapped(bounds.max));
        for polygon in &kept {
            edges_of(polygon).for_each(|edge| add(edge.map(|p| inner.clamp(p))));
        }
    }
}

/// Triangles without kinds; `pieces` are the constraint edges.
pub(super) fn triangulated(pieces: &[Segment]) -> TerrainMesh {
    let mut numbers: HashMap<[i64; 2], usize> = HashMap::with_capacity(pieces.len());
    let mut points: Vec<Point2<f64>> = Vec::with_capacity(pieces.len());
    let mut number = |p: DVec2| {
        *numbers.entry([p.x as i64, p.y as i64]).or_insert_with(|| {
            points.push(Point2::new(p.x, p.y));
            points.len() - 1
        })
    };
    let edges: Vec<[usize; 2]> = pieces.iter().map(|ends| ends.map(&mut number)).collect();
    // The pieces meet only at their ends, so there are no conflicts; and the coordinates are
    // integers well within the limits, so no point is rejected.
    let cdt =
        ConstrainedDelaunayTriangulation::<Point2<f64>>::try_bulk_load_cdt(points, edges, |_| {});
    let Ok(cdt) = cdt else {
        return TerrainMesh::default();
    };
    let mut mesh = TerrainMesh {
        points: cdt
            .vertices()
            .map(|vertex| DVec2::new(vertex.position().x, vertex.position().y))
            .collect(),
        ..TerrainMesh::default()
    };
    mesh.triangles.reserve(cdt.num_inner_faces());
    mesh.is_border.reserve(cdt.num_inner_faces());
    for face in cdt.inner_faces() {
        let edges = face.adjacent_edges();
        mesh.triangles.push(Triangle {
            corners: edges.map(|edge| edge.from().index() as u32),
            beside: edges.map(|edge| {
                let face = edge.rev().face();
                // The outer face has number 0.
                face.as_inner().map_or(NONE, |face| face.index() as u32 - 1)
            }),
            kind: BLOCKED,
        });
        let is_border = edges.map(|edge| edge.as_undirected().is_constraint_edge());
        mesh.is_border.push(is_border);
    }
    mesh
}
