//! Files of triangles: sound for their validators, and of the size that they should have.

use crate::levels::{Desk, sample, saved, two_rooms};
use crate::readers::{folder, node, program, run};
use glam::DVec2;
use std::process::Command;

#[test]
fn the_validator_of_gltf_has_nothing_to_say() {
    let Some(npm) = folder("npm") else { return };
    let desk = Desk::new();
    let hostile = saved(&desk, &two_rooms(DVec2::ZERO), "hostile.ron");
    let mut levels: Vec<_> = ["rooms", "stairs", "mckenna", "forest"].map(sample).into();
    levels.push(hostile);
    for level in levels {
        let (file, _) = desk.export(&level, "glb", "level.glb");
        let text = run(node(&npm, "gltf.mjs").arg(&file), "");
        assert!(
            text.starts_with("VALID 0 0 "),
            "{}: {text}",
            level.display()
        );
    }
}

#[test]
fn python_loads_meshes_scenes_and_maps() {
    let Some(folder) = folder("python") else {
        return;
    };
    let desk = Desk::new();
    let hostile = saved(&desk, &two_rooms(DVec2::ZERO), "hostile.ron");
    for level in [sample("rooms"), hostile] {
        let mut command = Command::new(folder.join("venv/bin/python"));
        command.arg(program("load.py"));
        for (format, name) in [
            ("glb", "level.glb"),
            ("obj", "level.obj"),
            ("usd", "level.usda"),
            ("tmx", "level.tmx"),
            ("tmj", "level.tmj"),
        ] {
            let (file, _) = desk.export(&level, format, name);
            command.arg(file);
        }
        let text = run(&mut command, "");
        // Area of the navigation mesh in three formats, numbers of objects in two.
        let figures: Vec<&str> = text
            .lines()
            .filter_map(|line| line.strip_prefix("AREA "))
            .collect();
        assert_eq!(figures.len(), 3, "{text}");
        assert!(figures.iter().all(|figure| *figure == figures[0]), "{text}");
        let objects: Vec<&str> = text
            .lines()
            .filter_map(|line| line.strip_prefix("OBJECTS "))
            .collect();
        assert_eq!(objects.len(), 2, "{text}");
        assert_eq!(objects[0], objects[1]);
    }
}
