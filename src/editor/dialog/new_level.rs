//! A new level: empty, or from a template.

use super::heights::number_ui;
use super::{Dialog, Flow, buttons_ui, confirmed, modal, primary_button, side_by_side};
use crate::base::{Quantity, Unit};
use crate::document::template::{Options, Template};
use crate::editor::intention::{Intention, Request};
use crate::editor::panels::field::{Number, Shared};
use crate::editor::{Action, Actions, EditorState, theme};
use egui::accesskit::Role;
use egui::{Button, RichText, Ui, WidgetInfo, vec2};

/// Room for all templates. Unit: points.
const LIST_HEIGHT: f32 = 256.0;
/// The largest integer that any program reading the file represents exactly.
const SEED: Quantity = Quantity::new("seed", Unit::One, 0.0, 9_007_199_254_740_991.0, 0.0);

#[derive(Debug)]
pub struct NewLevel {
    template: Template,
    seed: u64,
    /// In the unit of the chosen template.
    size: f64,
    /// For templates with a height separate from their size.
    height: f64,
}

impl Default for NewLevel {
    fn default() -> Self {
        let mut dialog = Self {
            template: Template::Empty,
            seed: 0,
            size: 0.0,
            height: 0.0,
        };
        dialog.choose(Template::Empty);
        dialog
    }
}

impl NewLevel {
    fn choose(&mut self, template: Template) {
        self.template = template;
        let default = |quantity: Option<Quantity>| quantity.map_or(0.0, |q| q.default);
        self.size = default(template.size());
        self.height = default(template.height());
    }

    fn options_ui(&mut self, ui: &mut Ui) {
        ui.label(
            RichText::new(title(self.template))
                .text_style(theme::text::section())
                .strong(),
        );
        ui.add(egui::Label::new(format!("{}.", self.template.description())).wrap());
        ui.add_space(10.0);
        egui::Grid::new("template options")
            .num_columns(2)
            .spacing([12.0, 8.0])
            .show(ui, |ui| {
                let sides = [
                    (self.template.size(), &mut self.size),
                    (self.template.height(), &mut self.height),
                ];
                for (quantity, value) in sides {
                    let Some(quantity) = quantity else {
                        continue;
                    };
                    let mut name = quantity.name.to_owned();
                    if let Some(first) = name.get_mut(..1) {
                        first.make_ascii_uppercase();
                    }
                    number_ui(ui, &name, value, &quantity);
                }
                if self.template != Template::Empty {
                    let label = ui
                        .label("Seed")
                        .on_hover_text("Varies levels that contain random elements.");
                    let mut seed = self.seed as f64;
                    let field = Number::new(&SEED, Shared::Same(seed)).whole();
                    field.inline(ui, label.id, &mut seed);
                    self.seed = seed as u64;
                    ui.end_row();
                }
            });
    }
}

impl Dialog for NewLevel {
    fn ui(&mut self, ctx: &egui::Context, _: &EditorState, actions: &mut Actions) -> Flow {
        modal(ctx, "New level", 520.0, |ui| {
            let mut create = false;
            side_by_side(ui, LIST_HEIGHT, |ui| {
                ui.vertical(|ui| {
                    ui.set_width(170.0);
                    ui.spacing_mut().item_spacing.y = 1.0;
                    for template in Template::ALL {
                        let chosen = self.template == template;
                        let button = Button::new(title(template))
                            .selected(chosen)
                            .frame_when_inactive(chosen)
                            .right_text("")
                            .min_size(vec2(ui.available_width(), 26.0));
                        let response = ui.add(button);
                        response.widget_info(|| {
                            WidgetInfo::selected(
                                Role::RadioButton,
                                true,
                                chosen,
                                format!("Template {}", title(template)),
                            )
                        });
                        if response.clicked() {
                            self.choose(template);
                        }
                        create |= response.double_clicked();
                    }
                });
                ui.separator();
                ui.vertical(|ui| {
                    ui.set_min_width(ui.available_width());
                    self.options_ui(ui);
                });
            });
            let mut flow = Flow::Stay;
            buttons_ui(ui, |ui| {
                create |= primary_button(ui, "Create").clicked() || confirmed(ctx);
                if ui.button("Cancel").clicked() {
                    flow = Flow::Close;
                }
            });
            if create {
                actions.push(Action::Request(Request::Intend(Intention::New {
                    template: self.template,
                    options: Options {
                        seed: self.seed,
                        size: self.template.size().map(|_| self.size),
                        height: self.template.height().map(|_| self.height),
                    },
                })));
                flow = Flow::Close;
            }
            flow
        })
    }
}

/// A template's display name.
#[must_use]
pub fn title(template: Template) -> String {
    match template {
        Template::Mckenna => "McKenna".to_owned(),
        Template::MckennaRoad => "McKenna with road".to_owned(),
        other => {
            let mut title = other.name().replace('_', " ");
            if let Some(first) = title.get_mut(..1) {
                first.make_ascii_uppercase();
            }
            title
        }
    }
}
