//! Writing what was asked for: nothing is overwritten without being told to.

use crate::document::format::disk;
use anyhow::bail;
use std::path::Path;

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
