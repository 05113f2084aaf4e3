//! The state machine of every tool that places points one by one; a [`Purpose`] defines the result.

use super::{rectangle_drag::RectangleDrag, sketch_drag::SketchDrag};
use crate::interaction::{
    context::{Scene, ToolContext},
    hints::Hints,
    input::{Key, Modifiers, Pointer},
    kind::ToolKind,
    overlay::{Overlay, OverlayStyle},
    sketch::{Progress, Sketch, SketchForm},
    tool::{Gesture, Handled, Outcome, Tool},
};
use std::fmt::Debug;

pub trait Purpose: Debug {
    fn kind(&self) -> ToolKind;

    fn form(&self) -> SketchForm;

    fn style(&self) -> OverlayStyle {
        OverlayStyle::Draft
    }

    /// With so many points, the sketch is finished by itself.
    fn most_points(&self) -> usize {
        usize::MAX
    }

    /// Whether a line is finished as soon as it returns to its first point.
    fn ends_as_loop(&self) -> bool {
        false
    }

    /// Whether the first drag spans a rectangle instead of drawing the first segment.
    fn drag_spans_rectangle(&self) -> bool {
        false
    }

    /// The user finished the sketch: takes its points, or reports why not.
    fn complete(&mut self, ctx: &mut ToolContext<'_>, sketch: &mut Sketch);

    /// What to do next; the sketch adds the typed text and errors.
    fn hints(&self, sketch: &Sketch) -> Hints;

    /// What to draw in addition to the sketch.
    fn overlay(&self, _scene: &Scene<'_>, _sketch: &Sketch, _out: &mut Overlay) {}
}

#[derive(Debug)]
pub struct SketchTool<P> {
    purpose: P,
    sketch: Sketch,
}

impl<P: Purpose> SketchTool<P> {
    pub fn new(purpose: P) -> Self {
        let sketch = Sketch::new(purpose.form());
        Self { purpose, sketch }
    }

    fn advance(&mut self, ctx: &mut ToolContext<'_>, progress: Progress) {
        let is_full = self.sketch.points().len() >= self.purpose.most_points()
            || (self.purpose.ends_as_loop() && self.sketch.is_loop());
        if progress == Progress::Complete || is_full {
            self.purpose.complete(ctx, &mut self.sketch);
        }
    }
}

impl<P: Purpose> Tool for SketchTool<P> {
    fn kind(&self) -> ToolKind {
        self.purpose.kind()
    }

    fn hover(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        self.sketch.hover(&ctx.scene(), pointer);
    }

    fn leave(&mut self) {
        self.sketch.leave();
    }

    fn click(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        let progress = self.sketch.click(&ctx.scene(), pointer);
        self.advance(ctx, progress);
    }

    /// The first click has already placed its point.
    fn double_click(&mut self, ctx: &mut ToolContext<'_>, _pointer: &Pointer) {
        if self.sketch.points().len() >= self.sketch.fewest_points() {
            self.advance(ctx, Progress::Complete);
        }
    }

    fn secondary_click(&mut self, ctx: &mut ToolContext<'_>, _pointer: &Pointer) -> Handled {
        if self.sketch.is_empty() {
            return Handled::No;
        }
        self.advance(ctx, Progress::Complete);
        Handled::Yes
    }

    fn begin_drag(
        &mut self,
        ctx: &mut ToolContext<'_>,
        pointer: &Pointer,
    ) -> Option<Box<dyn Gesture>> {
        let style = self.purpose.style();
        if self.purpose.drag_spans_rectangle() && self.sketch.is_empty() {
            return Some(RectangleDrag::begin(ctx, &self.sketch, pointer, style));
        }
        Some(SketchDrag::begin(ctx, &self.sketch, pointer, style))
    }

    fn drag_ended(&mut self, ctx: &mut ToolContext<'_>, outcome: Outcome) {
        if let Outcome::Sketch(sketch, progress) = outcome {
            self.sketch = sketch;
            self.advance(ctx, progress);
        }
    }

    fn key(&mut self, ctx: &mut ToolContext<'_>, key: Key, _modifiers: Modifiers) -> Handled {
        match self.sketch.key(key) {
            Some(progress) => {
                self.advance(ctx, progress);
                Handled::Yes
            }
            None => Handled::No,
        }
    }

    fn text(&mut self, _ctx: &mut ToolContext<'_>, text: &str) -> Handled {
        self.sketch.text(text)
    }

    fn hints(&self, _scene: &Scene<'_>) -> Hints {
        self.sketch.hints(self.purpose.hints(&self.sketch))
    }

    fn overlay(&self, scene: &Scene<'_>, out: &mut Overlay) {
        self.sketch.overlay(scene, self.purpose.style(), out);
        self.purpose.overlay(scene, &self.sketch, out);
    }

    fn is_idle(&self) -> bool {
        self.sketch.is_empty()
    }

    fn cancel(&mut self, _ctx: &mut ToolContext<'_>) -> Handled {
        self.sketch.cancel()
    }
}

/// Hints while an outline is drawn.
#[must_use]
pub fn outline_hints(sketch: &Sketch, first: &'static str) -> Hints {
    match sketch.points().len() {
        0 => Hints::new(first)
            .key("Ctrl", "no snapping")
            .key("10,20", "type a position"),
        1 | 2 => Hints::new("Click the next corner")
            .key("Shift", "15° steps")
            .key("12.5<30", "type a length and angle")
            .key("Backspace", "remove last point"),
        _ => Hints::new("Click the first corner or press Enter to close")
            .key("Shift", "15° steps")
            .key("12.5<30", "type a length and angle")
            .key("Backspace", "remove last point")
            .key("Esc", "discard"),
    }
}
