//! Selects several vertices at once.

use super::{
    selecting::{marquee_hints, marquee_of, marquee_style},
    vertices::draw_vertices,
};
use crate::geometry::Rect;
use crate::interaction::{
    context::{Scene, ToolContext},
    hints::Hints,
    input::Pointer,
    overlay::Overlay,
    tool::{Gesture, Outcome},
    vertices::{self, Part, VertexRef},
};
use glam::DVec2;
use std::collections::BTreeSet;

/// Selects the vertices inside a rectangle.
#[derive(Debug)]
pub struct VertexMarquee {
    before: BTreeSet<VertexRef>,
    selected: BTreeSet<VertexRef>,
    from: DVec2,
    to: DVec2,
}

impl VertexMarquee {
    pub fn begin(pointer: &Pointer, before: BTreeSet<VertexRef>) -> Box<dyn Gesture> {
        Box::new(Self {
            selected: before.clone(),
            before,
            from: pointer.world,
            to: pointer.world,
        })
    }
}

impl Gesture for VertexMarquee {
    fn update(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        self.to = pointer.world;
        let rect = Rect::spanning(self.from, self.to);
        let level = ctx.level();
        let inside = ctx
            .selection()
            .iter()
            .filter(|id| level.is_visible(*id) && !level.is_locked(*id))
            .filter_map(|id| Some((id, level.get(id)?)))
            .flat_map(|(id, entity)| vertices::vertices(id, entity))
            .filter(|(vertex, place)| vertex.part == Part::Point && rect.contains(*place))
            .map(|(vertex, _)| vertex);
        self.selected = if pointer.modifiers.shift {
            self.before.iter().copied().chain(inside).collect()
        } else if pointer.modifiers.ctrl {
            let gone: BTreeSet<VertexRef> = inside.collect();
            self.before.difference(&gone).copied().collect()
        } else {
            inside.collect()
        };
    }

    fn commit(self: Box<Self>, _ctx: &mut ToolContext<'_>) -> Outcome {
        Outcome::Vertices(self.selected)
    }

    fn cancel(self: Box<Self>, _ctx: &mut ToolContext<'_>) {}

    fn overlay(&self, scene: &Scene<'_>, out: &mut Overlay) {
        let style = marquee_style(marquee_of(self.from, self.to));
        out.rect(Rect::spanning(self.from, self.to), style);
        draw_vertices(scene, &self.selected, None, Some(self.to), out);
    }

    fn hints(&self, _scene: &Scene<'_>) -> Option<Hints> {
        let mut hints = marquee_hints(marquee_of(self.from, self.to));
        hints.lead = format!("{} vertices selected", self.selected.len()).into();
        Some(hints)
    }

    fn hides_tool(&self) -> bool {
        true
    }
}
