//! What it takes to read a format.

use super::import::{ImportError, Imported, MAX_FILE_SIZE, Source};
use super::options::{FormatOptions, Options};
use super::registry::FormatRow;
use crate::document::Level;
use crate::jobs::JobContext;
use std::any::{Any, TypeId};
use std::path::{Path, PathBuf};

/// Reads a file that another one names, from that one's folder: the name of the file that names
/// it, then the name it gives.
pub type Beside<'a> = dyn Fn(&str, &str) -> Result<Vec<u8>, String> + 'a;

/// Files to be read in one go.
pub struct ImportInput<'a> {
    /// In the order in which they were named; at least one.
    pub sources: &'a [Source],
    /// The format of each.
    pub formats: &'a [&'static FormatRow],
    pub beside: &'a Beside<'a>,
}

impl std::fmt::Debug for ImportInput<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<&str> = self.sources.iter().map(|s| s.name.as_str()).collect();
        f.debug_tuple("ImportInput").field(&names).finish()
    }
}

impl<'a> ImportInput<'a> {
    /// The name of the first file, for messages about all of them.
    #[must_use]
    pub fn name(&self) -> &'a str {
        self.sources.first().map_or("", |source| &source.name)
    }

    /// The only file.
    ///
    /// # Errors
    /// There are several; `one_at_a_time` says what is to be done about it.
    pub fn only(&self, one_at_a_time: &str) -> Result<&'a Source, ImportError> {
        match self.sources {
            [only] => Ok(only),
            [] => Err(ImportError::Options("name a file to import".to_owned())),
            [_, second, ..] => Err(ImportError::within(&second.name, one_at_a_time)),
        }
    }
}

/// Files of a format → a level. Formats that share a reader can be read together.
///
/// Nothing in a file is trusted; see [`super::import`].
pub trait Reader: Send + Sync + 'static {
    type Options: FormatOptions;

    /// # Errors
    /// A sentence that names the file and, where there is one, the place.
    fn read(
        &self,
        input: &ImportInput<'_>,
        options: &Self::Options,
        ctx: &JobContext,
    ) -> Result<Imported, ImportError>;

    /// Adds what the files hold to a level that was drawn elsewhere.
    ///
    /// # Errors
    /// As for [`Reader::read`], and for formats that only make levels of their own.
    fn add_to(
        &self,
        level: &Level,
        input: &ImportInput<'_>,
        options: &Self::Options,
        ctx: &JobContext,
    ) -> Result<Imported, ImportError> {
        let _ = (level, options, ctx);
        Err(ImportError::within(
            input.name(),
            "this cannot be read together with other files; import it on its own",
        ))
    }

    /// A file that is read as well if it exists, where only one was named.
    fn companion(
        &self,
        path: &Path,
        format: &FormatRow,
        options: &Self::Options,
    ) -> Option<PathBuf> {
        let _ = (path, format, options);
        None
    }

    /// Larger files are refused before they are read. Unit: bytes.
    fn max_file_size(&self) -> u64 {
        MAX_FILE_SIZE
    }
}

/// A [`Reader`] whose options are of any kind.
pub trait DynReader: Send + Sync {
    /// Tells readers apart.
    fn reader_id(&self) -> TypeId;

    /// The defaults.
    fn options(&self) -> Options;

    /// # Errors
    /// As for [`Reader::read`].
    fn read_any(
        &self,
        input: &ImportInput<'_>,
        options: &Options,
        ctx: &JobContext,
    ) -> Result<Imported, ImportError>;

    /// # Errors
    /// As for [`Reader::add_to`].
    fn add_any_to(
        &self,
        level: &Level,
        input: &ImportInput<'_>,
        options: &Options,
        ctx: &JobContext,
    ) -> Result<Imported, ImportError>;

    fn companion_of(&self, path: &Path, format: &FormatRow, options: &Options) -> Option<PathBuf>;

    /// Unit: bytes.
    fn most_bytes(&self) -> u64;
}

fn typed<T: FormatOptions>(options: &Options) -> Result<&T, ImportError> {
    options
        .check()
        .map_err(|error| ImportError::Options(error.to_string()))?;
    options
        .downcast_ref()
        .ok_or_else(|| ImportError::Options("these are options of another format".to_owned()))
}

impl<R: Reader> DynReader for R {
    fn reader_id(&self) -> TypeId {
        self.type_id()
    }

    fn options(&self) -> Options {
        Options::new(R::Options::default())
    }

    fn read_any(
        &self,
        input: &ImportInput<'_>,
        options: &Options,
        ctx: &JobContext,
    ) -> Result<Imported, ImportError> {
        self.read(input, typed(options)?, ctx)
    }

    fn add_any_to(
        &self,
        level: &Level,
        input: &ImportInput<'_>,
        options: &Options,
        ctx: &JobContext,
    ) -> Result<Imported, ImportError> {
        self.add_to(level, input, typed(options)?, ctx)
    }

    fn companion_of(&self, path: &Path, format: &FormatRow, options: &Options) -> Option<PathBuf> {
        self.companion(path, format, options.downcast_ref()?)
    }

    fn most_bytes(&self) -> u64 {
        self.max_file_size()
    }
}
