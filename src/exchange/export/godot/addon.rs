//! The add-on of an exported project: scripts that play a recording and find corridors, with the data
//! that they read.

use super::super::ExportError;
use super::super::frame::Frame;
use crate::exchange::bake::blob::{Blob, Column};
use crate::exchange::bake::corridors;
use crate::exchange::motion::Motion;
use crate::exchange::sink::ExportSink;
use crate::exchange::writer::ExportInput;
use crate::jobs::JobContext;
use crate::nav::{BakeRequest, NavBundle, Needs, ProfileSet};
use serde_json::{Value, json};
use std::sync::Arc;

/// Scripts by the names that they have in the project.
const SCRIPTS: [(&str, &str); 7] = [
    (
        "plugin.cfg",
        include_str!("../../../../assets/godot/plugin.cfg"),
    ),
    (
        "plugin.gd",
        include_str!("../../../../assets/godot/plugin.gd"),
    ),
    ("blob.gd", include_str!("../../../../assets/godot/blob.gd")),
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
        sink.write(corridors::FILE, corridors::tables(map).to_bytes())?;
        told.push(format!("Corridor map: {} edges", map.map.edges().len()));
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
