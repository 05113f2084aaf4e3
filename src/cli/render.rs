//! `wayloom render`

use super::{Answer, args, console::Console, load, output_file};
use crate::geometry::Rect;
use crate::jobs::JobContext;
use crate::planner::{Baked, Slopes};
use crate::preview::{
    Layer, Layers, Look, RenderOptions, View, render_baked_png, render_baked_svg,
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
    let level = load(&options.level)?.level;
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
    };
    // Baked only where somebody asked to see it.
    let wants_bake = options
        .layers
        .iter()
        .flatten()
        .any(|layer| Layer::NAVIGATION.contains(layer));
    let level = Arc::new(level);
    let baked = if wants_bake {
        let bake = |ctx: &JobContext| Baked::bake(Arc::clone(&level), None, Slopes::default(), ctx);
        Some(console.with_progress("Baking", bake)?)
    } else {
        None
    };
    let bytes = console.with_progress("Drawing", |_| {
        if is_svg {
            render_baked_svg(&level, baked.as_ref(), &picture).map(String::into_bytes)
        } else {
            render_baked_png(&level, baked.as_ref(), &picture)
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
