//! Find objects by name, kind, tag or terrain; replace tags and terrains of many at once.
//!
//! A non-modal window: results can be inspected while it is open.

use super::dialog::window;
use super::intention::Request;
use super::{Action, Actions, EditorState, theme};
use crate::base::EntityId;
use crate::document::{KindName, Level};
use crate::geometry::Rect;
use crate::interaction::operations::{Criteria, Scope, find};
use egui::accesskit::Role;
use egui::{RichText, Ui, WidgetInfo};
use std::collections::BTreeSet;

#[derive(Debug)]
pub struct FindReplace {
    open: bool,
    /// Focus the name field in the next frame.
    focus: bool,
    /// Whether the window had the keyboard focus in the last frame.
    focused: bool,
    criteria: Criteria,
    scope: Scope,
    tag_from: Option<String>,
    /// Empty removes the tag.
    tag_to: String,
    terrain_from: Option<EntityId>,
    terrain_to: Option<EntityId>,
}

impl Default for FindReplace {
    fn default() -> Self {
        Self {
            open: false,
            focus: false,
            focused: false,
            criteria: Criteria::default(),
            scope: Scope::Level,
            tag_from: None,
            tag_to: String::new(),
            terrain_from: None,
            terrain_to: None,
        }
    }
}

/// A requested replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replacement {
    Tag {
        from: String,
        to: Option<String>,
        scope: Scope,
    },
    Terrain {
        from: EntityId,
        to: EntityId,
        scope: Scope,
    },
    /// Forbids or allows everything with a matching name.
    Forbidden { pattern: String, forbid: bool },
}

impl FindReplace {
    /// Opens it with the name field focused; closes it only if it already has the focus.
    pub const fn toggle(&mut self) {
        self.open = !(self.open && self.focused);
        self.focus = self.open;
    }

    /// Whether the window has the keyboard focus.
    #[must_use]
    pub const fn has_focus(&self) -> bool {
        self.open && self.focused
    }

    /// True if it was open.
    pub const fn close(&mut self) -> bool {
        self.focused = false;
        std::mem::replace(&mut self.open, false)
    }

    pub fn ui(&mut self, ctx: &egui::Context, state: &EditorState, actions: &mut Actions) {
        let mut open = self.open && state.level_is_open();
        if !open {
            self.focused = false;
            return;
        }
        window(
            ctx,
            "Find and replace",
            egui::vec2(330.0, 400.0),
            &mut open,
            |ui| {
                let level = state.document().level();
                self.find_ui(ui, level, actions);
                ui.add_space(6.0);
                ui.separator();
                self.replace_ui(ui, level, actions);
                let holder = ctx.memory(egui::Memory::focused);
                self.focused = holder
                    .and_then(|id| ctx.read_response(id))
                    .is_some_and(|response| response.layer_id == ui.layer_id());
            },
        );
        self.open = open;
    }

    fn find_ui(&mut self, ui: &mut Ui, level: &Level, actions: &mut Actions) {
        egui::Grid::new("find")
            .num_columns(2)
            .spacing([12.0, 6.0])
            .show(ui, |ui| {
                let label = ui.label("Name or text");
                let field = egui::TextEdit::singleline(&mut self.criteria.text);
                let response = ui.add(field.desired_width(190.0)).labelled_by(label.id);
                if std::mem::replace(&mut self.focus, false) {
                    response.request_focus();
                }
                ui.end_row();
                choose(ui, "Kind", &mut self.criteria.kind, KindName::ALL, |kind| {
                    kind.singular().to_owned()
                });
                choose(ui, "Tag", &mut self.criteria.tag, tags(level), Clone::clone);
                choose(
                    ui,
                    "Terrain",
                    &mut self.criteria.terrain,
                    terrains(level),
                    |id| level.label(*id),
                );
            });
        let found = find(level, &self.criteria);
        let anything = self.criteria != Criteria::default();
        ui.add_space(4.0);
        ui.horizontal(|ui| {
            let text = format!("Select {} found", found.len());
            let select = ui.add_enabled(anything && !found.is_empty(), egui::Button::new(text));
            select.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Select all found"));
            if select.clicked() {
                let bounds = found
                    .iter()
                    .filter_map(|id| level.get(id)?.bounds())
                    .fold(Rect::EMPTY, |all, bounds| all.union(&bounds));
                actions.select(found);
                actions.push(Action::GoTo(bounds));
            }
            if ui
                .add_enabled(anything, egui::Button::new("Clear"))
                .clicked()
            {
                self.criteria = Criteria::default();
            }
        });
    }

    fn replace_ui(&mut self, ui: &mut Ui, level: &Level, actions: &mut Actions) {
        ui.horizontal(|ui| {
            ui.label(
                RichText::new("Replace in")
                    .text_style(theme::text::section())
                    .strong(),
            );
            ui.selectable_value(&mut self.scope, Scope::Level, "the level");
            ui.selectable_value(&mut self.scope, Scope::Selection, "the selection");
        });
        ui.add_space(4.0);
        let mut wanted = None;
        egui::Grid::new("replace")
            .num_columns(2)
            .spacing([12.0, 6.0])
            .show(ui, |ui| {
                choose(ui, "The tag", &mut self.tag_from, tags(level), Clone::clone);
                let label = ui.label("becomes");
                ui.horizontal(|ui| {
                    ui.add(
                        egui::TextEdit::singleline(&mut self.tag_to)
                            .hint_text("no tag")
                            .desired_width(110.0),
                    )
                    .labelled_by(label.id);
                    let ready = self.tag_from.is_some();
                    let button = ui.add_enabled(ready, egui::Button::new("Replace"));
                    button.widget_info(|| {
                        WidgetInfo::labeled(Role::Button, ready, "Replace the tag")
                    });
                    if button.clicked()
                        && let Some(from) = self.tag_from.clone()
                    {
                        let to = self.tag_to.trim();
                        wanted = Some(Replacement::Tag {
                            from,
                            to: (!to.is_empty()).then(|| to.to_owned()),
                            scope: self.scope,
                        });
                    }
                });
                ui.end_row();
                choose(
                    ui,
                    "The terrain",
                    &mut self.terrain_from,
                    terrains(level),
                    |id| level.label(*id),
                );
                choose(ui, "becomes", &mut self.terrain_to, terrains(level), |id| {
                    level.label(*id)
                });
                ui.label("");
                let pair = self
                    .terrain_from
                    .zip(self.terrain_to)
                    .filter(|(a, b)| a != b);
                let button = ui.add_enabled(pair.is_some(), egui::Button::new("Replace"));
                button.widget_info(|| {
                    WidgetInfo::labeled(Role::Button, pair.is_some(), "Replace the terrain")
                });
                if button.clicked()
                    && let Some((from, to)) = pair
                {
                    wanted = Some(Replacement::Terrain {
                        from,
                        to,
                        scope: self.scope,
                    });
                }
                ui.end_row();
            });
        if let Some(replacement) = wanted {
            actions.push(Action::Request(Request::Replace(replacement)));
        }
    }
}

fn tags(level: &Level) -> BTreeSet<String> {
    level
        .iter()
        .flat_map(|(_, entity)| entity.tags.iter().cloned())
        .collect()
}

fn terrains(level: &Level) -> Vec<EntityId> {
    level.terrains().map(|(id, ..)| id).collect()
}

/// A grid row: a label and an optional choice.
fn choose<T: PartialEq + Clone>(
    ui: &mut Ui,
    name: &str,
    chosen: &mut Option<T>,
    choices: impl IntoIterator<Item = T>,
    text: impl Fn(&T) -> String,
) {
    ui.label(name);
    let shown = chosen.as_ref().map_or_else(|| "–".to_owned(), &text);
    let combo = egui::ComboBox::from_id_salt(name)
        .width(190.0)
        .selected_text(shown)
        .show_ui(ui, |ui| {
            ui.selectable_value(chosen, None, "–");
            for choice in choices {
                let name = text(&choice);
                ui.selectable_value(chosen, Some(choice), name);
            }
        })
        .response;
    combo.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, name));
    ui.end_row();
}
