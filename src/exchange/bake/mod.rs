//! Baked navigation data as files that engines load: `bake.json`, one blob per radius, one with
//! the corridor map of all radii, and one with space in cells.
//!
//! The schema is described in `docs/bake.md`; `docs/readers` has a reader in Python.

pub mod blob;
pub mod corridors;
pub mod voxels;

use crate::base::Backend;
use crate::base::{ContentHash, EntityId};
use crate::document::{Level, format, limits};
use crate::geometry::Polygon;
use crate::jobs::{Cancelled, JobContext};
use crate::nav::commons::Corridors;
use crate::nav::corridor::CorridorError;
use crate::nav::free_space::{FreeSpace, Input, radius_key};
use crate::nav::voxel::{Discretizer, VoxelOptions};
use crate::nav::{CellMap, Trapezoids};
use blob::{Blob, Column};
use glam::DVec2;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Raised when readers have to change.
pub const VERSION: u32 = 1;

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
    #[error("space cannot be cut into cells: {0}")]
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
pub struct Baked {
    /// `bake.json` first.
    pub files: Vec<BakedFile>,
    /// What is worth telling of each radius.
    pub spaces: Vec<BakedSpace>,
    /// Edges of the corridor map, and narrow places on it that stop somebody.
    pub corridors: usize,
    pub narrow: usize,
    /// Space in cells, where somebody needs it.
    pub voxels: Option<voxels::BakedVoxels>,
}

/// What is baked.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Names; all profiles if there are none.
    pub profiles: Vec<String>,
    /// Space in cells, even if nobody in the level moves through them.
    pub with_voxels: bool,
    pub voxels: VoxelOptions,
    /// What cuts space into cells.
    pub backend: Backend,
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

/// Bakes for the named profiles, or for all.
///
/// # Errors
/// A profile that is not there, or cancelled.
pub fn bake(level: &Level, profiles: &[String], ctx: &JobContext) -> Result<Baked, BakeError> {
    let options = Options {
        profiles: profiles.to_vec(),
        ..Options::default()
    };
    bake_with(level, &options, ctx)
}

/// Bakes what was chosen.
///
/// # Errors
/// A profile that is not there, a level too large for its cells, or cancelled.
pub fn bake_with(level: &Level, options: &Options, ctx: &JobContext) -> Result<Baked, BakeError> {
    let chosen = chosen_profiles(level, &options.profiles)?;
    let mut by_radius: BTreeMap<u32, Vec<(EntityId, &str, f64)>> = BTreeMap::new();
    for profile in &chosen {
        by_radius
            .entry(radius_key(profile.2))
            .or_default()
            .push(*profile);
    }
    let (mut files, mut spaces, mut listed) = (Vec::new(), Vec::new(), Vec::new());
    let count = by_radius.len() as f32;
    for (done, (key, users)) in by_radius.into_iter().enumerate() {
        let radius = users[0].2;
        ctx.stage(format!("Baking for a radius of {radius} m"));
        ctx.report(done as f32 / count);
        let free = FreeSpace::build(Input::of_level(level), radius, ctx)?;
        let trapezoids = Trapezoids::build(&free, ctx)?;
        let file = format!("cells_{key:04}mm.wlb");
        let names: Vec<String> = users
            .iter()
            .map(|(_, name, _)| (*name).to_owned())
            .collect();
        listed.push(json!({
            "radius": free.radius,
            "profiles": names,
            "file": file,
            "cells": trapezoids.merged.len(),
            "portals": trapezoids.merged.portals().len(),
            "components": free.areas.len(),
        }));
        spaces.push(BakedSpace {
            radius: free.radius,
            profiles: names,
            trapezoids: trapezoids.plain.len(),
            cells: trapezoids.merged.len(),
            portals: trapezoids.merged.portals().len(),
            components: free.areas.len(),
        });
        files.push(BakedFile {
            name: file,
            bytes: cells_blob(&trapezoids.merged, &free.areas).to_bytes(),
        });
    }
    ctx.stage("Corridor map");
    let map = Corridors::of_level(level, ctx).map_err(|error| match error {
        CorridorError::Cancelled(cancelled) => BakeError::Cancelled(cancelled),
        other => BakeError::Corridors(other.to_string()),
    })?;
    let bodies: Vec<(&str, f64)> = chosen.iter().map(|(_, name, r)| (*name, *r)).collect();
    let about_map = corridors::listed(&map.map, &bodies);
    let narrow = about_map["narrow"].as_array().map_or(0, Vec::len);
    files.push(BakedFile {
        name: corridors::FILE.to_owned(),
        bytes: corridors::tables(&map).to_bytes(),
    });
    let mut cells = None;
    let mut about_cells = Value::Null;
    if options.with_voxels || voxels::is_needed(level) {
        ctx.stage("Voxels");
        let mut by = Discretizer::new(options.backend);
        let names: Vec<(EntityId, &str)> =
            chosen.iter().map(|(id, name, _)| (*id, *name)).collect();
        let (tables, about, told) = voxels::baked(level, &names, &options.voxels, &mut by, ctx)?;
        files.push(BakedFile {
            name: voxels::FILE.to_owned(),
            bytes: tables.to_bytes(),
        });
        about_cells = about;
        cells = Some(told);
    }
    let index = json!({
        "format": "wayloom bake",
        "version": VERSION,
        "level": level.settings().name,
        "level_hash": ContentHash::of(format::write(level, level.largest_id().next()).as_bytes()).to_string(),
        "unit": "metre",
        "bounds": bounds(level),
        "profiles": chosen.iter().map(|(id, name, radius)| json!({
            "id": id.number(), "name": name, "radius": radius,
        })).collect::<Vec<_>>(),
        "spaces": listed,
        "corridors": about_map,
        "voxels": about_cells,
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
    Ok(Baked {
        files,
        spaces,
        corridors: map.map.edges().len(),
        narrow,
        voxels: cells,
    })
}

fn bounds(level: &Level) -> Value {
    let bounds = level.settings().bounds;
    json!([bounds.min.x, bounds.min.y, bounds.max.x, bounds.max.y])
}

/// Profiles with their names and radii, in the level's order.
fn chosen_profiles<'a>(
    level: &'a Level,
    names: &[String],
) -> Result<Vec<(EntityId, &'a str, f64)>, BakeError> {
    let all: Vec<_> = level
        .profiles()
        .map(|(id, entity, profile)| {
            let radius = limits::RADIUS.clamp(profile.body.radius);
            (id, entity.name.as_str(), radius)
        })
        .collect();
    if all.is_empty() {
        return Err(BakeError::NoProfiles);
    }
    if let Some(name) = names
        .iter()
        .find(|name| all.iter().all(|(_, known, _)| known != name))
    {
        let known: Vec<&str> = all.iter().map(|(_, name, _)| *name).collect();
        return Err(BakeError::NoProfile {
            name: name.clone(),
            known: known.join(", "),
        });
    }
    Ok(all
        .into_iter()
        .filter(|(_, name, _)| names.is_empty() || names.iter().any(|wanted| wanted == name))
        .collect())
}

/// The graph of convex cells and the outlines that it fills, as tables.
fn cells_blob(map: &CellMap, areas: &[Polygon]) -> Blob {
    let (mut corners, mut sides, mut starts) = (Vec::new(), Vec::new(), vec![0_u32]);
    let mut components = Vec::new();
    for cell in map.cells() {
        corners.extend(map.corners(cell).iter().flat_map(DVec2::to_array));
        sides.extend(
            map.sides(cell)
                .iter()
                .map(|side| side.map_or(NONE, |portal| portal.0)),
        );
        starts.push(sides.len() as u32);
        components.push(map.component(cell));
    }
    let portals = map.portals();
    let (mut rings, mut ring_starts, mut area_starts) = (Vec::new(), vec![0_u32], vec![0_u32]);
    for area in areas {
        for ring in area.rings() {
            rings.extend(ring.iter().flat_map(DVec2::to_array));
            ring_starts.push((rings.len() / 2) as u32);
        }
        area_starts.push(ring_starts.len() as u32 - 1);
    }
    Blob {
        columns: vec![
            ("corners".to_owned(), Column::F64(corners)),
            ("sides".to_owned(), Column::U32(sides)),
            ("starts".to_owned(), Column::U32(starts)),
            ("components".to_owned(), Column::U32(components)),
            (
                "portal_ends".to_owned(),
                Column::F64(
                    portals
                        .iter()
                        .flat_map(|portal| portal.ends)
                        .flat_map(|p| p.to_array())
                        .collect(),
                ),
            ),
            (
                "portal_cells".to_owned(),
                Column::U32(
                    portals
                        .iter()
                        .flat_map(|portal| portal.cells)
                        .map(|cell| cell.0)
                        .collect(),
                ),
            ),
            ("ring_points".to_owned(), Column::F64(rings)),
            ("ring_starts".to_owned(), Column::U32(ring_starts)),
            ("area_starts".to_owned(), Column::U32(area_starts)),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::template::{self, Template};

    fn rooms() -> Level {
        Template::Rooms
            .build(&template::Options::default())
            .expect("drawn")
    }

    #[test]
    fn what_is_written_is_the_map_that_planners_use() {
        let level = rooms();
        let baked = bake(&level, &[], &JobContext::default()).expect("baked");
        let index: Value = serde_json::from_slice(&baked.files[0].bytes).expect("JSON");
        assert_eq!(index["version"], VERSION);
        let spaces = index["spaces"].as_array().expect("a list");
        // The index first, the corridor map last.
        assert_eq!(spaces.len() + 2, baked.files.len());
        for (listed, file) in spaces.iter().zip(&baked.files[1..]) {
            assert_eq!(listed["file"], file.name.as_str());
            let blob = Blob::from_bytes(&file.bytes).expect("in order");
            let radius = listed["radius"].as_f64().expect("a number");
            let free = FreeSpace::build(Input::of_level(&level), radius, &JobContext::default())
                .expect("built");
            let f64s = |name: &str| match blob.column(name) {
                Some(Column::F64(values)) => values.clone(),
                other => panic!("{name}: {other:?}"),
            };
            let u32s = |name: &str| match blob.column(name) {
                Some(Column::U32(values)) => values.clone(),
                other => panic!("{name}: {other:?}"),
            };
            let (corners, starts) = (f64s("corners"), u32s("starts"));
            // Cells fill the free space: the areas of both agree.
            let point = |i: u32| DVec2::new(corners[2 * i as usize], corners[2 * i as usize + 1]);
            let cells: f64 = starts
                .windows(2)
                .map(|pair| {
                    let ring: Vec<DVec2> = (pair[0]..pair[1]).map(point).collect();
                    Polygon::new(ring).area()
                })
                .sum();
            let areas: f64 = free.areas.iter().map(Polygon::area).sum();
            assert!((cells - areas).abs() < 1e-6 * areas, "{cells} and {areas}");
            let portals = u32s("portal_cells").len() / 2;
            assert_eq!(listed["portals"], portals);
            assert!(
                u32s("sides")
                    .iter()
                    .all(|side| *side == NONE || (*side as usize) < portals)
            );
            assert_eq!(u32s("area_starts").len(), free.areas.len() + 1);
        }
    }

    #[test]
    fn profiles_can_be_chosen_and_are_named_when_missing() {
        let level = rooms();
        let all = bake(&level, &[], &JobContext::default()).expect("baked");
        let one = all.spaces[0].profiles[0].clone();
        let some = bake(&level, std::slice::from_ref(&one), &JobContext::default()).expect("baked");
        assert_eq!(some.spaces.len(), 1);
        assert_eq!(some.spaces[0].profiles, [one]);
        let error = bake(&level, &["Nobody".to_owned()], &JobContext::default());
        let sentence = error.expect_err("refused").to_string();
        assert!(sentence.contains("\"Nobody\"") && sentence.contains("there are: "));
        assert_eq!(
            bake(&Level::default(), &[], &JobContext::default()),
            Err(BakeError::NoProfiles)
        );
    }
}
