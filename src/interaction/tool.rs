//! Tools: small state machines that turn pointer events into edits.

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

/// Whether an event was handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handled {
    Yes,
    /// Available to others: a context menu, an editor command.
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
/// The toolbox guarantees that exactly one of `commit` and `cancel` is called.
pub trait Gesture: Debug {
    fn update(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer);

    /// The button was released: commits the result.
    fn commit(self: Box<Self>, ctx: &mut ToolContext<'_>) -> Outcome {
        ctx.finish();
        Outcome::Done
    }

    /// Esc, focus loss or tool switch: restores the state before the drag.
    fn cancel(self: Box<Self>, ctx: &mut ToolContext<'_>) {
        ctx.host.cancel();
    }

    /// The numeric entry for exact values during the drag, if it supports one.
    fn entry(&mut self) -> Option<&mut NumericEntry> {
        None
    }

    /// The typed text has changed.
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

    /// Whether its overlay replaces the tool's own.
    fn hides_tool(&self) -> bool {
        false
    }
}

/// What a finished drag passes to its tool; edits are already in the document.
#[derive(Clone, Debug, Default)]
pub enum Outcome {
    #[default]
    Done,
    /// The sketch after the drag, and the effect of the release.
    Sketch(Sketch, Progress),
    /// The next knot of a curve.
    Knot(Knot),
    /// Vertices that the drag selected.
    Vertices(BTreeSet<VertexRef>),
    /// The entity created by the drag, for the tool to continue with.
    Created(EntityId),
    /// Where a brush stroke ended.
    Stroke(DVec2),
}

pub trait Tool: Debug {
    fn kind(&self) -> ToolKind;

    /// The pointer moved with no button down.
    fn hover(&mut self, _ctx: &mut ToolContext<'_>, _pointer: &Pointer) {}

    /// The pointer left the view.
    fn leave(&mut self) {}

    fn click(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer);

    /// Replaces the second click of a double click.
    fn double_click(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        self.click(ctx, pointer);
    }

    /// If not handled, the editor opens a context menu.
    fn secondary_click(&mut self, _ctx: &mut ToolContext<'_>, _pointer: &Pointer) -> Handled {
        Handled::No
    }

    /// The pointer was pressed at `pointer` and moved. `None` if the tool only handles clicks.
    fn begin_drag(
        &mut self,
        _ctx: &mut ToolContext<'_>,
        _pointer: &Pointer,
    ) -> Option<Box<dyn Gesture>> {
        None
    }

    /// A drag begun by this tool was committed.
    fn drag_ended(&mut self, _ctx: &mut ToolContext<'_>, _outcome: Outcome) {}

    /// Another tool requested by a click; returned once.
    fn take_request(&mut self) -> Option<ToolKind> {
        None
    }

    /// An entity just created whose text should be edited; returned once.
    fn take_to_write(&mut self) -> Option<EntityId> {
        None
    }

    fn key(&mut self, _ctx: &mut ToolContext<'_>, _key: Key, _modifiers: Modifiers) -> Handled {
        Handled::No
    }

    /// Typed characters; only handled while the tool accepts numbers.
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

    /// Nothing is in progress, so handles of the selection may take the next drag.
    fn is_idle(&self) -> bool {
        true
    }

    /// One stage of Esc; [`Handled::No`] if there is nothing to cancel. Called repeatedly when the
    /// tool is switched.
    fn cancel(&mut self, _ctx: &mut ToolContext<'_>) -> Handled {
        Handled::No
    }
}
