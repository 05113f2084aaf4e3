//! Detour, the run-time half of Recast, asked through the program that tests of exports use.

use super::{Answers, ROUNDS};
use crate::document::{Edit, Entity, Kind, Level, Profile, limits, ops};
use crate::exchange::export::DetourExportOptions;
use crate::exchange::{ExportInput, MemorySink, Options, export, registry};
use crate::jobs::JobContext;
use crate::lab::LabError;
use glam::DVec2;
use std::fmt::{Display, Write as _};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

/// The least radius that a profile can have: Detour's mesh has no more corners than it must.
/// Unit: metres.
pub(super) const RADIUS: f64 = limits::RADIUS.min;

const PROFILE: &str = "Peer";

/// Where `scripts/readers` puts it.
fn program() -> Option<PathBuf> {
    let variable = |name| std::env::var_os(name).map(PathBuf::from);
    let folder = variable("WAYLOOM_READERS_DIR").or_else(|| {
        let cache = variable("XDG_CACHE_HOME").or_else(|| Some(variable("HOME")?.join(".cache")));
        Some(cache?.join("wayloom/readers"))
    })?;
    Some(folder.join("detour/detour")).filter(|program| program.is_file())
}

/// What Detour answers on the mesh that we export for it; `None` where it has not been fetched.
///
/// # Errors
/// It was fetched, and something went wrong.
pub(super) fn answers(
    level: &Level,
    queries: &[[DVec2; 2]],
    ctx: &JobContext,
) -> Result<Option<Answers>, LabError> {
    let Some(program) = program() else {
        return Ok(None);
    };
    let mut profile = Profile::default();
    profile.body.radius = RADIUS;
    let edit = Edit::create(
        level.largest_id().next(),
        Entity::new(PROFILE, Kind::Profile(profile)),
    );
    let input = ExportInput::new(Arc::new(ops::apply(level, &[edit])?));
    let refused = |error: &dyn Display| LabError::Unavailable(format!("Detour: {error}"));
    let row = registry::named("detour").map_err(|error| refused(&error))?;
    let options = Options::new(DetourExportOptions {
        profile: Some(PROFILE.to_owned()),
        ..DetourExportOptions::default()
    });
    let mut sink = MemorySink::default();
    let told = export(row, &input, &options, &mut sink, ctx).map_err(|error| refused(&error))?;
    let origin = |i: usize| told.details["origin"][i].as_f64().unwrap_or(0.0);
    let origin = DVec2::new(origin(0), origin(1));
    let mut asked = String::new();
    for ends in queries {
        // Its ground has z for −y.
        let [from, to] = ends.map(|p| p - origin);
        let _ = writeln!(asked, "{} {} {} {}", from.x, -from.y, to.x, -to.y);
    }
    let file = std::env::temp_dir().join(format!("wayloom-peers-{}.bin", std::process::id()));
    std::fs::write(&file, &sink.main)?;
    let text = ask(&program, &file, &asked);
    let _ = std::fs::remove_file(&file);
    let answers = read(&text?);
    if answers.micros.len() != queries.len() {
        return Err(refused(
            &"it answered less than it was asked; run scripts/readers detour",
        ));
    }
    Ok(Some(answers))
}

fn ask(program: &Path, file: &Path, asked: &str) -> std::io::Result<String> {
    let mut child = Command::new(program)
        .arg(file)
        .arg(format!("rounds={ROUNDS}"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    // It reads everything before it says anything but a line.
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(asked.as_bytes())?;
    }
    let output = child.wait_with_output()?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Lines of `PATH`, whether it arrives, its length, the time it took, and points.
fn read(text: &str) -> Answers {
    let mut answers = Answers::default();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        if words.next() != Some("PATH") {
            continue;
        }
        let mut number = || words.next().and_then(|word| word.parse::<f64>().ok());
        if let (Some(arrives), Some(length), Some(micros)) = (number(), number(), number()) {
            answers.micros.push(micros);
            answers
                .lengths
                .push(if arrives > 0.0 { length } else { f64::INFINITY });
        }
    }
    answers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_with_their_times_and_without_their_points() {
        let text = "LOADED tiles=1 polygons=2\nPATH 1 2.5 7.25 0,0 2.5,0\nPATH 0 0.0 1.5\n";
        let answers = read(text);
        assert_eq!(answers.micros, [7.25, 1.5]);
        assert_eq!(answers.lengths, [2.5, f64::INFINITY]);
    }
}
