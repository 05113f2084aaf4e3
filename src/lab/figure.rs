//! Figures of the papers: lines over a level, with a title and a key.

use super::LabError;
use crate::base::Colour;
use crate::document::Level;
use crate::document::mesh_library::NO_MESHES;
use crate::geometry::Rect;
use crate::planner::Path;
use crate::preview::primitive::{Dash, Extent, Ink, Stroke};
use crate::preview::render::{Figure, LineKey, View};
use crate::preview::{
    Layer, Layers, Look, Palette, Plane, Primitive, RenderOptions, Shape, Sink, png_of_svg,
    render_figure_svg,
};
use glam::DVec2;
use std::path::PathBuf;

/// Names of files and what goes into them.
pub(super) type Files = Vec<(PathBuf, Vec<u8>)>;

/// One line of a figure, with its place in the key.
#[derive(Clone, Debug)]
pub(super) struct Line {
    name: String,
    points: Vec<DVec2>,
    stroke: Stroke,
}

impl Line {
    /// A route or a border, under the paths.
    pub fn dashed(name: impl Into<String>, points: Vec<DVec2>, colour: Colour) -> Self {
        Self {
            name: name.into(),
            points,
            stroke: Stroke::pixels(Ink::new(colour, 0.9), 1.8).dashed(Dash::Dashed),
        }
    }

    /// A path; its length goes into the key.
    pub fn path(name: &str, path: &Path, colour: Colour, width: f64) -> Self {
        let points = path.points.iter().map(|p| p.truncate()).collect();
        Self::solid(
            format!("{name}: {:.1} m", path.length),
            points,
            colour,
            width,
        )
    }

    pub fn solid(name: impl Into<String>, points: Vec<DVec2>, colour: Colour, width: f64) -> Self {
        Self {
            name: name.into(),
            points,
            stroke: Stroke::pixels(Ink::solid(colour), width),
        }
    }
}

/// An area of a level, or as much more as it takes to cut off no line.
pub(super) fn figure(
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
        layers: [
            Layer::Bounds,
            Layer::Terrain,
            Layer::Solids,
            Layer::Obstacles,
        ]
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
