//! Union, difference and intersection of shapes.

use super::delete::removal;
use super::operation_input::Ids;
use super::{Change, OperationInput};
use crate::base::EntityId;
use crate::document::{Edit, Entity};
use crate::geometry::{Polygon, boolean};
use crate::interaction::host::Refused;
use crate::interaction::naming::{Namer, stem_of};
use crate::interaction::pieces::create_above;
use crate::interaction::vertices;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combination {
    /// All of them as one shape.
    Union,
    /// The lowest one minus the others.
    Subtract,
    /// Their intersection.
    Intersect,
}

impl Combination {
    const fn label(self) -> &'static str {
        match self {
            Self::Union => "Unite",
            Self::Subtract => "Subtract",
            Self::Intersect => "Intersect",
        }
    }
}

/// Combines the selected shapes. The lowest one keeps everything but its outline; the others are
/// deleted, and references to them point to it. If the result has several pieces, the largest keeps
/// its identity.
///
/// # Errors
/// Fewer than two shapes are selected, or nothing would be left.
pub fn combine(on: &OperationInput<'_>, combination: Combination) -> Result<Change, Refused> {
    let shapes: Vec<(EntityId, &Entity, &Polygon)> = on
        .movable()?
        .into_iter()
        .filter_map(|id| {
            let entity = on.get(id)?;
            Some((id, &**entity, vertices::area(entity)?))
        })
        .collect();
    let [(first, entity, area), others @ ..] = &shapes[..] else {
        return Err(too_few());
    };
    if others.is_empty() {
        return Err(too_few());
    }
    let rest: Vec<Polygon> = others.iter().map(|(_, _, area)| (*area).clone()).collect();
    let own = std::slice::from_ref(*area);
    let pieces = match combination {
        Combination::Union => boolean::union(&[own, &rest].concat()),
        Combination::Subtract => boolean::difference(own, &rest),
        Combination::Intersect => rest.iter().fold(own.to_vec(), |common, next| {
            boolean::intersection(&common, std::slice::from_ref(next))
        }),
    };
    if pieces.is_empty() {
        return Err(Refused(match combination {
            Combination::Union => "the shapes have no area".to_owned(),
            Combination::Subtract => format!("nothing would be left of {}", entity.label(*first)),
            Combination::Intersect => "the shapes have nothing in common".to_owned(),
        }));
    }
    let gone: BTreeSet<EntityId> = others.iter().map(|(id, _, _)| *id).collect();
    let heirs: BTreeMap<EntityId, EntityId> = gone.iter().map(|id| (*id, *first)).collect();
    let (mut edits, mut made) = as_pieces(on, &mut on.ids(), *first, pieces);
    edits.extend(removal(on.level, &gone, &heirs)?);
    made.push(*first);
    Ok(Change::new(
        combination.label(),
        edits,
        made.into_iter().collect(),
    ))
}

fn too_few() -> Refused {
    Refused("select two or more unlocked obstacles, regions or areas".to_owned())
}

/// The edits that replace an entity's outline by pieces, and the ids of all but the largest.
pub(super) fn as_pieces(
    on: &OperationInput<'_>,
    ids: &mut Ids,
    id: EntityId,
    mut pieces: Vec<Polygon>,
) -> (Vec<Edit>, Vec<EntityId>) {
    let Some(entity) = on.get(id) else {
        return (Vec::new(), Vec::new());
    };
    pieces.sort_by(|a, b| b.area().total_cmp(&a.area()));
    let mut namer = Namer::default();
    let mut made = Vec::new();
    let edits = pieces
        .into_iter()
        .enumerate()
        .map(|(i, piece)| {
            let mut entity = Entity::clone(entity);
            if let Some(area) = vertices::area_mut(&mut entity) {
                *area = piece;
            }
            if i == 0 {
                return Edit::replace(id, entity);
            }
            if !entity.name.is_empty() {
                entity.name = namer.fresh(on.level, stem_of(&entity.name));
            }
            let new = ids.next().unwrap_or(on.next_id);
            made.push(new);
            create_above(on.level, id, new, entity)
        })
        .collect();
    (edits, made)
}
