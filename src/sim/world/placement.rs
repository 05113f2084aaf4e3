//! Places for many bodies in an area.

use crate::base::Random;
use crate::geometry::Polygon;
use glam::DVec2;
use std::collections::BTreeMap;

/// Attempts with closer and closer lattices.
const MOST_LATTICES: usize = 40;

/// Up to `count` places in an area where `is_free`, at least `apart` from each other and evenly
/// spread: points of a triangular lattice, each moved at random within its own surroundings.
/// Fewer if there is no room for more.
#[must_use]
pub fn places(
    area: &Polygon,
    count: usize,
    apart: f64,
    random: &mut Random,
    is_free: impl Fn(DVec2) -> bool,
) -> Vec<DVec2> {
    let bounds = area.bounds();
    if count == 0 || bounds.is_empty() {
        return Vec::new();
    }
    let roomy = (area.area().abs() * 1.155 / count as f64).sqrt();
    let mut spacing = roomy.max(apart);
    let mut best = Vec::new();
    for _ in 0..MOST_LATTICES {
        let shift = random.point(DVec2::ZERO, DVec2::splat(spacing));
        let mut found = lattice(area, spacing, shift, &is_free);
        if found.len() >= count {
            random.shuffle(&mut found);
            found.truncate(count);
            jitter(&mut found, 0.5 * (spacing - apart), random, area, &is_free);
            return found;
        }
        if found.len() > best.len() {
            best = found;
        }
        if spacing <= apart {
            break;
        }
        spacing = (spacing * 0.96).max(apart);
    }
    best
}

/// Places that were given away in one tick, in squares.
#[derive(Debug)]
pub struct GivenAway {
    square: f64,
    largest: f64,
    squares: BTreeMap<(i64, i64), Vec<(DVec2, f64)>>,
}

impl GivenAway {
    /// For bodies up to a radius. Unit: metres.
    #[must_use]
    pub fn new(largest: f64) -> Self {
        Self {
            square: (4.0 * largest).max(0.1),
            largest,
            squares: BTreeMap::new(),
        }
    }

    fn square_at(&self, p: DVec2) -> (i64, i64) {
        let at = (p / self.square).floor();
        (at.x as i64, at.y as i64)
    }

    pub fn give(&mut self, p: DVec2, radius: f64) {
        let square = self.square_at(p);
        self.squares.entry(square).or_default().push((p, radius));
    }

    /// Whether a body that keeps so far from others, measured from its middle to their borders, overlaps none.
    #[must_use]
    pub fn is_open(&self, p: DVec2, reach: f64) -> bool {
        let far = DVec2::splat(reach + self.largest);
        let (low, high) = (self.square_at(p - far), self.square_at(p + far));
        let mut squares = (low.0..=high.0).flat_map(|x| (low.1..=high.1).map(move |y| (x, y)));
        squares.all(|square| {
            let given = self.squares.get(&square).into_iter().flatten();
            given.into_iter().all(|(at, radius)| {
                let least = reach + radius;
                at.distance_squared(p) >= least * least
            })
        })
    }
}

fn lattice(
    area: &Polygon,
    spacing: f64,
    shift: DVec2,
    is_free: &impl Fn(DVec2) -> bool,
) -> Vec<DVec2> {
    let bounds = area.bounds();
    let rise = spacing * 0.75_f64.sqrt();
    let rows = (bounds.size().y / rise) as i64 + 2;
    let columns = (bounds.size().x / spacing) as i64 + 2;
    let mut found = Vec::new();
    // A hostile area must not take all memory: the lattice is never much finer than a body.
    for row in 0..rows.min(20_000) {
        for column in -1..columns.min(20_000) {
            let stagger = if row % 2 == 0 { 0.0 } else { 0.5 };
            let at = bounds.min
                + DVec2::new(
                    (column as f64 + stagger) * spacing,
                    (row as f64 - 1.0) * rise,
                )
                + shift;
            if area.contains(at) && is_free(at) {
                found.push(at);
            }
        }
    }
    found
}

fn jitter(
    places: &mut [DVec2],
    most: f64,
    random: &mut Random,
    area: &Polygon,
    is_free: &impl Fn(DVec2) -> bool,
) {
    // Within a disc of that radius around each, no two come too close.
    for place in places {
        let offset = random.point(DVec2::splat(-1.0), DVec2::ONE);
        let moved = *place + offset * (most.max(0.0) * std::f64::consts::FRAC_1_SQRT_2);
        if area.contains(moved) && is_free(moved) {
            *place = moved;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Rect;
    use proptest::prelude::*;

    #[test]
    fn places_that_were_given_away_are_known_however_many_there_are() {
        let mut random = Random::new(7);
        let mut given = GivenAway::new(0.3);
        let mut all: Vec<DVec2> = Vec::new();
        for _ in 0..2000 {
            let p = random.point(DVec2::splat(-6.0), DVec2::splat(6.0));
            let is_apart = all.iter().all(|other| other.distance(p) >= 0.5);
            assert_eq!(given.is_open(p, 0.3), is_apart, "{p}");
            if is_apart {
                given.give(p, 0.2);
                all.push(p);
            }
        }
        assert!(all.len() > 200);
    }

    proptest! {
        #[test]
        fn places_keep_apart_and_in_the_area(
            seed in any::<u64>(),
            count in 1_usize..300,
            apart in 0.2..0.8_f64,
            size in (0.5..15.0_f64, 0.5..15.0_f64),
        ) {
            let area = Polygon::rect(Rect::new(DVec2::ZERO, DVec2::from(size)));
            let is_free = |p: DVec2| p.distance(DVec2::ONE) > 0.7;
            let found = places(&area, count, apart, &mut Random::new(seed), is_free);
            prop_assert!(found.len() <= count);
            for (i, a) in found.iter().enumerate() {
                prop_assert!(area.contains(*a) && is_free(*a));
                for b in &found[..i] {
                    prop_assert!(a.distance(*b) >= apart - 1e-9);
                }
            }
            // Well below the densest packing, all find a place.
            let room = size.0 * size.1 / (apart * apart);
            if size.0.min(size.1) > 4.0 * apart && (count as f64) < 0.4 * room - 8.0 {
                prop_assert_eq!(found.len(), count);
            }
        }
    }
}
