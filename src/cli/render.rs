//! `wayloom render`

use super::{Answer, args, console::Console, load, output_file};
use crate::geometry::Rect;
use crate::preview::{Layers, Look, RenderOptions, View, render_png, render_svg};
use anyhow::bail;
use glam::DVec2;
use serde_json::json;

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
    };
    let bytes = console.with_progress("Drawing", |_| {
        if is_svg {
            render_svg(&level, &picture).map(String::into_bytes)
        } else {
            render_png(&level, &picture)
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
