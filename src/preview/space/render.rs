//! A level in space as a picture file.

use super::frame::{Placed, SpaceFrame};
use super::raster::rasterise;
use super::scene::SpaceScene;
use super::signs::Signs;
use crate::base::Backend;
use crate::document::{Level, Selection};
use crate::geometry::Aabb;
use crate::planner::Baked;
use crate::preview::nav::chart_of;
use crate::preview::style::Palette;
use crate::preview::voxel::actions::bent_height;
use crate::preview::voxel::space::front_layer;
use crate::preview::voxel::{CellView, action_layer, space_layer};
use crate::preview::{Layer, Layers, Pixels, RenderError};
use glam::{DAffine3, DMat4, DVec2};
use std::sync::Arc;

/// The matrices of a camera: from the world less the origin to the eye, and on to the cube.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lens {
    pub view: DMat4,
    pub projection: DMat4,
}

/// Everything of a scene that the layers switch on, seen through a lens.
#[must_use]
pub fn frame(
    scene: &SpaceScene,
    baked: Option<&Baked>,
    layers: Layers,
    lens: Lens,
    (section, storey): (Option<f64>, Option<usize>),
    viewport: DVec2,
) -> SpaceFrame {
    let palette = scene.look.palette();
    let signs = Signs {
        level: &scene.level,
        palette,
        origin: scene.origin,
        floor: Some(scene),
    };
    let world = DAffine3::from_translation(scene.origin);
    let mut all: Vec<Placed> = scene.layers().collect();
    let mut add = |layer| {
        all.push(Placed {
            layer: Arc::new(layer),
            placement: world,
        });
    };
    if layers.contains(Layer::Grid) && scene.level.settings().grid.visible {
        add(signs.grid());
    }
    add(signs.people_and_lines());
    if let Some(baked) = baked.filter(|_| layers.contains(Layer::Paths)) {
        add(signs.paths(&baked.plans, &Selection::default()));
        let level = &baked.level;
        add(action_layer(
            &baked.plans,
            |id| level.is_visible(id),
            |id| bent_height(level, id),
            palette,
            scene.origin,
        ));
    }
    let chart = baked.and_then(|baked| chart_of(baked, layers));
    if let Some(chart) = &chart {
        let view = CellView {
            survey: &chart.survey,
            storey: chart.storey(storey),
            against: chart.against.as_deref(),
        };
        for of in Layer::VOXELS.into_iter().filter(|of| layers.contains(*of)) {
            if of == Layer::Front {
                for band in view.bands() {
                    add(front_layer(&view, band, band.high, palette, scene.origin));
                }
            } else {
                add(space_layer(&view, of, palette, scene.origin));
            }
        }
    }
    SpaceFrame {
        layers: all,
        ground: Some(Arc::clone(scene.ground_picture())),
        view: lens.view,
        projection: lens.projection,
        origin: scene.origin,
        bounds: scene.bounds(),
        section,
        sky: sky(palette),
        cut: cut(palette),
        viewport,
    }
}

/// Above and below the horizon.
#[must_use]
pub fn sky(palette: &Palette) -> [crate::base::Colour; 2] {
    [
        palette.surroundings.mix(palette.text, 0.05),
        palette.surroundings.mix(palette.ground, 0.35),
    ]
}

/// Where a body is cut open.
#[must_use]
pub fn cut(palette: &Palette) -> crate::base::Colour {
    palette.obstacle_edge.mix(palette.ground, 0.25)
}

/// The level's body and everything else drawn of it, around.
#[must_use]
pub fn bounds(scene: &SpaceScene, level: &Level) -> Aabb {
    let extent = level.extent();
    let bounds = scene.bounds();
    bounds
        .including(extent.min.extend(bounds.min.z))
        .including(extent.max.extend(bounds.min.z))
}

/// Draws with OpenGL where asked for and there; with the rasteriser otherwise.
///
/// # Errors
/// OpenGL was asked for and is not to be had.
pub fn pixels(
    frame: &SpaceFrame,
    size: [u32; 2],
    pixels_per_point: f64,
    backend: Backend,
) -> Result<Pixels, RenderError> {
    match backend {
        Backend::Cpu => Ok(rasterise(frame, size, pixels_per_point)),
        Backend::Gl => with_gl(frame, size, pixels_per_point).map_err(RenderError::NoOpenGl),
        Backend::Auto => Ok(with_gl(frame, size, pixels_per_point)
            .unwrap_or_else(|_| rasterise(frame, size, pixels_per_point))),
    }
}

/// As the bytes of a PNG file.
///
/// # Errors
/// The encoder refuses.
pub fn png(pixels: Pixels) -> Result<Vec<u8>, RenderError> {
    let failed = |reason: String| RenderError::Encoding(reason);
    let [width, height] = pixels.size;
    let picture = image::RgbaImage::from_raw(width, height, pixels.rgba)
        .ok_or_else(|| failed("its size is wrong".to_owned()))?;
    let mut bytes = std::io::Cursor::new(Vec::new());
    image::DynamicImage::from(picture)
        .to_rgb8()
        .write_to(&mut bytes, image::ImageFormat::Png)
        .map_err(|error| failed(error.to_string()))?;
    Ok(bytes.into_inner())
}

#[cfg(feature = "gl")]
fn with_gl(frame: &SpaceFrame, size: [u32; 2], pixels_per_point: f64) -> Result<Pixels, String> {
    let draw = || -> Result<Pixels, crate::gpu::GpuError> {
        let context = crate::gpu::HeadlessContext::new()?;
        let gl = context.gl();
        let mut space = super::GlSpace::new(gl)?;
        let outcome = space.draw(gl, frame, size, pixels_per_point as f32);
        let rgba = space.read(gl);
        space.delete(gl);
        outcome.map(|()| Pixels { size, rgba })
    };
    draw().map_err(|error| error.to_string())
}

#[cfg(not(feature = "gl"))]
fn with_gl(_: &SpaceFrame, _: [u32; 2], _: f64) -> Result<Pixels, String> {
    Err("this build of the program has no OpenGL".to_owned())
}
