//! What is simulated: the model, the seed, how long; and how far it has got.

use super::controls::switches_ui;
use crate::base::{Quantity, Unit};
use crate::editor::panels::field::button::{icon_button, named_button};
use crate::editor::panels::field::{Number, Shared};
use crate::editor::playback::Play;
use crate::editor::player::Source;
use crate::editor::simulating::{Origin, RunSettings, SimulationAsk};
use crate::editor::theme::Palette;
use crate::editor::{Action, Actions, Command, EditorState};
use crate::preview::crowd::ColourBy;
use crate::sim::simulation::LONGEST;
use crate::sim::{Acting, models};
use egui::{ComboBox, Label, ProgressBar, RichText, Ui};
use egui_material_icons::icons;

const SEED: Quantity = Quantity::new("seed", Unit::One, 0.0, 1e9, 0.0);
const SECONDS: Quantity = Quantity::new("duration", Unit::Second, 1.0, LONGEST, 600.0);

/// One that walks slower than this share of its speed is hindered.
const SLOW: f64 = 0.6;

/// What stands for planned paths among the models.
const AS_PLANNED: &str = "As planned";

/// The model, or planned paths alone.
pub(super) fn source_ui(ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
    let player = &state.navigation.player;
    let settings = &player.simulation.settings;
    let shown = match player.source {
        Source::Simulation => settings.model_row().title,
        Source::Plans => AS_PLANNED,
    };
    let label = ui.weak("Model");
    ComboBox::from_id_salt("model")
        .width(104.0)
        .selected_text(shown)
        .show_ui(ui, |ui| {
            for row in models::rows() {
                let is_chosen = player.source == Source::Simulation && settings.model == row.id;
                let choice = ui.selectable_label(is_chosen, row.title);
                if choice.on_hover_text(row.about).clicked() {
                    actions.push(Action::Play(Play::Source(Source::Simulation)));
                    actions.push(Action::Simulate(SimulationAsk::Settings(RunSettings {
                        model: row.id,
                        ..settings.clone()
                    })));
                }
            }
            ui.separator();
            let choice = ui.selectable_label(player.source == Source::Plans, AS_PLANNED);
            let about = "Each agent alone on its planned path, without crowds";
            if choice.on_hover_text(about).clicked() {
                actions.push(Action::Play(Play::Source(Source::Plans)));
            }
        })
        .response
        .labelled_by(label.id);
}

/// Seed and duration.
pub(super) fn settings_ui(ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
    let settings = &state.navigation.player.simulation.settings;
    let mut set = |settings| {
        actions.push(Action::Simulate(SimulationAsk::Settings(settings)));
    };
    let label = ui.weak("Seed");
    label.clone().on_hover_text(
        "Decides where members of crowds appear, how fast they are and how they sway",
    );
    let mut seed = settings.seed as f64;
    let field = Number::new(&SEED, Shared::Same(seed)).whole();
    if field.inline(ui, label.id, &mut seed).change.is_some() {
        set(RunSettings {
            seed: seed as u64,
            ..settings.clone()
        });
    }
    let label = ui.weak("At most");
    label
        .clone()
        .on_hover_text("A run ends earlier once everyone has arrived");
    let mut seconds = settings.seconds;
    let field = Number::new(&SECONDS, Shared::Same(seconds));
    if field.inline(ui, label.id, &mut seconds).change.is_some() {
        set(RunSettings {
            seconds,
            ..settings.clone()
        });
    }
}

/// How people are shown.
pub(super) fn view_ui(ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
    let player = &state.navigation.player;
    let label = ui.weak("Colour by");
    ComboBox::from_id_salt("colour by")
        .width(78.0)
        .selected_text(player.colour_by.title())
        .show_ui(ui, |ui| {
            for by in ColourBy::ALL {
                let choice = ui.selectable_label(player.colour_by == by, by.title());
                if choice.on_hover_text(by.about()).clicked() {
                    actions.push(Action::Play(Play::ColourBy(by)));
                }
            }
        })
        .response
        .labelled_by(label.id);
    let mut trails = player.shows_trails;
    let help = "Shows where everyone has been in the last seconds";
    if ui
        .checkbox(&mut trails, "Trails")
        .on_hover_text(help)
        .changed()
    {
        actions.push(Action::Play(Play::Trails(trails)));
    }
    let switches = [Command::PlayLoop, Command::PlayFollow];
    switches_ui(ui, &switches, state, actions);
    ghost_ui(ui, state, actions);
}

fn ghost_ui(ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
    let simulation = &state.navigation.player.simulation;
    let Some(ghost) = simulation.kept_ghost() else {
        return;
    };
    let mut shows = simulation.shows_ghost;
    let help = format!("Hollow figures: {}", ghost.title());
    if ui
        .checkbox(&mut shows, "Ghost")
        .on_hover_text(help)
        .changed()
    {
        actions.push(Action::Simulate(SimulationAsk::ShowGhost(shows)));
    }
    if icon_button(ui, icons::ICON_CLOSE, "Dismiss the ghost").clicked() {
        actions.push(Action::Simulate(SimulationAsk::ClearGhost));
    }
}

/// The one that is looked at, in a sentence.
fn picked_ui(ui: &mut Ui, state: &EditorState, actions: &mut Actions) -> bool {
    let player = &state.navigation.player;
    let (Some(index), Some(run)) = (player.picked, player.run()) else {
        return false;
    };
    if icon_button(ui, icons::ICON_CLOSE, "Look at no one").clicked() {
        actions.push(Action::Play(Play::Pick(None)));
    }
    let level = state.document().level();
    let birth = run.births().get(&index);
    let name = birth.map_or_else(String::new, |birth| level.label(birth.entity));
    let moment = player.moment(None);
    let agents = moment.iter().flat_map(|moment| &moment.agents);
    let here = agents.into_iter().find(|shown| shown.index == Some(index));
    let text = match (here, here.and_then(|shown| shown.body)) {
        (Some(shown), Some(body)) => {
            let stuck = if body.is_stuck { ", stuck" } else { "" };
            let is_slow = shown.pose.speed < SLOW * body.preferred;
            let why = player.acting().filter(|_| is_slow).map_or("", hindrance);
            format!(
                "{name} #{index}: {:.2} of {:.2} m/s{stuck}{why}",
                shown.pose.speed, body.preferred
            )
        }
        _ => match run.departures().get(&index) {
            Some(left) => {
                let at = super::clock(left.tick as f64 * run.header().step);
                format!("{name} #{index}: arrives at {at}")
            }
            None => format!("{name} #{index}: not entered yet"),
        },
    };
    ui.label(RichText::new(text).strong());
    true
}

/// Why one is slow that has set out.
fn hindrance(acting: Acting) -> &'static str {
    match (acting.in_front, acting.is_at_wall) {
        _ if acting.wish == glam::DVec2::ZERO => ", waits",
        (0, true) => ", beside a wall",
        (0, false) => "",
        (1, _) => ", another is in front",
        (2..=4, _) => ", some are in front",
        _ => ", in a jam",
    }
}

/// How far the run has got, or what came of it.
pub(super) fn status_ui(ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
    let player = &state.navigation.player;
    let simulation = &player.simulation;
    let palette = Palette::of(ui.visuals());
    if picked_ui(ui, state, actions) {
        ui.separator();
    }
    let ask = |ask| Action::Simulate(ask);
    if simulation.is_running() {
        let progress = simulation.progress().unwrap_or_default();
        let bar = ProgressBar::new(progress.share.unwrap_or(0.0));
        ui.add(bar.desired_width(90.0).desired_height(6.0))
            .on_hover_text("Of the people who have arrived, or of the time");
        let stage = if progress.stage.is_empty() {
            "Simulating"
        } else {
            &progress.stage
        };
        ui.weak(format!("{stage}…"));
        if icon_button(ui, icons::ICON_STOP, "Stop simulating").clicked() {
            actions.push(ask(SimulationAsk::Stop));
        }
        return;
    }
    if let Some(error) = simulation.error() {
        let text = RichText::new(super::sentence(error)).color(palette.error);
        ui.add(Label::new(text).truncate()).on_hover_text(error);
        return;
    }
    let Some(shown) = simulation.shown() else {
        ui.weak("Not simulated yet: press Space.");
        return;
    };
    if icon_button(ui, icons::ICON_STOP, "Back to the level as it is drawn").clicked() {
        actions.push(ask(SimulationAsk::Stop));
    }
    let level = state.document().committed_level();
    if simulation.is_stale(level) {
        let help = "Simulates the level as it is now; this run stays as a ghost";
        let button = named_button(ui, icons::ICON_REPLAY, "Run again");
        if button.on_hover_text(help).clicked() {
            actions.push(ask(SimulationAsk::Run));
        }
        ui.colored_label(palette.warning, "The level has changed since this run.");
        return;
    }
    let mut words = Vec::new();
    if let Origin::File(_) = shown.origin {
        words.push(shown.title());
    }
    if let Some(summary) = &shown.summary {
        let end = &summary.end;
        words.push(format!("{} of {} arrived", end.arrived, end.appeared));
        if summary.stuck > 0 {
            words.push(format!("{} stuck", summary.stuck));
        }
    }
    ui.add(Label::new(RichText::new(words.join(" · ")).weak()).truncate());
}
