//! The papers' experiments and the benchmarks: figures of ours beside theirs, in one shape.

pub mod constraints;
pub mod corridors;
pub mod crowds;
pub mod document;
pub mod exports;
mod figure;
pub mod frame;
pub mod live;
pub mod measure;
pub mod miran;
pub mod peers;
pub mod portal;
pub mod registry;
pub mod report;
pub mod scene;
pub mod trapezoids;
pub mod voronoi;
pub mod voxels;

pub use registry::{Experiment, Purpose};
pub use report::{Baseline, Better, Method, Printed, Report, Row};

#[derive(Debug, thiserror::Error)]
pub enum LabError {
    #[error("cancelled")]
    Cancelled(#[from] crate::jobs::Cancelled),
    #[error("the scene could not be made: {0}")]
    Scene(#[from] crate::document::ops::EditError),
    #[error("{0}")]
    Template(#[from] crate::document::template::TemplateError),
    #[error("{0}")]
    File(#[from] crate::document::format::disk::FileError),
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// What is to be measured cannot be had on this machine.
    #[error("{0}")]
    Unavailable(String),
}
