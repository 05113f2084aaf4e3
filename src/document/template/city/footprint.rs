//! Outlines of town houses, fitted into a plot.

use super::super::shape::chamfered;
use crate::base::Random;
use crate::geometry::{Polygon, Rect};
use glam::DVec2;

/// The side of a plot that faces the street.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Front {
    South,
    North,
    West,
    East,
}

impl Front {
    /// Direction the front door faces. Unit: degrees.
    pub(super) const fn degrees(self) -> f64 {
        match self {
            Self::South => -90.0,
            Self::North => 90.0,
            Self::West => 180.0,
            Self::East => 0.0,
        }
    }
}

/// Places a shape drawn for a unit plot with its front at the bottom, in metres from the plot's
/// sides, on the actual plot, facing its street.
fn placed(plot: Rect, front: Front, corners: &[(f64, f64)]) -> Polygon {
    let size = plot.size();
    let ring = corners
        .iter()
        .map(|&(x, y)| match front {
            Front::South => plot.min + DVec2::new(x, y),
            Front::North => plot.min + DVec2::new(size.x - x, size.y - y),
            Front::West => plot.min + DVec2::new(y, size.y - x),
            Front::East => plot.min + DVec2::new(size.x - y, x),
        })
        .collect();
    Polygon::new(ring)
}

/// Width along the street and depth of a plot.
pub(super) fn frontage(plot: Rect, front: Front) -> (f64, f64) {
    let size = plot.size();
    match front {
        Front::South | Front::North => (size.x, size.y),
        Front::West | Front::East => (size.y, size.x),
    }
}

/// A house with one of the common outlines.
pub(super) fn house(plot: Rect, front: Front, random: &mut Random) -> Polygon {
    let (width, depth) = frontage(plot, front);
    let large = width > 11.0 && depth > 11.0;
    match random.below(if large { 10 } else { 5 }) {
        0 | 1 => plain(plot, front, depth * random.range(0.7, 1.0)),
        2 => bay(plot, front, random),
        3 | 4 => angle(plot, front, random),
        5 | 6 => angle(plot, front, random),
        7 => court(plot, front, random),
        8 => tee(plot, front, random),
        _ => stepped(plot, front, random),
    }
}

pub(super) fn plain(plot: Rect, front: Front, depth: f64) -> Polygon {
    let (width, _) = frontage(plot, front);
    placed(
        plot,
        front,
        &[(0.0, 0.0), (width, 0.0), (width, depth), (0.0, depth)],
    )
}

/// L: a wing along one side of the yard.
fn angle(plot: Rect, front: Front, random: &mut Random) -> Polygon {
    let (width, depth) = frontage(plot, front);
    let body = depth * random.range(0.5, 0.68);
    let wing = width * random.range(0.38, 0.55);
    if random.chance(0.5) {
        placed(
            plot,
            front,
            &[
                (0.0, 0.0),
                (width, 0.0),
                (width, body),
                (wing, body),
                (wing, depth),
                (0.0, depth),
            ],
        )
    } else {
        placed(
            plot,
            front,
            &[
                (0.0, 0.0),
                (width, 0.0),
                (width, depth),
                (width - wing, depth),
                (width - wing, body),
                (0.0, body),
            ],
        )
    }
}

/// U: two wings round a court that opens away from the street.
pub(super) fn court(plot: Rect, front: Front, random: &mut Random) -> Polygon {
    let (width, depth) = frontage(plot, front);
    let body = depth * random.range(0.42, 0.5);
    let wing = width * random.range(0.26, 0.32);
    let short = depth * random.range(0.75, 1.0);
    placed(
        plot,
        front,
        &[
            (0.0, 0.0),
            (width, 0.0),
            (width, depth),
            (width - wing, depth),
            (width - wing, body),
            (wing, body),
            (wing, short),
            (0.0, short),
        ],
    )
}

/// T: a wing in the middle of the back.
fn tee(plot: Rect, front: Front, random: &mut Random) -> Polygon {
    let (width, depth) = frontage(plot, front);
    let body = depth * random.range(0.5, 0.6);
    let left = width * random.range(0.26, 0.34);
    let right = width - width * random.range(0.26, 0.34);
    placed(
        plot,
        front,
        &[
            (0.0, 0.0),
            (width, 0.0),
            (width, body),
            (right, body),
            (right, depth),
            (left, depth),
            (left, body),
            (0.0, body),
        ],
    )
}

/// A bay that steps back from the street on both sides of the door.
fn bay(plot: Rect, front: Front, random: &mut Random) -> Polygon {
    let (width, depth) = frontage(plot, front);
    let back = random.range(1.0, 1.8);
    let (left, right) = (width * 0.3, width * 0.7);
    placed(
        plot,
        front,
        &[
            (0.0, back),
            (left, back),
            (left, 0.0),
            (right, 0.0),
            (right, back),
            (width, back),
            (width, depth),
            (0.0, depth),
        ],
    )
}

/// Three parts, each deeper than the one before.
fn stepped(plot: Rect, front: Front, random: &mut Random) -> Polygon {
    let (width, depth) = frontage(plot, front);
    let (a, b) = (
        width * random.range(0.3, 0.38),
        width * random.range(0.62, 0.7),
    );
    let (low, middle) = (
        depth * random.range(0.5, 0.6),
        depth * random.range(0.72, 0.82),
    );
    placed(
        plot,
        front,
        &[
            (0.0, 0.0),
            (width, 0.0),
            (width, low),
            (b, low),
            (b, middle),
            (a, middle),
            (a, depth),
            (0.0, depth),
        ],
    )
}

/// A closed block round a courtyard, its street corners cut off.
pub(super) fn courtyard(plot: Rect, wing: f64, cut: f64) -> Polygon {
    let mut polygon = chamfered(plot, cut);
    polygon
        .holes
        .push(Polygon::rect(plot.expanded(-wing)).outer);
    // Holes are clockwise.
    for hole in &mut polygon.holes {
        hole.reverse();
    }
    polygon
}

/// A great church: nave, transepts and a round choir, its towers to the west.
pub(super) fn minster(centre: DVec2, length: f64) -> Polygon {
    let (l, w) = (length * 0.5, length * 0.13);
    let t = length * 0.26;
    let ring = [
        (-l, -w * 1.25),
        (-l * 0.72, -w * 1.25),
        (-l * 0.72, -w),
        (l * 0.12, -w),
        (l * 0.12, -t),
        (l * 0.42, -t),
        (l * 0.42, -w),
        (l * 0.74, -w),
        (l * 0.94, -w * 0.55),
        (l, 0.0),
        (l * 0.94, w * 0.55),
        (l * 0.74, w),
        (l * 0.42, w),
        (l * 0.42, t),
        (l * 0.12, t),
        (l * 0.12, w),
        (-l * 0.72, w),
        (-l * 0.72, w * 1.25),
        (-l, w * 1.25),
    ];
    Polygon::new(
        ring.iter()
            .map(|&(x, y)| centre + DVec2::new(x, y))
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::polygon::signed_area;

    #[test]
    fn houses_stay_on_their_plots_and_turn_left() {
        let plot = Rect::new(DVec2::new(5.0, 7.0), DVec2::new(21.0, 20.0));
        let mut random = Random::new(3);
        for front in [Front::South, Front::North, Front::West, Front::East] {
            for _ in 0..50 {
                let house = house(plot, front, &mut random);
                assert!(plot.contains_rect(&house.bounds()), "{front:?} {house:?}");
                assert!(signed_area(&house.outer) > 0.0, "{front:?} {house:?}");
            }
        }
        let closed = courtyard(plot, 4.0, 2.0);
        assert!(signed_area(&closed.holes[0]) < 0.0);
        assert!(signed_area(&minster(DVec2::ZERO, 40.0).outer) > 0.0);
    }
}
