//! The 3D view without OpenGL: drawn beside the window, roughly while something moves and finely
//! once it rests.

use crate::jobs::{Job, JobError};
use crate::preview::Pixels;
use crate::preview::space::{SpaceFrame, raster::rasterise};
use egui::{Color32, ColorImage, Rect, TextureHandle, TextureOptions};
use std::sync::Arc;

/// While something moves, a pixel of the picture is so many of the window's wide.
const ROUGH: f64 = 3.0;

#[derive(Default)]
pub struct SoftSpace {
    texture: Option<TextureHandle>,
    /// What the picture in sight shows.
    shown: Option<Asked>,
    running: Option<(Asked, Job<Pixels>)>,
}

#[derive(Clone, Debug)]
struct Asked {
    frame: Arc<SpaceFrame>,
    /// Unit: pixels.
    size: [u32; 2],
    is_fine: bool,
}

impl Asked {
    fn shows_the_same(&self, other: &Self) -> bool {
        self.size == other.size && self.frame.shows_the_same(&other.frame)
    }
}

impl std::fmt::Debug for SoftSpace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SoftSpace")
            .field("is_running", &self.running.is_some())
            .finish_non_exhaustive()
    }
}

impl SoftSpace {
    /// Shows the newest picture there is, and has a newer one drawn where that is out of date.
    pub fn paint(&mut self, painter: &egui::Painter, rect: Rect, frame: &Arc<SpaceFrame>) {
        let pixels_per_point = f64::from(painter.pixels_per_point());
        let side = |length: f32| (f64::from(length) * pixels_per_point).round().max(1.0) as u32;
        let wanted = Asked {
            frame: Arc::clone(frame),
            size: [side(rect.width()), side(rect.height())],
            is_fine: false,
        };
        self.take(painter.ctx());
        self.ask(painter.ctx(), wanted, pixels_per_point);
        let below = frame.sky[1];
        painter.rect_filled(rect, 0.0, Color32::from_rgb(below.r, below.g, below.b));
        if let Some(texture) = &self.texture {
            let whole = Rect::from_min_max(egui::Pos2::ZERO, egui::pos2(1.0, 1.0));
            painter.image(texture.id(), rect, whole, Color32::WHITE);
        }
    }

    fn take(&mut self, ctx: &egui::Context) {
        let Some((asked, job)) = &mut self.running else {
            return;
        };
        let outcome: Result<Pixels, JobError> = match job.poll() {
            Some(outcome) => outcome,
            None => return,
        };
        let asked = asked.clone();
        self.running = None;
        // A picture that could not be drawn is not asked for again.
        if let Ok(pixels) = outcome {
            let size = pixels.size.map(|side| side as usize);
            let image = ColorImage::from_rgba_unmultiplied(size, &pixels.rgba);
            match &mut self.texture {
                Some(texture) => texture.set(image, TextureOptions::LINEAR),
                None => {
                    let texture = ctx.load_texture("3D view", image, TextureOptions::LINEAR);
                    self.texture = Some(texture);
                }
            }
        }
        self.shown = Some(asked);
    }

    fn ask(&mut self, ctx: &egui::Context, wanted: Asked, pixels_per_point: f64) {
        if self.running.is_some() {
            return;
        }
        let is_fine = match &self.shown {
            Some(shown) if shown.shows_the_same(&wanted) => {
                if shown.is_fine {
                    return;
                }
                true
            }
            _ => false,
        };
        let asked = Asked { is_fine, ..wanted };
        let factor = if is_fine { 1.0 } else { ROUGH };
        let size = asked
            .size
            .map(|side| (f64::from(side) / factor).round().max(1.0) as u32);
        let frame = Arc::clone(&asked.frame);
        let wake = ctx.clone();
        let job = Job::spawn(
            "Drawing the 3D view",
            move |_| rasterise(&frame, size, pixels_per_point / factor),
            move || wake.request_repaint(),
        );
        self.running = Some((asked, job));
    }
}
