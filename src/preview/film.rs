//! Pictures of one view at many moments. What stands still is drawn once.

use super::crowd::CrowdView;
use super::frame::Frame;
use super::layer::{Layer, Layers};
use super::moment::draw_moment;
use super::primitive::Ink;
use super::render::{Pixels, RenderError, RenderOptions, render_svg_of};
use super::style::{Look, Palette};
use super::svg::Svg;
use super::{raster, typeface};
use crate::document::{Level, MeshLibrary};
use crate::geometry::Rect;
use crate::sim::Moment;
use glam::DVec2;
use std::sync::Arc;

/// Size of the clock's digits. Unit: pixels at a picture of ordinary size.
const CLOCK_SIZE: f64 = 15.0;

/// The plan of a level, to be shown at many moments.
#[derive(Debug)]
pub struct PlanFilm {
    level: Arc<Level>,
    background: Pixels,
    frame: Frame,
    palette: &'static Palette,
}

impl PlanFilm {
    /// Draws what stands still.
    ///
    /// # Errors
    /// The size or the view is out of the question.
    pub fn new(
        level: &Arc<Level>,
        meshes: &MeshLibrary,
        options: &RenderOptions,
    ) -> Result<Self, RenderError> {
        // Agents are drawn where they are, not where they begin.
        let still = RenderOptions {
            layers: options.layers.without(Layer::Agents),
            ..options.clone()
        };
        let svg = render_svg_of(level, meshes, &still, |_, _| {})?;
        Ok(Self {
            level: Arc::clone(level),
            background: raster::pixels(&svg, options.size)?,
            frame: options.frame(level)?,
            palette: options.look.palette(),
        })
    }

    /// The picture at a moment, with its time in the corner.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn at(&self, moment: &Moment) -> Result<Pixels, RenderError> {
        let mut svg = Svg::new(self.frame, self.palette);
        let view = CrowdView::default();
        draw_moment(moment, &self.level, None, &view, self.palette, &mut svg);
        let mut pixels = self.background.clone();
        let over = svg.overlay(|out| clock(out, &self.frame, self.palette, moment.time));
        raster::draw_over(&mut pixels, &over)?;
        Ok(pixels)
    }
}

/// Writes the time into the upper right corner of a picture of any kind.
///
/// # Errors
/// There is not enough memory.
pub fn draw_clock(pixels: &mut Pixels, look: Look, secs: f64) -> Result<(), RenderError> {
    let size = DVec2::from(pixels.size.map(f64::from));
    let frame = Frame::bare(size, Rect::new(DVec2::ZERO, size));
    let palette = look.palette();
    let svg = Svg::new(frame, palette).overlay(|out| clock(out, &frame, palette, secs));
    raster::draw_over(pixels, &svg)
}

fn clock(out: &mut super::svg::SvgText, frame: &Frame, palette: &Palette, secs: f64) {
    let text = format!("{secs:.1} s");
    let size = CLOCK_SIZE * frame.ui_scale;
    let width = typeface::measure(&text, size).x;
    // Beside the title where there is one, else in the corner.
    let above = frame.map.min.y - 0.95 * size;
    let at = if above > size {
        DVec2::new(frame.map.max.x - width, above)
    } else {
        DVec2::new(frame.map.max.x - width - 0.7 * size, frame.map.min.y + size)
    };
    let halo = Ink::solid(palette.surroundings);
    out.text(at, size, Ink::solid(palette.text), Some(halo), &text);
}

/// What a film shows of a level, unless layers are chosen.
#[must_use]
pub fn layers() -> Layers {
    Layers::ALL.without(Layer::Grid).without(Layer::Notes)
}
