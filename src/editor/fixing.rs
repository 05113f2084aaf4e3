//! Mends problems: one or many, always as one undo step. Fixes that take a planner run as a job.

use super::Editor;
use super::notice::Notice;
use super::work::Display;
use crate::base::EntityId;
use crate::document::ops::{self, EditError};
use crate::document::validate::{Fix, Problem};
use crate::document::{Edit, Level};
use crate::jobs::{Cancelled, JobContext, JobError};
use crate::planner::repair;
use std::sync::Arc;

/// What the undo step is called.
fn label_of(problems: &[Problem], level: &Level) -> String {
    match problems {
        [one] => {
            let fix = one.fix.map_or("Fix", |fix| fix.label());
            format!("{fix}: {}", one.subject.label(level))
        }
        many => format!("Fix {} problems", many.len()),
    }
}

/// Each fix starts from what the ones before it have made of the level; one that has become
/// impossible is left out.
fn edits_of(
    problems: &[Problem],
    level: &Level,
    mut next_id: EntityId,
    ctx: &JobContext,
) -> Result<Vec<Edit>, Cancelled> {
    let mut level = Level::clone(level);
    let mut all = Vec::new();
    for (done, problem) in problems.iter().enumerate() {
        ctx.checkpoint()?;
        ctx.report(done as f32 / problems.len() as f32);
        let mut fresh = || {
            let id = next_id;
            next_id = id.next();
            id
        };
        let edits = repair::fix_edits(problem, &level, &mut fresh, ctx)?;
        if let Ok(fixed) = ops::apply(&level, &edits) {
            level = fixed;
            all.extend(edits);
        }
    }
    Ok(all)
}

impl Editor {
    /// # Errors
    /// The level does not take the edits.
    pub(super) fn fix_problems(
        &mut self,
        ctx: &egui::Context,
        mut problems: Vec<Problem>,
    ) -> Result<(), EditError> {
        problems.retain(|problem| problem.fix.is_some());
        self.state.cancel_drag();
        let document = self.state.document();
        let (level, next_id) = (Arc::clone(document.level()), document.next_id());
        let takes_planner = |problem: &Problem| problem.fix == Some(Fix::RerouteAround);
        if !problems.iter().any(takes_planner) {
            let label = label_of(&problems, &level);
            let edits = edits_of(&problems, &level, next_id, &JobContext::default());
            let edits = edits.unwrap_or_default();
            if !edits.is_empty() {
                self.state.level.commit(label, edits, None)?;
            }
            return Ok(());
        }
        let asked = Arc::clone(&level);
        let title = label_of(&problems, &level);
        let listed = problems.clone();
        self.work.start(
            ctx,
            title,
            Display::Shown,
            move |job| edits_of(&listed, &level, next_id, job),
            move |editor, outcome| editor.take_fix(&problems, &asked, outcome),
        );
        Ok(())
    }

    fn take_fix(
        &mut self,
        problems: &[Problem],
        asked: &Arc<Level>,
        outcome: Result<Result<Vec<Edit>, Cancelled>, JobError>,
    ) {
        let level = self.state.document().level();
        let label = label_of(problems, level);
        let notice = match outcome {
            Ok(Err(Cancelled)) => return,
            Err(error) => Notice::error(format!("{label} failed: {error}.")),
            Ok(Ok(_)) if !Arc::ptr_eq(level, asked) => Notice::warning(format!(
                "{label} was not done: the level has changed meanwhile. Fix it again."
            )),
            Ok(Ok(edits)) if edits.is_empty() => {
                let subject = match problems {
                    [one] => one.subject.label(level),
                    _ => "None of the routes".to_owned(),
                };
                let cannot = match problems {
                    [_] => "cannot be rerouted around its obstacle",
                    _ => "can be rerouted around their obstacles",
                };
                Notice::warning(format!(
                    "{subject} {cannot}: there is no other side for the agents that follow. \
                     Move the points, or the obstacle."
                ))
            }
            Ok(Ok(edits)) => {
                self.actions.commit(label, edits);
                return;
            }
        };
        self.state.notify(notice);
    }
}
