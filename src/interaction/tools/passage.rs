//! Doors, links and measuring lines: drawn from one end to the other.

use super::door::wall_at;
use super::sketch_tool::{Purpose, SketchTool};
use crate::document::{Door, Kind, Link, Measure};
use crate::interaction::{
    context::{Scene, ToolContext},
    creation::{Creation, standing},
    hints::Hints,
    kind::ToolKind,
    measures,
    overlay::Overlay,
    sketch::{Sketch, SketchForm},
};

/// [`ToolKind::Door`], [`ToolKind::Link`] or [`ToolKind::MeasuringLine`].
#[derive(Debug)]
pub struct DrawSpan(pub ToolKind);

pub type PassageTool = SketchTool<DrawSpan>;

impl Purpose for DrawSpan {
    fn kind(&self) -> ToolKind {
        self.0
    }

    fn form(&self) -> SketchForm {
        SketchForm::Line
    }

    fn most_points(&self) -> usize {
        2
    }

    fn complete(&mut self, ctx: &mut ToolContext<'_>, sketch: &mut Sketch) {
        let Some(points) = sketch.take_line() else {
            return;
        };
        let [from, to] = points[..] else {
            return;
        };
        let (stem, label) = match self.0 {
            ToolKind::Door => ("Door", "Draw door"),
            ToolKind::Link => (ctx.defaults.link.name(), "Draw link"),
            _ => ("Line", "Draw measuring line"),
        };
        let kind = match self.0 {
            ToolKind::Door => Kind::Door(Door {
                wall: wall_at(ctx.picker, &ctx.view, from.midpoint(to)).map(|(id, _)| id),
                base: ctx.defaults.elevation,
                state: ctx.defaults.door,
                swing: ctx.defaults.swing,
                ..Door::new(from, to)
            }),
            ToolKind::Link => Kind::Link(Link::new(
                ctx.defaults.link,
                standing(ctx, from),
                standing(ctx, to),
            )),
            _ => Kind::Measure(Measure {
                base: ctx.defaults.elevation,
                ..Measure::line(from, to)
            }),
        };
        let creation = Creation::named(ctx, stem);
        if ctx.commit(label, creation.edits(kind)) {
            ctx.select_one(creation.id);
        }
    }

    fn hints(&self, sketch: &Sketch) -> Hints {
        let (first, second) = match self.0 {
            ToolKind::Door => (
                "Click a wall to put a door into it, or drag from jamb to jamb",
                "Click the other jamb",
            ),
            ToolKind::Link => (
                "Click where the link begins, or drag to where it ends",
                "Click where the link ends",
            ),
            _ => (
                "Click one end of the measuring line, or drag to the other",
                "Click the other end",
            ),
        };
        if sketch.is_empty() {
            Hints::new(first)
                .key("Ctrl", "no snapping")
                .key("10,20", "type a position")
        } else {
            Hints::new(second)
                .key("Shift", "15° steps")
                .key("1.2<90", "type a width and angle")
                .key("Esc", "discard")
        }
    }

    fn overlay(&self, _scene: &Scene<'_>, sketch: &Sketch, out: &mut Overlay) {
        if let ([from], Some(to)) = (sketch.points(), sketch.next_point()) {
            measures::label_piece(*from, to, self.style(), out);
        }
    }
}
