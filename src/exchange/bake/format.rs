//! The bake as a format: a folder with an index.

use super::{BakeError, BakeFiles, INDEX, bake_files};
use crate::base::{Backend, Quantity, Unit};
use crate::document::{CellSize, Level};
use crate::exchange::export::{ExportError, Exported};
use crate::exchange::options::{Choice, Field, FormatOptions, OptionError};
use crate::exchange::sink::ExportSink;
use crate::exchange::writer::{ExportInput, Writer};
use crate::jobs::JobContext;
use crate::nav::voxel::level::resolution_for;
use crate::nav::voxel::{Conduct, Neighbours, Resolution, Sampling, VoxelOptions};
use serde_json::json;

const SIDE: Quantity = Quantity::new("side of a voxel", Unit::Metre, 0.001, 1_000.0, 0.25);
const SUB_COLUMNS: Quantity = Quantity::new("number of samples", Unit::One, 1.0, 8.0, 1.0);
const SHARE: Quantity = Quantity::new("threshold", Unit::One, 0.0, 1.0, 0.0);
const LAYERS: Quantity = Quantity::new("border", Unit::One, 0.0, 15.0, 1.0);

const BACKENDS: &[Choice] = &[
    Choice::new("auto", "Automatic", "OpenGL where it is available"),
    Choice::new("gl", "OpenGL", ""),
    Choice::new("cpu", "Processor", ""),
];

const NEIGHBOURS: &[Choice] = &[
    Choice::new("auto", "Automatic", "As in the level’s voxels"),
    Choice::new("4", "4", "Across sides"),
    Choice::new("8", "8", "Across sides and corners"),
];

/// What is baked. Where voxels are left to the format, they are those of the level.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BakeExportOptions {
    /// By name; all if `None`.
    pub profiles: Option<Vec<String>>,
    /// Voxels although no agent in the level plans with them.
    pub with_voxels: bool,
    /// What cuts space into voxels.
    pub backend: Backend,
    pub grid: Option<[u32; 3]>,
    /// Sides of a voxel. Unit: metres.
    pub voxel: Option<f64>,
    pub layer: Option<f64>,
    /// Sub-columns along each side of a voxel.
    pub samples: Option<f64>,
    /// Least share of a voxel that must be solid to step on it, from 0 to 1.
    pub threshold: Option<f64>,
    /// Layers of border.
    pub border: Option<f64>,
    pub neighbours: Option<Neighbours>,
    /// Sides by which the border is found.
    pub border_neighbours: Option<Neighbours>,
}

const fn neighbours_id(neighbours: Option<Neighbours>) -> &'static str {
    match neighbours {
        None => "auto",
        Some(Neighbours::Four) => "4",
        Some(Neighbours::Eight) => "8",
    }
}

fn neighbours_by_id(id: &str) -> Option<Neighbours> {
    match id {
        "4" => Some(Neighbours::Four),
        "8" => Some(Neighbours::Eight),
        _ => None,
    }
}

impl FormatOptions for BakeExportOptions {
    const FIELDS: &'static [Field<Self>] = &[
        Field::profiles(["profile", "Profiles", "Only for these profiles"], |o| {
            &mut o.profiles
        }),
        Field::switch(
            [
                "with-voxels",
                "Include 3D voxels",
                "Include voxels even if no agent plans with them",
            ],
            |o| &mut o.with_voxels,
        ),
        Field::choice(
            ["backend", "Voxels made with", "What cuts space into voxels"],
            BACKENDS,
            |o: &Self| match o.backend {
                Backend::Auto => "auto",
                Backend::Gl => "gl",
                Backend::Cpu => "cpu",
            },
            |o, id| {
                o.backend = match id {
                    "gl" => Backend::Gl,
                    "cpu" => Backend::Cpu,
                    _ => Backend::Auto,
                };
            },
        )
        .advanced(),
        Field::grid(
            [
                "grid",
                "Voxels along x, y, z",
                "Exactly so many voxels along x, y and z",
            ],
            |o: &mut Self| &mut o.grid,
        )
        .advanced(),
        Field::automatic_number(
            ["voxel", "Voxel side", "Side of a voxel in plan"],
            SIDE,
            |o: &mut Self| &mut o.voxel,
        )
        .advanced(),
        Field::automatic_number(
            ["layer", "Voxel height", "Height of a voxel"],
            SIDE,
            |o: &mut Self| &mut o.layer,
        )
        .advanced(),
        Field::automatic_count(
            [
                "samples",
                "Samples",
                "Sub-columns along a side that measure how solid a voxel is",
            ],
            SUB_COLUMNS,
            |o: &mut Self| &mut o.samples,
        )
        .advanced(),
        Field::automatic_number(
            [
                "threshold",
                "Threshold",
                "Least solid share of a voxel to step on, from 0 to 1",
            ],
            SHARE,
            |o: &mut Self| &mut o.threshold,
        )
        .advanced(),
        Field::automatic_count(
            [
                "border",
                "Border",
                "Layers of voxels kept off walls; by the body’s width if not given",
            ],
            LAYERS,
            |o: &mut Self| &mut o.border,
        )
        .advanced(),
        Field::choice(
            [
                "neighbours",
                "Neighbours",
                "How many neighbours a voxel has",
            ],
            NEIGHBOURS,
            |o: &Self| neighbours_id(o.neighbours),
            |o, id| o.neighbours = neighbours_by_id(id),
        )
        .advanced(),
        Field::choice(
            [
                "border-neighbours",
                "Border sides",
                "By how many sides of a voxel the border is found",
            ],
            NEIGHBOURS,
            |o: &Self| neighbours_id(o.border_neighbours),
            |o, id| o.border_neighbours = neighbours_by_id(id),
        )
        .advanced(),
    ];

    fn check(&self) -> Result<(), OptionError> {
        if self.grid.is_some() && (self.voxel.is_some() || self.layer.is_some()) {
            return Err(OptionError::new(
                "give either the number of voxels (--grid) or their size (--voxel, --layer)",
            ));
        }
        Ok(())
    }
}

impl BakeExportOptions {
    /// The voxels of a level, with what was chosen here in place of `usual`.
    pub(super) fn voxels(&self, level: &Level, usual: &VoxelOptions) -> VoxelOptions {
        let resolution = match usual.cells(level) {
            CellSize::Sides { cell, layer } => Resolution { cell, layer },
            _ => resolution_for(level.settings().bounds),
        };
        let is_sized = self.voxel.is_some() || self.layer.is_some();
        let sides = is_sized.then(|| CellSize::Sides {
            cell: self.voxel.unwrap_or(resolution.cell),
            layer: self.layer.unwrap_or(resolution.layer),
        });
        let conduct = usual.conduct(level);
        VoxelOptions {
            cells: self.grid.map(CellSize::Count).or(sides).or(usual.cells),
            sampling: Sampling {
                by: self
                    .samples
                    .map_or(usual.sampling.by, |samples| samples as u32),
            },
            conduct: Some(Conduct {
                neighbours: self.neighbours.unwrap_or(conduct.neighbours),
                border_neighbours: self.border_neighbours.unwrap_or(conduct.border_neighbours),
                border_layers: self.border.map(|n| n as u8).or(conduct.border_layers),
                threshold: self.threshold.unwrap_or(conduct.threshold),
                ..conduct
            }),
            meshes: usual.meshes.clone(),
        }
    }
}

#[derive(Debug)]
pub struct BakeWriter;

impl Writer for BakeWriter {
    type Options = BakeExportOptions;

    fn write(
        &self,
        input: &ExportInput,
        options: &BakeExportOptions,
        sink: &mut dyn ExportSink,
        ctx: &JobContext,
    ) -> Result<Exported, ExportError> {
        let baked = bake_files(input, options, ctx).map_err(|error| match error {
            BakeError::Cancelled(cancelled) => ExportError::Cancelled(cancelled),
            other => ExportError::Refused(other.to_string()),
        })?;
        let told = told(&baked);
        for file in baked.files {
            if file.name == INDEX {
                sink.write_main(file.bytes)?;
            } else {
                sink.write(&file.name, file.bytes)?;
            }
        }
        Ok(told)
    }
}

fn told(baked: &BakeFiles) -> Exported {
    let mut summary: Vec<String> = baked
        .spaces
        .iter()
        .map(|space| {
            format!(
                "radius {} m ({}): {} trapezoids merged into {} cells, {} portals, {} components",
                space.radius,
                space.profiles.join(", "),
                space.trapezoids,
                space.cells,
                space.portals,
                space.components
            )
        })
        .collect();
    summary.push(format!(
        "corridor map: {} edges, {} places too narrow for some profile",
        baked.corridors, baked.narrow
    ));
    let mut warnings = Vec::new();
    if let Some(voxels) = &baked.voxels {
        let [x, y, z] = voxels.size;
        summary.push(format!(
            "voxels: {x} × {y} × {z} cells of {:.3} × {:.3} × {:.3} m, {} to stand on, by {}",
            voxels.cell, voxels.cell, voxels.layer, voxels.surfaces, voxels.by
        ));
        warnings.extend(voxels.report.clone());
    }
    if let Some(constraints) = &baked.constraints {
        let [columns, rows] = constraints.cells;
        summary.push(format!(
            "constraints: {} agents, {} regions, fields of {columns} × {rows} cells",
            constraints.agents, constraints.regions
        ));
    }
    let spaces: Vec<_> = baked
        .spaces
        .iter()
        .map(|space| {
            json!({
                "radius": space.radius,
                "profiles": space.profiles,
                "trapezoids": space.trapezoids,
                "cells": space.cells,
                "portals": space.portals,
                "components": space.components,
            })
        })
        .collect();
    let voxels = baked.voxels.as_ref().map(|voxels| {
        json!({
            "size": voxels.size,
            "cell": voxels.cell,
            "layer": voxels.layer,
            "surfaces": voxels.surfaces,
            "by": voxels.by,
            "report": voxels.report,
        })
    });
    let details = [
        ("spaces", json!(spaces)),
        (
            "corridors",
            json!({ "edges": baked.corridors, "narrow": baked.narrow }),
        ),
        ("voxels", json!(voxels)),
        (
            "constraints",
            json!(baked.constraints.map(|told| json!({
                "agents": told.agents, "regions": told.regions, "cells": told.cells,
            }))),
        ),
    ];
    Exported {
        left_out: Vec::new(),
        warnings,
        summary,
        details: details
            .map(|(key, value)| (key.to_owned(), value))
            .into_iter()
            .collect(),
    }
}
