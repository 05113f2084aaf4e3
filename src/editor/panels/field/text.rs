//! A text field, applied as it is typed.

use super::{Change, MIXED, Shared};
use crate::editor::theme::panel;
use egui::{Align2, Id, Response, TextEdit, Ui, vec2};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lines {
    One,
    Many,
}

/// State of a focused field: rejected text is kept.
#[derive(Clone, Debug)]
struct Draft {
    text: String,
    /// The value behind it; if it differs, it was changed elsewhere.
    value: String,
}

#[derive(Debug)]
pub struct TextOutput {
    pub response: Response,
    pub change: Option<Change<String>>,
    /// The text shown, applied or not.
    pub text: String,
}

pub fn text_ui(
    ui: &mut Ui,
    id: Id,
    value: Shared<&str>,
    hint: &str,
    lines: Lines,
    width: f32,
) -> TextOutput {
    let (value, hint) = match value {
        Shared::Same(value) => (value, hint),
        Shared::Mixed => ("", MIXED),
    };
    let draft: Option<Draft> = ui.data(|data| data.get_temp(id));
    let mut text = draft
        .filter(|draft| draft.value == value)
        .map_or_else(|| value.to_owned(), |draft| draft.text);
    let edit = match lines {
        Lines::One => TextEdit::singleline(&mut text).align(Align2::LEFT_CENTER),
        Lines::Many => TextEdit::multiline(&mut text).desired_rows(3),
    };
    let response = ui.add(
        edit.id(id)
            .hint_text(hint.to_owned())
            .desired_width(width)
            .min_size(vec2(width, panel::FIELD_ROW)),
    );
    let change = response
        .changed()
        .then(|| Change::typed(text.clone()))
        .filter(|change| change.value != value);
    let has_focus = response.has_focus();
    ui.data_mut(|data| {
        if has_focus {
            let draft = Draft {
                text: text.clone(),
                value: value.to_owned(),
            };
            data.insert_temp(id, draft);
        } else {
            data.remove::<Draft>(id);
        }
    });
    TextOutput {
        response,
        change,
        text,
    }
}
