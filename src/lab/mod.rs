//! The papers' experiments and the benchmarks: figures of ours beside theirs, in one shape.

pub mod corridors;
pub mod document;
pub mod frame;
pub mod live;
pub mod measure;
pub mod miran;
pub mod portal;
pub mod report;
pub mod scene;
pub mod trapezoids;
pub mod voronoi;
pub mod voxels;

pub use report::{Baseline, Better, Report, Row};

use crate::jobs::JobContext;

/// Something that can be measured, by its name.
#[derive(Clone, Copy, Debug)]
pub struct Experiment {
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
    Template(#[from] crate::document::template::TemplateError),
    #[error("{0}")]
    File(#[from] crate::document::format::disk::FileError),
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// What is to be measured cannot be had on this machine.
    #[error("{0}")]
    Unavailable(String),
}

/// The papers' tables and figures, theirs and ours.
pub const PAPERS: &[Experiment] = &[
    Experiment {
        name: "corridors",
        about: "Overmars et al. 2008: walking in corridors past people, original and improved",
        run: corridors::run,
    },
    Experiment {
        name: "miran",
        about: "Jaklin et al. 2013: following routes over terrain, with what it is compared to",
        run: miran::run,
    },
    Experiment {
        name: "trapezoids",
        about: "Niederberger et al. 2004: portals whose nodes move, against portal centres",
        run: trapezoids::run,
    },
    Experiment {
        name: "voxels",
        about: "Bandi and Thalmann 2000: scenes in cells, borders, and ways of human bodies",
        run: voxels::run,
    },
];

/// Draws figures: names of files and what goes into them.
pub type Pictures = fn(&JobContext) -> Result<Vec<(std::path::PathBuf, Vec<u8>)>, LabError>;

/// The papers' figures, drawn from our results, by the names of their experiments.
pub const PICTURES: &[(&str, Pictures)] = &[("miran", miran::pictures)];

/// Timings on standard scenes.
pub const BENCHES: &[Experiment] = &[
    Experiment {
        name: "document",
        about: "loading, saving, editing and undoing in a level of 100,000 vertices",
        run: document::run,
    },
    Experiment {
        name: "frame",
        about: "the plan view's share of a frame while dragging, without the rasteriser",
        run: frame::run,
    },
    Experiment {
        name: "live",
        about: "how long after a move of the pointer the new path is there",
        run: live::run,
    },
    Experiment {
        name: "miran",
        about: "triangulating terrain, walking along routes, repainting a city under ten agents",
        run: miran::bench,
    },
    Experiment {
        name: "portal",
        about: "baking trapezoids and asking for paths, beside a peer",
        run: portal::run,
    },
    Experiment {
        name: "voronoi",
        about: "corridor maps beside the bare Voronoi diagram, and a walk in one",
        run: voronoi::run,
    },
    Experiment {
        name: "voxels",
        about: "discretising scenes, baking a large grid, and again after something moved",
        run: voxels::bench,
    },
];
