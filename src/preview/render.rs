//! A level as a picture, without a window: SVG text, pixels or a PNG file.

use super::constraint::FieldMap;
use super::crowd::HeatSet;
use super::frame::Frame;
use super::layer::{Layer, Layers};
use super::moment::{draw_moment, is_simulated};
use super::overlays::{self, OverlayScene, Overlays};
use super::primitive::{Sink, Stroke};
use super::regions::{RegionStyle, draw_regions};
use super::shape::{self, Scene};
use super::style::{Look, Palette};
use super::svg::Svg;
use super::{furniture, raster};
use crate::base::Colour;
use crate::document::mesh_library::NO_MESHES;
use crate::document::{Level, MeshLibrary};
use crate::geometry::Rect;

/// Largest width and height of a picture. Unit: pixels.
pub const MAX_SIZE: u32 = 16_384;

#[derive(Clone, Debug, PartialEq)]
pub struct RenderOptions {
    /// Width and height. Unit: pixels.
    pub size: [u32; 2],
    pub view: View,
    pub layers: Layers,
    /// What is shown over the level.
    pub overlays: Overlays,
    pub look: Look,
    /// The level's name above the picture.
    pub title: bool,
    pub scale_bar: bool,
    /// The terrains, profiles and overlays in use, beside the picture.
    pub legend: bool,
}

/// Longer side of a map that is put under something else. Unit: pixels.
const MAP_SIZE: f64 = 1000.0;

/// Which part of the world a picture shows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum View {
    /// All that is drawn, with a little room around it.
    #[default]
    Fit,
    /// At least this rectangle.
    Area(Rect),
}

impl Default for RenderOptions {
    fn default() -> Self {
        Self {
            size: [1600, 1200],
            view: View::Fit,
            layers: Layers::ALL,
            overlays: Overlays::NONE,
            look: Look::Dark,
            title: true,
            scale_bar: true,
            legend: false,
        }
    }
}

impl RenderOptions {
    /// A small picture of the level alone, for lists of levels.
    #[must_use]
    pub fn thumbnail(size: [u32; 2], look: Look) -> Self {
        Self {
            size,
            look,
            layers: Layers::ALL
                .without(Layer::Labels)
                .without(Layer::Grid)
                .without(Layer::Notes),
            title: false,
            scale_bar: false,
            ..Self::default()
        }
    }
}

/// 8-bit RGBA, row by row from the top; not premultiplied, opaque.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pixels {
    pub size: [u32; 2],
    pub rgba: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RenderError {
    #[error(
        "a picture of {} × {} pixels cannot be made; each side must be between 1 and {MAX_SIZE}",
        .size[0], .size[1]
    )]
    Size { size: [u32; 2] },
    #[error(
        "the area to show is {} m × {} m; it must have some width and height",
        .area.size().x, .area.size().y
    )]
    EmptyView { area: Rect },
    #[error("the picture could not be rasterised: {0}; save it as SVG instead")]
    Raster(String),
    #[error("there is no OpenGL to draw with: {0}; leave the choice to the program")]
    NoOpenGl(String),
    #[error("the picture could not be written: {0}")]
    Encoding(String),
}

/// A standalone SVG document.
///
/// # Errors
/// The size or the view is out of the question.
pub fn render_svg(level: &Level, options: &RenderOptions) -> Result<String, RenderError> {
    render_svg_with(level, options, |_, _| {})
}

/// A standalone SVG document with the level's meshes and with the overlays that the options show,
/// as far as the scene has what they read.
///
/// # Errors
/// The size or the view is out of the question.
pub fn render_overlays_svg(
    level: &Level,
    meshes: &MeshLibrary,
    scene: &OverlayScene,
    options: &RenderOptions,
) -> Result<String, RenderError> {
    let figure = Figure {
        field: scene.field.as_deref(),
        heat: scene.heat.as_deref(),
        layers: scene
            .moment
            .as_ref()
            .is_some_and(is_simulated)
            .then(|| options.layers.without(Layer::Agents)),
        colouring: scene
            .crowd
            .legend(scene.moment.as_ref(), level, options.look.palette()),
        ..Figure::default()
    };
    render_figure_svg(level, meshes, options, &figure, |palette, sink| {
        draw_field(level, options, sink);
        overlays::draw_plan(scene, &options.overlays, palette, sink);
        if options.layers.contains(Layer::Agents)
            && let Some(moment) = &scene.moment
        {
            draw_moment(moment, level, None, &scene.crowd, palette, sink);
        }
    })
}

impl RenderOptions {
    /// Where on the picture the level lies.
    ///
    /// # Errors
    /// The size or the view is out of the question.
    pub fn frame(&self, level: &Level) -> Result<Frame, RenderError> {
        let view = checked_view(level, self)?;
        let has_legend =
            self.legend && !furniture::Legend::of(level, self.look.palette()).is_empty();
        Ok(Frame::new(self, view, has_legend))
    }

    /// How large the picture is to the world, without its margins. Unit: pixels per metre.
    #[must_use]
    pub fn scale(&self, level: &Level) -> f64 {
        let size = match self.view {
            View::Fit => shape::extent(level),
            View::Area(area) => area,
        }
        .size();
        let pixels = self.size.map(f64::from);
        (pixels[0] / size.x).min(pixels[1] / size.y)
    }
}

/// Overlays that are painted pixel by pixel, under the level.
fn draw_field(level: &Level, options: &RenderOptions, sink: &mut dyn Sink) {
    let style = RegionStyle {
        look: options.look,
        regions: false,
        distances: false,
        spacing: RegionStyle::spacing_for(options.scale(level)),
        body: None,
    };
    if let Some(style) = options.overlays.field(style) {
        draw_regions(level, &style, sink);
    }
}

/// A standalone SVG document with whatever else is drawn over the level.
///
/// # Errors
/// The size or the view is out of the question.
pub fn render_svg_with(
    level: &Level,
    options: &RenderOptions,
    draw: impl FnOnce(&Palette, &mut dyn Sink),
) -> Result<String, RenderError> {
    render_svg_of(level, &NO_MESHES, options, draw)
}

/// With the level's meshes, too.
///
/// # Errors
/// The size or the view is out of the question.
pub fn render_svg_of(
    level: &Level,
    meshes: &MeshLibrary,
    options: &RenderOptions,
    draw: impl FnOnce(&Palette, &mut dyn Sink),
) -> Result<String, RenderError> {
    render_figure_svg(level, meshes, options, &Figure::default(), draw)
}

/// What a figure says beside the level itself.
#[derive(Clone, Debug, Default)]
pub struct Figure<'a> {
    /// Instead of the level's name.
    pub title: Option<&'a str>,
    /// The key to its lines, in the legend instead of the agents.
    pub lines: &'a [LineKey],
    /// The field that is shown, for what its colours range over.
    pub field: Option<&'a FieldMap>,
    /// Maps of a run, for what theirs range over.
    pub heat: Option<&'a HeatSet>,
    /// Of the level itself, instead of those of the options.
    pub layers: Option<Layers>,
    /// What people are coloured by.
    pub colouring: Vec<(String, Vec<Colour>)>,
}

/// A line of a figure and what it stands for.
#[derive(Clone, Debug, PartialEq)]
pub struct LineKey {
    pub name: String,
    pub stroke: Stroke,
}

/// What of the world a picture shows, if it can be made.
fn checked_view(level: &Level, options: &RenderOptions) -> Result<Rect, RenderError> {
    if options
        .size
        .iter()
        .any(|side| !(1..=MAX_SIZE).contains(side))
    {
        return Err(RenderError::Size { size: options.size });
    }
    let view = match options.view {
        View::Fit => shape::extent(level),
        View::Area(area) => area,
    };
    let size = view.size();
    if size.min_element() > 0.0 && size.is_finite() {
        Ok(view)
    } else {
        Err(RenderError::EmptyView { area: view })
    }
}

/// The level alone without margins, to be put under something else; and what of the world it shows.
///
/// # Errors
/// There is nothing to be seen.
pub fn render_map_svg(
    level: &Level,
    meshes: &MeshLibrary,
    look: Look,
    layers: Layers,
) -> Result<(String, Rect), RenderError> {
    let extent = shape::extent(level);
    let longest = extent.size().max_element();
    let pixels_per_metre = MAP_SIZE / longest;
    let size = (extent.size() * pixels_per_metre).max(glam::DVec2::ONE);
    if !(extent.size().min_element() > 0.0 && size.is_finite()) {
        return Err(RenderError::EmptyView { area: extent });
    }
    let palette = look.palette();
    let mut svg = Svg::new(Frame::bare(size, extent), palette);
    let scene = Scene {
        level,
        palette,
        meshes,
    };
    scene.draw(layers, &mut svg);
    Ok((svg.finish(&level.settings().name, |_| {}), extent))
}

/// A figure of its own, with a title and a key to what is drawn.
///
/// # Errors
/// The size or the view is out of the question.
pub fn render_figure_svg(
    level: &Level,
    meshes: &MeshLibrary,
    options: &RenderOptions,
    figure: &Figure<'_>,
    draw: impl FnOnce(&Palette, &mut dyn Sink),
) -> Result<String, RenderError> {
    let view = checked_view(level, options)?;
    let palette = options.look.palette();
    let legend = if options.legend {
        let lines = figure.lines.iter();
        furniture::Legend::of(level, palette)
            .with_overlays(&options.overlays, palette)
            .with_lines(lines.map(|key| (key.name.clone(), key.stroke)))
            .with_field(figure.field, palette)
            .with_heat(figure.heat, palette)
            .with_colouring(figure.colouring.clone())
    } else {
        furniture::Legend::default()
    };
    let frame = Frame::new(options, view, !legend.is_empty());
    let mut svg = Svg::new(frame, palette);
    let settings = level.settings();
    if options.layers.contains(Layer::Grid) && settings.grid.visible {
        let spacing = settings.grid.spacing;
        shape::draw_grid(
            settings.bounds,
            spacing,
            frame.pixels_per_metre,
            palette,
            &mut svg,
        );
    }
    let scene = Scene {
        level,
        palette,
        meshes,
    };
    scene.draw(figure.layers.unwrap_or(options.layers), &mut svg);
    draw(palette, &mut svg);
    let title = match (figure.title, settings.name.as_str()) {
        (Some(title), _) => title,
        (None, "") => "Untitled level",
        (None, name) => name,
    };
    Ok(svg.finish(title, |out| {
        if options.title {
            furniture::title(out, &frame, palette, title);
        }
        if options.scale_bar {
            furniture::scale_bar(out, &frame, palette);
        }
        legend.write(out, &frame, palette);
    }))
}

/// An SVG document as a PNG file, rasterised on the processor.
///
/// # Errors
/// The size is out of the question, or there is not enough memory.
pub fn png_of_svg(svg: &str, size: [u32; 2]) -> Result<Vec<u8>, RenderError> {
    raster::png(svg, size)
}

/// The picture as pixels, rasterised on the processor.
///
/// # Errors
/// The size or the view is out of the question, or there is not enough memory.
pub fn render_pixels(level: &Level, options: &RenderOptions) -> Result<Pixels, RenderError> {
    raster::pixels(&render_svg(level, options)?, options.size)
}

/// The picture as a PNG file, rasterised on the processor.
///
/// # Errors
/// The size or the view is out of the question, or there is not enough memory.
pub fn render_png(level: &Level, options: &RenderOptions) -> Result<Vec<u8>, RenderError> {
    raster::png(&render_svg(level, options)?, options.size)
}

/// A PNG file of [`render_overlays_svg`], rasterised on the processor.
///
/// # Errors
/// The size or the view is out of the question, or there is not enough memory.
pub fn render_overlays_png(
    level: &Level,
    meshes: &MeshLibrary,
    scene: &OverlayScene,
    options: &RenderOptions,
) -> Result<Vec<u8>, RenderError> {
    raster::png(
        &render_overlays_svg(level, meshes, scene, options)?,
        options.size,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Colour, EntityId, Random};
    use crate::document::{Edit, Entity, Kind, Obstacle, ops};
    use crate::geometry::Polygon;
    use crate::preview::showcase;
    use glam::DVec2;

    fn options() -> RenderOptions {
        RenderOptions {
            size: [640, 480],
            legend: true,
            ..RenderOptions::default()
        }
    }

    fn colour_at(pixels: &Pixels, frame: &Frame, world: DVec2) -> Colour {
        let p = frame.screen_from_world(world).as_uvec2();
        let at = 4 * (p.y * pixels.size[0] + p.x) as usize;
        Colour::rgb(pixels.rgba[at], pixels.rgba[at + 1], pixels.rgba[at + 2])
    }

    fn near(a: Colour, b: Colour) -> bool {
        a.r.abs_diff(b.r) <= 3 && a.g.abs_diff(b.g) <= 3 && a.b.abs_diff(b.b) <= 3
    }

    #[test]
    fn the_picture_of_every_kind_is_as_it_was() {
        let level = showcase::hilly();
        let mut settings = insta::Settings::clone_current();
        settings.set_prepend_module_to_snapshot(false);
        settings.set_snapshot_path("../../tests/golden/pictures");
        let _settings = settings.bind_to_scope();
        for look in Look::ALL {
            let svg = render_svg(&level, &RenderOptions { look, ..options() }).expect("renders");
            insta::assert_snapshot!(format!("showcase_{}", look.name()), svg);
        }
    }

    #[test]
    fn colours_stand_where_the_level_has_them() {
        let level = showcase::level();
        for look in Look::ALL {
            let options = RenderOptions {
                look,
                layers: Layers::ALL.without(Layer::Grid).without(Layer::Labels),
                ..options()
            };
            let palette = look.palette();
            let legend = true;
            let frame = Frame::new(&options, shape::extent(&level), legend);
            let pixels = render_pixels(&level, &options).expect("renders");
            let at = |x: f64, y: f64| colour_at(&pixels, &frame, DVec2::new(x, y));
            assert!(near(at(-0.6, 20.0), palette.surroundings));
            assert!(near(at(58.5, 25.5), palette.ground));
            assert!(near(at(24.0, 22.0), palette.obstacle(8.0)));
            assert!(near(at(29.5, 17.5), palette.ground), "through the hole");
            assert!(near(at(15.0, 22.0), palette.obstacle(25.0)));
            let road = palette.terrain(Colour::hex(0x8a8f98));
            assert!(near(at(13.0, 4.0), road));
            let shaded = palette
                .ground
                .mix(palette.shadow.colour, palette.shadow.alpha);
            assert!(near(at(18.6, 20.2), shaded), "{} {shaded}", at(18.6, 20.2));
        }
    }

    #[test]
    fn a_png_is_what_the_pixels_are() {
        let level = showcase::level();
        let png = render_png(&level, &options()).expect("renders");
        let decoded = resvg::tiny_skia::Pixmap::decode_png(&png).expect("a PNG file");
        let pixels = render_pixels(&level, &options()).expect("renders");
        assert_eq!([decoded.width(), decoded.height()], pixels.size);
        assert_eq!(decoded.data(), pixels.rgba);
    }

    #[test]
    fn layers_and_furniture_can_be_left_out() {
        let level = showcase::level();
        let bare = RenderOptions {
            layers: Layers::NONE,
            title: false,
            scale_bar: false,
            legend: false,
            ..options()
        };
        let svg = render_svg(&level, &bare).expect("renders");
        assert!(!svg.contains("Obstacles") && !svg.contains("<text"));
        let obstacles = RenderOptions {
            layers: [Layer::Obstacles].into_iter().collect(),
            ..bare.clone()
        };
        let svg = render_svg(&level, &obstacles).expect("renders");
        assert!(svg.contains("Obstacles") && !svg.contains("Terrain"));
        let named = RenderOptions {
            layers: obstacles.layers.with(Layer::Labels),
            ..bare
        };
        let svg = render_svg(&level, &named).expect("renders");
        assert!(svg.contains("Tower") && !svg.contains("Ada"));
    }

    #[test]
    fn impossible_pictures_are_refused_with_a_sentence() {
        let level = Level::default();
        let huge = RenderOptions {
            size: [20_000, 10],
            ..options()
        };
        assert_eq!(
            render_png(&level, &huge).expect_err("too wide").to_string(),
            "a picture of 20000 × 10 pixels cannot be made; each side must be between 1 and 16384"
        );
        for area in [
            Rect::EMPTY,
            Rect::new(DVec2::ZERO, DVec2::new(5.0, 0.0)),
            Rect::new(DVec2::ZERO, DVec2::new(f64::NAN, 1.0)),
        ] {
            let flat = RenderOptions {
                view: View::Area(area),
                ..options()
            };
            assert!(render_svg(&level, &flat).is_err());
        }
    }

    #[test]
    fn extreme_views_and_sizes_render() {
        let level = showcase::level();
        for (size, half) in [([1, 1], 10.0), ([300, 2], 1e-3), ([64, 64], 9e5)] {
            let options = RenderOptions {
                size,
                view: View::Area(Rect::around(DVec2::new(28.0, 20.0), DVec2::splat(half))),
                ..options()
            };
            assert_eq!(render_pixels(&level, &options).expect("renders").size, size);
        }
    }

    #[test]
    fn a_hundred_thousand_vertices_are_a_picture_soon() {
        let mut random = Random::new(5);
        let edits: Vec<Edit> = (1..=5_000)
            .map(|i| {
                let at = random.point(DVec2::ZERO, DVec2::splat(100.0));
                let area = Polygon::regular(at, 0.5, 20, 0.0);
                Edit::create(
                    EntityId::new(i),
                    Entity::new("", Kind::Obstacle(Obstacle::new(area))),
                )
            })
            .collect();
        let level = ops::apply(&Level::default(), &edits).expect("within the limits");
        assert_eq!(level.vertex_count(), 100_000);
        let started = std::time::Instant::now();
        render_png(&level, &options()).expect("renders");
        // Half a second optimised; generous for a busy machine and an unoptimised build.
        assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
    }
}
