//! A picture of the view as a file.

use super::Editor;
use super::docking::Pane;
use super::notice::Notice;
use super::state::ViewKind;
use super::work::Display;
use crate::base::Backend;
use crate::preview::space::render;
use crate::preview::{Layer, Layers, Look, RenderOptions, View, raster, render_baked_svg};
use std::path::PathBuf;
use std::sync::Arc;

/// Pixels per point of the screen: pictures are for papers and large displays.
const DENSITY: f64 = 2.0;

impl Editor {
    /// Draws what the view shows that the pointer was over last, and writes it as a PNG file, in
    /// the background.
    pub(super) fn save_picture(&mut self, ctx: &egui::Context, path: PathBuf) {
        let in_space = self.state.active_view == ViewKind::Space
            && self.state.open_panes.contains(&Pane::Space);
        if let Some(frame) = self.space_painter.shown().filter(|_| in_space) {
            let size = (frame.viewport * DENSITY).round().max(glam::DVec2::ONE);
            let draw = move || {
                let pixels =
                    render::pixels(&frame, size.as_uvec2().to_array(), DENSITY, Backend::Auto);
                pixels
                    .and_then(render::png)
                    .map_err(|error| error.to_string())
            };
            self.write_picture(ctx, path, draw);
            return;
        }
        let view = &self.state.view;
        let pixels = |size: glam::DVec2| size.round().max(glam::DVec2::ONE).as_uvec2().to_array();
        let navigation = &self.state.navigation;
        let layers = Layer::NAVIGATION
            .into_iter()
            .filter(|layer| !navigation.visible || !navigation.layers.contains(*layer))
            .fold(Layers::ALL, Layers::without);
        let baked = navigation.baked.clone();
        let sharp = pixels(view.viewport * DENSITY);
        let options = RenderOptions {
            size: pixels(view.viewport),
            layers,
            view: View::Area(view.camera.visible(view.viewport)),
            look: match ctx.theme() {
                egui::Theme::Dark => Look::Dark,
                egui::Theme::Light => Look::Light,
            },
            title: false,
            seconds: navigation.played.unwrap_or(0.0),
            ..RenderOptions::default()
        };
        let level = Arc::clone(self.state.document().committed_level());
        let meshes = Arc::clone(&self.state.meshes.library);
        let draw = move || {
            render_baked_svg(&level, &meshes, baked.as_deref(), &options)
                .and_then(|svg| raster::png(&svg, sharp))
                .map_err(|error| error.to_string())
        };
        self.write_picture(ctx, path, draw);
    }

    fn write_picture(
        &mut self,
        ctx: &egui::Context,
        path: PathBuf,
        draw: impl FnOnce() -> Result<Vec<u8>, String> + Send + 'static,
    ) {
        let target = path.clone();
        self.work.start(
            ctx,
            "Drawing the picture",
            Display::Shown,
            move |_| -> Result<(), String> {
                let png = draw()?;
                std::fs::write(&target, png)
                    .map_err(|error| format!("{} could not be written: {error}", target.display()))
            },
            move |editor, outcome| {
                let outcome = outcome.map_err(|error| error.to_string()).flatten();
                editor.state.notify(match outcome {
                    Ok(()) => Notice::done(format!("The picture is in {}.", path.display())),
                    Err(trouble) => Notice::error(format!("{trouble}.")),
                });
            },
        );
    }
}
