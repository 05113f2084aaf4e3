//! The list of files: mouse, keyboard and type-ahead.

use super::folder::{self, FolderEntry};
use super::{FileDialog, Focus, LIST_HEIGHT};
use crate::editor::ago::ago;
use crate::editor::list_row::ListRow;
use crate::editor::theme;
use egui::accesskit::Role;
use egui::{Key, Modifiers, RichText, Sense, Ui, WidgetInfo, vec2};
use egui_material_icons::icons as icon;
use std::path::PathBuf;
use std::time::SystemTime;

pub(super) const ROW: f32 = 24.0;

impl FileDialog {
    pub(super) fn list_ui(&mut self, ui: &mut Ui, entries: &[FolderEntry]) -> Option<PathBuf> {
        let mut answer = None;
        let palette = theme::Palette::of(ui.visuals());
        let now = SystemTime::now();
        let frame = egui::Frame::new()
            .fill(palette.sunken)
            .stroke(egui::Stroke::new(1.0, palette.line))
            .corner_radius(theme::ROUNDING)
            .inner_margin(4);
        let list_id = ui.scope_id().with("files");
        let focused = ui.memory(|memory| memory.has_focus(list_id));
        if focused {
            answer = self.list_keys(ui, entries);
        }
        let inner = frame.show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            let mut area = egui::ScrollArea::vertical()
                .max_height(LIST_HEIGHT - 10.0)
                .min_scrolled_height(LIST_HEIGHT - 10.0)
                .auto_shrink([false, false]);
            if let Some(at) = self.chosen.filter(|_| std::mem::take(&mut self.reveal)) {
                let middle = (at as f32 + 0.5) * ROW - LIST_HEIGHT * 0.5;
                area = area.vertical_scroll_offset(middle.max(0.0));
            }
            area.show_rows(ui, ROW, entries.len().max(1), |ui, rows| {
                if entries.is_empty() {
                    ui.add_space(8.0);
                    ui.vertical_centered(|ui| ui.weak("No matching files."));
                }
                for at in rows {
                    let Some(entry) = entries.get(at) else {
                        continue;
                    };
                    let response = entry_ui(ui, entry, self.chosen == Some(at), now);
                    if response.clicked() {
                        self.choose(at, entries);
                        ui.memory_mut(|memory| memory.request_focus(list_id));
                    }
                    if response.double_clicked() {
                        answer = self.activate(entry);
                    }
                }
            });
        });
        // The list as one control: arrows move in it, Enter opens.
        let whole = ui.interact(
            inner.response.rect,
            list_id,
            Sense::focusable_noninteractive(),
        );
        whole.widget_info(|| WidgetInfo::labeled(Role::ListBox, true, "Files"));
        if self.focus == Some(Focus::List) {
            whole.request_focus();
            self.focus = None;
        }
        if focused {
            ui.memory_mut(|memory| {
                memory.set_focus_lock_filter(
                    list_id,
                    egui::EventFilter {
                        vertical_arrows: true,
                        ..Default::default()
                    },
                );
            });
            ui.painter().rect_stroke(
                inner.response.rect,
                theme::ROUNDING,
                egui::Stroke::new(1.0, palette.accent),
                egui::StrokeKind::Inside,
            );
        }
        answer
    }

    fn list_keys(&mut self, ui: &mut Ui, entries: &[FolderEntry]) -> Option<PathBuf> {
        // Typed text is a name or a path.
        let typed: String = ui.input(|input| {
            let texts = input.events.iter().filter_map(|event| match event {
                egui::Event::Text(text) | egui::Event::Paste(text) => Some(text.as_str()),
                _ => None,
            });
            texts.collect()
        });
        if !typed.trim().is_empty() {
            self.name = typed;
            self.focus = Some(Focus::NameEnd);
            self.trouble = None;
            self.overwriting = None;
            self.chosen = self.named(entries);
            self.reveal = self.chosen.is_some();
        }
        let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        let last = entries.len().checked_sub(1);
        let step = |by: isize, chosen: Option<usize>| {
            last.map(|last| chosen.map_or(0, |at| at.saturating_add_signed(by).min(last)))
        };
        let moved = [
            (Key::ArrowDown, 1),
            (Key::ArrowUp, -1),
            (Key::PageDown, 10),
            (Key::PageUp, -10),
        ]
        .into_iter()
        .find_map(|(key, by)| pressed(key).then(|| step(by, self.chosen)).flatten());
        if let Some(at) = moved {
            self.choose(at, entries);
            self.reveal = true;
        }
        if pressed(Key::Backspace)
            && let Some(parent) = self.listing.folder.parent()
        {
            self.go_to(parent.to_owned());
        }
        if pressed(Key::Enter)
            && let Some(entry) = self.chosen.and_then(|at| entries.get(at))
        {
            return self.activate(entry);
        }
        None
    }
}

fn entry_ui(ui: &mut Ui, entry: &FolderEntry, chosen: bool, now: SystemTime) -> egui::Response {
    let palette = theme::Palette::of(ui.visuals());
    let row = ListRow {
        height: ROW,
        margin: 6.0,
        is_chosen: chosen,
    };
    let response = row.show(ui, |ui| {
        let (symbol, colour) = if entry.is_folder {
            (icon::ICON_FOLDER, palette.accent)
        } else {
            (icon::ICON_DRAFT, palette.text_weak)
        };
        ui.label(theme::icon(symbol, theme::ICON_SMALL).color(colour));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let when = entry.modified.map(|time| ago(time, now));
            column(ui, 96.0, when.as_deref().unwrap_or(""));
            let size = entry.size.map(folder::size_text);
            column(ui, 60.0, size.as_deref().unwrap_or(""));
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                ui.add(egui::Label::new(&entry.name).truncate());
            });
        });
    });
    response.widget_info(|| WidgetInfo::selected(Role::ListBoxOption, true, chosen, &entry.name));
    response
}

fn column(ui: &mut Ui, width: f32, text: &str) {
    ui.allocate_ui_with_layout(
        vec2(width, ROW),
        egui::Layout::right_to_left(egui::Align::Center),
        |ui| {
            ui.set_min_width(width);
            ui.label(RichText::new(text).small().weak());
        },
    );
}
