//! `wayloom render`

use super::{Answer, args, console::Console, load_with_meshes, output_file, voxel_options};
use crate::document::{Level, MeshLibrary};
use crate::geometry::{Aabb, Rect};
use crate::interaction::space::{Direction, Projection, SpaceCamera};
use crate::jobs::JobContext;
use crate::nav::trapezoid::Effort;
use crate::planner::{Baked, Slopes};
use crate::preview::render::MAX_SIZE;
use crate::preview::space::{SpaceScene, render as drawing};
use crate::preview::{
    Layer, Layers, Look, RenderError, RenderOptions, View, render_baked_png, render_baked_svg,
};
use anyhow::bail;
use glam::DVec2;
use serde_json::json;
use std::sync::Arc;

pub(super) fn run(options: &args::Render, console: &Console) -> anyhow::Result<Answer> {
    let ending = options
        .out
        .extension()
        .map(|ending| ending.to_string_lossy().to_lowercase());
    let is_svg = match ending.as_deref() {
        Some("svg") => true,
        Some("png") => false,
        _ => bail!(
            "{}: end the name in .svg for a drawing or in .png for pixels",
            options.out.display()
        ),
    };
    output_file::check(&options.out, options.force)?;
    let (level, library) = load_with_meshes(&options.level, console)?;
    if options.view == args::RenderView::Space {
        if is_svg {
            bail!("a picture in space is made of pixels: end the name in .png");
        }
        return space(options, level, library, console);
    }
    let picture = RenderOptions {
        size: options.size,
        view: options.area.map_or(View::Fit, |[x0, y0, x1, y1]| {
            View::Area(Rect::new(DVec2::new(x0, y0), DVec2::new(x1, y1)))
        }),
        layers: options
            .layers
            .as_ref()
            .map_or(Layers::ALL, |layers| layers.iter().copied().collect()),
        look: match options.look {
            args::Look::Dark => Look::Dark,
            args::Look::Light => Look::Light,
        },
        title: !options.no_title,
        scale_bar: true,
        legend: options.legend,
        seconds: options.seconds,
        storey: options.storey,
    };
    // Baked only where somebody asked to see it.
    let wants_bake = options
        .layers
        .iter()
        .flatten()
        .any(|layer| Layer::NAVIGATION.contains(layer));
    let baked = if wants_bake {
        Some(bake(&level, &library, console)?)
    } else {
        None
    };
    let bytes = console.with_progress("Drawing", |_| {
        if is_svg {
            render_baked_svg(&level, &library, baked.as_ref(), &picture).map(String::into_bytes)
        } else {
            render_baked_png(&level, &library, baked.as_ref(), &picture)
        }
    })?;
    output_file::write(&options.out, &bytes)?;
    let [width, height] = options.size;
    console.result(
        &format!("{}: {width} × {height} pixels", options.out.display()),
        &json!({ "file": options.out, "width": width, "height": height, "bytes": bytes.len() }),
    );
    Ok(Answer::Yes)
}

fn bake(
    level: &Arc<Level>,
    library: &Arc<MeshLibrary>,
    console: &Console,
) -> anyhow::Result<Baked> {
    let bake = |ctx: &JobContext| {
        let voxels = voxel_options(library);
        let level = Arc::clone(level);
        Baked::bake_for(level, None, Slopes::default(), Effort::Final, voxels, ctx)
    };
    Ok(console.with_progress("Baking", bake)?)
}

/// Letters and lines are as large as on a screen of this height. Unit: pixels.
const POINTS_HIGH: f64 = 800.0;

/// The level in space.
fn space(
    options: &args::Render,
    level: Arc<Level>,
    library: Arc<MeshLibrary>,
    console: &Console,
) -> anyhow::Result<Answer> {
    let size = options.size;
    if size.iter().any(|side| *side == 0 || *side > MAX_SIZE) {
        return Err(RenderError::Size { size }.into());
    }
    let look = match options.look {
        args::Look::Dark => Look::Dark,
        args::Look::Light => Look::Light,
    };
    let wanted = |layer: Layer| {
        options
            .layers
            .as_ref()
            .is_none_or(|all| all.contains(&layer))
    };
    let voxels = options
        .layers
        .iter()
        .flatten()
        .any(|layer| Layer::VOXELS.contains(layer));
    let baked = if voxels || wanted(Layer::Paths) && level.agents().next().is_some() {
        Some(bake(&level, &library, console)?)
    } else {
        None
    };
    let build = |ctx: &JobContext| {
        SpaceScene::build(None, Arc::clone(&level), Arc::clone(&library), look, ctx)
    };
    let scene = console.with_progress("Building", build)?;
    let mut camera = SpaceCamera {
        projection: if options.orthographic {
            Projection::Orthographic
        } else {
            Projection::Perspective
        },
        ..SpaceCamera::default()
    };
    camera.look_from(match options.from {
        args::From::Corner => Direction::Corner,
        args::From::Top => Direction::Top,
        args::From::Front => Direction::Front,
        args::From::Back => Direction::Back,
        args::From::Left => Direction::Left,
        args::From::Right => Direction::Right,
    });
    let viewport = DVec2::new(f64::from(size[0]), f64::from(size[1]));
    let whole = drawing::bounds(&scene, &level);
    let framed = options.area.map_or(whole, |[x0, y0, x1, y1]| {
        Aabb::new(
            DVec2::new(x0, y0).extend(whole.min.z),
            DVec2::new(x1, y1).extend(whole.max.z),
        )
    });
    camera.frame(&framed, viewport);
    let lens = drawing::Lens {
        view: camera.view(scene.origin),
        projection: camera.projection(viewport, &whole),
    };
    let usual = || Layer::VOXELS.into_iter().fold(Layers::ALL, Layers::without);
    let layers = options
        .layers
        .as_ref()
        .map_or_else(usual, |layers| layers.iter().copied().collect());
    let frame = drawing::frame(
        &scene,
        baked.as_ref(),
        layers,
        lens,
        (options.section, options.storey),
        viewport,
    );
    let pixels_per_point = (viewport.y / POINTS_HIGH).max(0.5);
    let draw = |_: &JobContext| drawing::pixels(&frame, size, pixels_per_point, options.backend);
    let bytes = drawing::png(console.with_progress("Drawing", draw)?)?;
    output_file::write(&options.out, &bytes)?;
    let [width, height] = size;
    console.result(
        &format!("{}: {width} × {height} pixels", options.out.display()),
        &json!({
            "file": options.out, "width": width, "height": height, "bytes": bytes.len(),
            "triangles": scene.triangle_count(),
        }),
    );
    Ok(Answer::Yes)
}
