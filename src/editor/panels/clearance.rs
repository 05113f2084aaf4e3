//! One map for any body: a radius that closes gaps as it grows, and every narrow place by width.

use super::field::button::named_button;
use super::field::{Number, Shared};
use crate::base::{EntityId, Quantity, Unit};
use crate::document::{Kind, Level};
use crate::editor::corridor_view::{BodyFit, CorridorState};
use crate::editor::theme::{Palette, panel};
use crate::editor::{Action, Actions, Command, EditorState};
use crate::geometry::Rect;
use crate::nav::Corridors;
use crate::nav::corridor::{Blocker, Pinch};
use crate::preview::OverlayId;
use egui::{Align, Color32, Frame, Layout, Margin, RichText, ScrollArea, Slider, Ui};
use egui_extras::{Column, TableBuilder};
use egui_material_icons::icons;
use glam::DVec2;

/// How much is shown around a narrow place, at least. Unit: metres.
const AROUND: f64 = 6.0;
/// Of the slider. Unit: points.
const SLIDER: f32 = 220.0;
/// Larger bodies are typed. Unit: metres.
const LARGEST: f64 = 10.0;
/// Whatever may want to pass, not only people.
const BODY_RADIUS: Quantity = Quantity::new("radius", Unit::Metre, 0.0, 1000.0, 0.3);

#[derive(Debug, Default)]
pub struct ClearancePanel;

/// A profile, and what it takes to pass.
struct Body {
    name: String,
    radius: f64,
    colour: Color32,
}

impl ClearancePanel {
    pub fn ui(&mut self, ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
        let view = &state.navigation.corridors;
        view.wanted.set(true);
        Frame::new()
            .inner_margin(Margin::symmetric(8, 6))
            .show(ui, |ui| {
                let known = view
                    .charted()
                    .and_then(|charted| Some((charted, charted.corridors()?)));
                let Some((charted, corridors)) = known else {
                    ui.weak(if view.is_charting() {
                        "Looking for narrow passages…"
                    } else {
                        "Nothing is baked yet."
                    });
                    return;
                };
                let bodies = bodies(state.document().level());
                body_ui(ui, state, charted, &bodies, actions);
                ui.horizontal(|ui| said_ui(ui, state, charted, actions));
                ui.separator();
                pinches_ui(ui, state, charted, corridors, &bodies, actions);
            });
    }
}

/// A line that is always there, so that the table below stays where it is.
fn said_ui(ui: &mut Ui, state: &EditorState, charted: &CorridorState, actions: &mut Actions) {
    ui.set_min_height(panel::FIELD_ROW);
    let gaps = charted.pinches.len();
    let corridors = &state.navigation.corridors;
    match (corridors.body, corridors.fit()) {
        (Some(_), Some(fit)) => ui.weak(fit_text(fit, gaps)),
        (Some(_), None) => ui.weak("…"),
        (None, _) if gaps == 1 => ui.weak("one narrow passage"),
        (None, _) => ui.weak(format!("{gaps} narrow passages")),
    };
    if corridors.pinch.is_some()
        && named_button(ui, icons::ICON_CLOSE, "Deselect the narrow passage").clicked()
    {
        actions.push(Action::PickPinch(None));
    }
}

fn fit_text(fit: BodyFit, gaps: usize) -> String {
    let parts = match fit.parts {
        0 => "does not fit anywhere".to_owned(),
        1 => "one connected area".to_owned(),
        more => format!("{more} disconnected areas"),
    };
    format!("{parts} · {} of {gaps} gaps closed", fit.closed)
}

fn body_ui(
    ui: &mut Ui,
    state: &EditorState,
    charted: &CorridorState,
    bodies: &[Body],
    actions: &mut Actions,
) {
    let body = state.navigation.corridors.body;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = panel::GAP;
        let mut on = body.is_some();
        let usual = bodies.first().map_or(0.3, |body| body.radius);
        if ui
            .checkbox(&mut on, "For a body of")
            .on_hover_text(
                "Tints where a body of this radius has no room, bars the gaps that it does not \
                 fit through, and colours the medial axis by the parts that it can move in",
            )
            .changed()
        {
            if on {
                show_body(state, usual, actions);
            } else {
                actions.push(Action::ShowBody(None));
            }
        }
        let mut radius = body.unwrap_or(usual);
        ui.spacing_mut().slider_width = SLIDER;
        let most = charted.widest.clamp(0.5, LARGEST);
        // Over what is more than the slider's end it stands at its end.
        let slider = Slider::new(&mut radius, 0.0..=most)
            .clamping(egui::SliderClamping::Never)
            .step_by(0.01)
            .show_value(false);
        let slider = ui.add(slider).on_hover_text("Gaps close as it grows");
        let label = ui.label("radius");
        let field = Number::new(&BODY_RADIUS, Shared::Same(radius));
        let typed = field.inline(ui, label.id, &mut radius).change.is_some();
        let slider = slider.labelled_by(label.id);
        if slider.changed() || typed {
            show_body(state, radius, actions);
        }
        for body in bodies {
            let text =
                RichText::new(format!("{} {:.2}", body.name, body.radius)).color(body.colour);
            let chosen = on && (radius - body.radius).abs() < 1e-9;
            if ui
                .selectable_label(chosen, text)
                .on_hover_text("This profile’s radius")
                .clicked()
            {
                show_body(state, body.radius, actions);
            }
        }
    });
}

/// Shows where a body fits. The axis belongs to it, unless it was switched off since.
fn show_body(state: &EditorState, radius: f64, actions: &mut Actions) {
    let is_new = state.navigation.corridors.body.is_none();
    actions.push(Action::ShowBody(Some(radius)));
    let axis = Command::ShowOverlay(OverlayId::MEDIAL_AXIS);
    if is_new && axis.is_on(state) == Some(false) {
        actions.command(axis);
    }
}

fn bodies(level: &Level) -> Vec<Body> {
    let mut bodies: Vec<Body> = level
        .iter()
        .filter_map(|(id, entity)| match &entity.kind {
            Kind::Profile(profile) => Some(Body {
                name: level.label(id),
                radius: profile.body.radius,
                colour: Color32::from_rgb(profile.colour.r, profile.colour.g, profile.colour.b),
            }),
            _ => None,
        })
        .collect();
    bodies.sort_by(|a, b| a.radius.total_cmp(&b.radius));
    bodies
}

/// Every narrow place, narrowest first.
fn pinches_ui(
    ui: &mut Ui,
    state: &EditorState,
    charted: &CorridorState,
    corridors: &Corridors,
    bodies: &[Body],
    actions: &mut Actions,
) {
    if charted.pinches.is_empty() {
        ui.weak("There are no narrow passages.");
        return;
    }
    let picked = state.navigation.corridors.pinch;
    let palette = Palette::of(ui.visuals());
    let level = state.document().level();
    let radius = state.navigation.corridors.body;
    ScrollArea::horizontal()
        .id_salt("narrow places")
        .show(ui, |ui| {
            TableBuilder::new(ui)
                .id_salt("narrow places table")
                .striped(true)
                .sense(egui::Sense::click())
                .cell_layout(Layout::left_to_right(Align::Center))
                .column(Column::exact(76.0))
                .column(Column::initial(300.0).at_least(140.0).clip(true))
                .column(Column::remainder().at_least(160.0).clip(true))
                .header(panel::LIST_ROW, |mut header| {
                    for (title, help) in [
                        ("Width", "The largest disc that passes has this diameter"),
                        ("Between", "The obstacles on either side"),
                        ("Stops", "Profiles that are too wide for it"),
                    ] {
                        header.col(|ui| {
                            ui.strong(title).on_hover_text(help);
                        });
                    }
                })
                .body(|body| {
                    body.rows(panel::LIST_ROW, charted.pinches.len(), |mut row| {
                        let pinch = &charted.pinches[row.index()];
                        let is_picked = picked.is_some_and(|other| is_same(&other, pinch));
                        row.set_selected(is_picked);
                        let is_closed = radius.is_some_and(|radius| pinch.width < 2.0 * radius);
                        row.col(|ui| {
                            let text = RichText::new(format!("{:.2} m", pinch.width)).monospace();
                            ui.label(if is_closed {
                                text.color(palette.error)
                            } else {
                                text
                            });
                        });
                        row.col(|ui| {
                            let name = |blocker: Blocker| name_of(level, corridors, blocker);
                            let sample = &pinch.sample;
                            let (left, right) =
                                (name(sample.left_blocker), name(sample.right_blocker));
                            ui.label(if left == right {
                                format!("{left}, two of its sides")
                            } else {
                                format!("{left} and {right}")
                            });
                        });
                        row.col(|ui| stops_ui(ui, pinch, bodies));
                        if row.response().on_hover_text("Go there").clicked() {
                            actions.push(Action::PickPinch(Some(*pinch)));
                            let half = (2.0 * pinch.width).max(AROUND);
                            let around = Rect::around(pinch.sample.point, DVec2::splat(half));
                            actions.push(Action::GoTo(around));
                        }
                    });
                });
        });
}

fn stops_ui(ui: &mut Ui, pinch: &Pinch, bodies: &[Body]) {
    ui.spacing_mut().item_spacing.x = panel::GAP;
    let mut stopped = bodies
        .iter()
        .filter(|body| 2.0 * body.radius > pinch.width)
        .peekable();
    if stopped.peek().is_none() {
        ui.weak("none");
    }
    for body in stopped {
        ui.label(RichText::new(&body.name).color(body.colour));
    }
}

fn is_same(a: &Pinch, b: &Pinch) -> bool {
    a.sample.point == b.sample.point
}

/// What an obstacle is called; the level's border has no name of its own.
fn name_of(level: &Level, corridors: &Corridors, blocker: Blocker) -> String {
    let id: Option<EntityId> = blocker.and_then(|i| corridors.blockers.get(i as usize).copied());
    match id {
        Some(id) => level.label(id),
        None => "the border".to_owned(),
    }
}
