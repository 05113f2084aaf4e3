//! The 3D view's camera: orbits a target, perspective or orthographic.
//!
//! Screen coordinates are points from the viewport's upper left corner, y down.

use crate::geometry::{Aabb, MAX_COORDINATE, Ray};
use glam::dcamera::rh::proj::opengl::{orthographic, perspective};
use glam::{DMat4, DVec2, DVec3, DVec4};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Maximum pitch; slightly less than vertical, so that up stays up.
const STEEPEST: f64 = FRAC_PI_2 - 1e-4;
/// Unit: metres.
const NEAREST: f64 = 0.05;
const FARTHEST: f64 = 4.0 * MAX_COORDINATE;
/// Vertical angle of view in perspective. Unit: radians.
const FIELD_OF_VIEW: f64 = 45.0 * PI / 180.0;
/// A drag across the view's height rotates by half a turn. Unit: radians.
const TURN_PER_HEIGHT: f64 = PI;
/// Margin factor around what is framed.
const FRAME_MARGIN: f64 = 1.12;
/// Minimum size of a frame around a point or a very small object. Unit: metres.
const SMALLEST_FRAME: f64 = 0.5;
/// Near plane as a fraction of the distance.
const NEAR_SHARE: f64 = 0.004;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Projection {
    #[default]
    Perspective,
    Orthographic,
}

/// Preset view directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Direction {
    Top,
    Front,
    Back,
    Left,
    Right,
    /// From above and in front: the initial view of a level.
    Corner,
}

impl Direction {
    pub const ALL: [Self; 6] = [
        Self::Top,
        Self::Front,
        Self::Back,
        Self::Left,
        Self::Right,
        Self::Corner,
    ];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Top => "Top",
            Self::Front => "Front",
            Self::Back => "Back",
            Self::Left => "Left",
            Self::Right => "Right",
            Self::Corner => "Corner",
        }
    }

    /// Yaw and pitch of the eye as seen from the target.
    const fn angles(self) -> (f64, f64) {
        match self {
            Self::Top => (-FRAC_PI_2, STEEPEST),
            Self::Front => (-FRAC_PI_2, 0.0),
            Self::Back => (FRAC_PI_2, 0.0),
            Self::Left => (PI, 0.0),
            Self::Right => (0.0, 0.0),
            Self::Corner => (-FRAC_PI_2 - 0.6, 0.62),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpaceCamera {
    /// The orbit's centre. Unit: metres.
    pub target: DVec3,
    /// Direction from the target to the eye: about z from +x. Unit: radians.
    pub yaw: f64,
    /// Above the horizontal. Unit: radians.
    pub pitch: f64,
    /// From the target to the eye. Unit: metres.
    pub distance: f64,
    pub projection: Projection,
}

impl Default for SpaceCamera {
    fn default() -> Self {
        let (yaw, pitch) = Direction::Corner.angles();
        Self {
            target: DVec3::new(50.0, 50.0, 0.0),
            yaw,
            pitch,
            distance: 100.0,
            projection: Projection::Perspective,
        }
    }
}

impl SpaceCamera {
    /// A camera that shows all of `bounds` from the corner.
    #[must_use]
    pub fn framing(bounds: &Aabb, viewport: DVec2) -> Self {
        let mut camera = Self::default();
        camera.frame(bounds, viewport);
        camera
    }

    /// Unit vector from the target to the eye.
    #[must_use]
    pub fn backwards(&self) -> DVec3 {
        let (sin, cos) = self.pitch.sin_cos();
        DVec3::new(cos * self.yaw.cos(), cos * self.yaw.sin(), sin)
    }

    #[must_use]
    pub fn eye(&self) -> DVec3 {
        self.target + self.backwards() * self.distance
    }

    /// Screen right, screen up, and towards the viewer.
    #[must_use]
    pub fn axes(&self) -> [DVec3; 3] {
        let back = self.backwards();
        let right = DVec3::new(-self.yaw.sin(), self.yaw.cos(), 0.0);
        [right, back.cross(right), back]
    }

    /// Size of a screen point at the depth of `at`. Unit: metres.
    #[must_use]
    pub fn metres_per_point(&self, at: DVec3, viewport: DVec2) -> f64 {
        let depth = match self.projection {
            Projection::Perspective => (self.eye() - at).dot(self.backwards()).max(NEAREST * 0.1),
            Projection::Orthographic => self.distance,
        };
        2.0 * depth * (FIELD_OF_VIEW * 0.5).tan() / viewport.y.max(1.0)
    }

    /// From the world, relative to `origin`, to view space: x right, y up, z towards the viewer.
    #[must_use]
    pub fn view(&self, origin: DVec3) -> DMat4 {
        let [right, up, back] = self.axes();
        let eye = self.eye() - origin;
        DMat4::from_cols(
            DVec4::new(right.x, up.x, back.x, 0.0),
            DVec4::new(right.y, up.y, back.y, 0.0),
            DVec4::new(right.z, up.z, back.z, 0.0),
            DVec4::new(-right.dot(eye), -up.dot(eye), -back.dot(eye), 1.0),
        )
    }

    /// From view space to OpenGL clip space; the depth range covers all of `scene`.
    #[must_use]
    pub fn projection(&self, viewport: DVec2, scene: &Aabb) -> DMat4 {
        let aspect = (viewport.x / viewport.y.max(1.0)).max(1e-3);
        let eye = self.eye();
        let depths = scene.corners().map(|c| (eye - c).dot(self.backwards()));
        let farthest = depths.into_iter().fold(self.distance, f64::max) * 1.05 + 1.0;
        match self.projection {
            Projection::Perspective => {
                let near = (self.distance * NEAR_SHARE).clamp(0.01, 1e3);
                perspective(FIELD_OF_VIEW, aspect, near, farthest.max(near * 10.0))
            }
            Projection::Orthographic => {
                let half = self.distance * (FIELD_OF_VIEW * 0.5).tan();
                // Orthographic views also show what is behind the eye.
                let nearest = depths.into_iter().fold(-self.distance, f64::min) * 1.05 - 1.0;
                orthographic(
                    -half * aspect,
                    half * aspect,
                    -half,
                    half,
                    nearest,
                    farthest,
                )
            }
        }
    }

    /// The ray through a screen point.
    #[must_use]
    pub fn ray(&self, screen: DVec2, viewport: DVec2) -> Ray {
        let [right, up, back] = self.axes();
        let half = viewport.max(DVec2::ONE) * 0.5;
        let offset = (screen - half) / half.y;
        let spread = (FIELD_OF_VIEW * 0.5).tan();
        let aside = right * offset.x - up * offset.y;
        match self.projection {
            Projection::Perspective => Ray::new(self.eye(), (aside * spread - back).normalize()),
            Projection::Orthographic => {
                // Start far enough behind to be outside of everything.
                let start = self.target + aside * spread * self.distance;
                Ray::new(start + back * FARTHEST, -back)
            }
        }
    }

    /// Screen position of a point; `None` behind the eye.
    #[must_use]
    pub fn screen_from_world(&self, p: DVec3, viewport: DVec2) -> Option<DVec2> {
        self.projector(viewport)(p)
    }

    /// Screen positions of many points, as [`Self::screen_from_world`].
    pub fn projector(&self, viewport: DVec2) -> impl Fn(DVec3) -> Option<DVec2> + use<> {
        let ([right, up, back], eye) = (self.axes(), self.eye());
        let (projection, distance) = (self.projection, self.distance);
        let spread = (FIELD_OF_VIEW * 0.5).tan();
        let half = viewport * 0.5;
        move |p: DVec3| {
            let from_eye = p - eye;
            let depth = -from_eye.dot(back);
            let scale = match projection {
                Projection::Perspective if depth <= distance * 1e-6 => return None,
                Projection::Perspective => depth,
                Projection::Orthographic => distance,
            } * spread;
            let offset = DVec2::new(from_eye.dot(right), -from_eye.dot(up)) / scale * half.y;
            Some(half + offset)
        }
    }

    /// Orbits the target; the scene follows the drag.
    pub fn orbit(&mut self, drag: DVec2, viewport: DVec2) {
        let turn = drag * TURN_PER_HEIGHT / viewport.y.max(1.0);
        self.yaw -= turn.x;
        self.pitch += turn.y;
        *self = self.limited();
    }

    /// Looks around: the eye stays in place.
    pub fn look(&mut self, drag: DVec2, viewport: DVec2) {
        let eye = self.eye();
        let turn = drag * TURN_PER_HEIGHT * 0.5 / viewport.y.max(1.0);
        self.yaw -= turn.x;
        self.pitch += turn.y;
        *self = self.limited();
        self.target = eye - self.backwards() * self.distance;
        *self = self.limited();
    }

    /// Pans with the drag; points at the target's depth stay under the pointer.
    pub fn pan(&mut self, drag: DVec2, viewport: DVec2) {
        let [right, up, _] = self.axes();
        let metres = self.metres_per_point(self.target, viewport);
        self.target += (up * drag.y - right * drag.x) * metres;
        *self = self.limited();
    }

    /// Dollies by `factor` (> 1 is closer) towards `anchor`, whose screen position is kept.
    pub fn dolly(&mut self, factor: f64, anchor: DVec3) {
        if !(factor.is_finite() && factor > 0.0) {
            return;
        }
        let before = self.distance;
        self.distance /= factor;
        *self = self.limited();
        let share = self.distance / before;
        self.target = anchor + (self.target - anchor) * share;
        *self = self.limited();
    }

    /// Flies: right, up and forwards in metres.
    pub fn fly(&mut self, by: DVec3) {
        let [right, _, back] = self.axes();
        self.target += right * by.x + DVec3::Z * by.y - back * by.z;
        *self = self.limited();
    }

    pub fn look_from(&mut self, direction: Direction) {
        (self.yaw, self.pitch) = direction.angles();
    }

    /// Shows all of `bounds` without rotating; ignores an empty one.
    pub fn frame(&mut self, bounds: &Aabb, viewport: DVec2) {
        if bounds.is_empty() || !bounds.min.is_finite() || !bounds.max.is_finite() {
            return;
        }
        let [right, up, back] = self.axes();
        let spread = (FIELD_OF_VIEW * 0.5).tan();
        let aspect = (viewport.x / viewport.y.max(1.0)).max(1e-3);
        let centre = bounds.centre();
        let mut distance = SMALLEST_FRAME;
        for corner in bounds.corners() {
            let from = corner - centre;
            // The corner is visible if the half width at its depth reaches it.
            let nearer = match self.projection {
                Projection::Perspective => from.dot(back),
                Projection::Orthographic => 0.0,
            };
            let across = from.dot(right).abs() / aspect;
            let needed = across.max(from.dot(up).abs()) * FRAME_MARGIN / spread + nearer;
            distance = distance.max(needed);
        }
        self.target = centre;
        self.distance = distance;
        *self = self.limited();
        self.centre_on(bounds, viewport);
    }

    /// In perspective the centre of a box is not the centre of its image. Pans to the latter and
    /// moves as close as its edges allow.
    fn centre_on(&mut self, bounds: &Aabb, viewport: DVec2) {
        for _ in 0..4 {
            let seen = bounds
                .corners()
                .map(|c| self.screen_from_world(c, viewport));
            let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
            for at in seen {
                let Some(at) = at else {
                    return;
                };
                low = low.min(at);
                high = high.max(at);
            }
            let mut moved = *self;
            moved.pan(viewport * 0.5 - (low + high) * 0.5, viewport);
            let size = (high - low).max(DVec2::splat(1e-6));
            let room = (viewport / size).min_element() / FRAME_MARGIN;
            moved.distance *= (1.0 / room).clamp(0.5, 1.5);
            let moved = moved.limited();
            let fits = bounds.corners().iter().all(|c| {
                moved
                    .screen_from_world(*c, viewport)
                    .is_some_and(|at| at.cmpge(DVec2::ZERO).all() && at.cmple(viewport).all())
            });
            if !fits || moved.distance < SMALLEST_FRAME {
                return;
            }
            *self = moved;
        }
    }

    /// Interpolates to another camera; `share` runs from 0 to 1. Rotates the short way round.
    #[must_use]
    pub fn between(&self, other: &Self, share: f64) -> Self {
        let share = share.clamp(0.0, 1.0);
        let turn = (other.yaw - self.yaw + PI).rem_euclid(TAU) - PI;
        Self {
            target: self.target.lerp(other.target, share),
            yaw: self.yaw + turn * share,
            pitch: self.pitch + (other.pitch - self.pitch) * share,
            // Distance is perceived by factors, not metres.
            distance: self.distance * (other.distance / self.distance).powf(share),
            projection: other.projection,
        }
        .limited()
    }

    fn limited(self) -> Self {
        let or = |value: f64, default: f64| if value.is_finite() { value } else { default };
        let default = Self::default();
        let far = DVec3::splat(2.0 * MAX_COORDINATE);
        Self {
            target: if self.target.is_finite() {
                self.target.clamp(-far, far)
            } else {
                default.target
            },
            yaw: or(self.yaw, default.yaw).rem_euclid(TAU),
            pitch: or(self.pitch, default.pitch).clamp(-STEEPEST, STEEPEST),
            distance: or(self.distance, default.distance).clamp(NEAREST, FARTHEST * 0.5),
            projection: self.projection,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const VIEWPORT: DVec2 = DVec2::new(800.0, 600.0);

    fn camera() -> impl Strategy<Value = SpaceCamera> {
        (
            prop::array::uniform3(-100.0f64..100.0),
            0.0f64..TAU,
            -1.5f64..1.5,
            0.1f64..500.0,
            prop::bool::ANY,
        )
            .prop_map(|(target, yaw, pitch, distance, flat)| SpaceCamera {
                target: DVec3::from_array(target),
                yaw,
                pitch,
                distance,
                projection: if flat {
                    Projection::Orthographic
                } else {
                    Projection::Perspective
                },
            })
    }

    proptest! {
        #[test]
        fn the_ray_of_a_place_on_the_screen_passes_through_what_is_seen_there(
            camera in camera(),
            x in 0.0f64..800.0, y in 0.0f64..600.0, share in 0.2f64..3.0,
        ) {
            let screen = DVec2::new(x, y);
            let ray = camera.ray(screen, VIEWPORT);
            let depth = match camera.projection {
                Projection::Perspective => camera.distance * share,
                Projection::Orthographic => FARTHEST + camera.distance * share,
            };
            let seen = camera.screen_from_world(ray.at(depth), VIEWPORT).expect("before the eye");
            prop_assert!(seen.distance(screen) < 1e-3, "{seen}");
        }

        /// The matrices for the GPU agree with the arithmetic for the pointer.
        #[test]
        fn matrices_and_pointer_agree(camera in camera(), p in prop::array::uniform3(-50.0f64..50.0)) {
            let p = DVec3::from_array(p);
            let scene = Aabb::new(DVec3::splat(-60.0), DVec3::splat(60.0));
            let origin = DVec3::new(7.0, -3.0, 1.0);
            let Some(screen) = camera.screen_from_world(p, VIEWPORT) else { return Ok(()); };
            let clip = camera.projection(VIEWPORT, &scene) * camera.view(origin) * (p - origin).extend(1.0);
            prop_assume!(clip.w > 1e-3);
            let cube = clip.truncate() / clip.w;
            let here = DVec2::new(cube.x + 1.0, 1.0 - cube.y) * 0.5 * VIEWPORT;
            prop_assert!(here.distance(screen) < 1e-5 * (1.0 + screen.length()), "{here} {screen}");
            prop_assert!(cube.z <= 1.0 + 1e-9);
        }

        #[test]
        fn what_is_framed_is_in_sight(
            mut camera in camera(),
            a in prop::array::uniform3(-100.0f64..100.0),
            b in prop::array::uniform3(-100.0f64..100.0),
        ) {
            let bounds = Aabb::of_points([DVec3::from_array(a), DVec3::from_array(b)]);
            camera.frame(&bounds, VIEWPORT);
            for corner in bounds.corners() {
                let at = camera.screen_from_world(corner, VIEWPORT).expect("before the eye");
                prop_assert!(at.cmpge(DVec2::ZERO).all() && at.cmple(VIEWPORT).all(), "{at}");
            }
        }

        #[test]
        fn what_one_dollies_to_stays_under_the_pointer(
            mut camera in camera(), x in 0.0f64..800.0, y in 0.0f64..600.0, factor in 0.5f64..2.0,
        ) {
            let screen = DVec2::new(x, y);
            let plane = camera.target;
            let ray = camera.ray(screen, VIEWPORT);
            let t = ray.meets_plane(plane, camera.backwards()).expect("looks at it");
            let anchor = ray.at(t);
            prop_assume!(camera.distance / factor > 0.06);
            camera.dolly(factor, anchor);
            let after = camera.screen_from_world(anchor, VIEWPORT).expect("seen");
            prop_assert!(after.distance(screen) < 1e-3, "{after} {screen}");
        }

        #[test]
        fn nothing_unsound_gets_in(drag in prop::array::uniform2(prop::num::f64::ANY), factor in prop::num::f64::ANY) {
            let mut camera = SpaceCamera::default();
            let drag = DVec2::from_array(drag);
            camera.orbit(drag, VIEWPORT);
            camera.pan(drag, VIEWPORT);
            camera.look(drag, VIEWPORT);
            camera.dolly(factor, DVec3::new(drag.x, drag.y, 0.0));
            camera.fly(drag.extend(factor));
            prop_assert!(camera.eye().is_finite() && camera.distance > 0.0);
        }
    }

    #[test]
    fn looking_around_keeps_the_eye_and_orbiting_the_target() {
        let mut camera = SpaceCamera::default();
        let eye = camera.eye();
        camera.look(DVec2::new(40.0, 10.0), VIEWPORT);
        assert!(camera.eye().distance(eye) < 1e-9);
        let target = camera.target;
        camera.orbit(DVec2::new(40.0, 10.0), VIEWPORT);
        assert_eq!(camera.target, target);
    }

    #[test]
    fn a_camera_flight_rotates_the_short_way_round() {
        let here = SpaceCamera {
            yaw: 0.2,
            ..SpaceCamera::default()
        };
        let there = SpaceCamera {
            yaw: TAU - 0.2,
            distance: 10.0,
            target: DVec3::ONE,
            ..here
        };
        assert!(here.between(&there, 0.0).eye().distance(here.eye()) < 1e-9);
        assert!(here.between(&there, 1.0).eye().distance(there.eye()) < 1e-9);
        let middle = here.between(&there, 0.5);
        assert!(
            middle.yaw < 1e-9 || middle.yaw > TAU - 1e-9,
            "{}",
            middle.yaw
        );
    }

    #[test]
    fn from_the_top_the_view_is_the_plan() {
        let mut camera = SpaceCamera::default();
        camera.look_from(Direction::Top);
        let [right, up, _] = camera.axes();
        assert!(right.distance(DVec3::X) < 1e-9, "x points right");
        assert!(up.distance(DVec3::Y) < 1e-3, "y points up");
    }
}
