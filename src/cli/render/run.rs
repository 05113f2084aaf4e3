//! The run that a picture shows: of a recording, or simulated for the picture.

use crate::cli::args;
use crate::cli::console::Console;
use crate::document::{Level, format};
use crate::jobs::JobContext;
use crate::preview::OverlayScene;
use crate::preview::crowd::{ColourBy, CrowdView, HeatSet};
use crate::preview::overlays::{Inputs, Overlays};
use crate::sim::simulation::{SimulationOptions, simulate};
use crate::sim::wlrec::Run;
use crate::sim::{Playback, Recording, Walked};
use anyhow::{Context as _, anyhow};
use std::path::Path;
use std::sync::Arc;

/// Runs that are simulated for a picture of all of it last so long at most. Unit: seconds.
const LONGEST: f64 = 600.0;

/// What stands for planned movement among the models.
const PLANNED: &str = "planned";

/// Opens a recording with the level in it; `None` for any other file.
pub(super) fn open(path: &Path) -> anyhow::Result<Option<(Arc<Run>, Level)>> {
    let is_named = path.extension().is_some_and(|ending| ending == "wlrec");
    if !is_named {
        return Ok(None);
    }
    let name = || path.display().to_string();
    let bytes = std::fs::read(path).with_context(name)?;
    let run = Run::open(bytes).with_context(name)?;
    let level = format::read(run.level())
        .map_err(|error| anyhow!("{}: its level cannot be read: {error}", path.display()))?;
    Ok(Some((Arc::new(run), level.level)))
}

/// The run for a picture of a level; `None` if agents are to be shown as planned.
pub(super) fn simulated(
    options: &args::Render,
    level: &Arc<Level>,
    overlays: &Overlays,
    console: &Console,
) -> anyhow::Result<Option<Arc<Run>>> {
    let is_mapped = overlays.read(Inputs::HEAT);
    let has_crowds = level.crowds().next().is_some();
    let is_asked = options.model.is_some() || options.colour_by.is_some();
    let wants = is_mapped || is_asked || options.at.is_some() && has_crowds;
    if !wants || options.model.as_deref() == Some(PLANNED) {
        return Ok(None);
    }
    let own = &level.settings().simulation;
    let mut simulation = SimulationOptions {
        seed: own.seed,
        step: own.step,
        seconds: LONGEST,
        ..SimulationOptions::default()
    };
    let model = options.model.as_deref().unwrap_or(&own.model);
    if !model.is_empty() {
        simulation.model = model.to_owned();
    }
    // A picture of a moment takes no more than that; one chunk longer, to have its positions.
    if let Some(at) = options.at.filter(|_| !is_mapped) {
        simulation.seconds = (at + 2.0).min(LONGEST);
    }
    let run = |ctx: &JobContext| simulate(level, &simulation, Vec::new(), ctx);
    let (bytes, _) = console.with_progress("Simulating", run)?;
    Ok(Some(Arc::new(Run::open(bytes)?)))
}

/// Shows a run: everyone at the moment of the picture, and maps.
pub(super) fn show(
    run: &Arc<Run>,
    level: &Arc<Level>,
    options: &args::Render,
    overlays: &Overlays,
    scene: &mut OverlayScene,
    console: &Console,
) -> anyhow::Result<()> {
    let recording = Arc::new(Recording::of_run(level, Arc::clone(run)));
    let by = options.colour_by.unwrap_or_default();
    if let Some(at) = options.at {
        scene.moment = Some(Playback::of(recording).moment(at));
    }
    scene.crowd = CrowdView {
        by,
        ..CrowdView::default()
    };
    let ctx = JobContext::default();
    if by == ColourBy::Delay {
        scene.crowd.walked = Some(Arc::new(Walked::of_run(run, &ctx)?));
    }
    if overlays.read(Inputs::HEAT) {
        let bounds = level.settings().bounds;
        let map = |ctx: &JobContext| HeatSet::of_run(run, bounds, ctx);
        scene.heat = Some(Arc::new(console.with_progress("Mapping", map)?));
    }
    Ok(())
}
