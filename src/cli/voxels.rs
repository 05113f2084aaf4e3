//! How space is cut into cells, as said on the command line.

use super::args;
use crate::document::{CellSize, Level, MeshLibrary};
use crate::nav::voxel::level::resolution_for;
use crate::nav::voxel::{Conduct, Resolution, Sampling, VoxelOptions};
use std::sync::Arc;

/// With the meshes that the level's solids refer to.
pub(super) fn options(
    asked: &args::Voxels,
    level: &Level,
    library: &Arc<MeshLibrary>,
) -> VoxelOptions {
    let usual = match level.settings().cells {
        CellSize::Sides { cell, layer } => Resolution { cell, layer },
        _ => resolution_for(level.settings().bounds),
    };
    let rules = level.settings().cell_rules;
    let is_given = asked.voxel.is_some() || asked.layer.is_some();
    let sides = is_given.then(|| CellSize::Sides {
        cell: asked.voxel.unwrap_or(usual.cell),
        layer: asked.layer.unwrap_or(usual.layer),
    });
    VoxelOptions {
        cells: asked.grid.map(CellSize::Count).or(sides),
        sampling: Sampling { by: asked.samples },
        conduct: Some(Conduct {
            neighbours: asked.neighbours.unwrap_or(rules.neighbours),
            border_neighbours: asked.border_neighbours.unwrap_or(rules.border_neighbours),
            border_layers: asked.border.or(rules.border_layers),
            threshold: asked.threshold.unwrap_or(rules.threshold),
            metric: asked.metric.unwrap_or(rules.metric),
            smoothing: asked.smoothing.unwrap_or(rules.smoothing),
        }),
        meshes: Arc::clone(library),
    }
}
