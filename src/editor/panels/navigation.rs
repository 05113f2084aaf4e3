//! The navigation panel: what is shown of it, who gets where, which tests hold, and what it took.

use super::field::button::named_button;
use super::field::{Number, Shared, section};
use crate::base::{Colour, EntityId};
use crate::document::{Level, Selection};
use crate::editor::navigation::{Freshness, PlannedLevel};
use crate::editor::theme::{Palette, panel};
use crate::editor::{Action, Actions, Command, EditorState};
use crate::nav::StageTime;
use crate::planner::Slopes;
use crate::preview::overlays::{self, Group, Swatch};
use crate::preview::{Look, style};
use egui::{Frame, Label, Margin, RichText, ScrollArea, Sense, Ui, vec2};
use egui_material_icons::icons;
use std::time::Duration;

/// So many are listed; more would cost every frame.
const MAX_LISTED: usize = 200;

/// Room for a switch with its name. Unit: points.
const SWITCH_WIDTH: f32 = 142.0;

/// Of a group's name. Unit: points.
const GROUP_WIDTH: f32 = 82.0;

/// The switches of a group of overlays.
pub(super) fn switches(group: Group) -> Vec<Command> {
    let is_in = |command: &Command| command.group() == Some(group);
    Command::all().filter(is_in).collect()
}

#[derive(Debug, Default)]
pub struct NavigationPanel;

impl NavigationPanel {
    pub fn ui(&mut self, ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
        Frame::new()
            .inner_margin(Margin::symmetric(8, 6))
            .show(ui, |ui| {
                ScrollArea::vertical()
                    .auto_shrink(false)
                    .id_salt("navigation")
                    .show(ui, |ui| {
                        switches_ui(ui, state, actions);
                        ui.separator();
                        facts_ui(ui, state, actions);
                    });
            });
    }
}

fn switches_ui(ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
    let room = ui.available_width() - GROUP_WIDTH;
    let columns = (room / SWITCH_WIDTH).clamp(1.0, 7.0) as usize;
    ui.spacing_mut().item_spacing.y = 3.0;
    for group in Group::ALL {
        for (at, row) in switches(group).chunks(columns).enumerate() {
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 0.0;
                let size = vec2(GROUP_WIDTH, panel::LIST_ROW);
                let middle = egui::Layout::left_to_right(egui::Align::Center);
                ui.allocate_ui_with_layout(size, middle, |ui| {
                    ui.set_min_size(size);
                    ui.small(if at == 0 { group.title() } else { "" });
                });
                for command in row {
                    ui.allocate_ui(vec2(SWITCH_WIDTH, panel::LIST_ROW), |ui| {
                        ui.set_min_width(SWITCH_WIDTH);
                        switch_ui(ui, state, *command, actions);
                    });
                }
            });
        }
    }
    let baked = state.navigation.baked();
    if baked.is_some_and(|baked| baked.is_uneven) {
        slopes_ui(ui, state, actions);
    }
}

/// What came of the last bake.
fn facts_ui(ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
    let Some(baked) = state.navigation.baked() else {
        ui.weak("Nothing is baked yet.");
        return;
    };
    // Beside each other where there is room, else below each other.
    if ui.available_width() > 620.0 {
        ui.columns(2, |columns| {
            agents_ui(&mut columns[0], state, baked, actions);
            tests_ui(&mut columns[0], baked, actions);
            stages_ui(&mut columns[1], state, baked, actions);
        });
    } else {
        agents_ui(ui, state, baked, actions);
        tests_ui(ui, baked, actions);
        stages_ui(ui, state, baked, actions);
    }
}

/// Whether and how far paths bend where the ground is not even.
fn slopes_ui(ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
    let mut slopes = state.preferences.slopes;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.add_space(14.0);
        ui.checkbox(&mut slopes.bend, "Bend paths on slopes")
            .on_hover_text(
                "Turns paths away from steep ascent. The straight path stays as a dotted line \
                 with its waypoints; the bent one is solid.",
            );
        ui.add_enabled_ui(slopes.bend, |ui| {
            let label = ui.weak("by at most");
            label
                .clone()
                .on_hover_text("Largest angle between the path and the straight line");
            let degrees = &mut slopes.max_degrees;
            Number::new(&Slopes::DEGREES, Shared::Same(*degrees)).inline(ui, label.id, degrees);
        });
    });
    if slopes != state.preferences.slopes {
        actions.push(Action::BendPaths(slopes));
    }
}

/// The colours that a switch stands for.
fn legend(command: Command, state: &EditorState, palette: &style::Palette) -> Vec<Colour> {
    let swatch = match command {
        Command::ShowOverlay(id) => overlays::row(id).map(|row| row.swatch),
        _ => None,
    };
    let swatch = swatch.unwrap_or(Swatch::Profiles);
    swatch.colours(state.document().level(), palette)
}

/// Why an overlay shows nothing of the selected agent, if that is so.
fn absent(command: Command, state: &EditorState) -> Option<&'static str> {
    let Command::ShowOverlay(id) = command else {
        return None;
    };
    let row = overlays::row(id)?;
    let plan = state.navigation.plan_of(state.selected_agent()?)?;
    (row.absent)(plan)
}

pub(super) fn switch_ui(ui: &mut Ui, state: &EditorState, command: Command, actions: &mut Actions) {
    let look = if ui.visuals().dark_mode {
        Look::Dark
    } else {
        Look::Light
    };
    let entry = command.entry();
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let mut on = command.is_on(state).unwrap_or(false);
        let (rect, _) = ui.allocate_exact_size(vec2(10.0, 10.0), Sense::hover());
        let shown = state.navigation.visible && on;
        let colours = legend(command, state, look.palette());
        let width = rect.width() / colours.len() as f32;
        for (i, Colour { r, g, b }) in colours.into_iter().enumerate() {
            let mut part = rect;
            part.min.x += width * i as f32;
            part.max.x = part.min.x + width;
            let colour = egui::Color32::from_rgb(r, g, b);
            let colour = colour.gamma_multiply(if shown { 1.0 } else { 0.35 });
            ui.painter().rect_filled(part, 2.0, colour);
        }
        let absent = absent(command, state);
        let name = RichText::new(entry.name);
        let name = if absent.is_some() { name.weak() } else { name };
        let help = match absent {
            Some(reason) => format!("{}.\n\n{reason}.", entry.help),
            None => format!("{}.", entry.help),
        };
        if ui.checkbox(&mut on, name).on_hover_text(help).changed() {
            actions.command(command);
        }
    });
}

fn agents_ui(ui: &mut Ui, state: &EditorState, baked: &PlannedLevel, actions: &mut Actions) {
    section(ui, "Agents", |ui| {
        if baked.plans.is_empty() {
            ui.weak("No agent has a goal yet.");
        }
        let selection = state.document().selection();
        for (id, plan) in baked.plans.iter().take(MAX_LISTED) {
            let (text, good) = match plan.trouble() {
                Some((_, reason)) => (sentence(&reason.reason), Some(false)),
                None if plan.legs.is_empty() => ("no goal".to_owned(), None),
                None => (format!("{:.1} m", plan.length()), Some(true)),
            };
            row_ui(
                ui,
                &baked.level,
                *id,
                &text,
                good,
                selection.contains(*id),
                actions,
            );
        }
        more_ui(ui, baked.plans.len());
    });
}

fn tests_ui(ui: &mut Ui, baked: &PlannedLevel, actions: &mut Actions) {
    if baked.outcomes.is_empty() {
        return;
    }
    section(ui, "Navigation tests", |ui| {
        for (id, outcome) in baked.outcomes.iter().take(MAX_LISTED) {
            let text = match outcome.failures.first() {
                Some(failure) => sentence(failure),
                None => format!("holds: {}", outcome.summary),
            };
            row_ui(
                ui,
                &baked.level,
                *id,
                &text,
                Some(outcome.holds()),
                false,
                actions,
            );
        }
        more_ui(ui, baked.outcomes.len());
    });
}

fn more_ui(ui: &mut Ui, count: usize) {
    if count > MAX_LISTED {
        ui.weak(format!("… and {} more", count - MAX_LISTED));
    }
}

/// A name that selects, a sign, and what there is to say.
fn row_ui(
    ui: &mut Ui,
    level: &Level,
    id: EntityId,
    text: &str,
    good: Option<bool>,
    selected: bool,
    actions: &mut Actions,
) {
    let palette = Palette::of(ui.visuals());
    let (icon, colour) = match good {
        Some(true) => (icons::ICON_CHECK, palette.done),
        Some(false) => (icons::ICON_BLOCK, palette.error),
        None => (icons::ICON_REMOVE, palette.text_weak),
    };
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.label(icon.rich_text().size(panel::ICON).color(colour));
        let name = level.label(id);
        let clicked = ui
            .selectable_label(selected, &name)
            .on_hover_text("Select")
            .clicked();
        if clicked {
            actions.select(Selection::one(id));
        }
        let text = RichText::new(text);
        let text = if good == Some(false) {
            text.color(palette.error)
        } else {
            text.weak()
        };
        ui.add(Label::new(text).wrap());
    });
}

fn stages_ui(ui: &mut Ui, state: &EditorState, baked: &PlannedLevel, actions: &mut Actions) {
    section(ui, "Stages", |ui| {
        for time in &baked.times {
            ui.horizontal_wrapped(|ui| {
                ui.spacing_mut().item_spacing.x = 6.0;
                ui.label(stage_name(time));
                ui.weak(&time.result);
                ui.weak("·");
                ui.label(RichText::new(time_text(time.took)).monospace().size(11.5));
            });
        }
        ui.horizontal(|ui| {
            let fresh = state.navigation.freshness(state.document());
            ui.weak(match fresh {
                Freshness::Fresh => format!("All in {}.", time_text(Some(baked.took))),
                Freshness::Building => "A newer state is being baked…".to_owned(),
                Freshness::Stale => "Out of date: the bake was cancelled.".to_owned(),
            });
            let entry = Command::Bake.entry();
            let again = named_button(ui, entry.icon, entry.name).on_hover_text(entry.help);
            if again.clicked() {
                actions.command(Command::Bake);
            }
        });
    });
}

/// `Free space, radius 0.3 m`.
#[must_use]
pub fn stage_name(time: &StageTime) -> String {
    match time.radius {
        Some(radius) => format!("{}, radius {radius} m", time.stage),
        None => time.stage.to_owned(),
    }
}

/// `3.2 ms`, `410 µs`, or that nothing had to be done.
#[must_use]
pub fn time_text(took: Option<Duration>) -> String {
    let Some(took) = took else {
        return "kept".to_owned();
    };
    let micros = took.as_secs_f64() * 1e6;
    if micros < 10.0 {
        format!("{micros:.1} µs")
    } else if micros < 1000.0 {
        format!("{micros:.0} µs")
    } else if micros < 1e6 {
        format!("{:.1} ms", micros / 1000.0)
    } else {
        format!("{:.2} s", micros / 1e6)
    }
}

/// With a capital letter and a full stop.
#[must_use]
pub fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    let Some(first) = characters.next() else {
        return String::new();
    };
    let mut sentence: String = first.to_uppercase().chain(characters).collect();
    if !sentence.ends_with(['.', '!', '?']) {
        sentence.push('.');
    }
    sentence
}
