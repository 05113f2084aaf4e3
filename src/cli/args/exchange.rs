//! `wayloom import`, `export` and `bake`.

use crate::cli::format_flags::{Baking, FormatFlags, Reading, Writing};
use crate::exchange::registry::{self as formats, FormatRow};
use clap::Args;
use std::path::PathBuf;

/// Turn files of other programs into a level
///
/// Several files are laid on top of each other; a Moving AI scenario finds its map by itself.
#[derive(Debug, Args)]
pub(in crate::cli) struct Import {
    /// The files to read
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Where to write the level
    #[arg(long, short, value_name = "OUT.ron")]
    pub out: PathBuf,
    /// What the files are, where their names and contents do not tell; see `wayloom formats`
    #[arg(long, value_name = "F", value_parser = format)]
    pub format: Option<&'static FormatRow>,
    #[command(flatten)]
    pub options: FormatFlags<Reading>,
    /// Overwrite OUT if it exists
    #[arg(long)]
    pub force: bool,
}

/// Write a level in another program's format
///
/// The level itself is never altered. Formats of several files are written into the folder OUT.
#[derive(Debug, Args)]
pub(in crate::cli) struct Export {
    /// The level to write
    #[arg(value_name = "LEVEL")]
    pub level: PathBuf,
    /// Where to write it
    #[arg(long, short, value_name = "OUT", required_unless_present = "preset")]
    pub out: Option<PathBuf>,
    /// Write again what is kept with the level under this name, over what was written before
    #[arg(long, value_name = "NAME", conflicts_with_all = ["out", "format"])]
    pub preset: Option<String>,
    /// Which format, where the ending of OUT does not tell; see `wayloom formats`
    #[arg(long, value_name = "F", value_parser = format)]
    pub format: Option<&'static FormatRow>,
    /// How the agents move, for formats that show it; simulated or as planned if not given
    #[arg(long, value_name = "RUN.wlrec")]
    pub recording: Option<PathBuf>,
    #[command(flatten)]
    pub options: FormatFlags<Writing>,
    /// Overwrite OUT if it exists
    #[arg(long)]
    pub force: bool,
    /// Export again whenever LEVEL or the recording changes, until interrupted
    #[arg(long)]
    pub watch: bool,
}

/// Write navigation data that engines load
///
/// A folder with bake.json and one file of tables per radius; docs/bake.md describes them. The same
/// as `wayloom export --format bake`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Bake {
    /// The level to bake
    #[arg(value_name = "LEVEL")]
    pub level: PathBuf,
    /// The folder to write to; made if it does not exist
    #[arg(long, short, value_name = "DIR")]
    pub out: PathBuf,
    #[command(flatten)]
    pub options: FormatFlags<Baking>,
    /// Overwrite a bake that exists
    #[arg(long)]
    pub force: bool,
}

fn format(id: &str) -> Result<&'static FormatRow, String> {
    formats::named(id).map_err(|error| error.to_string())
}
