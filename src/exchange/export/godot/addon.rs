//! The add-on of an exported project: scripts that play a recording and find corridors, with the data
//! that they read. Coordinates are relative to the scene's origin, as everything is that Godot calculates with.

use super::super::ExportError;
use super::super::frame::Frame;
use crate::document::Level;
use crate::exchange::bake::blob::{Blob, Column};
use crate::exchange::bake::{corridors, things};
use crate::exchange::motion::Motion;
use crate::exchange::sink::ExportSink;
use crate::exchange::writer::ExportInput;
use crate::jobs::JobContext;
use crate::nav::{BakeRequest, NavBundle, Needs, ProfileSet};
use serde_json::{Value, json};
use std::sync::Arc;

/// Scripts by the names that they have in the project.
const SCRIPTS: [(&str, &str); 9] = [
    (
        "plugin.cfg",
        include_str!("../../../../assets/godot/plugin.cfg"),
    ),
    (
        "plugin.gd",
        include_str!("../../../../assets/godot/plugin.gd"),
    ),
    ("blob.gd", include_str!("../../../../assets/godot/blob.gd")),
    ("heap.gd", include_str!("../../../../assets/godot/heap.gd")),
    (
        "links.gd",
        include_str!("../../../../assets/godot/links.gd"),
    ),
    (
        "recording.gd",
        include_str!("../../../../assets/godot/recording.gd"),
    ),
    (
        "player_2d.gd",
        include_str!("../../../../assets/godot/player_2d.gd"),
    ),
    (
        "player_3d.gd",
        include_str!("../../../../assets/godot/player_3d.gd"),
    ),
    (
        "corridors.gd",
        include_str!("../../../../assets/godot/corridors.gd"),
    ),
];

const RECORDING: &str = "recording.json";
const TRACKS: &str = "recording.wlb";
const LINKS: &str = "links.json";
const LINK_TABLES: &str = "links.wlb";

/// Writes the scripts, the corridor map, and the recording if there is one; returns what there is to
/// tell.
pub(super) fn write(
    input: &ExportInput,
    frame: Frame,
    sink: &mut dyn ExportSink,
    ctx: &JobContext,
) -> Result<Vec<String>, ExportError> {
    for (name, text) in SCRIPTS {
        sink.write(&format!("addons/wayloom/{name}"), text.into())?;
    }
    let mut told = Vec::new();
    let request = BakeRequest {
        profiles: ProfileSet::Radii(Vec::new()),
        needs: Needs::CORRIDORS,
        ..BakeRequest::of(Arc::clone(&input.level))
    };
    let bundle = NavBundle::bake(request, ctx)?;
    // A level whose corridors cannot be made has none; its meshes are there all the same.
    if let Ok(map) = bundle.corridors() {
        let tables = moved(corridors::tables(map), frame);
        sink.write(corridors::FILE, tables.to_bytes())?;
        told.push(format!("Corridor map: {} edges", map.map.edges().len()));
        let (index, tables) = links(&input.level, frame);
        sink.write(LINKS, (index.to_string() + "\n").into_bytes())?;
        sink.write(LINK_TABLES, tables.to_bytes())?;
    }
    if input.has_run() {
        let motion = Motion::of(input, None, ctx)?;
        told.push(motion.summary());
        let (index, tracks) = recording(input, &motion, frame);
        sink.write(RECORDING, (index.to_string() + "\n").into_bytes())?;
        sink.write(TRACKS, tracks.to_bytes())?;
    }
    Ok(told)
}

/// Tables with their places relative to the scene's origin.
fn moved(mut tables: Blob, frame: Frame) -> Blob {
    for (name, column) in &mut tables.columns {
        let width = match name.as_str() {
            "vertex_points" | "vertex_touches" | "sample_points" | "sample_left"
            | "sample_right" => 2,
            "link_ends" => 3,
            _ => continue,
        };
        if let Column::F64(values) = column {
            for place in values.chunks_exact_mut(width) {
                place[0] -= frame.origin.x;
                place[1] -= frame.origin.y;
            }
        }
    }
    tables
}

/// The level's links and who may use them.
fn links(level: &Level, frame: Frame) -> (Value, Blob) {
    let (mut tables, about) = things::baked(level);
    tables.columns.retain(|(name, _)| name.starts_with("link_"));
    let profiles: Vec<Value> = level
        .profiles()
        .map(|(id, entity, _)| json!({ "id": id.number(), "name": entity.label(id) }))
        .collect();
    let index = json!({
        "format": "wayloom-links", "version": 1, "file": LINK_TABLES,
        "profiles": profiles, "links": about["links"],
    });
    (index, moved(tables, frame))
}

fn recording(input: &ExportInput, motion: &Motion, frame: Frame) -> (Value, Blob) {
    let level = &input.level;
    let walkers: Vec<Value> = motion
        .walkers
        .iter()
        .map(|walker| {
            json!({
                "name": walker.name,
                "profile": walker.profile.map(|id| level.label(id)),
                "colour": walker.colour.to_string(),
                "radius": walker.radius,
                "height": walker.height,
            })
        })
        .collect();
    let index = json!({
        "format": "wayloom-recording", "version": 1, "file": TRACKS,
        "interval": motion.interval, "frames": motion.frames, "walkers": walkers,
    });
    let each = motion.walkers.iter();
    let points = each.clone().flat_map(|walker| &walker.points);
    let points = points.flat_map(|p| {
        let flat = frame.plan(p.truncate());
        [flat.x, flat.y, p.z]
    });
    let columns = [
        (
            "first",
            Column::U32(each.clone().map(|w| w.first as u32).collect()),
        ),
        (
            "count",
            Column::U32(each.clone().map(|w| w.points.len() as u32).collect()),
        ),
        ("points", Column::F64(points.collect())),
    ];
    let tracks = Blob {
        columns: columns
            .map(|(name, column)| (name.to_owned(), column))
            .into(),
    };
    (index, tracks)
}
