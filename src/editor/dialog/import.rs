//! Import options.

use super::format_options::{LABEL_WIDTH, Surroundings, options_ui};
use super::{Dialog, Flow, buttons_ui, confirmed, modal, primary_button_enabled};
use crate::editor::intention::{Intention, Request};
use crate::editor::{Action, Actions, EditorState};
use crate::exchange::import::{HeightmapOptions, ImportRequest, MeshOptions, read_head};
use crate::exchange::options::{OptionValue, Options};
use crate::exchange::registry::{self, Content, FormatRow};
use egui::accesskit::Role;
use egui::{Ui, WidgetInfo};
use std::path::PathBuf;

#[derive(Debug)]
pub struct Import {
    path: PathBuf,
    format: &'static FormatRow,
    /// Of each format that was looked at: going back and forth loses nothing.
    options: Vec<(&'static FormatRow, Options)>,
    /// Whether a level is open that a mesh or heights could be added to.
    has_level: bool,
    into_level: bool,
}

impl Import {
    /// `None` if no format can be read.
    #[must_use]
    pub fn new(path: PathBuf, has_level: bool) -> Option<Self> {
        let mut options: Vec<(&'static FormatRow, Options)> = registry::importable()
            .into_iter()
            .filter_map(|format| Some((format, format.import_options()?)))
            .collect();
        for (format, options) in &mut options {
            // A mesh that joins others is wanted in sight.
            if format.is_mesh() && has_level {
                let _ = options.set("recentre", OptionValue::Switch(true));
            }
        }
        let head = read_head(&path).unwrap_or_default();
        let known = |format: &&'static FormatRow| options.iter().any(|(known, _)| known == format);
        let format = registry::detect(&path, &head)
            .filter(known)
            .or_else(|| options.first().map(|(format, _)| *format))?;
        Some(Self {
            path,
            format,
            options,
            has_level,
            into_level: has_level,
        })
    }

    fn format_ui(&mut self, ui: &mut Ui) {
        ui.label("Format");
        let combo = egui::ComboBox::from_id_salt("format")
            .width(220.0)
            .selected_text(self.format.title)
            .show_ui(ui, |ui| {
                for (format, _) in &self.options {
                    ui.selectable_value(&mut self.format, *format, format.title);
                }
            })
            .response;
        combo.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, "Format"));
        ui.end_row();
        if let Some(part) = self.part_of_level() {
            ui.label("Import as");
            ui.horizontal(|ui| {
                ui.selectable_value(&mut self.into_level, true, part);
                ui.selectable_value(&mut self.into_level, false, "New level");
            });
            ui.end_row();
        }
    }

    /// What the file can become in the open level.
    fn part_of_level(&self) -> Option<&'static str> {
        match self.format.reader.as_ref()?.content {
            _ if !self.has_level => None,
            Content::Mesh(_) => Some("Part of this level"),
            Content::Ground => Some("Ground of this level"),
            Content::Level => None,
        }
    }

    fn is_for_level(&self) -> bool {
        self.into_level && self.part_of_level().is_some()
    }

    /// Of the chosen format.
    fn options_mut(&mut self) -> Option<&mut Options> {
        let format = self.format;
        let mut all = self.options.iter_mut();
        all.find(|(known, _)| *known == format)
            .map(|(_, options)| options)
    }

    fn request(&mut self) -> Option<Request> {
        let (path, format, is_for_level) = (self.path.clone(), self.format, self.is_for_level());
        let options = self.options_mut()?.clone();
        if is_for_level && let Some(options) = options.downcast_ref::<MeshOptions>() {
            let options = options.clone();
            return Some(Request::PlaceMesh { path, options });
        }
        if is_for_level && let Some(options) = options.downcast_ref::<HeightmapOptions>() {
            let range = options.range;
            return Some(Request::Heights { path, range });
        }
        Some(Request::Intend(Intention::Import {
            path,
            request: ImportRequest::of(format).and(options),
        }))
    }
}

impl Dialog for Import {
    fn ui(&mut self, ctx: &egui::Context, _: &EditorState, actions: &mut Actions) -> Flow {
        let name = self.path.file_name().unwrap_or_default();
        let title = format!("Import {}", name.to_string_lossy());
        modal(ctx, &title, 500.0, |ui| {
            ui.weak(self.format.description);
            ui.add_space(8.0);
            egui::Grid::new("import format")
                .num_columns(2)
                .min_col_width(LABEL_WIDTH)
                .spacing([12.0, 8.0])
                .show(ui, |ui| self.format_ui(ui));
            ui.add_space(8.0);
            let placed = ("recentre", "Place it in the middle of the view");
            let around = Surroundings {
                relabelled: self.is_for_level().then_some(placed),
                // A level has bounds already, and heights are stretched over them.
                hidden: if self.is_for_level() {
                    &["margin", "cell"]
                } else {
                    &[]
                },
                ..Surroundings::default()
            };
            let mut refusal = None;
            if let Some(options) = self.options_mut() {
                options_ui(ui, options, around);
                refusal = options.check().err();
            }
            if let Some(sentence) = &refusal {
                ui.colored_label(ui.visuals().warn_fg_color, sentence.to_string());
            }
            let mut flow = Flow::Stay;
            buttons_ui(ui, |ui| {
                let ready = refusal.is_none();
                if primary_button_enabled(ui, "Import", ready).clicked() || ready && confirmed(ctx)
                {
                    if let Some(request) = self.request() {
                        actions.push(Action::Request(request));
                    }
                    flow = Flow::Close;
                }
                if ui.button("Cancel").clicked() {
                    flow = Flow::Close;
                }
            });
            flow
        })
    }
}
