//! What is shown at a time: one recording or several side by side, of all agents or of one.
//!
//! Every view reads [`Playback::moment`], so plan, 3D view and renderings show identical poses.

use super::recording::Recording;
use super::trajectory::{LegTime, Pose, Trajectory};
use super::wlrec::Run;
use super::world::AgentIndex;
use crate::base::EntityId;
use crate::document::Action;
use crate::planner::trace::TraceStep;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Recordings shown together.
#[derive(Clone, Debug, Default)]
pub struct Playback {
    recordings: Vec<Shown>,
    only: Option<EntityId>,
    hides_arrived: bool,
}

#[derive(Clone, Debug)]
struct Shown {
    recording: Arc<Recording>,
    series: Option<usize>,
}

/// Where every agent is at a time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Moment {
    /// Unit: seconds.
    pub time: f64,
    /// Ordered by recording, then by id.
    pub agents: Vec<AgentPose>,
    /// The lines of side-by-side recordings, each with its series.
    pub lines: Vec<(usize, Arc<Trajectory>)>,
}

/// An agent at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AgentPose {
    pub agent: EntityId,
    /// Its index in the run, if it was simulated; `agent` may be a whole crowd then.
    pub index: Option<AgentIndex>,
    /// Its recording among several side by side; decides its colour.
    pub series: Option<usize>,
    pub pose: Pose,
    /// Progress on the current leg.
    pub leg: LegTime,
    /// Of one that was simulated or filmed.
    pub body: Option<RunBody>,
}

/// What a run knows of one of its agents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunBody {
    /// Unit: metres.
    pub radius: f64,
    /// Preferred speed. Unit: m/s.
    pub preferred: f64,
    /// When it sets out. Unit: seconds.
    pub sets_out: f64,
    pub is_stuck: bool,
}

impl Playback {
    /// All agents of one recording.
    #[must_use]
    pub fn of(recording: Arc<Recording>) -> Self {
        Self {
            recordings: vec![Shown {
                recording,
                series: None,
            }],
            only: None,
            hides_arrived: false,
        }
    }

    /// Several recordings from a common start, each with its series number.
    #[must_use]
    pub fn side_by_side(recordings: impl IntoIterator<Item = (usize, Arc<Recording>)>) -> Self {
        let shown = |(series, recording)| Shown {
            recording,
            series: Some(series),
        };
        Self {
            recordings: recordings.into_iter().map(shown).collect(),
            only: None,
            hides_arrived: false,
        }
    }

    /// One agent alone, or all.
    #[must_use]
    pub fn only(mut self, agent: Option<EntityId>) -> Self {
        self.only = agent;
        self
    }

    /// Agents that have arrived are not shown.
    #[must_use]
    pub const fn without_arrived(mut self, hides: bool) -> Self {
        self.hides_arrived = hides;
        self
    }

    /// The agent that is shown alone.
    #[must_use]
    pub const fn only_agent(&self) -> Option<EntityId> {
        self.only
    }

    /// In the given order, each with its series number if they are side by side.
    pub fn recordings(&self) -> impl Iterator<Item = (Option<usize>, &Arc<Recording>)> {
        let shown = self.recordings.iter();
        shown.map(|shown| (shown.series, &shown.recording))
    }

    fn shows(&self, agent: EntityId) -> bool {
        self.only.is_none_or(|only| only == agent)
    }

    /// When the last shown agent has arrived. Unit: seconds.
    #[must_use]
    pub fn duration(&self) -> f64 {
        let durations = self.recordings.iter().map(|shown| match self.only {
            Some(only) => shown.recording.duration_of(only),
            None => shown.recording.duration(),
        });
        durations.fold(0.0, f64::max)
    }

    /// What is shown at a time. Unit: seconds.
    #[must_use]
    pub fn moment(&self, time: f64) -> Moment {
        let mut moment = Moment {
            time,
            ..Moment::default()
        };
        for Shown { recording, series } in &self.recordings {
            let has_arrived = |agent: EntityId| time >= recording.duration_of(agent);
            let is_shown = |agent: &EntityId| {
                self.shows(*agent) && !(self.hides_arrived && has_arrived(*agent))
            };
            for agent in recording.agents().filter(is_shown) {
                let line = series.zip(recording.trajectory(agent));
                moment
                    .lines
                    .extend(line.map(|(i, line)| (i, Arc::clone(line))));
                moment
                    .agents
                    .extend(recording.pose(agent, time).map(|pose| AgentPose {
                        agent,
                        index: None,
                        series: *series,
                        pose,
                        leg: recording.leg_at(agent, time),
                        body: None,
                    }));
            }
            if let Some(run) = recording.run() {
                let poses = run_poses(run, time).filter(|shown| self.shows(shown.agent));
                moment.agents.extend(poses.map(|shown| AgentPose {
                    series: *series,
                    ..shown
                }));
            }
        }
        moment
    }

    /// The forces on an agent at a time, in each recording whose planner leaves a trace.
    #[must_use]
    pub fn trace_steps(&self, agent: EntityId, time: f64) -> Vec<TraceStep> {
        let recordings = self.recordings.iter().filter(|_| self.shows(agent));
        let step = |shown: &Shown| Some(*shown.recording.trace_at(agent, time)?.1);
        recordings.filter_map(step).collect()
    }
}

/// Everyone of a run at a time.
fn run_poses(run: &Run, time: f64) -> impl Iterator<Item = AgentPose> {
    let births = run.births();
    run.moment(time).into_iter().filter_map(|pose| {
        let birth = births.get(&pose.index)?;
        Some(AgentPose {
            agent: birth.entity,
            index: Some(pose.index),
            series: None,
            pose: Pose {
                point: pose.position,
                heading: pose.heading,
                speed: pose.velocity.length(),
                along: 0.0,
                action: Action::Walk,
            },
            leg: LegTime::default(),
            body: Some(RunBody {
                radius: birth.radius,
                preferred: birth.speed,
                sets_out: birth.sets_out,
                is_stuck: pose.is_stuck,
            }),
        })
    })
}

impl Moment {
    /// The shown agents.
    #[must_use]
    pub fn ids(&self) -> BTreeSet<EntityId> {
        self.agents.iter().map(|shown| shown.agent).collect()
    }

    /// The pose of an agent, if it is shown.
    #[must_use]
    pub fn pose(&self, agent: EntityId) -> Option<&AgentPose> {
        self.agents.iter().find(|shown| shown.agent == agent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Level;
    use crate::planner::Path;
    use glam::DVec3;

    const FIRST: EntityId = EntityId::new(3);
    const SECOND: EntityId = EntityId::new(7);

    /// Two agents that walk along x at 1 m/s, this far.
    fn recording(first: f64, second: f64) -> Arc<Recording> {
        let trajectory = |length: f64| {
            let mut trajectory = Trajectory::default();
            let path = Path {
                points: vec![DVec3::ZERO, DVec3::X * length],
                ..Path::default()
            };
            trajectory.append(&path, 1.0);
            Arc::new(trajectory)
        };
        let all = [(SECOND, trajectory(second)), (FIRST, trajectory(first))];
        Arc::new(Recording::of_trajectories(&Arc::new(Level::default()), all))
    }

    #[test]
    fn all_agents_or_one_are_shown_until_they_have_arrived() {
        let playback = Playback::of(recording(4.0, 9.0));
        assert_eq!(playback.duration(), 9.0);
        let moment = playback.moment(5.0);
        let shown = |agent| moment.pose(agent).map(|shown| shown.pose.point.x);
        assert_eq!((shown(FIRST), shown(SECOND)), (Some(4.0), Some(5.0)));
        assert!(moment.ids().into_iter().eq([FIRST, SECOND]) && moment.lines.is_empty());
        let alone = playback.only(Some(FIRST));
        assert_eq!(alone.duration(), 4.0);
        assert!(alone.moment(1.0).ids().into_iter().eq([FIRST]));
        let gone = alone.only(Some(EntityId::new(99)));
        assert_eq!((gone.duration(), gone.moment(1.0).agents.len()), (0.0, 0));
        assert_eq!(Playback::default().moment(1.0).agents, []);
    }

    #[test]
    fn recordings_side_by_side_keep_their_numbers() {
        let both = [(0, recording(4.0, 1.0)), (2, recording(6.0, 1.0))];
        let playback = Playback::side_by_side(both).only(Some(FIRST));
        assert_eq!(playback.duration(), 6.0);
        let moment = playback.moment(5.0);
        let agents = moment.agents.iter();
        let agents: Vec<_> = agents
            .map(|shown| (shown.series, shown.pose.along))
            .collect();
        assert_eq!(agents, [(Some(0), 4.0), (Some(2), 5.0)]);
        let lines: Vec<_> = moment
            .lines
            .iter()
            .map(|(i, line)| (*i, line.length()))
            .collect();
        assert_eq!(lines, [(0, 4.0), (2, 6.0)]);
    }
}
