//! Group and ungroup.

use super::{Change, OperationInput};
use crate::base::EntityId;
use crate::document::{Edit, Entity, Kind, Selection};
use crate::interaction::host::Refused;
use crate::interaction::naming::fresh_name;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Groups the selection. The new group inherits the common group and layer, if any.
///
/// # Errors
/// No placed object is selected.
pub fn group(on: &OperationInput<'_>) -> Result<Change, Refused> {
    // Members of a group that is itself selected stay inside it.
    let members: Vec<EntityId> = on
        .in_order(&on.selection.iter().collect())
        .into_iter()
        .filter(|id| {
            on.get(*id).is_some_and(|entity| {
                let whole = entity.kind == Kind::Group || entity.kind.name().is_placed();
                whole && !is_within_selected(on, *id)
            })
        })
        .collect();
    let Some(topmost) = members.last() else {
        return Err(Refused(
            "select the objects in the plan to group".to_owned(),
        ));
    };
    let id = on.next_id;
    let common = |part: fn(&Entity) -> Option<EntityId>| {
        let parts: BTreeSet<_> = members
            .iter()
            .filter_map(|id| on.get(*id))
            .map(|entity| part(entity))
            .collect();
        match parts.len() {
            1 => parts.first().copied().flatten(),
            _ => None,
        }
    };
    let mut new = Entity::new(fresh_name(on.level, "Group"), Kind::Group);
    new.group = common(|entity| entity.group);
    new.layer = common(|entity| entity.layer);
    let mut edits = vec![Edit::Create {
        id,
        entity: Arc::new(new),
        at: on.level.order().index_of(topmost).map(|at| at + 1),
    }];
    edits.extend(members.iter().filter_map(|member| {
        let mut entity = Entity::clone(on.get(*member)?);
        entity.group = Some(id);
        Some(Edit::replace(*member, entity))
    }));
    Ok(Change::new("Group", edits, Selection::one(id)))
}

/// Dissolves the selected groups and removes other selected objects from their groups; members of
/// nested groups move to the outer group. Deletes groups left empty.
///
/// # Errors
/// Nothing selected is a group or in one.
pub fn ungroup(on: &OperationInput<'_>) -> Result<Change, Refused> {
    let dissolved: BTreeSet<EntityId> = on
        .selection
        .iter()
        .filter(|id| on.get(*id).is_some_and(|entity| entity.kind == Kind::Group))
        .collect();
    let parent = |group: EntityId| on.get(group).and_then(|entity| entity.group);
    // The nearest enclosing group that is not dissolved.
    let outer = |mut group: Option<EntityId>| {
        for _ in 0..64 {
            match group {
                Some(id) if dissolved.contains(&id) => group = parent(id),
                other => return other,
            }
        }
        None
    };
    let mut moved: BTreeMap<EntityId, Option<EntityId>> = BTreeMap::new();
    for (id, entity) in on.level.drawn() {
        let Some(group) = entity.group else { continue };
        if dissolved.contains(&group) {
            moved.insert(id, outer(Some(group)));
        } else if on.selection.contains(id) && !dissolved.contains(&id) {
            moved.insert(id, parent(group));
        }
    }
    moved.retain(|id, _| !dissolved.contains(id));
    if moved.is_empty() && dissolved.is_empty() {
        return Err(Refused("nothing selected is in a group".to_owned()));
    }
    let mut edits: Vec<Edit> = moved
        .iter()
        .filter_map(|(id, group)| {
            let mut entity = Entity::clone(on.get(*id)?);
            entity.group = *group;
            Some(Edit::replace(*id, entity))
        })
        .collect();
    let group_after =
        |id: EntityId, entity: &Entity| moved.get(&id).copied().unwrap_or(entity.group);
    let emptied = moved
        .keys()
        .filter_map(|id| on.get(*id)?.group)
        .filter(|group| {
            !on.level
                .iter()
                .any(|(id, entity)| group_after(id, entity) == Some(*group))
        });
    let gone: BTreeSet<EntityId> = dissolved.iter().copied().chain(emptied).collect();
    edits.extend(gone.iter().map(|id| Edit::Delete { id: *id }));
    let selection = moved
        .into_keys()
        .chain(on.selection.iter())
        .filter(|id| !gone.contains(id))
        .collect();
    Ok(Change::new("Ungroup", edits, selection))
}

fn is_within_selected(on: &OperationInput<'_>, id: EntityId) -> bool {
    let mut next = on.get(id).and_then(|entity| entity.group);
    for _ in 0..64 {
        match next {
            Some(group) if on.selection.contains(group) => return true,
            Some(group) => next = on.get(group).and_then(|entity| entity.group),
            None => return false,
        }
    }
    false
}
