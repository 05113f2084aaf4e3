//! The plan view's camera: which part of the world is on screen.
//!
//! Screen coordinates are points from the viewport's upper left corner, y down. A "pixel" of
//! [`Camera::pixels_per_metre`] is such a point, regardless of the display's density.

use crate::geometry::{MAX_COORDINATE, Rect};
use glam::DVec2;

/// Minimum zoom: the whole permitted world in a small window. Unit: points per metre.
pub const MIN_PIXELS_PER_METRE: f64 = 1e-4;
/// Maximum zoom: a millimetre is five points wide. Unit: points per metre.
pub const MAX_PIXELS_PER_METRE: f64 = 5_000.0;
/// Margin on each side of a framed rectangle, as a fraction of the viewport.
const FRAME_MARGIN: f64 = 0.08;
/// Minimum size of a frame around a point or a very small object. Unit: metres.
const SMALLEST_FRAME: f64 = 0.5;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// The world point at the centre of the viewport. Unit: metres.
    pub centre: DVec2,
    /// Scale. Unit: points per metre.
    pub pixels_per_metre: f64,
}

impl Default for Camera {
    fn default() -> Self {
        Self {
            centre: DVec2::splat(50.0),
            pixels_per_metre: 8.0,
        }
    }
}

impl Camera {
    /// A camera within the limits; non-finite values become the default.
    #[must_use]
    pub fn new(centre: DVec2, pixels_per_metre: f64) -> Self {
        Self {
            centre,
            pixels_per_metre,
        }
        .limited()
    }

    /// A camera that shows all of `rect` with a margin.
    #[must_use]
    pub fn framing(rect: Rect, viewport: DVec2) -> Self {
        let mut camera = Self::default();
        camera.frame(rect, viewport);
        camera
    }

    #[must_use]
    pub fn world_from_screen(&self, screen: DVec2, viewport: DVec2) -> DVec2 {
        let offset = (screen - viewport * 0.5) / self.pixels_per_metre;
        self.centre + DVec2::new(offset.x, -offset.y)
    }

    #[must_use]
    pub fn screen_from_world(&self, world: DVec2, viewport: DVec2) -> DVec2 {
        let offset = (world - self.centre) * self.pixels_per_metre;
        viewport * 0.5 + DVec2::new(offset.x, -offset.y)
    }

    /// A length on screen in metres: for pick radii and handle sizes.
    #[must_use]
    pub fn metres(&self, points: f64) -> f64 {
        points / self.pixels_per_metre
    }

    /// What the viewport shows.
    #[must_use]
    pub fn visible(&self, viewport: DVec2) -> Rect {
        Rect::around(
            self.centre,
            viewport.max(DVec2::ZERO) * 0.5 / self.pixels_per_metre,
        )
    }

    /// Moves the image by this many points, following a drag.
    pub fn pan(&mut self, screen_delta: DVec2) {
        let offset = screen_delta / self.pixels_per_metre;
        self.centre -= DVec2::new(offset.x, -offset.y);
        *self = self.limited();
    }

    /// Multiplies the scale by `factor`; the world point under `anchor` stays under it.
    pub fn zoom(&mut self, factor: f64, anchor: DVec2, viewport: DVec2) {
        let held = self.world_from_screen(anchor, viewport);
        self.pixels_per_metre *= factor;
        *self = self.limited();
        self.centre += held - self.world_from_screen(anchor, viewport);
        *self = self.limited();
    }

    /// Shows all of `rect` with a margin; ignores an empty one.
    pub fn frame(&mut self, rect: Rect, viewport: DVec2) {
        if rect.is_empty() {
            return;
        }
        let room = viewport.max(DVec2::ONE) * (1.0 - 2.0 * FRAME_MARGIN);
        let scale = room / rect.size().max(DVec2::splat(SMALLEST_FRAME));
        *self = Self::new(rect.centre(), scale.min_element());
    }

    fn limited(self) -> Self {
        let default = Self::default();
        let centre = if self.centre.is_finite() {
            self.centre
        } else {
            default.centre
        };
        let scale = if self.pixels_per_metre.is_finite() {
            self.pixels_per_metre
        } else {
            default.pixels_per_metre
        };
        Self {
            centre: centre.clamp(DVec2::splat(-MAX_COORDINATE), DVec2::splat(MAX_COORDINATE)),
            pixels_per_metre: scale.clamp(MIN_PIXELS_PER_METRE, MAX_PIXELS_PER_METRE),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const VIEWPORT: DVec2 = DVec2::new(1280.0, 720.0);

    fn close(a: DVec2, b: DVec2, tolerance: f64) -> bool {
        (a - b).length() <= tolerance
    }

    #[test]
    fn the_screen_has_y_down_and_its_origin_at_the_upper_left() {
        let camera = Camera::new(DVec2::new(10.0, 20.0), 4.0);
        assert_eq!(
            camera.screen_from_world(DVec2::new(10.0, 20.0), VIEWPORT),
            VIEWPORT * 0.5
        );
        assert_eq!(
            camera.screen_from_world(DVec2::new(11.0, 22.0), VIEWPORT),
            DVec2::new(644.0, 352.0)
        );
        assert_eq!(
            camera.world_from_screen(DVec2::ZERO, VIEWPORT),
            DVec2::new(10.0 - 160.0, 20.0 + 90.0)
        );
        assert_eq!(camera.visible(VIEWPORT).size(), DVec2::new(320.0, 180.0));
        assert_eq!(camera.metres(8.0), 2.0);
    }

    #[test]
    fn a_drag_carries_the_grabbed_point_along() {
        let mut camera = Camera::new(DVec2::new(3.0, -7.0), 12.5);
        let grabbed = camera.world_from_screen(DVec2::new(100.0, 50.0), VIEWPORT);
        camera.pan(DVec2::new(33.0, -12.0));
        let now = camera.screen_from_world(grabbed, VIEWPORT);
        assert!(close(now, DVec2::new(133.0, 38.0), 1e-9));
    }

    #[test]
    fn a_framed_rectangle_is_visible_with_a_margin() {
        let rect = Rect::new(DVec2::new(-30.0, 5.0), DVec2::new(170.0, 45.0));
        let camera = Camera::framing(rect, VIEWPORT);
        let visible = camera.visible(VIEWPORT);
        assert!(visible.contains_rect(&rect));
        assert!((visible.size().x * (1.0 - 2.0 * FRAME_MARGIN) - 200.0).abs() < 1e-9);
    }

    #[test]
    fn framing_a_point_a_void_or_the_world_stays_within_the_limits() {
        let point = DVec2::new(4.0, 4.0);
        let camera = Camera::framing(Rect::new(point, point), VIEWPORT);
        assert!(camera.visible(VIEWPORT).size().x > 0.5);
        assert_eq!(camera.centre, point);
        assert_eq!(Camera::framing(Rect::EMPTY, VIEWPORT), Camera::default());
        let world = Rect::around(DVec2::ZERO, DVec2::splat(MAX_COORDINATE));
        let camera = Camera::framing(world, VIEWPORT);
        assert!(camera.visible(VIEWPORT).contains_rect(&world));
        let tiny = Camera::framing(world, DVec2::ZERO);
        assert_eq!(tiny.pixels_per_metre, MIN_PIXELS_PER_METRE);
    }

    proptest! {
        #[test]
        fn zooming_keeps_the_point_under_the_cursor(
            centre in (-1e5..1e5, -1e5..1e5), scale in 0.001..1e4, factor in 0.01..100.0,
            anchor in (0.0..1280.0, 0.0..720.0),
        ) {
            let mut camera = Camera::new(centre.into(), scale);
            let anchor = DVec2::from(anchor);
            let held = camera.world_from_screen(anchor, VIEWPORT);
            prop_assume!(held.abs().max_element() < 4e5);
            camera.zoom(factor, anchor, VIEWPORT);
            let now = camera.screen_from_world(held, VIEWPORT);
            // A thousandth of a point, or the resolution of doubles at that position.
            let tolerance = 1e-3 + 1e-9 * camera.pixels_per_metre;
            prop_assert!(close(now, anchor, tolerance), "{now} {anchor}");
        }

        #[test]
        fn no_input_leads_out_of_the_limits(
            x in any::<f64>(), y in any::<f64>(), scale in any::<f64>(), factor in any::<f64>(),
        ) {
            let mut camera = Camera::new(DVec2::new(x, y), scale);
            camera.zoom(factor, DVec2::new(y, x), VIEWPORT);
            camera.pan(DVec2::new(scale, factor));
            camera.frame(Rect::spanning(DVec2::new(x, y), DVec2::new(y, scale)), VIEWPORT);
            prop_assert!(camera.centre.is_finite());
            prop_assert!((MIN_PIXELS_PER_METRE..=MAX_PIXELS_PER_METRE).contains(&camera.pixels_per_metre));
        }
    }
}
