//! Thumbnails of the sample levels, rendered once in the background.

use super::Editor;
use super::work::{Display, Work};
use crate::document::template::{Options, Template};
use crate::geometry::Rect;
use crate::preview::{Look, RenderOptions, View, render_pixels};
use egui::{ColorImage, TextureHandle, TextureOptions};
use glam::DVec2;
use std::collections::BTreeMap;

/// Unit: pixels. Twice the displayed size, for high-density displays.
const SIZE: [u32; 2] = [480, 320];

type Key = (Template, Look);

#[derive(Default)]
pub struct Thumbnails {
    ready: BTreeMap<Key, Option<TextureHandle>>,
    /// Requested and not rendered yet; rendered one after the other.
    wanted: Vec<Key>,
    drawing: bool,
}

impl std::fmt::Debug for Thumbnails {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Thumbnails")
            .field("ready", &self.ready.len())
            .field("wanted", &self.wanted)
            .finish_non_exhaustive()
    }
}

impl Thumbnails {
    /// The thumbnail, if it exists; otherwise it is rendered and the window repainted.
    pub fn get(&mut self, template: Template, look: Look) -> Option<&TextureHandle> {
        let key = (template, look);
        if !self.ready.contains_key(&key) && !self.wanted.contains(&key) {
            self.wanted.push(key);
        }
        self.ready.get(&key)?.as_ref()
    }

    /// Starts the next thumbnail unless one is being rendered.
    pub fn draw_next(&mut self, ctx: &egui::Context, work: &mut Work) {
        if self.drawing {
            return;
        }
        let Some(key) = self.wanted.first().copied() else {
            return;
        };
        self.drawing = true;
        let for_done = ctx.clone();
        work.start(
            ctx,
            "Rendering sample pictures",
            Display::Quiet,
            move |_| picture(key),
            move |editor: &mut Editor, outcome| {
                let thumbnails = &mut editor.thumbnails;
                thumbnails.drawing = false;
                thumbnails.wanted.retain(|wanted| *wanted != key);
                // A thumbnail that fails is left out; the sample still opens.
                let texture = outcome.ok().flatten().map(|image| {
                    let name = format!("sample {}", key.0.name());
                    for_done.load_texture(name, image, TextureOptions::LINEAR)
                });
                thumbnails.ready.insert(key, texture);
                for_done.request_repaint();
            },
        );
    }
}

/// The largest part of a level around its centre that fills an image to its edges.
fn filling(bounds: Rect) -> Rect {
    let aspect = f64::from(SIZE[0]) / f64::from(SIZE[1]);
    let size = bounds.size();
    let width = size.x.min(size.y * aspect);
    let half = DVec2::new(width, width / aspect) * 0.5;
    Rect::around(bounds.centre(), half)
}

fn picture((template, look): Key) -> Option<ColorImage> {
    let level = template.build(&Options::default()).ok()?;
    let options = RenderOptions {
        view: View::Area(filling(level.settings().bounds)),
        ..RenderOptions::thumbnail(SIZE, look)
    };
    let pixels = render_pixels(&level, &options).ok()?;
    let size = pixels.size.map(|side| side as usize);
    Some(ColorImage::from_rgba_unmultiplied(size, &pixels.rgba))
}
