//! Lists within a form: numbered entries, with buttons to move and remove them.

use crate::editor::panels::field::button::{icon_button, icon_button_if};
use crate::editor::panels::field::row::stable_scope;
use crate::editor::panels::field::{Change, Manner};
use crate::editor::theme::{Palette, panel};
use egui::{Align, Frame, Layout, Margin, Ui};
use egui_material_icons::icons;

/// A requested operation on an entry.
enum Asked {
    Up,
    Down,
    Remove,
}

/// Draws every entry in a frame; `entry_ui` edits the entry and reports how it changed. `what`
/// names an entry in the buttons' labels.
pub fn list_ui<T>(
    ui: &mut Ui,
    what: &str,
    list: &mut Vec<T>,
    mut entry_ui: impl FnMut(&mut Ui, &mut T) -> Option<Manner>,
) -> Option<Manner> {
    let mut manner = None;
    let mut asked = None;
    let count = list.len();
    for (index, entry) in list.iter_mut().enumerate() {
        stable_scope(ui, (what, index), |ui| {
            Frame::new()
                .fill(Palette::of(ui.visuals()).raised)
                .corner_radius(panel::ROUNDING)
                .inner_margin(Margin::symmetric(6, 4))
                .show(ui, |ui| {
                    ui.set_width(ui.available_width());
                    ui.spacing_mut().item_spacing.y = 4.0;
                    if let Some(order) = buttons_ui(ui, what, index, count) {
                        asked = Some((index, order));
                    }
                    manner = entry_ui(ui, entry).or(manner);
                });
        });
    }
    match asked {
        Some((index, Asked::Up)) => list.swap(index, index - 1),
        Some((index, Asked::Down)) => list.swap(index, index + 1),
        Some((index, Asked::Remove)) => {
            list.remove(index);
        }
        None => return manner,
    }
    Some(Manner::Chosen)
}

fn buttons_ui(ui: &mut Ui, what: &str, index: usize, count: usize) -> Option<Asked> {
    let mut asked = None;
    ui.horizontal(|ui| {
        ui.weak(format!("{what} {}", index + 1));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            let whose = format!("{} {}", what.to_lowercase(), index + 1);
            if icon_button(ui, icons::ICON_DELETE, &format!("Remove {whose}")).clicked() {
                asked = Some(Asked::Remove);
            }
            let down = format!("Move {whose} down");
            if icon_button_if(ui, index + 1 < count, icons::ICON_ARROW_DOWNWARD, &down).clicked() {
                asked = Some(Asked::Down);
            }
            let up = format!("Move {whose} up");
            if icon_button_if(ui, index > 0, icons::ICON_ARROW_UPWARD, &up).clicked() {
                asked = Some(Asked::Up);
            }
        });
    });
    asked
}

/// Applies a change and returns how it was made.
pub fn take<T>(place: &mut T, change: Option<Change<T>>) -> Option<Manner> {
    let change = change?;
    *place = change.value;
    Some(change.manner)
}
