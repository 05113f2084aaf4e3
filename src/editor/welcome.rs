//! The welcome page: samples as pictures, recent files, new and open, unsaved work.

use super::ago::ago;
use super::command_button::key_cap;
use super::dialog::new_level;
use super::intention::{Intention, Request};
use super::recent::Recent;
use super::thumbnails::Thumbnails;
use super::{Action, Actions, Command, EditorState, logo, theme};
use crate::document::session::Session;
use crate::document::template::{Options, Template};
use crate::preview::Look;
use egui::accesskit::Role;
use egui::{Align, Button, Layout, RichText, Sense, Ui, WidgetInfo, vec2};
use egui_material_icons::icons as icon;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Minimum width of a card; cards grow with the window.
const CARD_WIDTH: f32 = 214.0;
const WIDEST_CARD: f32 = 300.0;
/// Height divided by width of a picture.
const PICTURE_ASPECT: f32 = 2.0 / 3.0;
/// Space for name and description.
const CAPTION_HEIGHT: f32 = 62.0;
/// Crops the margin that pictures have around the level.
const PICTURE_UV: egui::Rect = egui::Rect {
    min: egui::pos2(0.025, 0.025),
    max: egui::pos2(0.975, 0.975),
};
/// The samples in the order in which one learns from them: paths first, then ground, intentions,
/// storeys, crowds, and at last what is large.
const TOUR: [Template; 19] = [
    Template::Rooms,
    Template::Zigzag,
    Template::Labyrinth,
    Template::Mckenna,
    Template::MckennaRoad,
    Template::Forest,
    Template::Guards,
    Template::Night,
    Template::Crossing,
    Template::Stairs,
    Template::Supermarket,
    Template::Bottleneck,
    Template::Evacuation,
    Template::Station,
    Template::Factory,
    Template::Loose,
    Template::Dense,
    Template::Blocks,
    Template::City,
];
const GAP: f32 = 14.0;
const SIDE_WIDTH: f32 = 280.0;

/// Work that a crash left behind.
#[derive(Debug, Default)]
pub struct Unsaved {
    /// Files with unsaved work.
    files: Vec<PathBuf>,
    /// Journals of levels that were never saved.
    journals: Vec<PathBuf>,
}

impl Unsaved {
    #[must_use]
    pub fn find(recent: &Recent, state: &Path) -> Self {
        let recent = recent.files().iter();
        let mut files: Vec<PathBuf> = recent
            .filter(|path| Session::has_unsaved(path, state))
            .cloned()
            .collect();
        // Others were open as well, or have been opened by a command.
        for file in Session::unsaved_files(state) {
            let known = |path: &PathBuf| std::path::absolute(path).is_ok_and(|path| path == file);
            if !files.iter().any(known) {
                files.push(file);
            }
        }
        Self {
            files,
            journals: Session::unsaved(state),
        }
    }

    const fn is_empty(&self) -> bool {
        self.files.is_empty() && self.journals.is_empty()
    }
}

#[derive(Debug)]
pub struct Welcome<'a> {
    pub state: &'a EditorState,
    pub recent: &'a Recent,
    pub unsaved: &'a Unsaved,
    pub thumbnails: &'a mut Thumbnails,
    pub actions: &'a mut Actions,
}

impl Welcome<'_> {
    pub fn ui(&mut self, ui: &mut Ui) {
        let palette = theme::Palette::of(ui.visuals());
        egui::CentralPanel::default()
            .frame(egui::Frame::new().fill(palette.gutter))
            .show(ui, |ui| {
                egui::ScrollArea::vertical()
                    .auto_shrink([false, false])
                    .show(ui, |ui| {
                        egui::Frame::new()
                            .inner_margin(28)
                            .show(ui, |ui| self.page_ui(ui));
                    });
            });
    }

    fn page_ui(&mut self, ui: &mut Ui) {
        // As many cards per row as fit beside the lists; centred.
        let room = ui.available_width() - SIDE_WIDTH - 40.0;
        let columns = (((room + GAP) / (CARD_WIDTH + GAP)).floor() as usize).clamp(1, 4);
        let card = ((room + GAP) / columns as f32 - GAP).clamp(CARD_WIDTH, WIDEST_CARD);
        let cards = columns as f32 * (card + GAP) - GAP;
        let width = SIDE_WIDTH + 40.0 + cards;
        let margin = ((ui.available_width() - width) * 0.5).max(0.0);
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            ui.add_space(margin);
            ui.vertical(|ui| {
                ui.set_width(SIDE_WIDTH);
                ui.spacing_mut().item_spacing.x = 6.0;
                self.side_ui(ui);
            });
            ui.add_space(40.0);
            ui.vertical(|ui| {
                ui.set_width(cards);
                self.samples_ui(ui, columns, card.floor());
            });
        });
    }

    fn side_ui(&mut self, ui: &mut Ui) {
        ui.horizontal(|ui| {
            logo::logo_ui(ui, 44.0);
            ui.add_space(4.0);
            ui.label(
                RichText::new("Wayloom")
                    .text_style(theme::text::title())
                    .strong(),
            );
        });
        ui.add_space(2.0);
        ui.add(
            egui::Label::new(
                RichText::new("Draw a level. See what agents will do while you draw.").weak(),
            )
            .wrap(),
        );
        ui.add_space(16.0);
        for command in [
            Command::FirstLevel,
            Command::NewLevel,
            Command::Open,
            Command::Import,
        ] {
            self.command_ui(ui, command);
        }
        if !self.unsaved.is_empty() {
            ui.add_space(18.0);
            section_ui(ui, "Unsaved work");
            ui.add_space(4.0);
            for path in self.unsaved.files.iter().take(4) {
                self.unsaved_file_ui(ui, path);
            }
            for journal in self.unsaved.journals.iter().take(4) {
                self.unsaved_ui(ui, journal);
            }
        }
        ui.add_space(18.0);
        section_ui(ui, "Recent");
        ui.add_space(4.0);
        if self.recent.files().is_empty() {
            ui.weak("Levels that you open or save are listed here.");
        }
        for path in self.recent.files().iter().take(8) {
            self.recent_ui(ui, path);
        }
        ui.add_space(18.0);
        section_ui(ui, "Tips");
        ui.add_space(4.0);
        for (command, text) in [
            (Command::Palette, "finds any command by a few letters"),
            (Command::Help, "shows every key and gesture"),
        ] {
            ui.horizontal(|ui| {
                if let Some(key) = self.state.keys().first_key(command) {
                    key_cap(ui, &key.to_string());
                }
                ui.weak(text);
            });
        }
    }

    fn command_ui(&mut self, ui: &mut Ui, command: Command) {
        let entry = command.entry();
        let mut button = Button::new((theme::icon(entry.icon, 18.0), entry.name))
            .gap(10.0)
            .min_size(vec2(SIDE_WIDTH, 34.0));
        button = match self.state.keys().first_key(command) {
            Some(key) => button.shortcut_text(RichText::new(key.to_string()).weak()),
            None => button.right_text(""),
        };
        let response = ui.add(button).on_hover_text(format!("{}.", entry.help));
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, entry.name));
        if response.clicked() {
            self.actions.command(command);
        }
    }

    fn unsaved_ui(&mut self, ui: &mut Ui, journal: &Path) {
        let when = std::fs::metadata(journal)
            .and_then(|about| about.modified())
            .map(|time| ago(time, SystemTime::now()))
            .unwrap_or_default();
        let text = format!("Untitled level, {when}");
        let response = list_button(ui, icon::ICON_RESTORE_PAGE, &text, "");
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Recover {text}")));
        let response = response
            .on_hover_text("A session ended before this level was saved. Click to restore it.");
        if response.clicked() {
            self.actions
                .push(Action::Request(Request::Intend(Intention::Resume(
                    journal.to_owned(),
                ))));
        }
    }

    fn unsaved_file_ui(&mut self, ui: &mut Ui, path: &Path) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let folder = path.parent().map(shortened).unwrap_or_default();
        let response = list_button(ui, icon::ICON_RESTORE_PAGE, &name, &folder);
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Recover {name}")));
        let response = response.on_hover_text(format!(
            "A session ended before its changes to {} were saved. Click to restore them.",
            path.display()
        ));
        if response.clicked() {
            self.actions
                .push(Action::Request(Request::Intend(Intention::Open(
                    path.to_owned(),
                ))));
        }
    }

    fn recent_ui(&mut self, ui: &mut Ui, path: &Path) {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let folder = path.parent().map(shortened).unwrap_or_default();
        let response = list_button(ui, icon::ICON_DRAFT, &name, &folder);
        response
            .widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Open recent {name}")));
        let response = response.on_hover_text(path.display().to_string());
        if response.clicked() {
            self.actions
                .push(Action::Request(Request::Intend(Intention::Open(
                    path.to_owned(),
                ))));
        }
        response.context_menu(|ui| {
            if ui.button("Remove from this list").clicked() {
                self.actions
                    .push(Action::Request(Request::ForgetRecent(path.to_owned())));
                ui.close();
            }
        });
    }

    fn samples_ui(&mut self, ui: &mut Ui, columns: usize, card: f32) {
        section_ui(ui, "A tour of samples");
        ui.add_space(8.0);
        let look = if ui.visuals().dark_mode {
            Look::Dark
        } else {
            Look::Light
        };
        ui.spacing_mut().item_spacing = vec2(GAP, GAP);
        let mut stops = (1..).zip(TOUR).peekable();
        while stops.peek().is_some() {
            ui.horizontal(|ui| {
                for (number, template) in stops.by_ref().take(columns) {
                    self.card_ui(ui, number, template, look, card);
                }
            });
        }
    }

    fn card_ui(&mut self, ui: &mut Ui, number: usize, template: Template, look: Look, width: f32) {
        let palette = theme::Palette::of(ui.visuals());
        let title = new_level::title(template);
        let picture_height = (width * PICTURE_ASPECT).round();
        let (rect, response) =
            ui.allocate_exact_size(vec2(width, picture_height + CAPTION_HEIGHT), Sense::click());
        response.widget_info(|| {
            WidgetInfo::labeled(Role::Button, true, format!("Open sample {title}"))
        });
        let lit = response.hovered() || response.has_focus();
        let painter = ui.painter();
        let rounding = egui::CornerRadius::same(theme::ROUNDING_LARGE);
        painter.rect(
            rect,
            rounding,
            if lit { palette.control } else { palette.raised },
            egui::Stroke::new(1.0, if lit { palette.accent } else { palette.line }),
            egui::StrokeKind::Inside,
        );
        let picture =
            egui::Rect::from_min_size(rect.min + vec2(1.0, 1.0), vec2(width - 2.0, picture_height));
        let upper = egui::CornerRadius {
            sw: 0,
            se: 0,
            ..rounding
        };
        match self.thumbnails.get(template, look) {
            Some(texture) => egui::Image::new(texture)
                .uv(PICTURE_UV)
                .corner_radius(upper)
                .paint_at(ui, picture),
            None => {
                let ground = egui::Color32::from_rgb(
                    look.palette().ground.r,
                    look.palette().ground.g,
                    look.palette().ground.b,
                );
                painter.rect_filled(picture, upper, ground);
            }
        }
        let mut text = ui.new_child(
            egui::UiBuilder::new()
                .max_rect(egui::Rect::from_min_max(
                    rect.min + vec2(10.0, picture_height + 7.0),
                    rect.max - vec2(10.0, 4.0),
                ))
                .layout(Layout::top_down(Align::LEFT)),
        );
        text.spacing_mut().item_spacing.y = 2.0;
        text.label(RichText::new(format!("{number} · {title}")).strong());
        text.add(egui::Label::new(RichText::new(template.description()).small().weak()).wrap());
        if response
            .on_hover_cursor(egui::CursorIcon::PointingHand)
            .clicked()
        {
            self.actions
                .push(Action::Request(Request::Intend(Intention::New {
                    template,
                    options: Options::default(),
                })));
        }
    }
}

fn section_ui(ui: &mut Ui, name: &str) {
    ui.label(
        RichText::new(name)
            .text_style(theme::text::section())
            .strong(),
    );
}

/// A list row: icon, name, and its folder in grey.
fn list_button(
    ui: &mut Ui,
    symbol: egui_material_icons::MaterialIcon,
    name: &str,
    detail: &str,
) -> egui::Response {
    let button = Button::new((theme::icon(symbol, theme::ICON_SMALL), RichText::new(name)))
        .right_text(RichText::new(detail).small().weak())
        .frame_when_inactive(false)
        .truncate()
        .min_size(vec2(SIDE_WIDTH, 26.0));
    ui.add_sized(vec2(SIDE_WIDTH, 26.0), button)
}

/// The last two parts of a folder's path.
fn shortened(folder: &Path) -> String {
    let parts: Vec<_> = folder.components().rev().take(2).collect();
    let tail: PathBuf = parts.iter().rev().collect();
    if folder.components().count() > 2 {
        format!("…/{}", tail.display())
    } else {
        tail.display().to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_tour_comes_by_every_sample_once() {
        let stops: BTreeSet<Template> = TOUR.into_iter().collect();
        assert_eq!(stops, Template::samples().collect());
        assert_eq!(stops.len(), TOUR.len());
    }
}
