//! Persistent storage of the editor: small RON files in two folders.
//!
//! An unreadable file does no harm: it is moved aside and the defaults are used.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Clone, Debug)]
pub struct Store {
    /// User preferences; `None` stores nothing.
    config: Option<PathBuf>,
    /// Program state: recent files, the layout, images.
    state: PathBuf,
}

/// The stored files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    Preferences,
    Layout,
    Recent,
}

impl Store {
    /// The folders of the current user.
    #[must_use]
    pub fn of_user() -> Self {
        let config = directories::ProjectDirs::from("", "", "wayloom").map_or_else(
            || std::env::temp_dir().join("wayloom"),
            |dirs| dirs.config_dir().to_owned(),
        );
        Self {
            config: Some(config),
            state: crate::document::session::state_folder(),
        }
    }

    /// Everything in one folder.
    #[must_use]
    pub fn in_folder(folder: &Path) -> Self {
        Self {
            config: Some(folder.to_owned()),
            state: folder.to_owned(),
        }
    }

    /// Stores nothing; journals go to a folder of this process.
    #[must_use]
    pub fn nowhere() -> Self {
        Self {
            config: None,
            state: std::env::temp_dir().join(format!("wayloom-{}", std::process::id())),
        }
    }

    /// Where journals of unnamed levels are stored.
    #[must_use]
    pub fn state_folder(&self) -> &Path {
        &self.state
    }

    fn path(&self, item: Item) -> Option<PathBuf> {
        let config = self.config.as_ref()?;
        Some(match item {
            Item::Preferences => config.join("preferences.ron"),
            Item::Layout => self.state.join("layout.ron"),
            Item::Recent => self.state.join("recent.ron"),
        })
    }

    /// What was stored, or the default.
    #[must_use]
    pub fn load<T: DeserializeOwned + Default>(&self, item: Item) -> T {
        let Some(path) = self.path(item) else {
            return T::default();
        };
        let Ok(text) = fs::read_to_string(&path) else {
            return T::default();
        };
        ron::from_str(&text).unwrap_or_else(|_| {
            let _ = fs::rename(&path, path.with_extension("ron.damaged"));
            T::default()
        })
    }

    /// # Errors
    /// A sentence about what could not be written.
    pub fn save<T: Serialize>(&self, item: Item, value: &T) -> Result<(), String> {
        let Some(path) = self.path(item) else {
            return Ok(());
        };
        let refuse = |error: &dyn std::fmt::Display| {
            format!("{} could not be written: {error}.", path.display())
        };
        let text = ron::ser::to_string_pretty(value, ron::ser::PrettyConfig::default())
            .map_err(|error| refuse(&error))?;
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| refuse(&error))?;
        }
        // Written to a sibling and renamed: a crash leaves the old file or the new one.
        let fresh = path.with_extension("ron.new");
        fs::write(&fresh, text)
            .and_then(|()| fs::rename(&fresh, &path))
            .map_err(|error| refuse(&error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editor::preferences::Preferences;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("wayloom-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    #[test]
    fn what_is_kept_comes_back() {
        let folder = folder("store");
        let store = Store::in_folder(&folder);
        let kept = Preferences {
            scale: 1.25,
            ..Preferences::default()
        };
        store.save(Item::Preferences, &kept).expect("writable");
        assert_eq!(store.load::<Preferences>(Item::Preferences), kept);
        let _ = fs::remove_dir_all(folder);
    }

    #[test]
    fn a_damaged_file_is_set_aside_and_the_defaults_are_used() {
        let folder = folder("store-damaged");
        fs::create_dir_all(&folder).expect("writable");
        fs::write(folder.join("preferences.ron"), "(scale: oh").expect("writable");
        let store = Store::in_folder(&folder);
        assert_eq!(
            store.load::<Preferences>(Item::Preferences),
            Preferences::default()
        );
        assert!(folder.join("preferences.ron.damaged").exists());
        let _ = fs::remove_dir_all(folder);
    }
}
