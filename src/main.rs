//! The program: reads the command line and opens the window or runs a command.

use std::process::ExitCode;
use wayloom::cli::{self, Outcome};

fn main() -> ExitCode {
    #[cfg(all(feature = "gui", feature = "lab"))]
    if let Err(taken) = wayloom::editor::register_benches() {
        return fail(&taken.to_string());
    }
    match cli::run(std::env::args_os()) {
        Outcome::Exit(code) => ExitCode::from(code),
        Outcome::OpenEditor(file) => open_editor(file),
    }
}

#[cfg(feature = "gui")]
fn open_editor(file: Option<std::path::PathBuf>) -> ExitCode {
    match wayloom::editor::run(file) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&format!("{error:#}")),
    }
}

#[cfg(not(feature = "gui"))]
fn open_editor(_: Option<std::path::PathBuf>) -> ExitCode {
    fail(
        "this build has no window; run a command (see `wayloom --help`), or build it with the feature `gui`",
    )
}

fn fail(sentence: &str) -> ExitCode {
    use std::io::Write as _;
    let _ = writeln!(std::io::stderr(), "wayloom: {sentence}");
    ExitCode::from(2)
}
