//! Doing something again whenever files change.

use super::{Answer, console::Console};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// How often the files are looked at. Unit: milliseconds.
const INTERVAL: u64 = 250;

/// When a file was last written and how long it is; `None` while it is not there.
type Stamp = Option<(SystemTime, u64)>;

fn stamp(path: &Path) -> Stamp {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}

/// Runs until it is interrupted. What fails is told, and tried again at the next change.
pub(super) fn on_change<'a>(
    files: impl Iterator<Item = &'a PathBuf>,
    console: &Console,
    mut again: impl FnMut() -> anyhow::Result<()>,
) -> anyhow::Result<Answer> {
    let mut known: Vec<(&PathBuf, Stamp)> = files.map(|file| (file, stamp(file))).collect();
    console.remark("Watching for changes; Ctrl+C ends it");
    loop {
        std::thread::sleep(Duration::from_millis(INTERVAL));
        let mut is_changed = false;
        for (file, before) in &mut known {
            let now = stamp(file);
            // While a file is being replaced it may be missing for a moment.
            if now.is_some() && now != *before {
                *before = now;
                is_changed = true;
            }
        }
        if is_changed && let Err(error) = again() {
            console.error(&error);
        }
    }
}
