use crate::stage::*;
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use wayloom::interaction::ToolKind;

#[test]
fn a_few_letters_and_enter_run_a_command() {
    let folder = Folder::new();
    let mut harness = harness(editor_with_level(&folder));
    press(&mut harness, Modifiers::COMMAND, Key::K);
    type_into(&mut harness, "Find a command by name", "tebru");
    press(&mut harness, Modifiers::NONE, Key::Enter);
    assert_eq!(
        harness.state().state.toolbox.current(),
        ToolKind::TerrainBrush
    );
    assert!(harness.query_by_label("Find a command by name").is_none());
}

#[test]
fn arrows_choose_and_esc_closes_without_running() {
    let folder = Folder::new();
    let mut harness = harness(editor_with_level(&folder));
    press(&mut harness, Modifiers::COMMAND, Key::K);
    type_into(&mut harness, "Find a command by name", "polygon");
    press(&mut harness, Modifiers::NONE, Key::ArrowDown);
    press(&mut harness, Modifiers::NONE, Key::Escape);
    assert!(harness.query_by_label("Find a command by name").is_none());
    assert_eq!(harness.state().state.toolbox.current(), ToolKind::Select);
}

#[test]
fn what_cannot_be_used_stays_in_the_list_and_does_nothing() {
    let folder = Folder::new();
    let mut harness = harness(editor_with_level(&folder));
    press(&mut harness, Modifiers::COMMAND, Key::K);
    type_into(&mut harness, "Find a command by name", "distribute across");
    press(&mut harness, Modifiers::NONE, Key::Enter);
    assert!(harness.query_by_label("Find a command by name").is_some());
    harness.get_by_role_and_label(egui::accesskit::Role::Button, "Distribute across");
}

#[test]
fn the_button_in_the_menu_bar_opens_it_and_a_click_runs() {
    let folder = Folder::new();
    let mut harness = harness(editor_with_level(&folder));
    harness.get_by_label("Find a command").click();
    harness.run_ok();
    type_into(&mut harness, "Find a command by name", "about");
    click_button(&mut harness, "About Wayloom");
    harness.get_by_label_contains("Version 0.");
}
