//! Moves, rotations and scales in space, applied to the selection.
//!
//! In plan, the same [maps](crate::interaction::transform) apply as in the plan view. Vertically,
//! solids, obstacles and agents move; obstacles and solids scale; only solids tilt.

use crate::document::{Edit, Entity, Goal, Heading, Kind, Level, Rotation, Selection, limits};
use crate::interaction::transform::{movable, transformed};
use glam::{DAffine2, DMat2, DMat3, DVec2, DVec3};

/// Lengths are rounded to micrometres and angles to millionths of a degree, as in the plan view.
const STEPS: f64 = 1e6;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Manipulation {
    Move(DVec3),
    /// About a unit axis through the pivot. Unit: radians.
    Turn {
        axis: DVec3,
        angle: f64,
        pivot: DVec3,
    },
    /// Along the axes rotated by `yaw`, about the pivot.
    Scale {
        factors: DVec3,
        pivot: DVec3,
        yaw: f64,
    },
}

impl Manipulation {
    /// Whether all of it are numbers; a ray from far away can give others.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        match self {
            Self::Move(by) => by.is_finite(),
            Self::Turn { axis, angle, pivot } => {
                axis.is_finite() && angle.is_finite() && pivot.is_finite()
            }
            Self::Scale {
                factors,
                pivot,
                yaw,
            } => factors.is_finite() && pivot.is_finite() && yaw.is_finite(),
        }
    }
}

/// The edits that apply it to the movable part of the selection.
#[must_use]
pub fn edits(level: &Level, selection: &Selection, by: &Manipulation) -> Vec<Edit> {
    movable(level, selection)
        .into_iter()
        .filter_map(|id| {
            let entity = level.get(id)?;
            Some(Edit::replace(id, manipulated(entity, by)))
        })
        .collect()
}

/// One entity after the manipulation.
#[must_use]
pub fn manipulated(entity: &Entity, by: &Manipulation) -> Entity {
    match by {
        Manipulation::Move(by) => {
            let mut entity = transformed(entity, &DAffine2::from_translation(by.truncate()));
            lift(&mut entity, by.z);
            entity
        }
        Manipulation::Turn { axis, angle, pivot } => turned(entity, *axis, *angle, *pivot),
        Manipulation::Scale {
            factors,
            pivot,
            yaw,
        } => {
            let turn = DMat2::from_angle(*yaw);
            let linear = turn * DMat2::from_diagonal(factors.truncate()) * turn.transpose();
            let mut entity = transformed(entity, &about(linear, pivot.truncate()));
            stretch(&mut entity, factors.z, pivot.z);
            entity
        }
    }
}

fn about(linear: DMat2, pivot: DVec2) -> DAffine2 {
    DAffine2::from_translation(pivot)
        * DAffine2::from_mat2(linear)
        * DAffine2::from_translation(-pivot)
}

fn lift(entity: &mut Entity, by: f64) {
    if by == 0.0 {
        return;
    }
    let raise = |z: &mut f64| *z = limits::ELEVATION.clamp(on_lattice(*z + by));
    match &mut entity.kind {
        Kind::Solid(solid) => raise(&mut solid.position.z),
        Kind::Obstacle(obstacle) => raise(&mut obstacle.base),
        Kind::Agent(agent) => {
            raise(&mut agent.start.z);
            for goal in &mut agent.mission.goals {
                if let Goal::At(place) = goal {
                    raise(&mut place.z);
                }
            }
        }
        _ => {}
    }
}

fn stretch(entity: &mut Entity, factor: f64, pivot: f64) {
    if factor == 1.0 {
        return;
    }
    let place = |z: f64| limits::ELEVATION.clamp(on_lattice(pivot + (z - pivot) * factor));
    match &mut entity.kind {
        Kind::Solid(solid) => {
            solid.position.z = place(solid.position.z);
            solid.size.z = limits::SOLID_SIZE.clamp(on_lattice(solid.size.z * factor));
        }
        Kind::Obstacle(obstacle) => {
            obstacle.height = limits::OBSTACLE_HEIGHT.clamp(on_lattice(obstacle.height * factor));
        }
        _ => {}
    }
}

fn turned(entity: &Entity, axis: DVec3, angle: f64, pivot: DVec3) -> Entity {
    if axis == DVec3::Z {
        return transformed(entity, &about(DMat2::from_angle(angle), pivot.truncate()));
    }
    let mut entity = entity.clone();
    if let Kind::Solid(solid) = &mut entity.kind {
        let turn = DMat3::from_axis_angle(axis, angle);
        let place = pivot + turn * (solid.position - pivot);
        solid.position = DVec3::new(
            on_lattice(place.x),
            on_lattice(place.y),
            limits::ELEVATION.clamp(on_lattice(place.z)),
        );
        solid.rotation = rotation_of(&(turn * solid.rotation.matrix()));
    }
    entity
}

/// Yaw, pitch and roll of a rotation.
#[must_use]
pub fn rotation_of(matrix: &DMat3) -> Rotation {
    let [x, y, z] = [matrix.x_axis, matrix.y_axis, matrix.z_axis];
    let pitch = (-x.z).clamp(-1.0, 1.0).asin();
    // Gimbal lock: yaw and roll coincide; all of it is assigned to yaw.
    let (yaw, roll) = if x.z.abs() > 1.0 - 1e-12 {
        ((-y.x).atan2(y.y), 0.0)
    } else {
        (x.y.atan2(x.x), y.z.atan2(z.z))
    };
    let heading = |radians: f64| Heading::degrees(on_lattice(radians.to_degrees()));
    Rotation {
        yaw: heading(yaw),
        pitch: heading(pitch),
        roll: heading(roll),
    }
}

fn on_lattice(x: f64) -> f64 {
    (x * STEPS).round() / STEPS + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Solid, SolidShape};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_rotation_is_found_again_from_its_matrix(
            yaw in -180.0f64..180.0, pitch in -90.0f64..90.0, roll in -180.0f64..180.0,
        ) {
            let rotation = Rotation {
                yaw: Heading::degrees(yaw),
                pitch: Heading::degrees(pitch),
                roll: Heading::degrees(roll),
            };
            let again = rotation_of(&rotation.matrix()).matrix();
            let apart = (again.x_axis - rotation.matrix().x_axis).length()
                + (again.y_axis - rotation.matrix().y_axis).length();
            prop_assert!(apart < 1e-6, "{apart}");
        }

        #[test]
        fn a_solid_turns_as_its_corners_do(
            yaw in -180.0f64..180.0, pitch in -80.0f64..80.0,
            axis in 0usize..3, angle in -3.0f64..3.0,
        ) {
            let mut solid = Solid::new(SolidShape::Box, DVec3::new(3.0, 4.0, 1.0), DVec3::new(1.0, 2.0, 3.0));
            solid.rotation.yaw = Heading::degrees(yaw);
            solid.rotation.pitch = Heading::degrees(pitch);
            let axis = [DVec3::X, DVec3::Y, DVec3::Z][axis];
            let pivot = DVec3::new(1.0, -2.0, 0.5);
            let by = Manipulation::Turn { axis, angle, pivot };
            let turned = manipulated(&Entity::new("", Kind::Solid(solid.clone())), &by);
            let Kind::Solid(after) = turned.kind else { panic!("still a solid") };
            let turn = DMat3::from_axis_angle(axis, angle);
            for (before, after) in solid.corners().iter().zip(after.corners()) {
                let expected = pivot + turn * (*before - pivot);
                prop_assert!(expected.distance(after) < 1e-4, "{expected} {after}");
            }
        }
    }

    #[test]
    fn heights_are_moved_and_scaled() {
        let solid = Solid::new(SolidShape::Box, DVec3::ZERO, DVec3::ONE);
        let entity = Entity::new("", Kind::Solid(solid));
        let moved = manipulated(&entity, &Manipulation::Move(DVec3::new(1.0, 2.0, 3.0)));
        let Kind::Solid(moved) = moved.kind else {
            panic!("still a solid")
        };
        assert_eq!(moved.position, DVec3::new(1.0, 2.0, 3.0));
        let by = Manipulation::Scale {
            factors: DVec3::new(1.0, 1.0, 2.5),
            pivot: DVec3::ZERO,
            yaw: 0.0,
        };
        let Kind::Solid(taller) = manipulated(&entity, &by).kind else {
            panic!("still a solid")
        };
        assert_eq!(taller.size, DVec3::new(1.0, 1.0, 2.5));
    }
}
