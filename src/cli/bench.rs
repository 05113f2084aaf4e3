//! `wayloom bench` and `wayloom lab`

use super::{Answer, args, console::Console};
use crate::lab::{BENCHES, Experiment, PAPERS, Report};
use anyhow::bail;
use serde_json::{Value, json};

pub(super) fn run_bench(
    options: &args::Measure,
    window_benches: &[Experiment],
    console: &Console,
) -> anyhow::Result<Answer> {
    let all: Vec<_> = BENCHES.iter().chain(window_benches).copied().collect();
    run(options, "benchmark", &all, console)
}

pub(super) fn run_lab(options: &args::Measure, console: &Console) -> anyhow::Result<Answer> {
    run(options, "experiment", PAPERS, console)
}

fn run(
    options: &args::Measure,
    noun: &str,
    all: &[Experiment],
    console: &Console,
) -> anyhow::Result<Answer> {
    let chosen: Vec<_> = all
        .iter()
        .filter(|bench| options.name.as_ref().is_none_or(|name| name == bench.name))
        .collect();
    if chosen.is_empty() {
        let known: Vec<String> = all
            .iter()
            .map(|bench| format!("\n  {:12}{}", bench.name, bench.about))
            .collect();
        bail!(
            "there is no {noun} `{}`; there are:{}",
            options.name.as_deref().unwrap_or_default(),
            known.concat()
        );
    }
    if cfg!(debug_assertions) {
        console.remark("This is a development build: figures of `cargo run --release` are the ones that count.");
    }
    let mut reports: Vec<Report> = Vec::new();
    for bench in chosen {
        reports.push(console.with_progress(bench.name, bench.run)?);
    }
    let text: Vec<String> = reports
        .iter()
        .map(|report| {
            if options.markdown {
                report.markdown()
            } else {
                report.table()
            }
        })
        .collect();
    // One name, one object; all of them, a list in an object.
    let object: Value = match (&reports[..], &options.name) {
        ([only], Some(_)) => serde_json::to_value(only)?,
        (all, _) => json!({ "reports": all }),
    };
    console.result(&text.join("\n"), &object);
    Ok(Answer::Yes)
}
