//! Solids: bodies placed in space, for levels with several storeys.

use super::{
    check::{self, Checked},
    heading::Heading,
    limits,
    mesh_source::MeshSource,
    obstacle::Motion,
};
use crate::geometry::{Rect, hull::convex_hull};
use glam::{DMat3, DVec2, DVec3};

#[derive(Clone, Debug, PartialEq)]
pub struct Solid {
    pub shape: SolidShape,
    /// Centre of the footprint, at the underside.
    pub position: DVec3,
    pub rotation: Rotation,
    /// Extent along its own axes before rotation: depth (front to back), width, height.
    pub size: DVec3,
    /// How it moves during a simulation.
    pub motion: Option<Motion>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum SolidShape {
    Box,
    /// Rises along its own +x from zero to full height.
    Ramp,
    /// Rises along its own +x in equal steps.
    Stairs {
        steps: u32,
    },
    Cylinder,
    /// A wall with an opening along its own x.
    Arch {
        opening: Opening,
        head: ArchHead,
    },
    /// A deck at the top of its height, on four posts; agents walk on it and beneath it.
    Platform {
        /// Of the deck. Unit: metres.
        thickness: f64,
        /// Thickness of the posts at the corners; none at 0. Unit: metres.
        posts: f64,
    },
    /// A mesh file.
    Mesh(MeshSource),
}

impl SolidShape {
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Box => "Box",
            Self::Ramp => "Ramp",
            Self::Stairs { .. } => "Stairs",
            Self::Cylinder => "Cylinder",
            Self::Arch { .. } => "Arch",
            Self::Platform { .. } => "Platform",
            Self::Mesh(_) => "Mesh",
        }
    }
}

/// The opening of an arch, centred and reaching to the ground. Unit: metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Opening {
    pub width: f64,
    /// At its highest point.
    pub height: f64,
}

impl Default for Opening {
    fn default() -> Self {
        Self {
            width: limits::OPENING_WIDTH.default,
            height: limits::OPENING_HEIGHT.default,
        }
    }
}

/// The upper end of an arch's opening.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ArchHead {
    /// A doorway.
    #[default]
    Flat,
    /// A half ellipse, as high as half the opening's width or the opening's height, whichever is
    /// less.
    Round,
}

impl ArchHead {
    pub const ALL: [Self; 2] = [Self::Flat, Self::Round];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Flat => "Flat (doorway)",
            Self::Round => "Round (arch)",
        }
    }
}

/// Intrinsic rotations about z, then y, then x.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rotation {
    pub yaw: Heading,
    pub pitch: Heading,
    pub roll: Heading,
}

impl Rotation {
    #[must_use]
    pub fn matrix(&self) -> DMat3 {
        DMat3::from_rotation_z(self.yaw.radians())
            * DMat3::from_rotation_y(self.pitch.radians())
            * DMat3::from_rotation_x(self.roll.radians())
    }
}

impl Solid {
    #[must_use]
    pub fn new(shape: SolidShape, position: DVec3, size: DVec3) -> Self {
        Self {
            shape,
            position,
            rotation: Rotation::default(),
            size,
            motion: None,
        }
    }

    /// The eight corners of its box, in world space.
    #[must_use]
    pub fn corners(&self) -> [DVec3; 8] {
        let matrix = self.rotation.matrix();
        let half = DVec3::new(self.size.x * 0.5, self.size.y * 0.5, self.size.z);
        std::array::from_fn(|i| {
            let side = |bit: usize| if i >> bit & 1 == 0 { -1.0 } else { 1.0 };
            let up = if i >> 2 & 1 == 0 { 0.0 } else { 1.0 };
            self.position + matrix * (half * DVec3::new(side(0), side(1), up))
        })
    }

    /// Its box in plan: an upper bound of what it covers.
    #[must_use]
    pub fn bounds(&self) -> Rect {
        self.corners()
            .iter()
            .fold(Rect::EMPTY, |r, c| r.including(c.truncate()))
    }

    /// Footprint in plan, counter-clockwise; exact for bodies rotated about z only, otherwise the
    /// convex hull of the box.
    #[must_use]
    pub fn footprint(&self) -> Vec<DVec2> {
        let flat =
            self.rotation.pitch == Heading::default() && self.rotation.roll == Heading::default();
        let turn = DVec2::from_angle(self.rotation.yaw.radians());
        let place = |p: DVec2| self.position.truncate() + turn.rotate(p);
        let half = self.size.truncate() * 0.5;
        if flat && self.shape == SolidShape::Cylinder {
            return crate::geometry::Polygon::ellipse(DVec2::ZERO, half, 32, 0.0)
                .map(place)
                .outer;
        }
        if flat {
            return Rect::around(DVec2::ZERO, half)
                .corners()
                .map(place)
                .to_vec();
        }
        convex_hull(self.corners().map(DVec3::truncate))
    }

    pub(super) fn check(&self) -> Checked {
        check::place(self.position)?;
        for extent in self.size.to_array() {
            check::quantity(&limits::SOLID_SIZE, extent)?;
        }
        self.rotation.yaw.check()?;
        self.rotation.pitch.check()?;
        self.rotation.roll.check()?;
        self.motion.as_ref().map_or(Ok(()), Motion::check)?;
        match &self.shape {
            SolidShape::Stairs { steps } => {
                check::quantity(&limits::STAIR_STEPS, f64::from(*steps))
            }
            SolidShape::Mesh(source) => source.check(),
            SolidShape::Arch { opening, .. } => {
                check::quantity(&limits::OPENING_WIDTH, opening.width)?;
                check::quantity(&limits::OPENING_HEIGHT, opening.height)
            }
            SolidShape::Platform { thickness, posts } => {
                check::quantity(&limits::DECK_THICKNESS, *thickness)?;
                check::quantity(&limits::POST_THICKNESS, *posts)
            }
            SolidShape::Box | SolidShape::Ramp | SolidShape::Cylinder => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tilted_box_casts_a_wider_footprint() {
        let mut solid = Solid::new(SolidShape::Box, DVec3::ZERO, DVec3::new(2.0, 2.0, 4.0));
        assert_eq!(solid.footprint().len(), 4);
        solid.rotation.pitch = Heading::degrees(45.0);
        let bounds = Rect::of_points(&solid.footprint());
        assert!(bounds.size().x > 4.0 && (bounds.size().y - 2.0).abs() < 1e-9);
        assert!(solid.bounds().expanded(1e-9).contains_rect(&bounds));
    }
}
