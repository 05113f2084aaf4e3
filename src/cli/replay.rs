//! `wayloom replay`

use super::{Answer, console::Console, exchange, output_file};
use crate::base::EntityId;
use crate::document::format;
use crate::exchange::people::{self, PeopleOptions};
use crate::jobs::JobContext;
use crate::sim::measures::Frames;
use crate::sim::simulation::{SimulationOptions, simulate};
use crate::sim::wlrec::{self, Completeness, Run};
use anyhow::{Context as _, bail};
use clap::Args;
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Look into a recording: verify its checksums, sum it up, convert it
#[derive(Debug, Args)]
pub(super) struct Replay {
    /// A recording, or trajectories as text
    #[arg(value_name = "RUN.wlrec")]
    pub run: PathBuf,
    /// Write it in a format that shows movement, told by the ending: .csv, .txt (as the Jülich data
    /// archive and PedPy), .sqlite (JuPedSim), .traj (Vadere), .glb, .usda, .html, .gif, .png, .wlrec
    #[arg(long, value_name = "FILE")]
    pub to: Option<PathBuf>,
    /// Simulate it again and compare every position of every tick; exit code 1 if one differs
    #[arg(long)]
    pub again: bool,
    #[command(flatten)]
    pub people: People,
    /// Overwrite FILE if it exists
    #[arg(long)]
    pub force: bool,
}

/// How trajectories of people are read.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct People {
    /// Of trajectories as text: frames per second, where the file does not tell
    #[arg(long, value_name = "RATE", value_parser = positive)]
    pub fps: Option<f64>,
    /// Of trajectories as text: metres for one unit, where the file does not tell; 0.01 for cm
    #[arg(long, value_name = "S", value_parser = positive)]
    pub scale: Option<f64>,
}

impl From<People> for PeopleOptions {
    fn from(people: People) -> Self {
        Self {
            rate: people.fps,
            scale: people.scale,
        }
    }
}

fn positive(text: &str) -> Result<f64, String> {
    let number = text.trim().parse::<f64>().ok();
    number
        .filter(|n| n.is_finite() && *n > 0.0)
        .ok_or_else(|| "it is a number above 0".to_owned())
}

/// What was recorded, simulated or filmed.
pub(super) enum Recorded {
    Run(Arc<Run>),
    People(Frames),
}

/// Opens a recording or trajectories as text.
pub(super) fn open(path: &Path, options: People) -> anyhow::Result<Recorded> {
    let bytes =
        std::fs::read(path).with_context(|| format!("{} cannot be read", path.display()))?;
    let name = || path.display().to_string();
    if bytes.starts_with(b"WLREC") {
        let run = Run::open(bytes).with_context(name)?;
        return Ok(Recorded::Run(Arc::new(run)));
    }
    let people = people::read(&bytes, &options.into()).with_context(name)?;
    Ok(Recorded::People(people))
}

impl Recorded {
    pub(super) fn frames(&self) -> Frames {
        match self {
            Self::Run(run) => Frames::of_run(run),
            Self::People(frames) => frames.clone(),
        }
    }
}

pub(super) fn run(options: &Replay, console: &Console) -> anyhow::Result<Answer> {
    if let Some(to) = &options.to {
        output_file::check(to, options.force)?;
    }
    let recorded = open(&options.run, options.people)?;
    if let Some(to) = &options.to {
        convert(&recorded, &options.run, to, options.force)?;
    }
    let file = options.run.display();
    let run = match recorded {
        Recorded::Run(run) => run,
        Recorded::People(frames) => {
            let people = frames.tracks().len();
            let secs = frames.time(frames.frames.len().saturating_sub(1));
            console.result(
                &format!("{file}: {people} people, {secs:.1} s"),
                &json!({
                    "file": options.run, "people": people, "seconds": secs,
                    "fps": 1.0 / frames.interval, "frames": frames.frames.len(),
                }),
            );
            return Ok(Answer::Yes);
        }
    };
    let header = run.header();
    let mut events: BTreeMap<&str, u64> = BTreeMap::new();
    for event in run.events() {
        *events.entry(event.kind.name()).or_default() += 1;
    }
    let is_whole = run.completeness() == Completeness::Whole;
    let mut text = format!(
        "{file}: {}, {}, seed {}: {} agents, {} arrived, {:.1} s{}",
        header.level,
        header.model,
        header.seed,
        run.births().len(),
        run.departures().len(),
        run.duration(),
        if is_whole {
            ", all checksums hold"
        } else {
            "; it was cut off and is known up to its last two seconds"
        },
    );
    let seconds: u64 = agent_seconds(&run);
    let per_agent_second = run.size() as f64 / seconds.max(1) as f64;
    let _ = write!(text, "; {per_agent_second:.1} bytes for an agent's second");
    for (kind, count) in &events {
        let _ = write!(text, "\n  {kind}: {count}");
    }
    let mut object = json!({
        "file": options.run, "level": header.level, "level_hash": header.level_hash,
        "model": header.model, "set": header.set, "seed": header.seed, "step": header.step,
        "seconds": run.duration(), "frames": run.frames(), "whole": is_whole,
        "appeared": run.births().len(), "arrived": run.departures().len(), "events": events,
        "bytes": run.size(), "bytes_per_agent_second": per_agent_second,
    });
    let mut answer = Answer::Yes;
    if options.again {
        let is_same = is_same_again(&run, console)?;
        object["identical"] = json!(is_same);
        text += if is_same {
            "\n  simulated again: identical"
        } else {
            answer = Answer::No;
            "\n  simulated again: it differs"
        };
    }
    console.result(&text, &object);
    Ok(answer)
}

/// Seconds that all agents were there, together.
fn agent_seconds(run: &Run) -> u64 {
    let step = run.header().step;
    let secs = run.births().values().map(|birth| {
        let left = run.departures().get(&birth.index);
        let end = left.map_or_else(|| run.duration(), |d| d.tick as f64 * step);
        (end - birth.tick as f64 * step).max(0.0)
    });
    secs.sum::<f64>() as u64
}

fn is_same_again(run: &Run, console: &Console) -> anyhow::Result<bool> {
    let Some(end) = run.end() else {
        bail!("the recording was cut off: there is nothing to compare a whole run with");
    };
    let header = run.header();
    let level = format::read(run.level())?.level;
    let options = SimulationOptions {
        model: header.model.clone(),
        // The level was recorded with what was set for it; what is left is the model's.
        set: header.set.clone(),
        seed: header.seed,
        step: header.step,
        seconds: end.ticks as f64 * header.step,
        until_empty: false,
        inputs: run.inputs().iter().cloned().collect(),
    };
    let work = |ctx: &JobContext| simulate(&level, &options, std::io::sink(), ctx);
    let (_, summary) = console.with_progress("Simulating again", work)?;
    Ok(summary.end == *end)
}

fn convert(recorded: &Recorded, from: &Path, to: &Path, force: bool) -> anyhow::Result<()> {
    let ending = to.extension().map(|e| e.to_string_lossy().to_lowercase());
    let name = from.file_stem().unwrap_or_default().to_string_lossy();
    let people = |frames: &Frames| wlrec::recording(frames, &name, "", EntityId::new(0));
    if ending.as_deref() == Some("wlrec") {
        return output_file::write(to, &people(&recorded.frames())?);
    }
    let run = match recorded {
        Recorded::Run(run) => Arc::clone(run),
        Recorded::People(frames) => Arc::new(Run::open(people(frames)?)?),
    };
    exchange::convert(run, from, to, force)
}
