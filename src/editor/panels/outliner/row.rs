//! A row of the list.

use super::drag::DraggedThings;
use super::{Outliner, Scene, change_each, go_to, paint_row_background, whom};
use crate::base::EntityId;
use crate::document::Entity;
use crate::editor::Actions;
use crate::editor::panels::field::pattern::paint_swatch;
use crate::editor::panels::form::reference::{kind_colour, terrain_of};
use crate::editor::panels::icon;
use crate::editor::panels::outliner::tree::Section;
use crate::editor::panels::problems::mark;
use crate::editor::panels::switch::Switch;
use crate::editor::theme::{Palette, panel};
use egui::{
    Align2, Color32, DragAndDrop, FontId, Rect, Response, Role, Sense, Stroke, StrokeKind,
    TextStyle, TextWrapMode, Ui, WidgetInfo, WidgetText, pos2, vec2,
};
use egui_material_icons::{MaterialIcon, icons};

/// Rows are reached with the arrow keys, not one by one with Tab.
const ROW_SENSE: Sense = Sense::CLICK.union(Sense::DRAG);

impl Outliner {
    #[expect(clippy::too_many_arguments, reason = "a row and its surroundings")]
    pub(super) fn section_row(
        &mut self,
        ui: &mut Ui,
        rect: Rect,
        section: Section,
        count: usize,
        open: bool,
        scene: &Scene<'_>,
        actions: &mut Actions,
    ) {
        let id = scene.list_id.with(("section", section));
        let response = ui.interact(rect, id, Sense::CLICK);
        response.widget_info(|| {
            WidgetInfo::selected(Role::DisclosureTriangle, true, open, section.name())
        });
        paint_row_background(ui, rect, false, response.hovered());
        let palette = Palette::of(ui.visuals());
        paint_icon(
            ui,
            pos2(rect.left() + 11.0, rect.center().y),
            chevron(open),
            palette.text_weak,
        );
        let font = TextStyle::Button.resolve(ui.style());
        let text = ui.painter().text(
            pos2(rect.left() + 22.0, rect.center().y),
            Align2::LEFT_CENTER,
            section.name(),
            font.clone(),
            palette.text_strong,
        );
        ui.painter().text(
            pos2(text.right() + 6.0, rect.center().y),
            Align2::LEFT_CENTER,
            count.to_string(),
            font,
            palette.text_weak,
        );
        if section != Section::Objects {
            let name = format!("Add to {}", section.name().to_lowercase());
            let place = right_button(rect, 0);
            if small_button(ui, place, id.with("add"), icons::ICON_ADD, &name).clicked() {
                self.create_in(section, scene, actions);
            }
        }
        if response.clicked() {
            self.fold_section(section, !open);
        }
    }

    /// Draws the row and handles input; true while the pointer is over it.
    #[expect(clippy::too_many_arguments, reason = "a row and its surroundings")]
    pub(super) fn entity_row(
        &mut self,
        ui: &mut Ui,
        rect: Rect,
        id: EntityId,
        depth: usize,
        open: Option<bool>,
        scene: &Scene<'_>,
        actions: &mut Actions,
    ) -> bool {
        let Some(entity) = scene.level.get(id) else {
            return false;
        };
        let selected = scene.selection.contains(id);
        let response = ui.interact(rect, scene.list_id.with(id), ROW_SENSE);
        response
            .widget_info(|| WidgetInfo::selected(Role::TreeItem, true, selected, entity.label(id)));
        let in_row = ui.rect_contains_pointer(rect) && !DragAndDrop::has_any_payload(ui.ctx());
        let highlighted = in_row || scene.state.view.hovered == Some(id);
        paint_row_background(ui, rect, selected, highlighted);
        let list_has_focus = ui.memory(|memory| memory.has_focus(scene.list_id));
        if list_has_focus && self.cursor == Some(id) {
            let stroke = Stroke::new(1.0, Palette::of(ui.visuals()).accent);
            let frame = rect.shrink2(vec2(2.0, 0.5));
            ui.painter()
                .rect_stroke(frame, panel::ROUNDING, stroke, StrokeKind::Inside);
        }

        let left = rect.left() + 22.0 + depth as f32 * panel::INDENT;
        let icon_rect = Rect::from_center_size(
            pos2(left + 9.0, rect.center().y),
            vec2(panel::ICON + 4.0, rect.height()),
        );
        self.disclosure(ui, rect, left, id, open, scene);
        kind_icon_ui(ui, icon_rect.center(), id, entity, scene);
        let buttons_from = self.switches(ui, rect, in_row, id, entity, scene, actions);
        let buttons_from = self.mark_ui(ui, rect, buttons_from, id, scene);
        let label_rect = Rect::from_min_max(
            pos2(icon_rect.right() + 3.0, rect.top()),
            pos2(buttons_from - 4.0, rect.bottom()),
        );
        if self.is_renaming(id) {
            self.rename_ui(ui, label_rect, id, scene, actions);
        } else {
            label_ui(ui, label_rect, id, entity, scene, selected);
        }
        self.respond(ui, &response, label_rect, id, scene, actions);
        in_row
    }

    fn respond(
        &mut self,
        ui: &Ui,
        response: &Response,
        label_rect: Rect,
        id: EntityId,
        scene: &Scene<'_>,
        actions: &mut Actions,
    ) {
        let modifiers = ui.input(|input| input.modifiers);
        if response.double_clicked() {
            let on_label = response
                .interact_pointer_pos()
                .is_some_and(|at| label_rect.contains(at));
            if on_label {
                self.rename(id, scene.level);
            } else {
                go_to(scene.level, id, actions);
            }
        } else if response.clicked() {
            ui.memory_mut(|memory| memory.request_focus(scene.list_id));
            self.click(id, modifiers, scene, actions);
        } else if response.secondary_clicked() && !scene.selection.contains(id) {
            self.click(id, egui::Modifiers::NONE, scene, actions);
        }
        if response.drag_started_by(egui::PointerButton::Primary) {
            let ids = if scene.selection.contains(id) {
                scene.selection.iter().collect()
            } else {
                vec![id]
            };
            DragAndDrop::set_payload(ui.ctx(), DraggedThings { ids });
        }
        response.context_menu(|ui| self.context_menu(ui, id, scene, actions));
    }

    /// The icon of an entity with a problem. Returns where the label must end.
    fn mark_ui(&self, ui: &mut Ui, row: Rect, right: f32, id: EntityId, scene: &Scene<'_>) -> f32 {
        let Some((severity, message)) = self.marks.of(id) else {
            return right;
        };
        let left = right - panel::ICON_BUTTON;
        let rect = Rect::from_min_max(pos2(left, row.top()), pos2(right, row.bottom()));
        let (icon, colour) = mark(ui, severity);
        paint_icon(ui, rect.center(), icon, colour);
        ui.interact(rect, scene.list_id.with((id, "mark")), Sense::hover())
            .on_hover_text(message);
        left
    }

    fn disclosure(
        &mut self,
        ui: &mut Ui,
        row: Rect,
        left: f32,
        id: EntityId,
        open: Option<bool>,
        scene: &Scene<'_>,
    ) {
        let Some(open) = open else {
            return;
        };
        let rect = Rect::from_center_size(
            pos2(left - 9.0, row.center().y),
            vec2(panel::INDENT + 2.0, row.height()),
        );
        let response = ui.interact(rect, scene.list_id.with((id, "fold")), Sense::CLICK);
        let name = if open { "Fold" } else { "Unfold" };
        response.widget_info(|| {
            let label = format!("{name} {}", scene.level.label(id));
            WidgetInfo::selected(Role::DisclosureTriangle, true, open, label)
        });
        let palette = Palette::of(ui.visuals());
        let colour = if response.hovered() {
            palette.text_strong
        } else {
            palette.text_weak
        };
        paint_icon(ui, rect.center(), chevron(open), colour);
        if response.clicked() {
            self.fold_group(id, !open);
        }
    }

    /// Eye and lock at the right; shown on hover, and always if they differ from the default.
    /// Returns where the label must end.
    #[expect(clippy::too_many_arguments, reason = "a row and its surroundings")]
    fn switches(
        &self,
        ui: &mut Ui,
        row: Rect,
        in_row: bool,
        id: EntityId,
        entity: &Entity,
        scene: &Scene<'_>,
        actions: &mut Actions,
    ) -> f32 {
        let mut from = row.right() - 4.0;
        if !Switch::belongs_to(entity.kind.name()) {
            return from;
        }
        let label = entity.label(id);
        let has_cursor =
            ui.memory(|memory| memory.has_focus(scene.list_id)) && self.cursor == Some(id);
        for (nth, switch) in Switch::ALL.into_iter().enumerate() {
            let on = switch.is_on(entity);
            if !in_row && !has_cursor && switch.is_usual(on) {
                continue;
            }
            let place = right_button(row, nth);
            from = place.left();
            let verb = switch.verb(on);
            let button_id = scene.list_id.with((id, "switch", nth));
            let name = format!("{verb} {label}");
            if small_button(ui, place, button_id, switch.icon(on), &name).clicked() {
                let edits = change_each(scene, id, |entity| switch.set(entity, !on));
                actions.commit(format!("{verb} {}", whom(scene, id)), edits);
            }
        }
        from
    }
}

fn kind_icon_ui(ui: &Ui, centre: egui::Pos2, id: EntityId, entity: &Entity, scene: &Scene<'_>) {
    if let Some(terrain) = terrain_of(scene.level, &entity.kind) {
        let swatch = Rect::from_center_size(centre, vec2(panel::ICON, panel::ICON));
        paint_swatch(
            ui.painter(),
            swatch.shrink(1.0),
            terrain.colour,
            terrain.pattern,
        );
        return;
    }
    let colour = kind_colour(ui, scene.level, &entity.kind);
    let colour = if scene.level.is_visible(id) {
        colour
    } else {
        colour.gamma_multiply(0.5)
    };
    paint_icon(ui, centre, icon::of_kind(entity.kind.name()), colour);
}

fn label_ui(ui: &Ui, rect: Rect, id: EntityId, entity: &Entity, scene: &Scene<'_>, selected: bool) {
    let palette = Palette::of(ui.visuals());
    let colour = if !scene.level.is_visible(id) {
        palette.text_weak
    } else if selected {
        palette.text_strong
    } else {
        palette.text
    };
    let text = WidgetText::from(entity.label(id));
    let galley = text.into_galley(
        ui,
        Some(TextWrapMode::Truncate),
        rect.width().max(8.0),
        TextStyle::Body,
    );
    let at = pos2(rect.left(), rect.center().y - galley.size().y / 2.0);
    ui.painter()
        .galley_with_override_text_color(at, galley, colour);
}

const fn chevron(open: bool) -> MaterialIcon {
    if open {
        icons::ICON_KEYBOARD_ARROW_DOWN
    } else {
        icons::ICON_CHEVRON_RIGHT
    }
}

fn paint_icon(ui: &Ui, centre: egui::Pos2, icon: MaterialIcon, colour: Color32) {
    ui.painter().text(
        centre,
        Align2::CENTER_CENTER,
        icon.codepoint,
        FontId::new(panel::ICON, icon.font_family()),
        colour,
    );
}

/// The rectangle of the `nth` small button from the right.
fn right_button(row: Rect, nth: usize) -> Rect {
    let right = row.right() - 4.0 - nth as f32 * panel::ICON_BUTTON;
    Rect::from_min_max(
        pos2(right - panel::ICON_BUTTON, row.top()),
        pos2(right, row.bottom()),
    )
}

fn small_button(ui: &mut Ui, rect: Rect, id: egui::Id, icon: MaterialIcon, name: &str) -> Response {
    let response = ui.interact(rect, id, Sense::CLICK);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
    let palette = Palette::of(ui.visuals());
    let colour = if response.hovered() {
        palette.text_strong
    } else {
        palette.text_weak
    };
    paint_icon(ui, rect.center(), icon, colour);
    response.on_hover_text(name)
}
