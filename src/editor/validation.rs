//! Keeps the list of problems up to date, in the background.

use super::notice::Notice;
use super::{Editor, EditorState};
use crate::base::ByAddress;
use crate::document::validate::{Problem, check_meshes, validate_with};
use crate::document::{Level, MeshLibrary};
use crate::jobs::{Display, Memo, Settled, Superseded};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What problems are found in.
#[derive(Clone, Debug, PartialEq)]
struct Checked {
    level: ByAddress<Level>,
    meshes: ByAddress<MeshLibrary>,
    /// Where files that the level names are looked for.
    folder: Option<PathBuf>,
}

#[derive(Debug)]
pub struct Validation {
    found: Memo<Checked, Arc<Vec<Problem>>>,
    /// These, and those that baking and planning found.
    all: Vec<Problem>,
}

impl Default for Validation {
    fn default() -> Self {
        Self {
            found: Memo::new("Looking for problems", Display::Shown, Superseded::Cancel),
            all: Vec::new(),
        }
    }
}

impl Validation {
    /// Whether any state of the level has been looked at.
    #[must_use]
    pub fn is_begun(&self) -> bool {
        self.found.value().is_some() || self.found.error().is_some()
    }
}

impl EditorState {
    /// What was wrong with the level when it was looked at last.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.validation.all
    }

    /// The problems are those of the level as it is now, not of a moment ago.
    #[must_use]
    pub fn problems_are_current(&self) -> bool {
        let is_current = |checked: &Checked| Arc::ptr_eq(&checked.level, self.document().level());
        self.validation.found.key().is_some_and(is_current)
    }

    /// Puts what validation and what baking found into one list.
    pub(super) fn gather_problems(&mut self) {
        let found = self.validation.found.value();
        let mut all = found.map(|found| Vec::clone(found)).unwrap_or_default();
        if let Some(baked) = self.navigation.baked() {
            baked.add_problems(&mut all);
        }
        self.validation.all = all;
    }
}

impl Editor {
    /// Looks at the level unless that is done or running. A drag in progress waits: problems
    /// that come and go under the hand tell nothing.
    pub(super) fn keep_problems_current(&mut self) {
        let document = self.state.document();
        if !self.state.level_is_open() || document.in_transaction() {
            return;
        }
        let level = Arc::clone(document.level());
        let meshes = Arc::clone(&self.state.meshes.library);
        let folder = self.state.path().and_then(Path::parent);
        let key = Checked {
            level: ByAddress::of(&level),
            meshes: ByAddress::of(&meshes),
            folder: folder.map(ToOwned::to_owned),
        };
        let folder = key.folder.clone();
        let found = &mut self.state.validation.found;
        let settled = found.want(self.work.jobs(), key, move |job| {
            let mut problems = validate_with(&level, folder.as_deref(), job)?;
            check_meshes(&level, &meshes, &mut problems);
            Ok(Arc::new(problems))
        });
        match settled {
            Some(Settled::Value) => self.state.gather_problems(),
            Some(Settled::Failed) => {
                let error = found.error().map(ToString::to_string).unwrap_or_default();
                self.state.notify(Notice::error(format!(
                    "The level could not be checked for problems: {error}."
                )));
            }
            Some(Settled::Declined) | None => {}
        }
    }
}
