//! Wayloom's own file dialog, for desktops without one.

mod folder;
mod list;

use super::{Dialog, Flow, buttons_ui, modal, primary_button_enabled};
use crate::editor::intention::{Purpose, Request};
use crate::editor::{Action, Actions, EditorState, theme};
use egui::accesskit::Role;
use egui::text::{CCursor, CCursorRange};
use egui::text_edit::TextEditState;
use egui::{Button, Key, Ui, WidgetInfo, vec2};
use egui_material_icons::{MaterialIcon, icons as icon};
use folder::{FolderEntry, Listing};
use list::ROW;
use std::path::{Path, PathBuf};

const LIST_HEIGHT: f32 = 300.0;
const PLACES_WIDTH: f32 = 150.0;

/// A file filter: a name and its extensions; none means all files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    pub name: String,
    pub endings: Vec<String>,
}

impl Filter {
    #[must_use]
    pub fn new(name: &str, endings: &[&str]) -> Self {
        Self {
            name: name.to_owned(),
            endings: endings.iter().map(|&ending| ending.to_owned()).collect(),
        }
    }

    #[must_use]
    pub fn all() -> Self {
        Self::new("All files", &[])
    }

    fn accepts(&self, name: &str) -> bool {
        let name = name.to_lowercase();
        self.endings.is_empty()
            || self
                .endings
                .iter()
                .any(|ending| name.ends_with(&format!(".{ending}")))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Open,
    Save,
}

/// What the user is asked for; passed to the desktop's dialog as well.
#[derive(Clone, Debug)]
pub struct FileQuestion {
    pub purpose: Purpose,
    pub mode: Mode,
    pub title: String,
    pub filters: Vec<Filter>,
    pub folder: PathBuf,
    /// For saving.
    pub name: String,
}

#[derive(Debug)]
pub struct FileDialog {
    question: FileQuestion,
    filter: usize,
    listing: Listing,
    /// The folder as typed.
    folder_text: String,
    name: String,
    chosen: Option<usize>,
    /// Focus the list or the name field in the next frame.
    focus: Option<Focus>,
    reveal: bool,
    /// The file about to be overwritten; confirming again overwrites it.
    overwriting: Option<PathBuf>,
    new_folder: Option<String>,
    trouble: Option<String>,
    show_hidden: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Focus {
    /// Select the name, for typing over it.
    Name,
    /// Continue typing the name.
    NameEnd,
    List,
    NewFolder,
}

impl FileDialog {
    #[must_use]
    pub fn new(question: FileQuestion) -> Self {
        let name = question.name.clone();
        let focus = match question.mode {
            Mode::Open => Focus::List,
            Mode::Save => Focus::Name,
        };
        let mut dialog = Self {
            folder_text: String::new(),
            listing: Listing::default(),
            filter: 0,
            name,
            chosen: None,
            focus: Some(focus),
            reveal: false,
            overwriting: None,
            new_folder: None,
            trouble: None,
            show_hidden: false,
            question,
        };
        dialog.go_to(dialog.question.folder.clone());
        dialog
    }

    fn go_to(&mut self, folder: PathBuf) {
        match Listing::read(&folder) {
            Ok(listing) => {
                self.folder_text = listing.folder.display().to_string();
                self.listing = listing;
                self.chosen = None;
                self.trouble = None;
            }
            Err(trouble) => self.trouble = Some(trouble),
        }
        self.overwriting = None;
    }

    fn shown(&self) -> Vec<FolderEntry> {
        let filter = self.question.filters.get(self.filter);
        self.listing
            .entries
            .iter()
            .filter(|entry| self.show_hidden || !entry.is_hidden())
            .filter(|entry| {
                entry.is_folder || filter.is_none_or(|filter| filter.accepts(&entry.name))
            })
            .cloned()
            .collect()
    }

    fn choose(&mut self, at: usize, entries: &[FolderEntry]) {
        self.chosen = Some(at);
        self.overwriting = None;
        if let Some(entry) = entries.get(at).filter(|entry| !entry.is_folder) {
            self.name.clone_from(&entry.name);
        }
    }

    /// The first entry that begins with the name field's text.
    fn named(&self, entries: &[FolderEntry]) -> Option<usize> {
        let name = self.name.trim().to_lowercase();
        if name.is_empty() {
            return None;
        }
        let begins = |entry: &FolderEntry| entry.name.to_lowercase().starts_with(&name);
        entries.iter().position(begins)
    }

    /// The only entry that begins with the name field's text.
    fn meant(&self) -> Option<FolderEntry> {
        let entries = self.shown();
        let first = self.named(&entries)?;
        let rest = entries.get(first + 1..).unwrap_or_default();
        self.named(rest).is_none().then(|| entries[first].clone())
    }

    /// Enters a folder, or chooses a file. Returns the file once the choice is final.
    fn activate(&mut self, entry: &FolderEntry) -> Option<PathBuf> {
        let path = self.listing.folder.join(&entry.name);
        if entry.is_folder {
            self.go_to(path);
            self.focus = Some(Focus::List);
            None
        } else {
            self.name.clone_from(&entry.name);
            self.answer()
        }
    }

    /// The name field as an absolute path; typed paths and `~` work as well.
    fn target(&self) -> Option<PathBuf> {
        let name = self.name.trim();
        if name.is_empty() {
            return None;
        }
        let mut path = self.listing.folder.join(folder::expand(name));
        let ending = self
            .question
            .filters
            .get(self.filter)
            .and_then(|filter| filter.endings.first());
        if self.question.mode == Mode::Save
            && path.extension().is_none()
            && let Some(ending) = ending
        {
            path.set_extension(ending);
        }
        Some(path)
    }

    fn answer(&mut self) -> Option<PathBuf> {
        let path = self.target()?;
        if path.is_dir() {
            self.go_to(path);
            self.name.clear();
            return None;
        }
        match self.question.mode {
            Mode::Open if !path.exists() => {
                // An unambiguous prefix is enough.
                if let Some(entry) = self.meant() {
                    return self.activate(&entry);
                }
                self.trouble = Some(format!("{} does not exist.", path.display()));
                None
            }
            Mode::Save if !path.parent().is_some_and(Path::is_dir) => {
                self.trouble = Some("That folder does not exist; create it first.".to_owned());
                None
            }
            Mode::Save if path.exists() && self.overwriting.as_ref() != Some(&path) => {
                self.overwriting = Some(path);
                None
            }
            _ => Some(path),
        }
    }
}

impl Dialog for FileDialog {
    fn ui(&mut self, ctx: &egui::Context, _: &EditorState, actions: &mut Actions) -> Flow {
        let mut answer = None;
        let title = self.question.title.clone();
        let flow = modal(ctx, &title, 760.0, |ui| {
            self.path_ui(ui);
            ui.add_space(6.0);
            let entries = self.shown();
            ui.horizontal_top(|ui| {
                ui.vertical(|ui| {
                    ui.set_width(PLACES_WIDTH);
                    self.places_ui(ui);
                });
                ui.add_space(6.0);
                ui.vertical(|ui| answer = self.list_ui(ui, &entries));
            });
            ui.add_space(6.0);
            self.name_ui(ui, &entries, &mut answer);
            if let Some(trouble) = &self.trouble {
                ui.colored_label(ui.visuals().error_fg_color, trouble);
            } else if let Some(path) = &self.overwriting {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                ui.colored_label(
                    ui.visuals().warn_fg_color,
                    format!("{name} already exists. Press again to overwrite it."),
                );
            }
            self.answer_buttons_ui(ui, &mut answer)
        });
        match answer {
            Some(path) => {
                actions.push(Action::Request(Request::Chosen {
                    purpose: self.question.purpose.clone(),
                    path,
                }));
                Flow::Close
            }
            None => flow,
        }
    }
}

impl FileDialog {
    fn path_ui(&mut self, ui: &mut Ui) {
        ui.horizontal(|ui| {
            let up = icon_button(ui, icon::ICON_ARROW_UPWARD, "Parent folder");
            if up.clicked()
                && let Some(parent) = self.listing.folder.parent()
            {
                self.go_to(parent.to_owned());
            }
            if icon_button(ui, icon::ICON_REFRESH, "Refresh").clicked() {
                self.go_to(self.listing.folder.clone());
            }
            let hidden = ui.add(
                Button::new(theme::icon(icon::ICON_VISIBILITY, theme::ICON_SMALL))
                    .selected(self.show_hidden),
            );
            hidden.widget_info(|| {
                WidgetInfo::selected(Role::Button, true, self.show_hidden, "Show hidden files")
            });
            if hidden.on_hover_text("Show hidden files").clicked() {
                self.show_hidden = !self.show_hidden;
            }
            if icon_button(ui, icon::ICON_CREATE_NEW_FOLDER, "New folder").clicked() {
                self.new_folder = Some(String::new());
                self.focus = Some(Focus::NewFolder);
            }
            let field = ui.add(
                egui::TextEdit::singleline(&mut self.folder_text)
                    .desired_width(f32::INFINITY)
                    .margin(egui::Margin::symmetric(6, 4)),
            );
            field.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Folder"));
            if field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter)) {
                self.go_to(folder::expand(self.folder_text.trim()));
            }
        });
        if let Some(name) = &mut self.new_folder {
            let mut make = false;
            let mut cancel = false;
            ui.horizontal(|ui| {
                ui.label("Name of the new folder:");
                let field = ui.add(egui::TextEdit::singleline(name).desired_width(220.0));
                field.widget_info(|| {
                    WidgetInfo::labeled(Role::TextInput, true, "Name of the new folder")
                });
                if self.focus == Some(Focus::NewFolder) {
                    field.request_focus();
                    self.focus = None;
                }
                let enter = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
                make = ui.button("Make").clicked() || enter;
                cancel = ui.button("Cancel new folder").clicked();
            });
            if make && !name.trim().is_empty() {
                let path = self.listing.folder.join(name.trim());
                match std::fs::create_dir(&path) {
                    Ok(()) => {
                        self.new_folder = None;
                        self.go_to(path);
                    }
                    Err(error) => {
                        self.trouble = Some(format!("The folder cannot be created: {error}."));
                    }
                }
            } else if cancel {
                self.new_folder = None;
            }
        }
    }

    fn places_ui(&mut self, ui: &mut Ui) {
        let mut go = None;
        egui::ScrollArea::vertical()
            .id_salt("places")
            .max_height(LIST_HEIGHT)
            .auto_shrink([false, false])
            .show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 1.0;
                for (symbol, name, path) in folder::places() {
                    let here = path == self.listing.folder;
                    let button =
                        Button::new((theme::icon(symbol, theme::ICON_SMALL), name.as_str()))
                            .selected(here)
                            .frame_when_inactive(here)
                            .truncate()
                            .right_text("")
                            .min_size(vec2(ui.available_width(), ROW));
                    let response = ui.add(button).on_hover_text(path.display().to_string());
                    response.widget_info(|| {
                        WidgetInfo::labeled(Role::Button, true, format!("Go to {name}"))
                    });
                    if response.clicked() {
                        go = Some(path);
                    }
                }
            });
        if let Some(path) = go {
            self.go_to(path);
        }
    }

    fn name_ui(&mut self, ui: &mut Ui, entries: &[FolderEntry], answer: &mut Option<PathBuf>) {
        ui.horizontal(|ui| {
            ui.label("Name");
            let room = ui.available_width() - 230.0;
            let field = ui.add(
                egui::TextEdit::singleline(&mut self.name)
                    .desired_width(room)
                    .margin(egui::Margin::symmetric(6, 4)),
            );
            field.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "File name"));
            let end = self.name.chars().count();
            let range = match self.focus {
                // Select everything but the extension.
                Some(Focus::Name) => {
                    let ending = Path::new(&self.name).extension();
                    let ending =
                        ending.map_or(0, |ending| ending.to_string_lossy().chars().count() + 1);
                    let stem = end.saturating_sub(ending);
                    Some(CCursorRange::two(CCursor::new(0), CCursor::new(stem)))
                }
                Some(Focus::NameEnd) => Some(CCursorRange::one(CCursor::new(end))),
                _ => None,
            };
            if let Some(range) = range {
                self.focus = None;
                field.request_focus();
                let mut state = TextEditState::load(ui.ctx(), field.id).unwrap_or_default();
                state.cursor.set_char_range(Some(range));
                state.store(ui.ctx(), field.id);
            }
            if field.changed() {
                self.overwriting = None;
                self.trouble = None;
                self.chosen = self.named(entries);
                self.reveal = self.chosen.is_some();
            }
            if field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter)) {
                *answer = self.answer();
                field.request_focus();
            }
            let names: Vec<&str> = self
                .question
                .filters
                .iter()
                .map(|filter| filter.name.as_str())
                .collect();
            let response = egui::ComboBox::from_id_salt("filter")
                .width(ui.available_width())
                .selected_text(names.get(self.filter).copied().unwrap_or_default())
                .show_ui(ui, |ui| {
                    for (at, name) in names.iter().enumerate() {
                        ui.selectable_value(&mut self.filter, at, *name);
                    }
                })
                .response;
            response.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, "File type"));
        });
    }

    fn answer_buttons_ui(&mut self, ui: &mut Ui, answer: &mut Option<PathBuf>) -> Flow {
        let mut flow = Flow::Stay;
        let text = match (self.question.mode, &self.overwriting) {
            (Mode::Open, _) => "Open",
            (Mode::Save, None) => "Save",
            (Mode::Save, Some(_)) => "Overwrite",
        };
        buttons_ui(ui, |ui| {
            let ready = self.target().is_some();
            if primary_button_enabled(ui, text, ready).clicked() {
                *answer = self.answer();
            }
            if ui.button("Cancel").clicked() {
                flow = Flow::Close;
            }
        });
        flow
    }
}

fn icon_button(ui: &mut Ui, symbol: MaterialIcon, name: &str) -> egui::Response {
    let response = ui
        .add(Button::new(theme::icon(symbol, theme::ICON_SMALL)))
        .on_hover_text(name);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
    response
}
