//! A rectangle in one drag, for tools that otherwise place corners one by one.

use super::span::Span;
use crate::geometry::{Polygon, Rect};
use crate::interaction::{
    context::{Scene, ToolContext},
    hints::Hints,
    input::{Modifiers, Pointer},
    measures,
    overlay::{Overlay, OverlayStyle},
    sketch::Sketch,
    snapping::{self, SnapScope, Snapped},
    tool::{Gesture, Outcome},
};
use glam::DVec2;

/// A narrower rectangle was meant as a straight segment or a click. Unit: points.
const NARROWEST: f64 = 4.0;
/// A shorter drag counts as a click. Unit: points.
const SHORTEST_PIECE: f64 = 8.0;

#[derive(Debug)]
pub struct RectangleDrag {
    sketch: Sketch,
    pressed: Pointer,
    released: Pointer,
    from: DVec2,
    to: Snapped,
    modifiers: Modifiers,
    style: OverlayStyle,
}

impl RectangleDrag {
    pub fn begin(
        ctx: &ToolContext<'_>,
        sketch: &Sketch,
        pointer: &Pointer,
        style: OverlayStyle,
    ) -> Box<dyn Gesture> {
        let from = snap(ctx, pointer, &[]).point;
        Box::new(Self {
            sketch: sketch.clone(),
            pressed: *pointer,
            released: *pointer,
            from,
            to: Snapped::free(from),
            modifiers: pointer.modifiers,
            style,
        })
    }

    fn rect(&self) -> Option<Rect> {
        Span {
            from: self.from,
            to: self.to.point,
            modifiers: self.modifiers,
        }
        .solid_rect()
    }
}

fn snap(ctx: &ToolContext<'_>, pointer: &Pointer, own: &[DVec2]) -> Snapped {
    let scope = SnapScope {
        own,
        ..SnapScope::default()
    };
    snapping::snap(&ctx.scene(), pointer.world, pointer.modifiers, scope)
}

impl Gesture for RectangleDrag {
    fn update(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        self.to = snap(ctx, pointer, &[self.from]);
        self.released = *pointer;
        self.modifiers = pointer.modifiers;
    }

    fn commit(mut self: Box<Self>, ctx: &mut ToolContext<'_>) -> Outcome {
        let narrowest = ctx.view.metres(NARROWEST);
        let rect = self
            .rect()
            .filter(|rect| rect.size().min_element() >= narrowest);
        let progress = match rect {
            Some(rect) => self.sketch.fill_loop(&rect.corners()),
            None => {
                let progress = self.sketch.click(&ctx.scene(), &self.pressed);
                if self.pressed.screen.distance(self.released.screen) > SHORTEST_PIECE {
                    self.sketch.click(&ctx.scene(), &self.released)
                } else {
                    progress
                }
            }
        };
        Outcome::Sketch(self.sketch, progress)
    }

    fn cancel(self: Box<Self>, _ctx: &mut ToolContext<'_>) {}

    fn overlay(&self, _scene: &Scene<'_>, out: &mut Overlay) {
        self.to.overlay(out);
        if let Some(rect) = self.rect() {
            let above = DVec2::new(rect.centre().x, rect.max.y);
            out.polygon(Polygon::rect(rect), self.style);
            out.label(above, measures::size(rect.size()), self.style);
        }
    }

    fn hints(&self, _scene: &Scene<'_>) -> Option<Hints> {
        Some(
            Hints::new("Release at the opposite corner")
                .key("Shift", "square")
                .key("Alt", "from the centre")
                .key("Esc", "discard"),
        )
    }

    fn hides_tool(&self) -> bool {
        true
    }
}
