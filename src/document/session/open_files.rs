//! Which level files are open, noted where work without a file is kept as well: after a crash the
//! next start finds them, wherever they lie and whatever was opened since.

use super::Session;
use crate::base::ContentHash;
use std::fs;
use std::path::{Path, PathBuf};

const PREFIX: &str = "open-";
const ENDING: &str = ".path";

/// A note that a file is open.
#[derive(Debug)]
pub(super) struct OpenFile {
    note: PathBuf,
}

impl OpenFile {
    /// `None` where no note can be left; the file is still found as a recent one.
    pub fn note(level: &Path, state: &Path) -> Option<Self> {
        let level = std::path::absolute(level).ok()?;
        let text = level.to_str()?;
        let name = format!("{PREFIX}{}{ENDING}", ContentHash::of(text.as_bytes()));
        let note = state.join(name);
        fs::create_dir_all(state).ok()?;
        fs::write(&note, text).ok()?;
        Some(Self { note })
    }

    /// It was closed, with nothing unsaved.
    pub fn forget(self) {
        let _ = fs::remove_file(self.note);
    }
}

impl Session {
    /// Level files with unsaved work of sessions that ended without saving. Notes of files that have
    /// none are removed.
    #[must_use]
    pub fn unsaved_files(state: &Path) -> Vec<PathBuf> {
        let mut found = Vec::new();
        for entry in fs::read_dir(state).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if !(name.starts_with(PREFIX) && name.ends_with(ENDING)) {
                continue;
            }
            let Ok(text) = fs::read_to_string(entry.path()) else {
                continue;
            };
            let level = PathBuf::from(text);
            if Self::has_unsaved(&level, state) {
                found.push(level);
            } else if !Self::has_journal(&level, state) {
                let _ = fs::remove_file(entry.path());
            }
        }
        found.sort();
        found
    }
}
