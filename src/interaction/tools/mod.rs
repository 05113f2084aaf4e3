//! The tools, one file each.

use super::{
    context::{Scene, ToolContext},
    hints::Hints,
    input::Pointer,
    kind::ToolKind,
    tool::Tool,
};

/// A fresh tool of a kind.
#[must_use]
pub fn construct(kind: ToolKind) -> Box<dyn Tool> {
    Box::new(Still(kind))
}

#[derive(Debug)]
struct Still(ToolKind);

impl Tool for Still {
    fn kind(&self) -> ToolKind {
        self.0
    }

    fn click(&mut self, _ctx: &mut ToolContext<'_>, _pointer: &Pointer) {}

    fn hints(&self, _scene: &Scene<'_>) -> Hints {
        Hints::new(self.0.help())
    }
}
