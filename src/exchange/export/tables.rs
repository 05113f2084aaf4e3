//! Tables of what is in a level, as JSON that Unreal's data tables, spreadsheets and scripts import:
//! one file for each kind of thing, a list of rows with a unique `Name`.

use super::left_out::{LeftOut, left_out};
use super::names::{Names, identifier};
use super::parts::{Shape, parts};
use super::{ExportError, Exported};
use crate::document::{Entity, Kind, Level};
use crate::exchange::options::{Choice, Field, FormatOptions};
use crate::exchange::sink::ExportSink;
use crate::exchange::writer::{ExportInput, Writer};
use crate::jobs::JobContext;
use glam::DVec3;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The file that names all others.
pub const INDEX: &str = "tables.json";

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Convention {
    /// Centimetres, z up, y towards the viewer: what is right in the plan is right in the engine.
    #[default]
    Unreal,
    /// Metres, as drawn.
    Plan,
}

const CONVENTIONS: &[Choice] = &[
    Choice::new("unreal", "Unreal", "Centimetres, z up, left-handed"),
    Choice::new("plan", "As drawn", "Metres, x right, y up in plan, z up"),
];

#[derive(Clone, Debug, Default, PartialEq)]
pub struct TablesExportOptions {
    pub convention: Convention,
}

impl FormatOptions for TablesExportOptions {
    const FIELDS: &'static [Field<Self>] = &[Field::choice(
        ["coordinates", "Coordinates", "Units and axes of places"],
        CONVENTIONS,
        |o: &Self| match o.convention {
            Convention::Unreal => "unreal",
            Convention::Plan => "plan",
        },
        |o, id| {
            o.convention = match id {
                "plan" => Convention::Plan,
                _ => Convention::Unreal,
            };
        },
    )];
}

impl Convention {
    fn place(self, p: DVec3) -> Value {
        let [x, y, z] = match self {
            Self::Unreal => [100.0 * p.x, -100.0 * p.y, 100.0 * p.z],
            Self::Plan => p.to_array(),
        }
        .map(|v| v + 0.0);
        json!({ "X": x, "Y": y, "Z": z })
    }

    fn degrees(self, radians: f64) -> f64 {
        match self {
            Self::Unreal => -radians.to_degrees() + 0.0,
            Self::Plan => radians.to_degrees(),
        }
    }

    const fn lengths(self) -> f64 {
        match self {
            Self::Unreal => 100.0,
            Self::Plan => 1.0,
        }
    }
}

#[derive(Debug)]
pub struct TablesWriter;

impl Writer for TablesWriter {
    type Options = TablesExportOptions;

    fn left_out(&self, level: &Level, _: &Self::Options) -> Vec<LeftOut> {
        let reason = |entity: &Entity| match entity.kind {
            Kind::Flag(_) | Kind::Test(_) => Some("only Wayloom has a use for it"),
            _ => None,
        };
        left_out(level, &reason, Some("tables hold things, not the ground"))
    }

    fn write(
        &self,
        input: &ExportInput,
        options: &Self::Options,
        sink: &mut dyn ExportSink,
        ctx: &JobContext,
    ) -> Result<Exported, ExportError> {
        let level = &*input.level;
        let mut tables: BTreeMap<&str, Table> = BTreeMap::new();
        for (id, entity, profile) in level.profiles() {
            let scale = options.convention.lengths();
            let row = json!({
                "Id": id.number(),
                "Label": entity.label(id),
                "Radius": scale * profile.body.radius,
                "Height": scale * profile.body.height,
                "StepHeight": scale * profile.body.step_height,
                "Speed": scale * profile.pace.speed,
                "Colour": profile.colour.to_string(),
            });
            tables
                .entry("profile")
                .or_default()
                .add(&entity.label(id), row);
        }
        for (id, entity, terrain) in level.terrains() {
            let row = json!({
                "Id": id.number(),
                "Label": entity.label(id),
                "Weight": terrain.weight,
                "Colour": terrain.colour.to_string(),
            });
            tables
                .entry("terrain")
                .or_default()
                .add(&entity.label(id), row);
        }
        for part in parts(input) {
            ctx.checkpoint()?;
            let Some(id) = part.id else { continue };
            let mut row = Map::new();
            row.insert("Id".to_owned(), id.number().into());
            row.insert("Label".to_owned(), part.name.clone().into());
            row.insert("Colour".to_owned(), part.colour.to_string().into());
            match &part.shape {
                Shape::Place { at, heading } => {
                    row.insert("Location".to_owned(), options.convention.place(*at));
                    row.insert(
                        "Yaw".to_owned(),
                        options.convention.degrees(*heading).into(),
                    );
                }
                Shape::Line { points, closed } => {
                    let places = points.iter().map(|p| options.convention.place(*p));
                    row.insert("Points".to_owned(), places.collect());
                    row.insert("Closed".to_owned(), (*closed).into());
                }
                Shape::Body(body) => {
                    let low = body.vertices.iter().copied().reduce(DVec3::min);
                    let high = body.vertices.iter().copied().reduce(DVec3::max);
                    let (low, high) = (low.unwrap_or_default(), high.unwrap_or_default());
                    let size = options.convention.lengths() * (high - low);
                    row.insert(
                        "Location".to_owned(),
                        options.convention.place(low.midpoint(high).with_z(low.z)),
                    );
                    row.insert(
                        "Size".to_owned(),
                        json!({ "X": size.x, "Y": size.y, "Z": size.z }),
                    );
                }
            }
            for (key, value) in &part.extras {
                let is_told = ["wayloom_id", "kind", "name", "goals"].contains(&key.as_str());
                if !is_told {
                    row.insert(pascal(key), value.clone());
                }
            }
            if let Some(Value::Array(goals)) = part.extras.get("goals") {
                let places = goals.iter().filter_map(|goal| {
                    let [x, y, z] = <[f64; 3]>::try_from(
                        goal.as_array()?
                            .iter()
                            .filter_map(Value::as_f64)
                            .collect::<Vec<_>>(),
                    )
                    .ok()?;
                    Some(options.convention.place(DVec3::new(x, y, z)))
                });
                row.insert("Goals".to_owned(), places.collect());
            }
            tables
                .entry(part.kind)
                .or_default()
                .add(&part.name, row.into());
        }
        let mut listed = Vec::new();
        let mut summary = Vec::new();
        for (kind, table) in tables {
            let file = format!("{kind}.json");
            listed.push(json!({ "file": file, "kind": kind, "rows": table.rows.len() }));
            summary.push(format!("{file}: {} rows", table.rows.len()));
            sink.write(&file, text(&Value::Array(table.rows))?)?;
        }
        let index = json!({
            "format": "wayloom tables",
            "version": 1,
            "level": level.settings().name,
            "unit": if options.convention == Convention::Unreal { "centimetre" } else { "metre" },
            "tables": listed,
        });
        sink.write_main(text(&index)?)?;
        Ok(Exported {
            summary,
            ..Exported::default()
        })
    }
}

#[derive(Default)]
struct Table {
    rows: Vec<Value>,
    names: Names,
}

impl Table {
    /// Rows are told apart by their names, which Unreal wants to be plain words.
    fn add(&mut self, label: &str, row: Value) {
        let name = self.names.unique(identifier(label, "Row"));
        let mut named = Map::new();
        named.insert("Name".to_owned(), name.into());
        if let Value::Object(row) = row {
            named.extend(row);
        }
        self.rows.push(named.into());
    }
}

/// `first_word` → `FirstWord`.
fn pascal(key: &str) -> String {
    key.split('_')
        .map(|word| {
            let mut letters = word.chars();
            let first = letters.next().map(|c| c.to_ascii_uppercase());
            first.into_iter().chain(letters).collect::<String>()
        })
        .collect()
}

fn text(value: &Value) -> Result<Vec<u8>, ExportError> {
    let mut bytes = serde_json::to_vec_pretty(value)
        .map_err(|error| ExportError::Refused(error.to_string()))?;
    bytes.push(b'\n');
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::template::{self, Template};
    use crate::exchange::MemorySink;
    use std::collections::BTreeSet;
    use std::sync::Arc;

    #[test]
    fn every_row_has_a_name_of_its_own_and_every_file_is_listed() {
        let level = Template::Rooms
            .build(&template::Options::default())
            .expect("drawn");
        let (agents, profiles) = (
            level
                .iter()
                .filter(|(_, e)| matches!(e.kind, Kind::Agent(_)))
                .count(),
            level.profiles().count(),
        );
        let mut sink = MemorySink::default();
        let input = ExportInput::new(Arc::new(level));
        let options = TablesExportOptions::default();
        TablesWriter
            .write(&input, &options, &mut sink, &JobContext::default())
            .expect("written");
        let index: Value = serde_json::from_slice(&sink.main).expect("JSON");
        assert_eq!(
            index["tables"].as_array().map(Vec::len),
            Some(sink.beside.len())
        );
        for (file, bytes) in &sink.beside {
            let rows: Vec<Value> = serde_json::from_slice(bytes).expect("a list");
            let names: BTreeSet<&str> = rows.iter().filter_map(|r| r["Name"].as_str()).collect();
            assert_eq!(names.len(), rows.len(), "{file}");
            match file.as_str() {
                "agent.json" => assert_eq!(rows.len(), agents),
                "profile.json" => assert_eq!(rows.len(), profiles),
                _ => {}
            }
        }
    }
}
