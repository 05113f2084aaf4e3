//! `wayloom bake`

use super::{Answer, args, console::Console, load_with_meshes, output_file, voxels};
use crate::exchange::bake;
use anyhow::Context as _;
use serde_json::json;
use std::fmt::Write as _;

pub(super) fn run(options: &args::Bake, console: &Console) -> anyhow::Result<Answer> {
    let folder = &options.out;
    if folder.exists() && !folder.is_dir() {
        anyhow::bail!("{} is a file; name a folder", folder.display());
    }
    output_file::check(&folder.join(bake::INDEX), options.force).or_else(|error| {
        // The folder itself is made below.
        if folder.exists() { Err(error) } else { Ok(()) }
    })?;
    let (level, library) = load_with_meshes(&options.level, console)?;
    let wanted = bake::Options {
        profiles: options.profile.clone(),
        with_voxels: options.with_voxels,
        voxels: voxels::options(&options.voxels, &level, &library),
        backend: options.backend,
    };
    let baked = console.with_progress("Baking", |ctx| bake::bake_with(&level, &wanted, ctx))?;
    std::fs::create_dir_all(folder)
        .with_context(|| format!("the folder {} cannot be made", folder.display()))?;
    // The index comes last: whoever finds it finds the rest.
    for file in baked.files.iter().rev() {
        output_file::write(&folder.join(&file.name), &file.bytes)?;
    }
    let mut text = String::new();
    for space in &baked.spaces {
        let _ = writeln!(
            text,
            "radius {} m ({}): {} trapezoids merged into {} cells, {} portals, {} components",
            space.radius,
            space.profiles.join(", "),
            space.trapezoids,
            space.cells,
            space.portals,
            space.components
        );
    }
    let _ = writeln!(
        text,
        "corridor map: {} edges, {} places too narrow for somebody",
        baked.corridors, baked.narrow
    );
    if let Some(voxels) = &baked.voxels {
        let [x, y, z] = voxels.size;
        let _ = writeln!(
            text,
            "voxels: {x} × {y} × {z} cells of {:.3} × {:.3} × {:.3} m, {} to stand on, by {}",
            voxels.cell, voxels.cell, voxels.layer, voxels.surfaces, voxels.by
        );
        if let Some(report) = &voxels.report {
            console.remark(report);
        }
    }
    console.result(
        &text,
        &json!({
            "folder": folder,
            "files": baked.files.iter().map(|file| json!({
                "name": file.name, "bytes": file.bytes.len(),
            })).collect::<Vec<_>>(),
            "spaces": baked.spaces.iter().map(|space| json!({
                "radius": space.radius,
                "profiles": space.profiles,
                "trapezoids": space.trapezoids,
                "cells": space.cells,
                "portals": space.portals,
                "components": space.components,
            })).collect::<Vec<_>>(),
            "corridors": { "edges": baked.corridors, "narrow": baked.narrow },
            "voxels": baked.voxels.as_ref().map(|voxels| json!({
                "size": voxels.size,
                "cell": voxels.cell,
                "layer": voxels.layer,
                "surfaces": voxels.surfaces,
                "by": voxels.by,
                "report": voxels.report,
            })),
        }),
    );
    Ok(Answer::Yes)
}
