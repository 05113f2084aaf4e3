//! The command line's words, and the help that comes from them: a file for each command.

mod check;
mod constraints;
mod exchange;
mod new;
mod plan;
mod render;
mod value;
mod voxels;

pub(super) use check::Check;
pub(super) use exchange::{Bake, Export, Import};
pub(super) use new::New;
pub(super) use plan::{Move, Plan};
pub(super) use render::{From, LayerName, Look, Render, RenderView};
pub(super) use value::seconds;
pub(super) use voxels::Voxels;

use clap::{Args, Parser, Subcommand};
use std::num::NonZero;
use std::path::PathBuf;

/// Draw a level and see at once what agents will do in it.
///
/// Without a command, opens the editor: on FILE, or on the welcome page. All commands work
/// without a display. Lengths are metres.
#[derive(Debug, Parser)]
#[command(
    name = "wayloom",
    version,
    disable_help_subcommand = true,
    after_help = "Examples:\n  \
        wayloom levels/city.ron                     open a level in the editor\n  \
        wayloom new town.ron --template city        write a level to begin with\n  \
        wayloom check levels/*.ron                  look for problems; exit code 1 if there are errors\n  \
        wayloom render town.ron -o town.png         draw it to a picture\n\n\
        `wayloom COMMAND --help` explains each command."
)]
pub(super) struct Arguments {
    /// A level to open in the editor
    pub file: Option<PathBuf>,
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub global: Global,
}

#[derive(Debug, Args)]
pub(super) struct Global {
    /// Print one JSON object to standard output instead of text
    #[arg(long, global = true)]
    pub json: bool,
    /// Print only what was asked for: no progress, no remarks
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Use at most this many threads
    #[arg(long, global = true, value_name = "N", value_parser = threads, allow_hyphen_values = true)]
    pub threads: Option<NonZero<usize>>,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    New(New),
    Check(Check),
    Render(Render),
    Import(Import),
    Export(Export),
    Plan(Box<Plan>),
    Bake(Bake),
    Simulate(super::simulate::Simulate),
    Replay(super::replay::Replay),
    Measure(super::measure::Measure),
    Sweep(super::sweep::Sweep),
    /// List what can be read and written
    Formats,
    /// Repeat the papers' experiments: their figures and ours, side by side
    ///
    /// Every row of the papers' tables that can be measured, on levels of our own after their
    /// descriptions.
    #[command(after_long_help = super::bench::names(crate::lab::Purpose::Paper))]
    #[cfg(feature = "lab")]
    Lab(super::bench::Lab),
    /// Measure on standard scenes
    ///
    /// Prints medians with their spread, and the goal where there is one. Timings depend on the
    /// machine: compare ratios, or two runs on the same one.
    #[command(after_long_help = super::bench::names(crate::lab::Purpose::Bench))]
    #[cfg(feature = "lab")]
    Bench(super::bench::Bench),
}

fn threads(text: &str) -> Result<NonZero<usize>, String> {
    text.parse()
        .map_err(|_| "it is a whole number from 1 on".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    use clap::CommandFactory as _;

    #[test]
    fn the_definition_is_sound() {
        Arguments::command().debug_assert();
    }
}
