//! The 3D view without OpenGL: drawn in the background, roughly while something moves and finely
//! once it rests.

use crate::jobs::{Display, JobRunner, Memo, Settled, Superseded};
use crate::preview::space::{SpaceFrame, raster::rasterise};
use egui::{Color32, ColorImage, Rect, TextureHandle, TextureOptions};
use std::sync::Arc;

/// While something moves, a pixel of the picture is so many of the window's wide.
const ROUGH: f64 = 3.0;

pub struct SoftSpace {
    texture: Option<TextureHandle>,
    picture: Memo<Picture, Arc<ColorImage>>,
    jobs: JobRunner,
}

/// What a picture shows.
#[derive(Clone, Debug)]
struct Picture {
    frame: Arc<SpaceFrame>,
    /// Unit: pixels of the window.
    size: [u32; 2],
    is_fine: bool,
}

impl PartialEq for Picture {
    fn eq(&self, other: &Self) -> bool {
        self.is_fine == other.is_fine && self.shows_the_same(other)
    }
}

impl Picture {
    /// Finely or roughly.
    fn shows_the_same(&self, other: &Self) -> bool {
        self.size == other.size && self.frame.shows_the_same(&other.frame)
    }

    fn draw(&self, pixels_per_point: f64) -> ColorImage {
        let factor = if self.is_fine { 1.0 } else { ROUGH };
        let shrink = |side: u32| (f64::from(side) / factor).round().max(1.0) as u32;
        let pixels = rasterise(
            &self.frame,
            self.size.map(shrink),
            pixels_per_point / factor,
        );
        let size = pixels.size.map(|side| side as usize);
        ColorImage::from_rgba_unmultiplied(size, &pixels.rgba)
    }
}

impl std::fmt::Debug for SoftSpace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SoftSpace")
            .field("is_running", &self.picture.is_running())
            .finish_non_exhaustive()
    }
}

impl SoftSpace {
    pub fn new(jobs: JobRunner) -> Self {
        Self {
            texture: None,
            // While the view turns, every picture is out of date in a moment.
            picture: Memo::new("Drawing the 3D view", Display::Quiet, Superseded::FINISH),
            jobs,
        }
    }

    /// Shows the newest picture there is, and has a newer one drawn where that is out of date.
    pub fn paint(&mut self, painter: &egui::Painter, rect: Rect, frame: &Arc<SpaceFrame>) {
        self.keep_current(painter, rect, frame);
        let below = frame.sky[1];
        painter.rect_filled(rect, 0.0, Color32::from_rgb(below.r, below.g, below.b));
        if let Some(texture) = &self.texture {
            let whole = Rect::from_min_max(egui::Pos2::ZERO, egui::pos2(1.0, 1.0));
            painter.image(texture.id(), rect, whole, Color32::WHITE);
        }
    }

    fn keep_current(&mut self, painter: &egui::Painter, rect: Rect, frame: &Arc<SpaceFrame>) {
        let pixels_per_point = f64::from(painter.pixels_per_point());
        let side = |length: f32| (f64::from(length) * pixels_per_point).round().max(1.0) as u32;
        let mut wanted = Picture {
            frame: Arc::clone(frame),
            size: [side(rect.width()), side(rect.height())],
            is_fine: false,
        };
        let shown = self.picture.key();
        wanted.is_fine = shown.is_some_and(|shown| shown.shows_the_same(&wanted));
        let asked = wanted.clone();
        let settled = self.picture.want(&self.jobs, wanted, move |_| {
            Ok(Arc::new(asked.draw(pixels_per_point)))
        });
        let Some(image) = self
            .picture
            .value()
            .filter(|_| settled == Some(Settled::Value))
        else {
            return;
        };
        let image = Arc::clone(image);
        match &mut self.texture {
            Some(texture) => texture.set(image, TextureOptions::LINEAR),
            None => {
                let ctx = painter.ctx();
                self.texture = Some(ctx.load_texture("3D view", image, TextureOptions::LINEAR));
            }
        }
        // Once it rests, it is drawn finely.
        painter.ctx().request_repaint();
    }
}
