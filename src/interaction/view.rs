//! What tools need to know of the camera.

use super::Camera;
use crate::geometry::Rect;
use glam::DVec2;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Size of a point of the screen in the world. Unit: metres.
    pub metres_per_point: f64,
    /// The part of the world in sight.
    pub visible: Rect,
}

impl View {
    #[must_use]
    pub fn new(camera: &Camera, viewport: DVec2) -> Self {
        Self {
            metres_per_point: camera.metres(1.0),
            visible: camera.visible(viewport),
        }
    }

    /// A length on the screen (unit: points) as a length in the world (unit: metres).
    #[must_use]
    pub fn metres(&self, points: f64) -> f64 {
        points * self.metres_per_point
    }
}
