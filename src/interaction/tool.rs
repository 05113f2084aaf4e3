//! What a tool is: a small state machine that turns pointer events into edits.

use super::{
    context::{Scene, ToolContext},
    entry::NumericEntry,
    hints::Hints,
    input::{Key, Modifiers, Pointer},
    kind::ToolKind,
    overlay::Overlay,
    sketch::{Progress, Sketch},
    vertices::VertexRef,
};
use crate::base::EntityId;
use crate::document::Knot;
use glam::DVec2;
use std::collections::BTreeSet;
use std::fmt::Debug;

/// Whether an event meant something to whom it was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handled {
    Yes,
    /// Free for others: a context menu, a command of the editor.
    No,
}

impl From<bool> for Handled {
    fn from(yes: bool) -> Self {
        if yes { Self::Yes } else { Self::No }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Cursor {
    #[default]
    Arrow,
    Crosshair,
    /// Over something that a click selects.
    Pointing,
    Move,
    Rotate,
    ResizeHorizontal,
    ResizeVertical,
    /// Towards the lower left or the upper right.
    ResizeRising,
    /// Towards the upper left or the lower right.
    ResizeFalling,
    /// The tool draws its own outline: the brush.
    Hidden,
    NotAllowed,
}

/// A drag in progress; owns its transaction from the first update to the end.
///
/// The tool box sees to it that exactly one of `commit` and `cancel` is called.
pub trait Gesture: Debug {
    fn update(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer);

    /// The button was released: keeps the result.
    fn commit(self: Box<Self>, ctx: &mut ToolContext<'_>) -> Outcome;

    /// Esc, focus loss, tool switch: everything is as it was before the drag.
    fn cancel(self: Box<Self>, ctx: &mut ToolContext<'_>) {
        ctx.host.cancel();
    }

    /// Where exact lengths, angles or factors are typed during the drag, if it takes any.
    fn entry(&mut self) -> Option<&mut NumericEntry> {
        None
    }

    /// What was typed has changed.
    fn retyped(&mut self, _ctx: &mut ToolContext<'_>) {}

    /// Typed during the drag.
    fn text(&mut self, ctx: &mut ToolContext<'_>, text: &str) -> Handled {
        let taken = self.entry().is_some_and(|entry| entry.push(text));
        if taken {
            self.retyped(ctx);
        }
        Handled::from(taken)
    }

    fn key(&mut self, ctx: &mut ToolContext<'_>, key: Key, _modifiers: Modifiers) -> Handled {
        let erased = key == Key::Backspace && self.entry().is_some_and(NumericEntry::backspace);
        if erased {
            self.retyped(ctx);
        }
        Handled::from(erased)
    }

    fn overlay(&self, _scene: &Scene<'_>, _out: &mut Overlay) {}

    fn hints(&self, _scene: &Scene<'_>) -> Option<Hints> {
        None
    }

    fn cursor(&self) -> Option<Cursor> {
        None
    }

    /// Whether its overlay stands in for the tool's own.
    fn hides_tool(&self) -> bool {
        false
    }
}

/// What a finished drag leaves to its tool; edits went to the document already.
#[derive(Clone, Debug, Default)]
pub enum Outcome {
    #[default]
    Done,
    /// The sketch after the drag, and what the release came to.
    Sketch(Sketch, Progress),
    /// The next knot of a curve.
    Knot(Knot),
    /// Vertices that the drag selected.
    Vertices(BTreeSet<VertexRef>),
    /// What the drag made, for the tool to go on with.
    Created(EntityId),
    /// Where a stroke of the brush ended.
    Stroke(DVec2),
}

pub trait Tool: Debug {
    fn kind(&self) -> ToolKind;

    /// The pointer moves with no button down.
    fn hover(&mut self, _ctx: &mut ToolContext<'_>, _pointer: &Pointer) {}

    /// The pointer left the view.
    fn leave(&mut self) {}

    fn click(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer);

    /// In place of the second click of two.
    fn double_click(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        self.click(ctx, pointer);
    }

    /// When not handled, the editor opens a context menu.
    fn secondary_click(&mut self, _ctx: &mut ToolContext<'_>, _pointer: &Pointer) -> Handled {
        Handled::No
    }

    /// The pointer was pressed at `pointer` and moved away. `None`: a click is all there is.
    fn begin_drag(
        &mut self,
        _ctx: &mut ToolContext<'_>,
        _pointer: &Pointer,
    ) -> Option<Box<dyn Gesture>> {
        None
    }

    /// A drag begun by this tool was committed.
    fn drag_ended(&mut self, _ctx: &mut ToolContext<'_>, _outcome: Outcome) {}

    /// Another tool that a click asked for, once.
    fn take_request(&mut self) -> Option<ToolKind> {
        None
    }

    /// What a click made for the user to write on at once, once.
    fn take_to_write(&mut self) -> Option<EntityId> {
        None
    }

    fn key(&mut self, _ctx: &mut ToolContext<'_>, _key: Key, _modifiers: Modifiers) -> Handled {
        Handled::No
    }

    /// Typed characters; a tool takes them only while it has a use for numbers.
    fn text(&mut self, _ctx: &mut ToolContext<'_>, _text: &str) -> Handled {
        Handled::No
    }

    fn hints(&self, scene: &Scene<'_>) -> Hints;

    fn cursor(&self, _scene: &Scene<'_>) -> Cursor {
        Cursor::Crosshair
    }

    /// The entity to highlight under the pointer.
    fn hovered(&self) -> Option<EntityId> {
        None
    }

    fn overlay(&self, _scene: &Scene<'_>, _out: &mut Overlay) {}

    /// Nothing is begun: handles that belong to what is selected may take the next drag.
    fn is_idle(&self) -> bool {
        true
    }

    /// One stage of Esc; [`Handled::No`] when there is nothing to take back. Called until then
    /// when the tool is put away.
    fn cancel(&mut self, _ctx: &mut ToolContext<'_>) -> Handled {
        Handled::No
    }
}
