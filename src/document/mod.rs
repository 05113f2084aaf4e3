//! The level as a document: model, edits, history, validation and file format.

pub mod annotation_area;
pub mod change_set;
pub mod door_states;
pub mod edit;
pub mod forbidding;
pub mod format;
pub mod goal_area;
pub mod history;
pub mod mesh_library;
pub mod model;
pub mod motion;
pub mod ops;
pub mod rooms;
pub mod route_line;
pub mod scene;
pub mod selection;
pub mod sentence;
pub mod session;
pub mod solid_mesh;
pub mod suggest;
pub mod template;
pub mod validate;
mod walls;
pub mod weight_preset;

pub use annotation_area::annotation_area;
pub use change_set::ChangeSet;
pub use edit::Edit;
pub use history::{Document, Revision};
pub use mesh_library::{MeshLibrary, MeshModel};
pub use model::*;
pub use route_line::route_line;
pub use scene::{SceneObject, scene};
pub use selection::Selection;
pub use session::Session;
pub use template::Template;
pub use weight_preset::WeightPreset;
