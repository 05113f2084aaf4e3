//! A picture of the view as a file.

use super::Editor;
use super::docking::Pane;
use super::notice::Notice;
use super::overlay_scene::{HiddenAgents, ViewOf};
use super::state::ViewKind;
use super::work::Display;
use crate::base::Backend;
use crate::jobs::Cancelled;
use crate::preview::space::render;
use crate::preview::{Look, RenderOptions, View, raster, render_overlays_svg};
use std::path::PathBuf;
use std::sync::Arc;

/// Pixels per point of the screen: pictures are for papers and large displays.
const DENSITY: f64 = 2.0;

impl Editor {
    /// Draws what the view shows that the pointer was over last, and writes it as a PNG file, in
    /// the background.
    pub(super) fn save_picture(&mut self, ctx: &egui::Context, path: PathBuf) {
        let in_space = self.state.active_view == ViewKind::Space
            && self.state.open_panes.contains(&Pane::SPACE);
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
        let document = self.state.document();
        let seen = ViewOf {
            pointer: None,
            pixel: view.camera.metres(1.0),
        };
        let mut scene = navigation.overlay_scene(
            document.level(),
            document.selection(),
            seen,
            &mut HiddenAgents::default(),
        );
        let moment = navigation.player.moment(self.state.selected_agent());
        scene.moment = moment.map(|moment| (*moment).clone());
        scene.crowd = navigation.player.crowd_view();
        // What is marked as out of date on the screen would be so on paper for ever.
        if let Some(paths) = &mut scene.paths {
            paths.is_stale = false;
        }
        let sharp = pixels(view.viewport * DENSITY);
        let options = RenderOptions {
            size: pixels(view.viewport),
            overlays: navigation.shown_overlays().clone(),
            view: View::Area(view.camera.visible(view.viewport)),
            look: match ctx.theme() {
                egui::Theme::Dark => Look::Dark,
                egui::Theme::Light => Look::Light,
            },
            title: false,
            ..RenderOptions::default()
        };
        let level = Arc::clone(self.state.document().committed_level());
        let meshes = Arc::clone(&self.state.meshes.library);
        let draw = move || {
            render_overlays_svg(&level, &meshes, &scene, &options)
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
            move |job| -> Result<Result<(), Cancelled>, String> {
                let png = draw()?;
                if let Err(cancelled) = job.checkpoint() {
                    return Ok(Err(cancelled));
                }
                std::fs::write(&target, png)
                    .map(Ok)
                    .map_err(|error| format!("{} could not be written: {error}", target.display()))
            },
            move |editor, outcome| {
                let outcome = outcome.map_err(|error| error.to_string()).flatten();
                editor.state.notify(match outcome {
                    Ok(Err(Cancelled)) => return,
                    Ok(Ok(())) => Notice::done(format!("The picture is in {}.", path.display())),
                    Err(trouble) => Notice::error(format!("{trouble}.")),
                });
            },
        );
    }
}
