//! Drags the handles of a Bézier knot.

use super::vertices::draw_vertices;
use crate::document::{Edit, Entity, Knot};
use crate::interaction::{
    context::{Scene, ToolContext},
    hints::Hints,
    input::Pointer,
    overlay::Overlay,
    sketch::in_steps,
    snapping,
    tool::{Cursor, Gesture, Outcome},
    vertex_edits,
    vertices::{self, Part, VertexRef},
};
use glam::DVec2;
use std::collections::BTreeSet;
use std::sync::Arc;

/// How the opposite handle follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Opposite {
    /// Not at all: a cusp.
    Free,
    /// Keeps its length and stays collinear.
    InLine,
    /// Mirrors it: for handles pulled out of a corner.
    Mirrored,
}

#[derive(Debug)]
pub struct HandleDrag {
    entity: Arc<Entity>,
    vertex: VertexRef,
    knot: Knot,
    opposite: Opposite,
}

impl HandleDrag {
    /// Drags one handle.
    pub fn begin(ctx: &mut ToolContext<'_>, vertex: VertexRef) -> Option<Box<dyn Gesture>> {
        let knot = Self::knot(ctx, vertex)?;
        let (a, b) = (knot.handle_in, knot.handle_out);
        // Collinear to within a thousandth of their lengths, and pointing apart.
        let in_line = a.dot(b) < 0.0 && a.perp_dot(b).abs() <= 1e-3 * a.length() * b.length();
        let opposite = if in_line {
            Opposite::InLine
        } else {
            Opposite::Free
        };
        Self::start(ctx, vertex, knot, opposite)
    }

    /// Pulls both handles out of a knot.
    pub fn begin_pulling(ctx: &mut ToolContext<'_>, vertex: VertexRef) -> Option<Box<dyn Gesture>> {
        let knot = Self::knot(ctx, vertex)?;
        let handle = VertexRef {
            part: Part::HandleOut,
            ..vertex
        };
        Self::start(ctx, handle, knot, Opposite::Mirrored)
    }

    fn knot(ctx: &ToolContext<'_>, vertex: VertexRef) -> Option<Knot> {
        vertices::knot(ctx.level().get(vertex.entity)?, vertex)
    }

    fn start(
        ctx: &mut ToolContext<'_>,
        vertex: VertexRef,
        knot: Knot,
        opposite: Opposite,
    ) -> Option<Box<dyn Gesture>> {
        let entity = Arc::clone(ctx.level().get(vertex.entity)?);
        ctx.host.begin("Bend route");
        Some(Box::new(Self {
            entity,
            vertex,
            knot,
            opposite,
        }))
    }
}

impl Gesture for HandleDrag {
    fn update(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        let to = if pointer.modifiers.shift {
            in_steps(self.knot.point, pointer.world, pointer.world)
        } else {
            pointer.world
        };
        let handle = snapping::by_hand(to - self.knot.point);
        if !handle.is_finite() {
            return;
        }
        let mut knot = self.knot;
        let (own, other) = if self.vertex.part == Part::HandleIn {
            (&mut knot.handle_in, &mut knot.handle_out)
        } else {
            (&mut knot.handle_out, &mut knot.handle_in)
        };
        *own = handle;
        let opposite = match self.opposite {
            Opposite::InLine if pointer.modifiers.alt => Opposite::Free,
            opposite => opposite,
        };
        match (opposite, handle.try_normalize()) {
            (Opposite::InLine, Some(direction)) => {
                *other = snapping::by_hand(direction * -other.length());
            }
            (Opposite::Mirrored, _) => *other = -handle + DVec2::ZERO,
            _ => {}
        }
        let mut entity = (*self.entity).clone();
        vertex_edits::set_knot(&mut entity, self.vertex, knot);
        ctx.preview(vec![Edit::replace(self.vertex.entity, entity)]);
    }

    fn commit(self: Box<Self>, ctx: &mut ToolContext<'_>) -> Outcome {
        ctx.finish();
        Outcome::Vertices(BTreeSet::from([self.vertex]))
    }

    fn overlay(&self, scene: &Scene<'_>, out: &mut Overlay) {
        let selected = BTreeSet::from([self.vertex]);
        draw_vertices(scene, &selected, None, Some(self.knot.point), out);
    }

    fn hints(&self, _scene: &Scene<'_>) -> Option<Hints> {
        Some(
            Hints::new("Drag to bend the curve")
                .key("Shift", "15° steps")
                .key("Alt", "one side only")
                .key("Esc", "back"),
        )
    }

    fn cursor(&self) -> Option<Cursor> {
        Some(Cursor::Move)
    }

    fn hides_tool(&self) -> bool {
        true
    }
}
