//! One map for any body: a radius that closes gaps as it grows, and every narrow place by width.

use super::field::button::named_button;
use crate::base::EntityId;
use crate::document::{Kind, Level};
use crate::editor::corridor_view::Charted;
use crate::editor::theme::{Palette, panel};
use crate::editor::{Action, Actions, Command, EditorState};
use crate::geometry::Rect;
use crate::nav::commons::Corridors;
use crate::nav::corridor::{Blocker, Pinch};
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

#[derive(Debug, Default)]
pub struct ClearancePanel {
    summary: Option<Summary>,
}

/// What a radius means for a map, kept while both are the same.
#[derive(Debug)]
struct Summary {
    radius: f64,
    /// The map, by where it is; it is held by the view that it came from.
    samples: usize,
    parts: u32,
    closed: usize,
}

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
                        "Looking for narrow places…"
                    } else {
                        "Nothing is baked yet."
                    });
                    return;
                };
                let bodies = bodies(state.document().level());
                self.body_ui(ui, state, charted, corridors, &bodies, actions);
                ui.separator();
                pinches_ui(ui, state, charted, corridors, &bodies, actions);
            });
    }

    fn body_ui(
        &mut self,
        ui: &mut Ui,
        state: &EditorState,
        charted: &Charted,
        corridors: &Corridors,
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
            let slider = Slider::new(&mut radius, 0.0..=most)
                .clamping(egui::SliderClamping::Never)
                .max_decimals(2)
                .suffix(" m")
                .text("radius");
            let slider = ui.add(slider).on_hover_text("Gaps close as it grows");
            if slider.changed() {
                show_body(state, radius.max(0.0), actions);
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
        let count = charted.pinches.len();
        let summary = match body {
            Some(radius) => self.summary(radius, charted, corridors).text(count),
            None if count == 1 => "one narrow place".to_owned(),
            None => format!("{count} narrow places"),
        };
        // Always one line: the list below must not jump away from under the pointer.
        ui.horizontal(|ui| {
            ui.set_min_height(panel::LIST_ROW);
            ui.weak(summary);
            if state.navigation.corridors.pinch.is_some()
                && named_button(ui, icons::ICON_CLOSE, "Let go of the narrow place").clicked()
            {
                actions.push(Action::PickPinch(None));
            }
        });
    }

    fn summary(&mut self, radius: f64, charted: &Charted, corridors: &Corridors) -> &Summary {
        let samples = corridors.map.samples().as_ptr().addr();
        let known = self
            .summary
            .take()
            .filter(|known| known.radius == radius && known.samples == samples);
        let summary = known.unwrap_or_else(|| Summary {
            radius,
            samples,
            parts: corridors.map.components(radius).count(),
            closed: charted
                .pinches
                .partition_point(|pinch| pinch.width < 2.0 * radius),
        });
        self.summary.insert(summary)
    }
}

impl Summary {
    fn text(&self, gaps: usize) -> String {
        let parts = match self.parts {
            0 => "fits nowhere".to_owned(),
            1 => "one connected part".to_owned(),
            more => format!("{more} parts that do not hang together"),
        };
        format!("{parts} · {} of {gaps} gaps closed", self.closed)
    }
}

/// Shows where a body fits. The axis belongs to it, unless it was switched off since.
fn show_body(state: &EditorState, radius: f64, actions: &mut Actions) {
    let is_new = state.navigation.corridors.body.is_none();
    actions.push(Action::ShowBody(Some(radius)));
    if is_new && Command::ShowMedialAxis.is_on(state) == Some(false) {
        actions.command(Command::ShowMedialAxis);
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
    charted: &Charted,
    corridors: &Corridors,
    bodies: &[Body],
    actions: &mut Actions,
) {
    if charted.pinches.is_empty() {
        ui.weak("There are no narrow places: nothing stands close to anything else.");
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
                        ("Between", "What the narrow place lies between"),
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
        ui.weak("nobody");
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
