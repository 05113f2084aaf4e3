//! Draws a segment of a sketch by dragging instead of two clicks.

use crate::interaction::{
    context::{Scene, ToolContext},
    hints::Hints,
    input::{Key, Modifiers, Pointer},
    overlay::{Overlay, OverlayStyle},
    sketch::{Progress, Sketch},
    tool::{Gesture, Handled, Outcome},
};

/// A shorter drag counts as a click. Unit: points.
const SHORTEST_PIECE: f64 = 8.0;

/// Works on a copy of the sketch, so that Esc restores the points before the drag.
#[derive(Debug)]
pub struct SketchDrag {
    sketch: Sketch,
    pressed: Pointer,
    released: Pointer,
    progress: Progress,
    style: OverlayStyle,
}

impl SketchDrag {
    pub fn begin(
        ctx: &ToolContext<'_>,
        sketch: &Sketch,
        pointer: &Pointer,
        style: OverlayStyle,
    ) -> Box<dyn Gesture> {
        let mut sketch = sketch.clone();
        let progress = sketch.click(&ctx.scene(), pointer);
        Box::new(Self {
            sketch,
            pressed: *pointer,
            released: *pointer,
            progress,
            style,
        })
    }
}

impl Gesture for SketchDrag {
    fn update(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        self.released = *pointer;
        self.sketch.hover(&ctx.scene(), pointer);
    }

    fn commit(mut self: Box<Self>, ctx: &mut ToolContext<'_>) -> Outcome {
        let far = self.pressed.screen.distance(self.released.screen) > SHORTEST_PIECE;
        if far && self.progress != Progress::Complete {
            self.progress = self.sketch.click(&ctx.scene(), &self.released);
        }
        Outcome::Sketch(self.sketch, self.progress)
    }

    fn cancel(self: Box<Self>, _ctx: &mut ToolContext<'_>) {}

    fn text(&mut self, _ctx: &mut ToolContext<'_>, text: &str) -> Handled {
        self.sketch.text(text)
    }

    fn key(&mut self, _ctx: &mut ToolContext<'_>, key: Key, _modifiers: Modifiers) -> Handled {
        Handled::from(key == Key::Backspace && self.sketch.erase_typed())
    }

    fn overlay(&self, scene: &Scene<'_>, out: &mut Overlay) {
        self.sketch.overlay(scene, self.style, out);
    }

    fn hints(&self, _scene: &Scene<'_>) -> Option<Hints> {
        let hints = Hints::new("Release to end the segment")
            .key("Shift", "15° steps")
            .key("0–9", "type a length");
        Some(self.sketch.hints(hints))
    }

    fn hides_tool(&self) -> bool {
        true
    }
}
