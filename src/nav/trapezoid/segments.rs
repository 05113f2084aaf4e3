//! The edges of the free space on the lattice, prepared for the construction.

use super::buckets::bucketed;
use crate::geometry::{MAX_COORDINATE, Polygon, lattice::PER_METRE};
use glam::DVec2;
use std::collections::BTreeSet;

/// A lattice point within the coordinate limit, so that [`orientation`] cannot overflow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Node {
    pub x: i32,
    pub y: i32,
}

impl Node {
    /// `None` if coordinates are not finite or exceed the limit.
    fn new(p: DVec2) -> Option<Self> {
        let scaled = (p * PER_METRE).round();
        let is_fine = p.is_finite() && scaled.abs().max_element() <= MAX_COORDINATE * PER_METRE;
        is_fine.then_some(Self {
            x: scaled.x as i32,
            y: scaled.y as i32,
        })
    }

    pub fn point(self) -> DVec2 {
        DVec2::new(f64::from(self.x), f64::from(self.y)) / PER_METRE
    }

    /// Orders by height, then by x.
    const fn key(self) -> u64 {
        // Flipping the sign bit maps the order of signed numbers to that of unsigned ones.
        let [x, y] = [self.x as u32 ^ 1 << 31, self.y as u32 ^ 1 << 31];
        (y as u64) << 32 | x as u64
    }

    const fn of_key(key: u64) -> Self {
        Self {
            x: (key as u32 ^ 1 << 31) as i32,
            y: ((key >> 32) as u32 ^ 1 << 31) as i32,
        }
    }
}

/// Positive if `p` is left of the line from `a` to `b`. Exact: coordinates are at most 10⁹,
/// differences 2·10⁹, and the result 8·10¹⁸ < 2⁶³.
pub(super) fn orientation(a: Node, b: Node, p: Node) -> i64 {
    let difference = |p: i32, q: i32| i64::from(p) - i64::from(q);
    difference(b.x, a.x) * difference(p.y, a.y) - difference(b.y, a.y) * difference(p.x, a.x)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    /// Vertices: `bottom` < `top`.
    pub bottom: u32,
    pub top: u32,
    /// The area that it borders.
    pub area: u32,
    /// The area lies to its right.
    pub is_left_border: bool,
}

/// Vertices are numbered from bottom to top, then from left to right, so that numbers compare as
/// heights do.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    pub vertices: Vec<Node>,
    pub segments: Vec<Segment>,
    /// Lower and upper end of each segment, duplicated for locality.
    pub ends: Vec<[Node; 2]>,
    /// Segments ordered by their lower ends.
    pub by_bottom: Vec<u32>,
    /// Vertices of equal height form a row: the row of each vertex, counted from the bottom.
    pub row_of: Vec<u32>,
    /// Number of rows.
    pub rows: u32,
}

impl Plan {
    pub fn of_areas(areas: &[Polygon]) -> Self {
        // The corners of all rings, with their index in the concatenated rings.
        let mut corners: Vec<(u64, u32)> = Vec::new();
        // Area, and one past its last corner, of each ring.
        let mut rings: Vec<(u32, usize)> = Vec::new();
        for (area, index) in areas.iter().zip(0..) {
            for ring in area.rings() {
                let first = corners.len();
                for p in ring {
                    let place = corners.len() as u32;
                    corners.extend(Node::new(*p).map(|node| (node.key(), place)));
                }
                if corners.len() - first < ring.len() {
                    corners.truncate(first);
                }
                rings.push((index, corners.len()));
            }
        }
        corners.sort_unstable();
        let mut vertices: Vec<Node> = Vec::with_capacity(corners.len());
        let mut row_of: Vec<u32> = Vec::with_capacity(corners.len());
        let mut vertex_at = vec![0_u32; corners.len()];
        let (mut last, mut rows) = (None, 0);
        for (key, place) in corners {
            if last != Some(key) {
                let node = Node::of_key(key);
                rows += u32::from(vertices.last().is_none_or(|below| below.y < node.y));
                vertices.push(node);
                row_of.push(rows - 1);
                last = Some(key);
            }
            vertex_at[place as usize] = vertices.len() as u32 - 1;
        }
        let mut segments: Vec<Segment> = Vec::with_capacity(vertex_at.len());
        let mut first = 0;
        for (area, end) in rings {
            let ring = &vertex_at[std::mem::replace(&mut first, end)..end];
            let Some(mut from) = ring.last().copied() else {
                continue;
            };
            for &to in ring {
                if from != to {
                    segments.push(Segment {
                        bottom: from.min(to),
                        top: from.max(to),
                        area,
                        // Areas are on the left of their edges: downwards, that is the east.
                        is_left_border: from > to,
                    });
                }
                from = to;
            }
        }
        let mut by_bottom = sorted_by_bottom(vertices.len(), &segments);
        if drop_repeated(&mut segments, &by_bottom) {
            by_bottom = sorted_by_bottom(vertices.len(), &segments);
        }
        let ends = segments
            .iter()
            .map(|s| [s.bottom, s.top].map(|v| vertices[v as usize]))
            .collect();
        Self {
            vertices,
            segments,
            ends,
            by_bottom,
            row_of,
            rows,
        }
    }

    /// Where more than two segments meet: rings touch there.
    pub fn touching(&self) -> Vec<DVec2> {
        let mut degrees = vec![0_u8; self.vertices.len()];
        for vertex in self.segments.iter().flat_map(|s| [s.bottom, s.top]) {
            let degree = &mut degrees[vertex as usize];
            *degree = degree.saturating_add(1);
        }
        let meet = self.vertices.iter().zip(degrees);
        meet.filter(|(_, degree)| *degree > 2)
            .map(|(node, _)| node.point())
            .collect()
    }
}

/// Segment indices ordered by their lower ends.
fn sorted_by_bottom(vertices: usize, segments: &[Segment]) -> Vec<u32> {
    let numbers = 0..segments.len() as u32;
    bucketed(vertices, numbers, |number| {
        segments[*number as usize].bottom
    })
}

/// Removes edges traversed twice, which border nothing; valid areas have none. Returns whether
/// there were any.
fn drop_repeated(segments: &mut Vec<Segment>, by_bottom: &[u32]) -> bool {
    let ends = |index: &u32| {
        let segment = &segments[*index as usize];
        (segment.bottom, segment.top)
    };
    let mut repeated = BTreeSet::new();
    for rising in by_bottom.chunk_by(|a, b| ends(a).0 == ends(b).0) {
        if let [_, _, ..] = rising {
            let mut all: Vec<_> = rising.iter().map(ends).collect();
            all.sort_unstable();
            repeated.extend(
                all.windows(2)
                    .filter(|two| two[0] == two[1])
                    .map(|two| two[0]),
            );
        }
    }
    segments.retain(|s| repeated.is_empty() || !repeated.contains(&(s.bottom, s.top)));
    !repeated.is_empty()
}
