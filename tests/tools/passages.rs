//! Doors, links, queues, exits, waiting areas and measurements: drawn, changed and undone.

use crate::desk::{Desk, p};
use wayloom::document::{DoorState, Kind, LinkAction, LinkDirection, MeasureShape};
use wayloom::interaction::{Key, ToolKind};

#[test]
fn a_door_is_two_clicks_or_one_drag_and_one_step() {
    for dragged in [false, true] {
        let mut desk = Desk::open_field().with(ToolKind::Door);
        desk.toolbox.defaults.door = DoorState::Shut;
        if dragged {
            desk.one_step(|desk| {
                desk.press(10.0, 10.0).drag(12.0, 10.0).release();
            });
        } else {
            desk.no_step(|desk| {
                desk.click(10.0, 10.0);
            });
            desk.one_step(|desk| {
                desk.click(12.0, 10.0);
            });
        }
        let Kind::Door(door) = &desk.made().kind else {
            panic!("a door")
        };
        assert_eq!(door.jambs, [p(10.0, 10.0), p(12.0, 10.0)]);
        assert_eq!((door.width(), door.state), (2.0, DoorState::Shut));
        assert_eq!(desk.made().name, "Door 1");
    }
}

#[test]
fn a_door_of_no_width_is_not_made_and_escape_discards_one_jamb() {
    let mut desk = Desk::open_field().with(ToolKind::Door);
    desk.no_step(|desk| {
        desk.click(10.0, 10.0).click(10.0, 10.0);
        desk.esc();
    });
    assert!(desk.level().doors().next().is_none());
    desk.one_step(|desk| {
        desk.clicks(&[(20.0, 10.0), (21.0, 10.0)]);
    });
    assert_eq!(desk.level().doors().count(), 1);
}

#[test]
fn links_and_measuring_lines_have_two_ends() {
    let mut desk = Desk::open_field().with(ToolKind::Link);
    desk.toolbox.defaults.link = LinkAction::Drop;
    desk.one_step(|desk| {
        desk.clicks(&[(10.0, 10.0), (14.0, 10.0)]);
    });
    let Kind::Link(link) = &desk.made().kind else {
        panic!("a link")
    };
    assert_eq!(link.action, LinkAction::Drop);
    assert_eq!(link.direction, LinkDirection::OneWay, "down only");
    assert_eq!(link.length(), 4.0);

    let mut desk = Desk::open_field().with(ToolKind::MeasuringLine);
    desk.one_step(|desk| {
        desk.clicks(&[(10.0, 10.0), (10.0, 14.0)]);
    });
    let Kind::Measure(measure) = &desk.made().kind else {
        panic!("a measurement")
    };
    assert_eq!(
        measure.shape,
        MeasureShape::Line([p(10.0, 10.0), p(10.0, 14.0)])
    );
}

#[test]
fn a_queue_goes_on_until_it_is_ended() {
    let mut desk = Desk::open_field().with(ToolKind::Queue);
    desk.no_step(|desk| {
        desk.clicks(&[(10.0, 10.0), (14.0, 10.0), (14.0, 14.0)]);
    });
    desk.one_step(|desk| {
        desk.key(Key::Enter);
    });
    let Kind::Queue(queue) = &desk.made().kind else {
        panic!("a queue")
    };
    assert_eq!(queue.line.len(), 3);
    assert_eq!(queue.slots()[0], p(10.0, 10.0), "the counter comes first");
}

#[test]
fn areas_for_crowds_are_outlines() {
    for (tool, name) in [
        (ToolKind::Exit, "Exit 1"),
        (ToolKind::WaitingArea, "Waiting area 1"),
        (ToolKind::MeasuringArea, "Measured area 1"),
    ] {
        let mut desk = Desk::open_field().with(tool);
        desk.one_step(|desk| {
            desk.clicks(&[(10.0, 10.0), (14.0, 10.0), (14.0, 14.0)]);
            desk.key(Key::Enter);
        });
        assert_eq!(desk.made().name, name);
        let area = match &desk.made().kind {
            Kind::Exit(exit) => exit.area.area(),
            Kind::WaitingArea(waiting) => waiting.area.area(),
            Kind::Measure(measure) => match &measure.shape {
                MeasureShape::Area(area) => area.area(),
                MeasureShape::Line(_) => panic!("an area"),
            },
            _ => panic!("{tool:?}"),
        };
        assert_eq!(area, 8.0);
    }
}

#[test]
fn a_door_is_picked_at_its_line_moved_and_brought_back() {
    let mut desk = Desk::open_field().with(ToolKind::Door);
    desk.clicks(&[(10.0, 10.0), (12.0, 10.0)]);
    let door = desk.selected();
    let mut desk = desk.with(ToolKind::Select);
    desk.click(40.0, 40.0);
    assert!(desk.selected().is_empty());
    desk.click(11.0, 10.0);
    assert_eq!(desk.selected(), door);
    desk.one_step(|desk| {
        desk.press(11.0, 10.0).drag(11.0, 15.0).release();
    });
    let jambs = |desk: &Desk| desk.level().doors().next().map(|(.., door)| door.jambs);
    assert_eq!(jambs(&desk), Some([p(10.0, 15.0), p(12.0, 15.0)]));
    desk.document.undo();
    assert_eq!(jambs(&desk), Some([p(10.0, 10.0), p(12.0, 10.0)]));
}

#[test]
fn every_new_tool_says_what_to_do_next() {
    for tool in [
        ToolKind::Door,
        ToolKind::Link,
        ToolKind::MeasuringLine,
        ToolKind::Queue,
        ToolKind::Exit,
        ToolKind::WaitingArea,
        ToolKind::MeasuringArea,
    ] {
        let mut desk = Desk::open_field().with(tool);
        let first = desk.hints();
        desk.click(10.0, 10.0);
        assert_ne!(desk.hints(), first, "{tool:?}");
    }
}
