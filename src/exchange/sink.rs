//! Where exported files go: into memory, or to disk once all of them are complete.

use super::export::ExportError;
use super::registry::Output;
use crate::document::format::disk;
use std::fs;
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
}

impl ExportSink for MemorySink {
    fn write_main(&mut self, bytes: Vec<u8>) -> Result<(), ExportError> {
        self.main = bytes;
        Ok(())
    }

    fn write(&mut self, name: &str, bytes: Vec<u8>) -> Result<(), ExportError> {
        // Folders within the folder are fine; nothing leads out of it.
        let is_plain =
            |part: &str| !part.is_empty() && !part.starts_with('.') && !part.contains(['\\', ':']);
        if !name.split('/').all(is_plain) {
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

    /// Writes what was exported. A new folder appears whole or not at all; in a folder that exists,
    /// each file is replaced in one step, and the main one last: where it exists, the rest does.
    /// Nothing else in the folder is touched.
    ///
    /// # Errors
    /// The disk does not take it, or something would be overwritten that must not be.
    pub fn save(&self, files: &MemorySink, overwrite: bool) -> Result<(), ExportError> {
        let folder = self.main.parent().unwrap_or(Path::new(""));
        if self.is_folder && !folder.exists() {
            return self.save_new_folder(folder, files);
        }
        if !overwrite {
            let beside = files.beside.iter().map(|(name, _)| folder.join(name));
            if let Some(taken) = beside.chain([self.main.clone()]).find(|path| path.exists()) {
                return Err(ExportError::Refused(format!(
                    "{} exists already; choose another name, or overwrite it with --force",
                    taken.display()
                )));
            }
        }
        write_all(folder, files, &self.main)
    }

    /// Into a folder of another name beside it, which then gets its name.
    fn save_new_folder(&self, folder: &Path, files: &MemorySink) -> Result<(), ExportError> {
        let not_made = |path: &Path, error: &std::io::Error| {
            ExportError::NotWritten(format!(
                "the folder {} cannot be created: {error}",
                path.display()
            ))
        };
        let parent = folder.parent().unwrap_or(Path::new(""));
        if !parent.as_os_str().is_empty() {
            fs::create_dir_all(parent).map_err(|error| not_made(parent, &error))?;
        }
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let partial = parent.join(format!(".{name}.{}.part", std::process::id()));
        fs::create_dir(&partial).map_err(|error| not_made(&partial, &error))?;
        let main = self.main.file_name().unwrap_or_default();
        let written = write_all(&partial, files, &partial.join(main))
            .and_then(|()| fs::rename(&partial, folder).map_err(|error| not_made(folder, &error)));
        if written.is_err() {
            // What is left of it is of no use to anybody; the first error is the one to tell.
            let _ = fs::remove_dir_all(&partial);
        }
        written
    }
}

/// The main file last.
fn write_all(folder: &Path, files: &MemorySink, main: &Path) -> Result<(), ExportError> {
    let failed = |error: disk::FileError| ExportError::NotWritten(error.to_string());
    for (name, bytes) in files.beside.iter().rev() {
        let path = folder.join(name);
        if name.contains('/')
            && let Some(inner) = path.parent()
        {
            fs::create_dir_all(inner).map_err(|error| {
                ExportError::NotWritten(format!(
                    "the folder {} cannot be created: {error}",
                    inner.display()
                ))
            })?;
        }
        disk::replace(&path, bytes).map_err(failed)?;
    }
    disk::replace(main, &files.main).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BAKE: Output = Output::Folder { index: "bake.json" };

    #[test]
    fn a_chosen_index_stands_for_its_folder_and_any_other_name_for_a_new_one() {
        let index = Target::chosen(Path::new("out/bake.json"), BAKE);
        assert_eq!(index.path(), Path::new("out"));
        let other = Target::chosen(Path::new("out/town.json"), BAKE);
        assert_eq!(other.main(), Path::new("out/town/bake.json"));
        let file = Target::chosen(Path::new("out/town.json"), Output::File);
        assert_eq!(
            (file.main(), file.path()),
            (Path::new("out/town.json"), file.main())
        );
    }

    #[test]
    fn names_beside_the_main_file_stay_in_its_folder() {
        let mut sink = MemorySink::default();
        for name in ["", "../a", "a/../b", "a//b", "/a", "C:a", "."] {
            assert!(sink.write(name, Vec::new()).is_err(), "{name}");
        }
        sink.write("a.bin", vec![1]).expect("a plain name");
        sink.write_main(vec![2, 3]).expect("taken");
        assert_eq!(sink.byte_count(), 3);
    }

    #[test]
    fn a_new_folder_is_written_whole_or_not_at_all() {
        let above = std::env::temp_dir().join(format!("wayloom-whole-{}", std::process::id()));
        fs::create_dir_all(&above).expect("writable");
        let target = Target::named(&above.join("new"), BAKE);
        // A file that cannot be written: another file has the name of its folder.
        let files = MemorySink {
            main: b"{}".to_vec(),
            beside: vec![
                ("a.bin/b.bin".to_owned(), vec![2]),
                ("a.bin".to_owned(), vec![1]),
            ],
        };
        assert!(target.save(&files, false).is_err());
        assert_eq!(fs::read_dir(&above).expect("ours").count(), 0);
        let files = MemorySink {
            beside: vec![("a.bin".to_owned(), vec![1])],
            ..files
        };
        target.save(&files, false).expect("written");
        let count = |path: &Path| fs::read_dir(path).expect("ours").count();
        assert_eq!((count(&above), count(&above.join("new"))), (1, 2));
        fs::remove_dir_all(&above).expect("ours");
    }

    #[test]
    fn nothing_is_overwritten_unless_told_to() {
        let folder = std::env::temp_dir().join(format!("wayloom-sink-{}", std::process::id()));
        let target = Target::named(&folder, BAKE);
        target
            .check(false)
            .expect("the folder is made when it is needed");
        let files = MemorySink {
            main: b"{}".to_vec(),
            beside: vec![("a.bin".to_owned(), vec![1])],
        };
        target.save(&files, false).expect("written");
        assert_eq!(fs::read(folder.join("a.bin")).expect("written"), [1]);
        fs::remove_file(folder.join("bake.json")).expect("ours");
        let refused = target.save(&files, false).expect_err("a.bin exists");
        assert!(refused.to_string().contains("a.bin"), "{refused}");
        assert!(!folder.join("bake.json").exists(), "nothing was written");
        target.save(&files, true).expect("told to");
        let refused = target.check(false).expect_err("exists").to_string();
        assert!(refused.contains("--force"), "{refused}");
        target.check(true).expect("told to");
        let file = Target::named(&folder.join("no/such/file.wkt"), Output::File);
        assert!(file.check(false).is_err());
        assert!(Target::named(&folder, Output::File).check(true).is_err());
        assert!(
            Target::named(&folder.join("a.bin"), BAKE)
                .check(true)
                .is_err()
        );
        fs::remove_dir_all(&folder).expect("ours");
    }
}
