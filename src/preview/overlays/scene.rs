//! What overlays are drawn from. The window fills it with what is shown there, pictures with what
//! was baked for them.

use super::row::Inputs;
use crate::base::EntityId;
use crate::document::{Level, Selection};
use crate::nav::constraint::Term;
use crate::nav::corridor::{CorridorMap, Pinch};
use crate::nav::{NavSpace, SharedNav};
use crate::planner::bench::{Bench, Method};
use crate::planner::human::VoxelReport;
use crate::planner::missions::{AgentPlan, Plans};
use crate::planner::trace::TraceStep;
use crate::planner::{PlannedLevel, SearchView};
use crate::preview::constraint::{FieldMap, Focus, StateMap};
use crate::preview::crowd::{CrowdView, HeatSet};
use crate::preview::voxel::CellView;
use crate::sim::{LegTime, Moment};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Everything that an overlay may read; see [`Inputs`].
#[derive(Clone, Debug, Default)]
pub struct OverlayScene {
    pub level: Option<Arc<Level>>,
    pub space: Option<Arc<NavSpace>>,
    pub corridors: Option<CorridorInput>,
    pub voxels: Option<VoxelInput>,
    pub paths: Option<PathInput>,
    pub search: Option<Arc<SearchView>>,
    pub moments: Option<MomentInput>,
    pub forces: Option<ForceInput>,
    pub field: Option<Arc<FieldMap>>,
    /// Of the agents that are shown, each once.
    pub constraints: Option<Arc<Vec<Term>>>,
    pub states: Option<Arc<StateMap>>,
    pub focus: Option<Focus>,
    pub heat: Option<Arc<HeatSet>>,
    /// Agents under way, which are drawn with the level's own; no overlay reads it.
    pub moment: Option<Moment>,
    /// How these are shown.
    pub crowd: CrowdView,
}

#[derive(Clone, Debug)]
pub struct CorridorInput {
    pub shared: Arc<SharedNav>,
    /// Narrowest first.
    pub pinches: Arc<Vec<Pinch>>,
    /// The radius of the body that is asked about, if any. Unit: metres.
    pub body: Option<f64>,
    /// The narrow place that is picked out.
    pub picked: Option<Pinch>,
}

impl CorridorInput {
    #[must_use]
    pub fn map(&self) -> Option<&CorridorMap> {
        Some(&self.shared.built_corridors()?.map)
    }

    fn is_same(&self, other: &Self) -> bool {
        let map = |input: &Self| input.map().map(std::ptr::from_ref);
        map(self) == map(other)
            && Arc::ptr_eq(&self.pinches, &other.pinches)
            && (self.body, self.picked) == (other.body, other.picked)
    }
}

#[derive(Clone, Debug)]
pub struct VoxelInput {
    pub report: VoxelReport,
    /// Only this storey, counted from 0; all, if none.
    pub storey: Option<usize>,
}

impl VoxelInput {
    #[must_use]
    pub fn view(&self) -> CellView<'_> {
        CellView {
            reachability: &self.report.reachability,
            storey: self.report.storey(self.storey),
            against: self.report.against.as_deref(),
        }
    }

    fn is_same(&self, other: &Self) -> bool {
        let against = |input: &Self| input.report.against.as_ref().map(Arc::as_ptr);
        Arc::ptr_eq(&self.report.reachability, &other.report.reachability)
            && against(self) == against(other)
            && self.storey == other.storey
    }
}

/// The plans of agents, and how they are shown.
#[derive(Clone, Debug)]
pub struct PathInput {
    /// The level that was planned on.
    pub level: Arc<Level>,
    pub plans: Arc<Plans>,
    /// Agents that are hidden in the level as it is now, which may be newer than the plans.
    pub hidden: Arc<BTreeSet<EntityId>>,
    /// Of all agents, or only of those that are selected.
    pub all: bool,
    pub selection: Selection,
    /// Agents whose corridors and routes are shown: the selected ones in the window.
    pub agents: Vec<EntityId>,
    /// The level has changed since.
    pub is_stale: bool,
    /// Other planners' answers, and which of them is picked out.
    pub bench: Option<Arc<Bench>>,
    pub compared: Option<Method>,
}

impl PathInput {
    #[must_use]
    pub fn is_shown(&self, agent: EntityId) -> bool {
        !self.hidden.contains(&agent) && (self.all || self.selection.contains(agent))
    }

    /// The plans of the agents that single-agent overlays are about.
    pub fn of_agents(&self) -> impl Iterator<Item = (EntityId, &Arc<AgentPlan>)> {
        self.agents
            .iter()
            .filter(|id| !self.hidden.contains(id))
            .filter_map(|id| Some((*id, self.plans.get(id)?)))
    }

    fn is_same(&self, other: &Self) -> bool {
        let bench = |input: &Self| input.bench.as_ref().map(Arc::as_ptr);
        Arc::ptr_eq(&self.plans, &other.plans)
            && self.hidden == other.hidden
            && (self.all, self.is_stale) == (other.all, other.is_stale)
            && self.selection == other.selection
            && self.agents == other.agents
            && bench(self) == bench(other)
            && self.compared == other.compared
    }
}

/// Where agents are on their paths.
#[derive(Clone, Debug)]
pub struct MomentInput {
    pub planned: Arc<PlannedLevel>,
    pub of: Vec<(EntityId, LegTime)>,
}

/// What moves agents at this moment.
#[derive(Clone, Debug, PartialEq)]
pub struct ForceInput {
    pub steps: Vec<TraceStep>,
    /// The size of a pixel. Unit: metres.
    pub pixel: f64,
}

fn both<T>(a: Option<&T>, b: Option<&T>, is_same: impl FnOnce(&T, &T) -> bool) -> bool {
    match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => is_same(a, b),
        _ => false,
    }
}

impl OverlayScene {
    /// Only what an overlay says that it reads.
    #[must_use]
    pub fn restricted(&self, to: Inputs) -> Self {
        let Self {
            level,
            space,
            corridors,
            voxels,
            paths,
            search,
            moments,
            forces,
            field,
            constraints,
            states,
            focus,
            heat,
            moment: _,
            crowd: _,
        } = self;
        Self {
            level: level.clone().filter(|_| to.any(Inputs::LEVEL)),
            space: space.clone().filter(|_| to.any(Inputs::SPACE)),
            corridors: corridors
                .clone()
                .filter(|_| to.any(Inputs::CORRIDORS.and(Inputs::PINCHES))),
            voxels: voxels.clone().filter(|_| to.any(Inputs::VOXELS)),
            paths: paths.clone().filter(|_| to.any(Inputs::PATHS)),
            search: search.clone().filter(|_| to.any(Inputs::SEARCH)),
            moments: moments.clone().filter(|_| to.any(Inputs::MOMENT)),
            forces: forces.clone().filter(|_| to.any(Inputs::FORCES)),
            field: field.clone().filter(|_| to.any(Inputs::FIELD)),
            constraints: constraints.clone().filter(|_| to.any(Inputs::CONSTRAINTS)),
            states: states.clone().filter(|_| to.any(Inputs::STATES)),
            focus: focus.clone().filter(|_| to.any(Inputs::FOCUS)),
            heat: heat.clone().filter(|_| to.any(Inputs::HEAT)),
            moment: None,
            crowd: CrowdView::default(),
        }
    }

    /// Whether what is drawn from both is alike.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        both(self.level.as_ref(), other.level.as_ref(), Arc::ptr_eq)
            && both(self.space.as_ref(), other.space.as_ref(), Arc::ptr_eq)
            && both(
                self.corridors.as_ref(),
                other.corridors.as_ref(),
                CorridorInput::is_same,
            )
            && both(
                self.voxels.as_ref(),
                other.voxels.as_ref(),
                VoxelInput::is_same,
            )
            && both(
                self.paths.as_ref(),
                other.paths.as_ref(),
                PathInput::is_same,
            )
            && both(self.search.as_ref(), other.search.as_ref(), Arc::ptr_eq)
            && both(self.moments.as_ref(), other.moments.as_ref(), |a, b| {
                Arc::ptr_eq(&a.planned, &b.planned) && a.of == b.of
            })
            && self.forces == other.forces
            && both(self.field.as_ref(), other.field.as_ref(), Arc::ptr_eq)
            && both(
                self.constraints.as_ref(),
                other.constraints.as_ref(),
                Arc::ptr_eq,
            )
            && both(self.states.as_ref(), other.states.as_ref(), Arc::ptr_eq)
            && both(self.focus.as_ref(), other.focus.as_ref(), Focus::is_same)
            && both(self.heat.as_ref(), other.heat.as_ref(), Arc::ptr_eq)
            && self.moment == other.moment
            && self.crowd.is_same(&other.crowd)
    }
}
