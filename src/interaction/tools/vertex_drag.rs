//! Moves vertices.

use super::vertices::{by_entity, draw_vertices};
use crate::base::EntityId;
use crate::document::{Edit, Entity};
use crate::geometry::crossing::first_crossing;
use crate::interaction::{
    context::{Scene, ToolContext},
    entry::{NumericEntry, Typed},
    hints::Hints,
    input::Pointer,
    measures,
    overlay::{Overlay, OverlayStyle},
    snapping::{self, SnapScope, Snapped},
    tool::{Cursor, Gesture, Outcome},
    vertex_edits,
    vertices::{self, Part, PointName, VertexRef},
};
use glam::DVec2;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Longer outlines are not checked for crossings during a drag.
const CHECKED_CORNERS: usize = 4000;

#[derive(Debug)]
pub struct VertexDrag {
    /// The original entities, with the points that move.
    things: Vec<(EntityId, Arc<Entity>, BTreeSet<VertexRef>)>,
    selected: BTreeSet<VertexRef>,
    exclude: BTreeSet<EntityId>,
    /// Points of these entities that stay.
    fixed: Vec<DVec2>,
    /// Original position of the grabbed point.
    origin: DVec2,
    grabbed_at: DVec2,
    pointer: Pointer,
    snapped: Snapped,
    shift: DVec2,
    entry: NumericEntry,
    crossing: Option<DVec2>,
    /// Name of the grabbed point.
    name: PointName,
}

impl VertexDrag {
    pub fn begin(
        ctx: &mut ToolContext<'_>,
        pointer: &Pointer,
        grabbed: VertexRef,
        selected: &BTreeSet<VertexRef>,
    ) -> Option<Box<dyn Gesture>> {
        let level = Arc::clone(ctx.level());
        let entity = level.get(grabbed.entity)?;
        let origin = vertices::position(entity, grabbed)?;
        let name = PointName::of(entity, grabbed);
        // Handles move with their knots; on their own they are bent, not moved.
        let points: BTreeSet<VertexRef> = selected
            .iter()
            .copied()
            .filter(|vertex| vertex.part == Part::Point)
            .collect();
        let things: Vec<_> = by_entity(&points)
            .into_iter()
            .filter_map(|(id, moved)| Some((id, Arc::clone(level.get(id)?), moved)))
            .collect();
        let fixed = things
            .iter()
            .flat_map(|(id, entity, moved)| {
                vertices::vertices(*id, entity)
                    .into_iter()
                    .filter(|(v, _)| v.part == Part::Point && !moved.contains(v))
            })
            .map(|(_, place)| place)
            .collect();
        ctx.host.begin(match name {
            PointName::Vertex => "Move vertices",
            PointName::Start => "Move start",
            PointName::Goal => "Move goal",
        });
        Some(Box::new(Self {
            exclude: things.iter().map(|(id, ..)| *id).collect(),
            things,
            selected: selected.clone(),
            fixed,
            origin,
            grabbed_at: pointer.world,
            pointer: *pointer,
            snapped: Snapped::free(origin),
            shift: DVec2::ZERO,
            entry: NumericEntry::new(),
            crossing: None,
            name,
        }))
    }

    fn moved(&self, shift: DVec2) -> Vec<(EntityId, Entity)> {
        self.things
            .iter()
            .map(|(id, entity, moved)| {
                let mut copy = (**entity).clone();
                for vertex in moved {
                    if let Some(place) = vertices::position(entity, *vertex) {
                        vertex_edits::set(&mut copy, *vertex, place + shift);
                    }
                }
                (*id, copy)
            })
            .collect()
    }

    fn show(&mut self, ctx: &mut ToolContext<'_>) {
        let offset = self.pointer.world - self.grabbed_at;
        let on_axis = |v: DVec2| {
            if !self.pointer.modifiers.shift {
                v
            } else if offset.x.abs() >= offset.y.abs() {
                DVec2::new(v.x, 0.0)
            } else {
                DVec2::new(0.0, v.y)
            }
        };
        let scope = SnapScope {
            exclude: Some(&self.exclude),
            own: &self.fixed,
            body: self.name != PointName::Vertex,
        };
        let wanted = self.origin + on_axis(offset);
        let snapped = snapping::snap(&ctx.scene(), wanted, self.pointer.modifiers, scope);
        let shift = match self.entry.typed() {
            Ok(None) => on_axis(snapped.point - self.origin),
            Ok(Some(Typed::Number(length))) => {
                on_axis(offset).try_normalize().unwrap_or(DVec2::X) * length
            }
            Ok(Some(Typed::Relative(shift))) => shift,
            Ok(Some(Typed::Polar { length, degrees })) => {
                DVec2::from_angle(degrees.to_radians()) * length
            }
            Ok(Some(Typed::Absolute(place))) => place - self.origin,
            Err(_) => return,
        };
        self.snapped = snapped;
        let moved = self.moved(shift);
        let crossing = moved.iter().find_map(|(_, entity)| {
            let area = vertices::area(entity)?;
            let short = area.vertex_count() <= CHECKED_CORNERS;
            first_crossing(area).filter(|_| short).map(|c| c.at)
        });
        let edits = moved
            .into_iter()
            .map(|(id, entity)| Edit::replace(id, entity))
            .collect();
        if ctx.preview(edits) {
            self.shift = shift;
            self.crossing = crossing;
        }
    }
}

impl Gesture for VertexDrag {
    fn update(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        if pointer.world.is_finite() {
            self.pointer = *pointer;
            self.show(ctx);
        }
    }

    /// A corner dropped on its neighbour is merged with it.
    fn commit(self: Box<Self>, ctx: &mut ToolContext<'_>) -> Outcome {
        if self.shift == DVec2::ZERO {
            ctx.host.cancel();
            return Outcome::Vertices(self.selected);
        }
        let mut merged = false;
        let edits = self
            .moved(self.shift)
            .into_iter()
            .map(|(id, mut entity)| {
                let before = entity.vertex_count();
                vertex_edits::merge_repeated(&mut entity);
                merged |= entity.vertex_count() != before;
                Edit::replace(id, entity)
            })
            .collect();
        ctx.preview(edits);
        ctx.finish();
        Outcome::Vertices(if merged {
            BTreeSet::new()
        } else {
            self.selected
        })
    }

    fn entry(&mut self) -> Option<&mut NumericEntry> {
        Some(&mut self.entry)
    }

    fn retyped(&mut self, ctx: &mut ToolContext<'_>) {
        self.show(ctx);
    }

    fn overlay(&self, scene: &Scene<'_>, out: &mut Overlay) {
        if self.entry.is_empty() {
            self.snapped.overlay(out);
        }
        if self.crossing.is_some() {
            for area in self
                .things
                .iter()
                .filter_map(|(id, ..)| vertices::area(scene.level().get(*id)?))
            {
                out.polygon(area.clone(), OverlayStyle::Invalid);
            }
        }
        draw_vertices(scene, &self.selected, None, Some(self.pointer.world), out);
        let to = self.origin + self.shift;
        out.line(self.origin, to, OverlayStyle::Guide);
        if self.shift != DVec2::ZERO {
            let text = format!(
                "{:.2}, {:.2} · {}",
                to.x,
                to.y,
                measures::length(self.shift.length())
            );
            out.label(to, text, OverlayStyle::Guide);
        }
    }

    fn hints(&self, _scene: &Scene<'_>) -> Option<Hints> {
        let crossing = self.crossing.map(|at| {
            format!(
                "the outline crosses itself near {:.2}, {:.2}; drag the corner back over the edge",
                at.x, at.y
            )
        });
        Some(
            Hints::new(format!("Release to place the {}", self.name))
                .key("Shift", "one axis")
                .key("Ctrl", "toggle snapping")
                .key("10,20", "type a position")
                .key("Esc", "back")
                .entry(self.entry.text())
                .trouble(crossing),
        )
    }

    fn cursor(&self) -> Option<Cursor> {
        Some(Cursor::Move)
    }

    fn hides_tool(&self) -> bool {
        true
    }
}
