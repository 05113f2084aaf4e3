//! The edges of the free space on the lattice, as the construction wants them.

use crate::geometry::{MAX_COORDINATE, Polygon, lattice::PER_METRE};
use glam::DVec2;
use std::cmp::Ordering;

/// A lattice point. Within the limit of coordinates, so that [`orientation`] cannot overflow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Node {
    pub x: i32,
    pub y: i32,
}

impl Node {
    /// `None` where coordinates are not finite or beyond the limit.
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

    fn order(&self, other: &Self) -> Ordering {
        (self.y, self.x).cmp(&(other.y, other.x))
    }
}

/// Greater than 0 where `p` lies to the left of the way from `a` to `b`. Exact: coordinates are
/// at most 10⁹, differences 2·10⁹, and the result 8·10¹⁸ < 2⁶³.
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

/// Vertices are numbered from the bottom to the top, at one height from left to right, so that
/// numbers compare as heights do.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    pub vertices: Vec<Node>,
    pub segments: Vec<Segment>,
    /// Lower and upper end of each segment again, where one look finds both.
    pub ends: Vec<[Node; 2]>,
}

impl Plan {
    pub fn of_areas(areas: &[Polygon]) -> Self {
        let mut edges: Vec<(Node, Node, u32)> = Vec::new();
        for (area, index) in areas.iter().zip(0..) {
            for ring in area.rings() {
                let nodes: Option<Vec<_>> = ring.iter().map(|p| Node::new(*p)).collect();
                let nodes = nodes.unwrap_or_default();
                let next = nodes.iter().cycle().skip(1);
                edges.extend(
                    nodes
                        .iter()
                        .zip(next)
                        .filter(|(a, b)| a != b)
                        .map(|(a, b)| (*a, *b, index)),
                );
            }
        }
        let mut ends: Vec<(Node, u32)> = edges
            .iter()
            .flat_map(|(a, b, _)| [*a, *b])
            .zip(0..)
            .collect();
        ends.sort_unstable_by(|a, b| a.0.order(&b.0));
        let mut vertices: Vec<Node> = Vec::with_capacity(edges.len());
        let mut number_of = vec![0_u32; ends.len()];
        for (node, end) in ends {
            if vertices.last() != Some(&node) {
                vertices.push(node);
            }
            number_of[end as usize] = vertices.len() as u32 - 1;
        }
        let mut segments: Vec<Segment> = edges
            .iter()
            .zip(number_of.chunks_exact(2))
            .map(|((_, _, area), ends)| Segment {
                bottom: ends[0].min(ends[1]),
                top: ends[0].max(ends[1]),
                area: *area,
                // Areas lie to the left of their edges: downwards, that is the east.
                is_left_border: ends[0] > ends[1],
            })
            .collect();
        drop_repeated(&mut segments);
        let ends = segments
            .iter()
            .map(|s| [s.bottom, s.top].map(|v| vertices[v as usize]))
            .collect();
        Self {
            vertices,
            segments,
            ends,
        }
    }
}

/// Edges walked twice border nothing: areas in order have none.
fn drop_repeated(segments: &mut Vec<Segment>) {
    let key = |s: &Segment| (s.bottom, s.top);
    let mut sorted: Vec<_> = segments.iter().map(key).collect();
    sorted.sort_unstable();
    if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
        let repeated: std::collections::BTreeSet<_> = sorted
            .windows(2)
            .filter(|pair| pair[0] == pair[1])
            .map(|pair| pair[0])
            .collect();
        segments.retain(|s| !repeated.contains(&key(s)));
    }
}
