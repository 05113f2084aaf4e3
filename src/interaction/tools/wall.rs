//! Walls drawn along their centre line.

use super::sketch_tool::{Purpose, SketchTool};
use crate::document::{Kind, Wall};
use crate::interaction::{
    context::{Scene, ToolContext},
    creation::Creation,
    defaults::ToolDefaults,
    hints::Hints,
    kind::ToolKind,
    overlay::Overlay,
    sketch::{Sketch, SketchForm},
};
use glam::DVec2;

#[derive(Debug)]
pub struct DrawWall;

pub type WallTool = SketchTool<DrawWall>;

fn wall(defaults: &ToolDefaults, line: Vec<DVec2>, closed: bool) -> Wall {
    Wall {
        closed,
        thickness: defaults.wall_thickness,
        base: defaults.elevation,
        height: defaults.obstacle_height,
        ..Wall::new(line)
    }
}

impl Purpose for DrawWall {
    fn kind(&self) -> ToolKind {
        ToolKind::Wall
    }

    fn form(&self) -> SketchForm {
        SketchForm::Line
    }

    fn ends_as_loop(&self) -> bool {
        true
    }

    /// One drag draws a room of four walls.
    fn drag_spans_rectangle(&self) -> bool {
        true
    }

    fn complete(&mut self, ctx: &mut ToolContext<'_>, sketch: &mut Sketch) {
        let closed = sketch.is_loop();
        let Some(mut line) = sketch.take_line() else {
            return;
        };
        if closed {
            line.pop();
        }
        let creation = Creation::named(ctx, "Wall");
        let kind = Kind::Wall(wall(ctx.defaults, line, closed));
        if ctx.commit("Draw wall", creation.edits(kind)) {
            ctx.select_one(creation.id);
        }
    }

    fn hints(&self, sketch: &Sketch) -> Hints {
        match sketch.points().len() {
            0 => Hints::new("Click where the wall begins, or drag a room of four walls")
                .key("Ctrl", "no snapping")
                .key("10,20", "type a position"),
            1 => Hints::new("Click the next corner")
                .key("Shift", "15° steps")
                .key("4.5<90", "type a length and angle")
                .key("Backspace", "remove last point"),
            _ => Hints::new(
                "Click the next corner; the first one closes a room, Enter ends the wall",
            )
            .key("Shift", "15° steps")
            .key("4.5<90", "type a length and angle")
            .key("Backspace", "remove last point")
            .key("Esc", "discard"),
        }
    }

    fn overlay(&self, scene: &Scene<'_>, sketch: &Sketch, out: &mut Overlay) {
        let mut line = sketch.points().to_vec();
        line.extend(sketch.next_point().filter(|_| !line.is_empty()));
        if line.len() >= 2 {
            for outline in wall(scene.defaults, line, false).body() {
                out.polygon(outline, self.style());
            }
        }
    }
}
