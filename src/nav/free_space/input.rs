//! The input of free space.

use super::standing;
use crate::base::EntityId;
use crate::document::{Entity, Kind, Level};
use crate::geometry::lattice::{LATTICE, may_vanish};
use crate::geometry::offset::{Ends, Join, stroke};
use crate::geometry::simplify::thinned_ring;
use crate::geometry::{HeightField, Polygon, Rect, Ring};
use crate::nav::delta::{Changed, differing_box};
use crate::nav::entity_list::{self, LevelStep, OfEntity};
use glam::DVec2;
use std::collections::HashMap;
use std::sync::Arc;

/// Obstacles whose underside is at least this high above the ground do not block the plan: agents
/// up to this height walk beneath. Unit: metres.
pub const HEAD_ROOM: f64 = 2.5;

/// A polygon that blocks agents.
#[derive(Clone, Debug, PartialEq)]
pub struct Blocker {
    pub id: EntityId,
    pub area: Arc<Polygon>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    pub bounds: Rect,
    pub blockers: Vec<Blocker>,
}

impl Blocker {
    /// Compares areas only where they are not shared.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.id == other.id && (Arc::ptr_eq(&self.area, &other.area) || self.area == other.area)
    }
}

impl OfEntity for Blocker {
    fn id(&self) -> EntityId {
        self.id
    }
}

/// Every obstacle below [`HEAD_ROOM`], every door that is not open, and every solid that a body on
/// the ground would run into, including hidden and locked ones.
fn blocker(ground: Ground<'_>, id: EntityId, entity: &Arc<Entity>) -> Option<Blocker> {
    match &entity.kind {
        Kind::Obstacle(obstacle) if obstacle.base < HEAD_ROOM => Some(Blocker {
            id,
            area: Arc::new(as_planned(&obstacle.area)),
        }),
        Kind::Door(door) if door.base < HEAD_ROOM && !door.state.is_open() => Some(Blocker {
            id,
            area: Arc::new(door.leaf()?),
        }),
        Kind::Solid(solid) if ground.is_there => Some(Blocker {
            id,
            area: Arc::new(standing::footprint(solid, ground.heights)?),
        }),
        _ => None,
    }
}

/// Outlines with fewer corners are taken as they are.
const MANY_CORNERS: usize = 2_000;

/// Edges that are this long on average are no finer than what is planned with. Unit: metres.
const LONG_EDGES: f64 = 10.0 * LATTICE;

/// The area as drawn; if it would vanish on the lattice, 2 mm thick; if its outline is finer than the
/// lattice, without the corners that rounding could not tell from a straight line.
fn as_planned(area: &Polygon) -> Polygon {
    let corners = area.vertex_count();
    if corners > MANY_CORNERS {
        let length: f64 = area.edges().map(|(a, b)| a.distance(b)).sum();
        if length < corners as f64 * LONG_EDGES {
            let thin = |ring: &Ring| thinned_ring(ring, 0.5 * LATTICE);
            return Polygon {
                outer: thin(&area.outer),
                holes: area.holes.iter().map(thin).collect(),
            };
        }
    }
    if may_vanish(area) {
        let closed: Vec<DVec2> = area
            .outer
            .iter()
            .chain(area.outer.first())
            .copied()
            .collect();
        let join = Join::Round { sag: LATTICE };
        let outlines = stroke(&closed, LATTICE, join, Ends::Covered);
        let largest = outlines
            .into_iter()
            .max_by(|a, b| a.area().total_cmp(&b.area()));
        if let Some(outline) = largest {
            return outline;
        }
    }
    area.clone()
}

/// What solids stand on.
#[derive(Clone, Copy)]
struct Ground<'a> {
    is_there: bool,
    heights: Option<&'a HeightField>,
}

impl<'a> Ground<'a> {
    fn of(level: &'a Level) -> Self {
        Self {
            is_there: level.settings().has_ground,
            heights: level.ground().map(|ground| &**ground),
        }
    }
}

impl Input {
    /// Of blockers with exactly the same area, the first one speaks for all: a thousand copies in one
    /// place block no more than one.
    pub fn distinct(&self) -> impl Iterator<Item = &Blocker> {
        type Places = Vec<[u64; 2]>;
        let mut known: HashMap<Places, Vec<&Polygon>> = HashMap::with_capacity(self.blockers.len());
        self.blockers.iter().filter(move |blocker| {
            let ring = &blocker.area.outer;
            // A few corners tell most of them apart.
            let some = [0, ring.len() / 3, ring.len() / 2].map(|i| ring.get(i));
            let bits = |p: &DVec2| p.to_array().map(f64::to_bits);
            let key: Places = some.into_iter().flatten().map(bits).collect();
            let alike = known.entry(key).or_default();
            let is_new = !alike.contains(&&*blocker.area);
            if is_new {
                alike.push(&blocker.area);
            }
            is_new
        })
    }

    /// Collected from the whole level.
    #[must_use]
    pub fn of_level(level: &Level) -> Self {
        Self {
            bounds: level.settings().bounds,
            blockers: entity_list::collect(level, |id, entity| {
                blocker(Ground::of(level), id, entity)
            }),
        }
    }

    /// After a change, with where obstacles differ; `None` where free space stays as it is.
    pub(in crate::nav) fn updated(&self, step: LevelStep<'_>) -> Option<(Self, Changed)> {
        let bounds = step.after.settings().bounds;
        let [before, after] = [step.before, step.after].map(Ground::of);
        let moves_solids = (step.change.ground || before.is_there != after.is_there)
            && step.after.solids().next().is_some();
        if moves_solids {
            let next = Self::of_level(step.after);
            let is_same = next.bounds == self.bounds && next.blockers == self.blockers;
            return (!is_same).then_some((next, Changed::Everything));
        }
        let make = |id, entity: &Arc<Entity>| blocker(after, id, entity);
        let patched = step.patch(&self.blockers, make, |a, b| a.area == b.area);
        let changed = match &patched {
            _ if bounds != self.bounds => Changed::Everything,
            Some(patched) => Changed::within(
                patched
                    .differing
                    .iter()
                    .map(|(old, new)| {
                        let [old, new] = [old, new].map(|b| b.as_ref().map(|b| &*b.area));
                        differing_box(old, new)
                    })
                    .collect(),
            ),
            None => return None,
        };
        let blockers = patched.map_or_else(|| self.blockers.clone(), |patched| patched.list);
        Some((Self { bounds, blockers }, changed))
    }

    /// Numbered from 1, for imported meshes and tests.
    #[must_use]
    pub fn of_polygons(bounds: Rect, polygons: impl IntoIterator<Item = Polygon>) -> Self {
        Self {
            bounds,
            blockers: (1..)
                .map(EntityId::new)
                .zip(polygons)
                .map(|(id, area)| Blocker {
                    id,
                    area: Arc::new(area),
                })
                .collect(),
        }
    }
}
