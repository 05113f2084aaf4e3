//! Exports that are kept with a level: format, options and target, in a small file beside it. The
//! level itself is not altered by what it is exported to.

use super::options::Options;
use super::registry::{self, FormatRow};
use crate::base::io_words;
use crate::base::parser_words::json_words;
use crate::document::format::disk;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Largest file that is read. Unit: bytes.
const MOST_BYTES: u64 = 1 << 20;

/// An export to be repeated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preset {
    pub name: String,
    /// Id of the format.
    pub format: String,
    /// Relative to the level's folder unless it is absolute.
    pub target: PathBuf,
    /// What differs from the format's defaults, as on the command line.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
    /// Repeated whenever the level is saved.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub on_save: bool,
}

/// The exports of a level.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Presets {
    pub exports: Vec<Preset>,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PresetError {
    #[error("{file}: {reason}")]
    Unreadable { file: PathBuf, reason: String },
    #[error("the preset \"{name}\": {reason}")]
    Invalid { name: String, reason: String },
    #[error("there is no preset \"{name}\"; {known}")]
    Unknown { name: String, known: String },
    #[error("{0}")]
    NotWritten(String),
}

/// The file of a level's presets: `rooms.ron` has `rooms.exports.json`.
#[must_use]
pub fn file_of(level: &Path) -> PathBuf {
    level.with_extension("exports.json")
}

impl Preset {
    /// With what differs from the format's defaults.
    #[must_use]
    pub fn new(name: &str, format: &FormatRow, options: &Options, target: &Path) -> Self {
        let defaults = format.export_options();
        let differing = options.specs().into_iter().filter_map(|spec| {
            let value = options.get(spec.key)?;
            let usual = defaults.as_ref().and_then(|usual| usual.get(spec.key));
            let text = match value {
                super::options::OptionValue::Automatic => "auto".to_owned(),
                other => other.to_string(),
            };
            (usual.as_ref() != options.get(spec.key).as_ref()).then(|| (spec.key.to_owned(), text))
        });
        Self {
            name: name.to_owned(),
            format: format.id.to_owned(),
            target: target.to_owned(),
            options: differing.collect(),
            on_save: false,
        }
    }

    /// The format, its options and the file or folder to write, for a level in this folder.
    ///
    /// # Errors
    /// A sentence, if there is no such format or an option of it is wrong.
    pub fn resolve(
        &self,
        folder: &Path,
    ) -> Result<(&'static FormatRow, Options, PathBuf), PresetError> {
        let invalid = |reason: String| PresetError::Invalid {
            name: self.name.clone(),
            reason,
        };
        let format = registry::named(&self.format).map_err(|error| invalid(error.to_string()))?;
        let mut options = format
            .export_options()
            .ok_or_else(|| invalid(format!("{format} files can be read, not written")))?;
        for (key, text) in &self.options {
            let specs = options.specs();
            let spec = specs.iter().find(|spec| spec.key == key);
            let spec =
                spec.ok_or_else(|| invalid(format!("--{key} is not an option of {format}")))?;
            let texts: Vec<String> = match spec.kind {
                super::options::OptionKind::Profiles => {
                    text.split(", ").map(str::to_owned).collect()
                }
                _ => vec![text.clone()],
            };
            let value = spec
                .parse(&texts)
                .map_err(|error| invalid(error.to_string()))?;
            options
                .set(key, value)
                .map_err(|error| invalid(error.to_string()))?;
        }
        options
            .check()
            .map_err(|error| invalid(error.to_string()))?;
        Ok((format, options, folder.join(&self.target)))
    }
}

impl Presets {
    /// Those of a level; none if it has no such file.
    ///
    /// # Errors
    /// The file is there and cannot be read.
    pub fn load(level: &Path) -> Result<Self, PresetError> {
        let file = file_of(level);
        let failed = |reason: String| PresetError::Unreadable {
            file: file.clone(),
            reason,
        };
        let length = match std::fs::metadata(&file) {
            Ok(metadata) => metadata.len(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Self::default());
            }
            Err(error) => return Err(failed(io_words(&error))),
        };
        if length > MOST_BYTES {
            return Err(failed("it is too large for a list of exports".to_owned()));
        }
        let bytes = std::fs::read(&file).map_err(|error| failed(io_words(&error)))?;
        serde_json::from_slice(&bytes).map_err(|error| failed(json_words(&error)))
    }

    /// # Errors
    /// The disk does not take it.
    pub fn save(&self, level: &Path) -> Result<(), PresetError> {
        let failed = |error: &dyn std::fmt::Display| PresetError::NotWritten(error.to_string());
        let text = serde_json::to_string_pretty(self).map_err(|error| failed(&error))?;
        disk::replace(&file_of(level), (text + "\n").as_bytes()).map_err(|error| failed(&error))
    }

    /// Adds one, or replaces the one of its name.
    pub fn put(&mut self, preset: Preset) {
        match self.exports.iter_mut().find(|p| p.name == preset.name) {
            Some(known) => *known = preset,
            None => self.exports.push(preset),
        }
    }

    pub fn remove(&mut self, name: &str) {
        self.exports.retain(|preset| preset.name != name);
    }

    /// # Errors
    /// There is none; the sentence lists those there are.
    pub fn named(&self, name: &str) -> Result<&Preset, PresetError> {
        let found = self.exports.iter().find(|preset| preset.name == name);
        found.ok_or_else(|| {
            let names: Vec<&str> = self.exports.iter().map(|p| p.name.as_str()).collect();
            PresetError::Unknown {
                name: name.to_owned(),
                known: if names.is_empty() {
                    "the level has none".to_owned()
                } else {
                    format!("the level has {}", names.join(", "))
                },
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exchange::options::OptionValue;

    #[test]
    fn a_preset_comes_back_with_its_options() {
        let folder = std::env::temp_dir().join(format!("wayloom-presets-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("writable");
        let level = folder.join("rooms.ron");
        assert_eq!(Presets::load(&level), Ok(Presets::default()));
        let format = registry::named("glb").expect("there is one");
        let mut options = format.export_options().expect("written");
        let profile = OptionValue::Profile("A \"quoted\" 🦀".to_owned());
        options.set("profile", profile).expect("an option");
        options
            .set("contents", OptionValue::Choice("level"))
            .expect("an option");
        let mut presets = Presets::default();
        let mut preset = Preset::new("Engine", format, &options, Path::new("out/level.glb"));
        preset.on_save = true;
        assert_eq!(preset.options.len(), 2);
        presets.put(preset.clone());
        presets.put(preset);
        presets.save(&level).expect("written");
        let read = Presets::load(&level).expect("readable");
        assert_eq!(read, presets);
        let (row, again, target) = read
            .named("Engine")
            .and_then(|preset| preset.resolve(&folder))
            .expect("whole");
        assert_eq!((row.id, target), ("glb", folder.join("out/level.glb")));
        assert!(again == options);
        assert!(read.named("engine").is_err());
        std::fs::write(file_of(&level), "{\"exports\": [{}]}").expect("writable");
        assert!(Presets::load(&level).is_err());
        std::fs::remove_dir_all(&folder).expect("ours");
    }
}
