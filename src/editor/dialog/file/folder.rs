//! Contents of a folder, and shortcuts to common folders.

use egui_material_icons::{MaterialIcon, icons as icon};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderEntry {
    pub name: String,
    pub is_folder: bool,
    /// Unit: bytes.
    pub size: Option<u64>,
    pub modified: Option<SystemTime>,
}

impl FolderEntry {
    pub fn is_hidden(&self) -> bool {
        self.name.starts_with('.')
    }
}

#[derive(Clone, Debug, Default)]
pub struct Listing {
    pub folder: PathBuf,
    /// Folders first, each part sorted by name.
    pub entries: Vec<FolderEntry>,
}

impl Listing {
    /// # Errors
    /// A sentence about why the folder cannot be read.
    pub fn read(folder: &Path) -> Result<Self, String> {
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let read = fs::read_dir(&folder)
            .map_err(|error| format!("{} cannot be read: {error}.", folder.display()))?;
        let mut entries: Vec<FolderEntry> = read
            .flatten()
            .map(|entry| {
                // Follows links: a link to a folder counts as a folder.
                let about = fs::metadata(entry.path()).ok();
                let is_folder = about.as_ref().is_some_and(fs::Metadata::is_dir);
                FolderEntry {
                    name: entry.file_name().to_string_lossy().into_owned(),
                    is_folder,
                    size: about.as_ref().filter(|_| !is_folder).map(fs::Metadata::len),
                    modified: about.and_then(|about| about.modified().ok()),
                }
            })
            .collect();
        entries.sort_by_key(|entry| (!entry.is_folder, entry.name.to_lowercase()));
        Ok(Self { folder, entries })
    }
}

/// The shortcuts on the left of the dialog, if they exist.
pub fn places() -> Vec<(MaterialIcon, String, PathBuf)> {
    let user = directories::UserDirs::new();
    let user = user.as_ref();
    let mut places = Vec::new();
    let mut offer = |symbol, name: &str, path: Option<PathBuf>| {
        if let Some(path) = path.filter(|path| path.is_dir()) {
            places.push((symbol, name.to_owned(), path));
        }
    };
    offer(
        icon::ICON_HOME,
        "Home",
        user.map(|dirs| dirs.home_dir().to_owned()),
    );
    let owned = |path: Option<&Path>| path.map(Path::to_owned);
    offer(
        icon::ICON_DESKTOP_WINDOWS,
        "Desktop",
        user.and_then(|dirs| owned(dirs.desktop_dir())),
    );
    offer(
        icon::ICON_DESCRIPTION,
        "Documents",
        user.and_then(|dirs| owned(dirs.document_dir())),
    );
    offer(
        icon::ICON_DOWNLOAD,
        "Downloads",
        user.and_then(|dirs| owned(dirs.download_dir())),
    );
    offer(
        icon::ICON_TERMINAL,
        "Working folder",
        std::env::current_dir().ok(),
    );
    offer(
        icon::ICON_HARD_DRIVE,
        "Computer",
        Some(PathBuf::from(std::path::MAIN_SEPARATOR_STR)),
    );
    places
}

/// Expands `~` and `~/…` like a shell.
pub fn expand(text: &str) -> PathBuf {
    let home = || directories::UserDirs::new().map(|dirs| dirs.home_dir().to_owned());
    match text.strip_prefix('~') {
        Some("") => home().unwrap_or_else(|| PathBuf::from(text)),
        Some(rest) if rest.starts_with('/') => home().map_or_else(
            || PathBuf::from(text),
            |home| home.join(rest.trim_start_matches('/')),
        ),
        _ => PathBuf::from(text),
    }
}

pub fn size_text(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["kB", "MB", "GB", "TB"];
    if bytes < 1000 {
        return format!("{bytes} B");
    }
    let mut value = bytes as f64 / 1000.0;
    let mut unit = 0;
    while value >= 999.5 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    let places = usize::from(value < 9.95);
    format!("{value:.places$} {}", UNITS[unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_short() {
        for (bytes, text) in [
            (0, "0 B"),
            (999, "999 B"),
            (1500, "1.5 kB"),
            (123_456, "123 kB"),
            (999_999, "1.0 MB"),
            (5_000_000_000, "5.0 GB"),
        ] {
            assert_eq!(size_text(bytes), text);
        }
    }

    #[test]
    fn folders_come_first_and_names_are_sorted_without_case() {
        let folder = std::env::temp_dir().join(format!("wayloom-listing-{}", std::process::id()));
        fs::create_dir_all(folder.join("Zoo")).expect("writable");
        for name in ["b.ron", "A.ron"] {
            fs::write(folder.join(name), "").expect("writable");
        }
        let listing = Listing::read(&folder).expect("readable");
        let names: Vec<&str> = listing.entries.iter().map(|e| e.name.as_str()).collect();
        assert_eq!(names, ["Zoo", "A.ron", "b.ron"]);
        let _ = fs::remove_dir_all(&folder);
        assert!(Listing::read(&folder).is_err());
    }
}
