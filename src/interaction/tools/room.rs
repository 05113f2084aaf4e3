//! Rooms: a click on what walls enclose names it as an area, with a floor if one is chosen.

use crate::document::{Annotation, Edit, Kind, Level, Region, rooms::rooms};
use crate::geometry::Polygon;
use crate::interaction::{
    context::{Scene, ToolContext},
    creation::Creation,
    hints::Hints,
    input::Pointer,
    kind::ToolKind,
    overlay::{Overlay, OverlayStyle},
    tool::Tool,
};
use glam::DVec2;
use std::sync::Arc;

#[derive(Debug, Default)]
pub struct RoomTool {
    /// The rooms of a level, found once for it.
    found: Option<(Arc<Level>, Vec<Polygon>)>,
    /// Index of the room under the pointer.
    under: Option<usize>,
}

impl RoomTool {
    fn point_at(&mut self, level: &Arc<Level>, at: DVec2) {
        if !matches!(&self.found, Some((known, _)) if Arc::ptr_eq(known, level)) {
            self.found = Some((Arc::clone(level), rooms(level)));
        }
        self.under = self
            .found
            .iter()
            .flat_map(|(_, rooms)| rooms)
            .position(|room| room.contains(at));
    }

    fn room(&self) -> Option<&Polygon> {
        self.found.as_ref()?.1.get(self.under?)
    }
}

impl Tool for RoomTool {
    fn kind(&self) -> ToolKind {
        ToolKind::Room
    }

    fn hover(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        self.point_at(ctx.level(), pointer.world);
    }

    fn leave(&mut self) {
        self.under = None;
    }

    fn click(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        let level = Arc::clone(ctx.level());
        self.point_at(&level, pointer.world);
        let Some(area) = self.room().cloned() else {
            ctx.say("No walls enclose this place; draw a wall until it closes, then click inside.");
            return;
        };
        let size = area.area();
        let floor = ctx.defaults.room_floor.then(|| Creation::region(ctx));
        let named = Creation::named(ctx, "Room");
        let mut edits: Vec<Edit> = Vec::new();
        if let Some(floor) = floor
            && let Some(terrain) = floor.definition()
        {
            edits.extend(floor.edits(Kind::Region(Region {
                area: area.clone(),
                terrain,
            })));
        }
        edits.extend(named.edits(Kind::Annotation(Annotation::Area(area))));
        if ctx.commit("Name room", edits) {
            ctx.select_one(named.id);
            ctx.tell(format!("The room has {size:.1} m²; F2 renames it."));
        }
    }

    fn hints(&self, scene: &Scene<'_>) -> Hints {
        match self.room() {
            Some(_) if scene.defaults.room_floor => {
                Hints::new("Click to name the room and to lay a floor")
            }
            Some(_) => Hints::new("Click to name the room"),
            None => Hints::new("Point at a room: a place that walls enclose"),
        }
    }

    fn overlay(&self, _scene: &Scene<'_>, out: &mut Overlay) {
        if let Some(room) = self.room() {
            let size = format!("{:.1} m²", room.area());
            out.label(room.bounds().centre(), size, OverlayStyle::Ready);
            out.polygon(room.clone(), OverlayStyle::Ready);
        }
    }
}
