//! Baked navigation data as files that engines load: `bake.json`, one blob per radius, and one each
//! with the corridor map of all radii, terrain, placed things, 3D voxels, and constraints.
//!
//! The schema is described in `docs/bake.md`; `docs/readers` has readers in Python, C and C#.

pub mod blob;
mod cells;
pub mod constraints;
pub mod corridors;
mod format;
pub mod terrain;
pub mod things;
pub mod voxels;

pub use format::{BakeExportOptions, BakeWriter};

use crate::base::{ContentHash, EntityId};
use crate::document::format as level_format;
use crate::document::{Level, limits};
use crate::exchange::writer::ExportInput;
use crate::jobs::{Cancelled, JobContext};
use crate::nav::free_space::radius_key;
use crate::nav::{BakeOptions, BakeRequest, NavBundle, Needs, ProfileSet};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Raised when readers have to change.
pub const VERSION: u32 = 2;

/// The file that names all others.
pub const INDEX: &str = "bake.json";

/// Stands for "no portal" in a blob's side table.
pub const NONE: u32 = u32::MAX;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BakeError {
    #[error("there is no profile \"{name}\"; there are: {known}")]
    NoProfile { name: String, known: String },
    #[error("the level has no profile to bake for; add one")]
    NoProfiles,
    #[error("the corridor map cannot be made: {0}")]
    Corridors(String),
    #[error("space cannot be cut into voxels: {0}")]
    Voxels(String),
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// A file of the bake, relative to its folder.
#[derive(Clone, Debug, PartialEq)]
pub struct BakedFile {
    pub name: String,
    pub bytes: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct BakeFiles {
    /// `bake.json` first.
    pub files: Vec<BakedFile>,
    /// What is worth telling of each radius.
    pub spaces: Vec<BakedSpace>,
    /// Edges of the corridor map, and narrow places on it that stop some profile.
    pub corridors: usize,
    pub narrow: usize,
    /// Voxels, where an agent needs them or they were asked for.
    pub voxels: Option<voxels::BakedVoxels>,
    /// Constraints, where an agent plans with some.
    pub constraints: Option<constraints::BakedConstraints>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct BakedSpace {
    /// Unit: metres.
    pub radius: f64,
    pub profiles: Vec<String>,
    pub trapezoids: usize,
    pub cells: usize,
    pub portals: usize,
    pub components: usize,
}

/// Bakes a level and writes down what engines need of it.
///
/// # Errors
/// A profile that does not exist, a level too large for its voxels, or cancelled.
pub fn bake_files(
    input: &ExportInput,
    options: &BakeExportOptions,
    ctx: &JobContext,
) -> Result<BakeFiles, BakeError> {
    let level = &*input.level;
    let chosen = chosen_profiles(level, options.profiles.as_deref())?;
    let with_voxels = options.with_voxels || voxels::is_needed(level);
    let mut needs = Needs::CORRIDORS | Needs::TERRAIN;
    if with_voxels {
        needs |= Needs::VOXELS;
    }
    let request = BakeRequest {
        profiles: ProfileSet::Radii(chosen.iter().map(|(.., radius)| *radius).collect()),
        options: BakeOptions {
            voxels: Arc::new(options.voxels(level, &input.voxels)),
            backend: options.backend,
        },
        needs,
        ..BakeRequest::of(Arc::clone(&input.level))
    };
    let bundle = NavBundle::bake(request, ctx)?;
    let mut by_radius: BTreeMap<u32, Vec<(EntityId, &str, f64)>> = BTreeMap::new();
    for profile in &chosen {
        by_radius
            .entry(radius_key(profile.2))
            .or_default()
            .push(*profile);
    }
    let (mut files, mut spaces, mut listed) = (Vec::new(), Vec::new(), Vec::new());
    for (key, users) in by_radius {
        let Some(space) = bundle.space(users[0].2) else {
            continue;
        };
        let free = &space.free;
        let file = format!("cells_{key:04}mm.wlb");
        let names: Vec<String> = users
            .iter()
            .map(|(_, name, _)| (*name).to_owned())
            .collect();
        listed.push(json!({
            "radius": free.radius,
            "profiles": names,
            "file": file,
            "cells": space.merged.len(),
            "portals": space.merged.portals().len(),
            "components": free.areas.len(),
        }));
        spaces.push(BakedSpace {
            radius: free.radius,
            profiles: names,
            trapezoids: space.plain.len(),
            cells: space.merged.len(),
            portals: space.merged.portals().len(),
            components: free.areas.len(),
        });
        let mut tables = cells::tables(&space.merged, &free.areas);
        tables.columns.extend(terrain::cell_weights(
            level,
            bundle.terrain(),
            &space.merged,
            &users,
        ));
        files.push(BakedFile {
            name: file,
            bytes: tables.to_bytes(),
        });
    }
    let map = bundle
        .corridors()
        .map_err(|error| BakeError::Corridors(error.to_string()))?;
    let bodies: Vec<(&str, f64)> = chosen.iter().map(|(_, name, r)| (*name, *r)).collect();
    let about_map = corridors::listed(&map.map, &bodies);
    let narrow = about_map["narrow"].as_array().map_or(0, Vec::len);
    files.push(BakedFile {
        name: corridors::FILE.to_owned(),
        bytes: corridors::tables(map).to_bytes(),
    });
    ctx.checkpoint()?;
    files.push(BakedFile {
        name: terrain::FILE.to_owned(),
        bytes: terrain::tables(bundle.terrain()).to_bytes(),
    });
    let (things, about_things) = things::baked(level);
    files.push(BakedFile {
        name: things::FILE.to_owned(),
        bytes: things.to_bytes(),
    });
    let mut cells = None;
    let mut about_cells = Value::Null;
    if with_voxels {
        let names: Vec<(EntityId, &str)> =
            chosen.iter().map(|(id, name, _)| (*id, *name)).collect();
        let (tables, about, told) = voxels::baked(&bundle, &names, ctx)?;
        files.push(BakedFile {
            name: voxels::FILE.to_owned(),
            bytes: tables.to_bytes(),
        });
        about_cells = about;
        cells = Some(told);
    }
    let mut bends = None;
    let mut about_constraints = Value::Null;
    if let Some((tables, about, told)) = constraints::baked(level, ctx)? {
        files.push(BakedFile {
            name: constraints::FILE.to_owned(),
            bytes: tables.to_bytes(),
        });
        about_constraints = about;
        bends = Some(told);
    }
    let index = json!({
        "format": "wayloom bake",
        "version": VERSION,
        "level": level.settings().name,
        "level_hash": ContentHash::of(level_format::write(level, level.largest_id().next()).as_bytes()).to_string(),
        "unit": "metre",
        "bounds": bounds(level),
        "profiles": chosen.iter().map(|(id, name, radius)| json!({
            "id": id.number(), "name": name, "radius": radius,
        })).collect::<Vec<_>>(),
        "spaces": listed,
        "corridors": about_map,
        "terrain": terrain::listed(level, bundle.terrain(), &chosen),
        "things": about_things,
        "voxels": about_cells,
        "constraints": about_constraints,
    });
    let mut text = serde_json::to_string_pretty(&index).unwrap_or_default();
    text.push('\n');
    files.insert(
        0,
        BakedFile {
            name: INDEX.to_owned(),
            bytes: text.into_bytes(),
        },
    );
    Ok(BakeFiles {
        files,
        spaces,
        corridors: map.map.edges().len(),
        narrow,
        voxels: cells,
        constraints: bends,
    })
}

fn bounds(level: &Level) -> Value {
    let bounds = level.settings().bounds;
    json!([bounds.min.x, bounds.min.y, bounds.max.x, bounds.max.y])
}

/// Profiles with their names and radii, in the level's order; all without a choice.
fn chosen_profiles<'a>(
    level: &'a Level,
    names: Option<&[String]>,
) -> Result<Vec<(EntityId, &'a str, f64)>, BakeError> {
    let is = |id: EntityId, name: &String| {
        // One without a name goes by its label.
        level.label(id) == *name || level.get(id).is_some_and(|entity| entity.name == *name)
    };
    let ids: Vec<EntityId> = level.profiles().map(|(id, ..)| id).collect();
    if ids.is_empty() {
        return Err(BakeError::NoProfiles);
    }
    let names = names.unwrap_or_default();
    if let Some(name) = names
        .iter()
        .find(|name| !ids.iter().any(|id| is(*id, name)))
    {
        let known: Vec<String> = ids.iter().map(|id| level.label(*id)).collect();
        return Err(BakeError::NoProfile {
            name: name.clone(),
            known: known.join(", "),
        });
    }
    Ok(level
        .profiles()
        .filter(|(id, ..)| names.is_empty() || names.iter().any(|name| is(*id, name)))
        .map(|(id, entity, profile)| {
            let radius = limits::RADIUS.clamp(profile.body.radius);
            (id, entity.name.as_str(), radius)
        })
        .collect())
}

#[cfg(test)]
mod tests;
