//! `wayloom bench document`: is a large level still light to work in?

use super::{
    Better, LabError, Report, Row,
    measure::{self, Timing},
    scene,
};
use crate::base::EntityId;
use crate::document::{
    Document, Edit, Entity, Kind, Level, Session, format,
    session::{Opened, Overwrite},
    validate,
};
use crate::jobs::JobContext;
use glam::DVec2;
use std::time::Duration;

const OBSTACLES: usize = 10_000;
const CORNERS: usize = 10;
const BUDGET: Duration = Duration::from_millis(1500);

/// # Errors
/// Cancelled, or the temporary folder cannot be written to.
pub fn run(ctx: &JobContext) -> Result<Report, LabError> {
    let level = scene::town(OBSTACLES, CORNERS)?;
    let history = history(&level)?;
    let next_id = level.largest_id().next();
    let text = format::write(&level, next_id);
    let mut rows = vec![
        history,
        Row::new("size of the file", "MB", text.len() as f64 / 1e6),
    ];

    ctx.stage("Reading and writing");
    rows.push(millis(
        "read 100,000 vertices from text",
        measure::time(BUDGET, || (), |()| format::read(&text)),
        300.0,
    ));
    rows.push(millis(
        "write 100,000 vertices as text",
        measure::time(BUDGET, || (), |()| format::write(&level, next_id)),
        300.0,
    ));
    ctx.checkpoint()?;
    files(&level, ctx, &mut rows)?;

    ctx.stage("Editing");
    editing(&level, &mut rows)?;
    ctx.checkpoint()?;

    ctx.stage("Validating");
    rows.push(millis(
        "validate the whole level",
        measure::time(BUDGET, || (), |()| validate::validate(&level, None)),
        250.0,
    ));
    Ok(Report {
        name: "document".to_owned(),
        rows,
    })
}

/// Opening, saving and committing with the disk in play.
fn files(level: &Level, ctx: &JobContext, rows: &mut Vec<Row>) -> Result<(), LabError> {
    let folder = std::env::temp_dir().join(format!("wayloom-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let path = folder.join("town.ron");
    let result = (|| {
        let mut session = Session::unnamed(level.clone(), &folder);
        session.save_as(&path, Overwrite::OnPurpose, &folder)?;
        let mut to_and_fro = mover(session.document());
        let saving = measure::time(BUDGET, || (), |()| session.save(Overwrite::Never));
        rows.push(millis(
            "save to disk, with backup and journal",
            saving,
            300.0,
        ));
        ctx.checkpoint()?;
        let committing = measure::time(
            BUDGET,
            || to_and_fro.next(),
            |edits| session.commit("Move", edits.unwrap_or_default()),
        );
        rows.push(micros(
            "commit one edit, journal on disk",
            committing,
            200.0,
        ));
        session.save(Overwrite::Never)?;
        drop(session);
        let opening = measure::time(
            BUDGET,
            || (),
            |()| matches!(Session::open(&path, &folder), Ok(Opened::Clean(_))),
        );
        rows.push(millis("open from disk, journal begun", opening, 300.0));
        Ok(())
    })();
    let _ = std::fs::remove_dir_all(&folder);
    result
}

fn editing(level: &Level, rows: &mut Vec<Row>) -> Result<(), LabError> {
    let mut document = Document::new(level.clone(), EntityId::new(1));
    let mut to_and_fro = mover(&document);
    let committing = measure::time(
        BUDGET,
        || to_and_fro.next(),
        |edits| document.commit("Move", edits.unwrap_or_default()),
    );
    rows.push(micros("commit one edit", committing, 200.0));
    let mut back = false;
    let undoing = measure::time(
        BUDGET,
        || {
            back = !back;
            back
        },
        |back| {
            if back {
                document.undo()
            } else {
                document.redo()
            }
        },
    );
    rows.push(micros("undo or redo one edit", undoing, 200.0));

    Ok(())
}

/// What a thousand edits keep alive. Measured before anything else has run: memory given back to
/// the allocator would hide it.
fn history(level: &Level) -> Result<Row, LabError> {
    let mut document = Document::new(level.clone(), EntityId::new(1));
    let mut to_and_fro = mover(&document);
    let before = measure::resident_bytes();
    for _ in 0..1000 {
        document.commit("Move", to_and_fro.next().unwrap_or_default())?;
    }
    let grown = match (before, measure::resident_bytes()) {
        (Some(before), Some(after)) => after.saturating_sub(before) as f64,
        _ => document.history_bytes() as f64,
    };
    Ok(Row::new("history of 1,000 edits", "MB", grown / 1e6).goal(200.0, Better::Lower))
}

/// Edits that move one obstacle after another by a metre, each from where it is in the level
/// given.
fn mover(document: &Document) -> impl Iterator<Item = Vec<Edit>> + use<> {
    let entities: Vec<(EntityId, Entity)> = document
        .level()
        .iter()
        .map(|(id, entity)| (id, Entity::clone(entity)))
        .collect();
    (0..).map(move |turn: usize| {
        let (id, entity) = &entities[(turn * 37) % entities.len()];
        let mut entity = entity.clone();
        // Never the same place twice: a change of nothing makes no entry.
        let by = DVec2::new(1.0 + turn as f64 * 1e-6, 0.0);
        if let Kind::Obstacle(obstacle) = &mut entity.kind {
            obstacle.area = std::mem::take(&mut obstacle.area).map(|p| p + by);
        }
        vec![Edit::replace(*id, entity)]
    })
}

fn millis(what: &str, timing: Timing, goal: f64) -> Row {
    Row::new(what, "ms", timing.median * 1e3)
        .spread(timing.spread * 1e3)
        .goal(goal, Better::Lower)
}

fn micros(what: &str, timing: Timing, goal: f64) -> Row {
    Row::new(what, "µs", timing.median * 1e6)
        .spread(timing.spread * 1e6)
        .goal(goal, Better::Lower)
}
