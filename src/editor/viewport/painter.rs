//! Paints the plan view: the level with OpenGL (or, failing that, with egui's shapes), then
//! names, rulers and what the tool in hand has to say.

use super::gl_plan::{GlPlan, PlanFrame, Projection};
use super::overlay_layer::OverlayLayer;
use super::overlay_shapes::{self, Plate};
use super::regions_layer::{Draws, RegionsLayer};
use super::scene::PlanScene;
use super::voxel_layer::VoxelLayer;
use super::{label_paint, playback_shapes, profile_legend, rulers, scale_bar, soft_plan, solid};
use crate::base::EntityId;
use crate::document::{KindName, Level, Selection};
use crate::editor::overlay_scene::{HiddenAgents, ViewOf};
use crate::editor::{EditorState, theme};
use crate::geometry::Rect as Area;
use crate::preview::cache::PlanCache;
use crate::preview::crowd::ColourBy;
use crate::preview::label::Label;
use crate::preview::mesh::{Mesh, Tessellator};
use crate::preview::shape::{Highlight, draw_grid};
use crate::preview::{Layer, Look, Scene, Shape};
use egui::{Rect, vec2};
use glam::DVec2;
use std::sync::{Arc, Mutex, PoisonError};

/// More selected things than this are not outlined one by one.
const MAX_HIGHLIGHTS: usize = 5_000;

/// What painting keeps between frames: triangles, and buffers on the graphics card.
#[derive(Debug)]
pub struct PlanPainter {
    cache: PlanCache,
    highlights: Highlights,
    overlays: OverlayLayer,
    hidden: HiddenAgents,
    regions: RegionsLayer,
    voxels: VoxelLayer,
    /// Shared with the paint callback, which alone runs while the context is current.
    backend: Arc<Mutex<Backend>>,
}

#[derive(Debug)]
enum Backend {
    /// OpenGL is available; the first frame makes its objects.
    Untried,
    Ready(Box<GlPlan>),
    /// Painted through egui's shapes. The sentence is for the user, once.
    Soft {
        notice: Option<String>,
    },
}

/// The outlines of what is selected and hovered, and for what they were made.
#[derive(Debug, Default)]
struct Highlights {
    of: Option<Highlighted>,
    mesh: Mesh,
}

#[derive(Debug)]
struct Highlighted {
    level: Arc<Level>,
    selection: Selection,
    hovered: Option<EntityId>,
    look: Look,
    /// Of the mesh.
    origin: DVec2,
}

impl Highlighted {
    fn is_current(&self, scene: &PlanScene<'_>, origin: DVec2) -> bool {
        Arc::ptr_eq(&self.level, scene.level)
            && self.selection == *scene.selection
            && (self.hovered, self.look, self.origin) == (scene.hovered, scene.look, origin)
    }
}

impl PlanPainter {
    /// Without a GL context (tests, lost OpenGL) it paints through egui's own shapes.
    #[must_use]
    pub fn new(gl: Option<Arc<glow::Context>>) -> Self {
        let backend = match gl {
            Some(_) => Backend::Untried,
            None => Backend::Soft { notice: None },
        };
        Self {
            cache: PlanCache::default(),
            highlights: Highlights::default(),
            overlays: OverlayLayer::default(),
            hidden: HiddenAgents::default(),
            regions: RegionsLayer::default(),
            voxels: VoxelLayer::default(),
            backend: Arc::new(Mutex::new(backend)),
        }
    }

    /// Paints the open level into `rect`, as `state.view` shows it.
    pub fn paint(&mut self, ui: &egui::Ui, rect: Rect, state: &EditorState) {
        let look = if ui.visuals().dark_mode {
            Look::Dark
        } else {
            Look::Light
        };
        self.paint_scene(ui, rect, &PlanScene::of(state, look));
    }

    /// Paints any scene into `rect`.
    pub fn paint_scene(&mut self, ui: &egui::Ui, rect: Rect, scene: &PlanScene<'_>) {
        if !(rect.width() >= 1.0 && rect.height() >= 1.0) {
            return;
        }
        let painter = ui.painter_at(rect);
        let palette = scene.look.palette();
        painter.rect_filled(rect, 0.0, solid(palette.surroundings));
        self.cache.show_meshes(scene.meshes);
        self.cache.update(scene.level, scene.look);
        let plates = self.paint_level(&painter, rect, scene);
        let border = if scene.rulers { rulers::THICKNESS } else { 0.0 };
        let free = Rect::from_min_max(rect.min + vec2(border, border), rect.max);
        let (cache, camera) = (&self.cache, &scene.camera);
        let beside: Vec<&Label> = self.overlays.labels(camera.pixels_per_metre).collect();
        label_paint::paint(&painter, rect, free, cache, &beside, scene.layers, camera);
        label_paint::paint_plates(&painter, rect, &plates, camera, palette);
        scale_bar::paint(&painter, free.shrink2(vec2(14.0, 16.0)), camera, palette);
        if let Some(navigation) = scene.navigation {
            let (level, selection) = (scene.level, scene.selection);
            let mut entries = profile_legend::entries(navigation, level, selection, palette);
            entries.extend(profile_legend::actions(
                navigation, level, selection, palette,
            ));
            entries.extend(profile_legend::overlays(
                self.overlays.drawn(),
                navigation.constraints.field().map(Arc::as_ref),
                navigation.player.heat().map(Arc::as_ref),
                palette,
            ));
            let moment = navigation.player.moment(None);
            let by = navigation.player.colour_by;
            if let Some(moment) = moment.filter(|_| by != ColourBy::Profile) {
                let legend = by.legend(&moment, level, palette);
                entries.extend(profile_legend::colouring(legend));
            }
            profile_legend::paint(&painter, free.shrink(10.0), &entries, palette);
        }
        if scene.rulers {
            let colours = theme::Palette::of(ui.visuals());
            rulers::paint(&painter, rect, &scene.camera, scene.pointer, colours);
        }
    }

    /// A sentence about OpenGL that the user should see; each one is given once.
    pub fn take_notice(&mut self) -> Option<String> {
        match &mut *self.backend() {
            Backend::Soft { notice } => notice.take(),
            Backend::Untried | Backend::Ready(_) => None,
        }
    }

    /// The plan is painted without OpenGL.
    #[must_use]
    pub fn is_soft(&self) -> bool {
        matches!(&*self.backend(), Backend::Soft { .. })
    }

    /// Frees what is on the graphics card; `gl` is current. Painting goes on without OpenGL.
    pub fn destroy(&mut self, gl: &glow::Context) {
        let soft = Backend::Soft { notice: None };
        if let Backend::Ready(plan) = std::mem::replace(&mut *self.backend(), soft) {
            plan.delete(gl);
        }
    }

    fn backend(&self) -> std::sync::MutexGuard<'_, Backend> {
        // A panic while drawing leaves buffers that are merely out of date.
        self.backend.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn paint_level(
        &mut self,
        painter: &egui::Painter,
        rect: Rect,
        scene: &PlanScene<'_>,
    ) -> Vec<Plate> {
        let pixels_per_point = f64::from(painter.pixels_per_point());
        let viewport = DVec2::new(rect.width().into(), rect.height().into());
        let projection = Projection {
            centre: scene.camera.centre,
            points_per_metre: scene.camera.pixels_per_metre,
            viewport: viewport * pixels_per_point,
            pixels_per_point,
        };
        let visible = scene.camera.visible(viewport);
        let grid = self.grid(scene, visible);
        let (mut shapes, mut plates) =
            overlay_shapes::shapes(&scene.overlay, scene.look.palette(), visible);
        self.highlights.update(scene, self.cache.origin());
        if let Some(navigation) = scene.navigation {
            let origin = self.cache.origin();
            let view = ViewOf {
                pointer: scene.pointer,
                pixel: scene.camera.metres(1.0),
            };
            let (level, selection) = (scene.level, scene.selection);
            let inputs = navigation.overlay_scene(level, selection, view, &mut self.hidden);
            let shown = navigation.shown_overlays();
            self.overlays.update(shown, &inputs, scene.look, origin);
            self.voxels.update(navigation, scene.look, origin);
            let palette = scene.look.palette();
            self.voxels
                .answers(scene.level, palette, &mut shapes, &mut plates);
        }
        let mut highlights = self.highlights.mesh.clone();
        let agents = playback_shapes::shapes(scene, visible);
        self.tessellate(&agents, &mut highlights);
        self.tessellate(&shapes, &mut highlights);

        let shared = Arc::clone(&self.backend);
        let backend = shared.lock().unwrap_or_else(PoisonError::into_inner);
        let mut frame = match &*backend {
            Backend::Soft { .. } => {
                drop(backend);
                let (cache, layers) = (&self.cache, scene.layers);
                let mut above = Mesh::default();
                let mut parts: Vec<_> = self.voxels.parts().chain(self.overlays.parts()).collect();
                parts.sort_by_key(|(plane, ..)| *plane);
                for (.., mesh) in parts {
                    above.append(mesh);
                }
                above.append(&highlights);
                let parts = [&grid, &above];
                let image = self.regions.image(painter.ctx(), rect, scene, &projection);
                soft_plan::paint(painter, rect, cache, layers, &projection, parts, image);
                return plates;
            }
            Backend::Untried => PlanFrame::new(&self.cache, scene.layers, &projection, |_| false),
            Backend::Ready(plan) => {
                PlanFrame::new(&self.cache, scene.layers, &projection, |r| plan.has(r))
            }
        };
        for (plane, revision, mesh) in self.voxels.parts().chain(self.overlays.parts()) {
            let known = matches!(&*backend, Backend::Ready(plan) if plan.has(revision));
            frame.insert(plane, revision, (!known).then(|| Mesh::clone(mesh)));
        }
        let draws = match &*backend {
            Backend::Ready(plan) if plan.is_software() => Draws::Software,
            _ => Draws::Hardware,
        };
        let has =
            |revision| matches!(&*backend, Backend::Ready(plan) if plan.has_regions(revision));
        let regions = self
            .regions
            .frame(painter.ctx(), scene, &projection, draws, has);
        drop(backend);
        frame.regions = regions;
        frame.grid = grid;
        frame.highlights = highlights;
        let shared = Arc::clone(&self.backend);
        let context = painter.ctx().clone();
        let draw = move |info: egui::PaintCallbackInfo, glow: &egui_glow::Painter| {
            let mut backend = shared.lock().unwrap_or_else(PoisonError::into_inner);
            // What was laid out is drawn as large as the window's pixels allow.
            let pixels = info.viewport_in_pixels();
            let projection = Projection {
                viewport: DVec2::new(pixels.width_px.into(), pixels.height_px.into()),
                ..projection
            };
            if !draw_or_give_up(&mut backend, glow.gl(), &frame, &projection) {
                context.request_repaint();
            }
        };
        painter.add(egui::PaintCallback {
            rect,
            callback: Arc::new(egui_glow::CallbackFn::new(draw)),
        });
        plates
    }

    fn grid(&self, scene: &PlanScene<'_>, visible: Area) -> Mesh {
        let mut shapes: Vec<Shape> = Vec::new();
        if scene.layers.contains(Layer::Grid) {
            let settings = scene.level.settings();
            let bounds = settings.bounds;
            let area = Area::new(bounds.min.max(visible.min), bounds.max.min(visible.max));
            if !area.is_empty() {
                draw_grid(
                    area,
                    settings.grid.spacing,
                    scene.camera.pixels_per_metre,
                    scene.look.palette(),
                    &mut shapes,
                );
            }
        }
        let mut mesh = Mesh::default();
        self.tessellate(&shapes, &mut mesh);
        mesh
    }

    fn tessellate(&self, shapes: &[Shape], mesh: &mut Mesh) {
        let mut tessellator = Tessellator::new(self.cache.origin());
        for shape in shapes {
            tessellator.add(shape, mesh);
        }
    }
}

/// Draws with OpenGL. False when that failed: the next frame is painted without it.
fn draw_or_give_up(
    backend: &mut Backend,
    gl: &glow::Context,
    frame: &PlanFrame,
    projection: &Projection,
) -> bool {
    if matches!(backend, Backend::Untried) {
        *backend = match GlPlan::new(gl) {
            Ok(plan) => Backend::Ready(Box::new(plan)),
            Err(error) => Backend::soft(&error),
        };
    }
    let outcome = match backend {
        Backend::Ready(plan) => plan.draw(gl, frame, projection),
        Backend::Untried | Backend::Soft { .. } => return false,
    };
    if let Err(error) = outcome {
        if let Backend::Ready(plan) = std::mem::replace(backend, Backend::soft(&error)) {
            plan.delete(gl);
        }
        return false;
    }
    true
}

impl Backend {
    fn soft(error: &crate::gpu::GpuError) -> Self {
        Self::Soft {
            notice: Some(format!(
                "The plan view falls back to simpler drawing: {error}."
            )),
        }
    }
}

impl Highlights {
    fn update(&mut self, scene: &PlanScene<'_>, origin: DVec2) {
        if self
            .of
            .as_ref()
            .is_some_and(|of| of.is_current(scene, origin))
        {
            return;
        }
        let drawn = Scene {
            level: scene.level,
            palette: scene.look.palette(),
            meshes: scene.meshes,
        };
        let mut shapes: Vec<Shape> = Vec::new();
        // A group is what it holds.
        let members = |id| match scene.level.kind_of(id) {
            Some(KindName::Group) => scene.level.members(id),
            _ => vec![id],
        };
        let selected = scene.selection.iter().flat_map(members);
        for id in selected.take(MAX_HIGHLIGHTS) {
            drawn.draw_highlight(id, Highlight::Selected, &mut shapes);
        }
        if let Some(id) = scene.hovered
            && !scene.selection.contains(id)
        {
            drawn.draw_highlight(id, Highlight::Hovered, &mut shapes);
        }
        self.mesh = Mesh::default();
        let mut tessellator = Tessellator::new(origin);
        for shape in &shapes {
            tessellator.add(shape, &mut self.mesh);
        }
        self.of = Some(Highlighted {
            level: Arc::clone(scene.level),
            selection: scene.selection.clone(),
            hovered: scene.hovered,
            look: scene.look,
            origin,
        });
    }
}
