//! The menus, derived from the commands.

use super::command::Menu;
use super::command_button::{key_cap, menu_item};
use super::intention::{Intention, Request};
use super::play_strip::play_strip_ui;
use super::{Action, Actions, Command, EditorState, theme};
use egui::accesskit::Role;
use egui::{Align, Button, Layout, RichText, Ui, WidgetInfo};
use egui_material_icons::icons as icon;
use std::path::PathBuf;

/// In how many columns overlays are listed, and how wide each is. Unit of the width: points.
const OVERLAY_COLUMNS: usize = 3;
const OVERLAY_COLUMN: f32 = 168.0;

/// The menu bar: menus on the left, the level's name in the middle, the palette on the right.
pub fn menu_bar_ui(ui: &mut Ui, state: &EditorState, recent: &[PathBuf], actions: &mut Actions) {
    egui::MenuBar::new().ui(ui, |ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        ui.spacing_mut().button_padding = egui::vec2(8.0, 3.0);
        for menu in Menu::ALL {
            ui.menu_button(menu.name(), |ui| {
                menu_ui(ui, state, menu, recent, actions);
            });
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            search_button(ui, state, actions);
            if state.level_is_open() {
                ui.add_space(10.0);
                ui.scope(|ui| play_strip_ui(ui, state, actions));
                ui.with_layout(
                    Layout::centered_and_justified(egui::Direction::LeftToRight),
                    |ui| {
                        let mark = if state.document().is_dirty() {
                            " •"
                        } else {
                            ""
                        };
                        let title = format!("{}{mark}", state.title_with_file());
                        ui.add(egui::Label::new(RichText::new(title).weak()).truncate())
                            .on_hover_text(state.path().map_or_else(
                                || "Not saved to a file yet.".to_owned(),
                                |path| path.display().to_string(),
                            ));
                    },
                );
            }
        });
    });
}

fn search_button(ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
    let response = ui
        .scope(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            if let Some(key) = state.keys().first_key(Command::Palette) {
                key_cap(ui, &key.to_string());
            }
            ui.add(
                Button::new((
                    theme::icon(icon::ICON_SEARCH, theme::ICON_SMALL),
                    "Find a command",
                ))
                .frame_when_inactive(false),
            )
        })
        .inner;
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Find a command"));
    if response.clicked() {
        actions.command(Command::Palette);
    }
}

/// The commands of a menu by section: a separator between two, a submenu where a section has
/// a name.
fn menu_ui(
    ui: &mut Ui,
    state: &EditorState,
    menu: Menu,
    recent: &[PathBuf],
    actions: &mut Actions,
) {
    let mut sections: Vec<(u8, Vec<Command>)> = Vec::new();
    for command in Command::all() {
        if let Some((_, section)) = command.entry().place.filter(|(place, _)| *place == menu) {
            match sections.iter_mut().find(|(number, _)| *number == section) {
                Some((_, commands)) => commands.push(command),
                None => sections.push((section, vec![command])),
            }
        }
    }
    sections.sort_by_key(|(section, _)| *section);
    let mut after_submenu = false;
    for (at, (section, commands)) in sections.into_iter().enumerate() {
        if let Some(title) = menu.submenu(section) {
            if at > 0 && !after_submenu {
                ui.separator();
            }
            let symbol = commands.first().map(|command| command.entry().icon);
            let symbol = theme::icon(
                symbol.unwrap_or(icon::ICON_CHEVRON_RIGHT),
                theme::ICON_SMALL,
            );
            let mut button = egui::containers::menu::SubMenuButton::new((symbol, title));
            if menu.stays_open(section) {
                button = button.config(
                    egui::containers::menu::MenuConfig::new()
                        .close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside),
                );
            }
            let (response, _) = button.ui(ui, |ui| {
                let stays_open = menu.stays_open(section);
                if commands.iter().any(|command| command.group().is_some()) {
                    columns_ui(ui, state, &commands, actions);
                } else {
                    items_ui(ui, state, &commands, stays_open, actions);
                }
            });
            response.widget_info(|| WidgetInfo::labeled(Role::Button, true, title));
            after_submenu = true;
        } else {
            if at > 0 {
                ui.separator();
            }
            for command in commands {
                if menu_item(ui, state, command, actions) {
                    ui.close();
                }
            }
            after_submenu = false;
        }
        if menu == Menu::File && section == 0 {
            recent_ui(ui, recent, actions);
        }
    }
}

/// The rows of a submenu. Switches leave it open where several of them are often wanted at once.
fn items_ui(
    ui: &mut Ui,
    state: &EditorState,
    commands: &[Command],
    stays_open: bool,
    actions: &mut Actions,
) {
    for command in commands {
        let is_switch = stays_open && command.is_on(state).is_some();
        if menu_item(ui, state, *command, actions) && !is_switch {
            ui.close();
        }
    }
}

/// Groups of overlays in columns, the longest of which is as short as their sizes allow.
fn in_columns(commands: &[Command]) -> Vec<Vec<&[Command]>> {
    let least = commands.len().div_ceil(OVERLAY_COLUMNS);
    let mut all = (least..=commands.len()).map(|longest| with_at_most(longest, commands));
    let fitting = all.find(|columns| columns.len() <= OVERLAY_COLUMNS);
    fitting.unwrap_or_default()
}

/// Columns of at most so many commands, unless a group alone has more.
fn with_at_most(longest: usize, commands: &[Command]) -> Vec<Vec<&[Command]>> {
    let mut columns: Vec<Vec<&[Command]>> = Vec::new();
    for group in commands.chunk_by(|a, b| a.group() == b.group()) {
        let has_room = |column: &&mut Vec<&[Command]>| {
            let filled: usize = column.iter().map(|group| group.len()).sum();
            filled + group.len() <= longest
        };
        match columns.last_mut().filter(has_room) {
            Some(column) => column.push(group),
            None => columns.push(vec![group]),
        }
    }
    columns
}

/// Overlays group by group in columns: one list of all would be longer than small windows are high.
fn columns_ui(ui: &mut Ui, state: &EditorState, commands: &[Command], actions: &mut Actions) {
    let columns = in_columns(commands);
    ui.horizontal_top(|ui| {
        for (at, column) in columns.into_iter().enumerate() {
            if at > 0 {
                ui.separator();
            }
            let layout = Layout::top_down_justified(Align::LEFT);
            ui.allocate_ui_with_layout(egui::vec2(OVERLAY_COLUMN, 0.0), layout, |ui| {
                ui.set_width(OVERLAY_COLUMN);
                for group in column {
                    match group[0].group() {
                        Some(group) => {
                            ui.small(group.title());
                        }
                        None => {
                            ui.separator();
                        }
                    }
                    items_ui(ui, state, group, true, actions);
                    ui.add_space(4.0);
                }
            });
        }
    });
}

fn recent_ui(ui: &mut Ui, recent: &[PathBuf], actions: &mut Actions) {
    ui.add_enabled_ui(!recent.is_empty(), |ui| {
        let title = (
            theme::icon(icon::ICON_HISTORY, theme::ICON_SMALL),
            "Open recent",
        );
        ui.menu_button(title, |ui| {
            for path in recent {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let folder = path.parent().map(|folder| folder.display().to_string());
                let button = Button::new(name.as_ref())
                    .right_text(RichText::new(folder.unwrap_or_default()).small().weak());
                if ui.add(button).clicked() {
                    let intention = Intention::Open(path.clone());
                    actions.push(Action::Request(Request::Intend(intention)));
                    ui.close();
                }
            }
        });
    });
}

/// What a right click on the plan offers: the commands that make sense for what is selected.
pub fn context_menu_ui(ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
    let selected = state.document().selection().len();
    let groups: &[&[Command]] = match selected {
        0 => &[
            &[Command::Paste, Command::SelectAll],
            &[
                Command::FrameAll,
                Command::ToggleGrid,
                Command::ToggleSnap,
                Command::ShowAll,
                Command::UnlockAll,
            ],
        ],
        1 => &[
            &[
                Command::Cut,
                Command::Copy,
                Command::Paste,
                Command::Duplicate,
                Command::Delete,
            ],
            &[
                Command::Rename,
                Command::FrameSelection,
                Command::SelectSimilar,
            ],
            &[Command::Hide, Command::Lock],
            &[
                Command::DropToFloor,
                Command::BringToFront,
                Command::SendToBack,
            ],
            &[
                Command::Offset,
                Command::Simplify,
                Command::Convert,
                Command::SuggestAnnotations,
            ],
        ],
        _ => &[
            &[
                Command::Cut,
                Command::Copy,
                Command::Paste,
                Command::Duplicate,
                Command::Delete,
            ],
            &[Command::Group, Command::Ungroup, Command::FrameSelection],
            &[Command::Hide, Command::Lock],
            &[
                Command::DropToFloor,
                Command::BringToFront,
                Command::SendToBack,
            ],
            &[
                Command::Union,
                Command::Subtract,
                Command::Intersect,
                Command::Convert,
                Command::SuggestAnnotations,
            ],
        ],
    };
    for (at, commands) in groups.iter().enumerate() {
        if at > 0 {
            ui.separator();
        }
        for command in *commands {
            if menu_item(ui, state, *command, actions) {
                ui.close();
            }
        }
    }
}
