//! The pieces of a Voronoi diagram that run through the free space between different walls.

use super::walls::{Touch, Walls};
use crate::geometry::voronoi::{Diagram, Site};
use glam::DVec2;

/// One edge of the diagram on the medial axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    /// Indices into [`MedialAxis::nodes`].
    pub ends: [u32; 2],
    /// Left and right when going from `ends[0]` to `ends[1]`.
    pub sites: [Site; 2],
}

pub(super) struct MedialAxis<'a> {
    pub diagram: &'a Diagram,
    pub nodes: Vec<DVec2>,
    pub pieces: Vec<Piece>,
}

impl<'a> MedialAxis<'a> {
    /// `walls` are the diagram's segments, index by index. Ends at corners of walls are nodes of
    /// their own even where they coincide: there is no way through a point.
    pub fn of(diagram: &'a Diagram, walls: &Walls) -> Self {
        let mut nodes = Vec::new();
        let mut node_of: Vec<Option<u32>> = vec![None; diagram.vertices.len()];
        let mut pieces = Vec::new();
        // Below this a vertex is a corner of the input.
        let corner = 1e-9 * walls.extent().size().max_element().max(1.0);
        for edge in diagram.edges.iter().filter(|edge| !edge.is_secondary) {
            let [Some(from), Some(to)] = edge.ends else {
                continue;
            };
            let distance = |v: u32| {
                let p = diagram.vertices[v as usize];
                diagram.closest(edge.sites[0], p).distance(p)
            };
            let distances = [distance(from), distance(to)];
            let wide = if distances[0] > distances[1] {
                from
            } else {
                to
            };
            if from == to || !is_free(diagram, walls, edge.sites, diagram.vertices[wide as usize]) {
                continue;
            }
            let mut node = |v: u32, distance: f64| {
                let mut add = || {
                    nodes.push(diagram.vertices[v as usize]);
                    nodes.len() as u32 - 1
                };
                if distance <= corner {
                    add()
                } else {
                    *node_of[v as usize].get_or_insert_with(add)
                }
            };
            let ends = [node(from, distances[0]), node(to, distances[1])];
            pieces.push(Piece {
                ends,
                sites: edge.sites,
            });
        }
        Self {
            diagram,
            nodes,
            pieces,
        }
    }

    pub fn clearance(&self, sites: [Site; 2], p: DVec2) -> f64 {
        let distance = |site| self.diagram.closest(site, p).distance(p);
        distance(sites[0]).min(distance(sites[1]))
    }
}

/// Whether a piece between two sites is in the free space, told at its end `p`.
fn is_free(diagram: &Diagram, walls: &Walls, sites: [Site; 2], p: DVec2) -> bool {
    let [first, second] = sites.map(|site| {
        let point = diagram.closest(site, p);
        let touch = Touch {
            point,
            distance: point.distance(p),
            wall: site.segment,
        };
        walls.is_free_side(&touch, p)
    });
    first && second
}
