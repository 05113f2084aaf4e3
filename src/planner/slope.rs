//! A path bent away from steep ascent.
//!
//! Niederberger et al. 2004, §7.2: towards waypoint w the heading is turned from the
//! straight line by δ(p) = f(‖w − p‖)·‖∇(p)‖·cos φ, φ the angle between that line and the
//! gradient; only uphill. Where the paper leaves it open: f rises linearly from 0 at the waypoint
//! to its full value at the fading distance; the turn is to the side that the gradient is not on,
//! so that the slope gets flatter, and to the left where it is straight ahead. Unlike the
//! paper's, the bent path never leaves free space: a step that would is turned back towards the
//! straight line until it does not, and a stretch that cannot get to its waypoint stays straight.

use super::request::SlopeLimits;
use crate::geometry::{
    HeightField,
    predicates::{Side, side},
};
use crate::nav::{CellId, CellMap, PortalId};
use glam::DVec2;

/// Largest number of steps of a stretch, however long it is and however short they are.
const MAX_STEPS: f64 = 4096.0;

/// Attempts to turn a step back towards the straight line before that is taken as it is.
const TURNS_BACK: u32 = 4;

/// The path with points of its own on slopes; the waypoints stay.
#[must_use]
pub fn bent(
    path: &[DVec2],
    ground: &HeightField,
    map: &CellMap,
    limits: &SlopeLimits,
) -> Vec<DVec2> {
    let Some(&first) = path.first() else {
        return Vec::new();
    };
    let mut points = vec![first];
    for pair in path.windows(2) {
        match stretch(pair[0], pair[1], ground, map, limits) {
            Some(bent) => points.extend(bent),
            None => points.push(pair[1]),
        }
    }
    points
}

/// Turn of the heading at `p` towards `waypoint`; positive to the left.
/// Unit: radians.
#[must_use]
pub fn deviation(p: DVec2, waypoint: DVec2, ground: &HeightField, limits: &SlopeLimits) -> f64 {
    let ahead = waypoint - p;
    let gradient = ground.gradient(p);
    let (distance, steepness) = (ahead.length(), gradient.length());
    if !(distance > 0.0 && steepness > 0.0) {
        return 0.0;
    }
    let cos = ahead.dot(gradient) / (distance * steepness);
    if cos <= 0.0 {
        return 0.0;
    }
    let fade = limits.max_angle * (distance / limits.fade).min(1.0);
    let angle = (fade * steepness * cos).min(limits.max_angle);
    if ahead.perp_dot(gradient) > 0.0 {
        -angle
    } else {
        angle
    }
}

/// From one waypoint to the next, without the first; `None` if it must stay straight.
fn stretch(
    from: DVec2,
    to: DVec2,
    ground: &HeightField,
    map: &CellMap,
    limits: &SlopeLimits,
) -> Option<Vec<DVec2>> {
    let length = from.distance(to);
    // Each step gets nearer by at least cos ∠max of itself, hence the bound on their number.
    let step = limits.step.max(length * 2.0 / MAX_STEPS);
    let mut points = Vec::new();
    let mut p = from;
    // The side is kept along a stretch: changing it at every ripple would make a zigzag.
    let mut turn = 0.0;
    let mut is_bent = false;
    for _ in 0..MAX_STEPS as usize {
        let rest = p.distance(to);
        if rest <= step * 1.5 {
            return (is_bent && sees(map, p, to)).then(|| {
                points.push(to);
                points
            });
        }
        let wanted = deviation(p, to, ground, limits);
        if turn == 0.0 {
            turn = if wanted == 0.0 { 0.0 } else { wanted.signum() };
        }
        let straight = (to - p) / rest;
        let mut angle = wanted.abs() * turn;
        let mut next = p + step * DVec2::from_angle(angle).rotate(straight);
        let mut tries = 0;
        while angle != 0.0 && !sees(map, p, next) {
            tries += 1;
            angle = if tries < TURNS_BACK { angle * 0.5 } else { 0.0 };
            next = p + step * DVec2::from_angle(angle).rotate(straight);
        }
        if angle == 0.0 && !sees(map, p, next) {
            return None;
        }
        is_bent |= angle != 0.0;
        points.push(next);
        p = next;
    }
    None
}

/// Whether the straight line between two places stays in free space, borders included.
#[must_use]
pub fn sees(map: &CellMap, from: DVec2, to: DVec2) -> bool {
    let Some(mut cell) = map.locate(from) else {
        return false;
    };
    let mut before: Option<CellId> = None;
    // A line passes each cell once.
    for _ in 0..=map.len() {
        if map.covers(cell, to) {
            return true;
        }
        let Some(portal) = exit_towards(map, cell, before, from, to) else {
            return false;
        };
        let next = map.portal(portal).beyond(cell);
        before = Some(cell);
        cell = next;
    }
    false
}

/// The portal through which a straight line leaves a cell; not back into the cell before.
pub(super) fn exit_towards(
    map: &CellMap,
    cell: CellId,
    before: Option<CellId>,
    from: DVec2,
    to: DVec2,
) -> Option<PortalId> {
    let corners = map.corners(cell);
    map.sides(cell).iter().enumerate().find_map(|(i, portal)| {
        let (a, b) = (corners[i], corners[(i + 1) % corners.len()]);
        let portal = (*portal)?;
        let next = map.portal(portal).beyond(cell);
        // Leaves through a → b with the inside on the left: `to` is beyond that line, and
        // the line to it passes between both ends.
        let leaves = Some(next) != before
            && side(a, b, to) == Side::Right
            && side(from, to, a) != Side::Left
            && side(from, to, b) != Side::Right;
        leaves.then_some(portal)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Polygon, Rect, polygon::ring_edges};
    use crate::planner::tests::slabs;
    use proptest::prelude::*;

    fn bounds() -> Rect {
        Rect::new(DVec2::ZERO, DVec2::splat(100.0))
    }

    /// A plane that rises along x.
    fn ramp(rise: f64) -> HeightField {
        let mut field = HeightField::flat(bounds(), 10.0, 0.0);
        field.heights = (0..field.rows * field.columns)
            .map(|i| rise * 10.0 * (i % field.columns) as f64)
            .collect();
        field
    }

    #[test]
    fn uphill_bends_downhill_and_along_the_slope_do_not() {
        let map = slabs::map(bounds(), &[]);
        let limits = SlopeLimits::default();
        let (west, east) = (DVec2::new(10.0, 50.0), DVec2::new(90.0, 50.0));
        let up = bent(&[west, east], &ramp(0.5), &map, &limits);
        assert!(up.len() > 10);
        assert_eq!((up[0], *up.last().expect("not empty")), (west, east));
        let offset = up.iter().map(|p| (p.y - 50.0).abs()).fold(0.0, f64::max);
        assert!(offset > 5.0, "{offset}");
        for still in [
            bent(&[east, west], &ramp(0.5), &map, &limits),
            bent(&[west, east], &ramp(0.0), &map, &limits),
        ] {
            assert_eq!(still.len(), 2);
        }
        let across = [DVec2::new(50.0, 10.0), DVec2::new(50.0, 90.0)];
        assert_eq!(bent(&across, &ramp(0.5), &map, &limits).len(), 2);
        assert!(bent(&[], &ramp(0.5), &map, &limits).is_empty());
    }

    #[test]
    fn the_deviation_follows_the_formula() {
        let limits = SlopeLimits {
            max_angle: 1.0,
            fade: 20.0,
            step: 1.0,
        };
        let ground = ramp(0.5);
        let at = DVec2::new(50.0, 50.0);
        let towards = |angle: f64, distance: f64| {
            deviation(
                at,
                at + distance * DVec2::from_angle(angle),
                &ground,
                &limits,
            )
        };
        assert!((towards(0.0, 30.0) - 0.5).abs() < 1e-12);
        assert!((towards(0.0, 10.0) - 0.25).abs() < 1e-12);
        let diagonal = std::f64::consts::FRAC_PI_4;
        assert!((towards(diagonal, 30.0) - 0.5 * diagonal.cos()).abs() < 1e-12);
        assert!((towards(-diagonal, 30.0) + 0.5 * diagonal.cos()).abs() < 1e-12);
        assert_eq!(towards(3.0, 30.0), 0.0);
        assert!(deviation(at, at, &ground, &limits) == 0.0);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn a_bent_path_stays_out_of_obstacles(
            poles in prop::collection::vec((5.0..95.0, 5.0..95.0, 2.0..9.0), 1..8),
            rise in 0.0..3.0, y in 1.0..99.0, max_angle in 0.0..1.57,
        ) {
            let obstacles: Vec<Polygon> = poles
                .iter()
                .map(|&(x, y, r)| Polygon::regular(DVec2::new(x, y), r, 5, x))
                .collect();
            let free = slabs::free(bounds(), &obstacles);
            let map = slabs::map(bounds(), &obstacles);
            let (from, to) = (DVec2::new(0.5, y), DVec2::new(99.5, y));
            prop_assume!(sees(&map, from, to));
            let limits = SlopeLimits { max_angle, ..SlopeLimits::default() };
            let path = bent(&[from, to], &ramp(rise), &map, &limits);
            prop_assert_eq!(path.last(), Some(&to));
            for pair in path.windows(2) {
                for edge in free.iter().flat_map(|a| a.rings().flat_map(|r| ring_edges(r))) {
                    let met = crate::geometry::predicates::meeting(pair[0], pair[1], edge.0, edge.1);
                    let crossed = matches!(met, crate::geometry::predicates::Meeting::Crossing(_));
                    prop_assert!(!crossed, "{:?} {:?}", pair, edge);
                }
            }
        }
    }
}
