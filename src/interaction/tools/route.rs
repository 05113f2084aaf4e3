//! Indicative routes point by point.

use super::sketch_tool::{Purpose, SketchTool};
use crate::document::RouteShape;
use crate::interaction::{
    context::ToolContext,
    creation::{Creation, route_kind},
    hints::Hints,
    kind::ToolKind,
    sketch::{Form, Sketch},
};

#[derive(Debug)]
pub struct DrawRoute;

pub type RouteTool = SketchTool<DrawRoute>;

impl Purpose for DrawRoute {
    fn kind(&self) -> ToolKind {
        ToolKind::RoutePolyline
    }

    fn form(&self) -> Form {
        Form::Line
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
            0 => Hints::new("Click where the route begins")
                .key("Ctrl", "no snapping")
                .key("10,20", "type a place"),
            1 => Hints::new("Click the next point")
                .key("Shift", "15° steps")
                .key("12.5<30", "type a length and angle")
                .key("Backspace", "take back"),
            _ => Hints::new("Click the next point; right-click or Enter ends the route")
                .key("Shift", "15° steps")
                .key("12.5<30", "type a length and angle")
                .key("Backspace", "take back")
                .key("Esc", "discard"),
        }
    }
}

/// One undo step that makes and selects a route.
pub fn create_route(ctx: &mut ToolContext<'_>, shape: RouteShape, closed: bool) {
    let creation = Creation::named(ctx, "Route");
    if ctx.commit("Draw route", creation.edits(route_kind(shape, closed))) {
        ctx.select_one(creation.id);
    }
}
