//! Simplification of outlines and routes.

use super::combine::as_pieces;
use super::{Change, OperationInput};
use crate::document::{Edit, Entity, Kind, RouteShape};
use crate::geometry::simplify::{simplified, simplified_ring, tidy};
use crate::geometry::{Polygon, boolean, crossing};
use crate::interaction::host::Refused;
use crate::interaction::vertices;

/// Removes points of outlines and routes that are within `tolerance` of the result. An outline that
/// would cross itself is repaired; Bézier routes are left alone.
///
/// # Errors
/// Nothing with points is selected, no point can be removed, or the tolerance is not a number.
pub fn simplify(on: &OperationInput<'_>, tolerance: f64) -> Result<Change, Refused> {
    if !tolerance.is_finite() || tolerance < 0.0 {
        return Err(Refused("the tolerance must be zero or more".to_owned()));
    }
    let mut ids = on.ids();
    let mut edits = Vec::new();
    let mut selection = on.selection.clone();
    let (mut before, mut after) = (0, 0);
    for id in on.movable()? {
        let Some(entity) = on.get(id) else { continue };
        if let Some(area) = vertices::area(entity) {
            let pieces = simplified_area(area, tolerance);
            before += area.vertex_count();
            after += pieces.iter().map(Polygon::vertex_count).sum::<usize>();
            let (changes, made) = as_pieces(on, &mut ids, id, pieces);
            edits.extend(changes);
            for id in made {
                selection.insert(id);
            }
        } else if let Some(simpler) = simplified_route(entity, tolerance) {
            before += entity.vertex_count();
            after += simpler.vertex_count();
            edits.push(Edit::replace(id, simpler));
        }
    }
    if edits.is_empty() {
        return Err(on.nothing_to_do("with an outline, or a route"));
    }
    match before - before.min(after) {
        0 => Err(Refused(
            "every point matters at this tolerance; choose a larger one".to_owned(),
        )),
        1 => Ok(Change::new("Simplify (1 point fewer)", edits, selection)),
        fewer => Ok(Change::new(
            format!("Simplify ({fewer} points fewer)"),
            edits,
            selection,
        )),
    }
}

/// Never empty: a shape that would vanish is returned unchanged.
fn simplified_area(area: &Polygon, tolerance: f64) -> Vec<Polygon> {
    let ring = |ring: &Vec<_>| tidy(&simplified_ring(ring, tolerance));
    let simpler = Polygon {
        outer: ring(&area.outer),
        holes: area
            .holes
            .iter()
            .map(ring)
            .filter(|h| h.len() > 2)
            .collect(),
    };
    if simpler.outer.len() < 3 {
        return vec![area.clone()];
    }
    if crossing::first_crossing(&simpler).is_none() {
        return vec![simpler];
    }
    match boolean::repaired(&simpler) {
        pieces if pieces.is_empty() => vec![area.clone()],
        pieces => pieces,
    }
}

fn simplified_route(entity: &Entity, tolerance: f64) -> Option<Entity> {
    let mut entity = entity.clone();
    let Kind::Route(route) = &mut entity.kind else {
        return None;
    };
    match &mut route.shape {
        RouteShape::Polyline(points) | RouteShape::Freehand { stroke: points, .. } => {
            *points = simplified(points, tolerance);
            Some(entity)
        }
        RouteShape::Bezier(_) => None,
    }
}
