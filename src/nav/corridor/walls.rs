//! The borders of the free space as indexed segments: nearest wall and line-of-sight queries.

use crate::geometry::{
    Rect,
    polygon::closest_on_segment,
    predicates::{Meeting, Side, meeting, side},
};
use crate::nav::terrain::segment_grid::SegmentGrid;
use glam::DVec2;
use rstar::{AABB, PointDistance, RTree, RTreeObject};
use std::sync::OnceLock;

/// Maximum corners by which the ball of [`Walls::largest_ball`] is shrunk: each is a new one, but
/// rounding might make two alternate.
const MAX_SHRINKS: usize = 64;

/// Index of an obstacle in the input; `None` for the level's border or if unknown.
pub type Blocker = Option<u32>;

/// A border segment; the free space is on its left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wall {
    pub from: DVec2,
    pub to: DVec2,
    pub blocker: Blocker,
    /// Whether points whose nearest wall is the corner `from` or `to` are free, as they are at
    /// convex corners of obstacles. `None` where the border is straight or turns inwards, so that
    /// there are no such points except by rounding.
    corners_are_free: [Option<bool>; 2],
}

impl Wall {
    #[must_use]
    pub fn closest(&self, p: DVec2) -> DVec2 {
        closest(self.from, self.to, p)
    }
}

/// The nearest point of a segment; returns an end exactly, so that it is recognised as a corner.
fn closest(from: DVec2, to: DVec2, p: DVec2) -> DVec2 {
    if (p - to).dot(to - from) >= 0.0 {
        to
    } else {
        closest_on_segment(from, to, p)
    }
}

/// The nearest point of a wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    pub point: DVec2,
    pub distance: f64,
    /// Index into [`Walls::list`].
    pub wall: u32,
}

#[derive(Clone, Debug)]
pub struct Walls {
    list: Vec<Wall>,
    extent: Rect,
    tree: RTree<Leaf>,
    /// A grid index, built on first use.
    grid: OnceLock<SegmentGrid>,
}

impl Default for Walls {
    fn default() -> Self {
        Self::new(&[], |_| None)
    }
}

impl PartialEq for Walls {
    fn eq(&self, other: &Self) -> bool {
        // Everything else is derived from the list.
        self.list == other.list
    }
}

#[derive(Clone, Copy, Debug)]
struct Leaf {
    from: DVec2,
    to: DVec2,
    wall: u32,
}

impl RTreeObject for Leaf {
    type Envelope = AABB<[f64; 2]>;

    fn envelope(&self) -> Self::Envelope {
        AABB::from_corners(self.from.to_array(), self.to.to_array())
    }
}

impl PointDistance for Leaf {
    fn distance_2(&self, p: &[f64; 2]) -> f64 {
        let p = DVec2::from_array(*p);
        closest_on_segment(self.from, self.to, p).distance_squared(p)
    }
}

/// A point as a key: −0 equals 0.
pub(super) fn key(p: DVec2) -> [u64; 2] {
    [(p.x + 0.0).to_bits(), (p.y + 0.0).to_bits()]
}

impl Walls {
    /// From segments that meet only at their ends, each with the free space on its left.
    #[must_use]
    pub fn new(segments: &[[DVec2; 2]], blocker: impl Fn(usize) -> Blocker) -> Self {
        let ends = segments.iter().zip(0..).flat_map(|(&[from, to], wall)| {
            [
                (
                    key(from),
                    Spoke {
                        towards: to - from,
                        leaves: true,
                    },
                    (wall, 0),
                ),
                (
                    key(to),
                    Spoke {
                        towards: from - to,
                        leaves: false,
                    },
                    (wall, 1),
                ),
            ]
        });
        let mut ends: Vec<([u64; 2], Spoke, (usize, usize))> = ends.collect();
        ends.sort_unstable_by_key(|&(at, _, end)| (at, end));
        let mut is_free = vec![[None; 2]; segments.len()];
        for corner in ends.chunk_by(|a, b| a.0 == b.0) {
            let open = is_free_around(corner.iter().map(|end| end.1).collect());
            for &(_, _, (wall, end)) in corner {
                is_free[wall][end] = open;
            }
        }
        let list: Vec<Wall> = segments
            .iter()
            .zip(is_free)
            .enumerate()
            .map(|(i, (&[from, to], corners_are_free))| Wall {
                from,
                to,
                blocker: blocker(i),
                corners_are_free,
            })
            .collect();
        let leaves = list.iter().zip(0..).map(|(wall, index)| Leaf {
            from: wall.from,
            to: wall.to,
            wall: index,
        });
        Self {
            extent: Rect::of_points(segments.iter().flatten()),
            tree: RTree::bulk_load(leaves.collect()),
            grid: OnceLock::new(),
            list,
        }
    }

    #[must_use]
    pub fn list(&self) -> &[Wall] {
        &self.list
    }

    #[must_use]
    pub const fn extent(&self) -> Rect {
        self.extent
    }

    /// The nearest point of any wall; `None` without walls and for non-finite points.
    #[must_use]
    pub fn nearest(&self, p: DVec2) -> Option<Touch> {
        if !p.is_finite() {
            return None;
        }
        let leaf = self.tree.nearest_neighbor(p.to_array())?;
        let point = closest(leaf.from, leaf.to, p);
        Some(Touch {
            point,
            distance: point.distance(p),
            wall: leaf.wall,
        })
    }

    /// Distance to the nearest wall; `None` for points that are not free.
    #[must_use]
    pub fn clearance(&self, p: DVec2) -> Option<f64> {
        let touch = self.nearest(p)?;
        self.is_free_side(&touch, p).then_some(touch.distance)
    }

    #[must_use]
    pub fn is_free(&self, p: DVec2) -> bool {
        self.clearance(p).is_some()
    }

    /// Whether a point with a known nearest wall point is free.
    pub(super) fn is_free_side(&self, touch: &Touch, p: DVec2) -> bool {
        let wall = &self.list[touch.wall as usize];
        let corner = if touch.point == wall.from {
            wall.corners_are_free[0]
        } else if touch.point == wall.to {
            wall.corners_are_free[1]
        } else {
            None
        };
        corner.unwrap_or_else(|| side(wall.from, wall.to, p) == Side::Left)
    }

    /// Walls whose bounds come within `reach` of a segment's bounds.
    fn around(&self, a: DVec2, b: DVec2, reach: f64) -> impl Iterator<Item = &Wall> {
        let scope = Rect::spanning(a, b);
        let reach = DVec2::splat(reach.max(0.0));
        self.touching(Rect::new(scope.min - reach, scope.max + reach))
            .map(|wall| &self.list[wall as usize])
    }

    /// Walls, as indices into [`list`](Self::list), whose bounds intersect a box; unordered.
    pub(super) fn touching(&self, scope: Rect) -> impl Iterator<Item = u32> {
        let scope = AABB::from_corners(scope.min.to_array(), scope.max.to_array());
        self.tree
            .locate_in_envelope_intersecting(scope)
            .map(|leaf| leaf.wall)
    }

    /// Whether a disc of that radius can move straight from `a` to `b`, given that it fits at `a`.
    /// A disc may touch walls; a point, of radius 0, may not.
    #[must_use]
    pub fn is_clear(&self, a: DVec2, b: DVec2, radius: f64) -> bool {
        a.is_finite()
            && b.is_finite()
            && self
                .around(a, b, radius)
                .map(|wall| segment_distance(a, b, wall.from, wall.to))
                .all(|distance| distance >= radius && distance > 0.0)
    }

    /// The nearest point of each wall within a distance.
    pub fn within(&self, p: DVec2, distance: f64) -> impl Iterator<Item = DVec2> + '_ {
        self.around(p, p, distance)
            .map(move |wall| wall.closest(p))
            .filter(move |point| point.distance(p) <= distance)
    }

    /// The largest empty ball that touches the wall nearest to `p` where `p` does, with its centre
    /// in the direction of `p`: the centre is the retraction of `p` onto the medial axis
    /// (Ó'Dúnlaing, Sharir and Yap 1983). `None` for points that are not free.
    ///
    /// Found by shrinking a ball that is too large until it is empty (Ma, Bae and Choi 2012).
    #[must_use]
    pub fn largest_ball(&self, p: DVec2) -> Option<(DVec2, f64)> {
        self.largest_ball_near(p, &mut Touched::default())
    }

    /// [`Self::largest_ball`], starting from the walls touched by the ball around a nearby point:
    /// this one probably touches them too, which saves the search. Updates `touched`.
    #[must_use]
    pub fn largest_ball_near(&self, p: DVec2, touched: &mut Touched) -> Option<(DVec2, f64)> {
        let touch = self.nearest_by(p, touched.root)?;
        touched.root = Some(touch.wall);
        if !self.is_free_side(&touch, p) {
            return None;
        }
        let root = touch.point;
        let away = (p - root).try_normalize()?;
        let tangent = |wall: &Wall| tangent_radius(root, away, wall.from, wall.to);
        let least = touch.distance;
        // No ball in the free space is larger than half the extent of all walls, nor larger than
        // the one that touches some wall.
        let mut radius = self.extent().size().length();
        let other = touched.other.and_then(|wall| self.list.get(wall as usize));
        // The wall that the ball is rooted in only contributes rounding errors.
        let is_apart = |wall: &&Wall| wall.closest(root).distance(root) > 1e-9 * (1.0 + least);
        if let Some(wall) = other.filter(is_apart) {
            radius = radius.min(tangent(wall).max(least));
        }
        for _ in 0..MAX_SHRINKS {
            let centre = root + away * radius;
            let next = self.nearest_by(centre, touched.other)?;
            if next.distance >= radius * (1.0 - 1e-12) || radius <= least {
                break;
            }
            let shrunk = tangent(&self.list[next.wall as usize]).max(least);
            if shrunk.is_nan() || shrunk >= radius * (1.0 - 1e-12) {
                break;
            }
            touched.other = Some(next.wall);
            radius = shrunk;
        }
        Some((root + away * radius, radius))
    }

    /// The nearest point of any wall, given one that is known to be close.
    fn nearest_by(&self, p: DVec2, known: Option<u32>) -> Option<Touch> {
        let known = known.and_then(|wall| Some((wall, self.list.get(wall as usize)?)));
        let Some((wall, known)) = known.filter(|_| p.is_finite()) else {
            return self.nearest(p);
        };
        let point = known.closest(p);
        let mut touch = Touch {
            point,
            distance: point.distance(p),
            wall,
        };
        let scope = Rect::around(p, DVec2::splat(touch.distance));
        let mut least = point.distance_squared(p);
        let grid = self.grid.get_or_init(|| {
            let segments: Vec<_> = self.list.iter().map(|wall| [wall.from, wall.to]).collect();
            SegmentGrid::new(&segments)
        });
        grid.visit_near(scope, |wall| {
            let point = self.list[wall as usize].closest(p);
            let squared = point.distance_squared(p);
            if squared < least || (squared == least && wall < touch.wall) {
                least = squared;
                touch = Touch {
                    point,
                    distance: squared.sqrt(),
                    wall,
                };
            }
        });
        Some(touch)
    }
}

/// Walls that a ball touches: its root, and what limits its size.
#[derive(Clone, Copy, Debug, Default)]
pub struct Touched {
    root: Option<u32>,
    other: Option<u32>,
}

/// A wall seen from one of its ends.
#[derive(Clone, Copy)]
struct Spoke {
    towards: DVec2,
    /// The wall starts here, so the free space is counter-clockwise of it.
    leaves: bool,
}

/// Sine of the angle by which a gap must exceed half a turn to be more than rounding.
const WIDER_THAN_STRAIGHT: f64 = 1e-9;

/// Points whose nearest wall is a corner lie in a gap of more than half a turn between the walls
/// meeting there. Whether that gap is free; `None` if there is no such gap.
fn is_free_around(mut spokes: Vec<Spoke>) -> Option<bool> {
    for spoke in &mut spokes {
        spoke.towards = spoke.towards.normalize_or_zero();
    }
    spokes.sort_by(|a, b| a.towards.to_angle().total_cmp(&b.towards.to_angle()));
    let count = spokes.len();
    (0..count)
        .find(|&i| {
            let next = spokes[(i + 1) % count].towards;
            count == 1 || spokes[i].towards.perp_dot(next) < -WIDER_THAN_STRAIGHT
        })
        .map(|i| spokes[i].leaves)
}

/// Radius of the ball that touches `root`, has its centre in direction `away`, and also touches the
/// segment.
fn tangent_radius(root: DVec2, away: DVec2, from: DVec2, to: DVec2) -> f64 {
    // |root + away·r − q| = r  ⇒  r = |q − root|² / (2·away·(q − root)).
    let at_point = |q: DVec2| {
        let offset = q - root;
        let along = 2.0 * away.dot(offset);
        if along > 0.0 {
            offset.length_squared() / along
        } else {
            f64::INFINITY
        }
    };
    let ends = at_point(from).min(at_point(to));
    let Some(direction) = (to - from).try_normalize() else {
        return ends;
    };
    // The distance to the line grows by away·n per radius: solve s + r·a = ±r.
    let normal = direction.perp();
    let (start, slope) = ((root - from).dot(normal), away.dot(normal));
    let touches = |r: f64| {
        let along = (root + away * r - from).dot(direction);
        r > 0.0 && along >= 0.0 && along <= from.distance(to)
    };
    [start / (1.0 - slope), -start / (1.0 + slope)]
        .into_iter()
        .filter(|&r| r.is_finite() && touches(r))
        .fold(ends, f64::min)
}

/// The least distance between two segments; 0 where they meet.
#[must_use]
pub fn segment_distance(a: DVec2, b: DVec2, c: DVec2, d: DVec2) -> f64 {
    if !matches!(meeting(a, b, c, d), Meeting::Apart) {
        return 0.0;
    }
    let to = |p: DVec2, from: DVec2, to: DVec2| closest_on_segment(from, to, p).distance(p);
    to(a, c, d)
        .min(to(b, c, d))
        .min(to(c, a, b))
        .min(to(d, a, b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Polygon, hostile::small_polygon, voronoi::outlines};
    use proptest::prelude::*;

    fn walls(areas: &[Polygon]) -> Walls {
        Walls::new(&outlines(areas), |_| None)
    }

    fn yard() -> Polygon {
        Polygon {
            outer: Polygon::rect(Rect::new(DVec2::ZERO, DVec2::splat(10.0))).outer,
            holes: vec![Polygon::rect(Rect::new(DVec2::splat(4.0), DVec2::splat(6.0))).outer],
        }
    }

    #[test]
    fn clearance_is_the_distance_to_the_nearest_wall_of_free_places() {
        let walls = walls(&[yard()]);
        assert_eq!(walls.clearance(DVec2::new(1.0, 5.0)), Some(1.0));
        assert_eq!(walls.clearance(DVec2::splat(5.0)), None);
        assert_eq!(walls.clearance(DVec2::new(-1.0, 5.0)), None);
        assert_eq!(walls.clearance(DVec2::splat(-1.0)), None);
        assert_eq!(walls.clearance(DVec2::NAN), None);
        let near_corner = DVec2::splat(3.0);
        assert_eq!(walls.clearance(near_corner), Some(2.0_f64.sqrt()));
        assert_eq!(Walls::default().clearance(DVec2::ZERO), None);
    }

    #[test]
    fn a_disc_passes_where_it_fits() {
        let walls = walls(&[yard()]);
        let (a, b) = (DVec2::new(2.0, 1.0), DVec2::new(2.0, 9.0));
        assert!(walls.is_clear(a, b, 1.0));
        assert!(!walls.is_clear(a, b, 1.01));
        assert!(!walls.is_clear(DVec2::new(1.0, 5.0), DVec2::new(9.0, 5.0), 0.0));
    }

    #[test]
    fn the_largest_ball_is_centred_on_the_medial_axis() {
        let walls = walls(&[yard()]);
        let (centre, radius) = walls.largest_ball(DVec2::new(1.0, 5.0)).expect("free");
        assert!(centre.distance(DVec2::new(2.0, 5.0)) < 1e-9 && (radius - 2.0).abs() < 1e-9);
        assert_eq!(walls.largest_ball(DVec2::splat(5.0)), None);
    }

    proptest! {
        #[test]
        fn freedom_is_what_the_polygons_say(
            areas in prop::collection::vec(small_polygon(), 1..4),
            probes in prop::collection::vec((-6.0..6.0, -6.0..6.0), 30),
        ) {
            let walls = walls(&areas);
            let united = crate::geometry::boolean::union(&areas);
            for p in probes.into_iter().map(DVec2::from) {
                let Some(touch) = walls.nearest(p) else { continue };
                if touch.distance > 1e-3 {
                    let expected = united.iter().any(|area| area.contains(p));
                    prop_assert_eq!(walls.is_free(p), expected, "{}", p);
                }
            }
        }

        #[test]
        fn balls_are_empty_and_touch_twice(
            areas in prop::collection::vec(small_polygon(), 1..4), x in -5.0..5.0, y in -5.0..5.0
        ) {
            let walls = walls(&areas);
            let p = DVec2::new(x, y);
            if let Some((centre, radius)) = walls.largest_ball(p) {
                let nearest = walls.nearest(centre).expect("there are walls");
                prop_assert!((nearest.distance - radius).abs() < 1e-6);
                prop_assert!(centre.distance(p) <= radius + 1e-9);
                // Beyond the centre, something else is nearer than the ball's root.
                let root = walls.nearest(p).expect("there are walls").point;
                let beyond = centre + (centre - root).normalize() * 1e-4;
                let there = walls.nearest(beyond).expect("there are walls");
                prop_assert!(there.distance < beyond.distance(root) - 1e-12);
            }
        }

        #[test]
        fn balls_are_the_same_whatever_was_touched_before(
            areas in prop::collection::vec(small_polygon(), 1..4),
            probes in prop::collection::vec((-5.0..5.0, -5.0..5.0), 12),
        ) {
            let walls = walls(&areas);
            let mut touched = Touched::default();
            for p in probes.into_iter().map(DVec2::from) {
                // A few steps on from each.
                for p in [p, p + DVec2::splat(0.01), p + DVec2::new(0.1, 0.01)] {
                    let anew = walls.largest_ball(p);
                    let known = walls.largest_ball_near(p, &mut touched);
                    prop_assert_eq!(anew.is_some(), known.is_some());
                    if let (Some(anew), Some(known)) = (anew, known) {
                        prop_assert!(anew.0.distance(known.0) < 1e-6 * (1.0 + anew.1), "{}", p);
                    }
                }
            }
        }
    }
}
