//! Shapes used by several templates.

use crate::base::Random;
use crate::geometry::curve::{Cubic, smooth_handles};
use crate::geometry::{Polygon, Rect, Ring};
use glam::DVec2;
use std::f64::consts::{FRAC_PI_2, PI, TAU};
use std::ops::Range;

/// Coordinates along and beside a line such as a street: `u` runs along it, `v` to its left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    origin: DVec2,
    along: DVec2,
}

impl Frame {
    pub(super) fn towards(from: DVec2, to: DVec2) -> Self {
        Self {
            origin: from,
            along: (to - from).normalize_or(DVec2::X),
        }
    }

    /// The frame with its origin moved along the line.
    pub(super) fn moved(self, u: f64) -> Self {
        Self {
            origin: self.at(u, 0.0),
            ..self
        }
    }

    pub(super) fn at(&self, u: f64, v: f64) -> DVec2 {
        self.origin + self.along * u + self.along.perp() * v
    }

    pub(super) fn block(&self, u: Range<f64>, v: Range<f64>) -> Polygon {
        self.shape(&[
            (u.start, v.start),
            (u.end, v.start),
            (u.end, v.end),
            (u.start, v.end),
        ])
    }

    pub(super) fn shape(&self, corners: &[(f64, f64)]) -> Polygon {
        Polygon::new(corners.iter().map(|&(u, v)| self.at(u, v)).collect()).normalised()
    }

    /// Where its parallel at `v` meets the line through `point` perpendicular to `normal`.
    pub(super) fn meet(&self, v: f64, point: DVec2, normal: DVec2) -> DVec2 {
        let from = self.at(0.0, v);
        from + self.along * ((point - from).dot(normal) / self.along.dot(normal))
    }

    /// The direction of its left side. Unit: degrees.
    pub(super) fn left_degrees(&self) -> f64 {
        self.along.perp().to_angle().to_degrees()
    }
}

pub(super) fn vecs(points: &[(f64, f64)]) -> Vec<DVec2> {
    points.iter().copied().map(DVec2::from).collect()
}

pub(super) fn rect(x: Range<f64>, y: Range<f64>) -> Rect {
    Rect::new(DVec2::new(x.start, y.start), DVec2::new(x.end, y.end))
}

/// A box rotated about its centre. Angle in radians.
pub(super) fn turned_box(centre: DVec2, size: DVec2, angle: f64) -> Polygon {
    let turn = DVec2::from_angle(angle);
    Polygon::rect(Rect::around(DVec2::ZERO, size * 0.5)).map(|p| centre + turn.rotate(p))
}

/// A rectangle with its corners cut off at 45°.
pub(super) fn chamfered(area: Rect, cut: f64) -> Polygon {
    let (min, max) = (area.min, area.max);
    Polygon::new(vec![
        DVec2::new(min.x + cut, min.y),
        DVec2::new(max.x - cut, min.y),
        DVec2::new(max.x, min.y + cut),
        DVec2::new(max.x, max.y - cut),
        DVec2::new(max.x - cut, max.y),
        DVec2::new(min.x + cut, max.y),
        DVec2::new(min.x, max.y - cut),
        DVec2::new(min.x, min.y + cut),
    ])
}

/// A rectangle with round corners of four points each.
pub(super) fn rounded(area: Rect, radius: f64) -> Polygon {
    let inner = area.expanded(-radius).corners();
    Polygon::new(
        inner
            .iter()
            .enumerate()
            .flat_map(|(i, corner)| {
                let from = PI + FRAC_PI_2 * i as f64;
                (0..4).map(move |step| {
                    *corner + DVec2::from_angle(from + FRAC_PI_2 * f64::from(step) / 3.0) * radius
                })
            })
            .collect(),
    )
}

/// A smooth irregular ring: a circle modulated by a few slow waves.
pub(super) fn blob(
    centre: DVec2,
    radii: DVec2,
    points: usize,
    waver: f64,
    random: &mut Random,
) -> Polygon {
    let waves: Vec<(f64, f64, f64)> = (2..5)
        .map(|k| {
            let k = f64::from(k);
            (
                k,
                random.range(0.0, TAU),
                waver * random.range(0.4, 1.0) / k,
            )
        })
        .collect();
    Polygon::new(
        (0..points)
            .map(|i| {
                let angle = TAU * i as f64 / points as f64;
                let scale: f64 = 1.0
                    + waves
                        .iter()
                        .map(|(k, phase, depth)| depth * (k * angle + phase).sin())
                        .sum::<f64>();
                centre + DVec2::from_angle(angle) * radii * scale
            })
            .collect(),
    )
}

/// A convex polygon with corners at uneven angles on an ellipse rotated by `angle`.
pub(super) fn rock(
    centre: DVec2,
    radii: DVec2,
    angle: f64,
    corners: usize,
    random: &mut Random,
) -> Polygon {
    let step = TAU / corners as f64;
    let turn = DVec2::from_angle(angle);
    Polygon::new(
        (0..corners)
            .map(|i| {
                let at = step * (i as f64 + random.range(-0.3, 0.3));
                centre + turn.rotate(DVec2::from_angle(at) * radii)
            })
            .collect(),
    )
}

/// Flattens the smooth curve through `points`.
pub(super) fn smooth(points: &[DVec2]) -> Vec<DVec2> {
    /// Largest distance between curve and line: invisible at the scale of a path.
    const SAG: f64 = 0.05;
    let handles = smooth_handles(points, false);
    let mut line: Vec<DVec2> = points.first().copied().into_iter().collect();
    for (pair, handles) in points.windows(2).zip(handles.windows(2)) {
        Cubic {
            from: pair[0],
            from_control: pair[0] + handles[0].after,
            to_control: pair[1] + handles[1].before,
            to: pair[1],
        }
        .flatten_into(SAG, &mut line);
    }
    line
}

/// The strip within `half_width` of a line, its ends cut square.
pub(super) fn ribbon(line: &[DVec2], half_width: f64) -> Polygon {
    let normals: Vec<DVec2> = (0..line.len())
        .map(|i| {
            let (before, after) = (i.saturating_sub(1), (i + 1).min(line.len() - 1));
            (line[after] - line[before]).normalize_or(DVec2::X).perp()
        })
        .collect();
    let side = |sign: f64| {
        line.iter()
            .zip(&normals)
            .map(move |(p, n)| *p + *n * half_width * sign)
    };
    let outer: Ring = side(-1.0).chain(side(1.0).rev()).collect();
    Polygon::new(outer)
}

/// Distance from `p` to a line of points.
pub(super) fn distance_to_line(line: &[DVec2], p: DVec2) -> f64 {
    line.windows(2)
        .map(|pair| crate::geometry::polygon::closest_on_segment(pair[0], pair[1], p).distance(p))
        .fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::polygon::signed_area;

    #[test]
    fn composed_shapes_turn_left() {
        let mut random = Random::new(1);
        let area = rect(0.0..10.0, 0.0..6.0);
        for polygon in [
            chamfered(area, 1.0),
            rounded(area, 1.0),
            turned_box(DVec2::ONE, DVec2::new(4.0, 2.0), 1.0),
            blob(DVec2::ONE, DVec2::splat(3.0), 16, 0.2, &mut random),
            rock(DVec2::ONE, DVec2::splat(3.0), 0.3, 6, &mut random),
            ribbon(&smooth(&vecs(&[(0.0, 0.0), (5.0, 2.0), (9.0, 0.0)])), 0.5),
            Frame::towards(DVec2::ZERO, DVec2::ONE).block(1.0..3.0, -4.0..-2.0),
        ] {
            assert!(signed_area(&polygon.outer) > 0.0, "{polygon:?}");
        }
    }
}
