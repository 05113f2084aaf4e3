//! The edges of a Voronoi diagram that run through the free space between different walls.

use super::walls::{Touch, Walls};
use crate::geometry::{
    predicates::{Side, side},
    voronoi::{Site, SitePart},
};
use glam::DVec2;

/// One edge of the diagram on the medial axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    /// Indices into [`MedialAxis::nodes`].
    pub ends: [u32; 2],
    /// Left and right when going from `ends[0]` to `ends[1]`.
    pub sites: [Site; 2],
}

/// Ends at corners of walls are separate nodes even where they coincide: nothing passes through a
/// point.
#[derive(Debug)]
pub(super) struct MedialAxis<'a> {
    /// The walls that the sites' indices refer to.
    pub segments: &'a [[DVec2; 2]],
    pub nodes: Vec<DVec2>,
    pub pieces: Vec<Piece>,
}

impl MedialAxis<'_> {
    pub fn clearance(&self, sites: [Site; 2], p: DVec2) -> f64 {
        let distance = |site: Site| site.closest(self.segments, p).distance(p);
        distance(sites[0]).min(distance(sites[1]))
    }
}

/// A node with less clearance is a corner of a wall. Unit: metres.
pub(super) fn corner_clearance(walls: &Walls) -> f64 {
    1e-9 * walls.extent().size().max_element().max(1.0)
}

/// Whether a piece between two sites, which are parts of walls, is in the free space, decided at a
/// point `p` on it.
pub(super) fn is_free(
    walls: &Walls,
    sites: [Site; 2],
    wall_of: impl Fn(u32) -> u32,
    p: DVec2,
) -> bool {
    sites.into_iter().all(|site| {
        let index = wall_of(site.segment);
        let wall = &walls.list()[index as usize];
        let point = match site.part {
            SitePart::Start => wall.from,
            SitePart::End => wall.to,
            SitePart::Inside => return side(wall.from, wall.to, p) == Side::Left,
        };
        let touch = Touch {
            point,
            distance: point.distance(p),
            wall: index,
        };
        walls.is_free_side(&touch, p)
    })
}
