//! Saved tests of runs: everyone out in time, densities below limits, no agent stuck.

use super::measures::{
    CutOff, Frames, Measurement, MeasuringArea, Walkable, area_figures, evacuation_curve,
};
use super::simulation::{Memory, Simulation, SimulationError, SimulationOptions};
use super::wlrec::Run;
use super::world::RunEventKind;
use crate::base::EntityId;
use crate::document::{Kind, Level, MeasureShape, NavTest, Query, RunExpectation};
use crate::geometry::{Polygon, boolean};
use crate::jobs::{Cancelled, JobContext};
use crate::planner::trials::{Outcome, Outcomes};
use std::io::sink;

/// Frames between two measurements of density: one a second.
const EVERY: usize = 10;

/// Sentences about agents that are stuck, at most.
const MOST_NAMED: usize = 3;

/// Runs a level that has tests of runs, once, as its simulation settings say.
///
/// # Errors
/// The job was cancelled.
pub fn run(level: &Level, ctx: &JobContext) -> Result<Outcomes, Cancelled> {
    let tests: Vec<(EntityId, &NavTest)> = level
        .tests()
        .filter(|(.., test)| test.query == Query::Run)
        .map(|(id, _, test)| (id, test))
        .collect();
    if tests.is_empty() {
        return Ok(Outcomes::new());
    }
    let run = match simulated(level, ctx) {
        Ok(run) => run,
        Err(SimulationError::Cancelled(cancelled)) => return Err(cancelled),
        Err(error) => {
            let outcome = Outcome {
                failures: vec![error.to_string()],
                summary: "not run".to_owned(),
            };
            return Ok(tests
                .into_iter()
                .map(|(id, _)| (id, outcome.clone()))
                .collect());
        }
    };
    let outcome = |(id, test): (EntityId, &NavTest)| {
        let failures = failures(level, &test.expectation.run, &run, ctx)?;
        let last = evacuation_curve(&run).last().map(|(time, _)| *time);
        let summary = format!(
            "{} of {} arrived{}",
            run.departures().len(),
            run.births().len(),
            last.map_or(String::new(), |time| format!(
                ", the last after {time:.1} s"
            )),
        );
        Ok((id, Outcome { failures, summary }))
    };
    tests.into_iter().map(outcome).collect()
}

fn simulated(level: &Level, ctx: &JobContext) -> Result<Run, SimulationError> {
    let options = SimulationOptions::of(level);
    let mut simulation = Simulation::new(level, &options, sink(), Memory::Kept, ctx)?;
    while !simulation.is_over() {
        simulation.step(ctx)?;
    }
    let (.., run) = simulation.finish()?;
    run.ok_or(SimulationError::Nobody)
}

/// One sentence for each expectation that is not met.
fn failures(
    level: &Level,
    expected: &RunExpectation,
    run: &Run,
    ctx: &JobContext,
) -> Result<Vec<String>, Cancelled> {
    let mut failures = Vec::new();
    if let Some(limit) = expected.all_out_within {
        let appeared = run.births().len();
        let in_time = evacuation_curve(run);
        let in_time = in_time.iter().filter(|(time, _)| *time <= limit).count();
        if in_time < appeared {
            failures.push(format!(
                "{} of {appeared} agents are still there after {limit} s",
                appeared - in_time
            ));
        }
    }
    if expected.none_stuck {
        let stuck: Vec<&str> = run
            .events()
            .iter()
            .filter(|event| event.kind == RunEventKind::Stuck)
            .map(|event| &*event.text)
            .collect();
        failures.extend(stuck.iter().take(MOST_NAMED).map(|text| (*text).to_owned()));
        if stuck.len() > MOST_NAMED {
            let others = stuck.len() - MOST_NAMED;
            failures.push(format!("{others} more agents are stuck at some time"));
        }
    }
    for limit in &expected.max_density {
        let name = level.label(limit.area);
        let shape = match level.get(limit.area).map(|entity| &entity.kind) {
            Some(Kind::Measure(measure)) => &measure.shape,
            _ => {
                failures.push(format!("{name} is no measuring area"));
                continue;
            }
        };
        let MeasureShape::Area(area) = shape else {
            failures.push(format!(
                "{name} is a line, which has no density; draw an area"
            ));
            continue;
        };
        let densest = densest(level, area, run, ctx)?;
        if densest > limit.limit {
            failures.push(format!(
                "{name} reaches {densest:.2} agents/m²; at most {} are expected",
                limit.limit
            ));
        }
    }
    Ok(failures)
}

/// The highest density of all seconds, by Voronoi cells. Unit: 1/m².
fn densest(level: &Level, area: &Polygon, run: &Run, ctx: &JobContext) -> Result<f64, Cancelled> {
    let obstacles: Vec<Polygon> = level
        .obstacles()
        .map(|(.., obstacle)| obstacle.area.clone())
        .collect();
    let bounds = Polygon::rect(level.settings().bounds);
    let walkable = Walkable::new(&boolean::difference(&[bounds], &obstacles));
    let frames = Frames::of_run(run);
    let what = Measurement {
        lines: &[],
        areas: &[MeasuringArea {
            name: String::new(),
            area: area.clone(),
        }],
        walkable: &walkable,
        cut_off: Some(CutOff::default()),
        frames: [0, frames.frames.len().saturating_sub(1)],
        every: EVERY,
    };
    let figures = area_figures(&frames, &what, ctx)?;
    Ok(figures.first().map_or(0.0, |area| area.densest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::template::{Options, Template};
    use crate::document::{DensityLimit, Edit, Entity, Expectation, Measure, ops};
    use crate::geometry::Rect;
    use glam::DVec2;

    fn tested(expected: RunExpectation) -> Outcome {
        let template = Template::by_name("bottleneck").expect("a sample");
        let level = template.build(&Options::default()).expect("valid");
        let (area, test) = (EntityId::new(9001), EntityId::new(9002));
        let hall = Rect::new(DVec2::new(10.0, 4.0), DVec2::new(14.0, 8.0));
        let measure = Kind::Measure(Measure::area(Polygon::rect(hall)));
        let query = NavTest {
            query: Query::Run,
            expectation: Expectation {
                run: expected,
                ..Expectation::default()
            },
        };
        let mut edits = vec![
            Edit::create(area, Entity::new("Hall", measure)),
            Edit::create(test, Entity::new("Run", Kind::Test(query))),
        ];
        // Few are enough.
        let (id, crowd, _) = level.crowds().next().expect("there is one");
        let mut few = Entity::clone(crowd);
        if let Kind::Crowd(crowd) = &mut few.kind {
            crowd.count = 25;
        }
        edits.push(Edit::replace(id, few));
        let level = ops::apply(&level, &edits).expect("valid");
        let outcomes = run(&level, &JobContext::default()).expect("not cancelled");
        outcomes[&test].clone()
    }

    #[test]
    fn runs_are_held_to_what_is_expected() {
        let density = |limit: f64| {
            vec![DensityLimit {
                area: EntityId::new(9001),
                limit,
            }]
        };
        let kept = tested(RunExpectation {
            all_out_within: Some(300.0),
            max_density: density(9.0),
            none_stuck: true,
        });
        assert!(kept.holds(), "{kept:?}");
        assert!(kept.summary.starts_with("25 of 25 arrived"), "{kept:?}");
        let broken = tested(RunExpectation {
            all_out_within: Some(5.0),
            max_density: density(0.1),
            none_stuck: true,
        });
        assert_eq!(broken.failures.len(), 2, "{broken:?}");
        assert!(broken.failures[0].ends_with("agents are still there after 5 s"));
        assert!(broken.failures[1].starts_with("Hall reaches "));
    }
}
