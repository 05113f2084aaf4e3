//! The triangulated terrain as tables, with what a metre costs each profile.

use super::NONE;
use super::blob::{Blob, Column};
use crate::base::EntityId;
use crate::document::{Kind, Level};
use crate::nav::CellMap;
use crate::nav::terrain::{BLOCKED, TerrainMap, TriangleId, Weights};
use glam::DVec2;
use serde_json::{Value, json};
use std::collections::HashMap;

/// File of the triangles within the bake's folder.
pub const FILE: &str = "terrain.wlb";

/// The triangles, their neighbours and what they are of.
pub(super) fn tables(map: &TerrainMap) -> Blob {
    let mesh = map.mesh();
    let mut known: HashMap<[u64; 2], u32> = HashMap::new();
    let (mut points, mut corners) = (Vec::new(), Vec::new());
    let (mut beside, mut kinds) = (Vec::new(), Vec::new());
    for (index, (triangle, kind)) in mesh.triangles().enumerate() {
        for p in triangle {
            let next = known.len() as u32;
            let corner = *known.entry(p.to_array().map(f64::to_bits)).or_insert(next);
            if corner == next {
                points.extend(p.to_array());
            }
            corners.push(corner);
        }
        let neighbours = mesh.triangles_beside(TriangleId(index as u32));
        beside.extend(neighbours.map(|id| id.map_or(NONE, |id| id.0)));
        kinds.push(if kind == BLOCKED {
            NONE
        } else {
            u32::from(kind.0)
        });
    }
    let columns = [
        ("points", Column::F64(points)),
        ("triangles", Column::U32(corners)),
        ("beside", Column::U32(beside)),
        ("kinds", Column::U32(kinds)),
    ];
    Blob {
        columns: columns
            .map(|(name, column)| (name.to_owned(), column))
            .into(),
    }
}

/// What a metre costs a profile.
fn weights_of(level: &Level, map: &TerrainMap, profile: EntityId) -> Option<Weights> {
    match level.get(profile).map(|entity| &entity.kind) {
        Some(Kind::Profile(profile)) => Some(map.weights(profile).0),
        _ => None,
    }
}

/// What the index says of the terrain.
pub(super) fn listed(level: &Level, map: &TerrainMap, profiles: &[(EntityId, &str, f64)]) -> Value {
    let kinds: Vec<Value> = map
        .kinds()
        .iter()
        .map(|kind| {
            let id = kind.id.map(EntityId::number);
            json!({ "id": id, "name": kind.name, "weight": kind.weight })
        })
        .collect();
    let weights: Vec<Value> = profiles
        .iter()
        .filter_map(|(id, name, _)| {
            let weights = weights_of(level, map, *id)?;
            let each: Vec<f64> = (0..map.kinds().len())
                .map(|kind| weights.get(crate::nav::terrain::KindId(kind as u16)))
                .collect();
            Some(json!({ "profile": name, "id": id.number(), "weights": each }))
        })
        .collect();
    json!({
        "file": FILE,
        "triangles": map.mesh().len(),
        "kinds": kinds,
        "weights": weights,
    })
}

/// What a metre costs in each cell, on average over its middle and the places half-way to its
/// corners; one column for each profile.
pub(super) fn cell_weights(
    level: &Level,
    map: &TerrainMap,
    cells: &CellMap,
    profiles: &[(EntityId, &str, f64)],
) -> Vec<(String, Column)> {
    let places: Vec<Vec<DVec2>> = cells
        .cells()
        .map(|cell| {
            let corners = cells.corners(cell);
            let middle = corners.iter().sum::<DVec2>() / corners.len().max(1) as f64;
            let half_way = corners.iter().map(|corner| (*corner + middle) * 0.5);
            std::iter::once(middle).chain(half_way).collect()
        })
        .collect();
    let column = |(id, ..): &(EntityId, &str, f64)| {
        let weights = weights_of(level, map, *id)?;
        let mean = |places: &Vec<DVec2>| {
            let at = |p: &DVec2| map.kind_at(*p).map_or(1.0, |kind| weights.get(kind));
            places.iter().map(at).sum::<f64>() / places.len() as f64
        };
        let values = places.iter().map(mean).collect();
        Some((format!("weights_{}", id.number()), Column::F64(values)))
    };
    profiles.iter().filter_map(column).collect()
}
