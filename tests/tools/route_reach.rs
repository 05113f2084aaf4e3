//! σ and d of a route, dragged on the route itself.

use crate::desk::{CURVE, Desk, HOUSE, ROUTE};
use wayloom::document::{Kind, Route};
use wayloom::interaction::{Key, Modifiers, Primitive, ToolKind};

/// The handles stand so far beside the line at ten points to the metre.
const STALK: f64 = 1.6;

fn route(desk: &Desk) -> &Route {
    match &desk.get(ROUTE).kind {
        Kind::Route(route) => route,
        _ => panic!("a route"),
    }
}

fn labels(desk: &Desk) -> Vec<String> {
    let is_label = |primitive: &Primitive| match primitive {
        Primitive::Label { text, .. } => Some(text.clone()),
        _ => None,
    };
    desk.overlay()
        .primitives
        .iter()
        .filter_map(is_label)
        .collect()
}

/// The yard's route is 40 m long: 20 m to the right, then 20 m up; σ is 40 m, d is 10 m.
fn selected(tool: ToolKind) -> Desk {
    let mut desk = Desk::yard().with(tool);
    desk.select(&[ROUTE]);
    desk
}

#[test]
fn both_handles_are_there_for_the_one_selected_route() {
    let mut desk = selected(ToolKind::Select);
    assert_eq!(labels(&desk), ["σ 40 m", "d 10 m"]);
    for (selection, tool) in [
        (vec![HOUSE], ToolKind::Select),
        (vec![ROUTE, CURVE], ToolKind::Select),
        (vec![], ToolKind::Select),
        (vec![ROUTE], ToolKind::Measure),
    ] {
        desk.tool(tool).select(&selection);
        assert!(labels(&desk).is_empty(), "{selection:?} {tool:?}");
    }
}

#[test]
fn a_drag_along_the_route_sets_d_in_one_step() {
    let mut desk = selected(ToolKind::Select);
    desk.one_step(|desk| {
        desk.press(20.0, 70.0 - STALK)
            .drag(17.0, 68.0)
            .drag(14.0, 69.0)
            .release();
    });
    assert_eq!(route(&desk).sample_step, 4.0);
    assert_eq!(desk.last_step(), "Set sampling");
    assert_eq!(labels(&desk), ["σ 40 m", "d 4 m"]);
}

#[test]
fn sigma_follows_the_route_around_its_corner_and_beyond_its_end() {
    for tool in [
        ToolKind::Select,
        ToolKind::Vertices,
        ToolKind::RoutePolyline,
        ToolKind::RouteFreehand,
        ToolKind::RouteBezier,
    ] {
        let mut desk = selected(tool);
        let handle = (30.0 - STALK, 90.0);
        desk.one_step(|desk| {
            desk.sweep(handle, (handle.0, 82.0));
        });
        assert_eq!(route(&desk).look_ahead, 32.0, "{tool:?}");
        // Around the corner, onto the first piece.
        desk.one_step(|desk| {
            desk.press(handle.0, 82.0)
                .drag(30.0 - STALK, 72.0)
                .drag(24.0 - STALK, 70.0)
                .release();
        });
        assert_eq!(route(&desk).look_ahead, 14.0, "{tool:?}");
        desk.document.undo();
        desk.document.undo();
        desk.one_step(|desk| {
            desk.sweep(handle, (handle.0, 96.0));
        });
        assert_eq!(route(&desk).look_ahead, 46.0, "{tool:?}");
        assert_eq!(desk.selected(), [ROUTE], "nothing else was drawn");
    }
}

#[test]
fn the_two_never_pass_each_other_and_say_so() {
    let mut desk = selected(ToolKind::Select);
    desk.press(30.0 - STALK, 90.0)
        .drag(30.0 - STALK, 72.0)
        .drag(12.0, 70.0);
    assert_eq!(route(&desk).look_ahead, 10.0);
    assert!(desk.trouble().contains("cannot be shorter than d"));
    desk.esc().release();
    assert_eq!(route(&desk).look_ahead, 40.0);
    desk.no_step(|desk| {
        desk.press(20.0, 70.0 - STALK)
            .drag(15.0, 70.0)
            .esc()
            .release();
    });
}

#[test]
fn an_exact_length_can_be_typed() {
    let mut desk = selected(ToolKind::Select);
    desk.one_step(|desk| {
        desk.press(20.0, 70.0 - STALK).drag(18.0, 68.0);
        desk.typed("2.575").key(Key::Enter).release();
    });
    assert_eq!(route(&desk).sample_step, 2.575);
    desk.one_step(|desk| {
        desk.press(30.0 - STALK, 90.0).drag(30.0 - STALK, 89.0);
        desk.typed("1250").key(Key::Enter).release();
    });
    assert_eq!(route(&desk).look_ahead, 1250.0);
}

#[test]
fn ctrl_gives_centimetres() {
    let mut desk = selected(ToolKind::Select);
    desk.hold(Modifiers::CTRL).one_step(|desk| {
        desk.sweep((20.0, 70.0 - STALK), (17.77, 70.0 - STALK));
    });
    assert_eq!(route(&desk).sample_step, 7.77);
}

#[test]
fn a_sketch_in_progress_owns_the_pointer() {
    let mut desk = selected(ToolKind::RoutePolyline);
    desk.click(5.0, 5.0);
    assert!(labels(&desk).iter().all(|label| !label.starts_with('σ')));
    let before = route(&desk).clone();
    desk.sweep((20.0, 70.0 - STALK), (14.0, 70.0));
    assert_eq!(route(&desk), &before);
}
