//! Doors: a click on a wall cuts it open; elsewhere a door is drawn from jamb to jamb.

use super::passage::{DrawSpan, PassageTool};
use crate::base::EntityId;
use crate::document::{Door, Kind, Wall};
use crate::geometry::Rect;
use crate::interaction::{
    context::{Scene, ToolContext},
    creation::Creation,
    hints::Hints,
    input::{Key, Modifiers, Pointer},
    kind::ToolKind,
    measures,
    overlay::{Overlay, OverlayStyle},
    picking::{PICK_RADIUS, Picker},
    tool::{Gesture, Handled, Outcome, Tool},
    view::View,
};
use glam::DVec2;

#[derive(Debug)]
pub struct DoorTool {
    drawn: PassageTool,
    /// The wall under the pointer, and where a click would put the jambs.
    in_wall: Option<(EntityId, [DVec2; 2])>,
}

impl Default for DoorTool {
    fn default() -> Self {
        Self {
            drawn: PassageTool::new(DrawSpan(ToolKind::Door)),
            in_wall: None,
        }
    }
}

/// The nearest wall that a point lies in, or so near that it is meant.
#[must_use]
pub fn wall_at<'a>(picker: &'a Picker, view: &View, at: DVec2) -> Option<(EntityId, &'a Wall)> {
    let reach = view.metres(PICK_RADIUS);
    picker
        .near(Rect::new(at, at).expanded(reach))
        .filter_map(|(id, entity)| match &entity.kind {
            Kind::Wall(wall) if picker.is_open(id) => {
                let (_, distance) = wall.nearest(at)?;
                (distance <= 0.5 * wall.thickness + reach).then_some((id, wall, distance))
            }
            _ => None,
        })
        .min_by(|a, b| a.2.total_cmp(&b.2))
        .map(|(id, wall, _)| (id, wall))
}

impl DoorTool {
    fn point_at(&mut self, ctx: &ToolContext<'_>, pointer: &Pointer) {
        let width = ctx.defaults.door_width;
        self.in_wall = wall_at(ctx.picker, &ctx.view, pointer.world)
            .filter(|_| self.drawn.is_idle())
            .and_then(|(id, wall)| {
                let (place, _) = wall.nearest(pointer.world)?;
                Some((id, wall.jambs(place, width)?))
            });
    }

    fn cut_open(&mut self, ctx: &mut ToolContext<'_>, wall: EntityId, jambs: [DVec2; 2]) {
        let creation = Creation::named(ctx, "Door");
        let base = match ctx.level().get(wall).map(|entity| &entity.kind) {
            Some(Kind::Wall(wall)) => wall.base,
            _ => ctx.defaults.elevation,
        };
        let door = Door {
            base,
            state: ctx.defaults.door,
            swing: ctx.defaults.swing,
            wall: Some(wall),
            ..Door::new(jambs[0], jambs[1])
        };
        if ctx.commit("Put door into wall", creation.edits(Kind::Door(door))) {
            ctx.select_one(creation.id);
        }
    }
}

impl Tool for DoorTool {
    fn kind(&self) -> ToolKind {
        ToolKind::Door
    }

    fn hover(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        self.point_at(ctx, pointer);
        self.drawn.hover(ctx, pointer);
    }

    fn leave(&mut self) {
        self.in_wall = None;
        self.drawn.leave();
    }

    fn click(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        self.point_at(ctx, pointer);
        match self.in_wall.take() {
            Some((wall, jambs)) => self.cut_open(ctx, wall, jambs),
            None => self.drawn.click(ctx, pointer),
        }
    }

    fn double_click(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        self.drawn.double_click(ctx, pointer);
    }

    fn secondary_click(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) -> Handled {
        self.drawn.secondary_click(ctx, pointer)
    }

    fn begin_drag(
        &mut self,
        ctx: &mut ToolContext<'_>,
        pointer: &Pointer,
    ) -> Option<Box<dyn Gesture>> {
        self.in_wall = None;
        self.drawn.begin_drag(ctx, pointer)
    }

    fn drag_ended(&mut self, ctx: &mut ToolContext<'_>, outcome: Outcome) {
        self.drawn.drag_ended(ctx, outcome);
    }

    fn key(&mut self, ctx: &mut ToolContext<'_>, key: Key, modifiers: Modifiers) -> Handled {
        self.drawn.key(ctx, key, modifiers)
    }

    fn text(&mut self, ctx: &mut ToolContext<'_>, text: &str) -> Handled {
        self.drawn.text(ctx, text)
    }

    fn hints(&self, scene: &Scene<'_>) -> Hints {
        if self.in_wall.is_some() {
            Hints::new("Click to put a door into the wall, or drag from jamb to jamb")
        } else {
            self.drawn.hints(scene)
        }
    }

    fn overlay(&self, scene: &Scene<'_>, out: &mut Overlay) {
        match self.in_wall {
            Some((_, [from, to])) => {
                out.polyline(vec![from, to], OverlayStyle::Ready);
                measures::label_piece(from, to, OverlayStyle::Ready, out);
            }
            None => self.drawn.overlay(scene, out),
        }
    }

    fn is_idle(&self) -> bool {
        self.drawn.is_idle()
    }

    fn cancel(&mut self, ctx: &mut ToolContext<'_>) -> Handled {
        self.drawn.cancel(ctx)
    }
}
