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

use super::{Better, LabError, Report, Row};
use crate::document::PlannerId;
use crate::jobs::JobContext;
use crate::planner::miran::Walked;
use pixels::agreement;
use std::time::Duration;
use subject::{Subject, Subjects};

const BUDGET: Duration = Duration::from_millis(600);

/// How many times faster than the paper's each row of Table 1 is to be.
const FASTER: f64 = 20.0;

/// σ of the paper's Figure 7, with the milliseconds of Table 1; d is 20.
const LOOK_AHEADS: [(f64, f64); 5] = [
    (100.0, 7.13),
    (250.0, 16.50),
    (300.0, 16.04),
    (400.0, 20.90),
    (1250.0, 63.33),
];

/// # Errors
/// Cancelled, or a sample could not be made.
pub fn run(ctx: &JobContext) -> Result<Report, LabError> {
    let subjects = Subjects::new(ctx)?;
    let mut rows = table_1(&subjects, ctx)?;
    ctx.stage("Skipping");
    for (look_ahead, _) in LOOK_AHEADS {
        let subject = subjects.guard.tuned(look_ahead, 20.0);
        let (path, session) = subject.walked();
        let what = format!("most of the route skipped at once, σ = {look_ahead}");
        let skipped = session.state().walked().map_or(f64::NAN, most_skipped);
        rows.push(Row::new(what, "m", skipped).goal(look_ahead, Better::Lower));
        rows.push(Row::new(
            format!("length of the path, σ = {look_ahead}"),
            "m",
            path.length,
        ));
    }
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

/// Table 1: what the paper took for each whole path, and what we take.
fn table_1(subjects: &Subjects, ctx: &JobContext) -> Result<Vec<Row>, LabError> {
    let mut rows = Vec::new();
    ctx.stage("Table 1");
    for (look_ahead, paper) in LOOK_AHEADS {
        ctx.checkpoint()?;
        let guard = subjects.guard.tuned(look_ahead, 20.0);
        let what = format!("McKenna, MIRAN, σ = {look_ahead}, d = 20");
        rows.push(timed(&what, paper, &guard, PlannerId::MIRAN));
    }
    let Subjects {
        road, adult, child, ..
    } = subjects;
    for (what, paper, subject) in [
        ("McKenna with road, MIRAN, σ = 40, d = 10", 4.66, road),
        ("Forest, adult, MIRAN, σ = 80, d = 20", 8.00, adult),
        ("Forest, child, MIRAN, σ = 100, d = 20", 10.52, child),
    ] {
        ctx.checkpoint()?;
        rows.push(timed(what, paper, subject, PlannerId::MIRAN));
    }
    let what = "McKenna with road, IRM";
    rows.insert(6, timed(what, 4.48, road, PlannerId::IRM));
    Ok(rows)
}

fn timed(what: &str, paper: f64, subject: &Subject, planner: PlannerId) -> Row {
    let timing = subject.timing(planner);
    Row::new(what, "ms", timing.median * 1e3)
        .spread(timing.spread * 1e3)
        .paper(paper)
        .goal(paper / FASTER, Better::Lower)
}

/// The largest step of the reference point along the route.
fn most_skipped(walked: &Walked) -> f64 {
    walked
        .along
        .windows(2)
        .map(|pair| pair[1][0] - pair[0][0])
        .fold(0.0, f64::max)
}

/// What the paper says of Figure 8.
fn on_the_road(road: &Subject, rows: &mut Vec<Row>) {
    let miran = road.path(PlannerId::MIRAN);
    let irm = road.path(PlannerId::IRM);
    let mud = road.metres(&miran, "Mud");
    rows.push(
        Row::new("pedestrian in the mud, MIRAN", "m", mud)
            .goal(0.0, Better::Lower)
            .beside("IRM", road.metres(&irm, "Mud")),
    );
    for terrain in ["Sidewalk", "Road"] {
        let (ours, theirs) = (road.metres(&miran, terrain), road.metres(&irm, terrain));
        let row = Row::new(
            format!("pedestrian on the {}, MIRAN", terrain.to_lowercase()),
            "m",
            ours,
        );
        let better = if terrain == "Sidewalk" {
            Better::Higher
        } else {
            Better::Lower
        };
        rows.push(row.goal(theirs, better).beside("IRM", theirs));
    }
}

/// d of what is drawn and measured in the forest: at the paper's 20, whose unit we do not know,
/// straight lines in a wood of 240 m cut across whatever lies between two candidates.
const FOREST_STEP: f64 = 5.0;

/// What the paper says of Figure 1.
fn in_the_forest(adult: &Subject, child: &Subject, rows: &mut Vec<Row>) {
    let (adult, child) = (
        &adult.tuned(80.0, FOREST_STEP),
        &child.tuned(100.0, FOREST_STEP),
    );
    let grown_up = adult.path(PlannerId::MIRAN);
    let young = child.path(PlannerId::MIRAN);
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
        let what = format!("{who} on \u{201c}{terrain}\u{201d}");
        let row = Row::new(what, "m", ours).beside(beside, other);
        rows.push(row.goal(other + 1.0, Better::Higher));
    }
}
