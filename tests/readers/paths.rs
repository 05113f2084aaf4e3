//! What engines answer: they reach what can be reached and nothing else, and never by a shorter path
//! than there is.

use crate::levels::{
    Desk, Query, cases, first_case, planned, queries, random, samples, saved, two_rooms,
};
use crate::readers::{folder, godot, node, run};
use glam::DVec2;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::Command;
use wayloom::document::format;

/// Coordinates of 32 bits, vertices on a lattice of a millimetre. Unit: metres.
const SLACK: f64 = 0.01;

/// Godot moves both ends onto the mesh in 32-bit numbers. Unit: metres.
const GODOT_SLACK: f64 = 0.1;

/// How much shorter than the exact path an answer may be, for rounding.
const SHARE: f64 = 0.001;

/// What a reader prints for a query.
#[derive(Debug)]
struct Answer {
    reached: bool,
    length: f64,
}

fn answers(text: &str) -> Vec<Answer> {
    text.lines()
        .filter_map(|line| line.strip_prefix("PATH "))
        .map(|line| {
            let mut words = line.split(' ');
            Answer {
                reached: words.next() == Some("1"),
                length: words.next().and_then(|w| w.parse().ok()).expect("a length"),
            }
        })
        .collect()
}

pub fn compare(reader: &str, level: &Path, queries: &[Query], text: &str) {
    let answers = answers(text);
    let name = level.file_name().unwrap_or_default().display();
    assert_eq!(
        answers.len(),
        queries.len(),
        "{reader}, {name}: {text:.300}"
    );
    let (mut sum, mut count) = (0.0, 0);
    for (query, answer) in queries.iter().zip(&answers) {
        let Query {
            from, to, exact, ..
        } = query;
        assert_eq!(
            answer.reached,
            exact.is_some(),
            "{reader}, {name}: {from} → {to}: {exact:?}, {answer:?}"
        );
        if let Some(exact) = exact {
            let slack = if reader.starts_with("Godot") {
                GODOT_SLACK
            } else {
                SLACK
            };
            let least = exact * (1.0 - SHARE) - slack;
            assert!(
                answer.length >= least,
                "{reader}, {name}: {from} → {to} leaks: {exact} {answer:?}"
            );
            sum += answer.length.max(*exact) / exact.max(SLACK);
            count += 1;
        }
    }
    eprintln!(
        "{reader}, {name}: {count} of {} reached, on average {:.4} of the exact length",
        queries.len(),
        sum / f64::from(count.max(1))
    );
}

/// Levels that every reader is asked about: some drawn, some random, some far away.
pub fn every_level(desk: &Desk, random_levels: u64, ask: impl Fn(&Path, &[Query])) {
    let mut levels = samples();
    for (name, corner) in [
        ("rooms near.ron", DVec2::ZERO),
        ("rooms far.ron", DVec2::new(-900_000.0, 750_000.0)),
    ] {
        levels.push(saved(desk, &two_rooms(corner), name));
    }
    for seed in first_case()..cases(random_levels) {
        levels.push(saved(desk, &random(seed), &format!("random {seed}.ron")));
    }
    // A long run is not over with the first level that fails.
    let mut wrong = 0;
    let count = levels.len();
    for level in levels {
        let queries = queries(desk, &level);
        let asked = catch_unwind(AssertUnwindSafe(|| ask(&level, &queries)));
        wrong += usize::from(asked.is_err());
    }
    assert_eq!(wrong, 0, "of {count} levels");
}

/// Queries in the level's own coordinates, a line each.
pub fn as_drawn(queries: &[Query]) -> String {
    let mut text = String::new();
    for Query { from, to, .. } in queries {
        text += &format!("{} {} {} {}\n", from.x, from.y, to.x, to.y);
    }
    text
}

/// Queries as a reader in y-up coordinates takes them.
fn y_up(queries: &[Query], told: &serde_json::Value) -> String {
    let origin = |i: usize| told["origin"][i].as_f64().unwrap_or(0.0);
    let origin = DVec2::new(origin(0), origin(1));
    let mut text = String::new();
    for Query { from, to, .. } in queries {
        let (from, to) = (*from - origin, *to - origin);
        text += &format!("{} {} {} {}\n", from.x, -from.y, to.x, -to.y);
    }
    text
}

#[test]
fn our_own_planner_walks_where_one_can() {
    let desk = Desk::new();
    every_level(&desk, 4, |path, queries| {
        let text = std::fs::read_to_string(path).expect("a level");
        let level = format::read(&text).expect("a level").level;
        let pairs: Vec<[DVec2; 2]> = queries.iter().map(|q| [q.from, q.to]).collect();
        let mut text = String::new();
        for answer in planned(&desk, path, &level, "portal", &pairs) {
            let is_found = answer["found"] == true;
            let length = answer["length"].as_f64().unwrap_or(0.0);
            text += &format!("PATH {} {length}\n", i32::from(is_found));
        }
        compare("Wayloom, portals", path, queries, &text);
    });
}

#[test]
fn detour_walks_where_one_can() {
    let Some(folder) = folder("detour") else {
        return;
    };
    let desk = Desk::new();
    every_level(&desk, 12, |level, queries| {
        let (file, told) = desk.export(level, "detour", "level.bin");
        let mut command = Command::new(folder.join("detour"));
        let text = run(command.arg(&file), &y_up(queries, &told));
        assert!(text.starts_with("LOADED"), "{text:.200}");
        compare("Detour", level, queries, &text);
    });
}

#[test]
fn detour_pays_for_areas() {
    let Some(folder) = folder("detour") else {
        return;
    };
    let desk = Desk::new();
    let level = crate::levels::sample("rooms");
    let (file, told) = desk.export(&level, "detour", "level.bin");
    let costs: Vec<String> = told["terrains"]
        .as_array()
        .expect("areas")
        .iter()
        .map(|terrain| format!("{}={}", terrain["area"], terrain["cost"]))
        .collect();
    assert!(costs.len() > 1);
    let queries = queries(&desk, &level);
    let mut command = Command::new(folder.join("detour"));
    let text = run(command.arg(&file).args(costs), &y_up(&queries, &told));
    compare("Detour with costs", &level, &queries, &text);
}

#[test]
fn recast_navigation_walks_where_one_can() {
    let Some(npm) = folder("npm") else { return };
    let desk = Desk::new();
    every_level(&desk, 2, |level, queries| {
        let (file, told) = desk.export(level, "detour", "level.bin");
        let mut command = node(&npm, "recast.mjs");
        let text = run(command.arg(&file), &y_up(queries, &told));
        compare("recast-navigation", level, queries, &text);
    });
}

#[test]
fn three_pathfinding_walks_where_one_can() {
    let Some(npm) = folder("npm") else { return };
    let desk = Desk::new();
    every_level(&desk, 4, |level, queries| {
        let (file, told) = desk.export(level, "glb", "level.glb");
        let mut command = node(&npm, "three.mjs");
        let text = run(command.arg(&file), &y_up(queries, &told));
        compare("three-pathfinding", level, queries, &text);
    });
}

/// Of an exported project.
pub const SCENES: [&str; 2] = ["level_2d.tscn", "level_3d.tscn"];

/// What Godot printed about each of them.
pub fn by_scene(text: &str) -> [&str; 2] {
    let parts: Vec<&str> = text.split("LOADED ").skip(1).collect();
    assert!(
        parts.len() == 2
            && parts
                .iter()
                .zip(SCENES)
                .all(|(part, scene)| part.contains(scene)),
        "{text:.300}"
    );
    [parts[0], parts[1]]
}

#[test]
fn godot_walks_where_one_can() {
    let Some(folder) = folder("godot") else {
        return;
    };
    let desk = Desk::new();
    every_level(&desk, 2, |level, queries| {
        let (project, _) = desk.export(level, "godot", "project");
        let lines = as_drawn(queries);
        let file = desk.0.join("queries.txt");
        std::fs::write(&file, lines).expect("writable");
        let mut command = godot(&folder, &desk.0, &project, "godot.gd");
        command
            .arg(&file)
            .args(SCENES.map(|scene| format!("res://{scene}")));
        let text = run(&mut command, "");
        for (scene, text) in SCENES.into_iter().zip(by_scene(&text)) {
            compare(&format!("Godot, {scene}"), level, queries, text);
        }
        std::fs::remove_dir_all(&project).expect("ours");
    });
}

#[cfg(feature = "lab")]
#[test]
fn polyanya_finds_the_exact_path() {
    let desk = Desk::new();
    every_level(&desk, 24, |level, queries| {
        let (file, told) = desk.export(level, "polyanya", "level.mesh");
        let path = file.to_str().expect("a plain name");
        let file = polyanya::PolyanyaFile::from_file(path);
        let mesh: polyanya::Mesh = file.try_into().expect("loads");
        let origin = |i: usize| told["origin"][i].as_f64().unwrap_or(0.0);
        let origin = DVec2::new(origin(0), origin(1));
        let mut text = String::new();
        for Query {
            from, to, exact, ..
        } in queries
        {
            let at = |p: DVec2| {
                let p = p - origin;
                glam::Vec2::new(p.x as f32, p.y as f32)
            };
            let found = mesh.path(at(*from), at(*to));
            let length = found.as_ref().map_or(0.0, |path| f64::from(path.length));
            if let Some(exact) = exact {
                let longest = exact * (1.0 + SHARE) + SLACK;
                assert!(length <= longest, "{from} → {to}: {length} {exact}");
            }
            text += &format!("PATH {} {length}\n", i32::from(found.is_some()));
        }
        compare("polyanya", level, queries, &text);
    });
}
