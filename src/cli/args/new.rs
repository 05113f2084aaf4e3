//! `wayloom new`.

use clap::Args;
use std::path::PathBuf;

/// Write a new level
///
/// A template, a seed and a size always give the same file, byte for byte.
#[derive(Debug, Args)]
pub(in crate::cli) struct New {
    /// Where to write it
    #[arg(value_name = "OUT")]
    pub out: PathBuf,
    /// What to begin with; `list` shows them all
    #[arg(long, short, value_name = "NAME", default_value = "empty")]
    pub template: String,
    /// How large; what the number means depends on the template, see `--template list`
    #[arg(long, value_name = "N|WxH", value_parser = extent)]
    pub size: Option<(f64, Option<f64>)>,
    /// Another drawing of the same kind
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Overwrite OUT if it exists
    #[arg(long)]
    pub force: bool,
}

/// One number, or two: width and height.
fn extent(text: &str) -> Result<(f64, Option<f64>), String> {
    let number = |part: &str| part.trim().parse::<f64>().ok();
    match text.split_once(['x', 'X', '×']) {
        Some((width, height)) => number(width).zip(number(height)).map(|(w, h)| (w, Some(h))),
        None => number(text).map(|size| (size, None)),
    }
    .ok_or_else(|| "write it as a number or as WIDTHxHEIGHT, for example 40x30".to_owned())
}
