//! `wayloom check`.

use clap::Args;
use std::path::PathBuf;

/// Look for problems in levels
///
/// Validates, bakes, plans for every agent and runs the saved navigation tests. Prints one line a problem: FILE:ENTITY: SEVERITY: what is wrong and how to fix it. Exit code 1
/// if any level has an error (with --strict: or a warning).
#[derive(Debug, Args)]
pub(in crate::cli) struct Check {
    /// The levels to look at
    #[arg(required = true, value_name = "LEVEL")]
    pub levels: Vec<PathBuf>,
    /// Warnings count as errors
    #[arg(long)]
    pub strict: bool,
    /// Fix what can be fixed safely and save; the previous version is kept as LEVEL~
    #[arg(long)]
    pub fix: bool,
    /// Only look at the drawing: no baking, no planning, no navigation tests
    #[arg(long)]
    pub no_navigation: bool,
}
