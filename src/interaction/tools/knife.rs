//! A straight cut across shapes: each piece becomes a separate entity.

use crate::base::EntityId;
use crate::document::{Edit, Entity, Kind, RouteShape};
use crate::geometry::{
    Rect,
    boolean::split,
    predicates::{Meeting, meeting},
};
use crate::interaction::{
    context::{Scene, ToolContext},
    hints::Hints,
    input::Pointer,
    kind::ToolKind,
    measures,
    naming::{fresh_name, stem_of},
    overlay::{Overlay, OverlayStyle},
    pieces::{Fresh, create_above, replace_by_pieces},
    sketch::in_steps,
    snapping::{self, SnapScope, Snapped},
    tool::{Gesture, Handled, Outcome, Tool},
    vertices,
};
use glam::DVec2;
use std::sync::Arc;

/// Cuts the selection, or everything the line crosses if nothing is selected.
#[derive(Debug, Default)]
pub struct KnifeTool {
    from: Option<DVec2>,
    next: Option<Snapped>,
}

impl Tool for KnifeTool {
    fn kind(&self) -> ToolKind {
        ToolKind::Knife
    }

    fn hover(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        self.next = Some(place(&ctx.scene(), self.from, pointer));
    }

    fn leave(&mut self) {
        self.next = None;
    }

    fn click(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        let at = place(&ctx.scene(), self.from, pointer).point;
        match self.from.take() {
            None => self.from = Some(at),
            Some(from) => cut(ctx, from, at),
        }
    }

    fn secondary_click(&mut self, _ctx: &mut ToolContext<'_>, _pointer: &Pointer) -> Handled {
        Handled::from(self.from.take().is_some())
    }

    fn begin_drag(
        &mut self,
        ctx: &mut ToolContext<'_>,
        pointer: &Pointer,
    ) -> Option<Box<dyn Gesture>> {
        let from = self
            .from
            .unwrap_or_else(|| place(&ctx.scene(), None, pointer).point);
        Some(Box::new(Cut {
            from,
            to: Snapped::free(from),
        }))
    }

    fn drag_ended(&mut self, _ctx: &mut ToolContext<'_>, _outcome: Outcome) {
        self.from = None;
    }

    fn hints(&self, scene: &Scene<'_>) -> Hints {
        let what = if self.from.is_some() {
            "Click the end of the cut, beyond the far side"
        } else if scene.selection().is_empty() {
            "Drag a line right across the shapes to split"
        } else {
            "Drag a line right across the selection to split it"
        };
        Hints::new(what)
            .key("Shift", "15° steps")
            .key("Ctrl", "no snapping")
    }

    fn overlay(&self, _scene: &Scene<'_>, out: &mut Overlay) {
        if let Some(snapped) = &self.next {
            snapped.overlay(out);
            if let Some(from) = self.from {
                draw(from, snapped.point, out);
            }
        }
    }

    fn cancel(&mut self, _ctx: &mut ToolContext<'_>) -> Handled {
        Handled::from(self.from.take().is_some())
    }
}

fn place(scene: &Scene<'_>, from: Option<DVec2>, pointer: &Pointer) -> Snapped {
    let scope = SnapScope {
        own: from.as_slice(),
        ..SnapScope::default()
    };
    let snapped = snapping::snap(scene, pointer.world, pointer.modifiers, scope);
    match from {
        Some(from) if pointer.modifiers.shift => {
            Snapped::free(in_steps(from, pointer.world, snapped.point))
        }
        _ => snapped,
    }
}

fn draw(from: DVec2, to: DVec2, out: &mut Overlay) {
    out.line(from, to, OverlayStyle::Knife);
    measures::label_piece(from, to, OverlayStyle::Knife, out);
}

#[derive(Debug)]
struct Cut {
    from: DVec2,
    to: Snapped,
}

impl Gesture for Cut {
    fn update(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        self.to = place(&ctx.scene(), Some(self.from), pointer);
    }

    fn commit(self: Box<Self>, ctx: &mut ToolContext<'_>) -> Outcome {
        cut(ctx, self.from, self.to.point);
        Outcome::Done
    }

    fn cancel(self: Box<Self>, _ctx: &mut ToolContext<'_>) {}

    fn overlay(&self, _scene: &Scene<'_>, out: &mut Overlay) {
        self.to.overlay(out);
        draw(self.from, self.to.point, out);
    }

    fn hides_tool(&self) -> bool {
        true
    }
}

fn cut(ctx: &mut ToolContext<'_>, from: DVec2, to: DVec2) {
    if from == to {
        return;
    }
    let level = Arc::clone(ctx.level());
    let selection = ctx.selection().clone();
    let mut targets: Vec<EntityId> = ctx
        .picker
        .near(Rect::spanning(from, to))
        .map(|(id, _)| id)
        .filter(|id| ctx.picker.is_open(*id))
        .filter(|id| selection.is_empty() || selection.contains(*id))
        .collect();
    targets.sort_unstable();
    let mut fresh = Fresh::default();
    let mut edits = Vec::new();
    let mut after = Vec::new();
    for id in targets {
        let Some(entity) = level.get(id) else {
            continue;
        };
        let made = match vertices::area(entity) {
            Some(area) => {
                let pieces = split(area, &[from, to]);
                if pieces.len() < 2 {
                    continue;
                }
                replace_by_pieces(ctx.host, &mut fresh, &level, id, pieces)
            }
            None => split_route(ctx, id, entity, from, to),
        };
        after.extend(made.iter().filter_map(|edit| match edit {
            Edit::Create { id, .. } | Edit::Replace { id, .. } => Some(*id),
            _ => None,
        }));
        edits.extend(made);
    }
    if edits.is_empty() {
        ctx.say("The line splits nothing; it must cross a shape completely.");
    } else if ctx.commit("Split", edits) {
        ctx.host.select(after.into_iter().collect());
    }
}

/// Splits an open polyline at its first crossing with the knife.
fn split_route(
    ctx: &mut ToolContext<'_>,
    id: EntityId,
    entity: &Entity,
    from: DVec2,
    to: DVec2,
) -> Vec<Edit> {
    let Kind::Route(route) = &entity.kind else {
        return Vec::new();
    };
    let (RouteShape::Polyline(points), false) = (&route.shape, route.closed) else {
        return Vec::new();
    };
    let place = points.windows(2).enumerate().find_map(|(i, pair)| {
        match meeting(pair[0], pair[1], from, to) {
            Meeting::Crossing(at) | Meeting::Touching(at) => Some((i, at)),
            Meeting::Apart | Meeting::Overlapping(..) => None,
        }
    });
    let Some((i, at)) = place else {
        return Vec::new();
    };
    let first: Vec<DVec2> = deduplicated(points[..=i].iter().copied().chain([at]));
    let second: Vec<DVec2> = deduplicated([at].into_iter().chain(points[i + 1..].iter().copied()));
    if first.len() < 2 || second.len() < 2 {
        return Vec::new();
    }
    let with = |points: Vec<DVec2>| {
        let mut entity = entity.clone();
        if let Kind::Route(route) = &mut entity.kind {
            route.shape = RouteShape::Polyline(points);
        }
        entity
    };
    let mut rest = with(second);
    rest.name = fresh_name(ctx.level(), stem_of(&entity.label(id)));
    let new = ctx.host.allocate_id();
    vec![
        Edit::replace(id, with(first)),
        create_above(ctx.level(), id, new, rest),
    ]
}

fn deduplicated(points: impl Iterator<Item = DVec2>) -> Vec<DVec2> {
    let mut points: Vec<DVec2> = points.collect();
    points.dedup();
    points
}
