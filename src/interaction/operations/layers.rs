//! Layers: new ones, what lies in them, and their order.

use super::visibility::changed;
use super::{Change, Subject};
use crate::base::EntityId;
use crate::document::{Edit, Entity, Kind, KindName};
use crate::interaction::host::Refused;
use crate::interaction::naming::fresh_name;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayerStep {
    Up,
    Down,
}

/// A new layer above the others, with the selection in it. Without a name it gets a number.
///
/// # Errors
/// Never; the shape is that of the other operations.
pub fn new_layer(on: &Subject<'_>, name: &str) -> Result<Change, Refused> {
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

/// Puts the selection in a layer, or in none; members of groups come along.
///
/// # Errors
/// The layer is gone, or nothing that has a place is selected.
pub fn assign_to_layer(on: &Subject<'_>, layer: Option<EntityId>) -> Result<Change, Refused> {
    if let Some(layer) = layer
        && on.level.kind_of(layer) != Some(KindName::Layer)
    {
        return Err(Refused("the layer is not in the level any more".to_owned()));
    }
    let edits = moved_to(on, layer);
    if edits.is_empty() {
        return Err(on.nothing_to_do("that has a place in the plan"));
    }
    let label = layer.map_or_else(
        || "Take out of layer".to_owned(),
        |layer| format!("Move to {}", on.level.label(layer)),
    );
    Ok(Change::new(label, edits, on.selection.clone()))
}

/// Moves a layer one step up or down among the layers.
///
/// # Errors
/// It is no layer, or it is the first or last one already.
pub fn move_layer(on: &Subject<'_>, layer: EntityId, step: LayerStep) -> Result<Change, Refused> {
    let layers = layers(on);
    let place = layers
        .iter()
        .position(|(_, id)| *id == layer)
        .ok_or_else(|| Refused("the layer is not in the level any more".to_owned()))?;
    let other = match step {
        LayerStep::Up => layers.get(place + 1),
        LayerStep::Down => place.checked_sub(1).and_then(|below| layers.get(below)),
    };
    let Some((index, _)) = other else {
        return Err(Refused(match step {
            LayerStep::Up => "it is the uppermost layer already".to_owned(),
            LayerStep::Down => "it is the lowest layer already".to_owned(),
        }));
    };
    let edits = vec![Edit::Reorder {
        id: layer,
        to: *index,
    }];
    Ok(Change::new("Move layer", edits, on.selection.clone()))
}

/// Places in the order, and ids, of all layers from the lowest up.
fn layers(on: &Subject<'_>) -> Vec<(usize, EntityId)> {
    on.level
        .iter()
        .enumerate()
        .filter(|(_, (_, entity))| entity.kind == Kind::Layer)
        .map(|(index, (id, _))| (index, id))
        .collect()
}

fn moved_to(on: &Subject<'_>, layer: Option<EntityId>) -> Vec<Edit> {
    let ids = on.expanded().into_iter().filter(|id| {
        on.get(*id)
            .is_some_and(|entity| entity.kind == Kind::Group || entity.kind.name().is_placed())
    });
    changed(on, ids, |entity| entity.layer = layer)
}
