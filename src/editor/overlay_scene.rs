//! What the window's overlays are drawn from: the last bake, the selection, the player, the pointer.

use super::navigation::Navigation;
use crate::base::EntityId;
use crate::document::{KindName, Level, Selection};
use crate::planner::missions::Plans;
use crate::preview::overlays::{
    CorridorInput, ForceInput, MomentInput, OverlayScene, PathInput, VoxelInput,
};
use crate::sim::LegTime;
use glam::DVec2;
use std::collections::BTreeSet;
use std::sync::Arc;

/// How near an agent's path the pointer must be to show what the agent sees there. Unit: points.
const POINTER_REACH: f64 = 60.0;

/// Which agents are hidden, and the level and plans that this was found out for.
#[derive(Debug, Default)]
pub struct HiddenAgents {
    of: Option<(Arc<Level>, Arc<Plans>)>,
    agents: Arc<BTreeSet<EntityId>>,
}

impl HiddenAgents {
    fn of(&mut self, level: &Arc<Level>, plans: &Arc<Plans>) -> Arc<BTreeSet<EntityId>> {
        let is_known = self.of.as_ref().is_some_and(|(known, known_plans)| {
            Arc::ptr_eq(known, level) && Arc::ptr_eq(known_plans, plans)
        });
        if !is_known {
            let is_hidden = |id: &EntityId| !level.is_visible(*id);
            self.agents = Arc::new(plans.keys().copied().filter(is_hidden).collect());
            self.of = Some((Arc::clone(level), Arc::clone(plans)));
        }
        Arc::clone(&self.agents)
    }
}

/// Where a view looks from.
#[derive(Clone, Copy, Debug, Default)]
pub struct ViewOf {
    pub pointer: Option<DVec2>,
    /// The size of a point. Unit: metres.
    pub pixel: f64,
}

impl Navigation {
    /// What overlays read, for the level as it is now.
    #[must_use]
    pub fn overlay_scene(
        &self,
        level: &Arc<Level>,
        selection: &Selection,
        view: ViewOf,
        hidden: &mut HiddenAgents,
    ) -> OverlayScene {
        let mut scene = OverlayScene {
            level: Some(Arc::clone(level)),
            space: self.shown_space(selection).cloned(),
            search: self.bench.search().cloned(),
            ..OverlayScene::default()
        };
        self.constraints.fill(&mut scene);
        scene.heat = self.player.heat().cloned();
        if let Some(charted) = self.corridors.charted() {
            scene.corridors = Some(CorridorInput {
                shared: Arc::clone(charted.shared()),
                pinches: Arc::clone(&charted.pinches),
                body: self.corridors.body,
                picked: self.corridors.pinch,
            });
        }
        if let Some(shown) = self.voxels.shown() {
            scene.voxels = Some(VoxelInput {
                report: shown.chart.clone(),
                storey: self.voxels.storey,
            });
        }
        if let Some(planned) = self.baked_for(level) {
            let plans = self.plans_of(planned);
            scene.paths = Some(PathInput {
                level: Arc::clone(&planned.level),
                plans: Arc::clone(plans),
                hidden: hidden.of(level, plans),
                all: self.all_paths,
                selection: selection.clone(),
                agents: selection
                    .iter()
                    .filter(|id| plans.contains_key(id))
                    .collect(),
                is_stale: self.is_stale(),
                bench: self.bench.shown().cloned(),
                compared: self.bench.picked,
            });
            scene.moments = Some(MomentInput {
                planned: Arc::clone(planned),
                of: self.moment(level, selection, view).into_iter().collect(),
            });
        }
        if self.player.is_shown() {
            let is_agent = |id: &EntityId| level.kind_of(*id) == Some(KindName::Agent);
            let selected = selection.iter().find(is_agent);
            scene.forces = Some(ForceInput {
                steps: self.player.trace_steps(selected),
                pixel: view.pixel,
            });
        }
        scene
    }

    /// The step of the selected agent that follows a route: one picture for each, however often
    /// the time is asked for.
    fn moment(
        &self,
        level: &Arc<Level>,
        selection: &Selection,
        view: ViewOf,
    ) -> Option<(EntityId, LegTime)> {
        let reach = POINTER_REACH * view.pixel;
        let (agent, at) = self.following_at(selection, view.pointer, reach)?;
        let plan = self.baked_for(level)?.plans.get(&agent)?;
        let path = plan.legs.get(at.leg)?.answer.path()?;
        let step = path.trace.as_ref()?.step_at(at.secs)?;
        let at = LegTime {
            leg: at.leg,
            secs: step.time,
        };
        level.is_visible(agent).then_some((agent, at))
    }
}
