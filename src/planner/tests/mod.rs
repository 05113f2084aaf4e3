//! What holds for every planner, on maps made by a method of their own.

mod agreement;
mod answers;
mod funnel;
mod oracle;
pub mod slabs;

/// Number of cases: few in the test command, many when `WAYLOOM_CASES` asks for it.
fn cases(default: u32) -> u32 {
    std::env::var("WAYLOOM_CASES")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}
