//! How space is cut into cells, as said on the command line.

use super::args;
use crate::document::{Level, MeshLibrary};
use crate::nav::voxel::level::{LAYER, resolution_for};
use crate::nav::voxel::{Conduct, Resolution, Sampling, VoxelOptions};
use std::sync::Arc;

/// Sub-columns along a side where a threshold is given and nothing else is said.
const SAMPLES: u32 = 4;

/// With the meshes that the level's solids refer to.
pub(super) fn options(
    asked: &args::Voxels,
    level: &Level,
    library: &Arc<MeshLibrary>,
) -> VoxelOptions {
    let usual = resolution_for(level.settings().bounds);
    let is_given = asked.voxel.is_some() || asked.layer.is_some();
    let by = if asked.threshold > 0.0 && asked.samples < 2 {
        SAMPLES
    } else {
        asked.samples
    };
    VoxelOptions {
        grid: asked.grid,
        resolution: is_given.then(|| Resolution {
            cell: asked.voxel.unwrap_or(usual.cell),
            layer: asked.layer.unwrap_or(LAYER),
        }),
        sampling: Sampling { by },
        conduct: Conduct {
            neighbours: asked.neighbours,
            border_layers: asked.border,
            threshold: asked.threshold,
            ..Conduct::default()
        },
        meshes: Arc::clone(library),
    }
}
