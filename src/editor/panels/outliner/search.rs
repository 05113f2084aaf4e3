//! The search field: words of a name, a kind, a tag, a number.

use crate::base::EntityId;
use crate::document::Entity;

/// All words must match, in any order and case-insensitively. `#12` is a number, `tag:roof` a tag,
/// `kind:agent` a kind; any other word may be part of a name, a kind or a tag.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Search {
    words: Vec<Word>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Word {
    Any(String),
    Number(u64),
    Tag(String),
    Kind(String),
}

impl Search {
    #[must_use]
    pub fn new(text: &str) -> Self {
        let words = text.split_whitespace().map(|word| {
            let word = word.to_lowercase();
            let number = word.strip_prefix('#').and_then(|n| n.parse().ok());
            if let Some(number) = number {
                Word::Number(number)
            } else if let Some(tag) = word.strip_prefix("tag:") {
                Word::Tag(tag.to_owned())
            } else if let Some(kind) = word.strip_prefix("kind:") {
                Word::Kind(kind.to_owned())
            } else {
                Word::Any(word)
            }
        });
        Self {
            words: words.collect(),
        }
    }

    /// An empty query: everything matches.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    #[must_use]
    pub fn matches(&self, id: EntityId, entity: &Entity) -> bool {
        if self.is_empty() {
            return true;
        }
        let kind = entity.kind.name();
        let is_kind = |word: &str| {
            [kind.singular(), kind.plural()]
                .iter()
                .any(|name| name.to_lowercase().contains(word))
        };
        let has_tag = |word: &str| {
            entity
                .tags
                .iter()
                .any(|tag| tag.to_lowercase().contains(word))
        };
        let label = entity.label(id).to_lowercase();
        self.words.iter().all(|word| match word {
            Word::Number(number) => id.number() == *number,
            Word::Tag(tag) => has_tag(tag),
            Word::Kind(kind) => is_kind(kind),
            Word::Any(word) => label.contains(word) || is_kind(word) || has_tag(word),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Kind, Note};
    use glam::DVec2;

    #[test]
    fn words_match_names_kinds_tags_and_numbers() {
        let id = EntityId::new(12);
        let note = Entity::new(
            "North Gate",
            Kind::Note(Note {
                at: DVec2::ZERO,
                text: String::new(),
            }),
        )
        .tagged("Roof");
        let finds = |text: &str| Search::new(text).matches(id, &note);
        for text in [
            "",
            "gate",
            "gate NORTH",
            "notes",
            "roof",
            "tag:roo",
            "kind:note",
            "#12",
        ] {
            assert!(finds(text), "{text}");
        }
        for text in ["gate south", "kind:gate", "tag:north", "#1", "agent"] {
            assert!(!finds(text), "{text}");
        }
    }
}
