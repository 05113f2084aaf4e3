//! Runs as a script sees them: simulate, replay, measure.

use super::{Desk, sample};

#[test]
fn a_crowd_is_simulated_recorded_looked_into_and_measured() {
    let desk = Desk::new();
    let level = sample("bottleneck.ron");
    let few = "Visitors.count=20";
    let run = [
        "simulate",
        &level,
        "-o",
        "run.wlrec",
        "--set",
        few,
        "--json",
    ];
    let one = desk.json(0, &run);
    assert_eq!(
        (&one["appeared"], &one["arrived"]),
        (&20.into(), &20.into())
    );
    let (_, error) = desk.expect(2, &run);
    assert!(error.contains("already exists"), "{error}");
    // Another number of threads, the same run; another seed, another one.
    let two = desk.json(
        0,
        &[
            "simulate",
            &level,
            "-o",
            "b.wlrec",
            "--set",
            few,
            "--json",
            "--threads",
            "3",
        ],
    );
    assert_eq!(one["positions"], two["positions"]);
    let bytes = |name: &str| std::fs::read(desk.file(name)).expect("written");
    assert!(bytes("run.wlrec") == bytes("b.wlrec"));
    let seeds = desk.json(
        0,
        &[
            "simulate", &level, "-o", "s.wlrec", "--set", few, "--json", "--seeds", "1..3",
        ],
    );
    assert_ne!(seeds["runs"][0]["positions"], one["positions"]);
    assert!(desk.file("s-1.wlrec").exists() && desk.file("s-2.wlrec").exists());

    let told = desk.json(
        0,
        &[
            "replay",
            "run.wlrec",
            "--again",
            "--to",
            "run.csv",
            "--json",
        ],
    );
    assert_eq!(
        (&told["whole"], &told["identical"]),
        (&true.into(), &true.into())
    );
    let table = std::fs::read_to_string(desk.file("run.csv")).expect("written");
    assert!(table.lines().count() > 500);
    desk.expect(0, &["replay", "run.wlrec", "--to", "run.txt"]);
    let people = desk.json(0, &["replay", "run.txt", "--json"]);
    assert_eq!(people["people"], 20);

    let door = "Door=14.1,5.4,14.1,6.6";
    let hall = "Hall=10,4,14,8";
    let measure = [
        "measure",
        "run.wlrec",
        "--line",
        door,
        "--area",
        hall,
        "-o",
        "t",
        "--json",
    ];
    let figures = desk.json(0, &measure);
    assert_eq!(figures["lines"][0]["count"], 20);
    assert!(
        figures["areas"][0]["density_voronoi"]
            .as_f64()
            .expect("a number")
            > 0.0
    );
    assert_eq!(
        figures["evacuation"]["curve"]
            .as_array()
            .expect("a list")
            .len(),
        20
    );
    assert!(desk.file("t/run-travels.csv").exists());

    // Killed in the middle: what was written can be read.
    let whole = bytes("run.wlrec");
    std::fs::write(desk.file("cut.wlrec"), &whole[..whole.len() * 2 / 3]).expect("written");
    let cut = desk.json(0, &["replay", "cut.wlrec", "--json"]);
    assert_eq!(cut["whole"], false);
    assert!(cut["seconds"].as_f64().expect("a number") > 2.0);
}

#[test]
fn what_is_wrong_with_a_run_is_said() {
    let desk = Desk::new();
    let level = sample("bottleneck.ron");
    for (extra, words) in [
        (
            ["--model", "flock"],
            "no model `flock`; there are walker, orca, social-force",
        ),
        (["--set", "Nobody.count=3"], "nothing called `Nobody`"),
        (["--set", "count"], "NAME.FIELD=VALUE"),
        (["--step", "7"], "a step is 7 s"),
        (["--seeds", "4..2"], "A..B with A below B"),
    ] {
        let arguments = [&["simulate", &level, "-o", "x.wlrec"][..], &extra[..]].concat();
        let (_, error) = desk.expect(2, &arguments);
        assert!(error.contains(words), "{error}");
        assert!(!desk.file("x.wlrec").exists(), "{extra:?}");
    }
    // A run that does not begin leaves the one before it.
    std::fs::write(desk.file("old.wlrec"), b"an older run").expect("written");
    let arguments = [
        "simulate",
        &level,
        "-o",
        "old.wlrec",
        "--force",
        "--step",
        "0",
    ];
    desk.expect(2, &arguments);
    assert_eq!(
        std::fs::read(desk.file("old.wlrec")).expect("still there"),
        b"an older run"
    );
    std::fs::write(desk.file("bad.wlrec"), b"WLREC\0\0\x01nonsense").expect("written");
    let (_, error) = desk.expect(2, &["replay", "bad.wlrec"]);
    assert!(
        error.contains("bad.wlrec") && error.contains("damaged"),
        "{error}"
    );
    // Too short a time: not everyone arrives, and that is the answer.
    let arguments = [
        "simulate",
        &level,
        "-o",
        "y.wlrec",
        "--seconds",
        "2",
        "--until-empty",
    ];
    desk.expect(1, &arguments);
}

#[test]
fn a_study_in_two_parts_makes_the_table_of_one() {
    let desk = Desk::new();
    let level = sample("bottleneck.ron");
    let study = format!(
        "(level: {level:?}, seeds: (3, 5), parameters: {{\"Visitors.count\": [\"4\", \"6\"]}})"
    );
    std::fs::write(desk.file("study.ron"), study).expect("written");
    desk.expect(0, &["sweep", "study.ron", "-o", "whole"]);
    desk.expect(0, &["sweep", "study.ron", "-o", "parts", "--shard", "2/2"]);
    let half = desk.json(
        0,
        &["sweep", "study.ron", "-o", "parts", "--resume", "--json"],
    );
    assert_eq!((&half["simulated"], &half["there"]), (&2.into(), &4.into()));
    let table = |folder: &str| {
        std::fs::read_to_string(desk.file(folder).join("table.csv")).expect("written")
    };
    assert_eq!(table("whole"), table("parts"));
    assert_eq!(table("whole").lines().count(), 5);
    let bands = std::fs::read_to_string(desk.file("whole/bands.csv")).expect("written");
    // For each of the two counts, a line for every figure.
    let of = |count: &str| bands.lines().filter(|line| line.contains(count)).count();
    assert!(of("4") > 1 && of("6") > 1, "{bands}");
    assert_eq!(bands.lines().count() % 2, 1, "{bands}");
    let (_, error) = desk.expect(2, &["sweep", "study.ron", "-o", "whole"]);
    assert!(error.contains("already exists"), "{error}");
}

#[test]
fn a_run_that_is_killed_leaves_all_but_its_last_two_seconds() {
    use std::time::{Duration, Instant};
    let desk = Desk::new();
    let level = sample("bottleneck.ron");
    let mut run = std::process::Command::new(env!("CARGO_BIN_EXE_wayloom"))
        .args(["simulate", &level, "-o", "run.wlrec", "--seconds", "3000"])
        .args(["--set", "Visitors.per_second=0.5"])
        .current_dir(desk.file(""))
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("starts");
    let size = || std::fs::metadata(desk.file("run.wlrec")).map_or(0, |file| file.len());
    let since = Instant::now();
    let mut written = size();
    // Some chunks, however fast this machine is.
    let mut grown = 0;
    while grown < 6 {
        assert!(
            since.elapsed() < Duration::from_secs(120),
            "it writes nothing"
        );
        std::thread::sleep(Duration::from_millis(20));
        grown += u32::from(size() > written);
        written = size();
    }
    let before = std::fs::read(desk.file("run.wlrec")).expect("readable while it is written");
    // On Unix this is the signal that no program can catch.
    run.kill().expect("it runs");
    run.wait().expect("it has ended");
    std::fs::write(desk.file("before.wlrec"), before).expect("written");
    let seconds = |name: &str| {
        let told = desk.json(0, &["replay", name, "--json"]);
        assert_eq!(told["whole"], false, "{told}");
        told["seconds"].as_f64().expect("a number")
    };
    let (then, killed) = (seconds("before.wlrec"), seconds("run.wlrec"));
    assert!(then >= 6.0 && killed >= then, "{then} s, {killed} s");
    // Whole chunks of two seconds, and nothing else, can be missing.
    assert!(
        (killed / 2.0 - (killed / 2.0).round()).abs() < 1e-6,
        "{killed} s"
    );
}
