//! The mesh file that a solid shows.

use super::check::{self, Checked, Refusal};
use crate::geometry::Aabb;
use glam::DVec3;

/// Largest number of a [frame](MeshSource::frame): the largest coordinate, in micrometres.
const MAX_FRAME: f64 = 1e12;

/// A mesh file and its placement in the solid's box.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshSource {
    /// Relative to the level's folder, separated by `/`.
    pub file: String,
    /// Which axis of the file points up.
    pub up: UpAxis,
    /// The part of the file's own space, z up, that the solid's box corresponds to: geometry added
    /// to the file later keeps its position and scale. `None` fits all of the file into the box.
    pub frame: Option<Aabb>,
}

impl MeshSource {
    #[must_use]
    pub fn new(file: impl Into<String>) -> Self {
        Self {
            file: file.into(),
            up: UpAxis::default(),
            frame: None,
        }
    }

    pub(super) fn check(&self) -> Checked {
        relative_path(&self.file)?;
        match &self.frame {
            None => Ok(()),
            Some(frame) if !frame.is_empty() && largest(frame) <= MAX_FRAME => Ok(()),
            Some(_) => Err(Refusal::new(format!(
                "the box of the mesh file `{}` must have its lower corner first, and numbers up to {MAX_FRAME:e}",
                self.file
            ))),
        }
    }
}

/// Which axis of a file points up. glTF specifies y; so do most OBJ files, but those of CAD
/// programs and of Blender's old exporter use z.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UpAxis {
    #[default]
    Y,
    Z,
}

impl UpAxis {
    pub const ALL: [Self; 2] = [Self::Y, Self::Z];

    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Y => "y",
            Self::Z => "z",
        }
    }

    /// From the file's axes to the level's, whose z points up.
    #[must_use]
    pub const fn upright(self, p: DVec3) -> DVec3 {
        match self {
            Self::Y => DVec3::new(p.x, -p.z, p.y),
            Self::Z => p,
        }
    }
}

fn largest(frame: &Aabb) -> f64 {
    frame.min.abs().max(frame.max.abs()).max_element()
}

/// Mesh references stay inside the level's folder: no absolute paths, no `..`, no drive letters.
fn relative_path(file: &str) -> Checked {
    check::name(file, "the mesh file's name")?;
    let inside = !file.is_empty()
        && !file.starts_with(['/', '\\'])
        && !file.contains(':')
        && file.split(['/', '\\']).all(|part| part != "..");
    if inside {
        Ok(())
    } else {
        Err(Refusal::new(format!(
            "the mesh file `{file}` must be named relative to the level's folder, without `..`"
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mesh_reference_cannot_leave_the_folder() {
        for bad in [
            "",
            "/etc/passwd",
            "../x.obj",
            "a/../../x.obj",
            "C:\\x.obj",
            "a\\..\\b",
        ] {
            assert!(relative_path(bad).is_err(), "{bad}");
        }
        assert!(relative_path("meshes/tower..old.obj").is_ok());
    }

    #[test]
    fn a_frame_must_be_a_box_of_finite_numbers() {
        let with = |min: DVec3, max: DVec3| MeshSource {
            frame: Some(Aabb::new(min, max)),
            ..MeshSource::new("a.obj")
        };
        assert!(with(DVec3::ZERO, DVec3::new(1.0, 0.0, 2.0)).check().is_ok());
        for bad in [f64::NAN, f64::INFINITY, -1.0, 1e13] {
            assert!(
                with(DVec3::ZERO, DVec3::new(1.0, 1.0, bad))
                    .check()
                    .is_err()
            );
        }
    }

    #[test]
    fn y_up_becomes_z_up_without_mirroring() {
        let turn = |p: DVec3| UpAxis::Y.upright(p);
        assert_eq!(turn(DVec3::Y), DVec3::Z);
        assert_eq!(turn(DVec3::X).cross(turn(DVec3::Y)), turn(DVec3::Z));
        assert_eq!(UpAxis::Z.upright(DVec3::Y), DVec3::Y);
    }
}
