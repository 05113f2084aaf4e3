//! What the pointer says about the path that it rests on.

use crate::base::EntityId;
use crate::editor::EditorState;
use crate::editor::panels::terrain_bar::terrain_bar_ui;
use crate::geometry::Rect;
use crate::interaction::ToolKind;
use crate::planner::missions::AgentPlan;
use crate::preview::OverlayId;
use crate::preview::following::{nearest_time, weight_text};
use crate::preview::shares::{self, profile_of};
use egui::{Response, RichText, Ui};
use glam::DVec2;

/// How near a path the pointer must be. Unit: points.
const REACH: f64 = 6.0;
const WIDTH: f32 = 300.0;

/// The agent whose path is under the pointer, where paths are shown and nothing is drawn or
/// dragged.
#[must_use]
pub fn hovered_path(state: &EditorState) -> Option<EntityId> {
    let navigation = &state.navigation;
    let looks = matches!(
        state.toolbox.current(),
        ToolKind::Select | ToolKind::Measure
    );
    // Figures would only cover agents that move.
    let is_playing = navigation.player.clock.is_playing();
    if !looks || is_playing || state.toolbox.is_dragging() || !navigation.visible {
        return None;
    }
    let at = state.view.pointer?;
    let baked = navigation.baked()?;
    let level = state.document().level();
    let selection = state.document().selection();
    let reach = state.view.camera.metres(REACH);
    baked
        .plans
        .iter()
        .filter(|_| navigation.overlays.contains(OverlayId::PATHS))
        .filter(|(id, _)| navigation.all_paths || selection.contains(**id))
        .filter(|(id, _)| level.is_visible(**id))
        .filter_map(|(id, plan)| {
            let distance = distance(plan, at, reach)?;
            Some((*id, distance, selection.contains(*id)))
        })
        // Of several in one place, the one that is picked out.
        .min_by(|a, b| b.2.cmp(&a.2).then(a.1.total_cmp(&b.1)))
        .map(|(id, ..)| id)
}

/// How far a plan's path is from a place; `None` beyond reach.
fn distance(plan: &AgentPlan, at: DVec2, reach: f64) -> Option<f64> {
    plan.paths()
        .filter(|path| {
            let bounds = path.points.iter().fold(Rect::EMPTY, |all, point| {
                let point = point.truncate();
                all.union(&Rect::new(point, point))
            });
            bounds.expanded(reach).contains(at)
        })
        .filter_map(|path| nearest_time(path, at))
        .map(|(_, distance)| distance)
        .filter(|distance| *distance <= reach)
        .min_by(f64::total_cmp)
}

/// Shows the figures of the path under a pointer that rests.
pub fn path_tip_ui(response: &Response, state: &EditorState) {
    let Some(agent) = hovered_path(state) else {
        return;
    };
    response
        .clone()
        .on_hover_ui_at_pointer(|ui| tip_ui(ui, state, agent));
}

fn tip_ui(ui: &mut Ui, state: &EditorState, agent: EntityId) {
    let Some(baked) = state.navigation.baked() else {
        return;
    };
    let (Some(plan), Some(profile)) = (baked.plans.get(&agent), profile_of(&baked.level, agent))
    else {
        return;
    };
    let shares = shares::of_plan(baked, agent, plan);
    // The bar of terrains needs room, a length alone does not.
    if !shares.is_empty() {
        ui.set_width(WIDTH);
    }
    ui.horizontal(|ui| {
        ui.label(RichText::new(baked.level.label(agent)).strong());
        ui.weak(baked.level.label(profile));
    });
    let length = plan.length();
    let cost: f64 = shares.iter().map(|share| share.cost).sum();
    if shares.is_empty() {
        ui.label(format!("{length:.1} m"));
    } else {
        ui.label(format!("{length:.1} m, cost {}", weight_text(cost)));
        terrain_bar_ui(ui, &shares);
    }
}
