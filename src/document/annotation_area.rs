//! The area of an annotation, derived from the objects it refers to.

use super::model::{Annotation, Kind, Level, Relation, limits};
use super::route_line::route_line;
use crate::base::EntityId;
use crate::geometry::{
    OrientedBox, Polygon,
    boolean::difference,
    hull::convex_hull,
    offset::{self, Ends, Join},
    visibility::{View, visible},
};
use glam::DVec2;

/// Largest deviation of a grown area's rounded corners from a circle. Unit: metres.
const ARC_SAG: f64 = 0.02;
/// Sides of the disc that approximates an agent.
const AGENT_SIDES: usize = 32;
/// Sides of the outline of a person's space.
const PERSON_SIDES: usize = 48;
/// Eye height of objects above their base; agents use their own. Unit: metres.
const EYE_HEIGHT: f64 = 1.6;
/// Eye height of an agent as a fraction of its height.
const EYE_SHARE: f64 = 0.93;

/// The area of an annotation. Empty if `id` is not an annotation, or if it refers to something that
/// no longer exists or cannot have such an area.
#[must_use]
pub fn annotation_area(level: &Level, id: EntityId) -> Vec<Polygon> {
    match level.get(id).map(|entity| &entity.kind) {
        Some(Kind::Annotation(Annotation::Area(area))) => vec![area.clone()],
        Some(Kind::Annotation(Annotation::Relation { object, relation })) => {
            relation_area(level, *object, *relation)
        }
        _ => Vec::new(),
    }
}

/// The area of a relation to an object, whether or not an annotation uses it yet.
#[must_use]
pub fn relation_area(level: &Level, object: EntityId, relation: Relation) -> Vec<Polygon> {
    let round = Join::Round { sag: ARC_SAG };
    match relation {
        Relation::Front { reach } => strip(level, object, DVec2::X, reach),
        Relation::Back { reach } => strip(level, object, DVec2::NEG_X, reach),
        Relation::Left { reach } => strip(level, object, DVec2::Y, reach),
        Relation::Right { reach } => strip(level, object, DVec2::NEG_Y, reach),
        Relation::Around { reach } | Relation::Along { reach } => {
            match level.get(object).map(|entity| &entity.kind) {
                Some(Kind::Route(route)) => {
                    let line = route_line(route);
                    let ends = if route.closed {
                        Ends::Closed
                    } else {
                        Ends::Covered
                    };
                    offset::stroke(line.points(), reach, round, ends)
                }
                _ => {
                    let outline = outline(level, object);
                    difference(&offset::grow(&outline, reach, round), &outline)
                }
            }
        }
        Relation::Between { other } => {
            let (first, second) = (outline(level, object), outline(level, other));
            if first.is_empty() || second.is_empty() {
                return Vec::new();
            }
            let corners = first.iter().chain(&second).flat_map(Polygon::points);
            let hull = Polygon::new(convex_hull(corners.copied()));
            difference(&[hull], &[first, second].concat())
        }
        Relation::LineOfSight { range, angle } => line_of_sight(level, object, range, angle),
        Relation::PersonalSpace { front, back } => personal_space(level, object, front, back),
    }
}

/// Two half ellipses that meet beside the object: `front` metres ahead, `back` behind, the mean of
/// both to either side. After the personal distance of Sturtevant 2013, as used by Ninomiya et al.
/// 2014, which is larger ahead than behind.
fn personal_space(level: &Level, object: EntityId, front: f64, back: f64) -> Vec<Polygon> {
    let (Some(facing), Some(centre)) = (facing(level, object), centre(level, object)) else {
        return Vec::new();
    };
    let side = f64::midpoint(front, back);
    let points = (0..PERSON_SIDES).map(|i| {
        let around = DVec2::from_angle(std::f64::consts::TAU * i as f64 / PERSON_SIDES as f64);
        let ahead = if around.x >= 0.0 { front } else { back };
        centre + facing.rotate(around * DVec2::new(ahead, side))
    });
    vec![Polygon::new(points.collect())]
}

/// The point from which an object sees and around which it claims space.
fn centre(level: &Level, object: EntityId) -> Option<DVec2> {
    match &level.get(object)?.kind {
        Kind::Agent(agent) => Some(agent.start.truncate()),
        Kind::Obstacle(obstacle) => Some(obstacle.area.centroid()),
        Kind::Wall(wall) => {
            let line = wall.centre_line();
            line.point_at(0.5 * line.length())
        }
        Kind::Solid(solid) => Some(solid.position.truncate()),
        _ => None,
    }
}

/// What an object covers in plan; nothing for routes and for entities that are not objects.
#[must_use]
pub fn outline(level: &Level, object: EntityId) -> Vec<Polygon> {
    match level.get(object).map(|entity| &entity.kind) {
        Some(Kind::Obstacle(obstacle)) => vec![obstacle.area.clone()],
        Some(Kind::Wall(wall)) => wall.body(),
        Some(Kind::Solid(solid)) => vec![Polygon::new(solid.footprint())],
        Some(Kind::Agent(agent)) => vec![Polygon::regular(
            agent.start.truncate(),
            body(level, agent.mission.profile).0,
            AGENT_SIDES,
            0.0,
        )],
        _ => Vec::new(),
    }
}

/// The direction an object's front faces; a route faces from its first point to its last, a wall to
/// its left.
#[must_use]
pub fn facing(level: &Level, object: EntityId) -> Option<DVec2> {
    match &level.get(object)?.kind {
        Kind::Obstacle(obstacle) => Some(obstacle.facing.direction()),
        Kind::Solid(solid) => Some(solid.rotation.yaw.direction()),
        Kind::Agent(agent) => Some(agent.heading.direction()),
        // To the left of its first segment.
        Kind::Wall(wall) => wall
            .segments()
            .find_map(|[from, to]| (to - from).try_normalize())
            .map(DVec2::perp),
        Kind::Route(route) => {
            let line = route_line(route);
            (*line.points().last()? - *line.points().first()?).try_normalize()
        }
        _ => None,
    }
}

/// The strip in front of one side of the object's box; `side` is in the box's axes, front along +x.
fn strip(level: &Level, object: EntityId, side: DVec2, reach: f64) -> Vec<Polygon> {
    let Some(facing) = facing(level, object) else {
        return Vec::new();
    };
    let outline = outline(level, object);
    let route_points = match level.get(object).map(|entity| &entity.kind) {
        Some(Kind::Route(route)) => route_line(route).points().to_vec(),
        _ => Vec::new(),
    };
    let points = outline.iter().flat_map(Polygon::points);
    let Some(frame) = OrientedBox::around(points.chain(&route_points), facing) else {
        return Vec::new();
    };
    let (right, left) = (
        frame.place(side - side.perp()),
        frame.place(side + side.perp()),
    );
    let depth = facing.rotate(side) * reach;
    vec![Polygon::new(vec![right, right + depth, left + depth, left])]
}

fn line_of_sight(level: &Level, object: EntityId, range: f64, angle: f64) -> Vec<Polygon> {
    let Some(facing) = facing(level, object) else {
        return Vec::new();
    };
    let own = outline(level, object);
    let (eye, eye_height) = match level.get(object).map(|entity| &entity.kind) {
        Some(Kind::Agent(agent)) => (
            agent.start.truncate(),
            agent.start.z + body(level, agent.mission.profile).1 * EYE_SHARE,
        ),
        Some(Kind::Obstacle(obstacle)) => (obstacle.area.centroid(), obstacle.base + EYE_HEIGHT),
        Some(Kind::Solid(solid)) => (solid.position.truncate(), solid.position.z + EYE_HEIGHT),
        _ => return Vec::new(),
    };
    let hides = |base: f64, height: f64| base < eye_height && eye_height < base + height;
    let walls = level
        .obstacles()
        .filter(|(id, _, obstacle)| *id != object && hides(obstacle.base, obstacle.height))
        .flat_map(|(_, _, obstacle)| obstacle.area.edges().collect::<Vec<_>>());
    let bodies = level
        .solids()
        .filter(|(id, _, solid)| *id != object && hides(solid.position.z, solid.size.z))
        .flat_map(|(_, _, solid)| Polygon::new(solid.footprint()).edges().collect::<Vec<_>>());
    let view = View {
        eye,
        range,
        facing: facing.to_angle(),
        angle: angle.to_radians(),
    };
    let seen: Vec<Polygon> = visible(&view, walls.chain(bodies)).into_iter().collect();
    difference(&seen, &own)
}

/// Radius and height of a profile's body; defaults if the profile is missing.
fn body(level: &Level, profile: EntityId) -> (f64, f64) {
    match level.get(profile).map(|entity| &entity.kind) {
        Some(Kind::Profile(profile)) => (profile.body.radius, profile.body.height),
        _ => (limits::RADIUS.default, limits::BODY_HEIGHT.default),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{
        Agent, Edit, Entity, Heading, Mission, Obstacle, Profile, Route, RouteShape, Solid,
        SolidShape, ops,
    };
    use crate::geometry::Rect;
    use glam::DVec3;
    use std::f64::consts::PI;

    fn id(number: u64) -> EntityId {
        EntityId::new(number)
    }

    fn level(kinds: Vec<Kind>) -> Level {
        let edits: Vec<Edit> = kinds
            .into_iter()
            .zip(1..)
            .map(|(kind, number)| Edit::create(id(number), Entity::new("", kind)))
            .collect();
        ops::apply(&Level::default(), &edits).expect("the entities are fine")
    }

    fn wall(min: (f64, f64), max: (f64, f64), facing: f64) -> Kind {
        let mut obstacle = Obstacle::new(Polygon::rect(Rect::new(min.into(), max.into())));
        obstacle.facing = Heading::degrees(facing);
        Kind::Obstacle(obstacle)
    }

    fn area(level: &Level, object: u64, relation: Relation) -> f64 {
        let parts = relation_area(level, id(object), relation);
        parts.iter().map(Polygon::area).sum()
    }

    fn holds(level: &Level, object: u64, relation: Relation, p: (f64, f64)) -> bool {
        relation_area(level, id(object), relation)
            .iter()
            .any(|part| part.contains(p.into()))
    }

    #[test]
    fn the_four_strips_lie_before_their_sides_of_the_facing() {
        // Four metres along x, two along y; its front is up.
        let level = level(vec![wall((0.0, 0.0), (4.0, 2.0), 90.0)]);
        let reach = 3.0;
        for (relation, inside, size) in [
            (Relation::Front { reach }, (2.0, 4.0), 12.0),
            (Relation::Back { reach }, (2.0, -2.0), 12.0),
            (Relation::Left { reach }, (-2.0, 1.0), 6.0),
            (Relation::Right { reach }, (6.0, 1.0), 6.0),
        ] {
            assert!(holds(&level, 1, relation, inside), "{relation:?}");
            assert!(
                (area(&level, 1, relation) - size).abs() < 1e-6,
                "{relation:?}"
            );
        }
        assert!(!holds(&level, 1, Relation::Front { reach }, (2.0, 1.0)));
    }

    #[test]
    fn around_is_a_ring_that_leaves_out_the_object() {
        let level = level(vec![wall((0.0, 0.0), (4.0, 2.0), 0.0)]);
        let relation = Relation::Around { reach: 1.0 };
        assert!((area(&level, 1, relation) - (12.0 + PI)).abs() < 0.1);
        assert!(!holds(&level, 1, relation, (2.0, 1.0)));
        assert!(holds(&level, 1, relation, (4.5, 1.0)));
    }

    #[test]
    fn between_is_the_hull_less_the_two() {
        let level = level(vec![
            wall((0.0, 0.0), (2.0, 2.0), 0.0),
            wall((6.0, 0.0), (8.0, 2.0), 0.0),
        ]);
        let relation = Relation::Between { other: id(2) };
        assert!((area(&level, 1, relation) - 8.0).abs() < 0.01);
        assert!(holds(&level, 1, relation, (4.0, 1.0)));
        assert_eq!(area(&level, 1, Relation::Between { other: id(9) }), 0.0);
    }

    #[test]
    fn sight_ends_at_walls_but_not_at_what_is_low() {
        let mut bench = Obstacle::new(Polygon::rect(Rect::new(
            DVec2::new(2.0, -1.0),
            DVec2::new(2.5, 1.0),
        )));
        bench.height = 0.5;
        let agent = Agent {
            start: DVec3::ZERO,
            heading: Heading::degrees(0.0),
            mission: Mission::new(id(1)),
        };
        let level = level(vec![
            Kind::Profile(Profile::default()),
            Kind::Agent(agent),
            Kind::Obstacle(bench),
            wall((6.0, -1.0), (7.0, 1.0), 0.0),
        ]);
        let sight = Relation::LineOfSight {
            range: 10.0,
            angle: 90.0,
        };
        assert!(holds(&level, 2, sight, (4.0, 0.0)));
        assert!(!holds(&level, 2, sight, (8.0, 0.0)));
        assert!(holds(&level, 2, sight, (6.5, 4.0)));
        assert!(!holds(&level, 2, sight, (-2.0, 0.0)));
        assert!(!holds(&level, 2, sight, (0.1, 0.0)), "not on its own feet");
        assert!(area(&level, 2, sight) < PI * 100.0 / 4.0 - 4.0);
    }

    #[test]
    fn along_a_route_is_its_line_with_a_width() {
        let line = RouteShape::Polyline(vec![DVec2::ZERO, DVec2::new(10.0, 0.0)]);
        let level = level(vec![Kind::Route(Route::new(line))]);
        let along = area(&level, 1, Relation::Along { reach: 2.0 });
        assert!((along - (40.0 + 4.0 * PI)).abs() < 0.3, "{along}");
    }

    #[test]
    fn solids_face_where_they_are_turned_and_missing_objects_have_no_area() {
        let mut solid = Solid::new(SolidShape::Box, DVec3::ZERO, DVec3::new(2.0, 4.0, 1.0));
        solid.rotation.yaw = Heading::degrees(90.0);
        let level = level(vec![Kind::Solid(solid)]);
        assert!(holds(&level, 1, Relation::Front { reach: 2.0 }, (0.0, 2.0)));
        for relation in [
            Relation::Front { reach: 1.0 },
            Relation::Around { reach: 1.0 },
            Relation::LineOfSight {
                range: 5.0,
                angle: 90.0,
            },
        ] {
            assert_eq!(area(&level, 9, relation), 0.0);
        }
        assert!(annotation_area(&level, id(1)).is_empty());
    }
}
