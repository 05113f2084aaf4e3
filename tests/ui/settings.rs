use crate::stage::*;
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use wayloom::editor::Command;
use wayloom::editor::chord::Chord;
use wayloom::editor::preferences::{Preferences, ThemeChoice};
use wayloom::editor::store::{Item, Store};

#[test]
fn the_theme_changes_at_once_and_is_kept() {
    let folder = Folder::new();
    let mut harness = harness(editor(&folder));
    press(&mut harness, Modifiers::COMMAND, Key::Comma);
    harness.get_by_label("Light").click();
    harness.run_ok();
    assert_eq!(harness.ctx.theme(), egui::Theme::Light);
    let kept: Preferences = Store::in_folder(folder.path()).load(Item::Preferences);
    assert_eq!(kept.theme, ThemeChoice::Light);
}

#[test]
fn a_key_is_changed_and_does_its_new_work() {
    let folder = Folder::new();
    let mut harness = harness(editor_with_level(&folder));
    harness.get_by_label("Edit").click();
    harness.run_ok();
    harness.get_by_label("Keys…").click();
    harness.run_ok();
    type_into(&mut harness, "Find a key", "about");
    harness.get_by_label("Add a key for About Wayloom").click();
    harness.run_ok();
    press(&mut harness, Modifiers::COMMAND, Key::J);
    assert_eq!(
        harness.state().state.keys().keys(Command::About),
        [Chord::ctrl(Key::J)]
    );
    press(&mut harness, Modifiers::NONE, Key::Escape);
    press(&mut harness, Modifiers::COMMAND, Key::J);
    harness.get_by_label_contains("Version 0.");
}

#[test]
fn a_key_in_use_is_not_reassigned_without_asking() {
    let folder = Folder::new();
    let mut harness = harness(editor_with_level(&folder));
    harness.state_mut().ask(Command::KeyMap);
    harness.run_ok();
    type_into(&mut harness, "Find a key", "about");
    harness.get_by_label("Add a key for About Wayloom").click();
    harness.run_ok();
    press(&mut harness, Modifiers::COMMAND, Key::S);
    harness.get_by_label_contains("is already the key of “Save”");
    assert_eq!(
        harness.state().state.keys().command(Chord::ctrl(Key::S)),
        Some(Command::Save)
    );
    harness
        .get_by_label("Use it for “About Wayloom” instead")
        .click();
    harness.run_ok();
    let keys = harness.state().state.keys();
    assert_eq!(keys.command(Chord::ctrl(Key::S)), Some(Command::About));
    assert!(keys.keys(Command::Save).is_empty());
    harness.get_by_label("Reset all keys").click();
    harness.run_ok();
    assert_eq!(
        harness.state().state.keys().command(Chord::ctrl(Key::S)),
        Some(Command::Save)
    );
}

#[test]
fn the_help_lists_every_key_and_can_be_searched() {
    let folder = Folder::new();
    let mut harness = harness(editor_with_level(&folder));
    press(&mut harness, Modifiers::NONE, Key::F1);
    type_into(&mut harness, "Find in the help", "marquee or nothing");
    harness.get_by_label("No matches.");
    press(&mut harness, Modifiers::NONE, Key::F1);
    assert!(harness.query_by_label("Find in the help").is_none());
}

#[test]
fn the_interface_grows_with_a_key() {
    let folder = Folder::new();
    let mut harness = harness(editor(&folder));
    press(&mut harness, Modifiers::COMMAND, Key::Plus);
    assert!((harness.state().state.preferences.scale - 1.1).abs() < 1e-6);
    press(&mut harness, Modifiers::COMMAND, Key::Minus);
    assert!((harness.state().state.preferences.scale - 1.0).abs() < 1e-6);
}
