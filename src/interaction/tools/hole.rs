//! Draws a ring and cuts it out of the area that contains it.

use super::sketch_tool::{Purpose, SketchTool, outline_hints};
use crate::base::EntityId;
use crate::document::{Edit, Entity};
use crate::geometry::{
    Polygon, Rect, Ring,
    boolean::difference,
    crossing::{Overlap, contacts, overlap},
};
use crate::interaction::{
    context::ToolContext,
    hints::Hints,
    kind::ToolKind,
    overlay::OverlayStyle,
    pieces::{Fresh, replace_by_pieces, without_loose_ends},
    sketch::{Sketch, SketchForm},
    vertices,
};
use std::collections::BTreeMap;
use std::sync::Arc;

#[derive(Debug)]
pub struct DrawHole;

pub type HoleTool = SketchTool<DrawHole>;

impl Purpose for DrawHole {
    fn kind(&self) -> ToolKind {
        ToolKind::Hole
    }

    fn form(&self) -> SketchForm {
        SketchForm::Ring
    }

    fn style(&self) -> OverlayStyle {
        OverlayStyle::Erase
    }

    fn drag_spans_rectangle(&self) -> bool {
        true
    }

    fn complete(&mut self, ctx: &mut ToolContext<'_>, sketch: &mut Sketch) {
        let kept = sketch.clone();
        let Some(ring) = sketch.take_ring() else {
            return;
        };
        let ring = Polygon::new(ring);
        let Some(target) = target(ctx, &ring) else {
            *sketch = kept;
            sketch.refuse("there is no obstacle or region here; draw the hole inside one");
            return;
        };
        let edits = hole_edits(ctx, target, ring);
        match without_loose_ends(ctx.level(), edits, &BTreeMap::new()) {
            Ok(edits) => {
                if ctx.commit("Cut hole", edits) && ctx.level().contains(target) {
                    ctx.select_one(target);
                }
            }
            Err(refused) => ctx.say(refused.0),
        }
    }

    fn hints(&self, sketch: &Sketch) -> Hints {
        outline_hints(
            sketch,
            "Click the first corner of a hole, or drag a rectangle, inside an obstacle or region",
        )
    }
}

/// The area containing the ring: a selected one, else the topmost.
fn target(ctx: &ToolContext<'_>, ring: &Polygon) -> Option<EntityId> {
    let selection = ctx.selection();
    let order = ctx.level().order();
    ctx.picker
        .near(ring.bounds())
        .filter(|(id, entity)| ctx.picker.is_open(*id) && overlaps(entity, ring))
        .map(|(id, _)| id)
        .max_by_key(|id| (selection.contains(*id), order.index_of(id)))
}

fn overlaps(entity: &Entity, ring: &Polygon) -> bool {
    vertices::area(entity).is_some_and(|area| overlap(area, ring) == Overlap::Overlapping)
}

/// A ring well inside is added as drawn; one that meets an edge is subtracted.
fn hole_edits(ctx: &mut ToolContext<'_>, id: EntityId, ring: Polygon) -> Vec<Edit> {
    let level = Arc::clone(ctx.level());
    let Some((entity, area)) = level
        .get(id)
        .and_then(|entity| Some((entity, vertices::area(entity)?)))
    else {
        return Vec::new();
    };
    if lies_inside(area, &ring.outer) {
        let mut entity = (**entity).clone();
        if let Some(area) = vertices::area_mut(&mut entity) {
            // Holes have the opposite winding.
            area.holes.push(ring.outer.into_iter().rev().collect());
        }
        return vec![Edit::replace(id, entity)];
    }
    let pieces = difference(std::slice::from_ref(area), &[ring]);
    replace_by_pieces(ctx.host, &mut Fresh::default(), &level, id, pieces)
}

/// Inside, touching nothing, and not around an existing hole.
fn lies_inside(area: &Polygon, ring: &Ring) -> bool {
    let bounds = Rect::of_points(ring);
    let around_hole = area
        .holes
        .iter()
        .any(|hole| bounds.contains_rect(&Rect::of_points(hole)));
    if around_hole || !ring.iter().all(|p| area.contains(*p)) {
        return false;
    }
    let mut with_hole = area.clone();
    with_hole.holes.push(ring.clone());
    let new_ring = with_hole.holes.len();
    !contacts(&with_hole, usize::MAX)
        .iter()
        .any(|contact| contact.edges.iter().any(|edge| edge.ring == new_ring))
}
