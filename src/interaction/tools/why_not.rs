//! Queries reachability of a point: can an agent get there, and if not, why? Changes nothing; the
//! editor, which knows the navigation data, answers.

use crate::interaction::{
    context::{Scene, ToolContext},
    hints::Hints,
    input::Pointer,
    kind::ToolKind,
    tool::{Cursor, Tool},
};

#[derive(Debug, Default)]
pub struct WhyNotTool;

impl Tool for WhyNotTool {
    fn kind(&self) -> ToolKind {
        ToolKind::WhyNot
    }

    fn hover(&mut self, _ctx: &mut ToolContext<'_>, _pointer: &Pointer) {}

    fn leave(&mut self) {}

    fn click(&mut self, _ctx: &mut ToolContext<'_>, _pointer: &Pointer) {}

    fn hints(&self, _scene: &Scene<'_>) -> Hints {
        Hints::new(
            "Point anywhere to see whether the selected agent can get there; click to keep the answer",
        )
    }

    fn cursor(&self, _scene: &Scene<'_>) -> Cursor {
        Cursor::Crosshair
    }
}
