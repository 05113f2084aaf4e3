//! The inspector opens for every kind, at its narrowest, without a control that has no name and
//! without anything wider than the panel.

use crate::stage::*;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use glam::{DVec2, DVec3};
use wayloom::base::EntityId;
use wayloom::document::{
    Annotation, Constraint, Crowd, Document, Door, DoorChange, DoorState, Edit, Entity, Exit,
    Expectation, Goal, Kind, Knot, Link, LinkAction, Measure, MeshSource, Mission, Motion, NavTest,
    Obstacle, PlannerId, Query, Queue, Relation, Repeat, Route, RouteShape, Rule, Selection, Solid,
    SolidShape, Spawn, WaitingArea, When,
};
use wayloom::editor::Action;
use wayloom::geometry::{Polygon, Rect};

fn area() -> Polygon {
    Polygon::rect(Rect::new(DVec2::ZERO, DVec2::splat(5.0)))
}

/// One of everything that the small level lacks.
fn more_kinds() -> Vec<Entity> {
    let mut cart = Obstacle::new(area());
    cart.motion = Some(Motion {
        path: vec![DVec2::ZERO, DVec2::X],
        route: None,
        speed: 1.0,
        repeat: Repeat::Loop,
    });
    let solid = |shape| Solid::new(shape, DVec3::ZERO, DVec3::ONE);
    let mut mission = Mission::new(ADULT);
    mission.planner = PlannerId::MIRAN;
    mission.goals = vec![Goal::inside(PUDDLE), Goal::At(DVec3::ONE)];
    mission.constraints = vec![
        Constraint::new(Rule::Near { weight: 2.0.into() }, WALL.into())
            .when(When::while_set(EntityId::new(10))),
        Constraint::new(Rule::NotIn, MUD.into()).when(When::between(22.0, 6.0)),
    ];
    let crowd = Crowd {
        variety: Default::default(),
        groups: Default::default(),
        area: area(),
        count: 30,
        spawn: Spawn::Stream { per_second: 2.0 },
        mission,
    };
    let mut door = Door::new(DVec2::ZERO, DVec2::new(0.0, 2.0));
    door.changes.push(DoorChange {
        to: DoorState::Locked,
        when: When::between(22.0, 6.0),
    });
    let relation = |relation| {
        Kind::Annotation(Annotation::Relation {
            object: TOWER,
            relation,
        })
    };
    let route = |shape| Kind::Route(Route::new(shape));
    let points = vec![DVec2::ZERO, DVec2::new(30.0, 40.0)];
    let knots = points.iter().copied().map(Knot::corner).collect();
    let test = |query| {
        Kind::Test(NavTest {
            query,
            expectation: Expectation {
                max_length: Some(40.0),
                never_in: vec![MUD, PUDDLE],
                ..Expectation::default()
            },
        })
    };
    [
        Kind::Flag(true),
        Kind::Layer,
        Kind::Obstacle(cart),
        Kind::Solid(solid(SolidShape::Stairs { steps: 12 })),
        Kind::Solid(solid(SolidShape::Mesh(MeshSource::new("tower.obj")))),
        route(RouteShape::Polyline(points.clone())),
        route(RouteShape::Freehand {
            stroke: points,
            tolerance: 0.5,
        }),
        route(RouteShape::Bezier(knots)),
        Kind::Annotation(Annotation::Area(area())),
        relation(Relation::Between { other: WALL }),
        relation(Relation::LineOfSight {
            range: 20.0,
            angle: 60.0,
        }),
        Kind::Crowd(crowd),
        test(Query::Agent(GUARD)),
        test(Query::Between {
            from: DVec3::ZERO,
            to: DVec3::ONE,
            profile: ADULT,
            planner: PlannerId::OPTIMAL,
        }),
        Kind::Door(door),
        Kind::Link(Link::new(
            LinkAction::Ladder,
            DVec3::ZERO,
            DVec3::splat(3.0),
        )),
        Kind::Exit(Exit::new(area())),
        Kind::WaitingArea(WaitingArea::new(area())),
        Kind::Queue(Queue::new(vec![DVec2::ZERO, DVec2::new(4.0, 0.0)])),
        Kind::Measure(Measure::line(DVec2::ZERO, DVec2::X)),
        Kind::Measure(Measure::area(area())),
        test(Query::Run),
    ]
    .into_iter()
    .map(|kind| Entity::new("", kind))
    .collect()
}

fn everything() -> Document {
    let mut document = small_level();
    let edits = more_kinds()
        .into_iter()
        .map(|entity| Edit::create(document.allocate_id(), entity))
        .collect();
    document.commit("More", edits).expect("valid");
    document
}

/// As narrow as the panel is in a small window at a large scale. Unit: points.
const NARROWEST: f32 = 170.0;

#[test]
fn nothing_is_wider_than_the_panel() {
    let ids: Vec<EntityId> = everything().level().order().iter().copied().collect();
    let mut harness = inspector(everything(), &[]);
    for width in [WIDTH, NARROWEST] {
        harness.set_size(egui::vec2(width, 1600.0));
        for id in &ids {
            let ctx = harness.ctx.clone();
            harness
                .state_mut()
                .editor
                .apply(&ctx, Action::Select(Selection::one(*id)));
            harness.run();
            let label = harness.state().level().label(*id);
            for node in harness.root().children_recursive() {
                let node = node.accesskit_node();
                let Some(bounds) = node.bounding_box() else {
                    continue;
                };
                assert!(
                    bounds.x1 <= f64::from(width) + 0.5,
                    "{label} at {width}: {:?} {:?} reaches {}",
                    node.role(),
                    node.label(),
                    bounds.x1
                );
            }
        }
    }
}

#[test]
fn a_solid_changes_its_shape_and_keeps_its_place() {
    let mut harness = inspector(everything(), &[EntityId::new(13)]);
    harness.get_by_label("Shape").click();
    harness.run();
    harness.get_by_label("Ramp").click();
    harness.run();
    let Kind::Solid(solid) = &harness.state().entity(EntityId::new(13)).kind else {
        panic!("still a solid")
    };
    assert_eq!(solid.shape, SolidShape::Ramp);
    assert_eq!(solid.size, DVec3::ONE);
}

#[test]
fn stairs_are_measured_by_their_steps() {
    let stairs = EntityId::new(13);
    let mut harness = inspector(everything(), &[stairs]);
    let size = |stage: &Stage| match &stage.entity(stairs).kind {
        Kind::Solid(solid) => solid.size,
        _ => panic!("still a solid"),
    };
    type_number(&mut harness, "Rise", "0.17");
    type_number(&mut harness, "Run", "0.29");
    let after = size(harness.state());
    assert!(
        (after - DVec3::new(12.0 * 0.29, 1.0, 12.0 * 0.17)).length() < 1e-9,
        "{after}"
    );
    type_number(&mut harness, "Rise", "0");
    assert_eq!(size(harness.state()), after, "nothing without height");
}

#[test]
fn a_route_says_its_length() {
    let harness = inspector(everything(), &[EntityId::new(15)]);
    harness.get_by_label("50 m");
}

#[test]
fn agents_and_crowds_share_their_mission() {
    let mut harness = inspector(everything(), &[GUARD, EntityId::new(21)]);
    assert_eq!(
        harness.get_by_label("Profile").value().as_deref(),
        Some("Adult")
    );
    harness.get_by_label("Use one value for goals").click();
    harness.run();
    let goals = |id: EntityId| {
        let mission = harness.state().entity(id).mission().expect("a mission");
        mission.goals.clone()
    };
    assert_eq!(goals(GUARD), goals(EntityId::new(21)));
}

#[test]
fn a_goal_leads_to_its_area() {
    let mut harness = inspector(everything(), &[EntityId::new(21)]);
    harness.get_by_label("Select Puddle").click();
    harness.run();
    assert!(harness.state().document().selection().contains(PUDDLE));
}

#[test]
fn a_constraint_is_made_hard_and_bound_to_a_time() {
    let mut harness = inspector(everything(), &[GUARD]);
    harness.get_by_label("Add a constraint").click();
    harness.run();
    harness.get_by_label("Rule").click();
    harness.run();
    harness.get_by_label("Not in").click();
    harness.run();
    harness.get_by_label("Hours").click();
    harness.run();
    harness.get_by_label("Between two times").click();
    harness.run();
    type_number(&mut harness, "From", "22:30");
    let mission = harness.state().entity(GUARD).mission().expect("an agent");
    let [constraint] = &mission.constraints[..] else {
        panic!("one constraint")
    };
    assert_eq!(constraint.rule, Rule::NotIn);
    assert_eq!(constraint.when, When::between(22.5, 18.0));
}

#[test]
fn a_test_gets_a_limit_and_an_area_to_avoid() {
    let id = EntityId::new(22);
    let mut harness = inspector(everything(), &[id]);
    harness.get_by_label("Clearance ≥").click();
    harness.run();
    type_number(&mut harness, "Clearance ≥ value", "75 cm");
    harness.get_by_label("Remove Mud from the list").click();
    harness.run();
    let Kind::Test(test) = &harness.state().entity(id).kind else {
        panic!("still a test")
    };
    assert_eq!(test.expectation.min_clearance, Some(0.75));
    assert_eq!(test.expectation.never_in, [PUDDLE]);
}
