//! Affine maps of the plan, applied to any entity.
//!
//! Moving, rotating, scaling and mirroring are all this one operation. A map acts in plan:
//! elevations and heights are unchanged, and so are lengths that describe behaviour rather than
//! position (look-ahead, reach, speed).

use crate::base::EntityId;
use crate::document::{
    Agent, Annotation, Crowd, Edit, Entity, Goal, Heading, Kind, Knot, Level, MeasureShape,
    Mission, Motion, Obstacle, Query, Rotation, RouteShape, Selection, Solid,
};
use crate::geometry::Polygon;
use glam::{DAffine2, DMat2, DVec2, DVec3};
use std::collections::BTreeSet;

/// Mapped coordinates are rounded to micrometres, so that a quarter turn of whole metres gives
/// whole metres and files are not filled with rounding noise.
const STEPS_PER_METRE: f64 = 1e6;

/// The mapped entity; definitions, which have no position, are unchanged.
#[must_use]
pub fn transformed(entity: &Entity, map: &DAffine2) -> Entity {
    let mut entity = entity.clone();
    if *map == DAffine2::IDENTITY {
        return entity;
    }
    match &mut entity.kind {
        Kind::Region(region) => transform_polygon(&mut region.area, map),
        Kind::Obstacle(obstacle) => transform_obstacle(obstacle, map),
        Kind::Wall(wall) => {
            for point in &mut wall.line {
                *point = map_point(*point, map);
            }
        }
        Kind::Solid(solid) => transform_solid(solid, map),
        Kind::Route(route) => transform_shape(&mut route.shape, map),
        Kind::Annotation(Annotation::Area(area)) => transform_polygon(area, map),
        Kind::Agent(Agent {
            start,
            heading,
            mission,
        }) => {
            *start = map_place(*start, map);
            *heading = map_heading(*heading, map.matrix2);
            transform_mission(mission, map);
        }
        Kind::Crowd(Crowd { area, mission, .. }) => {
            transform_polygon(area, map);
            transform_mission(mission, map);
        }
        Kind::Door(door) => door.jambs = door.jambs.map(|jamb| map_point(jamb, map)),
        Kind::Link(link) => {
            link.from = map_place(link.from, map);
            link.to = map_place(link.to, map);
        }
        Kind::Exit(exit) => transform_polygon(&mut exit.area, map),
        Kind::WaitingArea(waiting) => transform_polygon(&mut waiting.area, map),
        Kind::Queue(queue) => {
            for point in &mut queue.line {
                *point = map_point(*point, map);
            }
        }
        Kind::Measure(measure) => match &mut measure.shape {
            MeasureShape::Line(ends) => *ends = ends.map(|end| map_point(end, map)),
            MeasureShape::Area(area) => transform_polygon(area, map),
        },
        Kind::Note(note) => note.at = map_point(note.at, map),
        Kind::Test(test) => {
            if let Query::Between { from, to, .. } = &mut test.query {
                *from = map_place(*from, map);
                *to = map_place(*to, map);
            }
        }
        // A relation follows its object.
        Kind::Annotation(Annotation::Relation { .. })
        | Kind::Terrain(_)
        | Kind::Profile(_)
        | Kind::Flag(_)
        | Kind::Layer
        | Kind::Group => {}
    }
    entity
}

/// The edits that apply a map to the selection, see [`movable`].
#[must_use]
pub fn edits(level: &Level, selection: &Selection, map: &DAffine2) -> Vec<Edit> {
    movable(level, selection)
        .into_iter()
        .filter_map(|id| Some(Edit::replace(id, transformed(level.get(id)?, map))))
        .collect()
}

/// What a map of the selection moves: selected entities and members of selected groups that are
/// placed and not locked.
#[must_use]
pub fn movable(level: &Level, selection: &Selection) -> BTreeSet<EntityId> {
    selection
        .iter()
        .flat_map(|id| match level.get(id).map(|entity| &entity.kind) {
            Some(Kind::Group) => level.members(id),
            Some(_) => vec![id],
            None => Vec::new(),
        })
        .filter(|id| !level.is_locked(*id))
        .filter(|id| level.get(*id).is_some_and(|e| e.kind.name().is_placed()))
        .collect()
}

#[must_use]
pub fn map_point(p: DVec2, map: &DAffine2) -> DVec2 {
    on_lattice(map.transform_point2(p))
}

/// Mapped in plan; the elevation is unchanged.
#[must_use]
pub fn map_place(p: DVec3, map: &DAffine2) -> DVec3 {
    map_point(p.truncate(), map).extend(p.z)
}

/// The heading of the mapped direction. Translations and uniform scales keep the degrees as typed.
#[must_use]
pub fn map_heading(heading: Heading, linear: DMat2) -> Heading {
    if keeps_directions(linear) {
        return heading;
    }
    let direction = linear * heading.direction();
    if direction.length_squared() > 0.0 {
        // Normalises −180° to 180°.
        Heading::of(direction).turned(0.0)
    } else {
        heading
    }
}

fn keeps_directions(linear: DMat2) -> bool {
    let [[a, b], [c, d]] = linear.to_cols_array_2d();
    b == 0.0 && c == 0.0 && a == d && a > 0.0
}

fn on_lattice(p: DVec2) -> DVec2 {
    // Division by a whole number gives the float nearest to the decimal; adding zero turns −0 into
    // 0.
    (p * STEPS_PER_METRE).round() / STEPS_PER_METRE + DVec2::ZERO
}

/// A mirrored ring is reversed, so that it keeps its winding and its first point.
fn transform_polygon(polygon: &mut Polygon, map: &DAffine2) {
    let mirrored = map.matrix2.determinant() < 0.0;
    for ring in polygon.rings_mut() {
        for p in ring.iter_mut() {
            *p = map_point(*p, map);
        }
        if mirrored && !ring.is_empty() {
            ring.reverse();
            ring.rotate_right(1);
        }
    }
}

fn transform_obstacle(obstacle: &mut Obstacle, map: &DAffine2) {
    transform_polygon(&mut obstacle.area, map);
    obstacle.facing = map_heading(obstacle.facing, map.matrix2);
    transform_motion(&mut obstacle.motion, map);
}

fn transform_motion(motion: &mut Option<Motion>, map: &DAffine2) {
    for p in motion.iter_mut().flat_map(|motion| &mut motion.path) {
        *p = map_point(*p, map);
    }
}

/// A solid stays a solid: it scales along its own axes, without shear.
fn transform_solid(solid: &mut Solid, map: &DAffine2) {
    solid.position = map_place(solid.position, map);
    transform_motion(&mut solid.motion, map);
    let linear = map.matrix2;
    let ahead = solid.rotation.yaw.direction();
    let Rotation { yaw, roll, .. } = &mut solid.rotation;
    *yaw = map_heading(*yaw, linear);
    if linear.determinant() < 0.0 {
        // The mirror image leans to the other side; bodies are left–right symmetric.
        roll.degrees = 0.0 - roll.degrees;
    }
    let stretch = DVec2::new((linear * ahead).length(), (linear * ahead.perp()).length());
    let size = on_lattice(solid.size.truncate() * stretch);
    solid.size = size.extend(solid.size.z);
}

fn transform_shape(shape: &mut RouteShape, map: &DAffine2) {
    match shape {
        RouteShape::Polyline(points) | RouteShape::Freehand { stroke: points, .. } => {
            for p in points {
                *p = map_point(*p, map);
            }
        }
        RouteShape::Bezier(knots) => {
            for knot in knots {
                *knot = Knot {
                    point: map_point(knot.point, map),
                    handle_in: on_lattice(map.transform_vector2(knot.handle_in)),
                    handle_out: on_lattice(map.transform_vector2(knot.handle_out)),
                };
            }
        }
    }
}

fn transform_mission(mission: &mut Mission, map: &DAffine2) {
    for goal in &mut mission.goals {
        if let Goal::At(place) = goal {
            *place = map_place(*place, map);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{NavTest, Note, PlannerId, Relation, Repeat, Route, SolidShape, ops};
    use crate::geometry::{Rect, polygon::signed_area};
    use proptest::prelude::*;
    use std::f64::consts::FRAC_PI_2;

    fn quarter_turn_about(centre: DVec2) -> DAffine2 {
        DAffine2::from_translation(centre)
            * DAffine2::from_angle(FRAC_PI_2)
            * DAffine2::from_translation(-centre)
    }

    fn mirror_x() -> DAffine2 {
        DAffine2::from_scale(DVec2::new(-1.0, 1.0))
    }

    fn obstacle() -> Entity {
        let area = Polygon {
            outer: Rect::new(DVec2::new(2.0, 1.0), DVec2::new(6.0, 4.0))
                .corners()
                .to_vec(),
            holes: vec![vec![
                DVec2::new(3.0, 2.0),
                DVec2::new(3.0, 3.0),
                DVec2::new(5.0, 2.0),
            ]],
        };
        let mut obstacle = Obstacle::new(area);
        obstacle.facing = Heading::degrees(30.0);
        obstacle.motion = Some(Motion {
            path: vec![DVec2::new(4.0, 2.0), DVec2::new(8.0, 2.0)],
            route: None,
            speed: 1.0,
            repeat: Repeat::Loop,
        });
        Entity::new("Cart", Kind::Obstacle(obstacle))
    }

    fn agent() -> Entity {
        let mut mission = Mission::new(EntityId::new(1));
        mission.goals = vec![
            Goal::At(DVec3::new(10.0, 0.0, 2.5)),
            Goal::inside(EntityId::new(2)),
        ];
        Entity::new(
            "Guard",
            Kind::Agent(Agent {
                start: DVec3::new(1.0, 0.0, 0.5),
                heading: Heading::degrees(0.0),
                mission,
            }),
        )
    }

    #[test]
    fn a_quarter_turn_of_whole_metres_gives_whole_metres() {
        let turned = transformed(&obstacle(), &quarter_turn_about(DVec2::ZERO));
        let Kind::Obstacle(turned) = turned.kind else {
            panic!("still an obstacle")
        };
        assert_eq!(turned.area.outer[0], DVec2::new(-1.0, 2.0));
        assert_eq!(turned.area.outer[2], DVec2::new(-4.0, 6.0));
        assert_eq!(turned.facing, Heading::degrees(120.0));
        assert_eq!(
            turned.motion.expect("kept").path,
            [DVec2::new(-2.0, 4.0), DVec2::new(-2.0, 8.0)]
        );
    }

    #[test]
    fn four_quarter_turns_are_none() {
        let map = quarter_turn_about(DVec2::new(7.3, -2.1));
        for entity in [obstacle(), agent()] {
            let back = (0..4).fold(entity.clone(), |e, _| transformed(&e, &map));
            assert_eq!(back, entity);
        }
    }

    #[test]
    fn a_mirrored_polygon_keeps_winding_and_first_point() {
        let mirrored = transformed(&obstacle(), &mirror_x());
        let Kind::Obstacle(mirrored) = mirrored.kind else {
            panic!("still an obstacle")
        };
        assert_eq!(mirrored.area.outer[0], DVec2::new(-2.0, 1.0));
        assert_eq!(signed_area(&mirrored.area.outer), 12.0);
        assert!(signed_area(&mirrored.area.holes[0]) < 0.0);
        assert_eq!(mirrored.facing, Heading::degrees(150.0));
    }

    #[test]
    fn agents_take_their_goals_along_and_keep_elevations() {
        let moved = transformed(&agent(), &DAffine2::from_translation(DVec2::new(0.1, 0.2)));
        let Kind::Agent(moved) = moved.kind else {
            panic!("still an agent")
        };
        assert_eq!(moved.start, DVec3::new(1.1, 0.2, 0.5));
        assert_eq!(
            moved.mission.goals,
            [
                Goal::At(DVec3::new(10.1, 0.2, 2.5)),
                Goal::inside(EntityId::new(2))
            ]
        );
    }

    #[test]
    fn bezier_handles_turn_with_their_knots_but_do_not_move() {
        let knot = Knot {
            point: DVec2::new(1.0, 1.0),
            handle_in: DVec2::new(-1.0, 0.0),
            handle_out: DVec2::new(2.0, 0.0),
        };
        let route = Entity::new(
            "",
            Kind::Route(Route::new(RouteShape::Bezier(vec![knot; 2]))),
        );
        let shape = |map: &DAffine2| match transformed(&route, map).kind {
            Kind::Route(route) => route.shape,
            _ => panic!("still a route"),
        };
        let moved = shape(&DAffine2::from_translation(DVec2::new(5.0, 0.0)));
        let expected = Knot {
            point: DVec2::new(6.0, 1.0),
            ..knot
        };
        assert_eq!(moved, RouteShape::Bezier(vec![expected; 2]));
        let turned = shape(&quarter_turn_about(DVec2::ONE));
        let expected = Knot {
            point: DVec2::ONE,
            handle_in: DVec2::new(0.0, -1.0),
            handle_out: DVec2::new(0.0, 2.0),
        };
        assert_eq!(turned, RouteShape::Bezier(vec![expected; 2]));
    }

    #[test]
    fn a_turned_solid_is_stretched_along_its_own_axes() {
        let mut solid = Solid::new(
            SolidShape::Stairs { steps: 5 },
            DVec3::new(1.0, 2.0, 3.0),
            DVec3::new(4.0, 2.0, 1.0),
        );
        solid.rotation.yaw = Heading::degrees(90.0);
        solid.rotation.roll = Heading::degrees(10.0);
        let entity = Entity::new("", Kind::Solid(solid));
        let map = DAffine2::from_scale(DVec2::new(-3.0, 0.5));
        let Kind::Solid(mapped) = transformed(&entity, &map).kind else {
            panic!("still a solid")
        };
        assert_eq!(mapped.position, DVec3::new(-3.0, 1.0, 3.0));
        assert_eq!(mapped.size, DVec3::new(2.0, 6.0, 1.0));
        assert_eq!(mapped.rotation.yaw, Heading::degrees(90.0));
        assert_eq!(mapped.rotation.roll, Heading::degrees(-10.0));
    }

    #[test]
    fn a_tilted_solid_is_mirrored_corner_by_corner() {
        let mut solid = Solid::new(
            SolidShape::Box,
            DVec3::new(5.0, 1.0, 0.0),
            DVec3::new(4.0, 2.0, 1.0),
        );
        solid.rotation = Rotation {
            yaw: Heading::degrees(25.0),
            pitch: Heading::degrees(10.0),
            roll: Heading::degrees(-35.0),
        };
        let expected: Vec<DVec3> = solid
            .corners()
            .iter()
            .map(|c| DVec3::new(-c.x, c.y, c.z))
            .collect();
        let Kind::Solid(mapped) =
            transformed(&Entity::new("", Kind::Solid(solid)), &mirror_x()).kind
        else {
            panic!("still a solid")
        };
        for corner in mapped.corners() {
            assert!(
                expected.iter().any(|e| e.distance(corner) < 1e-4),
                "{corner} is no mirror image"
            );
        }
    }

    #[test]
    fn definitions_and_relations_have_no_place_to_move_from() {
        for kind in [
            Kind::Layer,
            Kind::Annotation(Annotation::Relation {
                object: EntityId::new(1),
                relation: Relation::Around { reach: 2.0 },
            }),
        ] {
            let entity = Entity::new("", kind);
            assert_eq!(transformed(&entity, &mirror_x()), entity);
        }
    }

    #[test]
    fn a_saved_query_follows_the_level_it_is_about() {
        let entity = Entity::new(
            "",
            Kind::Test(NavTest {
                query: Query::Between {
                    from: DVec3::X,
                    to: DVec3::Y,
                    profile: EntityId::new(1),
                    planner: PlannerId::PORTAL,
                },
                expectation: crate::document::Expectation::default(),
            }),
        );
        let Kind::Test(test) = transformed(&entity, &mirror_x()).kind else {
            panic!("still a test")
        };
        assert!(matches!(test.query, Query::Between { from, .. } if from == -DVec3::X));
    }

    #[test]
    fn groups_move_their_members_and_what_is_locked_stays() {
        let note = |x: f64| {
            Entity::new(
                "",
                Kind::Note(Note {
                    at: DVec2::new(x, 0.0),
                    text: String::new(),
                }),
            )
        };
        let [group, member, locked, other] = [1, 2, 3, 4].map(EntityId::new);
        let within = |mut entity: Entity| {
            entity.group = Some(group);
            entity
        };
        let mut fixed = within(note(2.0));
        fixed.locked = true;
        let level = ops::apply(
            &Level::default(),
            &[
                Edit::create(group, Entity::new("", Kind::Group)),
                Edit::create(member, within(note(1.0))),
                Edit::create(locked, fixed),
                Edit::create(other, note(3.0)),
            ],
        )
        .expect("valid");
        let map = DAffine2::from_translation(DVec2::Y);
        let moved = edits(&level, &Selection::one(group), &map);
        assert_eq!(
            moved,
            [Edit::replace(
                member,
                transformed(level.get(member).expect("there"), &map)
            )]
        );
    }

    proptest! {
        #[test]
        fn headings_agree_with_mapped_directions(
            degrees in -360.0..360.0,
            angle in -10.0..10.0,
            mirrored in any::<bool>(),
        ) {
            let flip = if mirrored { -1.0 } else { 1.0 };
            let linear = DMat2::from_angle(angle) * DMat2::from_diagonal(DVec2::new(flip, 1.0));
            let mapped = map_heading(Heading::degrees(degrees), linear);
            prop_assert!((-180.0..=180.0).contains(&mapped.degrees));
            let expected = linear * Heading::degrees(degrees).direction();
            prop_assert!(mapped.direction().distance(expected) < 1e-4);
        }

        #[test]
        fn moving_there_and_back_is_nothing_for_coordinates_on_the_lattice(
            x in -1_000_000_000_i64..1_000_000_000,
            dx in -1_000_000_000_i64..1_000_000_000,
        ) {
            let [x, dx] = [x, dx].map(|v| v as f64 / 1e6);
            let there = DAffine2::from_translation(DVec2::new(dx, -dx));
            let back = DAffine2::from_translation(DVec2::new(-dx, dx));
            let p = DVec2::new(x, -x);
            prop_assert_eq!(map_point(map_point(p, &there), &back), p);
        }
    }
}
