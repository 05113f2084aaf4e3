//! The medial axis of a large level, box by box.
//!
//! Boxes are swept independently, on all cores, each with every wall that is nearest to one of its
//! points. The axis inside a box is then that of the whole level, and what leaves a box is joined
//! with what leaves others between the same two walls. Boxes depend on the level alone, so its map
//! does not depend on editing history; boxes that a change did not touch are reused. Where rounding
//! leaves a doubt, the whole level is one box.

use super::{
    build::CorridorError,
    medial_axis::{MedialAxis, Piece},
    tile::{Cut, Tile, Unsure, halves, walls_for},
    walls::{Walls, key},
};
use crate::geometry::{
    Rect,
    lattice::LATTICE,
    voronoi::{Planar, Site, SitePart, VoronoiError},
};
use crate::jobs::JobContext;
use crate::nav::stages::Work;
use glam::DVec2;
use rayon::prelude::*;
use std::sync::Arc;

/// Maximum walls per box: large enough that walls swept in two boxes are few, small enough that a
/// change, which sweeps one or a few boxes, is fast.
const MOST: usize = 640;

/// Smaller levels are split as well, to use all cores …
const FEWEST_BOXES: usize = 3;

/// … unless they are too small for it to pay off.
const WORTH_A_BOX: usize = 256;

/// Offset of box borders between lattice points, as a fraction: no corner and hardly any midpoint
/// between corners lies there.
const OFF_LATTICE: f64 = 0.3137;

/// The boxes of a map, for reuse by the next.
#[derive(Clone, Debug)]
pub(super) struct Tiling {
    frame: Rect,
    tiles: Vec<Arc<Tile>>,
    /// Boxes that were swept, not reused.
    swept: usize,
}

impl Tiling {
    /// Boxes that were swept, of all.
    pub(super) fn work(&self) -> Work {
        Work {
            made: self.swept,
            of: self.tiles.len(),
        }
    }
}

impl Default for Tiling {
    fn default() -> Self {
        Self {
            frame: Rect::EMPTY,
            tiles: Vec::new(),
            swept: 0,
        }
    }
}

/// A box and the walls it needs.
struct Part {
    tile: Arc<Tile>,
    /// The wall of each of the tile's segments.
    wall_of: Vec<u32>,
}

/// The axis of the free space between walls.
pub(super) fn axis_of<'a>(
    planar: &'a Planar,
    walls: &Walls,
    before: Option<&Tiling>,
    ctx: &JobContext,
) -> Result<(MedialAxis<'a>, Tiling), CorridorError> {
    let segments = planar.segments();
    let frame = frame(walls);
    let most = (segments.len() / FEWEST_BOXES).clamp(WORTH_A_BOX, MOST);
    for cores in [cores(segments, frame, most), vec![frame]] {
        if let Some(found) = in_boxes(planar, walls, cores, before, ctx)? {
            return Ok(found);
        }
    }
    Err(VoronoiError::Failed.into())
}

/// The box around everything.
fn frame(walls: &Walls) -> Rect {
    walls.extent().expanded(1.0)
}

/// The axis box by box; `None` where rounding leaves a doubt.
fn in_boxes<'a>(
    planar: &'a Planar,
    walls: &Walls,
    cores: Vec<Rect>,
    before: Option<&Tiling>,
    ctx: &JobContext,
) -> Result<Option<(MedialAxis<'a>, Tiling)>, CorridorError> {
    let frame = frame(walls);
    let before = before.filter(|before| before.frame == frame);
    let swept: Vec<Result<Part, Unsure>> = cores
        .into_par_iter()
        .map(|core| {
            ctx.checkpoint()?;
            Ok(part(planar, walls, core, before))
        })
        .collect::<Result<_, CorridorError>>()?;
    let parts: Vec<Part> = match swept.into_iter().collect() {
        Ok(parts) => parts,
        Err(Unsure::OnSeam | Unsure::Failed(VoronoiError::Failed)) => return Ok(None),
        Err(Unsure::Failed(error)) => return Err(error.into()),
    };
    let axis = joined(planar.segments(), &parts);
    let is_known = |tile: &&Arc<Tile>| {
        before.is_some_and(|before| before.tiles.iter().any(|other| Arc::ptr_eq(other, tile)))
    };
    let tiles: Vec<Arc<Tile>> = parts.into_iter().map(|part| part.tile).collect();
    let swept = tiles.len() - tiles.iter().filter(is_known).count();
    Ok(axis.map(|axis| {
        let tiling = Tiling {
            frame,
            tiles,
            swept,
        };
        (axis, tiling)
    }))
}

/// The frame, halved until no box has too many walls.
fn cores(segments: &[[DVec2; 2]], frame: Rect, most: usize) -> Vec<Rect> {
    let middles: Vec<DVec2> = segments.iter().map(|[a, b]| a.midpoint(*b)).collect();
    let mut cores = Vec::new();
    let mut boxes = vec![(frame, middles)];
    while let Some((part, inside)) = boxes.pop() {
        let size = part.size();
        // Tiny walls at one point are not split further.
        if inside.len() <= most || size.max_element() < 64.0 * LATTICE {
            cores.push(part);
            continue;
        }
        let at = ((part.centre() / LATTICE).floor() + OFF_LATTICE) * LATTICE;
        let [low, high] = halves(part, at);
        let (first, second) = inside.into_iter().partition(|&p| low.contains(p));
        boxes.extend([(high, second), (low, first)]);
    }
    cores
}

fn part(
    planar: &Planar,
    walls: &Walls,
    core: Rect,
    before: Option<&Tiling>,
) -> Result<Part, Unsure> {
    let mut wall_of = walls_for(walls, core);
    let order = |wall: u32| planar.segments()[wall as usize].map(key);
    wall_of.sort_by_cached_key(|&wall| order(wall));
    let segments = planar.some(&wall_of);
    let is_same = |tile: &&Arc<Tile>| tile.core == core && tile.segments == segments;
    let same = before.and_then(|before| before.tiles.iter().find(is_same));
    let tile = match same {
        Some(same) => Arc::clone(same),
        None => Arc::new(Tile::swept(core, segments, &wall_of, walls)?),
    };
    Ok(Part { tile, wall_of })
}

/// A site, independent of the wall that represents it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Identity {
    Corner([u64; 2]),
    Wall(u32),
}

impl Identity {
    fn of(segments: &[[DVec2; 2]], site: Site) -> Self {
        let [a, b] = segments[site.segment as usize];
        match site.part {
            SitePart::Start => Self::Corner(key(a)),
            SitePart::End => Self::Corner(key(b)),
            SitePart::Inside => Self::Wall(site.segment),
        }
    }
}

/// One end of a piece that goes through several boxes.
#[derive(Clone, Copy, Debug)]
struct End {
    between: [Identity; 2],
    /// The lower of the two sites is on the left when leaving here: the piece starts here.
    is_start: bool,
    node: u32,
    point: DVec2,
    onward: Option<DVec2>,
    sites: [Site; 2],
}

/// Joins all boxes; `None` if what leaves one does not arrive in another.
fn joined<'a>(segments: &'a [[DVec2; 2]], parts: &[Part]) -> Option<MedialAxis<'a>> {
    let mut axis = MedialAxis {
        segments,
        nodes: Vec::new(),
        pieces: Vec::new(),
    };
    let mut ends = Vec::new();
    for Part { tile, wall_of } in parts {
        let first = axis.nodes.len() as u32;
        let of_level = |sites: [Site; 2]| {
            sites.map(|site| Site {
                segment: wall_of[site.segment as usize],
                ..site
            })
        };
        axis.nodes.extend_from_slice(&tile.nodes);
        axis.pieces.extend(tile.pieces.iter().map(|piece| Piece {
            ends: piece.ends.map(|end| first + end),
            sites: of_level(piece.sites),
        }));
        for &Cut {
            node,
            onward,
            sites,
        } in &tile.cuts
        {
            let sites = of_level(sites);
            let [left, right] = sites.map(|site| Identity::of(segments, site));
            ends.push(End {
                between: [left.min(right), left.max(right)],
                is_start: left < right,
                node: first + node,
                point: tile.nodes[node as usize],
                onward,
                sites,
            });
        }
    }
    ends.sort_by_key(|end| end.between);
    for same in ends.chunk_by_mut(|a, b| a.between == b.between) {
        if same.len() > 2 {
            put_in_order(segments, same)?;
        } else {
            same.sort_by_key(|end| !end.is_start);
        }
        for pair in same.chunks(2) {
            match pair {
                [start, end] if start.is_start && !end.is_start => axis.pieces.push(Piece {
                    ends: [start.node, end.node],
                    sites: start.sites,
                }),
                _ => return None,
            }
        }
    }
    Some(axis)
}

/// Orders several pieces between the same two sites.
fn put_in_order(segments: &[[DVec2; 2]], ends: &mut [End]) -> Option<()> {
    let first = ends.first()?;
    let walls = first
        .sites
        .iter()
        .filter(|site| site.part == SitePart::Inside);
    let along = match walls.collect::<Vec<_>>()[..] {
        // An arc: progress along it is progress along the wall.
        [wall] => {
            let [a, b] = segments[wall.segment as usize];
            b - a
        }
        // All on one line.
        _ => {
            let farthest = ends.iter().max_by(|a, b| {
                let far = |end: &End| end.point.distance(first.point);
                far(a).total_cmp(&far(b))
            });
            farthest?.point - first.point
        }
    };
    let forwards = ends.iter().find_map(|end| {
        let on = (end.onward? - end.point).dot(along);
        (on != 0.0).then_some(if end.is_start { on } else { -on })
    })?;
    let along = along * forwards.signum();
    ends.sort_by(|a, b| {
        let place = |end: &End| end.point.dot(along);
        place(a).total_cmp(&place(b))
    });
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Random;
    use crate::geometry::{Polygon, hostile::small_polygon, voronoi::outlines};
    use proptest::prelude::*;

    fn planar(areas: &[Polygon]) -> (Planar, Walls) {
        let planar = Planar::new(&outlines(areas)).expect("in range");
        let walls = Walls::new(planar.segments(), |_| None);
        (planar, walls)
    }

    type Listed = ([Identity; 2], [DVec2; 2]);

    /// Pieces by sites and position, without zero-length ones: sweeps may represent four walls
    /// around one point as two nodes.
    fn listed(axis: &MedialAxis) -> Vec<Listed> {
        let mut list: Vec<Listed> = axis
            .pieces
            .iter()
            .map(|piece| {
                let mut ends = piece.ends.map(|end| axis.nodes[end as usize]);
                let mut between = piece.sites.map(|site| Identity::of(axis.segments, site));
                if between[0] > between[1] {
                    between.reverse();
                    ends.reverse();
                }
                (between, ends)
            })
            .filter(|(_, [from, to])| from.distance(*to) > 1e-6)
            .collect();
        let place = |of: &Listed| of.1[0].x + of.1[0].y;
        list.sort_by(|a, b| a.0.cmp(&b.0).then(place(a).total_cmp(&place(b))));
        list
    }

    fn assert_same(one: &[Listed], other: &[Listed]) {
        assert_eq!(one.len(), other.len());
        for (a, b) in one.iter().zip(other) {
            let off = |i: usize| a.1[i].distance(b.1[i]);
            assert!(a.0 == b.0 && off(0).max(off(1)) < 1e-6, "{a:?} {b:?}");
        }
    }

    /// `None` where boxes with at most `most` walls leave a doubt.
    fn in_boxes_of(planar: &Planar, walls: &Walls, most: usize) -> Option<Vec<Listed>> {
        let cores = cores(planar.segments(), frame(walls), most);
        let found = in_boxes(planar, walls, cores, None, &JobContext::default());
        found.expect("in range").map(|(axis, _)| listed(&axis))
    }

    #[test]
    fn boxes_of_any_size_give_the_axis_of_the_whole() {
        let mut random = Random::new(31);
        let blocks: Vec<Polygon> = (0..40)
            .map(|i| {
                let at = DVec2::new(f64::from(i % 8), f64::from(i / 8)) * 9.0 + 5.0;
                let radii = random.point(DVec2::splat(1.0), DVec2::splat(4.0));
                Polygon::ellipse(at, radii, 3 + random.below(5), random.unit())
            })
            .collect();
        let ground = Polygon::rect(Rect::new(DVec2::ZERO, DVec2::splat(80.0)));
        let free = crate::geometry::boolean::difference(&[ground], &blocks);
        let (planar, walls) = planar(&free);
        let whole = in_boxes_of(&planar, &walls, usize::MAX).expect("one box");
        assert!(whole.len() > 200);
        for most in [6, 50] {
            let parts = in_boxes_of(&planar, &walls, most);
            assert_same(&parts.expect("nothing is on a seam"), &whole);
        }
    }

    #[test]
    fn only_boxes_near_a_change_are_swept_again() {
        let block = |x: f64, y: f64| Polygon::rect(Rect::around(DVec2::new(x, y), DVec2::ONE));
        let walls_with = |moved: f64| {
            let ground = Polygon::rect(Rect::new(DVec2::ZERO, DVec2::splat(100.0)));
            let mut blocks: Vec<Polygon> = (0..100)
                .map(|i| {
                    block(
                        f64::from(i % 10) * 10.0 + 5.0,
                        f64::from(i / 10) * 10.0 + 5.0,
                    )
                })
                .collect();
            blocks[0] = block(5.0 + moved, 5.0);
            planar(&crate::geometry::boolean::difference(&[ground], &blocks))
        };
        let swept = |walls: &(Planar, Walls), before: Option<&Tiling>| {
            let cores = cores(walls.0.segments(), frame(&walls.1), 50);
            let ctx = JobContext::default();
            let found = in_boxes(&walls.0, &walls.1, cores, before, &ctx);
            let (axis, tiling) = found.expect("in range").expect("nothing is on a seam");
            (listed(&axis), tiling)
        };
        let (first, second) = (walls_with(0.0), walls_with(0.7));
        let (_, before) = swept(&first, None);
        let (after, tiling) = swept(&second, Some(&before));
        assert_same(&after, &swept(&second, None).0);
        let is_kept = |tile: &Arc<Tile>| before.tiles.iter().any(|old| Arc::ptr_eq(old, tile));
        let kept = tiling.tiles.iter().filter(|tile| is_kept(tile)).count();
        assert!(
            tiling.tiles.len() >= 8 && kept >= tiling.tiles.len() - 2,
            "{kept}"
        );
        assert!(kept < tiling.tiles.len());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn boxes_of_hostile_areas_give_the_axis_of_the_whole_or_a_doubt(
            areas in prop::collection::vec(small_polygon(), 1..4), most in 1_usize..12
        ) {
            let (planar, walls) = planar(&areas);
            let whole = in_boxes_of(&planar, &walls, usize::MAX).expect("one box");
            if let Some(parts) = in_boxes_of(&planar, &walls, most) {
                assert_same(&parts, &whole);
            }
        }
    }
}
