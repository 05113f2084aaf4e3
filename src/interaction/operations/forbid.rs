//! Forbid and allow: what nobody may step on, by selection or by name.

use super::visibility::changed;
use super::{Change, Subject};
use crate::base::EntityId;
use crate::document::forbidding::{can_be_forbidden, matches, rule_for};
use crate::document::{Edit, Level, Selection, Settings, tag};
use crate::interaction::host::Refused;
use std::sync::Arc;

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
    if !forbid {
        let by_rule = |id: &EntityId| rule_for(on.level, *id, on.get(*id)?);
        if let Some(rule) = bodies.iter().find_map(by_rule) {
            return Err(Refused(by_rule_sentence(rule)));
        }
    }
    Ok(set(on, bodies, forbid))
}

/// Why something cannot be allowed alone.
#[must_use]
pub fn by_rule_sentence(rule: &str) -> String {
    format!(
        "the rule \"{rule}\" forbids it; allow everything named {rule} with the forbidding tool"
    )
}

/// Forbids every obstacle and solid whose name matches by a rule that the level keeps, so that what is drawn
/// later follows it, too; or takes the rule back and allows them. Selects them.
///
/// # Errors
/// Nothing has such a name, or all of it is as wanted already.
pub fn forbid_named(on: &Subject<'_>, pattern: &str, forbid: bool) -> Result<Change, Refused> {
    let pattern = pattern.trim();
    let named = bodies_named(on.level, pattern);
    let settings = on.level.settings();
    let is_ruled = settings.forbidding.iter().any(|rule| rule == pattern);
    if named.is_empty() && !is_ruled {
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
    if others.is_empty() && is_ruled == forbid {
        let state = if forbid { "forbidden" } else { "allowed" };
        return Err(Refused(format!("all of them are {state} already")));
    }
    let mut forbidding = settings.forbidding.clone();
    forbidding.retain(|rule| rule != pattern);
    if forbid {
        forbidding.push(pattern.to_owned());
    }
    let settings = Settings {
        forbidding,
        ..Settings::clone(settings)
    };
    let mut change = set(on, others, forbid);
    // The rule goes first: what it no longer forbids can be allowed then.
    change.edits.insert(0, Edit::Settings(Arc::new(settings)));
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
