//! The medial axis within one box.

use super::{
    medial_axis::{Piece, corner_clearance, is_free},
    sampling,
    walls::Walls,
};
use crate::geometry::{
    Rect,
    voronoi::{Planar, Site, VoronoiError},
};
use glam::DVec2;

/// Nodes this near to the border of a box may be inside for one sweep and outside for another.
/// Sweeps agree to some 10⁻⁹. Unit: metres.
const SEAM: f64 = 1e-6;

/// Boxes in which nearest walls are looked for are halved until they are this share of what is
/// left free around their centre.
const FINE: f64 = 0.35;

/// … or this share of the whole box.
const FINEST: f64 = 1.0 / 32.0;

/// A box with all of the axis that is in it. The same box with the same segments has the same.
#[derive(Debug)]
pub(super) struct Tile {
    pub core: Rect,
    /// Among them is whatever is nearest to a place of the box.
    pub segments: Planar,
    /// Those in the box.
    pub nodes: Vec<DVec2>,
    /// Wholly in the box. Indices of sites are for `segments`.
    pub pieces: Vec<Piece>,
    /// Pieces with an end in the box that leave it.
    pub cuts: Vec<Cut>,
}

/// A piece as far as it is known in one box.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    /// Where it starts, an index into [`Tile::nodes`].
    pub node: u32,
    /// A place farther along it, perhaps beyond its end; `None` if the sweep met no end.
    pub onward: Option<DVec2>,
    /// Left and right when going on from the node.
    pub sites: [Site; 2],
}

/// Why the axis in a box is not known for sure.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Unsure {
    /// A node is on the border of the box, but for rounding.
    OnSeam,
    Failed(VoronoiError),
}

impl From<VoronoiError> for Unsure {
    fn from(error: VoronoiError) -> Self {
        Self::Failed(error)
    }
}

/// The walls that are nearest to any place of a box, and some more; sorted.
///
/// Clearance changes by no more than one moves. With `c` at the centre of a square of half
/// diagonal `h`, what is nearest to a place of the square is within `c + 2h` of the centre.
pub(super) fn walls_for(walls: &Walls, core: Rect) -> Vec<u32> {
    if core.contains_rect(&walls.extent()) {
        return (0..walls.list().len() as u32).collect();
    }
    let mut found: Vec<u32> = walls.touching(core).collect();
    let finest = core.size().max_element() * FINEST;
    let mut boxes = vec![core];
    while let Some(part) = boxes.pop() {
        let centre = part.centre();
        let Some(touch) = walls.nearest(centre) else {
            break;
        };
        let half = 0.5 * part.size().length();
        let around = Rect::around(centre, DVec2::splat(touch.distance + 2.0 * half));
        if core.contains_rect(&around) {
            continue;
        }
        if half <= (FINE * touch.distance).max(finest) {
            found.extend(walls.touching(around));
            continue;
        }
        boxes.extend(halves(part, centre));
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// A box cut in two through a place, across its longer side.
pub(super) fn halves(part: Rect, at: DVec2) -> [Rect; 2] {
    let size = part.size();
    let (mut low, mut high) = (part, part);
    if size.x >= size.y {
        low.max.x = at.x;
        high.min.x = at.x;
    } else {
        low.max.y = at.y;
        high.min.y = at.y;
    }
    [low, high]
}

impl Tile {
    /// `wall_of` tells which of the walls each of the segments is.
    pub fn swept(
        core: Rect,
        segments: Planar,
        wall_of: &[u32],
        walls: &Walls,
    ) -> Result<Self, Unsure> {
        let diagram = segments.voronoi()?;
        let lines = segments.segments();
        let corner = corner_clearance(walls);
        let near = core.expanded(SEAM);
        let is_on_seam = |p: &DVec2| near.contains(*p) && !core.expanded(-SEAM).contains(*p);
        let mut tile = Self {
            core,
            nodes: Vec::new(),
            pieces: Vec::new(),
            cuts: Vec::new(),
            segments: Planar::default(),
        };
        let mut node_of: Vec<Option<u32>> = vec![None; diagram.vertices.len()];
        for edge in diagram.edges.iter().filter(|edge| !edge.is_secondary) {
            let ends = edge
                .ends
                .map(|end| end.map(|v| diagram.vertices[v as usize]));
            if edge.ends[0] == edge.ends[1] || !ends.iter().flatten().any(|&p| near.contains(p)) {
                continue;
            }
            let distance = |p: DVec2| edge.sites[0].closest(lines, p).distance(p);
            let distances = ends.map(|end| end.map_or(-1.0, distance));
            let wide = ends[usize::from(distances[1] >= distances[0])];
            let wall_of = |segment: u32| wall_of[segment as usize];
            if !wide.is_some_and(|p| is_free(walls, edge.sites, wall_of, p)) {
                continue;
            }
            if ends.iter().flatten().any(is_on_seam) {
                return Err(Unsure::OnSeam);
            }
            let is_in = ends.map(|end| end.filter(|&p| core.contains(p)));
            let mut node = |side: usize| {
                let mut add = || {
                    tile.nodes.extend(ends[side]);
                    tile.nodes.len() as u32 - 1
                };
                match edge.ends[side] {
                    Some(v) if distances[side] > corner => {
                        *node_of[v as usize].get_or_insert_with(add)
                    }
                    _ => add(),
                }
            };
            if let [Some(from), Some(to)] = is_in
                && sampling::turns(lines, edge.sites, from, to).all(|p| core.contains(p))
            {
                let ends = [node(0), node(1)];
                let sites = edge.sites;
                tile.pieces.push(Piece { ends, sites });
                continue;
            }
            for side in [0, 1] {
                if is_in[side].is_some() {
                    let [left, right] = edge.sites;
                    tile.cuts.push(Cut {
                        node: node(side),
                        onward: ends[1 - side],
                        sites: if side == 0 {
                            [left, right]
                        } else {
                            [right, left]
                        },
                    });
                }
            }
        }
        tile.segments = segments;
        Ok(tile)
    }
}
