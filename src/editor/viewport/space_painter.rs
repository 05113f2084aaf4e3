//! Paints the 3D view: with OpenGL, or, failing that, with the rasteriser beside the window.

use super::soft_space::SoftSpace;
use super::space_layers::SpaceLayers;
use crate::editor::EditorState;
use crate::interaction::space::SpaceCamera;
use crate::jobs::JobRunner;
use crate::preview::space::{GlSpace, Placed, SpaceFrame, SpaceScene, render};
use egui::Rect;
use glam::DVec2;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What painting keeps between frames: layers, and what is on the graphics card.
#[derive(Debug)]
pub struct SpacePainter {
    layers: SpaceLayers,
    soft: SoftSpace,
    /// What was painted last.
    shown: Option<Arc<SpaceFrame>>,
    /// Shared with the paint callback, which alone runs while the context is current.
    backend: Arc<Mutex<Backend>>,
}

#[derive(Debug)]
enum Backend {
    /// OpenGL is available; the first frame makes its objects.
    Untried,
    Ready {
        space: Box<GlSpace>,
        /// What the picture on the card shows: it is redrawn only when that changes.
        shown: Option<Picture>,
    },
    /// Painted by the rasteriser. The sentence is for the user, once.
    Soft { notice: Option<String> },
}

#[derive(Clone, Debug)]
struct Picture {
    frame: Arc<SpaceFrame>,
    /// Unit: pixels.
    size: [u32; 2],
}

impl SpacePainter {
    /// Without a GL context (tests, lost OpenGL) the processor paints.
    #[must_use]
    pub fn new(gl: Option<Arc<glow::Context>>, jobs: &JobRunner) -> Self {
        let backend = match gl {
            Some(_) => Backend::Untried,
            None => Backend::Soft { notice: None },
        };
        Self {
            layers: SpaceLayers::default(),
            soft: SoftSpace::new(jobs.clone()),
            shown: None,
            backend: Arc::new(Mutex::new(backend)),
        }
    }

    /// Paints the open level into `rect`, as `state.space` looks at it. Returns what was shown.
    pub fn paint(
        &mut self,
        ui: &egui::Ui,
        rect: Rect,
        state: &EditorState,
        scene: &Arc<SpaceScene>,
    ) -> Arc<SpaceFrame> {
        let over = self.layers.over(state, scene);
        let space = &state.space;
        let frame = Arc::new(frame(
            scene,
            over,
            &space.camera,
            space.section,
            space.viewport,
        ));
        self.paint_frame(ui, rect, &frame);
        self.shown = Some(Arc::clone(&frame));
        frame
    }

    /// What was painted last.
    #[must_use]
    pub fn shown(&self) -> Option<Arc<SpaceFrame>> {
        self.shown.clone()
    }

    /// Paints any frame into `rect`.
    pub fn paint_frame(&mut self, ui: &egui::Ui, rect: Rect, frame: &Arc<SpaceFrame>) {
        if !(rect.width() >= 1.0 && rect.height() >= 1.0) {
            return;
        }
        let painter = ui.painter_at(rect);
        if self.is_soft() {
            self.soft.paint(&painter, rect, frame);
            return;
        }
        let shared = Arc::clone(&self.backend);
        let frame = Arc::clone(frame);
        let context = ui.ctx().clone();
        let draw = move |info: egui::PaintCallbackInfo, glow: &egui_glow::Painter| {
            let mut backend = shared.lock().unwrap_or_else(PoisonError::into_inner);
            let pixels = info.viewport_in_pixels();
            let side = |length: i32| u32::try_from(length).unwrap_or(0).max(1);
            let picture = Picture {
                frame: Arc::clone(&frame),
                size: [side(pixels.width_px), side(pixels.height_px)],
            };
            if !draw_or_give_up(&mut backend, glow.gl(), picture, info.pixels_per_point) {
                context.request_repaint();
            }
        };
        painter.add(egui::PaintCallback {
            rect,
            callback: Arc::new(egui_glow::CallbackFn::new(draw)),
        });
    }

    /// A sentence about OpenGL that the user should see; each one is given once.
    pub fn take_notice(&mut self) -> Option<String> {
        match &mut *self.backend() {
            Backend::Soft { notice } => notice.take(),
            Backend::Untried | Backend::Ready { .. } => None,
        }
    }

    /// Painted without OpenGL.
    #[must_use]
    pub fn is_soft(&self) -> bool {
        matches!(&*self.backend(), Backend::Soft { .. })
    }

    /// Frees what is on the graphics card; `gl` is current. Painting goes on without OpenGL.
    pub fn destroy(&mut self, gl: &glow::Context) {
        let soft = Backend::Soft { notice: None };
        if let Backend::Ready { space, .. } = std::mem::replace(&mut *self.backend(), soft) {
            space.delete(gl);
        }
    }

    fn backend(&self) -> MutexGuard<'_, Backend> {
        // A panic while drawing leaves buffers that are merely out of date.
        self.backend.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A scene with what lies over it, as a camera sees it.
#[must_use]
pub fn frame(
    scene: &SpaceScene,
    over: Vec<Placed>,
    camera: &SpaceCamera,
    section: Option<f64>,
    viewport: DVec2,
) -> SpaceFrame {
    let palette = scene.look.palette();
    let bounds = render::bounds(scene);
    SpaceFrame {
        layers: scene.layers().chain(over).collect(),
        ground: Some(Arc::clone(scene.ground_picture())),
        view: camera.view(scene.origin),
        projection: camera.projection(viewport, &bounds),
        origin: scene.origin,
        bounds,
        section,
        sky: render::sky(palette),
        cut: render::cut(palette),
        viewport,
    }
}

/// Draws with OpenGL. False when that failed: the next frame is painted without it.
fn draw_or_give_up(
    backend: &mut Backend,
    gl: &glow::Context,
    picture: Picture,
    pixels_per_point: f32,
) -> bool {
    if matches!(backend, Backend::Untried) {
        *backend = match GlSpace::new(gl) {
            Ok(space) => Backend::Ready {
                space: Box::new(space),
                shown: None,
            },
            Err(error) => Backend::soft(&error),
        };
    }
    let Backend::Ready { space, shown } = backend else {
        return false;
    };
    let is_shown = shown.as_ref().is_some_and(|shown| {
        shown.size == picture.size && shown.frame.shows_the_same(&picture.frame)
    });
    let new = (!is_shown).then_some(&*picture.frame);
    match space.draw_and_show(gl, new, picture.size, pixels_per_point) {
        Ok(()) => {
            *shown = Some(picture);
            true
        }
        Err(error) => {
            if let Backend::Ready { space, .. } = std::mem::replace(backend, Backend::soft(&error))
            {
                space.delete(gl);
            }
            false
        }
    }
}

impl Backend {
    fn soft(error: &crate::gpu::GpuError) -> Self {
        Self::Soft {
            notice: Some(format!(
                "The 3D view is drawn without OpenGL from now on: {error}."
            )),
        }
    }
}
