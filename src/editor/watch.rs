//! Notices when another program changes the level's file.

use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Watches the folder of one file: programs often replace a file instead of writing into it.
pub struct FileWatch {
    path: PathBuf,
    touched: Arc<AtomicBool>,
    /// Stops watching when dropped.
    _watcher: RecommendedWatcher,
}

impl std::fmt::Debug for FileWatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FileWatch")
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

impl FileWatch {
    /// `None` where the system cannot watch: the file is then looked at when it is saved.
    #[must_use]
    pub fn new(path: &Path, ctx: &egui::Context) -> Option<Self> {
        let touched = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&touched);
        let ctx = ctx.clone();
        let name = path.file_name()?.to_owned();
        let mut watcher =
            notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
                let ours = event.is_ok_and(|event| {
                    !event.kind.is_access()
                        && event
                            .paths
                            .iter()
                            .any(|path| path.file_name() == Some(&name))
                });
                if ours {
                    flag.store(true, Ordering::Relaxed);
                    ctx.request_repaint();
                }
            })
            .ok()?;
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        watcher
            .watch(
                folder.unwrap_or_else(|| Path::new(".")),
                RecursiveMode::NonRecursive,
            )
            .ok()?;
        Some(Self {
            path: path.to_owned(),
            touched,
            _watcher: watcher,
        })
    }

    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether something happened to the file since the last call.
    #[must_use]
    pub fn take_touched(&self) -> bool {
        self.touched.swap(false, Ordering::Relaxed)
    }
}
