//! Freehand strokes: an outlined area, or a route.

use super::polygon::draw_label;
use crate::document::{Edit, RouteShape};
use crate::geometry::{Polygon, boolean::repaired, simplify::simplified_ring};
use crate::interaction::{
    context::{Scene, ToolContext},
    creation::{Creation, route_kind},
    hints::Hints,
    input::Pointer,
    kind::ToolKind,
    overlay::{Overlay, OverlayStyle},
    snapping::by_hand,
    tool::{Gesture, Outcome, Tool},
};
use glam::DVec2;
use std::cmp::Ordering;

/// Points closer together than this are merged. Unit: points.
const STROKE_STEP: f64 = 2.0;
/// A stroke that ends this close to its start is a loop. Unit: points.
const LOOP_REACH: f64 = 12.0;
/// Pieces of a self-crossing stroke below this fraction of the largest are discarded as slips.
const SLIP: f64 = 0.02;

/// [`ToolKind::Freehand`] or [`ToolKind::RouteFreehand`].
#[derive(Debug)]
pub struct FreehandTool(pub ToolKind);

impl Tool for FreehandTool {
    fn kind(&self) -> ToolKind {
        self.0
    }

    fn click(&mut self, _ctx: &mut ToolContext<'_>, _pointer: &Pointer) {}

    fn begin_drag(
        &mut self,
        ctx: &mut ToolContext<'_>,
        pointer: &Pointer,
    ) -> Option<Box<dyn Gesture>> {
        let stroke = Stroke::new(pointer);
        if self.0 == ToolKind::RouteFreehand {
            let creation = Creation::named(ctx, "Route");
            ctx.host.begin("Draw route");
            return Some(Box::new(RouteStroke { stroke, creation }));
        }
        Some(Box::new(AreaStroke { stroke }))
    }

    fn hints(&self, _scene: &Scene<'_>) -> Hints {
        Hints::new(self.0.help())
    }
}

/// The pointer's positions, thinned on the fly; never snapped.
#[derive(Clone, Debug)]
struct Stroke {
    points: Vec<DVec2>,
    last: DVec2,
}

impl Stroke {
    fn new(pointer: &Pointer) -> Self {
        let at = by_hand(pointer.world);
        Self {
            points: vec![at],
            last: at,
        }
    }

    fn extend(&mut self, ctx: &ToolContext<'_>, pointer: &Pointer) {
        let at = by_hand(pointer.world);
        if !at.is_finite() {
            return;
        }
        self.last = at;
        let step = ctx.view.metres(STROKE_STEP);
        if self.points.last().is_none_or(|p| p.distance(at) >= step) {
            self.points.push(at);
        }
    }

    fn is_loop(&self, ctx: &ToolContext<'_>) -> bool {
        let reach = ctx.view.metres(LOOP_REACH);
        let apart = self
            .points
            .iter()
            .any(|p| p.distance(self.points[0]) > 3.0 * reach);
        apart && self.points[0].distance(self.last) <= reach
    }
}

#[derive(Debug)]
struct AreaStroke {
    stroke: Stroke,
}

impl AreaStroke {
    /// The outlines that the stroke encloses, largest first.
    fn pieces(&self, tolerance: f64) -> Vec<Polygon> {
        let ring = simplified_ring(&self.stroke.points, tolerance);
        let mut pieces = repaired(&Polygon::new(ring));
        pieces.sort_by(|a, b| b.area().partial_cmp(&a.area()).unwrap_or(Ordering::Equal));
        let largest = pieces.first().map_or(0.0, Polygon::area);
        pieces.retain(|piece| piece.area() >= largest * SLIP);
        pieces
    }
}

impl Gesture for AreaStroke {
    fn update(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        self.stroke.extend(ctx, pointer);
    }

    fn commit(self: Box<Self>, ctx: &mut ToolContext<'_>) -> Outcome {
        let pieces = self.pieces(ctx.defaults.smoothing);
        if pieces.is_empty() {
            ctx.say("The stroke encloses nothing; draw around an area in one stroke.");
            return Outcome::Done;
        }
        let area = ctx.defaults.area;
        let mut edits: Vec<Edit> = Vec::new();
        let mut ids = Vec::new();
        for piece in pieces {
            let creation = Creation::area(ctx, area);
            let kind = creation.area_kind(ctx, area, piece);
            // The first piece creates the terrain or profile that the level lacks.
            let made = creation.edits(kind);
            let own = if ids.is_empty() { 0 } else { made.len() - 1 };
            edits.extend(made.into_iter().skip(own));
            ids.push(creation.id);
        }
        if ctx.commit(draw_label(area), edits) {
            ctx.host.select(ids.into_iter().collect());
        }
        Outcome::Done
    }

    fn cancel(self: Box<Self>, _ctx: &mut ToolContext<'_>) {}

    fn overlay(&self, _scene: &Scene<'_>, out: &mut Overlay) {
        if self.stroke.points.len() >= 3 {
            out.polygon(
                Polygon::new(self.stroke.points.clone()),
                OverlayStyle::Draft,
            );
        } else {
            out.polyline(self.stroke.points.clone(), OverlayStyle::Draft);
        }
    }

    fn hints(&self, _scene: &Scene<'_>) -> Option<Hints> {
        Some(Hints::new("Draw around the area; releasing closes it").key("Esc", "discard"))
    }
}

#[derive(Debug)]
struct RouteStroke {
    stroke: Stroke,
    creation: Creation,
}

impl Gesture for RouteStroke {
    fn update(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        self.stroke.extend(ctx, pointer);
        if self.stroke.points.len() < 2 {
            return;
        }
        let closed = self.stroke.is_loop(ctx);
        let shape = RouteShape::Freehand {
            stroke: self.stroke.points.clone(),
            tolerance: ctx.defaults.smoothing,
        };
        ctx.preview(self.creation.edits(route_kind(shape, closed)));
    }

    fn commit(self: Box<Self>, ctx: &mut ToolContext<'_>) -> Outcome {
        if ctx.finish() {
            ctx.select_one(self.creation.id);
        }
        Outcome::Done
    }

    fn hints(&self, _scene: &Scene<'_>) -> Option<Hints> {
        Some(Hints::new("Draw the route; end at its start to make a loop").key("Esc", "discard"))
    }
}
