//! An overlay as shapes with the colours of a look: what a painter draws above the level.

use super::{
    overlay::{HandleShape, HandleState, LabelPlace, Overlay, OverlayStyle, Primitive, SnapMark},
    view::View,
};
use crate::base::Colour;
use crate::geometry::Ring;
use crate::preview::{
    Palette, Plane, Shape, Sink,
    label::{Label, Placement, Rank},
    primitive::{self, Dash, Extent, Fill, FillRule, Glyph, Ink, Stroke},
    style::LABEL_SIZE,
};
use glam::DVec2;

/// Half the side of a handle. Unit: pixels, as all sizes here.
const HANDLE: f64 = 4.2;
/// A handle under the pointer grows by this factor.
const HOVERED: f64 = 1.35;
const ARROW: f64 = 8.0;
/// Half the size of the sign that shows what the pointer was drawn to.
const SNAP: f64 = 5.0;
/// Signs of the grid are everywhere: they stay small.
const GRID_SNAP: f64 = 3.5;
/// How far a guide goes on beyond the pointer.
const GUIDE_EXCESS: f64 = 18.0;
/// Room between a label and its place.
const LABEL_GAP: f64 = 9.0;
/// The dark or light rim that keeps a line apart from whatever lies under it.
const CASING: f64 = 2.0;

/// How a style is drawn.
struct Look {
    colour: Colour,
    width: f64,
    dash: Dash,
    /// Opacity of filled shapes.
    fill: f64,
}

fn look(style: OverlayStyle, palette: &Palette) -> Look {
    let (colour, width, dash, fill) = match style {
        OverlayStyle::Draft => (palette.selection, 1.8, Dash::Solid, 0.14),
        OverlayStyle::Invalid => (palette.forbidden, 2.2, Dash::Solid, 0.18),
        OverlayStyle::Ready => (palette.route, 2.2, Dash::Solid, 0.20),
        OverlayStyle::Hover => (palette.hover, 1.8, Dash::Solid, 0.10),
        OverlayStyle::Selected => (palette.selection, 1.3, Dash::Solid, 0.0),
        OverlayStyle::MarqueeInside => (palette.selection, 1.2, Dash::Solid, 0.10),
        OverlayStyle::MarqueeTouching => (palette.route, 1.2, Dash::Dashed, 0.10),
        OverlayStyle::Guide => (palette.guide, 1.2, Dash::Dashed, 0.0),
        OverlayStyle::Brush => (palette.text, 1.4, Dash::Solid, 0.0),
        OverlayStyle::Erase => (palette.forbidden, 1.6, Dash::Dashed, 0.12),
        OverlayStyle::Knife => (palette.motion, 1.8, Dash::Dashed, 0.0),
        OverlayStyle::Measure => (palette.note, 1.6, Dash::Solid, 0.08),
        OverlayStyle::Arm => (palette.selection, 1.0, Dash::Solid, 0.0),
    };
    Look {
        colour,
        width,
        dash,
        fill,
    }
}

impl Overlay {
    /// Says everything in the shapes of [`preview`](crate::preview), on the overlay's plane.
    pub fn draw(&self, palette: &Palette, view: &View, sink: &mut dyn Sink) {
        let mut pen = Pen {
            palette,
            view,
            sink,
        };
        for primitive in &self.primitives {
            pen.draw(primitive);
        }
    }
}

struct Pen<'a> {
    palette: &'a Palette,
    view: &'a View,
    sink: &'a mut dyn Sink,
}

impl Pen<'_> {
    fn add(&mut self, plane: Plane, primitive: primitive::Primitive) {
        self.sink.add(Shape {
            plane,
            entity: None,
            min_scale: 0.0,
            primitive,
        });
    }

    fn draw(&mut self, what: &Primitive) {
        match what {
            Primitive::Line { from, to, style } => self.line(vec![*from, *to], false, *style),
            Primitive::Polyline { points, style } => self.line(points.clone(), false, *style),
            Primitive::Polygon { polygon, style } => {
                self.area(polygon.rings().cloned().collect(), *style);
            }
            Primitive::Circle {
                centre,
                radius,
                style,
            } => self.circle(*centre, *radius, *style),
            Primitive::Handle { at, shape, state } => self.handle(*at, *shape, *state),
            Primitive::Guide { from, to } => {
                let excess = self.view.metres(GUIDE_EXCESS);
                let beyond = (*to - *from).normalize_or_zero() * excess;
                self.line(vec![*from, *to + beyond], false, OverlayStyle::Guide);
                let ink = Ink::solid(self.palette.guide);
                self.disc(*from, 2.5, ink, None);
            }
            Primitive::Snap { at, mark } => self.snap(*at, *mark),
            Primitive::Label {
                at,
                text,
                style,
                stands,
            } => self.label(*at, text, *style, *stands),
        }
    }

    fn casing(&self, width: f64) -> Stroke {
        Stroke::pixels(self.palette.halo, width + CASING)
    }

    fn line(&mut self, points: Vec<DVec2>, closed: bool, style: OverlayStyle) {
        let look = look(style, self.palette);
        let stroke = Stroke::pixels(Ink::solid(look.colour), look.width).dashed(look.dash);
        for stroke in [self.casing(look.width), stroke] {
            let points = points.clone();
            self.add(
                Plane::Overlay,
                primitive::Primitive::Line {
                    points,
                    closed,
                    stroke,
                },
            );
        }
    }

    fn area(&mut self, rings: Vec<Ring>, style: OverlayStyle) {
        let look = look(style, self.palette);
        if look.fill > 0.0 {
            self.add(
                Plane::Overlay,
                primitive::Primitive::Area {
                    rings: rings.clone(),
                    rule: FillRule::EvenOdd,
                    fill: Fill::plain(Ink::new(look.colour, look.fill)),
                    outline: None,
                },
            );
        }
        for ring in rings {
            self.line(ring, true, style);
        }
    }

    fn circle(&mut self, centre: DVec2, radius: f64, style: OverlayStyle) {
        let look = look(style, self.palette);
        let stroke = Stroke::pixels(Ink::solid(look.colour), look.width).dashed(look.dash);
        let clear = Ink::new(look.colour, 0.0);
        for (fill, outline) in [
            (clear, self.casing(look.width)),
            (Ink::new(look.colour, look.fill), stroke),
        ] {
            self.add(
                Plane::Overlay,
                primitive::Primitive::Disc {
                    centre,
                    radius: Extent::metres(radius, 1.0),
                    fill,
                    outline: Some(outline),
                },
            );
        }
    }

    fn disc(&mut self, centre: DVec2, radius: f64, fill: Ink, outline: Option<Stroke>) {
        self.add(
            Plane::Overlay,
            primitive::Primitive::Disc {
                centre,
                radius: Extent::pixels(radius),
                fill,
                outline,
            },
        );
    }

    fn mark(&mut self, at: DVec2, glyph: Glyph, turn: f64, size: f64, fill: Ink, outline: Stroke) {
        self.add(
            Plane::Overlay,
            primitive::Primitive::Mark {
                at,
                turn,
                glyph,
                size: Extent::pixels(size),
                fill,
                outline: Some(outline),
            },
        );
    }

    /// Hollow at rest, filled when selected, larger under the pointer.
    fn handle(&mut self, at: DVec2, shape: HandleShape, state: HandleState) {
        let palette = self.palette;
        let (fill, rim, factor) = match state {
            HandleState::Idle => (palette.ground, palette.selection, 1.0),
            HandleState::Hovered => (palette.hover, palette.selection, HOVERED),
            HandleState::Selected => (palette.selection, palette.text, 1.0),
        };
        let (fill, outline) = (Ink::solid(fill), Stroke::pixels(Ink::solid(rim), 1.5));
        let quarter = std::f64::consts::FRAC_PI_2;
        match shape {
            HandleShape::Square => {
                self.mark(at, Glyph::Square, 0.0, HANDLE * factor, fill, outline);
            }
            HandleShape::Diamond => {
                self.mark(
                    at,
                    Glyph::Diamond,
                    0.0,
                    1.3 * HANDLE * factor,
                    fill,
                    outline,
                );
            }
            HandleShape::Round => {
                self.disc(at, 1.2 * HANDLE * factor, fill, Some(outline));
            }
            HandleShape::ArrowX => self.mark(at, Glyph::Arrow, 0.0, ARROW * factor, fill, outline),
            HandleShape::ArrowY => {
                self.mark(at, Glyph::Arrow, quarter, ARROW * factor, fill, outline);
            }
        }
    }

    fn snap(&mut self, at: DVec2, mark: SnapMark) {
        let ink = Ink::solid(self.palette.guide);
        let clear = ink.faded(0.0);
        let rim = Stroke::pixels(ink, 1.6);
        match mark {
            SnapMark::Vertex => self.mark(at, Glyph::Square, 0.0, SNAP, clear, rim),
            SnapMark::Midpoint => self.mark(at, Glyph::Diamond, 0.0, 1.2 * SNAP, clear, rim),
            SnapMark::Edge => self.disc(at, SNAP, clear, Some(rim)),
            SnapMark::Intersection | SnapMark::Axis => {
                let thin = Stroke::pixels(self.palette.halo, 0.6);
                self.mark(at, Glyph::Cross, 0.0, SNAP, ink, thin);
            }
            SnapMark::Grid => {
                let reach = self.view.metres(GRID_SNAP);
                for axis in [DVec2::X, DVec2::Y] {
                    let points = vec![at - axis * reach, at + axis * reach];
                    self.add(
                        Plane::Overlay,
                        primitive::Primitive::Line {
                            points,
                            closed: false,
                            stroke: Stroke::pixels(ink, 1.2),
                        },
                    );
                }
            }
        }
    }

    fn label(&mut self, at: DVec2, text: &str, style: OverlayStyle, stands: LabelPlace) {
        let palette = self.palette;
        let colour = look(style, palette).colour;
        let gap = Extent::pixels(LABEL_GAP);
        self.add(
            Plane::Labels,
            primitive::Primitive::Text(Label {
                at,
                text: text.to_owned(),
                size: LABEL_SIZE,
                // A tint of the style's colour; what counts is that it can be read anywhere.
                ink: Ink::solid(colour.mix(palette.text, 0.8)),
                halo: Ink::new(palette.halo.colour, 0.95),
                placement: match stands {
                    LabelPlace::Above => Placement::Above { gap },
                    LabelPlace::Beside => Placement::Beside { gap },
                    LabelPlace::Centred => Placement::Centred,
                },
                rank: Rank::Tool,
            }),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Polygon, Rect};
    use crate::preview::Look as Theme;

    #[test]
    fn everything_an_overlay_can_say_is_drawn_in_both_looks() {
        let mut overlay = Overlay::default();
        let style = OverlayStyle::Draft;
        overlay.line(DVec2::ZERO, DVec2::ONE, style);
        overlay.polygon(Polygon::regular(DVec2::ZERO, 1.0, 5, 0.0), style);
        overlay.circle(DVec2::ZERO, 2.0, style);
        overlay.label(DVec2::ZERO, "2.00 m", style);
        for shape in [HandleShape::Square, HandleShape::Round, HandleShape::ArrowY] {
            overlay.handle(DVec2::ZERO, shape, HandleState::Hovered);
        }
        for mark in [SnapMark::Grid, SnapMark::Vertex, SnapMark::Axis] {
            let at = DVec2::ONE;
            overlay.primitives.push(Primitive::Snap { at, mark });
        }
        let (from, to) = (DVec2::ZERO, DVec2::X);
        overlay.primitives.push(Primitive::Guide { from, to });
        let view = View {
            metres_per_point: 0.1,
            visible: Rect::around(DVec2::ZERO, DVec2::splat(50.0)),
        };
        for theme in Theme::ALL {
            let mut shapes: Vec<Shape> = Vec::new();
            overlay.draw(theme.palette(), &view, &mut shapes);
            assert!(shapes.len() >= overlay.primitives.len());
            let labels = shapes.iter().filter(|s| s.plane == Plane::Labels).count();
            assert_eq!(labels, 1);
            let others = shapes.iter().filter(|s| s.plane == Plane::Overlay).count();
            assert_eq!(labels + others, shapes.len());
        }
    }
}
