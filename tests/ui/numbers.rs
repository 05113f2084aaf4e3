//! Numbers are read the same way wherever they are typed.

use crate::stage::{Folder, editor, editor_with_level, harness, press, wait};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use glam::DVec2;
use wayloom::editor::{Command, Editor};
use wayloom::interaction::ToolKind;

/// Clicks a number and types over it.
fn write_number(harness: &mut Harness<'_, Editor>, label: &str, text: &str) {
    let spin = egui::accesskit::Role::SpinButton;
    harness.get_by_role_and_label(spin, label).click();
    harness.run_ok();
    harness.get_by_label(label).type_text(text);
}

fn type_number(harness: &mut Harness<'_, Editor>, label: &str, text: &str) {
    write_number(harness, label, text);
    press(harness, egui::Modifiers::NONE, egui::Key::Enter);
}

fn has_text(harness: &Harness<'_, Editor>, part: &str) -> bool {
    harness.query_all_by_label_contains(part).next().is_some()
}

#[test]
fn the_tool_strip_reads_numbers_as_the_inspector_does() {
    let folder = Folder::new();
    let mut harness = harness(editor_with_level(&folder));
    harness.state_mut().ask(Command::Tool(ToolKind::SolidBox));
    harness.run_ok();
    let height =
        |harness: &Harness<'_, Editor>| harness.state().state.toolbox.defaults.solid_height;
    for (text, value) in [
        ("250 cm", 2.5),
        ("2+1", 3.0),
        ("3,6", 3.6),
        ("1 ft", 0.3048),
    ] {
        type_number(&mut harness, "Height", text);
        assert_eq!(height(&harness), value, "{text}");
    }
    for (text, sentence) in [
        (
            "-3",
            "size is -3 m; it must be between 0.001 m and 100000 m",
        ),
        ("abc", "`abc` is not a number"),
        ("1e99", "size is 1e99 m"),
    ] {
        type_number(&mut harness, "Height", text);
        assert_eq!(height(&harness), 0.3048, "{text}");
        assert!(has_text(&harness, sentence), "{text}");
    }
    type_number(&mut harness, "Height", "2");
    assert!(!has_text(&harness, "it must be between"));
}

#[test]
fn counts_are_whole() {
    let folder = Folder::new();
    let mut harness = harness(editor_with_level(&folder));
    for (tool, name, count) in [
        (ToolKind::SolidStairs, "Steps", "10"),
        (ToolKind::CrowdArea, "Agents", "20"),
    ] {
        harness.state_mut().ask(Command::Tool(tool));
        harness.run_ok();
        let spin = egui::accesskit::Role::SpinButton;
        let field = harness.get_by_role_and_label(spin, name);
        assert_eq!(field.value().as_deref(), Some(count));
    }
}

#[test]
fn a_new_level_is_as_wide_and_high_as_was_typed() {
    let folder = Folder::new();
    let mut harness = harness(editor(&folder));
    harness.state_mut().ask(Command::NewLevel);
    harness.run_ok();
    type_number(&mut harness, "Width", "40x30");
    assert!(
        has_text(&harness, "`40x30` is not a number"),
        "nothing is made of what is no number"
    );
    write_number(&mut harness, "Height", "30,5");
    press(&mut harness, egui::Modifiers::NONE, egui::Key::Tab);
    // Enter after a number also creates.
    type_number(&mut harness, "Width", "40");
    wait(&mut harness, "the level is drawn", |editor| {
        editor.state.level_is_open()
    });
    let size = harness
        .state()
        .state
        .document()
        .level()
        .settings()
        .bounds
        .size();
    assert_eq!(size, DVec2::new(40.0, 30.5));
}
