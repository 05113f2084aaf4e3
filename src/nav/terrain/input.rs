//! The input of a terrain map.

use super::map::{KindId, TerrainKind};
use crate::base::EntityId;
use crate::document::{Entity, Kind, Level};
use crate::geometry::{Polygon, Rect};
use crate::nav::delta::{Changed, differing_box};
use crate::nav::entity_list::{self, LevelStep, OfEntity};
use crate::nav::free_space;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A painted area.
#[derive(Clone, Debug, PartialEq)]
pub struct Patch {
    pub area: Arc<Polygon>,
    pub kind: KindId,
}

impl Patch {
    #[must_use]
    pub fn new(area: Polygon, kind: KindId) -> Self {
        Self {
            area: Arc::new(area),
            kind,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct TerrainInput {
    pub bounds: Rect,
    /// What blocks agents.
    pub obstacles: Vec<Arc<Polygon>>,
    /// In painting order: later ones are on top.
    pub patches: Vec<Patch>,
    /// The first one applies where nothing is painted.
    pub kinds: Vec<TerrainKind>,
}

impl TerrainInput {
    /// Every area with a border.
    pub fn areas(&self) -> impl Iterator<Item = &Polygon> {
        let painted = self.patches.iter().map(|patch| &patch.area);
        painted.chain(&self.obstacles).map(|area| &**area)
    }

    pub(in crate::nav) fn new(obstacles: &free_space::Input, paint: &Paint) -> Self {
        let areas = obstacles.distinct().map(|b| Arc::clone(&b.area));
        Self {
            bounds: obstacles.bounds,
            obstacles: areas.collect(),
            patches: paint.regions.iter().map(|r| r.patch.clone()).collect(),
            kinds: paint.kinds.clone(),
        }
    }
}

/// A region of the level.
#[derive(Clone, Debug)]
struct PaintedRegion {
    id: EntityId,
    patch: Patch,
}

impl OfEntity for PaintedRegion {
    fn id(&self) -> EntityId {
        self.id
    }
}

/// What is painted: the level's regions, including hidden ones, and its terrain types.
#[derive(Clone, Debug)]
pub(in crate::nav) struct Paint {
    pub kinds: Vec<TerrainKind>,
    regions: Vec<PaintedRegion>,
}

impl Paint {
    /// Collected from the whole level.
    pub fn of_level(level: &Level) -> Self {
        Self::with(TerrainKind::all_of(level), level)
    }

    fn with(kinds: Vec<TerrainKind>, level: &Level) -> Self {
        Self {
            regions: entity_list::collect(level, painted(&kinds)),
            kinds,
        }
    }

    /// After a change, with where another terrain lies; `None` where all is as it was.
    pub fn updated(&self, step: LevelStep<'_>) -> Option<(Self, Changed)> {
        let kinds = self.kinds_after(step);
        let numbers = |kinds: &[TerrainKind]| kinds.iter().map(|kind| kind.id).collect::<Vec<_>>();
        if let Some(kinds) = &kinds
            && numbers(kinds) != numbers(&self.kinds)
        {
            return Some((Self::with(kinds.clone(), step.after), Changed::Everything));
        }
        let is_same = |a: &PaintedRegion, b: &PaintedRegion| a.patch == b.patch;
        let patched = step.patch(&self.regions, painted(&self.kinds), is_same);
        if kinds.is_none() && patched.is_none() {
            return None;
        }
        let kinds = kinds.unwrap_or_else(|| self.kinds.clone());
        Some(match patched {
            // Which one lies on top may be another one wherever regions overlap.
            Some(patched) if step.change.reordered => {
                let regions = patched.list;
                (Self { kinds, regions }, Changed::Everything)
            }
            Some(patched) => {
                let boxes = patched.differing.iter().flat_map(|(old, new)| {
                    let [old, new] = [old, new].map(|r| r.as_ref().map(|r| &r.patch));
                    differing_boxes(old, new)
                });
                let changed = Changed::within(boxes.collect());
                let regions = patched.list;
                (Self { kinds, regions }, changed)
            }
            None => {
                let regions = self.regions.clone();
                (Self { kinds, regions }, Changed::Nothing)
            }
        })
    }

    /// Terrain types after a change; `None` where they are the same.
    fn kinds_after(&self, step: LevelStep<'_>) -> Option<Vec<TerrainKind>> {
        let is_terrain = |level: &Level, id: EntityId| {
            let kind = level.get(id).map(|entity| &entity.kind);
            matches!(kind, Some(Kind::Terrain(_)))
        };
        let concerns = |id: EntityId| is_terrain(step.before, id) || is_terrain(step.after, id);
        let may_differ =
            step.change.settings || step.change.reordered || step.change.touched().any(concerns);
        let kinds = may_differ.then(|| TerrainKind::all_of(step.after));
        kinds.filter(|kinds| *kinds != self.kinds)
    }
}

/// Regions as patches; those of a deleted terrain are ignored.
fn painted(kinds: &[TerrainKind]) -> impl Fn(EntityId, &Arc<Entity>) -> Option<PaintedRegion> {
    let numbers: BTreeMap<EntityId, u16> = kinds
        .iter()
        .zip(0..)
        .filter_map(|(kind, number)| Some((kind.id?, number)))
        .collect();
    move |id, entity| match &entity.kind {
        Kind::Region(region) => {
            let kind = KindId(*numbers.get(&region.terrain)?);
            let patch = Patch::new(region.area.clone(), kind);
            Some(PaintedRegion { id, patch })
        }
        _ => None,
    }
}

fn differing_boxes(old: Option<&Patch>, new: Option<&Patch>) -> [Rect; 2] {
    let [old_area, new_area] = [old, new].map(|patch| patch.map(|patch| &*patch.area));
    if old.zip(new).is_some_and(|(old, new)| old.kind == new.kind) {
        [differing_box(old_area, new_area), Rect::EMPTY]
    } else {
        [differing_box(old_area, None), differing_box(None, new_area)]
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
        // The last number means blocked.
        kinds.truncate(usize::from(u16::MAX));
        kinds
    }
}
