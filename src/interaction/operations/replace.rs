//! Replaces terrains and tags of many objects at once.

use super::visibility::changed;
use super::{Change, OperationInput};
use crate::base::EntityId;
use crate::document::{Edit, Kind, KindName, Selection, Settings};
use crate::interaction::host::Refused;
use std::sync::Arc;

/// Where to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    Level,
    Selection,
}

impl Scope {
    fn ids(self, on: &OperationInput<'_>) -> Vec<EntityId> {
        match self {
            Self::Level => on.level.drawn().map(|(id, _)| id).collect(),
            Self::Selection => on.expanded(),
        }
    }
}

/// Changes every region of one terrain to another; with scope level, the base terrain too.
///
/// # Errors
/// The new terrain does not exist, or nothing uses the old one.
pub fn replace_terrain(
    on: &OperationInput<'_>,
    from: EntityId,
    to: EntityId,
    scope: Scope,
) -> Result<Change, Refused> {
    if on.level.kind_of(to) != Some(KindName::Terrain) {
        return Err(Refused("the terrain is no longer in the level".to_owned()));
    }
    let found: Vec<EntityId> = scope
        .ids(on)
        .into_iter()
        .filter(|id| {
            on.get(*id).is_some_and(
                |entity| matches!(&entity.kind, Kind::Region(region) if region.terrain == from),
            )
        })
        .collect();
    let mut edits = changed(on, found.iter().copied(), |entity| {
        if let Kind::Region(region) = &mut entity.kind {
            region.terrain = to;
        }
    });
    let settings = on.level.settings();
    if scope == Scope::Level && settings.base_terrain == Some(from) {
        edits.push(Edit::Settings(Arc::new(Settings {
            base_terrain: Some(to),
            ..Settings::clone(settings)
        })));
    }
    if edits.is_empty() {
        return Err(Refused(format!("nothing uses {}", on.level.label(from))));
    }
    let label = format!("Replace {} by {}", on.level.label(from), on.level.label(to));
    Ok(Change::new(label, edits, found.into_iter().collect()))
}

/// Replaces or removes a tag wherever it occurs.
///
/// # Errors
/// Nothing carries the tag, or the new one is empty.
pub fn replace_tag(
    on: &OperationInput<'_>,
    from: &str,
    to: Option<&str>,
    scope: Scope,
) -> Result<Change, Refused> {
    let to = to.map(str::trim);
    if to == Some("") {
        return Err(Refused("the new tag is empty; enter a word".to_owned()));
    }
    let found: Selection = scope
        .ids(on)
        .into_iter()
        .filter(|id| on.get(*id).is_some_and(|entity| entity.has_tag(from)))
        .collect();
    if found.is_empty() {
        return Err(Refused(format!("nothing has the tag `{from}`")));
    }
    let edits = changed(on, found.iter(), |entity| {
        entity.tags.remove(from);
        entity.tags.extend(to.map(str::to_owned));
    });
    let label = to.map_or_else(
        || format!("Remove tag {from}"),
        |to| format!("Replace tag {from} by {to}"),
    );
    Ok(Change::new(label, edits, found))
}
