//! How each overlay is drawn from what it reads.

use super::scene::{OverlayScene, PathInput};
use crate::base::EntityId;
use crate::planner::missions::AgentPlan;
use crate::preview::constraint;
use crate::preview::corridor::{self, Body};
use crate::preview::following::{self, Moment, follows_route};
use crate::preview::nav::{self, Course, PathView, Weight, colour_of};
use crate::preview::primitive::{Plane, Sink};
use crate::preview::space::SpaceLayer;
use crate::preview::space::signs::Signs;
use crate::preview::style::Palette;
use crate::preview::voxel::{self, actions::bent_height};
use crate::sim::measures::HeatKind;

pub(super) fn paths(scene: &OverlayScene, palette: &Palette, sink: &mut dyn Sink) {
    let Some(paths) = &scene.paths else {
        return;
    };
    let is_shown = |id| paths.is_shown(id);
    let weight = paths.is_stale.then_some(Weight::Stale);
    let (mut lines, blocked) = nav::path_views(
        &paths.level,
        &paths.plans,
        is_shown,
        &paths.selection,
        weight,
        palette,
    );
    lines.extend(compared(paths));
    // What is picked out lies on top.
    lines.sort_by_key(|path| path.weight == Weight::Selected);
    for path in &lines {
        nav::draw_path(path, palette, sink);
    }
    if !paths.is_stale {
        voxel::draw_detours(&paths.plans, is_shown, palette, sink);
        voxel::draw_actions(&paths.plans, is_shown, palette, sink);
    }
    for blocked in &blocked {
        nav::draw_blocked(blocked, palette, sink);
    }
}

/// The answers of all planners on the bench.
fn compared(paths: &PathInput) -> Vec<PathView> {
    let benches = paths
        .bench
        .iter()
        .filter(|bench| paths.is_shown(bench.agent));
    let rows = benches.flat_map(|bench| bench.rows.iter().map(|row| (bench.agent, row)));
    let line = |(agent, row): (EntityId, &crate::planner::bench::Row)| {
        let figures = row.outcome.as_ref().ok()?;
        Some(PathView {
            agent: Some(agent),
            points: figures.points.clone(),
            colour: nav::method_colour(row.method),
            weight: if paths.compared == Some(row.method) {
                Weight::Selected
            } else {
                Weight::Compared
            },
            course: if row.method.bends {
                Course::Bent
            } else {
                Course::Straight
            },
        })
    };
    rows.filter_map(line).collect()
}

pub(super) fn paths_in_space(
    scene: &OverlayScene,
    signs: &Signs<'_>,
    layers: &mut Vec<SpaceLayer>,
) {
    let Some(paths) = &scene.paths else {
        return;
    };
    let is_shown = |id| paths.is_shown(id);
    layers.push(signs.paths(&paths.plans, is_shown, &paths.selection));
    if paths.is_stale {
        return;
    }
    let bent = |id| bent_height(signs.level, id);
    let (palette, origin) = (signs.palette, signs.origin);
    let mut actions = voxel::action_layer(&paths.plans, is_shown, bent, palette, origin);
    voxel::add_detours(&paths.plans, is_shown, palette, origin, &mut actions);
    layers.push(actions);
}

pub(super) fn search(scene: &OverlayScene, palette: &Palette, sink: &mut dyn Sink) {
    if let Some(search) = &scene.search {
        nav::draw_search(search, palette, sink);
    }
}

pub(super) fn skipped(scene: &OverlayScene, palette: &Palette, sink: &mut dyn Sink) {
    let Some(paths) = &scene.paths else {
        return;
    };
    for (agent, plan) in paths.of_agents() {
        for followed in following::followed(&paths.level, agent, plan) {
            following::draw_followed(&followed, palette, sink);
        }
    }
}

pub(super) fn sight(scene: &OverlayScene, palette: &Palette, sink: &mut dyn Sink) {
    for_each_moment(scene, palette, sink, following::draw_sight);
}

pub(super) fn candidates(scene: &OverlayScene, palette: &Palette, sink: &mut dyn Sink) {
    for_each_moment(scene, palette, sink, following::draw_candidates);
}

fn for_each_moment(
    scene: &OverlayScene,
    palette: &Palette,
    sink: &mut dyn Sink,
    draw: fn(&Moment, &Palette, &mut dyn Sink),
) {
    let Some(moments) = &scene.moments else {
        return;
    };
    let planned = &*moments.planned;
    for (agent, at) in &moments.of {
        let plan = planned.plans.get(agent);
        let moment = plan.and_then(|plan| following::moment(planned, *agent, plan, *at));
        if let Some(moment) = moment {
            draw(&moment, palette, sink);
            let colour = colour_of(&planned.level, *agent, palette);
            following::draw_points(&moment, colour, palette, sink);
        }
    }
}

pub(super) fn free_space(scene: &OverlayScene, palette: &Palette, sink: &mut dyn Sink) {
    if let Some(space) = &scene.space {
        nav::draw_free_space(&space.free, palette, sink);
    }
}

pub(super) fn trapezoids(scene: &OverlayScene, palette: &Palette, sink: &mut dyn Sink) {
    if let Some(space) = &scene.space {
        nav::draw_cells(&space.plain, Plane::Trapezoids, palette, sink);
    }
}

pub(super) fn merged_cells(scene: &OverlayScene, palette: &Palette, sink: &mut dyn Sink) {
    if let Some(space) = &scene.space {
        nav::draw_cells(&space.merged, Plane::Cells, palette, sink);
    }
}

pub(super) fn portals(scene: &OverlayScene, palette: &Palette, sink: &mut dyn Sink) {
    if let Some(space) = &scene.space {
        nav::draw_portals(&space.merged, palette, sink);
    }
}

pub(super) fn medial_axis(scene: &OverlayScene, palette: &Palette, sink: &mut dyn Sink) {
    let Some((input, map)) = scene.corridors.as_ref().and_then(|i| Some((i, i.map()?))) else {
        return;
    };
    let parts = input.body.map(|radius| map.components(radius));
    let body = parts.as_ref().map(|components| Body {
        radius: components.radius(),
        components,
    });
    corridor::draw_axis(map, body, palette, sink);
}

pub(super) fn spokes(scene: &OverlayScene, palette: &Palette, sink: &mut dyn Sink) {
    if let Some(map) = scene.corridors.as_ref().and_then(|input| input.map()) {
        corridor::draw_spokes(map, palette, sink);
    }
}

pub(super) fn pinches(scene: &OverlayScene, palette: &Palette, sink: &mut dyn Sink) {
    let Some(input) = &scene.corridors else {
        return;
    };
    if let Some(radius) = input.body {
        corridor::draw_closed(&input.pinches, radius, palette, sink);
    }
    if let Some(pinch) = &input.picked {
        corridor::draw_pinch(pinch, palette, sink);
    }
}

/// What the planner answered with, not a corridor searched for once more.
pub(super) fn corridors(scene: &OverlayScene, palette: &Palette, sink: &mut dyn Sink) {
    let Some(paths) = &scene.paths else {
        return;
    };
    for (_, plan) in paths.of_agents() {
        let traces = plan.paths().filter_map(|path| path.trace.as_deref());
        for corridor in traces.filter_map(|trace| trace.corridor.as_deref()) {
            corridor::draw_corridor(corridor, palette, sink);
        }
    }
}

pub(super) fn forces(scene: &OverlayScene, palette: &Palette, sink: &mut dyn Sink) {
    let Some(forces) = &scene.forces else {
        return;
    };
    for step in &forces.steps {
        corridor::draw_forces(step, forces.pixel, palette, sink);
    }
}

/// What lengths are multiplied by where the agent's session searched.
pub(super) fn field(scene: &OverlayScene, palette: &Palette, sink: &mut dyn Sink) {
    if let Some(field) = &scene.field {
        field.draw(palette, sink);
    }
}

pub(super) fn constraints(scene: &OverlayScene, palette: &Palette, sink: &mut dyn Sink) {
    if let Some(terms) = &scene.constraints {
        constraint::draw_regions(terms, palette, sink);
    }
}

pub(super) fn constraints_in_space(
    scene: &OverlayScene,
    signs: &Signs<'_>,
    layers: &mut Vec<SpaceLayer>,
) {
    if let Some(terms) = &scene.constraints {
        layers.push(constraint::regions_in_space(terms, signs));
    }
}

pub(super) fn states(scene: &OverlayScene, palette: &Palette, sink: &mut dyn Sink) {
    if let Some(states) = &scene.states {
        constraint::draw_states(states, palette, sink);
    }
}

pub(super) fn focus(scene: &OverlayScene, palette: &Palette, sink: &mut dyn Sink) {
    if let Some(focus) = &scene.focus {
        constraint::draw_focus(focus, palette, sink);
    }
}

pub(super) fn hours(scene: &OverlayScene, palette: &Palette, sink: &mut dyn Sink) {
    let Some(paths) = scene.paths.as_ref().filter(|paths| !paths.is_stale) else {
        return;
    };
    let shown = paths.plans.iter().filter(|(id, _)| paths.is_shown(**id));
    for (agent, plan) in shown {
        constraint::draw_hours(&paths.level, *agent, plan, palette, sink);
    }
}

pub(super) fn heat(scene: &OverlayScene, kind: HeatKind, palette: &Palette, sink: &mut dyn Sink) {
    if let Some(map) = scene.heat.as_ref().and_then(|set| set.map(kind)) {
        map.draw(palette, sink);
    }
}

pub(super) fn heat_in_space(
    scene: &OverlayScene,
    kind: HeatKind,
    signs: &Signs<'_>,
    layers: &mut Vec<SpaceLayer>,
) {
    if let Some(map) = scene.heat.as_ref().and_then(|set| set.map(kind)) {
        layers.push(map.in_space(signs));
    }
}

pub(super) fn no_constraints(plan: &AgentPlan) -> Option<&'static str> {
    if constraint::request_of(plan).is_none() {
        return Some("This planner ignores constraints");
    }
    constraint::field_of(plan)
        .is_none()
        .then_some("No constraint of this agent acts now")
}

pub(super) fn no_corridor(plan: &AgentPlan) -> Option<&'static str> {
    let mut traces = plan.paths().filter_map(|path| path.trace.as_ref());
    let any = traces.any(|trace| trace.corridor.is_some());
    (!any).then_some("This planner uses no corridor")
}

pub(super) fn no_forces(plan: &AgentPlan) -> Option<&'static str> {
    let any = plan.paths().any(|path| path.trace.is_some());
    (!any).then_some("This planner has no forces")
}

pub(super) fn no_route(plan: &AgentPlan) -> Option<&'static str> {
    let any = plan.paths().any(follows_route);
    (!any).then_some("This agent follows no route")
}
