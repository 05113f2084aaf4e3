//! Figures of ours beside those of PedPy, the tool of the field: counts at a line must be equal,
//! densities to a millionth.
//!
//! Needs Python with `pedpy` (`WAYLOOM_PYTHON` names the interpreter, otherwise `python3`); films of
//! real people are read where `WAYLOOM_PEOPLE` names their folder. What is missing is skipped, with
//! a line that says so.

use glam::DVec2;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use wayloom::base::Random;
use wayloom::exchange::people::{self, PeopleOptions};
use wayloom::geometry::{Polygon, Rect};
use wayloom::sim::measures::{
    CutOff, Frames, Position, Walkable, cells_of, classic_density, crossings, voronoi_density,
};

const EVERY: usize = 40;

fn python() -> Option<PathBuf> {
    let name = std::env::var_os("WAYLOOM_PYTHON").unwrap_or_else(|| "python3".into());
    let has_pedpy = Command::new(&name).args(["-c", "import pedpy"]).output();
    match has_pedpy {
        Ok(output) if output.status.success() => Some(PathBuf::from(name)),
        _ => {
            eprintln!("skipped: {} cannot import pedpy", name.to_string_lossy());
            None
        }
    }
}

struct Film {
    path: PathBuf,
    options: PeopleOptions,
    walkable: Vec<[f64; 2]>,
    line: [[f64; 2]; 2],
    area: [[f64; 2]; 4],
}

fn ring(points: &[[f64; 2]]) -> Vec<DVec2> {
    points.iter().map(|p| DVec2::from(*p)).collect()
}

fn compare(python: &Path, film: &Film) {
    let name = film.path.display();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pedpy/compare.py");
    let output = Command::new(python)
        .arg(script)
        .arg(&film.path)
        .arg(film.options.rate.expect("given").to_string())
        .arg(film.options.scale.expect("given").to_string())
        .arg(json!(film.walkable).to_string())
        .arg(json!(film.line).to_string())
        .arg(json!(film.area).to_string())
        .arg(EVERY.to_string())
        .output()
        .expect("Python runs");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name}: {told}");
    let theirs: Value = serde_json::from_slice(&output.stdout).expect("JSON");

    let bytes = std::fs::read(&film.path).expect("readable");
    let frames = people::read(&bytes, &film.options).expect("readable");
    let line = film.line.map(DVec2::from);
    let mut ours: Vec<u64> = crossings(&frames, line)
        .iter()
        .map(|c| c.frame as u64)
        .collect();
    let list = theirs["crossings"].as_array().expect("a list");
    let mut expected: Vec<u64> = list.iter().filter_map(|c| c[0].as_u64()).collect();
    ours.sort_unstable();
    expected.sort_unstable();
    assert_eq!(ours, expected, "{name}: crossings");

    let walkable = Walkable::new(&[Polygon::new(ring(&film.walkable))]);
    let area = Polygon::new(ring(&film.area));
    let mut compared = 0;
    for (number, frame) in frames.frames.iter().enumerate().step_by(EVERY) {
        let key = number.to_string();
        let Some(density) = theirs["voronoi"][&key].as_f64() else {
            continue;
        };
        let cells = cells_of(frame, &walkable, Some(CutOff::default()), None);
        let voronoi = voronoi_density(&cells, &area.outer);
        assert!(
            (voronoi - density).abs() < 1e-6,
            "{name}, {number}: {voronoi}, {density}"
        );
        let classic = classic_density(frame, &area);
        let expected = theirs["classic"][&key].as_f64().unwrap_or(0.0);
        assert!(
            (classic - expected).abs() < 1e-9,
            "{name}, {number}: {classic}, {expected}"
        );
        compared += 1;
    }
    assert!(compared > 5, "{name}: {compared} frames");
    eprintln!("{name}: {} crossings, {compared} frames agree", ours.len());
}

/// The corridor of the experiments with wider areas before and behind it.
const CORRIDOR: [[f64; 2]; 12] = [
    [-1.0, -9.0],
    [2.8, -9.0],
    [2.8, -4.0],
    [1.8, -4.0],
    [1.8, 4.0],
    [2.8, 4.0],
    [2.8, 9.0],
    [-1.0, 9.0],
    [-1.0, 4.0],
    [0.0, 4.0],
    [0.0, -4.0],
    [-1.0, -4.0],
];

/// People who wander about in the corridor.
fn wanderers(path: &Path) {
    let mut random = Random::new(11);
    let mut people: Vec<DVec2> = (0..30)
        .map(|_| random.point(DVec2::new(0.1, -3.9), DVec2::new(1.7, 3.9)))
        .collect();
    let scope = Rect::new(DVec2::new(0.05, -3.95), DVec2::new(1.75, 3.95));
    let mut frames = Frames {
        interval: 1.0 / 16.0,
        first: 100,
        frames: Vec::new(),
    };
    for _ in 0..600 {
        frames.frames.push(
            people
                .iter()
                .zip(0..)
                .map(|(at, id)| Position { id, at: *at })
                .collect(),
        );
        for at in &mut people {
            let step = random.point(DVec2::splat(-0.08), DVec2::splat(0.08));
            *at = scope.clamp(*at + step + DVec2::new(0.0, -0.02));
        }
    }
    std::fs::write(path, people::write(&frames)).expect("written");
}

#[test]
fn counts_and_densities_are_those_of_pedpy() {
    let Some(python) = python() else { return };
    let folder = std::env::temp_dir().join(format!("wayloom-pedpy-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let made_up = folder.join("wanderers.txt");
    wanderers(&made_up);
    let film = |path: PathBuf, scale: f64| Film {
        path,
        options: PeopleOptions {
            rate: Some(16.0),
            scale: Some(scale),
        },
        walkable: CORRIDOR.to_vec(),
        line: [[0.0, 0.0], [1.8, 0.0]],
        area: [[0.0, -2.0], [1.8, -2.0], [1.8, 0.0], [0.0, 0.0]],
    };
    compare(&python, &film(made_up, 1.0));
    let _ = std::fs::remove_dir_all(&folder);
    let Some(data) = std::env::var_os("WAYLOOM_PEOPLE").map(PathBuf::from) else {
        eprintln!("skipped: WAYLOOM_PEOPLE names no folder with films of real people");
        return;
    };
    for name in [
        "uo-050-180-180",
        "uo-100-180-180",
        "uo-145-180-180",
        "uo-180-180-070",
        "uo-180-180-120",
    ] {
        let path = data.join(format!("{name}.txt"));
        if path.exists() {
            compare(&python, &film(path, 0.01));
        } else {
            eprintln!("skipped: there is no {name}.txt");
        }
    }
}
