//! Golden plans: what every planner answers for the agents of the sample levels.
//!
//! One text file per level in `tests/golden/plans`. Times and numbers of expanded nodes are left
//! out; everything else must stay, to a micrometre, unless a change says why.
//!
//! `WAYLOOM_BLESS=1 cargo test --test golden` writes the files anew.

mod record;

use record::Record;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use wayloom::document::{Kind, format};

/// Every planner that answers, by its name on the command line.
const PLANNERS: [&str; 10] = [
    "portal",
    "portal-center",
    "portal-third",
    "portal-tenth",
    "optimal",
    "corridor",
    "corridor-original",
    "irm",
    "miran",
    "human",
];

/// Queries besides those of the agents: mostly such as have no answer, because a sentence that says
/// why not is part of the answer.
const QUERIES: [(&str, &[&str]); 4] = [
    (
        "rooms",
        &["--from", "30,2", "--to", "8,35", "--radius", "1.2"],
    ),
    (
        "mckenna",
        &["--from", "10,10", "--to", "60,5000", "--radius", "0.3"],
    ),
    (
        "dense",
        &["--from", "10,10", "--to", "950,940", "--radius", "0.5"],
    ),
    (
        "stairs",
        &["--from", "1,1,0", "--to", "5,5,3", "--radius", "0.3"],
    ),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn level_file(level: &str) -> PathBuf {
    root().join("levels").join(level).with_extension("ron")
}

fn golden_file(level: &str) -> PathBuf {
    root()
        .join("tests/golden/plans")
        .join(level)
        .with_extension("txt")
}

fn agents(level: &str) -> Vec<String> {
    let text = std::fs::read_to_string(level_file(level)).expect("the level can be read");
    let loaded = format::read(&text).unwrap_or_else(|error| panic!("{error}"));
    loaded
        .level
        .iter()
        .filter(|(_, entity)| matches!(entity.kind, Kind::Agent(_)))
        .map(|(_, entity)| entity.name.to_string())
        .collect()
}

/// What the program answers to a query in a level.
fn ask(level: &str, query: &[&str], planner: Option<&str>) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wayloom"));
    command.arg("plan").arg(level_file(level)).args(query);
    if let Some(planner) = planner {
        command.args(["--planner", planner]);
    }
    let output = command
        .args(["--no-optimum", "--json"])
        .output()
        .expect("the program starts");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!(
            "{level} {query:?} {planner:?}: {error}\n{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        )
    })
}

/// All plans of a level in the order of its file, each under a heading that says whose it is.
fn plans(level: &str, every_planner: bool) -> Vec<Record> {
    let mut records = Vec::new();
    let mut add = |query: &[&str], title: &str| {
        let own = ask(level, query, None);
        let own_planner = own["planner"].as_str().unwrap_or_default().to_owned();
        records.push(Record::of(format!("{title} by its own planner"), &own));
        for planner in PLANNERS {
            if every_planner && planner != own_planner {
                let answer = ask(level, query, Some(planner));
                records.push(Record::of(format!("{title} by {planner}"), &answer));
            }
        }
    };
    for agent in agents(level) {
        add(&["--agent", &agent], &agent);
    }
    for (_, query) in QUERIES.iter().filter(|(at, _)| *at == level) {
        add(query, &query.join(" "));
    }
    records
}

fn check(level: &str, every_planner: bool) {
    let now = plans(level, every_planner);
    let path = golden_file(level);
    if std::env::var_os("WAYLOOM_BLESS").is_some() {
        let text: String = now.iter().map(Record::to_string).collect();
        std::fs::write(&path, text).expect("the golden file can be written");
    }
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    let golden = Record::read_all(&text);
    let titles = |records: &[Record]| -> Vec<String> {
        records.iter().map(|record| record.title.clone()).collect()
    };
    assert_eq!(
        titles(&golden),
        titles(&now),
        "{level}: other plans than in {}",
        path.display()
    );
    let differences: Vec<String> = golden
        .iter()
        .zip(&now)
        .filter_map(|(golden, now)| golden.first_difference(now))
        .map(|difference| format!("{level}: {difference}"))
        .collect();
    assert!(
        differences.is_empty(),
        "{}\nIf this is meant: WAYLOOM_BLESS=1 cargo test --test golden",
        differences.join("\n")
    );
}

/// One test per level, so that they run side by side. `all`: every planner for every agent.
macro_rules! levels {
    ($($level:ident $which:ident),* $(,)?) => {
        $(
            #[test]
            fn $level() {
                check(stringify!($level), stringify!($which) == "all");
            }
        )*
        const LEVELS: &[&str] = &[$(stringify!($level)),*];
    };
}

levels! {
    blocks own, bottleneck own, city own, crossing own, dense own, evacuation own, factory own,
    forest all, guards own, labyrinth own, loose own, mckenna all, mckenna_road all, night own,
    rooms all, stairs all, station own, supermarket own, zigzag own,
}

#[test]
fn every_sample_level_has_golden_plans() {
    let mut found: Vec<String> = std::fs::read_dir(root().join("levels"))
        .expect("levels/ can be read")
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter_map(|name| Some(name.strip_suffix(".ron")?.to_owned()))
        .collect();
    found.sort();
    assert_eq!(found, LEVELS);
}
