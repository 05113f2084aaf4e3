//! How files are to be read.

use super::{DynReader, ImportError};
use crate::exchange::options::{FormatOptions, Options};
use crate::exchange::registry::{self, Content, FormatReader, FormatRow};
use std::path::Path;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImportRequest {
    /// What the files are; by their names and beginnings if `None`.
    pub format: Option<&'static FormatRow>,
    /// For each reader its own; the defaults where none are given.
    options: Vec<Options>,
}

impl ImportRequest {
    /// With options for the reader that takes such.
    #[must_use]
    pub fn with<T: FormatOptions>(options: T) -> Self {
        Self::default().and(Options::new(options))
    }

    #[must_use]
    pub fn of(format: &'static FormatRow) -> Self {
        Self {
            format: Some(format),
            options: Vec::new(),
        }
    }

    #[must_use]
    pub fn and(mut self, options: Options) -> Self {
        self.options.retain(|known| !known.is_like(&options));
        self.options.push(options);
        self
    }

    pub(super) fn options_for(&self, reader: &dyn DynReader) -> Options {
        let usual = reader.options();
        let given = self.options.iter().find(|given| given.is_like(&usual));
        given.cloned().unwrap_or(usual)
    }

    /// A file's format, and who reads it. What was said of all files does not hold for a file that
    /// is read along with them: a scenario with its map, a heightmap under a drawing.
    ///
    /// # Errors
    /// The format cannot be told, or not be read.
    pub fn format_of(
        &self,
        path: &Path,
        head: &[u8],
    ) -> Result<(&'static FormatRow, &'static FormatReader), ImportError> {
        let file = || path.display().to_string();
        let seen = registry::detect(path, head);
        let said = self
            .format
            .map(|said| readable(said, &file()))
            .transpose()?;
        let told = seen.map(|seen| readable(seen, &file())).transpose()?;
        match (said, told) {
            (None, Some(told)) => Ok(told),
            (None, None) => Err(ImportError::within(
                &file(),
                "neither name nor contents tell the format; name it with --format (see `wayloom \
                 formats`)",
            )),
            (Some(said), None) => Ok(said),
            (Some(said), Some(told)) => {
                let is_ground = |reader: &FormatReader| matches!(reader.content, Content::Ground);
                let is_read_along = said.1.reader.reader_id() == told.1.reader.reader_id()
                    || is_ground(told.1)
                    || is_ground(said.1);
                Ok(if is_read_along { told } else { said })
            }
        }
    }
}

fn readable(
    format: &'static FormatRow,
    file: &str,
) -> Result<(&'static FormatRow, &'static FormatReader), ImportError> {
    let reader = format.reader.as_ref();
    let reader = reader.ok_or_else(|| {
        ImportError::within(file, format!("{format} files can be written, not read"))
    })?;
    Ok((format, reader))
}
