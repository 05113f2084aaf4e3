//! Killed at random moments during edits, drags and saves.
//!
//! `WAYLOOM_KILLS` sets how often (the test command does fewer).

use crate::folder::Folder;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;
use wayloom::base::Random;
use wayloom::document::{
    Edit, Level, Session, Settings, format,
    session::{Opened, Overwrite},
};

const CHILD: &str = "WAYLOOM_TEST_CHILD";

/// Not a test of its own: what the killed program does. It numbers the states of a level by its
/// name, and says each number before and after it is reached.
#[test]
fn child_that_works_until_it_is_killed() {
    let Some(path) = std::env::var_os(CHILD).map(PathBuf::from) else {
        return;
    };
    let state = path.with_file_name("state");
    let mut session = open(&path, &state);
    let seed = number(session.document().level()) + u64::from(std::process::id());
    let mut random = Random::new(seed);
    let mut highest = number(session.document().level());
    let say = |word: &str, number: u64| {
        let mut out = std::io::stderr().lock();
        let _ = writeln!(out, "{word} {number}");
    };
    loop {
        match random.below(10) {
            0 => {
                // A drag in progress is the only thing that may be lost.
                session.begin("Drag");
                let settings = Settings {
                    name: "999999999".to_owned(),
                    ..Settings::default()
                };
                session
                    .preview(vec![Edit::Settings(Arc::new(settings))])
                    .expect("valid");
                session.cancel();
            }
            1 => {
                session
                    .save(Overwrite::OnPurpose)
                    .expect("the disk is fine");
            }
            _ => {
                highest += 1;
                say("about", highest);
                let settings = Settings {
                    name: highest.to_string(),
                    // Long enough for torn writes to be likely.
                    notes: "x".repeat(random.below(20_000)),
                    ..Settings::clone(session.document().level().settings())
                };
                session
                    .commit("Count", vec![Edit::Settings(Arc::new(settings))])
                    .expect("valid");
                say("done", highest);
            }
        }
    }
}

fn open(path: &Path, state: &Path) -> Session {
    match Session::open(path, state).expect("never torn") {
        Opened::Clean(session) => session,
        Opened::Unsaved(recovery) => recovery.accept(),
    }
}

fn number(level: &Level) -> u64 {
    level.settings().name.parse().expect("a number")
}

#[test]
fn killed_at_random_moments_nothing_committed_is_lost() {
    let kills: u64 = std::env::var("WAYLOOM_KILLS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(25);
    let folder = Folder::new();
    let path = folder.file("level.ron");
    let mut level = Session::unnamed(Level::default(), &folder.file("state"));
    let zero = Settings {
        name: "0".to_owned(),
        ..Settings::default()
    };
    level
        .commit("Zero", vec![Edit::Settings(Arc::new(zero))])
        .expect("valid");
    level
        .save_as(&path, Overwrite::Never, &folder.file("state"))
        .expect("the disk is fine");
    drop(level);
    let mut random = Random::new(42);
    let mut reached = 0;
    for kill in 0..kills {
        let mut child = Command::new(std::env::current_exe().expect("known"))
            .args([
                "--exact",
                "killed::child_that_works_until_it_is_killed",
                "--nocapture",
            ])
            .env(CHILD, &path)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("starts");
        let mut lines = BufReader::new(child.stderr.take().expect("piped")).lines();
        let (mut about, mut done) = (reached, reached);
        let mut take = |line: String| {
            let (word, number) = line.split_once(' ').unwrap_or(("", ""));
            match (word, number.parse()) {
                ("about", Ok(number)) => about = number,
                ("done", Ok(number)) => done = number,
                _ => panic!("the child says: {line}"),
            }
        };
        // At least one edit, then a random moment.
        for line in lines.by_ref().take(2 + 2 * random.below(40)) {
            take(line.expect("text"));
        }
        std::thread::sleep(Duration::from_micros(random.below(3000) as u64));
        child.kill().expect("running");
        child.wait().expect("ended");
        for line in lines.map_while(Result::ok) {
            // The last line may be cut.
            if line.starts_with("about ") || line.starts_with("done ") {
                take(line);
            }
        }
        let text = std::fs::read_to_string(&path).expect("the file is there");
        format::read(&text).expect("the file is whole");
        let session = open(&path, &folder.file("state"));
        reached = number(session.document().level());
        assert!(
            reached == done || reached == about,
            "kill {kill}: state {reached} came back; {done} was committed, {about} begun"
        );
        // Still unsaved: the next child must find it again.
    }
    // Sweeping happens on a clean opening: after a save nothing is left but level and backup.
    let mut session = open(&path, &folder.file("state"));
    session
        .save(Overwrite::OnPurpose)
        .expect("the disk is fine");
    drop(session);
    drop(open(&path, &folder.file("state")));
    assert_eq!(folder.names(), ["level.ron", "level.ron~", "state"]);
    assert!(reached > kills, "the children worked");
}
