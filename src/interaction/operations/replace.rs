//! Replace terrains and tags of many things at once.

use super::visibility::changed;
use super::{Change, Subject};
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
    fn ids(self, on: &Subject<'_>) -> Vec<EntityId> {
        match self {
            Self::Level => on.level.order().iter().copied().collect(),
            Self::Selection => on.expanded(),
        }
    }
}

/// Paints every region of one terrain with another; in the whole level, the base too.
///
/// # Errors
/// The new terrain is gone, or nothing has the old one.
pub fn replace_terrain(
    on: &Subject<'_>,
    from: EntityId,
    to: EntityId,
    scope: Scope,
) -> Result<Change, Refused> {
    if on.level.kind_of(to) != Some(KindName::Terrain) {
        return Err(Refused(
            "the terrain is not in the level any more".to_owned(),
        ));
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
        return Err(Refused(format!(
            "nothing is painted with {}",
            on.level.label(from)
        )));
    }
    let label = format!("Replace {} by {}", on.level.label(from), on.level.label(to));
    Ok(Change::new(label, edits, found.into_iter().collect()))
}

/// Gives everything that carries one tag another one instead, or takes it off.
///
/// # Errors
/// Nothing carries the tag, or the new one is empty.
pub fn replace_tag(
    on: &Subject<'_>,
    from: &str,
    to: Option<&str>,
    scope: Scope,
) -> Result<Change, Refused> {
    let to = to.map(str::trim);
    if to == Some("") {
        return Err(Refused("the new tag is empty; give it a word".to_owned()));
    }
    let found: Selection = scope
        .ids(on)
        .into_iter()
        .filter(|id| on.get(*id).is_some_and(|entity| entity.has_tag(from)))
        .collect();
    if found.is_empty() {
        return Err(Refused(format!("nothing carries the tag `{from}`")));
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
