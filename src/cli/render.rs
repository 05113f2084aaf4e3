//! `wayloom render`

mod run;

use super::args::LayerName;
use super::{
    Answer, args, console::Console, load_with_meshes, output_file, read_meshes, voxel_options,
};
use crate::base::EntityId;
use crate::document::{Level, MeshLibrary};
use crate::geometry::{Aabb, Rect};
use crate::interaction::space::{Direction, Projection, SpaceCamera};
use crate::jobs::JobContext;
use crate::nav::{BakeRequest, NavBundle};
use crate::planner::{PlannedLevel, Slopes};
use crate::preview::overlays::{Inputs, PictureOf, picture_bake, picture_scene};
use crate::preview::render::MAX_SIZE;
use crate::preview::space::{SpaceScene, render as drawing};
use crate::preview::{
    Layers, Look, OverlayId, OverlayScene, Overlays, RenderError, RenderOptions, View,
    render_overlays_png, render_overlays_svg,
};
use crate::sim::wlrec::Run;
use anyhow::{anyhow, bail};
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
    let recorded = run::open(&options.level)?;
    let (level, library) = match &recorded {
        Some((_, level)) => {
            let library = read_meshes(level, &options.level, console)?;
            (Arc::new(level.clone()), library)
        }
        None => load_with_meshes(&options.level, console)?,
    };
    let recorded = recorded.map(|(run, _)| run);
    if options.view == args::RenderView::Space {
        if is_svg {
            bail!("a picture in space is made of pixels: end the name in .png");
        }
        return space(options, level, library, recorded, console);
    }
    let shown = Shown::of(options, &level, Overlays::NONE)?;
    let picture = RenderOptions {
        size: options.size,
        view: options.area.map_or(View::Fit, |[x0, y0, x1, y1]| {
            View::Area(Rect::new(DVec2::new(x0, y0), DVec2::new(x1, y1)))
        }),
        layers: shown.layers,
        overlays: shown.overlays.clone(),
        look: look(options),
        title: !options.no_title,
        scale_bar: true,
        legend: options.legend,
    };
    let pixel = 1.0 / picture.scale(&level).max(f64::MIN_POSITIVE);
    let scene = shown.scene(options, &level, &library, recorded, pixel, console)?;
    let bytes = console.with_progress("Drawing", |_| {
        if is_svg {
            render_overlays_svg(&level, &library, &scene, &picture).map(String::into_bytes)
        } else {
            render_overlays_png(&level, &library, &scene, &picture)
        }
    })?;
    output_file::save(&options.out, &bytes, options.force)?;
    let [width, height] = options.size;
    console.result(
        &format!("{}: {width} × {height} pixels", options.out.display()),
        &json!({ "file": options.out, "width": width, "height": height, "bytes": bytes.len() }),
    );
    Ok(Answer::Yes)
}

const fn look(options: &args::Render) -> Look {
    match options.look {
        args::Look::Dark => Look::Dark,
        args::Look::Light => Look::Light,
    }
}

/// What is to be seen, and whose.
struct Shown {
    layers: Layers,
    overlays: Overlays,
    profile: Option<EntityId>,
}

impl Shown {
    /// Everything of the level and the `usual` overlays, unless the arguments name some.
    fn of(options: &args::Render, level: &Level, usual: Overlays) -> anyhow::Result<Self> {
        let profile = options
            .profile
            .as_deref()
            .map(|name| profile_named(level, name))
            .transpose()?;
        let Some(names) = &options.layers else {
            return Ok(Self {
                layers: Layers::ALL,
                overlays: usual,
                profile,
            });
        };
        let layer = |name: &LayerName| match name {
            LayerName::Layer(layer) => Some(*layer),
            LayerName::Overlay(_) => None,
        };
        let overlay = |name: &LayerName| match name {
            LayerName::Overlay(id) => Some(*id),
            LayerName::Layer(_) => None,
        };
        Ok(Self {
            layers: names.iter().filter_map(layer).collect(),
            overlays: names.iter().filter_map(overlay).collect(),
            profile,
        })
    }

    /// What overlays are drawn from: nothing is baked that none of them reads.
    fn scene(
        &self,
        options: &args::Render,
        level: &Arc<Level>,
        library: &Arc<MeshLibrary>,
        recorded: Option<Arc<Run>>,
        pixel: f64,
        console: &Console,
    ) -> anyhow::Result<OverlayScene> {
        let run = match recorded {
            Some(run) => Some(run),
            None => run::simulated(options, level, &self.overlays, console)?,
        };
        let no_bake = [Inputs::LEVEL, Inputs::HEAT];
        let needs_no_bake = self
            .overlays
            .rows()
            .all(|row| no_bake.contains(&row.inputs));
        let mut scene = if needs_no_bake && (options.at.is_none() || run.is_some()) {
            OverlayScene {
                level: Some(Arc::clone(level)),
                ..OverlayScene::default()
            }
        } else {
            self.baked_scene(options, level, library, pixel, console)?
        };
        if let Some(run) = &run {
            run::show(run, level, options, &self.overlays, &mut scene, console)?;
        }
        Ok(scene)
    }

    fn baked_scene(
        &self,
        options: &args::Render,
        level: &Arc<Level>,
        library: &Arc<MeshLibrary>,
        pixel: f64,
        console: &Console,
    ) -> anyhow::Result<OverlayScene> {
        if self.overlays.contains(OverlayId::SEARCH) {
            console.remark("search: a search is shown on the planner bench of the editor only");
        }
        let of = PictureOf {
            profile: self.profile,
            at: options.at,
            storey: options.storey,
            pixel,
        };
        let bake = |ctx: &JobContext| {
            let request = BakeRequest {
                options: voxel_options(library).into(),
                ..picture_bake(level, &self.overlays, self.profile)
            };
            let bundle = NavBundle::bake(request, ctx)?;
            let planned = PlannedLevel::plan(bundle, None, Slopes::default(), ctx)?;
            picture_scene(&Arc::new(planned), &self.overlays, &of, ctx)
        };
        Ok(console.with_progress("Baking", bake)?)
    }
}

/// The profile of that name.
fn profile_named(level: &Level, name: &str) -> anyhow::Result<EntityId> {
    let found = level
        .profiles()
        .find(|(id, entity, _)| entity.label(*id).eq_ignore_ascii_case(name));
    found.map(|(id, ..)| id).ok_or_else(|| {
        let known: Vec<String> = level.profiles().map(|(id, e, _)| e.label(id)).collect();
        anyhow!(
            "there is no profile `{name}`; the level has {}",
            known.join(", ")
        )
    })
}

/// Letters and lines are as large as on a screen of this height. Unit: pixels.
const POINTS_HIGH: f64 = 800.0;

/// The level in space.
fn space(
    options: &args::Render,
    level: Arc<Level>,
    library: Arc<MeshLibrary>,
    recorded: Option<Arc<Run>>,
    console: &Console,
) -> anyhow::Result<Answer> {
    let size = options.size;
    if size.iter().any(|side| *side == 0 || *side > MAX_SIZE) {
        return Err(RenderError::Size { size }.into());
    }
    let usual = || {
        let has_agents = level.agents().next().is_some();
        let paths = has_agents.then_some(OverlayId::PATHS);
        paths.into_iter().collect()
    };
    let shown = Shown::of(options, &level, usual())?;
    let overlay_scene = shown.scene(options, &level, &library, recorded, 1.0, console)?;
    let look = look(options);
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
    let whole = drawing::bounds(&scene);
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
    let shown = drawing::Shown {
        layers: shown.layers,
        overlays: &shown.overlays,
        scene: &overlay_scene,
    };
    let frame = drawing::frame(&scene, &shown, lens, options.section, viewport);
    let pixels_per_point = (viewport.y / POINTS_HIGH).max(0.5);
    let draw =
        |_: &JobContext| drawing::pixels(&frame, size, pixels_per_point, options.backend.backend());
    let bytes = drawing::png(console.with_progress("Drawing", draw)?)?;
    output_file::save(&options.out, &bytes, options.force)?;
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
