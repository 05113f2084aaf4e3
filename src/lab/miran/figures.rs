//! The paper's Figures 1, 7 and 8, drawn from our results.

use super::super::LabError;
use super::subject::{Subject, Subjects};
use super::{FOREST_STEP, LOOK_AHEADS};
use crate::base::Colour;
use crate::document::mesh_library::NO_MESHES;
use crate::document::{Level, PlannerId};
use crate::geometry::Rect;
use crate::jobs::JobContext;
use crate::planner::Path;
use crate::preview::nav::SERIES;
use crate::preview::primitive::{Dash, Extent, Ink, Stroke};
use crate::preview::render::{Figure, LineKey, View};
use crate::preview::{
    Layer, Layers, Look, Palette, Plane, Primitive, RenderOptions, Shape, Sink, png_of_svg,
    render_figure_svg,
};
use glam::DVec2;
use std::path::PathBuf;

/// Colour of a route that several paths follow.
const ROUTE: Colour = Colour::hex(0x20_24_28);

/// One line of a figure, with its place in the key.
struct Line {
    name: String,
    points: Vec<DVec2>,
    stroke: Stroke,
}

impl Line {
    fn route(name: impl Into<String>, subject: &Subject, colour: Colour) -> Self {
        let line = subject.request.guide.as_ref().map(|guide| &guide.line);
        Self {
            name: name.into(),
            points: line.map(|line| line.to_vec()).unwrap_or_default(),
            stroke: Stroke::pixels(Ink::new(colour, 0.9), 1.8).dashed(Dash::Dashed),
        }
    }

    /// A path; its length goes into the key.
    fn path(name: &str, path: &Path, colour: Colour, width: f64) -> Self {
        Self {
            name: format!("{name}: {:.0} m", path.length),
            points: path.points.iter().map(|p| p.truncate()).collect(),
            stroke: Stroke::pixels(Ink::solid(colour), width),
        }
    }
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
    let tuned = |subject: &Subject, sigma: f64| miran(&subject.tuned(sigma, FOREST_STEP));
    let family = [
        Line::route("adult\u{2019}s route", adult, SERIES[0]),
        Line::route("child\u{2019}s route", child, SERIES[1]),
        Line::path("adult, σ = 80", &tuned(adult, 80.0), SERIES[0], 3.6),
        Line::path("child, σ = 100", &tuned(child, 100.0), SERIES[1], 3.6),
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

    let mut lines = vec![Line::route("indicative route", guard, ROUTE)];
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
        Line::route("indicative route", road, ROUTE),
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

/// An area of a level, or as much more as it takes to cut off no line.
fn figure(
    name: &str,
    title: &str,
    level: &Level,
    area: Rect,
    lines: &[Line],
) -> Result<[(PathBuf, Vec<u8>); 2], LabError> {
    let extent = Rect::of_points(lines.iter().flat_map(|line| &line.points));
    let options = RenderOptions {
        size: [1500, 900],
        view: View::Area(area.union(&extent.expanded(5.0))),
        look: Look::Light,
        layers: [Layer::Bounds, Layer::Terrain, Layer::Obstacles]
            .into_iter()
            .collect::<Layers>(),
        legend: true,
        ..RenderOptions::default()
    };
    let keys: Vec<LineKey> = lines
        .iter()
        .map(|line| LineKey {
            name: line.name.clone(),
            stroke: line.stroke,
        })
        .collect();
    let about = Figure {
        title: Some(title),
        lines: &keys,
        field: None,
        ..Figure::default()
    };
    let svg = render_figure_svg(level, &NO_MESHES, &options, &about, |palette, sink| {
        draw(lines, palette, sink);
        for line in lines.iter().filter(|line| line.stroke.dash == Dash::Solid) {
            draw_ends(line, palette, sink);
        }
    });
    let drawn = |error: crate::preview::RenderError| LabError::Unavailable(error.to_string());
    let svg = svg.map_err(drawn)?;
    let png = png_of_svg(&svg, options.size).map_err(drawn)?;
    Ok([
        (PathBuf::from(format!("{name}.svg")), svg.into_bytes()),
        (PathBuf::from(format!("{name}.png")), png),
    ])
}

fn add(sink: &mut dyn Sink, plane: Plane, primitive: Primitive) {
    sink.add(Shape {
        plane,
        entity: None,
        min_scale: 0.0,
        primitive,
    });
}

/// First the beds that paths lie in, then all lines, wide ones below: where paths run together,
/// each is still seen.
fn draw(lines: &[Line], palette: &Palette, sink: &mut dyn Sink) {
    let drawn = |line: &Line, stroke: Stroke| Primitive::Line {
        points: line.points.clone(),
        closed: false,
        stroke,
    };
    for line in lines.iter().filter(|line| line.stroke.dash == Dash::Solid) {
        let bed = Stroke::pixels(palette.halo, line.stroke.width.pixels + 2.0);
        add(sink, Plane::Paths, drawn(line, bed));
    }
    for line in lines {
        add(sink, Plane::Paths, drawn(line, line.stroke));
    }
}

/// A disc where it sets out, a ring where it arrives.
fn draw_ends(line: &Line, palette: &Palette, sink: &mut dyn Sink) {
    let ink = line.stroke.ink;
    for (end, fill) in [
        (line.points.first(), ink),
        (line.points.last(), palette.halo),
    ] {
        let Some(&centre) = end else { continue };
        let disc = Primitive::Disc {
            centre,
            radius: Extent::pixels(6.0),
            fill,
            outline: Some(Stroke::pixels(ink, 2.4)),
        };
        add(sink, Plane::Agents, disc);
    }
}
