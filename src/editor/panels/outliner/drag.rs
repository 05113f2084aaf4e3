//! Dragging of rows.

use super::reorder::{DropPlacement, moved};
use super::tree::Row;
use super::{Outliner, Scene};
use crate::base::EntityId;
use crate::editor::Actions;
use crate::editor::theme::{Palette, panel};
use egui::{
    Align2, CursorIcon, DragAndDrop, Id, LayerId, Order, Rect, Stroke, StrokeKind, TextStyle, Ui,
    pos2, vec2,
};

/// The entities dragged out of a list, for any drop target.
#[derive(Clone, Debug)]
pub struct DraggedThings {
    pub ids: Vec<EntityId>,
}

/// Distance from an edge within which the list scrolls. Unit: points.
const SCROLL_ZONE: f32 = 24.0;
const SCROLL_STEP: f32 = 6.0;

impl Outliner {
    /// Shows where a drop would go, and drops.
    pub(super) fn drop_ui(
        &mut self,
        ui: &Ui,
        list: Rect,
        top: f32,
        scene: &Scene<'_>,
        actions: &mut Actions,
    ) {
        let Some(dragged) = DragAndDrop::payload::<DraggedThings>(ui.ctx()) else {
            return;
        };
        paint_ghost(ui, scene, &dragged);
        let Some(pointer) = ui
            .input(|input| input.pointer.interact_pos())
            .filter(|at| list.contains(*at))
        else {
            return;
        };
        if pointer.y < list.top() + SCROLL_ZONE {
            ui.scroll_with_delta(vec2(0.0, SCROLL_STEP));
            ui.ctx().request_repaint();
        } else if pointer.y > list.bottom() - SCROLL_ZONE {
            ui.scroll_with_delta(vec2(0.0, -SCROLL_STEP));
            ui.ctx().request_repaint();
        }
        let Some((place, index, depth)) = place_at(scene.rows, (pointer.y - top) / panel::LIST_ROW)
        else {
            return;
        };
        // A search lists only a part: "between these two rows" would be misleading.
        let edits = if self.search.is_empty() {
            moved(scene.level, &dragged.ids, place)
        } else {
            None
        };
        let released = ui.input(|input| input.pointer.any_released());
        if edits.is_none() {
            ui.ctx().set_cursor_icon(CursorIcon::NotAllowed);
        } else {
            paint_place(ui, list, top, place, index, depth);
        }
        if released {
            DragAndDrop::clear_payload(ui.ctx());
            if let Some(edits) = edits {
                let whom = match &dragged.ids[..] {
                    [one] => scene.level.label(*one),
                    many => format!("{} objects", many.len()),
                };
                actions.commit(format!("Move {whom}"), edits);
            }
        }
    }
}

/// The drop placement under the pointer, the row to show it at, and its depth. `y` counts rows.
fn place_at(rows: &[Row], y: f32) -> Option<(DropPlacement, usize, usize)> {
    let last = rows.len().checked_sub(1)?;
    let index = (y.max(0.0) as usize).min(last);
    let share = y - index as f32;
    match rows[index] {
        Row::Entity { id, depth, open } => Some(match open {
            Some(true) if share > 0.3 => (DropPlacement::Into(id), index, depth + 1),
            Some(false) if (0.3..0.7).contains(&share) => {
                (DropPlacement::Into(id), index, depth + 1)
            }
            _ if share < 0.5 => (DropPlacement::Above(id), index, depth),
            _ => (DropPlacement::Below(id), index, depth),
        }),
        // The header of a section stands for its first row.
        Row::Section { open, .. } => match rows.get(index + 1) {
            Some(Row::Entity { id, .. }) if open => Some((DropPlacement::Above(*id), index + 1, 0)),
            _ => None,
        },
    }
}

fn paint_place(ui: &Ui, list: Rect, top: f32, place: DropPlacement, index: usize, depth: usize) {
    let accent = Palette::of(ui.visuals()).accent;
    let stroke = Stroke::new(2.0, accent);
    let row_top = top + index as f32 * panel::LIST_ROW;
    let left = list.left() + 20.0 + depth as f32 * panel::INDENT;
    let line = |y: f32| {
        ui.painter().hline(left..=list.right() - 6.0, y, stroke);
        ui.painter().circle_filled(pos2(left, y), 3.0, accent);
    };
    match place {
        DropPlacement::Above(_) => line(row_top),
        DropPlacement::Below(_) => line(row_top + panel::LIST_ROW),
        DropPlacement::Into(_) => {
            let row = Rect::from_min_size(
                pos2(list.left(), row_top),
                vec2(list.width(), panel::LIST_ROW),
            );
            ui.painter().rect_stroke(
                row.shrink2(vec2(2.0, 0.0)),
                panel::ROUNDING,
                stroke,
                StrokeKind::Inside,
            );
        }
    }
}

fn paint_ghost(ui: &Ui, scene: &Scene<'_>, dragged: &DraggedThings) {
    let Some(pointer) = ui.input(|input| input.pointer.interact_pos()) else {
        return;
    };
    let text = match &dragged.ids[..] {
        [one] => scene.level.label(*one),
        many => format!("{} objects", many.len()),
    };
    let palette = Palette::of(ui.visuals());
    let layer = LayerId::new(Order::Tooltip, Id::unique("dragged rows"));
    let painter = ui.ctx().layer_painter(layer);
    let font = TextStyle::Body.resolve(ui.style());
    let galley = painter.layout_no_wrap(text, font, palette.text_strong);
    let rect = Align2::LEFT_TOP.anchor_size(pointer + vec2(14.0, 10.0), galley.size());
    painter.rect_filled(rect.expand(4.0), panel::ROUNDING, palette.raised);
    painter.galley(rect.min, galley, palette.text_strong);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_takes_what_is_dropped_on_its_middle() {
        let id = EntityId::new;
        let rows = [
            Row::Section {
                section: super::super::tree::Section::Objects,
                count: 2,
                open: true,
            },
            Row::Entity {
                id: id(1),
                depth: 0,
                open: Some(false),
            },
            Row::Entity {
                id: id(2),
                depth: 0,
                open: None,
            },
        ];
        let place = |y: f32| place_at(&rows, y).map(|(place, ..)| place);
        assert_eq!(place(0.5), Some(DropPlacement::Above(id(1))));
        assert_eq!(place(1.1), Some(DropPlacement::Above(id(1))));
        assert_eq!(place(1.5), Some(DropPlacement::Into(id(1))));
        assert_eq!(place(1.9), Some(DropPlacement::Below(id(1))));
        assert_eq!(place(2.2), Some(DropPlacement::Above(id(2))));
        // Below the last row.
        assert_eq!(place(9.0), Some(DropPlacement::Below(id(2))));
        assert_eq!(place_at(&[], 1.0), None);
    }
}
