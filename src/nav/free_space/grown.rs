//! One obstacle grown by the agent's radius.

use super::{Blocker, edge_runs::EdgeRuns};
use crate::base::EntityId;
use crate::geometry::{
    MAX_COORDINATE, Polygon, Rect, Ring,
    boolean::repaired,
    crossing::count_meetings,
    lattice::{LATTICE, PER_METRE},
    offset::{Join, grow},
    polygon::{closest_on_segment, ring_edges, signed_area},
    predicates::{Side, side},
    simplify::simplified_ring,
};
use glam::DVec2;
use rstar::{AABB, PointDistance, RTreeObject};
use std::{borrow::Cow, f64::consts::FRAC_PI_2, sync::Arc};

/// Minimum of [`excess`]. Unit: metres.
const LEAST_EXCESS: f64 = 0.01;

/// [`excess`] as a fraction of the radius: large agents do not need fine corners.
const EXCESS_SHARE: f64 = 0.05;

/// What rounding to the lattice may remove from an outline: half a diagonal, rounded up.
const ROUNDING: f64 = LATTICE;

/// How far outlines grown by `radius` may extend beyond it: chords of round corners lie outside the
/// circle, so that an agent outside the outline is never closer than the radius. Unit: metres.
#[must_use]
pub fn excess(radius: f64) -> f64 {
    LEAST_EXCESS.max(EXCESS_SHARE * radius)
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Grown {
    pub blocker: Blocker,
    /// Valid, on the lattice.
    pub outline: Vec<Polygon>,
    pub bounds: Rect,
    /// The outline is one convex ring, which needs no boolean if nothing is near.
    pub is_convex: bool,
    is_tangle: bool,
    /// Its edges before growing.
    pub drawn: EdgeRuns,
}

/// Most places where the outline of one obstacle may meet itself. Its area is cut into about as many
/// pieces, each of which is grown; a tangle of a few thousand lines would become millions.
const MOST_MEETINGS: usize = 20_000;

/// Outlines with fewer corners than this cannot meet themselves too often.
const WORTH_COUNTING: usize = 200;

impl Grown {
    /// Whether its outline crosses itself so often that nothing is made of it.
    pub const fn is_tangle(&self) -> bool {
        self.is_tangle
    }

    pub fn new(blocker: Blocker, radius: f64) -> Self {
        let convex = convex_ring(&blocker.area).and_then(|ring| {
            let grown = if radius > 0.0 {
                around(&ring, radius)
            } else {
                ring
            };
            convex_ring(&Polygon::new(grown))
        });
        let is_convex = convex.is_some();
        let is_tangle = !is_convex
            && blocker.area.vertex_count() > WORTH_COUNTING
            && count_meetings(std::slice::from_ref(&*blocker.area), MOST_MEETINGS).is_none();
        let outline = match convex {
            Some(ring) => vec![Polygon::new(ring)],
            None if is_tangle => Vec::new(),
            None if radius > 0.0 => {
                // Chords inside a circle that is larger by their sag.
                let sag = excess(radius) * 0.5;
                let join = Join::Round { sag };
                let (area, moved) = coarsened(&blocker.area, radius);
                grow(&[area.into_owned()], radius + sag + ROUNDING + moved, join)
            }
            None => repaired(&blocker.area),
        };
        Self {
            bounds: outline
                .iter()
                .fold(Rect::EMPTY, |all, polygon| all.union(&polygon.bounds())),
            drawn: EdgeRuns::of(&blocker.area),
            blocker,
            outline,
            is_convex,
            is_tangle,
        }
    }

    pub const fn id(&self) -> EntityId {
        self.blocker.id
    }

    pub fn contains(&self, p: DVec2) -> bool {
        self.bounds.contains(p) && self.outline.iter().any(|polygon| polygon.contains(p))
    }

    /// Distance from `p` to the outline; 0 inside.
    pub fn distance(&self, p: DVec2) -> f64 {
        if self.contains(p) {
            return 0.0;
        }
        self.outline
            .iter()
            .flat_map(Polygon::edges)
            .map(|(a, b)| closest_on_segment(a, b, p).distance_squared(p))
            .fold(f64::INFINITY, f64::min)
            .sqrt()
    }
}

/// Outlines with fewer corners are grown as they are.
const MANY_CORNERS: usize = 2_000;

/// An outline of very many short edges with fewer, and by how much the new one may lie inside: each
/// edge is grown by a disc, and where hundreds of discs lie in one place, their crossings are millions.
/// What is lost is made up for by growing more, within what [`excess`] allows.
fn coarsened(area: &Polygon, radius: f64) -> (Cow<'_, Polygon>, f64) {
    let tolerance = 0.25 * excess(radius);
    let corners = area.vertex_count();
    let length: f64 = area.edges().map(|(a, b)| a.distance(b)).sum();
    let are_short = length < corners as f64 * 0.2 * radius;
    if corners < MANY_CORNERS || !are_short {
        return (Cow::Borrowed(area), 0.0);
    }
    let coarse = |ring: &Ring| simplified_ring(ring, tolerance);
    let coarse = Polygon {
        outer: coarse(&area.outer),
        holes: area
            .holes
            .iter()
            .map(coarse)
            .filter(|hole| hole.len() > 2)
            .collect(),
    };
    if coarse.outer.len() < 3 {
        // Thinner than what may be lost.
        return (Cow::Borrowed(area), 0.0);
    }
    (Cow::Owned(coarse), tolerance)
}

/// An obstacle in an R-tree.
#[derive(Clone, Debug)]
pub(super) struct GrownEntry(pub Arc<Grown>);

impl RTreeObject for GrownEntry {
    type Envelope = AABB<[f64; 2]>;

    fn envelope(&self) -> Self::Envelope {
        let Rect { min, max } = self.0.bounds;
        AABB::from_corners(min.to_array(), max.to_array())
    }
}

impl PointDistance for GrownEntry {
    fn distance_2(&self, p: &[f64; 2]) -> f64 {
        self.0.distance(DVec2::from_array(*p)).powi(2)
    }
}

fn snapped(p: DVec2) -> DVec2 {
    (p * PER_METRE).round() / PER_METRE
}

/// The polygon on the lattice as one counter-clockwise ring without redundant points, if it is
/// convex.
fn convex_ring(polygon: &Polygon) -> Option<Ring> {
    let is_fine = |p: &DVec2| p.is_finite() && p.abs().max_element() <= MAX_COORDINATE * 2.0;
    if !polygon.holes.is_empty() || !polygon.outer.iter().all(is_fine) {
        return None;
    }
    let mut ring: Ring = polygon.outer.iter().map(|p| snapped(*p)).collect();
    ring.dedup();
    while ring.len() > 1 && ring.first() == ring.last() {
        ring.pop();
    }
    if ring.len() < 3 {
        return None;
    }
    if signed_area(&ring) < 0.0 {
        ring.reverse();
    }
    let mut kept: Ring = Vec::with_capacity(ring.len());
    let count = ring.len();
    for i in 0..count {
        let (a, b, c) = (
            ring[(i + count - 1) % count],
            ring[i],
            ring[(i + 1) % count],
        );
        match side(a, b, c) {
            Side::Left => kept.push(b),
            // Straight on, or folding back.
            Side::On if (b - a).dot(c - b) > 0.0 => {}
            _ => return None,
        }
    }
    // A ring of left turns may still wind around more than once.
    let upwards = |(a, b): (DVec2, DVec2)| (b.y, b.x).partial_cmp(&(a.y, a.x));
    let directions: Vec<_> = ring_edges(&kept).map(upwards).collect();
    let turns = (0..directions.len())
        .filter(|&i| directions[i] != directions[(i + 1) % directions.len()])
        .count();
    (kept.len() >= 3 && turns == 2).then_some(kept)
}

/// The ring grown by the radius; corners become tangents of a circle, so it is never too small.
fn around(ring: &[DVec2], radius: f64) -> Ring {
    let distance = radius + ROUNDING;
    // Tangents this far apart meet at `excess` from the circle.
    let step = (2.0 * (distance / (distance + excess(radius))).acos()).clamp(0.01, FRAC_PI_2);
    let directions: Vec<DVec2> = ring_edges(ring)
        .map(|(a, b)| (b - a).normalize_or_zero())
        .collect();
    let mut grown = Vec::with_capacity(2 * ring.len());
    for (i, corner) in ring.iter().enumerate() {
        let (comes, leaves) = (directions[(i + ring.len() - 1) % ring.len()], directions[i]);
        let angle = comes.perp_dot(leaves).atan2(comes.dot(leaves)).max(0.0);
        let count = (angle / step).ceil().max(1.0);
        let share = angle / count;
        let reach = distance / (share * 0.5).cos();
        // The outside is to the right of a counter-clockwise ring.
        let normal = -comes.perp();
        for k in 0..count as usize {
            let turned = DVec2::from_angle((k as f64 + 0.5) * share).rotate(normal);
            grown.push(corner + turned * reach);
        }
    }
    grown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::hostile::small_polygon;
    use proptest::prelude::*;

    fn grown(area: Polygon, radius: f64) -> Grown {
        let id = EntityId::new(1);
        Grown::new(
            Blocker {
                id,
                area: Arc::new(area),
            },
            radius,
        )
    }

    #[test]
    fn convex_rings_are_recognised() {
        let convex = |points: &[(f64, f64)]| {
            let ring = points.iter().copied().map(DVec2::from).collect();
            convex_ring(&Polygon::new(ring)).map(|ring| ring.len())
        };
        assert_eq!(
            convex(&[(0.0, 0.0), (0.0, 2.0), (2.0, 2.0), (2.0, 1.0), (2.0, 0.0)]),
            Some(4)
        );
        assert_eq!(
            convex(&[(0.0, 0.0), (2.0, 0.0), (0.5, 0.5), (0.0, 2.0)]),
            None
        );
        assert_eq!(convex(&[(0.0, 0.0), (2.0, 0.0), (1.0, 0.0)]), None);
        assert_eq!(convex(&[(0.0, 0.0), (f64::NAN, 0.0), (1.0, 1.0)]), None);
        let star: Vec<(f64, f64)> = (0..5)
            .map(|i| DVec2::from_angle(f64::from(i) * 2.0 * std::f64::consts::TAU / 5.0).into())
            .collect();
        assert_eq!(convex(&star), None);
    }

    proptest! {
        #[test]
        fn the_outline_holds_the_disc_around_every_point_and_little_more(
            area in small_polygon(), radius in prop_oneof![Just(0.001), 0.01..3.0]
        ) {
            let radius = (radius * PER_METRE).round() / PER_METRE;
            let grown = grown(area.clone(), radius);
            let solid = repaired(&area);
            for i in 0..400 {
                let p = DVec2::new(f64::from(i % 20) - 9.537, f64::from(i / 20) - 9.619) * 0.8;
                let distance = if solid.iter().any(|polygon| polygon.contains(p)) {
                    0.0
                } else {
                    solid.iter().map(|s| s.distance_to_edge(p)).fold(f64::INFINITY, f64::min)
                };
                // Repair rounds crossings to the lattice.
                if distance < radius - 2.0 * LATTICE {
                    prop_assert!(grown.contains(p), "{p} is {distance} away");
                }
                if distance > radius + excess(radius) + 4.0 * LATTICE {
                    prop_assert!(!grown.contains(p), "{p} is {distance} away");
                }
            }
        }
    }
}
