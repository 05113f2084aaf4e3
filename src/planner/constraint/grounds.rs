//! Which domain a query is planned on.

use super::domain::Ground;
use super::runs::Density;
use crate::document::{ConstraintDomain, Level};
use crate::nav::NavData;
use crate::nav::constraint::{Highways, Lattice, Triangles};
use crate::nav::voxel::Borders;
use crate::planner::PathRequest;
use glam::{DVec2, DVec3};
use std::sync::Arc;

/// States along the longer side of a level, where the spacing is chosen automatically.
const STATES_ALONG: f64 = 200.0;

/// Limits of an automatic spacing. Unit: metres.
const SPACINGS: [f64; 2] = [0.25, 2.0];

/// How often an automatic spacing is halved where the exact free space leads to the goal and the
/// states do not.
const HALVINGS: i32 = 2;

/// Whether a level is planned on the surfaces of its solids instead of in plan.
#[must_use]
pub fn has_storeys(level: &Level) -> bool {
    level.solids().next().is_some() || !level.settings().has_ground
}

/// Distance between states.
#[must_use]
pub fn spacing_of(nav: &NavData, request: &PathRequest) -> f64 {
    request.constraints.options.spacing.unwrap_or_else(|| {
        let side = nav.bounds().size().max_element();
        let spacing = (side / STATES_ALONG).clamp(SPACINGS[0], SPACINGS[1]);
        (spacing * 20.0).round() / 20.0
    })
}

/// States in plan. Where the spacing is automatic and too wide for a passage to the goal, a finer
/// one that gets through.
fn lattice_in_plan(nav: &NavData, request: &PathRequest, spacing: f64) -> Arc<Lattice> {
    let lattice = nav.lattice(spacing);
    let ends = request.placed_ends(nav);
    let [start, goal] = ends.map(|p| p.extend(0.0));
    let is_automatic = request.constraints.options.spacing.is_none();
    if !is_automatic || !is_connected(nav, ends) || lattice.connects(start, goal) {
        return lattice;
    }
    let finer = (1..=HALVINGS).map(|halvings| nav.lattice(spacing / f64::from(1 << halvings)));
    finer
        .into_iter()
        .find(|finer| finer.connects(start, goal))
        .unwrap_or(lattice)
}

/// Whether the exact free space connects two places.
pub(super) fn is_connected(nav: &NavData, ends: [DVec2; 2]) -> bool {
    let cells = nav.cells();
    let [a, b] = ends.map(|p| Some(cells.component(cells.locate(p)?)));
    a.is_some() && a == b
}

/// Start and goal where they can be stood at; in plan, unless there are storeys.
pub(super) fn ends_of(nav: &NavData, request: &PathRequest) -> [DVec3; 2] {
    if has_storeys(nav.level()) {
        [request.start, request.goal]
    } else {
        request.placed_ends(nav).map(|p| p.extend(0.0))
    }
}

/// What a query is planned on, and the lattice by which lines are checked. `None` if the level's
/// surfaces are too many for cells.
#[must_use]
pub fn ground_of(nav: &NavData, request: &PathRequest) -> Option<(Ground, Arc<Lattice>)> {
    let spacing = spacing_of(nav, request);
    let is_in_space = has_storeys(nav.level());
    let lattice = if is_in_space {
        let lattice = |borders| nav.storey_lattice(&request.profile, spacing, borders);
        // Off the walls, as long as that leads to the goal.
        let careful = lattice(Borders::Avoid)?;
        if careful.connects(request.start, request.goal) {
            careful
        } else {
            lattice(Borders::Ignore)?
        }
    } else {
        lattice_in_plan(nav, request, spacing)
    };
    let ground = match request.constraints.options.domain {
        ConstraintDomain::Hybrid => {
            let highways = if is_in_space {
                Arc::new(Highways::straight(&lattice))
            } else {
                nav.highways(&lattice)
            };
            Ground::Hybrid(Arc::clone(&lattice), highways)
        }
        ConstraintDomain::Adaptive => Ground::Adaptive(Arc::clone(&lattice), Density::PRINTED),
        ConstraintDomain::Graded => Ground::Adaptive(Arc::clone(&lattice), Density::OURS),
        // Surfaces in space are not triangulated.
        ConstraintDomain::Triangles if !is_in_space => {
            let field = &request.constraints.field;
            let triangles = Triangles::build(nav.free(), nav.cells(), Some(field));
            Ground::Triangles(Arc::new(triangles), spacing)
        }
        ConstraintDomain::Triangles | ConstraintDomain::Dense => {
            Ground::Dense(Arc::clone(&lattice))
        }
    };
    Some((ground, lattice))
}
