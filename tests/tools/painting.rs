//! The terrain brush.

use crate::desk::{Desk, GRASS, LAWN, ROAD, assert_fast, definitions, level, p, rect};
use std::time::{Duration, Instant};
use wayloom::base::EntityId;
use wayloom::document::{Agent, Crowd, Edit, Entity, Goal, Heading, Kind, Mission, Region};
use wayloom::geometry::{Polygon, crossing::first_crossing};
use wayloom::interaction::{Event, Handled, Key, Modifiers, Pointer, ToolKind};

fn region(area: Polygon, terrain: u64) -> Entity {
    Entity::new(
        "",
        Kind::Region(Region {
            area,
            terrain: EntityId::new(terrain),
        }),
    )
}

/// Regions on top of the definitions; ids from 10.
fn ground(regions: Vec<(Polygon, u64)>) -> Desk {
    let mut entities = definitions();
    entities.extend(
        (10..)
            .zip(regions)
            .map(|(id, (area, terrain))| (id, region(area, terrain))),
    );
    let mut desk = Desk::new(level(entities)).with(ToolKind::TerrainBrush);
    desk.toolbox.defaults.brush_radius = 2.0;
    desk
}

/// The terrain that one sees at a place.
fn terrain_at(desk: &Desk, x: f64, y: f64) -> Option<u64> {
    let at = p(x, y);
    let regions = desk.level().regions().filter(|(.., r)| r.area.contains(at));
    regions.last().map(|(.., region)| region.terrain.number())
}

fn areas_are_in_order(desk: &Desk) {
    for (_, _, region) in desk.level().regions() {
        assert!(first_crossing(&region.area).is_none());
        assert!(region.area.area() > 0.0);
    }
}

#[test]
fn a_stroke_makes_a_region_as_wide_as_the_brush() {
    let mut desk = ground(Vec::new());
    desk.one_step(|desk| {
        desk.sweep((10.0, 10.0), (20.0, 10.0));
    });
    assert_eq!(desk.level().regions().count(), 1);
    let (_, entity, painted) = desk.level().regions().next().expect("a region");
    assert_eq!(entity.name, "Grass 1");
    let exact = 40.0 + std::f64::consts::PI * 4.0;
    assert!((painted.area.area() - exact).abs() < 0.05 * exact);
    assert_eq!(desk.last_step(), "Paint terrain");
    areas_are_in_order(&desk);
}

#[test]
fn a_stroke_joins_the_region_of_its_terrain() {
    let mut desk = ground(vec![(rect(0.0..10.0, 0.0..10.0), GRASS)]);
    desk.one_step(|desk| {
        desk.sweep((8.0, 5.0), (20.0, 5.0));
    });
    assert_eq!(desk.level().regions().count(), 1);
    assert_eq!(terrain_at(&desk, 20.0, 5.0), Some(GRASS));
    assert_eq!(terrain_at(&desk, 1.0, 1.0), Some(GRASS));
    areas_are_in_order(&desk);
}

#[test]
fn a_stroke_between_two_regions_makes_them_one_and_missions_follow() {
    let mut desk = ground(vec![
        (rect(0.0..10.0, 0.0..10.0), GRASS),
        (rect(20.0..30.0, 0.0..10.0), GRASS),
    ]);
    let mut mission = Mission::new(EntityId::new(1));
    mission.goals = vec![Goal::inside(EntityId::new(10))];
    let crowd = Crowd {
        variety: Default::default(),
        groups: Default::default(),
        area: rect(50.0..60.0, 50.0..60.0),
        count: 3,
        spawn: Default::default(),
        mission,
    };
    desk.document
        .commit(
            "Add",
            vec![Edit::create(
                EntityId::new(50),
                Entity::new("", Kind::Crowd(crowd)),
            )],
        )
        .expect("valid");
    desk.one_step(|desk| {
        desk.sweep((8.0, 5.0), (22.0, 5.0));
    });
    assert_eq!(desk.level().regions().count(), 1);
    let goals = &desk.get(50).mission().expect("a mission").goals;
    assert_eq!(goals[..], [Goal::inside(EntityId::new(11))]);
}

#[test]
fn a_region_erased_whole_leaves_no_goal_behind() {
    let mut desk = ground(vec![(rect(0.0..10.0, 0.0..10.0), GRASS)]);
    let mut mission = Mission::new(EntityId::new(1));
    mission.goals = vec![
        Goal::inside(EntityId::new(10)),
        Goal::At(glam::DVec3::new(50.0, 50.0, 0.0)),
    ];
    let agent = Agent {
        start: glam::DVec3::ZERO,
        heading: Heading::default(),
        mission,
    };
    let create = Edit::create(EntityId::new(50), Entity::new("", Kind::Agent(agent)));
    desk.document.commit("Add", vec![create]).expect("valid");
    desk.toolbox.defaults.brush_radius = 20.0;
    desk.one_step(|desk| {
        desk.hold(Modifiers::ALT).click(5.0, 5.0);
    });
    assert_eq!(desk.level().regions().count(), 0);
    assert_eq!(desk.get(50).mission().expect("a mission").goals.len(), 1);
}

#[test]
fn a_stroke_over_its_own_terrain_is_no_step() {
    let mut desk = ground(vec![(rect(0.0..50.0, 0.0..50.0), GRASS)]);
    desk.no_step(|desk| {
        desk.sweep((10.0, 10.0), (30.0, 30.0));
    });
}

#[test]
fn paint_is_seen_whatever_lay_above_the_region_that_it_joins() {
    let mut desk = ground(vec![
        (rect(0.0..20.0, 0.0..20.0), GRASS),
        (rect(10.0..30.0, 0.0..20.0), ROAD),
    ]);
    assert_eq!(terrain_at(&desk, 15.0, 10.0), Some(ROAD));
    desk.one_step(|desk| {
        desk.sweep((5.0, 10.0), (40.0, 10.0));
    });
    assert_eq!(terrain_at(&desk, 15.0, 10.0), Some(GRASS));
    assert_eq!(terrain_at(&desk, 25.0, 10.0), Some(GRASS));
    assert_eq!(
        terrain_at(&desk, 15.0, 3.0),
        Some(ROAD),
        "beside the stroke nothing changes"
    );
    assert_eq!(terrain_at(&desk, 25.0, 18.0), Some(ROAD));
    assert_eq!(desk.level().regions().count(), 3, "the road is cut in two");
    areas_are_in_order(&desk);
}

#[test]
fn joining_never_lifts_a_covered_region_over_its_cover() {
    // The lower lawn lies under a road; the upper one does not.
    let mut desk = ground(vec![
        (rect(0.0..20.0, 0.0..20.0), GRASS),
        (rect(0.0..10.0, 0.0..20.0), ROAD),
        (rect(30.0..40.0, 0.0..20.0), GRASS),
    ]);
    desk.sweep((18.0, 10.0), (32.0, 10.0));
    assert_eq!(terrain_at(&desk, 5.0, 10.0), Some(ROAD));
    assert_eq!(terrain_at(&desk, 25.0, 10.0), Some(GRASS));
}

#[test]
fn alt_erases_to_the_base_and_may_leave_several_pieces() {
    let mut desk = ground(vec![
        (rect(0.0..20.0, 0.0..20.0), GRASS),
        (rect(5.0..15.0, 5.0..15.0), ROAD),
    ]);
    desk.hold(Modifiers::ALT);
    desk.one_step(|desk| {
        desk.sweep((10.0, -5.0), (10.0, 25.0));
    });
    assert_eq!(terrain_at(&desk, 10.0, 10.0), None);
    assert_eq!(desk.level().regions().count(), 4);
    assert_eq!(desk.last_step(), "Erase terrain");
    areas_are_in_order(&desk);
    desk.toolbox.defaults.brush_radius = 30.0;
    desk.one_step(|desk| {
        desk.click(10.0, 10.0);
    });
    assert_eq!(desk.level().regions().count(), 0);
    desk.no_step(|desk| {
        desk.click(10.0, 10.0);
    });
}

#[test]
fn erasing_is_seen_while_it_happens_and_esc_brings_all_back() {
    let mut desk = ground(vec![(rect(0.0..20.0, 0.0..20.0), GRASS)]);
    desk.hold(Modifiers::ALT);
    desk.no_step(|desk| {
        desk.press(10.0, 10.0).drag(10.0, 30.0);
        assert_eq!(terrain_at(desk, 10.0, 12.0), None);
        desk.esc().release();
    });
}

#[test]
fn locked_and_hidden_terrain_is_left_alone() {
    let mut locked = region(rect(0.0..10.0, 0.0..10.0), ROAD);
    locked.locked = true;
    let mut hidden = region(rect(10.0..20.0, 0.0..10.0), GRASS);
    hidden.visible = false;
    let mut entities = definitions();
    entities.extend([(10, locked), (11, hidden)]);
    let mut desk = Desk::new(level(entities)).with(ToolKind::TerrainBrush);
    desk.hold(Modifiers::ALT);
    desk.no_step(|desk| {
        desk.sweep((1.0, 5.0), (19.0, 5.0));
    });
}

#[test]
fn a_shift_click_draws_a_straight_line_from_the_last_dab() {
    let mut desk = ground(Vec::new());
    desk.click(10.0, 10.0);
    desk.hold(Modifiers::SHIFT);
    desk.one_step(|desk| {
        desk.click(40.0, 10.0);
    });
    assert_eq!(terrain_at(&desk, 25.0, 10.0), Some(GRASS));
    desk.click(40.0, 40.0);
    assert_eq!(terrain_at(&desk, 40.0, 25.0), Some(GRASS));
    assert_eq!(desk.level().regions().count(), 1);
}

#[test]
fn brackets_and_typed_numbers_set_the_size() {
    let mut desk = ground(Vec::new());
    desk.key(Key::More);
    assert_eq!(desk.toolbox.defaults.brush_radius, 2.5);
    desk.key(Key::Less);
    assert_eq!(desk.toolbox.defaults.brush_radius, 2.0);
    desk.typed("4.5").key(Key::Enter);
    assert_eq!(desk.toolbox.defaults.brush_radius, 4.5);
    desk.typed("0").key(Key::Enter);
    assert!(
        desk.trouble().contains("brush radius is 0 m"),
        "{}",
        desk.trouble()
    );
    for _ in 0..200 {
        desk.key(Key::Less);
    }
    assert!(desk.toolbox.defaults.brush_radius >= 0.05);
}

#[test]
fn a_right_click_picks_the_terrain_under_the_brush() {
    let mut desk = Desk::yard().with(ToolKind::TerrainBrush);
    desk.toolbox.defaults.terrain = Some(EntityId::new(ROAD));
    desk.no_step(|desk| {
        desk.right_click(50.0, 50.0);
    });
    assert_eq!(desk.toolbox.defaults.terrain, Some(EntityId::new(GRASS)));
    let nowhere = Pointer::default();
    assert_eq!(desk.send(Event::SecondaryClick(nowhere)), Handled::Yes);
    assert_eq!(desk.toolbox.defaults.terrain, Some(EntityId::new(GRASS)));
    assert!(desk.level().get(EntityId::new(LAWN)).is_some());
}

#[test]
fn a_stroke_that_surrounds_something_has_a_hole() {
    let mut desk = ground(Vec::new());
    desk.press(40.0, 30.0);
    for i in 1..=40 {
        let angle = f64::from(i) * std::f64::consts::TAU / 40.0;
        desk.drag(30.0 + 10.0 * angle.cos(), 30.0 + 10.0 * angle.sin());
    }
    desk.release();
    let (.., painted) = desk.level().regions().next().expect("a region");
    assert_eq!(painted.area.holes.len(), 1);
    assert_eq!(terrain_at(&desk, 30.0, 30.0), None);
}

#[test]
fn painting_stays_fast_on_a_level_of_twenty_thousand_vertices() {
    // A lawn with a ragged edge of 20,000 corners.
    let ring = (0..20_000)
        .map(|i| {
            let angle = f64::from(i) * std::f64::consts::TAU / 20_000.0;
            let radius = 40.0 + f64::from(i % 2) * 0.5;
            p(50.0, 50.0) + radius * glam::DVec2::from_angle(angle)
        })
        .collect();
    let mut desk = ground(vec![(Polygon::new(ring), GRASS)]);
    for modifiers in [Modifiers::NONE, Modifiers::ALT] {
        desk.hold(modifiers).press(50.0, 85.0);
        let mut slowest = Duration::ZERO;
        for i in 0..40 {
            let start = Instant::now();
            desk.drag(50.0 + f64::from(i) * 0.5, 90.0);
            slowest = slowest.max(start.elapsed());
        }
        assert_fast(
            "slowest update of a stroke",
            slowest,
            Duration::from_millis(250),
        );
        desk.release();
    }
    assert_eq!(desk.steps(), 2);
}

#[test]
fn paint_stays_within_the_level() {
    let mut desk = ground(vec![]);
    let bounds = desk.level().settings().bounds;
    desk.one_step(|desk| {
        desk.sweep((bounds.min.x + 1.0, 30.0), (bounds.min.x - 8.0, 34.0));
    });
    let painted: Vec<&Polygon> = desk.level().regions().map(|(.., r)| &r.area).collect();
    assert!(!painted.is_empty());
    for area in painted {
        assert!(bounds.contains_rect(&area.bounds()), "{:?}", area.bounds());
    }
}
