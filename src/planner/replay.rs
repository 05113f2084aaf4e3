//! Agents on their planned ways, at any moment.
//!
//! Plays what was planned, whoever planned it: where a planner walked its path, at the pace of
//! that walk; else at the constant speed of the agent's profile.

use super::missions::{Leg, Plans};
use super::path::Path;
use super::prepared::{Answers, Question, is_there};
use super::trace::{Event, Trace, TraceStep};
use super::{Baked, metrics};
use crate::base::EntityId;
use crate::document::{Action, Kind, Level, PlannerKind, limits};
use crate::jobs::{Cancelled, JobContext};
use glam::{DVec2, DVec3};
use std::collections::BTreeMap;
use std::sync::Arc;

/// One step of the playhead: that of the simulated walks (paper, §4.3). Unit: seconds.
pub const STEP: f64 = 0.05;

/// The slowest and the fastest that time goes.
pub const SPEEDS: std::ops::RangeInclusive<f64> = 0.1..=64.0;

/// One agent's whole way, leg after leg.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Track {
    points: Vec<DVec3>,
    /// When each point is passed; never falls. Unit: seconds.
    times: Vec<f64>,
    /// Length of the way to each point. Unit: metres.
    along: Vec<f64>,
    /// What is done to get to each point.
    actions: Vec<Action>,
    legs: Vec<LegSpan>,
}

/// A leg's part of a track.
#[derive(Clone, Debug, PartialEq)]
struct LegSpan {
    starts_at: f64,
    trace: Option<Arc<Trace>>,
}

/// Where an agent is, and what it does there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    pub point: DVec3,
    /// Direction of travel. Unit: radians.
    pub heading: f64,
    /// Unit: m/s.
    pub speed: f64,
    /// Length of the way so far. Unit: metres.
    pub along: f64,
    /// What it does; in a jump its feet are off the ground.
    pub action: Action,
}

/// How high one is above the straight line in a jump, at a share of it. Units: metres.
#[must_use]
pub fn jump_rise(length: f64, share: f64) -> f64 {
    let highest = 0.15 + 0.15 * length.max(0.0);
    4.0 * highest * share * (1.0 - share)
}

impl Track {
    /// The way of a plan's legs that were found; `None` if there is none. `speed` is for legs
    /// that nobody has walked. Unit: m/s.
    #[must_use]
    pub fn of_legs(legs: &[Leg], speed: f64) -> Option<Self> {
        let mut track = Self::default();
        for path in legs.iter().map_while(|leg| leg.answer.path()) {
            track.append(path, speed);
        }
        (!track.points.is_empty()).then_some(track)
    }

    /// What is walked by then; whoever has ended waits.
    #[must_use]
    pub fn until(&self, time: f64) -> Self {
        let (Some(place), along) = (self.place(time), self.along(time)) else {
            return self.clone();
        };
        let count = self.times.partition_point(|t| *t <= time).max(1);
        let next = count.min(self.actions.len() - 1);
        let mut track = Self {
            points: self.points[..count].to_vec(),
            times: self.times[..count].to_vec(),
            along: self.along[..count].to_vec(),
            actions: self.actions[..count].to_vec(),
            legs: self.legs.clone(),
        };
        track.legs.retain(|leg| leg.starts_at <= time);
        if track.duration() < time {
            track.points.push(place);
            track.times.push(time);
            track.along.push(along);
            track.actions.push(self.actions[next]);
        }
        track
    }

    /// The whole of it as a planner gives its ways.
    #[must_use]
    pub fn path(&self) -> Path {
        Path {
            length: self.length(),
            cost: self.length(),
            points: self.points.clone(),
            actions: self.actions.clone(),
            times: self.times.clone(),
            min_clearance: f64::INFINITY,
            mean_clearance: f64::INFINITY,
            ..Path::default()
        }
    }

    /// Where its feet would be if nobody jumped.
    #[must_use]
    pub fn place(&self, time: f64) -> Option<DVec3> {
        let (from, to, share) = self.piece(time)?;
        Some(self.points[from].lerp(self.points[to], share))
    }

    /// How much of it is walked by then. Unit: metres.
    #[must_use]
    pub fn along(&self, time: f64) -> f64 {
        self.piece(time).map_or(0.0, |(from, to, share)| {
            self.along[from] + (self.along[to] - self.along[from]) * share
        })
    }

    /// The two points between which it is at a time, and the share of the way between them.
    fn piece(&self, time: f64) -> Option<(usize, usize, f64)> {
        let time = if time.is_nan() { 0.0 } else { time };
        let last = self.points.len().checked_sub(1)?;
        let next = self
            .times
            .partition_point(|t| *t <= time)
            .clamp(1, last.max(1));
        let (from, to) = (next - 1, next.min(last));
        let lasts = self.times[to] - self.times[from];
        let share = if lasts > 0.0 {
            ((time - self.times[from]) / lasts).clamp(0.0, 1.0)
        } else if time >= self.times[to] {
            1.0
        } else {
            0.0
        };
        Some((from, to, share))
    }

    pub(super) fn append(&mut self, path: &Path, speed: f64) {
        let starts_at = self.duration();
        self.legs.push(LegSpan {
            starts_at,
            trace: path.trace.clone(),
        });
        let speed = if speed.is_finite() && speed > 0.0 {
            speed
        } else {
            limits::SPEED.default
        };
        let walked = is_walk(path);
        let mut at = starts_at;
        let mut along = self.length();
        let mut before: Option<DVec3> = None;
        for (i, point) in path.points.iter().enumerate() {
            if !point.is_finite() {
                continue;
            }
            let step = before.map_or(0.0, |before| before.distance(*point));
            along += step;
            at = if walked {
                at.max(starts_at + path.times[i])
            } else {
                at + step / speed
            };
            before = Some(*point);
            self.points.push(*point);
            self.times.push(at);
            self.along.push(along);
            let action = path.actions.get(i).copied();
            self.actions.push(action.unwrap_or(Action::Walk));
        }
    }

    /// Unit: seconds.
    #[must_use]
    pub fn duration(&self) -> f64 {
        self.times.last().copied().unwrap_or(0.0)
    }

    /// Unit: metres.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.along.last().copied().unwrap_or(0.0)
    }

    #[must_use]
    pub fn points(&self) -> &[DVec3] {
        &self.points
    }

    /// Where the agent is; before the start at the start, after the end at the end.
    #[must_use]
    pub fn pose(&self, time: f64) -> Option<Pose> {
        let time = if time.is_nan() { 0.0 } else { time };
        let (from, to, share) = self.piece(time)?;
        let lasts = self.times[to] - self.times[from];
        let moved = self.along[to] - self.along[from];
        let is_under_way = time >= 0.0 && time < self.duration();
        let action = if is_under_way {
            self.actions[to]
        } else {
            Action::Walk
        };
        let mut point = self.points[from].lerp(self.points[to], share);
        if action == Action::Jump {
            point.z += jump_rise(moved, share);
        }
        Some(Pose {
            point,
            action,
            heading: self.heading(from, to),
            speed: if lasts > 0.0 && is_under_way {
                moved / lasts
            } else {
                0.0
            },
            along: self.along[from] + moved * share,
        })
    }

    /// The direction of a piece; of the piece before, where it has none.
    fn heading(&self, from: usize, to: usize) -> f64 {
        let direction = |a: usize, b: usize| {
            let along = (self.points[b] - self.points[a]).truncate();
            (along.length_squared() > 0.0).then(|| along.to_angle())
        };
        direction(from, to)
            .or_else(|| (1..=from).rev().find_map(|i| direction(i - 1, i)))
            .or_else(|| (to..self.points.len().saturating_sub(1)).find_map(|i| direction(i, i + 1)))
            .unwrap_or(0.0)
    }

    /// What the walker thought at a time; `None` where nobody walked.
    #[must_use]
    pub fn thought(&self, time: f64) -> Option<(&Trace, &TraceStep)> {
        let after = self.legs.partition_point(|leg| leg.starts_at <= time);
        let leg = self.legs.get(after.saturating_sub(1))?;
        let trace = leg.trace.as_deref()?;
        Some((trace, trace.step_at(time - leg.starts_at)?))
    }

    /// Marks on the time line, each with its time on it.
    pub fn events(&self) -> impl Iterator<Item = (f64, &Event)> {
        self.legs.iter().flat_map(|leg| {
            let events = leg.trace.iter().flat_map(|trace| &trace.events);
            events.map(|event| (leg.starts_at + event.time, event))
        })
    }

    /// Curvature at each inner point, over the length of the way. Units: metres, 1/m.
    #[must_use]
    pub fn curvatures(&self) -> Vec<[f64; 2]> {
        let plan = |i: usize| self.points[i].truncate();
        (1..self.points.len().saturating_sub(1))
            .map(|i| {
                let bend = metrics::curvature(plan(i - 1), plan(i), plan(i + 1));
                [self.along[i], bend]
            })
            .filter(|[_, bend]| bend.is_finite())
            .collect()
    }

    /// A figure of evenly spread places, over the length of the way.
    #[must_use]
    pub fn sampled(&self, count: usize, figure: impl Fn(DVec2) -> f64) -> Vec<[f64; 2]> {
        let Some(first) = self.points.first().filter(|_| count > 0) else {
            return Vec::new();
        };
        let mut next = 0;
        let mut samples = Vec::with_capacity(count + 1);
        for i in 0..=count {
            let along = self.length() * i as f64 / count as f64;
            while next + 1 < self.along.len() && self.along[next + 1] < along {
                next += 1;
            }
            let here = self.points.get(next).unwrap_or(first);
            let there = self.points.get(next + 1).unwrap_or(here);
            let step = self
                .along
                .get(next + 1)
                .map_or(0.0, |to| to - self.along[next]);
            let share = if step > 0.0 {
                ((along - self.along[next]) / step).clamp(0.0, 1.0)
            } else {
                0.0
            };
            let value = figure(here.lerp(*there, share).truncate());
            if value.is_finite() {
                samples.push([along, value]);
            }
        }
        samples
    }
}

/// Whether somebody walked a path: a time for each point, none before the one ahead of it.
fn is_walk(path: &Path) -> bool {
    path.times.len() == path.points.len()
        && path.times.iter().all(|t| t.is_finite() && *t >= 0.0)
        && path.times.is_sorted()
        && path.times.last().is_some_and(|last| *last > 0.0)
}

/// All agents of a level on their ways, from one common start.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Replay {
    tracks: BTreeMap<EntityId, Track>,
}

impl Replay {
    #[must_use]
    pub fn of(level: &Level, plans: &Plans) -> Self {
        let track = |id: &EntityId, legs: &[Leg]| Track::of_legs(legs, speed_of(level, *id));
        Self {
            tracks: plans
                .iter()
                .filter_map(|(id, plan)| Some((*id, track(id, &plan.legs)?)))
                .collect(),
        }
    }

    /// With other ways for some.
    #[must_use]
    pub fn with(mut self, tracks: impl IntoIterator<Item = (EntityId, Track)>) -> Self {
        self.tracks.extend(tracks);
        self
    }

    #[must_use]
    pub const fn tracks(&self) -> &BTreeMap<EntityId, Track> {
        &self.tracks
    }

    /// Until the last one has arrived; or that one, if only one is played. Unit: seconds.
    #[must_use]
    pub fn duration(&self, only: Option<EntityId>) -> f64 {
        self.tracks
            .iter()
            .filter(|(id, _)| only.is_none_or(|only| only == **id))
            .map(|(_, track)| track.duration())
            .fold(0.0, f64::max)
    }
}

/// The preferred speed of an agent's profile. Unit: m/s.
pub(super) fn speed_of(level: &Level, agent: EntityId) -> f64 {
    let profile = match level.get(agent).map(|entity| &entity.kind) {
        Some(Kind::Agent(agent)) => level.get(agent.mission.profile),
        _ => None,
    };
    match profile.map(|entity| &entity.kind) {
        Some(Kind::Profile(profile)) => profile.pace.speed,
        _ => limits::SPEED.default,
    }
}

/// Where the replay stands, and how fast it goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Playhead {
    /// Unit: seconds.
    pub time: f64,
    /// 1 is real time.
    pub speed: f64,
    pub is_playing: bool,
    pub loops: bool,
}

impl Default for Playhead {
    fn default() -> Self {
        Self {
            time: 0.0,
            speed: 1.0,
            is_playing: false,
            loops: false,
        }
    }
}

impl Playhead {
    /// Lets so much real time pass. At the end it stops, or begins anew.
    pub fn advance(&mut self, real_secs: f64, duration: f64) {
        if !self.is_playing || real_secs.is_nan() {
            return;
        }
        self.time += real_secs.max(0.0) * self.speed;
        if self.time >= duration {
            if self.loops && duration > 0.0 {
                self.time %= duration;
            } else {
                self.time = duration;
                self.is_playing = false;
            }
        }
    }

    /// Plays or pauses; at the end it begins anew.
    pub fn toggle(&mut self, duration: f64) {
        self.is_playing = !self.is_playing;
        if self.is_playing && self.time >= duration {
            self.time = 0.0;
        }
    }

    /// To another time; `steps` of [`STEP`] from here, paused.
    pub fn step(&mut self, steps: i32, duration: f64) {
        self.is_playing = false;
        self.seek(self.time + f64::from(steps) * STEP, duration);
    }

    pub fn seek(&mut self, time: f64, duration: f64) {
        let time = if time.is_nan() { 0.0 } else { time };
        self.time = time.clamp(0.0, duration.max(0.0));
    }

    pub fn set_speed(&mut self, speed: f64) {
        if speed.is_finite() {
            self.speed = speed.clamp(*SPEEDS.start(), *SPEEDS.end());
        }
    }
}

/// The same goals by another planner.
#[derive(Clone, Debug)]
pub struct Alternative {
    pub planner: PlannerKind,
    /// The way, or why there is none.
    pub track: Result<Track, String>,
}

/// An agent's legs answered by other planners, to be played beside each other.
///
/// # Errors
/// The job was cancelled.
pub fn alternatives(
    baked: &Baked,
    agent: EntityId,
    planners: &[PlannerKind],
    ctx: &JobContext,
) -> Result<Vec<Alternative>, Cancelled> {
    let answers = Answers::new(&baked.level, baked.prepared().clone(), baked.slopes);
    let mut found = Vec::with_capacity(planners.len());
    for &planner in planners {
        ctx.checkpoint()?;
        found.push(Alternative {
            planner,
            track: alternative(baked, agent, planner, &answers, ctx)?,
        });
    }
    Ok(found)
}

fn alternative(
    baked: &Baked,
    agent: EntityId,
    planner: PlannerKind,
    answers: &Answers<'_>,
    ctx: &JobContext,
) -> Result<Result<Track, String>, Cancelled> {
    let Some(Kind::Agent(entity)) = baked.level.get(agent).map(|entity| &entity.kind) else {
        return Ok(Err("this is not an agent".to_owned()));
    };
    let (Some(space), Some(plan)) = (
        baked.space_of(entity.mission.profile),
        baked.plans.get(&agent),
    ) else {
        return Ok(Err("nothing is baked for this agent yet".to_owned()));
    };
    if !is_there(planner) {
        return Ok(Err("this planner is not there yet".to_owned()));
    }
    let mut legs = Vec::with_capacity(plan.legs.len());
    for leg in &plan.legs {
        ctx.checkpoint()?;
        let answer = answers.answer(&Question {
            space,
            commons: baked.bundle.commons(),
            planner,
            profile: entity.mission.profile,
            route: entity.mission.route,
            walk: entity.mission.walk,
            from: leg.from,
            to: leg.to,
            area: None,
        });
        if let super::Answer::NotFound(reason) = &answer {
            return Ok(Err(reason.reason.clone()));
        }
        legs.push(Leg {
            answer,
            ..leg.clone()
        });
    }
    let speed = speed_of(&baked.level, agent);
    Ok(Track::of_legs(&legs, speed).ok_or_else(|| "the agent has no goal".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::planner::Answer;
    use proptest::prelude::*;

    fn path(points: &[[f64; 2]], times: &[f64]) -> Path {
        Path {
            points: points.iter().map(|p| DVec2::from(*p).extend(0.0)).collect(),
            times: times.to_vec(),
            ..Path::default()
        }
    }

    fn legs(paths: Vec<Path>) -> Vec<Leg> {
        let leg = |path: Path| Leg {
            from: DVec3::ZERO,
            to: DVec3::ZERO,
            answer: Answer::Found(path),
        };
        paths.into_iter().map(leg).collect()
    }

    #[test]
    fn legs_follow_each_other_at_the_profiles_speed_or_as_walked() {
        let straight = path(&[[0.0, 0.0], [4.0, 0.0]], &[]);
        let walked = path(&[[4.0, 0.0], [4.0, 1.0], [4.0, 4.0]], &[0.0, 2.0, 3.0]);
        let track = Track::of_legs(&legs(vec![straight, walked]), 2.0).expect("two legs");
        assert_eq!((track.duration(), track.length()), (5.0, 8.0));
        let pose = track.pose(1.0).expect("points");
        assert_eq!((pose.point, pose.heading), (DVec3::new(2.0, 0.0, 0.0), 0.0));
        assert_eq!((pose.speed, pose.along), (2.0, 2.0));
        let pose = track.pose(3.0).expect("points");
        assert_eq!((pose.point.y, pose.speed), (0.5, 0.5));
        assert!((pose.heading - std::f64::consts::FRAC_PI_2).abs() < 1e-12);
        let end = track.pose(99.0).expect("points");
        assert_eq!((end.point.y, end.speed, end.along), (4.0, 0.0, 8.0));
        assert_eq!(track.pose(-1.0).expect("points").point, DVec3::ZERO);
    }

    #[test]
    fn a_way_that_is_not_found_ends_the_track() {
        let mut legs = legs(vec![path(&[[0.0, 0.0], [1.0, 0.0]], &[]); 3]);
        legs[1].answer = Answer::NotFound(crate::planner::NoPath {
            reason: String::new(),
            blocker: None,
            gap: None,
        });
        assert_eq!(Track::of_legs(&legs, 1.0).expect("one leg").length(), 1.0);
        assert_eq!(Track::of_legs(&legs[1..], 1.0), None);
    }

    #[test]
    fn thoughts_are_those_of_the_leg_under_way() {
        let step = |time, x| TraceStep {
            time,
            attraction: DVec2::new(x, 0.0),
            ..TraceStep::default()
        };
        let mut second = path(&[[1.0, 0.0], [2.0, 0.0]], &[0.0, 1.0]);
        second.trace = Some(Arc::new(Trace {
            steps: vec![step(0.0, 7.0), step(0.5, 8.0)],
            ..Trace::default()
        }));
        let first = path(&[[0.0, 0.0], [1.0, 0.0]], &[]);
        let track = Track::of_legs(&legs(vec![first, second]), 0.5).expect("two legs");
        assert!(track.thought(1.9).is_none());
        let at = |time| track.thought(time).map(|(_, step)| step.attraction.x);
        assert_eq!((at(2.2), at(2.6)), (Some(7.0), Some(8.0)));
    }

    #[test]
    fn the_playhead_stops_at_the_end_or_begins_anew() {
        let mut head = Playhead::default();
        head.advance(1.0, 10.0);
        assert_eq!(head.time, 0.0, "paused");
        head.toggle(10.0);
        head.set_speed(4.0);
        head.advance(2.0, 10.0);
        assert_eq!(head.time, 8.0);
        head.loops = true;
        head.advance(1.0, 10.0);
        assert_eq!((head.time, head.is_playing), (2.0, true));
        head.loops = false;
        head.advance(5.0, 10.0);
        assert_eq!((head.time, head.is_playing), (10.0, false));
        head.toggle(10.0);
        assert_eq!((head.time, head.is_playing), (0.0, true));
        head.step(3, 10.0);
        assert!((head.time - 0.15).abs() < 1e-12 && !head.is_playing);
        head.step(-9, 10.0);
        assert_eq!(head.time, 0.0);
        for speed in [f64::NAN, f64::INFINITY] {
            head.set_speed(speed);
            assert_eq!(head.speed, 4.0);
        }
        head.set_speed(0.0);
        assert_eq!(head.speed, 0.1);
        head.loops = true;
        head.is_playing = true;
        head.advance(1.0, 0.0);
        assert_eq!(head.time, 0.0);
    }

    proptest! {
        #[test]
        fn no_path_however_odd_breaks_a_track(
            points in prop::collection::vec((-5_i32..5, -5_i32..5), 0..8),
            times in prop::collection::vec(prop_oneof![0.0..5.0, Just(f64::NAN)], 0..8),
            speed in prop_oneof![0.1..3.0, Just(0.0), Just(f64::NAN)],
            ask in prop::collection::vec(-1.0..20.0, 5),
        ) {
            let points: Vec<[f64; 2]> =
                points.into_iter().map(|(x, y)| [f64::from(x), f64::from(y)]).collect();
            let track = Track::of_legs(&legs(vec![path(&points, &times)]), speed);
            prop_assert_eq!(track.is_some(), !points.is_empty());
            if let Some(track) = track {
                prop_assert!(track.times.is_sorted() && track.duration().is_finite());
                let reach = track.length();
                for time in ask {
                    let pose = track.pose(time).expect("points");
                    prop_assert!(pose.point.is_finite() && pose.heading.is_finite());
                    prop_assert!(pose.speed.is_finite());
                    prop_assert!((0.0..=reach + 1e-9).contains(&pose.along));
                }
                let samples = track.sampled(10, |p| p.x);
                prop_assert_eq!(samples.len(), 11);
                prop_assert!(track.curvatures().iter().all(|c| c[1].is_finite()));
            }
        }
    }
}
