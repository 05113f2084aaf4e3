//! Shapes spanned by a drag or two clicks: rectangle, ellipse, regular polygon, solids.

use crate::desk::{Desk, GRASS, GUARD, area, p, rect};
use wayloom::base::EntityId;
use wayloom::document::{Kind, Level, SolidShape};
use wayloom::interaction::{AreaKind, Key, Modifiers, ToolKind};

#[test]
fn a_rectangle_is_dragged_from_corner_to_corner_and_snaps_to_the_grid() {
    let mut desk = Desk::open_field().with(ToolKind::Rectangle);
    desk.one_step(|desk| {
        desk.sweep((7.4, 5.8), (3.2, 3.1));
    });
    assert_eq!(area(desk.made()), &rect(3.0..7.0, 3.0..6.0));
    assert_eq!(desk.made().name, "Obstacle 1");
    assert_eq!(desk.last_step(), "Draw obstacle");
    desk.sweep((20.0, 20.0), (22.0, 22.0));
    assert_eq!(desk.made().name, "Obstacle 2");
}

#[test]
fn shift_makes_a_square_and_alt_starts_from_the_centre() {
    let mut desk = Desk::open_field().with(ToolKind::Rectangle);
    desk.hold(Modifiers::SHIFT)
        .sweep((10.0, 10.0), (14.0, 12.0));
    assert_eq!(area(desk.made()), &rect(10.0..14.0, 10.0..14.0));
    desk.hold(Modifiers::ALT).sweep((30.0, 30.0), (34.0, 32.0));
    assert_eq!(area(desk.made()), &rect(26.0..34.0, 28.0..32.0));
}

#[test]
fn ctrl_turns_snapping_off() {
    let mut desk = Desk::open_field().with(ToolKind::Rectangle);
    desk.hold(Modifiers::CTRL).sweep((3.21, 3.16), (7.42, 5.86));
    assert_eq!(area(desk.made()), &rect(3.21..7.42, 3.16..5.86));
}

#[test]
fn two_clicks_do_what_a_drag_does() {
    let mut desk = Desk::open_field().with(ToolKind::Rectangle);
    desk.click(3.0, 3.0);
    desk.one_step(|desk| {
        desk.click(8.0, 5.0);
    });
    assert_eq!(area(desk.made()), &rect(3.0..8.0, 3.0..5.0));
}

#[test]
fn sizes_can_be_typed_after_the_first_corner_and_during_a_drag() {
    let mut desk = Desk::open_field().with(ToolKind::Rectangle);
    desk.click(10.0, 10.0).hover(30.0, 30.0);
    desk.typed("@4,3").key(Key::Enter);
    assert_eq!(area(desk.made()), &rect(10.0..14.0, 10.0..13.0));
    desk.typed("30,40").key(Key::Enter);
    desk.hover(20.0, 50.0).typed("2.5").key(Key::Enter);
    assert_eq!(area(desk.made()), &rect(27.5..30.0, 40.0..42.5));
    desk.press(50.0, 50.0)
        .drag(60.0, 55.0)
        .typed("@7,-2")
        .release();
    assert_eq!(area(desk.made()), &rect(50.0..57.0, 48.0..50.0));
    desk.one_step(|desk| {
        desk.press(70.0, 70.0)
            .drag(72.0, 71.0)
            .typed("5")
            .key(Key::Enter);
        desk.drag(90.0, 90.0).release();
    });
    assert_eq!(area(desk.made()), &rect(70.0..75.0, 70.0..75.0));
}

#[test]
fn a_typed_size_that_cannot_be_read_is_explained_and_kept() {
    let mut desk = Desk::open_field().with(ToolKind::Rectangle);
    desk.no_step(|desk| {
        desk.click(10.0, 10.0).typed("1.2.3").key(Key::Enter);
        assert!(desk.trouble().contains("`1.2.3` is not a number"));
        assert_eq!(desk.hints().entry.as_deref(), Some("1.2.3"));
        desk.key(Key::Backspace).key(Key::Backspace);
        assert_eq!(desk.trouble(), "");
    });
    desk.typed("5").hover(20.0, 20.0).key(Key::Enter);
    assert_eq!(area(desk.made()), &rect(10.0..11.25, 10.0..11.25));
}

#[test]
fn a_drag_without_extent_makes_nothing() {
    for tool in [
        ToolKind::Rectangle,
        ToolKind::Ellipse,
        ToolKind::RegularPolygon,
        ToolKind::SolidBox,
        ToolKind::Agent,
    ] {
        let mut desk = Desk::open_field().with(tool);
        desk.no_step(|desk| {
            desk.press(5.0, 5.0).drag(9.0, 9.0).drag(5.0, 5.0).release();
        });
        assert!(desk.selection().is_empty());
    }
}

#[test]
fn an_ellipse_fills_its_box() {
    let mut desk = Desk::open_field().with(ToolKind::Ellipse);
    desk.one_step(|desk| {
        desk.sweep((10.0, 10.0), (20.0, 14.0));
    });
    let ellipse = area(desk.made());
    assert_eq!(ellipse.bounds(), rect(10.0..20.0, 10.0..14.0).bounds());
    let exact = std::f64::consts::PI * 5.0 * 2.0;
    assert!((ellipse.area() - exact).abs() < 0.03 * exact);
    desk.hold(Modifiers::SHIFT)
        .sweep((30.0, 30.0), (36.0, 33.0));
    let circle = area(desk.made()).bounds();
    assert_eq!(circle.size(), p(6.0, 6.0));
}

#[test]
fn a_regular_polygon_turns_with_the_pointer_and_brackets_change_its_corners() {
    let mut desk = Desk::open_field().with(ToolKind::RegularPolygon);
    desk.key(Key::Less).key(Key::Less);
    desk.one_step(|desk| {
        desk.press(20.0, 20.0).drag(20.0, 25.0);
        desk.key(Key::More).key(Key::Less).release();
    });
    let square = area(desk.made());
    assert_eq!(square.outer.len(), 4);
    assert!(square.outer[0].distance(p(20.0, 25.0)) < 1e-3);
    for _ in 0..10 {
        desk.key(Key::Less);
    }
    desk.click(50.0, 50.0)
        .hover(60.0, 50.0)
        .typed("4<90")
        .key(Key::Enter);
    let triangle = area(desk.made());
    assert_eq!(triangle.outer.len(), 3);
    assert!(triangle.outer[0].distance(p(50.0, 54.0)) < 1e-3);
}

#[test]
fn shape_tools_make_what_the_defaults_say() {
    let mut desk = Desk::open_field().with(ToolKind::Rectangle);
    desk.toolbox.defaults.obstacle_height = 7.5;
    desk.toolbox.defaults.elevation = 2.0;
    desk.sweep((1.0, 1.0), (3.0, 3.0));
    match &desk.made().kind {
        Kind::Obstacle(obstacle) => assert_eq!((obstacle.base, obstacle.height), (2.0, 7.5)),
        other => panic!("{other:?}"),
    }
    desk.toolbox.defaults.area = AreaKind::Region;
    desk.sweep((5.0, 1.0), (7.0, 3.0));
    match &desk.made().kind {
        Kind::Region(region) => assert_eq!(region.terrain, EntityId::new(GRASS)),
        other => panic!("{other:?}"),
    }
    assert_eq!(desk.made().name, "Grass 1");
    desk.toolbox.defaults.area = AreaKind::Crowd;
    desk.toolbox.defaults.crowd_count = 42;
    desk.sweep((9.0, 1.0), (12.0, 3.0));
    match &desk.made().kind {
        Kind::Crowd(crowd) => {
            assert_eq!(crowd.count, 42);
            assert_eq!(crowd.mission.profile, EntityId::new(GUARD));
        }
        other => panic!("{other:?}"),
    }
    desk.toolbox.defaults.area = AreaKind::Annotation;
    desk.sweep((14.0, 1.0), (16.0, 3.0));
    assert_eq!(desk.made().name, "Area 1");
}

#[test]
fn a_level_without_terrain_or_profile_gets_its_first_one_along() {
    let mut desk = Desk::new(Level::default()).with(ToolKind::TerrainPolygon);
    desk.clicks(&[(1.0, 1.0), (5.0, 1.0), (5.0, 5.0)]);
    desk.one_step(|desk| {
        desk.key(Key::Enter);
    });
    assert_eq!(desk.level().terrains().count(), 1);
    assert_eq!(desk.level().regions().count(), 1);
    desk.tool(ToolKind::Agent);
    desk.one_step(|desk| {
        desk.sweep((10.0, 10.0), (20.0, 10.0));
    });
    assert_eq!(desk.level().profiles().count(), 1);
}

#[test]
fn solids_take_their_footprint_from_the_drag_and_rise_away_from_its_start() {
    for (tool, name) in [
        (ToolKind::SolidBox, "Box 1"),
        (ToolKind::SolidRamp, "Ramp 1"),
        (ToolKind::SolidStairs, "Stairs 1"),
        (ToolKind::SolidCylinder, "Cylinder 1"),
        (ToolKind::SolidArch, "Arch 1"),
        (ToolKind::SolidPlatform, "Platform 1"),
    ] {
        let mut desk = Desk::open_field().with(tool);
        desk.toolbox.defaults.solid_height = 2.5;
        desk.toolbox.defaults.stair_steps = 7;
        desk.one_step(|desk| {
            desk.sweep((10.0, 20.0), (13.0, 12.0));
        });
        assert_eq!(desk.made().name, name);
        let Kind::Solid(solid) = &desk.made().kind else {
            panic!("a solid");
        };
        assert_eq!(solid.position.truncate(), p(11.5, 16.0));
        assert_eq!(solid.size.z, 2.5);
        let rises = matches!(tool, ToolKind::SolidRamp | ToolKind::SolidStairs);
        let (yaw, depth) = if rises { (-90.0, 8.0) } else { (0.0, 3.0) };
        assert_eq!((solid.rotation.yaw.degrees, solid.size.x), (yaw, depth));
        if tool == ToolKind::SolidStairs {
            assert_eq!(solid.shape, SolidShape::Stairs { steps: 7 });
        }
        let bounds = solid.bounds();
        assert!(bounds.min.distance(p(10.0, 12.0)) < 1e-9);
        assert!(bounds.max.distance(p(13.0, 20.0)) < 1e-9);
    }
}

#[test]
fn the_shape_is_in_the_document_while_it_is_dragged() {
    let mut desk = Desk::open_field().with(ToolKind::Rectangle);
    desk.press(1.0, 1.0).drag(4.0, 4.0);
    assert_eq!(desk.level().obstacles().count(), 1);
    assert_eq!(desk.document.committed_level().obstacles().count(), 0);
    desk.drag(5.0, 5.0).release();
    assert_eq!(desk.level().obstacles().count(), 1);
}

#[test]
fn an_arch_is_higher_than_its_opening() {
    use wayloom::document::{Kind, SolidShape};
    for height in [None, Some(1.4)] {
        let mut desk = Desk::open_field().with(ToolKind::SolidArch);
        if let Some(height) = height {
            desk.toolbox.defaults.arch_height = height;
        }
        desk.sweep((20.0, 20.0), (26.0, 21.0));
        let made = desk
            .level()
            .get(EntityId::new(desk.selected()[0]))
            .expect("made");
        let Kind::Solid(solid) = &made.kind else {
            panic!("a solid");
        };
        let SolidShape::Arch { opening, .. } = &solid.shape else {
            panic!("an arch");
        };
        assert!(
            opening.height <= solid.size.z,
            "{opening:?} {}",
            solid.size.z
        );
        assert_eq!(solid.size.z, height.unwrap_or(2.5));
    }
}
