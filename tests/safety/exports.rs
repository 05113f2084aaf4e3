//! Exports and repairs that are killed, that race each other, or that find the disk full: what is on
//! disk afterwards is whole, of one state, and nobody's work is lost.
//!
//! `WAYLOOM_KILLS` and `WAYLOOM_RACES` set how often (the test command does fewer).

use crate::disk::SmallDisk;
use crate::folder::Folder;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Instant;
use wayloom::base::Random;
use wayloom::document::format;

fn count(name: &str, usual: usize) -> usize {
    let wanted = std::env::var(name).ok();
    wanted.and_then(|text| text.parse().ok()).unwrap_or(usual)
}

fn wayloom(words: &[&str], paths: &[&Path]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wayloom"));
    command.args(words).args(paths);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn sample(name: &str) -> PathBuf {
    let levels = Path::new(env!("CARGO_MANIFEST_DIR")).join("levels");
    levels.join(name).with_extension("ron")
}

/// Every file below a folder, with its contents.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inner) = folders.pop() {
        for entry in std::fs::read_dir(&inner).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("below it").display();
                found.insert(name.to_string(), std::fs::read(&path).expect("readable"));
            }
        }
    }
    found
}

fn done(command: &mut Command) -> Output {
    let output = command.stderr(Stdio::piped()).output().expect("starts");
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {err}");
    output
}

/// Kills exports over an earlier one at random moments. The folder or file is always wholly the one or
/// wholly the other.
fn killed_over(format: &str, name: &str, levels: [&Path; 2]) {
    let kills = count("WAYLOOM_KILLS", 10);
    let desk = Folder::new();
    let states = levels.map(|level| {
        let out = desk.file("reference").join(name);
        std::fs::create_dir_all(desk.file("reference")).expect("writable");
        done(wayloom(&["export", "--quiet", "--format", format, "-o"], &[&out]).arg(level));
        let state = contents(&desk.file("reference"));
        std::fs::remove_dir_all(desk.file("reference")).expect("ours");
        state
    });
    assert_ne!(states[0], states[1], "the states can be told apart");
    let place = desk.file("place");
    std::fs::create_dir_all(&place).expect("writable");
    let out = place.join(name);
    let command = |level: &Path| {
        let mut command = wayloom(
            &["export", "--quiet", "--force", "--format", format, "-o"],
            &[&out],
        );
        command.arg(level);
        command
    };
    let begun = Instant::now();
    done(&mut command(levels[0]));
    let usual = begun.elapsed();
    let visible = || {
        let mut all = contents(&place);
        // What is hidden is what an interrupted export left.
        all.retain(|path, _| !path.starts_with('.'));
        all
    };
    let mut random = Random::new(11);
    let mut interrupted = 0;
    for kill in 0..kills {
        let mut child = command(levels[(kill + 1) % 2]).spawn().expect("starts");
        // The end is where files are written.
        std::thread::sleep(usual.mul_f64(random.range(0.5, 1.1)));
        child.kill().expect("ours");
        let status = child.wait().expect("ended");
        interrupted += usize::from(!status.success());
        let now = visible();
        assert!(
            now == states[0] || now == states[1],
            "kill {kill} of {format} left {:?}",
            now.keys().collect::<Vec<_>>()
        );
    }
    assert!(interrupted > 0, "some were killed");
    done(&mut command(levels[1]));
    assert_eq!(visible(), states[1]);
    let hidden: Vec<String> = contents(&place)
        .into_keys()
        .filter(|path| path.starts_with('.'))
        .collect();
    assert_eq!(hidden, [""; 0], "leftovers are swept");
}

#[test]
fn a_killed_bake_leaves_the_old_one_or_the_new_one() {
    killed_over("bake", "bake", [&sample("zigzag"), &sample("bottleneck")]);
}

#[test]
fn a_killed_export_leaves_the_old_file_or_the_new_one() {
    killed_over(
        "geojson",
        "level.geojson",
        [&sample("zigzag"), &sample("mckenna")],
    );
}

#[test]
fn of_two_exports_without_force_one_succeeds() {
    for round in 0..count("WAYLOOM_RACES", 6) {
        let desk = Folder::new();
        let (format, name) = [("bake", "bake"), ("wkt", "level.wkt")][round % 2];
        let out = desk.file(name);
        let words = ["export", "--quiet", "--format", format, "-o"];
        let mut both: Vec<_> = ["zigzag", "bottleneck"]
            .map(|level| {
                wayloom(&words, &[&out])
                    .arg(sample(level))
                    .spawn()
                    .expect("starts")
            })
            .into();
        let succeeded = both
            .iter_mut()
            .filter_map(|child| child.wait().ok())
            .filter(std::process::ExitStatus::success)
            .count();
        assert_eq!(succeeded, 1, "round {round}, {format}");
        assert_eq!(desk.names(), [name]);
    }
}

/// A level with an obstacle that crosses itself, which a fix repairs, and a number to tell it by.
fn damaged(number: usize) -> String {
    let text = std::fs::read_to_string(sample("zigzag")).expect("a sample");
    let level = format::read(&text).expect("a level").level;
    let next = level.largest_id().next().number();
    let bow = format!(
        "        (\n            id: {next},\n            name: \"Bow {number}\",\n            kind: \
         Obstacle(\n                area: (outer: [(1.0, 1.0), (2.0, 2.0), (2.0, 1.0), (1.0, 2.0)]),\n\
         \x20               height: 3.0,\n            ),\n        ),\n"
    );
    let end = text.rfind("    ],").expect("a list of things");
    let head = text[..end].replacen("next_id: ", "next_id: 9", 1);
    let text = format!("{head}{bow}{}", &text[end..]);
    format::read(&text).expect("sound");
    text
}

#[test]
fn a_fix_never_replaces_an_edit_that_was_made_meanwhile() {
    let desk = Folder::new();
    let path = desk.file("level.ron");
    let words = ["check", "--quiet", "--fix", "--no-navigation"];
    // One that there is nothing to fix in, whenever it is looked at.
    std::fs::write(&path, damaged(2)).expect("writable");
    let _ = wayloom(&words, &[&path]).status().expect("starts");
    let edit = std::fs::read_to_string(&path).expect("there");
    std::fs::write(&path, damaged(1)).expect("writable");
    let begun = Instant::now();
    let _ = wayloom(&words, &[&path]).status().expect("starts");
    let usual = begun.elapsed();
    assert_ne!(
        std::fs::read_to_string(&path).expect("there"),
        damaged(1),
        "it fixes"
    );
    let mut random = Random::new(5);
    for round in 0..count("WAYLOOM_RACES", 12) {
        std::fs::write(&path, damaged(1)).expect("writable");
        let mut child = wayloom(&words, &[&path]).spawn().expect("starts");
        std::thread::sleep(usual.mul_f64(random.range(0.0, 1.2)));
        // As editors save: whole, by a rename.
        let new = desk.file("new.ron");
        std::fs::write(&new, &edit).expect("writable");
        std::fs::rename(&new, &path).expect("ours");
        child.wait().expect("ended");
        let now = std::fs::read_to_string(&path).expect("there");
        assert!(now == edit, "round {round}: the edit is lost");
    }
}

#[test]
fn two_fixes_at_once_keep_the_original_as_the_backup() {
    let words = ["check", "--quiet", "--fix", "--no-navigation"];
    for round in 0..count("WAYLOOM_RACES", 6) {
        let desk = Folder::new();
        let path = desk.file("level.ron");
        std::fs::write(&path, damaged(round)).expect("writable");
        let both = [0, 1].map(|_| wayloom(&words, &[&path]).spawn().expect("starts"));
        for mut child in both {
            child.wait().expect("ended");
        }
        let backup = std::fs::read_to_string(desk.file("level.ron~")).expect("kept");
        assert!(
            backup == damaged(round),
            "round {round}: the original is lost"
        );
        assert_eq!(desk.names(), ["level.ron", "level.ron~"]);
    }
}

#[test]
fn a_killed_fix_leaves_the_old_level_or_the_new_one() {
    let words = ["check", "--quiet", "--fix", "--no-navigation"];
    let desk = Folder::new();
    let path = desk.file("level.ron");
    let old = damaged(1);
    std::fs::write(&path, &old).expect("writable");
    let begun = Instant::now();
    let _ = wayloom(&words, &[&path]).status().expect("starts");
    let usual = begun.elapsed();
    let new = std::fs::read_to_string(&path).expect("there");
    let mut random = Random::new(8);
    for kill in 0..count("WAYLOOM_KILLS", 10) {
        std::fs::write(&path, &old).expect("writable");
        let mut child = wayloom(&words, &[&path]).spawn().expect("starts");
        std::thread::sleep(usual.mul_f64(random.range(0.2, 1.1)));
        child.kill().expect("ours");
        child.wait().expect("ended");
        let now = std::fs::read_to_string(&path).expect("there");
        assert!(now == old || now == new, "kill {kill}");
    }
    std::fs::write(&path, &old).expect("writable");
    let _ = wayloom(&words, &[&path]).status().expect("starts");
    assert_eq!(
        desk.names(),
        ["level.ron", "level.ron~"],
        "leftovers are swept"
    );
}

#[test]
fn on_a_full_disk_an_export_says_so_and_changes_nothing() {
    let Some(disk) = SmallDisk::new("400k") else {
        eprintln!(
            "skipped: mounting a small file system needs rights that this user does not have"
        );
        return;
    };
    let folder = &disk.0;
    let small = folder.file("small");
    done(&mut wayloom(
        &["bake", "--quiet", "-o"],
        &[&small, &sample("bottleneck")],
    ));
    std::fs::write(folder.file("plan.svg"), "old").expect("room enough");
    let before = contents(folder.path());
    let cases = [
        ("bake", folder.file("new"), "a new folder"),
        ("bake", small, "a folder that is there"),
        ("geojson", folder.file("city.geojson"), "a new file"),
        ("svg", folder.file("plan.svg"), "a file that is there"),
    ];
    for (format, out, what) in cases {
        let words = ["export", "--quiet", "--force", "--format", format, "-o"];
        let output = wayloom(&words, &[&out, &sample("city")])
            .stderr(Stdio::piped())
            .output()
            .expect("starts");
        let sentence = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{what}: {sentence}");
        assert!(sentence.contains("the disk is full"), "{what}: {sentence}");
        assert!(!sentence.contains("os error"), "{what}: {sentence}");
        assert!(
            contents(folder.path()) == before,
            "{what}: something has changed"
        );
    }
}

#[test]
fn a_level_takes_its_meshes_to_another_folder() {
    let desk = Folder::new();
    for inner in ["home", "away", "import"] {
        std::fs::create_dir(desk.file(inner)).expect("writable");
    }
    let cube = "mtllib cube.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nusemtl red\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
    std::fs::write(desk.file("cube.obj"), cube).expect("writable");
    std::fs::write(desk.file("cube.mtl"), "newmtl red\nKd 1 0 0\n").expect("writable");
    let level = desk.file("home/level.ron");
    done(&mut wayloom(
        &["import", "--quiet", "-o"],
        &[&level, &desk.file("cube.obj")],
    ));
    assert!(desk.file("home/cube.obj").exists());
    let away = desk.file("away/level.ron");
    let words = ["export", "--quiet", "--format", "wayloom", "-o"];
    done(&mut wayloom(&words, &[&away, &level]));
    let again = desk.file("import/level.ron");
    done(&mut wayloom(
        &["import", "--quiet", "-o"],
        &[&again, &level],
    ));
    for level in [away, again] {
        let folder = level.parent().expect("one");
        let names: Vec<String> = contents(folder).into_keys().collect();
        assert_eq!(names, ["cube.mtl", "cube.obj", "level.ron"]);
        let output = wayloom(&["check", "--json"], &[&level])
            .stdout(Stdio::piped())
            .output()
            .expect("starts");
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(!told.contains("missing-mesh"), "{told}");
    }
}
