//! The add-on of an exported Godot project: it plays the recording and finds corridors.

use crate::bakes::{compare_costs, linked_rooms};
use crate::levels::{Desk, queries, sample, wayloom};
use crate::paths::as_drawn;
use crate::readers::{folder, godot, run};
use crate::recordings::recorded;
use glam::DVec2;

#[test]
fn godot_plays_the_recording_and_finds_corridors() {
    let Some(folder) = folder("godot") else {
        return;
    };
    let desk = Desk::new();
    let (run_file, motion) = recorded(&desk);
    let project = desk.0.join("project");
    let output = wayloom()
        .args(["export", "--quiet", "--format", "godot", "--recording"])
        .arg(&run_file)
        .arg("-o")
        .arg(&project)
        .arg(sample("bottleneck"))
        .output()
        .expect("starts");
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{err}");
    let mut command = godot(&folder, &desk.0, &project, "addon.gd");
    command.args(["0", "3.5", "8.25"]);
    let text = run(&mut command, "");
    eprintln!("{text}");
    let number = |text: &str| text.parse::<f64>().expect("a number");
    let mut seen = 0;
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        if words[0] != "AT" {
            continue;
        }
        seen += 1;
        // Scene, time, how many are there, and the sum of their coordinates.
        let exact = number(words[2]) / motion.interval;
        let (frame, share) = (exact.floor() as usize, exact.fract());
        let mut places = Vec::new();
        for walker in &motion.walkers {
            let Some(here) = walker.at(frame) else {
                continue;
            };
            if share > 1e-6 && walker.at(frame + 1).is_none() {
                continue;
            }
            places.push(here.lerp(walker.at(frame + 1).unwrap_or(here), share));
        }
        assert_eq!(number(words[3]), places.len() as f64, "{line}");
        let sum = |axis: usize| places.iter().map(|p| p[axis]).sum::<f64>();
        assert!(
            (number(words[4]) - sum(0)).abs() < 0.05,
            "{line} {}",
            sum(0)
        );
        assert!(
            (number(words[5]) - sum(1)).abs() < 0.05,
            "{line} {}",
            sum(1)
        );
    }
    assert_eq!(seen, 6, "both scenes at three times: {text}");
    // The door is 1.2 m wide: a body of 1 m fits through, one of 1.4 m does not.
    assert!(text.contains("CORRIDOR 0.5 1"), "{text}");
    assert!(text.contains("CORRIDOR 0.7 0"), "{text}");
    assert!(!text.contains("CONTRADICTS"), "{text}");
}

/// Corridors keep to the middle between walls, which is longer than the shortest path: in wide rooms with links across their corners by
/// up to so much.
const ALONG_THE_MIDDLE: f64 = 2.5;

#[test]
fn the_add_on_goes_through_links_and_doors_as_planners_do() {
    let Some(folder) = folder("godot") else {
        return;
    };
    let desk = Desk::new();
    for corner in [DVec2::ZERO, DVec2::new(-900_000.0, 750_000.0)] {
        let level = linked_rooms(&desk, corner);
        let (project, _) = desk.export(&level, "godot", "project");
        let queries = queries(&desk, &level);
        let file = desk.0.join("queries.txt");
        std::fs::write(&file, as_drawn(&queries)).expect("writable");
        let mut command = godot(&folder, &desk.0, &project, "links.gd");
        command.arg(&file).args(["Walker \"π\"", "0.3"]);
        let text = run(&mut command, "");
        assert!(text.contains("LOADED links=5 hops=6"), "{text:.300}");
        compare_costs("GDScript", &queries, ALONG_THE_MIDDLE, &text);
    }
}
