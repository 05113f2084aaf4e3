use crate::stage::*;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use wayloom::document::{Document, Edit, Entity};
use wayloom::editor::panels;

fn renamed(document: &mut Document, name: &str) {
    let wall = Entity {
        name: name.to_owned(),
        ..document.level().get(WALL).expect("there").as_ref().clone()
    };
    document
        .commit(format!("Name it {name}"), vec![Edit::replace(WALL, wall)])
        .expect("valid");
}

fn history() -> Harness<'static, Stage> {
    let mut document = small_level();
    for name in ["One", "Two", "Three"] {
        renamed(&mut document, name);
    }
    stage(document, &[], |editor, ui, actions| {
        editor
            .panels
            .get::<panels::History>()
            .ui(ui, &editor.state, actions);
    })
}

#[test]
fn a_click_jumps_back_and_forward_again() {
    let mut harness = history();
    harness.get_by_label("4 steps");
    harness.get_by_label("Name it One").click();
    harness.run();
    assert_eq!(harness.state().entity(WALL).name, "One");
    harness.get_by_label("Name it Three").click();
    harness.run();
    assert_eq!(harness.state().entity(WALL).name, "Three");
    harness.get_by_label("Level opened").click();
    harness.run();
    assert!(harness.state().level().is_empty());
    assert_eq!(harness.state().document().redo_labels().len(), 4);
}

#[test]
fn the_current_state_is_marked() {
    let mut harness = history();
    harness.get_by_label("Name it Two").click();
    harness.run();
    let marked = |label: &str| {
        let node = harness.get_by_label(label);
        let node = node.accesskit_node();
        node.toggled() == Some(egui::accesskit::Toggled::True) || node.is_selected() == Some(true)
    };
    assert!(marked("Name it Two"));
    assert!(!marked("Name it One"));
    assert!(!marked("Name it Three"));
}
