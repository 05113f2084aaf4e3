//! An area that fell into several: one entity becomes as many as there are pieces.

use super::{context::ToolContext, naming::fresh_name, vertices};
use crate::base::EntityId;
use crate::document::{Edit, Level};
use crate::geometry::Polygon;
use std::cmp::Reverse;
use std::sync::Arc;

/// Replaces the area of an entity by pieces. The largest keeps the identity; the others become
/// copies of it with names of their own, right above it. Without pieces the entity goes.
pub fn replace_by_pieces(
    ctx: &mut ToolContext<'_>,
    level: &Level,
    id: EntityId,
    mut pieces: Vec<Polygon>,
) -> Vec<Edit> {
    let Some(entity) = level.get(id) else {
        return Vec::new();
    };
    if pieces.is_empty() {
        return vec![Edit::Delete { id }];
    }
    pieces.sort_by_key(|piece| Reverse(ordered(piece.area())));
    let place = level.order().index_of(&id).map(|at| at + 1);
    let stem = stem_of(&entity.label(id));
    let first_name = fresh_name(level, &stem);
    let first_number = number_of(&first_name);
    pieces
        .into_iter()
        .enumerate()
        .map(|(i, piece)| {
            let mut entity = (**entity).clone();
            if let Some(area) = vertices::area_mut(&mut entity) {
                *area = piece;
            }
            if i == 0 {
                return Edit::replace(id, entity);
            }
            entity.name = format!("{stem} {}", first_number + i as u64 - 1);
            Edit::Create {
                id: ctx.host.allocate_id(),
                entity: Arc::new(entity),
                at: place,
            }
        })
        .collect()
}

/// Areas are finite; the bits of a positive double are in its order.
const fn ordered(area: f64) -> u64 {
    if area > 0.0 { area.to_bits() } else { 0 }
}

/// A name without the number behind it.
#[must_use]
pub fn stem_of(name: &str) -> String {
    match name.rsplit_once(' ') {
        Some((stem, number)) if !stem.is_empty() && number.parse::<u32>().is_ok() => {
            stem.to_owned()
        }
        _ => name.to_owned(),
    }
}

fn number_of(name: &str) -> u64 {
    name.rsplit_once(' ')
        .and_then(|(_, number)| number.parse().ok())
        .unwrap_or(1)
}
