//! `wayloom sweep`

use super::{Answer, console::Console, load, output_file};
use crate::jobs::JobContext;
use crate::sim::measures::evacuation_curve;
use crate::sim::simulation::{LONGEST, SimulationOptions, simulate};
use crate::sim::wlrec::Run;
use anyhow::{Context as _, bail};
use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Most runs of a study.
const MAX_RUNS: usize = 1_000_000;

/// Simulate many runs: every combination of parameters with every seed
///
/// A study is a file such as (level: "hall.ron", seeds: (0, 10), parameters: {"Visitors.count":
/// ["50", "100"]}). Each run leaves a small file in DIR, and all that are there make up table.csv
/// and bands.csv, so that shards can run on different machines.
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
    /// When half, nine tenths and all of those that appeared had arrived. Unit: seconds.
    half: Option<f64>,
    most: Option<f64>,
    all: Option<f64>,
    positions: String,
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
    let outcomes = collected(&options.out, all.len())?;
    output_file::write(
        &options.out.join("table.csv"),
        table(&study, &outcomes).as_bytes(),
    )?;
    output_file::write(
        &options.out.join("bands.csv"),
        bands(&study, &outcomes).as_bytes(),
    )?;
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
        half: share(0.5),
        most: share(0.9),
        all: share(1.0),
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

fn cell(value: Option<f64>) -> String {
    value.map(|v| format!("{v:.3}")).unwrap_or_default()
}

/// A field of a table: quoted where it has to be.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

fn heads(study: &Study) -> String {
    let names: Vec<String> = study.parameters.keys().map(|name| quoted(name)).collect();
    let mut heads = "model".to_owned();
    for name in names {
        heads += ",";
        heads += &name;
    }
    heads
}

fn keys(outcome: &Outcome) -> String {
    let mut keys = outcome.model.clone();
    for value in outcome.set.values() {
        keys += ",";
        keys += &quoted(value);
    }
    keys
}

fn table(study: &Study, outcomes: &[Outcome]) -> String {
    let mut text = format!(
        "run,{},seed,seconds,appeared,arrived,stuck,half,most,all,positions\n",
        heads(study)
    );
    for outcome in outcomes {
        let _ = writeln!(
            text,
            "{},{},{},{:.3},{},{},{},{},{},{},{}",
            outcome.number,
            keys(outcome),
            outcome.seed,
            outcome.seconds,
            outcome.appeared,
            outcome.arrived,
            outcome.stuck,
            cell(outcome.half),
            cell(outcome.most),
            cell(outcome.all),
            outcome.positions
        );
    }
    text
}

/// Quantiles over the seeds of each combination.
fn bands(study: &Study, outcomes: &[Outcome]) -> String {
    let mut groups: BTreeMap<String, Vec<&Outcome>> = BTreeMap::new();
    for outcome in outcomes {
        groups.entry(keys(outcome)).or_default().push(outcome);
    }
    let mut text = format!(
        "{},runs,stuck,half_p10,half_p50,half_p90,all_p10,all_p50,all_p90\n",
        heads(study)
    );
    for (key, group) in groups {
        let quantiles = |time: fn(&Outcome) -> Option<f64>| {
            let mut times: Vec<f64> = group.iter().filter_map(|o| time(o)).collect();
            times.sort_by(f64::total_cmp);
            [0.1, 0.5, 0.9].map(|share| {
                let last = times.len().checked_sub(1)?;
                times.get((share * last as f64).round() as usize).copied()
            })
        };
        let stuck: usize = group.iter().map(|outcome| outcome.stuck).sum();
        let times = [quantiles(|o| o.half), quantiles(|o| o.all)].concat();
        let times: Vec<String> = times.into_iter().map(cell).collect();
        let _ = writeln!(text, "{key},{},{stuck},{}", group.len(), times.join(","));
    }
    text
}
