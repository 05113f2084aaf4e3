//! Levels from and to the formats of other programs.
//!
//! [`registry`] names every format once; [`import`] reads strangers' files safely, [`export`]
//! writes what other programs load.

pub mod bake;
pub mod export;
pub mod import;
pub mod meshes;
pub mod registry;
#[cfg(test)]
mod test_level;

pub use export::{ExportError, ExportOptions, Exported, export};
pub use import::{ImportError, ImportOptions, Imported, import};
pub use registry::{Format, Polygons};
