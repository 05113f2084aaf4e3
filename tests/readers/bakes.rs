//! The bake, read by the readers that come with it: C with sanitizers, C#, Unity, Python.

use crate::levels::{Desk, Query, level, queries, sample, saved, two_rooms};
use crate::paths::{as_drawn, compare, every_level};
use crate::readers::{folder, program, run};
use glam::DVec2;
use std::path::{Path, PathBuf};
use std::process::Command;
use wayloom::base::EntityId;
use wayloom::document::{
    Door, DoorState, Edit, Entity, Kind, Link, LinkAction, LinkDirection, Profile, ops,
};
use wayloom::geometry::{Polygon, Rect};

fn docs(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("docs/readers")
        .join(name)
}

/// The tables of the first profile.
fn cells(bake: &Path) -> PathBuf {
    let index = std::fs::read(bake.join("bake.json")).expect("an index");
    let index: serde_json::Value = serde_json::from_slice(&index).expect("JSON");
    let profiles = index["profiles"].as_array().expect("a list");
    let first = profiles
        .first()
        .map_or(0.3, |p| p["radius"].as_f64().expect("a radius"));
    let spaces = index["spaces"].as_array().expect("a list");
    let space = spaces
        .iter()
        .find(|space| space["radius"].as_f64() == Some(first));
    bake.join(space.expect("one")["file"].as_str().expect("a name"))
}

/// The reader in C with sanitizers; `None`, said in a line, without a compiler.
fn compiled_c(desk: &Desk) -> Option<PathBuf> {
    if Command::new("gcc").arg("--version").output().is_err() {
        eprintln!("skipped: there is no gcc");
        return None;
    }
    let reader = desk.0.join("reader");
    let mut compiler = Command::new("gcc");
    compiler
        .args(["-std=c99", "-O1", "-Wall", "-Wextra", "-Werror"])
        .arg("-fsanitize=address,undefined")
        .arg("-I")
        .arg(docs(""))
        .arg(program("bake.c"))
        .arg("-o")
        .arg(&reader)
        .arg("-lm");
    run(&mut compiler, "");
    Some(reader)
}

/// C#, with these sources.
fn compiled_csharp(desk: &Desk, mono: &Path, sources: &[PathBuf]) -> PathBuf {
    let reader = desk.0.join("Reader.exe");
    let mut compiler = Command::new(mono.join("mcs"));
    compiler
        .args(["-langversion:7.2", "-warnaserror"])
        .arg(format!("-out:{}", reader.display()))
        .args(sources);
    run(&mut compiler, "");
    reader
}

#[test]
fn the_reader_in_c_walks_where_one_can_and_survives_damaged_files() {
    let desk = Desk::new();
    let Some(reader) = compiled_c(&desk) else {
        return;
    };
    every_level(&desk, 4, |level, queries| {
        let (bake, _) = desk.export(level, "bake", "bake");
        let mut command = Command::new(&reader);
        command
            .arg(cells(&bake))
            .arg(bake.join("corridors.wlb"))
            .arg(bake.join("terrain.wlb"));
        let text = run(&mut command, &as_drawn(queries));
        assert!(!text.contains("CONTRADICTS"), "{text}");
        compare("C", level, queries, &text);
        let text = run(command.arg("500"), "");
        assert!(text.starts_with("SURVIVED 500"), "{text}");
        std::fs::remove_dir_all(&bake).expect("ours");
    });
}

#[test]
fn the_reader_in_csharp_walks_where_one_can() {
    let Some(mono) = folder("mono") else {
        return;
    };
    let desk = Desk::new();
    let sources = [docs("unity/Runtime/WayloomBake.cs"), program("Bake.cs")];
    let reader = compiled_csharp(&desk, &mono, &sources);
    let ask = |level: &Path, queries: &[Query]| {
        let (bake, _) = desk.export(level, "bake", "bake");
        let mut command = Command::new(mono.join("mono"));
        command
            .arg(&reader)
            .arg(cells(&bake))
            .arg(bake.join("corridors.wlb"))
            .arg(bake.join("terrain.wlb"));
        let text = run(&mut command, &as_drawn(queries));
        assert!(!text.contains("CONTRADICTS"), "{text}");
        compare("C#", level, queries, &text);
        std::fs::remove_dir_all(&bake).expect("ours");
    };
    every_level(&desk, 2, ask);
    let city = sample("city");
    ask(&city, &queries(&desk, &city));
}

#[test]
fn unity_imports_tables_and_answers_with_them() {
    let Some(mono) = folder("mono") else {
        return;
    };
    let desk = Desk::new();
    let sources = [
        docs("unity/Runtime/WayloomBake.cs"),
        docs("unity/Runtime/WayloomBakeAsset.cs"),
        docs("unity/Editor/WayloomBakeImporter.cs"),
        program("Unity.cs"),
    ];
    let reader = compiled_csharp(&desk, &mono, &sources);
    let rooms = saved(&desk, &two_rooms(DVec2::ZERO), "rooms.ron");
    for level in [rooms, sample("city")] {
        let (bake, _) = desk.export(&level, "bake", "bake");
        let queries = queries(&desk, &level);
        let mut command = Command::new(mono.join("mono"));
        command.arg(&reader).arg(cells(&bake));
        let text = run(&mut command, &as_drawn(&queries));
        assert!(text.starts_with("LOADED"), "{text:.200}");
        compare("Unity", &level, &queries, &text);
    }
}

/// Three rooms that only links connect, one of them with a door that stands open and one that is shut;
/// a link for another profile, a dear short cut, and a link beside an open door.
pub fn linked_rooms(desk: &Desk, corner: DVec2) -> PathBuf {
    let rect = |x0: f64, y0: f64, x1: f64, y1: f64| {
        Polygon::rect(Rect::new(DVec2::new(x0, y0), DVec2::new(x1, y1)))
    };
    let walls = [
        ("west", rect(10.0, -1.0, 10.4, 13.0)),
        ("east, below", rect(20.0, -1.0, 20.4, 5.0)),
        ("east, above", rect(20.0, 6.6, 20.4, 13.0)),
        ("shut", rect(30.0, -1.0, 30.4, 2.0)),
        ("shut, above", rect(30.0, 3.6, 30.4, 13.0)),
        ("island", rect(13.0, 3.0, 17.0, 9.0)),
    ];
    let rooms = level(corner, DVec2::new(40.0, 12.0), &walls);
    let link = |from: [f64; 2], to: [f64; 2]| {
        let [from, to] = [from, to].map(|p| (corner + DVec2::from(p)).extend(0.0));
        Link::new(LinkAction::Jump, from, to)
    };
    let others = Entity::new("Somebody else", Kind::Profile(Profile::default()));
    let door = |jambs: [[f64; 2]; 2], state| {
        let jambs = jambs.map(|p| corner + DVec2::from(p));
        Kind::Door(Door {
            state,
            ..Door::new(jambs[0], jambs[1])
        })
    };
    let links = [
        Link {
            direction: LinkDirection::OneWay,
            ..link([9.0, 2.0], [11.4, 2.0])
        },
        Link {
            cost: Some(25.0),
            direction: LinkDirection::BothWays,
            ..link([9.0, 11.0], [11.4, 11.0])
        },
        Link {
            profiles: [EntityId::new(60)].into(),
            ..link([9.0, 6.0], [21.4, 6.0])
        },
        Link {
            cost: Some(0.5),
            direction: LinkDirection::BothWays,
            ..link([11.5, 6.0], [19.0, 10.0])
        },
        Link {
            direction: LinkDirection::OneWay,
            ..link([29.0, 10.0], [31.4, 10.0])
        },
    ];
    let mut edits = vec![
        Edit::create(EntityId::new(60), others),
        Edit::create(
            EntityId::new(61),
            Entity::new("Open", door([[20.2, 5.0], [20.2, 6.6]], DoorState::Open)),
        ),
        Edit::create(
            EntityId::new(62),
            Entity::new("Shut", door([[30.2, 2.0], [30.2, 3.6]], DoorState::Shut)),
        ),
    ];
    for (id, link) in (70..).zip(links) {
        let entity = Entity::new(format!("Link {id}"), Kind::Link(link));
        edits.push(Edit::create(EntityId::new(id), entity));
    }
    let rooms = ops::apply(&rooms, &edits).expect("sound");
    saved(desk, &rooms, "linked.ron")
}

/// Readers search portals, not points: their paths may be a little longer than the best.
const BY_PORTALS: f64 = 1.12;

/// `longer` is the largest multiple of the least cost that an answer may have.
pub fn compare_costs(reader: &str, queries: &[Query], longer: f64, text: &str) {
    assert!(!text.contains("CONTRADICTS"), "{reader}: {text}");
    let answers: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("PATH "))
        .collect();
    assert_eq!(answers.len(), queries.len(), "{reader}: {text}");
    let mut sum = 0.0;
    for (query, answer) in queries.iter().zip(answers) {
        let mut words = answer.split(' ');
        let found = words.next() == Some("1");
        assert_eq!(
            found,
            query.cost.is_some(),
            "{reader}: {} → {}: {answer} {:?}",
            query.from,
            query.to,
            query.cost
        );
        if let Some(best) = query.cost {
            let cost: f64 = words.next().and_then(|w| w.parse().ok()).expect("a cost");
            assert!(
                cost >= best * 0.999 - 0.01 && cost <= best * longer + 0.3,
                "{reader}: {} → {}: {cost}, best {best}",
                query.from,
                query.to
            );
            sum += cost / best;
        }
    }
    let found = queries.iter().filter(|query| query.cost.is_some()).count();
    assert!(
        found > 20 && found < queries.len(),
        "{found} can be reached"
    );
    eprintln!(
        "{reader}, links: {found} of {} reached, on average {:.4} of the least cost",
        queries.len(),
        sum / found as f64
    );
}

#[test]
fn the_readers_go_through_links_and_doors_as_planners_do() {
    let desk = Desk::new();
    let level = linked_rooms(&desk, DVec2::ZERO);
    let (bake, _) = desk.export(&level, "bake", "bake");
    let queries = queries(&desk, &level);
    let lines = as_drawn(&queries);
    let tables = [cells(&bake), bake.join("things.wlb")];
    if let Some(reader) = compiled_c(&desk) {
        let mut command = Command::new(reader);
        command.arg("--links").args(&tables).arg("1");
        compare_costs("C", &queries, BY_PORTALS, &run(&mut command, &lines));
    }
    if let Some(mono) = folder("mono") {
        let sources = [docs("unity/Runtime/WayloomBake.cs"), program("Bake.cs")];
        let reader = compiled_csharp(&desk, &mono, &sources);
        let mut command = Command::new(mono.join("mono"));
        command.arg(reader).arg("--links").args(&tables).arg("1");
        compare_costs("C#", &queries, BY_PORTALS, &run(&mut command, &lines));
    }
    // A process for each query.
    let mut text = String::new();
    for Query { from, to, .. } in queries.iter() {
        let numbers = [from.x, from.y, to.x, to.y].map(|number| number.to_string());
        let output = Command::new("python3")
            .arg(docs("wayloom_bake.py"))
            .arg(&bake)
            .arg("--links")
            .args(numbers)
            .arg("Walker \"π\"")
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .output()
            .expect("starts");
        let out = String::from_utf8_lossy(&output.stdout).into_owned();
        let cost = out.lines().next().filter(|_| output.status.success());
        text += &match cost {
            Some(cost) => format!("PATH 1 {cost}\n"),
            None => "PATH 0 0\n".to_owned(),
        };
    }
    compare_costs("Python", &queries, BY_PORTALS, &text);
}
