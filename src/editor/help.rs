//! Every key and gesture, in a window that can stay open during work.

use super::command::Menu;
use super::command_button::key_cap;
use super::dialog::window;
use super::panels::field::just_opened;
use super::{Command, EditorState, theme};
use egui::accesskit::Role;
use egui::{RichText, Ui, WidgetInfo};

/// Pointer gestures, which are not commands.
const GESTURES: &[(&str, &[(&str, &str)])] = &[
    (
        "Navigate",
        &[
            ("Middle drag", "moves the view"),
            ("Space + drag", "moves the view"),
            ("Wheel", "zooms about the pointer"),
        ],
    ),
    (
        "Navigate in 3D",
        &[
            ("Middle drag, Space + drag", "orbits"),
            ("Shift + middle drag", "moves the view"),
            ("Wheel", "zooms towards the pointer"),
            ("Right drag", "looks around"),
            ("Right drag + W A S D", "flies; faster with Shift"),
            ("Right drag + Q E", "flies down and up"),
            ("Click on the cube", "looks from that side"),
        ],
    ),
    (
        "Select",
        &[
            ("Click", "selects; on empty ground clears"),
            ("Shift or Ctrl + click", "toggles the selection"),
            ("Alt + click", "selects what is beneath"),
            ("Drag on empty ground", "selects with a rectangle"),
            ("Double click", "edits the corners"),
            ("Right click", "opens a menu"),
        ],
    ),
    (
        "Move, rotate, scale",
        &[
            ("Ctrl in a drag", "toggles snapping"),
            ("Shift in a drag", "locks an axis, or steps of 15°"),
            ("Alt + drag", "drags a copy"),
            ("Digits in a drag", "enter the exact length or angle"),
            ("Esc", "cancels, in order: drag, points, tool, selection"),
        ],
    ),
    (
        "Draw",
        &[
            ("Click", "adds a point"),
            ("Click the first point, Enter", "closes the outline"),
            ("Right click", "ends a route"),
            ("Backspace, Ctrl+Z", "removes the last point"),
            ("Double click on an edge", "adds a corner"),
        ],
    ),
    (
        "Paint terrain",
        &[
            ("Drag", "paints"),
            ("Alt + drag", "erases"),
            ("Right click", "picks the terrain beneath"),
            ("Shift + click", "paints a straight line"),
            ("[ and ]", "smaller and larger brush"),
        ],
    ),
];

#[derive(Debug, Default)]
pub struct Help {
    open: bool,
    search: String,
}

impl Help {
    pub const fn toggle(&mut self) {
        self.open = !self.open;
    }

    /// True if it was open.
    pub const fn close(&mut self) -> bool {
        std::mem::replace(&mut self.open, false)
    }

    pub fn ui(&mut self, ctx: &egui::Context, state: &EditorState) {
        let mut open = self.open;
        let size = egui::vec2(460.0, 560.0);
        let mut escaped = false;
        window(ctx, "Keys and gestures", size, &mut open, |ui| {
            escaped = self.contents_ui(ui, state);
        });
        self.open = open && !escaped;
    }

    /// True when Esc was pressed in its field.
    fn contents_ui(&mut self, ui: &mut Ui, state: &EditorState) -> bool {
        let field = ui.add(
            egui::TextEdit::singleline(&mut self.search)
                .hint_text("Find a key or what it does")
                .desired_width(f32::INFINITY),
        );
        field.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Find in the help"));
        if just_opened(ui, field.id.with("opened")) {
            field.request_focus();
        }
        let escaped = field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Escape));
        ui.add_space(4.0);
        let search = self.search.trim().to_lowercase();
        let wanted = |parts: &[&str]| {
            search.is_empty()
                || parts
                    .iter()
                    .any(|part| part.to_lowercase().contains(&search))
        };
        egui::ScrollArea::vertical()
            .auto_shrink([false, false])
            .show(ui, |ui| {
                let mut any = false;
                for (section, gestures) in GESTURES {
                    let found: Vec<_> = gestures
                        .iter()
                        .filter(|(gesture, does)| wanted(&[gesture, does, section]))
                        .collect();
                    if !found.is_empty() {
                        any = true;
                        section_ui(ui, section);
                        for (gesture, does) in found {
                            row_ui(ui, &[(*gesture).to_owned()], does);
                        }
                    }
                }
                for menu in Menu::ALL.map(Some).into_iter().chain([None]) {
                    let found: Vec<Command> = Command::all()
                        .filter(|command| {
                            command.entry().place.map(|(place, _)| place) == menu
                                && !state.keys().keys(*command).is_empty()
                        })
                        .filter(|command| {
                            let entry = command.entry();
                            let keys = keys_of(state, *command).join(" ");
                            wanted(&[entry.name, entry.help, &keys])
                        })
                        .collect();
                    if found.is_empty() {
                        continue;
                    }
                    any = true;
                    section_ui(ui, menu.map_or("Nudge", Menu::name));
                    for command in found {
                        let entry = command.entry();
                        row_ui(
                            ui,
                            &keys_of(state, command),
                            entry.name.trim_end_matches('…'),
                        )
                        .on_hover_text(format!("{}.", entry.help));
                    }
                }
                if !any {
                    ui.add_space(8.0);
                    ui.weak("No matches.");
                }
            });
        escaped
    }
}

fn keys_of(state: &EditorState, command: Command) -> Vec<String> {
    state
        .keys()
        .keys(command)
        .iter()
        .map(ToString::to_string)
        .collect()
}

fn section_ui(ui: &mut Ui, name: &str) {
    ui.add_space(8.0);
    ui.label(
        RichText::new(name)
            .text_style(theme::text::section())
            .strong(),
    );
    ui.add_space(2.0);
}

fn row_ui(ui: &mut Ui, keys: &[String], does: &str) -> egui::Response {
    ui.horizontal(|ui| {
        ui.scope(|ui| {
            ui.set_min_width(190.0);
            ui.horizontal(|ui| {
                for key in keys {
                    key_cap(ui, key);
                }
            });
        });
        ui.label(does)
    })
    .inner
}
