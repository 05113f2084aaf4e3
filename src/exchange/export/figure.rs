//! The plan as a figure for papers and reports, with title, scale bar and legend: SVG or PDF.

use super::left_out::{LeftOut, left_out};
use super::page::{LOOKS, look_named};
use super::{ExportError, Exported};
use crate::base::{Quantity, Unit};
use crate::document::{Entity, Kind, Level};
use crate::exchange::motion::Motion;
use crate::exchange::options::{Choice, Field, FormatOptions};
use crate::exchange::sink::ExportSink;
use crate::exchange::writer::{ExportInput, Writer};
use crate::jobs::JobContext;
use crate::preview::frame::Frame;
use crate::preview::pdf::pdf_of_svg;
use crate::preview::primitive::{Ink, Stroke};
use crate::preview::{
    Figure, Layer, Layers, LineKey, Look, Plane, Primitive, RenderOptions, Shape, render_figure_svg,
};
use glam::DVec2;

/// Pixels of a drawing for a millimetre on paper.
const PIXELS_PER_MM: f64 = 96.0 / 25.4;

const SIDE: Quantity = Quantity::new(
    "size on paper in millimetres",
    Unit::One,
    20.0,
    3000.0,
    180.0,
);

/// Width of the lines of trajectories. Unit: pixels.
const LINE: f64 = 1.3;

/// Which lines are drawn over the plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lines {
    /// Those of a recording, if one is given.
    #[default]
    Recorded,
    /// Also of agents as planned.
    Planned,
    None,
}

const LINES: &[Choice] = &[
    Choice::new("recorded", "Of the recording", "If one is given"),
    Choice::new("planned", "As planned", "Without a recording, too"),
    Choice::new("none", "None", ""),
];

#[derive(Clone, Debug, PartialEq)]
pub struct FigureOptions {
    /// Unit: millimetres.
    pub width: usize,
    /// As the level asks for if `None`. Unit: millimetres.
    pub height: Option<f64>,
    pub look: Look,
    pub lines: Lines,
    pub no_legend: bool,
    pub no_title: bool,
    pub grid: bool,
}

impl Default for FigureOptions {
    fn default() -> Self {
        Self {
            width: 180,
            height: None,
            look: Look::Light,
            lines: Lines::Recorded,
            no_legend: false,
            no_title: false,
            grid: false,
        }
    }
}

impl FormatOptions for FigureOptions {
    const FIELDS: &'static [Field<Self>] = &[
        Field::count(
            ["width", "Width in mm", "Width on paper in millimetres"],
            SIDE,
            |o| &mut o.width,
        ),
        Field::automatic_count(
            [
                "height",
                "Height in mm",
                "Height on paper in millimetres; as the level asks for if not given",
            ],
            SIDE,
            |o: &mut Self| &mut o.height,
        ),
        Field::choice(
            ["look", "Look", "Colours of the figure"],
            LOOKS,
            |o| o.look.name(),
            |o, id| o.look = look_named(id),
        ),
        Field::choice(
            ["lines", "Trajectories", "Whose paths are drawn"],
            LINES,
            |o| match o.lines {
                Lines::Recorded => "recorded",
                Lines::Planned => "planned",
                Lines::None => "none",
            },
            |o, id| {
                o.lines = match id {
                    "planned" => Lines::Planned,
                    "none" => Lines::None,
                    _ => Lines::Recorded,
                };
            },
        ),
        Field::switch(
            ["no-legend", "Without a legend", "Leave the legend out"],
            |o| &mut o.no_legend,
        ),
        Field::switch(
            ["no-title", "Without a title", "Leave the title out"],
            |o| &mut o.no_title,
        ),
        Field::switch(
            ["with-grid", "With the grid", "Draw the level’s grid"],
            |o| &mut o.grid,
        ),
    ];
}

fn svg(
    input: &ExportInput,
    options: &FigureOptions,
    ctx: &JobContext,
) -> Result<String, ExportError> {
    let width = options.width as f64 * PIXELS_PER_MM;
    let fitting = || {
        let extent = crate::preview::shape::extent(&input.level);
        Frame::fitting_height(extent, width, !options.no_legend)
    };
    let height = options.height.map_or_else(fitting, |mm| mm * PIXELS_PER_MM);
    let mut layers = Layers::ALL;
    layers.set(Layer::Grid, options.grid);
    let wanted = match options.lines {
        Lines::Recorded => input.has_run(),
        Lines::Planned => true,
        Lines::None => false,
    };
    if wanted {
        // Lines show where agents were; their starts would cover them.
        layers.set(Layer::Agents, false);
    }
    let motion = wanted.then(|| Motion::of(input, None, ctx)).transpose()?;
    let picture = RenderOptions {
        size: [width, height].map(|side| side.round().max(1.0) as u32),
        layers,
        look: options.look,
        title: !options.no_title,
        scale_bar: true,
        legend: !options.no_legend,
        ..RenderOptions::default()
    };
    let mut keys: Vec<LineKey> = Vec::new();
    let walkers = motion.iter().flat_map(|motion| &motion.walkers);
    for walker in walkers {
        let stroke = stroke(walker.colour, 1.0);
        let profile = walker.profile.map(|id| input.level.label(id));
        let name = profile.unwrap_or_else(|| "Trajectories".to_owned());
        if !keys.iter().any(|key| key.name == name) {
            keys.push(LineKey { name, stroke });
        }
    }
    let figure = Figure {
        lines: &keys,
        ..Figure::default()
    };
    let meshes = &input.voxels.meshes;
    render_figure_svg(&input.level, meshes, &picture, &figure, |_, sink| {
        let Some(motion) = &motion else {
            return;
        };
        // Many lines over each other are read as a density.
        let alpha = (8.0 / motion.walkers.len().max(1) as f64)
            .sqrt()
            .clamp(0.12, 0.9);
        for walker in &motion.walkers {
            let points: Vec<DVec2> = walker.points.iter().map(|p| p.truncate()).collect();
            if points.len() < 2 {
                continue;
            }
            sink.add(Shape {
                plane: Plane::Playback,
                entity: None,
                min_scale: 0.0,
                primitive: Primitive::Line {
                    points,
                    closed: false,
                    stroke: stroke(walker.colour, alpha),
                },
            });
        }
    })
    .map_err(|error| ExportError::Refused(error.to_string()))
}

fn stroke(colour: crate::base::Colour, alpha: f64) -> Stroke {
    Stroke::pixels(Ink::new(colour, alpha), LINE)
}

/// A figure in a file of some kind.
#[derive(Debug)]
pub struct FigureWriter {
    /// From the drawing, as SVG, and the level's name.
    bytes: fn(String, &str) -> Result<Vec<u8>, ExportError>,
}

pub const SVG: FigureWriter = FigureWriter {
    bytes: |drawing, _| Ok(drawing.into_bytes()),
};

pub const PDF: FigureWriter = FigureWriter {
    bytes: |drawing, name| {
        pdf_of_svg(&drawing, name).map_err(|error| ExportError::Refused(error.to_string()))
    },
};

impl Writer for FigureWriter {
    type Options = FigureOptions;

    fn takes_recording(&self) -> bool {
        true
    }

    fn left_out(&self, level: &Level, _: &Self::Options) -> Vec<LeftOut> {
        let reason = |entity: &Entity| {
            matches!(entity.kind, Kind::Flag(_) | Kind::Test(_)).then_some("it cannot be seen")
        };
        left_out(level, &reason, None)
    }

    fn write(
        &self,
        input: &ExportInput,
        options: &Self::Options,
        sink: &mut dyn ExportSink,
        ctx: &JobContext,
    ) -> Result<Exported, ExportError> {
        let drawing = svg(input, options, ctx)?;
        ctx.checkpoint()?;
        sink.write_main((self.bytes)(drawing, &input.level.settings().name)?)?;
        Ok(Exported {
            summary: vec![format!("{} mm wide", options.width)],
            ..Exported::default()
        })
    }
}
