//! A format that nothing but this file and its row knows: obstacles as lists of coordinates, so many
//! units to the metre.

use glam::DVec2;
use std::fmt::Write as _;
use wayloom::base::{EntityId, Quantity, Unit};
use wayloom::document::{Edit, Entity, Kind, Level, Obstacle, ops};
use wayloom::exchange::export::{ExportError, Exported};
use wayloom::exchange::import::{ImportError, Imported};
use wayloom::exchange::options::{Field, FormatOptions};
use wayloom::exchange::registry::{
    self, Content, FormatReader, FormatRow, FormatWriter, Needs, Output, Purpose,
};
use wayloom::exchange::sniff::Sniff;
use wayloom::exchange::{ExportInput, ExportSink, ImportInput, Reader, Writer};
use wayloom::geometry::Polygon;
use wayloom::jobs::JobContext;

pub static TOY: FormatRow = FormatRow {
    id: "toy",
    title: "Toy rings",
    extensions: &["toy"],
    description: "Obstacles as lists of coordinates.",
    reader: Some(FormatReader {
        reader: &Toy,
        content: Content::Level,
        sniff: |head| match head {
            [b't', b'o', b'y', b'\n', ..] => Sniff::Yes,
            _ => Sniff::No,
        },
    }),
    writer: Some(FormatWriter {
        writer: &Toy,
        needs: Needs::Level,
        purpose: Purpose::Maps,
        output: Output::File,
    }),
};

/// Makes the format known, once for all tests of this program.
pub fn register() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| registry::register(&TOY).expect("its names are free"));
}

#[derive(Clone, Debug, PartialEq)]
pub struct ToyOptions {
    pub units: f64,
}

impl Default for ToyOptions {
    fn default() -> Self {
        Self { units: 1.0 }
    }
}

const UNITS: Quantity = Quantity::new("units to the metre", Unit::One, 0.001, 1000.0, 1.0);

impl FormatOptions for ToyOptions {
    const FIELDS: &'static [Field<Self>] = &[Field::number(
        ["units", "Units to the metre", "How many units are a metre"],
        UNITS,
        |options| &mut options.units,
    )];
}

struct Toy;

impl Reader for Toy {
    type Options = ToyOptions;

    fn read(
        &self,
        input: &ImportInput<'_>,
        options: &ToyOptions,
        _: &JobContext,
    ) -> Result<Imported, ImportError> {
        let source = input.only("one at a time")?;
        let refuse = |message: &str| ImportError::within(&source.name, message);
        let text = str::from_utf8(&source.bytes).map_err(|_| refuse("this is not text"))?;
        let mut edits = Vec::new();
        for (line, id) in text.lines().skip(1).zip(1..) {
            let numbers: Result<Vec<f64>, _> = line.split(' ').map(str::parse).collect();
            let numbers = numbers.map_err(|_| refuse("a coordinate is not a number"))?;
            let ring = numbers
                .chunks_exact(2)
                .map(|p| DVec2::new(p[0], p[1]) / options.units);
            let obstacle = Obstacle::new(Polygon::new(ring.collect()));
            let entity = Entity::new("", Kind::Obstacle(obstacle));
            edits.push(Edit::create(EntityId::new(id), entity));
        }
        let level = ops::apply(&Level::default(), &edits);
        let level = level.map_err(|error| refuse(&error.to_string()))?;
        Ok(Imported::new(level, Vec::new()))
    }
}

impl Writer for Toy {
    type Options = ToyOptions;

    fn write(
        &self,
        input: &ExportInput,
        options: &ToyOptions,
        sink: &mut dyn ExportSink,
        _: &JobContext,
    ) -> Result<Exported, ExportError> {
        let mut text = String::from("toy\n");
        for (.., obstacle) in input.level.obstacles() {
            for (i, p) in obstacle.area.outer.iter().enumerate() {
                let blank = if i > 0 { " " } else { "" };
                let p = *p * options.units;
                let _ = write!(text, "{blank}{} {}", p.x, p.y);
            }
            text.push('\n');
        }
        sink.write_main(text.into_bytes())?;
        Ok(Exported::default())
    }
}

/// What the format carries of a level.
pub fn rings(level: &Level) -> Vec<Vec<DVec2>> {
    let obstacles = level.obstacles();
    obstacles
        .map(|(.., obstacle)| obstacle.area.outer.clone())
        .collect()
}
