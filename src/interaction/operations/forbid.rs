//! Forbid and allow stepping on objects, by selection or by name.

use super::visibility::changed;
use super::{Change, OperationInput};
use crate::base::EntityId;
use crate::document::forbidding::{can_be_forbidden, matches, rule_for};
use crate::document::{Edit, Level, Selection, Settings, tag};
use crate::interaction::host::Refused;
use std::sync::Arc;

/// Forbids the selection, including members of groups; allows it if all of it is forbidden already.
///
/// # Errors
/// Nothing selected can be stepped on.
pub fn toggle_forbidden(on: &OperationInput<'_>) -> Result<Change, Refused> {
    let bodies: Vec<EntityId> = on
        .expanded()
        .into_iter()
        .filter(|id| on.get(*id).is_some_and(|entity| can_be_forbidden(entity)))
        .collect();
    if bodies.is_empty() {
        return Err(on.nothing_to_do("that can be stepped on: an obstacle or a solid"));
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

/// Why an object cannot be allowed individually.
#[must_use]
pub fn by_rule_sentence(rule: &str) -> String {
    format!(
        "the rule \"{rule}\" forbids it; allow everything named {rule} with the forbidding tool"
    )
}

/// Adds a rule to the level that forbids every obstacle and solid with a matching name, including
/// those added later; or removes the rule and allows them. Selects them.
///
/// # Errors
/// No name matches, or there is nothing to change.
pub fn forbid_named(
    on: &OperationInput<'_>,
    pattern: &str,
    forbid: bool,
) -> Result<Change, Refused> {
    let pattern = pattern.trim();
    let named = bodies_named(on.level, pattern);
    let settings = on.level.settings();
    let is_ruled = settings.forbidding.iter().any(|rule| rule == pattern);
    if named.is_empty() && !is_ruled {
        return Err(Refused(format!(
            "no obstacle or solid is named {pattern}; * matches any characters"
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
        return Err(Refused(format!("all of them are already {state}")));
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
    // Remove the rule first, so that what it forbade can be allowed.
    change.edits.insert(0, Edit::Settings(Arc::new(settings)));
    change.selection = named;
    Ok(change)
}

/// Obstacles and solids whose display name matches.
#[must_use]
pub fn bodies_named(level: &Level, pattern: &str) -> Selection {
    level
        .iter()
        .filter(|(id, entity)| can_be_forbidden(entity) && matches(pattern, &entity.label(*id)))
        .map(|(id, _)| id)
        .collect()
}

fn set(on: &OperationInput<'_>, ids: Vec<EntityId>, forbid: bool) -> Change {
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
