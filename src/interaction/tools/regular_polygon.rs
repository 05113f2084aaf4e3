//! Regular polygons from the centre to a corner.

use super::{
    polygon::draw_label,
    span::{NumberMeans, Span, SpanShape, SpanTool},
};
use crate::document::Kind;
use crate::geometry::{Polygon, lattice::LATTICE};
use crate::interaction::{
    context::ToolContext,
    creation::Creation,
    defaults::{SIDES, ToolDefaults},
    hints::Hints,
    kind::ToolKind,
    measures,
    sketch::ANGLE_STEP,
    snapping::on_grid,
    tool::Handled,
};

#[derive(Clone, Debug)]
pub struct RegularPolygon;

pub type RegularPolygonTool = SpanTool<RegularPolygon>;

impl SpanShape for RegularPolygon {
    fn kind(&self) -> ToolKind {
        ToolKind::RegularPolygon
    }

    fn label(&self, defaults: &ToolDefaults) -> &'static str {
        draw_label(defaults.area)
    }

    fn number_means(&self) -> NumberMeans {
        NumberMeans::Distance
    }

    fn creation(&self, ctx: &mut ToolContext<'_>) -> Creation {
        Creation::area(ctx, ctx.defaults.area)
    }

    fn make(&self, ctx: &ToolContext<'_>, creation: &Creation, span: &Span) -> Option<Kind> {
        let outline = self.outline(ctx.defaults, span)?;
        Some(creation.area_kind(ctx, ctx.defaults.area, outline))
    }

    fn outline(&self, defaults: &ToolDefaults, span: &Span) -> Option<Polygon> {
        let reach = span.to - span.from;
        let radius = reach.length();
        if radius < LATTICE {
            return None;
        }
        let mut degrees = measures::direction(reach);
        if span.modifiers.shift {
            degrees = (degrees / ANGLE_STEP).round() * ANGLE_STEP;
        }
        let sides = SIDES.clamp(defaults.sides as f64) as usize;
        let polygon = Polygon::regular(span.from, radius, sides, degrees.to_radians());
        Some(polygon.map(|p| on_grid(p, 1e-4)))
    }

    fn measure(&self, span: &Span) -> String {
        format!("radius {}", measures::length(span.from.distance(span.to)))
    }

    fn first_hint(&self) -> &'static str {
        "Drag from the centre to a corner"
    }

    fn second_hint(&self, defaults: &ToolDefaults) -> Hints {
        Hints::new(format!(
            "Click or release at a corner of the {} corners",
            defaults.sides
        ))
        .key("[ ]", "fewer, more corners")
        .key("Shift", "15° steps")
        .key("5<90", "type a radius and angle")
    }

    fn adjust(&self, defaults: &mut ToolDefaults, more: bool) -> Handled {
        let sides = if more {
            defaults.sides.saturating_add(1)
        } else {
            defaults.sides.saturating_sub(1)
        };
        defaults.sides = SIDES.clamp(sides as f64) as usize;
        Handled::Yes
    }
}
