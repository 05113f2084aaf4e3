//! Meshes of solids in their own frame: x from front to back, y across, z up, the origin at the
//! centre of the underside.

use super::model::{ArchHead, Opening, Solid, SolidShape};
use crate::geometry::{Polygon, Rect, TriMesh, extrusion::extrude, triangulation::Triangulation};
use glam::{DAffine3, DVec2, DVec3};

/// Sides of a cylinder; matches the plan view.
pub const CYLINDER_SIDES: usize = 32;
/// Chords of a round arch.
const ARCH_CHORDS: usize = 16;
/// Upper bound of the wall kept beside and above an arch's opening, as a fraction of the body.
const LEAST_SHARE: f64 = 0.1;
/// Unit: metres.
const LEAST_WALL: f64 = 0.05;
/// Maximum steps that are modelled; more would only cost time.
const MAX_STEPS: u32 = 10_000;
/// Steps lower and shorter than this are modelled as fewer, larger ones: feet notice no difference.
/// Unit: metres.
const LEAST_STEP: f64 = 0.01;

/// Transform from the body's frame to world space.
#[must_use]
pub fn placement(solid: &Solid) -> DAffine3 {
    DAffine3::from_mat3_translation(solid.rotation.matrix(), solid.position)
}

/// How many triangles [`body`] has at most, without making them.
#[must_use]
pub fn triangle_bound(solid: &Solid) -> usize {
    match &solid.shape {
        SolidShape::Box | SolidShape::Mesh(_) | SolidShape::Ramp => 12,
        SolidShape::Stairs { steps } => 8 * modelled_steps(solid.size, *steps) as usize + 12,
        SolidShape::Cylinder => 4 * CYLINDER_SIDES,
        SolidShape::Arch { .. } => 8 * (ARCH_CHORDS + 8),
        SolidShape::Platform { .. } => 12 * 5,
    }
}

/// The closed mesh of a solid; the box of a mesh file, since the mesh is not known here.
#[must_use]
pub fn body(solid: &Solid) -> TriMesh {
    let size = solid.size;
    match &solid.shape {
        SolidShape::Box | SolidShape::Mesh(_) => block(DVec3::ZERO, size),
        SolidShape::Ramp => along_y(
            &[
                DVec2::new(-0.5 * size.x, 0.0),
                DVec2::new(0.5 * size.x, 0.0),
                DVec2::new(0.5 * size.x, size.z),
            ],
            size.y,
        ),
        SolidShape::Stairs { steps } => along_y(&flight(size, *steps), size.y),
        SolidShape::Cylinder => {
            let half = size.truncate() * 0.5;
            let round = Polygon::ellipse(DVec2::ZERO, half, CYLINDER_SIDES, 0.0);
            let flat = Triangulation::of_rings(&[round.outer]);
            extrude(&flat, |p| p.extend(0.0), |p| p.extend(size.z))
        }
        SolidShape::Arch { opening, head } => {
            let outline = arch(size, fitting(size, *opening), *head);
            // The outline lies in the yz plane and is extruded along x.
            let flat = Triangulation::of_rings(&[outline]);
            let at = |x: f64| move |p: DVec2| DVec3::new(x, p.x, p.y);
            extrude(&flat, at(-0.5 * size.x), at(0.5 * size.x))
        }
        SolidShape::Platform { thickness, posts } => platform(size, *thickness, *posts),
    }
}

/// The opening, limited to what the body has room for.
#[must_use]
pub fn fitting(size: DVec3, opening: Opening) -> Opening {
    let room = |extent: f64, sides: f64| extent - sides * LEAST_WALL.min(LEAST_SHARE * extent);
    Opening {
        width: opening.width.min(room(size.y, 2.0)),
        height: opening.height.min(room(size.z, 1.0)),
    }
}

/// A box with the centre of its underside at `at`.
fn block(at: DVec3, size: DVec3) -> TriMesh {
    let corners = Rect::around(at.truncate(), size.truncate() * 0.5).corners();
    let mut mesh = TriMesh {
        vertices: corners
            .iter()
            .map(|c| c.extend(at.z))
            .chain(corners.iter().map(|c| c.extend(at.z + size.z)))
            .collect(),
        triangles: Vec::with_capacity(12),
    };
    mesh.add_quad([3, 2, 1, 0]);
    mesh.add_quad([4, 5, 6, 7]);
    for i in 0..4 {
        let next = (i + 1) % 4;
        mesh.add_quad([i, next, next + 4, i + 4]);
    }
    mesh
}

/// An outline in the xz plane, extruded along y.
fn along_y(outline: &[DVec2], width: f64) -> TriMesh {
    let flat = Triangulation::of_rings(&[outline.to_vec()]);
    let at = |y: f64| move |p: DVec2| DVec3::new(p.x, y, p.y);
    // Seen from −y, the xz plane has the drawn orientation.
    extrude(&flat, at(0.5 * width), at(-0.5 * width))
}

fn modelled_steps(size: DVec3, steps: u32) -> u32 {
    let noticed = (size.x.max(size.z) / LEAST_STEP).ceil().max(1.0) as u32;
    steps.clamp(1, MAX_STEPS).min(noticed)
}

/// The profile of a flight of stairs; the first step rises at the front.
fn flight(size: DVec3, steps: u32) -> Vec<DVec2> {
    let steps = modelled_steps(size, steps);
    let share = |i: u32| f64::from(i) / f64::from(steps);
    let mut outline = vec![
        DVec2::new(-0.5 * size.x, 0.0),
        DVec2::new(0.5 * size.x, 0.0),
    ];
    for i in (0..steps).rev() {
        let height = size.z * share(i + 1);
        outline.push(DVec2::new(size.x * (share(i + 1) - 0.5), height));
        outline.push(DVec2::new(size.x * (share(i) - 0.5), height));
    }
    outline
}

/// A wall seen along its opening, counter-clockwise.
fn arch(size: DVec3, opening: Opening, head: ArchHead) -> Vec<DVec2> {
    let (side, top) = (0.5 * size.y, size.z);
    let (half, height) = (0.5 * opening.width, opening.height);
    let mut outline = vec![DVec2::new(half, 0.0), DVec2::new(side, 0.0)];
    outline.extend([
        DVec2::new(side, top),
        DVec2::new(-side, top),
        DVec2::new(-side, 0.0),
        DVec2::new(-half, 0.0),
    ]);
    match head {
        ArchHead::Flat => outline.extend([DVec2::new(-half, height), DVec2::new(half, height)]),
        ArchHead::Round => {
            let rise = half.min(height);
            let springing = height - rise;
            // Where the arch springs from the ground, its feet coincide with the corners.
            let first = usize::from(springing <= 0.0);
            outline.extend((first..=ARCH_CHORDS - first).map(|i| {
                let angle = std::f64::consts::PI * (1.0 - i as f64 / ARCH_CHORDS as f64);
                DVec2::new(half * angle.cos(), springing + rise * angle.sin())
            }));
        }
    }
    outline
}

fn platform(size: DVec3, thickness: f64, posts: f64) -> TriMesh {
    let thickness = thickness.min(size.z);
    let under = size.z - thickness;
    let mut mesh = block(
        DVec3::new(0.0, 0.0, under),
        DVec3::new(size.x, size.y, thickness),
    );
    let post = DVec2::splat(posts).min(size.truncate() * 0.5);
    if under > 0.0 && post.min_element() > 0.0 {
        let reach = (size.truncate() - post) * 0.5;
        for corner in Rect::around(DVec2::ZERO, reach).corners() {
            mesh.append(&block(corner.extend(0.0), post.extend(under)));
        }
    }
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Aabb;
    use proptest::prelude::*;

    fn shapes() -> Vec<SolidShape> {
        let opening = Opening {
            width: 1.0,
            height: 2.0,
        };
        vec![
            SolidShape::Box,
            SolidShape::Ramp,
            SolidShape::Stairs { steps: 7 },
            SolidShape::Cylinder,
            SolidShape::Arch {
                opening,
                head: ArchHead::Flat,
            },
            SolidShape::Arch {
                opening,
                head: ArchHead::Round,
            },
            SolidShape::Platform {
                thickness: 0.2,
                posts: 0.3,
            },
        ]
    }

    #[test]
    fn volumes_are_those_of_the_shapes() {
        let size = DVec3::new(4.0, 3.0, 2.8);
        let whole = size.x * size.y * size.z;
        let opening = 1.0 * 2.0 * size.x;
        let half_disc = 16.0 * 0.5 * (0.5 * 0.5) * (std::f64::consts::PI / 16.0).sin();
        let expected = [
            whole,
            whole * 0.5,
            whole * 0.5 * (1.0 + 1.0 / 7.0),
            whole * 0.25 * 0.5 * 32.0 * (std::f64::consts::TAU / 32.0).sin(),
            whole - opening,
            whole - size.x * (1.0 * 1.5 + half_disc),
            size.x * size.y * 0.2 + 4.0 * 0.09 * 2.6,
        ];
        for (shape, expected) in shapes().into_iter().zip(expected) {
            let mesh = body(&Solid::new(shape.clone(), DVec3::ZERO, size));
            assert!(mesh.is_closed(), "{shape:?}");
            let volume = mesh.volume();
            assert!(
                (volume - expected).abs() < 1e-9,
                "{shape:?}: {volume} {expected}"
            );
        }
    }

    #[test]
    fn stairs_and_ramps_rise_along_x_and_arches_are_open_along_it() {
        let highest_at = |shape: SolidShape, x: f64| {
            let mesh = body(&Solid::new(shape, DVec3::ZERO, DVec3::new(4.0, 3.0, 2.0)));
            let at = mesh.vertices.iter().filter(|v| (v.x - x).abs() < 1e-9);
            at.map(|v| v.z).fold(0.0, f64::max)
        };
        assert_eq!(highest_at(SolidShape::Ramp, -2.0), 0.0);
        assert_eq!(highest_at(SolidShape::Ramp, 2.0), 2.0);
        assert_eq!(highest_at(SolidShape::Stairs { steps: 4 }, -2.0), 0.5);
        assert_eq!(highest_at(SolidShape::Stairs { steps: 4 }, 2.0), 2.0);
    }

    proptest! {
        #[test]
        fn bodies_of_any_size_are_closed_and_fill_their_box(
            x in 0.001f64..1e3, y in 0.001f64..1e3, z in 0.001f64..1e3,
            steps in 1u32..60, width in 0.001f64..2e3, height in 0.001f64..2e3,
            thickness in 0.001f64..2e3, posts in 0.0f64..2e3,
        ) {
            let size = DVec3::new(x, y, z);
            for shape in shapes() {
                let opening = Opening { width, height };
                let shape = match shape {
                    SolidShape::Stairs { .. } => SolidShape::Stairs { steps },
                    SolidShape::Arch { head, .. } => SolidShape::Arch { opening, head },
                    SolidShape::Platform { .. } => SolidShape::Platform { thickness, posts },
                    other => other,
                };
                let mesh = body(&Solid::new(shape.clone(), DVec3::ZERO, size));
                prop_assert!(mesh.is_closed(), "{:?}", shape);
                prop_assert!(mesh.volume() > 0.0);
                let half = size.truncate() * 0.5;
                let own = Aabb::new((-half).extend(0.0), half.extend(size.z));
                let bounds = mesh.bounds();
                prop_assert!((bounds.max - own.max).abs().max_element() < 1e-9);
                if !matches!(shape, SolidShape::Platform { .. }) {
                    prop_assert!((bounds.min - own.min).abs().max_element() < 1e-9);
                }
            }
        }
    }
}
