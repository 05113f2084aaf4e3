//! An order of points in which neighbours in the list are mostly neighbours in the plane.

use crate::geometry::Rect;
use glam::DVec2;

/// Steps on each axis: 2¹⁶, so that two of them make one key.
const STEPS: f64 = 65_535.0;

/// Morton's curve over a rectangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct MortonOrder {
    origin: DVec2,
    steps_per_metre: DVec2,
}

impl MortonOrder {
    pub fn over(bounds: &Rect) -> Self {
        Self {
            origin: bounds.min,
            steps_per_metre: DVec2::splat(STEPS) / bounds.size(),
        }
    }

    /// Points outside count as if on the border.
    pub fn key(&self, p: DVec2) -> u32 {
        let at = (p - self.origin) * self.steps_per_metre;
        // The casts keep to what a `u16` holds, and turn what is not a number into 0.
        let [x, y] = at.to_array().map(|v| spread(v as u16));
        x | y << 1
    }
}

/// The bits of a number on every other place.
fn spread(bits: u16) -> u32 {
    let mut spread = u32::from(bits);
    for (shift, mask) in [
        (8, 0x00ff_00ff),
        (4, 0x0f0f_0f0f),
        (2, 0x3333_3333),
        (1, 0x5555_5555),
    ] {
        spread = (spread | spread << shift) & mask;
    }
    spread
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quarters_come_one_after_the_other() {
        let order = MortonOrder::over(&Rect::new(DVec2::ZERO, DVec2::splat(8.0)));
        let key = |x: f64, y: f64| order.key(DVec2::new(x, y));
        let corners = [key(0.0, 0.0), key(8.0, 0.0), key(0.0, 8.0), key(8.0, 8.0)];
        assert!(corners.is_sorted());
        assert_eq!((corners[0], corners[3]), (0, u32::MAX));
        assert!(key(3.9, 3.9) < key(4.1, 0.0) && key(7.9, 3.9) < key(0.0, 4.1));
        assert_eq!(key(f64::NAN, -9.0), 0);
        assert_eq!(key(f64::INFINITY, 1e300), u32::MAX);
        let point = MortonOrder::over(&Rect::new(DVec2::ONE, DVec2::ONE));
        assert_eq!(point.key(DVec2::ONE), 0);
    }
}
