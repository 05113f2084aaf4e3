//! Through the whole editor, which looks for problems beside the window.

use crate::stage::*;
use crate::window::{settle, window};
use egui_kittest::kittest::Queryable as _;
use wayloom::base::EntityId;
use wayloom::document::{Document, Edit, Kind};
use wayloom::editor::Editor;

fn terrain(editor: &Editor, id: EntityId) -> EntityId {
    match &editor.state.document().level().get(id).expect("there").kind {
        Kind::Region(region) => region.terrain,
        _ => panic!("not a region"),
    }
}

/// Three regions whose terrain is gone.
fn without_mud() -> Document {
    let mut document = small_level();
    let puddle = document.level().get(PUDDLE).expect("there").clone();
    let mut edits = vec![Edit::Delete { id: MUD }];
    for name in ["Pool", "Pond"] {
        let mut copy = puddle.as_ref().clone();
        copy.name = name.to_owned();
        edits.push(Edit::create(document.allocate_id(), copy));
    }
    document.commit("Spoil", edits).expect("valid");
    document
}

#[test]
fn a_level_without_problems_says_so() {
    let harness = window(small_level());
    harness.get_by_label("No problems");
}

#[test]
fn a_click_on_a_problem_selects_what_it_is_about() {
    let mut harness = window(without_mud());
    let message = harness
        .state()
        .state
        .problems()
        .iter()
        .find(|problem| problem.message.contains("terrain"))
        .expect("a dangling reference")
        .clone();
    harness
        .get_all_by_label(&message.message)
        .next()
        .expect("listed")
        .click();
    harness.step();
    harness.step();
    assert_eq!(harness.state().state.document().selection().len(), 1);
}

#[test]
fn one_problem_is_fixed_in_one_step_and_all_of_a_kind_in_another() {
    let mut harness = window(without_mud());
    let before = harness.state().state.problems().len();
    assert!(before >= 3, "{before} problems");
    harness
        .get_all_by_label("Use another")
        .next()
        .expect("a fix")
        .click();
    harness.step();
    settle(&mut harness);
    assert_eq!(harness.state().state.problems().len(), before - 1);

    harness
        .get_all_by_label("Fix all 2")
        .next()
        .expect("two are left")
        .click();
    harness.step();
    settle(&mut harness);
    assert_eq!(harness.state().state.problems().len(), before - 3);
    assert_eq!(terrain(harness.state(), PUDDLE), ROAD);
    let labels: Vec<&str> = harness.state().state.document().undo_labels().collect();
    assert_eq!(labels.len(), 4, "{labels:?}");
    assert_eq!(labels[3], "Fix 2 problems");
}

#[test]
fn a_severity_can_be_left_out() {
    let mut harness = window(without_mud());
    assert!(harness.query_all_by_label("Use another").next().is_some());
    harness.get_by_label_contains("Show errors").click();
    harness.step();
    harness.step();
    assert!(harness.query_all_by_label("Use another").next().is_none());
}
