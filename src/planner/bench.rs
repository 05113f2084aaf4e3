//! Compares all planners on one mission.

use super::miran::costs;
use super::path::{Answer, Path};
use super::queries::{MissionQueries, radius_of};
use super::registry::{self, PlanError};
use super::request::{PathRequest, SlopeLimits};
use crate::base::EntityId;
use crate::document::{Kind, Level, PlannerId};
use crate::jobs::{Cancelled, JobContext, assert_off_window_thread};
use crate::nav::{NavBundle, NavData};
use glam::DVec2;
use std::sync::Arc;

/// A planner, with or without bending its path away from steep ascent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Method {
    pub planner: PlannerId,
    pub bends: bool,
}

impl Method {
    #[must_use]
    pub fn title(self) -> String {
        if self.bends {
            format!("{} (on slopes)", registry::title(self.planner))
        } else {
            registry::title(self.planner).to_owned()
        }
    }
}

/// Each planner's result for an agent's mission.
#[derive(Clone, Debug)]
pub struct Bench {
    pub agent: EntityId,
    /// Number of goals.
    pub legs: usize,
    pub rows: Vec<Row>,
    /// The navigation data they planned on, for stepping through a search.
    pub nav: Arc<NavData>,
}

impl Bench {
    /// Legs queried from a planner: all, or up to the first without a path.
    #[must_use]
    pub fn legs_of(&self, method: Method) -> usize {
        let row = self.rows.iter().find(|row| row.method == method);
        row.map_or(0, |row| row.requests.len())
    }
}

/// Why there is nothing to compare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ComparisonError {
    /// Not an agent of the baked level.
    NotThere,
    NoGoal,
    /// An internal error, described.
    Failed(String),
}

/// One planner's result for all legs.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub method: Method,
    /// Queries leg by leg, up to the first without a path.
    pub requests: Vec<PathRequest>,
    pub outcome: Result<Figures, String>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// As walked.
    pub points: Vec<DVec2>,
    corners: Vec<DVec2>,
    /// Unit: metres.
    pub length: f64,
    /// Excess over the shortest path: 0.02 is two per cent. `None` if the shortest path is unknown.
    pub gap: Option<f64>,
    /// The planner's own objective.
    pub own_cost: f64,
    /// Terrain cost by the agent's profile, comparable between planners.
    pub terrain_cost: f64,
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
    /// Appends a leg. Curvature is weighted by the number of points it is the mean of.
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
        self.own_cost += path.cost;
        self.min_clearance = self.min_clearance.min(path.min_clearance);
        self.expanded += path.expanded;
        self.plan_micros += path.plan_micros;
    }
}

/// Queries every planner.
///
/// # Errors
/// The job was cancelled.
pub fn run(
    bundle: &NavBundle,
    agent: EntityId,
    slope: Option<SlopeLimits>,
    ctx: &JobContext,
) -> Result<Result<Bench, ComparisonError>, Cancelled> {
    assert_off_window_thread("a comparison of planners");
    let level: &Level = bundle.level();
    let Some(Kind::Agent(walker)) = level.get(agent).map(|entity| &entity.kind) else {
        return Ok(Err(ComparisonError::NotThere));
    };
    let Some(data) = bundle.nav_for(
        walker.mission.profile,
        radius_of(level, walker.mission.profile),
    ) else {
        return Ok(Err(ComparisonError::NotThere));
    };
    let queries = MissionQueries::of_agent(level, walker, None);
    if queries.stops.is_empty() {
        return Ok(Err(ComparisonError::NoGoal));
    }
    let straight = registry::rows()
        .into_iter()
        .filter(|row| row.is_available())
        .map(|row| Method {
            planner: row.id,
            bends: false,
        });
    let bent = slope.map(|_| Method {
        planner: PlannerId::PORTAL,
        bends: true,
    });
    let terrain = bundle.terrain();
    let (weights, _) = terrain.weights(&queries.about.profile);
    let ask = |method: Method| -> Result<Row, Cancelled> {
        let mut queries = queries.clone();
        queries.about.slope = slope.filter(|_| method.bends);
        let mut requests = Vec::new();
        let legs = queries.answer(|request| {
            requests.push(request.clone());
            registry::plan(method.planner, &data, request, ctx)
        });
        let legs = match legs {
            Err(PlanError::Cancelled(cancelled)) => return Err(cancelled),
            legs => legs.map_err(|error| error.to_string()),
        };
        let outcome = legs.and_then(|legs| {
            let mut sum = Figures {
                min_clearance: f64::INFINITY,
                ..Figures::default()
            };
            for leg in legs {
                match leg.answer {
                    Answer::Found(path) => {
                        let line: Vec<DVec2> = path.points.iter().map(|p| p.truncate()).collect();
                        sum.terrain_cost += costs(terrain, &weights, &line).0;
                        sum.add(&path);
                    }
                    Answer::NotFound(reason) => return Err(reason.reason),
                }
            }
            Ok(sum)
        });
        Ok(Row {
            method,
            requests,
            outcome,
        })
    };
    let mut rows: Vec<Row> = straight
        .chain(bent)
        .map(|method| {
            ctx.checkpoint()?;
            ask(method)
        })
        .collect::<Result<_, Cancelled>>()?;
    let shortest = rows
        .iter()
        .find(|row| row.method.planner == PlannerId::OPTIMAL)
        .and_then(|row| row.outcome.as_ref().ok())
        .map(|figures| figures.length)
        .filter(|shortest| *shortest > 0.0);
    for figures in rows.iter_mut().filter_map(|row| row.outcome.as_mut().ok()) {
        figures.gap = shortest.map(|shortest| figures.length / shortest - 1.0);
    }
    Ok(Ok(Bench {
        agent,
        legs: queries.stops.len(),
        rows,
        nav: Arc::new(data),
    }))
}
