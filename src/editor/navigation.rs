//! Navigation while one draws: what is shown of it, and what is known at a place.

use super::Editor;
use super::baking::Bake;
pub use super::baking::Freshness;
use super::bench_view::BenchView;
use super::constraint_view::ConstraintView;
use super::corridor_view::CorridorView;
use super::player::Player;
use super::voxel_view::VoxelView;
use crate::base::EntityId;
use crate::document::{Document, Kind, Level, Selection};
use crate::jobs::JobId;
use crate::nav::{BakeQuality, NavSpace};
use crate::planner::missions::{AgentPlan, Plans};
pub use crate::planner::planned_level::PlannedLevel;
use crate::preview::Overlays;
use glam::DVec2;
use std::sync::Arc;

/// What navigation shows and knows.
#[derive(Debug)]
pub struct Navigation {
    pub(super) bake: Bake,
    /// Whether anything is shown at all.
    pub visible: bool,
    /// Which overlays are switched on.
    pub overlays: Overlays,
    /// Paths of all agents, or only of those that are selected.
    pub all_paths: bool,
    /// All planners on the selected agent's mission.
    pub bench: BenchView,
    /// The corridor map and what is shown of it.
    pub corridors: CorridorView,
    /// Fields, regions and searches of constraints.
    pub constraints: ConstraintView,
    /// What bodies make of the level in cells.
    pub voxels: VoxelView,
    /// Agents under way.
    pub player: Player,
}

impl Default for Navigation {
    fn default() -> Self {
        Self {
            bake: Bake::default(),
            visible: true,
            overlays: Overlays::usual(),
            all_paths: true,
            bench: BenchView::default(),
            corridors: CorridorView::default(),
            constraints: ConstraintView::default(),
            voxels: VoxelView::default(),
            player: Player::default(),
        }
    }
}

impl Navigation {
    /// Void for another level; what is switched on stays on.
    pub(super) fn forget(&mut self) {
        self.corridors.forget();
        self.voxels.forget();
        self.player.forget();
        *self = Self {
            visible: self.visible,
            overlays: std::mem::take(&mut self.overlays),
            all_paths: self.all_paths,
            corridors: std::mem::take(&mut self.corridors),
            voxels: std::mem::take(&mut self.voxels),
            player: std::mem::take(&mut self.player),
            ..Self::default()
        };
    }

    /// What was baked last, which may be of an older state.
    #[must_use]
    pub fn baked(&self) -> Option<&Arc<PlannedLevel>> {
        self.bake.last()
    }

    /// The overlays that are to be seen.
    #[must_use]
    pub fn shown_overlays(&self) -> &Overlays {
        static NONE: Overlays = Overlays::NONE;
        if self.visible { &self.overlays } else { &NONE }
    }

    /// What to paint with a level: what was baked last, but after a drag that was given up in
    /// this very frame what was baked before it.
    #[must_use]
    pub fn baked_for(&self, level: &Arc<Level>) -> Option<&Arc<PlannedLevel>> {
        self.bake.of(level)
    }

    #[must_use]
    pub fn freshness(&self, document: &Document) -> Freshness {
        self.bake.freshness(document)
    }

    /// What is shown has been out of date for so long that it must be marked.
    #[must_use]
    pub fn is_stale(&self) -> bool {
        self.bake.is_stale()
    }

    /// The bake that is under way.
    #[must_use]
    pub fn task(&self) -> Option<JobId> {
        self.bake.job()
    }

    /// Shows a bake that is known already.
    pub fn set_baked(&mut self, baked: Arc<PlannedLevel>) {
        self.bake.set(baked);
    }

    pub fn take_baked(&mut self) -> Option<Arc<PlannedLevel>> {
        self.bake.take()
    }

    #[must_use]
    pub fn plan_of(&self, agent: EntityId) -> Option<&Arc<AgentPlan>> {
        self.plans_of(self.baked()?).get(&agent)
    }

    /// The plans of a bake; for agents that were re-routed under way, the plans as repaired.
    #[must_use]
    pub fn plans_of<'a>(&'a self, baked: &'a Arc<PlannedLevel>) -> &'a Arc<Plans> {
        self.player.live_plans().unwrap_or(&baked.plans)
    }

    /// The space that overlays and the probe show: of the selected agent, else the smallest.
    #[must_use]
    pub fn shown_space(&self, selection: &Selection) -> Option<&Arc<NavSpace>> {
        let baked = self.baked()?;
        let profile = |id: EntityId| match &baked.level.get(id)?.kind {
            Kind::Agent(agent) => Some(agent.mission.profile),
            Kind::Crowd(crowd) => Some(crowd.mission.profile),
            Kind::Profile(_) => Some(id),
            _ => None,
        };
        selection
            .iter()
            .find_map(profile)
            .and_then(|profile| baked.space_of(profile))
            .or_else(|| baked.bundle.spaces().next())
    }

    /// What is at a place, in a few words; `None` while nothing is shown.
    #[must_use]
    pub fn probe(&self, selection: &Selection, at: DVec2) -> Option<Probe> {
        if !self.visible {
            return None;
        }
        let space = self.shown_space(selection)?;
        // While something is dragged, spaces last for a frame: too short to be read, and what
        // finds a place in them would have to be made here.
        if space.quality == BakeQuality::Preview {
            return None;
        }
        let cell = space.merged.locate(at);
        Some(Probe {
            radius: space.radius,
            cell: cell.map(|cell| cell.0),
            component: cell.map(|cell| space.merged.component(cell)),
            clearance: space.free.clearance(at),
        })
    }
}

/// What a place on the plan is to a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Probe {
    pub radius: f64,
    pub cell: Option<u32>,
    pub component: Option<u32>,
    /// To what is drawn, not to its grown outline. Unit: metres.
    pub clearance: f64,
}

impl Editor {
    /// Keeps everything that follows from the bake current: maps, cells, recordings, the bench.
    pub(super) fn keep_navigation_current(&mut self, ctx: &egui::Context) {
        if !self.state.level_is_open() {
            return;
        }
        self.keep_corridors_current();
        self.keep_baked(ctx);
        self.keep_constraints_current(ctx);
        self.keep_voxels_current(ctx);
        self.keep_playback_current(ctx);
        self.keep_bench_current(ctx);
    }
}
