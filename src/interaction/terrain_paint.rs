//! Painting and erasing of terrain as polygons, merged and cut by booleans.
//!
//! Paint joins the topmost region of its terrain that it touches and is cut out of other regions
//! above that one; where it touches none, it becomes a new region on top. Erasing reveals the base
//! terrain.

use super::{
    host::Host,
    picking::Picker,
    pieces::{Fresh, replace_by_pieces},
};
use crate::base::EntityId;
use crate::document::{Edit, Entity, Kind, Level, Region};
use crate::geometry::{
    Polygon, Rect,
    boolean::{difference, union},
    crossing::{Overlap, overlap},
};
use std::collections::BTreeMap;

/// A region under the brush.
struct Touched<'a> {
    id: EntityId,
    region: &'a Region,
    /// Index in the level's order.
    place: usize,
    overlap: Overlap,
}

/// Editable regions that intersect the area, from bottom to top.
fn touched<'a>(picker: &'a Picker, area: &[Polygon]) -> Vec<Touched<'a>> {
    let level = picker.level();
    let bounds = area
        .iter()
        .fold(Rect::EMPTY, |all, piece| all.union(&piece.bounds()));
    let mut found: Vec<Touched<'a>> = picker
        .near(bounds)
        .filter_map(|(id, entity)| match &entity.kind {
            Kind::Region(region) if picker.is_open(id) => Some((id, region)),
            _ => None,
        })
        .filter_map(|(id, region)| {
            let overlap = area
                .iter()
                .map(|piece| overlap(&region.area, piece))
                .max_by_key(|o| match o {
                    Overlap::Apart => 0,
                    Overlap::Touching => 1,
                    Overlap::Overlapping => 2,
                })?;
            let place = level.order().index_of(&id)?;
            (overlap != Overlap::Apart).then_some(Touched {
                id,
                region,
                place,
                overlap,
            })
        })
        .collect();
    found.sort_by_key(|touched| touched.place);
    found
}

/// Number of corners that erasing here would process.
#[must_use]
pub fn corners_under(picker: &Picker, area: &[Polygon]) -> usize {
    let bounds = area
        .iter()
        .fold(Rect::EMPTY, |all, piece| all.union(&piece.bounds()));
    picker
        .near(bounds)
        .filter_map(|(_, entity)| match &entity.kind {
            Kind::Region(region) => Some(region.area.vertex_count()),
            _ => None,
        })
        .sum()
}

/// The edits that cut an area out of all terrain.
pub fn erase(
    host: &mut dyn Host,
    fresh: &mut Fresh,
    picker: &Picker,
    area: &[Polygon],
) -> Vec<Edit> {
    fresh.rewind();
    let mut edits = Vec::new();
    for found in touched(picker, area) {
        if found.overlap == Overlap::Overlapping {
            let left = difference(std::slice::from_ref(&found.region.area), area);
            edits.extend(replace_by_pieces(
                host,
                fresh,
                picker.level(),
                found.id,
                left,
            ));
        }
    }
    edits
}

/// The edits that cover an area with a terrain, and which region replaces which.
#[derive(Debug, Default)]
pub struct Painted {
    pub edits: Vec<Edit>,
    pub heirs: BTreeMap<EntityId, EntityId>,
}

/// Covers an area with a terrain. `entity` creates a region from a polygon.
pub fn paint(
    host: &mut dyn Host,
    fresh: &mut Fresh,
    picker: &Picker,
    area: &[Polygon],
    terrain: EntityId,
    entity: impl Fn(Polygon) -> Entity,
) -> Painted {
    fresh.rewind();
    let level = picker.level();
    let found = touched(picker, area);
    let Some(target) = found.iter().rfind(|t| t.region.terrain == terrain) else {
        let create = |piece: &Polygon| Edit::create(fresh.id(host), entity(piece.clone()));
        return Painted {
            edits: area.iter().map(create).collect(),
            heirs: BTreeMap::new(),
        };
    };
    let Painted {
        mut edits,
        mut heirs,
    } = Painted::default();
    // Lower regions of the same terrain join, unless they would end up above something that covered
    // them.
    let (joining, others): (Vec<&Touched<'_>>, Vec<&Touched<'_>>) = found
        .iter()
        .filter(|t| t.id != target.id)
        .partition(|t| t.region.terrain == terrain && !covered_between(picker, t, target));
    let joined: Vec<Polygon> = joining.iter().map(|t| t.region.area.clone()).collect();
    let target_area = std::slice::from_ref(&target.region.area);
    let adds_nothing = joined.is_empty() && difference(area, target_area).is_empty();
    if !adds_nothing {
        let all = [target_area, area, &joined].concat();
        edits.extend(replace_by_pieces(
            host,
            fresh,
            level,
            target.id,
            union(&all),
        ));
        edits.extend(joining.iter().map(|t| Edit::Delete { id: t.id }));
        heirs.extend(joining.iter().map(|t| (t.id, target.id)));
    }
    for above in others {
        let hides = above.place > target.place
            && above.region.terrain != terrain
            && above.overlap == Overlap::Overlapping;
        if hides {
            let left = difference(std::slice::from_ref(&above.region.area), area);
            edits.extend(replace_by_pieces(host, fresh, level, above.id, left));
        }
    }
    Painted { edits, heirs }
}

/// Whether a region of another terrain lies between two in the order and over the lower one.
fn covered_between(picker: &Picker, lower: &Touched<'_>, upper: &Touched<'_>) -> bool {
    let level: &Level = picker.level();
    picker
        .near(lower.region.area.bounds())
        .any(|(id, entity)| match &entity.kind {
            Kind::Region(region) if region.terrain != lower.region.terrain => {
                level
                    .order()
                    .index_of(&id)
                    .is_some_and(|place| (lower.place..upper.place).contains(&place))
                    && overlap(&region.area, &lower.region.area) == Overlap::Overlapping
            }
            _ => false,
        })
}
