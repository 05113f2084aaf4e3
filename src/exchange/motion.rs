//! How agents move, frame by frame: what every export of a recording is made of.

use super::export::ExportError;
use super::writer::ExportInput;
use crate::base::{Colour, EntityId};
use crate::document::{Kind, Level, Profile, limits};
use crate::jobs::JobContext;
use crate::nav::{BakeRequest, NavBundle};
use crate::planner::{PlannedLevel, Slopes, missions};
use crate::sim::Recording;
use crate::sim::simulation::{SimulationOptions, simulate};
use crate::sim::wlrec::Run;
use glam::{DVec2, DVec3};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Of agents that walk as planned, where no rate was chosen. Unit: frames per second.
const USUAL_RATE: f64 = 10.0;

/// Of a run that is simulated for an export. Unit: seconds.
const LONGEST_RUN: f64 = 300.0;

/// Longest motion that is written out. Unit: positions.
const MOST_POSITIONS: usize = 200_000_000;

pub(super) const NOTHING_MOVES: &str = "nothing moves: give a recording of a run, or draw an agent \
                                        with a goal that it can reach";

/// Everyone's positions at equal intervals.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Motion {
    /// Time between two frames. Unit: seconds.
    pub interval: f64,
    pub frames: usize,
    /// Ordered by number.
    pub walkers: Vec<Walker>,
    /// Where it comes from, in words.
    pub source: String,
}

/// An agent of a motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Walker {
    /// From 1.
    pub number: u32,
    pub name: String,
    /// The agent, or the crowd that it belongs to.
    pub entity: EntityId,
    pub profile: Option<EntityId>,
    pub colour: Colour,
    /// Unit: metres.
    pub radius: f64,
    /// Unit: metres.
    pub height: f64,
    /// The frame of its first position.
    pub first: usize,
    /// One for each frame that it is there; never empty.
    pub points: Vec<DVec3>,
}

impl Motion {
    /// The recording of the input, or the agents of the level as planned if there is none. Without a
    /// rate, a run keeps the frames in which it was recorded.
    ///
    /// # Errors
    /// Nothing moves, or it takes too much room; a sentence says so.
    pub fn of(
        input: &ExportInput,
        rate: Option<f64>,
        ctx: &JobContext,
    ) -> Result<Self, ExportError> {
        let recording = recorded(input, ctx)?;
        let motion = Self::sampled(&input.level, &recording, rate, ctx)?;
        if motion.walkers.is_empty() {
            return Err(ExportError::Refused(NOTHING_MOVES.to_owned()));
        }
        Ok(motion)
    }

    fn sampled(
        level: &Level,
        recording: &Recording,
        rate: Option<f64>,
        ctx: &JobContext,
    ) -> Result<Self, ExportError> {
        let own = recording.run().map(|run| run.header().interval());
        let interval = rate.map_or_else(|| own.unwrap_or(1.0 / USUAL_RATE), |rate| 1.0 / rate);
        let last = (recording.duration() / interval + 1e-9).floor();
        let agents = recording.agents().len() + recording.run().map_or(0, |run| run.births().len());
        if last * agents as f64 > MOST_POSITIONS as f64 * 20.0 {
            return Err(ExportError::Refused(format!(
                "{agents} agents over {:.0} s are too much for a file; choose fewer frames per \
                 second",
                recording.duration()
            )));
        }
        let frames = last as usize + 1;
        let mut motion = Self {
            interval,
            frames,
            walkers: Vec::new(),
            source: recording.run().map_or_else(
                || "as planned".to_owned(),
                |run| {
                    let header = run.header();
                    format!("{}, seed {}", header.model, header.seed)
                },
            ),
        };
        for agent in recording.agents() {
            ctx.checkpoint()?;
            let until = recording.duration_of(agent);
            let count = ((until / interval).ceil() as usize + 1).min(frames);
            let at = |frame: usize| {
                let pose = recording.pose(agent, frame as f64 * interval);
                pose.map(|pose| pose.point)
            };
            let points: Vec<DVec3> = (0..count).filter_map(at).collect();
            if !points.is_empty() {
                let number = motion.walkers.len() as u32 + 1;
                motion.walkers.push(Walker::new(
                    level,
                    number,
                    agent,
                    level.label(agent),
                    points,
                ));
            }
        }
        if let Some(run) = recording.run() {
            let is_own = own.is_some_and(|own| (own - interval).abs() < 1e-12);
            motion.add_run(level, run, is_own, ctx)?;
        }
        Ok(motion)
    }

    fn add_run(
        &mut self,
        level: &Level,
        run: &Run,
        is_own: bool,
        ctx: &JobContext,
    ) -> Result<(), ExportError> {
        let mut tracks: BTreeMap<u32, (usize, Vec<DVec3>)> = BTreeMap::new();
        let mut note = |frame: usize, index: u32, at: DVec3| {
            let (first, points) = tracks.entry(index).or_insert((frame, Vec::new()));
            // Who is not seen for a moment stands still.
            while *first + points.len() < frame
                && let Some(last) = points.last().copied()
            {
                points.push(last);
            }
            points.push(at);
        };
        if is_own {
            let mut frame = 0;
            run.each_frame(|_, present| {
                for (index, at) in present {
                    note(frame, *index, *at);
                }
                frame += 1;
            });
        } else {
            for frame in 0..self.frames {
                if frame % 64 == 0 {
                    ctx.checkpoint()?;
                }
                for pose in run.moment(frame as f64 * self.interval) {
                    note(frame, pose.index, pose.position);
                }
            }
        }
        ctx.checkpoint()?;
        let before = self.walkers.len() as u32;
        for (index, (first, points)) in tracks {
            let birth = run.births().get(&index);
            let entity = birth.map_or_else(|| EntityId::new(0), |birth| birth.entity);
            let whose = if level.get(entity).is_some() {
                level.label(entity)
            } else {
                "Agent".to_owned()
            };
            let name = match birth {
                Some(birth) if is_crowd(level, entity) => format!("{whose} {}", birth.member + 1),
                Some(_) if level.get(entity).is_some() => whose,
                _ => format!("{whose} {}", index + 1),
            };
            let mut walker = Walker::new(level, before + index + 1, entity, name, points);
            walker.first = first;
            if let Some(birth) = birth {
                walker.radius = birth.radius;
            }
            self.walkers.push(walker);
        }
        Ok(())
    }

    /// Unit: seconds.
    #[must_use]
    pub fn duration(&self) -> f64 {
        self.frames.saturating_sub(1) as f64 * self.interval
    }

    /// Frames per second, without meaningless digits.
    #[must_use]
    pub fn rate(&self) -> f64 {
        let rate = 1.0 / self.interval;
        (rate * 1000.0).round() / 1000.0
    }

    #[must_use]
    pub fn positions(&self) -> usize {
        self.walkers.iter().map(|walker| walker.points.len()).sum()
    }

    /// One line for people.
    #[must_use]
    pub fn summary(&self) -> String {
        format!(
            "{} agents over {:.1} s at {} frames per second ({})",
            self.walkers.len(),
            self.duration(),
            self.rate(),
            self.source
        )
    }
}

impl Walker {
    fn new(level: &Level, number: u32, entity: EntityId, name: String, points: Vec<DVec3>) -> Self {
        let mission = level.get(entity).and_then(|entity| entity.mission());
        let profile = mission.map(|mission| mission.profile);
        let found = profile.and_then(|id| level.get(id));
        let body = match found.map(|entity| &entity.kind) {
            Some(Kind::Profile(profile)) => profile,
            _ => &Profile::default(),
        };
        Self {
            number,
            name,
            entity,
            profile,
            colour: body.colour,
            radius: body.body.radius.max(limits::RADIUS.min),
            height: body.body.height,
            first: 0,
            points,
        }
    }

    /// Its position in a frame, if it is there.
    #[must_use]
    pub fn at(&self, frame: usize) -> Option<DVec3> {
        self.points.get(frame.checked_sub(self.first)?).copied()
    }

    /// Speed in plan around its position `i`; over one interval at the ends. Unit: m/s.
    #[must_use]
    pub fn speed(&self, i: usize, interval: f64) -> f64 {
        self.step(i)
            .map_or(0.0, |(step, frames)| step.length() / (frames * interval))
    }

    /// Where it faces at each position. Who stands keeps the last direction. Unit: radians.
    #[must_use]
    pub fn headings(&self) -> Vec<f64> {
        let mut headings = Vec::with_capacity(self.points.len());
        let facing = |i: usize| {
            let (step, _) = self.step(i)?;
            (step.length() > 1e-3).then(|| step.to_angle())
        };
        let mut last = (0..self.points.len()).find_map(facing).unwrap_or(0.0);
        for i in 0..self.points.len() {
            last = facing(i).unwrap_or(last);
            headings.push(last);
        }
        headings
    }

    /// From the position before to the one after, and how many frames lie between them.
    fn step(&self, i: usize) -> Option<(DVec2, f64)> {
        let from = i.saturating_sub(1);
        let to = (i + 1).min(self.points.len().checked_sub(1)?);
        let (a, b) = (self.points.get(from)?, self.points.get(to)?);
        (to > from).then(|| ((*b - *a).truncate(), (to - from) as f64))
    }

    /// Length of its path in plan. Unit: metres.
    #[must_use]
    pub fn length(&self) -> f64 {
        let steps = self.points.windows(2);
        steps
            .map(|pair| pair[0].truncate().distance(pair[1].truncate()))
            .sum()
    }
}

/// A run of the level as its settings say.
fn simulated(level: &Arc<Level>, ctx: &JobContext) -> Result<Arc<Recording>, ExportError> {
    ctx.stage("Simulating");
    let mut options = SimulationOptions::of(level);
    options.seconds = options.seconds.min(LONGEST_RUN);
    let refused = |error: &dyn std::fmt::Display| ExportError::Refused(error.to_string());
    let outcome = simulate(level, &options, Vec::new(), ctx);
    ctx.checkpoint()?;
    let (bytes, _) = outcome.map_err(|error| refused(&error))?;
    let run = Run::open(bytes).map_err(|error| refused(&error))?;
    Ok(Arc::new(Recording::of_run(level, Arc::new(run))))
}

fn is_crowd(level: &Level, id: EntityId) -> bool {
    matches!(
        level.get(id).map(|entity| &entity.kind),
        Some(Kind::Crowd(_))
    )
}

/// What is exported: the recording that was given; else a run of the level's crowds, or the agents as
/// planned if it has none.
pub(super) fn recorded(
    input: &ExportInput,
    ctx: &JobContext,
) -> Result<Arc<Recording>, ExportError> {
    let has_crowds = input
        .level
        .iter()
        .any(|(_, entity)| matches!(entity.kind, Kind::Crowd(_)));
    match &input.recording {
        Some(recording) if recording.run().is_some() || !has_crowds => {
            return Ok(Arc::clone(recording));
        }
        _ if has_crowds => return simulated(&input.level, ctx),
        _ => {}
    }
    ctx.stage("Planning");
    let request = BakeRequest {
        options: Arc::new(input.voxels.clone()).into(),
        ..missions::bake_request(Arc::clone(&input.level))
    };
    let bundle = NavBundle::bake(request, ctx)?;
    let planned = PlannedLevel::plan(bundle, None, Slopes::default(), ctx)?;
    Ok(Arc::new(Recording::of_plans(&input.level, &planned.plans)))
}
