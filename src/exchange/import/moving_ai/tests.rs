//! Cells, scenarios, and mistakes with their place.

use super::super::tests::{read as read_text, read_with, refusal, source};
use super::super::{ImportRequest, import_unguarded};
use super::*;
use crate::exchange::{ExportInput, MemorySink, export, registry};
use std::sync::Arc;

const MAP: &str = "type octile\nheight 4\nwidth 6\nmap\n@@@@@@\n@.SSW@\n@GT.W@\n@@@@@@\n";

#[test]
fn cells_become_walls_trees_water_and_swamp() {
    let imported = read_text("small.map", MAP).expect("sound");
    let level = &imported.level;
    assert_eq!(level.settings().name, "small");
    assert_eq!(level.settings().bounds.max, DVec2::new(6.0, 4.0));
    let names: Vec<String> = level.obstacles().map(|(id, e, _)| e.label(id)).collect();
    assert_eq!(names, ["Wall 1", "Trees 1", "Water 1"]);
    let areas: Vec<f64> = level.obstacles().map(|(_, _, o)| o.area.area()).collect();
    assert_eq!(areas, [16.0, 1.0, 2.0]);
    let regions: Vec<(String, Rect)> = level
        .regions()
        .map(|(_, _, r)| (level.label(r.terrain), r.area.bounds()))
        .collect();
    // The swamp is in the file's second row, so in the level's third from below.
    let swamp = Rect::new(DVec2::new(2.0, 2.0), DVec2::new(4.0, 3.0));
    assert_eq!(regions[0], ("Swamp".to_owned(), swamp));
    assert_eq!(regions[1].0, "Water");
}

#[test]
fn the_cell_size_and_the_water_are_a_matter_of_choice() {
    let options = ImportRequest::with(GridMapOptions {
        cell: 0.5,
        water: Water::Terrain,
        ..GridMapOptions::default()
    });
    let imported = read_with("small.map", MAP, &options).expect("sound");
    assert_eq!(imported.level.settings().bounds.max, DVec2::new(3.0, 2.0));
    assert_eq!(imported.level.obstacles().count(), 2);
    let profile = imported.level.profiles().next().expect("exists").2;
    assert_eq!(profile.body.radius, 0.2);
}

#[test]
fn a_map_written_again_is_the_same() {
    let imported = read_text("small.map", MAP).expect("sound");
    let format = registry::named("movingai").expect("a row");
    let options = format.export_options().expect("is written");
    let input = ExportInput::new(Arc::new(imported.level));
    let mut sink = MemorySink::default();
    export(format, &input, &options, &mut sink, &JobContext::default()).expect("fits");
    let text = String::from_utf8(sink.main).expect("is text");
    assert_eq!(text, MAP.replace('G', "."));
}

#[test]
fn a_scenario_becomes_agents() {
    let scenario = "version 1\n\
        0\tsmall.map\t6\t4\t1\t1\t3\t2\t2.41421356\n\
        0\tsome folder/small.map\t6\t4\t1\t2\t1\t1\t1\n\
        0\tsmall.map\t6\t4\t0\t0\t1\t1\t1\n\
        3\tsmall.map\t9\t9\t1\t1\t1\t2\t1\n";
    let sources = [source("small.map", MAP), source("small.map.scen", scenario)];
    let context = JobContext::default();
    let imported = import_unguarded(&sources, &ImportRequest::default(), &context);
    let imported = imported.expect("sound");
    let agents: Vec<&Agent> = imported.level.agents().map(|(_, _, a)| a).collect();
    assert_eq!(agents.len(), 2);
    assert_eq!(agents[0].start.truncate(), DVec2::new(1.5, 2.5));
    let goal = DVec2::new(3.5, 1.5).extend(0.0);
    assert_eq!(agents[0].mission.goals, [Goal::At(goal)]);
    assert!(imported.warnings[0].starts_with("2 of 4 queries"));

    let bad = [
        source("small.map", MAP),
        source("x.scen", "version 1\n\n1 2 3\n"),
    ];
    let refused = import_unguarded(&bad, &ImportRequest::default(), &context);
    let refused = refused.expect_err("no query").to_string();
    assert!(
        refused.starts_with("x.scen:3:1: this is not a query"),
        "{refused}"
    );
}

#[test]
fn mistakes_are_named_with_their_place() {
    let map = |rows: &str| format!("type octile\nheight 2\nwidth 3\nmap\n{rows}");
    for (text, sentence) in [
        (
            map("...\n.x.\n"),
            "a.map:6:2: `x` is no kind of cell; there are . G S W T @ O",
        ),
        (
            map("...\n..\n"),
            "a.map:6:3: this row has 2 cells; the header announces 3",
        ),
        (
            map("...\n....\n"),
            "a.map:6:4: this row has 4 cells; the header announces 3",
        ),
        (map("...\n"), "a.map:5:1: the map ends after 1 of 2 rows"),
        (
            map("...\n...\n...\n"),
            "a.map:7:1: there are more than the 2 rows announced",
        ),
        (map("...\n...\n\n"), ""),
        (
            "height 2\nmap\n".to_owned(),
            "a.map:2:1: the header does not tell the width",
        ),
        (
            "height -2\nwidth 1\nmap\n".to_owned(),
            "a.map:1:8: the height must be a number from 1 to 4194304",
        ),
        (
            "height 4194304\nwidth 4194304\nmap\n".to_owned(),
            "a.map:3:1: 4194304 × 4194304 cells are too many; at most 4194304 are read",
        ),
        (
            "height 4194304\nwidth 1\nmap\n".to_owned(),
            "a.map:3:1: the map ends after 0 of 4194304 rows",
        ),
        (
            "PNG\n".to_owned(),
            "a.map:1:1: this is not a Moving AI map: its header is `type octile`, `height …`, `width …`, `map`",
        ),
        (
            String::new(),
            "a.map:1:1: the header does not tell the height",
        ),
    ] {
        let found = read_text("a.map", text)
            .err()
            .map_or_else(String::new, |e| e.to_string());
        assert_eq!(found, sentence);
    }
    assert!(refusal("a.map", "height 1\nwidth 1\nmap\né\n").contains("`é`"));
}

#[test]
fn a_chequered_map_is_refused_before_memory_is_taken() {
    let row = |shift: usize| -> String {
        (0..2048)
            .map(|i| {
                if (i + shift).is_multiple_of(2) {
                    '.'
                } else {
                    '@'
                }
            })
            .collect()
    };
    let mut text = "type octile\nheight 2048\nwidth 2048\nmap\n".to_owned();
    for i in 0..2048 {
        text += &row(i);
        text.push('\n');
    }
    assert!(refusal("a.map", text).contains("2097152 separate areas"));
}
