//! Export format and options.

use super::export_estimate::Estimate;
use super::format_options::{Surroundings, options_ui};
use super::{Dialog, Flow, buttons_ui, confirmed, modal, primary_button_enabled, side_by_side};
use crate::editor::intention::{KeptAs, Request};
use crate::editor::{Action, Actions, EditorState};
use crate::exchange::export::left_out;
use crate::exchange::options::OptionValue;
use crate::exchange::presets::Presets;
use crate::exchange::registry::{self, BAKE, FormatRow, Needs, Output, Purpose};
use crate::exchange::{ExportInput, LeftOut, Options};
use crate::nav::voxel::VoxelOptions;
use egui::accesskit::Role;
use egui::{RichText, Ui, WidgetInfo};
use std::path::PathBuf;
use std::sync::Arc;

/// Of both columns. Unit: points.
const HEIGHT: f32 = 420.0;
const LIST_WIDTH: f32 = 220.0;

/// Chosen where nothing has been exported yet: most programs take it, and it is near the top of the list.
const FIRST: &str = "glb";

#[derive(Debug)]
pub struct Export {
    format: &'static FormatRow,
    search: String,
    /// Whether the list still has to show the chosen format.
    is_to_show: bool,
    /// Of each format that was looked at: going back and forth loses nothing.
    options: Vec<(&'static FormatRow, Options)>,
    profiles: Vec<String>,
    input: ExportInput,
    /// What the chosen format leaves out with the options of this moment.
    left_out: Option<(&'static FormatRow, Options, Vec<LeftOut>)>,
    estimate: Estimate,
    /// Of a level that has a file.
    kept: Option<Kept>,
    /// Name of a preset to be.
    keep_as: String,
    on_save: bool,
}

/// Exports that are kept with the level.
#[derive(Debug)]
struct Kept {
    level: PathBuf,
    presets: Presets,
}

impl Export {
    /// Starts with what was chosen last.
    #[must_use]
    pub fn new(state: &EditorState) -> Self {
        let level = state.document().level();
        let formats = registry::exportable();
        let mut options: Vec<(&'static FormatRow, Options)> = formats
            .into_iter()
            .filter_map(|format| Some((format, format.export_options()?)))
            .collect();
        let profiles: Vec<String> = level.profiles().map(|(id, ..)| level.label(id)).collect();
        if let Some(first) = profiles.first() {
            for (format, options) in &mut options {
                let writer = format.writer.as_ref();
                if writer.is_some_and(|writer| writer.needs == Needs::Navigation) {
                    // What is taken without a choice, by its name; formats for several profiles
                    // refuse it and stay with all of them.
                    let _ = options.set("profile", OptionValue::Profile(first.clone()));
                }
            }
        }
        let mut format = options
            .iter()
            .map(|(format, _)| *format)
            .find(|format| format.id == FIRST)
            .unwrap_or(&BAKE);
        if let Some(last) = &state.last_export {
            format = last.format;
            for (known, options) in &mut options {
                if *known == format {
                    *options = last.options.clone();
                }
            }
        }
        Self {
            format,
            search: String::new(),
            is_to_show: true,
            options,
            profiles,
            input: ExportInput {
                level: Arc::clone(state.document().committed_level()),
                voxels: VoxelOptions::clone(&state.navigation.voxels.options),
                recording: state.export_recording(),
            },
            left_out: None,
            estimate: Estimate::default(),
            kept: state.path().map(|path| Kept {
                level: path.to_owned(),
                // A file that cannot be read is told when it is used.
                presets: Presets::load(path).unwrap_or_default(),
            }),
            keep_as: String::new(),
            on_save: false,
        }
    }

    /// Starts with this format.
    #[must_use]
    pub fn with_format(mut self, format: &'static FormatRow) -> Self {
        self.format = format;
        self
    }

    /// Exports kept with the level: one click writes one again.
    fn presets_ui(&mut self, ui: &mut Ui, actions: &mut Actions) -> Flow {
        let mut flow = Flow::Stay;
        let Some(kept) = &mut self.kept else {
            return flow;
        };
        if kept.presets.exports.is_empty() {
            return flow;
        }
        ui.label(RichText::new("Presets").strong());
        let mut removed = None;
        for preset in &kept.presets.exports {
            ui.horizontal(|ui| {
                let title = registry::named(&preset.format)
                    .map_or_else(|_| preset.format.clone(), |format| format.title.to_owned());
                let suffix = if preset.on_save { ", on save" } else { "" };
                let hint = format!("{title} → {}{suffix}", preset.target.display());
                if ui.button(&preset.name).on_hover_text(hint).clicked() {
                    let request = Request::ExportPreset(preset.name.clone());
                    actions.push(Action::Request(request));
                    flow = Flow::Close;
                }
                if ui
                    .small_button("×")
                    .on_hover_text("Forget this preset")
                    .clicked()
                {
                    removed = Some(preset.name.clone());
                }
            });
        }
        if let Some(name) = removed {
            kept.presets.remove(&name);
            // The list in the file is read anew at each use; a failure shows there.
            let _ = kept.presets.save(&kept.level);
        }
        ui.separator();
        flow
    }

    /// To keep what is chosen with the level.
    fn keep_ui(&mut self, ui: &mut Ui) {
        if self.kept.is_none() {
            return;
        }
        ui.horizontal(|ui| {
            let label = ui.label("Keep as preset");
            ui.add(
                egui::TextEdit::singleline(&mut self.keep_as)
                    .hint_text("name")
                    .desired_width(120.0),
            )
            .labelled_by(label.id);
            ui.add_enabled(
                !self.keep_as.trim().is_empty(),
                egui::Checkbox::new(&mut self.on_save, "Export on save"),
            );
        });
    }

    /// All formats by what they are for, or those that fit the search.
    fn formats_ui(&mut self, ui: &mut Ui) {
        let label = "Search formats";
        let search = egui::TextEdit::singleline(&mut self.search)
            .hint_text(label)
            .desired_width(LIST_WIDTH - 12.0);
        let search = ui.add(search);
        search.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, label));
        let mut found: Vec<&'static FormatRow> = self
            .options
            .iter()
            .map(|(format, _)| *format)
            .filter(|format| fits(format, &self.search))
            .collect();
        // In the order of the list.
        let place = |format: &FormatRow| Purpose::ALL.iter().position(|p| *p == purpose_of(format));
        found.sort_by_key(|format| place(format));
        // The best guess is chosen while one types: one that is called so, or else the first of the list.
        let is_called_so = |format: &&&FormatRow| {
            let title = format.title.to_lowercase();
            title.contains(&self.search.trim().to_lowercase())
        };
        let best = found.iter().find(is_called_so).or(found.first());
        if search.changed()
            && !self.search.trim().is_empty()
            && let Some(best) = best
        {
            self.format = best;
        }
        egui::ScrollArea::vertical()
            .id_salt("formats")
            .auto_shrink(false)
            .show(ui, |ui| {
                if found.is_empty() {
                    ui.add(egui::Label::new(RichText::new("No format fits.").weak()).wrap());
                }
                for purpose in Purpose::ALL {
                    let mut rows = found.iter().filter(|format| purpose_of(format) == purpose);
                    let Some(first) = rows.next() else { continue };
                    ui.add_space(6.0);
                    ui.label(RichText::new(purpose.title()).weak().small());
                    for format in std::iter::once(first).chain(rows) {
                        let is_chosen = self.format == *format;
                        let row = ui.radio(is_chosen, format.title);
                        if is_chosen && std::mem::take(&mut self.is_to_show) {
                            row.scroll_to_me(Some(egui::Align::Center));
                        }
                        if row.on_hover_text(format.description).clicked() {
                            self.format = format;
                        }
                    }
                }
            });
    }

    /// What is chosen for the chosen format; returns why that is not possible.
    fn options_ui(&mut self, ui: &mut Ui) -> Option<String> {
        let (format, around) = (
            self.format,
            Surroundings {
                profiles: &self.profiles,
                ..Surroundings::default()
            },
        );
        let mut all = self.options.iter_mut();
        let (_, options) = all.find(|(known, _)| *known == format)?;
        egui::ScrollArea::vertical()
            .auto_shrink(false)
            .show(ui, |ui| {
                ui.strong(format.title);
                ui.add(egui::Label::new(RichText::new(format.description).weak()).wrap());
                ui.add_space(8.0);
                options_ui(ui, options, around);
                let refusal = options.check().err().map(|error| error.to_string());
                if refusal.is_none() {
                    ui.add_space(8.0);
                    ui.separator();
                    self.estimate.ui(ui, &self.input, format, options);
                    let level = &self.input.level;
                    let known = self
                        .left_out
                        .take_if(|(known, chosen, _)| *known == format && chosen == options);
                    let (.., list) = self.left_out.insert(known.unwrap_or_else(|| {
                        (format, options.clone(), left_out(format, level, options))
                    }));
                    left_out_ui(ui, list);
                }
                refusal
            })
            .inner
    }

    fn request(&self) -> Option<Request> {
        let mut all = self.options.iter();
        let (format, options) = all.find(|(known, _)| *known == self.format)?;
        let name = self.keep_as.trim();
        Some(Request::Export {
            format,
            options: options.clone(),
            keep: (!name.is_empty()).then(|| KeptAs {
                name: name.to_owned(),
                on_save: self.on_save,
            }),
        })
    }
}

fn purpose_of(format: &FormatRow) -> Purpose {
    let writer = format.writer.as_ref();
    writer.map_or(Purpose::Drawing, |writer| writer.purpose)
}

/// Whether every word is somewhere in what the row says of itself.
fn fits(format: &FormatRow, search: &str) -> bool {
    let purpose = purpose_of(format).title();
    let about = format!(
        "{} {} {} {} {purpose}",
        format.title,
        format.id,
        format.description,
        format.extensions.join(" ")
    );
    let about = about.to_lowercase();
    let search = search.to_lowercase();
    search.split_whitespace().all(|word| about.contains(word))
}

/// What will be missing, and why, before anything is written.
fn left_out_ui(ui: &mut Ui, left_out: &[LeftOut]) {
    if left_out.is_empty() {
        ui.weak("Everything in the level is carried.");
        return;
    }
    ui.add_space(6.0);
    ui.label("Left out:");
    for item in left_out {
        let text = match item.why {
            "" => format!("• {}", item.what),
            why => format!("• {} — {why}", item.what),
        };
        ui.add(egui::Label::new(RichText::new(text).weak()).wrap());
    }
}

impl Dialog for Export {
    fn ui(&mut self, ctx: &egui::Context, _: &EditorState, actions: &mut Actions) -> Flow {
        modal(ctx, "Export", 760.0, |ui| {
            let mut refusal = None;
            let mut chosen = Flow::Stay;
            side_by_side(ui, HEIGHT, |ui| {
                ui.vertical(|ui| {
                    ui.set_width(LIST_WIDTH);
                    chosen = self.presets_ui(ui, actions);
                    self.formats_ui(ui);
                });
                ui.separator();
                ui.vertical(|ui| refusal = self.options_ui(ui));
            });
            if chosen == Flow::Close {
                return chosen;
            }
            self.keep_ui(ui);
            let writer = self.format.writer.as_ref();
            let next = match writer.map(|writer| writer.output) {
                Some(Output::Folder { .. }) => "Choose the index file…",
                _ => "Choose a file…",
            };
            let mut flow = Flow::Stay;
            buttons_ui(ui, |ui| {
                let ready = refusal.is_none();
                if (primary_button_enabled(ui, next, ready).clicked() || ready && confirmed(ctx))
                    && let Some(request) = self.request()
                {
                    actions.push(Action::Request(request));
                    flow = Flow::Close;
                }
                if ui.button("Cancel").clicked() {
                    flow = Flow::Close;
                }
                if let Some(sentence) = &refusal {
                    ui.colored_label(ui.visuals().warn_fg_color, sentence);
                }
            });
            flow
        })
    }
}
