//! Every planner on one question, side by side.

use super::choice::PlannerChoice;
use super::missions::{radius_of, stops};
use super::nav_data::NavData;
use super::path::{Answer, Path};
use super::prepared::{Answers, guide_of, profile_of};
use super::request::PathRequest;
use crate::base::EntityId;
use crate::document::{Kind, Level};
use crate::jobs::{Cancelled, JobContext};
use crate::nav::NavBundle;
use glam::{DVec2, DVec3};
use std::sync::Arc;

/// A planner, with or without bending its path away from steep ascent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Method {
    pub choice: PlannerChoice,
    pub bends: bool,
}

impl Method {
    #[must_use]
    pub fn title(self) -> String {
        if self.bends {
            format!("{}, on slopes", self.choice.title())
        } else {
            self.choice.title().to_owned()
        }
    }
}

/// What every planner makes of an agent's way.
#[derive(Clone, Debug)]
pub struct Bench {
    pub agent: EntityId,
    /// What is asked, leg by leg, without bending.
    pub requests: Vec<PathRequest>,
    pub rows: Vec<Row>,
    /// What they planned on, for a search step by step.
    pub nav: Arc<NavData>,
}

/// Why there is nothing to compare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoBench {
    /// It is no agent of the level that was baked.
    NotThere,
    NoGoal,
    /// Something broke; in words.
    Failed(String),
}

/// One planner's answer for all legs.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub method: Method,
    pub outcome: Result<Figures, String>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// As walked.
    pub points: Vec<DVec2>,
    corners: Vec<DVec2>,
    /// Unit: metres.
    pub length: f64,
    /// How much longer than the shortest path: 0.02 is two per cent. `None` where that is not
    /// known.
    pub gap: Option<f64>,
    pub cost: f64,
    pub waypoints: usize,
    /// Unit: metres.
    pub min_clearance: f64,
    /// Unit: 1/m.
    pub mean_curvature: f64,
    pub expanded: usize,
    /// Unit: microseconds.
    pub plan_micros: f64,
}

impl Figures {
    /// Goes on with the next leg. Curvature is weighted by the points that it is the mean of.
    fn add(&mut self, path: &Path) {
        let inner = |points: usize| points.saturating_sub(2) as f64;
        let (before, new) = (inner(self.points.len()), inner(path.points.len()));
        if before + new > 0.0 {
            self.mean_curvature =
                (self.mean_curvature * before + path.mean_curvature * new) / (before + new);
        }
        self.points.extend(path.points.iter().map(|p| p.truncate()));
        self.points.dedup();
        self.corners.extend(path.corners());
        self.corners.dedup();
        self.waypoints = self.corners.len();
        self.length += path.length;
        self.cost += path.cost;
        self.min_clearance = self.min_clearance.min(path.min_clearance);
        self.expanded += path.expanded;
        self.plan_micros += path.plan_micros;
    }
}

/// Asks every planner.
///
/// # Errors
/// The job was cancelled.
pub fn run(
    bundle: &NavBundle,
    agent: EntityId,
    answers: &Answers<'_>,
    ctx: &JobContext,
) -> Result<Result<Bench, NoBench>, Cancelled> {
    let level: &Level = answers.level;
    let Some(Kind::Agent(walker)) = level.get(agent).map(|entity| &entity.kind) else {
        return Ok(Err(NoBench::NotThere));
    };
    let Some(space) = bundle.space(radius_of(level, walker.mission.profile)) else {
        return Ok(Err(NoBench::NotThere));
    };
    let data = answers.data(space, bundle.commons());
    let slope = answers.slope();
    let places: Vec<DVec3> = std::iter::once(walker.start)
        .chain(stops(level, walker))
        .collect();
    let profile = profile_of(level, walker.mission.profile);
    let guide = guide_of(level, walker.mission.route);
    let requests: Vec<PathRequest> = places
        .windows(2)
        .map(|leg| PathRequest {
            profile: Arc::clone(&profile),
            guide: guide.clone(),
            walk: walker.mission.walk,
            ..PathRequest::in_space(leg[0], leg[1])
        })
        .collect();
    if requests.is_empty() {
        return Ok(Err(NoBench::NoGoal));
    }
    let straight = PlannerChoice::ALL
        .into_iter()
        .filter(|choice| choice.is_ready())
        .map(|choice| Method {
            choice,
            bends: false,
        });
    let bent = slope.map(|_| Method {
        choice: PlannerChoice::Portal,
        bends: true,
    });
    let answer = |method: Method| -> Result<Figures, String> {
        let mut sum = Figures {
            min_clearance: f64::INFINITY,
            ..Figures::default()
        };
        for straight in &requests {
            let request = PathRequest {
                slope: slope.filter(|_| method.bends),
                ..straight.clone()
            };
            match answers.ask(method.choice, &data, &request) {
                Ok(Answer::Found(path)) => sum.add(&path),
                Ok(Answer::NotFound(reason)) => return Err(reason.reason),
                Err(error) => return Err(error.to_string()),
            }
        }
        Ok(sum)
    };
    let mut rows: Vec<Row> = straight
        .chain(bent)
        .map(|method| {
            ctx.checkpoint()?;
            Ok(Row {
                method,
                outcome: answer(method),
            })
        })
        .collect::<Result<_, Cancelled>>()?;
    let shortest = rows
        .iter()
        .find(|row| row.method.choice == PlannerChoice::Optimal)
        .and_then(|row| row.outcome.as_ref().ok())
        .map(|figures| figures.length)
        .filter(|shortest| *shortest > 0.0);
    for figures in rows.iter_mut().filter_map(|row| row.outcome.as_mut().ok()) {
        figures.gap = shortest.map(|shortest| figures.length / shortest - 1.0);
    }
    Ok(Ok(Bench {
        agent,
        requests,
        rows,
        nav: data,
    }))
}
