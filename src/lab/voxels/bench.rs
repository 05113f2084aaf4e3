//! `wayloom bench voxels`: the paper's scenes, a large grid, and what changes when something moves.

use super::super::{Better, LabError, Report, Row, measure, scene};
use super::{BUDGET, Subject, TABLE, baked, on_one_core, table, voxels};
use crate::base::Backend;
use crate::base::EntityId;
use crate::document::{Edit, Entity, Kind, Level, Profile, Solid, SolidShape, ops};
use crate::jobs::JobContext;
use crate::nav::voxel::{Conduct, Discretizer, VoxelOptions};
use glam::DVec3;
use std::sync::Arc;

/// Columns and layers of the large grid, and how many houses are in it.
const LARGE: [u32; 3] = [1024, 1024, 64];
const HOUSES: usize = 169;

/// # Errors
/// Cancelled, or a scene cannot be made.
pub fn bench(ctx: &JobContext) -> Result<Report, LabError> {
    let mut rows = on_one_core(|| {
        let mut rows = Vec::new();
        for template in TABLE {
            ctx.stage(format!("Measuring {}", template.name));
            ctx.checkpoint()?;
            let subject = Subject::of(&template, Conduct::default(), ctx)?;
            let times = table::times(&subject, ctx)?;
            let title = subject.title();
            let both = times.discretised.median + times.bordered.median;
            rows.push(
                Row::new(
                    format!("{title}: discretised and bordered"),
                    "ms",
                    both * 1e3,
                )
                .spread((times.discretised.spread + times.bordered.spread) * 1e3)
                .goal(100.0, Better::Lower),
            );
            rows.push(
                Row::new(format!("{title}: a path"), "ms", times.path.median * 1e3)
                    .spread(times.path.spread * 1e3)
                    .goal(5.0, Better::Lower),
            );
        }
        rows.extend(large_rows(ctx)?);
        Ok(rows)
    })?;
    rows.extend(gl_rows(ctx)?);
    Ok(Report {
        name: "voxels".to_owned(),
        rows,
    })
}

/// A town with a crate of two metres in its middle.
fn town(crate_at: DVec3) -> Result<Level, LabError> {
    let town = scene::town(HOUSES, 10)?;
    let solid = Solid::new(SolidShape::Box, crate_at, DVec3::splat(2.0));
    let id = EntityId::new(1_000_000);
    let entity = Entity::new("Crate", Kind::Solid(solid));
    Ok(ops::apply(&town, &[Edit::create(id, entity)])?)
}

/// The large grid: baked whole, and after something has moved.
fn large_rows(ctx: &JobContext) -> Result<Vec<Row>, LabError> {
    let [x, y, z] = LARGE;
    let title = format!("{x}×{y}×{z}");
    ctx.stage(format!("Baking {title}"));
    let options = VoxelOptions::in_grid(LARGE);
    let profile = Profile::default();
    let middle = scene::town(HOUSES, 10)?.settings().bounds.centre();
    let place = |step: f64| (middle + step).extend(0.0);
    let level = town(place(0.0))?;
    let before = measure::resident_bytes();
    let (bundle, first) = baked(&level, &options, None, ctx)?;
    let footing = first.footing(&profile);
    let after = measure::resident_bytes();
    let whole = measure::processor_time(
        BUDGET,
        || (),
        |()| {
            let built = voxels(&level, &options, ctx).ok()?;
            Some(built.footing(&profile))
        },
    );
    ctx.checkpoint()?;
    // Back and forth, so that every turn moves the crate.
    let moved = town(place(1.3))?;
    let (other, second) = baked(&moved, &options, Some(&bundle), ctx)?;
    drop(second.footing(&profile));
    let states = [(level, bundle), (moved, other)];
    let mut turn = 0;
    let mut touched = 0;
    let update = measure::processor_time(
        BUDGET,
        || {
            turn += 1;
            (turn % 2, 1 - turn % 2)
        },
        |(from, to): (usize, usize)| {
            let built = baked(&states[to].0, &options, Some(&states[from].1), ctx);
            let (_, built) = built.ok()?;
            touched = built.voxels.touched.len();
            Some((built.footing(&profile), built))
        },
    );
    let grown = match (before, after) {
        (Some(before), Some(after)) => after.saturating_sub(before) as f64 / 1e6,
        _ => first.voxels.bytes() as f64 / 1e6,
    };
    Ok(vec![
        Row::new(
            format!("{title}: discretised and bordered"),
            "ms",
            whole.median * 1e3,
        )
        .spread(whole.spread * 1e3)
        .goal(2_000.0, Better::Lower),
        Row::new(format!("{title}: memory grown while baking"), "MB", grown)
            .goal(1_000.0, Better::Lower),
        Row::new(
            format!("{title}: memory of grid, surfaces and borders"),
            "MB",
            (first.voxels.bytes() + footing.bytes()) as f64 / 1e6,
        ),
        Row::new(
            format!("{title}: surface cells"),
            "",
            first.surfaces().len() as f64,
        ),
        Row::new(
            format!("{title}: baked again after a crate of 2 m moved"),
            "ms",
            update.median * 1e3,
        )
        .spread(update.spread * 1e3)
        .goal(50.0, Better::Lower),
        Row::new(
            format!("{title}: tiles touched by that"),
            "",
            touched as f64,
        ),
    ])
}

/// The paper's method, where OpenGL is available.
fn gl_rows(ctx: &JobContext) -> Result<Vec<Row>, LabError> {
    let mut gl = Discretizer::new(Backend::Gl);
    if gl.report().is_some() {
        return Ok(Vec::new());
    }
    let mut rows = Vec::new();
    for template in TABLE {
        ctx.stage(format!("Drawing {}", template.name));
        ctx.checkpoint()?;
        let subject = Subject::of(&template, Conduct::default(), ctx)?;
        let voxels = &subject.built.voxels;
        let timing = measure::time(
            BUDGET,
            || Arc::clone(&voxels.scene),
            |scene| gl.voxels(subject.frame, scene, voxels.sampling, ctx).ok(),
        );
        let title = format!("{}: discretised by OpenGL ({})", subject.title(), gl.by());
        rows.push(Row::new(title, "ms", timing.median * 1e3).spread(timing.spread * 1e3));
    }
    Ok(rows)
}
