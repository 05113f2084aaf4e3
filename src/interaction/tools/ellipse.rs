//! Ellipses inscribed in a dragged box.

use super::{
    polygon::draw_label,
    span::{Span, SpanShape, SpanTool},
};
use crate::document::Kind;
use crate::geometry::{Polygon, offset::arc_step};
use crate::interaction::{
    context::ToolContext, creation::Creation, defaults::ToolDefaults, hints::Hints, kind::ToolKind,
    measures, snapping::on_grid,
};
use std::f64::consts::TAU;

/// Maximum deviation of the chords from the ellipse. Unit: metres.
const SAG: f64 = 0.05;
/// Minimum and maximum corners; multiples of four, so that the extremes are corners.
const CORNERS: std::ops::RangeInclusive<usize> = 16..=96;

#[derive(Clone, Debug)]
pub struct Ellipse;

pub type EllipseTool = SpanTool<Ellipse>;

impl SpanShape for Ellipse {
    fn kind(&self) -> ToolKind {
        ToolKind::Ellipse
    }

    fn label(&self, defaults: &ToolDefaults) -> &'static str {
        draw_label(defaults.area)
    }

    fn creation(&self, ctx: &mut ToolContext<'_>) -> Creation {
        Creation::area(ctx, ctx.defaults.area)
    }

    fn make(&self, ctx: &ToolContext<'_>, creation: &Creation, span: &Span) -> Option<Kind> {
        let outline = self.outline(ctx.defaults, span)?;
        Some(creation.area_kind(ctx, ctx.defaults.area, outline))
    }

    fn outline(&self, _defaults: &ToolDefaults, span: &Span) -> Option<Polygon> {
        let rect = span.solid_rect()?;
        let radii = rect.size() * 0.5;
        let corners = (TAU / arc_step(radii.max_element(), SAG) / 4.0).ceil() as usize * 4;
        let corners = corners.clamp(*CORNERS.start(), *CORNERS.end());
        let ellipse = Polygon::ellipse(rect.centre(), radii, corners, 0.0);
        Some(ellipse.map(|p| on_grid(p, 1e-4)))
    }

    fn measure(&self, span: &Span) -> String {
        measures::size(span.rect().size())
    }

    fn first_hint(&self) -> &'static str {
        "Drag the box around an ellipse"
    }

    fn second_hint(&self, _defaults: &ToolDefaults) -> Hints {
        Hints::new("Click or release at the opposite corner")
            .key("Shift", "circle")
            .key("Alt", "from the centre")
            .key("@4,3", "type a size")
    }
}
