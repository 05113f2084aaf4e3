//! Every command with its keys: search, add, remove.

use crate::editor::chord::Chord;
use crate::editor::command::Menu;
use crate::editor::key_map::{self, Changes};
use crate::editor::{Command, EditorState, theme};
use egui::accesskit::Role;
use egui::{Align, Button, Event, Key, Layout, RichText, Ui, WidgetInfo};
use egui_material_icons::icons as icon;

#[derive(Debug, Default)]
pub struct KeysPage {
    search: String,
    /// The command waiting for a key.
    recording: Option<Command>,
    /// A recorded key that is already in use.
    conflict: Option<Conflict>,
}

#[derive(Debug)]
struct Conflict {
    command: Command,
    chord: Chord,
    others: Vec<Command>,
}

impl KeysPage {
    /// Assigns the next key press to the waiting command. Esc cancels.
    pub fn record(&mut self, ctx: &egui::Context, state: &EditorState, changes: &mut Changes) {
        let Some(command) = self.recording else {
            return;
        };
        let mut pressed = None;
        ctx.input_mut(|input| {
            input.events.retain(|event| {
                let chord = match event {
                    Event::Key {
                        key,
                        pressed: true,
                        modifiers,
                        ..
                    } => Some(Chord::of(*key, *modifiers)),
                    Event::Copy => Some(Chord::ctrl(Key::C)),
                    Event::Cut => Some(Chord::ctrl(Key::X)),
                    Event::Paste(_) => Some(Chord::ctrl(Key::V)),
                    Event::Text(_) => return false,
                    _ => return true,
                };
                pressed = pressed.or(chord);
                false
            });
        });
        let Some(chord) = pressed else {
            return;
        };
        self.recording = None;
        if chord == Chord::plain(Key::Escape) {
            return;
        }
        let others: Vec<Command> = state.keys().others_with(chord, command).collect();
        if others.is_empty() {
            add(changes, state, command, chord);
        } else {
            self.conflict = Some(Conflict {
                command,
                chord,
                others,
            });
        }
    }

    pub fn ui(&mut self, ui: &mut Ui, state: &EditorState, changes: &mut Changes) {
        ui.horizontal(|ui| {
            let field = ui.add(
                egui::TextEdit::singleline(&mut self.search)
                    .hint_text("Find by name or key")
                    .desired_width(220.0),
            );
            field.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Find a key"));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if ui
                    .add_enabled(!changes.is_empty(), Button::new("Reset all keys"))
                    .clicked()
                {
                    changes.clear();
                }
            });
        });
        self.conflict_ui(ui, state, changes);
        ui.add_space(4.0);
        egui::ScrollArea::vertical()
            .auto_shrink([false, false])
            .show(ui, |ui| {
                let mut section = None;
                let found: Vec<Command> = Command::all()
                    .filter(|command| self.matches(state, *command))
                    .collect();
                for command in found {
                    let menu = command.entry().place.map(|(menu, _)| menu);
                    if section != Some(menu) {
                        section = Some(menu);
                        ui.add_space(6.0);
                        let name = menu.map_or("Nudge", Menu::name);
                        ui.label(
                            RichText::new(name)
                                .text_style(theme::text::section())
                                .strong(),
                        );
                    }
                    self.command_ui(ui, state, command, changes);
                }
            });
    }

    fn matches(&self, state: &EditorState, command: Command) -> bool {
        let search = self.search.trim().to_lowercase();
        search.is_empty()
            || command.name().to_lowercase().contains(&search)
            || state
                .keys()
                .keys(command)
                .iter()
                .any(|key| key.to_string().to_lowercase().contains(&search))
    }

    fn conflict_ui(&mut self, ui: &mut Ui, state: &EditorState, changes: &mut Changes) {
        let Some(conflict) = &self.conflict else {
            return;
        };
        let names: Vec<&str> = conflict.others.iter().map(|other| other.name()).collect();
        let palette = theme::Palette::of(ui.visuals());
        let mut settled = false;
        egui::Frame::new()
            .stroke(egui::Stroke::new(1.0, palette.warning))
            .corner_radius(theme::ROUNDING)
            .inner_margin(8)
            .show(ui, |ui| {
                ui.label(format!(
                    "{} is already the key of “{}”.",
                    conflict.chord,
                    names.join("”, “")
                ));
                ui.horizontal(|ui| {
                    if ui
                        .button(format!("Use it for “{}” instead", conflict.command.name()))
                        .clicked()
                    {
                        for other in &conflict.others {
                            remove(changes, state, *other, conflict.chord);
                        }
                        add(changes, state, conflict.command, conflict.chord);
                        settled = true;
                    }
                    if ui.button("Cancel").clicked() {
                        settled = true;
                    }
                });
            });
        if settled {
            self.conflict = None;
        }
    }

    fn command_ui(
        &mut self,
        ui: &mut Ui,
        state: &EditorState,
        command: Command,
        changes: &mut Changes,
    ) {
        let entry = command.entry();
        ui.horizontal(|ui| {
            ui.label(theme::icon(entry.icon, theme::ICON_SMALL).weak());
            ui.label(entry.name)
                .on_hover_text(format!("{}.", entry.help));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if changes.contains_key(&command.id()) {
                    let reset = ui
                        .add(
                            Button::new(theme::icon(icon::ICON_UNDO, theme::ICON_SMALL))
                                .frame(false),
                        )
                        .on_hover_text("Reset to default");
                    reset.widget_info(|| {
                        WidgetInfo::labeled(
                            Role::Button,
                            true,
                            format!("Default keys for {}", entry.name),
                        )
                    });
                    if reset.clicked() {
                        changes.remove(&command.id());
                    }
                }
                if self.recording == Some(command) {
                    ui.label(
                        RichText::new("Press a key… (Esc cancels)")
                            .color(theme::Palette::of(ui.visuals()).accent),
                    );
                } else {
                    let add = ui
                        .add(
                            Button::new(theme::icon(icon::ICON_ADD, theme::ICON_SMALL))
                                .frame(false),
                        )
                        .on_hover_text("Add a key");
                    add.widget_info(|| {
                        WidgetInfo::labeled(
                            Role::Button,
                            true,
                            format!("Add a key for {}", entry.name),
                        )
                    });
                    if add.clicked() {
                        self.recording = Some(command);
                        self.conflict = None;
                    }
                }
                for chord in state.keys().keys(command).iter().rev() {
                    let response = ui
                        .add(Button::new(RichText::new(format!("{chord}")).small()))
                        .on_hover_text("Click to remove this key");
                    response.widget_info(|| {
                        WidgetInfo::labeled(
                            Role::Button,
                            true,
                            format!("Remove {chord} from {}", entry.name),
                        )
                    });
                    if response.clicked() {
                        remove(changes, state, command, *chord);
                    }
                }
            });
        });
    }
}

fn add(changes: &mut Changes, state: &EditorState, command: Command, chord: Chord) {
    let mut keys = state.keys().keys(command).to_vec();
    if !keys.contains(&chord) {
        keys.push(chord);
    }
    key_map::assign(changes, command, keys);
}

fn remove(changes: &mut Changes, state: &EditorState, command: Command, chord: Chord) {
    let mut keys = state.keys().keys(command).to_vec();
    keys.retain(|key| *key != chord);
    key_map::assign(changes, command, keys);
}
