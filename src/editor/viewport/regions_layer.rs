//! Voronoi regions and distances under the level, redrawn in every frame in which something moves.
//!
//! With OpenGL the window's own context draws them ([`crate::gpu::voronoi`]); without, the
//! processor does, with larger pixels. While something moves, slow renderers get larger pixels as
//! well; a moment of rest later the picture is as sharp as the screen.

use super::gl_plan::Projection;
use super::scene::PlanScene;
use crate::base::Colour;
use crate::document::Level;
use crate::geometry::Rect as Area;
use crate::geometry::proximity::{NO_SITE, PixelGrid, nearest};
use crate::gpu::voronoi::overlay::RegionsLook;
use crate::gpu::voronoi::{NearestMesh, Sites};
use crate::preview::Look;
use crate::preview::regions::{RegionSites, RegionStyle};
use egui::{Color32, ColorImage, TextureHandle, TextureOptions};
use glam::{DVec2, UVec2};
use std::sync::Arc;
use std::time::Duration;

/// Pixels of the window for each of the picture, in either direction, while something moves.
const COARSE_SOFTWARE: u32 = 2;
const COARSE_PROCESSOR: u32 = 4;
/// And at rest, where the processor draws.
const FINE_PROCESSOR: u32 = 2;

/// Without a change for so long, the picture is drawn sharp.
const REST: Duration = Duration::from_millis(120);

/// Who draws, and how fast that is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draws {
    Hardware,
    /// OpenGL on the processor.
    Software,
    /// No OpenGL at all.
    Processor,
}

impl Draws {
    const fn coarse(self) -> u32 {
        match self {
            Self::Hardware => 1,
            Self::Software => COARSE_SOFTWARE,
            Self::Processor => COARSE_PROCESSOR,
        }
    }

    const fn fine(self) -> u32 {
        match self {
            Self::Hardware | Self::Software => 1,
            Self::Processor => FINE_PROCESSOR,
        }
    }
}

/// What a picture was made for.
#[derive(Clone, Debug)]
struct MadeFor {
    level: Arc<Level>,
    projection: Projection,
    /// Window pixels for each of the picture.
    factor: u32,
    /// Colours are part of what the processor makes.
    style: Option<RegionStyle>,
}

impl MadeFor {
    fn shows_the_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.level, &other.level)
            && self.projection == other.projection
            && self.style == other.style
    }
}

/// What the graphics card is given in one frame.
#[derive(Debug)]
pub struct RegionsFrame {
    pub revision: u64,
    /// Given where the graphics card does not have it yet.
    pub mesh: Option<NearestMesh>,
    pub look: RegionsLook,
}

#[derive(Debug, Default)]
pub struct RegionsLayer {
    sites: Option<(Arc<Level>, Sites)>,
    made: Option<MadeFor>,
    revision: u64,
    image: Option<Image>,
}

struct Image(TextureHandle);

impl std::fmt::Debug for Image {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Image").field(&self.0.id()).finish()
    }
}

fn style(scene: &PlanScene<'_>) -> Option<RegionStyle> {
    let navigation = scene.navigation.filter(|navigation| navigation.visible)?;
    let style = RegionStyle {
        look: scene.look,
        regions: false,
        distances: false,
        spacing: RegionStyle::spacing_for(scene.camera.pixels_per_metre),
        body: navigation.corridors.body,
    };
    let shown = navigation.overlays.field(style);
    shown.or_else(|| style.body.map(|_| style))
}

impl RegionsLayer {
    /// The picture of this frame for the graphics card; `None` where nothing of it is shown.
    pub fn frame(
        &mut self,
        ctx: &egui::Context,
        scene: &PlanScene<'_>,
        projection: &Projection,
        draws: Draws,
        has: impl Fn(u64) -> bool,
    ) -> Option<RegionsFrame> {
        let Some(style) = style(scene) else {
            self.forget();
            return None;
        };
        let covers = covered(scene.level.settings().bounds, projection)?;
        let is_new = self.decide(ctx, scene, projection, None, draws);
        let factor = self.made.as_ref()?.factor;
        let grid = grid(projection, factor);
        if is_new {
            self.revision += 1;
        }
        let mesh = (!has(self.revision)).then(|| {
            let sites = self.sites(scene.level);
            NearestMesh::of(sites, &grid, [UVec2::ZERO, grid.size])
        });
        let pixel = grid.pixel / f64::from(factor);
        let lanes = |Colour { r, g, b }| [r, g, b].map(|lane| f32::from(lane) / 255.0);
        let spans = projection.viewport / f64::from(factor);
        Some(RegionsFrame {
            revision: self.revision,
            mesh,
            look: RegionsLook {
                regions: f32::from(u8::from(style.regions)),
                distances: f32::from(u8::from(style.distances)),
                is_light: style.look == Look::Light,
                spacing: style.spacing,
                near: lanes(style.near()),
                body: style.body,
                blocked: lanes(style.blocked()),
                covers: covers.map(|corner| corner.as_vec2().to_array()),
                window_pixel: pixel,
                picture_pixel: grid.pixel,
                spans: spans.as_vec2().to_array(),
            },
        })
    }

    /// The picture of this frame as an image in `rect`, made by the processor.
    pub fn image(
        &mut self,
        ctx: &egui::Context,
        rect: egui::Rect,
        scene: &PlanScene<'_>,
        projection: &Projection,
    ) -> Option<egui::Shape> {
        let Some(style) = style(scene) else {
            self.forget();
            return None;
        };
        let covers = covered(scene.level.settings().bounds, projection)?;
        let is_new = self.decide(ctx, scene, projection, Some(style), Draws::Processor);
        let factor = self.made.as_ref()?.factor;
        let grid = grid(projection, factor);
        if is_new {
            let image = painted(scene.level, &grid, &style);
            match &mut self.image {
                Some(Image(handle)) => handle.set(image, TextureOptions::NEAREST),
                None => {
                    let handle = ctx.load_texture("regions", image, TextureOptions::NEAREST);
                    self.image = Some(Image(handle));
                }
            }
        }
        let id = self.image.as_ref()?.0.id();
        // From 0 to 1 in the view; the picture sticks out of it at the top and on the right.
        let [low, high] = covers.map(|corner| corner * 0.5 + 0.5);
        let share = projection.viewport / (grid.size.as_dvec2() * f64::from(factor));
        let on = |x: f64, y: f64| {
            egui::pos2(
                rect.left() + rect.width() * x as f32,
                rect.bottom() - rect.height() * y as f32,
            )
        };
        let uv = |x: f64, y: f64| egui::pos2((x * share.x) as f32, (1.0 - y * share.y) as f32);
        Some(egui::Shape::image(
            id,
            egui::Rect::from_two_pos(on(low.x, low.y), on(high.x, high.y)),
            egui::Rect::from_two_pos(uv(low.x, low.y), uv(high.x, high.y)),
            Color32::WHITE,
        ))
    }

    /// Whether the picture must be redrawn, and how finely. Afterwards `made` says for what.
    fn decide(
        &mut self,
        ctx: &egui::Context,
        scene: &PlanScene<'_>,
        projection: &Projection,
        style: Option<RegionStyle>,
        draws: Draws,
    ) -> bool {
        let wanted = MadeFor {
            level: Arc::clone(scene.level),
            projection: *projection,
            factor: draws.coarse(),
            style,
        };
        let factor = match &self.made {
            Some(made) if made.shows_the_same(&wanted) => {
                if made.factor <= draws.fine() {
                    return false;
                }
                // Drawn roughly, and nothing moved since: unless this frame comes too soon after.
                let rested = ctx.input(|input| input.pointer.time_since_last_movement())
                    >= REST.as_secs_f32();
                if !rested {
                    ctx.request_repaint_after(REST);
                    return false;
                }
                draws.fine()
            }
            Some(_) => draws.coarse().max(draws.fine()),
            // Just switched on.
            None => draws.fine(),
        };
        if factor > draws.fine() {
            ctx.request_repaint_after(REST);
        }
        self.made = Some(MadeFor { factor, ..wanted });
        true
    }

    fn sites(&mut self, level: &Arc<Level>) -> &Sites {
        let known = self
            .sites
            .take()
            .filter(|(known, _)| Arc::ptr_eq(known, level));
        let known = known.unwrap_or_else(|| {
            let mut sites = Sites::default();
            for (outline, number) in &RegionSites::of_level(level).outlines {
                sites.add_outline(outline, *number);
            }
            (Arc::clone(level), sites)
        });
        &self.sites.insert(known).1
    }

    fn forget(&mut self) {
        self.made = None;
        self.sites = None;
        self.image = None;
    }
}

/// Which part of the view the level covers, from −1 to 1; `None` if it is out of sight.
fn covered(bounds: Area, projection: &Projection) -> Option<[DVec2; 2]> {
    let scale = projection.points_per_metre * projection.pixels_per_point;
    let half = projection.viewport * 0.5;
    let [low, high] = [bounds.min, bounds.max]
        .map(|corner| ((corner - projection.centre) * scale / half).clamp(-DVec2::ONE, DVec2::ONE));
    (low.cmplt(high).all()).then_some([low, high])
}

/// The picture's pixels: those of the window, or squares of them, from its lower left corner on.
fn grid(projection: &Projection, factor: u32) -> PixelGrid {
    let scale = projection.points_per_metre * projection.pixels_per_point;
    let factor = f64::from(factor);
    PixelGrid {
        origin: projection.centre - projection.viewport * 0.5 / scale,
        pixel: factor / scale,
        size: (projection.viewport / factor)
            .ceil()
            .as_uvec2()
            .max(UVec2::ONE),
    }
}

/// The picture by the processor, from the top.
fn painted(level: &Level, grid: &PixelGrid, style: &RegionStyle) -> ColorImage {
    let (segments, numbers) = RegionSites::of_level(level).segments();
    let (sites, distances) = nearest(&segments, grid);
    let [columns, rows] = grid.size.to_array().map(|side| side as usize);
    let number = |at: usize| match sites[at] {
        NO_SITE => None,
        site => Some(numbers[site as usize]),
    };
    let mut pixels = Vec::with_capacity(sites.len());
    for y in (0..rows).rev() {
        for x in 0..columns {
            let at = y * columns + x;
            let Some(here) = number(at) else {
                pixels.push(Color32::TRANSPARENT);
                continue;
            };
            let is_border = x + 1 < columns && number(at + 1) != Some(here)
                || y + 1 < rows && number(at + columns) != Some(here);
            let lanes = style
                .ink(here, is_border, distances[at], grid.pixel)
                .map(|lane| (lane * 255.0).round() as u8);
            let [r, g, b, a] = lanes;
            pixels.push(Color32::from_rgba_premultiplied(r, g, b, a));
        }
    }
    ColorImage::new([columns, rows], pixels)
}
