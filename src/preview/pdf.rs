//! A drawing as a PDF page: paths stay paths, so that it is sharp at any size. Letters become
//! outlines; no font is needed to read it.

use super::raster;
use super::render::RenderError;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::types::{ColorSpaceOperand, LineCapStyle, LineJoinStyle, PaintType, TilingType};
use pdf_writer::{Content, Filter, Finish as _, Name, Pdf, Rect, Ref, TextStr};
use resvg::tiny_skia::{PathSegment, Transform};
use resvg::usvg;
use std::collections::BTreeMap;
use std::io::Write as _;

/// Points of a page for one pixel of a drawing.
const POINTS_PER_PIXEL: f32 = 0.75;

/// A document with one page as large as the drawing.
///
/// # Errors
/// The drawing cannot be read.
pub fn pdf_of_svg(svg: &str, title: &str) -> Result<Vec<u8>, RenderError> {
    let tree = raster::tree(svg)?;
    let size = tree.size();
    let [width, height] = [size.width(), size.height()].map(|side| side * POINTS_PER_PIXEL);
    let mut document = Document {
        pdf: Pdf::new(),
        next: 1,
    };
    let [catalog, pages, page, contents, info] = [(); 5].map(|()| document.id());
    // The drawing has y down.
    let upright = Transform::from_row(POINTS_PER_PIXEL, 0.0, 0.0, -POINTS_PER_PIXEL, 0.0, height);
    let mut drawn = Drawing::new();
    drawn.content.transform(matrix(upright));
    document.group(tree.root(), upright, &mut drawn);
    let Drawing {
        content, resources, ..
    } = drawn;
    let packed = deflated(&content.finish())?;
    document
        .pdf
        .stream(contents, &packed)
        .filter(Filter::FlateDecode);
    let pdf = &mut document.pdf;
    pdf.catalog(catalog).pages(pages);
    pdf.pages(pages).kids([page]).count(1);
    let mut leaf = pdf.page(page);
    leaf.parent(pages)
        .media_box(Rect::new(0.0, 0.0, width, height))
        .contents(contents);
    resources.write(&mut leaf.resources());
    leaf.finish();
    pdf.document_info(info)
        .title(TextStr(title))
        .producer(TextStr("Wayloom"));
    Ok(document.pdf.finish())
}

fn deflated(bytes: &[u8]) -> Result<Vec<u8>, RenderError> {
    let mut packer = ZlibEncoder::new(Vec::new(), Compression::default());
    packer
        .write_all(bytes)
        .and_then(|()| packer.finish())
        .map_err(|error| RenderError::Encoding(error.to_string()))
}

/// The file under construction.
struct Document {
    pdf: Pdf,
    next: i32,
}

/// What a page or a pattern refers to by name.
#[derive(Default)]
struct Resources {
    /// By opacity of fills and strokes, in thousandths.
    states: BTreeMap<[u16; 2], (String, Ref)>,
    patterns: Vec<(String, Ref)>,
}

/// A stream of operators with what it refers to.
struct Drawing {
    content: Content,
    resources: Resources,
    /// Of the groups around, multiplied.
    opacity: f32,
}

impl Resources {
    fn write(&self, out: &mut pdf_writer::writers::Resources<'_>) {
        let mut states = out.ext_g_states();
        for (name, id) in self.states.values() {
            states.pair(Name(name.as_bytes()), *id);
        }
        states.finish();
        let mut patterns = out.patterns();
        for (name, id) in &self.patterns {
            patterns.pair(Name(name.as_bytes()), *id);
        }
        patterns.finish();
    }
}

impl Drawing {
    fn new() -> Self {
        Self {
            content: Content::new(),
            resources: Resources::default(),
            opacity: 1.0,
        }
    }
}

const fn matrix(t: Transform) -> [f32; 6] {
    [t.sx, t.ky, t.kx, t.sy, t.tx, t.ty]
}

impl Document {
    const fn id(&mut self) -> Ref {
        let id = Ref::new(self.next);
        self.next += 1;
        id
    }

    /// `placement` leads from the group's surroundings to the page: patterns need it.
    fn group(&mut self, group: &usvg::Group, placement: Transform, out: &mut Drawing) {
        let outside = out.opacity;
        out.opacity *= group.opacity().get();
        out.content.save_state();
        out.content.transform(matrix(group.transform()));
        if let Some(clip) = group.clip_path() {
            // In the coordinates of what is clipped.
            for node in clip.root().children() {
                if let usvg::Node::Path(path) = node {
                    outline(&mut out.content, path.data(), clip.transform());
                }
            }
            out.content.clip_nonzero().end_path();
        }
        let placement = placement.pre_concat(group.transform());
        for node in group.children() {
            match node {
                usvg::Node::Group(inner) => self.group(inner, placement, out),
                usvg::Node::Path(path) if path.is_visible() => self.path(path, placement, out),
                usvg::Node::Text(text) => self.group(text.flattened(), placement, out),
                usvg::Node::Path(_) | usvg::Node::Image(_) => {}
            }
        }
        out.content.restore_state();
        out.opacity = outside;
    }

    fn path(&mut self, path: &usvg::Path, placement: Transform, out: &mut Drawing) {
        let fills_first = path.paint_order() == usvg::PaintOrder::FillAndStroke;
        for is_fill in [fills_first, !fills_first] {
            if is_fill {
                self.fill(path, placement, out);
            } else {
                self.stroke(path, placement, out);
            }
        }
    }

    fn fill(&mut self, path: &usvg::Path, placement: Transform, out: &mut Drawing) {
        let Some(fill) = path.fill() else {
            return;
        };
        let opacity = out.opacity * fill.opacity().get();
        out.content.save_state();
        self.set_opacity(opacity, 1.0, out);
        match fill.paint() {
            usvg::Paint::Color(colour) => {
                let [r, g, b] = shares(*colour);
                out.content.set_fill_rgb(r, g, b);
            }
            usvg::Paint::Pattern(pattern) => {
                let name = self.pattern(pattern, placement, out);
                out.content.set_fill_color_space(ColorSpaceOperand::Pattern);
                out.content.set_fill_pattern([], Name(name.as_bytes()));
            }
            // Drawings have no gradients.
            usvg::Paint::LinearGradient(_) | usvg::Paint::RadialGradient(_) => {}
        }
        outline(&mut out.content, path.data(), Transform::identity());
        match fill.rule() {
            usvg::FillRule::NonZero => out.content.fill_nonzero(),
            usvg::FillRule::EvenOdd => out.content.fill_even_odd(),
        };
        out.content.restore_state();
    }

    fn stroke(&mut self, path: &usvg::Path, placement: Transform, out: &mut Drawing) {
        let Some(stroke) = path.stroke() else {
            return;
        };
        let opacity = out.opacity * stroke.opacity().get();
        out.content.save_state();
        self.set_opacity(1.0, opacity, out);
        match stroke.paint() {
            usvg::Paint::Color(colour) => {
                let [r, g, b] = shares(*colour);
                out.content.set_stroke_rgb(r, g, b);
            }
            usvg::Paint::Pattern(pattern) => {
                let name = self.pattern(pattern, placement, out);
                out.content
                    .set_stroke_color_space(ColorSpaceOperand::Pattern);
                out.content.set_stroke_pattern([], Name(name.as_bytes()));
            }
            usvg::Paint::LinearGradient(_) | usvg::Paint::RadialGradient(_) => {}
        }
        out.content
            .set_line_width(stroke.width().get())
            .set_miter_limit(stroke.miterlimit().get())
            .set_line_cap(match stroke.linecap() {
                usvg::LineCap::Butt => LineCapStyle::ButtCap,
                usvg::LineCap::Round => LineCapStyle::RoundCap,
                usvg::LineCap::Square => LineCapStyle::ProjectingSquareCap,
            })
            .set_line_join(match stroke.linejoin() {
                usvg::LineJoin::Miter | usvg::LineJoin::MiterClip => LineJoinStyle::MiterJoin,
                usvg::LineJoin::Round => LineJoinStyle::RoundJoin,
                usvg::LineJoin::Bevel => LineJoinStyle::BevelJoin,
            });
        if let Some(dashes) = stroke.dasharray() {
            out.content
                .set_dash_pattern(dashes.iter().copied(), stroke.dashoffset());
        }
        outline(&mut out.content, path.data(), Transform::identity());
        out.content.stroke();
        out.content.restore_state();
    }

    fn set_opacity(&mut self, fill: f32, stroke: f32, out: &mut Drawing) {
        let key = [fill, stroke].map(|share| (share * 1000.0).round() as u16);
        if key == [1000, 1000] {
            return;
        }
        let (name, _) = out.resources.states.entry(key).or_insert_with(|| {
            let id = self.id();
            self.pdf
                .ext_graphics(id)
                .non_stroking_alpha(fill)
                .stroking_alpha(stroke);
            (format!("g{}_{}", key[0], key[1]), id)
        });
        out.content.set_parameters(Name(name.as_bytes()));
    }

    /// Tiles, in the coordinates of the page.
    fn pattern(
        &mut self,
        pattern: &usvg::Pattern,
        placement: Transform,
        out: &mut Drawing,
    ) -> String {
        let id = self.id();
        let rect = pattern.rect();
        let mut tile = Drawing::new();
        self.group(pattern.root(), Transform::identity(), &mut tile);
        let bytes = tile.content.finish();
        let at = placement
            .pre_concat(pattern.transform())
            .pre_translate(rect.x(), rect.y());
        let mut tiling = self.pdf.tiling_pattern(id, &bytes);
        tiling
            .paint_type(PaintType::Colored)
            .tiling_type(TilingType::ConstantSpacing)
            .bbox(Rect::new(0.0, 0.0, rect.width(), rect.height()))
            .x_step(rect.width())
            .y_step(rect.height())
            .matrix(matrix(at));
        tile.resources.write(&mut tiling.resources());
        tiling.finish();
        let name = format!("p{}", id.get());
        out.resources.patterns.push((name.clone(), id));
        name
    }
}

fn shares(colour: usvg::Color) -> [f32; 3] {
    [colour.red, colour.green, colour.blue].map(|v| f32::from(v) / 255.0)
}

/// Adds a path to the one under construction; quadratic curves become cubic ones.
fn outline(content: &mut Content, path: &resvg::tiny_skia::Path, transform: Transform) {
    let Some(path) = path.clone().transform(transform) else {
        return;
    };
    let mut last = resvg::tiny_skia::Point::default();
    for segment in path.segments() {
        match segment {
            PathSegment::MoveTo(p) => {
                content.move_to(p.x, p.y);
                last = p;
            }
            PathSegment::LineTo(p) => {
                content.line_to(p.x, p.y);
                last = p;
            }
            PathSegment::QuadTo(c, p) => {
                let towards = |from: f32, to: f32| from + (to - from) * 2.0 / 3.0;
                content.cubic_to(
                    towards(last.x, c.x),
                    towards(last.y, c.y),
                    towards(p.x, c.x),
                    towards(p.y, c.y),
                    p.x,
                    p.y,
                );
                last = p;
            }
            PathSegment::CubicTo(a, b, p) => {
                content.cubic_to(a.x, a.y, b.x, b.y, p.x, p.y);
                last = p;
            }
            PathSegment::Close => {
                content.close_path();
            }
        }
    }
}
