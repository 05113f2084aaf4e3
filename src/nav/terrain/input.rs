//! What a terrain map is made from.

use super::map::{KindId, TerrainKind};
use crate::document::{Kind, Level};
use crate::geometry::{Polygon, Rect};
use crate::nav::free_space;

/// A painted area.
#[derive(Clone, Debug, PartialEq)]
pub struct Patch {
    pub area: Polygon,
    pub kind: KindId,
}

#[derive(Clone, Debug, PartialEq)]
pub struct TerrainInput {
    pub bounds: Rect,
    /// What nobody walks through.
    pub obstacles: Vec<Polygon>,
    /// In the order in which they are painted: later ones lie on top.
    pub patches: Vec<Patch>,
    /// The first one is where nothing is painted.
    pub kinds: Vec<TerrainKind>,
}

impl TerrainInput {
    /// Everything that has borders.
    pub fn areas(&self) -> impl Iterator<Item = &Polygon> {
        let painted = self.patches.iter().map(|patch| &patch.area);
        painted.chain(&self.obstacles)
    }

    /// The level's regions, hidden ones too, and the obstacles that block its plan.
    #[must_use]
    pub fn of_level(level: &Level) -> Self {
        let kinds = TerrainKind::all_of(level);
        let number = |id| kinds.iter().position(|kind| kind.id == Some(id));
        let patches = level
            .regions()
            .filter_map(|(_, _, region)| {
                Some(Patch {
                    area: region.area.clone(),
                    // Painted with what is gone: as if it were not there.
                    kind: KindId(number(region.terrain)? as u16),
                })
            })
            .collect();
        let input = free_space::Input::of_level(level);
        Self {
            bounds: input.bounds,
            obstacles: input.blockers.into_iter().map(|b| b.area).collect(),
            patches,
            kinds,
        }
    }
}

impl TerrainKind {
    /// The base terrain first, then all others in the level's order.
    #[must_use]
    pub fn all_of(level: &Level) -> Vec<Self> {
        let base = level.settings().base_terrain;
        let base = base.and_then(|id| match &level.get(id)?.kind {
            Kind::Terrain(terrain) => Some(Self {
                id: Some(id),
                name: level.label(id),
                weight: terrain.weight,
            }),
            _ => None,
        });
        let base = base.unwrap_or_else(Self::bare);
        let base_id = base.id;
        let others = level
            .terrains()
            .filter(|(id, ..)| Some(*id) != base_id)
            .map(|(id, entity, terrain)| Self {
                id: Some(id),
                name: entity.label(id),
                weight: terrain.weight,
            });
        let mut kinds: Vec<Self> = [base].into_iter().chain(others).collect();
        // The last number stands for what is blocked.
        kinds.truncate(usize::from(u16::MAX));
        kinds
    }
}
