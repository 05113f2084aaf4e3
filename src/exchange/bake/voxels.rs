//! Voxels as tables: occupied runs, cells to stand on, and what each body makes of them.

use super::{
    BakeError, NONE,
    blob::{Blob, Column},
};
use crate::base::EntityId;
use crate::document::{Action, Kind, Level, Profile, Query};
use crate::jobs::JobContext;
use crate::nav::NavBundle;
use crate::nav::voxel::surface::OPEN;
use crate::nav::voxel::{Footing, LevelVoxels, Neighbours, SurfaceId};
use crate::planner::registry;
use serde_json::{Value, json};

/// File of the cells within the bake's folder.
pub const FILE: &str = "voxels.wlb";

/// What is worth telling of the cells.
#[derive(Clone, Debug, PartialEq)]
pub struct BakedVoxels {
    pub size: [u32; 3],
    /// Unit: metres.
    pub cell: f64,
    pub layer: f64,
    pub surfaces: usize,
    /// What made them.
    pub by: String,
    /// Why it was not what was asked for.
    pub report: Option<String>,
}

/// Whether an agent of a level moves through voxels.
#[must_use]
pub fn is_needed(level: &Level) -> bool {
    level.iter().any(|(_, entity)| match &entity.kind {
        Kind::Agent(agent) => registry::is_in_space(agent.mission.planner),
        Kind::Crowd(crowd) => registry::is_in_space(crowd.mission.planner),
        Kind::Test(test) => {
            matches!(test.query, Query::Between { planner, .. } if registry::is_in_space(planner))
        }
        _ => false,
    })
}

/// The tables, what `bake.json` says of them, and what is worth telling.
pub(super) fn baked(
    bundle: &NavBundle,
    profiles: &[(EntityId, &str)],
    ctx: &JobContext,
) -> Result<(Blob, Value, BakedVoxels), BakeError> {
    let built = bundle
        .voxels()
        .map_err(|error| BakeError::Voxels(error.to_string()))?;
    let mut blob = cells(built);
    let mut bodies = Vec::new();
    for (id, name) in profiles {
        ctx.checkpoint()?;
        let Some(Kind::Profile(profile)) = bundle.level().get(*id).map(|entity| &entity.kind)
        else {
            continue;
        };
        let footing = built.footing(profile);
        let column = format!("border_{}", id.number());
        blob.columns
            .push((column.clone(), borders(&footing, built)));
        bodies.push(body(name, *id, &column, profile, &footing));
    }
    let frame = built.voxels.frame();
    let told = BakedVoxels {
        size: frame.size,
        cell: frame.cell,
        layer: frame.layer,
        surfaces: built.surfaces().len(),
        by: built.made_by().name.clone(),
        report: built.made_by().report.clone(),
    };
    let about = json!({
        "file": FILE,
        "origin": frame.origin.to_array(),
        "cell": frame.cell,
        "layer": frame.layer,
        "size": frame.size,
        "spans": built.voxels.grid.span_count(),
        "surfaces": built.surfaces().len(),
        "samples": built.voxels.sampling.by.max(1),
        "bodies": bodies,
    });
    Ok((blob, about, told))
}

/// A body in cells, as the rules of reachability read it.
fn body(name: &str, id: EntityId, column: &str, profile: &Profile, footing: &Footing) -> Value {
    let cells = &footing.body;
    let count = |neighbours: Neighbours| match neighbours {
        Neighbours::Four => 4,
        Neighbours::Eight => 8,
    };
    json!({
        "profile": name,
        "id": id.number(),
        "column": column,
        "height": cells.height,
        "bent": cells.bent,
        "step": cells.step,
        "walked": cells.stepping,
        "foot_span": profile.body.foot_span,
        "jump": profile.body.jump,
        "border_layers": cells.border_layers,
        "threshold": cells.threshold,
        "neighbours": count(cells.conduct.neighbours),
        "border_neighbours": count(cells.conduct.border_neighbours),
        "actions": profile.action_priority.map(Action::name),
    })
}

/// Runs and surfaces, column by column, row by row.
fn cells(built: &LevelVoxels) -> Blob {
    let (grid, surfaces) = (&built.voxels.grid, built.surfaces());
    let [width, height, _] = grid.frame.size;
    let mut lists: [Vec<u32>; 10] = Default::default();
    let [
        span_starts,
        bottoms,
        tops,
        span_forbidden,
        surface_starts,
        layers,
        heights,
        clearances,
        weights,
        forbidden,
    ] = &mut lists;
    span_starts.push(0);
    surface_starts.push(0);
    for y in 0..height {
        for x in 0..width {
            for span in grid.column(x, y) {
                bottoms.push(u32::from(span.bottom));
                tops.push(u32::from(span.top));
                span_forbidden.push(u32::from(span.forbidden));
            }
            span_starts.push(tops.len() as u32);
            for id in surfaces.column(x as i32, y as i32) {
                let cell = &surfaces.cells()[id as usize];
                layers.push(u32::from(cell.layer));
                heights.push(cell.height().unsigned_abs());
                clearances.push(if cell.clearance == OPEN {
                    NONE
                } else {
                    u32::from(cell.clearance)
                });
                weights.push(u32::from(cell.weight));
                forbidden.push(u32::from(cell.forbidden));
            }
            surface_starts.push(layers.len() as u32);
        }
    }
    let names = [
        "span_starts",
        "span_bottoms",
        "span_tops",
        "span_forbidden",
        "surface_starts",
        "surface_layers",
        "surface_heights",
        "surface_clearances",
        "surface_weights",
        "surface_forbidden",
    ];
    Blob {
        columns: names
            .into_iter()
            .zip(lists)
            .map(|(name, list)| (name.to_owned(), Column::U32(list)))
            .collect(),
    }
}

/// For each surface cell, in the order of the tables: 0 off the border, else the layer of the border, and
/// [`NONE`] where the body cannot stand.
fn borders(footing: &Footing, built: &LevelVoxels) -> Column {
    let surfaces = built.surfaces();
    let [width, height, _] = surfaces.frame.size;
    let mut marks = Vec::with_capacity(surfaces.len());
    for y in 0..height {
        for x in 0..width {
            for id in surfaces.column(x as i32, y as i32).map(SurfaceId) {
                marks.push(if footing.is_standable(id) {
                    u32::from(footing.border_layer(id))
                } else {
                    NONE
                });
            }
        }
    }
    Column::U32(marks)
}

#[cfg(test)]
mod tests {
    use super::super::{BakeExportOptions, bake_files};
    use super::*;
    use crate::base::Backend;
    use crate::document::template::{self, Template};
    use crate::exchange::writer::ExportInput;
    use crate::geometry::{BitColumns, VoxelFrame};
    use crate::nav::BakeRequest;
    use crate::nav::voxel::{SurfaceCells, VoxelGrid};
    use glam::DVec3;
    use std::sync::Arc;

    /// Rebuilds the grid from what was written, through bytes and JSON alone.
    #[test]
    fn tables_hold_the_very_grid_that_planners_use() {
        let level = Template::Blocks
            .build(&template::Options::default())
            .expect("drawn");
        let ctx = JobContext::default();
        let options = BakeExportOptions {
            backend: Backend::Cpu,
            ..BakeExportOptions::default()
        };
        let baked =
            bake_files(&ExportInput::new(Arc::new(level.clone())), &options, &ctx).expect("baked");
        let index: Value = serde_json::from_slice(&baked.files[0].bytes).expect("JSON");
        let about = &index["voxels"];
        let file = baked.files.iter().find(|file| file.name == FILE);
        let blob = Blob::from_bytes(&file.expect("written").bytes).expect("in order");
        let u32s = |name: &str| match blob.column(name) {
            Some(Column::U32(values)) => values.clone(),
            other => panic!("{name}: {other:?}"),
        };
        let number = |value: &Value| value.as_f64().expect("a number");
        let origin = [0, 1, 2].map(|axis| number(&about["origin"][axis]));
        let size = [0, 1, 2].map(|axis| number(&about["size"][axis]) as u32);
        let frame = VoxelFrame::new(
            DVec3::from_array(origin),
            number(&about["cell"]),
            number(&about["layer"]),
            size,
        )
        .expect("a frame");
        let (mut occupied, mut forbidden) =
            (BitColumns::of_frame(&frame), BitColumns::of_frame(&frame));
        let starts = u32s("span_starts");
        assert_eq!(starts.len(), frame.columns() + 1);
        let (bottoms, tops, marks) = (
            u32s("span_bottoms"),
            u32s("span_tops"),
            u32s("span_forbidden"),
        );
        for column in 0..frame.columns() as u32 {
            let slot = frame.slot(column % size[0], column / size[0]);
            for span in starts[column as usize]..starts[column as usize + 1] {
                let span = span as usize;
                occupied.set_range(slot, bottoms[span], tops[span]);
                if marks[span] == 1 {
                    forbidden.set_range(slot, bottoms[span], tops[span]);
                }
            }
        }
        let read = VoxelGrid::of_bits(frame, &occupied, &forbidden);
        let request = BakeRequest::of(Arc::new(level.clone()));
        let bundle = NavBundle::bake(request, &ctx).expect("not cancelled");
        let built = bundle.voxels().expect("built");
        assert_eq!(read, built.voxels.grid);
        // What a reader takes for surfaces is what is written as such.
        let again = SurfaceCells::of_grid(&read);
        assert_eq!(about["surfaces"], again.len());
        let (starts, layers) = (u32s("surface_starts"), u32s("surface_layers"));
        for column in 0..frame.columns() as u32 {
            let (x, y) = (column % size[0], column / size[0]);
            let cells = again.column(x as i32, y as i32);
            let here = starts[column as usize] as usize..starts[column as usize + 1] as usize;
            let expected: Vec<u32> = cells
                .map(|id| u32::from(again.cells()[id as usize].layer))
                .collect();
            assert_eq!(layers[here], expected[..]);
        }
        let (heights, clearances) = (u32s("surface_heights"), u32s("surface_clearances"));
        for (layer, height) in layers.iter().zip(&heights) {
            assert!((layer * 255..=layer * 255 + 255).contains(height));
        }
        assert!(clearances.iter().all(|c| *c == NONE || *c <= size[2]));
        // Two profiles, two columns of marks, and the table is forbidden to both.
        let bodies = about["bodies"].as_array().expect("a list");
        assert_eq!(bodies.len(), 2);
        for body in bodies {
            let marks = u32s(body["column"].as_str().expect("a name"));
            assert_eq!(marks.len(), again.len());
            let forbidden = u32s("surface_forbidden");
            assert!(forbidden.contains(&1));
            for (mark, forbidden) in marks.iter().zip(&forbidden) {
                assert!(*forbidden == 0 || *mark == NONE);
            }
        }
    }

    #[test]
    fn voxels_are_written_where_an_agent_moves_through_them_or_they_are_asked_for() {
        let ctx = JobContext::default();
        let rooms = Template::Rooms
            .build(&template::Options::default())
            .expect("drawn");
        assert!(!is_needed(&rooms));
        let input = ExportInput::new(Arc::new(rooms));
        let usual = bake_files(&input, &BakeExportOptions::default(), &ctx).expect("baked");
        assert!(usual.voxels.is_none() && usual.files.iter().all(|file| file.name != FILE));
        let asked = BakeExportOptions {
            with_voxels: true,
            backend: Backend::Cpu,
            grid: Some([60, 42, 16]),
            ..BakeExportOptions::default()
        };
        let baked = bake_files(&input, &asked, &ctx).expect("baked");
        assert_eq!(baked.voxels.map(|voxels| voxels.size), Some([60, 42, 16]));
        let huge = BakeExportOptions {
            grid: Some([60_000, 42, 16]),
            ..asked
        };
        let error = bake_files(&input, &huge, &ctx).expect_err("refused");
        assert!(error.to_string().contains("too many"), "{error}");
    }
}
