//! The movable points of an entity, and the edges between them.
//!
//! An entity is a list of chains: the outline and each hole of an area; the anchors of a route; the
//! motion path of an obstacle; the start and goals of a mission.

use crate::base::EntityId;
use crate::document::{
    Annotation, Entity, Goal, Kind, Knot, Measure, MeasureShape, Route, RouteShape,
};
use crate::geometry::{Polygon, curve::Cubic};
use glam::{DVec2, DVec3};

/// Identifies one movable point of one entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VertexRef {
    pub entity: EntityId,
    /// Which chain of points: 0 is the outline, then the holes.
    pub chain: usize,
    pub index: usize,
    pub part: Part,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    Point,
    /// The handle of a Bézier knot towards the knot before it.
    HandleIn,
    /// The handle of a Bézier knot towards the knot after it.
    HandleOut,
}

impl Part {
    #[must_use]
    pub const fn is_handle(self) -> bool {
        !matches!(self, Self::Point)
    }
}

impl VertexRef {
    /// The point that a handle belongs to.
    #[must_use]
    pub const fn point(self) -> Self {
        Self {
            part: Part::Point,
            ..self
        }
    }
}

/// An edge between two neighbouring points of a chain; a point inserted on it gets index
/// `insert_at`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    pub entity: EntityId,
    pub chain: usize,
    pub insert_at: usize,
    pub shape: EdgeShape,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EdgeShape {
    Straight(DVec2, DVec2),
    Curved(Cubic),
}

enum Chain<'a> {
    Points {
        points: &'a [DVec2],
        closed: bool,
    },
    Knots {
        knots: &'a [Knot],
        closed: bool,
    },
    /// Two ends, and never more.
    Span([DVec2; 2]),
    /// Index 0 is the start, if there is one; goals follow from index 1.
    Places {
        start: Option<DVec3>,
        goals: &'a [Goal],
    },
}

/// The polygon of an entity that has one.
#[must_use]
pub const fn area(entity: &Entity) -> Option<&Polygon> {
    match &entity.kind {
        Kind::Region(region) => Some(&region.area),
        Kind::Obstacle(obstacle) => Some(&obstacle.area),
        Kind::Annotation(Annotation::Area(area)) => Some(area),
        Kind::Crowd(crowd) => Some(&crowd.area),
        Kind::Exit(exit) => Some(&exit.area),
        Kind::WaitingArea(waiting) => Some(&waiting.area),
        Kind::Measure(Measure {
            shape: MeasureShape::Area(area),
            ..
        }) => Some(area),
        _ => None,
    }
}

pub const fn area_mut(entity: &mut Entity) -> Option<&mut Polygon> {
    match &mut entity.kind {
        Kind::Region(region) => Some(&mut region.area),
        Kind::Obstacle(obstacle) => Some(&mut obstacle.area),
        Kind::Annotation(Annotation::Area(area)) => Some(area),
        Kind::Crowd(crowd) => Some(&mut crowd.area),
        Kind::Exit(exit) => Some(&mut exit.area),
        Kind::WaitingArea(waiting) => Some(&mut waiting.area),
        Kind::Measure(Measure {
            shape: MeasureShape::Area(area),
            ..
        }) => Some(area),
        _ => None,
    }
}

/// The two ends of a door, a link or a measuring line.
#[must_use]
pub const fn span(entity: &Entity) -> Option<[DVec2; 2]> {
    match &entity.kind {
        Kind::Door(door) => Some(door.jambs),
        Kind::Link(link) => Some([
            DVec2::new(link.from.x, link.from.y),
            DVec2::new(link.to.x, link.to.y),
        ]),
        Kind::Measure(Measure {
            shape: MeasureShape::Line(ends),
            ..
        }) => Some(*ends),
        _ => None,
    }
}

/// The line of a wall, a door, a link, a measuring line or a queue.
#[must_use]
pub fn line(entity: &Entity) -> Option<Vec<DVec2>> {
    match &entity.kind {
        Kind::Queue(queue) => Some(queue.line.clone()),
        Kind::Wall(wall) => Some(wall.centre_line().points().to_vec()),
        _ => span(entity).map(|ends| ends.to_vec()),
    }
}

/// Number of an entity's chains that are rings of its area; they come first.
#[must_use]
pub fn ring_count(entity: &Entity) -> usize {
    area(entity).map_or(0, |area| 1 + area.holes.len())
}

/// Whether the entity has points to edit.
#[must_use]
pub fn has_vertices(entity: &Entity) -> bool {
    !chains(entity).is_empty()
}

fn chains(entity: &Entity) -> Vec<Chain<'_>> {
    let mut chains: Vec<Chain<'_>> = area(entity)
        .into_iter()
        .flat_map(Polygon::rings)
        .map(|ring| Chain::Points {
            points: ring,
            closed: true,
        })
        .collect();
    match &entity.kind {
        Kind::Obstacle(obstacle) => {
            if let Some(motion) = &obstacle.motion {
                chains.push(Chain::Points {
                    points: &motion.path,
                    closed: false,
                });
            }
        }
        Kind::Route(Route { shape, closed, .. }) => chains.push(match shape {
            RouteShape::Polyline(points) | RouteShape::Freehand { stroke: points, .. } => {
                Chain::Points {
                    points,
                    closed: *closed,
                }
            }
            RouteShape::Bezier(knots) => Chain::Knots {
                knots,
                closed: *closed,
            },
        }),
        Kind::Wall(wall) => chains.push(Chain::Points {
            points: &wall.line,
            closed: wall.closed,
        }),
        Kind::Queue(queue) => chains.push(Chain::Points {
            points: &queue.line,
            closed: false,
        }),
        Kind::Agent(agent) => chains.push(Chain::Places {
            start: Some(agent.start),
            goals: &agent.mission.goals,
        }),
        Kind::Crowd(crowd) => chains.push(Chain::Places {
            start: None,
            goals: &crowd.mission.goals,
        }),
        _ => {}
    }
    chains.extend(span(entity).map(Chain::Span));
    chains
}

/// Every movable point with its position; the handles of a knot follow its point.
#[must_use]
pub fn vertices(id: EntityId, entity: &Entity) -> Vec<(VertexRef, DVec2)> {
    let mut found = Vec::new();
    for (chain, content) in chains(entity).into_iter().enumerate() {
        let mut add = |index: usize, part: Part, at: DVec2| {
            let vertex = VertexRef {
                entity: id,
                chain,
                index,
                part,
            };
            found.push((vertex, at));
        };
        match content {
            Chain::Points { points, .. } => {
                for (i, p) in points.iter().enumerate() {
                    add(i, Part::Point, *p);
                }
            }
            Chain::Span(ends) => {
                for (i, p) in ends.iter().enumerate() {
                    add(i, Part::Point, *p);
                }
            }
            Chain::Knots { knots, .. } => {
                for (i, knot) in knots.iter().enumerate() {
                    add(i, Part::Point, knot.point);
                    add(i, Part::HandleIn, knot.point + knot.handle_in);
                    add(i, Part::HandleOut, knot.point + knot.handle_out);
                }
            }
            Chain::Places { start, goals } => {
                if let Some(start) = start {
                    add(0, Part::Point, start.truncate());
                }
                for (i, goal) in goals.iter().enumerate() {
                    if let Goal::At(place) = goal {
                        add(i + 1, Part::Point, place.truncate());
                    }
                }
            }
        }
    }
    found
}

/// The kind of a movable point, as shown to the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointName {
    Vertex,
    /// An agent's start.
    Start,
    /// One of an agent's goals.
    Goal,
}

impl PointName {
    #[must_use]
    pub fn of(entity: &Entity, vertex: VertexRef) -> Self {
        if entity.mission().is_none() || vertex.chain < ring_count(entity) {
            Self::Vertex
        } else if vertex.index == 0 {
            Self::Start
        } else {
            Self::Goal
        }
    }
}

impl std::fmt::Display for PointName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Vertex => "vertex",
            Self::Start => "start",
            Self::Goal => "goal",
        })
    }
}

/// The start or goal of an agent or crowd that is nearest to a point.
#[must_use]
pub fn nearest_mark(id: EntityId, entity: &Entity, at: DVec2) -> Option<VertexRef> {
    vertices(id, entity)
        .into_iter()
        .filter(|(vertex, _)| PointName::of(entity, *vertex) != PointName::Vertex)
        .min_by(|a, b| a.1.distance(at).total_cmp(&b.1.distance(at)))
        .map(|(vertex, _)| vertex)
}

/// Number of points per chain: while these are unchanged, a [`VertexRef`] refers to the same point.
#[must_use]
pub fn chain_lengths(entity: &Entity) -> Vec<usize> {
    chains(entity)
        .iter()
        .map(|chain| match chain {
            Chain::Points { points, .. } => points.len(),
            Chain::Knots { knots, .. } => knots.len(),
            Chain::Span(ends) => ends.len(),
            Chain::Places { goals, .. } => goals.len() + 1,
        })
        .collect()
}

/// The position of a point; `None` if it does not exist (any more).
#[must_use]
pub fn position(entity: &Entity, vertex: VertexRef) -> Option<DVec2> {
    match chains(entity).get(vertex.chain)? {
        Chain::Points { points, .. } => points.get(vertex.index).copied(),
        Chain::Span(ends) => ends.get(vertex.index).copied(),
        Chain::Knots { knots, .. } => {
            let knot = knots.get(vertex.index)?;
            Some(match vertex.part {
                Part::Point => knot.point,
                Part::HandleIn => knot.point + knot.handle_in,
                Part::HandleOut => knot.point + knot.handle_out,
            })
        }
        Chain::Places { start, goals } => match vertex.index.checked_sub(1) {
            None => start.map(DVec3::truncate),
            Some(i) => goals.get(i)?.place().map(DVec3::truncate),
        },
    }
}

/// The points at both ends of an edge.
#[must_use]
pub fn ends(entity: &Entity, edge: &Edge) -> [VertexRef; 2] {
    let count = match chains(entity).get(edge.chain) {
        Some(Chain::Points { points, .. }) => points.len(),
        Some(Chain::Knots { knots, .. }) => knots.len(),
        Some(Chain::Span(ends)) => ends.len(),
        Some(Chain::Places { goals, .. }) => goals.len() + 1,
        None => 0,
    };
    let vertex = |index: usize| VertexRef {
        entity: edge.entity,
        chain: edge.chain,
        index,
        part: Part::Point,
    };
    let after = if edge.insert_at < count {
        edge.insert_at
    } else {
        0
    };
    [vertex(edge.insert_at.saturating_sub(1)), vertex(after)]
}

/// Every edge on which a point can be inserted.
#[must_use]
pub fn edges(id: EntityId, entity: &Entity) -> Vec<Edge> {
    let mut found = Vec::new();
    for (chain, content) in chains(entity).into_iter().enumerate() {
        let mut add = |insert_at: usize, shape: EdgeShape| {
            found.push(Edge {
                entity: id,
                chain,
                insert_at,
                shape,
            });
        };
        match content {
            Chain::Points { points, closed } => {
                for (i, pair) in points.windows(2).enumerate() {
                    add(i + 1, EdgeShape::Straight(pair[0], pair[1]));
                }
                if let ([first, .., last], true) = (points, closed) {
                    add(points.len(), EdgeShape::Straight(*last, *first));
                }
            }
            Chain::Span(_) => {}
            Chain::Knots { knots, closed } => {
                for (i, pair) in knots.windows(2).enumerate() {
                    add(i + 1, EdgeShape::Curved(piece(&pair[0], &pair[1])));
                }
                if let ([first, .., last], true) = (knots, closed) {
                    add(knots.len(), EdgeShape::Curved(piece(last, first)));
                }
            }
            Chain::Places { start, goals } => {
                let mut before = start.map(DVec3::truncate);
                for (i, goal) in goals.iter().enumerate() {
                    let here = goal.place().map(DVec3::truncate);
                    if let (Some(a), Some(b)) = (before, here) {
                        add(i + 1, EdgeShape::Straight(a, b));
                    }
                    before = here;
                }
            }
        }
    }
    found
}

/// The cubic between two neighbouring knots.
#[must_use]
pub fn piece(from: &Knot, to: &Knot) -> Cubic {
    Cubic {
        from: from.point,
        from_control: from.point + from.handle_out,
        to_control: to.point + to.handle_in,
        to: to.point,
    }
}

/// The knot that a point or handle belongs to.
#[must_use]
pub fn knot(entity: &Entity, vertex: VertexRef) -> Option<Knot> {
    match &entity.kind {
        Kind::Route(Route {
            shape: RouteShape::Bezier(knots),
            ..
        }) => knots.get(vertex.index).copied(),
        _ => None,
    }
}

/// Initial samples in the search for the nearest point on a cubic.
const CURVE_SAMPLES: usize = 32;

/// The parameter of the point of a cubic nearest to `p`: sampling, then ternary search between
/// the neighbours of every sample that is nearer than they are. A curve that comes back close to
/// itself has several, and the nearest sample is not always the one beside the nearest point.
#[must_use]
pub fn nearest_parameter(cubic: &Cubic, p: DVec2) -> f64 {
    let distance = |t: f64| cubic.point(t).distance_squared(p);
    let step = 1.0 / CURVE_SAMPLES as f64;
    let samples: [f64; CURVE_SAMPLES + 1] = std::array::from_fn(|i| distance(i as f64 * step));
    let refined = |i: usize| {
        let at = i as f64 * step;
        let (mut low, mut high) = ((at - step).max(0.0), (at + step).min(1.0));
        for _ in 0..40 {
            let third = (high - low) / 3.0;
            if distance(low + third) < distance(high - third) {
                high -= third;
            } else {
                low += third;
            }
        }
        (low + high) * 0.5
    };
    let is_nearest_around = |i: &usize| {
        let is_farther = |j: usize| samples.get(j).is_none_or(|other| *other >= samples[*i]);
        is_farther(i + 1) && i.checked_sub(1).is_none_or(is_farther)
    };
    (0..=CURVE_SAMPLES)
        .filter(is_nearest_around)
        .map(refined)
        .min_by(|a, b| distance(*a).total_cmp(&distance(*b)))
        .unwrap_or(0.0)
}

/// The point of an edge nearest to `p`.
#[must_use]
pub fn closest_on_edge(shape: &EdgeShape, p: DVec2) -> DVec2 {
    match shape {
        EdgeShape::Straight(a, b) => crate::geometry::polygon::closest_on_segment(*a, *b, p),
        EdgeShape::Curved(cubic) => cubic.point(nearest_parameter(cubic, p)),
    }
}
