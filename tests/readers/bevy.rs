//! The example for Bevy, without Bevy: what it loads and answers.

#[path = "../../docs/readers/bevy/src/level.rs"]
mod level;

use crate::levels::{Desk, Query, queries, saved, two_rooms};
use glam::{DVec2, Vec2};
use level::{BakedLevel, Table};

#[test]
fn the_example_for_bevy_finds_the_exact_paths() {
    let desk = Desk::new();
    let path = saved(&desk, &two_rooms(DVec2::ZERO), "rooms.ron");
    let (mesh, _) = desk.export(&path, "polyanya", "level.mesh");
    let (bake, _) = desk.export(&path, "bake", "bake");
    let corridors = bake.join("corridors.wlb");
    let text = |path: &std::path::Path| path.to_str().expect("plain").to_owned();
    let level = BakedLevel::load(&text(&mesh), &text(&corridors)).expect("loads");
    for Query {
        from, to, exact, ..
    } in queries(&desk, &path).iter()
    {
        let (from, to) = (*from, *to);
        let place = |p: DVec2| Vec2::new(p.x as f32, p.y as f32);
        let found = level.path(place(from), place(to));
        let length = found.map(|path| f64::from(path.length));
        match (length, exact) {
            (Some(ours), Some(exact)) => assert!((ours - exact).abs() < 0.01, "{ours} {exact}"),
            (ours, exact) => assert_eq!(ours.is_some(), exact.is_some(), "{from} → {to}"),
        }
    }
    assert!(matches!(
        level.tables.get("vertex_points"),
        Some(Table::Numbers(points)) if !points.is_empty()
    ));
    // The door is two metres wide.
    assert!(level.narrowest() < 1.01, "{}", level.narrowest());
}
