//! Notices when another program changes the level's file, or those beside it.

use crate::document::session::folder_of;
use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Watches the folders of files: programs often replace a file instead of writing into it.
pub struct FileWatch {
    paths: Vec<PathBuf>,
    touched: Arc<AtomicBool>,
    /// Stops watching when dropped.
    _watcher: RecommendedWatcher,
}

impl std::fmt::Debug for FileWatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FileWatch")
            .field("paths", &self.paths)
            .finish_non_exhaustive()
    }
}

impl FileWatch {
    /// `None` where the system cannot watch: the file is then looked at when it is saved.
    #[must_use]
    pub fn new(path: &Path, ctx: &egui::Context) -> Option<Self> {
        let name = path.file_name()?.to_owned();
        Self::of(vec![path.to_owned()], ctx, move |touched| {
            touched.file_name() == Some(&name)
        })
    }

    /// Several files and what goes with them: whatever has the same name but for its ending.
    #[must_use]
    pub fn with_companions(paths: Vec<PathBuf>, ctx: &egui::Context) -> Option<Self> {
        let stems: BTreeSet<OsString> = paths
            .iter()
            .filter_map(|path| Some(path.file_stem()?.to_owned()))
            .collect();
        Self::of(paths, ctx, move |touched| {
            touched.file_stem().is_some_and(|stem| stems.contains(stem))
        })
    }

    fn of(
        paths: Vec<PathBuf>,
        ctx: &egui::Context,
        concerns: impl Fn(&Path) -> bool + Send + 'static,
    ) -> Option<Self> {
        let touched = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&touched);
        let ctx = ctx.clone();
        let mut watcher =
            notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
                let ours = event.is_ok_and(|event| {
                    !event.kind.is_access() && event.paths.iter().any(|path| concerns(path))
                });
                if ours {
                    flag.store(true, Ordering::Relaxed);
                    ctx.request_repaint();
                }
            })
            .ok()?;
        let folders: BTreeSet<PathBuf> = paths.iter().map(|path| folder_of(path)).collect();
        let mut watched = 0;
        for folder in folders {
            watched += usize::from(watcher.watch(&folder, RecursiveMode::NonRecursive).is_ok());
        }
        if watched == 0 {
            return None;
        }
        Some(Self {
            paths,
            touched,
            _watcher: watcher,
        })
    }

    #[must_use]
    pub fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// Whether something happened to the file since the last call.
    #[must_use]
    pub fn take_touched(&self) -> bool {
        self.touched.swap(false, Ordering::Relaxed)
    }
}
