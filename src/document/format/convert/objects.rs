//! Profiles, obstacles, solids, routes and relations.

use super::{from_place, from_point, from_points, id, place, point, points, v1};
use crate::base::EntityId;
use crate::document::model::{
    ArchHead, Body, Heading, Knot, MeshSource, Motion, Obstacle, Opening, Pace, Profile, Relation,
    Rotation, Route, RouteShape, Solid, SolidShape, UpAxis,
};
use crate::geometry::Aabb;

impl From<&Profile> for v1::Profile {
    fn from(profile: &Profile) -> Self {
        let Body {
            radius,
            height,
            bent_height,
            jump,
            foot_span,
            step_height,
        } = profile.body;
        let Pace {
            speed,
            max_speed,
            acceleration,
        } = profile.pace;
        Self {
            colour: profile.colour,
            body: v1::Body {
                radius,
                height,
                bent_height,
                jump,
                foot_span,
                step_height,
            },
            pace: v1::Pace {
                speed,
                max_speed,
                acceleration,
            },
            terrain_weights: profile
                .terrain_weights
                .iter()
                .map(|(terrain, weight)| (id(*terrain), *weight))
                .collect(),
            action_priority: profile.action_priority.map(Into::into),
        }
    }
}

impl From<v1::Profile> for Profile {
    fn from(profile: v1::Profile) -> Self {
        let v1::Body {
            radius,
            height,
            bent_height,
            jump,
            foot_span,
            step_height,
        } = profile.body;
        let v1::Pace {
            speed,
            max_speed,
            acceleration,
        } = profile.pace;
        Self {
            colour: profile.colour,
            body: Body {
                radius,
                height,
                bent_height,
                jump,
                foot_span,
                step_height,
            },
            pace: Pace {
                speed,
                max_speed,
                acceleration,
            },
            terrain_weights: profile
                .terrain_weights
                .into_iter()
                .map(|(terrain, weight)| (EntityId::new(terrain), weight))
                .collect(),
            action_priority: profile.action_priority.map(Into::into),
        }
    }
}

impl From<&Obstacle> for v1::Obstacle {
    fn from(obstacle: &Obstacle) -> Self {
        Self {
            area: (&obstacle.area).into(),
            base: obstacle.base,
            height: obstacle.height,
            facing: obstacle.facing.degrees,
            motion: obstacle.motion.as_ref().map(|motion| v1::Motion {
                path: points(&motion.path),
                speed: motion.speed,
                repeat: motion.repeat.into(),
            }),
        }
    }
}

impl From<v1::Obstacle> for Obstacle {
    fn from(obstacle: v1::Obstacle) -> Self {
        Self {
            area: obstacle.area.into(),
            base: obstacle.base,
            height: obstacle.height,
            facing: Heading::degrees(obstacle.facing),
            motion: obstacle.motion.map(|motion| Motion {
                path: from_points(motion.path),
                speed: motion.speed,
                repeat: motion.repeat.into(),
            }),
        }
    }
}

impl From<&Solid> for v1::Solid {
    fn from(solid: &Solid) -> Self {
        let Rotation { yaw, pitch, roll } = solid.rotation;
        Self {
            shape: match &solid.shape {
                SolidShape::Box => v1::SolidShape::Box,
                SolidShape::Ramp => v1::SolidShape::Ramp,
                SolidShape::Stairs { steps } => v1::SolidShape::Stairs { steps: *steps },
                SolidShape::Cylinder => v1::SolidShape::Cylinder,
                SolidShape::Arch { opening, head } => v1::SolidShape::Arch {
                    opening: (opening.width, opening.height),
                    round: *head == ArchHead::Round,
                },
                SolidShape::Platform { thickness, posts } => v1::SolidShape::Platform {
                    thickness: *thickness,
                    posts: *posts,
                },
                SolidShape::Mesh(source) => v1::SolidShape::Mesh {
                    file: source.file.clone(),
                    z_up: source.up == UpAxis::Z,
                    frame: source
                        .frame
                        .map(|frame| (place(frame.min), place(frame.max))),
                },
            },
            position: place(solid.position),
            rotation: (yaw.degrees, pitch.degrees, roll.degrees),
            size: place(solid.size),
        }
    }
}

impl From<v1::Solid> for Solid {
    fn from(solid: v1::Solid) -> Self {
        let (yaw, pitch, roll) = solid.rotation;
        Self {
            shape: match solid.shape {
                v1::SolidShape::Box => SolidShape::Box,
                v1::SolidShape::Ramp => SolidShape::Ramp,
                v1::SolidShape::Stairs { steps } => SolidShape::Stairs { steps },
                v1::SolidShape::Cylinder => SolidShape::Cylinder,
                v1::SolidShape::Arch {
                    opening: (width, height),
                    round,
                } => SolidShape::Arch {
                    opening: Opening { width, height },
                    head: if round {
                        ArchHead::Round
                    } else {
                        ArchHead::Flat
                    },
                },
                v1::SolidShape::Platform { thickness, posts } => {
                    SolidShape::Platform { thickness, posts }
                }
                v1::SolidShape::Mesh { file, z_up, frame } => SolidShape::Mesh(MeshSource {
                    file,
                    up: if z_up { UpAxis::Z } else { UpAxis::Y },
                    frame: frame.map(|(min, max)| Aabb::new(from_place(min), from_place(max))),
                }),
            },
            position: from_place(solid.position),
            rotation: Rotation {
                yaw: Heading::degrees(yaw),
                pitch: Heading::degrees(pitch),
                roll: Heading::degrees(roll),
            },
            size: from_place(solid.size),
        }
    }
}

impl From<&Route> for v1::Route {
    fn from(route: &Route) -> Self {
        Self {
            shape: match &route.shape {
                RouteShape::Polyline(line) => v1::RouteShape::Polyline(points(line)),
                RouteShape::Freehand { stroke, tolerance } => v1::RouteShape::Freehand {
                    stroke: points(stroke),
                    tolerance: *tolerance,
                },
                RouteShape::Bezier(knots) => v1::RouteShape::Bezier(
                    knots
                        .iter()
                        .map(|k| (point(k.point), point(k.handle_in), point(k.handle_out)))
                        .collect(),
                ),
            },
            closed: route.closed,
            look_ahead: route.look_ahead,
            sample_step: route.sample_step,
        }
    }
}

impl From<v1::Route> for Route {
    fn from(route: v1::Route) -> Self {
        Self {
            shape: match route.shape {
                v1::RouteShape::Polyline(line) => RouteShape::Polyline(from_points(line)),
                v1::RouteShape::Freehand { stroke, tolerance } => RouteShape::Freehand {
                    stroke: from_points(stroke),
                    tolerance,
                },
                v1::RouteShape::Bezier(knots) => RouteShape::Bezier(
                    knots
                        .into_iter()
                        .map(|(at, before, after)| Knot {
                            point: from_point(at),
                            handle_in: from_point(before),
                            handle_out: from_point(after),
                        })
                        .collect(),
                ),
            },
            closed: route.closed,
            look_ahead: route.look_ahead,
            sample_step: route.sample_step,
        }
    }
}

impl From<Relation> for v1::RelationShape {
    fn from(relation: Relation) -> Self {
        match relation {
            Relation::Front { reach } => Self::Front { reach },
            Relation::Back { reach } => Self::Back { reach },
            Relation::Left { reach } => Self::Left { reach },
            Relation::Right { reach } => Self::Right { reach },
            Relation::Around { reach } => Self::Around { reach },
            Relation::Between { other } => Self::Between { other: id(other) },
            Relation::LineOfSight { range, angle } => Self::LineOfSight { range, angle },
            Relation::Along { reach } => Self::Along { reach },
        }
    }
}

impl From<v1::RelationShape> for Relation {
    fn from(relation: v1::RelationShape) -> Self {
        use v1::RelationShape as File;
        match relation {
            File::Front { reach } => Self::Front { reach },
            File::Back { reach } => Self::Back { reach },
            File::Left { reach } => Self::Left { reach },
            File::Right { reach } => Self::Right { reach },
            File::Around { reach } => Self::Around { reach },
            File::Between { other } => Self::Between {
                other: EntityId::new(other),
            },
            File::LineOfSight { range, angle } => Self::LineOfSight { range, angle },
            File::Along { reach } => Self::Along { reach },
        }
    }
}
