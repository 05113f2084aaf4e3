//! Every format once: what it is called, how its files are known, who reads and who writes it.
//!
//! `wayloom formats`, `--format`, the flags of `import` and `export`, the file dialogs and the docs all
//! derive from these rows. A new format is a file with its reader or writer, and a row here.

mod built_in;
#[cfg(test)]
mod tests;

pub use super::row::{Content, FormatReader, FormatRow, FormatWriter, Needs, Output, Purpose};
pub use built_in::{BAKE, HEIGHTMAP, WAYLOOM};

use super::sniff::Sniff;
use built_in::BUILT_IN;
use std::path::Path;
use std::sync::{PoisonError, RwLock};

/// Rows that were added while the program runs.
static ADDED: RwLock<Vec<&'static FormatRow>> = RwLock::new(Vec::new());

/// Every format, the built-in ones first.
#[must_use]
pub fn rows() -> Vec<&'static FormatRow> {
    let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
    BUILT_IN.iter().chain(added.iter()).copied().collect()
}

/// Adds a format, which from then on is everywhere where formats are.
///
/// # Errors
/// Its id is taken, or a flag of its options means something else in another format.
pub fn register(row: &'static FormatRow) -> Result<(), RegisterError> {
    /// What the commands themselves take.
    const RESERVED: [&str; 13] = [
        "file",
        "files",
        "force",
        "format",
        "help",
        "json",
        "level",
        "out",
        "preset",
        "quiet",
        "recording",
        "threads",
        "watch",
    ];
    let known = rows();
    if known
        .iter()
        .any(|known| known.id.eq_ignore_ascii_case(row.id))
    {
        return Err(RegisterError::IdTaken(row.id));
    }
    for spec in row
        .import_options()
        .iter()
        .chain(&row.export_options())
        .flat_map(super::Options::specs)
    {
        if RESERVED.contains(&spec.key) {
            return Err(RegisterError::FlagTaken {
                key: spec.key,
                by: "every format",
            });
        }
        let clashes = |other: &&FormatRow| {
            let options = [other.import_options(), other.export_options()];
            let mut specs = options.iter().flatten().flat_map(super::Options::specs);
            specs.any(|known| known.key == spec.key && known.takes_value() != spec.takes_value())
        };
        if let Some(other) = known.iter().find(|other| clashes(other)) {
            return Err(RegisterError::FlagTaken {
                key: spec.key,
                by: other.title,
            });
        }
    }
    let mut added = ADDED.write().unwrap_or_else(PoisonError::into_inner);
    added.push(row);
    Ok(())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegisterError {
    #[error("there is a format `{0}` already")]
    IdTaken(&'static str),
    #[error("--{key} means something else for {by}")]
    FlagTaken { key: &'static str, by: &'static str },
}

/// The format of this id.
///
/// # Errors
/// There is none; the sentence lists those there are.
pub fn named(id: &str) -> Result<&'static FormatRow, UnknownFormat> {
    let row = rows()
        .into_iter()
        .find(|row| row.id.eq_ignore_ascii_case(id));
    row.ok_or_else(|| UnknownFormat {
        given: id.to_owned(),
    })
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{given}` is not a format; known ones are {}", ids())]
pub struct UnknownFormat {
    given: String,
}

fn ids() -> String {
    let ids: Vec<&str> = rows().iter().map(|row| row.id).collect();
    ids.join(", ")
}

/// All formats as a table for the docs.
#[must_use]
pub fn markdown() -> String {
    let mut text =
        String::from("| `--format` | Format | Files | Read | Written |\n|---|---|---|---|---|\n");
    for row in rows() {
        let yes = |is: bool| if is { "yes" } else { "–" };
        text += &format!(
            "| `{}` | {} | {} | {} | {} |\n",
            row.id,
            row.title,
            row.files(),
            yes(row.reader.is_some()),
            yes(row.writer.is_some())
        );
    }
    text
}

/// Formats of other programs that can be read.
#[must_use]
pub fn importable() -> Vec<&'static FormatRow> {
    let mut rows = rows();
    rows.retain(|row| row.reader.is_some() && *row != &WAYLOOM);
    rows
}

/// Formats of other programs that can be written.
#[must_use]
pub fn exportable() -> Vec<&'static FormatRow> {
    let mut rows = rows();
    rows.retain(|row| row.writer.is_some() && *row != &WAYLOOM);
    rows
}

/// The format of a file to be read: by its name, and by its beginning where the name fits several
/// formats or none, or plainly misleads.
#[must_use]
pub fn detect(path: &Path, head: &[u8]) -> Option<&'static FormatRow> {
    let readable: Vec<(&'static FormatRow, Sniff)> = rows()
        .into_iter()
        .filter_map(|row| Some((row, (row.reader.as_ref()?.sniff)(head))))
        .collect();
    let by_name = || readable.iter().filter(|(row, _)| row.has_ending_of(path));
    let certain = |(_, sniff): &&(_, Sniff)| *sniff == Sniff::Yes;
    by_name()
        .find(certain)
        .or_else(|| readable.iter().find(certain))
        .or_else(|| by_name().find(|(_, sniff)| *sniff == Sniff::Maybe))
        // Its reader will say what is wrong.
        .or_else(|| by_name().next())
        .map(|(row, _)| *row)
}

/// Of the formats that show movement, the one that a file to be written is in by its name.
#[must_use]
pub fn for_recording(path: &Path) -> Option<&'static FormatRow> {
    let mut rows = rows().into_iter();
    rows.find(|row| row.takes_recording() && row.has_ending_of(path))
}

/// The format that a file to be written is in by its name.
#[must_use]
pub fn for_output(path: &Path) -> Option<&'static FormatRow> {
    let is_file = |row: &FormatRow| {
        row.writer
            .as_ref()
            .is_some_and(|w| w.output == Output::File)
    };
    rows()
        .into_iter()
        .find(|row| is_file(row) && row.has_ending_of(path))
}
