//! What to convert the selected shapes and routes to.

use super::{Dialog, Flow, modal};
use crate::base::EntityId;
use crate::document::Level;
use crate::editor::intention::Request;
use crate::editor::{Action, Actions, EditorState, theme};
use crate::interaction::operations::ConvertTarget;
use egui::accesskit::Role;
use egui::{Button, RichText, Ui, WidgetInfo, vec2};
use egui_material_icons::{MaterialIcon, icons as icon};

#[derive(Debug)]
pub struct Convert {
    /// For regions.
    terrain: Option<EntityId>,
}

impl Convert {
    #[must_use]
    pub fn new(state: &EditorState) -> Self {
        let level = state.document().level();
        Self {
            terrain: state.toolbox.defaults.terrain_in(level),
        }
    }

    fn terrain_ui(&mut self, ui: &mut Ui, level: &Level) {
        ui.horizontal(|ui| {
            ui.label("Terrain of regions");
            let text = self
                .terrain
                .map_or_else(|| "None".to_owned(), |id| level.label(id));
            let combo = egui::ComboBox::from_id_salt("terrain")
                .selected_text(text)
                .show_ui(ui, |ui| {
                    for (id, entity, _) in level.terrains() {
                        ui.selectable_value(&mut self.terrain, Some(id), entity.label(id));
                    }
                })
                .response;
            combo.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, "Terrain of regions"));
        });
    }
}

fn choice_ui(ui: &mut Ui, symbol: MaterialIcon, name: &str, help: &str, enabled: bool) -> bool {
    let button = Button::new((theme::icon(symbol, 18.0), name))
        .right_text(RichText::new(help).small().weak())
        .gap(10.0)
        .min_size(vec2(ui.available_width(), 32.0));
    let response = ui.add_enabled(enabled, button);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, enabled, name));
    response.clicked()
}

impl Dialog for Convert {
    fn ui(&mut self, ctx: &egui::Context, state: &EditorState, actions: &mut Actions) -> Flow {
        modal(ctx, "Convert the selection to", 420.0, |ui| {
            let terrain = self.terrain;
            let choices = [
                (
                    icon::ICON_PENTAGON,
                    "Obstacles",
                    "block agents",
                    Some(ConvertTarget::Obstacle),
                ),
                (
                    icon::ICON_LANDSCAPE,
                    "Terrain regions",
                    "cost more or less to cross",
                    terrain.map(ConvertTarget::Region),
                ),
                (
                    icon::ICON_SELECT_ALL,
                    "Areas",
                    "constraints refer to them",
                    Some(ConvertTarget::Area),
                ),
                (
                    icon::ICON_ROUTE,
                    "Routes with corners",
                    "along the outline",
                    Some(ConvertTarget::Polyline),
                ),
                (
                    icon::ICON_LINE_CURVE,
                    "Curved routes",
                    "through the same points",
                    Some(ConvertTarget::Bezier),
                ),
            ];
            let mut flow = Flow::Stay;
            for (symbol, name, help, form) in choices {
                if choice_ui(ui, symbol, name, help, form.is_some())
                    && let Some(form) = form
                {
                    actions.push(Action::Request(Request::Convert(form)));
                    flow = Flow::Close;
                }
            }
            ui.add_space(6.0);
            self.terrain_ui(ui, state.document().level());
            flow
        })
    }
}
