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

/// Nodes this close to the border of a box may be inside in one sweep and outside in another.
/// Sweeps agree to some 10⁻⁹. Unit: metres.
const SEAM: f64 = 1e-6;

/// Boxes in which nearest walls are searched are halved until they are this fraction of the
/// clearance around their centre.
const FINE: f64 = 0.35;

/// … or this fraction of the whole box.
const FINEST: f64 = 1.0 / 32.0;

/// A box with the part of the axis inside it. Determined by the box and its segments.
#[derive(Debug)]
pub(super) struct Tile {
    pub core: Rect,
    /// Contains whatever is nearest to any point of the box.
    pub segments: Planar,
    /// Nodes inside the box.
    pub nodes: Vec<DVec2>,
    /// Pieces entirely inside the box. Site indices refer to `segments`.
    pub pieces: Vec<Piece>,
    /// Pieces with an end in the box that leave it.
    pub cuts: Vec<Cut>,
}

/// The part of a piece known in one box.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    /// Where it starts, an index into [`Tile::nodes`].
    pub node: u32,
    /// A point farther along it, possibly beyond its end; `None` if the sweep found no end.
    pub onward: Option<DVec2>,
    /// Left and right when leaving the node.
    pub sites: [Site; 2],
}

/// Why the axis in a box is not certain.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Unsure {
    /// A node is on the border of the box to within rounding.
    OnSeam,
    Failed(VoronoiError),
}

impl From<VoronoiError> for Unsure {
    fn from(error: VoronoiError) -> Self {
        Self::Failed(error)
    }
}

/// The walls that are nearest to any point of a box, and some more; sorted.
///
/// Clearance changes by no more than the distance moved. With clearance `c` at the centre of a
/// square of half diagonal `h`, what is nearest to a point of the square is within `c + 2h` of the
/// centre.
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

/// A box split in two at a point, across its longer side.
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
    /// `wall_of` maps each of the segments to its wall.
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
