//! The 3D view in the window: switching, looking, picking, dragging, dropping, sections.

use crate::stage::*;
use egui::{Key, Modifiers, PointerButton, Pos2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use glam::{DVec2, DVec3};
use std::f64::consts::FRAC_PI_2;
use wayloom::base::EntityId;
use wayloom::document::{Edit, Entity, Kind, Selection, Solid, SolidShape};
use wayloom::editor::docking::{Pane, Views};
use wayloom::editor::{Action, Command, Editor};
use wayloom::geometry::{Aabb, Rect};
use wayloom::interaction::ToolKind;
use wayloom::interaction::space::{Gizmo, GizmoMode, Projection};

const CRATE: EntityId = EntityId::new(40);

fn views(harness: &Harness<'_, Editor>) -> Views {
    Views::of(&harness.state().state.open_panes)
}

fn run(harness: &mut Harness<'_, Editor>, command: Command) {
    harness.state_mut().ask(command);
    harness.run_ok();
}

/// The barn, seen in 3D alone, nothing moving any more.
fn in_space(folder: &Folder) -> Harness<'static, Editor> {
    let mut harness = harness(editor_with_level(folder));
    press(&mut harness, Modifiers::NONE, Key::F8);
    assert_eq!(views(&harness), Views::Space);
    harness.run_ok();
    harness
}

/// Where a place of the level is in the window.
fn seen(harness: &Harness<'_, Editor>, place: DVec3) -> Pos2 {
    let rect = harness.get_by_label("3D view").rect();
    let space = &harness.state().state.space;
    let at = space
        .camera
        .screen_from_world(place, space.viewport)
        .expect("before the eye");
    rect.min + vec2(at.x as f32, at.y as f32)
}

fn click(harness: &mut Harness<'_, Editor>, at: Pos2, modifiers: Modifiers) {
    harness.hover_at(at);
    harness.step();
    for pressed in [true, false] {
        harness.event_modifiers(
            egui::Event::PointerButton {
                pos: at,
                button: PointerButton::Primary,
                pressed,
                modifiers,
            },
            modifiers,
        );
        harness.step();
    }
    harness.run_ok();
}

fn button(at: Pos2, button: PointerButton, pressed: bool) -> egui::Event {
    egui::Event::PointerButton {
        pos: at,
        button,
        pressed,
        modifiers: Modifiers::NONE,
    }
}

/// Presses and moves, without letting go.
fn drag(harness: &mut Harness<'_, Editor>, from: Pos2, to: Pos2, with: PointerButton) {
    harness.hover_at(from);
    harness.step();
    harness.event(button(from, with, true));
    harness.step();
    for i in 1..=6 {
        harness.event(egui::Event::PointerMoved(
            from + (to - from) * (i as f32 / 6.0),
        ));
        harness.step();
    }
}

fn barn(harness: &Harness<'_, Editor>) -> Rect {
    let level = harness.state().state.document().level();
    level.get(BARN).and_then(|e| e.bounds()).expect("drawn")
}

fn steps(harness: &Harness<'_, Editor>) -> usize {
    harness.state().state.document().undo_labels().len()
}

#[test]
fn keys_show_the_plan_the_3d_view_or_both_and_the_choice_is_kept() {
    let folder = Folder::new();
    let mut harness = harness(editor_with_level(&folder));
    assert_eq!(views(&harness), Views::Plan);
    assert!(harness.query_by_label("3D view").is_none());
    press(&mut harness, Modifiers::NONE, Key::F9);
    assert_eq!(views(&harness), Views::Both);
    let plan = harness.get_by_label("Plan view").rect();
    let space = harness.get_by_label("3D view").rect();
    assert!(
        plan.width() > 200.0 && space.width() > 200.0,
        "{plan} {space}"
    );
    assert!(plan.right() <= space.left() + 4.0, "side by side");
    press(&mut harness, Modifiers::NONE, Key::F8);
    assert_eq!(views(&harness), Views::Space);
    assert!(harness.query_by_label("Plan view").is_none());
    harness.state_mut().keep();
    let again = sized(editor_with_level(&folder), vec2(1280.0, 720.0));
    assert_eq!(views(&again), Views::Space);
    drop(again);
    press(&mut harness, Modifiers::NONE, Key::F7);
    assert_eq!(views(&harness), Views::Plan);
}

#[test]
fn digits_look_from_sides_only_while_the_view_is_in_sight() {
    let folder = Folder::new();
    let mut harness = in_space(&folder);
    let angles = |harness: &Harness<'_, Editor>| {
        let camera = harness.state().state.space.camera;
        (camera.yaw, camera.pitch)
    };
    press(&mut harness, Modifiers::NONE, Key::Num7);
    assert!(
        (angles(&harness).1 - FRAC_PI_2).abs() < 1e-3,
        "from the top"
    );
    press(&mut harness, Modifiers::NONE, Key::Num1);
    assert!(angles(&harness).1.abs() < 1e-9, "from the front");
    let front = angles(&harness);
    press(&mut harness, Modifiers::NONE, Key::Num5);
    assert_eq!(
        harness.state().state.space.camera.projection,
        Projection::Orthographic
    );
    press(&mut harness, Modifiers::NONE, Key::F7);
    press(&mut harness, Modifiers::NONE, Key::Num7);
    assert_eq!(angles(&harness), front, "nothing turns out of sight");
}

#[test]
fn a_click_selects_what_is_seen_and_empty_ground_clears() {
    let folder = Folder::new();
    let mut harness = in_space(&folder);
    let top = seen(&harness, DVec3::new(50.0, 50.0, 3.0));
    click(&mut harness, top, Modifiers::NONE);
    assert_eq!(
        harness.state().state.document().selection(),
        &Selection::one(BARN)
    );
    assert_eq!(harness.state().state.view.hovered, Some(BARN));
    click(&mut harness, top, Modifiers::SHIFT);
    assert!(harness.state().state.document().selection().is_empty());
    click(&mut harness, top, Modifiers::NONE);
    let meadow = seen(&harness, DVec3::new(80.0, 10.0, 0.0));
    click(&mut harness, meadow, Modifiers::NONE);
    assert!(harness.state().state.document().selection().is_empty());
}

#[test]
fn an_arrow_moves_along_its_axis_in_one_undo_step_and_esc_takes_it_back() {
    let folder = Folder::new();
    let mut harness = in_space(&folder);
    let top = seen(&harness, DVec3::new(50.0, 50.0, 3.0));
    click(&mut harness, top, Modifiers::NONE);
    press(&mut harness, Modifiers::NONE, Key::W);
    assert_eq!(harness.state().state.toolbox.current(), ToolKind::Move);
    let (before, done) = (barn(&harness), steps(&harness));
    let tip = |harness: &Harness<'_, Editor>| {
        let state = &harness.state().state;
        let (space, document) = (&state.space, state.document());
        let gizmo = Gizmo::of(
            space.scene().expect("made"),
            document.level(),
            document.selection(),
            GizmoMode::Move,
            &space.camera,
            space.viewport,
        )
        .expect("something is selected");
        let end = gizmo.pivot + gizmo.axis(0) * gizmo.reach * 0.9;
        (end, gizmo.pivot)
    };
    let (end, _) = tip(&harness);
    let from = seen(&harness, end);
    let to = seen(&harness, end + DVec3::X * 10.0);
    drag(&mut harness, from, to, PointerButton::Primary);
    assert!(harness.state().state.document().in_transaction());
    let moved = barn(&harness);
    assert!(
        (moved.min.x - before.min.x - 10.0).abs() < 1.1,
        "{moved:?} {before:?}"
    );
    assert_eq!(moved.min.y, before.min.y, "only along x");
    press(&mut harness, Modifiers::NONE, Key::Escape);
    assert_eq!(barn(&harness), before);
    assert_eq!(steps(&harness), done);
    harness.event(button(to, PointerButton::Primary, false));
    harness.run_ok();
    assert_eq!(barn(&harness), before, "the rest of the drag does nothing");
    drag(&mut harness, from, to, PointerButton::Primary);
    harness.event(button(to, PointerButton::Primary, false));
    harness.run_ok();
    assert_eq!(barn(&harness).min.x, moved.min.x);
    assert_eq!(steps(&harness), done + 1);
    run(&mut harness, Command::Undo);
    assert_eq!(barn(&harness), before);
}

#[test]
fn a_drag_in_the_plan_is_seen_in_3d_at_once() {
    let folder = Folder::new();
    let mut harness = in_space(&folder);
    press(&mut harness, Modifiers::NONE, Key::F9);
    let bounds = |harness: &Harness<'_, Editor>| -> Aabb {
        let scene = harness.state().state.space.scene().expect("made");
        scene.body(BARN).expect("a body").bounds
    };
    let before = bounds(&harness);
    let plan = harness.get_by_label("Plan view").rect();
    let view = &harness.state().state.view;
    let at = view
        .camera
        .screen_from_world(DVec2::splat(50.0), view.viewport);
    let from = plan.min + vec2(at.x as f32, at.y as f32);
    drag(
        &mut harness,
        from,
        from + vec2(40.0, 0.0),
        PointerButton::Primary,
    );
    harness.step();
    assert!(harness.state().state.document().in_transaction());
    let now = bounds(&harness);
    assert!(now.min.x > before.min.x + 1.0, "{now:?} {before:?}");
    let level = harness.state().state.document().level();
    let rect = level.get(BARN).and_then(|e| e.bounds()).expect("drawn");
    assert_eq!(now.min.truncate(), rect.min, "no frame behind");
    press(&mut harness, Modifiers::NONE, Key::Escape);
    harness.run_ok();
    assert_eq!(bounds(&harness), before);
}

#[test]
fn the_right_button_flies_and_letters_are_no_commands_then() {
    let folder = Folder::new();
    let mut harness = in_space(&folder);
    let eye = harness.state().state.space.camera.eye();
    let from = harness.get_by_label("3D view").rect().center();
    drag(
        &mut harness,
        from,
        from + vec2(2.0, 12.0),
        PointerButton::Secondary,
    );
    let turned = harness.state().state.space.camera;
    assert!(turned.eye().distance(eye) < 1e-6, "the eye stays");
    harness.key_down(Key::W);
    harness.step();
    harness.step();
    harness.key_up(Key::W);
    harness.step();
    let camera = harness.state().state.space.camera;
    assert!(camera.eye().distance(eye) > 0.5, "it flies");
    assert_eq!(harness.state().state.toolbox.current(), ToolKind::Select);
    harness.event(button(
        from + vec2(2.0, 12.0),
        PointerButton::Secondary,
        false,
    ));
    harness.run_ok();
    press(&mut harness, Modifiers::NONE, Key::W);
    assert_eq!(harness.state().state.toolbox.current(), ToolKind::Move);
}

#[test]
fn the_middle_button_circles_and_the_wheel_comes_nearer() {
    let folder = Folder::new();
    let mut harness = in_space(&folder);
    let before = harness.state().state.space.camera;
    let middle = harness.get_by_label("3D view").rect().center();
    drag(
        &mut harness,
        middle,
        middle + vec2(60.0, 0.0),
        PointerButton::Middle,
    );
    harness.event(button(
        middle + vec2(60.0, 0.0),
        PointerButton::Middle,
        false,
    ));
    harness.run_ok();
    let turned = harness.state().state.space.camera;
    assert!((turned.yaw - before.yaw).abs() > 0.05);
    assert_eq!(turned.target, before.target);
    harness.event(egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Line,
        delta: vec2(0.0, 2.0),
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Wheel,
        modifiers: Modifiers::NONE,
    });
    harness.run_ok();
    assert!(harness.state().state.space.camera.distance < before.distance);
}

#[test]
fn what_hangs_drops_to_the_floor_in_one_step() {
    let folder = Folder::new();
    let mut harness = in_space(&folder);
    let solid = Solid::new(
        SolidShape::Box,
        DVec3::new(20.0, 20.0, 6.5),
        DVec3::splat(2.0),
    );
    let edits = vec![Edit::create(
        CRATE,
        Entity::new("Crate", Kind::Solid(solid)),
    )];
    let ctx = harness.ctx.clone();
    let editor = harness.state_mut();
    editor.apply(
        &ctx,
        Action::Commit {
            label: "Draw".to_owned(),
            edits,
            merge: None,
        },
    );
    editor.apply(&ctx, Action::Select(Selection::one(CRATE)));
    harness.run_ok();
    let done = steps(&harness);
    press(&mut harness, Modifiers::SHIFT, Key::End);
    let height = |harness: &Harness<'_, Editor>| match &harness
        .state()
        .state
        .document()
        .level()
        .get(CRATE)
        .expect("there")
        .kind
    {
        Kind::Solid(solid) => solid.position.z,
        _ => panic!("still a solid"),
    };
    assert_eq!(height(&harness), 0.0);
    assert_eq!(steps(&harness), done + 1);
    press(&mut harness, Modifiers::SHIFT, Key::End);
    assert_eq!(steps(&harness), done + 1, "it stands already");
}

#[test]
fn a_section_cuts_the_barn_open_and_what_is_cut_away_cannot_be_clicked() {
    let folder = Folder::new();
    let mut harness = in_space(&folder);
    press(&mut harness, Modifiers::NONE, Key::Num0);
    let section = harness.state().state.space.section.expect("cut open");
    assert!(section > 0.0 && section < 3.0, "{section}");
    press(&mut harness, Modifiers::ALT, Key::PageUp);
    assert_eq!(
        harness.state().state.space.section,
        None,
        "above the only storey"
    );
    press(&mut harness, Modifiers::ALT, Key::PageDown);
    assert_eq!(harness.state().state.space.section, Some(section));
}

#[test]
fn solids_are_drawn_on_the_ground_of_the_3d_view() {
    let folder = Folder::new();
    let mut harness = in_space(&folder);
    run(&mut harness, Command::Tool(ToolKind::SolidBox));
    let from = seen(&harness, DVec3::new(20.0, 20.0, 0.0));
    let to = seen(&harness, DVec3::new(30.0, 26.0, 0.0));
    drag(&mut harness, from, to, PointerButton::Primary);
    harness.event(button(to, PointerButton::Primary, false));
    harness.run_ok();
    let level = harness.state().state.document().level();
    let solid = level
        .iter()
        .find_map(|(id, entity)| match &entity.kind {
            Kind::Solid(solid) => Some((id, solid.clone())),
            _ => None,
        })
        .expect("a box was drawn");
    assert!(
        (solid.1.size.truncate() - DVec2::new(10.0, 6.0)).length() < 1.5,
        "{:?}",
        solid.1
    );
    let scene = harness.state().state.space.scene().expect("made");
    assert!(scene.body(solid.0).is_some(), "seen at once");
}

#[test]
fn an_idle_view_paints_nothing() {
    let folder = Folder::new();
    let mut harness = in_space(&folder);
    press(&mut harness, Modifiers::NONE, Key::Num7);
    wait(&mut harness, "all work", |editor| editor.work.is_idle());
    // The picture without OpenGL is drawn beside the window: rough first, then fine.
    let mut rests = 0;
    for _ in 0..200 {
        std::thread::sleep(std::time::Duration::from_millis(100));
        rests = if harness.run_ok() == Some(1) {
            rests + 1
        } else {
            0
        };
        if rests == 10 {
            break;
        }
    }
    assert_eq!(rests, 10, "the view comes to rest");
    let camera = harness.state().state.space.camera;
    assert_eq!(
        harness.run_ok(),
        Some(1),
        "one frame, and no other is asked for"
    );
    assert_eq!(harness.state().state.space.camera, camera);
    assert!(harness.state().state.open_panes.contains(&Pane::SPACE));
}
