//! Level files on disk: size-limited reads, atomic writes with a backup of the previous version.

use super::{FormatError, MAX_FILE_SIZE};
use crate::base::{ContentHash, io_words};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// File errors, as sentences that name the file.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    #[error("{}: {error}", path.display())]
    Format { path: PathBuf, error: FormatError },
    #[error("{}: there is no such file", .0.display())]
    Missing(PathBuf),
    #[error("{}: this is a folder, not a level file", .0.display())]
    Folder(PathBuf),
    #[error("{}: byte {at} is not UTF-8 text; this is not a level file, or it is damaged", path.display())]
    NotText { path: PathBuf, at: usize },
    #[error("{}: could not be read: {}", path.display(), io_words(error))]
    Read { path: PathBuf, error: io::Error },
    #[error("{}: the disk is full; the file is unchanged — free some space or save elsewhere", .0.display())]
    NoRoom(PathBuf),
    #[error("{}: permission denied; the file is unchanged — save elsewhere or change the permissions", .0.display())]
    NotAllowed(PathBuf),
    #[error("{}: the folder no longer exists; recreate it or save elsewhere", .0.display())]
    NoFolder(PathBuf),
    #[error("{}: could not be written: {}; the file is unchanged", path.display(), io_words(error))]
    Write { path: PathBuf, error: io::Error },
    #[error("{}: another program has changed this file since it was opened; save under another name, or overwrite it explicitly", .0.display())]
    Changed(PathBuf),
    #[error("{}: already exists; choose another name, or overwrite it explicitly", .0.display())]
    Exists(PathBuf),
    #[error("{}: is open in another instance of Wayloom; close it there, or open a copy", .0.display())]
    InUse(PathBuf),
}

/// A file's text and its fingerprint.
#[derive(Clone, Debug)]
pub struct TextFile {
    pub text: String,
    pub hash: ContentHash,
}

/// # Errors
/// Missing, a folder, too large, not text, or unreadable.
pub fn read(path: &Path) -> Result<TextFile, FileError> {
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => FileError::Missing(path.to_owned()),
        io::ErrorKind::IsADirectory => FileError::Folder(path.to_owned()),
        _ => FileError::Read {
            path: path.to_owned(),
            error,
        },
    };
    let file = File::open(path).map_err(failed)?;
    let meta = file.metadata().map_err(failed)?;
    if meta.is_dir() {
        return Err(FileError::Folder(path.to_owned()));
    }
    // A pipe or device has no length: the reader is bounded as well.
    let mut bytes = Vec::with_capacity(meta.len().min(MAX_FILE_SIZE) as usize);
    file.take(MAX_FILE_SIZE + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    if bytes.len() as u64 > MAX_FILE_SIZE {
        return Err(FileError::Format {
            path: path.to_owned(),
            error: FormatError::TooLarge {
                size: meta.len().max(bytes.len() as u64),
            },
        });
    }
    let hash = ContentHash::of(&bytes);
    let text = String::from_utf8(bytes).map_err(|error| FileError::NotText {
        path: path.to_owned(),
        at: error.utf8_error().valid_up_to(),
    })?;
    Ok(TextFile { text, hash })
}

/// The fingerprint of the file on disk; `None` if it does not exist.
///
/// # Errors
/// The file exists but cannot be read.
pub fn hash_on_disk(path: &Path) -> Result<Option<ContentHash>, FileError> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(ContentHash::of(&bytes))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(FileError::Read {
            path: path.to_owned(),
            error,
        }),
    }
}

/// Result of a save.
#[derive(Debug)]
pub struct Saved {
    pub hash: ContentHash,
    /// Why the previous version could not be backed up.
    pub no_backup: Option<io::Error>,
}

/// What a write may replace. Checked under a lock, in the moment of the rename.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replacing {
    /// Whatever is on disk.
    Anything,
    /// This version, or nothing.
    Version(ContentHash),
    /// Nothing: the file must not exist.
    Nothing,
}

/// Replaces a file atomically: readers see the complete old or new version. Keeps the old one
/// beside it (see [`backup_path`]) and preserves symbolic links.
///
/// # Errors
/// The file is unchanged.
pub fn save(path: &Path, text: &str, replacing: Replacing) -> Result<Saved, FileError> {
    let prepared = Prepared::new(path, text.as_bytes(), replacing)?;
    let no_backup = prepared.commit_after(|target| {
        let is_there = target.exists();
        is_there
            .then(|| keep_previous(target))
            .and_then(Result::err)
    })?;
    Ok(Saved {
        hash: ContentHash::of(text.as_bytes()),
        no_backup,
    })
}

/// Replaces a file atomically without keeping the old version.
///
/// # Errors
/// The file is unchanged.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    Prepared::new(path, bytes, Replacing::Anything)?.commit()
}

/// Writes a new file atomically. Of several programs that create it at once, one succeeds.
///
/// # Errors
/// It exists already, or cannot be written.
pub fn create(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    Prepared::new(path, bytes, Replacing::Nothing)?.commit()
}

/// A file that is complete on disk under another name. It gets its own by [`Self::commit`]; dropped
/// before, it is gone. So several files appear in one go, or none where the disk is full.
#[derive(Debug)]
pub struct Prepared {
    /// As its owner calls it.
    path: PathBuf,
    target: PathBuf,
    new: PathBuf,
    replacing: Replacing,
    /// Open, and so locked: see [`sweep`]. `None` once it has its name.
    file: Option<File>,
}

impl Prepared {
    /// # Errors
    /// Nothing is left of it.
    pub fn new(path: &Path, bytes: &[u8], replacing: Replacing) -> Result<Self, FileError> {
        let target = behind_links(path);
        if target.is_dir() {
            return Err(FileError::Folder(path.to_owned()));
        }
        let failed = |error| write_error(path, error);
        // A read-only file must not be replaced either.
        let existing = fs::metadata(&target).ok();
        if existing.is_some() {
            if replacing == Replacing::Nothing {
                return Err(FileError::Exists(path.to_owned()));
            }
            let opened = OpenOptions::new().write(true).open(&target);
            opened.map_err(failed)?;
        }
        let new = sibling(&target, SAVING);
        let file = write_whole(&new, bytes, existing.as_ref());
        let file = file.map_err(|error| {
            let _ = fs::remove_file(&new);
            failed(error)
        })?;
        Ok(Self {
            path: path.to_owned(),
            target,
            new,
            replacing,
            file: Some(file),
        })
    }

    /// Gives it its name.
    ///
    /// # Errors
    /// What had the name stays.
    pub fn commit(self) -> Result<(), FileError> {
        self.commit_after(|_| ())
    }

    /// Calls `before_rename` with the file about to be replaced, and gives it its name.
    fn commit_after<T>(mut self, before_rename: impl FnOnce(&Path) -> T) -> Result<T, FileError> {
        let Self {
            path, target, new, ..
        } = &self;
        // Held until the rename is done: writers that respect it come one after the other.
        let turn = take_turn(path, target)?;
        check_version(path, target, self.replacing)?;
        let kept = before_rename(target);
        if self.replacing == Replacing::Nothing {
            give_new_name(new, target).map_err(|error| match error.kind() {
                io::ErrorKind::AlreadyExists => FileError::Exists(path.clone()),
                _ => write_error(path, error),
            })?;
        } else if let Replacing::Version(expected) = self.replacing {
            let is_done = match &self.file {
                Some(own) => swap_in(own, new, target, expected),
                None => Ok(false),
            };
            if !is_done.map_err(|error| write_error(path, error))? {
                return Err(FileError::Changed(path.clone()));
            }
        } else {
            fs::rename(new, target).map_err(|error| write_error(path, error))?;
        }
        self.file = None;
        drop(turn);
        sync_folder(&self.target);
        Ok(kept)
    }
}

impl Drop for Prepared {
    fn drop(&mut self) {
        // After a swap that could not be undone the name leads to what was replaced.
        if self
            .file
            .as_ref()
            .is_some_and(|own| is_current(own, &self.new))
        {
            let _ = fs::remove_file(&self.new);
        }
    }
}

/// How often, and after which pause, a file that another program is replacing is tried again.
const TURNS: usize = 250;
const TURN_PAUSE: Duration = Duration::from_millis(20);

/// Locks the file that is about to be replaced; `None` if there is none. A lock on a version that
/// was replaced meanwhile protects nothing, so it is taken again on its successor.
fn take_turn(path: &Path, target: &Path) -> Result<Option<File>, FileError> {
    for _ in 0..TURNS {
        let file = match File::open(target) {
            Ok(file) => file,
            // Writable but not readable, or not there: it cannot be locked.
            Err(_) => return Ok(None),
        };
        match file.try_lock() {
            Ok(()) if is_current(&file, target) => return Ok(Some(file)),
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => std::thread::sleep(TURN_PAUSE),
            // A file system without locks.
            Err(TryLockError::Error(_)) => return Ok(None),
        }
    }
    Err(FileError::InUse(path.to_owned()))
}

/// Whether the name still leads to the opened file.
#[cfg(unix)]
fn is_current(file: &File, target: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let place = |meta: &fs::Metadata| (meta.dev(), meta.ino());
    matches!((file.metadata(), fs::metadata(target)), (Ok(a), Ok(b)) if place(&a) == place(&b))
}

#[cfg(not(unix))]
fn is_current(_: &File, _: &Path) -> bool {
    true
}

fn check_version(path: &Path, target: &Path, replacing: Replacing) -> Result<(), FileError> {
    match replacing {
        Replacing::Anything | Replacing::Nothing => Ok(()),
        Replacing::Version(expected) => match hash_on_disk(target)? {
            Some(hash) if hash != expected => Err(FileError::Changed(path.to_owned())),
            _ => Ok(()),
        },
    }
}

/// Gives a file a name that must be free. A rename would replace what has it, a link does not.
fn give_new_name(new: &Path, target: &Path) -> io::Result<()> {
    match fs::hard_link(new, target) {
        Ok(()) => {
            let _ = fs::remove_file(new);
            Ok(())
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
        // A file system without links: between these two lines another program could create it.
        Err(_) if target.exists() => Err(io::ErrorKind::AlreadyExists.into()),
        Err(_) => fs::rename(new, target),
    }
}

/// Gives a file a name that leads to an expected version, or to nothing. Whether it has it now:
/// programs without our lock may have replaced that version a moment ago. The two files swap names,
/// so that what came out can be looked at, and put back unless it is the expected one.
#[cfg(target_os = "linux")]
fn swap_in(own: &File, new: &Path, target: &Path, expected: ContentHash) -> io::Result<bool> {
    if swap(new, target).is_err() {
        // Nothing is there, or the file system cannot swap.
        return fs::rename(new, target).map(|()| true);
    }
    let found = content(new);
    if matches!(found, Ok(found) if found == expected) {
        // What cannot be removed now is swept later: the new version is in place.
        let _ = fs::remove_file(new);
        return Ok(true);
    }
    // What cannot be read is put back, too: it may well be the only copy.
    swap(new, target).or_else(|_| fs::rename(new, target))?;
    if !is_current(own, new) && new.exists() {
        // Replaced once more meanwhile: the newest stays.
        swap(new, target)?;
    }
    found.map(|_| false)
}

#[cfg(target_os = "linux")]
fn content(path: &Path) -> io::Result<ContentHash> {
    fs::read(path).map(|bytes| ContentHash::of(&bytes))
}

#[cfg(target_os = "linux")]
fn swap(a: &Path, b: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE)?)
}

#[cfg(not(target_os = "linux"))]
fn swap_in(_: &File, new: &Path, target: &Path, _: ContentHash) -> io::Result<bool> {
    fs::rename(new, target).map(|()| true)
}

fn write_error(path: &Path, error: io::Error) -> FileError {
    let path = path.to_owned();
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => FileError::NoRoom(path),
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            FileError::NotAllowed(path)
        }
        io::ErrorKind::NotFound => FileError::NoFolder(path),
        io::ErrorKind::IsADirectory => FileError::Folder(path),
        _ => FileError::Write { path, error },
    }
}

/// Where the previous version is kept.
#[must_use]
pub fn backup_path(path: &Path) -> PathBuf {
    let mut name = behind_links(path).into_os_string();
    name.push("~");
    name.into()
}

/// Removes temporary files left by interrupted saves of this level. A file another process is still
/// writing is locked, and stays.
pub fn sweep(path: &Path) {
    let target = behind_links(path);
    let (Some(folder), Some(name)) = (target.parent(), target.file_name()) else {
        return;
    };
    let prefix = format!(".{}.", name.to_string_lossy());
    let Ok(entries) = fs::read_dir(if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    }) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let ours = name.starts_with(&prefix) && (name.ends_with(SAVING) || name.ends_with(KEEPING));
        if ours
            && let Ok(file) = File::open(entry.path())
            && file.try_lock().is_ok()
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

const SAVING: &str = ".saving";
const KEEPING: &str = ".keeping";

/// Resolves a chain of symbolic links, even if the final file does not exist yet.
fn behind_links(path: &Path) -> PathBuf {
    let mut target = path.to_owned();
    for _ in 0..16 {
        match fs::read_link(&target) {
            Ok(next) if next.is_absolute() => target = next,
            Ok(next) => target = target.parent().unwrap_or(Path::new("")).join(next),
            Err(_) => break,
        }
    }
    target
}

/// A unique name in the target's folder: renaming is atomic only within one file system.
fn sibling(target: &Path, ending: &str) -> PathBuf {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    target.with_file_name(format!(
        ".{name}.{}-{}{ending}",
        std::process::id(),
        COUNT.fetch_add(1, Ordering::Relaxed)
    ))
}

fn write_whole(path: &Path, bytes: &[u8], like: Option<&fs::Metadata>) -> io::Result<File> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    // Tells `sweep` that this file is in use. On file systems without locks the worst case is a
    // failed save that leaves the old version in place.
    let _ = file.try_lock();
    if let Some(meta) = like {
        file.set_permissions(meta.permissions())?;
    }
    file.write_all(bytes)?;
    file.sync_all()?;
    Ok(file)
}

fn keep_previous(target: &Path) -> io::Result<()> {
    let keeping = sibling(target, KEEPING);
    fs::hard_link(target, &keeping).or_else(|_| fs::copy(target, &keeping).map(|_| ()))?;
    let mut backup = target.as_os_str().to_owned();
    backup.push("~");
    fs::rename(&keeping, &backup).inspect_err(|_| {
        let _ = fs::remove_file(&keeping);
    })
}

/// Makes the rename itself survive a power cut. Best effort; the data is safe either way.
fn sync_folder(target: &Path) {
    if let Some(folder) = target.parent()
        && let Ok(folder) = File::open(folder)
    {
        let _ = folder.sync_all();
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    /// Removed at its end.
    struct Folder(PathBuf);

    impl Folder {
        fn new() -> Self {
            static COUNT: AtomicU64 = AtomicU64::new(0);
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            let name = format!("wayloom-disk-{}-{number}", std::process::id());
            let path = std::env::temp_dir().join(name);
            fs::create_dir_all(&path).expect("a folder for the test");
            Self(path)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    /// Commits a new version, while another program does something to the file between the comparison
    /// and the swap.
    fn saved_while(meanwhile: impl FnOnce(&Path)) -> (Result<(), FileError>, Folder) {
        let folder = Folder::new();
        let path = folder.0.join("level");
        fs::write(&path, "old").expect("written");
        let expected = Replacing::Version(ContentHash::of(b"old"));
        let prepared = Prepared::new(&path, b"new", expected).expect("prepared");
        (prepared.commit_after(meanwhile), folder)
    }

    fn names(folder: &Folder) -> Vec<String> {
        let entries = fs::read_dir(&folder.0).expect("a folder");
        let name = |entry: io::Result<fs::DirEntry>| entry.expect("read").file_name();
        let names = entries.map(|entry| name(entry).to_string_lossy().into_owned());
        names.collect()
    }

    #[test]
    fn what_came_in_between_is_put_back_whatever_it_is() {
        let (saved, folder) = saved_while(|_| ());
        saved.expect("nothing came in between");
        assert_eq!(fs::read(folder.0.join("level")).expect("there"), b"new");
        assert_eq!(names(&folder), ["level"], "nothing is left over");

        let (saved, folder) = saved_while(|path| {
            fs::remove_file(path).expect("removed");
            fs::write(path, "another").expect("written");
        });
        assert!(matches!(saved, Err(FileError::Changed(_))), "{saved:?}");
        assert_eq!(fs::read(folder.0.join("level")).expect("there"), b"another");
        assert_eq!(names(&folder), ["level"]);

        // A folder cannot be read as a file; nor can a file without permission.
        let (saved, folder) = saved_while(|path| {
            fs::remove_file(path).expect("removed");
            fs::create_dir(path).expect("made");
            fs::write(path.join("work"), "of another program").expect("written");
        });
        assert!(matches!(saved, Err(FileError::Folder(_))), "{saved:?}");
        assert!(folder.0.join("level/work").is_file());
        assert_eq!(names(&folder), ["level"]);
    }
}
