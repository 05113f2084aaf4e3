//! From a mission to queries: goals in order, each leg from the end of the previous one.

use super::constraint::ConstraintQuery;
use super::missions::Leg;
use super::path::{Answer, Path};
use super::request::{Guide, PathRequest, SlopeLimits};
use crate::base::EntityId;
use crate::document::goal_area::{exit_areas, goal_area, patrol_stops};
use crate::document::{Agent, Goal, Kind, Level, Mission, Profile, Repeat, limits};
use crate::geometry::Polygon;
use crate::nav::constraint::Situation;
use glam::{DVec2, DVec3};
use std::sync::Arc;

/// Target of one leg of a mission.
#[derive(Clone, Debug, PartialEq)]
pub struct Stop {
    pub place: DVec3,
    /// The whole area, if the goal is one.
    pub area: Option<Arc<[Polygon]>>,
}

impl Stop {
    #[must_use]
    pub const fn at(place: DVec3) -> Self {
        Self { place, area: None }
    }

    /// Where a path to this target ends: in an area, possibly anywhere inside.
    #[must_use]
    pub fn end(&self, path: &Path) -> DVec3 {
        let inside = |end: &&DVec3| {
            let areas = self.area.iter().flat_map(|areas| areas.iter());
            areas.into_iter().any(|area| area.contains(end.truncate()))
        };
        path.points
            .last()
            .filter(inside)
            .copied()
            .unwrap_or(self.place)
    }
}

/// The queries of a mission, independent of the planner.
#[derive(Clone, Debug, PartialEq)]
pub struct MissionQueries {
    pub start: DVec3,
    pub stops: Vec<Stop>,
    /// Body, route and options; start and goal are set leg by leg.
    pub about: PathRequest,
}

impl MissionQueries {
    /// Moves stops in areas to where a body fits: the nearest place of an area may be in a wall, or
    /// too near one.
    pub fn keep_free(&mut self, is_free: impl Fn(DVec2) -> bool) {
        let mut at = self.start.truncate();
        for stop in &mut self.stops {
            if let Some(areas) = stop.area.as_deref()
                && !is_free(stop.place.truncate())
                && let Some(place) = free_inside(areas, at, &is_free)
            {
                stop.place = place.extend(stop.place.z);
            }
            at = stop.place.truncate();
        }
    }

    #[must_use]
    pub fn of_agent(level: &Level, agent: &Agent, slope: Option<SlopeLimits>) -> Self {
        Self::in_situation(level, agent, slope, &Situation::of(level))
    }

    /// With the constraints as they are at a time of day, with flags and things that moved.
    #[must_use]
    pub fn in_situation(
        level: &Level,
        agent: &Agent,
        slope: Option<SlopeLimits>,
        situation: &Situation,
    ) -> Self {
        let mission = &agent.mission;
        Self {
            start: agent.start,
            stops: stops(level, agent),
            about: PathRequest {
                slope,
                profile: profile_of(level, mission.profile),
                profile_id: Some(mission.profile),
                guide: guide_of(level, mission.route),
                walk: mission.walk,
                constraints: ConstraintQuery::of(
                    level,
                    &mission.constraints,
                    mission.constraint_options,
                    situation,
                ),
                ..PathRequest::in_space(DVec3::ZERO, DVec3::ZERO)
            },
        }
    }

    /// One leg, from the end of the previous one.
    #[must_use]
    pub fn request(&self, stop: &Stop, from: DVec3) -> PathRequest {
        PathRequest {
            start: from,
            goal: stop.place,
            goal_area: stop.area.clone(),
            ..self.about.clone()
        }
    }

    /// Queries leg after leg, up to the first goal that is not reached.
    ///
    /// # Errors
    /// The first error of `ask`.
    pub fn answer<E>(
        &self,
        mut ask: impl FnMut(&PathRequest) -> Result<Answer, E>,
    ) -> Result<Vec<Leg>, E> {
        let mut legs = Vec::with_capacity(self.stops.len());
        let mut from = self.start;
        for stop in &self.stops {
            let answer = ask(&self.request(stop, from))?;
            let end = answer.path().map(|path| stop.end(path));
            let to = end.unwrap_or(stop.place);
            legs.push(Leg { from, to, answer });
            if end.is_none() {
                break;
            }
            from = to;
        }
        Ok(legs)
    }
}

/// A profile in the form of requests; the default one if it is missing.
#[must_use]
pub fn profile_of(level: &Level, id: EntityId) -> Arc<Profile> {
    match level.get(id).map(|entity| &entity.kind) {
        Some(Kind::Profile(profile)) => Arc::new(profile.clone()),
        _ => Arc::default(),
    }
}

/// A profile's radius; the default one if it is missing.
#[must_use]
pub fn radius_of(level: &Level, profile: EntityId) -> f64 {
    match level.get(profile).map(|entity| &entity.kind) {
        Some(Kind::Profile(profile)) => profile.body.radius,
        _ => limits::RADIUS.default,
    }
}

/// A route in the form of requests.
#[must_use]
pub fn guide_of(level: &Level, id: Option<EntityId>) -> Option<Guide> {
    match &level.get(id?)?.kind {
        Kind::Route(route) => Some(Guide::of(route)),
        _ => None,
    }
}

/// The targets of a mission in order; goals without a target are skipped.
#[must_use]
pub fn stops(level: &Level, agent: &Agent) -> Vec<Stop> {
    let mut at = agent.start;
    let Mission { goals, repeat, .. } = &agent.mission;
    let mut stops = Vec::with_capacity(goals.len());
    for goal in goals {
        match goal {
            Goal::At(place) => {
                at = *place;
                stops.push(Stop::at(at));
            }
            Goal::Inside(target) => {
                let areas = goal_area(level, *target);
                let Some(inside) = nearest_inside(&areas, at.truncate()) else {
                    continue;
                };
                at = inside.extend(at.z);
                let area = Some(areas.into());
                stops.push(Stop { place: at, area });
            }
            Goal::NearestExit => {
                let areas = exit_areas(level);
                let Some(inside) = nearest_inside(&areas, at.truncate()) else {
                    continue;
                };
                at = inside.extend(at.z);
                let area = Some(areas.into());
                stops.push(Stop { place: at, area });
            }
            Goal::Patrol(target) => {
                for stop in patrol_stops(level, *target, at.truncate()) {
                    at = stop.extend(at.z);
                    stops.push(Stop::at(at));
                }
            }
        }
    }
    if *repeat == Repeat::Loop && stops.len() > 1 {
        stops.push(Stop::at(agent.start));
    }
    stops
}

/// Distance that an agent enters an area, as a share of the distance to its centre: not just onto
/// its edge, which may be a wall.
const INSIDE: f64 = 0.25;

/// Places of an area that are tried along each side of its box.
const SAMPLES: u32 = 9;

/// A place of areas where a body fits, near `from`.
#[must_use]
pub fn free_inside(
    areas: &[Polygon],
    from: DVec2,
    is_free: impl Fn(DVec2) -> bool,
) -> Option<DVec2> {
    let samples = areas.iter().flat_map(|area| {
        let bounds = area.bounds();
        let cell = bounds.size() / f64::from(SAMPLES);
        (0..SAMPLES * SAMPLES)
            .map(move |i| {
                let at = DVec2::new(f64::from(i % SAMPLES), f64::from(i / SAMPLES)) + 0.5;
                bounds.min + at * cell
            })
            .filter(|p| area.contains(*p))
    });
    let far = |p: &DVec2| p.distance_squared(from);
    let mut places: Vec<DVec2> = samples.collect();
    places.sort_by(|a, b| far(a).total_cmp(&far(b)));
    places.into_iter().find(|p| is_free(*p))
}

/// A point inside areas that is near `from`.
#[must_use]
pub fn nearest_inside(areas: &[Polygon], from: DVec2) -> Option<DVec2> {
    if areas.iter().any(|area| area.contains(from)) {
        return Some(from);
    }
    let nearest = |area: &Polygon| {
        let edge = area
            .edges()
            .map(|(a, b)| crate::geometry::polygon::closest_on_segment(a, b, from))
            .min_by(|a, b| {
                a.distance_squared(from)
                    .total_cmp(&b.distance_squared(from))
            })?;
        let inwards = edge.lerp(area.centroid(), INSIDE);
        Some(if area.contains(inwards) {
            inwards
        } else {
            edge
        })
    };
    areas.iter().filter_map(nearest).min_by(|a, b| {
        a.distance_squared(from)
            .total_cmp(&b.distance_squared(from))
    })
}
