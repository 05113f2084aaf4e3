//! Inline renaming.

use super::{Outliner, Scene};
use crate::base::EntityId;
use crate::document::{Edit, Entity};
use crate::editor::{Action, Actions, Notice};
use egui::text::{CCursor, CCursorRange};
use egui::{EventFilter, Key, Margin, Rect, TextEdit, Ui, UiBuilder};

#[derive(Debug)]
pub(super) struct Renaming {
    id: EntityId,
    text: String,
    /// Whether the focus was requested.
    begun: bool,
}

impl Renaming {
    pub(super) fn new(id: EntityId, name: &str) -> Self {
        Self {
            id,
            text: name.to_owned(),
            begun: false,
        }
    }
}

impl Outliner {
    pub(super) fn is_renaming(&self, id: EntityId) -> bool {
        self.renaming
            .as_ref()
            .is_some_and(|renaming| renaming.id == id)
    }

    /// Enter or leaving the field applies the name, Esc cancels.
    pub(super) fn rename_ui(
        &mut self,
        ui: &mut Ui,
        rect: Rect,
        id: EntityId,
        scene: &Scene<'_>,
        actions: &mut Actions,
    ) {
        let (Some(renaming), Some(entity)) = (&mut self.renaming, scene.level.get(id)) else {
            return;
        };
        let field_id = scene.list_id.with((id, "name"));
        let field_rect = rect.translate(egui::vec2(-3.0, 1.0));
        let mut row = ui.new_child(UiBuilder::new().max_rect(field_rect));
        let mut output = TextEdit::singleline(&mut renaming.text)
            .id(field_id)
            .hint_text(entity.label(id))
            .margin(Margin::symmetric(3, 0))
            .align(egui::Align2::LEFT_CENTER)
            .min_size(egui::vec2(rect.width(), rect.height() - 2.0))
            .desired_width(rect.width())
            .event_filter(EventFilter {
                horizontal_arrows: true,
                vertical_arrows: true,
                // Handled here, not as a request to leave the field.
                escape: true,
                tab: false,
            })
            .show(&mut row);
        let response = output.response.response.accessible_name("New name");
        if !renaming.begun {
            renaming.begun = true;
            response.request_focus();
            let all = CCursorRange::two(
                CCursor::default(),
                CCursor::new(renaming.text.chars().count()),
            );
            output.state.cursor.set_char_range(Some(all));
            output.state.store(ui.ctx(), field_id);
            return;
        }
        let cancelled = ui.input(|input| input.key_pressed(Key::Escape));
        if !response.lost_focus() && !cancelled {
            return;
        }
        let confirmed = ui.input(|input| input.key_pressed(Key::Enter));
        let name = renaming.text.trim().to_owned();
        self.renaming = None;
        if confirmed || cancelled {
            ui.memory_mut(|memory| memory.request_focus(scene.list_id));
        }
        if cancelled || name == entity.name {
            return;
        }
        let renamed = Entity {
            name,
            ..Entity::clone(entity)
        };
        match renamed.check() {
            Ok(()) => actions.commit(
                format!("Rename {}", entity.label(id)),
                vec![Edit::replace(id, renamed)],
            ),
            Err(refusal) => {
                let sentence = format!("{} was not renamed: {refusal}.", entity.label(id));
                actions.push(Action::Notify(Notice::error(sentence)));
            }
        }
    }
}
