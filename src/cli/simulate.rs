//! `wayloom simulate`

use super::{Answer, console::Console, load, output_file};
use crate::sim::models;
use crate::sim::overrides;
use crate::sim::simulation::{SimulationOptions, Summary, simulate};
use anyhow::{Context as _, bail};
use clap::Args;
use serde_json::{Value, json};
use std::fs::File;
use std::io::BufWriter;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Let a level's agents and crowds walk, and record them
///
/// One level, model and seed always give one run, bit by bit, on any number of threads.
/// The recording is written while the run goes on; one that was interrupted can be opened. Exit
/// code 1 if --until-empty is given and not everyone arrived.
#[derive(Debug, Args)]
pub(super) struct Simulate {
    /// The level
    #[arg(value_name = "LEVEL")]
    pub level: PathBuf,
    /// Where to write the recording; with --seeds, the seed is added to its name
    #[arg(long, short, value_name = "RUN.wlrec")]
    pub out: PathBuf,
    /// Simulate so many seconds; without it, until everyone has arrived, or as long as the level's
    /// settings say
    #[arg(long, value_name = "S", value_parser = super::args::seconds)]
    pub seconds: Option<f64>,
    /// End as soon as everyone has arrived
    #[arg(long)]
    pub until_empty: bool,
    /// Seed of everything random; that of the level's settings if omitted
    #[arg(long, value_name = "N", conflicts_with = "seeds")]
    pub seed: Option<u64>,
    /// One run for each seed from A up to, but without, B
    #[arg(long, value_name = "A..B", value_parser = seeds)]
    pub seeds: Option<Range<u64>>,
    #[arg(long, value_name = "NAME", help = models_help())]
    pub model: Option<String>,
    /// Length of a step in seconds; that of the level's settings if omitted
    #[arg(long, value_name = "S")]
    pub step: Option<f64>,
    /// Set a value for this run: a crowd's count or per_second, a profile's speed, max_speed or
    /// radius, a parameter of the model; for example Visitors.count=200
    #[arg(long, value_name = "NAME.FIELD=VALUE", value_parser = overrides::parse)]
    pub set: Vec<(String, String)>,
    /// Overwrite the recording if it exists
    #[arg(long)]
    pub force: bool,
}

fn models_help() -> String {
    let row = |row: &models::ModelRow| format!("{}: {}", row.id, row.about);
    let rows: Vec<String> = models::rows().iter().map(row).collect();
    format!("How agents avoid each other. {}", rows.join("; "))
}

fn seeds(text: &str) -> Result<Range<u64>, String> {
    let range = text.split_once("..").and_then(|(from, to)| {
        let (from, to) = (from.trim().parse().ok()?, to.trim().parse().ok()?);
        Some(from..to)
    });
    range
        .filter(|range| !range.is_empty())
        .ok_or_else(|| "write it as A..B with A below B, for example 0..10".to_owned())
}

pub(super) fn run(options: &Simulate, console: &Console) -> anyhow::Result<Answer> {
    let loaded = load(&options.level)?;
    let default = SimulationOptions::of(&loaded.level);
    let seeds = match &options.seeds {
        Some(seeds) => seeds.clone(),
        None => {
            let seed = options.seed.unwrap_or(default.seed);
            seed..seed.saturating_add(1)
        }
    };
    let files: Vec<(u64, PathBuf)> = seeds
        .map(|seed| match options.seeds {
            Some(_) => (seed, with_seed(&options.out, seed)),
            None => (seed, options.out.clone()),
        })
        .collect();
    for (_, file) in &files {
        output_file::check(file, options.force)?;
    }
    let mut text = String::new();
    let mut runs = Vec::new();
    let mut all_arrived = true;
    for (seed, file) in files {
        let simulation = SimulationOptions {
            model: options
                .model
                .clone()
                .unwrap_or_else(|| default.model.clone()),
            set: options.set.iter().cloned().collect(),
            seed,
            step: options.step.unwrap_or(default.step),
            seconds: options.seconds.unwrap_or(default.seconds),
            until_empty: options.until_empty || options.seconds.is_none(),
            inputs: Vec::new(),
        };
        let sink = BufWriter::new(
            File::create(&file).with_context(|| format!("{} cannot be written", file.display()))?,
        );
        let work = |ctx: &_| simulate(&loaded.level, &simulation, sink, ctx);
        let (_, summary) = console.with_progress("Simulating", work)?;
        for remark in &summary.remarks {
            console.remark(remark);
        }
        all_arrived &= summary.left == 0 && summary.end.arrived == summary.end.appeared;
        text += &sentence(&file, &summary);
        text.push('\n');
        runs.push(object(&file, seed, &summary));
    }
    let object = match &runs[..] {
        [one] if options.seeds.is_none() => one.clone(),
        _ => json!({ "runs": runs }),
    };
    console.result(&text, &object);
    if runs.is_empty() {
        bail!("there is no seed to run");
    }
    Ok(if options.until_empty && !all_arrived {
        Answer::No
    } else {
        Answer::Yes
    })
}

/// `run.wlrec` with the seed 7 is `run-7.wlrec`.
fn with_seed(file: &Path, seed: u64) -> PathBuf {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let name = match file.extension() {
        Some(extension) => format!("{stem}-{seed}.{}", extension.to_string_lossy()),
        None => format!("{stem}-{seed}"),
    };
    file.with_file_name(name)
}

fn sentence(file: &Path, summary: &Summary) -> String {
    let end = &summary.end;
    let mut text = format!(
        "{}: {} of {} agents arrived in {:.1} s",
        file.display(),
        end.arrived,
        end.appeared,
        summary.simulated,
    );
    if summary.left > 0 {
        text += &format!(", {} are still there", summary.left);
    }
    if summary.stuck > 0 {
        text += &format!(" ({} stuck)", summary.stuck);
    }
    text + &format!("; computed in {:.2} s", summary.took)
}

fn object(file: &Path, seed: u64, summary: &Summary) -> Value {
    json!({
        "file": file,
        "seed": seed,
        "seconds": summary.simulated,
        "ticks": summary.end.ticks,
        "appeared": summary.end.appeared,
        "arrived": summary.end.arrived,
        "left": summary.left,
        "stuck": summary.stuck,
        "events": summary.events,
        "positions": summary.end.positions,
        "remarks": summary.remarks,
        "took": summary.took,
    })
}
