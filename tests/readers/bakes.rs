//! The bake, read by the readers that come with it: C with sanitizers, C#.

use crate::levels::{Desk, Query, queries, sample};
use crate::paths::{as_drawn, compare, every_level};
use crate::readers::{folder, program, run};
use std::path::{Path, PathBuf};
use std::process::Command;

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

#[test]
fn the_reader_in_c_walks_where_one_can_and_survives_damaged_files() {
    if Command::new("gcc").arg("--version").output().is_err() {
        eprintln!("skipped: there is no gcc");
        return;
    }
    let desk = Desk::new();
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
    let reader = desk.0.join("Bake.exe");
    let mut compiler = Command::new(mono.join("mcs"));
    compiler
        .arg("-langversion:7.2")
        .arg(format!("-out:{}", reader.display()))
        .arg(docs("unity/Runtime/WayloomBake.cs"))
        .arg(program("Bake.cs"));
    run(&mut compiler, "");
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
