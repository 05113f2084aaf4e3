//! Where goals lie that are not places: inside areas, beside objects, along patrols.

use super::annotation_area::{annotation_area, facing, outline, relation_area};
use super::model::{Kind, Level, Queue, Relation, Target};
use super::route_line::route_line;
use crate::geometry::{OrientedBox, Polygon, Rect};
use glam::DVec2;

/// How near an object, or a route, an agent comes that goes to it. Unit: metres.
const BESIDE: f64 = 2.0;

/// Share of an area's extent, from its centre, that a patrol through it covers.
const PATROLLED: f64 = 0.6;

/// Where a goal is reached: the area of an annotation, a region or a relation, the surroundings of
/// an object, a strip along a route. Empty if what it refers to is missing.
#[must_use]
pub fn goal_area(level: &Level, target: Target) -> Vec<Polygon> {
    let id = match target {
        Target::Relation { object, relation } => return relation_area(level, object, relation),
        Target::Entity(id) => id,
    };
    match level.get(id).map(|entity| &entity.kind) {
        Some(Kind::Annotation(_)) => annotation_area(level, id),
        Some(Kind::Region(region)) => vec![region.area.clone()],
        Some(Kind::Exit(exit)) => vec![exit.area.clone()],
        Some(Kind::WaitingArea(waiting)) => vec![waiting.area.clone()],
        Some(Kind::Queue(queue)) => queue_area(queue).into_iter().collect(),
        Some(
            Kind::Obstacle(_) | Kind::Wall(_) | Kind::Solid(_) | Kind::Agent(_) | Kind::Route(_),
        ) => relation_area(level, id, Relation::Around { reach: BESIDE }),
        _ => Vec::new(),
    }
}

/// The areas of all exits, in the level's order.
#[must_use]
pub fn exit_areas(level: &Level) -> Vec<Polygon> {
    level.exits().map(|(.., exit)| exit.area.clone()).collect()
}

/// Where a queue is joined: around the end of its line.
fn queue_area(queue: &Queue) -> Option<Polygon> {
    let end = *queue.line.last()?;
    let half = DVec2::splat(queue.spacing);
    Some(Polygon::rect(Rect::new(end - half, end + half)))
}

/// The stops of one round of a patrol that begins near `from`: along a route and back (around, if
/// it is closed), or to and fro along the longer axis of an area.
#[must_use]
pub fn patrol_stops(level: &Level, target: Target, from: DVec2) -> Vec<DVec2> {
    let route = match target {
        Target::Entity(id) => level.get(id).and_then(|entity| match &entity.kind {
            Kind::Route(route) => Some(route),
            _ => None,
        }),
        Target::Relation { .. } => None,
    };
    if let Some(route) = route {
        let mut stops = if route.closed {
            route.shape.anchors()
        } else {
            // The ends suffice: on the way, the agent follows its planner.
            let line = route_line(route);
            [line.points().first(), line.points().last()]
                .into_iter()
                .flatten()
                .copied()
                .collect()
        };
        if !route.closed && is_nearer_the_end(&stops, from) {
            stops.reverse();
        }
        stops.extend(stops.first().copied());
        return stops;
    }
    let object_outline = match target {
        Target::Entity(id) => outline(level, id),
        Target::Relation { .. } => Vec::new(),
    };
    if !object_outline.is_empty() {
        return around(level, target, &object_outline);
    }
    let area = goal_area(level, target);
    let Some(largest) = area.iter().max_by(|a, b| a.area().total_cmp(&b.area())) else {
        return Vec::new();
    };
    let bounds = largest.bounds();
    let half = bounds.size() * 0.5 * PATROLLED;
    let along = if half.x >= half.y {
        DVec2::new(half.x, 0.0)
    } else {
        DVec2::new(0.0, half.y)
    };
    let centre = bounds.centre();
    let mut stops = vec![centre - along, centre + along];
    if is_nearer_the_end(&stops, from) {
        stops.reverse();
    }
    stops.extend(stops.first().copied());
    stops
}

/// Around an object: the corners of its box, at a distance.
fn around(level: &Level, target: Target, outline: &[Polygon]) -> Vec<DVec2> {
    let facing = match target {
        Target::Entity(id) => facing(level, id),
        Target::Relation { .. } => None,
    };
    let points = outline.iter().flat_map(Polygon::points);
    let Some(frame) = OrientedBox::around(points, facing.unwrap_or(DVec2::X)) else {
        return Vec::new();
    };
    let corners = [
        (-1.0, -1.0),
        (1.0, -1.0),
        (1.0, 1.0),
        (-1.0, 1.0),
        (-1.0, -1.0),
    ];
    let centre = frame.place(DVec2::ZERO);
    corners
        .into_iter()
        .map(|corner| {
            let corner = frame.place(corner.into());
            corner + (corner - centre).normalize_or_zero() * BESIDE
        })
        .collect()
}

fn is_nearer_the_end(stops: &[DVec2], from: DVec2) -> bool {
    match (stops.first(), stops.last()) {
        (Some(first), Some(last)) => last.distance_squared(from) < first.distance_squared(from),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::EntityId;
    use crate::document::{Edit, Entity, Obstacle, Route, RouteShape, ops};

    fn level(kinds: Vec<Kind>) -> Level {
        let edits: Vec<Edit> = kinds
            .into_iter()
            .zip(1..)
            .map(|(kind, number)| Edit::create(EntityId::new(number), Entity::new("", kind)))
            .collect();
        ops::apply(&Level::default(), &edits).expect("valid")
    }

    fn entity(number: u64) -> Target {
        Target::Entity(EntityId::new(number))
    }

    #[test]
    fn a_route_is_patrolled_there_and_back_from_its_nearer_end() {
        let ends = vec![DVec2::new(10.0, 0.0), DVec2::new(40.0, 0.0)];
        let level = level(vec![Kind::Route(Route::new(RouteShape::Polyline(ends)))]);
        let stops = patrol_stops(&level, entity(1), DVec2::new(50.0, 5.0));
        let x: Vec<f64> = stops.iter().map(|stop| stop.x).collect();
        assert_eq!(x, [40.0, 10.0, 40.0]);
    }

    #[test]
    fn an_object_is_patrolled_around_outside() {
        let area = Polygon::rect(Rect::new(DVec2::ZERO, DVec2::new(8.0, 4.0)));
        let level = level(vec![Kind::Obstacle(Obstacle::new(area.clone()))]);
        let stops = patrol_stops(&level, entity(1), DVec2::ZERO);
        assert_eq!(stops.len(), 5);
        assert!(stops.iter().all(|stop| !area.contains(*stop)));
        let beside = goal_area(&level, entity(1));
        assert!(
            beside
                .iter()
                .any(|part| part.contains(DVec2::new(9.0, 2.0)))
        );
        assert!(
            !beside
                .iter()
                .any(|part| part.contains(DVec2::new(4.0, 2.0)))
        );
    }

    #[test]
    fn what_is_missing_has_no_area_and_no_patrol() {
        let level = Level::default();
        assert!(goal_area(&level, entity(9)).is_empty());
        assert!(patrol_stops(&level, entity(9), DVec2::ZERO).is_empty());
    }
}
