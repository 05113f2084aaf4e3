//! Every planner on one question, side by side.

use super::missions::{radius_of, stops};
use super::path::Answer;
use super::ready::Planners;
use crate::base::EntityId;
use crate::document::{Kind, Level};
use crate::nav::NavBundle;
use glam::DVec2;

pub use super::ready::Choice;

/// What every planner makes of an agent's way.
#[derive(Clone, Debug)]
pub struct Bench {
    pub agent: EntityId,
    /// The places from the start on.
    pub places: Vec<DVec2>,
    pub rows: Vec<Row>,
}

/// One planner's answer for all legs.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub choice: Choice,
    pub outcome: Result<Figures, String>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    pub points: Vec<DVec2>,
    /// Unit: metres.
    pub length: f64,
    /// How much longer than the shortest path: 0.02 is two per cent. `None` where that is not known.
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

/// `None` when the agent is gone or has no goal.
#[must_use]
pub fn run(
    level: &Level,
    bundle: &NavBundle,
    agent: EntityId,
    planners: &mut Planners,
) -> Option<Bench> {
    let Kind::Agent(walker) = &level.get(agent)?.kind else {
        return None;
    };
    let space = bundle.space(radius_of(level, walker.mission.profile))?;
    let ready = planners.ready(space);
    let ground = level.ground().map(|ground| &**ground);
    let places: Vec<DVec2> = std::iter::once(walker.start.truncate())
        .chain(stops(level, walker))
        .collect();
    let answer = |choice: Choice| -> Result<Figures, String> {
        let mut sum = Figures {
            min_clearance: f64::INFINITY,
            ..Figures::default()
        };
        let mut legs = 0.0;
        for leg in places.windows(2) {
            let path = match ready.plan(choice, ground, leg[0], leg[1]) {
                Answer::Found(path) => path,
                Answer::NotFound(reason) => return Err(reason.reason),
            };
            legs += 1.0;
            let points = path.points.iter().map(|p| p.truncate());
            sum.points.extend(points);
            sum.points.dedup();
            sum.length += path.length;
            sum.cost += path.cost;
            sum.min_clearance = sum.min_clearance.min(path.min_clearance);
            sum.mean_curvature += path.mean_curvature;
            sum.expanded += path.expanded;
            sum.plan_micros += path.plan_micros;
        }
        sum.mean_curvature /= f64::max(legs, 1.0);
        sum.waypoints = sum.points.len();
        Ok(sum)
    };
    if places.len() < 2 {
        return None;
    }
    let mut rows: Vec<Row> = Choice::ALL
        .map(|choice| Row {
            choice,
            outcome: answer(choice),
        })
        .into();
    let shortest = rows
        .iter()
        .find(|row| row.choice == Choice::Optimal)
        .and_then(|row| row.outcome.as_ref().ok())
        .map(|figures| figures.length);
    for figures in rows.iter_mut().filter_map(|row| row.outcome.as_mut().ok()) {
        figures.gap = shortest
            .filter(|shortest| *shortest > 0.0)
            .map(|shortest| figures.length / shortest - 1.0);
    }
    Some(Bench {
        agent,
        places,
        rows,
    })
}
