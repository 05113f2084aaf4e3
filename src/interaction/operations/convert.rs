//! Conversion between obstacles, regions, areas and routes.

use super::references::{Fate, followed};
use super::{Change, OperationInput};
use crate::base::EntityId;
use crate::document::{
    Annotation, Edit, Entity, Kind, Knot, Level, Obstacle, Region, Route, RouteShape, route_line,
};
use crate::geometry::curve::smooth_handles;
use crate::geometry::simplify::simplified;
use crate::geometry::{Polygon, polygon::signed_area};
use crate::interaction::host::Refused;
use crate::interaction::vertices;
use glam::DVec2;
use std::collections::BTreeMap;

/// Target of a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConvertTarget {
    Obstacle,
    /// Painted with this terrain.
    Region(EntityId),
    /// An annotation's free area.
    Area,
    /// A polyline route; closed around an outline.
    Polyline,
    /// A smooth route through the same points.
    Bezier,
}

impl ConvertTarget {
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Obstacle => "obstacle",
            Self::Region(_) => "region",
            Self::Area => "area",
            Self::Polyline => "polyline",
            Self::Bezier => "Bézier route",
        }
    }
}

/// Maximum deviation of a route from the outline, or of corners from the curve, it was converted
/// from. Unit: metres.
const FIDELITY: f64 = 0.05;

/// Converts the selected outlines and routes, keeping id, name, layer, group and tags. References
/// that are not valid for the new kind are removed.
///
/// # Errors
/// Nothing with an outline or a line is selected, a route encloses no area, or something requires
/// the object as it is.
pub fn convert(on: &OperationInput<'_>, form: ConvertTarget) -> Result<Change, Refused> {
    let mut converted = BTreeMap::new();
    for id in on.movable()? {
        let Some(entity) = on.get(id) else { continue };
        if let Some(kind) = converted_kind(entity, id, form)?
            && kind != entity.kind
        {
            converted.insert(
                id,
                Entity {
                    kind,
                    ..Entity::clone(entity)
                },
            );
        }
    }
    if converted.is_empty() {
        return Err(on.nothing_to_do(&format!(
            "that can become {} {}",
            if matches!(form, ConvertTarget::Obstacle | ConvertTarget::Area) {
                "an"
            } else {
                "a"
            },
            form.name()
        )));
    }
    let mut edits = dropped_references(on.level, &converted)?;
    edits.extend(
        converted
            .into_iter()
            .map(|(id, entity)| Edit::replace(id, entity)),
    );
    Ok(Change::new(
        format!("Convert to {}", form.name()),
        edits,
        on.selection.clone(),
    ))
}

/// `None` for objects that have neither an outline nor a line, and for crowds.
fn converted_kind(
    entity: &Entity,
    id: EntityId,
    form: ConvertTarget,
) -> Result<Option<Kind>, Refused> {
    if matches!(entity.kind, Kind::Crowd(_)) {
        return Ok(None);
    }
    Ok(match form {
        ConvertTarget::Obstacle => {
            if matches!(entity.kind, Kind::Obstacle(_)) {
                return Ok(None);
            }
            outline(entity, id)?.map(|area| Kind::Obstacle(Obstacle::new(area)))
        }
        ConvertTarget::Region(terrain) => {
            outline(entity, id)?.map(|area| Kind::Region(Region { area, terrain }))
        }
        ConvertTarget::Area => {
            outline(entity, id)?.map(|area| Kind::Annotation(Annotation::Area(area)))
        }
        ConvertTarget::Polyline => line(entity).map(|(points, route)| {
            Kind::Route(Route {
                shape: RouteShape::Polyline(points),
                ..route
            })
        }),
        ConvertTarget::Bezier => line(entity).map(|(points, route)| {
            Kind::Route(Route {
                shape: RouteShape::Bezier(knots(&points, route.closed)),
                ..route
            })
        }),
    })
}

/// The area of a shape, or what a route encloses.
fn outline(entity: &Entity, id: EntityId) -> Result<Option<Polygon>, Refused> {
    if let Some(area) = vertices::area(entity) {
        return Ok(Some(area.clone()));
    }
    let Kind::Route(route) = &entity.kind else {
        return Ok(None);
    };
    let mut ring = match &route.shape {
        RouteShape::Polyline(points) => points.clone(),
        RouteShape::Freehand { .. } | RouteShape::Bezier(_) => {
            simplified(route_line(route).points(), FIDELITY)
        }
    };
    if ring.len() > 1 && ring.first() == ring.last() {
        ring.pop();
    }
    if ring.len() < 3 || signed_area(&ring) == 0.0 {
        return Err(Refused(format!(
            "{} encloses no area; add a third point off the line",
            entity.label(id)
        )));
    }
    Ok(Some(Polygon::new(ring).normalised()))
}

/// The points of a route or around a shape (holes are ignored), and the settings of the resulting
/// route.
fn line(entity: &Entity) -> Option<(Vec<DVec2>, Route)> {
    if let Some(area) = vertices::area(entity) {
        let route = Route {
            closed: true,
            ..Route::new(RouteShape::Polyline(Vec::new()))
        };
        return Some((area.outer.clone(), route));
    }
    let Kind::Route(route) = &entity.kind else {
        return None;
    };
    let points = match &route.shape {
        RouteShape::Polyline(points) => points.clone(),
        RouteShape::Freehand { tolerance, .. } => {
            simplified(route_line(route).points(), tolerance.max(FIDELITY))
        }
        RouteShape::Bezier(_) => {
            let mut points = simplified(route_line(route).points(), FIDELITY);
            // The line of a closed curve ends where it began; the route closes itself.
            if route.closed && points.len() > 1 && points.first() == points.last() {
                points.pop();
            }
            points
        }
    };
    Some((points, route.clone()))
}

fn knots(points: &[DVec2], closed: bool) -> Vec<Knot> {
    points
        .iter()
        .zip(smooth_handles(points, closed))
        .map(|(point, handles)| Knot {
            point: *point,
            handle_in: handles.before,
            handle_out: handles.after,
        })
        .collect()
}

/// Removes references from other objects that are not valid for the new kinds.
fn dropped_references(
    level: &Level,
    converted: &BTreeMap<EntityId, Entity>,
) -> Result<Vec<Edit>, Refused> {
    let mut edits = Vec::new();
    for (id, entity) in level.drawn() {
        let mut lost = None;
        let after = followed(entity, |role, to| match converted.get(&to) {
            Some(new) if !role.accepts(new.kind.name()) => {
                lost = Some(to);
                Fate::Ends
            }
            _ => Fate::Stays,
        });
        let Some(lost) = lost else { continue };
        let after = after.ok_or_else(|| {
            Refused(format!(
                "{} depends on {}; change or delete it first",
                entity.label(id),
                level.label(lost)
            ))
        })?;
        if !converted.contains_key(&id) {
            edits.push(Edit::replace(id, after));
        }
    }
    Ok(edits)
}
