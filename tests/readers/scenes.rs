//! Maps that their own editor opens.

use crate::levels::{Desk, sample, saved, two_rooms, wayloom};
use crate::readers::{folder, program, run};
use glam::DVec2;
use std::process::Command;

/// Of every object: what stands between its name and the end of its head.
fn objects(text: &str) -> Vec<String> {
    text.lines()
        .map(str::trim)
        .filter(|line| line.starts_with("<object "))
        .map(|line| line.trim_end_matches(['/', '>']).to_owned())
        .collect()
}

#[test]
fn tiled_opens_maps_and_saves_what_it_read() {
    let Some(folder) = folder("tiled") else {
        return;
    };
    let desk = Desk::new();
    let hostile = saved(&desk, &two_rooms(DVec2::ZERO), "hostile.ron");
    for level in [sample("mckenna"), hostile] {
        let (map, _) = desk.export(&level, "tmx", "level.tmx");
        let out = desk.0.join("saved.tmx");
        let mut command = Command::new(folder.join("tiled"));
        command.args(["--export-map", "tmx"]).arg(&map).arg(&out);
        run(&mut command, "");
        let read = |path| std::fs::read_to_string(path).expect("written");
        let (ours, theirs) = (objects(&read(&map)), objects(&read(&out)));
        assert!(!ours.is_empty());
        assert_eq!(ours.len(), theirs.len());
        let name = |line: &String| {
            let parts: Vec<String> = line.split('"').take(6).map(str::to_owned).collect();
            parts
        };
        for (a, b) in ours.iter().zip(&theirs) {
            assert_eq!(name(a), name(b));
        }
    }
}

#[test]
fn terrain_is_a_layer_of_tiles() {
    let Some(python) = folder("python") else {
        return;
    };
    let desk = Desk::new();
    let mut maps = Vec::new();
    for name in ["level.tmx", "level.tmj"] {
        let map = desk.0.join(name);
        let output = wayloom()
            .args(["export", "--quiet", "--force", "--terrain-tiles", "-o"])
            .arg(&map)
            .arg(sample("rooms"))
            .output()
            .expect("starts");
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{err}");
        maps.push(map);
    }
    assert!(desk.0.join("terrain_tiles.png").exists());
    let mut command = Command::new(python.join("venv/bin/python"));
    let text = run(command.arg(program("tiles.py")).args(&maps), "");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 2, "{text}");
    assert_eq!(lines[0], lines[1]);
    // Blocked, and at least two kinds of ground.
    assert!(lines[0].matches("), (").count() >= 2, "{text}");
}
