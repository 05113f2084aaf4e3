use crate::stage::*;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use wayloom::document::{Kind, Selection};
use wayloom::editor::panels;
use wayloom::editor::{Action, Command};

fn weights() -> Harness<'static, Stage> {
    let mut harness = stage(small_level(), &[], |editor, ui, actions| {
        editor
            .panels
            .get::<panels::Weights>()
            .ui(ui, &editor.state, actions);
    });
    harness.set_size(egui::vec2(600.0, 300.0));
    harness.run();
    harness
}

#[test]
fn a_weight_is_inherited_until_it_is_set_and_can_be_given_back() {
    let mut harness = weights();
    let weight = |stage: &Stage| stage.level().terrain_weight(ADULT, MUD);
    assert_eq!(
        harness.get_by_label("Adult on Mud").value().as_deref(),
        Some("5")
    );
    type_number(&mut harness, "Default on Mud", "8");
    assert_eq!(weight(harness.state()), 8.0);
    type_number(&mut harness, "Adult on Mud", "40");
    assert_eq!(weight(harness.state()), 40.0);
    type_number(&mut harness, "Default on Mud", "9");
    assert_eq!(weight(harness.state()), 40.0);
    harness
        .get_by_label("Use the terrain's default: Adult on Mud")
        .click();
    harness.run();
    assert_eq!(weight(harness.state()), 9.0);
}

#[test]
fn a_weight_of_nothing_is_refused() {
    let mut harness = weights();
    type_number(&mut harness, "Adult on Road", "0");
    assert_eq!(harness.state().level().terrain_weight(ADULT, ROAD), 1.0);
    assert_eq!(harness.state().undo_labels(), ["Draw"]);
}

#[test]
fn bodies_are_edited_beside_each_other() {
    let mut harness = stage(small_level(), &[], |editor, ui, actions| {
        editor
            .panels
            .get::<panels::Profiles>()
            .ui(ui, &editor.state, actions);
    });
    harness.set_size(egui::vec2(900.0, 300.0));
    harness.run();
    type_number(&mut harness, "Height of Adult", "1.9");
    type_number(&mut harness, "Speed of Adult", "5 km/h");
    let Kind::Profile(profile) = &harness.state().entity(ADULT).kind else {
        panic!("still a profile")
    };
    assert_eq!(profile.body.height, 1.9);
    assert!((profile.pace.speed - 5.0 / 3.6).abs() < 1e-12);
    assert_eq!(harness.state().undo_labels().len(), 3);
}

#[test]
fn a_preset_gives_all_weights_in_one_step() {
    let mut harness = weights();
    harness.get_by_label("Weights of Adult").click();
    harness.run();
    harness.get_by_label("Pedestrian").click();
    harness.run();
    let level = harness.state().level();
    assert_eq!(level.terrain_weight(ADULT, MUD), 40.0);
    assert_eq!(level.terrain_weight(ADULT, ROAD), 4.0);
    assert_eq!(
        harness.state().undo_labels(),
        ["Draw", "Weights of Adult: pedestrian"]
    );
    harness.get_by_label("Weights of Adult").click();
    harness.run();
    harness.get_by_label("Reset to defaults").click();
    harness.run();
    let level = harness.state().level();
    assert_eq!(level.terrain_weight(ADULT, MUD), 5.0);
    assert_eq!(harness.state().undo_labels().len(), 3);
}

#[test]
fn a_refused_weight_is_explained_in_the_panel() {
    for typed in ["0", "-3", "1e400", "mud"] {
        let mut harness = weights();
        type_number(&mut harness, "Adult on Road", typed);
        harness.run();
        assert_eq!(harness.state().level().terrain_weight(ADULT, ROAD), 1.0);
        harness.get_by_label_contains("Adult on Road: ");
    }
}

#[test]
fn the_newest_error_is_shown_until_a_weight_is_accepted() {
    let mut harness = weights();
    for terrain in ["Mud", "Road"] {
        type_number(&mut harness, &format!("Adult on {terrain}"), "0");
        harness.run();
        harness.get_by_label_contains(&format!("Adult on {terrain}: "));
    }
    type_number(&mut harness, "Default on Mud", "mud");
    harness.run();
    harness.get_by_label_contains("Default on Mud: `mud` is not a number");
    type_number(&mut harness, "Default on Mud", "7");
    harness.run();
    assert!(harness.query_by_label_contains(" on Mud: ").is_none());
    assert!(harness.query_by_label_contains(" on Road: ").is_none());
}

#[test]
fn presets_are_commands_too_and_take_an_agents_profile() {
    let mut harness = stage(small_level(), &[GUARD], |_, _, _| {});
    let ctx = egui::Context::default();
    let stage = harness.state_mut();
    stage
        .editor
        .apply(&ctx, Action::Command(Command::WeighChild));
    assert_eq!(stage.level().terrain_weight(ADULT, MUD), 2.0);
    assert_eq!(stage.undo_labels().len(), 2);
    stage
        .editor
        .apply(&ctx, Action::Select(Selection::one(WALL)));
    stage
        .editor
        .apply(&ctx, Action::Command(Command::WeighAdult));
    assert_eq!(stage.undo_labels().len(), 2);
    let notice = stage.editor.state.notices.back().expect("says why");
    assert!(
        notice.text.contains("select a profile first"),
        "{}",
        notice.text
    );
}
