//! A 3D view of a level as an image file.

use super::frame::{Placed, SpaceFrame};
use super::raster::rasterise;
use super::scene::SpaceScene;
use super::signs::Signs;
use crate::base::Backend;
use crate::geometry::Aabb;
use crate::preview::overlays::{self, OverlayScene, Overlays};
use crate::preview::style::Palette;
use crate::preview::{Layer, Layers, Pixels, RenderError};
use crate::sim::Moment;
use glam::{DAffine3, DMat4, DVec2};
use std::sync::Arc;

/// A camera's matrices: from world relative to the origin to view space, and on to clip space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lens {
    pub view: DMat4,
    pub projection: DMat4,
}

/// What a picture in space shows besides bodies and people.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a> {
    pub layers: Layers,
    pub overlays: &'a Overlays,
    /// What overlays are drawn from.
    pub scene: &'a OverlayScene,
}

/// Everything of a scene that is shown, seen through a lens; cut open at a height, if one is given.
#[must_use]
pub fn frame(
    scene: &SpaceScene,
    shown: &Shown<'_>,
    lens: Lens,
    section: Option<f64>,
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
    if shown.layers.contains(Layer::Grid) && scene.level.settings().grid.visible {
        add(signs.grid());
    }
    let moment = shown.scene.moment.as_ref();
    let moment = moment.filter(|_| shown.layers.contains(Layer::Agents));
    add(signs.people_and_lines(&moment.map(Moment::ids).unwrap_or_default()));
    for layer in overlays::draw_space(shown.scene, shown.overlays, &signs) {
        add(layer);
    }
    if let Some(moment) = moment {
        add(signs.moment(moment, &shown.scene.crowd));
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

/// Colours above and below the horizon.
#[must_use]
pub fn sky(palette: &Palette) -> [crate::base::Colour; 2] {
    [
        palette.surroundings.mix(palette.text, 0.05),
        palette.surroundings.mix(palette.ground, 0.35),
    ]
}

/// Colour of cut surfaces.
#[must_use]
pub fn cut(palette: &Palette) -> crate::base::Colour {
    palette.obstacle_edge.mix(palette.ground, 0.25)
}

/// Bounds of the level's bodies and everything else drawn.
#[must_use]
pub fn bounds(scene: &SpaceScene) -> Aabb {
    let extent = scene.extent();
    let bounds = scene.bounds();
    bounds
        .including(extent.min.extend(bounds.min.z))
        .including(extent.max.extend(bounds.min.z))
}

/// Renders with OpenGL if requested and available; otherwise with the software rasteriser.
///
/// # Errors
/// OpenGL was requested explicitly and is not available.
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

/// The bytes of a PNG file.
///
/// # Errors
/// The encoder failed.
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
