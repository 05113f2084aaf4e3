//! `wayloom import`, `wayloom export`, `wayloom formats`

use super::{Answer, args, console::Console, load, output_file};
use crate::document::ops;
use crate::document::{Kind, KindName, Level, format};
use crate::exchange::import::HeightRange;
use crate::exchange::meshes::{self, Luggage};
use crate::exchange::{ExportOptions, Format, ImportError, ImportOptions, export, import};
use crate::jobs::JobContext;
use anyhow::{Context as _, bail};
use serde_json::json;
use std::fmt::Write as _;
use std::path::Path;

pub(super) fn run_import(options: &args::Import, console: &Console) -> anyhow::Result<Answer> {
    output_file::check(&options.out, options.force)?;
    let request = ImportOptions {
        format: options.format,
        scale: options.scale,
        cell: options.cell,
        polygons: options.polygons,
        coordinates: options.coordinates,
        recentre: options.recentre,
        agents: options.agents,
        heights: HeightRange {
            black: options.black,
            white: options.white,
        },
        up: options.up,
        ..ImportOptions::default()
    };
    let folder = options.out.parent().unwrap_or(Path::new(""));
    let bring = |ctx: &JobContext| {
        let imported = import(&options.files, &request, ctx)?;
        let luggage: Vec<Luggage> = imported.meshes.iter().map(Luggage::of).collect();
        let names = meshes::bring(&luggage, folder, ctx)?;
        Ok::<_, ImportError>((imported, names))
    };
    let (imported, names) = console.with_progress("Importing", bring)?;
    let renamed = meshes::renamed(&imported.level, &names);
    let level = ops::apply(&imported.level, &renamed)?;
    for warning in &imported.warnings {
        console.remark(warning);
    }
    let text = format::write(&level, level.largest_id().next());
    output_file::write(&options.out, text.as_bytes())?;
    let mut summary = format!(
        "{}: {} things, {} vertices",
        options.out.display(),
        level.len(),
        level.vertex_count()
    );
    for mesh in &imported.meshes {
        let size = mesh.model.bounds.size() * options.scale;
        let _ = write!(
            summary,
            "\n{}: {} triangles, {:.2} m × {:.2} m × {:.2} m",
            names.get(&mesh.source.file).unwrap_or(&mesh.source.file),
            mesh.model.mesh.triangles.len(),
            size.x,
            size.y,
            size.z
        );
    }
    console.result(
        &summary,
        &json!({
            "file": options.out,
            "entities": level.len(),
            "vertices": level.vertex_count(),
            "meshes": imported.meshes.iter().map(|mesh| json!({
                "file": names.get(&mesh.source.file),
                "triangles": mesh.model.mesh.triangles.len(),
                "vertices": mesh.model.mesh.vertices.len(),
                "size": mesh.model.bounds.size().to_array(),
                "closed": mesh.model.closed,
            })).collect::<Vec<_>>(),
            "warnings": imported.warnings,
        }),
    );
    Ok(Answer::Yes)
}

pub(super) fn run_export(options: &args::Export, console: &Console) -> anyhow::Result<Answer> {
    output_file::check(&options.out, options.force)?;
    let format = match options.format {
        Some(format) => format,
        None => Format::of_path(&options.out).with_context(|| {
            format!(
                "{}: its ending tells no format; name one with --format (see `wayloom formats`)",
                options.out.display()
            )
        })?,
    };
    let level = load(&options.level)?.level;
    let mut request = ExportOptions {
        polygons: options.polygons,
        cell: options.cell,
        ..ExportOptions::default()
    };
    if let Some(name) = &options.profile {
        request.body = body_of(&level, name)?;
    }
    let exported =
        console.with_progress("Exporting", |ctx| export(&level, format, &request, ctx))?;
    for warning in &exported.warnings {
        console.remark(warning);
    }
    output_file::write(&options.out, &exported.bytes)?;
    console.result(
        &format!(
            "{}: {format}, {} bytes",
            options.out.display(),
            exported.bytes.len()
        ),
        &json!({
            "file": options.out,
            "format": format.info().id,
            "bytes": exported.bytes.len(),
            "warnings": exported.warnings,
        }),
    );
    Ok(Answer::Yes)
}

fn body_of(level: &Level, name: &str) -> anyhow::Result<crate::document::Body> {
    let profile = level
        .find(KindName::Profile, name)
        .and_then(|id| level.get(id));
    if let Some(entity) = profile
        && let Kind::Profile(profile) = &entity.kind
    {
        return Ok(profile.body);
    }
    let known: Vec<String> = level.profiles().map(|(id, e, _)| e.label(id)).collect();
    bail!(
        "there is no profile `{name}`; there are {}",
        known.join(", ")
    );
}

pub(super) fn run_formats(console: &Console) -> anyhow::Result<Answer> {
    let mut text = String::from("id             way     endings               what\n");
    let mut rows = Vec::new();
    for info in Format::ALL.map(Format::info) {
        let way = match (info.reads, info.writes) {
            (true, true) => "in/out",
            (true, false) => "in",
            (false, _) => "out",
        };
        let endings: Vec<String> = info.extensions.iter().map(|e| format!(".{e}")).collect();
        let _ = writeln!(
            text,
            "{:15}{way:8}{:22}{}: {}",
            info.id,
            endings.join(" "),
            info.name,
            info.description
        );
        rows.push(json!({
            "id": info.id,
            "name": info.name,
            "extensions": info.extensions,
            "reads": info.reads,
            "writes": info.writes,
            "description": info.description,
        }));
    }
    console.result(&text, &json!({ "formats": rows }));
    Ok(Answer::Yes)
}
