//! `wayloom lab miran` and `wayloom bench miran`: Jaklin et al. 2013, §5.
//!
//! Table 1 with our figures, what the paper says of Figures 1 and 8 in numbers, and how often the
//! paper's pixels lead to the same choice as exact lines. [`pictures`] draws Figures 1, 7 and 8.

mod bench;
mod figures;
mod pixels;
mod subject;
#[cfg(test)]
mod tests;

pub use bench::bench;
pub use figures::pictures;

use super::{Better, LabError, Printed, Report, Row};
use crate::document::PlannerId;
use crate::geometry::polygon::closest_on_segment;
use crate::jobs::JobContext;
use crate::planner::Path;
use crate::planner::miran::{Choosing, Walked};
use crate::planner::trace::TraceStep;
use glam::DVec2;
use pixels::agreement;
use std::time::Duration;
use subject::{Subject, Subjects};

const BUDGET: Duration = Duration::from_millis(600);

/// How many times faster than the paper's each row of Table 1 is to be: as printed, and by our
/// choices, with a margin of a quarter.
const FASTER_AS_PRINTED: f64 = 4.0;
const FASTER: f64 = 20.0 * 1.25;

/// σ of the paper's Figure 7, with the milliseconds of Table 1; d is 20.
const LOOK_AHEADS: [(f64, f64); 5] = [
    (100.0, 7.13),
    (250.0, 16.50),
    (300.0, 16.04),
    (400.0, 20.90),
    (1250.0, 63.33),
];

impl Printed for Choosing {
    fn is_as_printed(&self) -> bool {
        *self == Self::AS_PRINTED
    }
}

/// The rules by which points are chosen, with their names in rows.
const CHOICES: [(&str, Choosing); 2] = [
    ("a choice at every step", Choosing::AS_PRINTED),
    (
        "a choice for a stride",
        Choosing {
            strides: true,
            fixed_samples: true,
        },
    ),
];

/// # Errors
/// Cancelled, or a sample could not be made.
pub fn run(ctx: &JobContext) -> Result<Report, LabError> {
    let subjects = Subjects::new(ctx)?;
    let mut rows = table_1(&subjects, ctx)?;
    look_aheads(&subjects, ctx, &mut rows)?;
    let Subjects {
        road, adult, child, ..
    } = &subjects;
    on_the_road(road, &mut rows);
    in_the_forest(adult, child, &mut rows);
    ctx.stage("Pixels");
    let guards = LOOK_AHEADS.map(|(look_ahead, _)| subjects.guard.tuned(look_ahead, 20.0));
    let walks: Vec<&Subject> = guards.iter().chain([road, adult, child]).collect();
    agreement(&walks, ctx, &mut rows)?;
    Ok(Report {
        name: "miran".to_owned(),
        rows,
    })
}

/// Table 1: what the paper took for each whole path, what its method takes here, and what ours does.
fn table_1(subjects: &Subjects, ctx: &JobContext) -> Result<Vec<Row>, LabError> {
    let mut rows = Vec::new();
    ctx.stage("Table 1");
    // Longer than 1250, or the largest σ would mean nothing.
    let guard = subjects.guard.to_and_fro();
    let Subjects {
        road, adult, child, ..
    } = subjects;
    let mut walks: Vec<(String, f64, Subject, PlannerId)> = LOOK_AHEADS
        .into_iter()
        .map(|(look_ahead, paper)| {
            let what = format!("McKenna, MIRAN, σ = {look_ahead}, d = 20");
            let subject = guard.tuned(look_ahead, 20.0);
            (what, paper, subject, PlannerId::MIRAN)
        })
        .collect();
    for (what, paper, subject, planner) in [
        (
            "McKenna with road, MIRAN, σ = 40, d = 10",
            4.66,
            road,
            PlannerId::MIRAN,
        ),
        ("McKenna with road, IRM", 4.48, road, PlannerId::IRM),
        (
            "Forest, adult, MIRAN, the paper\u{2019}s σ = 80, d = 20",
            8.00,
            adult,
            PlannerId::MIRAN,
        ),
        (
            "Forest, child, MIRAN, the paper\u{2019}s σ = 100, d = 20",
            10.52,
            child,
            PlannerId::MIRAN,
        ),
    ] {
        walks.push((what.to_owned(), paper, subject.clone(), planner));
    }
    let mut times = Vec::new();
    for (what, paper, subject, planner) in &walks {
        for (how, choosing) in CHOICES {
            ctx.checkpoint()?;
            let timing = subject.choosing(choosing).timing(*planner);
            let row = Row::new(format!("{what}: {how}"), "ms", timing.median * 1e3)
                .spread(timing.spread * 1e3)
                .by(&choosing);
            rows.push(if choosing.is_as_printed() {
                times.push(timing.median);
                row.paper(*paper)
                    .goal(paper / FASTER_AS_PRINTED, Better::Lower)
            } else {
                row.goal(paper / FASTER, Better::Lower)
            });
        }
    }
    // The paper's times grow with σ because more candidates are weighed.
    rows.push(
        Row::new(
            "McKenna: time at σ = 1250 ÷ at σ = 100",
            "",
            times[4] / times[0],
        )
        .by(&Choosing::AS_PRINTED)
        .paper(63.33 / 7.13),
    );
    Ok(rows)
}

/// Figure 7: what σ does.
fn look_aheads(subjects: &Subjects, ctx: &JobContext, rows: &mut Vec<Row>) -> Result<(), LabError> {
    ctx.stage("Skipping");
    let guard = subjects.guard.to_and_fro();
    for (look_ahead, _) in LOOK_AHEADS {
        ctx.checkpoint()?;
        let subject = guard.tuned(look_ahead, 20.0);
        let what = format!("candidates weighed per step, σ = {look_ahead}");
        rows.push(Row::new(what, "", subject.weighed()).by(&Choosing::AS_PRINTED));
        let mut paths = Vec::new();
        for (how, choosing) in CHOICES {
            let (path, session) = subject.choosing(choosing).walked();
            let skipped = session.state().walked().map_or(f64::NAN, most_skipped);
            let what = format!("most of the route skipped at once, σ = {look_ahead}, {how}");
            rows.push(Row::new(what, "m", skipped).by(&choosing));
            let what = format!("length of the path, σ = {look_ahead}, {how}");
            rows.push(Row::new(what, "m", path.length).by(&choosing));
            paths.push(path);
        }
        let what = format!("distance between both paths, σ = {look_ahead}");
        rows.push(Row::new(what, "m", apart(&paths[0], &paths[1])));
    }
    Ok(())
}

/// The largest distance from a point of one path to the other.
fn apart(a: &Path, b: &Path) -> f64 {
    let plan = |path: &Path| -> Vec<DVec2> { path.points.iter().map(|p| p.truncate()).collect() };
    let line = plan(b);
    let off = |p: DVec2| {
        let pieces = line.windows(2);
        let near = pieces.map(|pair| closest_on_segment(pair[0], pair[1], p).distance(p));
        near.fold(f64::INFINITY, f64::min)
    };
    plan(a).into_iter().map(off).fold(0.0, f64::max)
}

/// The largest step of the reference point along the route.
fn most_skipped(walked: &Walked) -> f64 {
    walked
        .along
        .windows(2)
        .map(|pair| pair[1][0] - pair[0][0])
        .fold(0.0, f64::max)
}

/// The largest distance from the route.
fn farthest_off(walked: &Walked) -> f64 {
    let off = |step: &TraceStep| step.reference.map_or(0.0, |r| r.distance(step.position));
    walked.steps.iter().map(off).fold(0.0, f64::max)
}

/// What the paper says of Figure 8.
fn on_the_road(road: &Subject, rows: &mut Vec<Row>) {
    let irm_session = road.choosing(Choosing::AS_PRINTED).walked_by_irm();
    let irm = road.choosing(Choosing::AS_PRINTED).path(PlannerId::IRM);
    for (how, choosing) in CHOICES {
        let walker = road.choosing(choosing);
        let (miran, session) = walker.walked();
        let mud = Row::new(
            format!("pedestrian in the mud, MIRAN, {how}"),
            "m",
            road.metres(&miran, "Mud"),
        )
        .by(&choosing)
        .beside("IRM", road.metres(&irm, "Mud"));
        rows.push(if choosing.is_as_printed() {
            mud.paper(0.0)
        } else {
            mud.goal(0.0, Better::Lower)
        });
        for (terrain, better) in [("Sidewalk", Better::Higher), ("Road", Better::Lower)] {
            let (ours, theirs) = (road.metres(&miran, terrain), road.metres(&irm, terrain));
            let what = format!("pedestrian on the {}, MIRAN, {how}", terrain.to_lowercase());
            let row = Row::new(what, "m", ours).by(&choosing);
            rows.push(row.goal(theirs, better).beside("IRM", theirs));
        }
        for (what, of) in [
            ("most skipped at once", most_skipped as fn(&Walked) -> f64),
            ("farthest off the route", farthest_off),
        ] {
            let ours = session.state().walked().map_or(f64::NAN, of);
            let theirs = irm_session.state().walked().map_or(f64::NAN, of);
            let what = format!("pedestrian: {what}, MIRAN, {how}");
            let row = Row::new(what, "m", ours).by(&choosing);
            rows.push(row.goal(theirs, Better::Lower).beside("IRM", theirs));
        }
    }
}

/// What the paper says of Figure 1.
fn in_the_forest(adult: &Subject, child: &Subject, rows: &mut Vec<Row>) {
    for (how, choosing) in CHOICES {
        let grown_up = adult.choosing(choosing).path(PlannerId::MIRAN);
        let young = child.choosing(choosing).path(PlannerId::MIRAN);
        for (terrain, who) in [
            ("Puddle", "child"),
            ("Fallen tree", "child"),
            ("Panoramic view", "adult"),
        ] {
            let of_adult = adult.metres(&grown_up, terrain);
            let of_child = child.metres(&young, terrain);
            let (ours, other, beside) = if who == "child" {
                (of_child, of_adult, "adult")
            } else {
                (of_adult, of_child, "child")
            };
            let what = format!("{who} on \u{201c}{terrain}\u{201d}, {how}");
            let row = Row::new(what, "m", ours)
                .by(&choosing)
                .beside(beside, other);
            rows.push(row.goal(other + 1.0, Better::Higher));
        }
    }
}
