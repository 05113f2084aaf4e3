//! Moving, turning, stretching and duplicating by dragging.

use crate::desk::{
    AGENT, CRATE, Desk, HOUSE, NO_SNAP, SHED, assert_fast, level, p, rect, with_snap,
};
use std::time::{Duration, Instant};
use wayloom::base::EntityId;
use wayloom::document::{Entity, Goal, Kind, Obstacle};
use wayloom::geometry::Polygon;
use wayloom::interaction::{Event, Key, Modifiers, Primitive, ToolKind};

#[test]
fn dragging_a_shape_selects_and_moves_it_and_its_corner_lands_on_the_grid() {
    let mut desk = Desk::yard();
    desk.one_step(|desk| {
        desk.sweep((15.0, 15.0), (17.6, 61.3));
    });
    assert_eq!(desk.selected(), [HOUSE]);
    assert_eq!(desk.area(HOUSE), &rect(13.0..23.0, 56.0..66.0));
    assert_eq!(desk.last_step(), "Move");
}

#[test]
fn all_that_is_selected_moves_together() {
    let mut desk = Desk::yard();
    desk.select(&[HOUSE, AGENT]);
    desk.one_step(|desk| {
        desk.sweep((15.0, 15.0), (15.0, 18.0));
    });
    assert_eq!(desk.area(HOUSE).bounds().min, p(10.0, 13.0));
    let Kind::Agent(agent) = &desk.get(AGENT).kind else {
        panic!("an agent");
    };
    assert_eq!(agent.start.truncate(), p(70.0, 23.0));
    assert_eq!(agent.mission.goals, [Goal::At(p(90.0, 23.0).extend(0.0))]);
}

#[test]
fn shift_keeps_a_move_on_one_axis_and_ctrl_turns_snapping_off() {
    let mut desk = Desk::yard();
    desk.press(15.0, 15.0);
    desk.hold(Modifiers::SHIFT).drag(17.0, 45.2).release();
    assert_eq!(desk.area(HOUSE).bounds().min, p(10.0, 40.0));
    desk.hold(Modifiers::NONE).press(15.0, 45.0);
    desk.hold(Modifiers::CTRL).drag(15.37, 45.11).release();
    assert_eq!(desk.area(HOUSE).bounds().min, p(10.37, 40.11));
}

#[test]
fn a_drag_there_and_back_is_no_step() {
    let mut desk = Desk::yard();
    desk.no_step(|desk| {
        desk.press(15.0, 15.0)
            .drag(40.0, 40.0)
            .drag(15.0, 15.0)
            .release();
    });
}

#[test]
fn distances_can_be_typed_during_a_move() {
    let mut desk = Desk::yard();
    desk.press(15.0, 15.0)
        .drag(16.0, 15.0)
        .typed("@2.5,-1")
        .release();
    assert_eq!(desk.area(HOUSE).bounds().min, p(12.5, 9.0));
    desk.press(18.0, 14.0)
        .drag(18.0, 15.0)
        .typed("4")
        .key(Key::Backspace)
        .typed("6");
    desk.key(Key::Enter);
    assert_eq!(desk.area(HOUSE).bounds().min, p(12.5, 15.0));
    assert!(!desk.document.in_transaction());
    desk.release();
}

#[test]
fn alt_drags_off_a_copy_with_a_name_of_its_own() {
    let mut desk = Desk::yard();
    desk.select(&[HOUSE, SHED]);
    desk.one_step(|desk| {
        desk.hold(Modifiers::ALT).press(15.0, 15.0);
        desk.hold(Modifiers::NONE).drag(15.0, 65.0).release();
    });
    assert_eq!(desk.level().obstacles().count(), 5);
    assert_eq!(desk.area(HOUSE), &rect(10.0..20.0, 10.0..20.0));
    let copies = desk.selected();
    assert_eq!(copies.len(), 2);
    assert!(!copies.contains(&HOUSE));
    assert_eq!(desk.area(copies[0]), &rect(10.0..20.0, 60.0..70.0));
    assert_eq!(desk.get(copies[0]).name, "House 1");
    assert_eq!(desk.last_step(), "Duplicate");
}

#[test]
fn a_group_copied_whole_becomes_a_group_of_its_own() {
    let member = |x: f64| {
        let obstacle = Obstacle::new(rect(x..x + 4.0, 10.0..14.0));
        let mut entity = Entity::new("Post 1", Kind::Obstacle(obstacle));
        entity.group = Some(EntityId::new(9));
        entity
    };
    let mut desk = Desk::new(level(vec![
        (1, member(10.0)),
        (2, member(20.0)),
        (9, Entity::new("Gate", Kind::Group)),
    ]));
    desk.one_step(|desk| {
        desk.hold(Modifiers::ALT)
            .press(12.0, 12.0)
            .drag(12.0, 32.0)
            .release();
    });
    let copies = desk.selected();
    assert_eq!(copies.len(), 2);
    let groups: Vec<_> = copies.iter().map(|id| desk.get(*id).group).collect();
    assert_eq!(groups[0], groups[1]);
    assert_ne!(groups[0], Some(EntityId::new(9)));
    assert_eq!(desk.level().label(groups[0].expect("a group")), "Gate 1");
    // One of them alone stays where it belongs.
    desk.select(&[1]);
    desk.press(12.0, 12.0).drag(12.0, 52.0).release();
    assert_eq!(desk.made().group, Some(EntityId::new(9)));
}

#[test]
fn a_cancelled_copy_leaves_nothing_and_selects_the_original_again() {
    let mut desk = Desk::yard();
    desk.select(&[HOUSE]);
    desk.no_step(|desk| {
        desk.hold(Modifiers::ALT).press(15.0, 15.0).drag(15.0, 65.0);
        assert_eq!(desk.level().obstacles().count(), 4);
        desk.esc().release();
    });
    assert_eq!(desk.selected(), [HOUSE]);
}

#[test]
fn arrows_of_the_move_tool_keep_to_their_axis() {
    let mut desk = Desk::yard().with(ToolKind::Move);
    desk.select(&[HOUSE]);
    desk.one_step(|desk| {
        desk.sweep((19.8, 15.0), (26.8, 33.0));
    });
    assert_eq!(desk.area(HOUSE).bounds().min, p(17.0, 10.0));
    desk.one_step(|desk| {
        desk.sweep((22.0, 19.8), (40.0, 39.8));
    });
    assert_eq!(desk.area(HOUSE).bounds().min, p(17.0, 30.0));
}

#[test]
fn the_ring_turns_about_the_centre_in_whole_degrees() {
    let mut desk = Desk::yard().with(ToolKind::Rotate);
    desk.select(&[HOUSE]);
    let radius = 50_f64.sqrt() + 1.4;
    desk.one_step(|desk| {
        desk.press(15.0 + radius, 15.0)
            .drag(15.1, 15.0 + radius)
            .release();
    });
    let turned = desk.area(HOUSE);
    let side = turned.outer[1] - turned.outer[0];
    let degrees = side.y.atan2(side.x).to_degrees();
    assert!(
        (degrees - 89.0).abs() < 1e-4,
        "{degrees}° is not rounded from 89.3°"
    );
    desk.document.undo();
    desk.select(&[HOUSE]);
    desk.press(15.0 + radius, 15.0).typed("90").release();
    assert_eq!(
        desk.area(HOUSE).bounds(),
        rect(10.0..20.0, 10.0..20.0).bounds()
    );
    let Kind::Obstacle(obstacle) = &desk.get(HOUSE).kind else {
        panic!("an obstacle");
    };
    assert_eq!(obstacle.facing.degrees, 90.0);
}

#[test]
fn shift_turns_in_steps_of_fifteen_degrees() {
    let mut desk = Desk::yard().with(ToolKind::Rotate);
    desk.select(&[CRATE]);
    // The knob above the crate: its ring is the smallest there is.
    desk.press(15.0, 35.0 + 3.64).hold(Modifiers::SHIFT);
    desk.drag(11.0, 39.0).release();
    let Kind::Solid(solid) = &desk.get(CRATE).kind else {
        panic!("a solid");
    };
    assert_eq!(solid.rotation.yaw.degrees, 45.0);
}

#[test]
fn scale_handles_stretch_towards_the_pointer_and_hold_the_opposite_side() {
    let mut desk = Desk::yard().with(ToolKind::Scale);
    desk.select(&[HOUSE]);
    desk.one_step(|desk| {
        desk.sweep((20.0, 15.0), (25.0, 18.0));
    });
    assert_eq!(desk.area(HOUSE), &rect(10.0..25.0, 10.0..20.0));
    desk.one_step(|desk| {
        desk.sweep((10.0, 10.0), (5.0, 4.0));
    });
    assert_eq!(desk.area(HOUSE), &rect(5.0..25.0, 4.0..20.0));
    desk.press(25.0, 12.0).hold(Modifiers::ALT);
    desk.drag(26.0, 12.0).release();
    assert_eq!(desk.area(HOUSE), &rect(4.0..26.0, 4.0..20.0));
    desk.hold(Modifiers::NONE)
        .press(26.0, 20.0)
        .hold(Modifiers::SHIFT);
    desk.drag(37.0, 28.0).release();
    assert_eq!(desk.area(HOUSE).bounds().size(), p(33.0, 24.0));
}

#[test]
fn factors_and_sizes_can_be_typed_during_a_stretch() {
    let mut desk = Desk::yard().with(ToolKind::Scale);
    desk.select(&[SHED]);
    desk.press(36.0, 16.0).typed("2").release();
    assert_eq!(desk.area(SHED), &rect(30.0..42.0, 10.0..22.0));
    desk.press(42.0, 22.0).typed("3,4").release();
    assert_eq!(desk.area(SHED), &rect(30.0..33.0, 10.0..14.0));
}

#[test]
fn nothing_is_squashed_flat_and_dragging_past_the_other_side_mirrors() {
    let mut desk = Desk::yard().with(ToolKind::Scale);
    desk.select(&[HOUSE]);
    desk.press(20.0, 15.0).drag(15.0, 15.0).drag(10.0, 15.0);
    assert_eq!(desk.area(HOUSE).bounds().size().x, 5.0);
    desk.drag(4.0, 15.0).release();
    assert_eq!(
        desk.area(HOUSE).bounds(),
        rect(4.0..10.0, 10.0..20.0).bounds()
    );
    assert!(wayloom::geometry::polygon::signed_area(&desk.area(HOUSE).outer) > 0.0);
}

#[test]
fn a_moved_shape_snaps_to_others_but_not_to_itself() {
    let mut desk = Desk::yard();
    // Its right edge comes near the shed's left one.
    desk.press(19.5, 10.5).drag(29.2, 10.9);
    let marks = desk
        .overlay()
        .primitives
        .into_iter()
        .filter(|primitive| matches!(primitive, Primitive::Snap { .. }))
        .count();
    assert_eq!(marks, 1);
    desk.release();
    assert_eq!(desk.area(HOUSE).bounds().max.x, 30.0);
    assert_eq!(desk.area(HOUSE).bounds().min.y, 10.0);
}

#[test]
fn a_drag_out_of_the_world_stops_at_its_edge() {
    let mut desk = Desk::new(with_snap(Desk::yard().level(), NO_SNAP));
    desk.press(15.0, 15.0)
        .drag(20.0, 15.0)
        .drag(5e6, 15.0)
        .release();
    assert_eq!(desk.area(HOUSE).bounds().min.x, 15.0);
    desk.press(20.0, 15.0)
        .drag(f64::NAN, f64::INFINITY)
        .release();
    assert!(desk.area(HOUSE).points().all(|p| p.is_finite()));
}

#[test]
fn losing_the_focus_cancels_a_drag() {
    let mut desk = Desk::yard();
    desk.no_step(|desk| {
        desk.press(15.0, 15.0).drag(50.0, 50.0);
        desk.send(Event::FocusLost);
        desk.drag(60.0, 60.0).release();
    });
}

#[test]
fn ctrl_z_during_a_drag_cancels_the_drag_alone() {
    let mut desk = Desk::yard();
    desk.sweep((15.0, 15.0), (15.0, 60.0));
    desk.no_step(|desk| {
        desk.press(15.0, 60.0)
            .drag(50.0, 50.0)
            .key(Key::Undo)
            .drag(1.0, 1.0)
            .release();
    });
    assert_eq!(desk.area(HOUSE).bounds().min, p(10.0, 55.0));
}

#[test]
fn dragging_one_of_many_objects_stays_within_the_frame_budget() {
    let mut entities = Vec::new();
    for i in 0..2000_u64 {
        let (x, y) = ((i % 50) as f64 * 4.0, (i / 50) as f64 * 4.0);
        let ring = Polygon::regular(p(x, y), 1.5, 10, 0.0);
        let obstacle = Obstacle::new(ring);
        entities.push((i + 1, Entity::new("", Kind::Obstacle(obstacle))));
    }
    let mut desk = Desk::new(level(entities));
    desk.press(0.0, 0.0).drag(1.0, 1.0);
    let start = Instant::now();
    for i in 0..50 {
        desk.drag(1.0 + f64::from(i) * 0.1, 1.0);
    }
    let each = start.elapsed() / 50;
    assert_fast(
        "one of 2000 things dragged",
        each,
        Duration::from_millis(100),
    );
    desk.release();
    assert_eq!(desk.steps(), 1);
}
