//! Statistics of an agent's path, or why there is none; results of tests.

use super::constrained;
use super::geometry::value_ui;
use crate::base::EntityId;
use crate::document::{Entity, Kind, Selection};
use crate::editor::Actions;
use crate::editor::navigation::Navigation;
use crate::editor::panels::field::button::named_button;
use crate::editor::panels::field::row::refusal_ui;
use crate::editor::panels::field::section;
use crate::editor::panels::form::Form;
use crate::editor::panels::navigation::sentence;
use crate::editor::panels::playback::clock;
use crate::editor::panels::terrain_bar::terrain_bar_ui;
use crate::planner::human::Change;
use crate::planner::missions::AgentPlan;
use crate::planner::trace::{Event, EventKind};
use crate::preview::following::{self, Followed, weight_text};
use crate::preview::shares;
use egui::Ui;
use egui_material_icons::icons;

pub fn ui(ui: &mut Ui, form: &mut Form<'_, Entity>, navigation: &Navigation) {
    let Some((id, entity)) = form.single() else {
        return;
    };
    match entity.kind {
        Kind::Agent(_) => {
            section(ui, "Path", |ui| agent_ui(ui, id, form.actions, navigation));
        }
        Kind::Test(_) => {
            section(ui, "Outcome", |ui| test_ui(ui, id, navigation));
        }
        _ => {}
    }
}

fn agent_ui(ui: &mut Ui, id: EntityId, actions: &mut Actions, navigation: &Navigation) {
    let Some(plan) = navigation.plan_of(id) else {
        ui.weak("Not planned yet.");
        return;
    };
    if navigation.is_stale() {
        // Belongs to another state of the level: the current one is being planned.
        ui.weak("Replanning…");
        ui.set_opacity(0.4);
    }
    if let Some((_, reason)) = plan.trouble() {
        refusal_ui(ui, &sentence(&reason.reason));
        let between = reason.gap.map_or([None, None], |gap| gap.between);
        let culprits: Selection = reason
            .blocker
            .into_iter()
            .chain(between.into_iter().flatten())
            .collect();
        if !culprits.is_empty()
            && named_button(ui, icons::ICON_CENTER_FOCUS_STRONG, "Select the blocker").clicked()
        {
            actions.select(culprits);
        }
        return;
    }
    if plan.legs.is_empty() {
        ui.weak("It has no goal; add one below.");
        return;
    }
    value_ui(ui, "Length", &format!("{:.2} m", plan.length()));
    changes_ui(ui, plan, navigation);
    let shares = navigation
        .baked()
        .map_or_else(Vec::new, |baked| shares::of_plan(baked, id, plan));
    if !shares.is_empty() {
        let cost: f64 = shares.iter().map(|share| share.cost).sum();
        value_ui(ui, "Cost", &weight_text(cost));
    }
    match plan.walked_secs() {
        Some(secs) => value_ui(ui, "Time", &clock(secs)),
        None => value_ui(ui, "Waypoints", &plan.waypoints().to_string()),
    }
    let clearance = plan.min_clearance();
    if clearance.is_finite() {
        value_ui(ui, "Clearance", &format!("{clearance:.2} m at least"));
    }
    terrain_bar_ui(ui, &shares);
    constrained::ui(ui, id, plan, navigation, actions);
    remarks_ui(ui, plan);
    if let Some(baked) = navigation.baked() {
        for followed in following::followed(&baked.level, id, plan) {
            followed_ui(ui, &followed);
        }
    }
}

/// What was asked for and is not kept.
fn remarks_ui(ui: &mut Ui, plan: &AgentPlan) {
    let warning = crate::editor::theme::Palette::of(ui.visuals()).warning;
    for path in plan.legs.iter().filter_map(|leg| leg.answer.path()) {
        for remark in &path.remarks {
            let text = egui::RichText::new(sentence(&remark.text)).color(warning);
            ui.add(egui::Label::new(text).wrap());
        }
    }
}

/// How it avoids what has moved, if it is already under way.
fn changes_ui(ui: &mut Ui, plan: &AgentPlan, navigation: &Navigation) {
    let Some(baked) = navigation.baked() else {
        return;
    };
    let label = |id| baked.level.label(id);
    let palette = crate::editor::theme::Palette::of(ui.visuals());
    for change in &plan.changes {
        let (colour, words, more) = match change {
            Change::Repaired(detour) => (
                palette.warning,
                sentence(&detour.sentence(label)),
                format!(
                    "An agent under way takes {:.1} m instead of {:.1} m: the marked line instead of \
                     the dashed one; {} cells were searched.",
                    detour.length(),
                    detour.old_length(),
                    detour.expanded
                ),
            ),
            Change::Lost(loss) => (
                palette.error,
                sentence(&loss.sentence(label)),
                "Agents already under way wait until the path is free again.".to_owned(),
            ),
            Change::None | Change::Other => continue,
        };
        let text = egui::RichText::new(words).color(colour);
        ui.add(egui::Label::new(text).wrap()).on_hover_text(more);
    }
}

/// What became of its route, as sentences.
fn followed_ui(ui: &mut Ui, followed: &Followed) {
    let longest = followed.longest_leap;
    let total: f64 = followed.skipped_lengths.iter().sum();
    let palette = crate::editor::theme::Palette::of(ui.visuals());
    let mut remarks = Vec::new();
    if !followed.computed.is_empty() {
        remarks.push((
            palette.text_weak,
            "It has no route: it follows a computed one, shown dashed.".to_owned(),
        ));
    }
    if let Some(first) = followed.connections.first() {
        let length: f64 = first.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
        let words = format!("It starts off its route: the dotted line leads {length:.1} m to it.");
        // The planner's own remark says the same.
        let is_said = |event: &Event| event.kind == EventKind::Noted && event.at == first[0];
        if followed.starts_beside && !followed.events.iter().any(is_said) {
            remarks.push((palette.text_weak, words));
        }
    }
    if longest > 0.0 {
        let words = match followed.skipped_lengths.len() {
            1 => format!("It skips {total:.1} m of its route."),
            count => format!(
                "It leaves out {total:.1} m of its route in {count} places, at most {longest:.1} m \
                 at once."
            ),
        };
        remarks.push((palette.text_weak, words));
    }
    for event in &followed.events {
        let colour = match event.kind {
            EventKind::Stuck => palette.error,
            EventKind::Recovered => palette.warning,
            EventKind::Skipped | EventKind::Noted => palette.text_weak,
        };
        remarks.push((colour, sentence(&event.text)));
    }
    for (colour, words) in remarks {
        ui.add(egui::Label::new(egui::RichText::new(words).color(colour)).wrap());
    }
}

fn test_ui(ui: &mut Ui, id: EntityId, navigation: &Navigation) {
    let outcome = navigation.baked().and_then(|baked| baked.outcomes.get(&id));
    let Some(outcome) = outcome else {
        ui.weak("Not run yet.");
        return;
    };
    if outcome.holds() {
        ui.horizontal(|ui| {
            let palette = crate::editor::theme::Palette::of(ui.visuals());
            ui.label(icons::ICON_CHECK.rich_text().color(palette.done));
            ui.label(format!("Passed: {}.", outcome.summary));
        });
    }
    for failure in &outcome.failures {
        refusal_ui(ui, &sentence(failure));
    }
}
