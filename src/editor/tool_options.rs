//! The strip above the plan: what the tool in hand will make.

use super::command_button::icon_button;
use super::find::Replacement;
use super::intention::Request;
use super::panels::field::row::stable_scope;
use super::panels::field::{Number, Shared};
use super::panels::forbidding::rules_ui;
use super::{Action, Actions, Command, EditorState, theme};
use crate::base::{EntityId, Quantity, Unit};
use crate::document::{
    ArchHead, DoorState, Edit, KindName, Level, LinkAction, Selection, Swing, limits,
};
use crate::geometry::Rect;
use crate::interaction::defaults::{BRUSH_RADIUS, DOOR_WIDTH, SCULPT_STEP, SIDES};
use crate::interaction::furniture::{self, Furniture};
use crate::interaction::operations::bodies_named;
use crate::interaction::{AreaKind, RelationKind, Sculpt, ToolDefaults, ToolKind};
use egui::accesskit::Role;
use egui::{Ui, WidgetInfo};
use egui_material_icons::icons as icon;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A share, as people set it.
const SHARE_IN_PERCENT: Quantity = Quantity::new("strength", Unit::Percent, 1.0, 100.0, 50.0);

/// Of the buttons that choose the views. Unit: points.
const VIEW_BUTTON: f32 = 26.0;

pub fn tool_options_ui(ui: &mut Ui, state: &mut EditorState, actions: &mut Actions) {
    let level = Arc::clone(state.document().level());
    let selection = state.document().selection().clone();
    let tool = state.toolbox.current();
    let icon = Command::Tool(tool).entry().icon;
    ui.spacing_mut().item_spacing.x = 8.0;
    ui.label(theme::icon(icon, theme::ICON_SMALL).color(theme::Palette::of(ui.visuals()).accent));
    ui.strong(tool.name());
    ui.add_space(4.0);
    Options {
        ui,
        level: &level,
        selection: &selection,
        defaults: &mut state.toolbox.defaults,
    }
    .tool(tool);
    if tool == ToolKind::TagForbidden {
        forbid_ui(ui, &level, &mut state.toolbox.defaults, actions);
    }
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        for command in [Command::ShowBoth, Command::ShowSpace, Command::ShowPlan] {
            icon_button(ui, state, command, VIEW_BUTTON, actions);
        }
        ui.separator();
        snap_ui(ui, &level, actions);
    });
}

/// By rule: everything of a name at once.
fn forbid_ui(ui: &mut Ui, level: &Level, defaults: &mut ToolDefaults, actions: &mut Actions) {
    let label = ui.weak("or everything named");
    ui.add(
        egui::TextEdit::singleline(&mut defaults.forbid_pattern)
            .hint_text("Table*")
            .desired_width(120.0),
    )
    .labelled_by(label.id)
    .on_hover_text("* matches any characters, ? matches one");
    let pattern = defaults.forbid_pattern.trim().to_owned();
    let found = bodies_named(level, &pattern).len();
    for (name, forbid) in [("Forbid", true), ("Allow", false)] {
        if ui
            .add_enabled(found > 0, egui::Button::new(name))
            .on_hover_text(format!("{found} obstacles and solids match"))
            .clicked()
        {
            let pattern = pattern.clone();
            let replacement = Replacement::Forbidden { pattern, forbid };
            actions.push(Action::Request(Request::Replace(replacement)));
        }
    }
    if !pattern.is_empty() {
        ui.weak(format!("{found} found"));
    }
    rules_ui(ui, level, actions);
}

struct Options<'a> {
    ui: &'a mut Ui,
    level: &'a Level,
    selection: &'a Selection,
    defaults: &'a mut ToolDefaults,
}

impl Options<'_> {
    fn furniture(&mut self) {
        let chosen = &mut self.defaults.furniture;
        combo(self.ui, "Piece", chosen.name(), |ui| {
            for choice in Furniture::ALL {
                ui.selectable_value(chosen, choice, choice.name());
            }
        });
        let mut count = f64::from(self.defaults.furniture_count);
        count_ui(self.ui, "Count", &furniture::COUNT, &mut count);
        self.defaults.furniture_count = count.round() as u32;
        let gap = &mut self.defaults.furniture_gap;
        number_ui(self.ui, "Gap", &furniture::GAP, gap);
        self.ui
            .checkbox(&mut self.defaults.furniture_scatters, "Scatter")
            .on_hover_text("A drag strews copies within the brush instead of laying a row");
        if self.defaults.furniture_scatters {
            let radius = &mut self.defaults.brush_radius;
            number_ui(self.ui, "Brush", &BRUSH_RADIUS, radius);
        }
        self.elevation();
    }

    fn tool(&mut self, tool: ToolKind) {
        match tool {
            ToolKind::Select
            | ToolKind::Move
            | ToolKind::Rotate
            | ToolKind::Scale
            | ToolKind::Vertices => {
                let text = summary(self.level, self.selection);
                self.ui
                    .add(egui::Label::new(egui::RichText::new(text).weak()).truncate());
                return;
            }
            ToolKind::Hole
            | ToolKind::Knife
            | ToolKind::TagForbidden
            | ToolKind::Measure
            | ToolKind::WhyNot => {
                return;
            }
            ToolKind::Rectangle | ToolKind::Polygon | ToolKind::Ellipse => self.area(),
            ToolKind::RegularPolygon => {
                let mut sides = self.defaults.sides as f64;
                count_ui(self.ui, "Corners", &SIDES, &mut sides);
                self.defaults.sides = sides.round() as usize;
                self.area();
            }
            ToolKind::Freehand => {
                self.area();
                self.smoothing();
            }
            ToolKind::TerrainBrush => {
                self.terrain();
                let radius = &mut self.defaults.brush_radius;
                number_ui(self.ui, "Radius", &BRUSH_RADIUS, radius);
            }
            ToolKind::TerrainPolygon => self.terrain(),
            ToolKind::HeightBrush => {
                self.sculpt();
                return;
            }
            ToolKind::RouteFreehand => self.smoothing(),
            ToolKind::RoutePolyline
            | ToolKind::RouteBezier
            | ToolKind::AnnotationArea
            | ToolKind::Note => {}
            ToolKind::Wall => {
                let thickness = &mut self.defaults.wall_thickness;
                number_ui(self.ui, "Thickness", &limits::WALL_THICKNESS, thickness);
                let height = &mut self.defaults.obstacle_height;
                number_ui(self.ui, "Height", &limits::OBSTACLE_HEIGHT, height);
                self.elevation();
            }
            ToolKind::Room => {
                self.ui
                    .checkbox(&mut self.defaults.room_floor, "Lay a floor");
                if self.defaults.room_floor {
                    self.terrain();
                }
            }
            ToolKind::Furniture => self.furniture(),
            ToolKind::Door => {
                let width = &mut self.defaults.door_width;
                number_ui(self.ui, "Width", &DOOR_WIDTH, width);
                let door = &mut self.defaults.door;
                combo(self.ui, "State", door.name(), |ui| {
                    for choice in DoorState::ALL {
                        ui.selectable_value(door, choice, choice.name());
                    }
                });
                let swing = &mut self.defaults.swing;
                combo(self.ui, "Leaf", swing.name(), |ui| {
                    for choice in Swing::ALL {
                        ui.selectable_value(swing, choice, choice.name());
                    }
                });
                self.elevation();
            }
            ToolKind::Link => {
                let link = &mut self.defaults.link;
                combo(self.ui, "Action", link.name(), |ui| {
                    for choice in LinkAction::ALL {
                        ui.selectable_value(link, choice, choice.name());
                    }
                });
                self.elevation();
            }
            ToolKind::Exit
            | ToolKind::WaitingArea
            | ToolKind::Queue
            | ToolKind::MeasuringLine
            | ToolKind::MeasuringArea => self.elevation(),
            ToolKind::AnnotationRelation => self.relation(),
            ToolKind::Agent => self.profile(),
            ToolKind::CrowdArea => self.crowd(),
            ToolKind::SolidBox
            | ToolKind::SolidRamp
            | ToolKind::SolidCylinder
            | ToolKind::SolidPlatform => self.solid(),
            ToolKind::SolidArch => {
                let head = &mut self.defaults.arch_head;
                combo(self.ui, "Head", head.name(), |ui| {
                    for choice in ArchHead::ALL {
                        ui.selectable_value(head, choice, choice.name());
                    }
                });
                let mut opening = self.defaults.fitting_opening();
                let (wide, high) = (&limits::OPENING_WIDTH, &limits::OPENING_HEIGHT);
                number_ui(self.ui, "Opening", wide, &mut opening.width);
                // No higher than the arch.
                let high = Quantity {
                    max: self.defaults.arch_height,
                    ..*high
                };
                number_ui(self.ui, "×", &high, &mut opening.height);
                if opening != self.defaults.fitting_opening() {
                    self.defaults.opening = opening;
                }
                let height = &mut self.defaults.arch_height;
                number_ui(self.ui, "Height", &limits::SOLID_SIZE, height);
                self.elevation();
            }
            ToolKind::SolidStairs => {
                let mut steps = f64::from(self.defaults.stair_steps);
                count_ui(self.ui, "Steps", &limits::STAIR_STEPS, &mut steps);
                self.defaults.stair_steps = steps.round() as u32;
                self.solid();
            }
        }
        self.layer();
    }

    fn area(&mut self) {
        let kind = &mut self.defaults.area;
        combo(self.ui, "Draws", kind.name(), |ui| {
            for choice in AreaKind::ALL {
                ui.selectable_value(kind, choice, choice.name());
            }
        });
        match self.defaults.area {
            AreaKind::Obstacle => {
                let height = &mut self.defaults.obstacle_height;
                number_ui(self.ui, "Height", &limits::OBSTACLE_HEIGHT, height);
            }
            AreaKind::Region => self.terrain(),
            AreaKind::Annotation => {}
            AreaKind::Exit | AreaKind::WaitingArea | AreaKind::MeasuringArea => self.elevation(),
            AreaKind::Crowd => self.crowd(),
        }
    }

    fn crowd(&mut self) {
        let mut count = f64::from(self.defaults.crowd_count);
        count_ui(self.ui, "Agents", &limits::CROWD_COUNT, &mut count);
        self.defaults.crowd_count = count.round() as u32;
        self.profile();
    }

    fn solid(&mut self) {
        let height = &mut self.defaults.solid_height;
        number_ui(self.ui, "Height", &limits::SOLID_SIZE, height);
        self.elevation();
    }

    fn elevation(&mut self) {
        let elevation = &mut self.defaults.elevation;
        number_ui(self.ui, "Elevation", &limits::ELEVATION, elevation);
    }

    fn sculpt(&mut self) {
        let kind = &mut self.defaults.sculpt;
        self.ui.scope(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            for choice in Sculpt::ALL {
                ui.selectable_value(kind, choice, choice.name());
            }
        });
        let radius = &mut self.defaults.brush_radius;
        number_ui(self.ui, "Radius", &BRUSH_RADIUS, radius);
        if self.defaults.sculpt.adds() {
            let step = &mut self.defaults.sculpt_step;
            number_ui(self.ui, "Strength", &SCULPT_STEP, step);
        } else {
            let mut percent = self.defaults.sculpt_share * 100.0;
            number_ui(self.ui, "Strength", &SHARE_IN_PERCENT, &mut percent);
            self.defaults.sculpt_share = percent / 100.0;
        }
    }

    fn smoothing(&mut self) {
        let smoothing = &mut self.defaults.smoothing;
        number_ui(self.ui, "Smoothing", &limits::SMOOTHING, smoothing);
    }

    fn relation(&mut self) {
        let relation = &mut self.defaults.relation;
        combo(self.ui, "Place", relation.phrase(), |ui| {
            for choice in RelationKind::OFFERED {
                ui.selectable_value(relation, choice, choice.phrase());
            }
        });
        let reach = &mut self.defaults.reach;
        number_ui(self.ui, "Reach", &limits::REACH, reach);
        if self.defaults.relation == RelationKind::LineOfSight {
            let angle = &mut self.defaults.view_angle;
            number_ui(self.ui, "Angle", &limits::VIEW_ANGLE, angle);
        }
    }

    fn terrain(&mut self) {
        let chosen = self.defaults.terrain_in(self.level);
        let choice = self.entity("Terrain", KindName::Terrain, chosen, None);
        self.defaults.terrain = choice.or(self.defaults.terrain);
    }

    fn profile(&mut self) {
        let chosen = self.defaults.profile_in(self.level);
        let choice = self.entity("Profile", KindName::Profile, chosen, None);
        self.defaults.profile = choice.or(self.defaults.profile);
    }

    /// Only where the level has layers.
    fn layer(&mut self) {
        if self
            .level
            .iter()
            .any(|(_, e)| e.kind.name() == KindName::Layer)
        {
            let chosen = self.defaults.layer_in(self.level);
            self.defaults.layer = self.entity("Layer", KindName::Layer, chosen, Some("No layer"));
        }
    }

    /// A choice among the level's entities of a kind. Returns what is chosen now.
    fn entity(
        &mut self,
        name: &str,
        kind: KindName,
        mut chosen: Option<EntityId>,
        none: Option<&str>,
    ) -> Option<EntityId> {
        let text = chosen.map_or_else(
            || none.unwrap_or("None yet").to_owned(),
            |id| self.level.label(id),
        );
        combo(self.ui, name, &text, |ui| {
            if let Some(none) = none {
                ui.selectable_value(&mut chosen, None, none);
            }
            for (id, entity) in self.level.iter() {
                if entity.kind.name() == kind {
                    ui.selectable_value(&mut chosen, Some(id), entity.label(id));
                }
            }
        });
        chosen
    }
}

/// What is selected, in words: "Barn, 12.5 × 8 m" or "3 obstacles, 1 route".
fn summary(level: &Level, selection: &Selection) -> String {
    let mut counts: BTreeMap<KindName, usize> = BTreeMap::new();
    let mut bounds = Rect::EMPTY;
    for (id, entity) in selection.iter().filter_map(|id| Some((id, level.get(id)?))) {
        *counts.entry(entity.kind.name()).or_default() += 1;
        bounds = bounds.union(&entity.bounds().unwrap_or(Rect::EMPTY));
        if selection.len() == 1 {
            let kind = entity.kind.name().singular().to_lowercase();
            let label = entity.label(id);
            return match entity.bounds() {
                Some(own) => format!("{label} ({kind}), {}", size_text(own)),
                None => format!("{label} ({kind})"),
            };
        }
    }
    if counts.is_empty() {
        return "Nothing selected".to_owned();
    }
    let parts: Vec<String> = counts
        .iter()
        .map(|(kind, count)| {
            let name = if *count == 1 {
                kind.singular()
            } else {
                kind.plural()
            };
            format!("{count} {}", name.to_lowercase())
        })
        .collect();
    if bounds.is_empty() {
        parts.join(", ")
    } else {
        format!("{}, {}", parts.join(", "), size_text(bounds))
    }
}

fn size_text(bounds: Rect) -> String {
    let places = |value: f64| (value * 100.0).round() / 100.0;
    let size = bounds.size();
    format!("{} × {} m", places(size.x), places(size.y))
}

fn number_ui(ui: &mut Ui, name: &str, quantity: &Quantity, value: &mut f64) {
    field_ui(ui, name, Number::new(quantity, Shared::Same(*value)), value);
}

/// A whole number.
fn count_ui(ui: &mut Ui, name: &str, quantity: &Quantity, value: &mut f64) {
    let number = Number::new(quantity, Shared::Same(*value)).whole();
    field_ui(ui, name, number, value);
}

fn field_ui(ui: &mut Ui, name: &str, number: Number<'_>, value: &mut f64) {
    if ui.available_width() < 150.0 {
        return;
    }
    stable_scope(ui, name, |ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let label = ui.weak(name);
        number.inline(ui, label.id, value);
    });
}

fn combo(ui: &mut Ui, name: &str, selected: &str, contents: impl FnOnce(&mut Ui)) {
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.weak(name);
        let response = egui::ComboBox::from_id_salt(name)
            .selected_text(selected)
            .width(96.0)
            .truncate()
            .show_ui(ui, contents)
            .response;
        response.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, name));
    });
}

/// What the pointer is drawn to: part of the level, like its grid.
fn snap_ui(ui: &mut Ui, level: &Level, actions: &mut Actions) {
    let before = level.settings().grid.snap;
    let mut snap = before;
    let title = (
        theme::icon(icon::ICON_POINT_SCAN, theme::ICON_SMALL),
        "Snap to",
    );
    let (response, _) = egui::containers::menu::MenuButton::new(title)
        .config(
            egui::containers::menu::MenuConfig::new()
                .close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside),
        )
        .ui(ui, |ui| {
            ui.checkbox(&mut snap.grid, "Grid");
            ui.checkbox(&mut snap.vertices, "Corners and midpoints");
            ui.checkbox(&mut snap.edges, "Edges");
            ui.checkbox(&mut snap.axes, "Axes and alignment");
        });
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Snap to"));
    if snap != before {
        let mut settings = (**level.settings()).clone();
        settings.grid.snap = snap;
        actions.push(Action::Commit {
            label: "Change snapping".to_owned(),
            edits: vec![Edit::Settings(Arc::new(settings))],
            merge: None,
        });
    }
}
