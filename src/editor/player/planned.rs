//! What is planned, as it is played: the recording of all agents' paths, both corridor methods for one of them,
//! and their figures.

use super::{Player, SIDE_BY_SIDE, Source};
use crate::base::{ByAddress, EntityId};
use crate::document::Selection;
use crate::editor::navigation::Navigation;
use crate::jobs::{Display, JobContext, JobRunner, Memo, Settled, Stopped, Superseded};
use crate::nav::Needs;
use crate::planner::PlannedLevel;
use crate::planner::missions::{self, AgentPlan, Plans};
use crate::preview::following::{follows_route, nearest_time};
use crate::sim::comparison::alternatives;
use crate::sim::{Alternative, Curves, LegTime, LiveAgents, Recording};
use glam::DVec2;
use std::sync::Arc;

#[derive(Debug)]
pub(super) struct PlayedPlans {
    recorded: Memo<RecordedFrom, Arc<Recorded>>,
    compared: Memo<Compared, Arc<Vec<Alternative>>>,
    curves: Memo<CurvesOf, Vec<(Option<usize>, Curves)>>,
}

impl Default for PlayedPlans {
    fn default() -> Self {
        // Under a drag a value one behind is better than none, and agents under way must not miss a move.
        let finish = Superseded::FINISH;
        Self {
            recorded: Memo::new("Recording agents", Display::Quiet, finish),
            compared: Memo::new("Planning with both methods", Display::Quiet, finish),
            curves: Memo::new("Measuring paths", Display::Quiet, finish),
        }
    }
}

impl PlayedPlans {
    pub(super) fn recording(&self) -> Option<&Arc<Recording>> {
        Some(&self.recorded.value()?.recording)
    }
}

/// What is played.
#[derive(Debug)]
struct Recorded {
    plans: Arc<Plans>,
    recording: Arc<Recording>,
    /// Agents that got round things that moved while they were played, and the plans of all since then.
    live: LiveAgents,
    live_plans: Option<Arc<Plans>>,
}

#[derive(Clone, Debug, PartialEq)]
struct RecordedFrom {
    plans: ByAddress<Plans>,
    start: Start,
}

/// Where agents are when what is planned changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Start {
    /// At the start of their missions.
    Mission,
    /// Under way: those that can get round what has moved.
    UnderWay,
}

/// An agent's mission by both methods.
#[derive(Clone, Debug, PartialEq)]
struct Compared {
    agent: EntityId,
    planned: ByAddress<PlannedLevel>,
}

#[derive(Clone, Debug, PartialEq)]
struct CurvesOf {
    agent: EntityId,
    planned: ByAddress<PlannedLevel>,
    recordings: Vec<(Option<usize>, ByAddress<Recording>)>,
}

impl Player {
    /// The plans of all agents, while some of those that are shown got round things that moved since they set
    /// out.
    #[must_use]
    pub fn live_plans(&self) -> Option<&Arc<Plans>> {
        let is_played = self.is_shown() && self.source == Source::Plans;
        let recorded = self.planned.recorded.value().filter(|_| is_played);
        recorded?.live_plans.as_ref()
    }

    /// An agent stands before something and has no way around it.
    #[must_use]
    pub fn is_any_waiting(&self) -> bool {
        let recorded = self.planned.recorded.value();
        let recorded = recorded.filter(|_| self.source == Source::Plans);
        recorded.is_some_and(|recorded| recorded.live.is_any_waiting())
    }

    /// The selected agent's mission by both methods, while that is wanted and known.
    #[must_use]
    pub fn alternatives(&self, selected: Option<EntityId>) -> Option<&Arc<Vec<Alternative>>> {
        let is_wanted = self.side_by_side && self.source == Source::Plans;
        let agent = self.planned.compared.key().filter(|_| is_wanted)?.agent;
        self.planned
            .compared
            .value()
            .filter(|_| selected == Some(agent))
    }

    /// Why both methods could not be planned at all.
    #[must_use]
    pub fn comparison_error(&self) -> Option<String> {
        self.planned.compared.error().map(ToString::to_string)
    }

    /// Figures of what is played of an agent, each with its number in the series where methods are side by side.
    #[must_use]
    pub fn curves(&self, agent: EntityId) -> &[(Option<usize>, Curves)] {
        let is_shown = |of: &&CurvesOf| {
            let is_compared = of.recordings.iter().any(|(series, _)| series.is_some());
            of.agent == agent && is_compared == self.alternatives(Some(agent)).is_some()
        };
        let is_shown = self.planned.curves.key().filter(is_shown).is_some();
        self.planned
            .curves
            .value()
            .filter(|_| is_shown)
            .map_or(&[], Vec::as_slice)
    }

    /// Keeps what is played that of a bake. At the start of time agents set out on what is planned. Once they are
    /// under way, those that plan in cells get round what has moved from where they are; all others are where
    /// the new plan has them at that time.
    pub(in crate::editor) fn keep_recorded(
        &mut self,
        planned: &Arc<PlannedLevel>,
        jobs: &JobRunner,
    ) {
        self.planned.recorded.poll();
        let has_begun = self.clock.has_begun();
        let plans = ByAddress::of(&planned.plans);
        let known = self.planned.recorded.key().filter(|key| key.plans == plans);
        let can_repair = || missions::needs(&planned.level).contains(Needs::VOXELS);
        let start = match known {
            Some(key) if has_begun => key.start,
            None if has_begun && self.planned.recorded.value().is_some() && can_repair() => {
                Start::UnderWay
            }
            _ => Start::Mission,
        };
        let settled = self.want_recorded(planned, start, jobs);
        if start == Start::UnderWay && matches!(settled, Some(Settled::Failed | Settled::Declined))
        {
            self.want_recorded(planned, Start::Mission, jobs);
        }
    }

    fn want_recorded(
        &mut self,
        planned: &Arc<PlannedLevel>,
        start: Start,
        jobs: &JobRunner,
    ) -> Option<Settled> {
        let before = self.planned.recorded.value().cloned();
        let before = before.filter(|_| start == Start::UnderWay);
        let (planned, time) = (Arc::clone(planned), self.clock.time());
        let key = RecordedFrom {
            plans: ByAddress::of(&planned.plans),
            start,
        };
        self.planned
            .recorded
            .want(jobs, key, move |ctx| match before {
                Some(before) => before.repaired(&planned, time, ctx),
                None => Ok(Arc::new(Recorded::of_plans(&planned))),
            })
    }

    /// Keeps the selected agent's alternatives current while they are wanted.
    pub(in crate::editor) fn keep_compared(
        &mut self,
        selected: Option<EntityId>,
        planned: &Arc<PlannedLevel>,
        jobs: &JobRunner,
    ) {
        self.planned.compared.poll();
        let Some(agent) = selected.filter(|_| self.side_by_side && self.source == Source::Plans)
        else {
            return;
        };
        let planned = Arc::clone(planned);
        let key = Compared {
            agent,
            planned: ByAddress::of(&planned),
        };
        self.planned.compared.want(jobs, key, move |ctx| {
            Ok(Arc::new(alternatives(&planned, agent, &SIDE_BY_SIDE, ctx)?))
        });
    }

    /// Keeps the figures of the selected agent current while the panel is in sight.
    pub(in crate::editor) fn keep_curves(
        &mut self,
        selected: Option<EntityId>,
        planned: &Arc<PlannedLevel>,
        jobs: &JobRunner,
    ) {
        self.planned.curves.poll();
        let Some(agent) = selected.filter(|_| self.in_sight) else {
            return;
        };
        let playback = self.playback(selected);
        let recordings = playback.recordings();
        let recordings = recordings.map(|(series, recording)| (series, ByAddress::of(recording)));
        let planned = Arc::clone(planned);
        let key = CurvesOf {
            agent,
            planned: ByAddress::of(&planned),
            recordings: recordings.collect(),
        };
        self.planned.curves.want(jobs, key, move |ctx| {
            let mission = planned.level.get(agent).and_then(|entity| entity.mission());
            let space = mission.and_then(|mission| planned.space_of(mission.profile));
            let mut all = Vec::new();
            for (series, recording) in playback.recordings() {
                ctx.checkpoint()?;
                let curves = recording.trajectory(agent);
                let curves = curves.map(|t| Curves::of(t, space.map(|space| &*space.free)));
                all.extend(curves.map(|curves| (series, curves)));
            }
            Ok(all)
        });
    }
}

impl Recorded {
    fn of_plans(planned: &PlannedLevel) -> Self {
        Self {
            plans: Arc::clone(&planned.plans),
            recording: Arc::new(Recording::of_plans(&planned.level, &planned.plans)),
            live: LiveAgents::default(),
            live_plans: None,
        }
    }

    /// What becomes of it once things have moved, so many seconds after the agents set out.
    fn repaired(
        &self,
        planned: &PlannedLevel,
        time: f64,
        ctx: &JobContext,
    ) -> Result<Arc<Self>, Stopped> {
        let live = self
            .live
            .repair(&self.recording, &self.plans, planned, time, ctx)?;
        Ok(Arc::new(Self {
            plans: Arc::clone(&planned.plans),
            recording: Arc::new(live.recording(planned)),
            live_plans: (!live.is_empty()).then(|| Arc::new(live.plans(&planned.plans))),
            live,
        }))
    }
}

/// The leg and the time on it where a path is nearest to a place, if that is within reach.
fn nearest_leg(plan: &AgentPlan, place: DVec2, reach: f64) -> Option<LegTime> {
    plan.paths()
        .enumerate()
        .filter_map(|(leg, path)| {
            let (secs, distance) = nearest_time(path, place)?;
            (distance <= reach).then_some((LegTime { leg, secs }, distance))
        })
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(at, _)| at)
}

impl Navigation {
    /// The time at which overlays show the selected agent that follows a route: that of the player, or at rest
    /// that of the place nearest to the pointer, or else its start. `reach` is how near to its path the pointer
    /// must be. Unit: metres.
    #[must_use]
    pub fn following_at(
        &self,
        selection: &Selection,
        pointer: Option<DVec2>,
        reach: f64,
    ) -> Option<(EntityId, LegTime)> {
        let plans = &self.baked()?.plans;
        let (agent, plan) = selection
            .iter()
            .filter_map(|id| Some((id, plans.get(&id)?)))
            .find(|(_, plan)| plan.paths().any(follows_route))?;
        let player = &self.player;
        let is_played = player.is_shown() && player.clock.has_begun();
        let at = match player.recording().filter(|_| is_played) {
            Some(recording) => recording.leg_at(agent, player.time(Some(agent))),
            None => pointer
                .and_then(|place| nearest_leg(plan, place, reach))
                .unwrap_or_default(),
        };
        Some((agent, at))
    }
}
