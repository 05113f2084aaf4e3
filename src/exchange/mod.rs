//! Levels from and to the formats of other programs.
//!
//! [`registry`] has a row for every format; [`import`] reads foreign files safely, [`export`]
//! writes what other programs load, [`bake`] navigation data for engines. [`options`] describes what
//! can be chosen for each.

pub mod bake;
pub mod export;
pub mod import;
pub mod meshes;
pub mod motion;
mod native;
pub mod nav_mesh;
pub mod options;
pub mod people;
mod polygons;
pub mod presets;
pub mod reader;
pub mod registry;
mod row;
pub mod sink;
pub mod sniff;
#[cfg(test)]
mod test_level;
pub mod writer;

pub use export::{ExportError, Exported, LeftOut, export, export_to};
pub use import::{ImportError, ImportRequest, Imported, import};
pub use options::Options;
pub use polygons::Polygons;
pub use reader::{ImportInput, Reader};
pub use registry::FormatRow;
pub use sink::{ExportSink, MemorySink, Target};
pub use writer::{ExportInput, Writer};
