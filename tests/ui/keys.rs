use crate::stage::*;
use egui::{Key, Modifiers, PointerButton, Pos2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use glam::DVec2;
use wayloom::editor::Editor;
use wayloom::interaction::ToolKind;

/// Where a place of the level is on the screen.
fn on_screen(harness: &Harness<'_, Editor>, world: DVec2) -> Pos2 {
    let view = &harness.state().state.view;
    let at = view.camera.screen_from_world(world, view.viewport);
    let rect = harness.get_by_label("Plan view").rect();
    rect.min + egui::vec2(at.x as f32, at.y as f32)
}

fn button(harness: &mut Harness<'_, Editor>, at: Pos2, pressed: bool) {
    harness.event(egui::Event::PointerButton {
        pos: at,
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    });
    harness.run_ok();
}

fn click(harness: &mut Harness<'_, Editor>, world: DVec2) {
    let at = on_screen(harness, world);
    harness.hover_at(at);
    harness.run_ok();
    button(harness, at, true);
    button(harness, at, false);
}

fn drag_to(harness: &mut Harness<'_, Editor>, from: DVec2, to: DVec2) {
    let (from, to) = (on_screen(harness, from), on_screen(harness, to));
    harness.hover_at(from);
    harness.run_ok();
    button(harness, from, true);
    for step in 1..=4_u8 {
        harness.hover_at(from + (to - from) * (f32::from(step) / 4.0));
        harness.run_ok();
    }
}

#[test]
fn a_click_selects_and_a_drag_moves_in_one_step() {
    let folder = Folder::new();
    let mut harness = harness(editor_with_level(&folder));
    let middle = DVec2::splat(50.0);
    click(&mut harness, middle);
    assert!(harness.state().state.document().selection().contains(BARN));
    let to = middle + DVec2::new(20.0, 0.0);
    drag_to(&mut harness, middle, to);
    let at = on_screen(&harness, to);
    button(&mut harness, at, false);
    let document = harness.state().state.document();
    assert_eq!(document.undo_labels().len(), 1);
    let bounds = document
        .level()
        .get(BARN)
        .and_then(|barn| barn.bounds())
        .expect("placed");
    assert!((bounds.centre() - to).length() < 1.5, "{bounds:?}");
}

#[test]
fn esc_takes_back_the_drag_then_the_tool_then_the_selection_and_never_quits() {
    let folder = Folder::new();
    let mut harness = harness(editor_with_level(&folder));
    let middle = DVec2::splat(50.0);
    click(&mut harness, middle);
    drag_to(&mut harness, middle, middle + DVec2::new(20.0, 0.0));
    assert!(harness.state().state.document().in_transaction());
    press(&mut harness, Modifiers::NONE, Key::Escape);
    assert!(!harness.state().state.document().in_transaction());
    assert!(!harness.state().state.document().is_dirty());
    let at = on_screen(&harness, middle + DVec2::new(20.0, 0.0));
    button(&mut harness, at, false);

    press(&mut harness, Modifiers::NONE, Key::O);
    assert_eq!(harness.state().state.toolbox.current(), ToolKind::Polygon);
    click(&mut harness, DVec2::new(10.0, 10.0));
    press(&mut harness, Modifiers::NONE, Key::Escape);
    assert_eq!(harness.state().state.toolbox.current(), ToolKind::Polygon);
    press(&mut harness, Modifiers::NONE, Key::Escape);
    assert_eq!(harness.state().state.toolbox.current(), ToolKind::Select);
    assert!(!harness.state().state.document().selection().is_empty());
    press(&mut harness, Modifiers::NONE, Key::Escape);
    assert!(harness.state().state.document().selection().is_empty());
    for _ in 0..5 {
        press(&mut harness, Modifiers::NONE, Key::Escape);
    }
    assert!(harness.state().state.level_is_open());
}

#[test]
fn keys_do_not_fire_while_typing() {
    let folder = Folder::new();
    let mut harness = harness(editor_with_level(&folder));
    press(&mut harness, Modifiers::NONE, Key::F1);
    harness.get_by_label("Find in the help").focus();
    harness.run_ok();
    for key in [Key::W, Key::O, Key::G, Key::Delete] {
        press(&mut harness, Modifiers::NONE, key);
    }
    let state = &harness.state().state;
    assert_eq!(state.toolbox.current(), ToolKind::Select);
    assert!(state.document().level().settings().grid.visible);
    assert!(!state.document().is_dirty());
}

#[test]
fn a_polygon_is_drawn_with_clicks_and_closed_with_enter() {
    let folder = Folder::new();
    let mut harness = harness(editor_with_level(&folder));
    press(&mut harness, Modifiers::NONE, Key::O);
    for corner in [(10.0, 10.0), (20.0, 10.0), (20.0, 20.0)] {
        click(&mut harness, DVec2::from(corner));
    }
    press(&mut harness, Modifiers::NONE, Key::Enter);
    let document = harness.state().state.document();
    assert_eq!(document.level().obstacles().count(), 2);
    assert_eq!(document.undo_labels().len(), 1);
}

#[test]
fn ctrl_z_takes_back_a_point_while_drawing_and_a_step_otherwise() {
    let folder = Folder::new();
    let mut harness = harness(editor_with_level(&folder));
    change(&mut harness);
    press(&mut harness, Modifiers::NONE, Key::O);
    for corner in [(10.0, 10.0), (20.0, 10.0)] {
        click(&mut harness, DVec2::from(corner));
    }
    press(&mut harness, Modifiers::COMMAND, Key::Z);
    press(&mut harness, Modifiers::COMMAND, Key::Z);
    assert!(harness.state().state.document().is_dirty());
    press(&mut harness, Modifiers::COMMAND, Key::Z);
    assert!(!harness.state().state.document().is_dirty());
}

#[test]
fn the_wheel_keeps_the_place_under_the_pointer() {
    let folder = Folder::new();
    let mut harness = harness(editor_with_level(&folder));
    let place = DVec2::new(30.0, 60.0);
    let at = on_screen(&harness, place);
    let before = harness.state().state.view.camera.pixels_per_metre;
    harness.hover_at(at);
    harness.run_ok();
    harness.event(egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Line,
        delta: egui::vec2(0.0, 3.0),
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Wheel,
        modifiers: Modifiers::NONE,
    });
    harness.run_ok();
    let view = &harness.state().state.view;
    assert!(view.camera.pixels_per_metre > before * 1.2);
    let now = on_screen(&harness, place);
    assert!((now - at).length() < 0.5, "{at} → {now}");
}

#[test]
fn a_middle_drag_moves_the_view_and_nothing_else() {
    let folder = Folder::new();
    let mut harness = harness(editor_with_level(&folder));
    let from = on_screen(&harness, DVec2::splat(50.0));
    let centre = harness.state().state.view.camera.centre;
    harness.hover_at(from);
    harness.run_ok();
    for (pressed, at) in [(true, from), (false, from + egui::vec2(80.0, 0.0))] {
        harness.hover_at(at);
        harness.run_ok();
        harness.event(egui::Event::PointerButton {
            pos: at,
            button: PointerButton::Middle,
            pressed,
            modifiers: Modifiers::NONE,
        });
        harness.run_ok();
    }
    let state = &harness.state().state;
    assert!(state.view.camera.centre.x < centre.x);
    assert!(!state.document().is_dirty());
    assert!(state.document().selection().is_empty());
}

#[test]
fn frame_keys_show_the_selection_and_the_level() {
    let folder = Folder::new();
    let mut harness = harness(editor_with_level(&folder));
    click(&mut harness, DVec2::splat(50.0));
    let whole = harness.state().state.view.camera.pixels_per_metre;
    press(&mut harness, Modifiers::NONE, Key::F);
    assert!(harness.state().state.view.camera.pixels_per_metre > whole * 2.0);
    press(&mut harness, Modifiers::SHIFT, Key::F);
    let back = harness.state().state.view.camera.pixels_per_metre;
    assert!((back - whole).abs() < whole * 0.01);
}

#[test]
fn a_drag_with_the_space_bar_moves_the_view() {
    let folder = Folder::new();
    let mut harness = harness(editor_with_level(&folder));
    let centre = harness.state().state.view.camera.centre;
    harness.key_down(Key::Space);
    harness.run_ok();
    let middle = DVec2::splat(50.0);
    drag_to(&mut harness, middle, middle + DVec2::new(10.0, 0.0));
    let at = harness.get_by_label("Plan view").rect().center();
    button(&mut harness, at, false);
    harness.key_up(Key::Space);
    harness.run_ok();
    let state = &harness.state().state;
    assert_ne!(state.view.camera.centre, centre);
    assert!(!state.document().is_dirty());
}

#[test]
fn a_new_note_is_written_on_at_once() {
    let folder = Folder::new();
    let mut harness = harness(editor_with_level(&folder));
    let ctx = egui::Context::default();
    harness
        .state_mut()
        .run(&ctx, wayloom::editor::Command::Tool(ToolKind::Note))
        .expect("a level is open");
    click(&mut harness, DVec2::new(20.0, 20.0));
    for (key, letter) in [(Key::Q, "q"), (Key::P, "p"), (Key::O, "o")] {
        harness.event(egui::Event::Text(letter.to_owned()));
        press(&mut harness, Modifiers::NONE, key);
    }
    let state = &harness.state().state;
    assert_eq!(state.toolbox.current(), ToolKind::Note);
    let level = state.document().level();
    let text = level.iter().find_map(|(_, entity)| match &entity.kind {
        wayloom::document::Kind::Note(note) => Some(note.text.clone()),
        _ => None,
    });
    assert_eq!(text.as_deref(), Some("qpo"));
}

#[test]
fn find_has_the_keyboard_at_once_and_esc_closes_it_before_the_tool() {
    let folder = Folder::new();
    let mut harness = harness(editor_with_level(&folder));
    press(&mut harness, Modifiers::NONE, Key::O);
    press(&mut harness, Modifiers::COMMAND, Key::F);
    for (key, letter) in [(Key::B, "b"), (Key::A, "a"), (Key::R, "r")] {
        harness.event(egui::Event::Text(letter.to_owned()));
        press(&mut harness, Modifiers::NONE, key);
    }
    assert_eq!(harness.state().state.toolbox.current(), ToolKind::Polygon);
    assert!(harness.query_by_label("Select all found").is_some());
    let field = harness.get_by_label("Name or text");
    assert_eq!(field.value().as_deref(), Some("bar"));
    press(&mut harness, Modifiers::NONE, Key::Escape);
    assert!(harness.query_by_label("Select all found").is_none());
    assert_eq!(harness.state().state.toolbox.current(), ToolKind::Polygon);

    // Left open while drawing: points first, then the window, then the tool.
    press(&mut harness, Modifiers::COMMAND, Key::F);
    click(&mut harness, DVec2::new(10.0, 10.0));
    press(&mut harness, Modifiers::NONE, Key::Escape);
    assert!(harness.query_by_label("Select all found").is_some());
    press(&mut harness, Modifiers::NONE, Key::Escape);
    assert!(harness.query_by_label("Select all found").is_none());
    assert_eq!(harness.state().state.toolbox.current(), ToolKind::Polygon);
    press(&mut harness, Modifiers::NONE, Key::Escape);
    assert_eq!(harness.state().state.toolbox.current(), ToolKind::Select);
}
