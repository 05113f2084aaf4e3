//! Rules by which things are forbidden: everything of a name, also what is drawn later.
//!
//! A rule puts the tag [`tag::FORBIDDEN`] on whatever it matches, so that all who read a level find it
//! there. `document/ops.rs` sees to it after every edit.

use super::model::{Entity, KindName, Level, tag};
use crate::base::EntityId;
use std::sync::Arc;

/// Whether something can be forbidden: it has a body that one could step on.
#[must_use]
pub fn can_be_forbidden(entity: &Entity) -> bool {
    matches!(entity.kind.name(), KindName::Obstacle | KindName::Solid)
}

/// The rule of the level that forbids something.
#[must_use]
pub fn rule_for<'a>(level: &'a Level, id: EntityId, entity: &Entity) -> Option<&'a str> {
    let rules = &level.settings().forbidding;
    if rules.is_empty() || !can_be_forbidden(entity) {
        return None;
    }
    let label = entity.label(id);
    let rule = rules.iter().find(|rule| matches(rule, &label));
    rule.map(String::as_str)
}

/// Puts the tag on what rules forbid among these things.
pub(super) fn enforce(level: &mut Level, ids: impl IntoIterator<Item = EntityId>) {
    for id in ids {
        let Some(entity) = level.get(id) else {
            continue;
        };
        if !entity.has_tag(tag::FORBIDDEN) && rule_for(level, id, entity).is_some() {
            let forbidden = Entity::clone(entity).tagged(tag::FORBIDDEN);
            level.entities.insert(id, Arc::new(forbidden));
        }
    }
}

/// `*` for any letters, `?` for one, in any case; without either, the whole name.
#[must_use]
pub fn matches(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = pattern.trim().to_lowercase().chars().collect();
    let name: Vec<char> = name.to_lowercase().chars().collect();
    if pattern.is_empty() {
        return false;
    }
    // Where the last star stood, and how much of the name it has taken.
    let (mut p, mut n, mut star) = (0, 0, None);
    while n < name.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(c) if *c == '?' || *c == name[n] => (p, n) = (p + 1, n + 1),
            _ => match star {
                Some((at, taken)) => {
                    (p, n) = (at + 1, taken + 1);
                    star = Some((at, taken + 1));
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_matches_whole_names_in_any_case() {
        for (pattern, name, expected) in [
            ("Table*", "Table 2", true),
            ("table*", "TABLE", true),
            ("Table", "Table 2", false),
            ("*2", "Table 2", true),
            ("*a*b*", "xaxxb", true),
            ("*a*b", "xaxxbc", false),
            ("T?ble", "Table", true),
            ("T?ble", "Tble", false),
            ("*", "", true),
            ("", "", false),
            ("**", "anything", true),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }
}
