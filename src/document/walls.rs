//! Keeps walls, their doors and their pieces in step, after every edit.
//!
//! A door that names a wall stays in it: dragged, it slides along; where the wall moves, it moves
//! along. A wall's pieces, its body cut open at its doors, are parts of the level: obstacles that
//! block, are drawn, baked and exported like any other, and that no file stores.

use super::model::{Door, Entity, Kind, Level, Obstacle, Wall, WallEnd, limits};
use crate::base::EntityId;
use crate::geometry::MAX_COORDINATE;
use glam::DVec2;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Positions of jambs are rounded to micrometres, as those of everything that is moved.
const STEPS_PER_METRE: f64 = 1e6;

/// Doors back into their walls and pieces anew, wherever one of `touched` matters. `before` is the
/// level before the edits.
pub(super) fn settle(before: &Level, level: &mut Level, touched: &BTreeSet<EntityId>) {
    let mut changed = BTreeSet::new();
    let mut doors = BTreeSet::new();
    for id in touched {
        for state in [before, &*level] {
            match state.get(*id).map(|entity| &entity.kind) {
                Some(Kind::Wall(_)) => _ = changed.insert(*id),
                Some(Kind::Door(door)) => {
                    changed.extend(door.wall);
                    doors.insert(*id);
                }
                _ => {}
            }
        }
    }
    if changed.is_empty() {
        return;
    }
    // Walls that end where one of these ended or ends now.
    let of_changed: BTreeSet<Corner> = changed
        .iter()
        .flat_map(|id| [before, &*level].map(|state| wall_of(state, *id)))
        .flatten()
        .flat_map(corners)
        .collect();
    let mut meeting: BTreeMap<Corner, usize> = BTreeMap::new();
    for (id, _, wall) in level.walls() {
        for corner in corners(wall) {
            *meeting.entry(corner).or_default() += 1;
            if of_changed.contains(&corner) {
                changed.insert(id);
            }
        }
    }
    let in_walls: Vec<(EntityId, EntityId)> = level
        .doors()
        .filter_map(|(id, _, door)| Some((id, door.wall.filter(|wall| changed.contains(wall))?)))
        .collect();
    let mut openings: BTreeMap<EntityId, Vec<[DVec2; 2]>> =
        changed.into_iter().map(|wall| (wall, Vec::new())).collect();
    for (id, wall) in in_walls {
        let is_moved = doors.contains(&id);
        if let Some(entity) = settled(before, level, id, is_moved) {
            level.put(id, Arc::new(entity));
        }
        if let (Some(Kind::Door(door)), Some(openings)) = (
            level.get(id).map(|entity| &entity.kind),
            openings.get_mut(&wall),
        ) {
            openings.push(door.jambs);
        }
    }
    for (wall, openings) in openings {
        make_pieces(level, wall, &openings, &meeting);
    }
}

/// A door in its wall; `None` if it stands there already.
fn settled(before: &Level, level: &Level, id: EntityId, is_moved: bool) -> Option<Entity> {
    let entity = level.get(id)?;
    let Kind::Door(door) = &entity.kind else {
        return None;
    };
    let with = |door: Door| Entity {
        kind: Kind::Door(door),
        ..Entity::clone(entity)
    };
    let Some(wall) = door.wall.and_then(|id| wall_of(level, id)) else {
        // Its wall is gone: it stays where it is.
        return Some(with(Door {
            wall: None,
            ..door.clone()
        }));
    };
    let was = door.wall.and_then(|id| wall_of(before, id));
    let place = match was.filter(|_| !is_moved) {
        Some(was) if was == wall => return None,
        Some(was) if was.line.len() == wall.line.len() && was.closed == wall.closed => {
            was.nearest(door.centre())?.0
        }
        _ if wall.holds(door) => return None,
        _ => wall.nearest(door.centre())?.0,
    };
    let jambs = wall.jambs(place, door.width())?.map(rounded);
    let [from, to] = door.jambs;
    // It keeps its sides: hinges stay on theirs.
    let is_turned = (jambs[1] - jambs[0]).dot(to - from) < 0.0;
    let jambs = if is_turned {
        [jambs[1], jambs[0]]
    } else {
        jambs
    };
    (jambs != door.jambs).then(|| {
        with(Door {
            jambs,
            ..door.clone()
        })
    })
}

/// A place in whole micrometres.
type Corner = [i64; 2];

/// Where a wall begins and ends; none if it is closed.
fn corners(wall: &Wall) -> impl Iterator<Item = Corner> + use<> {
    let ends = match (&wall.line[..], wall.closed) {
        ([first, .., last], false) => Some([*first, *last]),
        _ => None,
    };
    ends.into_iter()
        .flatten()
        .map(|end| (end * STEPS_PER_METRE).round().to_array().map(|x| x as i64))
}

fn rounded(p: DVec2) -> DVec2 {
    (p * STEPS_PER_METRE).round() / STEPS_PER_METRE + DVec2::ZERO
}

fn wall_of(level: &Level, id: EntityId) -> Option<&Wall> {
    match &level.get(id)?.kind {
        Kind::Wall(wall) => Some(wall),
        _ => None,
    }
}

/// Replaces a wall's pieces; those that stay as they are keep their pointer.
fn make_pieces(
    level: &mut Level,
    id: EntityId,
    openings: &[[DVec2; 2]],
    meeting: &BTreeMap<Corner, usize>,
) {
    let made = pieces(level, id, openings, meeting);
    let count = made.len();
    for (part, entity) in made {
        match level.get(part) {
            Some(old) if **old == entity => {}
            Some(_) => level.put(part, Arc::new(entity)),
            None => {
                level.put(part, Arc::new(entity));
                // In the order of ids, behind everything that was drawn.
                let at = level.order.iter().rev().take_while(|other| **other > part);
                let at = level.order.len() - at.count();
                level.order.insert(at, part);
            }
        }
    }
    let gone: Vec<EntityId> = level.parts(id).skip(count).map(|(part, _)| part).collect();
    for part in gone {
        level.take(part);
        if let Some(at) = level.order.iter().rposition(|other| *other == part) {
            level.order.remove(at);
        }
    }
}

fn pieces(
    level: &Level,
    id: EntityId,
    openings: &[[DVec2; 2]],
    meeting: &BTreeMap<Corner, usize>,
) -> Vec<(EntityId, Entity)> {
    let Some((entity, wall)) = level.get(id).zip(wall_of(level, id)) else {
        return Vec::new();
    };
    let as_piece = |area| Entity {
        name: entity.label(id),
        kind: Kind::Obstacle(Obstacle {
            base: wall.base,
            height: wall.height,
            ..Obstacle::new(area)
        }),
        ..Entity::clone(entity)
    };
    let mut ends = [WallEnd::Free; 2];
    for (end, corner) in ends.iter_mut().zip(corners(wall)) {
        if meeting.get(&corner).is_some_and(|count| *count > 1) {
            *end = WallEnd::Joined;
        }
    }
    let openings = openings.iter().take(limits::MAX_WALL_OPENINGS);
    let limit = DVec2::splat(MAX_COORDINATE);
    let ids = (0..).map_while(|index| id.part(index));
    ids.zip(wall.pieces(openings, ends))
        // At the very edge of what can be drawn.
        .map(|(part, area)| (part, area.map(|p| p.clamp(-limit, limit))))
        .map(|(part, area)| (part, as_piece(area)))
        .collect()
}

#[cfg(test)]
#[path = "wall_tests.rs"]
mod tests;
