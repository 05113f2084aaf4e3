//! What can be measured: one row each. `wayloom lab`, `wayloom bench` and their help are read from
//! here.
//!
//! A new experiment is its file and one row in [`ROWS`]; rooms below, such as the window, hand
//! theirs to [`register`].

use super::{
    LabError, Report, constraints, corridors, crowds, document, exports, frame, live, miran, peers,
    portal, trapezoids, voronoi, voxels,
};
use crate::jobs::JobContext;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};

/// What is measured, and by which command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A paper's tables and figures, theirs beside ours: `wayloom lab`.
    Paper,
    /// Timings on standard scenes: `wayloom bench`.
    Bench,
}

/// Draws figures: names of files and what goes into them.
pub type Pictures = fn(&JobContext) -> Result<Vec<(PathBuf, Vec<u8>)>, LabError>;

/// Measures on the maps of a folder.
pub type OnMaps = fn(&Path, &JobContext) -> Result<Report, LabError>;

/// Something that can be measured.
#[derive(Clone, Copy, Debug)]
pub struct Experiment {
    /// As the command line spells it; of one purpose, unique.
    pub id: &'static str,
    pub purpose: Purpose,
    /// One sentence, in lower case and without a full stop.
    pub about: &'static str,
    pub run: fn(&JobContext) -> Result<Report, LabError>,
    /// The paper's figures, drawn from our results.
    pub pictures: Option<Pictures>,
    /// The same on maps of a folder.
    pub on_maps: Option<OnMaps>,
}

const fn paper(
    id: &'static str,
    about: &'static str,
    run: fn(&JobContext) -> Result<Report, LabError>,
) -> Experiment {
    Experiment {
        id,
        purpose: Purpose::Paper,
        about,
        run,
        pictures: None,
        on_maps: None,
    }
}

/// A benchmark, without figures.
#[must_use]
pub const fn bench(
    id: &'static str,
    about: &'static str,
    run: fn(&JobContext) -> Result<Report, LabError>,
) -> Experiment {
    Experiment {
        id,
        purpose: Purpose::Bench,
        about,
        run,
        pictures: None,
        on_maps: None,
    }
}

const ROWS: &[Experiment] = &[
    Experiment {
        pictures: Some(constraints::pictures),
        ..paper(
            "constraints",
            "Ninomiya et al. 2014: domains, searches and repairs under constraints",
            constraints::run,
        )
    },
    paper(
        "corridors",
        "Overmars et al. 2008: walking in corridors past people, original and improved",
        corridors::run,
    ),
    paper(
        "crowds",
        "RiMEA, NIST and measurements of real people: speeds, flows, recordings of simulated crowds",
        crowds::run,
    ),
    Experiment {
        pictures: Some(miran::pictures),
        ..paper(
            "miran",
            "Jaklin et al. 2013: following routes over terrain, with what it is compared to",
            miran::run,
        )
    },
    paper(
        "trapezoids",
        "Niederberger et al. 2004: portals whose nodes move, against portal centres",
        trapezoids::run,
    ),
    Experiment {
        pictures: Some(voxels::pictures),
        ..paper(
            "voxels",
            "Bandi and Thalmann 2000: scenes in cells, borders, and paths of human bodies",
            voxels::run,
        )
    },
    bench(
        "constraints",
        "planning under constraints in a city, beside a peer",
        constraints::bench,
    ),
    bench(
        "crowds",
        "a step of 10,000 and of 50,000 people, with every model",
        crowds::bench,
    ),
    bench(
        "document",
        "loading, saving, editing and undoing in a level of 100,000 vertices",
        document::run,
    ),
    bench(
        "exports",
        "writing a level of 100,000 vertices for engines",
        exports::run,
    ),
    bench(
        "frame",
        "the plan view's share of a frame while dragging, without the rasteriser",
        frame::run,
    ),
    bench(
        "live",
        "how long after a move of the pointer the new path is planned",
        live::run,
    ),
    bench(
        "miran",
        "triangulating terrain, walking along routes, repainting a city under ten agents",
        miran::bench,
    ),
    Experiment {
        on_maps: Some(peers::run_on),
        ..bench(
            "peers",
            "paths on many kinds of maps, beside polyanya and Detour; --maps takes maps of a folder",
            peers::run,
        )
    },
    bench(
        "portal",
        "baking trapezoids and asking for paths, beside a peer",
        portal::run,
    ),
    bench(
        "voronoi",
        "corridor maps beside the bare Voronoi diagram, and a walk in one",
        voronoi::run,
    ),
    bench(
        "voxels",
        "discretising scenes, baking a large grid, and again after something moved",
        voxels::bench,
    ),
];

/// Rows added while the program runs.
static ADDED: RwLock<Vec<&'static Experiment>> = RwLock::new(Vec::new());

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is an experiment called `{0}` already; give this one another id")]
pub struct NameTaken(pub &'static str);

/// Adds an experiment; from then on it is listed and run like any other.
///
/// # Errors
/// Its id is taken.
pub fn register(row: &'static Experiment) -> Result<(), NameTaken> {
    if rows(row.purpose).iter().any(|known| known.id == row.id) {
        return Err(NameTaken(row.id));
    }
    let mut added = ADDED.write().unwrap_or_else(PoisonError::into_inner);
    added.push(row);
    Ok(())
}

/// Every experiment of a purpose.
#[must_use]
pub fn rows(purpose: Purpose) -> Vec<&'static Experiment> {
    let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
    let all = ROWS.iter().chain(added.iter().copied());
    all.filter(|row| row.purpose == purpose).collect()
}

/// A line for each experiment of a purpose: its id and what it is about.
#[must_use]
pub fn list(purpose: Purpose) -> String {
    let line = |row: &&Experiment| format!("  {:12}{}", row.id, row.about);
    let lines: Vec<String> = rows(purpose).iter().map(line).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn ids_are_unique_and_every_row_is_listed_with_its_sentence() {
        for purpose in [Purpose::Paper, Purpose::Bench] {
            let rows = rows(purpose);
            let ids: BTreeSet<&str> = rows.iter().map(|row| row.id).collect();
            assert_eq!(ids.len(), rows.len());
            let list = list(purpose);
            for row in rows {
                assert!(list.contains(row.about), "{}", row.id);
                assert!(!row.about.ends_with('.'), "{}", row.id);
            }
        }
    }

    #[test]
    fn a_name_that_is_taken_is_refused() {
        assert_eq!(register(&ROWS[0]), Err(NameTaken(ROWS[0].id)));
    }

    #[test]
    fn an_experiment_of_one_row_is_listed() {
        static TOY: Experiment = bench("toy", "measures nothing at all", document::run);
        register(&TOY).expect("nothing else is called that");
        assert!(list(Purpose::Bench).contains("toy"));
        assert!(!list(Purpose::Paper).contains("toy"));
    }
}
