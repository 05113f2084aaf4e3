//! `wayloom bench` and `wayloom lab`

use super::{Answer, console::Console, output_file};
use crate::lab::{Experiment, Purpose, Report, registry};
use anyhow::{Context as _, bail};
use clap::Args;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub(super) struct Measure {
    /// Which, by its name; all of them without one
    pub name: Option<String>,
    /// Print Markdown tables
    #[arg(long)]
    pub markdown: bool,
}

/// What to time.
#[derive(Debug, Args)]
pub(super) struct Bench {
    #[command(flatten)]
    pub measure: Measure,
    /// Ask on the levels (.ron), grid maps (.map) and meshes (.mesh) of this folder, not on generated ones
    #[arg(long, value_name = "DIR", requires = "name")]
    pub maps: Option<PathBuf>,
}

/// What there is to measure, by name.
pub(super) fn names(purpose: Purpose) -> String {
    format!("Names:\n{}", registry::list(purpose))
}

/// What to re-create, and where the figures go.
#[derive(Debug, Args)]
pub(super) struct Lab {
    #[command(flatten)]
    pub measure: Measure,
    /// Draw the paper's figures into this folder, too, as SVG and PNG
    #[arg(long, value_name = "DIR")]
    pub pictures: Option<PathBuf>,
    /// Overwrite pictures that exist
    #[arg(long)]
    pub force: bool,
}

pub(super) fn run_bench(options: &Bench, console: &Console) -> anyhow::Result<Answer> {
    run(
        &options.measure,
        Purpose::Bench,
        options.maps.as_deref(),
        console,
    )
}

pub(super) fn run_lab(options: &Lab, console: &Console) -> anyhow::Result<Answer> {
    if let Some(folder) = &options.pictures {
        draw(options, folder, console)?;
    }
    run(&options.measure, Purpose::Paper, None, console)
}

/// Those of a name, or all.
fn chosen(options: &Measure, purpose: Purpose) -> Vec<&'static Experiment> {
    let is_chosen = |row: &&Experiment| options.name.as_ref().is_none_or(|name| name == row.id);
    registry::rows(purpose)
        .into_iter()
        .filter(is_chosen)
        .collect()
}

/// Writes the figures of the chosen experiment, or of all.
fn draw(options: &Lab, folder: &Path, console: &Console) -> anyhow::Result<()> {
    let rows = chosen(&options.measure, Purpose::Paper).into_iter();
    let chosen: Vec<_> = rows
        .filter_map(|row| Some((row.id, row.pictures?)))
        .collect();
    if chosen.is_empty() {
        bail!("there are no figures of this experiment");
    }
    std::fs::create_dir_all(folder)
        .with_context(|| format!("{}: the folder cannot be made", folder.display()))?;
    for (id, pictures) in chosen {
        for (file, bytes) in console.with_progress(id, pictures)? {
            let path = folder.join(file);
            output_file::check(&path, options.force)?;
            output_file::write(&path, &bytes)?;
            console.remark(&format!("{}", path.display()));
        }
    }
    Ok(())
}

fn run(
    options: &Measure,
    purpose: Purpose,
    maps: Option<&Path>,
    console: &Console,
) -> anyhow::Result<Answer> {
    let chosen = chosen(options, purpose);
    if chosen.is_empty() {
        bail!(
            "there is no {} `{}`; there are:\n{}",
            match purpose {
                Purpose::Paper => "experiment",
                Purpose::Bench => "benchmark",
            },
            options.name.as_deref().unwrap_or_default(),
            registry::list(purpose)
        );
    }
    if cfg!(debug_assertions) {
        console.remark("This is a development build: figures of `cargo run --release` are the ones that count.");
    }
    let mut reports: Vec<Report> = Vec::new();
    for bench in chosen {
        reports.push(match (maps, bench.on_maps) {
            (None, _) => console.with_progress(bench.id, bench.run)?,
            (Some(folder), Some(run_on)) => {
                console.with_progress(bench.id, |ctx| run_on(folder, ctx))?
            }
            (Some(_), None) => bail!("`{}` makes its own scenes; leave --maps out", bench.id),
        });
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
    let is_met = reports.iter().all(Report::is_met);
    Ok(match purpose {
        Purpose::Paper if !is_met => Answer::No,
        _ => Answer::Yes,
    })
}
