//! Overlays in pictures without a window.

use super::row::{Inputs, PlanDrawing, SpaceDrawing};
use super::scene::{CorridorInput, ForceInput, MomentInput, OverlayScene, PathInput, VoxelInput};
use super::set::Overlays;
use crate::base::EntityId;
use crate::document::{Level, Selection};
use crate::jobs::{Cancelled, JobContext};
use crate::nav::{BakeRequest, Needs, ProfileSet};
use crate::planner::human::{Subject, VoxelReport};
use crate::planner::missions::AgentPlan;
use crate::planner::queries::radius_of;
use crate::planner::{PlannedLevel, missions};
use crate::preview::constraint::{FieldMap, StateMap, acting, field_of, request_of};
use crate::preview::primitive::Sink;
use crate::preview::space::SpaceLayer;
use crate::preview::space::signs::Signs;
use crate::preview::style::Palette;
use crate::preview::voxel::{self, CellLayer};
use crate::sim::{LegTime, Playback, Recording};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Of what and when a picture is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PictureOf {
    /// Whose free space and cells are shown; those of the smallest body, if none.
    pub profile: Option<EntityId>,
    /// Agents are shown where they are so long after they set out; at their starts, if not said.
    /// Unit: seconds.
    pub at: Option<f64>,
    /// Of voxels, only those of this storey, counted from 0; all, if none.
    pub storey: Option<usize>,
    /// The size of a pixel. Unit: metres.
    pub pixel: f64,
}

/// The bake that the overlays of a picture read: for the level's agents and, if it is none of
/// theirs, for the profile that is shown.
#[must_use]
pub fn picture_bake(
    level: &Arc<Level>,
    shown: &Overlays,
    profile: Option<EntityId>,
) -> BakeRequest<'static> {
    let mut request = missions::bake_request(Arc::clone(level));
    if shown.read(MAP) {
        request.needs |= Needs::CORRIDORS;
    }
    if shown.read(Inputs::VOXELS) {
        request.needs |= Needs::VOXELS;
    }
    if let Some(profile) = profile {
        let mut radii: Vec<f64> = request.profiles.radii(level).into_values().collect();
        radii.push(radius_of(level, profile));
        request.profiles = ProfileSet::Radii(radii);
    }
    request
}

/// Posts of a field along the longer side of a level.
const POSTS: usize = 256;

/// What takes the corridor map.
const MAP: Inputs = Inputs::CORRIDORS.and(Inputs::PINCHES);

/// What the overlays of a picture are drawn from; only what they read is made.
///
/// # Errors
/// The job was cancelled.
pub fn picture_scene(
    planned: &Arc<PlannedLevel>,
    shown: &Overlays,
    of: &PictureOf,
    ctx: &JobContext,
) -> Result<OverlayScene, Cancelled> {
    let level = &planned.level;
    let is_hidden = |id: &EntityId| !level.is_visible(*id);
    let (hidden, agents): (BTreeSet<_>, BTreeSet<_>) =
        planned.plans.keys().copied().partition(is_hidden);
    let space = match of.profile {
        Some(profile) => planned.space_of(profile),
        None => planned.bundle.spaces().next(),
    };
    let mut scene = OverlayScene {
        level: Some(Arc::clone(level)),
        space: space.cloned(),
        ..OverlayScene::default()
    };
    if shown.read(MAP) {
        // A level whose map cannot be made shows none.
        let corridors = planned.bundle.corridors().ok();
        scene.corridors = corridors.map(|corridors| CorridorInput {
            shared: Arc::clone(planned.bundle.shared()),
            pinches: Arc::new(corridors.map.pinch_points()),
            body: of.profile.and(space.map(|space| space.radius)),
            picked: None,
        });
    }
    if shown.read(Inputs::VOXELS) {
        let subject = Subject::of(level, of.profile);
        // A level too large for cells shows none.
        if let Ok(mut report) = VoxelReport::of(&planned.bundle, subject, ctx)? {
            if shown.cells().contains(&CellLayer::Lost) {
                report = report.with_exact(&planned.bundle, ctx)?;
            }
            scene.voxels = Some(VoxelInput {
                report,
                storey: of.storey,
            });
        }
    }
    let shown_plans = || {
        agents
            .iter()
            .filter_map(|id| Some((*id, planned.plans.get(id)?)))
    };
    let constrained = |(_, plan): &(EntityId, &Arc<AgentPlan>)| field_of(plan).is_some();
    let subject = shown_plans().find(constrained);
    if let Some((agent, plan)) = subject {
        if shown.read(Inputs::FIELD)
            && let (Some(field), Some(request)) = (field_of(plan), request_of(plan))
        {
            let whose = level.label(agent);
            let area = level.settings().bounds;
            let map = FieldMap::of(field, whose, area, POSTS, request.start.z, ctx)?;
            scene.field = Some(Arc::new(map));
        }
        if shown.read(Inputs::STATES) {
            scene.states = Some(Arc::new(StateMap::of_plan(plan)));
        }
    }
    if shown.read(Inputs::CONSTRAINTS) {
        let terms = acting(shown_plans().map(|(_, plan)| plan));
        scene.constraints = Some(Arc::new(terms));
    }
    let recording = Arc::new(Recording::of_plans(level, &planned.plans));
    let playback = Playback::of(recording);
    let time = of.at.unwrap_or(0.0);
    let moment = playback.moment(time);
    let at = |agent: &EntityId| {
        let shown = moment.pose(*agent);
        (
            *agent,
            shown.map_or_else(LegTime::default, |shown| shown.leg),
        )
    };
    scene.moments = Some(MomentInput {
        planned: Arc::clone(planned),
        of: agents.iter().map(at).collect(),
    });
    let steps = |agent: &EntityId| playback.trace_steps(*agent, time);
    scene.forces = Some(ForceInput {
        steps: agents.iter().flat_map(steps).collect(),
        pixel: of.pixel,
    });
    scene.moment = of.at.is_some().then_some(moment);
    scene.paths = Some(PathInput {
        level: Arc::clone(level),
        plans: Arc::clone(&planned.plans),
        hidden: Arc::new(hidden),
        all: true,
        selection: Selection::default(),
        agents: agents.into_iter().collect(),
        is_stale: false,
        bench: None,
        compared: None,
    });
    Ok(scene)
}

/// Draws what is shown over a plan. Fields, which lie under the level, are not among it.
pub fn draw_plan(scene: &OverlayScene, shown: &Overlays, palette: &Palette, sink: &mut dyn Sink) {
    for row in shown.rows() {
        match row.plan {
            PlanDrawing::Shapes(draw) => draw(&scene.restricted(row.inputs), palette, sink),
            PlanDrawing::Cells(cells) => {
                if let Some(voxels) = &scene.voxels {
                    voxel::draw_cells(&voxels.view(), cells, palette, sink);
                }
            }
            PlanDrawing::Field(_) => {}
        }
    }
}

/// What is shown in space.
#[must_use]
pub fn draw_space(scene: &OverlayScene, shown: &Overlays, signs: &Signs<'_>) -> Vec<SpaceLayer> {
    let mut layers = Vec::new();
    for row in shown.rows() {
        match row.space {
            SpaceDrawing::Nothing => {}
            SpaceDrawing::Layers(draw) => {
                draw(&scene.restricted(row.inputs), signs, &mut layers);
            }
            SpaceDrawing::Cells(cells) => {
                if let Some(voxels) = &scene.voxels {
                    let view = voxels.view();
                    layers.extend(voxel::space_layers(
                        &view,
                        cells,
                        signs.palette,
                        signs.origin,
                    ));
                }
            }
        }
    }
    layers
}
