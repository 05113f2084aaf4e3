//! Furniture: placed by clicks, in rows, against walls, scattered.

use crate::desk::{Desk, p};
use wayloom::document::{Kind, KindName, Obstacle};
use wayloom::geometry::Rect;
use wayloom::interaction::{Furniture, Key, Modifiers, ToolKind};

fn obstacles(desk: &Desk) -> Vec<&Obstacle> {
    let drawn = desk.level().drawn().map(|(_, entity)| &entity.kind);
    drawn
        .filter_map(|kind| match kind {
            Kind::Obstacle(obstacle) => Some(obstacle),
            _ => None,
        })
        .collect()
}

fn is_rect(bounds: Rect, min: (f64, f64), max: (f64, f64)) -> bool {
    (bounds.min - p(min.0, min.1)).length() < 1e-6 && (bounds.max - p(max.0, max.1)).length() < 1e-6
}

fn desk() -> Desk {
    Desk::open_field().with(ToolKind::Furniture)
}

#[test]
fn a_click_places_one_and_brackets_turn_the_next() {
    let mut desk = desk();
    desk.one_step(|desk| {
        desk.click(10.0, 10.0);
    });
    assert_eq!(desk.made().name, "Table 1");
    assert!(is_rect(
        obstacles(&desk)[0].area.bounds(),
        (9.2, 9.6),
        (10.8, 10.4)
    ));
    assert_eq!(desk.selected().len(), 1);
    for _ in 0..6 {
        desk.key(Key::Less);
    }
    desk.one_step(|desk| {
        desk.click(20.0, 10.0);
    });
    assert!(is_rect(
        obstacles(&desk)[1].area.bounds(),
        (19.6, 9.2),
        (20.4, 10.8)
    ));
}

#[test]
fn every_piece_of_the_library_is_placed_in_one_step_and_undone_in_one() {
    for furniture in Furniture::ALL {
        let mut desk = desk();
        let before = desk.level().clone();
        desk.toolbox.defaults.furniture = furniture;
        desk.one_step(|desk| {
            desk.click(30.0, 30.0);
        });
        let name = furniture.name();
        let pieces = furniture.pieces().len();
        let added = desk.level().drawn().count() - before.drawn().count();
        assert_eq!(added, if pieces > 1 { pieces + 1 } else { 1 }, "{name}");
        // Pieces of one thing are moved and deleted as one.
        assert_eq!(desk.selected().len(), 1, "{name}");
        desk.document.undo();
        assert_eq!(desk.level(), &before, "{name}");
    }
}

#[test]
fn what_has_a_back_stands_against_the_wall_on_the_side_of_the_pointer() {
    let mut desk = Desk::open_field().with(ToolKind::Wall);
    desk.press(10.0, 10.0).drag(20.0, 15.0).release();
    desk.tool(ToolKind::Furniture);
    desk.toolbox.defaults.furniture = Furniture::Shelf;
    desk.click(14.0, 10.3);
    desk.click(14.0, 9.8);
    desk.click(19.8, 12.5);
    let bounds: Vec<Rect> = obstacles(&desk).iter().map(|o| o.area.bounds()).collect();
    assert!(is_rect(bounds[0], (13.0, 10.1), (15.0, 10.5)), "{bounds:?}");
    assert!(is_rect(bounds[1], (13.0, 9.5), (15.0, 9.9)), "{bounds:?}");
    assert!(is_rect(bounds[2], (19.5, 11.5), (19.9, 13.5)), "{bounds:?}");
    desk.hold(Modifiers::CTRL).click(14.0, 14.5);
    let free = obstacles(&desk)[3].area.bounds();
    assert!(
        (free.centre() - p(14.0, 14.5)).length() < 1e-6,
        "Ctrl leaves it free"
    );
}

#[test]
fn count_and_gap_make_a_row_and_a_drag_makes_as_many_as_fit() {
    let mut desk = desk();
    desk.toolbox.defaults.furniture_count = 3;
    desk.toolbox.defaults.furniture_gap = 0.4;
    desk.one_step(|desk| {
        desk.click(10.0, 10.0);
    });
    let centres: Vec<f64> = obstacles(&desk)
        .iter()
        .map(|o| o.area.bounds().centre().x)
        .collect();
    assert_eq!(centres.len(), 3);
    assert!((centres[1] - 12.0).abs() < 1e-6 && (centres[2] - 14.0).abs() < 1e-6);
    desk.one_step(|desk| {
        desk.press(10.0, 30.0)
            .drag(15.0, 30.0)
            .drag(19.0, 30.0)
            .release();
    });
    assert_eq!(obstacles(&desk).len(), 3 + 5, "10, 12, 14, 16, 18");
    let (_, last) = desk.level().drawn().last().expect("tables");
    assert_eq!(last.name, "Table 8");
    let steps = desk.steps();
    desk.press(10.0, 40.0).drag(19.0, 40.0).esc().release();
    assert_eq!(desk.steps(), steps);
    assert_eq!(obstacles(&desk).len(), 8, "Esc takes a drag back");
}

#[test]
fn scattering_keeps_clear_of_what_stands_there() {
    let mut desk = Desk::open_field().with(ToolKind::Wall);
    desk.press(10.0, 10.0).drag(20.0, 20.0).release();
    desk.tool(ToolKind::Furniture);
    desk.toolbox.defaults.furniture = Furniture::Tree;
    desk.toolbox.defaults.furniture_scatters = true;
    desk.toolbox.defaults.brush_radius = 3.0;
    desk.one_step(|desk| {
        desk.press(6.0, 15.0);
        for x in 7..25 {
            desk.drag(f64::from(x), 15.0);
        }
        desk.release();
    });
    let trees = obstacles(&desk);
    assert!(trees.len() > 15, "{}", trees.len());
    let (.., wall) = desk.level().walls().next().expect("a wall");
    for tree in &trees {
        let at = tree.area.bounds().centre();
        let (_, distance) = wall.nearest(at).expect("a line");
        assert!(distance > 0.4 + 0.1, "{at} is in the wall");
    }
    assert_eq!(
        desk.level()
            .kind_of(desk.level().drawn().last().expect("trees").0),
        Some(KindName::Obstacle)
    );
}
