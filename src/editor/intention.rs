//! What is to happen once unsaved work is settled, and what dialogs ask the editor for.

use super::find::Replacement;
use super::preferences::Preferences;
use crate::document::session::Overwrite;
use crate::document::template::{Options, Template};
use crate::exchange::import::HeightRange;
use crate::exchange::{ExportOptions, Format, ImportOptions};
use crate::interaction::operations::Form;
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
        options: Box<ImportOptions>,
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
    /// A picture, for the open level.
    Heights,
    Export {
        format: Format,
        options: Box<ExportOptions>,
    },
    /// The index of a bake, beside which the rest is written.
    Bake(BakeChoice),
    Picture,
}

/// What of a level is baked for engines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BakeChoice {
    /// By name.
    pub profiles: Vec<String>,
    pub with_voxels: bool,
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
        format: Format,
        options: Box<ExportOptions>,
    },
    /// What engines read was chosen; the folder comes next.
    Bake(BakeChoice),
    /// Adds a mesh file to the level.
    PlaceMesh {
        path: PathBuf,
        options: Box<ImportOptions>,
    },
    /// Lays a picture's heights under the level.
    Heights {
        path: PathBuf,
        range: HeightRange,
    },
    Convert(Form),
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
