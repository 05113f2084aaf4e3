//! Annotations proposed for the selection, and the clock for which paths are planned.

use crate::stage::*;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use std::time::{Duration, Instant};
use wayloom::document::{Annotation, Edit, Entity, Kind, Selection};
use wayloom::editor::docking::Pane;
use wayloom::editor::{Action, Command, Editor};

fn apply(harness: &mut Harness<'_, Editor>, action: Action) {
    let ctx = harness.ctx.clone();
    harness.state_mut().apply(&ctx, action);
    harness.run_ok();
}

/// With proposals for the barn.
fn proposing(folder: &Folder) -> Harness<'static, Editor> {
    let mut harness = harness(editor_with_level(folder));
    apply(&mut harness, Action::Select(Selection::one(BARN)));
    harness.state_mut().ask(Command::SuggestAnnotations);
    let since = Instant::now();
    while harness.query_by_label("Accept all").is_none() {
        assert!(since.elapsed() < Duration::from_secs(30), "they never came");
        std::thread::sleep(Duration::from_millis(2));
        harness.step();
    }
    harness
}

fn annotations(harness: &Harness<'_, Editor>) -> Vec<String> {
    let level = harness.state().state.document().level();
    let all = level.iter();
    all.filter(|(_, entity)| matches!(entity.kind, Kind::Annotation(_)))
        .map(|(_, entity)| entity.name.clone())
        .collect()
}

#[test]
fn each_proposal_is_accepted_or_dismissed() {
    let folder = Folder::new();
    let mut harness = proposing(&folder);
    let before = annotations(&harness).len();
    harness.get_by_label("Accept Front of Barn").click();
    harness.run_ok();
    let names = annotations(&harness);
    assert_eq!(names.len(), before + 1);
    assert!(names.contains(&"Front of Barn".to_owned()), "{names:?}");
    let document = harness.state().state.document();
    assert_eq!(
        document.undo_labels().last(),
        Some("Annotate: Front of Barn")
    );
    harness.get_by_label("Dismiss Behind Barn").click();
    harness.run_ok();
    assert!(harness.query_by_label("Accept Behind Barn").is_none());
    assert_eq!(annotations(&harness).len(), before + 1);
}

#[test]
fn all_are_accepted_in_one_step_and_another_selection_ends_them() {
    let folder = Folder::new();
    let mut harness = proposing(&folder);
    let steps = harness.state().state.document().undo_labels().len();
    harness.get_by_label("Accept all").click();
    harness.run_ok();
    let document = harness.state().state.document();
    assert_eq!(document.undo_labels().len(), steps + 1);
    assert!(harness.query_by_label("Accept all").is_none());

    let mut harness = proposing(&folder);
    apply(&mut harness, Action::Select(Selection::default()));
    assert!(harness.query_by_label("Accept all").is_none());
    assert!(!harness.state().state.suggestions.are_open());
}

#[test]
fn nothing_to_propose_is_said() {
    let folder = Folder::new();
    let mut harness = harness(editor_with_level(&folder));
    let id = harness
        .state_mut()
        .state
        .document()
        .level()
        .largest_id()
        .next();
    let area = wayloom::geometry::Polygon::rect(wayloom::geometry::Rect::new(
        glam::DVec2::ZERO,
        glam::DVec2::ONE,
    ));
    let entity = Entity::new("Lawn", Kind::Annotation(Annotation::Area(area)));
    let edits = vec![Edit::create(id, entity)];
    let label = "Draw".to_owned();
    apply(
        &mut harness,
        Action::Commit {
            label,
            edits,
            merge: None,
        },
    );
    apply(&mut harness, Action::Select(Selection::one(id)));
    harness.state_mut().ask(Command::SuggestAnnotations);
    let since = Instant::now();
    while harness
        .query_by_label_contains("No areas to suggest")
        .is_none()
    {
        assert!(
            since.elapsed() < Duration::from_secs(30),
            "it was never said"
        );
        std::thread::sleep(Duration::from_millis(2));
        harness.step();
    }
}

#[test]
fn the_clock_and_flags_are_set_without_an_undo_step() {
    let folder = Folder::new();
    let mut harness = harness(editor_with_level(&folder));
    let id = harness
        .state_mut()
        .state
        .document()
        .level()
        .largest_id()
        .next();
    let edits = vec![Edit::create(id, Entity::new("Alarm", Kind::Flag(false)))];
    let label = "Draw".to_owned();
    apply(
        &mut harness,
        Action::Commit {
            label,
            edits,
            merge: None,
        },
    );
    apply(&mut harness, Action::Reveal(Pane::CLOCK));
    let steps = harness.state().state.document().undo_labels().len();
    harness.get_by_label("As the level starts.");
    harness.get_by_label("Time of day").click();
    harness.run_ok();
    harness.get_by_label("Time of day").type_text("23:30");
    harness.key_press(egui::Key::Enter);
    harness.run_ok();
    // The outliner has a row of this name, too.
    let switch = egui::accesskit::Role::CheckBox;
    harness.get_by_role_and_label(switch, "Alarm").click();
    harness.run_ok();
    let state = &harness.state().state;
    let level = state.document().level();
    assert_eq!(state.situation.hour(level), 23.5);
    assert!(state.situation.is_set(level, id));
    assert_eq!(state.document().undo_labels().len(), steps);
    harness.get_by_label("Back to the start").click();
    harness.run_ok();
    harness.get_by_label("As the level starts.");
}
