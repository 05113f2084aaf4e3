use crate::stage::*;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use wayloom::base::EntityId;
use wayloom::document::{Edit, Entity, Kind};
use wayloom::editor::panels;

fn layers() -> (Harness<'static, Stage>, EntityId) {
    let mut document = small_level();
    let id = document.allocate_id();
    document
        .commit(
            "Layer",
            vec![Edit::create(id, Entity::new("Roofs", Kind::Layer))],
        )
        .expect("valid");
    let harness = stage(document, &[], |editor, ui, actions| {
        editor
            .panels
            .get::<panels::Layers>()
            .ui(ui, &editor.state, actions);
    });
    (harness, id)
}

#[test]
fn a_layer_is_hidden_locked_and_drawn_on() {
    let (mut harness, roofs) = layers();
    harness.get_by_label("Hide Roofs").click();
    harness.run();
    harness.get_by_label("Lock Roofs").click();
    harness.run();
    let layer = harness.state().entity(roofs);
    assert!(!layer.visible && layer.locked);
    harness.get_by_label("Draw on Roofs").click();
    harness.run();
    let defaults = &harness.state().editor.state.toolbox.defaults;
    assert_eq!(defaults.layer, Some(roofs));
    harness.get_by_label("Draw on No layer").click();
    harness.run();
    assert_eq!(harness.state().editor.state.toolbox.defaults.layer, None);
}

#[test]
fn a_layer_is_added_and_selected() {
    let (mut harness, _) = layers();
    harness.get_by_label("Add layer").click();
    harness.run();
    let stage = harness.state();
    let added = stage.document().selection().single().expect("one");
    assert_eq!(stage.entity(added).kind, Kind::Layer);
    assert_eq!(stage.entity(added).name, "Layer 1");
}
