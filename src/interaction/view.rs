//! What tools need to know about the camera.

use super::Camera;
use crate::geometry::Rect;
use glam::DVec2;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// World size of a screen point. Unit: metres.
    pub metres_per_point: f64,
    /// The visible part of the world.
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

    /// Converts a screen length (points) to a world length (metres).
    #[must_use]
    pub fn metres(&self, points: f64) -> f64 {
        points * self.metres_per_point
    }
}
