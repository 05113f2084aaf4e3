//! The paper's Figures 1, 7 and 8, drawn from our results.

use super::super::LabError;
use super::super::figure::{Line, figure};
use super::LOOK_AHEADS;
use super::subject::{Subject, Subjects};
use crate::base::Colour;
use crate::document::PlannerId;
use crate::geometry::Rect;
use crate::jobs::JobContext;
use crate::preview::nav::SERIES;
use glam::DVec2;
use std::path::PathBuf;

/// Colour of a route that several paths follow.
const ROUTE: Colour = Colour::hex(0x20_24_28);

fn route(name: impl Into<String>, subject: &Subject, colour: Colour) -> Line {
    let line = subject.request.guide.as_ref().map(|guide| &guide.line);
    let points = line.map(|line| line.to_vec()).unwrap_or_default();
    Line::dashed(name, points, colour)
}

/// Figures 1, 7 and 8 as drawings and as pixels: names and contents of files.
///
/// # Errors
/// Cancelled, or a sample could not be made or drawn.
pub fn pictures(ctx: &JobContext) -> Result<Vec<(PathBuf, Vec<u8>)>, LabError> {
    let subjects = Subjects::new(ctx)?;
    let Subjects {
        guard,
        road,
        adult,
        child,
    } = &subjects;
    let mut files = Vec::new();
    let miran = |subject: &Subject| subject.path(PlannerId::MIRAN);
    let family = [
        route("adult\u{2019}s route", adult, SERIES[0]),
        route("child\u{2019}s route", child, SERIES[1]),
        Line::path("adult", &miran(adult), SERIES[0], 3.6),
        Line::path("child", &miran(child), SERIES[1], 3.6),
    ];
    let title = "Forest walk: adult and child over puddles, fallen trees and a view";
    let whole = adult.level.settings().bounds;
    files.extend(figure(
        "miran_figure_1",
        title,
        &adult.level,
        whole,
        &family,
    )?);

    let mut lines = vec![route("indicative route", guard, ROUTE)];
    // The smaller σ, the wider and the deeper: none hides another.
    for ((look_ahead, _), (colour, width)) in LOOK_AHEADS.into_iter().zip(SIGMAS) {
        ctx.checkpoint()?;
        let path = miran(&guard.tuned(look_ahead, 20.0));
        lines.push(Line::path(
            &format!("σ = {look_ahead}"),
            &path,
            colour,
            width,
        ));
    }
    let title = "McKenna: one route, d = 20, five look-aheads";
    let village = Rect::new(DVec2::new(0.0, 60.0), DVec2::new(200.0, 190.0));
    files.extend(figure(
        "miran_figure_7",
        title,
        &guard.level,
        village,
        &lines,
    )?);

    let lines = [
        route("indicative route", road, ROUTE),
        Line::path("IRM", &road.path(PlannerId::IRM), SERIES[2], 4.4),
        Line::path("MIRAN, σ = 40", &miran(road), SERIES[4], 3.2),
    ];
    let title = "McKenna with road: a pedestrian by MIRAN and by IRM";
    files.extend(figure(
        "miran_figure_8",
        title,
        &road.level,
        village,
        &lines,
    )?);
    Ok(files)
}

/// Colours and widths of Figure 7, in the order of its look-aheads.
const SIGMAS: [(Colour, f64); 5] = [
    (SERIES[4], 8.5),
    (SERIES[5], 7.0),
    (SERIES[0], 5.5),
    (SERIES[3], 4.0),
    (SERIES[2], 2.2),
];
