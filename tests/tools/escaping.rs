//! Esc in stages, tool switches, and what is left behind: nothing.

use crate::desk::{Desk, HOUSE};
use wayloom::interaction::{Event, Handled, Key, Modifiers, ToolKind};

#[test]
fn esc_takes_back_drag_points_tool_and_selection_in_turn_and_then_does_nothing() {
    let mut desk = Desk::yard();
    desk.select(&[HOUSE]).tool(ToolKind::Polygon);
    desk.no_step(|desk| {
        desk.clicks(&[(50.0, 5.0), (60.0, 5.0)]);
        desk.press(60.0, 8.0).drag(65.0, 8.0);
        desk.typed("12");
        assert!(desk.toolbox.is_dragging());
        desk.esc();
        assert!(!desk.toolbox.is_dragging());
        assert_eq!(
            desk.hints().lead,
            "Click the next corner",
            "two corners are left"
        );
        desk.release();
        desk.typed("7");
        desk.esc();
        assert_eq!(desk.hints().entry, None, "first what was typed");
        assert_eq!(desk.hints().lead, "Click the next corner");
        desk.esc();
        assert_eq!(desk.hints().lead, "Click the first corner");
        assert_eq!(desk.toolbox.current(), ToolKind::Polygon);
        desk.esc();
        assert_eq!(desk.toolbox.current(), ToolKind::Select);
        assert_eq!(desk.selected(), [HOUSE]);
        assert_eq!(desk.send(Event::Escape), Handled::Yes);
        assert!(desk.selected().is_empty());
        assert_eq!(desk.send(Event::Escape), Handled::No);
    });
}

type Place = (f64, f64);

/// A drag with each tool over a place where it does something.
const DRAGS: [(ToolKind, Place, Place); 42] = [
    (ToolKind::Select, (15.0, 15.0), (18.0, 63.0)),
    (ToolKind::Move, (15.0, 15.0), (18.0, 63.0)),
    (ToolKind::Rotate, (15.0, 23.4), (7.0, 15.0)),
    (ToolKind::Scale, (20.0, 20.0), (25.0, 25.0)),
    (ToolKind::Vertices, (20.0, 20.0), (25.0, 25.0)),
    (ToolKind::Wall, (50.0, 5.0), (60.0, 15.0)),
    (ToolKind::Rectangle, (50.0, 5.0), (60.0, 15.0)),
    (ToolKind::Polygon, (50.0, 5.0), (60.0, 15.0)),
    (ToolKind::Ellipse, (50.0, 5.0), (60.0, 15.0)),
    (ToolKind::RegularPolygon, (50.0, 5.0), (60.0, 15.0)),
    (ToolKind::Freehand, (50.0, 5.0), (60.0, 15.0)),
    (ToolKind::Hole, (12.0, 12.0), (14.0, 12.0)),
    (ToolKind::Knife, (15.0, 5.0), (15.0, 25.0)),
    (ToolKind::TerrainBrush, (50.0, 5.0), (60.0, 15.0)),
    (ToolKind::TerrainPolygon, (50.0, 5.0), (60.0, 15.0)),
    (ToolKind::HeightBrush, (50.0, 5.0), (60.0, 15.0)),
    (ToolKind::RoutePolyline, (50.0, 5.0), (60.0, 15.0)),
    (ToolKind::RouteFreehand, (50.0, 5.0), (60.0, 15.0)),
    (ToolKind::RouteBezier, (50.0, 5.0), (60.0, 15.0)),
    (ToolKind::AnnotationArea, (50.0, 5.0), (60.0, 15.0)),
    (ToolKind::AnnotationRelation, (15.0, 15.0), (16.0, 30.0)),
    (ToolKind::TagForbidden, (15.0, 15.0), (16.0, 30.0)),
    (ToolKind::Door, (50.0, 5.0), (60.0, 15.0)),
    (ToolKind::Room, (50.0, 5.0), (60.0, 15.0)),
    (ToolKind::Link, (50.0, 5.0), (60.0, 15.0)),
    (ToolKind::Agent, (50.0, 5.0), (60.0, 15.0)),
    (ToolKind::CrowdArea, (50.0, 5.0), (60.0, 15.0)),
    (ToolKind::Exit, (50.0, 5.0), (60.0, 15.0)),
    (ToolKind::WaitingArea, (50.0, 5.0), (60.0, 15.0)),
    (ToolKind::Queue, (50.0, 5.0), (60.0, 15.0)),
    (ToolKind::Furniture, (50.0, 5.0), (60.0, 15.0)),
    (ToolKind::SolidBox, (50.0, 5.0), (60.0, 15.0)),
    (ToolKind::SolidRamp, (50.0, 5.0), (60.0, 15.0)),
    (ToolKind::SolidStairs, (50.0, 5.0), (60.0, 15.0)),
    (ToolKind::SolidCylinder, (50.0, 5.0), (60.0, 15.0)),
    (ToolKind::SolidArch, (50.0, 5.0), (60.0, 15.0)),
    (ToolKind::SolidPlatform, (50.0, 5.0), (60.0, 15.0)),
    (ToolKind::Measure, (50.0, 5.0), (60.0, 15.0)),
    (ToolKind::MeasuringLine, (50.0, 5.0), (60.0, 15.0)),
    (ToolKind::MeasuringArea, (50.0, 5.0), (60.0, 15.0)),
    (ToolKind::WhyNot, (50.0, 5.0), (60.0, 15.0)),
    (ToolKind::Note, (50.0, 5.0), (60.0, 15.0)),
];

fn mid_drag(tool: ToolKind, from: (f64, f64), to: (f64, f64)) -> Desk {
    let mut desk = Desk::yard();
    desk.select(&[HOUSE]).tool(tool);
    desk.press(from.0, from.1).drag(to.0, to.1);
    desk
}

#[test]
fn every_tool_has_a_drag_here() {
    assert_eq!(DRAGS.map(|(tool, ..)| tool), ToolKind::ALL);
}

#[test]
fn esc_during_any_drag_restores_the_document_exactly() {
    for (tool, from, to) in DRAGS {
        let before = Desk::yard().text();
        let mut desk = mid_drag(tool, from, to);
        desk.esc();
        assert_eq!(desk.text(), before, "{tool:?}");
        assert!(!desk.document.in_transaction(), "{tool:?}");
        assert_eq!(desk.selected(), [HOUSE], "{tool:?}");
        desk.drag(70.0, 70.0).release();
        assert_eq!(
            desk.text(),
            before,
            "{tool:?}: the rest of the drag counts for nothing"
        );
        assert_eq!(desk.steps(), 0, "{tool:?}");
    }
}

#[test]
fn switching_tools_during_any_drag_restores_the_document_exactly() {
    for (tool, from, to) in DRAGS {
        for other in [ToolKind::Measure, ToolKind::Note] {
            if other == tool {
                continue;
            }
            let before = Desk::yard().text();
            let mut desk = mid_drag(tool, from, to);
            desk.tool(other);
            assert_eq!(desk.text(), before, "{tool:?}");
            assert!(!desk.document.in_transaction(), "{tool:?}");
            desk.release();
            assert_eq!(desk.text(), before, "{tool:?}");
        }
    }
}

#[test]
fn every_finished_drag_is_at_most_one_step_and_undoes_to_the_last_byte() {
    for (tool, from, to) in DRAGS {
        let mut desk = Desk::yard();
        desk.select(&[HOUSE]).tool(tool);
        let before = desk.text();
        desk.sweep(from, to);
        assert!(!desk.document.in_transaction(), "{tool:?}");
        assert!(desk.steps() <= 1, "{tool:?}");
        let makes = !matches!(
            tool,
            ToolKind::Polygon
                | ToolKind::Hole
                | ToolKind::RoutePolyline
                | ToolKind::RouteBezier
                | ToolKind::Measure
                | ToolKind::WhyNot
                | ToolKind::Note
                | ToolKind::AnnotationRelation
                | ToolKind::TagForbidden
                | ToolKind::Freehand
                | ToolKind::Queue
                | ToolKind::Room
        );
        assert_eq!(desk.steps() == 1, makes, "{tool:?}");
        assert_eq!(desk.text() != before, makes, "{tool:?}");
        desk.document.undo();
        assert_eq!(desk.text(), before, "{tool:?}");
    }
}

#[test]
fn points_in_progress_do_not_survive_a_tool_switch() {
    let mut desk = Desk::open_field().with(ToolKind::Polygon);
    desk.clicks(&[(1.0, 1.0), (5.0, 1.0), (5.0, 5.0)]);
    desk.tool(ToolKind::Select).tool(ToolKind::Polygon);
    desk.no_step(|desk| {
        desk.key(Key::Enter);
    });
    assert_eq!(desk.hints().lead, "Click the first corner");
}

#[test]
fn a_shaky_click_is_a_click_for_tools_that_know_no_drag() {
    let mut desk = Desk::yard().with(ToolKind::Note);
    desk.one_step(|desk| {
        desk.press(50.0, 5.0).drag(50.3, 5.2).release();
    });
    let mut desk = Desk::yard().with(ToolKind::Polygon);
    desk.press(50.0, 5.0).drag(50.3, 5.2).release();
    assert_eq!(desk.hints().lead, "Click the next corner");
}

#[test]
fn every_tool_says_something_useful_at_rest_and_in_a_drag() {
    for (tool, from, to) in DRAGS {
        let mut desk = Desk::yard().with(tool);
        desk.hover(from.0, from.1);
        assert!(desk.hints().lead.len() > 3, "{tool:?}");
        desk.press(from.0, from.1).drag(to.0, to.1);
        assert!(desk.hints().lead.len() > 3, "{tool:?}");
        desk.overlay();
        desk.send(Event::Leave);
        desk.esc();
    }
}

#[test]
fn letters_are_left_to_the_editor() {
    for tool in ToolKind::ALL {
        let mut desk = Desk::yard().with(tool);
        desk.hover(50.0, 5.0);
        assert_eq!(
            desk.send(Event::Text("w".to_owned())),
            Handled::No,
            "{tool:?}"
        );
        assert_eq!(
            desk.send(Event::Text(" ".to_owned())),
            Handled::No,
            "{tool:?}"
        );
        let undo = desk.send(Event::Key(Key::Undo, Modifiers::CTRL));
        assert_eq!(undo, Handled::No, "{tool:?}");
    }
}
