//! Where exported files go: into memory, or to disk once all of them are complete.

mod folder;
#[cfg(test)]
mod tests;

use super::export::ExportError;
use super::registry::Output;
use crate::document::format::disk;
use std::path::{Path, PathBuf};

pub trait ExportSink {
    /// The file that the person named; of a folder, its index.
    ///
    /// # Errors
    /// It cannot be taken.
    fn write_main(&mut self, bytes: Vec<u8>) -> Result<(), ExportError>;

    /// A file beside it.
    ///
    /// # Errors
    /// It cannot be taken, or the name leads out of the folder.
    fn write(&mut self, name: &str, bytes: Vec<u8>) -> Result<(), ExportError>;
}

/// Keeps everything in memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemorySink {
    pub main: Vec<u8>,
    /// Name and contents, in the order of writing.
    pub beside: Vec<(String, Vec<u8>)>,
}

impl MemorySink {
    #[must_use]
    pub fn byte_count(&self) -> usize {
        let beside: usize = self.beside.iter().map(|(_, bytes)| bytes.len()).sum();
        self.main.len() + beside
    }

    /// Of the files beside the main one.
    fn names(&self) -> impl Iterator<Item = &str> {
        self.beside.iter().map(|(name, _)| name.as_str())
    }
}

/// Folders within the folder are fine; nothing leads out of it.
fn is_plain(name: &str) -> bool {
    name.split('/')
        .all(|part| !part.is_empty() && !part.starts_with('.') && !part.contains(['\\', ':']))
}

impl ExportSink for MemorySink {
    fn write_main(&mut self, bytes: Vec<u8>) -> Result<(), ExportError> {
        self.main = bytes;
        Ok(())
    }

    fn write(&mut self, name: &str, bytes: Vec<u8>) -> Result<(), ExportError> {
        if !is_plain(name) {
            let message = format!("`{name}` is not the name of a file in the folder");
            return Err(ExportError::Refused(message));
        }
        self.beside.push((name.to_owned(), bytes));
        Ok(())
    }
}

/// Where on disk an export goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    main: PathBuf,
    is_folder: bool,
}

impl Target {
    /// As named on the command line: a file, or the folder of a format that writes several.
    #[must_use]
    pub fn named(path: &Path, output: Output) -> Self {
        match output {
            Output::File => Self {
                main: path.to_owned(),
                is_folder: false,
            },
            Output::Folder { index } => Self {
                main: path.join(index),
                is_folder: true,
            },
        }
    }

    /// As chosen in a dialog, which asks for the index of a folder: under any other name it is a
    /// folder of that name.
    #[must_use]
    pub fn chosen(path: &Path, output: Output) -> Self {
        match output {
            Output::Folder { index } if path.file_name().is_some_and(|name| name == index) => {
                Self {
                    main: path.to_owned(),
                    is_folder: true,
                }
            }
            Output::Folder { .. } => Self::named(&path.with_extension(""), output),
            Output::File => Self::named(path, output),
        }
    }

    /// The file that was named, or the index.
    #[must_use]
    pub fn main(&self) -> &Path {
        &self.main
    }

    /// What to call the whole.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self.main.parent() {
            Some(folder) if self.is_folder => folder,
            _ => &self.main,
        }
    }

    /// Refuses early, before any work is done.
    ///
    /// # Errors
    /// It exists already, or there is no folder for it.
    pub fn check(&self, overwrite: bool) -> Result<(), ExportError> {
        let refuse = |sentence: String| Err(ExportError::Refused(sentence));
        let path = self.path();
        if self.is_folder && path.exists() && !path.is_dir() {
            return refuse(format!("{} is a file; name a folder", path.display()));
        }
        if self.main.is_dir() {
            return refuse(format!(
                "{} is a folder; name a file in it",
                self.main.display()
            ));
        }
        if self.main.exists() && !overwrite {
            return refuse(format!(
                "{} exists already; choose another name, or overwrite it with --force",
                self.main.display()
            ));
        }
        if let Some(folder) = path.parent()
            && !self.is_folder
            && !folder.as_os_str().is_empty()
            && !folder.is_dir()
        {
            return refuse(format!(
                "there is no folder {}; make it first",
                folder.display()
            ));
        }
        Ok(())
    }

    /// Writes what was exported: all of it, or nothing. Folders are replaced as a whole; of a file with
    /// others beside it, the main one is replaced last.
    ///
    /// # Errors
    /// The disk does not take it, or something would be overwritten that must not be.
    pub fn save(&self, files: &MemorySink, overwrite: bool) -> Result<(), ExportError> {
        let folder = self.main.parent().unwrap_or(Path::new(""));
        if self.is_folder {
            let index = self.main.file_name().unwrap_or_default().to_string_lossy();
            return folder::save(folder, &index, files, overwrite);
        }
        disk::sweep(&self.main);
        let failed = |error: disk::FileError| match error {
            disk::FileError::Exists(path) => ExportError::Refused(format!(
                "{} exists already; choose another name, or overwrite it with --force",
                path.display()
            )),
            error => ExportError::NotWritten(error.to_string()),
        };
        let replacing = if overwrite {
            disk::Replacing::Anything
        } else {
            disk::Replacing::Nothing
        };
        // All of them are on disk before the first one shows.
        let beside = files.beside.iter().rev();
        let beside = beside.map(|(name, bytes)| (folder.join(name), &bytes[..]));
        let all = beside.chain([(self.main.clone(), &files.main[..])]);
        let prepared: Result<Vec<_>, _> = all
            .map(|(path, bytes)| Ok((disk::Prepared::new(&path, bytes, replacing)?, path)))
            .collect();
        let mut written: Vec<PathBuf> = Vec::new();
        for (file, path) in prepared.map_err(failed)? {
            if let Err(error) = file.commit() {
                if !overwrite {
                    // They are new, and nothing leads to them.
                    for path in &written {
                        let _ = std::fs::remove_file(path);
                    }
                }
                return Err(failed(error));
            }
            written.push(path);
        }
        Ok(())
    }
}
