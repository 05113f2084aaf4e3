//! The vertex tool: corners, holes, anchors, curve handles, starts and goals.

use crate::desk::{AGENT, ATRIUM, CROWD, CURVE, Desk, HOUSE, ROUTE, SHED, p, polyline, rect};
use wayloom::document::{Goal, Kind, Knot, Route, RouteShape};
use wayloom::interaction::{Event, HandleState, Handled, Key, Modifiers, Primitive, ToolKind};

fn editing(id: u64) -> Desk {
    let mut desk = Desk::yard().with(ToolKind::Vertices);
    desk.select(&[id]);
    desk
}

fn selected_handles(desk: &Desk) -> usize {
    desk.overlay()
        .primitives
        .iter()
        .filter(|primitive| {
            matches!(
                primitive,
                Primitive::Handle {
                    state: HandleState::Selected,
                    ..
                }
            )
        })
        .count()
}

fn knots(desk: &Desk) -> &[Knot] {
    match &desk.get(CURVE).kind {
        Kind::Route(Route {
            shape: RouteShape::Bezier(knots),
            ..
        }) => knots,
        _ => panic!("a curve"),
    }
}

#[test]
fn a_corner_follows_the_pointer_and_snaps() {
    let mut desk = editing(HOUSE);
    desk.one_step(|desk| {
        desk.sweep((20.2, 19.9), (24.3, 26.8));
    });
    assert_eq!(
        desk.area(HOUSE).outer,
        [p(10.0, 10.0), p(20.0, 10.0), p(24.0, 27.0), p(10.0, 20.0)]
    );
}

#[test]
fn corners_of_holes_are_corners() {
    let mut desk = editing(ATRIUM);
    desk.one_step(|desk| {
        desk.sweep((28.0, 44.0), (27.0, 43.0));
    });
    assert!(desk.area(ATRIUM).holes[0].contains(&p(27.0, 43.0)));
}

#[test]
fn several_corners_are_selected_and_moved_together() {
    let mut desk = editing(HOUSE);
    desk.no_step(|desk| {
        desk.sweep((22.0, 8.0), (18.0, 22.0));
        assert_eq!(selected_handles(desk), 2);
        desk.hold(Modifiers::SHIFT).click(10.0, 10.0);
        assert_eq!(selected_handles(desk), 3);
        desk.click(10.0, 10.0);
        assert_eq!(selected_handles(desk), 2);
    });
    desk.hold(Modifiers::NONE);
    desk.one_step(|desk| {
        desk.sweep((20.0, 10.0), (25.0, 10.0));
    });
    assert_eq!(desk.area(HOUSE), &rect(10.0..25.0, 10.0..20.0));
    desk.one_step(|desk| {
        desk.key(Key::Left);
    });
    desk.hold(Modifiers::SHIFT).key(Key::Right);
    assert_eq!(desk.area(HOUSE).bounds().max.x, 34.0);
}

#[test]
fn a_dragged_edge_moves_both_its_ends() {
    let mut desk = editing(HOUSE);
    desk.one_step(|desk| {
        desk.sweep((10.0, 13.0), (8.0, 13.0));
    });
    assert_eq!(desk.area(HOUSE), &rect(8.0..20.0, 10.0..20.0));
}

#[test]
fn a_double_click_on_an_edge_inserts_a_corner_there() {
    let mut desk = editing(HOUSE);
    desk.one_step(|desk| {
        desk.double_click(13.0, 10.1);
    });
    assert_eq!(desk.area(HOUSE).outer[1], p(13.0, 10.0));
    assert_eq!(desk.area(HOUSE).outer.len(), 5);
    assert_eq!(selected_handles(&desk), 1);
    // The closing edge, from the last corner to the first.
    desk.double_click(10.0, 13.0);
    assert_eq!(desk.area(HOUSE).outer.last(), Some(&p(10.0, 13.0)));
}

#[test]
fn del_removes_corners_down_to_a_triangle_and_says_why_no_further() {
    let mut desk = editing(HOUSE);
    desk.one_step(|desk| {
        desk.click(20.0, 20.0).key(Key::Delete);
    });
    assert_eq!(desk.area(HOUSE).outer.len(), 3);
    desk.no_step(|desk| {
        desk.click(10.0, 10.0).key(Key::Delete);
    });
    assert!(desk.toolbox.take_messages()[0].contains("at least 3 corners"));
}

#[test]
fn del_with_no_vertex_selected_does_not_delete_the_object() {
    let mut desk = editing(HOUSE);
    desk.no_step(|desk| {
        assert_eq!(
            desk.send(Event::Key(Key::Delete, Modifiers::NONE)),
            Handled::Yes
        );
    });
    assert!(desk.toolbox.take_messages()[0].contains("No vertex"));
}

#[test]
fn a_hole_with_too_few_corners_left_vanishes() {
    let mut desk = editing(ATRIUM);
    desk.one_step(|desk| {
        desk.hold(Modifiers::SHIFT)
            .click(28.0, 44.0)
            .click(32.0, 44.0);
        desk.key(Key::Delete);
    });
    assert!(desk.area(ATRIUM).holes.is_empty());
    assert_eq!(desk.area(ATRIUM).outer.len(), 4);
}

#[test]
fn a_corner_dropped_on_its_neighbour_is_merged_with_it() {
    let mut desk = editing(HOUSE);
    desk.one_step(|desk| {
        desk.sweep((20.0, 20.0), (20.1, 10.2));
    });
    assert_eq!(
        desk.area(HOUSE).outer,
        [p(10.0, 10.0), p(20.0, 10.0), p(10.0, 20.0)]
    );
}

#[test]
fn an_outline_dragged_across_itself_is_shown_as_such() {
    let mut desk = editing(HOUSE);
    desk.press(20.0, 20.0).drag(15.0, 5.0);
    assert!(
        desk.trouble().contains("crosses itself"),
        "{}",
        desk.trouble()
    );
    desk.drag(20.0, 20.0);
    assert_eq!(desk.trouble(), "");
    desk.esc();
}

#[test]
fn points_of_routes_are_moved_inserted_and_removed() {
    let mut desk = editing(ROUTE);
    desk.one_step(|desk| {
        desk.sweep((30.0, 90.0), (35.0, 92.0));
    });
    assert_eq!(polyline(desk.get(ROUTE))[2], p(35.0, 92.0));
    desk.one_step(|desk| {
        desk.double_click(15.0, 70.0);
    });
    assert_eq!(polyline(desk.get(ROUTE)).len(), 4);
    desk.one_step(|desk| {
        desk.key(Key::SelectAll);
        desk.hold(Modifiers::SHIFT)
            .click(10.0, 70.0)
            .click(30.0, 70.0);
        desk.key(Key::Delete);
    });
    assert_eq!(polyline(desk.get(ROUTE)), [p(10.0, 70.0), p(30.0, 70.0)]);
    desk.no_step(|desk| {
        desk.hold(Modifiers::NONE)
            .click(10.0, 70.0)
            .key(Key::Delete);
    });
    assert!(desk.toolbox.take_messages()[0].contains("at least 2 points"));
}

#[test]
fn a_smooth_handle_turns_the_opposite_one_along_and_alt_parts_them() {
    let mut desk = editing(CURVE);
    desk.one_step(|desk| {
        desk.sweep((55.0, 75.0), (50.0, 78.0));
    });
    assert_eq!(knots(&desk)[0].handle_out, p(0.0, 3.0));
    assert_eq!(knots(&desk)[0].handle_in, p(0.0, -5.0));
    desk.one_step(|desk| {
        desk.press(50.0, 78.0)
            .hold(Modifiers::ALT)
            .drag(54.0, 78.0)
            .release();
    });
    assert_eq!(knots(&desk)[0].handle_out, p(4.0, 3.0));
    assert_eq!(knots(&desk)[0].handle_in, p(0.0, -5.0));
    // Out of line now: they stay apart.
    desk.hold(Modifiers::NONE).sweep((54.0, 78.0), (53.0, 79.0));
    assert_eq!(knots(&desk)[0].handle_in, p(0.0, -5.0));
}

#[test]
fn alt_pulls_handles_out_of_a_knot_and_del_takes_them_back() {
    let mut desk = editing(CURVE);
    desk.press(70.0, 85.0);
    desk.esc().release();
    desk.hold(Modifiers::ALT)
        .press(70.0, 85.0)
        .drag(73.0, 85.0)
        .release();
    assert_eq!(
        (knots(&desk)[1].handle_in, knots(&desk)[1].handle_out),
        (p(-3.0, 0.0), p(3.0, 0.0))
    );
    desk.one_step(|desk| {
        desk.hold(Modifiers::NONE)
            .click(73.0, 85.0)
            .key(Key::Delete);
    });
    assert_eq!(knots(&desk)[1].handle_out, p(0.0, 0.0));
    assert_eq!(knots(&desk)[1].handle_in, p(-3.0, 0.0));
}

#[test]
fn a_knot_inserted_into_a_curve_keeps_its_form() {
    let mut desk = editing(CURVE);
    let Kind::Route(before) = desk.get(CURVE).kind.clone() else {
        panic!("a route");
    };
    let line = wayloom::document::route_line(&before);
    let middle = line.point_at(line.length() * 0.4).expect("a point");
    desk.one_step(|desk| {
        desk.double_click(middle.x, middle.y);
    });
    assert_eq!(knots(&desk).len(), 3);
    let Kind::Route(after) = &desk.get(CURVE).kind else {
        panic!("a route");
    };
    for p in wayloom::document::route_line(after).points() {
        let off = line.closest(*p).map(|closest| closest.distance);
        assert!(off.is_some_and(|off| off < 0.02), "{p} {off:?}");
    }
}

#[test]
fn starts_and_goals_are_vertices_too() {
    let mut desk = editing(AGENT);
    desk.one_step(|desk| {
        desk.sweep((90.0, 20.0), (90.0, 26.0));
    });
    let goals = |desk: &Desk, id: u64| desk.get(id).mission().expect("a mission").goals.clone();
    assert_eq!(goals(&desk, AGENT), [Goal::At(p(90.0, 26.0).extend(0.0))]);
    desk.one_step(|desk| {
        desk.double_click(80.0, 23.0);
    });
    assert_eq!(goals(&desk, AGENT).len(), 2);
    desk.one_step(|desk| {
        desk.key(Key::Delete);
    });
    assert_eq!(goals(&desk, AGENT).len(), 1);
    desk.no_step(|desk| {
        desk.click(70.0, 20.0).key(Key::Delete);
    });
    assert!(desk.toolbox.take_messages()[0].contains("needs its start"));
    desk.select(&[CROWD]);
    desk.one_step(|desk| {
        desk.sweep((89.0, 55.0), (89.0, 60.0));
    });
    assert_eq!(goals(&desk, CROWD), [Goal::At(p(89.0, 60.0).extend(0.0))]);
    desk.sweep((84.0, 30.0), (82.0, 28.0));
    assert_eq!(desk.area(CROWD).outer[0], p(82.0, 28.0));
}

#[test]
fn places_can_be_typed_while_a_corner_is_dragged() {
    let mut desk = editing(HOUSE);
    desk.press(20.0, 20.0)
        .drag(21.0, 21.0)
        .typed("23.25,24.5")
        .release();
    assert_eq!(desk.area(HOUSE).outer[2], p(23.25, 24.5));
}

#[test]
fn clicking_another_shape_goes_on_with_that_and_double_clicking_beside_ends() {
    let mut desk = editing(HOUSE);
    desk.click(33.0, 13.0);
    assert_eq!(desk.selected(), [SHED]);
    desk.double_click(1.0, 99.0);
    assert_eq!(desk.toolbox.current(), ToolKind::Select);
}

#[test]
fn vertices_removed_by_an_undo_are_deselected() {
    let mut desk = editing(HOUSE);
    desk.double_click(13.0, 10.0);
    assert_eq!(selected_handles(&desk), 1);
    desk.document.undo();
    desk.hover(50.0, 99.0).key(Key::Delete);
    assert_eq!(desk.area(HOUSE).outer.len(), 4);
    desk.document.select(Default::default());
    desk.hover(20.0, 20.0)
        .press(20.0, 20.0)
        .drag(30.0, 30.0)
        .release();
    assert_eq!(desk.area(HOUSE), &rect(10.0..20.0, 10.0..20.0));
}
