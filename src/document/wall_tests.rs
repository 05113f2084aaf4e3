//! Walls with random doors under random edits.

use super::*;
use crate::document::{Edit, Note, format, ops};
use crate::geometry::Polygon;
use proptest::prelude::*;

const WALL: EntityId = EntityId::new(1);

fn wall(points: &[(f64, f64)]) -> Wall {
    Wall::new(points.iter().map(|p| DVec2::from(*p)).collect())
}

fn door_in_wall(from: (f64, f64), to: (f64, f64)) -> Entity {
    let door = Door {
        wall: Some(WALL),
        ..Door::new(from.into(), to.into())
    };
    Entity::new("Door", Kind::Door(door))
}

fn level_of(entities: Vec<Entity>) -> Level {
    let edits: Vec<Edit> = (1..)
        .map(EntityId::new)
        .zip(entities)
        .map(|(id, entity)| Edit::create(id, entity))
        .collect();
    ops::apply(&Level::default(), &edits).expect("valid")
}

fn jambs(level: &Level, id: u64) -> [DVec2; 2] {
    match &level.get(EntityId::new(id)).expect("there").kind {
        Kind::Door(door) => door.jambs,
        other => panic!("no door: {other:?}"),
    }
}

fn moved_wall(level: &Level, change: impl Fn(&mut Wall)) -> Level {
    let mut entity = Entity::clone(level.get(WALL).expect("there"));
    let Kind::Wall(wall) = &mut entity.kind else {
        panic!("no wall")
    };
    change(wall);
    ops::apply(level, &[Edit::replace(WALL, entity)]).expect("valid")
}

/// A straight wall of ten metres with a door in its middle.
fn straight() -> Level {
    level_of(vec![
        Entity::new("North wall", Kind::Wall(wall(&[(0.0, 0.0), (10.0, 0.0)]))),
        door_in_wall((4.5, 0.0), (5.5, 0.0)),
    ])
}

#[test]
fn a_wall_blocks_by_its_pieces_which_carry_its_name() {
    let level = straight();
    let pieces: Vec<_> = level.obstacles().collect();
    assert_eq!(pieces.len(), 2);
    for (id, entity, obstacle) in pieces {
        assert_eq!(id.owner(), WALL);
        assert_eq!(entity.label(id), "North wall");
        assert!((obstacle.area.area() - 4.5 * 0.2).abs() < 1e-9);
    }
    assert_eq!(level.drawn().count(), 2);
    assert_eq!(level.largest_id(), EntityId::new(2));
}

#[test]
fn a_door_goes_where_its_wall_goes() {
    let lifted = moved_wall(&straight(), |wall| {
        wall.line
            .iter_mut()
            .for_each(|p| *p += DVec2::new(3.0, 7.0));
    });
    assert_eq!(
        jambs(&lifted, 2),
        [DVec2::new(7.5, 7.0), DVec2::new(8.5, 7.0)]
    );
    let shortened = moved_wall(&straight(), |wall| wall.line[1] = DVec2::new(4.0, 0.0));
    assert_eq!(
        jambs(&shortened, 2),
        [DVec2::new(3.0, 0.0), DVec2::new(4.0, 0.0)]
    );
    let split = moved_wall(&straight(), |wall| {
        wall.line.insert(1, DVec2::new(2.0, 0.0));
    });
    assert_eq!(
        jambs(&split, 2),
        jambs(&straight(), 2),
        "a corner more moves nothing"
    );
}

#[test]
fn a_door_that_is_dragged_slides_along_its_wall() {
    let level = straight();
    let away = door_in_wall((7.0, 2.5), (8.0, 2.5));
    let slid = ops::apply(&level, &[Edit::replace(EntityId::new(2), away)]).expect("valid");
    assert_eq!(
        jambs(&slid, 2),
        [DVec2::new(7.0, 0.0), DVec2::new(8.0, 0.0)]
    );
    let beyond = door_in_wall((14.0, 1.0), (15.0, 1.0));
    let slid = ops::apply(&level, &[Edit::replace(EntityId::new(2), beyond)]).expect("valid");
    assert_eq!(
        jambs(&slid, 2),
        [DVec2::new(9.0, 0.0), DVec2::new(10.0, 0.0)]
    );
    assert_eq!(
        slid.obstacles().count(),
        1,
        "nothing is left behind the door"
    );
}

#[test]
fn a_door_keeps_its_hinges_on_their_side() {
    let turned = door_in_wall((5.5, 0.1), (4.5, 0.1));
    let level = ops::apply(&straight(), &[Edit::replace(EntityId::new(2), turned)]).expect("valid");
    assert_eq!(
        jambs(&level, 2),
        [DVec2::new(5.5, 0.0), DVec2::new(4.5, 0.0)]
    );
}

#[test]
fn without_its_wall_a_door_stands_alone() {
    let level = ops::apply(&straight(), &[Edit::Delete { id: WALL }]).expect("valid");
    assert_eq!(level.obstacles().count(), 0);
    let (.., door) = level.doors().next().expect("it stays");
    assert_eq!(door.wall, None);
    assert_eq!(door.jambs, jambs(&straight(), 2));
}

#[test]
fn a_wall_without_its_door_is_whole() {
    let level = ops::apply(
        &straight(),
        &[Edit::Delete {
            id: EntityId::new(2),
        }],
    )
    .expect("valid");
    assert_eq!(level.obstacles().count(), 1);
}

#[test]
fn what_is_drawn_later_comes_before_the_pieces() {
    let note = Note {
        at: DVec2::ZERO,
        text: String::new(),
    };
    let create = Edit::create(EntityId::new(9), Entity::new("", Kind::Note(note)));
    let level = ops::apply(&straight(), &[create]).expect("valid");
    let order: Vec<EntityId> = level.order().iter().copied().collect();
    assert_eq!(order[2], EntityId::new(9));
    assert!(order[3..].iter().all(|id| id.is_part()));
    let up = Edit::Reorder { id: WALL, to: 99 };
    let level = ops::apply(&level, &[up]).expect("valid");
    assert_eq!(level.order()[2], WALL);
}

#[test]
fn no_edit_names_a_piece() {
    let level = straight();
    let (piece, entity, _) = level.obstacles().next().expect("one");
    let replaced = Edit::replace(piece, entity.clone());
    let created = Edit::create(EntityId::new(40).part(0).expect("small"), entity.clone());
    for edit in [replaced, created, Edit::Delete { id: piece }] {
        assert!(ops::apply(&level, &[edit]).is_err());
    }
}

#[test]
fn walls_that_end_in_one_place_fill_the_corner() {
    let second = EntityId::new(2);
    let level = level_of(vec![
        Entity::new("", Kind::Wall(wall(&[(0.0, 0.0), (5.0, 0.0)]))),
        Entity::new("", Kind::Wall(wall(&[(5.0, 0.0), (5.0, 5.0)]))),
    ]);
    let outer = DVec2::new(5.09, -0.09);
    let is_filled = |level: &Level| level.obstacles().any(|(.., o)| o.area.contains(outer));
    assert!(is_filled(&level));
    let apart = ops::apply(&level, &[Edit::Delete { id: second }]).expect("valid");
    assert!(!is_filled(&apart), "the other end is free again");
}

fn any_wall() -> impl Strategy<Value = Wall> {
    let points = prop::collection::vec((-30..30, -30..30), 2..6);
    (points, any::<bool>(), 0.05..0.8).prop_map(|(points, closed, thickness)| Wall {
        closed,
        thickness,
        ..Wall::new(
            points
                .into_iter()
                .map(|(x, y): (i32, i32)| DVec2::new(x.into(), y.into()))
                .collect(),
        )
    })
}

proptest! {
    #[test]
    fn doors_stay_in_their_walls_under_every_edit(
        first in any_wall(),
        others in prop::collection::vec(any_wall(), 1..4),
        at in prop::collection::vec(((-40.0..40.0, -40.0..40.0), 0.3..3.0), 1..5),
    ) {
        let mut entities = vec![Entity::new("", Kind::Wall(first))];
        for ((x, y), width) in &at {
            entities.push(door_in_wall((*x, *y), (*x + *width, *y)));
        }
        let mut level = level_of(entities);
        for other in others {
            level = ops::apply(&level, &[Edit::replace(WALL, Entity::new("", Kind::Wall(other.clone())))])
                .expect("valid");
            let has_length = other.segments().any(|[a, b]| a != b);
            for (.., door) in level.doors() {
                prop_assert!(!has_length || other.holds(door), "{door:?} is not in {other:?}");
            }
            let openings: Vec<_> = level.doors().map(|(.., door)| door.jambs).collect();
            let expected: f64 = other.pieces(&openings, [WallEnd::Free; 2]).iter().map(Polygon::area).sum();
            let actual: f64 = level.obstacles().map(|(.., o)| o.area.area()).sum();
            prop_assert!((expected - actual).abs() < 1e-6);
            // A file gives the level back, pieces included, and is written again as it was.
            let text = format::write(&level, EntityId::new(50));
            let loaded = format::read(&text).expect("readable").level;
            prop_assert_eq!(&loaded, &level);
            prop_assert_eq!(format::write(&loaded, EntityId::new(50)), text);
        }
    }

    #[test]
    fn steps_between_levels_do_not_name_pieces(first in any_wall(), second in any_wall()) {
        let one = level_of(vec![Entity::new("", Kind::Wall(first)), door_in_wall((0.0, 0.0), (1.0, 0.0))]);
        let two = level_of(vec![Entity::new("", Kind::Wall(second))]);
        for (from, to) in [(&one, &two), (&two, &one)] {
            let edits = Edit::between(from, to);
            prop_assert_eq!(&ops::apply(from, &edits).expect("applies"), to);
        }
    }
}
