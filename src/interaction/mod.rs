//! Tools and gestures, independent of the window: pointer events in, edits out.
//!
//! The window passes every [`Event`] to the [`Toolbox`], which holds the current tool and runs its
//! drags against a [`Host`]; the window draws the resulting [`Overlay`] and shows the [`Hints`].

pub mod camera;
pub mod clipboard;
pub mod context;
pub mod creation;
pub mod defaults;
pub mod entry;
pub mod furniture;
pub mod hints;
pub mod host;
pub mod input;
pub mod kind;
pub mod measures;
pub mod naming;
pub mod operations;
pub mod outline;
pub mod overlay;
pub mod picking;
pub mod pieces;
pub mod sculpt;
pub mod sketch;
pub mod snapping;
pub mod space;
pub mod terrain_paint;
pub mod tool;
pub mod toolbox;
pub mod tools;
pub mod transform;
pub mod vertex_edits;
pub mod vertices;
pub mod view;

pub use crate::document::RelationKind;
pub use camera::Camera;
pub use clipboard::Clipboard;
pub use context::{Scene, ToolContext};
pub use defaults::{AreaKind, ToolDefaults};
pub use furniture::Furniture;
pub use hints::Hints;
pub use host::{Host, Refused};
pub use input::{Event, Key, Modifiers, Pointer};
pub use kind::{Shortcut, ToolGroup, ToolKind};
pub use overlay::{
    HandleShape, HandleState, LabelPlace, Overlay, OverlayStyle, Primitive, SnapMark,
};
pub use picking::Picker;
pub use sculpt::Sculpt;
pub use tool::{Cursor, Gesture, Handled, Outcome, Tool};
pub use toolbox::Toolbox;
pub use view::View;
