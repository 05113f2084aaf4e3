//! Properties that hold for any level and any sequence of edits.
//!
//! `WAYLOOM_CASES` sets the number of cases for a long run.

mod baking;
mod door;
mod gates;
mod generate;
mod ground;
mod history;
mod merging;
mod planners;
mod round_trip;
mod routes;
mod sentences;
mod symmetry;
mod terrain_routes;

/// Number of cases: few in the test command, many when asked for.
fn cases(default: u64) -> u64 {
    std::env::var("WAYLOOM_CASES")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}
