//! The recording that a run of a level's agents leaves.
//!
//! Callers query where agents are at a time, independent of storage: planned agents are kept as
//! trajectories; simulated and imported ones, of which there may be very many, as positions by
//! frame in a [`Run`].

use super::STEP;
use super::trajectory::{LegTime, Pose, Trajectory};
use super::wlrec::Run;
use crate::base::{ContentHash, EntityId};
use crate::document::{Kind, Level, PlannerId, format, limits};
use crate::planner::missions::Plans;
use crate::planner::trace::{EventKind, Trace, TraceStep};
use glam::{DVec2, DVec3};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// Resolution of compared positions. Unit: metres.
const POSITION_UNIT: f64 = 0.001;

/// Largest number of an agent's steps in the checksum: some fourteen hours.
const MAX_TICKS: u64 = 1 << 20;

/// Parameters of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Configuration {
    /// Unit: seconds.
    pub step: f64,
    /// Planners by agent.
    pub planners: BTreeMap<EntityId, PlannerId>,
    /// Seed of the random streams; planned agents do not use them.
    pub seed: u64,
}

/// An event for the timeline.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedEvent {
    /// Since the start of the run. Unit: seconds.
    pub time: f64,
    pub agent: EntityId,
    pub at: DVec2,
    pub kind: EventKind,
    /// A sentence.
    pub text: String,
}

/// All agents of a level from a common start.
#[derive(Clone, Debug)]
pub struct Recording {
    level: Arc<Level>,
    level_hash: OnceLock<ContentHash>,
    configuration: Configuration,
    trajectories: BTreeMap<EntityId, Arc<Trajectory>>,
    /// Unit: seconds.
    duration: f64,
    /// Ordered by time, then by agent.
    events: Vec<RecordedEvent>,
    /// Simulated or imported agents.
    run: Option<Arc<Run>>,
}

impl Recording {
    /// Records agents that walk as planned. Agents without a path are left out.
    #[must_use]
    pub fn of_plans(level: &Arc<Level>, plans: &Plans) -> Self {
        let trajectory = |id: &EntityId| {
            let legs = &plans.get(id)?.legs;
            let trajectory = Trajectory::of_legs(legs, preferred_speed(level, *id))?;
            Some((*id, Arc::new(trajectory)))
        };
        Self::of_trajectories(level, plans.keys().filter_map(trajectory))
    }

    /// Records agents with these movements, each by the planner of its mission.
    #[must_use]
    pub fn of_trajectories(
        level: &Arc<Level>,
        trajectories: impl IntoIterator<Item = (EntityId, Arc<Trajectory>)>,
    ) -> Self {
        let trajectories: BTreeMap<_, _> = trajectories.into_iter().collect();
        let planner = |id: &EntityId| Some((*id, level.get(*id)?.mission()?.planner));
        let configuration = Configuration {
            step: STEP,
            planners: trajectories.keys().filter_map(planner).collect(),
            seed: 0,
        };
        Self {
            level: Arc::clone(level),
            level_hash: OnceLock::new(),
            configuration,
            events: events_of(&trajectories),
            duration: trajectories
                .values()
                .map(|t| t.duration())
                .fold(0.0, f64::max),
            trajectories,
            run: None,
        }
    }

    /// A run that was simulated or imported, of this level.
    #[must_use]
    pub fn of_run(level: &Arc<Level>, run: Arc<Run>) -> Self {
        let header = run.header();
        let mut recording = Self::of_trajectories(level, []);
        recording.configuration.step = header.step;
        recording.configuration.seed = header.seed;
        recording.duration = run.duration();
        recording.run = Some(run);
        recording
    }

    /// The simulated or imported agents.
    #[must_use]
    pub const fn run(&self) -> Option<&Arc<Run>> {
        self.run.as_ref()
    }

    /// Replaces the movements of some agents.
    #[must_use]
    pub fn with_trajectories(
        &self,
        others: impl IntoIterator<Item = (EntityId, Arc<Trajectory>)>,
    ) -> Self {
        let known = self.trajectories.iter().map(|(id, t)| (*id, Arc::clone(t)));
        Self::of_trajectories(&self.level, known.chain(others))
    }

    /// Records one agent alone, by another planner than its mission's.
    #[must_use]
    pub fn of_one(
        level: &Arc<Level>,
        agent: EntityId,
        planner: PlannerId,
        trajectory: Trajectory,
    ) -> Self {
        let mut recording = Self::of_trajectories(level, [(agent, Arc::new(trajectory))]);
        recording.configuration.planners.insert(agent, planner);
        recording
    }

    /// Checksum of the level's text: tells whether the recording is of this level.
    #[must_use]
    pub fn level_hash(&self) -> ContentHash {
        *self.level_hash.get_or_init(|| {
            let text = format::write(&self.level, self.level.largest_id().next());
            ContentHash::of(text.as_bytes())
        })
    }

    #[must_use]
    pub const fn configuration(&self) -> &Configuration {
        &self.configuration
    }

    /// Ordered by id.
    pub fn agents(&self) -> impl ExactSizeIterator<Item = EntityId> {
        self.trajectories.keys().copied()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.trajectories.is_empty() && self.run.is_none()
    }

    /// When the last agent has arrived. Unit: seconds.
    #[must_use]
    pub const fn duration(&self) -> f64 {
        self.duration
    }

    /// When one agent has arrived; for one that was simulated, when the run ends. 0 for one that is
    /// not recorded. Unit: seconds.
    #[must_use]
    pub fn duration_of(&self, agent: EntityId) -> f64 {
        match self.trajectories.get(&agent) {
            Some(trajectory) => trajectory.duration(),
            None if self.run.is_some() => self.duration,
            None => 0.0,
        }
    }

    /// Where an agent is at a time; clamped to its start and end.
    #[must_use]
    pub fn pose(&self, agent: EntityId, time: f64) -> Option<Pose> {
        self.trajectories.get(&agent)?.pose(time)
    }

    /// Progress of an agent on its current leg at a time.
    #[must_use]
    pub fn leg_at(&self, agent: EntityId, time: f64) -> LegTime {
        let trajectory = self.trajectories.get(&agent);
        trajectory.map_or_else(LegTime::default, |trajectory| trajectory.leg_at(time))
    }

    /// The forces on an agent at a time, if its planner leaves a trace.
    #[must_use]
    pub fn trace_at(&self, agent: EntityId, time: f64) -> Option<(&Trace, &TraceStep)> {
        self.trajectories.get(&agent)?.trace_at(time)
    }

    /// One agent's whole movement, for curves and lines.
    #[must_use]
    pub fn trajectory(&self, agent: EntityId) -> Option<&Arc<Trajectory>> {
        self.trajectories.get(&agent)
    }

    /// Ordered by time.
    #[must_use]
    pub fn events(&self) -> &[RecordedEvent] {
        &self.events
    }

    /// Fingerprint of every agent's position at every step, to the millimetre. Independent of the
    /// number of threads.
    #[must_use]
    pub fn checksum(&self) -> ContentHash {
        let agents: Vec<_> = self.trajectories.iter().collect();
        let each: Vec<[u8; 24]> = agents
            .into_par_iter()
            .map(|(id, trajectory)| {
                let mut bytes = [0; 24];
                bytes[..8].copy_from_slice(&id.number().to_le_bytes());
                bytes[8..].copy_from_slice(&self.checksum_of(trajectory).to_bytes());
                bytes
            })
            .collect();
        ContentHash::of(each.as_flattened())
    }

    fn checksum_of(&self, trajectory: &Trajectory) -> ContentHash {
        let step = self.configuration.step;
        let last = (trajectory.duration() / step).ceil() as u64;
        let poses =
            (0..=last.min(MAX_TICKS)).filter_map(|tick| trajectory.pose(tick as f64 * step));
        let bytes: Vec<u8> = poses.flat_map(|pose| quantised(pose.point)).collect();
        ContentHash::of(&bytes)
    }
}

fn quantised(point: DVec3) -> impl Iterator<Item = u8> {
    let whole = |value: f64| ((value / POSITION_UNIT).round() as i64).to_le_bytes();
    point.to_array().map(whole).into_iter().flatten()
}

fn events_of(trajectories: &BTreeMap<EntityId, Arc<Trajectory>>) -> Vec<RecordedEvent> {
    let mut events: Vec<RecordedEvent> = trajectories
        .iter()
        .flat_map(|(agent, trajectory)| {
            trajectory.events().map(|(time, event)| RecordedEvent {
                time,
                agent: *agent,
                at: event.at,
                kind: event.kind,
                text: event.text.clone(),
            })
        })
        .collect();
    // Stable: events at one time stay ordered by agent.
    events.sort_by(|a, b| a.time.total_cmp(&b.time));
    events
}

/// The preferred speed of an agent's profile. Unit: m/s.
pub(super) fn preferred_speed(level: &Level, agent: EntityId) -> f64 {
    let mission = level.get(agent).and_then(|entity| entity.mission());
    let profile = mission.and_then(|mission| level.get(mission.profile));
    match profile.map(|entity| &entity.kind) {
        Some(Kind::Profile(profile)) => profile.pace.speed,
        _ => limits::SPEED.default,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Agent, Edit, Entity, Heading, Mission, ops};
    use crate::planner::trace::Event;
    use crate::planner::{Answer, Path, missions::Leg};

    const FIRST: EntityId = EntityId::new(10);
    const SECOND: EntityId = EntityId::new(11);

    fn level() -> Arc<Level> {
        let agent = |name: &str| {
            let mission = Mission {
                planner: PlannerId::MIRAN,
                ..Mission::new(EntityId::new(1))
            };
            Entity::new(
                name,
                Kind::Agent(Agent {
                    start: DVec3::ZERO,
                    heading: Heading::default(),
                    mission,
                }),
            )
        };
        let profile = Kind::Profile(crate::document::Profile::default());
        let edits = [
            Edit::create(EntityId::new(1), Entity::new("Adult", profile)),
            Edit::create(FIRST, agent("First")),
            Edit::create(SECOND, agent("Second")),
        ];
        Arc::new(ops::apply(&Level::default(), &edits).expect("valid"))
    }

    fn trajectory(points: &[[f64; 2]], events: &[f64]) -> Arc<Trajectory> {
        let event = |time: &f64| Event {
            time: *time,
            at: DVec2::ZERO,
            kind: EventKind::Noted,
            text: format!("at {time}"),
        };
        let path = Path {
            points: points.iter().map(|p| DVec2::from(*p).extend(0.0)).collect(),
            trace: Some(Arc::new(Trace {
                events: events.iter().map(event).collect(),
                ..Trace::default()
            })),
            ..Path::default()
        };
        let leg = Leg {
            from: DVec3::ZERO,
            to: DVec3::ZERO,
            answer: Answer::Found(path),
        };
        Arc::new(Trajectory::of_legs(&[leg], 1.0).expect("one leg"))
    }

    fn recording() -> Recording {
        Recording::of_trajectories(
            &level(),
            [
                (SECOND, trajectory(&[[0.0, 0.0], [9.0, 0.0]], &[1.0, 4.0])),
                (FIRST, trajectory(&[[0.0, 5.0], [4.0, 5.0]], &[4.0, 2.0])),
            ],
        )
    }

    #[test]
    fn a_recording_tells_who_is_where_until_the_last_has_arrived() {
        let recording = recording();
        assert!(recording.agents().eq([FIRST, SECOND]));
        assert_eq!(recording.duration(), 9.0);
        let x = |agent, time| recording.pose(agent, time).expect("recorded").point.x;
        assert_eq!((x(FIRST, 3.0), x(SECOND, 3.0)), (3.0, 3.0));
        assert_eq!((x(FIRST, 8.0), x(SECOND, 8.0)), (4.0, 8.0));
        assert_eq!(recording.pose(EntityId::new(99), 1.0), None);
        let events: Vec<_> = recording
            .events()
            .iter()
            .map(|e| (e.time, e.agent))
            .collect();
        let expected = [(1.0, SECOND), (2.0, FIRST), (4.0, FIRST), (4.0, SECOND)];
        assert_eq!(events, expected);
        let planners = &recording.configuration().planners;
        assert_eq!(planners[&FIRST], PlannerId::MIRAN);
    }

    #[test]
    fn the_checksum_tells_movements_apart_and_not_threads() {
        let one = recording();
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.expect("threads").install(|| one.checksum())
        };
        assert_eq!(on(1), on(7));
        assert_eq!(recording().checksum(), one.checksum());
        let changed = |moved: Arc<Trajectory>| one.with_trajectories([(SECOND, moved)]).checksum();
        let same = trajectory(&[[0.0, 0.0], [3.0, 0.0], [9.0, 0.0]], &[]);
        assert_eq!(
            changed(same),
            one.checksum(),
            "identical positions at all times"
        );
        let aside = trajectory(&[[0.0, 0.0], [9.0, 0.01]], &[]);
        assert_ne!(changed(aside), one.checksum());
        assert_ne!(
            Recording::of_trajectories(&one.level, []).checksum(),
            one.checksum()
        );
    }

    #[test]
    fn the_level_is_known_by_its_text() {
        let one = recording();
        let other = Recording::of_trajectories(&Arc::new(Level::default()), []);
        assert_eq!(one.level_hash(), recording().level_hash());
        assert_ne!(one.level_hash(), other.level_hash());
        assert!(other.is_empty() && other.duration() == 0.0);
    }
}
