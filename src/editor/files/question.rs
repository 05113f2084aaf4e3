//! What the dialog for files is to ask.

use super::LEVEL_ENDING;
use crate::editor::Editor;
use crate::editor::dialog::file::{Filter, Mode, Question};
use crate::editor::intention::Purpose;
use crate::exchange::{Format, bake};
use std::path::{Path, PathBuf};

impl Editor {
    pub(in crate::editor) fn question(&self, purpose: Purpose) -> Question {
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
                let foreign: Vec<Format> = Format::readable()
                    .filter(|format| *format != Format::Wayloom)
                    .collect();
                let all: Vec<&str> = foreign
                    .iter()
                    .flat_map(|format| format.info().extensions.iter().copied())
                    .collect();
                let filters = std::iter::once(Filter::new("All known formats", &all))
                    .chain(foreign.iter().map(filter_of))
                    .chain([Filter::all()])
                    .collect();
                (Mode::Open, "Import a file", filters, "")
            }
            Purpose::Heights => (
                Mode::Open,
                "Import a picture of heights",
                vec![filter_of(&Format::Heights), Filter::all()],
                "",
            ),
            Purpose::Export { format, .. } => (
                Mode::Save,
                "Export the level as",
                vec![filter_of(format)],
                format.info().extensions[0],
            ),
            Purpose::Bake(_) => (
                Mode::Save,
                "Bake for engines: the index; everything else is written beside it",
                vec![Filter::new("Wayloom bakes", &["json"])],
                "json",
            ),
            Purpose::Picture => (
                Mode::Save,
                "Save a picture of the view",
                vec![Filter::new("PNG pictures", &["png"])],
                "png",
            ),
        };
        let name = match mode {
            Mode::Open => String::new(),
            Mode::Save if matches!(purpose, Purpose::Bake(_)) => bake::INDEX.to_owned(),
            Mode::Save => {
                let own = self.state.path().and_then(Path::file_stem);
                let stem = own.map_or_else(
                    || file_stem(&self.state.title()),
                    |stem| stem.to_string_lossy().into_owned(),
                );
                format!("{stem}.{ending}")
            }
        };
        Question {
            purpose,
            mode,
            title: title.to_owned(),
            filters,
            folder,
            name,
        }
    }
}

fn filter_of(format: &Format) -> Filter {
    Filter::new(format.info().name, format.info().extensions)
}

/// A level's name as the name of a file on any system.
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
