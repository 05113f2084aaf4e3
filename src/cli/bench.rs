//! `wayloom bench` and `wayloom lab`

use super::{Answer, args, console::Console, output_file};
use crate::lab::{BENCHES, Experiment, PAPERS, PICTURES, Report};
use anyhow::{Context as _, bail};
use serde_json::{Value, json};
use std::path::Path;

pub(super) fn run_bench(
    options: &args::Measure,
    window_benches: &[Experiment],
    console: &Console,
) -> anyhow::Result<Answer> {
    let all: Vec<_> = BENCHES.iter().chain(window_benches).copied().collect();
    run(options, "benchmark", &all, console)
}

pub(super) fn run_lab(options: &args::Lab, console: &Console) -> anyhow::Result<Answer> {
    if let Some(folder) = &options.pictures {
        draw(options, folder, console)?;
    }
    run(&options.measure, "experiment", PAPERS, console)
}

/// Writes the figures of the chosen experiment, or of all.
fn draw(options: &args::Lab, folder: &Path, console: &Console) -> anyhow::Result<()> {
    let name = options.measure.name.as_deref();
    let chosen: Vec<_> = PICTURES
        .iter()
        .filter(|(of, _)| name.is_none_or(|name| name == *of))
        .collect();
    if chosen.is_empty() {
        bail!("there are no figures of this experiment");
    }
    std::fs::create_dir_all(folder)
        .with_context(|| format!("{}: the folder cannot be made", folder.display()))?;
    for (name, pictures) in chosen {
        for (file, bytes) in console.with_progress(name, pictures)? {
            let path = folder.join(file);
            output_file::check(&path, options.force)?;
            output_file::write(&path, &bytes)?;
            console.remark(&format!("{}", path.display()));
        }
    }
    Ok(())
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
