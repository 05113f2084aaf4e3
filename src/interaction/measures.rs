//! Lengths, angles and areas as text beside a drawing.

use crate::base::decimal::fixed;

use super::overlay::{Overlay, OverlayStyle};
use glam::DVec2;

/// `3.25 m`; whole metres beyond a kilometre, millimetres below a metre.
#[must_use]
pub fn length(metres: f64) -> String {
    let size = metres.abs();
    if size >= 1000.0 {
        format!("{} m", fixed(metres, 1))
    } else if size >= 1.0 {
        format!("{} m", fixed(metres, 2))
    } else {
        format!("{} m", fixed(metres, 3))
    }
}

/// Storeys are numbered from 0, as on the command line.
#[must_use]
pub fn storey_text(number: usize, floor: f64) -> String {
    format!("{number}: floor at {} m", fixed(floor, 2))
}

/// `37.5°`.
#[must_use]
pub fn angle(degrees: f64) -> String {
    let rounded = (degrees * 10.0).round() / 10.0 + 0.0;
    format!("{rounded}°")
}

/// `12.50 m²`, hectares for large areas.
#[must_use]
pub fn area(square_metres: f64) -> String {
    if square_metres >= 100_000.0 {
        format!("{:.2} ha", square_metres / 10_000.0)
    } else {
        format!("{square_metres:.2} m²")
    }
}

/// `4.00 × 3.00 m`.
#[must_use]
pub fn size(size: DVec2) -> String {
    format!("{:.2} × {:.2} m", size.x.abs(), size.y.abs())
}

/// The direction of a vector. Unit: degrees from 0 to 360, counter-clockwise from +x.
#[must_use]
pub fn direction(vector: DVec2) -> f64 {
    let degrees = vector.y.atan2(vector.x).to_degrees();
    if degrees < 0.0 {
        degrees + 360.0
    } else {
        degrees
    }
}

/// The inner angle at `b` between `a` and `c`. Unit: degrees from 0 to 180.
#[must_use]
pub fn inner_angle(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    (a - b).angle_to(c - b).to_degrees().abs()
}

/// Labels a segment with its length and direction, at its midpoint.
pub fn label_piece(from: DVec2, to: DVec2, style: OverlayStyle, out: &mut Overlay) {
    if from != to {
        let text = format!(
            "{} · {}",
            length(from.distance(to)),
            angle(direction(to - from))
        );
        out.label_line(from, to, text, style);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(length(12.345), "12.35 m");
        assert_eq!(length(0.25), "0.250 m");
        assert_eq!(length(1234.56), "1234.6 m");
        assert_eq!(angle(45.04), "45°");
        assert_eq!(angle(-0.01), "0°");
        assert_eq!(area(12.5), "12.50 m²");
        assert_eq!(area(250_000.0), "25.00 ha");
        assert_eq!(direction(DVec2::new(0.0, -1.0)), 270.0);
        assert_eq!(inner_angle(DVec2::X, DVec2::ZERO, DVec2::Y), 90.0);
    }
}
