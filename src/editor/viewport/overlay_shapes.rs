//! What the tool in hand draws, in the words of every other picture.

use crate::base::Colour;
use crate::geometry::Rect;
use crate::interaction::{
    HandleShape, HandleState, LabelPlace, Overlay, OverlayStyle, Primitive as Drawn, SnapMark,
};
use crate::preview::primitive::{Dash, Extent, Fill, FillRule, Glyph, Ink, Stroke};
use crate::preview::{Palette, Plane, Primitive, Shape};
use glam::DVec2;

/// Half the side of a handle. Unit: points.
const HANDLE: f64 = 4.0;
const SNAP: f64 = 5.0;
/// Opacity of the light fill of areas.
const AREA_ALPHA: f64 = 0.12;

/// A text of a tool, on a plate that keeps it readable.
#[derive(Clone, Debug, PartialEq)]
pub struct Plate {
    /// The place it speaks of. Unit: metres.
    pub at: DVec2,
    pub stands: LabelPlace,
    pub text: String,
    pub colour: Colour,
}

/// Shapes from the bottom to the top, and texts above them.
#[must_use]
pub fn shapes(overlay: &Overlay, palette: &Palette, visible: Rect) -> (Vec<Shape>, Vec<Plate>) {
    let mut shapes = Vec::new();
    let mut plates = Vec::new();
    let mut add = |primitive| {
        shapes.push(Shape {
            plane: Plane::Overlay,
            entity: None,
            min_scale: 0.0,
            primitive,
        });
    };
    for drawn in &overlay.primitives {
        match drawn {
            Drawn::Line { from, to, style } => add(line(vec![*from, *to], *style, palette)),
            Drawn::Polyline { points, style } => add(line(points.clone(), *style, palette)),
            Drawn::Polygon { polygon, style } => {
                let stroke = stroke(*style, palette);
                add(Primitive::Area {
                    rings: polygon.rings().cloned().collect(),
                    rule: FillRule::EvenOdd,
                    fill: Fill::plain(Ink::new(stroke.ink.colour, AREA_ALPHA)),
                    outline: Some(stroke),
                });
            }
            Drawn::Circle {
                centre,
                radius,
                style,
            } => add(Primitive::Disc {
                centre: *centre,
                radius: Extent::metres(*radius, 1.0),
                fill: Ink::new(stroke(*style, palette).ink.colour, AREA_ALPHA * 0.5),
                outline: Some(stroke(*style, palette)),
            }),
            Drawn::Handle { at, shape, state } => add(handle(*at, *shape, *state, palette)),
            Drawn::Guide { from, to } => add(guide(*from, *to, palette, visible)),
            Drawn::Snap { at, mark } => add(snap(*at, *mark, palette)),
            Drawn::Label {
                at,
                text,
                style,
                stands,
            } => plates.push(Plate {
                at: *at,
                stands: *stands,
                text: text.clone(),
                colour: stroke(*style, palette).ink.colour,
            }),
        }
    }
    (shapes, plates)
}

pub(super) fn stroke(style: OverlayStyle, palette: &Palette) -> Stroke {
    let solid = |colour, width| Stroke::pixels(Ink::solid(colour), width);
    match style {
        OverlayStyle::Draft => solid(palette.selection, 2.0),
        OverlayStyle::Invalid => solid(palette.forbidden, 2.0),
        OverlayStyle::Ready => solid(palette.route, 2.4),
        OverlayStyle::Hover => solid(palette.hover, 1.6),
        OverlayStyle::Selected => solid(palette.selection, 1.6),
        OverlayStyle::MarqueeInside => solid(palette.selection, 1.2),
        OverlayStyle::MarqueeTouching => solid(palette.route, 1.2).dashed(Dash::Dashed),
        OverlayStyle::Guide => solid(palette.guide, 1.2).dashed(Dash::Dashed),
        OverlayStyle::Brush => solid(palette.text, 1.4),
        OverlayStyle::Erase => solid(palette.forbidden, 1.6),
        OverlayStyle::Knife => solid(palette.forbidden, 1.8).dashed(Dash::Dashed),
        OverlayStyle::Measure => solid(palette.guide, 1.8),
        OverlayStyle::Arm => solid(palette.text_muted, 1.2),
        OverlayStyle::Reach => Stroke::pixels(Ink::new(palette.route, 0.28), 9.0),
    }
}

fn line(points: Vec<DVec2>, style: OverlayStyle, palette: &Palette) -> Primitive {
    Primitive::Line {
        points,
        closed: false,
        stroke: stroke(style, palette),
    }
}

fn handle(at: DVec2, shape: HandleShape, state: HandleState, palette: &Palette) -> Primitive {
    let (fill, edge, size) = match state {
        HandleState::Idle => (palette.ground, palette.selection, HANDLE),
        HandleState::Hovered => (palette.hover, palette.selection, HANDLE + 1.0),
        HandleState::Selected => (palette.selection, palette.ground, HANDLE + 0.5),
    };
    let outline = Stroke::pixels(Ink::solid(edge), 1.6);
    let mark = |glyph, turn, size, outline: Stroke| Primitive::Mark {
        at,
        turn,
        glyph,
        size: Extent::pixels(size),
        fill: Ink::solid(fill),
        // Outlines of marks lie half below their fill.
        outline: Some(Stroke {
            width: Extent::pixels(outline.width.pixels * 2.0),
            ..outline
        }),
    };
    match shape {
        HandleShape::Square => mark(Glyph::Square, 0.0, size, outline),
        HandleShape::Diamond => mark(Glyph::Diamond, 0.0, size * 1.3, outline),
        HandleShape::Round => Primitive::Disc {
            centre: at,
            radius: Extent::pixels(size + 0.5),
            fill: Ink::solid(fill),
            outline: Some(outline),
        },
        HandleShape::ArrowX => mark(Glyph::Arrow, 0.0, size * 2.0, outline),
        HandleShape::ArrowY => mark(
            Glyph::Arrow,
            std::f64::consts::FRAC_PI_2,
            size * 2.0,
            outline,
        ),
    }
}

/// From border to border of what is visible.
fn guide(from: DVec2, to: DVec2, palette: &Palette, visible: Rect) -> Primitive {
    let direction = (to - from).try_normalize().unwrap_or(DVec2::X);
    let middle = visible.centre();
    let nearest = from + direction * (middle - from).dot(direction);
    let reach = direction * visible.size().length();
    line(
        vec![nearest - reach, nearest + reach],
        OverlayStyle::Guide,
        palette,
    )
}

fn snap(at: DVec2, mark: SnapMark, palette: &Palette) -> Primitive {
    let glyph = match mark {
        SnapMark::Vertex => Glyph::Square,
        SnapMark::Midpoint | SnapMark::Axis => Glyph::Diamond,
        SnapMark::Grid | SnapMark::Edge | SnapMark::Intersection => Glyph::Cross,
    };
    let hollow = matches!(glyph, Glyph::Square | Glyph::Diamond);
    let ink = Ink::solid(palette.guide);
    Primitive::Mark {
        at,
        turn: 0.0,
        glyph,
        size: Extent::pixels(SNAP),
        fill: if hollow { ink.faded(0.25) } else { ink },
        outline: hollow.then_some(Stroke::pixels(ink, 1.6)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preview::Look;

    #[test]
    fn a_guide_crosses_the_whole_view_however_short_it_is_given() {
        let visible = Rect::new(DVec2::new(900.0, 900.0), DVec2::new(1000.0, 960.0));
        let mut overlay = Overlay::default();
        overlay.primitives.push(Drawn::Guide {
            from: DVec2::ZERO,
            to: DVec2::new(0.1, 0.1),
        });
        let (shapes, _) = shapes(&overlay, Look::Dark.palette(), visible);
        let Primitive::Line { points, .. } = &shapes[0].primitive else {
            panic!("a guide is a line");
        };
        assert!(points[0].x < 900.0 && points[1].x > 1000.0);
        assert!(
            (points[0].x - points[0].y).abs() < 1e-9,
            "it keeps its direction"
        );
    }

    #[test]
    fn texts_are_plates_and_everything_else_is_a_shape() {
        let mut overlay = Overlay::default();
        overlay.label(DVec2::ONE, "2.5 m", OverlayStyle::Measure);
        overlay.handle(DVec2::ONE, HandleShape::Square, HandleState::Idle);
        overlay.circle(DVec2::ONE, 3.0, OverlayStyle::Brush);
        let area = Rect::new(DVec2::ZERO, DVec2::ONE);
        let (shapes, plates) = shapes(&overlay, Look::Light.palette(), area);
        assert_eq!((shapes.len(), plates.len()), (2, 1));
        assert_eq!(plates[0].text, "2.5 m");
    }
}
