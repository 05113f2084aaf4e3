//! The outliner: everything in the level as a list, topmost first, with groups as branches.
//!
//! Only visible rows are drawn, so that large levels stay fast.

mod context_menu;
pub mod create;
pub mod drag;
mod keys;
mod marks;
mod rename;
pub mod reorder;
mod row;
pub mod search;
pub mod tree;

use super::field::button::icon_button;
use crate::base::EntityId;
use crate::document::{Edit, Entity, Level, Selection};
use crate::editor::theme::{Palette, panel};
use crate::editor::{Action, Actions, EditorState};
use egui::{
    EventFilter, Id, Modifiers, Rect, Role, ScrollArea, Sense, TextEdit, Ui, WidgetInfo, pos2, vec2,
};
use egui_material_icons::icons;
use marks::Marks;
use rename::Renaming;
use search::Search;
use std::sync::Arc;
use tree::{Folding, Row, Rows, Section};

const SEARCH_HELP: &str = "Words of a name, a kind or a tag. \
    `kind:agent`, `tag:stone` and `#12` look for just that.";

/// What the panel remembers between frames.
#[derive(Debug, Default)]
pub struct Outliner {
    search: String,
    folding: Folding,
    rows: Rows,
    marks: Marks,
    /// Where a Shift selection starts.
    anchor: Option<EntityId>,
    /// The row that arrow keys start from.
    cursor: Option<EntityId>,
    renaming: Option<Renaming>,
    hovered: Option<EntityId>,
    /// The selection in the last frame; scrolls when it changes.
    seen: Selection,
    /// The entity to scroll to.
    reveal: Option<EntityId>,
    /// The number of the level listed last.
    opened: u64,
}

/// What the rows need in one frame.
struct Scene<'a> {
    state: &'a EditorState,
    level: &'a Arc<Level>,
    selection: &'a Selection,
    rows: &'a [Row],
    list_id: Id,
}

impl Outliner {
    /// Starts renaming an entity in its row.
    pub fn rename(&mut self, id: EntityId, level: &Level) {
        if let Some(entity) = level.get(id) {
            self.unfold_to(id, level);
            self.reveal = Some(id);
            self.renaming = Some(Renaming::new(id, &entity.name));
        }
    }

    pub fn ui(&mut self, ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
        self.search_ui(ui);
        let document = state.document();
        let level = document.level();
        let search = Search::new(&self.search);
        let rows = self.rows.update(level, &search, &self.folding);
        let selection = document.selection();
        self.follow_selection(selection, &rows);
        self.marks.update(state);
        let list_id = ui.scope_id().with("outliner list");
        let scene = Scene {
            state,
            level,
            selection,
            rows: &rows,
            list_id,
        };
        if rows.is_empty() {
            ui.add_space(8.0);
            ui.vertical_centered(|ui| ui.weak("No matches."));
            self.hover(None, actions);
            return;
        }
        ui.spacing_mut().item_spacing.y = 0.0;
        let mut area = ScrollArea::vertical()
            .auto_shrink(false)
            .id_salt("outliner");
        if std::mem::replace(&mut self.opened, state.opened()) != state.opened() {
            // A new level starts at the top.
            area = area.vertical_scroll_offset(0.0);
        }
        area.show_viewport(ui, |ui, viewport| {
            self.list_ui(ui, viewport, &scene, actions);
        });
    }

    fn search_ui(&mut self, ui: &mut Ui) {
        egui::Frame::new()
            .inner_margin(egui::Margin::symmetric(6, 5))
            .show(ui, |ui| {
                ui.horizontal(|ui| {
                    ui.spacing_mut().item_spacing.x = 2.0;
                    let clear = if self.search.is_empty() {
                        0.0
                    } else {
                        panel::ICON_BUTTON + 2.0
                    };
                    let icon = icons::ICON_SEARCH.rich_text().size(panel::ICON).weak();
                    let hint = if ui.available_width() < panel::STACK_WIDTH {
                        "Search"
                    } else {
                        "Search name, kind or tag"
                    };
                    let field = TextEdit::singleline(&mut self.search)
                        .prefix(icon)
                        .hint_text(hint)
                        .align(egui::Align2::LEFT_CENTER)
                        .desired_width(ui.available_width() - clear);
                    ui.add(field)
                        .accessible_name("Search the outliner")
                        .on_hover_text(SEARCH_HELP);
                    if !self.search.is_empty()
                        && icon_button(ui, icons::ICON_CLOSE, "Clear search").clicked()
                    {
                        self.search.clear();
                    }
                });
            });
    }

    /// Scrolls to what was selected elsewhere, if it is listed.
    fn follow_selection(&mut self, selection: &Selection, rows: &[Row]) {
        if *selection == self.seen {
            return;
        }
        let is_new = |id: &EntityId| selection.contains(*id) && !self.seen.contains(*id);
        let first_new = rows.iter().filter_map(Row::id).find(is_new);
        if let Some(id) = first_new {
            self.reveal = Some(id);
            if self.cursor.is_none_or(|cursor| !selection.contains(cursor)) {
                self.cursor = Some(id);
                self.anchor = Some(id);
            }
        }
        self.seen = selection.clone();
    }

    fn list_ui(&mut self, ui: &mut Ui, viewport: Rect, scene: &Scene<'_>, actions: &mut Actions) {
        let count = scene.rows.len();
        let height = count as f32 * panel::LIST_ROW;
        let top = ui.max_rect().top();
        ui.set_height(height.max(viewport.height()));
        let background =
            Rect::from_min_size(ui.max_rect().min + viewport.min.to_vec2(), viewport.size());
        let list = ui.interact(background, scene.list_id, Sense::click());
        list.widget_info(|| WidgetInfo::labeled(Role::Tree, true, "Everything in the level"));
        // Pointer clicks only: Space and Enter press what has the focus, which selects nothing.
        if list.clicked_by(egui::PointerButton::Primary) {
            list.request_focus();
            actions.select(Selection::default());
        }
        if list.has_focus() {
            let filter = EventFilter {
                vertical_arrows: true,
                horizontal_arrows: true,
                ..EventFilter::default()
            };
            ui.memory_mut(|memory| memory.set_focus_lock_filter(scene.list_id, filter));
            self.keys(ui, scene, actions);
        }
        let row_rect = |index: usize| {
            Rect::from_min_size(
                pos2(background.left(), top + index as f32 * panel::LIST_ROW),
                vec2(background.width(), panel::LIST_ROW),
            )
        };
        if let Some(id) = self.reveal.take()
            && let Some(index) = scene.rows.iter().position(|row| row.id() == Some(id))
        {
            ui.scroll_to_rect(row_rect(index), None);
        }
        let first = (viewport.min.y / panel::LIST_ROW).floor().max(0.0) as usize;
        let last = ((viewport.max.y / panel::LIST_ROW).ceil() as usize).min(count);
        let mut hovered = None;
        for index in first.min(last)..last {
            let rect = row_rect(index);
            match scene.rows[index] {
                Row::Section {
                    section,
                    count,
                    open,
                } => self.section_row(ui, rect, section, count, open, scene, actions),
                Row::Entity { id, depth, open } => {
                    if self.entity_row(ui, rect, id, depth, open, scene, actions) {
                        hovered = Some(id);
                    }
                }
            }
        }
        self.drop_ui(ui, background, top, scene, actions);
        self.hover(hovered, actions);
    }

    /// Reports a change of the hovered entity to the plan view.
    fn hover(&mut self, id: Option<EntityId>, actions: &mut Actions) {
        if self.hovered != id {
            self.hovered = id;
            actions.push(Action::Hover(id));
        }
    }

    /// A click on a row, with Shift and Ctrl.
    fn click(
        &mut self,
        id: EntityId,
        modifiers: Modifiers,
        scene: &Scene<'_>,
        actions: &mut Actions,
    ) {
        self.cursor = Some(id);
        let mut selection = scene.selection.clone();
        if modifiers.shift {
            if !modifiers.command {
                selection.clear();
            }
            for id in self.range_to(id, scene.rows) {
                selection.insert(id);
            }
        } else if modifiers.command {
            selection.toggle(id);
            self.anchor = Some(id);
        } else {
            selection = Selection::one(id);
            self.anchor = Some(id);
        }
        self.seen = selection.clone();
        actions.select(selection);
    }

    /// The rows from the anchor to `id`, inclusive.
    fn range_to(&self, id: EntityId, rows: &[Row]) -> Vec<EntityId> {
        let position = |id: EntityId| rows.iter().position(|row| row.id() == Some(id));
        let to = position(id);
        let from = self.anchor.and_then(position).or(to);
        match (from, to) {
            (Some(from), Some(to)) => rows[from.min(to)..=from.max(to)]
                .iter()
                .filter_map(Row::id)
                .collect(),
            _ => vec![id],
        }
    }

    fn fold_section(&mut self, section: Section, open: bool) {
        if open {
            self.folding.sections.remove(&section);
        } else {
            self.folding.sections.insert(section);
        }
    }

    fn fold_group(&mut self, id: EntityId, open: bool) {
        if open {
            self.folding.groups.remove(&id);
        } else {
            self.folding.groups.insert(id);
        }
    }

    fn unfold_to(&mut self, id: EntityId, level: &Level) {
        let Some(entity) = level.get(id) else {
            return;
        };
        self.fold_section(Section::of(entity.kind.name()), true);
        let mut next = entity.group;
        for _ in 0..64 {
            let Some(group) = next else {
                break;
            };
            self.fold_group(group, true);
            next = level.get(group).and_then(|entity| entity.group);
        }
    }
}

/// The edits that change an entity, or the whole selection if it is part of it.
fn change_each(scene: &Scene<'_>, id: EntityId, change: impl Fn(&mut Entity)) -> Vec<Edit> {
    let ids: Vec<EntityId> = if scene.selection.contains(id) {
        scene.selection.iter().collect()
    } else {
        vec![id]
    };
    ids.into_iter()
        .filter_map(|id| {
            let mut entity = Entity::clone(scene.level.get(id)?);
            change(&mut entity);
            Some(Edit::replace(id, entity))
        })
        .collect()
}

/// The name of an entity, or of the whole selection if it is part of it.
fn whom(scene: &Scene<'_>, id: EntityId) -> String {
    if scene.selection.contains(id) && scene.selection.len() > 1 {
        format!("{} objects", scene.selection.len())
    } else {
        scene.level.label(id)
    }
}

/// Moves the plan view to an entity, or to the members of a group.
fn go_to(level: &Level, id: EntityId, actions: &mut Actions) {
    let members = level.members(id);
    let bounds = std::iter::once(id)
        .chain(members)
        .filter_map(|id| level.get(id)?.bounds())
        .reduce(|all, bounds| all.union(&bounds));
    if let Some(bounds) = bounds {
        actions.push(Action::GoTo(bounds));
    }
}

/// Background of a row: selected, hovered, or neither.
fn paint_row_background(ui: &Ui, rect: Rect, selected: bool, hovered: bool) {
    let palette = Palette::of(ui.visuals());
    let fill = if selected {
        palette.accent_fill
    } else if hovered {
        palette.control
    } else {
        return;
    };
    ui.painter()
        .rect_filled(rect.shrink2(vec2(2.0, 0.0)), panel::ROUNDING, fill);
}
