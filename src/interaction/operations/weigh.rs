//! Terrain weights of several profiles at once.

use super::{Change, OperationInput};
use crate::base::EntityId;
use crate::document::weight_preset::{self, WeightPreset};
use crate::document::{KindName, Level};
use crate::interaction::host::Refused;
use std::collections::BTreeSet;

/// The selected profiles, and those of the selected agents and crowds.
#[must_use]
pub fn profiles(on: &OperationInput<'_>) -> BTreeSet<EntityId> {
    on.expanded()
        .into_iter()
        .filter_map(|id| {
            let entity = on.get(id)?;
            match entity.kind.name() {
                KindName::Profile => Some(id),
                _ => entity.mission().map(|mission| mission.profile),
            }
        })
        .filter(|id| on.level.kind_of(*id) == Some(KindName::Profile))
        .collect()
}

/// Applies a preset's weights to the selected profiles.
///
/// # Errors
/// No profile is selected, or the preset knows none of the terrain names.
pub fn weigh(on: &OperationInput<'_>, preset: WeightPreset) -> Result<Change, Refused> {
    weigh_profiles(on, &chosen(on)?, preset)
}

/// Applies a preset's weights to the given profiles.
///
/// # Errors
/// The preset knows none of the terrain names.
pub fn weigh_profiles(
    on: &OperationInput<'_>,
    profiles: &BTreeSet<EntityId>,
    preset: WeightPreset,
) -> Result<Change, Refused> {
    let applied = preset.apply(on.level, profiles.iter().copied());
    if applied.set.is_empty() {
        return Err(Refused(
            "no terrain has a name that it knows, such as Road, Mud or Grass; name the terrains \
             so, or type the weights into the table"
                .to_owned(),
        ));
    }
    let label = format!(
        "Weights of {}: {}",
        whose(on.level, profiles),
        preset.name().to_lowercase()
    );
    Ok(Change::new(label, applied.edits, on.selection.clone()))
}

/// Resets the selected profiles to the terrains' default weights.
///
/// # Errors
/// No profile is selected, or none has weights of its own.
pub fn unweigh(on: &OperationInput<'_>) -> Result<Change, Refused> {
    unweigh_profiles(on, &chosen(on)?)
}

/// Resets the given profiles to the terrains' default weights.
///
/// # Errors
/// None has weights of its own.
pub fn unweigh_profiles(
    on: &OperationInput<'_>,
    profiles: &BTreeSet<EntityId>,
) -> Result<Change, Refused> {
    let edits = weight_preset::own_weights_removed(on.level, profiles.iter().copied());
    if edits.is_empty() {
        return Err(Refused(
            "there is nothing to reset; the default weights are in use".to_owned(),
        ));
    }
    let label = format!("Weights of {}: defaults", whose(on.level, profiles));
    Ok(Change::new(label, edits, on.selection.clone()))
}

fn chosen(on: &OperationInput<'_>) -> Result<BTreeSet<EntityId>, Refused> {
    let profiles = profiles(on);
    if profiles.is_empty() {
        return Err(Refused(
            "select a profile first, or an agent to use its profile".to_owned(),
        ));
    }
    Ok(profiles)
}

fn whose(level: &Level, profiles: &BTreeSet<EntityId>) -> String {
    match profiles.first() {
        Some(id) if profiles.len() == 1 => level.label(*id),
        _ => format!("{} profiles", profiles.len()),
    }
}
