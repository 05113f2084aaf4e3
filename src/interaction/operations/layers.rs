//! Layers: creation, assignment and order.

use super::visibility::changed;
use super::{Change, OperationInput};
use crate::base::EntityId;
use crate::document::{Edit, Entity, Kind, KindName};
use crate::interaction::host::Refused;
use crate::interaction::naming::fresh_name;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayerStep {
    Up,
    Down,
}

/// A new layer above the others that contains the selection. Without a name it gets a number.
///
/// # Errors
/// Never; the signature matches the other operations.
pub fn new_layer(on: &OperationInput<'_>, name: &str) -> Result<Change, Refused> {
    let id = on.next_id;
    let name = match name.trim() {
        "" => fresh_name(on.level, "Layer"),
        name => name.to_owned(),
    };
    let at = layers(on).last().map(|(index, _)| index + 1);
    let mut edits = vec![Edit::Create {
        id,
        entity: std::sync::Arc::new(Entity::new(name, Kind::Layer)),
        at,
    }];
    edits.extend(moved_to(on, Some(id)));
    Ok(Change::new("New layer", edits, on.selection.clone()))
}

/// Assigns the selection, including members of groups, to a layer or to none.
///
/// # Errors
/// The layer does not exist, or no placed object is selected.
pub fn assign_to_layer(
    on: &OperationInput<'_>,
    layer: Option<EntityId>,
) -> Result<Change, Refused> {
    if let Some(layer) = layer
        && on.level.kind_of(layer) != Some(KindName::Layer)
    {
        return Err(Refused("the layer is no longer in the level".to_owned()));
    }
    let edits = moved_to(on, layer);
    if edits.is_empty() {
        return Err(on.nothing_to_do("in the plan"));
    }
    let label = layer.map_or_else(
        || "Remove from layer".to_owned(),
        |layer| format!("Move to {}", on.level.label(layer)),
    );
    Ok(Change::new(label, edits, on.selection.clone()))
}

/// Moves a layer up or down by one.
///
/// # Errors
/// It is not a layer, or it is already the first or last.
pub fn move_layer(
    on: &OperationInput<'_>,
    layer: EntityId,
    step: LayerStep,
) -> Result<Change, Refused> {
    let layers = layers(on);
    let place = layers
        .iter()
        .position(|(_, id)| *id == layer)
        .ok_or_else(|| Refused("the layer is no longer in the level".to_owned()))?;
    let other = match step {
        LayerStep::Up => layers.get(place + 1),
        LayerStep::Down => place.checked_sub(1).and_then(|below| layers.get(below)),
    };
    let Some((index, _)) = other else {
        return Err(Refused(match step {
            LayerStep::Up => "it is already the top layer".to_owned(),
            LayerStep::Down => "it is already the bottom layer".to_owned(),
        }));
    };
    let edits = vec![Edit::Reorder {
        id: layer,
        to: *index,
    }];
    Ok(Change::new("Move layer", edits, on.selection.clone()))
}

/// Indices in the order and ids of all layers, from the lowest up.
fn layers(on: &OperationInput<'_>) -> Vec<(usize, EntityId)> {
    on.level
        .iter()
        .enumerate()
        .filter(|(_, (_, entity))| entity.kind == Kind::Layer)
        .map(|(index, (id, _))| (index, id))
        .collect()
}

fn moved_to(on: &OperationInput<'_>, layer: Option<EntityId>) -> Vec<Edit> {
    let ids = on.expanded().into_iter().filter(|id| {
        on.get(*id)
            .is_some_and(|entity| entity.kind == Kind::Group || entity.kind.name().is_placed())
    });
    changed(on, ids, |entity| entity.layer = layer)
}
