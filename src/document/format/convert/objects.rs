//! Profiles, obstacles, solids, routes and relations.

use super::{from_place, from_point, from_points, id, place, point, points, v2};
use crate::base::EntityId;
use crate::document::model::{
    ArchHead, Body, Heading, Knot, MeshSource, Motion, Obstacle, Opening, Pace, Profile, Relation,
    Rotation, Route, RouteShape, Solid, SolidShape, UpAxis, Wall,
};
use crate::geometry::Aabb;

impl From<&Profile> for v2::Profile {
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
            body: v2::Body {
                radius,
                height,
                bent_height,
                jump,
                foot_span,
                step_height,
            },
            pace: v2::Pace {
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

impl From<v2::Profile> for Profile {
    fn from(profile: v2::Profile) -> Self {
        let v2::Body {
            radius,
            height,
            bent_height,
            jump,
            foot_span,
            step_height,
        } = profile.body;
        let v2::Pace {
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

impl From<&Obstacle> for v2::Obstacle {
    fn from(obstacle: &Obstacle) -> Self {
        Self {
            area: (&obstacle.area).into(),
            base: obstacle.base,
            height: obstacle.height,
            facing: obstacle.facing.degrees,
            motion: obstacle.motion.as_ref().map(Into::into),
        }
    }
}

impl From<v2::Obstacle> for Obstacle {
    fn from(obstacle: v2::Obstacle) -> Self {
        Self {
            area: obstacle.area.into(),
            base: obstacle.base,
            height: obstacle.height,
            facing: Heading::degrees(obstacle.facing),
            motion: obstacle.motion.map(Into::into),
        }
    }
}

impl From<&Wall> for v2::Wall {
    fn from(wall: &Wall) -> Self {
        Self {
            line: points(&wall.line),
            closed: wall.closed,
            thickness: wall.thickness,
            base: wall.base,
            height: wall.height,
        }
    }
}

impl From<v2::Wall> for Wall {
    fn from(wall: v2::Wall) -> Self {
        Self {
            line: from_points(wall.line),
            closed: wall.closed,
            thickness: wall.thickness,
            base: wall.base,
            height: wall.height,
        }
    }
}

impl From<&Motion> for v2::Motion {
    fn from(motion: &Motion) -> Self {
        Self {
            path: points(&motion.path),
            route: motion.route.map(id),
            speed: motion.speed,
            repeat: motion.repeat.into(),
        }
    }
}

impl From<v2::Motion> for Motion {
    fn from(motion: v2::Motion) -> Self {
        Self {
            path: from_points(motion.path),
            route: motion.route.map(EntityId::new),
            speed: motion.speed,
            repeat: motion.repeat.into(),
        }
    }
}

impl From<&Solid> for v2::Solid {
    fn from(solid: &Solid) -> Self {
        let Rotation { yaw, pitch, roll } = solid.rotation;
        Self {
            shape: match &solid.shape {
                SolidShape::Box => v2::SolidShape::Box,
                SolidShape::Ramp => v2::SolidShape::Ramp,
                SolidShape::Stairs { steps } => v2::SolidShape::Stairs { steps: *steps },
                SolidShape::Cylinder => v2::SolidShape::Cylinder,
                SolidShape::Arch { opening, head } => v2::SolidShape::Arch {
                    opening: (opening.width, opening.height),
                    round: *head == ArchHead::Round,
                },
                SolidShape::Platform { thickness, posts } => v2::SolidShape::Platform {
                    thickness: *thickness,
                    posts: *posts,
                },
                SolidShape::Mesh(source) => v2::SolidShape::Mesh {
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
            motion: solid.motion.as_ref().map(Into::into),
        }
    }
}

impl From<v2::Solid> for Solid {
    fn from(solid: v2::Solid) -> Self {
        let (yaw, pitch, roll) = solid.rotation;
        Self {
            shape: match solid.shape {
                v2::SolidShape::Box => SolidShape::Box,
                v2::SolidShape::Ramp => SolidShape::Ramp,
                v2::SolidShape::Stairs { steps } => SolidShape::Stairs { steps },
                v2::SolidShape::Cylinder => SolidShape::Cylinder,
                v2::SolidShape::Arch {
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
                v2::SolidShape::Platform { thickness, posts } => {
                    SolidShape::Platform { thickness, posts }
                }
                v2::SolidShape::Mesh { file, z_up, frame } => SolidShape::Mesh(MeshSource {
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
            motion: solid.motion.map(Into::into),
        }
    }
}

impl From<&Route> for v2::Route {
    fn from(route: &Route) -> Self {
        Self {
            shape: match &route.shape {
                RouteShape::Polyline(line) => v2::RouteShape::Polyline(points(line)),
                RouteShape::Freehand { stroke, tolerance } => v2::RouteShape::Freehand {
                    stroke: points(stroke),
                    tolerance: *tolerance,
                },
                RouteShape::Bezier(knots) => v2::RouteShape::Bezier(
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

impl From<v2::Route> for Route {
    fn from(route: v2::Route) -> Self {
        Self {
            shape: match route.shape {
                v2::RouteShape::Polyline(line) => RouteShape::Polyline(from_points(line)),
                v2::RouteShape::Freehand { stroke, tolerance } => RouteShape::Freehand {
                    stroke: from_points(stroke),
                    tolerance,
                },
                v2::RouteShape::Bezier(knots) => RouteShape::Bezier(
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

impl From<Relation> for v2::RelationShape {
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
            Relation::PersonalSpace { front, back } => Self::PersonalSpace { front, back },
        }
    }
}

impl From<v2::RelationShape> for Relation {
    fn from(relation: v2::RelationShape) -> Self {
        use v2::RelationShape as File;
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
            File::PersonalSpace { front, back } => Self::PersonalSpace { front, back },
        }
    }
}
