//! The constrained triangulation: triangles, their neighbours and their terrain.

use super::arrangement::{Segment, planar};
use super::course::LazyCourse;
use super::input::TerrainInput;
use super::locate::Buckets;
use super::map::KindId;
use super::segment_grid::SegmentGrid;
use crate::geometry::{
    Polygon, Rect,
    boolean::intersection,
    lattice::{LATTICE, PER_METRE},
    polygon::closest_on_segment,
    predicates::{Side, side},
};
use crate::jobs::{Cancelled, JobContext};
use crate::nav::box_tree::BoxTree;
use glam::DVec2;
use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation as _};
use std::collections::HashMap;

/// Kind of triangles that nobody walks on.
pub const BLOCKED: KindId = KindId(u16::MAX);

/// No neighbour: the border of the level.
pub(super) const NONE: u32 = u32::MAX;

/// Index of a triangle. Valid only for its mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TriangleId(pub u32);

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Triangle {
    /// Counter-clockwise.
    pub corners: [u32; 3],
    /// Across the side from corner `i` to the next one; [`NONE`] at the border.
    pub beside: [u32; 3],
    pub kind: KindId,
}

/// The nearest place of a wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WallTouch {
    pub point: DVec2,
    /// Unit: metres.
    pub distance: f64,
}

/// All of the level's bounds in triangles, each of one terrain or blocked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TerrainMesh {
    pub(super) bounds: Rect2,
    /// Whole coordinates. Unit: lattice steps, as all of the geometry inside.
    pub(super) points: Vec<DVec2>,
    pub(super) triangles: Vec<Triangle>,
    pub(super) buckets: Buckets,
    /// Sides between free triangles and what is not free. Unit: metres.
    walls: Vec<[DVec2; 2]>,
    wall_grid: SegmentGrid,
    sole_kind: Option<KindId>,
    pub(super) course: LazyCourse,
}

/// The bounds on the lattice, with a default that holds nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rect2(pub Rect);

impl Default for Rect2 {
    fn default() -> Self {
        Self(Rect::EMPTY)
    }
}

/// What is wrong with a mesh; for tests.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Fault {
    #[error("triangle {0} is not counter-clockwise")]
    Winding(u32),
    #[error("triangle {0} and its neighbour do not agree on their side")]
    Neighbour(u32),
    #[error("the triangles cover {covered} of {whole} square steps")]
    Cover { covered: f64, whole: f64 },
    #[error("the buckets point at triangles that do not exist")]
    Buckets,
}

/// A point on the lattice, in lattice steps.
pub(super) fn snapped(p: DVec2) -> DVec2 {
    // Adding 0 turns −0 into 0.
    (p * PER_METRE).round() + 0.0
}

impl TerrainMesh {
    /// # Errors
    /// The job was cancelled.
    pub fn build(input: &TerrainInput, ctx: &JobContext) -> Result<Self, Cancelled> {
        ctx.checkpoint()?;
        let bounds = input.bounds;
        let inner = Rect::new(snapped(bounds.min), snapped(bounds.max));
        if !bounds.size().is_finite() || inner.size().min_element() < 1.0 {
            return Ok(Self::default());
        }
        let mut segments: Vec<Segment> = edges_of(&Polygon::rect(bounds)).collect();
        for area in input
            .patches
            .iter()
            .map(|p| &p.area)
            .chain(&input.obstacles)
        {
            for_edges_within(area, bounds, |edge| segments.push(edge));
        }
        let pieces = planar(segments);
        ctx.checkpoint()?;
        let (mut mesh, is_border) = triangulated(&pieces);
        ctx.checkpoint()?;
        mesh.bounds = Rect2(inner);
        mesh.paint(input, &is_border);
        mesh.sole_kind = sole_kind(&mesh.triangles);
        mesh.buckets = Buckets::new(&mesh);
        mesh.raise_walls();
        Ok(mesh)
    }

    /// Gives every triangle its kind. Triangles that no border parts are of one kind, and the one
    /// with the most room around its middle tells which: splinters never decide.
    fn paint(&mut self, input: &TerrainInput, is_border: &[[bool; 3]]) {
        let painter = Painter::new(input);
        let mut is_done = vec![false; self.triangles.len()];
        let mut group: Vec<u32> = Vec::new();
        for first in 0..self.triangles.len() as u32 {
            if is_done[first as usize] {
                continue;
            }
            is_done[first as usize] = true;
            group.clear();
            group.push(first);
            let (mut next, mut best, mut room) = (0, first, self.room(first));
            while let Some(&here) = group.get(next) {
                next += 1;
                let triangle = &self.triangles[here as usize];
                for (&beside, border) in triangle.beside.iter().zip(is_border[here as usize]) {
                    if border || beside == NONE || is_done[beside as usize] {
                        continue;
                    }
                    is_done[beside as usize] = true;
                    group.push(beside);
                    let its_room = self.room(beside);
                    if its_room > room {
                        (best, room) = (beside, its_room);
                    }
                }
            }
            let kind = painter.kind_at(self.middle(best) * LATTICE);
            for index in &group {
                self.triangles[*index as usize].kind = kind;
            }
        }
    }

    /// Twice the area by the longest side: small for splinters.
    fn room(&self, index: u32) -> f64 {
        let [a, b, c] = self.corners(index);
        let longest = [(a, b), (b, c), (c, a)]
            .into_iter()
            .map(|(p, q)| p.distance_squared(q))
            .fold(1.0, f64::max);
        (b - a).perp_dot(c - a).powi(2) / longest
    }

    pub(super) fn corners(&self, index: u32) -> [DVec2; 3] {
        self.triangles[index as usize]
            .corners
            .map(|corner| self.points[corner as usize])
    }

    pub(super) fn middle(&self, index: u32) -> DVec2 {
        let [a, b, c] = self.corners(index);
        a + ((b - a) + (c - a)) / 3.0
    }

    fn raise_walls(&mut self) {
        self.walls.clear();
        for triangle in self.triangles.iter().filter(|t| t.kind != BLOCKED) {
            for i in 0..3 {
                let beside = triangle.beside[i];
                if beside == NONE || self.triangles[beside as usize].kind == BLOCKED {
                    let ends = [i, (i + 1) % 3].map(|i| triangle.corners[i] as usize);
                    self.walls
                        .push(ends.map(|end| self.points[end] / PER_METRE));
                }
            }
        }
        self.wall_grid = SegmentGrid::new(&self.walls);
    }

    #[must_use]
    pub fn bounds(&self) -> Rect {
        let Rect { min, max } = self.bounds.0;
        Rect::new(min / PER_METRE, max / PER_METRE)
    }

    /// The kind of everything that is free, where there is but one.
    #[must_use]
    pub const fn sole_kind(&self) -> Option<KindId> {
        self.sole_kind
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.triangles.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.triangles.is_empty()
    }

    /// Every triangle with its kind, [`BLOCKED`] for obstacles. Unit: metres.
    pub fn triangles(&self) -> impl ExactSizeIterator<Item = ([DVec2; 3], KindId)> + '_ {
        (0..self.len() as u32).map(|index| {
            let corners = self.corners(index).map(|p| p / PER_METRE);
            (corners, self.triangles[index as usize].kind)
        })
    }

    #[must_use]
    pub fn triangle_kind(&self, id: TriangleId) -> KindId {
        self.triangles[id.0 as usize].kind
    }

    /// Centre of gravity of a triangle. Unit: metres.
    #[must_use]
    pub fn triangle_middle(&self, id: TriangleId) -> DVec2 {
        self.middle(id.0) / PER_METRE
    }

    /// Triangles across the sides of one; `None` at the border of the level.
    #[must_use]
    pub fn triangles_beside(&self, id: TriangleId) -> [Option<TriangleId>; 3] {
        self.triangles[id.0 as usize]
            .beside
            .map(|index| (index != NONE).then_some(TriangleId(index)))
    }

    /// Side `i` of a triangle. Unit: metres.
    #[must_use]
    pub fn triangle_side(&self, id: TriangleId, i: usize) -> [DVec2; 2] {
        let corners = self.corners(id.0);
        [corners[i % 3], corners[(i + 1) % 3]].map(|p| p / PER_METRE)
    }

    /// The terrain at a place; `None` inside obstacles and outside the level.
    #[must_use]
    pub fn kind_at(&self, p: DVec2) -> Option<KindId> {
        let triangle = self.locate(p, None)?;
        Some(self.triangle_kind(triangle)).filter(|kind| *kind != BLOCKED)
    }

    /// Borders of the free space as drawn. Unit: metres.
    #[must_use]
    pub fn walls(&self) -> &[[DVec2; 2]] {
        &self.walls
    }

    /// The nearest place of a wall within reach.
    #[must_use]
    pub fn nearest_wall(&self, p: DVec2, reach: f64) -> Option<WallTouch> {
        if !(p.is_finite() && reach.is_finite() && reach >= 0.0) {
            return None;
        }
        let mut best: Option<(DVec2, f64)> = None;
        let mut least = reach * reach;
        let scope = Rect::around(p, DVec2::splat(reach));
        self.wall_grid.visit_near(scope, |index| {
            let [a, b] = self.walls[index as usize];
            let point = closest_on_segment(a, b, p);
            let distance = point.distance_squared(p);
            if distance < least || (best.is_none() && distance <= least) {
                (best, least) = (Some((point, distance)), distance);
            }
        });
        best.map(|(point, squared)| WallTouch {
            point,
            distance: squared.sqrt(),
        })
    }

    /// Everything that must hold: for tests.
    ///
    /// # Errors
    /// The first thing that does not hold.
    pub fn check_invariants(&self) -> Result<(), Fault> {
        let mut covered = 0.0;
        for (triangle, index) in self.triangles.iter().zip(0..) {
            let [a, b, c] = self.corners(index);
            if side(a, b, c) != Side::Left {
                return Err(Fault::Winding(index));
            }
            covered += 0.5 * (b - a).perp_dot(c - a);
            for i in 0..3 {
                let ends = [triangle.corners[i], triangle.corners[(i + 1) % 3]];
                let Some(other) = self.triangles.get(triangle.beside[i] as usize) else {
                    if triangle.beside[i] == NONE {
                        continue;
                    }
                    return Err(Fault::Neighbour(index));
                };
                let agrees = (0..3).any(|j| {
                    other.beside[j] == index
                        && [other.corners[(j + 1) % 3], other.corners[j]] == ends
                });
                if !agrees {
                    return Err(Fault::Neighbour(index));
                }
            }
        }
        let size = self.bounds.0.size();
        let whole = size.x * size.y;
        if (covered - whole).abs() > 1e-9 * whole {
            return Err(Fault::Cover { covered, whole });
        }
        if self.buckets.is_sound(self.len()) {
            Ok(())
        } else {
            Err(Fault::Buckets)
        }
    }
}

fn sole_kind(triangles: &[Triangle]) -> Option<KindId> {
    let mut kinds = triangles
        .iter()
        .map(|triangle| triangle.kind)
        .filter(|kind| *kind != BLOCKED);
    let first = kinds.next()?;
    kinds.all(|kind| kind == first).then_some(first)
}

fn edges_of(polygon: &Polygon) -> impl Iterator<Item = Segment> + '_ {
    polygon.edges().map(|(a, b)| [snapped(a), snapped(b)])
}

/// The edges of an area on the lattice; where it leaves the bounds, of what is left of it.
fn for_edges_within(area: &Polygon, bounds: Rect, mut add: impl FnMut(Segment)) {
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

/// Triangles without kinds, and which of their sides are borders.
fn triangulated(pieces: &[Segment]) -> (TerrainMesh, Vec<[bool; 3]>) {
    let mut numbers: HashMap<[i64; 2], usize> = HashMap::with_capacity(pieces.len());
    let mut points: Vec<Point2<f64>> = Vec::with_capacity(pieces.len());
    let mut number = |p: DVec2| {
        *numbers.entry([p.x as i64, p.y as i64]).or_insert_with(|| {
            points.push(Point2::new(p.x, p.y));
            points.len() - 1
        })
    };
    let edges: Vec<[usize; 2]> = pieces.iter().map(|ends| ends.map(&mut number)).collect();
    // The pieces meet only at their ends, so that there are no conflicts; and the coordinates are
    // whole numbers far within the limits, so that no point is refused.
    let cdt =
        ConstrainedDelaunayTriangulation::<Point2<f64>>::try_bulk_load_cdt(points, edges, |_| {});
    let Ok(cdt) = cdt else {
        return <(TerrainMesh, Vec<[bool; 3]>)>::default();
    };
    let mut mesh = TerrainMesh {
        points: cdt
            .vertices()
            .map(|vertex| DVec2::new(vertex.position().x, vertex.position().y))
            .collect(),
        ..TerrainMesh::default()
    };
    let mut is_border = Vec::with_capacity(cdt.num_inner_faces());
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
        is_border.push(edges.map(|edge| edge.as_undirected().is_constraint_edge()));
    }
    (mesh, is_border)
}

/// Which terrain lies at a place, asked of the polygons as drawn.
struct Painter<'a> {
    input: &'a TerrainInput,
    obstacles: BoxTree,
    patches: BoxTree,
}

impl<'a> Painter<'a> {
    fn new(input: &'a TerrainInput) -> Self {
        let boxes = |polygons: Vec<&Polygon>| {
            let boxes = polygons
                .iter()
                .map(|polygon| Rect::of_points(polygon.points()));
            BoxTree::new(&input.bounds, boxes.collect::<Vec<_>>().into_iter())
        };
        Self {
            input,
            obstacles: boxes(input.obstacles.iter().collect()),
            patches: boxes(input.patches.iter().map(|patch| &patch.area).collect()),
        }
    }

    fn kind_at(&self, p: DVec2) -> KindId {
        let is_finite = |polygon: &Polygon| polygon.points().all(|p| p.is_finite());
        let is_in = |polygon: &Polygon| polygon.contains(p) && is_finite(polygon);
        let mut obstacles = self.obstacles.near_point(p);
        if obstacles.any(|index| is_in(&self.input.obstacles[index as usize])) {
            return BLOCKED;
        }
        let patches = self.patches.near_point(p);
        patches
            .filter(|index| is_in(&self.input.patches[*index as usize].area))
            .max()
            .map_or(KindId(0), |top| self.input.patches[top as usize].kind)
    }
}
