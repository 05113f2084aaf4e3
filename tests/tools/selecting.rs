//! Clicks and marquees.

use crate::desk::{
    AGENT, ATRIUM, CRATE, CROWD, CURVE, Desk, HOUSE, LAWN, NOTE, PLAZA, ROUTE, SHED, level, p, rect,
};
use wayloom::base::EntityId;
use wayloom::document::{Annotation, Entity, Kind, Obstacle, Region, Relation};
use wayloom::interaction::{Event, Handled, Key, Modifiers, Pointer, ToolKind};

#[test]
fn a_click_selects_each_kind_of_thing_and_empty_ground_clears() {
    let mut desk = Desk::yard();
    desk.no_step(|desk| {
        for (id, x, y) in [
            (HOUSE, 15.0, 15.0),
            (LAWN, 50.0, 50.0),
            (ROUTE, 20.0, 70.4),
            (CURVE, 50.2, 75.0),
            (AGENT, 70.3, 20.0),
            (AGENT, 90.0, 20.3),
            (PLAZA, 75.0, 35.0),
            (CROWD, 89.0, 35.0),
            (CROWD, 89.0, 55.0),
            (CRATE, 16.0, 35.5),
            (NOTE, 5.0, 51.0),
            (ATRIUM, 25.0, 41.0),
        ] {
            desk.hover(x, y);
            assert_eq!(
                desk.toolbox.hovered(),
                Some(EntityId::new(id)),
                "at {x}, {y}"
            );
            desk.click(x, y);
            assert_eq!(desk.selected(), [id], "at {x}, {y}");
        }
        desk.click(30.0, 46.0);
        assert!(
            desk.selected().is_empty(),
            "the hole of the atrium is empty ground"
        );
    });
}

#[test]
fn shift_and_ctrl_toggle() {
    for modifiers in [Modifiers::SHIFT, Modifiers::CTRL] {
        let mut desk = Desk::yard();
        desk.click(15.0, 15.0);
        desk.hold(modifiers).click(33.0, 13.0);
        assert_eq!(desk.selected(), [HOUSE, SHED]);
        desk.click(15.0, 15.0);
        assert_eq!(desk.selected(), [SHED]);
        desk.click(1.0, 1.0);
        assert_eq!(
            desk.selected(),
            [SHED],
            "an extending click on nothing is no loss"
        );
    }
}

/// Three squares on top of each other, under a named area.
fn stack() -> Desk {
    let obstacle = || {
        Entity::new(
            "",
            Kind::Obstacle(Obstacle::new(rect(10.0..20.0, 10.0..20.0))),
        )
    };
    Desk::new(level(vec![
        (1, obstacle()),
        (2, obstacle()),
        (3, obstacle()),
        (
            4,
            Entity::new(
                "Zone",
                Kind::Annotation(Annotation::Area(rect(5.0..25.0, 5.0..25.0))),
            ),
        ),
        (
            5,
            Entity::new(
                "",
                Kind::Region(Region {
                    area: rect(0.0..30.0, 0.0..30.0),
                    terrain: EntityId::new(99),
                }),
            ),
        ),
    ]))
}

#[test]
fn alt_goes_down_through_what_lies_on_top_of_each_other() {
    let mut desk = stack();
    desk.click(15.0, 15.0);
    assert_eq!(desk.selected(), [3], "the last drawn lies on top");
    desk.hold(Modifiers::ALT);
    for expected in [2, 1, 4, 5, 3] {
        desk.click(15.0, 15.0);
        assert_eq!(desk.selected(), [expected]);
    }
}

#[test]
fn the_edge_of_an_area_comes_before_what_is_inside_it() {
    let mut desk = stack();
    desk.click(5.2, 15.0);
    assert_eq!(desk.selected(), [4]);
}

#[test]
fn hidden_and_locked_objects_cannot_be_picked() {
    let hide: fn(&mut Entity) = |entity| entity.visible = false;
    let lock: fn(&mut Entity) = |entity| entity.locked = true;
    for change in [hide, lock] {
        let mut house = Entity::new("", Kind::Obstacle(Obstacle::new(rect(1.0..5.0, 1.0..5.0))));
        change(&mut house);
        let mut layered = Entity::new("", Kind::Obstacle(Obstacle::new(rect(7.0..9.0, 1.0..5.0))));
        let mut layer = Entity::new("", Kind::Layer);
        change(&mut layer);
        layered.layer = Some(EntityId::new(3));
        let mut desk = Desk::new(level(vec![(1, house), (2, layered), (3, layer)]));
        desk.click(3.0, 3.0).click(8.0, 3.0);
        assert!(desk.selected().is_empty());
        desk.sweep((20.0, 20.0), (0.0, 0.0));
        assert!(desk.selected().is_empty());
    }
}

#[test]
fn an_annotation_tied_to_an_object_is_picked_by_its_area_and_follows_it() {
    let house = Entity::new(
        "",
        Kind::Obstacle(Obstacle::new(rect(10.0..20.0, 10.0..20.0))),
    );
    let front = Entity::new(
        "",
        Kind::Annotation(Annotation::Relation {
            object: EntityId::new(1),
            relation: Relation::Front { reach: 6.0 },
        }),
    );
    let mut desk = Desk::new(level(vec![(1, house), (2, front)]));
    desk.click(23.0, 15.0);
    assert_eq!(desk.selected(), [2]);
    desk.sweep((15.0, 15.0), (35.0, 15.0));
    desk.click(23.0, 15.0);
    assert!(desk.selected().is_empty());
    desk.click(43.0, 15.0);
    assert_eq!(desk.selected(), [2]);
}

#[test]
fn a_marquee_takes_what_is_inside_to_the_right_and_what_it_touches_to_the_left() {
    let mut desk = Desk::yard();
    desk.no_step(|desk| {
        desk.sweep((5.0, 5.0), (33.0, 25.0));
        assert_eq!(desk.selected(), [HOUSE]);
        desk.sweep((33.0, 25.0), (5.0, 5.0));
        assert_eq!(desk.selected(), [HOUSE, SHED]);
        desk.hold(Modifiers::SHIFT)
            .sweep((62.0, 62.0), (38.0, 38.0));
        assert_eq!(desk.selected(), [HOUSE, SHED, LAWN]);
        desk.hold(Modifiers::CTRL).sweep((33.0, 25.0), (28.0, 5.0));
        assert_eq!(desk.selected(), [HOUSE, LAWN]);
        desk.hold(Modifiers::NONE).sweep((66.0, 45.0), (99.0, 5.0));
        assert_eq!(desk.selected(), [AGENT, PLAZA, CROWD]);
    });
}

#[test]
fn a_cancelled_marquee_brings_the_old_selection_back() {
    let mut desk = Desk::yard();
    desk.select(&[LAWN]);
    desk.press(5.0, 5.0).drag(33.0, 25.0);
    assert_eq!(desk.selected(), [HOUSE]);
    desk.esc();
    assert_eq!(desk.selected(), [LAWN]);
    desk.drag(40.0, 40.0).release();
    assert_eq!(desk.selected(), [LAWN], "the rest of the drag is ignored");
}

#[test]
fn a_click_takes_the_whole_group_and_further_clicks_one_of_it() {
    let member = |x: f64| {
        let mut entity = Entity::new(
            "",
            Kind::Obstacle(Obstacle::new(rect(x..x + 4.0, 0.0..4.0))),
        );
        entity.group = Some(EntityId::new(9));
        entity
    };
    let mut desk = Desk::new(level(vec![
        (1, member(0.0)),
        (2, member(10.0)),
        (9, Entity::new("Pair", Kind::Group)),
    ]));
    desk.click(2.0, 2.0);
    assert_eq!(desk.selected(), [1, 2]);
    desk.one_step(|desk| {
        desk.sweep((12.0, 2.0), (12.0, 7.0));
    });
    assert_eq!(desk.area(1).bounds().min, p(0.0, 5.0));
    desk.click(2.0, 7.0);
    assert_eq!(desk.selected(), [1], "a second click goes into the group");
    desk.click(12.0, 7.0);
    assert_eq!(desk.selected(), [1, 2]);
    desk.double_click(2.0, 7.0);
    assert_eq!(desk.selected(), [1]);
    assert_eq!(desk.toolbox.current(), ToolKind::Vertices);
}

#[test]
fn a_double_click_or_enter_edits_vertices() {
    let mut desk = Desk::yard();
    desk.double_click(15.0, 15.0);
    assert_eq!(desk.toolbox.current(), ToolKind::Vertices);
    desk.esc();
    assert_eq!(desk.toolbox.current(), ToolKind::Select);
    desk.key(Key::Enter);
    assert_eq!(desk.toolbox.current(), ToolKind::Vertices);
    desk.tool(ToolKind::Select).double_click(16.0, 35.0);
    assert_eq!(
        desk.toolbox.current(),
        ToolKind::Select,
        "a crate has no vertices"
    );
}

#[test]
fn a_right_click_selects_what_its_menu_is_about_and_leaves_the_menu_to_the_editor() {
    let mut desk = Desk::yard();
    desk.select(&[HOUSE, SHED]);
    let at = |x: f64, y: f64| {
        Event::SecondaryClick(Pointer {
            world: p(x, y),
            ..Pointer::default()
        })
    };
    assert_eq!(desk.send(at(15.0, 15.0)), Handled::No);
    assert_eq!(desk.selected(), [HOUSE, SHED]);
    desk.send(at(50.0, 50.0));
    assert_eq!(desk.selected(), [LAWN]);
    desk.send(at(1.0, 1.0));
    assert!(desk.selected().is_empty());
}
