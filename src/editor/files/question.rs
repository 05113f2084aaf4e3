//! Configuration of file dialogs.

use super::LEVEL_ENDING;
use crate::editor::Editor;
use crate::editor::dialog::file::{FileQuestion, Filter, Mode};
use crate::editor::intention::Purpose;
use crate::editor::recordings::{RECORDING_ENDING, ShownAs};
use crate::exchange::registry::{self, FormatRow, HEIGHTMAP, Output};
use std::path::{Path, PathBuf};

impl Editor {
    pub(in crate::editor) fn question(&self, purpose: Purpose) -> FileQuestion {
        let folder = self
            .state
            .path()
            .and_then(Path::parent)
            .map(ToOwned::to_owned)
            .or_else(|| self.recent.folder.clone())
            .filter(|folder| folder.is_dir())
            .or_else(|| {
                directories::UserDirs::new().map(|dirs| {
                    dirs.document_dir()
                        .unwrap_or_else(|| dirs.home_dir())
                        .to_owned()
                })
            })
            .filter(|folder| folder.is_dir())
            .or_else(|| std::env::current_dir().ok())
            .unwrap_or_else(|| PathBuf::from("."));
        let levels = Filter::new("Wayloom levels", &[LEVEL_ENDING]);
        let (mode, title, filters, ending) = match &purpose {
            Purpose::Open => (Mode::Open, "Open a level", vec![levels, Filter::all()], ""),
            Purpose::SaveAs { .. } => (Mode::Save, "Save the level as", vec![levels], LEVEL_ENDING),
            Purpose::Import => {
                let formats = registry::importable();
                let all: Vec<&str> = formats
                    .iter()
                    .flat_map(|format| format.extensions.iter().copied())
                    .collect();
                let filters = std::iter::once(Filter::new("All known formats", &all))
                    .chain(formats.iter().map(|format| filter_of(format)))
                    .chain([Filter::all()])
                    .collect();
                (Mode::Open, "Import a file", filters, "")
            }
            Purpose::Heights => (
                Mode::Open,
                "Import a heightmap",
                vec![filter_of(&HEIGHTMAP), Filter::all()],
                "",
            ),
            Purpose::Export { format, .. } => (
                Mode::Save,
                match index_of(format) {
                    None => "Export the level as",
                    Some(_) => "Choose the index file",
                },
                vec![filter_of(format)],
                format.extensions.first().copied().unwrap_or_default(),
            ),
            Purpose::Recording(shown_as) => (
                Mode::Open,
                match shown_as {
                    ShownAs::Run => "Open a recording",
                    ShownAs::Ghost => "Open a recording as a ghost",
                },
                vec![
                    Filter::new("Recordings", &[RECORDING_ENDING]),
                    Filter::new("Trajectories as text", &["txt", "csv"]),
                    Filter::all(),
                ],
                "",
            ),
            Purpose::SaveRecording => (
                Mode::Save,
                "Save the recording",
                vec![Filter::new("Recordings", &[RECORDING_ENDING])],
                RECORDING_ENDING,
            ),
            Purpose::Picture => (
                Mode::Save,
                "Save an image of the view",
                vec![Filter::new("PNG images", &["png"])],
                "png",
            ),
        };
        let name = match mode {
            Mode::Open => String::new(),
            Mode::Save => {
                let own = self.state.path().and_then(Path::file_stem);
                let stem = own.map_or_else(
                    || file_stem(&self.state.title()),
                    |stem| stem.to_string_lossy().into_owned(),
                );
                match &purpose {
                    Purpose::Export { format, .. } => index_of(format).map(str::to_owned),
                    _ => None,
                }
                .unwrap_or_else(|| format!("{stem}.{ending}"))
            }
        };
        FileQuestion {
            purpose,
            mode,
            title: title.to_owned(),
            filters,
            folder,
            name,
        }
    }
}

fn filter_of(format: &FormatRow) -> Filter {
    Filter::new(format.title, format.extensions)
}

/// The file that names all others, where a format writes several.
fn index_of(format: &FormatRow) -> Option<&'static str> {
    match format.writer.as_ref()?.output {
        Output::Folder { index } => Some(index),
        Output::File => None,
    }
}

/// A level's name as a file name valid on any system.
fn file_stem(title: &str) -> String {
    let stem: String = title
        .trim()
        .chars()
        .map(|c| {
            if c.is_control() || "<>:\"/\\|?*".contains(c) {
                '_'
            } else {
                c
            }
        })
        .take(80)
        .collect();
    if stem.trim_matches('.').is_empty() {
        "level".to_owned()
    } else {
        stem
    }
}

#[cfg(test)]
mod tests {
    use super::file_stem;

    #[test]
    fn any_title_makes_a_file_name() {
        assert_eq!(file_stem("Mc Kenna"), "Mc Kenna");
        assert_eq!(file_stem("a/b:c"), "a_b_c");
        assert_eq!(file_stem(".."), "level");
        assert_eq!(file_stem(""), "level");
    }
}
