//! Forbid and allow: what nobody may step on, by selection or by name.

use super::visibility::changed;
use super::{Change, Subject};
use crate::base::EntityId;
use crate::document::{Entity, KindName, Level, Selection, tag};
use crate::interaction::host::Refused;

/// Whether something can be forbidden: it has a body that one could step on.
#[must_use]
pub fn can_be_forbidden(entity: &Entity) -> bool {
    matches!(entity.kind.name(), KindName::Obstacle | KindName::Solid)
}

/// Forbids the selection, members of groups too; allows it if all of it is forbidden already.
///
/// # Errors
/// Nothing is selected that one could step on.
pub fn toggle_forbidden(on: &Subject<'_>) -> Result<Change, Refused> {
    let bodies: Vec<EntityId> = on
        .expanded()
        .into_iter()
        .filter(|id| on.get(*id).is_some_and(|entity| can_be_forbidden(entity)))
        .collect();
    if bodies.is_empty() {
        return Err(on.nothing_to_do("that one could step on: an obstacle or a solid"));
    }
    let is_forbidden = |id: &EntityId| on.get(*id).is_some_and(|e| e.has_tag(tag::FORBIDDEN));
    let forbid = !bodies.iter().all(is_forbidden);
    Ok(set(on, bodies, forbid))
}

/// Forbids, or allows, every obstacle and solid whose name matches, and selects it.
///
/// # Errors
/// Nothing has such a name, or all of it is as wanted already.
pub fn forbid_named(on: &Subject<'_>, pattern: &str, forbid: bool) -> Result<Change, Refused> {
    let named = bodies_named(on.level, pattern);
    if named.is_empty() {
        return Err(Refused(format!(
            "no obstacle or solid is called {pattern}; * stands for any letters"
        )));
    }
    let others: Vec<EntityId> = named
        .iter()
        .filter(|id| {
            on.get(*id)
                .is_some_and(|e| e.has_tag(tag::FORBIDDEN) != forbid)
        })
        .collect();
    if others.is_empty() {
        let state = if forbid { "forbidden" } else { "allowed" };
        return Err(Refused(format!("all of them are {state} already")));
    }
    let mut change = set(on, others, forbid);
    change.selection = named;
    Ok(change)
}

/// Obstacles and solids whose name, or what they are called without one, matches.
#[must_use]
pub fn bodies_named(level: &Level, pattern: &str) -> Selection {
    level
        .iter()
        .filter(|(id, entity)| can_be_forbidden(entity) && matches(pattern, &entity.label(*id)))
        .map(|(id, _)| id)
        .collect()
}

fn set(on: &Subject<'_>, ids: Vec<EntityId>, forbid: bool) -> Change {
    let edits = changed(on, ids.into_iter(), |entity| {
        if forbid {
            entity.tags.insert(tag::FORBIDDEN.to_owned());
        } else {
            entity.tags.remove(tag::FORBIDDEN);
        }
    });
    let label = if forbid { "Forbid" } else { "Allow" };
    Change::new(label, edits, on.selection.clone())
}

/// `*` for any letters, `?` for one, in any case; without either, the whole name.
fn matches(pattern: &str, name: &str) -> bool {
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
