//! Bézier routes: click for a corner, drag to pull the handles of a smooth knot.

use super::route::create_route;
use crate::document::{Knot, RouteShape};
use crate::geometry::lattice::LATTICE;
use crate::interaction::{
    context::{Scene, ToolContext},
    entry::NumericEntry,
    hints::Hints,
    input::{Key, Modifiers, Pointer},
    kind::ToolKind,
    overlay::{HandleShape, HandleState, Overlay, OverlayStyle},
    sketch::in_steps,
    snapping::{self, SnapScope, Snapped},
    tool::{Gesture, Handled, Outcome, Tool},
    vertices::piece,
};
use glam::DVec2;

/// How close to the first knot a click must be to close the curve. Unit: points.
const CLOSE_REACH: f64 = 10.0;

#[derive(Debug, Default)]
pub struct BezierTool {
    knots: Vec<Knot>,
    next: Option<Snapped>,
    entry: NumericEntry,
    trouble: Option<String>,
}

impl BezierTool {
    fn place(&self, scene: &Scene<'_>, pointer: &Pointer) -> Snapped {
        let own: Vec<DVec2> = self.knots.iter().map(|knot| knot.point).collect();
        let scope = SnapScope {
            own: &own,
            ..SnapScope::default()
        };
        let snapped = snapping::snap(scene, pointer.world, pointer.modifiers, scope);
        match own.last() {
            Some(from) if pointer.modifiers.shift => {
                Snapped::free(in_steps(*from, pointer.world, snapped.point))
            }
            _ => snapped,
        }
    }

    fn closes(&self, scene: &Scene<'_>, at: DVec2) -> bool {
        self.knots.len() >= 3 && self.knots[0].point.distance(at) <= scene.view.metres(CLOSE_REACH)
    }

    fn push(&mut self, knot: Knot) {
        self.entry.clear();
        self.trouble = None;
        let repeats = self
            .knots
            .last()
            .is_some_and(|last| last.point.distance(knot.point) < LATTICE);
        if !repeats {
            self.knots.push(knot);
        }
    }

    fn complete(&mut self, ctx: &mut ToolContext<'_>, closed: bool) {
        if self.knots.len() < 2 {
            self.trouble =
                Some("a route needs at least 2 points; click where the next one goes".to_owned());
            return;
        }
        let knots = std::mem::take(&mut self.knots);
        self.entry.clear();
        create_route(ctx, RouteShape::Bezier(knots), closed);
    }

    fn next_point(&self) -> Option<DVec2> {
        let pointer = self.next.as_ref().map(|snapped| snapped.point);
        let from = self.knots.last().map(|knot| knot.point);
        let typed = self.entry.place(from, pointer.or(from).unwrap_or_default());
        typed.ok().flatten().or(pointer)
    }
}

impl Tool for BezierTool {
    fn kind(&self) -> ToolKind {
        ToolKind::RouteBezier
    }

    fn hover(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        self.next = Some(self.place(&ctx.scene(), pointer));
    }

    fn leave(&mut self) {
        self.next = None;
    }

    fn click(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        if self.entry.is_empty() && self.closes(&ctx.scene(), pointer.world) {
            self.complete(ctx, true);
            return;
        }
        self.hover(ctx, pointer);
        if let Some(point) = self.next_point() {
            self.push(Knot::corner(point));
        }
    }

    fn double_click(&mut self, ctx: &mut ToolContext<'_>, _pointer: &Pointer) {
        if self.knots.len() >= 2 {
            self.complete(ctx, false);
        }
    }

    fn secondary_click(&mut self, ctx: &mut ToolContext<'_>, _pointer: &Pointer) -> Handled {
        if self.knots.is_empty() {
            return Handled::No;
        }
        self.complete(ctx, false);
        Handled::Yes
    }

    fn begin_drag(
        &mut self,
        ctx: &mut ToolContext<'_>,
        pointer: &Pointer,
    ) -> Option<Box<dyn Gesture>> {
        let scene = ctx.scene();
        let closing = self.closes(&scene, pointer.world);
        let point = if closing {
            self.knots[0].point
        } else {
            self.place(&scene, pointer).point
        };
        Some(Box::new(PullHandles {
            before: self.knots.clone(),
            knot: Knot::corner(point),
            closing,
        }))
    }

    fn drag_ended(&mut self, ctx: &mut ToolContext<'_>, outcome: Outcome) {
        let Outcome::Knot(knot) = outcome else {
            return;
        };
        let closes = self.knots.len() >= 3 && self.knots[0].point == knot.point;
        if closes {
            self.knots[0].handle_in = knot.handle_in;
            self.complete(ctx, true);
        } else {
            self.push(knot);
        }
    }

    fn key(&mut self, ctx: &mut ToolContext<'_>, key: Key, _modifiers: Modifiers) -> Handled {
        match key {
            Key::Backspace | Key::Undo => {
                self.trouble = None;
                let typed = self.entry.backspace();
                Handled::from(typed || self.knots.pop().is_some())
            }
            Key::Enter if !self.entry.is_empty() => {
                let from = self.knots.last().map(|knot| knot.point);
                let pointer = self.next.as_ref().map(|snapped| snapped.point);
                let towards = pointer.or(from).unwrap_or_default();
                match self.entry.place(from, towards) {
                    Ok(Some(point)) => self.push(Knot::corner(point)),
                    Ok(None) => {}
                    Err(sentence) => self.entry.refuse(sentence),
                }
                Handled::Yes
            }
            Key::Enter if !self.knots.is_empty() => {
                self.complete(ctx, false);
                Handled::Yes
            }
            _ => Handled::No,
        }
    }

    fn text(&mut self, _ctx: &mut ToolContext<'_>, text: &str) -> Handled {
        self.trouble = None;
        Handled::from(self.entry.push(text))
    }

    fn hints(&self, _scene: &Scene<'_>) -> Hints {
        let hints = match self.knots.len() {
            0 => Hints::new("Click the start of the route; drag to bend it"),
            1 => Hints::new("Click the next knot; drag to bend the curve"),
            _ => Hints::new("Click or drag the next knot; right-click or Enter ends the route")
                .key("Esc", "discard"),
        };
        hints
            .key("Shift", "15° steps")
            .key("Backspace", "remove last point")
            .entry(self.entry.text())
            .trouble(self.entry.trouble().or(self.trouble.clone()))
    }

    fn overlay(&self, scene: &Scene<'_>, out: &mut Overlay) {
        if let (Some(snapped), true) = (&self.next, self.entry.is_empty()) {
            snapped.overlay(out);
        }
        let closing = self.next_point().is_some_and(|p| self.closes(scene, p));
        draw_knots(scene, &self.knots, out);
        if let (Some(last), Some(next)) = (self.knots.last(), self.next_point()) {
            let to = if closing {
                self.knots[0]
            } else {
                Knot::corner(next)
            };
            let style = if closing {
                OverlayStyle::Ready
            } else {
                OverlayStyle::Draft
            };
            draw_piece(scene, last, &to, style, out);
        }
    }

    fn is_idle(&self) -> bool {
        self.knots.is_empty()
    }

    fn cancel(&mut self, _ctx: &mut ToolContext<'_>) -> Handled {
        self.trouble = None;
        if self.entry.clear() {
            return Handled::Yes;
        }
        let any = !self.knots.is_empty();
        self.knots.clear();
        Handled::from(any)
    }
}

fn draw_piece(scene: &Scene<'_>, from: &Knot, to: &Knot, style: OverlayStyle, out: &mut Overlay) {
    let mut line = vec![from.point];
    piece(from, to).flatten_into(scene.view.metres(0.3), &mut line);
    out.polyline(line, style);
}

fn draw_knots(scene: &Scene<'_>, knots: &[Knot], out: &mut Overlay) {
    for pair in knots.windows(2) {
        draw_piece(scene, &pair[0], &pair[1], OverlayStyle::Draft, out);
    }
    for knot in knots {
        out.handle(knot.point, HandleShape::Square, HandleState::Idle);
    }
    if let Some(last) = knots.last() {
        draw_arms(last, out);
    }
}

/// The handles of a knot, on their arms.
pub fn draw_arms(knot: &Knot, out: &mut Overlay) {
    for handle in [knot.handle_in, knot.handle_out] {
        if handle != DVec2::ZERO {
            out.line(knot.point, knot.point + handle, OverlayStyle::Arm);
            out.handle(knot.point + handle, HandleShape::Diamond, HandleState::Idle);
        }
    }
}

#[derive(Debug)]
struct PullHandles {
    before: Vec<Knot>,
    knot: Knot,
    closing: bool,
}

impl Gesture for PullHandles {
    fn update(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        let free = Modifiers {
            ctrl: pointer.modifiers.ctrl,
            ..Modifiers::NONE
        };
        let snapped = snapping::snap(&ctx.scene(), pointer.world, free, SnapScope::default()).point;
        let to = if pointer.modifiers.shift {
            in_steps(self.knot.point, pointer.world, snapped)
        } else {
            snapped
        };
        if !to.is_finite() {
            return;
        }
        // The difference of two decimals is seldom a short decimal.
        self.knot.handle_out = snapping::by_hand(to - self.knot.point);
        // Alt makes a cusp: only the outgoing handle moves.
        self.knot.handle_in = if pointer.modifiers.alt {
            DVec2::ZERO
        } else {
            -self.knot.handle_out + DVec2::ZERO
        };
    }

    fn commit(self: Box<Self>, _ctx: &mut ToolContext<'_>) -> Outcome {
        Outcome::Knot(self.knot)
    }

    fn cancel(self: Box<Self>, _ctx: &mut ToolContext<'_>) {}

    fn overlay(&self, scene: &Scene<'_>, out: &mut Overlay) {
        let mut knots = self.before.clone();
        knots.push(self.knot);
        draw_knots(scene, &knots, out);
    }

    fn hints(&self, _scene: &Scene<'_>) -> Option<Hints> {
        let lead = if self.closing {
            "Drag to bend the end of the loop"
        } else {
            "Drag to bend the curve"
        };
        Some(
            Hints::new(lead)
                .key("Alt", "one side only")
                .key("Shift", "15° steps"),
        )
    }

    fn hides_tool(&self) -> bool {
        true
    }
}
