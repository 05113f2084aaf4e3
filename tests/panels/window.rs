//! The whole window, without a display.

use egui_kittest::Harness;
use std::time::Duration;
use wayloom::document::Document;
use wayloom::editor::{Editor, EditorState, theme};

/// Drawn until the problems are those of the level.
pub fn window(document: Document) -> Harness<'static, Editor> {
    let mut harness = Harness::builder()
        .with_size([1280.0, 900.0])
        .with_max_steps(60)
        .with_step_dt(1.0 / 60.0)
        .with_context_setup(theme::install)
        .build_ui_state(
            |ui, editor: &mut Editor| editor.ui(ui),
            Editor::new(EditorState::with_document(document), None),
        );
    settle(&mut harness);
    harness
}

pub fn settle(harness: &mut Harness<'_, Editor>) {
    for _ in 0..400 {
        harness.step();
        if harness.state().state.problems_are_current() {
            harness.step();
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("the problems never became current");
}
