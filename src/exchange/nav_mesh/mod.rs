//! Free space as the navigation mesh that engines expect: convex polygons that share whole sides.
//!
//! Wayloom's own cells are trapezoids of one terrain after another; engines want few, compact
//! polygons, at most six corners in Detour, one terrain each, and neighbours with both corners of
//! their common side in common. So free space and terrain are triangulated together, triangles are
//! divided where prices vary (Godot and Detour price a polygon where they enter it, so a large one
//! misleads them), and then merged after Hertel and Mehlhorn (1983).
//!
//! Where free space touches itself in a point, each part has a vertex of its own. Where a wall is
//! thinner than the lattice and both its sides fall into one line, one side gets a vertex in its
//! middle: engines that join sides by their ends (Godot, three.js) then keep them apart.

mod invariants;
mod merge;
mod refine;
#[cfg(test)]
mod tests;
mod triangles;

use crate::base::EntityId;
use crate::document::{Level, Profile, limits};
use crate::exchange::export::ExportError;
use crate::geometry::lattice::PER_METRE;
use crate::geometry::{HeightField, Rect};
use crate::jobs::JobContext;
use crate::nav::free_space::radius_key;
use crate::nav::terrain::{FreeTerrain, KindId, TerrainKind, Weights};
use crate::nav::{BakeRequest, NavBundle, NavData, ProfileSet};
use glam::{DVec2, DVec3};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Pieces along the longer side of a level whose polygons are divided, unless a length is given.
const PIECES: f64 = 32.0;

/// Most pieces along the longer side, whatever length is given: a million polygons help no one.
const MOST_PIECES: f64 = 400.0;

/// Free space and terrain are cut with each other on a lattice so many times finer than their own.
/// On theirs, a passage or a wall of less than a millimetre between two corners that are exact would
/// fall into a line as soon as something is rounded.
const FINE: f64 = 64.0;

/// Around the level, so that no free triangle lies at the border of the triangulation. Unit: metres.
const RIM: f64 = 1.0;

/// Lattice steps of this room's triangulation per metre.
const STEPS: f64 = FINE * PER_METRE;

/// How free space is divided.
#[derive(Clone, Debug, PartialEq)]
pub struct Division {
    /// Most corners of a polygon; 3 for triangles.
    pub corners: usize,
    /// Longest side where terrain or heights vary; chosen by the size of the level if `None`.
    /// Unit: metres.
    pub detail: Option<f64>,
    /// Whether polygons are of one terrain each.
    pub by_terrain: bool,
    /// Whether polygons are divided where terrain costs differ; otherwise only on a ground with
    /// heights.
    pub for_costs: bool,
    /// Lines that no polygon crosses: x, then y. Unit: metres.
    pub cuts: [Vec<f64>; 2],
}

impl Division {
    #[must_use]
    pub const fn with_corners(corners: usize) -> Self {
        Self {
            corners,
            detail: None,
            by_terrain: true,
            for_costs: true,
            cuts: [Vec::new(), Vec::new()],
        }
    }
}

/// A convex polygon of one terrain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NavPolygon {
    /// Counter-clockwise in plan; some may lie on a straight side.
    pub corners: Vec<u32>,
    /// The polygon across the side from corner `i` to the next one; `None` at walls.
    pub beside: Vec<Option<u32>>,
    pub terrain: KindId,
    /// Polygons of different components are not connected.
    pub component: u32,
}

/// The navigation mesh of one profile.
#[derive(Clone, Debug)]
pub struct NavMesh {
    /// The profile it is for; `None` where the level has none.
    pub profile: Option<EntityId>,
    /// Unit: metres.
    pub radius: f64,
    /// Unit: metres.
    pub vertices: Vec<DVec2>,
    /// In a fixed order.
    pub polygons: Vec<NavPolygon>,
    pub terrains: Vec<TerrainKind>,
    /// Cost per metre of each terrain for the profile, divided by the least of those that occur:
    /// engines take straight distance for a lower bound of costs.
    pub costs: Vec<f64>,
    /// The weight that was divided by.
    pub least_weight: f64,
    ground: Option<Arc<HeightField>>,
}

impl NavMesh {
    /// Bakes a level for a profile, the first one without a name.
    ///
    /// # Errors
    /// There is no such profile, or nothing to walk on for it; or cancelled.
    pub fn bake(
        level: &Arc<Level>,
        profile: Option<&str>,
        division: &Division,
        ctx: &JobContext,
    ) -> Result<Self, ExportError> {
        let (id, profile) = chosen_profile(level, profile)?;
        let radius = limits::RADIUS.clamp(profile.body.radius);
        let request = BakeRequest {
            profiles: ProfileSet::Radii(vec![radius]),
            ..BakeRequest::of(Arc::clone(level))
        };
        let bundle = NavBundle::bake(request, ctx)?;
        let nav = bundle
            .nav(radius)
            .filter(|nav| !nav.free().areas.is_empty());
        let Some(nav) = nav else {
            let problems = bundle.problems();
            let sentence = problems.first().map_or_else(
                || "nothing is left to walk on".to_owned(),
                |problem| problem.message.clone(),
            );
            return Err(ExportError::Refused(sentence));
        };
        ctx.stage("Dividing free space");
        Self::of_nav(&nav, (id, &profile), division, ctx)
    }

    fn of_nav(
        nav: &NavData,
        (id, profile): (Option<EntityId>, &Profile),
        division: &Division,
        ctx: &JobContext,
    ) -> Result<Self, ExportError> {
        let terrains = nav.shared().drawing().kinds.clone();
        let asked = FreeTerrain {
            scale: FINE,
            by_terrain: division.by_terrain,
            rim: RIM,
            cuts: division.cuts.clone(),
        };
        let mesh = nav.free_terrain(&asked, ctx)?;
        ctx.checkpoint()?;
        let mut triangles = triangles::Triangles::of(&mesh, nav.cells());
        let occurring: Vec<KindId> = triangles.kinds();
        let (weights, _) = Weights::new(&terrains, |kind| {
            let own = kind.id.and_then(|id| profile.terrain_weights.get(&id));
            own.copied().unwrap_or(kind.weight)
        });
        let least = occurring.iter().map(|kind| weights.get(*kind));
        let least = least.reduce(f64::min).unwrap_or(1.0);
        let ground = nav.level().ground().cloned();
        let price_varies = occurring.iter().any(|kind| weights.get(*kind) > least);
        let longer = nav.bounds().expanded(RIM).size().max_element();
        let detail = match division.detail {
            Some(length) => Some(length),
            None if ground.is_some() || price_varies && division.for_costs => Some(longer / PIECES),
            None => None,
        };
        let limit = detail
            .filter(|length| length.is_finite())
            .map(|length| length.max(longer / MOST_PIECES) * STEPS);
        if let Some(limit) = limit {
            triangles.refine(limit, ctx)?;
        }
        let (vertices, polygons) =
            merge::merged(&triangles, division.corners, limit, &division.cuts, ctx)?;
        Ok(Self {
            profile: id,
            radius: f64::from(radius_key(nav.free().radius)) / PER_METRE,
            vertices,
            polygons,
            costs: (0..terrains.len() as u16)
                // Engines show them to people: three decimals are enough for a price.
                .map(|kind| (weights.get(KindId(kind)) / least * 1e3).round() / 1e3)
                .collect(),
            least_weight: least,
            terrains,
            ground,
        })
    }

    /// A vertex in space, on the ground.
    #[must_use]
    pub fn place(&self, vertex: u32) -> DVec3 {
        let p = self.vertices[vertex as usize];
        let ground = self.ground.as_ref();
        p.extend(ground.map_or(0.0, |field| field.height(p)))
    }

    pub fn places(&self) -> impl Iterator<Item = DVec3> + '_ {
        (0..self.vertices.len() as u32).map(|vertex| self.place(vertex))
    }

    #[must_use]
    pub fn bounds(&self) -> Rect {
        Rect::of_points(&self.vertices)
    }

    /// Polygons by terrain, in the order of terrains; only terrains that occur.
    #[must_use]
    pub fn by_terrain(&self) -> BTreeMap<KindId, Vec<&NavPolygon>> {
        let mut all: BTreeMap<KindId, Vec<&NavPolygon>> = BTreeMap::new();
        for polygon in &self.polygons {
            all.entry(polygon.terrain).or_default().push(polygon);
        }
        all
    }

    /// Whether some terrain costs more than another.
    #[must_use]
    pub fn has_costs(&self) -> bool {
        let mut costs = self.polygons.iter().map(|polygon| self.cost(polygon));
        let first = costs.next();
        costs.any(|cost| Some(cost) != first)
    }

    /// What a metre in the polygon costs, at least 1.
    #[must_use]
    pub fn cost(&self, polygon: &NavPolygon) -> f64 {
        let index = polygon.terrain.index();
        self.costs.get(index).copied().unwrap_or(1.0)
    }

    #[must_use]
    pub fn terrain_name(&self, kind: KindId) -> &str {
        let terrain = self.terrains.get(kind.index());
        terrain.map_or("ground", |terrain| &terrain.name)
    }

    /// A line for people about what was written.
    #[must_use]
    pub fn summary(&self) -> String {
        format!(
            "{} polygons, {} vertices, for a radius of {} m",
            self.polygons.len(),
            self.vertices.len(),
            self.radius
        )
    }
}

/// The profile of this name; without one, the first of the level, or the usual body.
pub(in crate::exchange) fn chosen_profile(
    level: &Level,
    name: Option<&str>,
) -> Result<(Option<EntityId>, Profile), ExportError> {
    let mut profiles = level.profiles();
    let found = match name {
        None => profiles.next(),
        // One without a name goes by its label.
        Some(name) => profiles.find(|(id, entity, _)| entity.label(*id) == name),
    };
    match (found, name) {
        (Some((id, _, profile)), _) => Ok((Some(id), profile.clone())),
        (None, None) => Ok((None, Profile::default())),
        (None, Some(name)) => {
            let known: Vec<String> = level.profiles().map(|(id, e, _)| e.label(id)).collect();
            Err(ExportError::Refused(format!(
                "there is no profile `{name}`; there are {}",
                known.join(", ")
            )))
        }
    }
}
