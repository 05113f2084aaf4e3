//! The planner bench: every planner on the selected agent's mission, and a search step by step.

use super::field::button::{icon_button, icon_button_if, named_button};
use super::field::{Number, Shared};
use super::navigation::{sentence, time_text};
use crate::base::{Colour, EntityId, Quantity, Unit};
use crate::document::Kind;
use crate::editor::search_watch::{STEP_SPEED, SearchWatch, WatchAsk};
use crate::editor::theme::{Palette, panel};
use crate::editor::{Action, Actions, EditorState};
use crate::planner::bench::{Bench, ComparisonError, Figures};
use crate::preview::nav::method_colour;
use egui::{Color32, Frame, Margin, RichText, ScrollArea, Sense, Ui, vec2};
use egui_extras::{Column, TableBuilder};
use egui_material_icons::icons;
use std::sync::Arc;
use std::time::Duration;

const HEADINGS: [(&str, &str); 9] = [
    ("Planner", "Click a row to pick out its path"),
    ("Length", "Length of the path through all goals"),
    ("Gap", "How much longer it is than the shortest path"),
    (
        "Cost",
        "Metres of the path times what the ground under them weighs for the agent’s profile: the same \
         for every planner",
    ),
    ("Points", "Waypoints, start and goal included"),
    ("Clearance", "Smallest distance to an obstacle"),
    ("Curvature", "Mean of 1 / radius at the waypoints"),
    ("Expanded", "Nodes expanded by the search"),
    ("Time", "The search and its post-processing"),
];

/// Of all columns but the first. Unit: points.
const WIDTHS: [f32; 8] = [72.0, 62.0, 66.0, 48.0, 66.0, 66.0, 64.0, 60.0];

#[derive(Debug, Default)]
pub struct PlannerBench;

impl PlannerBench {
    pub fn ui(&mut self, ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
        let agent = state.selected_agent();
        state.navigation.bench.wanted.set(agent);
        Frame::new()
            .inner_margin(Margin::symmetric(8, 6))
            .show(ui, |ui| {
                let bench = match shown(state, agent) {
                    Ok(bench) => bench,
                    Err(sentence) => {
                        ui.weak(sentence);
                        return;
                    }
                };
                // Above the table, which takes what room is left and scrolls under its headings.
                ui.horizontal_wrapped(|ui| {
                    ui.spacing_mut().item_spacing.x = 6.0;
                    title_ui(ui, state, bench);
                    ui.add_space(10.0);
                    match state.navigation.bench.watch() {
                        Some(watch) => player_ui(ui, watch, bench, actions),
                        None => watch_ui(ui, actions),
                    }
                });
                ui.add_space(2.0);
                ScrollArea::horizontal()
                    .id_salt("planners")
                    .show(ui, |ui| table_ui(ui, state, bench, actions));
            });
    }
}

fn watch_ui(ui: &mut Ui, actions: &mut Actions) {
    let start = named_button(ui, icons::ICON_PLAY_ARROW, "Watch the search")
        .on_hover_text("Shows the search of the chosen planner step by step");
    if start.clicked() {
        actions.push(Action::Watch(WatchAsk::Open));
    }
}

/// What plays the search that is watched.
fn player_ui(ui: &mut Ui, watch: &SearchWatch, bench: &Bench, actions: &mut Actions) {
    let (done, all) = (watch.done(), watch.all());
    let mut ask = |asked| actions.push(Action::Watch(asked));
    if let Some(trouble) = watch.trouble() {
        ui.weak(sentence(&trouble));
    }
    if icon_button(ui, icons::ICON_SKIP_PREVIOUS, "To the start").clicked() {
        ask(WatchAsk::Seek(0));
    }
    if icon_button_if(ui, done > 0, icons::ICON_CHEVRON_LEFT, "One step back").clicked() {
        ask(WatchAsk::Seek(done - 1));
    }
    let (icon, name) = if watch.is_playing {
        (icons::ICON_PAUSE, "Pause the search")
    } else {
        (icons::ICON_PLAY_ARROW, "Play the search")
    };
    if icon_button(ui, icon, name).clicked() {
        ask(WatchAsk::Toggle);
    }
    let more = done < all;
    if icon_button_if(ui, more, icons::ICON_CHEVRON_RIGHT, "One step forward").clicked() {
        ask(WatchAsk::Seek(done + 1));
    }
    if icon_button(ui, icons::ICON_SKIP_NEXT, "To the end").clicked() {
        ask(WatchAsk::Seek(usize::MAX));
    }
    let mut step = done;
    let label = ui.weak("Step");
    ui.spacing_mut().slider_width = 160.0;
    let slider = ui.add(egui::Slider::new(&mut step, 0..=all));
    if slider.labelled_by(label.id).changed() {
        ask(WatchAsk::Seek(step));
    }
    ui.weak(format!("of {all}"));
    let mut speed = watch.speed;
    let label = ui.weak("Speed");
    let field = Number::new(&STEP_SPEED, Shared::Same(speed));
    if field.inline(ui, label.id, &mut speed).change.is_some() {
        ask(WatchAsk::Speed(speed));
    }
    let legs = bench.legs;
    if legs > 1 {
        let mut leg = (watch.leg() + 1) as f64;
        let label = ui.weak("Leg");
        let limits = Quantity::new("leg", Unit::One, 1.0, legs as f64, 1.0);
        let field = Number::new(&limits, Shared::Same(leg)).whole();
        if field.inline(ui, label.id, &mut leg).change.is_some() {
            ask(WatchAsk::Leg(leg as usize - 1));
        }
    }
    if icon_button(ui, icons::ICON_CLOSE, "Close the search").clicked() {
        ask(WatchAsk::Close);
    }
}

/// The comparison for an agent, or what is said in its place.
fn shown(state: &EditorState, agent: Option<EntityId>) -> Result<&Arc<Bench>, String> {
    let (navigation, level) = (&state.navigation, state.document().level());
    let Some(agent) = agent else {
        return Err(if level.agents().next().is_some() {
            "Select an agent to compare planners.".to_owned()
        } else {
            "Draw an agent with a goal to compare planners.".to_owned()
        });
    };
    let name = level.label(agent);
    let error = match navigation.bench.outcome(agent) {
        Some(Ok(bench)) => return Ok(bench),
        Some(Err(error)) => Some(error),
        None => None,
    };
    if navigation.baked().is_none() && navigation.task().is_none() {
        return Err("Nothing is baked; press F5 to bake.".to_owned());
    }
    let error = error.filter(|_| navigation.bench_is_fresh(state.document()));
    Err(match error {
        Some(ComparisonError::Failed(error)) => {
            format!("Planners could not be compared: {}", sentence(&error))
        }
        Some(ComparisonError::NoGoal) => {
            format!("{name} has no goal to plan for; give it one in the inspector.")
        }
        Some(ComparisonError::NotThere) => {
            format!("{name} is not part of the last bake; press F5 to bake.")
        }
        None => format!("Planning for {name}…"),
    })
}

fn title_ui(ui: &mut Ui, state: &EditorState, bench: &Bench) {
    let level = state.document().level();
    ui.strong(level.label(bench.agent));
    let goals = bench.legs;
    let radius = match level.get(bench.agent).map(|entity| &entity.kind) {
        Some(Kind::Agent(agent)) => {
            crate::planner::queries::radius_of(level, agent.mission.profile)
        }
        _ => 0.0,
    };
    ui.weak(format!(
        "{goals} goal{}, radius {radius} m",
        if goals == 1 { "" } else { "s" }
    ));
    if !state.navigation.bench_is_fresh(state.document()) {
        ui.weak("· replanning…");
    }
}

/// Room for the longest name of a planner, with its swatch. Unit: points.
fn names_width(ui: &Ui, bench: &Bench) -> f32 {
    let font = egui::TextStyle::Button.resolve(ui.style());
    let width = |title: String| {
        let words = ui
            .painter()
            .layout_no_wrap(title, font.clone(), Color32::PLACEHOLDER);
        words.size().x
    };
    let titles = bench.rows.iter().map(|row| width(row.method.title()));
    titles.fold(140.0, f32::max) + 46.0
}

fn table_ui(ui: &mut Ui, state: &EditorState, bench: &Bench, actions: &mut Actions) {
    let palette = Palette::of(ui.visuals());
    let names = names_width(ui, bench);
    let trouble = bench
        .rows
        .first()
        .and_then(|row| row.outcome.as_ref().err());
    // A sentence about no path at all stands below, so that the rows stay where they are.
    let below = if trouble.is_some() {
        2.0 * panel::LIST_ROW
    } else {
        0.0
    };
    let room = (ui.available_height() - panel::LIST_ROW - below).max(panel::LIST_ROW);
    let mut table = TableBuilder::new(ui)
        .id_salt("planners")
        .striped(true)
        .cell_layout(egui::Layout::left_to_right(egui::Align::Center))
        .sense(Sense::click())
        .auto_shrink([true, false])
        .max_scroll_height(room)
        .min_scrolled_height(0.0)
        .column(Column::exact(names));
    for width in WIDTHS {
        table = table.column(Column::exact(width));
    }
    table
        .header(panel::LIST_ROW, |mut header| {
            for (name, help) in HEADINGS {
                header.col(|ui| {
                    ui.weak(name).on_hover_text(help);
                });
            }
        })
        .body(|mut body| {
            for entry in &bench.rows {
                let chosen = state.navigation.bench.picked == Some(entry.method);
                let mut picked = false;
                body.row(panel::LIST_ROW, |mut row| {
                    row.set_selected(chosen);
                    row.col(|ui| {
                        ui.spacing_mut().item_spacing.x = 6.0;
                        swatch(ui, method_colour(entry.method));
                        picked |= ui.selectable_label(chosen, entry.method.title()).clicked();
                    });
                    match &entry.outcome {
                        Ok(figures) => {
                            for (text, heading) in cells(figures).into_iter().zip(&HEADINGS[1..]) {
                                row.col(|ui| {
                                    let text = RichText::new(text).monospace().size(11.5);
                                    let cell = ui.add(egui::Label::new(text).selectable(false));
                                    if heading.0 == "Cost" {
                                        cell.on_hover_text(format!(
                                            "In the planner’s own terms: {:.2}",
                                            figures.own_cost
                                        ));
                                    }
                                });
                            }
                        }
                        Err(reason) => {
                            row.col(|ui| {
                                let text = RichText::new("no path").color(palette.error);
                                ui.label(text).on_hover_text(sentence(reason));
                            });
                        }
                    }
                    if picked || row.response().clicked() {
                        actions.push(Action::Compare((!chosen).then_some(entry.method)));
                    }
                });
            }
        });
    if let Some(reason) = trouble {
        ui.colored_label(palette.error, sentence(reason));
    }
}

fn swatch(ui: &mut Ui, Colour { r, g, b }: Colour) {
    let (rect, _) = ui.allocate_exact_size(vec2(14.0, 4.0), Sense::hover());
    ui.painter()
        .rect_filled(rect, 2.0, Color32::from_rgb(r, g, b));
}

fn cells(figures: &Figures) -> [String; 8] {
    [
        format!("{:.2} m", figures.length),
        figures
            .gap
            .map_or_else(|| "–".to_owned(), |gap| format!("{:.2} %", gap * 100.0)),
        format!("{:.2}", figures.terrain_cost),
        figures.waypoints.to_string(),
        if figures.min_clearance.is_finite() {
            format!("{:.2} m", figures.min_clearance)
        } else {
            "–".to_owned()
        },
        format!("{:.3}", figures.mean_curvature),
        figures.expanded.to_string(),
        time_text(Some(Duration::from_secs_f64(
            figures.plan_micros.max(0.0) / 1e6,
        ))),
    ]
}
