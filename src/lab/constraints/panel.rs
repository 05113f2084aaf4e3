//! One picture of a figure: a level, what acts in it, what was searched, and paths.

use super::super::LabError;
use crate::base::Colour;
use crate::document::Level;
use crate::document::mesh_library::NO_MESHES;
use crate::geometry::Rect;
use crate::jobs::JobContext;
use crate::nav::constraint::{Field, Term};
use crate::preview::constraint::{FieldMap, StateMap, draw_regions, draw_states};
use crate::preview::primitive::{Dash, Extent, Ink, Stroke};
use crate::preview::render::{Figure, LineKey, View};
use crate::preview::{
    Layer, Layers, Look, Palette, Plane, Primitive, RenderError, RenderOptions, Shape, Sink,
    png_of_svg, render_figure_svg,
};
use glam::{DVec2, DVec3};
use std::path::PathBuf;
use std::sync::Arc;

/// Posts of a field along the longer side of a level.
const POSTS: usize = 256;

/// How much of the spacing a state's square takes.
const SHARE: f64 = 0.8;

/// A path and its place in the key.
#[derive(Clone, Debug)]
pub(super) struct Line {
    name: String,
    points: Vec<DVec2>,
    colour: Colour,
    pub is_dashed: bool,
}

impl Line {
    pub fn new(name: impl Into<String>, points: &[DVec3], colour: Colour) -> Self {
        Self {
            name: name.into(),
            points: points.iter().map(|p| p.truncate()).collect(),
            colour,
            is_dashed: false,
        }
    }

    fn stroke(&self) -> Stroke {
        let stroke = Stroke::pixels(Ink::solid(self.colour), 3.2);
        if self.is_dashed {
            stroke.dashed(Dash::Dashed)
        } else {
            stroke
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Panel {
    name: String,
    title: String,
    level: Level,
    /// Drawn as a heat map.
    pub field: Option<Arc<Field>>,
    /// Outlined with their sentences.
    pub terms: Vec<Term>,
    states: StateMap,
    pub lines: Vec<Line>,
}

impl Panel {
    pub fn new(name: String, title: String, level: &Level) -> Self {
        Self {
            name,
            title,
            level: level.clone(),
            field: None,
            terms: Vec::new(),
            states: StateMap::default(),
            lines: Vec::new(),
        }
    }

    /// States that were expanded, so far apart.
    pub fn squares(&mut self, states: &[DVec3], spacing: f64) {
        let half = DVec2::splat(0.5 * SHARE * spacing);
        let squares = states.iter().map(|p| Rect::around(p.truncate(), half));
        self.states.expanded.extend(squares);
    }

    /// The highways of a path: what is longer than a step.
    pub fn long(&mut self, path: &[DVec3], spacing: f64) {
        let highways = path
            .windows(2)
            .filter(|pair| pair[0].distance(pair[1]) > 1.6 * spacing);
        for (index, pair) in highways.enumerate() {
            // One entry in the key for all of them.
            let name = if index == 0 { "highway" } else { "" };
            let mut line = Line::new(name, pair, HIGHWAY);
            line.is_dashed = false;
            self.lines.push(line);
        }
    }

    /// As a drawing and as pixels.
    pub fn files(&self, ctx: &JobContext) -> Result<[(PathBuf, Vec<u8>); 2], LabError> {
        let bounds = self.level.settings().bounds;
        let aspect = bounds.size().y / bounds.size().x;
        let options = RenderOptions {
            size: [1300, (950.0 * aspect).clamp(620.0, 1300.0) as u32 + 120],
            view: View::Area(bounds),
            look: Look::Light,
            layers: [
                Layer::Bounds,
                Layer::Terrain,
                Layer::Obstacles,
                Layer::Agents,
            ]
            .into_iter()
            .collect::<Layers>(),
            legend: true,
            ..RenderOptions::default()
        };
        let map = match &self.field {
            Some(field) => Some(FieldMap::of(
                field,
                "cost".to_owned(),
                bounds,
                POSTS,
                0.0,
                ctx,
            )?),
            None => None,
        };
        let keys: Vec<LineKey> = self
            .lines
            .iter()
            .filter(|line| !line.name.is_empty())
            .map(|line| LineKey {
                name: line.name.clone(),
                stroke: line.stroke(),
            })
            .collect();
        let about = Figure {
            title: Some(&self.title),
            lines: &keys,
            field: map.as_ref(),
            ..Figure::default()
        };
        let svg = render_figure_svg(
            &self.level,
            &NO_MESHES,
            &options,
            &about,
            |palette, sink| {
                if let Some(map) = &map {
                    map.draw(palette, sink);
                }
                draw_regions(&self.terms, palette, sink);
                draw_states(&self.states, palette, sink);
                self.draw_lines(palette, sink);
            },
        );
        let drawn = |error: RenderError| LabError::Unavailable(error.to_string());
        let svg = svg.map_err(drawn)?;
        let png = png_of_svg(&svg, options.size).map_err(drawn)?;
        let file = |extension: &str| PathBuf::from(format!("{}.{extension}", self.name));
        Ok([(file("svg"), svg.into_bytes()), (file("png"), png)])
    }

    fn draw_lines(&self, palette: &Palette, sink: &mut dyn Sink) {
        let mut add = |plane, primitive| {
            sink.add(Shape {
                plane,
                entity: None,
                min_scale: 0.0,
                primitive,
            });
        };
        // Highways last: they lie on the path.
        let is_highway = |line: &&Line| line.colour == HIGHWAY;
        let lines = self.lines.iter().filter(|line| !is_highway(line));
        for line in lines.chain(self.lines.iter().filter(is_highway)) {
            let stroke = line.stroke();
            for stroke in [
                Stroke::pixels(palette.halo, stroke.width.pixels + 2.0),
                stroke,
            ] {
                add(
                    Plane::Paths,
                    Primitive::Line {
                        points: line.points.clone(),
                        closed: false,
                        stroke,
                    },
                );
            }
            let ends = [
                (line.points.first(), stroke.ink),
                (line.points.last(), palette.halo),
            ];
            for (end, fill) in ends {
                let Some(&centre) = end.filter(|_| !is_highway(&line)) else {
                    continue;
                };
                add(
                    Plane::Agents,
                    Primitive::Disc {
                        centre,
                        radius: Extent::pixels(5.5),
                        fill,
                        outline: Some(Stroke::pixels(stroke.ink, 2.2)),
                    },
                );
            }
        }
    }
}

/// Of transitions of the triangulation, as in the paper.
const HIGHWAY: Colour = Colour::hex(0xd0_30_30);
