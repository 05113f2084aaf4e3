//! Handles, picking and dropping in space, by scripts of rays: no window, no OpenGL.

use crate::desk::yard;
use glam::{DVec2, DVec3};
use std::sync::Arc;
use wayloom::base::EntityId;
use wayloom::document::{
    Document, Edit, Entity, Kind, Level, MeshLibrary, Selection, Solid, SolidShape, ops,
};
use wayloom::geometry::Ray;
use wayloom::interaction::operations::{self, OperationInput};
use wayloom::interaction::space::{
    Gizmo, GizmoMode, Handle, SpaceCamera, SpaceDrag, SpacePicker, selecting,
};
use wayloom::interaction::{Modifiers, Picker};
use wayloom::jobs::JobContext;
use wayloom::preview::Look;
use wayloom::preview::space::SpaceScene;

const VIEWPORT: DVec2 = DVec2::new(900.0, 600.0);
const TABLE: EntityId = EntityId::new(1);
const VASE: EntityId = EntityId::new(2);

fn solid(at: DVec3, size: DVec3) -> Entity {
    Entity::new("", Kind::Solid(Solid::new(SolidShape::Box, at, size)))
}

/// A table, and a vase that hangs above it.
fn room() -> Document {
    let edits = [
        Edit::create(
            TABLE,
            solid(DVec3::new(50.0, 50.0, 0.0), DVec3::new(4.0, 3.0, 0.75)),
        ),
        Edit::create(
            VASE,
            solid(DVec3::new(51.0, 50.0, 2.5), DVec3::new(0.5, 0.5, 0.5)),
        ),
    ];
    let level = ops::apply(&Level::default(), &edits).expect("within every limit");
    Document::new(level, EntityId::new(50))
}

fn scene(document: &Document) -> SpaceScene {
    SpaceScene::build(
        None,
        Arc::clone(document.level()),
        Arc::new(MeshLibrary::default()),
        Look::Dark,
        &JobContext::default(),
    )
    .expect("not cancelled")
}

fn camera(scene: &SpaceScene) -> SpaceCamera {
    let mut camera = SpaceCamera::default();
    camera.frame(&scene.body(TABLE).expect("a body").bounds, VIEWPORT);
    camera
}

fn place(document: &Document, id: EntityId) -> Solid {
    match &document.level().get(id).expect("there").kind {
        Kind::Solid(solid) => solid.clone(),
        _ => panic!("still a solid"),
    }
}

/// Drags a handle of what is selected from `from` to `to`, without letting go.
fn dragged(
    document: &mut Document,
    mode: GizmoMode,
    handle: Handle,
    [from, to]: [DVec3; 2],
    modifiers: Modifiers,
    snap: bool,
) -> SpaceDrag {
    let scene = scene(document);
    let camera = camera(&scene);
    let level = Arc::clone(document.level());
    let selection = document.selection().clone();
    let gizmo = Gizmo::of(&scene, &level, &selection, mode, &camera, VIEWPORT);
    let gizmo = gizmo.expect("something is selected");
    let ray = |p: DVec3| -> Ray {
        let at = camera.screen_from_world(p, VIEWPORT).expect("seen");
        camera.ray(at, VIEWPORT)
    };
    let drag = SpaceDrag::begin(document, gizmo, handle, from, ray(from));
    drag.update(document, &ray(to), modifiers, snap)
        .expect("within every limit");
    drag
}

#[test]
fn a_drag_is_one_undo_step_and_cancelling_leaves_no_trace() {
    let mut document = room();
    document.select(Selection::one(TABLE));
    let before = Arc::clone(document.level());
    let pivot = DVec3::new(50.0, 50.0, 0.0);
    let along = [pivot, pivot + DVec3::Z * 1.3];
    let go = |document: &mut Document, modifiers, snap| {
        dragged(
            document,
            GizmoMode::Move,
            Handle::Axis(2),
            along,
            modifiers,
            snap,
        )
    };
    let drag = go(&mut document, Modifiers::NONE, false);
    assert!((place(&document, TABLE).position.z - 1.3).abs() < 1e-5);
    drag.cancel(&mut document);
    assert!(
        Arc::ptr_eq(document.level(), &before),
        "the very same state"
    );
    assert_eq!(document.undo_labels().len(), 0);
    // Snapped: a quarter of the grid of one metre.
    let drag = go(&mut document, Modifiers::NONE, true);
    assert!(drag.finish(&mut document).expect("kept"));
    assert_eq!(place(&document, TABLE).position.z, 1.25);
    assert_eq!(document.undo_labels().len(), 1);
    document.undo();
    // Ctrl turns snapping round.
    let ctrl = Modifiers {
        ctrl: true,
        ..Modifiers::NONE
    };
    let drag = go(&mut document, ctrl, true);
    assert!((place(&document, TABLE).position.z - 1.3).abs() < 1e-5);
    drag.cancel(&mut document);
}

#[test]
fn a_drag_to_where_it_began_changes_nothing() {
    let mut document = room();
    document.select(Selection::one(VASE));
    let pivot = DVec3::new(51.0, 50.0, 2.5);
    let drag = dragged(
        &mut document,
        GizmoMode::Move,
        Handle::Plane(2),
        [pivot, pivot],
        Modifiers::NONE,
        false,
    );
    assert!(!drag.finish(&mut document).expect("kept"));
    assert_eq!(document.undo_labels().len(), 0);
}

#[test]
fn shift_turns_by_fifteen_degrees() {
    let mut document = room();
    document.select(Selection::one(TABLE));
    let pivot = DVec3::new(50.0, 50.0, 0.0);
    let arm = |degrees: f64| pivot + DVec2::from_angle(degrees.to_radians()).extend(0.0);
    let shift = Modifiers {
        shift: true,
        ..Modifiers::NONE
    };
    let drag = dragged(
        &mut document,
        GizmoMode::Rotate,
        Handle::Ring(2),
        [arm(0.0), arm(41.0)],
        shift,
        false,
    );
    drag.finish(&mut document).expect("kept");
    let turned = place(&document, TABLE).rotation.yaw.degrees;
    assert!((turned - 45.0).abs() < 1e-6, "{turned}");
}

#[test]
fn a_knob_scales_one_side_and_with_shift_all() {
    let pivot = DVec3::new(50.0, 50.0, 0.0);
    let along = [pivot + DVec3::X, pivot + DVec3::X * 1.5];
    for (shift, expected) in [
        (false, DVec3::new(6.0, 3.0, 0.75)),
        (true, DVec3::new(6.0, 4.5, 1.125)),
    ] {
        let mut document = room();
        document.select(Selection::one(TABLE));
        let modifiers = Modifiers {
            shift,
            ..Modifiers::NONE
        };
        let drag = dragged(
            &mut document,
            GizmoMode::Scale,
            Handle::Axis(0),
            along,
            modifiers,
            true,
        );
        drag.finish(&mut document).expect("kept");
        let size = place(&document, TABLE).size;
        assert!(size.distance(expected) < 1e-5, "{size} {expected}");
    }
}

#[test]
fn the_vase_drops_onto_the_table_and_with_it_to_the_ground_stays_put() {
    let mut document = room();
    document.select(Selection::one(VASE));
    let scene = scene(&document);
    let change =
        operations::drop_to_floor(&OperationInput::of(&document), &scene).expect("it hangs");
    document.commit(change.label, change.edits).expect("sound");
    assert_eq!(place(&document, VASE).position.z, 0.75);
    document.select(Selection::one(TABLE));
    let refused = operations::drop_to_floor(&OperationInput::of(&document), &scene);
    assert!(refused.is_err(), "it stands already");
    document.select(Selection::default());
    assert!(operations::drop_to_floor(&OperationInput::of(&document), &scene).is_err());
}

#[test]
fn every_visible_body_of_the_yard_is_picked_where_its_top_is_seen() {
    let level = yard();
    let document = Document::new(level, EntityId::new(100));
    let scene = scene(&document);
    let mut plan = Picker::default();
    plan.synchronise(document.level());
    let space = SpacePicker {
        scene: &scene,
        section: None,
    };
    let mut checked = 0;
    for (id, body) in scene.bodies() {
        // From straight above, nothing of the yard hides anything else.
        let above = body.bounds.centre().with_z(500.0);
        let ray = Ray::new(above, DVec3::NEG_Z);
        if body.first_hit(&ray, f64::INFINITY).is_none() {
            continue;
        }
        let camera = SpaceCamera::default();
        let found = selecting::targets(&space, &plan, &camera, VIEWPORT, &ray);
        let expected = plan.is_open(id).then_some(id);
        assert_eq!(found.iter().find(|found| **found == id).copied(), expected);
        checked += 1;
    }
    assert!(checked > 0);
}

#[test]
fn hidden_and_locked_objects_are_not_selected() {
    let mut document = room();
    let lock = |entity: &Entity| Entity {
        locked: true,
        ..entity.clone()
    };
    let table = Entity::clone(document.level().get(TABLE).expect("there"));
    document
        .commit("Lock", vec![Edit::replace(TABLE, lock(&table))])
        .expect("sound");
    let scene = scene(&document);
    let mut plan = Picker::default();
    plan.synchronise(document.level());
    let space = SpacePicker {
        scene: &scene,
        section: None,
    };
    let camera = SpaceCamera::default();
    let down = Ray::new(DVec3::new(49.0, 50.0, 9.0), DVec3::NEG_Z);
    let found = selecting::targets(&space, &plan, &camera, VIEWPORT, &down);
    assert!(!found.contains(&TABLE), "{found:?}");
}
