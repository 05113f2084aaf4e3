//! The terrain of a level: the triangulation and its terrain types.

use super::TriangleId;
use super::input::TerrainInput;
use super::mesh::TerrainMesh;
use super::walk::Sight;
use crate::base::EntityId;
use crate::document::Profile;
use crate::geometry::Rect;
use crate::jobs::{Cancelled, JobContext};
use glam::DVec2;
use std::sync::Arc;

/// Index into [`TerrainMap::kinds`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KindId(pub u16);

impl KindId {
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A terrain type of the level.
#[derive(Clone, Debug, PartialEq)]
pub struct TerrainKind {
    /// `None` for the ground of a level without a base terrain.
    pub id: Option<EntityId>,
    pub name: String,
    /// Cost per metre for profiles without a weight of their own.
    pub weight: f64,
}

impl TerrainKind {
    /// The default ground where nothing is painted and no base terrain is set.
    #[must_use]
    pub fn bare() -> Self {
        Self {
            id: None,
            name: "ground".to_owned(),
            weight: 1.0,
        }
    }
}

/// An invalid weight.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("the weight of {terrain} is {weight}, which is not a positive number; 1 is used instead")]
pub struct WeightFault {
    pub terrain: String,
    pub weight: f64,
}

/// Cost per metre of each kind for one profile; all positive.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    of: Vec<f64>,
    least: f64,
}

impl Weights {
    /// Weights that are not positive numbers count as 1 and are reported.
    #[must_use]
    pub fn new(
        kinds: &[TerrainKind],
        weight: impl Fn(&TerrainKind) -> f64,
    ) -> (Self, Vec<WeightFault>) {
        let mut faults = Vec::new();
        let of: Vec<f64> = kinds
            .iter()
            .map(|kind| {
                let weight = weight(kind);
                if weight.is_finite() && weight > 0.0 {
                    return weight;
                }
                faults.push(WeightFault {
                    terrain: kind.name.clone(),
                    weight,
                });
                1.0
            })
            .collect();
        let least = of.iter().copied().fold(f64::INFINITY, f64::min);
        (Self { of, least }, faults)
    }

    #[must_use]
    pub fn get(&self, kind: KindId) -> f64 {
        self.of.get(kind.index()).copied().unwrap_or(1.0)
    }

    /// The minimum of all.
    #[must_use]
    pub const fn least(&self) -> f64 {
        self.least
    }
}

/// A triangulation with the names and weights of its terrain types. Renaming or reweighting a
/// terrain keeps the triangulation.
#[derive(Clone, Debug)]
pub struct TerrainMap {
    kinds: Vec<TerrainKind>,
    mesh: Arc<TerrainMesh>,
}

impl TerrainMap {
    /// # Errors
    /// The job was cancelled.
    pub fn build(input: &TerrainInput, ctx: &JobContext) -> Result<Self, Cancelled> {
        Ok(Self {
            kinds: input.kinds.clone(),
            mesh: Arc::new(TerrainMesh::build(input, ctx)?),
        })
    }

    /// Triangles with their kinds, which must be those they were built with, in the same order.
    #[must_use]
    pub const fn of_mesh(kinds: Vec<TerrainKind>, mesh: Arc<TerrainMesh>) -> Self {
        Self { kinds, mesh }
    }

    #[must_use]
    pub fn kinds(&self) -> &[TerrainKind] {
        &self.kinds
    }

    #[must_use]
    pub fn kind(&self, id: KindId) -> Option<&TerrainKind> {
        self.kinds.get(id.index())
    }

    #[must_use]
    pub fn mesh(&self) -> &Arc<TerrainMesh> {
        &self.mesh
    }

    #[must_use]
    pub fn bounds(&self) -> Rect {
        self.mesh.bounds()
    }

    /// What a profile pays per metre of each kind.
    #[must_use]
    pub fn weights(&self, profile: &Profile) -> (Weights, Vec<WeightFault>) {
        Weights::new(&self.kinds, |kind| {
            let own = kind.id.and_then(|id| profile.terrain_weights.get(&id));
            own.copied().unwrap_or(kind.weight)
        })
    }

    /// The terrain at a point; `None` inside obstacles and outside the level.
    #[must_use]
    pub fn kind_at(&self, p: DVec2) -> Option<KindId> {
        self.mesh.kind_at(p)
    }

    /// Traces a straight line; see [`TerrainMesh::walk`].
    pub fn walk(
        &self,
        from: DVec2,
        to: DVec2,
        hint: Option<TriangleId>,
        visit: impl FnMut(KindId, f64),
    ) -> Sight {
        self.mesh.walk(from, to, hint, visit)
    }

    /// Metres of each kind along a line, counting obstacles as the first kind: for paths from any
    /// planner. One entry per kind.
    #[must_use]
    pub fn lengths_along(&self, line: &[DVec2]) -> Vec<f64> {
        let mut lengths = vec![0.0; self.kinds.len().max(1)];
        let mut hint = None;
        for pair in line.windows(2) {
            hint = self
                .mesh
                .walk_through(pair[0], pair[1], hint, |kind, length| {
                    lengths[kind.map_or(0, KindId::index)] += length;
                });
        }
        lengths
    }
}
