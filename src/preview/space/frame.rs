//! Everything shown in one 3D image.

use super::ground_picture::GroundPicture;
use super::layer::SpaceLayer;
use crate::base::Colour;
use crate::geometry::Aabb;
use glam::{DAffine3, DMat4, DVec2, DVec3, Mat4};
use std::sync::Arc;

/// Faces in the plane of the section are not cut away, nor is what rounding lifts off it. Unit:
/// metres.
const KEPT: f64 = 1e-3;

/// A layer and its transform to world space.
#[derive(Clone, Debug)]
pub struct Placed {
    pub layer: Arc<SpaceLayer>,
    pub placement: DAffine3,
}

#[derive(Clone, Debug)]
pub struct SpaceFrame {
    /// In drawing order.
    pub layers: Vec<Placed>,
    pub ground: Option<Arc<GroundPicture>>,
    /// From world to view space, and on to clip space.
    pub view: DMat4,
    pub projection: DMat4,
    /// The matrices take positions relative to this: small numbers keep their precision.
    pub origin: DVec3,
    /// Bounds of everything drawn.
    pub bounds: Aabb,
    /// Everything above is cut away. Unit: metres.
    pub section: Option<f64>,
    /// Background colours: top and bottom.
    pub sky: [Colour; 2],
    /// Colour of cut surfaces.
    pub cut: Colour,
    /// Unit: points.
    pub viewport: DVec2,
}

impl SpaceFrame {
    /// Whether both give the same image: the same layers at the same positions and the same view.
    #[must_use]
    pub fn shows_the_same(&self, other: &Self) -> bool {
        let same_layers = self.layers.len() == other.layers.len()
            && self
                .layers
                .iter()
                .zip(&other.layers)
                .all(|(a, b)| a.layer.id() == b.layer.id() && a.placement == b.placement);
        same_layers
            && self.ground.as_ref().map(Arc::as_ptr) == other.ground.as_ref().map(Arc::as_ptr)
            && (self.view, self.projection) == (other.view, other.projection)
            && (self.origin, self.section) == (other.origin, other.section)
            && (self.sky, self.cut) == (other.sky, other.cut)
    }

    /// Whether a layer's bounds may be visible.
    #[must_use]
    pub fn sees(&self, placed: &Placed) -> bool {
        let bounds = placed.layer.bounds();
        if bounds.is_empty() {
            return false;
        }
        let to_clip = self.projection
            * self.view
            * DMat4::from(DAffine3::from_translation(-self.origin) * placed.placement);
        let corners = bounds.corners().map(|c| to_clip * c.extend(1.0));
        let lowest = bounds
            .corners()
            .map(|c| placed.placement.transform_point3(c).z)
            .into_iter()
            .fold(f64::INFINITY, f64::min);
        let is_cut_away = self.section.is_some_and(|section| lowest > section);
        // All corners are outside the same plane of the cube.
        let is_beyond = (0..3)
            .any(|i| corners.iter().all(|c| c[i] > c.w) || corners.iter().all(|c| c[i] < -c.w));
        !is_cut_away && !is_beyond
    }

    /// The section height relative to the origin.
    #[must_use]
    pub fn cut_height(&self) -> Option<f64> {
        self.section.map(|height| height - self.origin.z + KEPT)
    }

    /// The corners of the section plane around everything drawn, relative to the origin; `None`
    /// where nothing is cut, or the plane is only seen from below.
    #[must_use]
    pub fn section_plane(&self) -> Option<[DVec3; 4]> {
        let height = self.section? - self.origin.z;
        let world_from_eye = self.view.inverse();
        let is_flat = self.projection.w_axis.w != 0.0;
        let is_above = if is_flat {
            world_from_eye.z_axis.z > 0.0
        } else {
            world_from_eye.w_axis.z > height
        };
        let (low, high) = (self.bounds.min - self.origin, self.bounds.max - self.origin);
        is_above.then(|| {
            [
                (low.x, low.y),
                (high.x, low.y),
                (high.x, high.y),
                (low.x, high.y),
            ]
            .map(|(x, y)| DVec3::new(x, y, height))
        })
    }

    /// From a layer's frame to view space, and to world space relative to the origin.
    #[must_use]
    pub fn model(&self, placement: &DAffine3) -> Mat4 {
        let moved = DAffine3::from_translation(-self.origin) * *placement;
        DMat4::from(moved).as_mat4()
    }
}
