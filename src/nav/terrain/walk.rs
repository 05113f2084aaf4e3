//! Traces straight lines through the triangles: visibility, and length over each terrain.

use super::map::KindId;
use super::mesh::{BLOCKED, NONE, TerrainMesh, TriangleId};
use crate::geometry::lattice::PER_METRE;
use crate::nav::CellId;
use glam::DVec2;

/// Where a straight line is blocked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    pub at: DVec2,
    /// Unit: metres from the start.
    pub distance: f64,
    /// The blocking wall; both ends are equal if the start is not free.
    pub wall: [DVec2; 2],
    /// Which side of which cell it is, if it is one.
    pub(super) side: Option<(CellId, usize)>,
}

impl Stop {
    /// Blocked at the start.
    #[must_use]
    pub const fn at_once(from: DVec2) -> Self {
        Self {
            at: from,
            distance: 0.0,
            wall: [from; 2],
            side: None,
        }
    }
}

/// Result of tracing a straight line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sight {
    /// Nothing is in the way; with the triangle of the end point.
    Clear(TriangleId),
    Blocked(Stop),
}

impl Sight {
    #[must_use]
    pub const fn is_clear(&self) -> bool {
        matches!(self, Self::Clear(_))
    }

    /// The triangle of the end point, as a hint for the next query.
    #[must_use]
    pub const fn end(&self) -> Option<TriangleId> {
        match self {
            Self::Clear(triangle) => Some(*triangle),
            Self::Blocked(_) => None,
        }
    }
}

/// Positive if `p` is left of the line from `a` to `b`, negative if right, 0 if on it. Exact.
#[inline]
pub(super) fn side_of(a: DVec2, b: DVec2, p: DVec2) -> f64 {
    let (left, right) = ((a.x - p.x) * (b.y - p.y), (a.y - p.y) * (b.x - p.x));
    let area = left - right;
    // Shewchuk's first filter: beyond it, rounding cannot have changed the sign.
    if area.abs() > 3.330_669_062_177_372e-16 * (left.abs() + right.abs()) {
        return area;
    }
    let coord = |v: DVec2| robust::Coord { x: v.x, y: v.y };
    robust::orient2d(coord(a), coord(b), coord(p))
}

/// Where a line leaves a triangle.
#[derive(Clone, Copy)]
pub(super) struct Exit {
    /// Its side.
    pub side: usize,
    /// Signed distance of the side's ends from the line: the first is right of it or on it, the
    /// second left.
    pub of_ends: [f64; 2],
}

impl TerrainMesh {
    /// Traces a straight line: `visit` receives every stretch in order, with its terrain and its
    /// length in metres, until a wall blocks it.
    ///
    /// A line that touches a corner of a wall may be blocked by it. Does not allocate.
    pub fn walk(
        &self,
        from: DVec2,
        to: DVec2,
        hint: Option<TriangleId>,
        mut visit: impl FnMut(KindId, f64),
    ) -> Sight {
        let blocked = Sight::Blocked(Stop::at_once(from));
        let Some(start) = self.locate(from, hint) else {
            return blocked;
        };
        let Some(start) = self.free_at(start, from) else {
            return blocked;
        };
        self.walk_from(start, from, to, |triangle, length| {
            let kind = self.triangles[triangle as usize].kind;
            if kind == BLOCKED {
                return false;
            }
            visit(kind, length);
            true
        })
    }

    /// Traces a straight line through walls, with `None` for blocked stretches. Returns the last
    /// triangle.
    pub fn walk_through(
        &self,
        from: DVec2,
        to: DVec2,
        hint: Option<TriangleId>,
        mut visit: impl FnMut(Option<KindId>, f64),
    ) -> Option<TriangleId> {
        let whole = from.distance(to);
        let mut walked = 0.0;
        let start = self.locate(from, hint).filter(|_| to.is_finite());
        let sight = start.map(|start| {
            self.walk_from(start, from, to, |triangle, length| {
                let kind = self.triangles[triangle as usize].kind;
                visit(Some(kind).filter(|kind| *kind != BLOCKED), length);
                walked += length;
                true
            })
        });
        if whole.is_finite() && whole - walked > 1e-9 * whole {
            // Outside the level.
            visit(None, whole - walked);
        }
        sight.and_then(|sight| sight.end())
    }

    /// A point on the border of an obstacle is free.
    fn free_at(&self, start: TriangleId, p: DVec2) -> Option<TriangleId> {
        if self.triangle_kind(start) != BLOCKED {
            return Some(start);
        }
        let p = self.bounds.0.clamp(p * PER_METRE);
        let corners = self.corners(start.0);
        (0..3)
            .filter(|&i| side_of(corners[i], corners[(i + 1) % 3], p) == 0.0)
            .map(|i| self.triangles[start.0 as usize].beside[i])
            .find(|&index| index != NONE && self.triangles[index as usize].kind != BLOCKED)
            .map(TriangleId)
    }

    /// `enter` receives each triangle with the length inside it, and returns whether to continue.
    fn walk_from(
        &self,
        start: TriangleId,
        from: DVec2,
        to: DVec2,
        mut enter: impl FnMut(u32, f64) -> bool,
    ) -> Sight {
        let (a, b) = (self.bounds.0.clamp(from * PER_METRE), to * PER_METRE);
        let along = b - a;
        let (squared, length) = (along.length_squared(), from.distance(to));
        let stopped = |share: f64, wall: [DVec2; 2]| {
            Sight::Blocked(Stop {
                at: from + (to - from) * share,
                distance: length * share,
                wall: wall.map(|p| p / PER_METRE),
                side: None,
            })
        };
        if squared.is_nan() || squared == f64::INFINITY {
            return stopped(0.0, [a; 2]);
        }
        let mut here = start.0;
        if squared == 0.0 {
            enter(here, 0.0);
            return Sight::Clear(start);
        }
        let Some((first, mut exit)) = self.first_exit(here, a, b) else {
            enter(here, length);
            return Sight::Clear(start);
        };
        here = first;
        let mut walked = 0.0;
        // A line enters each triangle at most once.
        for _ in 0..=self.triangles.len() {
            let triangle = &self.triangles[here as usize];
            let (u, v) = (exit.side, (exit.side + 1) % 3);
            let [right, left] = [u, v].map(|i| self.points[triangle.corners[i] as usize]);
            if side_of(right, left, b) >= 0.0 {
                return if enter(here, length * (1.0 - walked)) {
                    Sight::Clear(TriangleId(here))
                } else {
                    stopped(walked, [a; 2])
                };
            }
            let [of_right, of_left] = exit.of_ends;
            let crossing = right + (left - right) * (-of_right / (of_left - of_right));
            let share = ((crossing - a).dot(along) / squared).clamp(walked, 1.0);
            if !enter(here, length * (share - walked)) {
                return stopped(walked, [a; 2]);
            }
            walked = share;
            let next = triangle.beside[exit.side];
            if next == NONE {
                return stopped(walked, [right, left]);
            }
            let beyond = &self.triangles[next as usize];
            let entry = (0..3).find(|&i| beyond.corners[i] == triangle.corners[v]);
            // Neighbours share their side by construction.
            let Some(entry) = entry else {
                return stopped(walked, [right, left]);
            };
            if beyond.kind == BLOCKED && !enter(next, 0.0) {
                return stopped(walked, [right, left]);
            }
            let apex = (entry + 2) % 3;
            let of_apex = side_of(a, b, self.points[beyond.corners[apex] as usize]);
            exit = if of_apex > 0.0 {
                Exit {
                    side: (entry + 1) % 3,
                    of_ends: [of_right, of_apex],
                }
            } else {
                Exit {
                    side: apex,
                    of_ends: [of_apex, of_left],
                }
            };
            here = next;
        }
        stopped(walked, [a; 2])
    }

    /// The side through which the line leaves its first triangle, which may differ from `start` if
    /// the line starts on a border; `None` if it ends in `start`.
    pub(super) fn first_exit(&self, start: u32, a: DVec2, b: DVec2) -> Option<(u32, Exit)> {
        let exit_of = |index: u32| {
            let sides = self.corners(index).map(|p| side_of(a, b, p));
            (0..3)
                .find(|&i| sides[i] <= 0.0 && sides[(i + 1) % 3] > 0.0)
                .map(|side| Exit {
                    side,
                    of_ends: [sides[side], sides[(side + 1) % 3]],
                })
        };
        let corners = self.corners(start);
        if (0..3).all(|i| side_of(corners[i], corners[(i + 1) % 3], b) >= 0.0) {
            return None;
        }
        if let Some(exit) = exit_of(start) {
            return Some((start, exit));
        }
        // The line only touches this triangle: it continues in the one that contains a point just
        // ahead.
        let mut ahead = (b - a) / (b - a).length() * 0.5;
        for _ in 0..24 {
            let p = self.bounds.0.clamp(a + ahead);
            let next = self.locate_step(p, Some(TriangleId(start)))?;
            let exit = exit_of(next);
            let corners = self.corners(next);
            let is_near = (0..3).all(|i| side_of(corners[i], corners[(i + 1) % 3], a) >= 0.0);
            if let Some(exit) = exit.filter(|_| is_near) {
                return Some((next, exit));
            }
            ahead *= 0.25;
        }
        None
    }
}
