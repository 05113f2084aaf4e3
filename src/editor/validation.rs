//! Keeps the list of problems up to date, beside the window.

use super::Editor;
use super::notice::Notice;
use super::work::Display;
use crate::document::validate::{Problem, validate};
use crate::document::{Level, Revision};
use crate::jobs::JobError;
use std::sync::Arc;

#[derive(Debug, Default)]
pub struct Validation {
    pub problems: Arc<Vec<Problem>>,
    /// These, and those that baking and planning found.
    pub all: Vec<Problem>,
    /// The state that `problems` are of.
    pub revision: Option<Revision>,
    /// What is being looked at now.
    running: Option<Arc<Level>>,
}

impl Editor {
    /// Starts looking at the level unless that is done or under way. A drag in progress waits:
    /// problems that come and go under the hand tell nothing.
    pub(super) fn keep_problems_current(&mut self, ctx: &egui::Context) {
        let document = self.state.document();
        let busy = self.state.validation.running.is_some();
        if !self.state.level_is_open()
            || busy
            || document.in_transaction()
            || self.state.problems_are_current()
        {
            return;
        }
        let revision = document.revision();
        let level = Arc::clone(document.level());
        let folder = self
            .state
            .path()
            .and_then(|path| path.parent())
            .map(ToOwned::to_owned);
        let looked_at = Arc::clone(&level);
        self.work.start(
            ctx,
            "Looking for problems",
            Display::Shown,
            move |_| {
                let problems = validate(&level, folder.as_deref());
                (level, problems)
            },
            move |editor, outcome| editor.take_problems(revision, outcome),
        );
        self.state.validation.running = Some(looked_at);
    }

    fn take_problems(
        &mut self,
        revision: Revision,
        outcome: Result<(Arc<Level>, Vec<Problem>), JobError>,
    ) {
        let validation = &mut self.state.validation;
        match outcome {
            // Another level may have been opened meanwhile: these are not its problems.
            Ok((level, problems)) => {
                let expected = validation.running.as_ref();
                if expected.is_some_and(|running| Arc::ptr_eq(running, &level)) {
                    *validation = Validation {
                        problems: Arc::new(problems),
                        all: Vec::new(),
                        revision: Some(revision),
                        running: None,
                    };
                    self.state.gather_problems();
                }
            }
            Err(error) => {
                validation.running = None;
                validation.revision = Some(revision);
                self.state.notify(Notice::error(format!(
                    "The level could not be checked for problems: {error}."
                )));
            }
        }
    }
}
