//! From a level's coordinates to those of programs that calculate with 32-bit numbers.

use crate::base::decimal;
use crate::geometry::Rect;
use glam::{DVec2, DVec3};
use serde_json::{Value, json};

/// Up to here, 32-bit numbers tell half a millimetre apart. Unit: metres.
const EXACT: f64 = 4096.0;

/// Where the origin of the exported file lies in the level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Frame {
    /// A whole number of metres. Zero unless the level lies far from its own origin.
    pub origin: DVec2,
    /// Farthest that anything lies from the file's origin. Unit: metres.
    reach: f64,
}

impl Frame {
    pub fn of(bounds: Rect) -> Self {
        let farthest = |from: DVec2| {
            let corners = [bounds.min - from, bounds.max - from];
            let far = corners.map(|corner| corner.abs().max_element());
            far[0].max(far[1])
        };
        let origin = if farthest(DVec2::ZERO) > EXACT {
            bounds.centre().round()
        } else {
            DVec2::ZERO
        };
        Self {
            origin,
            reach: farthest(origin),
        }
    }

    /// For shapes that are given about their own middle.
    pub const fn at_origin() -> Self {
        Self {
            origin: DVec2::ZERO,
            reach: 0.0,
        }
    }

    pub fn plan(&self, p: DVec2) -> DVec2 {
        p - self.origin
    }

    /// x right, y up, z towards the viewer of the plan: what glTF, Godot, Unity's importers and Detour take.
    pub fn y_up(&self, p: DVec3) -> [f32; 3] {
        let flat = self.plan(p.truncate());
        // Adding 0 turns −0 into 0.
        [flat.x, p.z, -flat.y].map(|v| v as f32 + 0.0)
    }

    /// What a person should know about it.
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if self.origin != DVec2::ZERO {
            remarks.push(format!(
                "coordinates are relative to {}, {}: engines calculate with 32-bit numbers",
                decimal::plain(self.origin.x),
                decimal::plain(self.origin.y)
            ));
        }
        if self.reach > EXACT {
            // The distance between neighbouring numbers of 24 bits.
            let step = 2f64.powi(self.reach.log2().floor() as i32 - 23);
            remarks.push(format!(
                "the level is so large that coordinates are rounded to {:.1} mm",
                step * 1000.0
            ));
        }
        remarks
    }

    pub fn to_json(self) -> Value {
        json!([self.origin.x, self.origin.y])
    }
}

/// A 32-bit number as text, as short as it can be.
pub(super) fn number(value: f32) -> String {
    if value == 0.0 {
        "0".to_owned()
    } else {
        value.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_far_away_is_moved_and_one_at_hand_is_not() {
        let near = Frame::of(Rect::new(DVec2::splat(-100.0), DVec2::splat(4000.0)));
        assert_eq!(near.origin, DVec2::ZERO);
        assert!(near.remarks().is_empty());
        let far = Frame::of(Rect::new(DVec2::splat(999_000.0), DVec2::splat(1e6)));
        assert_eq!(far.origin, DVec2::splat(999_500.0));
        assert_eq!(far.remarks().len(), 1);
        let p = DVec3::new(999_500.25, 999_501.0, 2.0);
        assert_eq!(far.y_up(p), [0.25, 2.0, -1.0]);
        let vast = Frame::of(Rect::new(DVec2::splat(-1e6), DVec2::splat(1e6)));
        assert!(
            vast.remarks()[0].contains("62.5 mm"),
            "{:?}",
            vast.remarks()
        );
    }
}
