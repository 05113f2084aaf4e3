//! Indicative routes drawn point by point.

use super::sketch_tool::{Purpose, SketchTool};
use crate::document::RouteShape;
use crate::interaction::{
    context::ToolContext,
    creation::{Creation, route_kind},
    hints::Hints,
    kind::ToolKind,
    sketch::{Sketch, SketchForm},
};

#[derive(Debug)]
pub struct DrawRoute;

pub type RouteTool = SketchTool<DrawRoute>;

impl Purpose for DrawRoute {
    fn kind(&self) -> ToolKind {
        ToolKind::RoutePolyline
    }

    fn form(&self) -> SketchForm {
        SketchForm::Line
    }

    fn complete(&mut self, ctx: &mut ToolContext<'_>, sketch: &mut Sketch) {
        let closed = sketch.is_loop();
        if let Some(mut points) = sketch.take_line() {
            if closed {
                points.pop();
            }
            create_route(ctx, RouteShape::Polyline(points), closed);
        }
    }

    fn hints(&self, sketch: &Sketch) -> Hints {
        match sketch.points().len() {
            0 => Hints::new("Click the start of the route")
                .key("Ctrl", "no snapping")
                .key("10,20", "type a position"),
            1 => Hints::new("Click the next point")
                .key("Shift", "15° steps")
                .key("12.5<30", "type a length and angle")
                .key("Backspace", "remove last point"),
            _ => Hints::new("Click the next point; right-click or Enter ends the route")
                .key("Shift", "15° steps")
                .key("12.5<30", "type a length and angle")
                .key("Backspace", "remove last point")
                .key("Esc", "discard"),
        }
    }
}

/// Creates and selects a route in one undo step.
pub fn create_route(ctx: &mut ToolContext<'_>, shape: RouteShape, closed: bool) {
    let creation = Creation::named(ctx, "Route");
    if ctx.commit("Draw route", creation.edits(route_kind(shape, closed))) {
        ctx.select_one(creation.id);
    }
}
