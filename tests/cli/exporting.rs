//! Exports as a script sees them: whole or not at all, again by name, again on change.

use super::{Desk, sample};
use glam::DVec3;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use wayloom::base::EntityId;
use wayloom::base::parser_words::check_form;
use wayloom::document::{Edit, Entity, Kind, Level, Link, LinkAction, Profile, format, ops};
use wayloom::exchange::registry;

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> = entries
        .filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()))
        .collect();
    names.sort();
    names
}

/// A limit on the size of files stands for a disk that is full.
#[cfg(unix)]
#[test]
fn a_full_disk_gets_a_sentence_and_leaves_nothing_behind() {
    let desk = Desk::new();
    for (format, out) in [("glb", "level.glb"), ("bake", "bake"), ("godot", "project")] {
        let script = format!(
            "trap '' XFSZ; ulimit -f 8; exec '{}' export --quiet --format {format} -o {out} '{}'",
            env!("CARGO_BIN_EXE_wayloom"),
            sample("rooms.ron")
        );
        let output = Command::new("bash")
            .args(["-c", &script])
            .current_dir(&desk.0)
            .output()
            .expect("bash");
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{format}: {error}");
        assert_eq!(error.trim().lines().count(), 1, "{format}: {error}");
        assert!(error.starts_with("wayloom: "), "{format}: {error}");
        assert_eq!(names(&desk.0), Vec::<String>::new(), "{format}: {error}");
    }
}

#[test]
fn what_is_there_already_is_not_written_over() {
    let desk = Desk::new();
    let level = sample("rooms.ron");
    let folder = desk.0.join("project");
    desk.expect(0, &["export", &level, "-o", "project", "--format", "godot"]);
    let before = names(&folder);
    assert!(before.contains(&"addons".to_owned()), "{before:?}");
    std::fs::write(folder.join("project.godot"), "mine").expect("writable");
    desk.expect(2, &["export", &level, "-o", "project", "--format", "godot"]);
    let kept = std::fs::read_to_string(folder.join("project.godot")).expect("there");
    assert_eq!(kept, "mine");
    desk.expect(
        0,
        &[
            "export", &level, "-o", "project", "--format", "godot", "--force",
        ],
    );
    assert_eq!(names(&folder), before);
}

#[test]
fn a_preset_is_exported_again_by_its_name() {
    let desk = Desk::new();
    std::fs::copy(sample("rooms.ron"), desk.0.join("rooms.ron")).expect("copied");
    let presets = r#"{"exports": [{"name": "Engine", "format": "obj", "target": "out.obj",
                       "options": {"contents": "navigation"}}]}"#;
    std::fs::write(desk.0.join("rooms.exports.json"), presets).expect("writable");
    desk.expect(0, &["export", "rooms.ron", "--preset", "Engine"]);
    let text = std::fs::read_to_string(desk.0.join("out.obj")).expect("written");
    assert_eq!(text.matches("\no ").count(), 1, "the navigation mesh alone");
    // What is kept may be written over by its own newer self.
    desk.expect(0, &["export", "rooms.ron", "--preset", "Engine"]);
    let (_, error) = desk.expect(2, &["export", "rooms.ron", "--preset", "Other"]);
    assert!(error.contains("Engine"), "{error}");
}

#[test]
fn a_watched_level_is_exported_again_when_it_changes() {
    let desk = Desk::new();
    let level = desk.0.join("rooms.ron");
    std::fs::copy(sample("rooms.ron"), &level).expect("copied");
    let mut child = Command::new(env!("CARGO_BIN_EXE_wayloom"))
        .args(["export", "rooms.ron", "-o", "out.wkt", "--watch", "--quiet"])
        .current_dir(&desk.0)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("starts");
    let out = desk.0.join("out.wkt");
    let patience = Instant::now() + Duration::from_secs(120);
    let wait_for = |done: &dyn Fn() -> bool| {
        while !done() {
            assert!(Instant::now() < patience, "nothing happens");
            std::thread::sleep(Duration::from_millis(50));
        }
    };
    let read = || std::fs::read_to_string(&out).unwrap_or_default();
    wait_for(&|| !read().is_empty());
    let before = read();
    std::thread::sleep(Duration::from_millis(600));
    std::fs::copy(sample("mckenna.ron"), &level).expect("copied");
    wait_for(&|| !read().is_empty() && read() != before);
    child.kill().expect("ours");
    child.wait().expect("ended");
}

/// Nothing to speak of in them: no profile, no obstacle, nobody.
fn bare_levels() -> [(&'static str, Level); 3] {
    let link = |from: f64, to: f64| {
        let [from, to] = [from, to].map(|x| DVec3::new(x, 5.0, 0.0));
        Entity::new(
            "Jump \"🦀\" ../{0}\\%s",
            Kind::Link(Link::new(LinkAction::Jump, from, to)),
        )
    };
    let links = [
        Edit::create(EntityId::new(1), link(2.0, 8.0)),
        Edit::create(EntityId::new(2), link(3.0, 3.0)),
    ];
    let profile = Entity::new("/etc/\"π\"", Kind::Profile(Profile::default()));
    let with_profile = [Edit::create(EntityId::new(3), profile)];
    let level = |edits: &[Edit]| ops::apply(&Level::default(), edits).expect("valid");
    [
        ("nothing", Level::default()),
        ("links alone", level(&links)),
        (
            "links and a profile",
            level(&[&links[..], &with_profile[..]].concat()),
        ),
    ]
}

#[test]
fn every_format_writes_a_bare_level_whole_or_says_why_not() {
    let desk = Desk::new();
    for (name, level) in bare_levels() {
        let text = format::write(&level, level.largest_id().next());
        std::fs::write(desk.file("level.ron"), text).expect("writable");
        for row in registry::exportable() {
            if row.id == "toy" {
                continue;
            }
            let out = desk.file("out");
            std::fs::create_dir_all(&out).expect("writable");
            let target = format!("out/level.{}", row.extensions.first().unwrap_or(&"x"));
            let output = desk.run(&["export", "level.ron", "--format", row.id, "-o", &target]);
            let about = format!("{name}, {}", row.id);
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            match output.status.code() {
                Some(0) => assert!(!names(&out).is_empty(), "{about}: {said}"),
                Some(2) => {
                    assert_eq!(names(&out), [""; 0], "{about}: {said}");
                    for line in said.lines().filter(|line| !line.trim().is_empty()) {
                        assert_eq!(check_form(line), Ok(()), "{about}: {said}");
                    }
                }
                code => panic!("{about}: {code:?}: {said}"),
            }
            std::fs::remove_dir_all(&out).expect("ours");
        }
    }
}

/// Through a link to another folder, or with one among the files of an earlier export: only what an export
/// wrote is replaced, where the link leads or not at all.
#[cfg(unix)]
#[test]
fn links_on_disk_lead_an_export_nowhere_else() {
    use std::os::unix::fs::symlink;
    let desk = Desk::new();
    let level = sample("zigzag.ron");
    let [elsewhere, precious] = ["elsewhere", "precious.txt"].map(|name| desk.file(name));
    std::fs::create_dir_all(&elsewhere).expect("writable");
    std::fs::write(&precious, "mine").expect("writable");
    symlink(&elsewhere, desk.file("out")).expect("linked");
    desk.expect(
        0,
        &["export", &level, "-o", "out/project", "--format", "godot"],
    );
    assert!(elsewhere.join("project/project.godot").exists());
    // A file of the project is a link to something else: it is replaced, not written through.
    let scene = elsewhere.join("project/level_2d.tscn");
    std::fs::remove_file(&scene).expect("ours");
    symlink(&precious, &scene).expect("linked");
    let force = ["--format", "godot", "--force"];
    desk.expect(
        0,
        &[&["export", &level, "-o", "out/project"][..], &force[..]].concat(),
    );
    assert_eq!(std::fs::read_to_string(&precious).expect("there"), "mine");
    // The file that is asked for is a link itself: what it leads to is there already.
    symlink(&precious, desk.file("level.wkt")).expect("linked");
    desk.expect(2, &["export", &level, "-o", "level.wkt"]);
    assert_eq!(std::fs::read_to_string(&precious).expect("there"), "mine");
}
