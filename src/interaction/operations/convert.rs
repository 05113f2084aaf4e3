//! Turn obstacles, regions, areas and routes into each other.

use super::references::{Fate, followed};
use super::{Change, Subject};
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

/// What things become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Obstacle,
    /// Painted with this terrain.
    Region(EntityId),
    /// An annotation's free area.
    Area,
    /// A route with corners; a closed one round an outline.
    Polyline,
    /// A smooth route through the same points.
    Bezier,
}

impl Form {
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

/// How far a route may be from the outline, or the corners from the curve, that it is made from.
/// Unit: metres.
const FIDELITY: f64 = 0.05;

/// Makes the selected outlines and routes into another kind of thing, each under its own id with
/// its name, layer, group and tags. References that cannot lead to the new kind are taken off.
///
/// # Errors
/// Nothing with an outline or a line is selected, a route encloses no area, or something needs
/// the thing as it is.
pub fn convert(on: &Subject<'_>, form: Form) -> Result<Change, Refused> {
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
            if matches!(form, Form::Obstacle | Form::Area) {
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

/// `None` for things that have neither an outline nor a line, and for crowds.
fn converted_kind(entity: &Entity, id: EntityId, form: Form) -> Result<Option<Kind>, Refused> {
    if matches!(entity.kind, Kind::Crowd(_)) {
        return Ok(None);
    }
    Ok(match form {
        Form::Obstacle => {
            if matches!(entity.kind, Kind::Obstacle(_)) {
                return Ok(None);
            }
            outline(entity, id)?.map(|area| Kind::Obstacle(Obstacle::new(area)))
        }
        Form::Region(terrain) => {
            outline(entity, id)?.map(|area| Kind::Region(Region { area, terrain }))
        }
        Form::Area => outline(entity, id)?.map(|area| Kind::Annotation(Annotation::Area(area))),
        Form::Polyline => line(entity).map(|(points, route)| {
            Kind::Route(Route {
                shape: RouteShape::Polyline(points),
                ..route
            })
        }),
        Form::Bezier => line(entity).map(|(points, route)| {
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
            "{} encloses no area; give it a third point beside the line",
            entity.label(id)
        )));
    }
    Ok(Some(Polygon::new(ring).normalised()))
}

/// The points of a route, or round a shape (its holes are left out), with the other settings of
/// the route that they make.
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
            // A closed curve's line ends where it began; the route closes itself.
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

/// Takes off references of other things that cannot lead to what the converted ones are now.
fn dropped_references(
    level: &Level,
    converted: &BTreeMap<EntityId, Entity>,
) -> Result<Vec<Edit>, Refused> {
    let mut edits = Vec::new();
    for (id, entity) in level.iter() {
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
                "{} needs {} as it is; change or delete it first",
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
