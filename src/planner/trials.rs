//! Navigation tests: saved queries, and whether the answers are as expected.

use super::missions::Plans;
use super::path::Answer;
use super::queries::{profile_of, radius_of};
use super::registry::{self, PlanError};
use super::request::{PathRequest, SlopeLimits};
use crate::base::EntityId;
use crate::document::validate::{Code, Problem, Severity, Subject};
use crate::document::{Expectation, Kind, Level, NavTest, PlannerId, Query, annotation_area};
use crate::geometry::Polygon;
use crate::jobs::{Cancelled, JobContext};
use crate::nav::NavBundle;
use glam::DVec2;
use std::collections::BTreeMap;

/// Distance between the samples of a path that are tested for forbidden areas. Unit: metres.
const SAMPLE: f64 = 0.05;
/// Largest number of samples.
const MAX_SAMPLES: f64 = 50_000.0;

/// Result of one test.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// One sentence for each expectation that was not met; none for a test that passed.
    pub failures: Vec<String>,
    /// A short summary of the result.
    pub summary: String,
}

impl Outcome {
    #[must_use]
    pub const fn holds(&self) -> bool {
        self.failures.is_empty()
    }
}

pub type Outcomes = BTreeMap<EntityId, Outcome>;

/// The figures that expectations refer to.
struct Found {
    length: f64,
    cost: f64,
    min_clearance: f64,
    points: Vec<DVec2>,
}

/// Runs every test of a level.
///
/// # Errors
/// The job was cancelled.
pub fn run(
    level: &Level,
    bundle: &NavBundle,
    plans: &Plans,
    slope: Option<SlopeLimits>,
    ctx: &JobContext,
) -> Result<Outcomes, Cancelled> {
    level
        .tests()
        // Runs take simulations, which know of planners and not the other way round.
        .filter(|(.., test)| test.query != Query::Run)
        .map(|(id, _, test)| {
            let found = answer(level, bundle, plans, test, slope, ctx)?;
            let planner = planner_of(level, test);
            let stood_in = planner.is_some_and(|planner| !registry::is_available(planner));
            let expected = if stood_in {
                // Reachability does not depend on the planner; everything else does.
                Expectation {
                    reachable: test.expectation.reachable,
                    ..Expectation::default()
                }
            } else {
                test.expectation.clone()
            };
            let mut outcome = judge(level, &expected, found);
            if let Some(planner) = planner.filter(|_| stood_in) {
                outcome.summary += &format!(
                    "; only reachability was tried, “{}” is not available yet",
                    registry::title(planner)
                );
            }
            Ok((id, outcome))
        })
        .collect()
}

/// The planner a test uses.
fn planner_of(level: &Level, test: &NavTest) -> Option<PlannerId> {
    match test.query {
        Query::Run => None,
        Query::Between { planner, .. } => Some(planner),
        Query::Agent(agent) => match &level.get(agent)?.kind {
            Kind::Agent(agent) => Some(agent.mission.planner),
            _ => None,
        },
    }
}

/// The result, or why there is none.
fn answer(
    level: &Level,
    bundle: &NavBundle,
    plans: &Plans,
    test: &NavTest,
    slope: Option<SlopeLimits>,
    ctx: &JobContext,
) -> Result<Result<Found, String>, Cancelled> {
    let (from, to, profile, planner) = match test.query {
        Query::Run => return Ok(Err("it is a run, which planners do not answer".to_owned())),
        Query::Agent(agent) => return Ok(of_agent(plans, agent)),
        Query::Between {
            from,
            to,
            profile,
            planner,
        } => (from, to, profile, registry::effective(planner)),
    };
    let Some(nav) = bundle.nav_for(profile, radius_of(level, profile)) else {
        return Ok(Err("its profile does not exist".to_owned()));
    };
    let request = PathRequest {
        slope,
        profile: profile_of(level, profile),
        profile_id: Some(profile),
        ..PathRequest::in_space(from, to)
    };
    Ok(match registry::plan(planner, &nav, &request, ctx) {
        Ok(Answer::Found(path)) => Ok(Found {
            length: path.length,
            cost: path.cost,
            min_clearance: path.min_clearance,
            points: path.points.iter().map(|p| p.truncate()).collect(),
        }),
        Ok(Answer::NotFound(reason)) => Err(reason.reason),
        Err(PlanError::Cancelled(cancelled)) => return Err(cancelled),
        Err(error) => Err(error.to_string()),
    })
}

fn of_agent(plans: &Plans, agent: EntityId) -> Result<Found, String> {
    let plan = plans
        .get(&agent)
        .ok_or_else(|| "its agent does not exist".to_owned())?;
    if let Some((_, reason)) = plan.trouble() {
        return Err(reason.reason.clone());
    }
    if plan.legs.is_empty() {
        return Err("the agent has no goal".to_owned());
    }
    Ok(Found {
        length: plan.length(),
        cost: plan.cost(),
        min_clearance: plan.min_clearance(),
        points: plan.points().collect(),
    })
}

fn judge(level: &Level, expected: &Expectation, found: Result<Found, String>) -> Outcome {
    let found = match found {
        Ok(found) => found,
        Err(reason) if expected.reachable => {
            return Outcome {
                failures: vec![reason],
                summary: "no path".to_owned(),
            };
        }
        Err(_) => {
            return Outcome {
                failures: Vec::new(),
                summary: "no path, as expected".to_owned(),
            };
        }
    };
    let summary = format!("{:.1} m", found.length);
    if !expected.reachable {
        return Outcome {
            failures: vec![format!(
                "there is a path of {summary}, and none was expected"
            )],
            summary,
        };
    }
    let mut failures = Vec::new();
    for (what, limit, value, unit) in [
        ("is", expected.max_length, found.length, " m long"),
        ("costs", expected.max_cost, found.cost, ""),
    ] {
        if let Some(limit) = limit.filter(|limit| value > *limit) {
            failures.push(format!(
                "the path {what} {value:.2}{unit}; at most {limit} is allowed"
            ));
        }
    }
    if let Some(least) = expected
        .min_clearance
        .filter(|least| found.min_clearance < *least)
    {
        failures.push(format!(
            "the path comes within {:.2} m of an obstacle; {least} m are asked for",
            found.min_clearance
        ));
    }
    for id in &expected.never_in {
        if let Some(at) = entered(level, *id, &found.points) {
            failures.push(format!(
                "the path enters {} at {:.1}, {:.1}",
                level.label(*id),
                at.x,
                at.y
            ));
        }
    }
    Outcome { failures, summary }
}

/// Where a line first enters a terrain, a region or an annotation.
fn entered(level: &Level, id: EntityId, points: &[DVec2]) -> Option<DVec2> {
    match &level.get(id)?.kind {
        Kind::Terrain(_) => {
            let regions: Vec<(&Polygon, EntityId)> = level
                .regions()
                .map(|(.., region)| (&region.area, region.terrain))
                .collect();
            let base = level.settings().base_terrain;
            samples(points).find(|p| {
                // The terrain painted last is on top.
                let top = regions.iter().rev().find(|(area, _)| area.contains(*p));
                top.map(|(_, terrain)| *terrain).or(base) == Some(id)
            })
        }
        Kind::Region(region) => samples(points).find(|p| region.area.contains(*p)),
        _ => {
            let areas = annotation_area(level, id);
            samples(points).find(|p| areas.iter().any(|area| area.contains(*p)))
        }
    }
}

fn samples(points: &[DVec2]) -> impl Iterator<Item = DVec2> {
    let total: f64 = points
        .windows(2)
        .map(|pair| pair[0].distance(pair[1]))
        .sum();
    let step = SAMPLE.max(total / MAX_SAMPLES);
    points
        .windows(2)
        .flat_map(move |pair| {
            let count = (pair[0].distance(pair[1]) / step).ceil().max(1.0) as usize;
            (0..count).map(move |i| pair[0].lerp(pair[1], i as f64 / count as f64))
        })
        .chain(points.last().copied())
}

/// Tests that failed, as problems of the level.
#[must_use]
pub fn problems(outcomes: &Outcomes) -> Vec<Problem> {
    outcomes
        .iter()
        .flat_map(|(id, outcome)| {
            outcome.failures.iter().map(|failure| Problem {
                severity: Severity::Error,
                code: Code::TestFailed,
                subject: Subject::Entity(*id),
                message: format!("test failed: {failure}"),
                at: None,
                fix: None,
            })
        })
        .collect()
}
