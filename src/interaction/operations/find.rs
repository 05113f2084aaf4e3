//! Search by name, kind, terrain and tag.

use crate::base::EntityId;
use crate::document::{Entity, Kind, KindName, Level, Selection};

/// All given criteria must hold; without any, everything matches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Criteria {
    /// Part of the name or of a note's text, case-insensitive.
    pub text: String,
    pub kind: Option<KindName>,
    pub tag: Option<String>,
    /// Regions of this terrain.
    pub terrain: Option<EntityId>,
}

impl Criteria {
    #[must_use]
    pub fn hold_for(&self, id: EntityId, entity: &Entity) -> bool {
        let text = self.text.trim().to_lowercase();
        let has_text = || {
            let note = match &entity.kind {
                Kind::Note(note) => note.text.to_lowercase(),
                _ => String::new(),
            };
            entity.label(id).to_lowercase().contains(&text) || note.contains(&text)
        };
        let has_terrain = |terrain: EntityId| matches!(&entity.kind, Kind::Region(region) if region.terrain == terrain);
        self.kind.is_none_or(|kind| entity.kind.name() == kind)
            && self.tag.as_ref().is_none_or(|tag| entity.has_tag(tag))
            && self.terrain.is_none_or(has_terrain)
            && (text.is_empty() || has_text())
    }
}

/// All entities that match.
#[must_use]
pub fn find(level: &Level, criteria: &Criteria) -> Selection {
    level
        .iter()
        .filter(|(id, entity)| criteria.hold_for(*id, entity))
        .map(|(id, _)| id)
        .collect()
}
