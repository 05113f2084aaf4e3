//! All that one picture in space shows.

use super::ground_picture::GroundPicture;
use super::layer::SpaceLayer;
use crate::base::Colour;
use crate::geometry::Aabb;
use glam::{DAffine3, DMat4, DVec2, DVec3, Mat4};
use std::sync::Arc;

/// A face in the very plane of the section is not cut away, and neither is what rounding lifts off it. Unit:
/// metres.
const KEPT: f64 = 1e-3;

/// A layer and where its frame lies in the world.
#[derive(Clone, Debug)]
pub struct Placed {
    pub layer: Arc<SpaceLayer>,
    pub placement: DAffine3,
}

#[derive(Clone, Debug)]
pub struct SpaceFrame {
    /// Drawn in this order.
    pub layers: Vec<Placed>,
    pub ground: Option<Arc<GroundPicture>>,
    /// From the world to the eye's frame and on to OpenGL's cube.
    pub view: DMat4,
    pub projection: DMat4,
    /// The matrices take places less this one: numbers near 0 keep their digits.
    pub origin: DVec3,
    /// Everything drawn, around.
    pub bounds: Aabb,
    /// What lies higher is cut away. Unit: metres.
    pub section: Option<f64>,
    /// Behind everything: above and below.
    pub sky: [Colour; 2],
    /// Where a volume is cut open.
    pub cut: Colour,
    /// Unit: points.
    pub viewport: DVec2,
}

impl SpaceFrame {
    /// Whether both are the same picture: the same layers at the same places, seen alike.
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

    /// Whether anything of a layer can be in the picture; told by the box around it.
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
        // Beyond one and the same side of the cube with every corner.
        let is_beyond = (0..3)
            .any(|i| corners.iter().all(|c| c[i] > c.w) || corners.iter().all(|c| c[i] < -c.w));
        !is_cut_away && !is_beyond
    }

    /// What lies higher is cut away, less the origin.
    #[must_use]
    pub fn cut_height(&self) -> Option<f64> {
        self.section.map(|height| height - self.origin.z + KEPT)
    }

    /// The corners of the plane at which volumes are cut open, around all that is drawn and less the origin;
    /// `None` where nothing is cut, or the plane is only to be seen from beneath.
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

    /// From a layer's frame to the eye's, and the world less the origin.
    #[must_use]
    pub fn model(&self, placement: &DAffine3) -> Mat4 {
        let moved = DAffine3::from_translation(-self.origin) * *placement;
        DMat4::from(moved).as_mat4()
    }
}
