//! Properties of every planner, on maps from an independent construction.

mod agreement;
mod answers;
mod funnel;
mod kept;
mod oracle;
mod sessions;
pub mod slabs;
mod unreachable;

/// Number of cases: few by default, more with `WAYLOOM_CASES`.
fn cases(default: u32) -> u32 {
    std::env::var("WAYLOOM_CASES")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}
