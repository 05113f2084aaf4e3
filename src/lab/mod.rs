//! The papers' experiments and the benchmarks: figures of ours beside theirs, in one shape.

pub mod document;
pub mod frame;
pub mod live;
pub mod measure;
pub mod report;
pub mod scene;

pub use report::{Baseline, Better, Report, Row};

use crate::jobs::JobContext;

/// A benchmark by its name.
#[derive(Clone, Copy, Debug)]
pub struct Bench {
    pub name: &'static str,
    pub about: &'static str,
    pub run: fn(&JobContext) -> Result<Report, LabError>,
}

#[derive(Debug, thiserror::Error)]
pub enum LabError {
    #[error("cancelled")]
    Cancelled(#[from] crate::jobs::Cancelled),
    #[error("the scene could not be made: {0}")]
    Scene(#[from] crate::document::ops::EditError),
    #[error("{0}")]
    File(#[from] crate::document::format::disk::FileError),
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// What is to be measured cannot be had on this machine.
    #[error("{0}")]
    Unavailable(String),
}

/// Every benchmark there is.
pub const BENCHES: &[Bench] = &[
    Bench {
        name: "document",
        about: "loading, saving, editing and undoing in a level of 100,000 vertices",
        run: document::run,
    },
    Bench {
        name: "frame",
        about: "the plan view's share of a frame while dragging, without the rasteriser",
        run: frame::run,
    },
    Bench {
        name: "live",
        about: "how long after a move of the pointer the new path is there",
        run: live::run,
    },
];
