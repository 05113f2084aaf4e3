//! The effect of dropping dragged rows: edits that change the order and move entities into or out
//! of groups.

use super::tree::Section;
use crate::base::EntityId;
use crate::document::{Edit, Entity, KindName, Level};
use std::collections::BTreeSet;

/// Where dragged rows are dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DropPlacement {
    /// Just above this row, in the same group.
    Above(EntityId),
    /// Just below this row and its members, in the same group.
    Below(EntityId),
    /// Into this group, on top of its members.
    Into(EntityId),
}

/// The edits that move `dragged` to `place`; `None` if that is impossible or changes nothing.
///
/// A group takes its members along, and they end up adjacent in the order, so that the list matches
/// the painting order.
#[must_use]
pub fn moved(level: &Level, dragged: &[EntityId], place: DropPlacement) -> Option<Vec<Edit>> {
    let (DropPlacement::Above(target) | DropPlacement::Below(target) | DropPlacement::Into(target)) =
        place;
    let target_entity = level.get(target)?;
    let section = Section::of(target_entity.kind.name());
    let dragged: BTreeSet<EntityId> = dragged
        .iter()
        .copied()
        .filter(|id| {
            level
                .kind_of(*id)
                .is_some_and(|kind| Section::of(kind) == section)
        })
        .collect();
    let roots: Vec<EntityId> = level
        .order()
        .iter()
        .copied()
        .filter(|id| dragged.contains(id) && !has_ancestor_in(level, *id, &dragged))
        .collect();
    let parent = match place {
        DropPlacement::Into(group) => {
            (target_entity.kind.name() == KindName::Group).then_some(Some(group))?
        }
        DropPlacement::Above(_) | DropPlacement::Below(_) => target_entity.group,
    };
    let goes_into_itself = dragged.contains(&target) || has_ancestor_in(level, target, &dragged);
    if roots.is_empty() || goes_into_itself {
        return None;
    }
    let mut edits: Vec<Edit> = Vec::new();
    if section == Section::Objects {
        for id in &roots {
            let entity = level.get(*id)?;
            if entity.group != parent {
                let moved = Entity {
                    group: parent,
                    ..Entity::clone(entity)
                };
                edits.push(Edit::replace(*id, moved));
            }
        }
    }
    edits.extend(order_edits(level, &roots, place, section));
    (!edits.is_empty()).then_some(edits)
}

fn order_edits(
    level: &Level,
    roots: &[EntityId],
    place: DropPlacement,
    section: Section,
) -> Vec<Edit> {
    // From bottom to top: the members of each group, then the group itself.
    let block = |id: EntityId| {
        let mut ids = level.members(id);
        ids.push(id);
        ids
    };
    let moving: Vec<EntityId> = roots.iter().copied().flat_map(block).collect();
    let is_moving: BTreeSet<EntityId> = moving.iter().copied().collect();
    let mut order: Vec<EntityId> = level.order().iter().copied().collect();
    let rest: Vec<EntityId> = order
        .iter()
        .copied()
        .filter(|id| !is_moving.contains(id))
        .collect();
    let positions = |id: EntityId| {
        let block: BTreeSet<EntityId> = block(id).into_iter().collect();
        rest.iter()
            .enumerate()
            .filter(move |(_, id)| block.contains(id))
            .map(|(at, _)| at)
    };
    // Objects are listed from the top of the order, definitions from its bottom.
    let above_is_later = section == Section::Objects;
    let at = match place {
        DropPlacement::Into(group) => rest.iter().position(|id| *id == group),
        DropPlacement::Above(id) if above_is_later => positions(id).max().map(|at| at + 1),
        DropPlacement::Below(id) if !above_is_later => positions(id).max().map(|at| at + 1),
        DropPlacement::Above(id) | DropPlacement::Below(id) => positions(id).min(),
    };
    let Some(at) = at else {
        return Vec::new();
    };
    let anchor = rest.get(at).copied();
    let mut edits = Vec::new();
    for id in moving {
        let Some(from) = order.iter().position(|other| *other == id) else {
            continue;
        };
        order.remove(from);
        let to = anchor
            .and_then(|anchor| order.iter().position(|other| *other == anchor))
            .unwrap_or(order.len());
        order.insert(to, id);
        if from != to {
            edits.push(Edit::Reorder { id, to });
        }
    }
    edits
}

fn has_ancestor_in(level: &Level, id: EntityId, ids: &BTreeSet<EntityId>) -> bool {
    let mut next = level.get(id).and_then(|entity| entity.group);
    // Bounded, because a hostile file may contain a cycle of groups.
    for _ in 0..64 {
        match next {
            Some(group) if ids.contains(&group) => return true,
            Some(group) => next = level.get(group).and_then(|entity| entity.group),
            None => return false,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Kind, Note, ops};
    use glam::DVec2;
    use proptest::prelude::*;

    const fn id(number: u64) -> EntityId {
        EntityId::new(number)
    }

    /// Notes 1 to 6 and the group 7 that holds 1 and 2.
    fn level() -> Level {
        let note = |group: Option<u64>| {
            let mut entity = Entity::new(
                "",
                Kind::Note(Note {
                    at: DVec2::ZERO,
                    text: String::new(),
                }),
            );
            entity.group = group.map(EntityId::new);
            entity
        };
        let mut edits: Vec<Edit> = (1..=6)
            .map(|n| Edit::create(id(n), note((n <= 2).then_some(7))))
            .collect();
        edits.push(Edit::create(id(7), Entity::new("", Kind::Group)));
        ops::apply(&Level::default(), &edits).expect("valid")
    }

    fn order_after(dragged: &[u64], place: DropPlacement) -> Vec<u64> {
        let ids: Vec<EntityId> = dragged.iter().map(|n| id(*n)).collect();
        let edits = moved(&level(), &ids, place).expect("can go there");
        let after = ops::apply(&level(), &edits).expect("valid");
        after.order().iter().map(|id| id.number()).collect()
    }

    #[test]
    fn above_in_the_list_is_later_in_the_order() {
        assert_eq!(
            order_after(&[3], DropPlacement::Above(id(5))),
            [1, 2, 4, 5, 3, 6, 7]
        );
        assert_eq!(
            order_after(&[6], DropPlacement::Below(id(4))),
            [1, 2, 3, 6, 4, 5, 7]
        );
        assert_eq!(
            order_after(&[3, 6], DropPlacement::Above(id(4))),
            [1, 2, 4, 3, 6, 5, 7]
        );
    }

    #[test]
    fn a_group_takes_its_members_along() {
        assert_eq!(
            order_after(&[7], DropPlacement::Above(id(4))),
            [3, 4, 1, 2, 7, 5, 6]
        );
        // Dragging a group and one of its members is dragging the group.
        assert_eq!(
            order_after(&[7, 1], DropPlacement::Above(id(4))),
            [3, 4, 1, 2, 7, 5, 6]
        );
    }

    #[test]
    fn into_a_group_and_out_of_it_is_one_list_of_edits() {
        let edits = moved(&level(), &[id(5)], DropPlacement::Into(id(7))).expect("can go there");
        let after = ops::apply(&level(), &edits).expect("valid");
        assert_eq!(after.members(id(7)), [id(1), id(2), id(5)]);
        let edits = moved(&after, &[id(5)], DropPlacement::Below(id(3))).expect("can go there");
        let back = ops::apply(&after, &edits).expect("valid");
        assert_eq!(back.members(id(7)), [id(1), id(2)]);
        assert_eq!(back.get(id(5)).expect("there").group, None);
    }

    #[test]
    fn a_group_cannot_go_into_itself_and_a_note_holds_nothing() {
        assert_eq!(moved(&level(), &[id(7)], DropPlacement::Into(id(7))), None);
        assert_eq!(moved(&level(), &[id(7)], DropPlacement::Above(id(1))), None);
        assert_eq!(moved(&level(), &[id(3)], DropPlacement::Into(id(4))), None);
        assert_eq!(
            moved(&level(), &[id(3)], DropPlacement::Above(id(99))),
            None
        );
    }

    #[test]
    fn a_row_dropped_where_it_was_changes_nothing() {
        assert_eq!(moved(&level(), &[id(4)], DropPlacement::Above(id(3))), None);
        assert_eq!(moved(&level(), &[id(4)], DropPlacement::Below(id(5))), None);
    }

    proptest! {
        #[test]
        fn a_drop_keeps_everything_once_and_the_rest_in_its_order(
            dragged in proptest::collection::vec(1..=7_u64, 1..5),
            target in 1..=7_u64,
            kind in 0..3,
        ) {
            let place = match kind {
                0 => DropPlacement::Above(id(target)),
                1 => DropPlacement::Below(id(target)),
                _ => DropPlacement::Into(id(target)),
            };
            let ids: Vec<EntityId> = dragged.iter().map(|n| id(*n)).collect();
            let level = level();
            if let Some(edits) = moved(&level, &ids, place) {
                let after = ops::apply(&level, &edits).expect("valid");
                let mut sorted: Vec<u64> = after.order().iter().map(|id| id.number()).collect();
                let still: Vec<u64> = sorted
                    .iter()
                    .copied()
                    .filter(|n| !dragged.contains(n) && (!dragged.contains(&7) || *n > 2))
                    .collect();
                prop_assert!(still.is_sorted());
                sorted.sort_unstable();
                prop_assert_eq!(sorted, [1, 2, 3, 4, 5, 6, 7]);
            }
        }
    }
}
