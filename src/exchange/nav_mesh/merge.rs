//! Merges triangles into convex polygons, and numbers their vertices.

use super::triangles::{NONE, Triangles};
use super::{NavPolygon, STEPS};
use crate::geometry::Rect;
use crate::geometry::predicates::{Side, side};
use crate::jobs::{Cancelled, JobContext};
use glam::DVec2;
use std::cmp::Reverse;

/// How much longer than a single triangle's side a merged polygon may be where sides are limited.
const STRETCH: f64 = 1.5;

/// Vertices and polygons, in a fixed order.
pub(super) fn merged(
    triangles: &Triangles,
    most_corners: usize,
    limit: Option<f64>,
    cuts: &[Vec<f64>; 2],
    ctx: &JobContext,
) -> Result<(Vec<DVec2>, Vec<NavPolygon>), Cancelled> {
    let [xs, ys] = cuts.each_ref().map(|lines| {
        let steps = lines.iter().map(|at| (at * STEPS).round());
        steps.collect::<Vec<f64>>()
    });
    let is_cut =
        |p: DVec2, q: DVec2| (p.x == q.x && xs.contains(&p.x)) || (p.y == q.y && ys.contains(&p.y));
    let mut pieces = Pieces::of(triangles);
    if most_corners > 3 {
        // The longest sides first: what remains is compact.
        let mut sides: Vec<(Reverse<u64>, u32, usize)> = Vec::new();
        for (index, triangle) in (0_u32..).zip(&triangles.list) {
            for i in 0..3 {
                let beyond = triangle.beside[i];
                let joins = beyond != NONE
                    && index < beyond
                    && triangles.list[beyond as usize].kind == triangle.kind;
                if joins {
                    let [p, q] =
                        [i, (i + 1) % 3].map(|i| triangles.points[triangle.corners[i] as usize]);
                    if !is_cut(p, q) {
                        // Not negative, so that bits are in the order of numbers.
                        sides.push((Reverse(p.distance_squared(q).to_bits()), index, i));
                    }
                }
            }
        }
        sides.sort_unstable();
        ctx.checkpoint()?;
        let most = Most {
            corners: most_corners,
            extent: limit.map_or(f64::INFINITY, |limit| STRETCH * limit),
        };
        for (_, index, i) in sides {
            let triangle = &triangles.list[index as usize];
            let ends = [triangle.corners[i], triangle.corners[(i + 1) % 3]];
            pieces.join([index, triangle.beside[i]], ends, &triangles.points, most);
        }
    }
    ctx.checkpoint()?;
    Ok(pieces.numbered(triangles))
}

/// Limits of a merged polygon.
#[derive(Clone, Copy)]
struct Most {
    corners: usize,
    /// Along either axis. Unit: lattice steps.
    extent: f64,
}

/// A polygon under construction: corners, and triangles across the sides.
#[derive(Clone, Debug, Default)]
struct Piece {
    corners: Vec<u32>,
    beside: Vec<u32>,
}

struct Pieces {
    /// Of the first triangle of each; empty for triangles that were joined to others.
    list: Vec<Piece>,
    /// A forest: the root of a triangle is its piece.
    parent: Vec<u32>,
}

impl Pieces {
    fn of(triangles: &Triangles) -> Self {
        Self {
            list: triangles
                .list
                .iter()
                .map(|triangle| Piece {
                    corners: triangle.corners.to_vec(),
                    beside: triangle.beside.to_vec(),
                })
                .collect(),
            parent: (0..triangles.list.len() as u32).collect(),
        }
    }

    fn root(&mut self, triangle: u32) -> u32 {
        let mut at = triangle;
        while self.parent[at as usize] != at {
            let above = self.parent[self.parent[at as usize] as usize];
            self.parent[at as usize] = above;
            at = above;
        }
        at
    }

    /// Joins the pieces of two triangles across the side between `ends`, as the first has it, if
    /// what results is convex and within the limits.
    fn join(&mut self, triangles: [u32; 2], ends: [u32; 2], points: &[DVec2], most: Most) {
        let [one, other] = triangles.map(|triangle| self.root(triangle));
        if one == other {
            return;
        }
        let Some(joined) = union_of(
            &self.list[one as usize],
            &self.list[other as usize],
            ends,
            points,
            most,
        ) else {
            return;
        };
        self.list[one as usize] = joined;
        self.list[other as usize] = Piece::default();
        self.parent[other as usize] = one;
    }

    /// One vertex for all corners at a place that are connected around it.
    fn numbered(mut self, triangles: &Triangles) -> (Vec<DVec2>, Vec<NavPolygon>) {
        let mut polygon_of = vec![NONE; self.list.len()];
        let mut roots = Vec::new();
        for index in 0..self.list.len() as u32 {
            if !self.list[index as usize].corners.is_empty() {
                polygon_of[index as usize] = roots.len() as u32;
                roots.push(index);
            }
        }
        let mut polygons: Vec<NavPolygon> = Vec::with_capacity(roots.len());
        for &root in &roots {
            let piece = std::mem::take(&mut self.list[root as usize]);
            let triangle = &triangles.list[root as usize];
            let beside = piece.beside.iter().map(|beside| match *beside {
                NONE => None,
                triangle => Some(polygon_of[self.root(triangle) as usize]),
            });
            polygons.push(NavPolygon {
                beside: beside.collect(),
                corners: piece.corners,
                terrain: triangle.kind,
                component: triangle.component,
            });
        }
        let vertices = separate_fans(&mut polygons, &triangles.points);
        (vertices, polygons)
    }
}

/// Gives corners at one place different vertices unless polygons around it connect them, and
/// returns the vertices in metres.
fn separate_fans(polygons: &mut [NavPolygon], points: &[DVec2]) -> Vec<DVec2> {
    let mut starts = vec![0_u32];
    for polygon in polygons.iter() {
        let last = starts[starts.len() - 1];
        starts.push(last + polygon.corners.len() as u32);
    }
    let count = starts[starts.len() - 1];
    let mut parent: Vec<u32> = (0..count).collect();
    fn root(parent: &mut [u32], mut at: u32) -> u32 {
        while parent[at as usize] != at {
            parent[at as usize] = parent[parent[at as usize] as usize];
            at = parent[at as usize];
        }
        at
    }
    let slot = |polygon: usize, corner: usize| starts[polygon] + corner as u32;
    for (index, polygon) in polygons.iter().enumerate() {
        for (i, beside) in polygon.beside.iter().enumerate() {
            let Some(other) = beside.map(|other| other as usize).filter(|o| *o > index) else {
                continue;
            };
            let next = (i + 1) % polygon.corners.len();
            let (from, to) = (polygon.corners[i], polygon.corners[next]);
            let corners = &polygons[other].corners;
            let back = (0..corners.len())
                .find(|k| corners[*k] == to && corners[(k + 1) % corners.len()] == from);
            let Some(back) = back else { continue };
            for (mine, its) in [(i, (back + 1) % corners.len()), (next, back)] {
                let a = root(&mut parent, slot(index, mine));
                let b = root(&mut parent, slot(other, its));
                parent[a.max(b) as usize] = a.min(b);
            }
        }
    }
    let mut vertex_of = vec![NONE; count as usize];
    let mut vertices = Vec::new();
    for index in 0..polygons.len() {
        for i in 0..polygons[index].corners.len() {
            let fan = root(&mut parent, slot(index, i)) as usize;
            if vertex_of[fan] == NONE {
                vertex_of[fan] = vertices.len() as u32;
                vertices.push(points[polygons[index].corners[i] as usize] / STEPS);
            }
            polygons[index].corners[i] = vertex_of[fan];
        }
    }
    vertices
}

/// Two convex polygons with a side in common as one, if that is convex.
fn union_of(
    one: &Piece,
    other: &Piece,
    [from, to]: [u32; 2],
    points: &[DVec2],
    most: Most,
) -> Option<Piece> {
    let (n, m) = (one.corners.len(), other.corners.len());
    if n + m - 2 > most.corners {
        return None;
    }
    let at_one = (0..n).find(|i| one.corners[*i] == from && one.corners[(i + 1) % n] == to)?;
    let at_other =
        (0..m).find(|i| other.corners[*i] == to && other.corners[(i + 1) % m] == from)?;
    // The rest of each, from where the side ends to where it begins.
    let rest_of_one: Vec<usize> = (1..n).map(|k| (at_one + k) % n).collect();
    let rest_of_other: Vec<usize> = (1..m).map(|k| (at_other + k) % m).collect();
    let mut corners = Vec::with_capacity(n + m - 2);
    let mut beside = Vec::with_capacity(n + m - 2);
    for (piece, rest) in [(one, &rest_of_one), (other, &rest_of_other)] {
        for &i in rest {
            corners.push(piece.corners[i]);
            beside.push(piece.beside[i]);
        }
    }
    let count = corners.len();
    let p = |i: usize| points[corners[i % count] as usize];
    // Only where both meet can it be concave: at the first corner of each part. A corner that is
    // met twice in a row would be a spike along a second common side; those are left apart.
    for at in [0, n - 1] {
        let before = at + count - 1;
        let (a, b, c) = (p(before), p(at), p(at + 1));
        if side(a, b, c) == Side::Right
            || a == c
            || (side(a, b, c) == Side::On && (b - a).dot(c - b) <= 0.0)
        {
            return None;
        }
    }
    if most.extent.is_finite() {
        let places: Vec<DVec2> = (0..count).map(p).collect();
        if Rect::of_points(&places).size().max_element() > most.extent {
            return None;
        }
    }
    Some(Piece { corners, beside })
}
