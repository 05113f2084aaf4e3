//! `wayloom sweep`

use super::{Answer, console::Console, load, output_file};
use crate::jobs::JobContext;
use crate::sim::measures::evacuation_curve;
use crate::sim::simulation::{LONGEST, SimulationOptions, simulate};
use crate::sim::wlrec::Run;
use anyhow::{Context as _, bail};
use clap::Args;
use parquet::Values;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use table::Table;

mod parquet;
mod table;

/// Most runs of a study.
const MAX_RUNS: usize = 1_000_000;

/// Simulate many runs: every combination of parameters with every seed
///
/// A study is a file such as (level: "hall.ron", seeds: (0, 10), parameters: {"Visitors.count":
/// ["50", "100"]}). Each run leaves a small file in DIR, and all that are there make up table
/// and bands (.csv and .parquet), so that shards can run on different machines.
#[derive(Debug, Args)]
pub(super) struct Sweep {
    /// The study
    #[arg(value_name = "STUDY.ron")]
    pub study: PathBuf,
    /// The folder for results
    #[arg(long, short, value_name = "DIR")]
    pub out: PathBuf,
    /// Only part I of N parts, from 1 to N
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub shard: Option<(usize, usize)>,
    /// Leave out runs whose results are there
    #[arg(long)]
    pub resume: bool,
    /// Overwrite results that are there
    #[arg(long, conflicts_with = "resume")]
    pub force: bool,
}

fn shard(text: &str) -> Result<(usize, usize), String> {
    let parts = text
        .split_once('/')
        .and_then(|(part, of)| Some((part.trim().parse().ok()?, of.trim().parse().ok()?)));
    parts
        .filter(|(part, of)| (1..=*of).contains(part))
        .ok_or_else(|| "write it as I/N with I from 1 to N, for example 2/8".to_owned())
}

/// What is varied.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Study {
    /// Relative to the study's folder.
    level: PathBuf,
    /// The first, and the one after the last.
    seeds: (u64, u64),
    #[serde(default = "default_models")]
    models: Vec<String>,
    /// Values of settings, as of `simulate --set`.
    #[serde(default)]
    parameters: BTreeMap<String, Vec<String>>,
    /// Until everyone has arrived if omitted. Unit: seconds.
    #[serde(default)]
    seconds: Option<f64>,
    #[serde(default = "default_step")]
    step: f64,
}

fn default_models() -> Vec<String> {
    vec![SimulationOptions::default().model]
}

const fn default_step() -> f64 {
    crate::sim::STEP
}

/// One combination.
#[derive(Clone, Debug)]
struct Planned {
    number: usize,
    model: String,
    set: BTreeMap<String, String>,
    seed: u64,
}

/// What a run came to.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Outcome {
    number: usize,
    model: String,
    set: BTreeMap<String, String>,
    seed: u64,
    seconds: f64,
    appeared: u64,
    arrived: u64,
    stuck: usize,
    /// When each of [`SHARES`] of those that appeared had arrived. Unit: seconds.
    times: Vec<Option<f64>>,
    positions: String,
}

/// Points of the evacuation curve that are kept.
const SHARES: [f64; 10] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];

/// Of the bands, by the names of their columns.
const QUANTILES: [(&str, f64); 5] = [
    ("p10", 0.1),
    ("p25", 0.25),
    ("p50", 0.5),
    ("p75", 0.75),
    ("p90", 0.9),
];

impl Outcome {
    /// When so many had arrived, of [`SHARES`].
    fn time_of(&self, share: f64) -> Option<f64> {
        let index = SHARES.iter().position(|known| *known == share)?;
        *self.times.get(index)?
    }
}

impl Study {
    /// Every combination, in one order on every machine.
    fn runs(&self) -> anyhow::Result<Vec<Planned>> {
        let (from, to) = self.seeds;
        let seeds = usize::try_from(to.saturating_sub(from)).unwrap_or(usize::MAX);
        let values = self.parameters.values().map(Vec::len);
        let total = values.fold(
            seeds.saturating_mul(self.models.len()),
            usize::saturating_mul,
        );
        if total == 0 {
            bail!("the study has no runs: give it seeds, and values for every parameter");
        }
        if total > MAX_RUNS {
            bail!("the study has {total} runs; {MAX_RUNS} are the most");
        }
        let mut sets: Vec<BTreeMap<String, String>> = vec![BTreeMap::new()];
        for (name, values) in &self.parameters {
            sets = sets
                .iter()
                .flat_map(|set| {
                    values.iter().map(|value| {
                        let mut set = set.clone();
                        set.insert(name.clone(), value.clone());
                        set
                    })
                })
                .collect();
        }
        let mut runs = Vec::with_capacity(total);
        for model in &self.models {
            for set in &sets {
                for seed in from..to {
                    runs.push(Planned {
                        number: runs.len(),
                        model: model.clone(),
                        set: set.clone(),
                        seed,
                    });
                }
            }
        }
        Ok(runs)
    }
}

fn result_file(folder: &Path, number: usize) -> PathBuf {
    folder.join(format!("run-{number:06}.json"))
}

pub(super) fn run(options: &Sweep, console: &Console) -> anyhow::Result<Answer> {
    let name = || options.study.display().to_string();
    let text = std::fs::read_to_string(&options.study).with_context(name)?;
    let study: Study = ron::from_str(&text).with_context(name)?;
    let folder = options.study.parent().unwrap_or(Path::new(""));
    let level = load(&folder.join(&study.level))?.level;
    std::fs::create_dir_all(&options.out)?;
    let all = study.runs()?;
    let (part, of) = options.shard.unwrap_or((1, 1));
    let mut own: Vec<&Planned> = all
        .iter()
        .filter(|run| run.number % of == part - 1)
        .collect();
    if options.resume {
        own.retain(|run| !result_file(&options.out, run.number).exists());
    }
    for run in &own {
        output_file::check(&result_file(&options.out, run.number), options.force)?;
    }
    let work = |ctx: &JobContext| -> anyhow::Result<()> {
        for (done, planned) in own.iter().enumerate() {
            ctx.report(done as f32 / own.len() as f32);
            let outcome = simulated(&level, &study, planned)?;
            let bytes = serde_json::to_vec(&outcome)?;
            output_file::write(&result_file(&options.out, planned.number), &bytes)?;
        }
        Ok(())
    };
    console.with_progress("Simulating", work)?;
    let mut outcomes = collected(&options.out, all.len())?;
    loop {
        write_tables(&study, &outcomes, &options.out)?;
        // Another shard may have finished a run meanwhile, and written its tables before these.
        let now = collected(&options.out, all.len())?;
        if now.len() == outcomes.len() {
            break;
        }
        outcomes = now;
    }
    console.result(
        &format!(
            "{}: {} runs simulated, {} of {} are there",
            options.out.display(),
            own.len(),
            outcomes.len(),
            all.len()
        ),
        &json!({
            "folder": options.out, "simulated": own.len(), "there": outcomes.len(),
            "runs": all.len(),
        }),
    );
    Ok(Answer::Yes)
}

fn write_tables(study: &Study, outcomes: &[Outcome], folder: &Path) -> anyhow::Result<()> {
    for (name, table) in [
        ("table", runs_table(study, outcomes)),
        ("bands", bands_table(study, outcomes)),
    ] {
        let file = |ending: &str| folder.join(format!("{name}.{ending}"));
        output_file::write(&file("csv"), table.to_csv().as_bytes())?;
        output_file::write(&file("parquet"), &table.to_parquet())?;
    }
    Ok(())
}

fn simulated(
    level: &crate::document::Level,
    study: &Study,
    planned: &Planned,
) -> anyhow::Result<Outcome> {
    let options = SimulationOptions {
        model: planned.model.clone(),
        set: planned.set.clone(),
        seed: planned.seed,
        step: study.step,
        seconds: study.seconds.unwrap_or(LONGEST),
        until_empty: study.seconds.is_none(),
        inputs: Vec::new(),
    };
    // Progress is that of the whole study.
    let (bytes, summary) = simulate(level, &options, Vec::new(), &JobContext::default())?;
    let run = Run::open(bytes)?;
    let curve = evacuation_curve(&run);
    let share = |share: f64| {
        let needed = (share * summary.end.appeared as f64).ceil().max(1.0) as usize;
        curve.get(needed - 1).map(|(time, _)| *time)
    };
    Ok(Outcome {
        number: planned.number,
        model: planned.model.clone(),
        set: planned.set.clone(),
        seed: planned.seed,
        seconds: summary.simulated,
        appeared: summary.end.appeared,
        arrived: summary.end.arrived,
        stuck: summary.stuck,
        times: SHARES.map(share).to_vec(),
        positions: summary.end.positions,
    })
}

/// All results that are there, of this shard and of others.
fn collected(folder: &Path, count: usize) -> anyhow::Result<Vec<Outcome>> {
    let mut outcomes = Vec::new();
    for number in 0..count {
        let file = result_file(folder, number);
        if let Ok(bytes) = std::fs::read(&file) {
            let outcome = serde_json::from_slice(&bytes);
            outcomes.push(outcome.with_context(|| file.display().to_string())?);
        }
    }
    Ok(outcomes)
}

/// The columns that tell combinations apart.
fn keys<'a>(study: &Study, outcomes: impl Iterator<Item = &'a Outcome> + Clone) -> Table {
    let text =
        |value: &dyn Fn(&Outcome) -> String| Values::Text(outcomes.clone().map(value).collect());
    let mut table = Table::default().with("model", text(&|o| o.model.clone()));
    for name in study.parameters.keys() {
        let value = |o: &Outcome| o.set.get(name).cloned().unwrap_or_default();
        table = table.with(name, text(&value));
    }
    table
}

/// One line for each run.
fn runs_table(study: &Study, outcomes: &[Outcome]) -> Table {
    let whole = |value: &dyn Fn(&Outcome) -> u64| {
        Values::Whole(outcomes.iter().map(|o| value(o) as i64).collect())
    };
    let real = |value: &dyn Fn(&Outcome) -> Option<f64>| {
        Values::Real(outcomes.iter().map(value).collect())
    };
    let positions = outcomes.iter().map(|o| o.positions.clone()).collect();
    keys(study, outcomes.iter())
        .with("run", whole(&|o| o.number as u64))
        .with("seed", whole(&|o| o.seed))
        .with("seconds", real(&|o| Some(o.seconds)))
        .with("appeared", whole(&|o| o.appeared))
        .with("arrived", whole(&|o| o.arrived))
        .with("stuck", whole(&|o| o.stuck as u64))
        .with("half", real(&|o| o.time_of(0.5)))
        .with("most", real(&|o| o.time_of(0.9)))
        .with("all", real(&|o| o.time_of(1.0)))
        .with("positions", Values::Text(positions))
}

/// The band of the evacuation curves of each combination: when a share of all had arrived, by
/// quantiles over the seeds.
fn bands_table(study: &Study, outcomes: &[Outcome]) -> Table {
    let mut groups: BTreeMap<(&str, Vec<&String>), Vec<&Outcome>> = BTreeMap::new();
    for outcome in outcomes {
        let key = (&*outcome.model, outcome.set.values().collect());
        groups.entry(key).or_default().push(outcome);
    }
    let lines: Vec<(&Vec<&Outcome>, f64)> = groups
        .values()
        .flat_map(|group| SHARES.map(|share| (group, share)))
        .collect();
    let quantile = |share: f64| {
        let value = |(group, arrived): &(&Vec<&Outcome>, f64)| {
            // A run in which so many never arrived is slower than all others.
            let times = group.iter().map(|o| o.time_of(*arrived));
            let mut times: Vec<f64> = times.map(|t| t.unwrap_or(f64::INFINITY)).collect();
            times.sort_by(f64::total_cmp);
            let rank = share * (times.len() - 1) as f64;
            let (low, high) = (times[rank as usize], times[rank.ceil() as usize]);
            let value = match rank.fract() {
                0.0 => low,
                part => low + (high - low) * part,
            };
            value.is_finite().then_some(value)
        };
        Values::Real(lines.iter().map(value).collect())
    };
    let counts = lines.iter().map(|(group, _)| group.len() as i64);
    let table = keys(study, lines.iter().map(|(group, _)| group[0]))
        .with("runs", Values::Whole(counts.collect()));
    let shares = lines.iter().map(|(_, share)| Some(*share));
    QUANTILES.into_iter().fold(
        table.with("arrived", Values::Real(shares.collect())),
        |table, (name, share)| table.with(name, quantile(share)),
    )
}
