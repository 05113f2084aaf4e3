//! Notes pinned to a position.

use crate::base::EntityId;
use crate::document::{Kind, Note};
use crate::interaction::{
    context::{Scene, ToolContext},
    creation::Creation,
    hints::Hints,
    input::Pointer,
    kind::ToolKind,
    overlay::Overlay,
    snapping::{self, SnapScope, Snapped},
    tool::Tool,
};

#[derive(Debug, Default)]
pub struct NoteTool {
    next: Option<Snapped>,
    /// Just created and still empty.
    to_write: Option<EntityId>,
}

impl Tool for NoteTool {
    fn kind(&self) -> ToolKind {
        ToolKind::Note
    }

    fn hover(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        self.next = Some(place(&ctx.scene(), pointer));
    }

    fn leave(&mut self) {
        self.next = None;
    }

    fn click(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        let at = place(&ctx.scene(), pointer).point;
        let creation = Creation::named(ctx, "Note");
        let note = Note {
            at,
            text: String::new(),
        };
        if ctx.commit("Add note", creation.edits(Kind::Note(note))) {
            ctx.select_one(creation.id);
            self.to_write = Some(creation.id);
        }
    }

    /// The first click has already created the note.
    fn double_click(&mut self, _ctx: &mut ToolContext<'_>, _pointer: &Pointer) {}

    fn take_to_write(&mut self) -> Option<EntityId> {
        self.to_write.take()
    }

    fn hints(&self, _scene: &Scene<'_>) -> Hints {
        Hints::new("Click to place a note, then write it").key("Ctrl", "no snapping")
    }

    fn overlay(&self, _scene: &Scene<'_>, out: &mut Overlay) {
        if let Some(snapped) = &self.next {
            snapped.overlay(out);
        }
    }
}

fn place(scene: &Scene<'_>, pointer: &Pointer) -> Snapped {
    snapping::snap(
        scene,
        pointer.world,
        pointer.modifiers,
        SnapScope::default(),
    )
}
