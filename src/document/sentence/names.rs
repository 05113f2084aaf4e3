//! What entities are called in sentences.

use super::nearest::nearest;
use super::phrase::is_keyword;
use super::token::{is_word_letter, is_word_start};
use crate::base::EntityId;
use crate::document::entity::Role;
use crate::document::model::Level;
use std::collections::BTreeMap;

/// The names of a level's entities, in any spelling of their letters.
#[derive(Clone, Debug)]
pub struct Names {
    level: Level,
    /// By label in lower case; ids rise.
    by_name: BTreeMap<String, Vec<EntityId>>,
}

/// Why a name leads nowhere.
pub(super) enum Unknown {
    /// Nothing is called so; the nearest name.
    Name(Option<String>),
    /// As many are called so.
    Ordinal(usize),
}

impl Names {
    #[must_use]
    pub fn of(level: &Level) -> Self {
        let mut by_name: BTreeMap<String, Vec<EntityId>> = BTreeMap::new();
        for (id, entity) in level.drawn() {
            by_name.entry(key(&entity.label(id))).or_default().push(id);
        }
        for ids in by_name.values_mut() {
            ids.sort_unstable();
        }
        Self {
            level: level.clone(),
            by_name,
        }
    }

    #[must_use]
    pub const fn level(&self) -> &Level {
        &self.level
    }

    fn accepts(&self, role: Role, id: EntityId) -> bool {
        self.level
            .kind_of(id)
            .is_some_and(|kind| role.accepts(kind))
    }

    /// Every entity that is called so and may play this role, oldest first.
    fn called(&self, role: Role, name: &str) -> Vec<EntityId> {
        let ids = self.by_name.get(&key(name));
        ids.into_iter()
            .flatten()
            .copied()
            .filter(|id| self.accepts(role, *id))
            .collect()
    }

    /// The entity of a name, counted from 1 where several are called so.
    pub(super) fn find(
        &self,
        role: Role,
        name: &str,
        ordinal: Option<usize>,
    ) -> Result<EntityId, Unknown> {
        let called = self.called(role, name);
        let at = ordinal.unwrap_or(1).checked_sub(1);
        match at.and_then(|at| called.get(at)) {
            Some(id) => Ok(*id),
            None if called.is_empty() => Err(Unknown::Name(self.nearest(role, name))),
            None => Err(Unknown::Ordinal(called.len())),
        }
    }

    fn nearest(&self, role: Role, name: &str) -> Option<String> {
        let all = self.by_name.iter();
        let suiting = all.filter(|(_, ids)| ids.iter().any(|id| self.accepts(role, *id)));
        let found = nearest(name, suiting.map(|(name, _)| name.as_str()))?;
        let id = self.called(role, found).first().copied()?;
        Some(self.level.label(id))
    }

    /// What an entity is called in this role: `Wall`, `"Town hall"`, `Wall(3)`, or `#12` if no name
    /// leads to it.
    #[must_use]
    pub fn reference(&self, role: Role, id: EntityId) -> String {
        if !self.accepts(role, id) {
            return format!("#{}", id.number());
        }
        let label = self.level.label(id);
        let called = self.called(role, &label);
        let name = in_quotes_if_needed(&label);
        match called.iter().position(|other| *other == id) {
            Some(_) if called.len() == 1 => name,
            Some(at) => format!("{name}({})", at + 1),
            None => format!("#{}", id.number()),
        }
    }

    /// What everything is called that may play a role, in the order of the names.
    pub fn references(&self, role: Role) -> impl Iterator<Item = String> + '_ {
        self.suiting(role).map(move |id| self.reference(role, id))
    }

    /// Every entity that may play a role, in the order of their names.
    pub(super) fn suiting(&self, role: Role) -> impl Iterator<Item = EntityId> + '_ {
        let all = self.by_name.values().flatten().copied();
        all.filter(move |id| self.accepts(role, *id))
    }
}

/// Names that differ only in the case of their letters are one name.
fn key(name: &str) -> String {
    name.to_lowercase()
}

fn in_quotes_if_needed(name: &str) -> String {
    let is_plain =
        name.starts_with(is_word_start) && name.chars().all(is_word_letter) && !is_keyword(name);
    if is_plain {
        return name.to_owned();
    }
    let mut text = String::with_capacity(name.len() + 2);
    text.push('"');
    for letter in name.chars() {
        if matches!(letter, '"' | '\\') {
            text.push('\\');
        }
        text.push(letter);
    }
    text.push('"');
    text
}
