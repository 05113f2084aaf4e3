//! Writing what was asked for: nothing is overwritten without being told to.

use crate::document::format::disk;
use anyhow::bail;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Refuses early, before any work is done.
pub(super) fn check(path: &Path, force: bool) -> anyhow::Result<()> {
    if path.is_dir() {
        bail!("{} is a folder; name a file in it", path.display());
    }
    if path.exists() && !force {
        bail!(
            "{} already exists; choose another name, or overwrite it with --force",
            path.display()
        );
    }
    if let Some(folder) = path.parent()
        && !folder.as_os_str().is_empty()
        && !folder.is_dir()
    {
        bail!("there is no folder {}; make it first", folder.display());
    }
    Ok(())
}

/// Writes a whole file in one step: half of it is never seen.
pub(super) fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    Ok(disk::replace(path, bytes)?)
}

/// Without `force` nothing is replaced, not even what appeared since [`check`].
pub(super) fn save(path: &Path, bytes: &[u8], force: bool) -> anyhow::Result<()> {
    if force {
        return write(path, bytes);
    }
    Ok(disk::create(path, bytes)?)
}

/// A file that grows while something goes on, and is made by the first byte: what was there before outlives
/// work that does not even begin.
#[derive(Debug)]
pub(super) struct Growing {
    path: PathBuf,
    force: bool,
    file: Option<File>,
}

impl Growing {
    pub const fn new(path: PathBuf, force: bool) -> Self {
        Self {
            path,
            force,
            file: None,
        }
    }

    fn file(&mut self) -> io::Result<&mut File> {
        match &mut self.file {
            Some(file) => Ok(file),
            none => {
                let mut options = OpenOptions::new();
                options.write(true).truncate(self.force);
                options.create(self.force).create_new(!self.force);
                Ok(none.insert(options.open(&self.path)?))
            }
        }
    }
}

impl Write for Growing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file()?.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), File::flush)
    }
}
