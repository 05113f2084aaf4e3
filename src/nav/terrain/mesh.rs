//! The constrained triangulation: triangles, their neighbours and their terrain.

use super::course::LazyCourse;
use super::locate::Buckets;
use super::map::KindId;
use super::segment_grid::SegmentGrid;
use crate::geometry::{
    Rect,
    lattice::PER_METRE,
    polygon::closest_on_segment,
    predicates::{Side, side},
};
use glam::DVec2;
use std::sync::Arc;

/// Kind of triangles inside obstacles.
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
    /// Neighbour across the side from corner `i` to the next; [`NONE`] at the border.
    pub beside: [u32; 3],
    pub kind: KindId,
}

/// The nearest point of a wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WallTouch {
    pub point: DVec2,
    /// Unit: metres.
    pub distance: f64,
}

/// The level's bounds as triangles, each of one terrain or blocked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TerrainMesh {
    pub(super) bounds: Rect2,
    /// Integer coordinates. Unit: lattice steps, as for all geometry inside.
    pub(super) points: Vec<DVec2>,
    pub(super) triangles: Vec<Triangle>,
    pub(super) buckets: Buckets,
    /// For each triangle, which of its sides are constraint edges.
    pub(super) is_border: Vec<[bool; 3]>,
    pub(super) walls: Arc<Walls>,
    pub(super) sole_kind: Option<KindId>,
    pub(super) course: LazyCourse,
}

/// Sides between free and blocked triangles. Unit: metres.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Walls {
    segments: Vec<[DVec2; 2]>,
    grid: SegmentGrid,
}

/// The bounds on the lattice, with an empty default.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rect2(pub Rect);

impl Default for Rect2 {
    fn default() -> Self {
        Self(Rect::EMPTY)
    }
}

/// Violated invariants; for tests.
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
    pub(super) fn corners(&self, index: u32) -> [DVec2; 3] {
        self.triangles[index as usize]
            .corners
            .map(|corner| self.points[corner as usize])
    }

    pub(super) fn middle(&self, index: u32) -> DVec2 {
        let [a, b, c] = self.corners(index);
        a + ((b - a) + (c - a)) / 3.0
    }

    pub(super) fn raise_walls(&mut self) {
        let mut segments = Vec::new();
        for triangle in self.triangles.iter().filter(|t| t.kind != BLOCKED) {
            for i in 0..3 {
                let beside = triangle.beside[i];
                if beside == NONE || self.triangles[beside as usize].kind == BLOCKED {
                    let ends = [i, (i + 1) % 3].map(|i| triangle.corners[i] as usize);
                    segments.push(ends.map(|end| self.points[end] / PER_METRE));
                }
            }
        }
        let grid = SegmentGrid::new(&segments);
        self.walls = Arc::new(Walls { segments, grid });
    }

    pub(super) fn find_sole_kind(&mut self) {
        let kinds = self.triangles.iter().map(|triangle| triangle.kind);
        let mut free = kinds.filter(|kind| *kind != BLOCKED);
        let first = free.next();
        self.sole_kind = first.filter(|first| free.all(|kind| kind == *first));
    }

    #[must_use]
    pub fn bounds(&self) -> Rect {
        let Rect { min, max } = self.bounds.0;
        Rect::new(min / PER_METRE, max / PER_METRE)
    }

    /// The kind of all free triangles, if there is only one.
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

    /// Centroid of a triangle. Unit: metres.
    #[must_use]
    pub fn triangle_middle(&self, id: TriangleId) -> DVec2 {
        self.middle(id.0) / PER_METRE
    }

    /// The neighbours of a triangle; `None` at the border of the level.
    #[must_use]
    pub fn triangles_beside(&self, id: TriangleId) -> [Option<TriangleId>; 3] {
        self.triangles[id.0 as usize]
            .beside
            .map(|index| (index != NONE).then_some(TriangleId(index)))
    }

    /// Whether terrain or walls change across a side, for each side.
    #[must_use]
    pub fn triangle_borders(&self, id: TriangleId) -> [bool; 3] {
        self.is_border[id.0 as usize]
    }

    /// Numbers of its corners, the same for all triangles at a point.
    #[must_use]
    pub fn triangle_corners(&self, id: TriangleId) -> [u32; 3] {
        self.triangles[id.0 as usize].corners
    }

    /// Points that corners are numbers of.
    #[must_use]
    pub fn point_count(&self) -> usize {
        self.points.len()
    }

    /// Side `i` of a triangle. Unit: metres.
    #[must_use]
    pub fn triangle_side(&self, id: TriangleId, i: usize) -> [DVec2; 2] {
        let corners = self.corners(id.0);
        [corners[i % 3], corners[(i + 1) % 3]].map(|p| p / PER_METRE)
    }

    /// The terrain at a point; `None` inside obstacles and outside the level.
    #[must_use]
    pub fn kind_at(&self, p: DVec2) -> Option<KindId> {
        let triangle = self.locate(p, None)?;
        Some(self.triangle_kind(triangle)).filter(|kind| *kind != BLOCKED)
    }

    /// Borders of the free space as drawn. Unit: metres.
    #[must_use]
    pub fn walls(&self) -> &[[DVec2; 2]] {
        &self.walls.segments
    }

    /// Sides between triangles of different kinds, each once. Unit: metres.
    pub fn borders(&self) -> impl Iterator<Item = [DVec2; 2]> + '_ {
        self.triangles
            .iter()
            .zip(0_u32..)
            .flat_map(move |(triangle, index)| {
                (0..3).filter_map(move |i| {
                    let beyond = self.triangles.get(triangle.beside[i] as usize)?;
                    let is_border = index < triangle.beside[i] && beyond.kind != triangle.kind;
                    is_border.then(|| self.triangle_side(TriangleId(index), i))
                })
            })
    }

    /// The nearest point of a wall within reach.
    #[must_use]
    pub fn nearest_wall(&self, p: DVec2, reach: f64) -> Option<WallTouch> {
        if !(p.is_finite() && reach.is_finite() && reach >= 0.0) {
            return None;
        }
        let mut best: Option<(DVec2, f64)> = None;
        let mut least = reach * reach;
        let scope = Rect::around(p, DVec2::splat(reach));
        let Walls { segments, grid } = &*self.walls;
        grid.visit_near(scope, |index| {
            let [a, b] = segments[index as usize];
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

    /// Whether no wall is within reach of a point.
    #[must_use]
    pub fn is_clear_of_walls(&self, p: DVec2, reach: f64) -> bool {
        let Walls { segments, grid } = &*self.walls;
        let scope = Rect::around(p, DVec2::splat(reach));
        grid.near(scope).all(|index| {
            let [a, b] = segments[index as usize];
            closest_on_segment(a, b, p).distance_squared(p) > reach * reach
        })
    }

    /// Checks all invariants: for tests.
    ///
    /// # Errors
    /// The first violation.
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
                        && self.is_border[triangle.beside[i] as usize][j]
                            == self.is_border[index as usize][i]
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
