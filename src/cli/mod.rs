//! The headless commands: the same work as in the window, without a display.
//!
//! Exit codes: 0 done, 1 the answer is no, 2 bad usage or bad input with one clear sentence.

mod args;
#[cfg(feature = "lab")]
mod bench;
mod check;
mod console;
mod exchange;
mod format_flags;
mod measure;
mod new;
mod output_file;
mod plan;
mod render;
mod replay;
mod simulate;
mod sweep;
mod voxels;
mod watch;

use crate::base::ContentHash;
use crate::document::validate::check_meshes;
use crate::document::{Level, MeshLibrary, format};
use crate::exchange::meshes;
use crate::jobs::JobContext;
use crate::nav::voxel::VoxelOptions;
use anyhow::Context as _;
use args::{Arguments, Command};
use clap::Parser as _;
use console::Console;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What the program is to do after the command line is read.
#[derive(Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Open the window, on a file or on the welcome page.
    OpenEditor(Option<PathBuf>),
    /// A command ran; end with this code.
    Exit(u8),
}

/// A command's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Yes,
    No,
}

/// Reads the arguments and runs the command they name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> Outcome {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) => {
            let _ = error.print();
            return Outcome::Exit(if error.use_stderr() { 2 } else { 0 });
        }
    };
    let console = Console::new(arguments.global.json, arguments.global.quiet);
    if let (Some(file), Some(_)) = (&arguments.file, &arguments.command) {
        let file = file.display();
        console.error(&anyhow::anyhow!(
            "`{file}` stands before the command; a command comes first, then its files"
        ));
        return Outcome::Exit(2);
    }
    let Some(command) = arguments.command else {
        return match arguments.file {
            Some(file) if !file.exists() => {
                console.error(&no_such_file(&file));
                Outcome::Exit(2)
            }
            file => Outcome::OpenEditor(file),
        };
    };
    if let Some(threads) = arguments.global.threads {
        // Fails only if the pool is running already, which nothing has started yet.
        let _ = rayon::ThreadPoolBuilder::new()
            .num_threads(threads.get())
            .build_global();
    }
    let answer = match command {
        Command::New(options) => new::run(&options, &console),
        Command::Check(options) => check::run(&options, &console),
        Command::Render(options) => render::run(&options, &console),
        Command::Import(options) => exchange::run_import(&options, &console),
        Command::Export(options) => exchange::run_export(&options, &console),
        Command::Formats => exchange::run_formats(&console),
        Command::Plan(options) => plan::run(&options, &console),
        Command::Bake(options) => exchange::run_bake(&options, &console),
        Command::Simulate(options) => simulate::run(&options, &console),
        Command::Replay(options) => replay::run(&options, &console),
        Command::Measure(options) => measure::run(&options, &console),
        Command::Sweep(options) => sweep::run(&options, &console),
        #[cfg(feature = "lab")]
        Command::Lab(options) => bench::run_lab(&options, &console),
        #[cfg(feature = "lab")]
        Command::Bench(options) => bench::run_bench(&options, &console),
    };
    Outcome::Exit(match answer {
        Ok(Answer::Yes) => 0,
        Ok(Answer::No) => 1,
        Err(error) => {
            console.error(&error);
            2
        }
    })
}

/// What `wayloom COMMAND --help` prints; `None` for a command that does not exist.
#[must_use]
pub fn help_of(command: &str) -> Option<String> {
    use clap::CommandFactory as _;
    let mut program = Arguments::command();
    let command = program.find_subcommand_mut(command)?;
    Some(command.render_long_help().to_string())
}

/// A word alone may have been meant as a command.
fn no_such_file(file: &Path) -> anyhow::Error {
    let word = file.display();
    if file.components().count() == 1 && file.extension().is_none() {
        anyhow::anyhow!(
            "there is neither a file nor a command `{word}`; `wayloom --help` lists the commands"
        )
    } else {
        anyhow::anyhow!("{word}: there is no such file")
    }
}

/// A level with the meshes that lie beside it; what cannot be read is told and left out.
fn load_with_meshes(
    path: &Path,
    console: &Console,
) -> anyhow::Result<(Arc<Level>, Arc<MeshLibrary>)> {
    let level = load(path)?.level;
    let library = read_meshes(&level, path, console)?;
    let mut problems = Vec::new();
    check_meshes(&level, &library, &mut problems);
    for problem in problems {
        let whose = problem.subject.label(&level);
        console.remark(&format!("{whose}: {}", problem.message));
    }
    Ok((Arc::new(level), library))
}

fn read_meshes(level: &Level, path: &Path, console: &Console) -> anyhow::Result<Arc<MeshLibrary>> {
    let folder = path.parent().unwrap_or(Path::new(""));
    if level.mesh_solids().next().is_none() {
        return Ok(Arc::default());
    }
    let read = |ctx: &JobContext| meshes::library(level, folder, &MeshLibrary::default(), ctx);
    Ok(Arc::new(console.with_progress("Reading meshes", read)?))
}

/// What voxels are made with, besides the level.
fn voxel_options(library: &Arc<MeshLibrary>) -> Arc<VoxelOptions> {
    Arc::new(VoxelOptions {
        meshes: Arc::clone(library),
        ..VoxelOptions::default()
    })
}

/// Reads a level file, whatever its version.
fn load(path: &Path) -> anyhow::Result<format::Loaded> {
    Ok(load_version(path)?.0)
}

/// A level, and which version of its file it was read from.
fn load_version(path: &Path) -> anyhow::Result<(format::Loaded, ContentHash)> {
    let file = format::disk::read(path)?;
    let loaded = format::read(&file.text).with_context(|| path.display().to_string())?;
    Ok((loaded, file.hash))
}
