//! The links of a level that a profile may use.

use crate::base::EntityId;
use crate::document::{Kind, Level, Link};

/// In the level's order; all of them for no profile.
pub(super) fn links_for(level: &Level, profile: Option<EntityId>) -> Vec<(EntityId, &Link)> {
    level
        .iter()
        .filter_map(|(id, entity)| match &entity.kind {
            Kind::Link(link) => Some((id, link)),
            _ => None,
        })
        .filter(|(_, link)| profile.is_none_or(|profile| link.admits(profile)))
        .collect()
}
