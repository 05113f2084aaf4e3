//! Properties that hold for any level and any sequence of edits.
//!
//! `WAYLOOM_CASES` sets the number of cases for a long run.

mod generate;
mod history;
mod round_trip;

/// Number of cases: few in the test command, many when asked for.
fn cases(default: u64) -> u64 {
    std::env::var("WAYLOOM_CASES")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}
