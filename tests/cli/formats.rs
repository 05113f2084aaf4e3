//! Formats on the command line, which knows them by their rows alone.

use crate::toy_format::{self, TOY, ToyOptions};
use crate::{Desk, sample};
use std::ffi::OsString;
use std::process::{Command, Output};
use std::sync::Arc;
use wayloom::cli::{Outcome, run};
use wayloom::document::{Level, format};
use wayloom::exchange::import::{ImportRequest, Source, import_sources};
use wayloom::exchange::{ExportInput, MemorySink, Options, export, registry};
use wayloom::jobs::JobContext;

/// Tells the test below what to run.
const ARGUMENTS: &str = "WAYLOOM_TOY_ARGUMENTS";

/// The program with one format more: this test program, run once again.
fn with_toy(desk: &Desk, arguments: &[&str]) -> Output {
    Command::new(std::env::current_exe().expect("this program"))
        .args([
            "--exact",
            "formats::runs_with_a_format_more",
            "--ignored",
            "--nocapture",
        ])
        .env(ARGUMENTS, arguments.join("\n"))
        .current_dir(&desk.0)
        .output()
        .expect("starts")
}

#[test]
#[ignore = "started by the tests below, with arguments"]
fn runs_with_a_format_more() {
    let Ok(arguments) = std::env::var(ARGUMENTS) else {
        return;
    };
    toy_format::register();
    let arguments = std::iter::once("wayloom").chain(arguments.split('\n'));
    match run(arguments.map(OsString::from)) {
        Outcome::Exit(code) => std::process::exit(i32::from(code)),
        Outcome::OpenEditor(_) => panic!("a command was given"),
    }
}

fn level(path: &std::path::Path) -> Level {
    let text = std::fs::read_to_string(path).expect("written");
    format::read(&text).expect("a level").level
}

#[test]
fn a_format_of_one_row_is_listed_explained_written_and_read() {
    let desk = Desk::new();
    let text = |arguments: &[&str]| {
        let output = with_toy(&desk, arguments);
        let out = String::from_utf8_lossy(&output.stdout).into_owned();
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), out + &err)
    };
    let (_, listed) = text(&["formats"]);
    assert!(listed.contains("toy            in/out  .toy"), "{listed}");
    for command in ["import", "export"] {
        let (_, help) = text(&[command, "--help"]);
        assert!(help.contains("  toy\n    --units NUMBER"), "{help}");
    }
    let (_, wrong) = text(&["export", "a.ron", "-o", "b", "--format", "what"]);
    assert!(wrong.contains("bake, toy"), "{wrong}");

    let yard = sample("loose.ron");
    let (code, out) = text(&[
        "export", &yard, "-o", "a", "--format", "toy", "--units", "4",
    ]);
    assert_eq!(code, Some(0), "{out}");
    // By its beginning: the name has no ending.
    let (code, out) = text(&["import", "a", "-o", "again.ron", "--units", "4"]);
    assert_eq!(code, Some(0), "{out}");
    let (before, after) = (level(yard.as_ref()), level(&desk.file("again.ron")));
    assert!(
        !toy_format::rings(&before).is_empty(),
        "a level to try it on"
    );
    assert_eq!(toy_format::rings(&before), toy_format::rings(&after));
    let (code, out) = text(&["import", "a", "-o", "b.ron", "--units", "0"]);
    assert_eq!(code, Some(2), "{out}");
    assert!(out.contains("units to the metre is 0"), "{out}");
}

/// A level written and read again in memory.
fn round_trip(level: &Level, units: f64) -> Level {
    let options = || Options::new(ToyOptions { units });
    let input = ExportInput::new(Arc::new(level.clone()));
    let mut sink = MemorySink::default();
    let context = JobContext::default();
    export(&TOY, &input, &options(), &mut sink, &context).expect("written");
    let request = ImportRequest::of(&TOY).and(options());
    let sources = [Source::new("again.toy", sink.main)];
    import_sources(&sources, &request, &context)
        .expect("read")
        .level
}

#[test]
fn options_survive_a_round_trip_in_memory() {
    let before = level(sample("loose.ron").as_ref());
    for units in [1.0, 0.25, 8.0] {
        let after = round_trip(&before, units);
        assert_eq!(toy_format::rings(&before), toy_format::rings(&after));
    }
}

#[test]
fn bake_is_an_export_of_another_name() {
    let desk = Desk::new();
    let rooms = sample("rooms.ron");
    let options = [
        "--profile",
        "Guard",
        "--with-voxels",
        "--grid",
        "60x42x16",
        "--backend",
        "cpu",
    ];
    let said = |begin: &[&str]| {
        let all: Vec<&str> = begin.iter().chain(&options).copied().collect();
        desk.json(0, &all)
    };
    let baked = said(&["bake", &rooms, "-o", "one", "--json"]);
    let exported = said(&["export", &rooms, "-o", "two", "--format", "bake", "--json"]);
    assert_eq!(baked["spaces"], exported["spaces"]);
    let files = baked["files"].as_array().expect("a list");
    assert!(files.iter().any(|file| file["name"] == "voxels.wlb"));
    for file in files {
        let name = file["name"].as_str().expect("a name");
        let read = |folder: &str| std::fs::read(desk.file(folder).join(name)).expect("written");
        assert!(read("one") == read("two"), "{name}");
    }
    let (_, err) = desk.expect(2, &["bake", &rooms, "-o", "one"]);
    assert!(err.contains("one/bake.json exists already"), "{err}");
    let (_, err) = desk.expect(2, &["bake", &rooms, "-o", "three", "--grid", "3x4"]);
    assert!(err.contains("three whole numbers"), "{err}");
}

#[test]
fn a_flag_that_no_format_knows_is_named_and_one_of_two_formats_is_taken() {
    let desk = Desk::new();
    let (_, err) = desk.expect(
        0,
        &[
            "export",
            &sample("loose.ron"),
            "-o",
            "a.geojson",
            "--cell",
            "2",
        ],
    );
    assert!(err.contains("--cell is not an option of GeoJSON"), "{err}");
    let picture = image::GrayImage::from_fn(4, 4, |x, _| image::Luma([(x * 80) as u8]));
    picture.save(desk.file("hills.png")).expect("writes");
    std::fs::write(desk.file("room.wkt"), "POLYGON ((0 0, 30 0, 30 30, 0 30))").expect("writes");
    let files = ["import", "room.wkt", "hills.png", "-o", "a.ron"];
    let flags = ["--white", "24", "--polygons", "obstacles"];
    let all: Vec<&str> = files.into_iter().chain(flags).collect();
    let (_, err) = desk.expect(0, &all);
    assert!(!err.contains("ignored"), "{err}");
    let level = level(&desk.file("a.ron"));
    assert_eq!(level.ground().map(|ground| ground.range().0), Some(0.0));
    assert_eq!(level.obstacles().count(), 1);
}

/// The table in the docs is the table of the program.
#[test]
fn the_docs_list_every_format() {
    let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/command-line.md");
    let docs = std::fs::read_to_string(docs).expect("readable");
    let table = registry::markdown();
    assert!(docs.contains(&table), "the docs should have:\n{table}");
}
