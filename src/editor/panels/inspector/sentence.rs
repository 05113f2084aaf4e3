//! Goals and constraints as one sentence, in step with the lists below it.

use crate::base::EntityId;
use crate::document::sentence::{
    Names, Sentence, SentenceError, complete, is_word_letter, parse, print_lines,
};
use crate::document::{Entity, Kind, Level, Mission};
use crate::editor::panels::field::button::named_button;
use crate::editor::panels::field::row::refusal_ui;
use crate::editor::panels::field::{MIXED, Manner, Shared};
use crate::editor::panels::form::{Field, Form, field};
use egui::text::{LayoutJob, TextFormat};
use egui::{Align, CompletionPopup, CompletionQuery, Layout, RectAlign, Stroke, TextEdit, Ui};
use egui_material_icons::icons;
use std::collections::BTreeMap;
use std::sync::Arc;

mod templates;

const SENTENCE: Field = field(
    "Sentence",
    "Where to go, and what to keep to or to avoid on the way. Edits the lists below.",
);
const EXAMPLE: &str = "go to Gate; near Wall with weight 2; not in Grass";
/// Most texts that are kept although they cannot be read.
const MAX_DRAFTS: usize = 32;

/// What the field remembers between frames.
#[derive(Debug, Default)]
pub struct SentenceField {
    /// Names of the level that they were taken from.
    names: Option<(Arc<Level>, Arc<Names>)>,
    /// Texts that are being typed, or that cannot be read, by their subjects.
    drafts: BTreeMap<Vec<EntityId>, Draft>,
}

#[derive(Clone, Debug)]
struct Draft {
    text: String,
    /// What the missions said when the text last agreed with them.
    said: Option<Sentence>,
    error: Option<SentenceError>,
}

impl SentenceField {
    pub fn names(&mut self, level: &Arc<Level>) -> Arc<Names> {
        match &self.names {
            Some((of, names)) if Arc::ptr_eq(of, level) => Arc::clone(names),
            _ => {
                let names = Arc::new(Names::of(level));
                self.names = Some((Arc::clone(level), Arc::clone(&names)));
                names
            }
        }
    }

    /// For subjects that all have a mission.
    pub fn ui(&mut self, ui: &mut Ui, form: &mut Form<'_, Entity>) {
        let names = self.names(form.level());
        let whose: Vec<EntityId> = form.subjects().map(|(id, _)| id).collect();
        let missions = form.subjects().filter_map(|(_, entity)| entity.mission());
        let current = match Shared::of(missions.map(Sentence::of)) {
            Some(Shared::Same(sentence)) => Some(sentence),
            Some(Shared::Mixed) => None,
            None => return,
        };
        let id = ui.scope_id().with("sentence");
        let has_focus = ui.memory(|memory| memory.has_focus(id));
        let kept = self.drafts.remove(&whose);
        // What cannot be read is kept, whatever becomes of the lists. What can is shown as typed
        // until the field is left or the lists change.
        let kept =
            kept.filter(|draft| draft.error.is_some() || (has_focus && draft.said == current));
        let mut draft = kept.unwrap_or_else(|| Draft {
            text: current
                .as_ref()
                .map_or_else(String::new, |sentence| print_lines(sentence, &names)),
            said: current.clone(),
            error: None,
        });

        let mut manner = None;
        let label = ui.horizontal(|ui| {
            let label = ui.label(SENTENCE.name).on_hover_text(SENTENCE.help);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let button = named_button(ui, icons::ICON_ARROW_DROP_DOWN, "Templates");
                if let Some(clause) = templates::menu(&button, &names) {
                    append(&mut draft.text, &clause);
                    manner = Some(Manner::Chosen);
                }
            });
            label.id
        });
        let is_mixed = current.is_none() && draft.text.is_empty();
        let hint = if is_mixed { MIXED } else { EXAMPLE };
        if text_ui(ui, id, label.inner, hint, &mut draft, &names) {
            manner = manner.or(Some(Manner::Typed));
        }
        if let Some(manner) = manner {
            read(&mut draft, &names, form, manner);
        }
        if let Some(error) = &draft.error {
            refusal_ui(ui, &error.to_string());
            let discard = ui
                .button("Discard the text")
                .on_hover_text("Shows again what the lists below say.");
            if discard.clicked() {
                return;
            }
        }
        let keeps = draft.error.is_some() || ui.memory(|memory| memory.has_focus(id));
        if keeps && self.drafts.len() < MAX_DRAFTS {
            self.drafts.insert(whose, draft);
        }
    }
}

/// Reads the text and, if it means something else than before, sets the missions.
fn read(draft: &mut Draft, names: &Names, form: &mut Form<'_, Entity>, manner: Manner) {
    let sentence = match parse(&draft.text, names) {
        Ok(sentence) => sentence,
        Err(error) => {
            draft.error = Some(error);
            return;
        }
    };
    draft.error = None;
    if draft.said.as_ref() == Some(&sentence) {
        return;
    }
    // Every value was checked when it was read.
    let _ = form.change(SENTENCE, manner, |entity, _| {
        if let Some(mission) = mission_of(entity) {
            sentence.clone().put_into(mission);
        }
    });
    draft.said = Some(sentence);
}

const fn mission_of(entity: &mut Entity) -> Option<&mut Mission> {
    match &mut entity.kind {
        Kind::Agent(agent) => Some(&mut agent.mission),
        Kind::Crowd(crowd) => Some(&mut crowd.mission),
        _ => None,
    }
}

fn append(text: &mut String, clause: &str) {
    let written = text.trim_end().len();
    text.truncate(written);
    if !text.is_empty() && !text.ends_with(';') {
        text.push(';');
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(clause);
}

/// The text with its completion; true if it was changed.
fn text_ui(
    ui: &mut Ui,
    id: egui::Id,
    label: egui::Id,
    hint: &str,
    draft: &mut Draft,
    names: &Names,
) -> bool {
    let wrong = draft.error.as_ref().map(|error| error.at.clone());
    let before = draft.text.clone();
    let mut layouter = |ui: &Ui, text: &dyn egui::TextBuffer, width: f32| {
        let wrong = wrong.clone().filter(|_| text.as_str() == before);
        let mut job = marked(ui, text.as_str(), wrong);
        job.wrap.max_width = width;
        ui.fonts_mut(|fonts| fonts.layout_job(job))
    };
    let lines = draft.text.lines().count();
    let edit = TextEdit::multiline(&mut draft.text)
        .hint_text(hint.to_owned())
        .desired_width(ui.available_width())
        .desired_rows(lines.clamp(2, 10))
        .layouter(&mut layouter);
    let output = CompletionPopup::new(id)
        .align(RectAlign::BOTTOM_START)
        .word_boundary(|letter| !is_word_letter(letter) && letter != '"')
        .show(ui, edit, |query| suggestions(query, names));
    let response = output.text_edit.response.response.labelled_by(label);
    response.changed() || output.accepted.is_some()
}

/// The text with what is wrong underlined.
fn marked(ui: &Ui, text: &str, wrong: Option<std::ops::Range<usize>>) -> LayoutJob {
    let font = egui::TextStyle::Body.resolve(ui.style());
    let plain = TextFormat::simple(font, ui.visuals().text_color());
    let underlined = TextFormat {
        underline: Stroke::new(1.5, ui.visuals().error_fg_color),
        ..plain.clone()
    };
    let mut job = LayoutJob::default();
    let wrong = wrong.unwrap_or_default();
    let parts = (
        text.get(..wrong.start),
        text.get(wrong.clone()),
        text.get(wrong.end..),
    );
    match parts {
        (Some(before), Some(middle), Some(after)) => {
            job.append(before, 0.0, plain.clone());
            job.append(middle, 0.0, underlined);
            job.append(after, 0.0, plain);
        }
        _ => job.append(text, 0.0, plain),
    }
    job
}

/// What could follow at the caret. Without a letter typed, only what has to follow.
fn suggestions(query: &CompletionQuery<'_>, names: &Names) -> Vec<egui::Suggestion> {
    let byte_of = |index: usize| {
        let mut letters = query.text.char_indices();
        letters.nth(index).map_or(query.text.len(), |(at, _)| at)
    };
    let start = byte_of(query.word_range.start.0);
    let caret = byte_of(query.word_range.end.0);
    let before = &query.text[..caret];
    if query.word.is_empty() && (before.trim().is_empty() || parse(before, names).is_ok()) {
        return Vec::new();
    }
    let found = complete(query.text, caret, names);
    let written = query.text.get(found.replaces.clone()).unwrap_or_default();
    let is_whole = |text: &str| text.eq_ignore_ascii_case(written);
    if matches!(&found.suggestions[..], [only] if is_whole(&only.text)) {
        return Vec::new();
    }
    found
        .suggestions
        .iter()
        .filter_map(|suggestion| {
            let insert = fitted(query.text, start, found.replaces.start, &suggestion.text)?;
            let kind = suggestion
                .entity
                .and_then(|id| names.level().kind_of(id))
                .map(|kind| kind.singular().to_lowercase());
            let shown = egui::Suggestion::new(insert + " ").content(suggestion.text.clone());
            Some(match kind {
                Some(kind) => shown.description(kind),
                None => shown,
            })
        })
        .collect()
}

/// What to put in place of the text from `start`, so that from `replaced` on it reads `wanted`.
fn fitted(text: &str, start: usize, replaced: usize, wanted: &str) -> Option<String> {
    if let Some(between) = text.get(start..replaced) {
        return Some(format!("{between}{wanted}"));
    }
    // A name in quotes, some words of which are written: the rest of it.
    let written = text.get(replaced..start)?;
    let head = wanted.get(..written.len())?;
    (head.to_lowercase() == written.to_lowercase()).then(|| wanted[written.len()..].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_inserted_completes_the_word_and_the_quoted_name() {
        assert_eq!(fitted("near gr", 5, 5, "Grass"), Some("Grass".to_owned()));
        let text = "near \"Town h";
        assert_eq!(
            fitted(text, 11, 5, "\"Town hall\""),
            Some("hall\"".to_owned())
        );
        assert_eq!(fitted(text, 11, 5, "\"Old town\""), None);
        assert_eq!(
            fitted("a \"b\"", 2, 5, "while"),
            Some("\"b\"while".to_owned())
        );
    }

    #[test]
    fn clauses_are_appended_on_their_own_line() {
        let mut text = String::new();
        append(&mut text, "near Wall");
        append(&mut text, "in Grass");
        text.push_str(" ; ");
        append(&mut text, "behind Wall");
        assert_eq!(text, "near Wall;\nin Grass ;\nbehind Wall");
    }
}
