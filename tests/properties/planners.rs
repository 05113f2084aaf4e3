//! Planners against each other through the program's own door: who may be how much longer.

use crate::door::Folder;
use std::fmt::Write as _;
use wayloom::base::Random;

/// Mean and worst length above the shortest path, and how many of the queries have an answer.
/// Unit: percent.
struct Gaps {
    mean: f64,
    worst: f64,
    found: usize,
}

/// Queries that every planner gets: anywhere in the level.
fn queries(side: f64, count: usize) -> String {
    let mut random = Random::new(11);
    let mut text = String::from("from_x,from_y,to_x,to_y\n");
    for _ in 0..count {
        let place = [0; 4].map(|_| random.range(0.02 * side, 0.98 * side));
        let [a, b, c, d] = place;
        let _ = writeln!(text, "{a},{b},{c},{d}");
    }
    text
}

fn gaps(level: &str, side: f64, count: usize, planner: &str) -> Gaps {
    let folder = Folder::new();
    let file = folder.file("queries.csv");
    std::fs::write(&file, queries(side, count)).expect("the folder can be written");
    let file = file.to_string_lossy();
    let level = Folder::sample(level);
    let arguments = [
        "plan",
        &level,
        "--queries",
        &file,
        "--radius",
        "0.3",
        "--planner",
        planner,
        "--gaps",
        "--json",
    ];
    let (_, text) = folder.run(&arguments);
    let totals: serde_json::Value = text
        .lines()
        .last()
        .and_then(|line| serde_json::from_str(line).ok())
        .unwrap_or_else(|| panic!("{text}"));
    let number = |name: &str| totals[name].as_f64().unwrap_or(f64::NAN);
    Gaps {
        mean: number("mean_gap_percent"),
        worst: number("worst_gap_percent"),
        found: number("found") as usize,
    }
}

/// Nodes that move keep the portal planner close to the optimum: lazy while a path leads away from
/// the goal, greedy while it leads towards it. The other way round it is ten times further off.
#[test]
fn portals_that_move_are_close_to_the_optimum_and_closer_than_their_middles() {
    for (level, side, mean, worst) in [("dense", 1000.0, 1.2, 12.0), ("rooms", 40.0, 1.6, 25.0)] {
        let count = 60;
        let moving = gaps(level, side, count, "portal");
        assert!(moving.found > count / 3, "{level}: {} found", moving.found);
        assert!(moving.mean < mean, "{level}: {} % in the mean", moving.mean);
        assert!(moving.worst < worst, "{level}: {} % at worst", moving.worst);
        let optimal = gaps(level, side, count, "optimal");
        assert_eq!(optimal.found, moving.found, "{level}");
        assert!(optimal.worst < 1e-9, "{level}: {}", optimal.worst);
        for planner in ["portal-center", "portal-third", "portal-tenth"] {
            let other = gaps(level, side, count, planner);
            assert_eq!(other.found, moving.found, "{level} by {planner}");
            assert!(
                other.mean > moving.mean,
                "{level}: {planner} {} %, portals that move {} %",
                other.mean,
                moving.mean
            );
        }
    }
}

/// What follows corridors and routes goes around corners, but not around the block. Some take
/// places close to a wall that others refuse.
#[test]
fn no_planner_takes_more_than_a_modest_detour() {
    let count = 20;
    let shortest = gaps("rooms", 40.0, count, "optimal");
    for (planner, mean) in [
        ("corridor", 20.0),
        ("corridor-original", 35.0),
        ("irm", 12.0),
        ("miran", 10.0),
    ] {
        let found = gaps("rooms", 40.0, count, planner);
        assert!(found.found >= shortest.found, "{planner}");
        assert!(found.mean < mean, "{planner}: {} % in the mean", found.mean);
        assert!(found.mean > 0.1, "{planner}: {} % in the mean", found.mean);
    }
}
