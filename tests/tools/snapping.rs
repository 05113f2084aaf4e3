//! What the pointer is drawn to, and how that is shown.

use crate::desk::{Desk, HOUSE, NO_SNAP, assert_fast, level, p, polyline, rect, with_snap};
use std::time::{Duration, Instant};
use wayloom::document::{Entity, Kind, Obstacle, Snap};
use wayloom::geometry::Polygon;
use wayloom::interaction::{Key, Modifiers, Primitive, SnapMark, ToolKind};

/// Where a click lands, and what is shown before it.
fn lands(snap: Snap, x: f64, y: f64) -> (glam::DVec2, Option<SnapMark>, usize) {
    let house = Kind::Obstacle(Obstacle::new(rect(10.5..20.5, 10.5..18.5)));
    let level = level(vec![(HOUSE, Entity::new("House", house))]);
    let mut desk = Desk::new(with_snap(&level, snap)).with(ToolKind::RoutePolyline);
    desk.hover(x, y);
    let primitives = desk.overlay().primitives;
    let mark = primitives.iter().find_map(|primitive| match primitive {
        Primitive::Snap { mark, .. } => Some(*mark),
        _ => None,
    });
    let guides = primitives
        .iter()
        .filter(|primitive| matches!(primitive, Primitive::Guide { .. }))
        .count();
    desk.click(x, y)
        .hold(Modifiers::CTRL)
        .click(90.0, 90.0)
        .key(Key::Enter);
    (polyline(desk.made())[0], mark, guides)
}

const ALL: Snap = Snap {
    grid: true,
    vertices: true,
    edges: true,
    axes: true,
};

#[test]
fn corners_come_before_midpoints_before_edges_before_the_grid() {
    assert_eq!(
        lands(ALL, 10.9, 10.2),
        (p(10.5, 10.5), Some(SnapMark::Vertex), 0)
    );
    assert_eq!(
        lands(ALL, 15.3, 10.9),
        (p(15.5, 10.5), Some(SnapMark::Midpoint), 0)
    );
    assert_eq!(
        lands(ALL, 12.8, 10.9),
        (p(13.0, 10.5), Some(SnapMark::Edge), 0)
    );
    // In line with a corner, but a grid line is in reach.
    assert_eq!(
        lands(ALL, 20.7, 30.4),
        (p(21.0, 30.0), Some(SnapMark::Grid), 0)
    );
    assert_eq!(
        lands(ALL, 30.3, 30.4),
        (p(30.0, 30.0), Some(SnapMark::Grid), 0)
    );
}

#[test]
fn alignment_with_two_points_at_once_shows_both_guides() {
    let (point, mark, guides) = lands(ALL, 20.7, 18.3);
    assert_eq!(
        (point, mark, guides),
        (p(20.5, 18.5), Some(SnapMark::Vertex), 0)
    );
    let far = Snap {
        grid: false,
        vertices: false,
        edges: false,
        ..ALL
    };
    let (point, mark, guides) = lands(far, 20.7, 18.3);
    assert_eq!(
        (point, mark, guides),
        (p(20.5, 18.5), Some(SnapMark::Intersection), 2)
    );
}

#[test]
fn each_kind_of_snapping_can_be_switched_off() {
    let without = |change: fn(&mut Snap)| {
        let mut snap = ALL;
        change(&mut snap);
        snap
    };
    let no_vertices = without(|snap| snap.vertices = false);
    assert_eq!(lands(no_vertices, 10.9, 10.2).1, Some(SnapMark::Edge));
    let no_edges = without(|snap| snap.edges = false);
    assert_eq!(lands(no_edges, 12.8, 10.9).1, Some(SnapMark::Grid));
    let no_grid_nor_edges = Snap {
        grid: false,
        ..no_edges
    };
    assert_eq!(lands(no_grid_nor_edges, 12.8, 10.9).1, Some(SnapMark::Axis));
    let neither = without(|snap| (snap.axes, snap.grid) = (false, false));
    assert_eq!(lands(neither, 20.7, 30.4).0, p(20.7, 30.4));
    let no_grid = without(|snap| snap.grid = false);
    assert_eq!(lands(no_grid, 30.34, 30.41), (p(30.34, 30.41), None, 0));
    assert_eq!(lands(NO_SNAP, 10.9, 10.2), (p(10.9, 10.2), None, 0));
}

#[test]
fn ctrl_turns_snapping_on_where_it_is_off() {
    let mut desk = Desk::open_field().with(ToolKind::Rectangle);
    desk.toolbox.defaults.snap = false;
    desk.sweep((1.23, 1.45), (4.56, 4.78));
    assert_eq!(desk.area(desk.selected()[0]), &rect(1.23..4.56, 1.45..4.78));
    desk.hold(Modifiers::CTRL)
        .sweep((11.23, 11.45), (14.56, 14.78));
    assert_eq!(desk.area(desk.selected()[0]), &rect(11.0..15.0, 11.0..15.0));
}

#[test]
fn the_sketch_lines_up_with_its_own_points() {
    let level = with_snap(Desk::open_field().level(), Snap { grid: false, ..ALL });
    let mut desk = Desk::new(level).with(ToolKind::Polygon);
    desk.clicks(&[(10.25, 10.25), (30.75, 20.5)]);
    desk.click(10.4, 40.0).key(Key::Enter);
    let outline = &desk.area(desk.selected()[0]).outer;
    assert!(outline.contains(&p(10.25, 40.0)), "{outline:?}");
}

#[test]
fn snapping_ignores_hidden_objects_but_not_locked_ones() {
    let mut house = Entity::new(
        "",
        Kind::Obstacle(Obstacle::new(rect(10.5..20.5, 10.5..18.5))),
    );
    let clicked = |house: Entity| {
        let mut desk = Desk::new(level(vec![(1, house)])).with(ToolKind::Note);
        desk.click(10.7, 10.7);
        match &desk.made().kind {
            Kind::Note(note) => note.at,
            other => panic!("{other:?}"),
        }
    };
    house.locked = true;
    assert_eq!(clicked(house.clone()), p(10.5, 10.5));
    house.visible = false;
    assert_eq!(clicked(house), p(11.0, 11.0));
}

#[test]
fn the_border_of_the_level_attracts() {
    assert_eq!(
        lands(ALL, 30.3, 99.7),
        (p(30.0, 100.0), Some(SnapMark::Edge), 0)
    );
    assert_eq!(
        lands(ALL, 0.4, 0.3),
        (p(0.0, 0.0), Some(SnapMark::Vertex), 0)
    );
}

#[test]
fn grid_points_are_exact_decimals() {
    let mut settings = (**Desk::open_field().level().settings()).clone();
    settings.grid.spacing = 0.1;
    let mut desk = Desk::open_field().with(ToolKind::Note);
    desk.document
        .commit(
            "Grid",
            vec![wayloom::document::Edit::Settings(settings.into())],
        )
        .expect("valid");
    desk.click(50.31, 50.71);
    match &desk.made().kind {
        Kind::Note(note) => assert_eq!(note.at, p(50.3, 50.7)),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_hundred_thousand_vertices_do_not_slow_the_pointer() {
    let entities = (0..10_000_u64)
        .map(|i| {
            let centre = p((i % 100) as f64, (i / 100) as f64);
            let ring = Polygon::regular(centre, 0.4, 10, 0.0);
            (i + 1, Entity::new("", Kind::Obstacle(Obstacle::new(ring))))
        })
        .collect();
    let mut desk = Desk::new(level(entities)).with(ToolKind::Polygon);
    assert_eq!(desk.level().vertex_count(), 100_000);
    desk.hover(50.0, 50.0);
    let start = Instant::now();
    for i in 0..100 {
        desk.hover(50.0 + f64::from(i) * 0.37, 50.0 - f64::from(i) * 0.21);
    }
    let each = start.elapsed() / 100;
    assert_fast("one move of the pointer", each, Duration::from_millis(20));
}

#[test]
fn on_a_coarse_grid_alignment_has_the_gaps_between_the_lines() {
    let mut settings = (**Desk::open_field().level().settings()).clone();
    settings.grid.spacing = 10.0;
    let house = Kind::Obstacle(Obstacle::new(rect(14.5..16.5, 10.5..18.5)));
    let mut desk = Desk::new(level(vec![(HOUSE, Entity::new("House", house))]));
    desk.document
        .commit(
            "Grid",
            vec![wayloom::document::Edit::Settings(settings.into())],
        )
        .expect("valid");
    desk.tool(ToolKind::Note);
    desk.click(14.7, 29.8);
    match &desk.made().kind {
        Kind::Note(note) => assert_eq!(note.at, p(14.5, 30.0)),
        other => panic!("{other:?}"),
    }
}

#[test]
fn agents_and_solids_beside_arcs_get_round_coordinates() {
    // What a brush leaves: corners everywhere, none of them on the grid.
    let arc = Polygon::regular(p(30.21, 30.37), 8.13, 48, 0.1);
    let road = Kind::Obstacle(Obstacle::new(arc));
    let level = level(vec![(HOUSE, Entity::new("", road))]);
    let mut desk = Desk::new(with_snap(&level, ALL)).with(ToolKind::Agent);
    for (x, y) in [(38.3, 30.4), (30.2, 38.4), (45.2, 31.1)] {
        desk.sweep((x, y), (x + 20.1, y + 10.2));
        let Kind::Agent(agent) = &desk.made().kind else {
            panic!("an agent was drawn");
        };
        let start = agent.start.truncate();
        assert_eq!(start, start.round(), "{x}, {y}");
        desk.key(Key::Enter);
    }
    desk.tool(ToolKind::SolidStairs)
        .sweep((50.2, 31.3), (54.1, 36.8));
    let bounds = desk.made().bounds().expect("has a place");
    assert_eq!((bounds.min, bounds.max), (p(50.0, 31.0), p(54.0, 37.0)));
}
