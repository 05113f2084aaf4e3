//! Goals and constraints as a sentence in the inspector.

use crate::stage::*;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use glam::DVec3;
use wayloom::document::{Goal, Mission, PlannerId, Rule, Target, Weight};

fn mission(harness: &Harness<'_, Stage>) -> Mission {
    let entity = harness.state().entity(GUARD);
    entity.mission().expect("an agent").clone()
}

fn text(harness: &Harness<'_, Stage>) -> String {
    harness.get_by_label("Sentence").value().unwrap_or_default()
}

/// Replaces the text.
fn write(harness: &mut Harness<'_, Stage>, text: &str) {
    harness.get_by_label("Sentence").focus();
    harness.run();
    harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
    harness.get_by_label("Sentence").type_text(text);
    harness.run();
}

#[test]
fn a_sentence_is_what_the_lists_say() {
    let mut harness = inspector(small_level(), &[GUARD]);
    assert_eq!(text(&harness), "go to (30, 5), then (30, 25)");
    harness.get_by_label("Add a constraint").click();
    harness.run();
    assert_eq!(text(&harness), "go to (30, 5), then (30, 25);\nnear Mud");
}

#[test]
fn typing_sets_the_lists_in_one_step() {
    let mut harness = inspector(small_level(), &[GUARD]);
    write(&mut harness, "patrol Tower; not in Mud");
    harness.get_by_label("Sentence").type_text(" with weight 5");
    harness.run();
    let said = mission(&harness);
    assert_eq!(said.goals, [Goal::Patrol(TOWER.into())]);
    let weight = Weight::Constant(-5.0);
    assert_eq!(said.constraints[0].rule, Rule::In { weight });
    assert_eq!(said.constraints[0].target, Target::Entity(MUD));
    assert_eq!(
        harness.state().undo_labels(),
        ["Draw", "Change sentence of Guard"]
    );
    harness.get_by_label("Remove constraint 1");
}

#[test]
fn what_cannot_be_read_is_kept_with_its_place() {
    let mut harness = inspector(small_level(), &[GUARD]);
    let before = mission(&harness);
    write(&mut harness, "near Wal;");
    harness.get_by_label("column 6: nothing is called \"Wal\"; did you mean \"Wall\"?");
    assert_eq!(mission(&harness), before);
    // Another selection, and back.
    for selected in [TOWER, GUARD] {
        let selection = [selected].into_iter().collect();
        let ctx = egui::Context::default();
        let stage = harness.state_mut();
        stage
            .editor
            .apply(&ctx, wayloom::editor::Action::Select(selection));
        harness.run();
    }
    assert_eq!(text(&harness), "near Wal;");
    harness.get_by_label("Discard the text").click();
    harness.run();
    assert_eq!(text(&harness), "go to (30, 5), then (30, 25)");
    assert_eq!(harness.state().undo_labels(), ["Draw"]);
}

#[test]
fn names_are_completed_with_the_keyboard() {
    let mut harness = inspector(small_level(), &[GUARD]);
    write(&mut harness, "near to");
    harness.key_press(egui::Key::Tab);
    harness.run();
    assert_eq!(text(&harness), "near Tower ");
    assert_eq!(
        mission(&harness).constraints[0].target,
        Target::Entity(TOWER)
    );
    // Down to the second one, taken with Enter.
    write(&mut harness, "behind ");
    harness.run();
    harness.key_press(egui::Key::ArrowDown);
    harness.run();
    harness.key_press(egui::Key::Enter);
    harness.run();
    assert_eq!(text(&harness), "behind Tower ");
    // Esc closes the list and leaves the text alone.
    write(&mut harness, "near wa");
    harness.run();
    harness.key_press(egui::Key::Escape);
    harness.run();
    assert_eq!(text(&harness), "near wa");
    harness.key_press(egui::Key::Enter);
    harness.run();
    assert_eq!(text(&harness), "near wa\n");
}

#[test]
fn a_template_adds_a_clause_as_a_step_of_its_own() {
    let mut harness = inspector(small_level(), &[GUARD]);
    harness.get_by_label("Templates").click();
    harness.run();
    harness.get_by_label("Behind …").click();
    harness.run();
    let offered: Vec<_> = harness.query_all_by_label("Tower").collect();
    offered.last().expect("listed").click();
    harness.run();
    assert_eq!(
        text(&harness),
        "go to (30, 5), then (30, 25);\nbehind Tower with weight 3"
    );
    assert_eq!(harness.state().undo_labels().len(), 2);
}

#[test]
fn goals_without_a_clause_are_gone_and_undo_brings_them_back() {
    let mut harness = inspector(small_level(), &[GUARD]);
    write(&mut harness, "near Wall");
    assert!(mission(&harness).goals.is_empty());
    let ctx = egui::Context::default();
    let undo = wayloom::editor::Action::Command(wayloom::editor::Command::Undo);
    harness.state_mut().editor.apply(&ctx, undo);
    harness.run();
    assert_eq!(
        mission(&harness).goals[0],
        Goal::At(DVec3::new(30.0, 5.0, 0.0))
    );
    assert_eq!(text(&harness), "go to (30, 5), then (30, 25)");
}

#[test]
fn options_of_the_search_are_shown_for_its_planner() {
    let mut document = small_level();
    let mut guard = document.level().get(GUARD).expect("there").as_ref().clone();
    if let wayloom::document::Kind::Agent(agent) = &mut guard.kind {
        agent.mission.planner = PlannerId::CONSTRAINT;
    }
    document
        .commit("Plan", vec![wayloom::document::Edit::replace(GUARD, guard)])
        .expect("valid");
    let mut harness = inspector(document, &[GUARD]);
    type_number(&mut harness, "First ε", "3");
    assert_eq!(mission(&harness).constraint_options.epsilon, 3.0);
}
