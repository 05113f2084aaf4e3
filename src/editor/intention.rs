//! What is to happen once unsaved work is settled, and what dialogs ask the editor for.

use super::find::Replacement;
use super::preferences::Preferences;
use super::recordings::ShownAs;
use crate::document::session::Overwrite;
use crate::document::template::{Options, Template};
use crate::exchange::import::{HeightRange, MeshOptions};
use crate::exchange::{FormatRow, ImportRequest, Options as FormatOptions};
use crate::interaction::operations::ConvertTarget;
use std::path::PathBuf;

/// Something that puts the open level away.
#[derive(Clone, Debug, PartialEq)]
pub enum Intention {
    Open(PathBuf),
    New {
        template: Template,
        options: Options,
    },
    Import {
        path: PathBuf,
        request: ImportRequest,
    },
    /// Takes up an unnamed level from the journal that a crash left behind.
    Resume(PathBuf),
    Welcome,
    Quit,
}

impl Intention {
    /// As in "Save before …?".
    #[must_use]
    pub const fn gerund(&self) -> &'static str {
        match self {
            Self::Open(_) | Self::Resume(_) => "opening another level",
            Self::Import { .. } => "importing another level",
            Self::New { .. } => "starting a new level",
            Self::Welcome => "closing it",
            Self::Quit => "quitting",
        }
    }
}

/// What a file is chosen for.
#[derive(Clone, Debug, PartialEq)]
pub enum Purpose {
    Open,
    SaveAs {
        then: Option<Intention>,
    },
    Import,
    /// A heightmap, for the open level.
    Heights,
    Export {
        format: &'static FormatRow,
        options: FormatOptions,
        keep: Option<KeptAs>,
    },
    Picture,
    /// A recorded run.
    Recording(ShownAs),
    SaveRecording,
}

/// An export that is kept with the level, to be repeated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptAs {
    pub name: String,
    /// Whenever the level is saved.
    pub on_save: bool,
}

/// A dialog's answer.
#[derive(Clone, Debug)]
pub enum Request {
    /// Asks first if there is unsaved work.
    Intend(Intention),
    /// Without asking: unsaved work is put away.
    Discard(Intention),
    Save {
        then: Option<Intention>,
    },
    SaveTo {
        path: PathBuf,
        overwrite: Overwrite,
        then: Option<Intention>,
    },
    /// A file was chosen.
    Chosen {
        purpose: Purpose,
        path: PathBuf,
    },
    /// A format was chosen; the file comes next.
    Export {
        format: &'static FormatRow,
        options: FormatOptions,
        keep: Option<KeptAs>,
    },
    /// Exports again as kept with the level.
    ExportPreset(String),
    /// Adds a mesh file to the level.
    PlaceMesh {
        path: PathBuf,
        options: MeshOptions,
    },
    /// Lays a heightmap under the level.
    Heights {
        path: PathBuf,
        range: HeightRange,
    },
    Convert(ConvertTarget),
    Replace(Replacement),
    /// Writes over what another program has put into the level's file.
    Overwrite,
    /// Takes what another program has put into the level's file.
    Reload,
    AcceptRecovery,
    DeclineRecovery,
    Preferences(Box<Preferences>),
    ForgetRecent(PathBuf),
}
