//! Tags as chips.

use super::{Field, Form, field};
use crate::document::{Entity, Level, tag};
use crate::editor::panels::field::row::refusal_ui;
use crate::editor::panels::field::text::{Lines, text_ui};
use crate::editor::panels::field::{Manner, Row, Shared, just_opened};
use crate::editor::theme::{Palette, panel};
use egui::{Button, Id, IntoAtoms, Key, Popup, PopupCloseBehavior, RichText, Ui, vec2};
use egui_material_icons::icons;
use std::collections::{BTreeMap, BTreeSet};

const TAGS: Field = field(
    "Tags",
    "Free keywords to find objects by; `forbidden` and `dynamic` have a meaning to planners.",
);

enum Asked {
    Add(String),
    Remove(String),
}

impl Form<'_, Entity> {
    /// Chips for the tags that all subjects have, fainter ones for those that some have, and a
    /// field to add more. `counts` says how many have each.
    pub fn tags(&mut self, ui: &mut Ui, counts: &BTreeMap<String, usize>) {
        let total = self.subjects().len();
        let level = self.document.level();
        let refused = ui.scope_id().with("tag refused");
        let asked = Row::new(TAGS.name)
            .help(TAGS.help)
            .to_the_edge()
            .show(ui, |ui, _| {
                let mut asked = None;
                ui.horizontal_wrapped(|ui| {
                    for (tag, count) in counts {
                        asked = chip_ui(ui, tag, *count, total).or(asked.take());
                    }
                    asked = add_ui(ui, level, counts).or(asked.take());
                });
                asked
            })
            .inner;
        if let Some(asked) = asked {
            let outcome = self.change(TAGS, Manner::Chosen, |entity, _| match &asked {
                Asked::Add(tag) => {
                    entity.tags.insert(tag.clone());
                }
                Asked::Remove(tag) => {
                    entity.tags.remove(tag);
                }
            });
            ui.data_mut(|data| match outcome {
                Err(sentence) => {
                    data.insert_temp(refused, sentence);
                }
                Ok(()) => data.remove::<String>(refused),
            });
        }
        if let Some(sentence) = ui.data(|data| data.get_temp::<String>(refused)) {
            refusal_ui(ui, &sentence);
        }
    }
}

fn chip_ui(ui: &mut Ui, tag: &str, count: usize, total: usize) -> Option<Asked> {
    let everywhere = count == total;
    let Palette {
        text_weak,
        accent_fill,
        control,
        ..
    } = Palette::of(ui.visuals());
    let cross = icons::ICON_CLOSE.rich_text().size(12.0).color(*text_weak);
    let (label, fill) = if everywhere {
        (RichText::new(tag), *accent_fill)
    } else {
        (RichText::new(tag).color(*text_weak), *control)
    };
    let atoms = if everywhere {
        (label, cross).into_atoms()
    } else {
        label.into_atoms()
    };
    let chip = Button::new(atoms)
        .fill(fill)
        .gap(3.0)
        .corner_radius(panel::FIELD_ROW / 2.0)
        .min_size(vec2(0.0, panel::FIELD_ROW - 2.0));
    let (name, help) = if everywhere {
        (
            format!("Remove tag {tag}"),
            "Click to remove it.".to_owned(),
        )
    } else {
        (
            format!("Add tag {tag} to all"),
            format!("On {count} of {total}. Click to add it to all."),
        )
    };
    let clicked = ui
        .add(chip)
        .on_hover_text(help)
        .accessible_name(name)
        .clicked();
    clicked.then(|| {
        if everywhere {
            Asked::Remove(tag.to_owned())
        } else {
            Asked::Add(tag.to_owned())
        }
    })
}

fn add_ui(ui: &mut Ui, level: &Level, present: &BTreeMap<String, usize>) -> Option<Asked> {
    let plus = icons::ICON_ADD.rich_text().size(14.0);
    let button = ui
        .add(
            Button::new(plus)
                .corner_radius(panel::FIELD_ROW / 2.0)
                .min_size(vec2(panel::FIELD_ROW, panel::FIELD_ROW - 2.0)),
        )
        .on_hover_text("Add a tag")
        .accessible_name("Add a tag");
    let id = button.id.with("draft");
    Popup::menu(&button)
        .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
        .show(|ui| {
            ui.set_width(180.0);
            let added = draft_ui(ui, id, level, present);
            if added.is_some() {
                ui.close();
            }
            added
        })
        .and_then(|popup| popup.inner)
        .map(Asked::Add)
}

fn draft_ui(
    ui: &mut Ui,
    id: Id,
    level: &Level,
    present: &BTreeMap<String, usize>,
) -> Option<String> {
    let opened = just_opened(ui, id.with("opened"));
    if opened {
        ui.data_mut(|data| data.remove::<String>(id));
    }
    let draft: String = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    let width = ui.available_width();
    let output = text_ui(
        ui,
        id.with("text"),
        Shared::Same(&draft),
        "New tag",
        Lines::One,
        width,
    );
    let response = output.response.accessible_name("New tag");
    if opened {
        response.request_focus();
    }
    let draft = output.change.map_or(draft, |change| change.value);
    ui.data_mut(|data| data.insert_temp(id, draft.clone()));
    let word = draft.trim().to_owned();
    if response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter)) && !word.is_empty()
    {
        return Some(word);
    }
    let mut known: BTreeSet<&str> = [tag::FORBIDDEN, tag::DYNAMIC].into();
    known.extend(
        level
            .iter()
            .flat_map(|(_, entity)| entity.tags.iter().map(String::as_str)),
    );
    let lower = word.to_lowercase();
    known
        .into_iter()
        .filter(|known| !present.contains_key(*known) && known.to_lowercase().contains(&lower))
        .take(8)
        .find(|known| {
            let row = Button::selectable(false, *known)
                .truncate()
                .min_size(vec2(ui.available_width(), panel::LIST_ROW));
            ui.add(row).clicked()
        })
        .map(str::to_owned)
}
