//! Edits of an entity's points: move, insert, remove, merge.

use super::snapping::by_hand;
use super::vertices::{Edge, EdgeShape, Part, VertexRef, area_mut, nearest_parameter, ring_count};
use crate::document::{
    Entity, Goal, Kind, Knot, MeasureShape, Mission, Motion, Refusal, Route, RouteShape, Wall,
};
use glam::DVec2;
use std::collections::BTreeSet;

/// Moves one point; a knot's handles move with it. Ignores points that do not exist.
pub fn set(entity: &mut Entity, vertex: VertexRef, at: DVec2) {
    let rings = ring_count(entity);
    if vertex.chain < rings {
        let point = area_mut(entity)
            .and_then(|area| area.rings_mut().nth(vertex.chain))
            .and_then(|ring| ring.get_mut(vertex.index));
        if let Some(point) = point {
            *point = at;
        }
        return;
    }
    match &mut entity.kind {
        Kind::Obstacle(obstacle) => {
            let path = obstacle.motion.as_mut().map(|motion| &mut motion.path);
            if let Some(point) = path.and_then(|path| path.get_mut(vertex.index)) {
                *point = at;
            }
        }
        Kind::Route(route) => match &mut route.shape {
            RouteShape::Polyline(points) | RouteShape::Freehand { stroke: points, .. } => {
                if let Some(point) = points.get_mut(vertex.index) {
                    *point = at;
                }
            }
            RouteShape::Bezier(knots) => {
                if let Some(knot) = knots.get_mut(vertex.index) {
                    match vertex.part {
                        Part::Point => knot.point = at,
                        Part::HandleIn => knot.handle_in = by_hand(at - knot.point),
                        Part::HandleOut => knot.handle_out = by_hand(at - knot.point),
                    }
                }
            }
        },
        Kind::Wall(wall) => {
            if let Some(point) = wall.line.get_mut(vertex.index) {
                *point = at;
            }
        }
        Kind::Queue(queue) => {
            if let Some(point) = queue.line.get_mut(vertex.index) {
                *point = at;
            }
        }
        Kind::Door(door) => set_end(&mut door.jambs, vertex.index, at),
        Kind::Measure(measure) => {
            if let MeasureShape::Line(ends) = &mut measure.shape {
                set_end(ends, vertex.index, at);
            }
        }
        Kind::Link(link) => match vertex.index {
            0 => link.from = at.extend(link.from.z),
            _ => link.to = at.extend(link.to.z),
        },
        Kind::Agent(agent) if vertex.index == 0 => agent.start = at.extend(agent.start.z),
        Kind::Agent(agent) => set_goal(&mut agent.mission, vertex.index, at),
        Kind::Crowd(crowd) => set_goal(&mut crowd.mission, vertex.index, at),
        _ => {}
    }
}

fn set_end(ends: &mut [DVec2; 2], index: usize, at: DVec2) {
    if let Some(end) = ends.get_mut(index) {
        *end = at;
    }
}

fn set_goal(mission: &mut Mission, index: usize, at: DVec2) {
    let goal = index.checked_sub(1).and_then(|i| mission.goals.get_mut(i));
    if let Some(Goal::At(place)) = goal {
        *place = at.extend(place.z);
    }
}

/// Inserts a point on an edge and returns it. `None` if the edge does not exist.
pub fn insert(entity: &mut Entity, edge: &Edge, at: DVec2) -> Option<VertexRef> {
    let Edge {
        entity: id,
        chain,
        insert_at: index,
        shape,
    } = *edge;
    let rings = ring_count(entity);
    if chain < rings {
        let ring = area_mut(entity)?.rings_mut().nth(chain)?;
        insert_into(ring, index, at)?;
    } else {
        match &mut entity.kind {
            Kind::Obstacle(obstacle) => {
                insert_into(&mut obstacle.motion.as_mut()?.path, index, at)?;
            }
            Kind::Wall(wall) => insert_into(&mut wall.line, index, at)?,
            Kind::Queue(queue) => insert_into(&mut queue.line, index, at)?,
            Kind::Route(route) => match &mut route.shape {
                RouteShape::Polyline(points) | RouteShape::Freehand { stroke: points, .. } => {
                    insert_into(points, index, at)?;
                }
                RouteShape::Bezier(knots) => split_curve(knots, index, shape, at)?,
            },
            Kind::Agent(agent) => {
                let goal = Goal::At(at.extend(agent.start.z));
                insert_into(&mut agent.mission.goals, index.checked_sub(1)?, goal)?;
            }
            Kind::Crowd(crowd) => {
                let goals = &mut crowd.mission.goals;
                let height = goals.iter().find_map(|goal| Some(goal.place()?.z));
                let goal = Goal::At(at.extend(height.unwrap_or(0.0)));
                insert_into(goals, index.checked_sub(1)?, goal)?;
            }
            _ => return None,
        }
    }
    Some(VertexRef {
        entity: id,
        chain,
        index,
        part: Part::Point,
    })
}

fn insert_into<T>(list: &mut Vec<T>, index: usize, item: T) -> Option<()> {
    (index <= list.len()).then(|| list.insert(index, item))
}

/// De Casteljau subdivision: the curve keeps its shape.
fn split_curve(knots: &mut Vec<Knot>, index: usize, shape: EdgeShape, at: DVec2) -> Option<()> {
    let EdgeShape::Curved(cubic) = shape else {
        return None;
    };
    if index == 0 || index > knots.len() {
        return None;
    }
    let t = nearest_parameter(&cubic, at);
    let (a, b, c) = (
        cubic.from.lerp(cubic.from_control, t),
        cubic.from_control.lerp(cubic.to_control, t),
        cubic.to_control.lerp(cubic.to, t),
    );
    let (d, e) = (a.lerp(b, t), b.lerp(c, t));
    let point = by_hand(d.lerp(e, t));
    let next = index % knots.len();
    knots[index - 1].handle_out = by_hand(a - cubic.from);
    knots[next].handle_in = by_hand(c - cubic.to);
    knots.insert(
        index,
        Knot {
            point,
            handle_in: by_hand(d - point),
            handle_out: by_hand(e - point),
        },
    );
    Some(())
}

/// Replaces the knot that a point or handle belongs to.
pub fn set_knot(entity: &mut Entity, vertex: VertexRef, knot: Knot) {
    if let Kind::Route(Route {
        shape: RouteShape::Bezier(knots),
        ..
    }) = &mut entity.kind
        && let Some(place) = knots.get_mut(vertex.index)
    {
        *place = knot;
    }
}

/// Removes corners that coincide with the previous one, as long as enough are left.
pub fn merge_repeated(entity: &mut Entity) {
    if let Some(area) = area_mut(entity) {
        for ring in area.rings_mut() {
            merge(ring, 3);
            while ring.len() > 3 && ring.first() == ring.last() {
                ring.pop();
            }
        }
    }
    if let Kind::Route(Route {
        shape: RouteShape::Polyline(points),
        ..
    })
    | Kind::Wall(Wall { line: points, .. }) = &mut entity.kind
    {
        merge(points, 2);
    }
}

fn merge(points: &mut Vec<DVec2>, fewest: usize) {
    let mut left = points.len();
    points.dedup_by(|a, b| {
        let merges = a == b && left > fewest;
        left -= usize::from(merges);
        merges
    });
}

/// Removes points; removing a handle makes a corner. Holes with too few points left are removed.
///
/// # Errors
/// Too little would be left of the entity.
pub fn remove(entity: &mut Entity, gone: &BTreeSet<VertexRef>) -> Result<(), Refusal> {
    let points: BTreeSet<(usize, usize)> = gone
        .iter()
        .filter(|vertex| vertex.part == Part::Point)
        .map(|vertex| (vertex.chain, vertex.index))
        .collect();
    let keeps = |chain: usize| {
        let points = &points;
        move |index: usize| !points.contains(&(chain, index))
    };
    let rings = ring_count(entity);
    if let Some(area) = area_mut(entity) {
        for (chain, ring) in area.rings_mut().enumerate() {
            retain(ring, keeps(chain));
        }
        if area.outer.len() < 3 {
            return Err(Refusal::new(
                "an outline needs at least 3 corners; delete the whole object instead",
            ));
        }
        area.holes.retain(|hole| hole.len() >= 3);
    }
    if super::vertices::span(entity).is_some() && !gone.is_empty() {
        return Err(Refusal::new(
            "it needs both of its ends; delete the whole object instead",
        ));
    }
    match &mut entity.kind {
        Kind::Obstacle(obstacle) => {
            if let Some(Motion { path, .. }) = &mut obstacle.motion {
                retain(path, keeps(rings));
                if path.is_empty() {
                    obstacle.motion = None;
                }
            }
        }
        Kind::Route(route) => {
            let left = match &mut route.shape {
                RouteShape::Polyline(points) | RouteShape::Freehand { stroke: points, .. } => {
                    retain(points, keeps(0));
                    points.len()
                }
                RouteShape::Bezier(knots) => {
                    for vertex in gone.iter().filter(|vertex| vertex.part.is_handle()) {
                        if let Some(knot) = knots.get_mut(vertex.index) {
                            match vertex.part {
                                Part::HandleIn => knot.handle_in = DVec2::ZERO,
                                _ => knot.handle_out = DVec2::ZERO,
                            }
                        }
                    }
                    retain(knots, keeps(0));
                    knots.len()
                }
            };
            if left < 2 {
                return Err(Refusal::new(
                    "a route needs at least 2 points; delete the whole route instead",
                ));
            }
        }
        Kind::Agent(agent) => {
            if !keeps(0)(0) {
                return Err(Refusal::new(
                    "an agent needs its start; delete the whole agent instead",
                ));
            }
            retain(&mut agent.mission.goals, |i| keeps(0)(i + 1));
        }
        Kind::Crowd(crowd) => retain(&mut crowd.mission.goals, |i| keeps(rings)(i + 1)),
        Kind::Wall(wall) => {
            retain(&mut wall.line, keeps(0));
            if wall.line.len() < 2 {
                return Err(Refusal::new(
                    "a wall needs at least 2 points; delete the whole wall instead",
                ));
            }
        }
        Kind::Queue(queue) => {
            retain(&mut queue.line, keeps(0));
            if queue.line.len() < 2 {
                return Err(Refusal::new(
                    "a queue needs at least 2 points; delete the whole queue instead",
                ));
            }
        }
        _ => {}
    }
    Ok(())
}

fn retain<T>(list: &mut Vec<T>, keeps: impl Fn(usize) -> bool) {
    let mut index = 0;
    list.retain(|_| {
        index += 1;
        keeps(index - 1)
    });
}

#[cfg(test)]
mod tests {
    use super::super::vertices::{edges, position, vertices};
    use super::*;
    use crate::base::EntityId;
    use crate::document::{Agent, Heading, Obstacle, Repeat};
    use crate::geometry::{Polygon, Rect};

    const ID: EntityId = EntityId::new(1);

    fn things() -> Vec<Entity> {
        let square = |size: f64| Polygon::rect(Rect::around(DVec2::ZERO, DVec2::splat(size)));
        let mut yard = Obstacle::new(Polygon {
            outer: square(10.0).outer,
            holes: vec![square(2.0).outer, square(1.0).outer],
        });
        yard.motion = Some(Motion {
            path: vec![DVec2::ZERO, DVec2::splat(30.0)],
            route: None,
            speed: 1.0,
            repeat: Repeat::Loop,
        });
        let mut loop_route = Route::new(RouteShape::Bezier(
            square(8.0).outer.into_iter().map(Knot::corner).collect(),
        ));
        loop_route.closed = true;
        let mut mission = Mission::new(EntityId::new(2));
        mission.goals = vec![
            Goal::At(DVec2::ONE.extend(3.0)),
            Goal::inside(EntityId::new(3)),
            Goal::At(DVec2::splat(9.0).extend(3.0)),
        ];
        let agent = Agent {
            start: DVec2::ZERO.extend(3.0),
            heading: Heading::default(),
            mission,
        };
        vec![
            Entity::new("", Kind::Obstacle(yard)),
            Entity::new("", Kind::Route(loop_route)),
            Entity::new("", Kind::Agent(agent)),
        ]
    }

    #[test]
    fn every_point_can_be_moved_and_only_that_one_moves() {
        let to = DVec2::new(-77.0, 55.0);
        for thing in things() {
            for (vertex, _) in vertices(ID, &thing) {
                let mut moved = thing.clone();
                set(&mut moved, vertex, to);
                assert_eq!(position(&moved, vertex), Some(to), "{vertex:?}");
                let strayed = vertices(ID, &moved)
                    .into_iter()
                    .filter(|(v, _)| v.point() != vertex.point())
                    .any(|(v, place)| position(&thing, v) != Some(place));
                assert!(!strayed, "{vertex:?}");
                assert!(moved.check().is_ok());
            }
        }
    }

    #[test]
    fn a_point_inserted_on_any_edge_is_found_where_its_name_says() {
        for thing in things() {
            for edge in edges(ID, &thing) {
                let at = super::super::vertices::closest_on_edge(&edge.shape, DVec2::splat(3.0));
                let mut changed = thing.clone();
                let vertex = insert(&mut changed, &edge, at).expect("the edge is there");
                let found = position(&changed, vertex).expect("the point is there");
                assert!(found.distance(at) < 1e-6, "{edge:?}");
                let (before, after) = (vertices(ID, &thing), vertices(ID, &changed));
                assert!(after.len() > before.len());
                assert!(changed.check().is_ok());
            }
        }
    }

    #[test]
    fn inserted_points_can_be_removed_again() {
        for thing in things() {
            for edge in edges(ID, &thing) {
                let mut changed = thing.clone();
                let vertex = insert(&mut changed, &edge, DVec2::splat(3.0)).expect("an edge");
                remove(&mut changed, &BTreeSet::from([vertex])).expect("enough is left");
                let places = |entity: &Entity| -> Vec<DVec2> {
                    let points = vertices(ID, entity).into_iter();
                    let points = points.filter(|(v, _)| v.part == Part::Point);
                    points.map(|(_, place)| place).collect()
                };
                assert_eq!(places(&changed), places(&thing));
            }
        }
    }

    #[test]
    fn repeated_corners_are_merged_down_to_a_triangle() {
        let corner = |x: f64, y: f64| DVec2::new(x, y);
        let mut outer = vec![corner(0.0, 0.0), corner(4.0, 0.0), corner(4.0, 0.0)];
        outer.extend([corner(4.0, 4.0), corner(0.0, 0.0)]);
        let mut thing = Entity::new("", Kind::Obstacle(Obstacle::new(Polygon::new(outer))));
        merge_repeated(&mut thing);
        assert_eq!(thing.vertex_count(), 3);
        let mut point = Entity::new(
            "",
            Kind::Obstacle(Obstacle::new(Polygon::new(vec![DVec2::ONE; 6]))),
        );
        merge_repeated(&mut point);
        assert!(point.check().is_ok());
    }
}
