//! Builds a corridor map from areas.

use super::{
    map::{CorridorMap, Edge, Sample, Vertex, VertexId},
    medial_axis::{MedialAxis, Piece, corner_clearance},
    sampling,
    tiling::axis_of,
    walls::{Blocker, Walls},
};
use crate::geometry::{
    Polygon, Rect,
    boolean::{Combine, combine},
    heap::untangled,
    lattice::Collinear,
    polygon::closest_on_segment,
    voronoi::{Planar, Site, VoronoiError, outlines},
};
use crate::jobs::{Cancelled, JobContext};
use glam::DVec2;
use rayon::prelude::*;
use rstar::{
    AABB, RTree,
    primitives::{GeomWithData, Line},
};

/// What to do with edges that lead nowhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DeadEnds {
    /// Keep them, so that every free point can be retracted onto the map, as planning requires.
    #[default]
    Keep,
    /// Drop edges into corners; keep the middle of dead ends.
    CutCorners,
    /// Keep only cycles and the connections between them, or one vertex where there are none.
    Prune,
}

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CorridorError {
    #[error(transparent)]
    Voronoi(#[from] VoronoiError),
    #[error(
        "obstacles cross each other or themselves so often that there is no corridor map; unite or \
         remove some of them"
    )]
    TooComplex,
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// Minimum walls per parallel task.
const TOGETHER: usize = 128;

/// Minimum chains per parallel task.
const CHAINS_TOGETHER: usize = 16;

/// Tolerance between a wall and the outline it came from, due to lattice and crossing rounding.
/// Unit: metres.
const BLOCKER_REACH: f64 = 0.003;

/// Finds the obstacle that a border segment belongs to.
#[derive(Debug, Default)]
pub struct Blockers {
    tree: RTree<GeomWithData<Line<[f64; 2]>, u32>>,
}

impl Blockers {
    #[must_use]
    pub fn new(obstacles: &[Polygon]) -> Self {
        let edges = obstacles.iter().zip(0..).flat_map(|(obstacle, index)| {
            obstacle
                .edges()
                .filter(|(a, b)| a.is_finite() && b.is_finite())
                .map(move |(a, b)| GeomWithData::new(Line::new(a.to_array(), b.to_array()), index))
        });
        Self {
            tree: RTree::bulk_load(edges.collect()),
        }
    }

    /// The first obstacle with an edge along the whole wall; else the one nearest to its midpoint.
    fn of(&self, [a, b]: [DVec2; 2]) -> Blocker {
        let middle = a.midpoint(b);
        let reach = DVec2::splat(BLOCKER_REACH);
        let (low, high) = (middle - reach, middle + reach);
        self.tree
            .locate_in_envelope_intersecting(AABB::from_corners(low.to_array(), high.to_array()))
            .filter_map(|leaf| {
                let [from, to] = [leaf.geom().from, leaf.geom().to].map(DVec2::from_array);
                let distance = |p: DVec2| closest_on_segment(from, to, p).distance(p);
                let along = distance(a).max(distance(b)) <= BLOCKER_REACH;
                (distance(middle) <= BLOCKER_REACH).then_some((!along, leaf.data))
            })
            .min()
            .map(|(_, index)| index)
    }
}

/// The map of the bounds minus the obstacles. Blockers are indices into `obstacles`.
///
/// # Errors
/// The area is too large, or the job was cancelled.
pub fn build_between(
    bounds: Rect,
    obstacles: &[Polygon],
    dead_ends: DeadEnds,
    ctx: &JobContext,
) -> Result<CorridorMap, CorridorError> {
    rebuild_between(bounds, obstacles, dead_ends, None, ctx)
}

/// Updates a map, reusing what a change did not touch. Equals a map built from scratch.
///
/// # Errors
/// The area is too large, or the job was cancelled.
pub fn rebuild_between(
    bounds: Rect,
    obstacles: &[Polygon],
    dead_ends: DeadEnds,
    before: Option<&CorridorMap>,
    ctx: &JobContext,
) -> Result<CorridorMap, CorridorError> {
    let ground = [Polygon::rect(bounds)];
    let planar = || {
        let obstacles = untangled(obstacles).ok_or(CorridorError::TooComplex)?;
        let free = combine(Combine::Difference, &ground, &obstacles, Collinear::Keep);
        Ok::<_, CorridorError>(Planar::new(&edges_of(&free))?)
    };
    let (planar, blockers) = rayon::join(planar, || Blockers::new(obstacles));
    from_outlines(&planar?, &blockers, dead_ends, before, ctx)
}

fn edges_of(areas: &[Polygon]) -> Vec<[DVec2; 2]> {
    let edges = areas.iter().flat_map(Polygon::edges);
    edges.map(|(a, b)| [a, b]).collect()
}

/// The map of free areas. They may touch, overlap and cross themselves; their union is used.
///
/// # Errors
/// The area is too large, or the job was cancelled.
pub fn build(
    areas: &[Polygon],
    blockers: &Blockers,
    dead_ends: DeadEnds,
    ctx: &JobContext,
) -> Result<CorridorMap, CorridorError> {
    let planar = Planar::new(&outlines(areas))?;
    from_outlines(&planar, blockers, dead_ends, None, ctx)
}

/// From segments that have the free space on their left.
fn from_outlines(
    planar: &Planar,
    blockers: &Blockers,
    dead_ends: DeadEnds,
    before: Option<&CorridorMap>,
    ctx: &JobContext,
) -> Result<CorridorMap, CorridorError> {
    ctx.checkpoint()?;
    let segments = planar.segments();
    let of_wall: Vec<Blocker> = segments
        .par_iter()
        .with_min_len(TOGETHER)
        .map(|wall| blockers.of(*wall))
        .collect();
    let walls = Walls::new(segments, |i| of_wall[i]);
    let (axis, tiling) = axis_of(planar, &walls, before.map(|before| &before.tiling), ctx)?;
    ctx.checkpoint()?;
    let mut map = Graph::of(&axis).map(&axis, walls, dead_ends);
    map.tiling = tiling;
    Ok(map)
}

/// Pieces around nodes, some of them removed.
struct Graph {
    starts: Vec<u32>,
    /// Piece, and which of its ends is at this node.
    around: Vec<(u32, u8)>,
    degree: Vec<u32>,
    is_gone: Vec<bool>,
}

impl Graph {
    fn of(axis: &MedialAxis) -> Self {
        let mut starts = vec![0_u32; axis.nodes.len() + 1];
        for end in axis.pieces.iter().flat_map(|piece| piece.ends) {
            starts[end as usize + 1] += 1;
        }
        let degree = starts[1..].to_vec();
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut next = starts.clone();
        let mut around = vec![(0, 0); axis.pieces.len() * 2];
        for (piece, index) in axis.pieces.iter().zip(0..) {
            for (&end, side) in piece.ends.iter().zip(0..) {
                let slot = &mut next[end as usize];
                around[*slot as usize] = (index, side);
                *slot += 1;
            }
        }
        Self {
            starts,
            around,
            degree,
            is_gone: vec![false; axis.pieces.len()],
        }
    }

    fn pieces_at(&self, node: u32) -> impl Iterator<Item = (u32, u8)> + '_ {
        let at = node as usize;
        self.around[self.starts[at] as usize..self.starts[at + 1] as usize]
            .iter()
            .copied()
            .filter(|&(piece, _)| !self.is_gone[piece as usize])
    }

    fn leaves(&self) -> Vec<u32> {
        (0..self.degree.len() as u32)
            .filter(|&node| self.degree[node as usize] == 1)
            .collect()
    }

    fn take(&mut self, piece: u32, axis: &MedialAxis) {
        self.is_gone[piece as usize] = true;
        for end in axis.pieces[piece as usize].ends {
            self.degree[end as usize] -= 1;
        }
    }

    /// Removes pieces from the leaves inwards, stopping at nodes for which `stop` holds.
    fn peel(&mut self, axis: &MedialAxis, leaves: Vec<u32>, stop: impl Fn(&Self, u32) -> bool) {
        for leaf in leaves {
            let mut node = leaf;
            while self.degree[node as usize] == 1 && (node == leaf || !stop(self, node)) {
                let Some((piece, side)) = self.pieces_at(node).next() else {
                    break;
                };
                self.take(piece, axis);
                node = axis.pieces[piece as usize].ends[1 - side as usize];
            }
        }
    }

    fn map(mut self, axis: &MedialAxis, walls: Walls, dead_ends: DeadEnds) -> CorridorMap {
        let whole = self.degree.clone();
        let mut pruned = Self {
            starts: self.starts.clone(),
            around: self.around.clone(),
            degree: self.degree.clone(),
            is_gone: self.is_gone.clone(),
        };
        let leaves = pruned.leaves();
        pruned.peel(axis, leaves, |_, _| false);
        let is_dead_end = pruned.is_gone.clone();
        match dead_ends {
            DeadEnds::Keep => {}
            DeadEnds::CutCorners => {
                let corners = self.corner_leaves(axis, &walls);
                self.peel(axis, corners, |_, node| whole[node as usize] > 2);
            }
            DeadEnds::Prune => self = pruned,
        }
        Assembly::new(self, axis, is_dead_end, walls).finish(whole)
    }

    /// Leaves without clearance.
    fn corner_leaves(&self, axis: &MedialAxis, walls: &Walls) -> Vec<u32> {
        let corner = corner_clearance(walls);
        self.leaves()
            .into_iter()
            .filter(|&leaf| {
                self.pieces_at(leaf).all(|(piece, _)| {
                    let sites = axis.pieces[piece as usize].sites;
                    axis.clearance(sites, axis.nodes[leaf as usize]) <= corner
                })
            })
            .collect()
    }
}

/// Successive pieces without a branch between them: one edge.
struct Chain {
    ends: [VertexId; 2],
    /// Each piece with its first end.
    pieces: Vec<(u32, u8)>,
}

/// Turns chains of pieces into edges.
struct Assembly<'a> {
    graph: Graph,
    axis: &'a MedialAxis<'a>,
    is_dead_end: Vec<bool>,
    walls: Walls,
    vertex_of: Vec<Option<VertexId>>,
    vertices: Vec<Vertex>,
    chains: Vec<Chain>,
}

impl<'a> Assembly<'a> {
    fn new(graph: Graph, axis: &'a MedialAxis<'a>, is_dead_end: Vec<bool>, walls: Walls) -> Self {
        Self {
            vertex_of: vec![None; axis.nodes.len()],
            graph,
            axis,
            is_dead_end,
            walls,
            vertices: Vec::new(),
            chains: Vec::new(),
        }
    }

    /// `whole` holds the number of pieces that met at each node before any were removed.
    fn finish(mut self, whole: Vec<u32>) -> CorridorMap {
        let mut is_done = self.graph.is_gone.clone();
        for node in 0..self.axis.nodes.len() as u32 {
            if self.graph.degree[node as usize] == 2 {
                continue;
            }
            for (piece, side) in self.pieces_at(node) {
                self.chain(node, piece, side, &mut is_done);
            }
        }
        // What is left are loops without a branch.
        for piece in 0..self.axis.pieces.len() {
            if !is_done[piece] {
                let node = self.axis.pieces[piece].ends[0];
                self.chain(node, piece as u32, 0, &mut is_done);
            }
        }
        self.keep_lonely_vertices(&whole);
        let sampled: Vec<Vec<Sample>> = self
            .chains
            .par_iter()
            .with_min_len(CHAINS_TOGETHER)
            .map(|chain| self.samples_of(chain))
            .collect();
        let mut samples = Vec::with_capacity(sampled.iter().map(Vec::len).sum());
        let mut edges = Vec::with_capacity(sampled.len());
        for (chain, of_chain) in self.chains.iter().zip(sampled) {
            let start = samples.len() as u32;
            samples.extend(of_chain);
            let last = chain.pieces.last();
            edges.push(Edge {
                ends: chain.ends,
                samples: start..samples.len() as u32,
                length: 0.0,
                min_clearance: 0.0,
                is_dead_end: last.is_some_and(|&(piece, _)| self.is_dead_end[piece as usize]),
            });
        }
        CorridorMap::assembled(self.vertices, edges, samples, self.walls)
    }

    fn pieces_at(&self, node: u32) -> Vec<(u32, u8)> {
        self.graph.pieces_at(node).collect()
    }

    /// A part of the axis that was pruned entirely is kept as a single vertex.
    fn keep_lonely_vertices(&mut self, whole: &[u32]) {
        let mut part: Vec<u32> = (0..whole.len() as u32).collect();
        fn root(part: &mut [u32], mut node: u32) -> u32 {
            while part[node as usize] != node {
                part[node as usize] = part[part[node as usize] as usize];
                node = part[node as usize];
            }
            node
        }
        for piece in &self.axis.pieces {
            let [a, b] = piece.ends.map(|end| root(&mut part, end));
            part[a as usize] = b;
        }
        let mut widest: Vec<Option<(f64, u32)>> = vec![None; whole.len()];
        let mut is_kept = vec![false; whole.len()];
        for node in 0..whole.len() as u32 {
            let of = root(&mut part, node) as usize;
            is_kept[of] |= self.graph.degree[node as usize] > 0;
            let clearance = self.clearance_at(node);
            if widest[of].is_none_or(|(most, _)| clearance > most) {
                widest[of] = Some((clearance, node));
            }
        }
        for (kept, widest) in is_kept.into_iter().zip(widest) {
            if let (false, Some((_, node))) = (kept, widest) {
                self.vertex(node);
            }
        }
    }

    fn clearance_at(&self, node: u32) -> f64 {
        let at = node as usize;
        let (from, to) = (self.graph.starts[at], self.graph.starts[at + 1]);
        self.graph.around[from as usize..to as usize]
            .iter()
            .map(|&(piece, _)| {
                let sites = self.axis.pieces[piece as usize].sites;
                self.axis.clearance(sites, self.axis.nodes[at])
            })
            .fold(f64::INFINITY, f64::min)
    }

    fn vertex(&mut self, node: u32) -> VertexId {
        if let Some(id) = self.vertex_of[node as usize] {
            return id;
        }
        let point = self.axis.nodes[node as usize];
        let clearance = self.clearance_at(node);
        let at = node as usize;
        let (from, to) = (self.graph.starts[at], self.graph.starts[at + 1]);
        let mut touches: Vec<DVec2> = self.graph.around[from as usize..to as usize]
            .iter()
            .flat_map(|&(piece, _)| self.axis.pieces[piece as usize].sites)
            .map(|site| site.closest(self.axis.segments, point))
            .collect();
        let angle = |p: &DVec2| (*p - point).to_angle();
        touches.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
        let same = 1e-6 * clearance.max(1e-3);
        touches.dedup_by(|a, b| a.distance(*b) <= same);
        if touches.len() > 1 && touches[0].distance(touches[touches.len() - 1]) <= same {
            touches.pop();
        }
        let id = VertexId(self.vertices.len() as u32);
        self.vertices.push(Vertex {
            point,
            clearance,
            touches,
        });
        self.vertex_of[at] = Some(id);
        id
    }

    /// One edge: from a node along a piece for as long as there is a single continuation.
    fn chain(&mut self, node: u32, piece: u32, side: u8, is_done: &mut [bool]) {
        if is_done[piece as usize] {
            return;
        }
        let first = self.vertex(node);
        let mut pieces = vec![(piece, side)];
        let (mut piece, mut side) = (piece, side);
        let end = loop {
            is_done[piece as usize] = true;
            let to = self.axis.pieces[piece as usize].ends[1 - side as usize];
            if to == node || self.graph.degree[to as usize] != 2 {
                break to;
            }
            let onward = self
                .graph
                .pieces_at(to)
                .find(|&(next, _)| !is_done[next as usize]);
            match onward {
                Some(next) => (piece, side) = next,
                None => break to,
            }
            pieces.push((piece, side));
        };
        let ends = [first, self.vertex(end)];
        self.chains.push(Chain { ends, pieces });
    }

    fn samples_of(&self, chain: &Chain) -> Vec<Sample> {
        let mut samples: Vec<Sample> = Vec::new();
        let mut points = Vec::new();
        for &(piece, side) in &chain.pieces {
            let Piece { ends, sites } = self.axis.pieces[piece as usize];
            let (from, to, [left, right]) = if side == 0 {
                (ends[0], ends[1], sites)
            } else {
                (ends[1], ends[0], [sites[1], sites[0]])
            };
            let [from, to] = [from, to].map(|end| self.axis.nodes[end as usize]);
            points.clear();
            points.push(from);
            sampling::between(self.axis.segments, [left, right], from, to, &mut points);
            points.push(to);
            for &point in &points {
                let sample = self.sample([left, right], point);
                // Where two pieces join, the closest points of both usually agree.
                let repeats = samples.last().is_some_and(|last| {
                    let near = |a: DVec2, b: DVec2| a.distance(b) <= 1e-9;
                    last.point == point
                        && near(last.left, sample.left)
                        && near(last.right, sample.right)
                        && last.left_blocker == sample.left_blocker
                        && last.right_blocker == sample.right_blocker
                });
                if !repeats {
                    samples.push(sample);
                }
            }
        }
        samples
    }

    fn sample(&self, [left, right]: [Site; 2], point: DVec2) -> Sample {
        let closest = |site: Site| site.closest(self.axis.segments, point);
        let blocker = |segment: u32| self.walls.list()[segment as usize].blocker;
        let (at_left, at_right) = (closest(left), closest(right));
        Sample {
            point,
            clearance: at_left.distance(point).min(at_right.distance(point)),
            left: at_left,
            right: at_right,
            left_blocker: blocker(left.segment),
            right_blocker: blocker(right.segment),
        }
    }
}
