//! Every command by a few letters of its name.

use super::command_button::key_cap;
use super::fuzzy::{Fuzzy, Rank};
use super::list_row::ListRow;
use super::{Actions, Command, EditorState, theme};
use egui::accesskit::Role;
use egui::text::LayoutJob;
use egui::{Align2, Key, Modifiers, RichText, TextFormat, Ui, WidgetInfo, vec2};

const ROW_HEIGHT: f32 = 30.0;
const WIDTH: f32 = 560.0;
const ROWS_IN_SIGHT: usize = 11;
/// How many commands are remembered for the top of the list.
const REMEMBERED: usize = 5;
/// Worth of a command that can be used now; a matched letter scores 16 and more.
const USABLE: u32 = 8;

#[derive(Debug, Default)]
pub struct CommandPalette {
    open: bool,
    query: String,
    chosen: usize,
    /// Run from here last, newest first.
    recent: Vec<Command>,
    /// Scroll to the chosen row: it was moved by a key.
    reveal: bool,
}

struct Found {
    command: Command,
    /// Which letters of the name the query met.
    met: Vec<usize>,
}

impl CommandPalette {
    pub fn open(&mut self) {
        self.open = true;
        self.query.clear();
        self.chosen = 0;
        self.reveal = true;
    }

    #[must_use]
    pub const fn is_open(&self) -> bool {
        self.open
    }

    fn found(&self, state: &EditorState) -> Vec<Found> {
        if self.query.trim().is_empty() {
            let recent = self.recent.iter().copied();
            let others = Command::all().filter(|command| !self.recent.contains(command));
            return recent
                .chain(others)
                .filter(|command| *command != Command::Palette)
                .map(|command| Found {
                    command,
                    met: Vec::new(),
                })
                .collect();
        }
        let mut fuzzy = Fuzzy::new(&self.query);
        let mut found: Vec<(Rank, Found)> = Command::all()
            .filter_map(|command| {
                let ((score, brevity), met) = fuzzy.rank(command.name())?;
                // What cannot be used now stays in the list, below what matches as well and can.
                let usable = u32::from(command.is_enabled(state)) * USABLE;
                Some(((score + usable, brevity), Found { command, met }))
            })
            .collect();
        found.sort_by_key(|(rank, found)| (std::cmp::Reverse(*rank), found.command));
        found.into_iter().map(|(_, found)| found).collect()
    }

    pub fn ui(&mut self, ctx: &egui::Context, state: &EditorState, actions: &mut Actions) {
        if !self.open {
            return;
        }
        let found = self.found(state);
        self.keys(ctx, found.len());
        let enter = ctx.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
        let mut run = found
            .get(self.chosen)
            .filter(|_| enter)
            .map(|found| found.command);

        let id = egui::Id::unique("command palette");
        let area = egui::Modal::default_area(id).anchor(Align2::CENTER_TOP, vec2(0.0, 64.0));
        let modal = egui::Modal::new(id)
            .area(area)
            .frame(egui::Frame::window(&ctx.global_style()).inner_margin(egui::Margin::same(8)))
            .show(ctx, |ui| {
                ui.set_width(WIDTH.min(ui.ctx().content_rect().width() - 40.0));
                let field = egui::TextEdit::singleline(&mut self.query)
                    .hint_text("Type a few letters of a command")
                    .desired_width(f32::INFINITY)
                    .margin(egui::Margin::symmetric(8, 6));
                let response = ui.add(field);
                response.widget_info(|| {
                    WidgetInfo::labeled(Role::TextInput, true, "Find a command by name")
                });
                response.request_focus();
                if response.changed() {
                    self.chosen = 0;
                    self.reveal = true;
                }
                ui.add_space(4.0);
                if found.is_empty() {
                    ui.add_space(8.0);
                    ui.vertical_centered(|ui| {
                        ui.weak(format!(
                            "No command is called anything like “{}”.",
                            self.query
                        ));
                    });
                    ui.add_space(8.0);
                }
                self.list_ui(ui, state, &found)
            });
        run = run.or(modal.inner);
        if let Some(command) = run {
            if command.is_enabled(state) {
                self.recent.retain(|known| *known != command);
                self.recent.insert(0, command);
                self.recent.truncate(REMEMBERED);
                self.open = false;
                actions.command(command);
            }
        } else if modal.should_close() {
            self.open = false;
        }
    }

    fn keys(&mut self, ctx: &egui::Context, count: usize) {
        let last = count.saturating_sub(1);
        ctx.input_mut(|input| {
            for (key, by) in [
                (Key::ArrowDown, 1),
                (Key::ArrowUp, -1),
                (Key::PageDown, ROWS_IN_SIGHT as isize),
                (Key::PageUp, -(ROWS_IN_SIGHT as isize)),
            ] {
                let times = input.count_and_consume_key(Modifiers::NONE, key);
                if times > 0 {
                    self.chosen = self
                        .chosen
                        .saturating_add_signed(by * times as isize)
                        .min(last);
                    self.reveal = true;
                }
            }
        });
        self.chosen = self.chosen.min(last);
    }

    fn list_ui(&mut self, ui: &mut Ui, state: &EditorState, found: &[Found]) -> Option<Command> {
        let mut clicked = None;
        let height = ROW_HEIGHT * ROWS_IN_SIGHT as f32;
        let room = ui.ctx().content_rect().height() - 64.0 - 90.0;
        ui.spacing_mut().item_spacing.y = 0.0;
        egui::ScrollArea::vertical()
            .max_height(height.min(room))
            .auto_shrink([false, true])
            .show(ui, |ui| {
                for (at, entry) in found.iter().enumerate() {
                    let response = row_ui(ui, state, entry, at == self.chosen);
                    if at == self.chosen && self.reveal {
                        response.scroll_to_me(None);
                    }
                    if response.clicked() {
                        clicked = Some(entry.command);
                    }
                }
            });
        self.reveal = false;
        clicked
    }
}

fn row_ui(ui: &mut Ui, state: &EditorState, found: &Found, chosen: bool) -> egui::Response {
    let palette = theme::Palette::of(ui.visuals());
    let entry = found.command.entry();
    let enabled = found.command.is_enabled(state);
    let row = ListRow {
        height: ROW_HEIGHT,
        margin: 8.0,
        is_chosen: chosen,
    };
    let response = row.show(ui, |ui| {
        if !enabled {
            ui.set_opacity(0.5);
        }
        ui.label(theme::icon(entry.icon, theme::ICON_SMALL).color(palette.text_weak));
        ui.add_space(2.0);
        ui.label(name_with_letters(ui, entry.name, &found.met));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            for key in state.keys().keys(found.command).iter().rev() {
                key_cap(ui, &key.to_string());
            }
            let said = if enabled {
                entry.help
            } else {
                entry.needs.reason()
            };
            ui.add_space(4.0);
            ui.add(egui::Label::new(RichText::new(said).small().weak()).truncate());
        });
    });
    response.widget_info(|| WidgetInfo::selected(Role::Button, enabled, chosen, entry.name));
    response
}

/// The name with the letters that were typed standing out.
fn name_with_letters(ui: &Ui, name: &str, met: &[usize]) -> LayoutJob {
    let palette = theme::Palette::of(ui.visuals());
    let font = egui::TextStyle::Body.resolve(ui.style());
    let mut job = LayoutJob::default();
    for (at, letter) in name.chars().enumerate() {
        let colour = if met.contains(&at) {
            palette.accent
        } else {
            palette.text_strong
        };
        job.append(
            letter.encode_utf8(&mut [0; 4]),
            0.0,
            TextFormat::simple(font.clone(), colour),
        );
    }
    job
}
