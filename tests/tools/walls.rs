//! Walls, the doors in them, and the rooms that they enclose.

use crate::desk::{Desk, p};
use wayloom::base::EntityId;
use wayloom::document::{Annotation, Door, Kind, Wall, ops};
use wayloom::interaction::operations::{OperationInput, delete};
use wayloom::interaction::{Key, ToolKind};

fn wall(desk: &Desk) -> &Wall {
    let (.., wall) = desk.level().walls().next().expect("a wall");
    wall
}

fn doors(desk: &Desk) -> Vec<&Door> {
    desk.level().doors().map(|(.., door)| door).collect()
}

/// A house of ten by five metres.
fn house() -> Desk {
    let mut desk = Desk::open_field().with(ToolKind::Wall);
    desk.one_step(|desk| {
        desk.press(10.0, 10.0).drag(20.0, 15.0).release();
    });
    desk
}

#[test]
fn a_drag_draws_a_room_and_clicks_draw_a_line() {
    let desk = house();
    assert!(wall(&desk).closed);
    assert_eq!(wall(&desk).line.len(), 4);
    assert_eq!(desk.made().name, "Wall 1");

    let mut desk = Desk::open_field().with(ToolKind::Wall);
    desk.toolbox.defaults.wall_thickness = 0.3;
    desk.one_step(|desk| {
        desk.clicks(&[(10.0, 10.0), (20.0, 10.0), (20.0, 15.0)])
            .key(Key::Enter);
    });
    assert!(!wall(&desk).closed);
    assert_eq!(
        wall(&desk).line,
        [p(10.0, 10.0), p(20.0, 10.0), p(20.0, 15.0)]
    );
    assert_eq!(wall(&desk).thickness, 0.3);
}

#[test]
fn clicking_the_first_corner_closes_the_wall() {
    let mut desk = Desk::open_field().with(ToolKind::Wall);
    desk.one_step(|desk| {
        desk.clicks(&[(10.0, 10.0), (20.0, 10.0), (20.0, 15.0), (10.0, 10.0)]);
    });
    assert!(wall(&desk).closed);
    assert_eq!(wall(&desk).line.len(), 3);
}

#[test]
fn a_click_on_a_wall_puts_a_door_into_it() {
    let mut desk = house().with(ToolKind::Door);
    desk.one_step(|desk| {
        desk.click(14.0, 10.05);
    });
    assert_eq!(doors(&desk)[0].jambs, [p(13.5, 10.0), p(14.5, 10.0)]);
    assert!(doors(&desk)[0].wall.is_some());
    desk.one_step(|desk| {
        desk.press(20.0, 11.0).drag(20.0, 12.5).release();
    });
    assert_eq!(doors(&desk)[1].jambs, [p(20.0, 11.0), p(20.0, 12.5)]);
    assert!(doors(&desk)[1].wall.is_some(), "drawn within the wall");
    assert_eq!(
        desk.level().obstacles().count(),
        2,
        "two doors cut the ring in two"
    );
}

#[test]
fn a_door_slides_along_its_wall_and_follows_it() {
    let mut desk = house().with(ToolKind::Door);
    desk.click(14.0, 10.0);
    desk.tool(ToolKind::Select);
    desk.one_step(|desk| {
        desk.press(14.0, 10.0).drag(17.0, 12.0).release();
    });
    // A jamb on the grid.
    assert_eq!(doors(&desk)[0].jambs, [p(17.0, 10.0), p(18.0, 10.0)]);
    desk.esc();
    desk.one_step(|desk| {
        desk.press(20.0, 14.0).drag(20.0, 24.0).release();
    });
    assert_eq!(
        wall(&desk).line[0],
        p(10.0, 20.0),
        "a piece stands for its wall"
    );
    assert_eq!(doors(&desk)[0].jambs, [p(17.0, 20.0), p(18.0, 20.0)]);
    let on = OperationInput {
        level: desk.level(),
        selection: desk.selection(),
        next_id: EntityId::new(1_000),
    };
    let change = delete(&on).expect("it can be deleted");
    let without = ops::apply(desk.level(), &change.edits).expect("valid");
    assert_eq!(
        without.drawn().count() + 2,
        desk.level().drawn().count(),
        "its door goes with it"
    );
    assert_eq!(without.obstacles().count(), 0);
}

#[test]
fn a_copy_of_a_wall_has_its_doors() {
    let mut desk = house().with(ToolKind::Door);
    desk.click(14.0, 10.0);
    let ids: Vec<EntityId> = desk.level().walls().map(|(id, ..)| id).collect();
    desk.tool(ToolKind::Select).select(&[ids[0].number()]);
    desk.hold(wayloom::interaction::Modifiers::ALT);
    desk.one_step(|desk| {
        desk.press(20.0, 14.0).drag(20.0, 44.0).release();
    });
    assert_eq!(desk.level().walls().count(), 2);
    let copied = doors(&desk)[1];
    assert_eq!(copied.jambs, [p(13.5, 40.0), p(14.5, 40.0)]);
    assert_ne!(copied.wall, Some(ids[0]), "it stands in the copy");
}

#[test]
fn a_room_is_named_and_gets_a_floor() {
    let mut desk = house().with(ToolKind::Wall);
    desk.one_step(|desk| {
        desk.clicks(&[(15.0, 10.0), (15.0, 15.0)]).key(Key::Enter);
    });
    desk.tool(ToolKind::Room);
    desk.hover(12.0, 12.0);
    let shown = format!("{:?}", desk.overlay());
    assert!(shown.contains("23.0 m²"), "{shown}");
    desk.toolbox.defaults.room_floor = true;
    desk.one_step(|desk| {
        desk.click(12.0, 12.0);
    });
    let Kind::Annotation(Annotation::Area(area)) = &desk.made().kind else {
        panic!("an area")
    };
    assert!((area.area() - 4.8 * 4.8).abs() < 1e-6);
    let (.., floor) = desk.level().regions().last().expect("a floor");
    assert_eq!(&floor.area, area);
    desk.no_step(|desk| {
        desk.click(40.0, 40.0);
    });
}
