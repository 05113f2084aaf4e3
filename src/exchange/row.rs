//! What there is to know of a format.

use super::import::MeshParser;
use super::options::Options;
use super::reader::DynReader;
use super::sniff::Sniff;
use super::writer::DynWriter;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::path::Path;

/// What files of a format hold.
#[derive(Clone, Copy, Debug)]
pub enum Content {
    /// A level, or what can be drawn in one: a level of its own.
    Level,
    /// Triangles in space, which a level shows as a solid and keeps as a file beside it.
    Mesh(&'static MeshParser),
    /// Heights of the ground: laid under what is drawn elsewhere, or a level of their own.
    Ground,
}

/// What a writer works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    Level,
    /// Navigation data, which it bakes; with the meshes that the level's solids show.
    Navigation,
}

/// How many files a writer makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    File,
    /// A folder with an index that names all other files.
    Folder {
        index: &'static str,
    },
}

/// What people export for; dialogs list formats by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Purpose {
    Engines,
    Scenes,
    Maps,
    Crowds,
    Showing,
    Drawing,
}

impl Purpose {
    /// In the order of dialogs.
    pub const ALL: [Self; 6] = [
        Self::Engines,
        Self::Scenes,
        Self::Maps,
        Self::Crowds,
        Self::Showing,
        Self::Drawing,
    ];

    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Engines => "Game engines",
            Self::Scenes => "3D scenes",
            Self::Maps => "2D maps",
            Self::Crowds => "Crowd research",
            Self::Showing => "Figures and films",
            Self::Drawing => "GIS and benchmarks",
        }
    }
}

pub struct FormatReader {
    pub reader: &'static dyn DynReader,
    pub content: Content,
    /// Looks at the beginning of a file, where its name leaves a doubt.
    pub sniff: fn(&[u8]) -> Sniff,
}

pub struct FormatWriter {
    pub writer: &'static dyn DynWriter,
    pub needs: Needs,
    pub purpose: Purpose,
    pub output: Output,
}

/// A format.
pub struct FormatRow {
    /// What `--format` takes.
    pub id: &'static str,
    pub title: &'static str,
    /// File name endings without the leading dot, the usual one first.
    pub extensions: &'static [&'static str],
    /// One sentence.
    pub description: &'static str,
    pub reader: Option<FormatReader>,
    pub writer: Option<FormatWriter>,
}

impl FormatRow {
    /// Whether files are named like this one.
    #[must_use]
    pub fn has_ending_of(&self, path: &Path) -> bool {
        let name = path.file_name().unwrap_or_default();
        let name = name.to_string_lossy().to_ascii_lowercase();
        self.extensions
            .iter()
            .filter_map(|ending| name.strip_suffix(ending)?.strip_suffix('.'))
            .any(|stem| !stem.is_empty())
    }

    /// How its files are named: `.gltf .glb`, or the folder that it writes.
    #[must_use]
    pub fn files(&self) -> String {
        if let Some(FormatWriter {
            output: Output::Folder { index },
            ..
        }) = &self.writer
        {
            return format!("folder with {index}");
        }
        let endings: Vec<String> = self.extensions.iter().map(|e| format!(".{e}")).collect();
        endings.join(" ")
    }

    /// The reader's defaults.
    #[must_use]
    pub fn import_options(&self) -> Option<Options> {
        self.reader.as_ref().map(|reader| reader.reader.options())
    }

    /// The writer's defaults.
    #[must_use]
    pub fn export_options(&self) -> Option<Options> {
        self.writer.as_ref().map(|writer| writer.writer.options())
    }

    /// Whether it shows how agents move, so that a recording can be given.
    #[must_use]
    pub fn takes_recording(&self) -> bool {
        let writer = self.writer.as_ref();
        writer.is_some_and(|writer| writer.writer.takes_recording_any())
    }

    /// Whether it draws triangles in space, which can become a part of a level.
    #[must_use]
    pub fn is_mesh(&self) -> bool {
        let reader = self.reader.as_ref();
        reader.is_some_and(|reader| matches!(reader.content, Content::Mesh(_)))
    }
}

impl PartialEq for FormatRow {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for FormatRow {}

impl Hash for FormatRow {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}

impl fmt::Debug for FormatRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FormatRow").field(&self.id).finish()
    }
}

impl fmt::Debug for FormatReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FormatReader").field(&self.content).finish()
    }
}

impl fmt::Debug for FormatWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FormatWriter").field(&self.output).finish()
    }
}

impl fmt::Display for FormatRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.title)
    }
}
