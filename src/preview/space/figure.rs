//! People as simple figures: boxes of body, head and limbs that walk.
//!
//! OpenGL makes the boxes itself (`figure.vert`); what is here is its twin for the rasteriser.

use super::layer::Rgba;
use bytemuck::{Pod, Zeroable};
use glam::{DVec2, DVec3};

/// Corners that the shader makes of each figure: six boxes and a shadow.
pub const CORNERS: i32 = 6 * 36 + 6;

/// From the foot to the tip of the shadow of something one metre high: away from the sun of `raster.rs`.
pub const SHADOW: DVec2 = DVec2::new(0.3913, 0.8945);

/// Figures that are smaller than this share of half the picture's height have no limbs.
pub const LEAST: f32 = 0.05;

/// Length of two steps at the usual speed. Unit: metres.
const STRIDE: f64 = 1.5;

const SKIN: [f64; 3] = [0.85, 0.72, 0.61];

/// One of many figures.
#[derive(Clone, Copy, Debug, Pod, PartialEq, Zeroable)]
#[repr(C)]
pub struct SpaceFigure {
    pub foot: [f32; 3],
    /// Unit: radians.
    pub heading: f32,
    /// Unit: metres.
    pub height: f32,
    /// Unit: metres.
    pub radius: f32,
    /// Of its steps. Unit: radians.
    pub phase: f32,
    /// How far it steps out, from 0 for one that stands to 1.
    pub stride: f32,
    pub colour: Rgba,
}

/// The gait of one who prefers some speed and has another, at a time: phase and stride. Steps come as often as
/// at the preferred speed, so that they are even however speeds change; slow people take short ones.
#[must_use]
pub fn gait(time: f64, preferred: f64, speed: f64, number: u32) -> (f64, f64) {
    let preferred = preferred.max(0.3);
    let turns = time * preferred / STRIDE + f64::from(number) * 0.618_034;
    let stride = (speed / preferred).clamp(0.0, 1.15);
    (turns.fract() * std::f64::consts::TAU, stride)
}

/// A box of a figure: its eight corners by bits (x, y, z), and its colour.
pub type Part = ([DVec3; 8], Rgba);

impl SpaceFigure {
    /// From the foot up, for bounds.
    #[must_use]
    pub fn extent(&self) -> [DVec3; 2] {
        let foot = DVec3::from_array(self.foot.map(f64::from));
        let (radius, height) = (f64::from(self.radius), f64::from(self.height));
        let aside = DVec3::new(radius, radius, 0.0);
        [foot - aside, foot + aside + DVec3::Z * height]
    }

    /// Corners of its shadow on the ground.
    #[must_use]
    pub fn shadow(&self) -> [DVec3; 4] {
        let foot = DVec3::from_array(self.foot.map(f64::from)) + DVec3::Z * 0.015;
        let (radius, height) = (f64::from(self.radius), f64::from(self.height));
        let far = (SHADOW * height * 0.8).extend(0.0);
        let across = SHADOW.perp().normalize().extend(0.0) * radius;
        [
            foot - across * 0.85,
            foot + across * 0.85,
            foot + far + across * 0.6,
            foot + far - across * 0.6,
        ]
    }

    /// Body, head, legs and arms.
    #[must_use]
    pub fn parts(&self) -> [Part; 6] {
        let (height, radius) = (f64::from(self.height), f64::from(self.radius));
        let stride = f64::from(self.stride);
        let shoulder = radius.min(0.19 * height);
        let swing = f64::from(self.phase).sin() * stride;
        let [r, g, b, a] = self.colour;
        let own = [r, g, b].map(|lane| f64::from(lane) / 255.0);
        let ink = |lanes: [f64; 3]| -> Rgba {
            let [r, g, b] = lanes.map(|lane| (lane.clamp(0.0, 1.0) * 255.0).round() as u8);
            [r, g, b, a]
        };
        let limb = |aside: f64, is_leg: bool| {
            let turn = swing * aside * if is_leg { 0.55 } else { -0.5 };
            let reach = if is_leg { 0.235 } else { 0.17 } * height;
            let (half, joint, tone) = if is_leg {
                let half = DVec3::new(0.05 * height, (shoulder * 0.45).min(0.06 * height), reach);
                let joint = DVec3::new(0.0, aside * shoulder * 0.5, 0.47 * height);
                (half, joint, 0.5)
            } else {
                let half = DVec3::new(0.036 * height, 0.034 * height, reach);
                let joint = DVec3::new(0.0, aside * (shoulder + 0.03 * height), 0.80 * height);
                (half, joint, 0.85)
            };
            let centre = DVec3::new(0.0, 0.0, -reach);
            (half, centre, joint, turn, ink(own.map(|lane| lane * tone)))
        };
        let still =
            |half: DVec3, centre: DVec3, colour: Rgba| (half, centre, DVec3::ZERO, 0.0, colour);
        let skin: [f64; 3] = std::array::from_fn(|i| own[i] * 0.2 + SKIN[i] * 0.8);
        let boxes = [
            still(
                DVec3::new(0.07 * height, shoulder, 0.175 * height),
                DVec3::new(0.0, 0.0, 0.645 * height),
                self.colour,
            ),
            still(
                DVec3::new(0.062, 0.055, 0.075) * height,
                DVec3::new(0.01, 0.0, 0.915) * height,
                ink(skin),
            ),
            limb(1.0, true),
            limb(-1.0, true),
            limb(1.0, false),
            limb(-1.0, false),
        ];
        let ahead = DVec2::from_angle(f64::from(self.heading));
        let foot = DVec3::from_array(self.foot.map(f64::from));
        boxes.map(|(half, centre, joint, turn, colour)| {
            let (s, c) = turn.sin_cos();
            let corner = |i: usize| {
                let side = |bit: usize| if i >> bit & 1 == 0 { -1.0 } else { 1.0 };
                let p = centre + half * DVec3::new(side(0), side(1), side(2));
                let mut p = joint + DVec3::new(p.x * c - p.z * s, p.y, p.x * s + p.z * c);
                p.x += 0.03 * stride * p.z;
                foot + (ahead * p.x + ahead.perp() * p.y).extend(p.z)
            };
            (std::array::from_fn(corner), colour)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(stride: f32, phase: f32) -> SpaceFigure {
        SpaceFigure {
            foot: [3.0, 4.0, 1.0],
            heading: 0.7,
            height: 1.8,
            radius: 0.2,
            phase,
            stride,
            colour: [200, 60, 30, 255],
        }
    }

    #[test]
    fn a_figure_stands_on_its_foot_and_is_as_tall_as_it_is() {
        for phase in [0.0, 1.0, 2.5] {
            let parts = figure(0.0, phase).parts();
            let heights = parts.iter().flat_map(|(corners, _)| corners.map(|p| p.z));
            let (low, high) = heights.fold((f64::MAX, f64::MIN), |(l, h), z| (l.min(z), h.max(z)));
            assert!((low - 1.0).abs() < 0.02, "{low}");
            assert!((high - 2.8).abs() < 0.03, "{high}");
        }
    }

    #[test]
    fn legs_swing_against_each_other_and_rest_when_it_stands() {
        let ahead = DVec2::from_angle(0.7);
        let sole = |figure: &SpaceFigure, leg: usize| {
            let (mut corners, _) = figure.parts()[leg];
            corners.sort_by(|a, b| a.z.total_cmp(&b.z));
            let middle = corners[..4].iter().sum::<DVec3>() / 4.0;
            (middle.truncate() - DVec2::new(3.0, 4.0)).dot(ahead)
        };
        let walking = figure(1.0, std::f32::consts::FRAC_PI_2);
        assert!(
            sole(&walking, 2) - sole(&walking, 3) > 0.3
                || sole(&walking, 3) - sole(&walking, 2) > 0.3
        );
        let standing = figure(0.0, std::f32::consts::FRAC_PI_2);
        // The heading is kept in single precision.
        assert!((sole(&standing, 2) - sole(&standing, 3)).abs() < 1e-6);
    }

    #[test]
    fn steps_are_even_and_those_of_slow_people_short() {
        let (phase, stride) = gait(10.0, 1.3, 1.3, 7);
        assert!((0.0..=std::f64::consts::TAU).contains(&phase));
        assert_eq!(stride, 1.0);
        assert_eq!(gait(10.0, 1.3, 0.0, 7), (phase, 0.0));
    }
}
