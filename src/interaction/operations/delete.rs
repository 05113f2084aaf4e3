//! Deletion, and repair of references to what was deleted.

use super::references::{Fate, followed};
use super::{Change, OperationInput};
use crate::base::EntityId;
use crate::document::entity::Role;
use crate::document::{Edit, KindName, Level, Settings};
use crate::interaction::host::Refused;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Deletes the selection, groups with their members; locked objects stay.
///
/// Regions of a deleted terrain get the base terrain, agents of a deleted profile the first
/// remaining one; references to deleted routes, goals and constraint targets are removed; what
/// cannot exist without its reference (a relation without its object, a test without its agent) is
/// deleted too.
///
/// # Errors
/// Nothing can be deleted, or agents would be left without any profile.
pub fn delete(on: &OperationInput<'_>) -> Result<Change, Refused> {
    let expanded = on.expanded();
    let gone: BTreeSet<EntityId> = expanded
        .iter()
        .copied()
        .filter(|id| !on.level.is_locked(*id))
        .collect();
    if gone.is_empty() {
        return Err(on.nothing_to_do("that can be deleted"));
    }
    let label = match gone.len() {
        1 => format!("Delete {}", on.level.label(*gone.first().expect("one"))),
        count => format!("Delete {count} objects"),
    };
    let edits = removal(on.level, &gone, &BTreeMap::new())?;
    // Locked objects stay selected.
    let selection = on
        .selection
        .iter()
        .filter(|id| !gone.contains(id))
        .collect();
    Ok(Change::new(label, edits, selection))
}

/// The edits that delete `gone` and repair references to it. References to keys of `heirs` are
/// redirected to their values where these are valid replacements.
///
/// # Errors
/// Agents would be left without any profile.
pub(in crate::interaction) fn removal(
    level: &Level,
    gone: &BTreeSet<EntityId>,
    heirs: &BTreeMap<EntityId, EntityId>,
) -> Result<Vec<Edit>, Refused> {
    let mut gone = gone.clone();
    let settings = level.settings();
    let terrain = settings
        .base_terrain
        .filter(|id| !gone.contains(id))
        .or_else(|| first(level, KindName::Terrain, &gone));
    let profile = first(level, KindName::Profile, &gone);
    let mut updated = BTreeMap::new();
    // What is deleted in consequence may itself be referred to.
    loop {
        let mut more = BTreeSet::new();
        for (id, entity) in level.drawn().filter(|(id, _)| !gone.contains(id)) {
            let mut without_profile = false;
            let mut touched = false;
            let after = followed(entity, |role, to| {
                if !gone.contains(&to) {
                    return Fate::Stays;
                }
                touched = true;
                let heir = heirs
                    .get(&to)
                    .copied()
                    .filter(|heir| level.kind_of(*heir).is_some_and(|kind| role.accepts(kind)));
                let stand_in = heir.or(match (role, &entity.kind) {
                    (Role::Group, _) => level.get(to).and_then(|group| group.group),
                    (Role::Terrain, crate::document::Kind::Region(_)) => terrain,
                    (Role::Profile, _) => {
                        without_profile |= profile.is_none();
                        profile
                    }
                    _ => None,
                });
                match stand_in.filter(|id| !gone.contains(id)) {
                    Some(other) => Fate::Leads(other),
                    None => Fate::Ends,
                }
            });
            if without_profile {
                return Err(Refused(format!(
                    "{} needs a profile, and this is the last one; create another one first",
                    entity.label(id)
                )));
            }
            match after {
                Some(after) if touched => {
                    updated.insert(id, after);
                }
                Some(_) => {}
                None => {
                    more.insert(id);
                }
            }
        }
        if more.is_empty() {
            break;
        }
        gone.extend(more);
    }
    let mut edits: Vec<Edit> = updated
        .into_iter()
        .filter(|(id, _)| !gone.contains(id))
        .map(|(id, entity)| Edit::replace(id, entity))
        .collect();
    if settings.base_terrain.is_some_and(|id| gone.contains(&id)) {
        edits.push(Edit::Settings(Arc::new(Settings {
            base_terrain: None,
            ..Settings::clone(settings)
        })));
    }
    edits.extend(gone.into_iter().map(|id| Edit::Delete { id }));
    Ok(edits)
}

fn first(level: &Level, kind: KindName, gone: &BTreeSet<EntityId>) -> Option<EntityId> {
    level
        .iter()
        .find(|(id, entity)| entity.kind.name() == kind && !gone.contains(id))
        .map(|(id, _)| id)
}
