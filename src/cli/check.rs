//! `wayloom check`

use super::{Answer, args::Check, console::Console, load_version, read_meshes, voxel_options};
use crate::document::{
    Document, Level,
    format::{
        self,
        disk::{self, Replacing},
    },
    validate::{Problem, Severity, Subject, check_meshes, validate},
};
use crate::jobs::{Cancelled, JobContext};
use crate::nav::{BakeRequest, NavBundle};
use crate::planner::{PlannedLevel, Slopes, missions, repair, trials};
use crate::sim::run_tests;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

pub(super) fn run(options: &Check, console: &Console) -> anyhow::Result<Answer> {
    let mut text = String::new();
    let mut levels = Vec::new();
    let mut worst: Option<Severity> = None;
    for path in &options.levels {
        let (loaded, hash) = load_version(path)?;
        let folder = path.parent().map(|folder| {
            if folder.as_os_str().is_empty() {
                Path::new(".")
            } else {
                folder
            }
        });
        let mut level = loaded.level;
        let mut fixed = 0;
        if options.fix {
            disk::sweep(path);
            let mut document = Document::new(level, loaded.next_id);
            fixed = fix(&mut document, folder);
            if fixed > 0 {
                let text = format::write(document.level(), document.next_id());
                // What was written meanwhile by others is theirs: nothing is fixed then.
                disk::save(path, &text, Replacing::Version(hash))?;
            }
            level = Level::clone(document.level());
        }
        let library = read_meshes(&level, path, console)?;
        let problems = console.with_progress(&format!("Checking {}", path.display()), |ctx| {
            let mut problems = validate(&level, folder);
            check_meshes(&level, &library, &mut problems);
            if !options.no_navigation {
                let snapshot = Arc::new(level.clone());
                let voxels = voxel_options(&library);
                let request = BakeRequest {
                    options: voxels.into(),
                    ..missions::bake_request(snapshot)
                };
                let bundle = NavBundle::bake(request, ctx)?;
                PlannedLevel::plan(bundle, None, Slopes::default(), ctx)?
                    .add_problems(&mut problems);
                problems.extend(trials::problems(&run_tests::run(&level, ctx)?));
            }
            Ok::<_, Cancelled>(problems)
        })?;
        worst = worst.max(problems.iter().map(|problem| problem.severity).max());
        for problem in &problems {
            let _ = writeln!(
                text,
                "{}:{}: {problem}",
                path.display(),
                problem.subject.label(&level)
            );
        }
        let count = |severity| problems.iter().filter(|p| p.severity == severity).count();
        let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
        console.remark(&format!(
            "{}: {}, {}{}",
            path.display(),
            plural(errors, "error"),
            plural(warnings, "warning"),
            if fixed > 0 {
                format!(" ({fixed} fixed)")
            } else {
                String::new()
            }
        ));
        levels.push(json!({
            "file": path,
            "errors": errors,
            "warnings": warnings,
            "mended": fixed,
            "problems": problems.iter().map(|p| object(&level, p)).collect::<Vec<_>>(),
        }));
    }
    console.result(&text, &json!({ "levels": levels }));
    let limit = if options.strict {
        Severity::Warning
    } else {
        Severity::Error
    };
    Ok(if worst >= Some(limit) {
        Answer::No
    } else {
        Answer::Yes
    })
}

/// Applies safe fixes until none changes anything; one fix may uncover the next problem.
fn fix(document: &mut Document, folder: Option<&Path>) -> usize {
    let mut fixed = 0;
    for _ in 0..8 {
        let mut changed = false;
        for problem in validate(document.level(), folder) {
            // What is only worth knowing may well be meant.
            if problem.severity == Severity::Information {
                continue;
            }
            let level = document.level().clone();
            let mut fresh = || document.allocate_id();
            // Never cancelled: there is always an answer.
            let edits = repair::fix_edits(&problem, &level, &mut fresh, &JobContext::default());
            let edits = edits.unwrap_or_default();
            if matches!(document.commit("Fix", edits), Ok(Some(_))) {
                fixed += 1;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    fixed
}

fn object(level: &Level, problem: &Problem) -> Value {
    let id = match problem.subject {
        Subject::Level => None,
        Subject::Entity(id) => Some(id.number()),
    };
    json!({
        "severity": problem.severity.name(),
        "code": problem.code.name(),
        "entity": problem.subject.label(level),
        "id": id,
        "message": problem.message,
        "at": problem.at.map(|at| [at.x, at.y]),
        "fix": problem.fix.map(|fix| fix.label()),
    })
}

fn plural(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
