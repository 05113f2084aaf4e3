//! Navigation and editing in 3D, independent of the window.

pub mod camera;
pub mod drag;
pub mod floor;
pub mod gizmo;
pub mod manipulate;
pub mod picking;
pub mod selecting;

pub use camera::{Direction, Projection, SpaceCamera};
pub use drag::SpaceDrag;
pub use gizmo::{Gizmo, GizmoMode, Handle};
pub use manipulate::Manipulation;
pub use picking::{SpaceHit, SpacePicker};
