//! The contents of files, read with a limit on their size.

use super::ImportError;
use crate::base::io_words;
use crate::document::format;
use crate::exchange::sniff::HEAD;
use crate::jobs::JobContext;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Larger files are refused before they are read, unless a reader takes larger ones. Unit: bytes.
pub const MAX_FILE_SIZE: u64 = format::MAX_FILE_SIZE;

/// Between two looks at whether to go on. Unit: bytes.
const READ_AT_ONCE: u64 = 1 << 23;

/// The contents of one file, and what to call it in messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    pub name: String,
    pub bytes: Vec<u8>,
}

impl Source {
    #[must_use]
    pub fn new(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self {
            name: name.into(),
            bytes: bytes.into(),
        }
    }

    /// What its format is told by.
    pub(super) fn head(&self) -> &[u8] {
        &self.bytes[..self.bytes.len().min(HEAD)]
    }

    pub(super) fn check_size(&self, limit: u64) -> Result<(), ImportError> {
        let size = self.bytes.len() as u64;
        if size > limit {
            return Err(too_large(&self.name, size, limit));
        }
        Ok(())
    }
}

/// A file's contents, of bounded size.
///
/// # Errors
/// It does not exist, may not be read, or is too large.
pub fn read_source(path: &Path) -> Result<Source, ImportError> {
    read_limited(path, MAX_FILE_SIZE, &JobContext::default())
}

/// The beginning of a file, by which its format is told.
///
/// # Errors
/// It does not exist, or may not be read.
pub fn read_head(path: &Path) -> Result<Vec<u8>, ImportError> {
    let mut head = Vec::new();
    let file = File::open(path).map_err(|error| failed(path, &error))?;
    file.take(HEAD as u64)
        .read_to_end(&mut head)
        .map_err(|error| failed(path, &error))?;
    Ok(head)
}

fn failed(path: &Path, error: &io::Error) -> ImportError {
    let message = match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::IsADirectory => "this is a folder, not a file".to_owned(),
        io::ErrorKind::PermissionDenied => "you may not read this file".to_owned(),
        _ => format!("could not be read: {}", io_words(error)),
    };
    ImportError::within(&path.display().to_string(), message)
}

/// With a limit of its own and progress, for files that take a while.
pub(super) fn read_limited(
    path: &Path,
    limit: u64,
    context: &JobContext,
) -> Result<Source, ImportError> {
    let failed = |error: io::Error| failed(path, &error);
    let name = path.display().to_string();
    let file = File::open(path).map_err(failed)?;
    let length = file.metadata().map_err(failed)?.len();
    if length > limit {
        return Err(too_large(&name, length, limit));
    }
    // A pipe or device has no length: the reader is bounded as well.
    let mut bytes = Vec::with_capacity(length as usize);
    let mut rest = file.take(limit + 1);
    while (&mut rest)
        .take(READ_AT_ONCE)
        .read_to_end(&mut bytes)
        .map_err(failed)?
        > 0
    {
        context.checkpoint()?;
        context.report(bytes.len() as f32 / length.max(1) as f32);
    }
    if bytes.len() as u64 > limit {
        return Err(too_large(&name, length.max(bytes.len() as u64), limit));
    }
    Ok(Source { name, bytes })
}

fn too_large(file: &str, size: u64, limit: u64) -> ImportError {
    ImportError::within(
        file,
        format!(
            "the file has {} bytes, more than the {} MB that are read — export a smaller part",
            size,
            limit >> 20
        ),
    )
}
