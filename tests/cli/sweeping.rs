//! Studies of many runs: alone, resumed, in shards, under GNU parallel and in a Dask cluster.

use super::{Desk, sample};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Four runs of a few people each.
fn study(desk: &Desk) {
    let text = format!(
        r#"(level: {:?}, seeds: (3, 5), parameters: {{"Visitors.count": ["6", "9"]}})"#,
        sample("bottleneck.ron")
    );
    std::fs::write(desk.file("study.ron"), text).expect("written");
}

fn table(desk: &Desk, folder: &str) -> String {
    std::fs::read_to_string(desk.file(folder).join("table.csv")).expect("written")
}

#[test]
fn shards_together_are_the_whole_study_and_resuming_leaves_out_what_is_there() {
    let desk = Desk::new();
    study(&desk);
    let whole = desk.json(0, &["sweep", "study.ron", "-o", "all", "--json"]);
    assert_eq!(
        (&whole["simulated"], &whole["there"]),
        (&4.into(), &4.into())
    );
    let lines = table(&desk, "all");
    let heads =
        "model,Visitors.count,run,seed,seconds,appeared,arrived,stuck,half,most,all,positions";
    assert_eq!(lines.lines().next(), Some(heads));
    assert_eq!(lines.lines().count(), 5);
    let bands = std::fs::read_to_string(desk.file("all/bands.csv")).expect("written");
    assert_eq!(
        bands.lines().count(),
        1 + 2 * 10,
        "two combinations, ten shares"
    );

    let (_, error) = desk.expect(2, &["sweep", "study.ron", "-o", "all"]);
    assert!(error.contains("already exists"), "{error}");
    std::fs::remove_file(desk.file("all/run-000002.json")).expect("there");
    let again = desk.json(
        0,
        &["sweep", "study.ron", "-o", "all", "--resume", "--json"],
    );
    assert_eq!(
        (&again["simulated"], &again["there"]),
        (&1.into(), &4.into())
    );
    assert_eq!(table(&desk, "all"), lines);

    for part in ["2/3", "1/3", "3/3"] {
        desk.expect(0, &["sweep", "study.ron", "-o", "parts", "--shard", part]);
    }
    assert_eq!(table(&desk, "parts"), lines);
    desk.expect(2, &["sweep", "study.ron", "-o", "parts", "--shard", "4/3"]);
}

/// `None`, with a line, where the program is missing.
fn found(program: &str, arguments: &[&str]) -> Option<PathBuf> {
    let output = Command::new(program).args(arguments).output();
    if output.is_ok_and(|output| output.status.success()) {
        return Some(program.into());
    }
    eprintln!("skipped: {program} {} fails", arguments.join(" "));
    None
}

/// Runs a program that runs shards, and compares the table with that of the whole study.
fn compare(command: &mut Command) {
    let desk = Desk::new();
    study(&desk);
    desk.expect(0, &["sweep", "study.ron", "-o", "all"]);
    let output = command.current_dir(desk.file("")).output().expect("starts");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    assert_eq!(table(&desk, "parts"), table(&desk, "all"));
}

#[test]
fn gnu_parallel_runs_shards() {
    let Some(parallel) = found("parallel", &["--version"]) else {
        return;
    };
    let program = env!("CARGO_BIN_EXE_wayloom");
    compare(
        Command::new(parallel)
            .args([program, "sweep", "study.ron", "-o", "parts", "--resume"])
            .args(["--shard", "{}/3", ":::", "1", "2", "3"])
            .env("PARALLEL_SHELL", "/bin/sh"),
    );
}

#[test]
fn a_dask_cluster_runs_shards() {
    let python = std::env::var("WAYLOOM_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let Some(python) = found(&python, &["-c", "import dask.distributed"]) else {
        return;
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/examples/sweep_dask.py");
    compare(
        Command::new(python)
            .arg(script)
            .args(["study.ron", "parts", "3"])
            .env("WAYLOOM", env!("CARGO_BIN_EXE_wayloom")),
    );
}

#[test]
fn tables_are_read_by_pyarrow() {
    let python = std::env::var("WAYLOOM_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let Some(python) = found(&python, &["-c", "import pyarrow.parquet"]) else {
        return;
    };
    let desk = Desk::new();
    study(&desk);
    desk.expect(0, &["sweep", "study.ron", "-o", "all"]);
    let script = "
import csv, sys
import pyarrow.parquet as parquet
for name in ['table', 'bands']:
    table = parquet.read_table(f'all/{name}.parquet').to_pylist()
    lines = list(csv.DictReader(open(f'all/{name}.csv', encoding='utf-8')))
    assert len(table) == len(lines) > 0
    for row, line in zip(table, lines):
        assert row.keys() == line.keys()
        for key, value in row.items():
            text = '' if value is None else f'{value:.3f}' if isinstance(value, float) else str(value)
            assert text == line[key], (key, text, line[key])
";
    let output = Command::new(python)
        .args(["-c", script])
        .current_dir(desk.file(""))
        .output()
        .expect("starts");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
}
