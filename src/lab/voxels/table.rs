//! Table 1: discretisation, borders and paths in the paper's scenes.

use super::super::{Better, LabError, Row, measure};
use super::{BUDGET, Scene, Subject};
use crate::jobs::JobContext;
use crate::nav::voxel::{Borders, Conduct, Footing, Reach, Voxels};
use crate::planner::human::front::{Front, Until};
use crate::planner::human::{Goals, TraversableCells, targets};
use crate::planner::metrics;
use std::sync::Arc;

/// "Around a second even for complex scenes".
const PAPER_PATH_SECS: f64 = 1.0;

/// Times of one scene. Unit: seconds.
pub(super) struct Times {
    pub discretised: measure::Timing,
    pub bordered: measure::Timing,
    pub path: measure::Timing,
}

pub(super) fn times(subject: &Subject, ctx: &JobContext) -> Result<Times, LabError> {
    let voxels = &subject.built.voxels;
    let discretised = measure::processor_time(
        BUDGET,
        || Arc::clone(&voxels.scene),
        |scene| Voxels::build(subject.frame, scene, voxels.sampling, ctx).ok(),
    );
    ctx.checkpoint()?;
    let bordered = measure::processor_time(
        BUDGET,
        || subject.body(),
        |body| Footing::build(body, &voxels.surfaces),
    );
    ctx.checkpoint()?;
    let request = subject.request();
    let path = measure::processor_time(
        BUDGET,
        || (),
        |()| {
            let (leg, expanded) = subject.walk()?;
            Some(leg.path_for(request.as_ref()?, None, expanded))
        },
    );
    Ok(Times {
        discretised,
        bordered,
        path,
    })
}

/// The paper's own discretisation, slice by slice on the graphics card, where there is one.
#[cfg(feature = "gl")]
pub(super) fn drawn_rows(ctx: &JobContext) -> Result<Vec<Row>, LabError> {
    use super::TABLE;
    use crate::base::Backend;
    use crate::nav::voxel::Discretizer;
    let mut gl = Discretizer::new(Backend::Gl);
    if gl.report().is_some() {
        return Ok(Vec::new());
    }
    let mut rows = Vec::new();
    for scene in &TABLE {
        ctx.stage(format!("Drawing {}", scene.name));
        ctx.checkpoint()?;
        let subject = Subject::of(scene, Conduct::AS_PRINTED, ctx)?;
        let voxels = &subject.built.voxels;
        let timing = measure::time(
            BUDGET,
            || Arc::clone(&voxels.scene),
            |scene| gl.voxels(subject.frame, scene, voxels.sampling, ctx).ok(),
        );
        let title = format!("{}: discretised in slices by {}", subject.title(), gl.by());
        rows.push(
            Row::new(title, "ms", timing.median * 1e3)
                .spread(timing.spread * 1e3)
                .by(&Conduct::AS_PRINTED)
                .paper(scene.seconds[0] * 1e3),
        );
    }
    Ok(rows)
}

#[cfg(not(feature = "gl"))]
pub(super) fn drawn_rows(_: &JobContext) -> Result<Vec<Row>, LabError> {
    Ok(Vec::new())
}

fn timed(what: String, timing: &measure::Timing) -> Row {
    Row::new(what, "ms", timing.median * 1e3).spread(timing.spread * 1e3)
}

pub(super) fn rows(scene: &Scene, ctx: &JobContext) -> Result<Vec<Row>, LabError> {
    let printed = Subject::of(scene, Conduct::AS_PRINTED, ctx)?;
    let ours = Subject::of(scene, Conduct::default(), ctx)?;
    let title = printed.title();
    let [theirs, mine] = [times(&printed, ctx)?, times(&ours, ctx)?];
    let border = |subject: &Subject| {
        let footing = Footing::build(subject.body(), subject.built.surfaces());
        footing.border_count() as f64
    };
    let mut rows = vec![
        timed(
            format!("{title}: discretised by the processor"),
            &mine.discretised,
        )
        .by(&ours.rules)
        .goal(100.0, Better::Lower),
        timed(format!("{title}: bordered, by 4 sides"), &theirs.bordered)
            .by(&printed.rules)
            .paper(scene.seconds[1] * 1e3)
            .goal(100.0, Better::Lower),
        timed(format!("{title}: bordered, by 8 sides"), &mine.bordered)
            .by(&ours.rules)
            .goal(100.0, Better::Lower),
        // A border that has no cells takes no time.
        Row::new(
            format!("{title}: border cells, by 4 sides"),
            "",
            border(&printed),
        )
        .by(&printed.rules)
        .goal(1.0, Better::Higher),
        Row::new(
            format!("{title}: border cells, by 8 sides"),
            "",
            border(&ours),
        )
        .by(&ours.rules)
        .goal(border(&printed) + 1.0, Better::Higher),
        timed(
            format!("{title}: a path, smoothed between junctions"),
            &theirs.path,
        )
        .by(&printed.rules)
        .paper(PAPER_PATH_SECS * 1e3)
        .goal(5.0, Better::Lower),
        timed(format!("{title}: a path, drawn taut"), &mine.path)
            .by(&ours.rules)
            .goal(5.0, Better::Lower),
    ];
    rows.extend(searched(&printed, &title, ctx)?);
    rows.extend(smoothed(scene, &title, ctx)?);
    rows.push(Row::new(
        format!("{title}: triangles"),
        "",
        printed.built.voxels.scene.triangle_count() as f64,
    ));
    let text =
        crate::document::format::write(&printed.level, crate::base::EntityId::new(1_000_000));
    let size = Row::new(
        format!("{title}: size of the file"),
        "kB",
        text.len() as f64 / 1e3,
    );
    // Another file, of another scene: the paper's is beside it for its order of magnitude.
    rows.push(match scene.file {
        Some(kilobytes) => size.beside("the paper\u{2019}s", kilobytes),
        None => size,
    });
    Ok(rows)
}

/// § 5.4: A* against the bushfire that reaches the goal.
fn searched(subject: &Subject, title: &str, ctx: &JobContext) -> Result<Vec<Row>, LabError> {
    let surfaces = subject.built.surfaces();
    let footing = subject.built.footing(&subject.profile);
    let Some(request) = subject.request() else {
        return Ok(Vec::new());
    };
    let cell = |p| targets::settled(&subject.built, &footing, p);
    let (Some(start), Some(goal)) = (cell(request.start), cell(request.goal)) else {
        return Ok(Vec::new());
    };
    let goals = Goals::new(surfaces, [goal]);
    let reach = Reach::new(surfaces, &footing, Borders::Avoid);
    let traversable = TraversableCells::between(reach, &[start], &goals);
    let front = Front::spread(&traversable, &[start], Until::First(&goals), ctx)?;
    let burnt = front.cells().len() as f64;
    let expanded = subject
        .walk()
        .map_or(f64::NAN, |(_, expanded)| expanded as f64);
    let what = format!("{title}: cells expanded by A*");
    Ok(vec![
        Row::new(what, "", expanded)
            .by(&subject.rules)
            .beside("bushfire", burnt)
            .goal(burnt, Better::Lower),
    ])
}

/// § 7.4 and Figure 13: what smoothing does to length and turns.
fn smoothed(scene: &Scene, title: &str, ctx: &JobContext) -> Result<Vec<Row>, LabError> {
    use crate::document::Smoothing;
    let mut rows = Vec::new();
    for smoothing in Smoothing::ALL {
        let rules = match smoothing {
            Smoothing::Taut => Conduct::default(),
            _ => Conduct {
                smoothing,
                ..Conduct::AS_PRINTED
            },
        };
        let subject = Subject::of(scene, rules, ctx)?;
        let (Some((leg, _)), Some(request)) = (subject.walk(), subject.request()) else {
            continue;
        };
        let path = leg.path_for(&request, None, 0);
        let plan: Vec<_> = path.points.iter().map(|p| p.truncate()).collect();
        let how = smoothing.name().to_lowercase();
        rows.push(
            Row::new(
                format!("{title}: length, {how}"),
                "m",
                metrics::length_in_plan(&plan),
            )
            .by(&subject.rules),
        );
        let turning = metrics::turning(&plan).to_degrees();
        rows.push(Row::new(format!("{title}: turning, {how}"), "°", turning).by(&subject.rules));
    }
    Ok(rows)
}
