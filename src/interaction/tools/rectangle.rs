//! Rectangles from corner to corner.

use super::{
    polygon::draw_label,
    span::{Span, SpanShape, SpanTool},
};
use crate::document::Kind;
use crate::geometry::Polygon;
use crate::interaction::{
    context::ToolContext, creation::Creation, defaults::ToolDefaults, kind::ToolKind, measures,
};

#[derive(Clone, Debug)]
pub struct Rectangle;

pub type RectangleTool = SpanTool<Rectangle>;

impl SpanShape for Rectangle {
    fn kind(&self) -> ToolKind {
        ToolKind::Rectangle
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
        span.solid_rect().map(Polygon::rect)
    }

    fn measure(&self, span: &Span) -> String {
        measures::size(span.rect().size())
    }

    fn first_hint(&self) -> &'static str {
        "Drag a rectangle from corner to corner"
    }
}
