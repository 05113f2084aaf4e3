//! Fixes as edits: one problem or many, always one undo step.

use crate::document::validate::{Fix, Problem};
use crate::document::{Document, Edit, Level, ops};
use crate::editor::{Action, Actions, Notice};
use crate::planner::mending;

pub(super) fn fix(document: &Document, problems: &[&Problem], actions: &mut Actions) {
    let edits = fix_edits(document, problems);
    let label = match problems {
        [one] => match one.fix {
            Some(fix) => format!("{}: {}", fix.label(), one.subject.label(document.level())),
            None => return,
        },
        many => format!("Fix {} problems", many.len()),
    };
    if !edits.is_empty() {
        actions.commit(label, edits);
    } else if let [one] = problems
        && one.fix == Some(Fix::LeadAround)
    {
        actions.push(Action::Notify(Notice::warning(format!(
            "{} cannot be led around what it runs through: there is no way for those who follow \
             it. Move its points, or the obstacle.",
            one.subject.label(document.level())
        ))));
    }
}

/// Each fix starts from what the ones before it have made of the level; one that has become
/// impossible is left out.
fn fix_edits(document: &Document, problems: &[&Problem]) -> Vec<Edit> {
    let mut level = Level::clone(document.level());
    let mut next_id = document.next_id();
    let mut all = Vec::new();
    for problem in problems {
        let mut fresh = || {
            let id = next_id;
            next_id = id.next();
            id
        };
        let edits = mending::fix_edits(problem, &level, &mut fresh);
        if let Ok(mended) = ops::apply(&level, &edits) {
            level = mended;
            all.extend(edits);
        }
    }
    all
}
