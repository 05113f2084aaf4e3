//! Panels and the editor's own keys, in the whole window.

use crate::stage::*;
use crate::window::window;
use egui::Key;
use egui_kittest::kittest::Queryable as _;
use wayloom::document::Kind;

#[test]
fn f2_renames_and_esc_belongs_to_the_name() {
    let mut harness = window(small_level());
    harness.get_by_label("Tower").click();
    harness.run_steps(4);
    harness.key_press(Key::F2);
    harness.run_steps(6);
    harness.event(egui::Event::Text("Keep".to_owned()));
    harness.run_steps(2);
    harness.key_press(Key::Escape);
    harness.run_steps(4);
    let document = harness.state().state.document();
    assert_eq!(document.level().label(TOWER), "Tower");
    assert!(document.selection().contains(TOWER));
    assert!(harness.query_by_label("New name").is_none());
}

#[test]
fn esc_leaves_a_number_as_it_was_and_the_selection_too() {
    let mut harness = window(small_level());
    harness.get_by_label("Tower").click();
    harness.run_steps(4);
    harness.get_by_label("Height").click();
    harness.run_steps(4);
    harness.event(egui::Event::Text("77".to_owned()));
    harness.run_steps(2);
    harness.key_press(Key::Escape);
    harness.run_steps(4);
    let document = harness.state().state.document();
    let Kind::Obstacle(tower) = &document.level().get(TOWER).expect("there").kind else {
        panic!("still an obstacle")
    };
    assert_eq!(tower.height, 12.0);
    assert!(document.selection().contains(TOWER));
}

#[test]
fn esc_takes_back_a_drag_in_the_inspector_and_keeps_the_selection() {
    let mut harness = window(small_level());
    harness.get_by_label("Tower").click();
    harness.run_steps(4);
    let from = harness.get_by_label("Height").rect().center();
    harness.drag_at(from);
    harness.run_steps(2);
    for step in 1..=5_u8 {
        harness.hover_at(from + egui::vec2(f32::from(step) * 8.0, 0.0));
        harness.run_steps(2);
    }
    assert!(harness.state().state.document().in_transaction());
    harness.key_press(Key::Escape);
    harness.run_steps(4);
    let document = harness.state().state.document();
    assert!(!document.in_transaction());
    assert!(document.selection().contains(TOWER));
    assert_eq!(document.undo_labels().len(), 1);
}

#[test]
fn a_picker_that_opens_takes_what_is_typed() {
    let mut harness = window(small_level());
    harness.get_by_label("Puddle").click();
    harness.run_steps(4);
    harness.get_by_label("Terrain").click();
    harness.run_steps(8);
    harness.event(egui::Event::Text("roa".to_owned()));
    harness.run_steps(2);
    harness.key_press(Key::Enter);
    harness.run_steps(4);
    let level = harness.state().state.document().level();
    let Kind::Region(puddle) = &level.get(PUDDLE).expect("there").kind else {
        panic!("still a region")
    };
    assert_eq!(puddle.terrain, ROAD);
}

#[test]
fn space_in_the_outliner_plays_and_leaves_the_selection_alone() {
    let mut harness = window(small_level());
    let at = harness.get_by_label("Tower").rect().center();
    harness.drag_at(at);
    harness.drop_at(at);
    harness.run_steps(4);
    // With Ctrl it takes a row out and in again.
    for is_selected in [false, true] {
        harness.key_press_modifiers(egui::Modifiers::COMMAND, Key::Space);
        harness.run_steps(4);
        let document = harness.state().state.document();
        assert_eq!(document.selection().contains(TOWER), is_selected);
    }
    harness.key_press(Key::Space);
    harness.run_steps(4);
    let state = &harness.state().state;
    assert!(state.document().selection().contains(TOWER));
    assert!(state.navigation.player.is_in_sight());
}
