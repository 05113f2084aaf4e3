//! Folders that are written whole or not at all.
//!
//! A new folder is made beside its place under another name, and gets its own when it is complete. A
//! folder that an earlier export made is swapped in one step for the new one; files that other
//! programs put into it come along, files that the new export does not have are gone. A folder that
//! was there before the first export is not ours to swap: there the index goes first and comes last.

use super::MemorySink;
use crate::base::io_words;
use crate::document::format::disk;
use crate::exchange::export::ExportError;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Says which files an export wrote, in its folder.
const LIST: &str = ".wayloom-export";
/// First line of the list in a folder that an export made.
const WHOLE: &str = "# Wayloom made this folder; the next export replaces it and these files:";
/// An export into a folder that was there before.
const SHARED: &str = "# The next export from Wayloom replaces these files:";

/// Ending of a folder that is not complete, or that another one has replaced.
const PART: &str = ".part";

/// Folders with more files of others than this are written to in place.
const MOST_TAKEN_ALONG: usize = 10_000;

/// How often, and after which pause, a folder that another program replaces is tried again.
const TURNS: usize = 250;
const TURN_PAUSE: Duration = Duration::from_millis(20);

/// Writes an export into its folder.
pub(super) fn save(
    folder: &Path,
    index: &str,
    files: &MemorySink,
    overwrite: bool,
) -> Result<(), ExportError> {
    let folder = &fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    sweep(folder);
    for _ in 0..TURNS {
        let Some(old) = File::open(folder).ok().filter(|_| folder.is_dir()) else {
            if save_new(folder, index, files)? {
                return Ok(());
            }
            // Another program has made it meanwhile.
            if !overwrite {
                return Err(taken(&folder.join(index)));
            }
            continue;
        };
        // Whoever replaces a folder has it locked, so that one comes after the other.
        match old.try_lock() {
            Err(fs::TryLockError::WouldBlock) => {
                std::thread::sleep(TURN_PAUSE);
                continue;
            }
            Ok(()) if !leads_to(folder, &old) => continue,
            Ok(()) | Err(fs::TryLockError::Error(_)) => {}
        }
        if !overwrite {
            let names = files.beside.iter().map(|(name, _)| name.as_str());
            let mut paths = names.chain([index]).map(|name| folder.join(name));
            if let Some(path) = paths.find(|path| path.exists()) {
                return Err(taken(&path));
            }
        }
        let list = List::read(folder);
        if list.is_whole && save_over(folder, index, files, &list)? {
            return Ok(());
        }
        return save_in_place(folder, index, files, &list);
    }
    Err(ExportError::NotWritten(format!(
        "another program is writing to {}; try again when it is done",
        folder.display()
    )))
}

fn taken(path: &Path) -> ExportError {
    ExportError::Refused(format!(
        "{} exists already; choose another name, or overwrite it with --force",
        path.display()
    ))
}

/// Makes the folder; `false` if it exists by now.
fn save_new(folder: &Path, index: &str, files: &MemorySink) -> Result<bool, ExportError> {
    let part = Part::new(folder)?;
    part.write(index, files)?;
    match fs::rename(&part.path, folder) {
        Ok(()) => {
            part.keep();
            Ok(true)
        }
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::AlreadyExists | io::ErrorKind::DirectoryNotEmpty
            ) =>
        {
            Ok(false)
        }
        Err(error) => Err(not_made(folder, &error)),
    }
}

/// Swaps a folder for a new one; `false` where that is not possible, with nothing changed.
fn save_over(
    folder: &Path,
    index: &str,
    files: &MemorySink,
    list: &List,
) -> Result<bool, ExportError> {
    let Some(others) = list.others(folder) else {
        return Ok(false);
    };
    let part = match Part::new(folder) {
        Ok(part) => part,
        // The folder itself may be written to where the one above may not.
        Err(_) => return Ok(false),
    };
    part.write(index, files)?;
    if let Ok(meta) = fs::metadata(folder) {
        let _ = fs::set_permissions(&part.path, meta.permissions());
    }
    let written: BTreeSet<&str> = files.names().chain([index, LIST]).collect();
    let others: Vec<&String> = others
        .iter()
        .filter(|name| !written.contains(name.as_str()))
        .collect();
    for name in &others {
        let (from, to) = (folder.join(name), part.path.join(name));
        if let Some(inner) = to.parent() {
            fs::create_dir_all(inner).map_err(|error| not_made(inner, &error))?;
        }
        let linked = fs::hard_link(&from, &to).or_else(|_| fs::copy(&from, &to).map(|_| ()));
        linked.map_err(|error| {
            ExportError::NotWritten(format!(
                "{} cannot be taken along: {}",
                from.display(),
                io_words(&error)
            ))
        })?;
    }
    if exchange(&part.path, folder).is_err() {
        return Ok(false);
    }
    // The part is the old folder now, which goes. What another program has replaced or made in it
    // since is newer than what was taken along.
    for name in List::default().others(&part.path).unwrap_or_default() {
        let is_ours = list.names.contains(&name) || written.contains(name.as_str());
        let (from, to) = (part.path.join(&name), folder.join(&name));
        if !is_ours && !is_same_file(&from, &to) {
            let _ = fs::rename(from, to);
        }
    }
    Ok(true)
}

/// Replaces file by file. Where the index is, everything that it names is of one export.
fn save_in_place(
    folder: &Path,
    index: &str,
    files: &MemorySink,
    list: &List,
) -> Result<(), ExportError> {
    let failed = |error: disk::FileError| ExportError::NotWritten(error.to_string());
    let replacing = disk::Replacing::Anything;
    let mut prepared = Vec::new();
    for (name, bytes) in files.beside.iter().rev() {
        let path = folder.join(name);
        if let Some(inner) = path.parent() {
            fs::create_dir_all(inner).map_err(|error| not_made(inner, &error))?;
        }
        prepared.push(disk::Prepared::new(&path, bytes, replacing).map_err(failed)?);
    }
    let own = List::text(list.is_whole, index, files);
    let own = disk::Prepared::new(&folder.join(LIST), own.as_bytes(), replacing);
    let index_path = folder.join(index);
    let main = disk::Prepared::new(&index_path, &files.main, replacing);
    let (own, main) = (own.map_err(failed)?, main.map_err(failed)?);
    if prepared.len() + list.names.len() > 1 {
        let _ = fs::remove_file(&index_path);
    }
    own.commit().map_err(failed)?;
    let written: BTreeSet<&str> = files.names().chain([index]).collect();
    for stale in &list.names {
        if !written.contains(stale.as_str()) {
            let _ = fs::remove_file(folder.join(stale));
        }
    }
    for file in prepared {
        file.commit().map_err(failed)?;
    }
    main.commit().map_err(failed)
}

fn not_made(path: &Path, error: &io::Error) -> ExportError {
    ExportError::NotWritten(format!(
        "the folder {} cannot be created: {}",
        path.display(),
        io_words(error)
    ))
}

/// What an export left in a folder.
#[derive(Debug, Default)]
struct List {
    /// Whether the folder itself is an export's.
    is_whole: bool,
    names: BTreeSet<String>,
}

impl List {
    fn read(folder: &Path) -> Self {
        let text = fs::read_to_string(folder.join(LIST)).unwrap_or_default();
        let mut lines = text.lines();
        let is_whole = lines.next() == Some(WHOLE);
        Self {
            is_whole,
            // Whatever stands there, nothing outside of the folder is meant.
            names: lines
                .filter(|name| super::is_plain(name))
                .map(str::to_owned)
                .collect(),
        }
    }

    fn text(is_whole: bool, index: &str, files: &MemorySink) -> String {
        let mut names: Vec<&str> = files.names().chain([index]).collect();
        names.sort_unstable();
        let head = if is_whole { WHOLE } else { SHARED };
        format!("{head}\n{}\n", names.join("\n"))
    }

    /// Files in a folder that are not on the list; `None` if they are very many.
    fn others(&self, folder: &Path) -> Option<Vec<String>> {
        let mut found = Vec::new();
        let mut folders = vec![String::new()];
        while let Some(inner) = folders.pop() {
            for entry in fs::read_dir(folder.join(&inner)).into_iter().flatten() {
                let Ok(entry) = entry else { continue };
                let name = entry.file_name().into_string().ok()?;
                let name = if inner.is_empty() {
                    name
                } else {
                    format!("{inner}/{name}")
                };
                if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    folders.push(name);
                } else if !self.names.contains(&name) {
                    found.push(name);
                }
                if found.len() + folders.len() > MOST_TAKEN_ALONG {
                    return None;
                }
            }
        }
        Some(found)
    }
}

/// A folder beside its place, which goes unless it is kept.
struct Part {
    path: PathBuf,
    /// What it will be.
    folder: PathBuf,
    /// Tells [`sweep`] that it is in use.
    lock: Option<File>,
    is_kept: bool,
}

impl Part {
    fn new(folder: &Path) -> Result<Self, ExportError> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let parent = folder.parent().unwrap_or(Path::new(""));
        if !parent.as_os_str().is_empty() {
            fs::create_dir_all(parent).map_err(|error| not_made(parent, &error))?;
        }
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let path = parent.join(format!(
            ".{name}.{}-{}{PART}",
            std::process::id(),
            COUNT.fetch_add(1, Ordering::Relaxed)
        ));
        fs::create_dir(&path).map_err(|error| not_made(folder, &error))?;
        let lock = File::open(&path)
            .ok()
            .filter(|file| file.try_lock().is_ok());
        Ok(Self {
            path,
            folder: folder.to_owned(),
            lock,
            is_kept: false,
        })
    }

    fn write(&self, index: &str, files: &MemorySink) -> Result<(), ExportError> {
        let list = List::text(true, index, files);
        let all = files
            .beside
            .iter()
            .map(|(name, bytes)| (name.as_str(), &bytes[..]));
        for (name, bytes) in all.chain([(LIST, list.as_bytes()), (index, &files.main)]) {
            let path = self.path.join(name);
            if let Some(inner) = path.parent() {
                fs::create_dir_all(inner).map_err(|error| not_made(inner, &error))?;
            }
            write_through(&path, bytes).map_err(|error| self.not_written(name, &error))?;
        }
        Ok(())
    }

    /// In the words of who wants the folder, who knows nothing of this one.
    fn not_written(&self, name: &str, error: &io::Error) -> ExportError {
        ExportError::NotWritten(format!(
            "{} could not be written: {}; nothing was changed — write to another place, or mend that \
             and try again",
            self.folder.join(name).display(),
            io_words(error)
        ))
    }

    fn keep(mut self) {
        self.is_kept = true;
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        if !self.is_kept {
            // What is left of it is of no use to anybody.
            let _ = fs::remove_dir_all(&self.path);
        }
        self.lock = None;
    }
}

/// Onto the disk itself, so that a folder with its name is complete after a power cut, too.
fn write_through(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create_new(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Removes what interrupted exports into this folder have left. What another program still writes is
/// locked, and stays.
fn sweep(folder: &Path) {
    let parent = match folder.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let Some(name) = folder.file_name() else {
        return;
    };
    let prefix = format!(".{}.", name.to_string_lossy());
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with(&prefix)
            && name.ends_with(PART)
            && let Ok(file) = File::open(entry.path())
            && file.try_lock().is_ok()
        {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Swaps two folders in one step.
#[cfg(target_os = "linux")]
fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
}

#[cfg(not(target_os = "linux"))]
fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(unix)]
fn is_same(one: &fs::Metadata, other: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(not(unix))]
fn is_same(_: &fs::Metadata, _: &fs::Metadata) -> bool {
    true
}

fn is_same_file(one: &Path, other: &Path) -> bool {
    match (fs::symlink_metadata(one), fs::symlink_metadata(other)) {
        (Ok(a), Ok(b)) => is_same(&a, &b),
        _ => false,
    }
}

/// Whether the name still leads to the opened folder.
fn leads_to(folder: &Path, opened: &File) -> bool {
    matches!((opened.metadata(), fs::metadata(folder)), (Ok(a), Ok(b)) if is_same(&a, &b))
}
