//! Queues: a line from the counter backwards.

use super::sketch_tool::{Purpose, SketchTool};
use crate::document::{Kind, Queue};
use crate::interaction::{
    context::ToolContext,
    creation::Creation,
    hints::Hints,
    kind::ToolKind,
    sketch::{Sketch, SketchForm},
};

#[derive(Debug)]
pub struct DrawQueue;

pub type QueueTool = SketchTool<DrawQueue>;

impl Purpose for DrawQueue {
    fn kind(&self) -> ToolKind {
        ToolKind::Queue
    }

    fn form(&self) -> SketchForm {
        SketchForm::Line
    }

    fn complete(&mut self, ctx: &mut ToolContext<'_>, sketch: &mut Sketch) {
        if let Some(line) = sketch.take_line() {
            let queue = Queue {
                base: ctx.defaults.elevation,
                ..Queue::new(line)
            };
            let creation = Creation::named(ctx, "Queue");
            if ctx.commit("Draw queue", creation.edits(Kind::Queue(queue))) {
                ctx.select_one(creation.id);
            }
        }
    }

    fn hints(&self, sketch: &Sketch) -> Hints {
        match sketch.points().len() {
            0 => Hints::new("Click the counter, where people are served")
                .key("Ctrl", "no snapping")
                .key("10,20", "type a position"),
            1 => Hints::new("Click the next point of the line, away from the counter")
                .key("Shift", "15° steps")
                .key("12.5<30", "type a length and angle")
                .key("Backspace", "remove last point"),
            _ => Hints::new("Click the next point; right-click or Enter ends the queue")
                .key("Shift", "15° steps")
                .key("12.5<30", "type a length and angle")
                .key("Backspace", "remove last point")
                .key("Esc", "discard"),
        }
    }
}
