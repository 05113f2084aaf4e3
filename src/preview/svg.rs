//! Shapes as an SVG document: standalone, true to scale, the same bytes for the same level.

use super::frame::Frame;
use super::label::{Canvas, Label, place};
use super::primitive::{Dash, Extent, Fill, FillRule, Ink, Plane, Primitive, Shape, Sink, Stroke};
use super::style::Palette;
use super::{texture, typeface};
use crate::base::Colour;
use crate::document::Pattern;
use crate::geometry::Rect;
use glam::DVec2;
use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

/// Collects shapes; [`Svg::finish`] gives the document.
#[derive(Debug)]
pub struct Svg {
    frame: Frame,
    palette: &'static Palette,
    planes: BTreeMap<Plane, String>,
    /// Patterns in use, by what they look like, with the numbers they are called by.
    textures: BTreeMap<(Pattern, Colour, u8), usize>,
    labels: Vec<Label>,
    /// What labels must not cover. Unit: pixels.
    signs: Vec<Rect>,
}

impl Svg {
    #[must_use]
    pub fn new(frame: Frame, palette: &'static Palette) -> Self {
        Self {
            frame,
            palette,
            planes: BTreeMap::new(),
            textures: BTreeMap::new(),
            labels: Vec::new(),
            signs: Vec::new(),
        }
    }

    /// The whole document; `furniture` writes what lies beside the map.
    #[must_use]
    pub fn finish(mut self, title: &str, furniture: impl FnOnce(&mut SvgText)) -> String {
        let Frame { size, map, .. } = self.frame;
        let (w, h) = (Number(size.x), Number(size.y));
        let mut beside = SvgText::default();
        furniture(&mut beside);
        let labels = self.placed_labels();
        let mut out = SvgText::default();
        out.push(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" \
             viewBox=\"0 0 {w} {h}\" font-family=\"{}, sans-serif\" font-weight=\"300\" \
             stroke-linejoin=\"round\">\n<title>{}</title>\n",
            typeface::FAMILY,
            Escaped(title)
        ));
        out.push(format_args!("<defs>\n<clipPath id=\"map\">"));
        out.rect(map, "");
        out.push(format_args!("</clipPath>\n"));
        self.write_textures(&mut out);
        out.push(format_args!("</defs>\n"));
        let whole = Rect::new(DVec2::ZERO, size);
        out.rect(whole, &format!(" fill=\"{}\"", self.palette.surroundings));
        out.push(format_args!("\n<g clip-path=\"url(#map)\">\n"));
        for (plane, shapes) in &self.planes {
            out.push(format_args!("<g id=\"{plane:?}\">\n{shapes}</g>\n"));
        }
        out.push(format_args!("</g>\n{labels}{}</svg>\n", beside.0));
        out.0
    }

    /// Nothing but the shapes, to be laid over another picture of this frame; `more` writes what
    /// lies over them.
    #[must_use]
    pub fn overlay(self, more: impl FnOnce(&mut SvgText)) -> String {
        let Frame { size, .. } = self.frame;
        let (w, h) = (Number(size.x), Number(size.y));
        let mut out = SvgText::default();
        out.push(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" \
             viewBox=\"0 0 {w} {h}\" font-family=\"{}, sans-serif\" font-weight=\"300\" \
             stroke-linejoin=\"round\">\n",
            typeface::FAMILY,
        ));
        for shapes in self.planes.values() {
            out.push(format_args!("<g>\n{shapes}</g>\n"));
        }
        more(&mut out);
        out.push(format_args!("</svg>\n"));
        out.0
    }

    fn placed_labels(&mut self) -> String {
        let frame = self.frame;
        let placed = place(
            &self.labels,
            std::mem::take(&mut self.signs),
            &Canvas {
                area: frame.map,
                pixels_per_metre: frame.pixels_per_metre,
                screen_from_world: &|p| frame.screen_from_world(p),
                measure: &typeface::measure,
            },
        );
        let mut out = SvgText::default();
        if !placed.is_empty() {
            out.push(format_args!("<g id=\"Labels\" text-anchor=\"middle\">\n"));
            for label in placed {
                let Label {
                    text,
                    size,
                    ink,
                    halo,
                    ..
                } = &self.labels[label.index];
                let at = label.area.centre();
                out.text(at, *size, *ink, Some(*halo), text);
            }
            out.push(format_args!("</g>\n"));
        }
        out.0
    }

    fn write_textures(&self, out: &mut SvgText) {
        let metres = texture::tile_metres(self.frame.pixels_per_metre);
        let side = metres * self.frame.pixels_per_metre;
        let origin = self.frame.screen_from_world(DVec2::ZERO);
        for ((pattern, colour, alpha), number) in &self.textures {
            let Some(tile) = texture::tile(*pattern) else {
                continue;
            };
            out.push(format_args!(
                "<pattern id=\"t{number}\" patternUnits=\"userSpaceOnUse\" x=\"{}\" y=\"{}\" \
                 width=\"{}\" height=\"{}\" viewBox=\"0 0 {t} {t}\"><path d=\"{}\" fill=\"none\" \
                 stroke=\"{colour}\" stroke-width=\"{}\" stroke-linecap=\"round\"{}/></pattern>\n",
                Number(origin.x.rem_euclid(side)),
                Number(origin.y.rem_euclid(side)),
                Precise(side),
                Precise(side),
                tile.path,
                Number(tile.width),
                Opacity("stroke-opacity", f64::from(*alpha) / 255.0),
                t = Number(texture::TILE),
            ));
        }
    }

    fn pixels(&self, extent: Extent) -> f64 {
        (extent.metres * self.frame.pixels_per_metre).max(extent.pixels * self.frame.ui_scale)
    }

    fn plane(&mut self, plane: Plane) -> &mut String {
        self.planes.entry(plane).or_default()
    }

    /// Nothing of it could be seen: outside the picture, beyond what its own size allows.
    fn is_outside(&self, points: &[DVec2], margin_pixels: f64) -> bool {
        let margin = margin_pixels / self.frame.pixels_per_metre;
        let bounds = Rect::of_points(points).expanded(margin);
        bounds.is_empty() || !bounds.overlaps(&self.frame.reach())
    }

    fn path_data(&self, points: &[DVec2], closed: bool, data: &mut String) {
        let mut last = None;
        for p in points {
            let p = Point(self.frame.screen_from_world(*p)).rounded();
            let command = if last.is_none() { 'M' } else { 'L' };
            // Points that fall together on the picture add nothing.
            if last != Some(p) {
                // Writing to a string cannot fail.
                let _ = write!(data, "{command}{}", Point(p));
            }
            last = Some(p);
        }
        if closed && last.is_some() {
            data.push('Z');
        }
    }

    fn stroke_attributes(&self, stroke: &Stroke) -> String {
        let width = self.pixels(stroke.width);
        let mut text = format!(
            " stroke=\"{}\"{} stroke-width=\"{}\"",
            stroke.ink.colour,
            Opacity("stroke-opacity", stroke.ink.alpha),
            Number(width)
        );
        if let Some([ink, gap]) = stroke.dash.lengths() {
            let scale = self.frame.ui_scale;
            let _ = write!(
                text,
                " stroke-dasharray=\"{} {}\"",
                Number(ink * scale),
                Number(gap * scale)
            );
        }
        if stroke.dash == Dash::Dotted {
            text.push_str(" stroke-linecap=\"round\"");
        }
        text
    }

    fn area(
        &mut self,
        plane: Plane,
        data: &str,
        rule: FillRule,
        fill: &Fill,
        outline: Option<&Stroke>,
    ) {
        let rule = match rule {
            FillRule::EvenOdd => " fill-rule=\"evenodd\"",
            FillRule::NonZero => "",
        };
        let textured = texture::tile(fill.texture).is_some() && fill.texture_ink.alpha > 0.0;
        let stroke = outline
            .map(|stroke| self.stroke_attributes(stroke))
            .unwrap_or_default();
        let texture = textured.then(|| {
            let ink = fill.texture_ink;
            let key = (fill.texture, ink.colour, (ink.alpha * 255.0).round() as u8);
            let next = self.textures.len();
            *self.textures.entry(key).or_insert(next)
        });
        let paint = FillPaint(fill.ink);
        let out = self.plane(plane);
        let begin = out.len();
        // The texture lies between fill and outline.
        let first = if textured { "" } else { stroke.as_str() };
        let _ = writeln!(out, "<path d=\"{data}\"{rule}{paint}{first}/>");
        if let Some(number) = texture {
            let _ = writeln!(
                out,
                "<path d=\"{data}\"{rule} fill=\"url(#t{number})\"{stroke}/>"
            );
        }
        drop_if_repeated(out, begin);
    }
}

/// Takes back what was written from `begin` on if it stands right before that already: thousands of
/// things in one place look like one, and take as long to paint.
fn drop_if_repeated(out: &mut String, begin: usize) {
    let (before, written) = out.split_at(begin);
    if !written.is_empty() && before.ends_with(written) {
        out.truncate(begin);
    }
}

impl Sink for Svg {
    fn add(&mut self, shape: Shape) {
        // Small pictures draw smaller signs, and so have room for as many as large ones.
        if self.frame.pixels_per_metre < shape.min_scale * self.frame.ui_scale {
            return;
        }
        let plane = shape.plane;
        match shape.primitive {
            Primitive::Area {
                rings,
                rule,
                fill,
                outline,
            } => {
                let mut data = String::new();
                for ring in &rings {
                    if !self.is_outside(ring, 8.0) {
                        self.path_data(ring, true, &mut data);
                    }
                }
                if !data.is_empty() {
                    self.area(plane, &data, rule, &fill, outline.as_ref());
                }
            }
            Primitive::Line {
                points,
                closed,
                stroke,
            } => {
                let mut data = String::new();
                if !self.is_outside(&points, self.pixels(stroke.width)) {
                    self.path_data(&points, closed, &mut data);
                    let stroke = self.stroke_attributes(&stroke);
                    let _ = writeln!(
                        self.plane(plane),
                        "<path d=\"{data}\" fill=\"none\"{stroke}/>"
                    );
                }
            }
            Primitive::Disc {
                centre,
                radius,
                fill,
                outline,
            } => {
                let radius = self.pixels(radius);
                if !self.is_outside(&[centre], radius + 4.0) {
                    let c = self.frame.screen_from_world(centre);
                    if plane.bears_signs() {
                        self.signs.push(Rect::around(c, DVec2::splat(radius)));
                    }
                    let stroke = outline
                        .map(|stroke| self.stroke_attributes(&stroke))
                        .unwrap_or_default();
                    let _ = writeln!(
                        self.plane(plane),
                        "<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}{stroke}/>",
                        Number(c.x),
                        Number(c.y),
                        Number(radius),
                        FillPaint(fill),
                    );
                }
            }
            Primitive::Mark {
                at,
                turn,
                glyph,
                size,
                fill,
                outline,
            } => {
                let size = self.pixels(size);
                if !self.is_outside(&[at], 2.0 * size + 4.0) {
                    let anchor = self.frame.screen_from_world(at);
                    let turn = DVec2::from_angle(turn);
                    let mut data = String::new();
                    let mut bounds = Rect::EMPTY;
                    for (i, corner) in glyph.outline().iter().enumerate() {
                        let p = turn.rotate(DVec2::from(*corner)) * size;
                        let p = anchor + DVec2::new(p.x, -p.y);
                        bounds = bounds.including(p);
                        let _ = write!(data, "{}{}", if i == 0 { 'M' } else { 'L' }, Point(p));
                    }
                    if plane.bears_signs() {
                        self.signs.push(bounds);
                    }
                    let stroke = outline
                        .map(|stroke| self.stroke_attributes(&stroke) + " paint-order=\"stroke\"")
                        .unwrap_or_default();
                    let _ = writeln!(
                        self.plane(plane),
                        "<path d=\"{data}Z\"{}{stroke}/>",
                        FillPaint(fill)
                    );
                }
            }
            Primitive::Cells { rects, fill } => {
                let reach = self.frame.reach();
                let mut data = String::new();
                for rect in rects.iter().filter(|rect| rect.overlaps(&reach)) {
                    let a = Point(self.frame.screen_from_world(rect.min)).rounded();
                    let b = Point(self.frame.screen_from_world(rect.max)).rounded();
                    let _ = write!(
                        data,
                        "M{}H{}V{}H{}Z",
                        Point(a),
                        Number(b.x),
                        Number(b.y),
                        Number(a.x)
                    );
                }
                if !data.is_empty() {
                    self.area(plane, &data, FillRule::NonZero, &fill, None);
                }
            }
            Primitive::Text(mut label) => {
                label.size *= self.frame.ui_scale;
                self.labels.push(label);
            }
        }
    }
}

/// Text of an SVG document under construction, in pixels of the picture.
#[derive(Debug, Default)]
pub struct SvgText(String);

impl SvgText {
    pub fn push(&mut self, text: fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.0.write_fmt(text);
    }

    pub fn rect(&mut self, rect: Rect, attributes: &str) {
        let size = rect.size();
        self.push(format_args!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{attributes}/>",
            Number(rect.min.x),
            Number(rect.min.y),
            Number(size.x),
            Number(size.y)
        ));
    }

    /// Text with its middle line at `at`, anchored as the group around it says.
    pub fn text(&mut self, at: DVec2, size: f64, ink: Ink, halo: Option<Ink>, text: &str) {
        // From the middle of the line down to its base line.
        let baseline = at.y + size * 0.35;
        self.push(format_args!(
            "<text x=\"{}\" y=\"{}\" font-size=\"{}\"{}",
            Number(at.x),
            Number(baseline),
            Number(size),
            FillPaint(ink)
        ));
        if let Some(halo) = halo {
            self.push(format_args!(
                " stroke=\"{}\"{} stroke-width=\"{}\" paint-order=\"stroke\"",
                halo.colour,
                Opacity("stroke-opacity", halo.alpha),
                Number(size * 0.27)
            ));
        }
        self.push(format_args!(">{}</text>\n", Escaped(text)));
    }
}

/// At most two decimals, as short as possible.
#[derive(Clone, Copy, Debug)]
pub struct Number(pub f64);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Adding zero turns −0 into 0.
        write!(f, "{}", (self.0 * 100.0).round() / 100.0 + 0.0)
    }
}

/// Six decimals: a tile repeats often, and its error with it.
struct Precise(f64);

impl fmt::Display for Precise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", (self.0 * 1e6).round() / 1e6 + 0.0)
    }
}

struct Point(DVec2);

impl Point {
    fn rounded(&self) -> DVec2 {
        (self.0 * 100.0).round() / 100.0
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", Number(self.0.x), Number(self.0.y))
    }
}

/// An opacity attribute, left out where it is 1.
struct Opacity(&'static str, f64);

impl fmt::Display for Opacity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.1 < 1.0 {
            write!(f, " {}=\"{}\"", self.0, Number(self.1))?;
        }
        Ok(())
    }
}

/// Fill attributes; `none` for what is fully transparent.
#[derive(Clone, Copy, Debug)]
pub struct FillPaint(pub Ink);

impl fmt::Display for FillPaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.alpha <= 0.0 {
            f.write_str(" fill=\"none\"")
        } else {
            let opacity = Opacity("fill-opacity", self.0.alpha);
            write!(f, " fill=\"{}\"{opacity}", self.0.colour)
        }
    }
}

/// Text without what XML would take for markup or refuse.
struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => f.write_char(' ')?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_texts_are_short_and_safe() {
        assert_eq!(Number(12.0).to_string(), "12");
        assert_eq!(Number(-0.001).to_string(), "0");
        assert_eq!(Number(1.005_01).to_string(), "1.01");
        assert_eq!(
            Escaped("<b> & \"x\"\u{0}\u{ffff}").to_string(),
            "&lt;b&gt; &amp; &quot;x&quot;  "
        );
        let half = Ink::new(Colour::hex(0xff0000), 0.5);
        assert_eq!(
            FillPaint(half).to_string(),
            " fill=\"#ff0000\" fill-opacity=\"0.5\""
        );
    }
}
