//! Which entities have problems, for the icons at the end of their rows.

use crate::base::EntityId;
use crate::document::Revision;
use crate::document::validate::{Problem, Severity, Subject};
use crate::editor::EditorState;
use std::collections::BTreeMap;

/// The worst problem of each affected entity.
#[derive(Debug, Default)]
pub(super) struct Marks {
    /// Identifies the list of problems these were derived from.
    seen: Option<(Revision, bool, usize)>,
    worst: BTreeMap<EntityId, (Severity, String)>,
}

impl Marks {
    pub(super) fn update(&mut self, state: &EditorState) {
        let problems = state.problems();
        let revision = state.document().revision();
        let seen = (revision, state.problems_are_current(), problems.len());
        if self.seen.replace(seen) != Some(seen) {
            self.worst = worst(problems);
        }
    }

    pub(super) fn of(&self, id: EntityId) -> Option<(Severity, &str)> {
        let (severity, message) = self.worst.get(&id)?;
        Some((*severity, message))
    }
}

/// Information is left to the problems panel.
fn worst(problems: &[Problem]) -> BTreeMap<EntityId, (Severity, String)> {
    let mut worst: BTreeMap<EntityId, (Severity, String)> = BTreeMap::new();
    for problem in problems {
        let Subject::Entity(id) = problem.subject else {
            continue;
        };
        let known = worst.get(&id).map(|(severity, _)| *severity);
        if problem.severity > Severity::Information && known < Some(problem.severity) {
            worst.insert(id, (problem.severity, problem.message.clone()));
        }
    }
    worst
}
