//! Links, as engines use them: there and, if they lead both ways, back.

use crate::levels::{Desk, level, saved};
use crate::paths::{SCENES, by_scene};
use crate::readers::{folder, godot, run};
use glam::{DVec2, DVec3};
use std::path::PathBuf;
use std::process::Command;
use wayloom::base::EntityId;
use wayloom::document::{Edit, Entity, Kind, Link, LinkAction, LinkDirection, ops};
use wayloom::geometry::{Polygon, Rect};

/// Three rooms without doors. From the first a one-way link leads to the second, from there one in
/// both directions to the third.
fn three_rooms(desk: &Desk) -> PathBuf {
    let wall = |x: f64| {
        let corners = [DVec2::new(x, -1.0), DVec2::new(x + 0.4, 6.0)];
        ("wall", Polygon::rect(Rect::new(corners[0], corners[1])))
    };
    let rooms = level(
        DVec2::ZERO,
        DVec2::new(30.0, 5.0),
        &[wall(10.0), wall(20.0)],
    );
    let link = |x: f64, direction| {
        let ends = [x - 1.0, x + 1.4].map(|x| DVec3::new(x, 2.0, 0.0));
        let link = Link {
            direction,
            animation: "jump \"high\"".to_owned(),
            ..Link::new(LinkAction::Jump, ends[0], ends[1])
        };
        Kind::Link(link)
    };
    let edits = [
        Edit::create(
            EntityId::new(50),
            Entity::new("Jump \"π\"", link(10.0, LinkDirection::OneWay)),
        ),
        Edit::create(
            EntityId::new(51),
            Entity::new("Jump \"π\"", link(20.0, LinkDirection::BothWays)),
        ),
    ];
    let rooms = ops::apply(&rooms, &edits).expect("sound");
    saved(desk, &rooms, "links.ron")
}

/// Queries along y = 2, and whether the goal is reached.
const QUERIES: [([f64; 2], bool); 6] = [
    ([2.0, 15.0], true),
    ([15.0, 2.0], false),
    ([15.0, 28.0], true),
    ([28.0, 15.0], true),
    ([2.0, 28.0], true),
    ([28.0, 2.0], false),
];

fn compare(reader: &str, text: &str) {
    let answers: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("PATH "))
        .collect();
    assert_eq!(answers.len(), QUERIES.len(), "{reader}: {text}");
    for (([from, to], reached), answer) in QUERIES.iter().zip(answers) {
        let mut words = answer.split(' ');
        let is_reached = words.next() == Some("1");
        assert_eq!(is_reached, *reached, "{reader}: {from} → {to}: {answer}");
        if is_reached {
            let length: f64 = words.next().and_then(|w| w.parse().ok()).expect("a length");
            let exact = (to - from).abs();
            assert!((length - exact).abs() < 0.2, "{reader}: {length} {exact}");
        }
    }
}

#[test]
fn detour_jumps_where_a_link_leads() {
    let Some(folder) = folder("detour") else {
        return;
    };
    let desk = Desk::new();
    let level = three_rooms(&desk);
    let (file, told) = desk.export(&level, "detour", "level.bin");
    assert_eq!(told["links"], 2);
    let lines: String = QUERIES
        .iter()
        .map(|([from, to], _)| format!("{from} -2 {to} -2\n"))
        .collect();
    let text = run(Command::new(folder.join("detour")).arg(&file), &lines);
    compare("Detour", &text);
}

#[test]
fn godot_jumps_where_a_link_leads() {
    let Some(folder) = folder("godot") else {
        return;
    };
    let desk = Desk::new();
    let level = three_rooms(&desk);
    let (project, _) = desk.export(&level, "godot", "project");
    let lines: String = QUERIES
        .iter()
        .map(|([from, to], _)| format!("{from} 2 {to} 2\n"))
        .collect();
    let file = desk.0.join("queries.txt");
    std::fs::write(&file, lines).expect("writable");
    let mut command = godot(&folder, &desk.0, &project, "godot.gd");
    command
        .arg(&file)
        .args(SCENES.map(|scene| format!("res://{scene}")));
    let text = run(&mut command, "");
    for (scene, text) in SCENES.into_iter().zip(by_scene(&text)) {
        compare(scene, text);
    }
}

#[test]
fn links_are_in_tables_scenes_and_the_bake() {
    let desk = Desk::new();
    let level = three_rooms(&desk);
    let read = |path: PathBuf| -> serde_json::Value {
        serde_json::from_slice(&std::fs::read(path).expect("written")).expect("JSON")
    };
    let (tables, _) = desk.export(&level, "tables", "tables");
    let rows = read(tables.join("link.json"));
    assert_eq!(rows.as_array().map(Vec::len), Some(2), "{rows}");
    assert_eq!(rows[0]["Bidirectional"], false);
    let (bake, _) = desk.export(&level, "bake", "bake");
    let index = read(bake.join("bake.json"));
    assert_eq!(index["version"], 2);
    assert_eq!(index["things"]["links"][1]["bidirectional"], true);
    assert_eq!(index["things"]["links"][0]["animation"], "jump \"high\"");
    let (glb, _) = desk.export(&level, "glb", "level.glb");
    let bytes = std::fs::read(glb).expect("written");
    let text = String::from_utf8_lossy(&bytes);
    assert!(text.contains("\"action\":\"jump\""));
}
