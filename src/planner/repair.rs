//! Fixes for problems that need a planner: reroutes a route around the obstacle it runs through.

use super::miran::Router;
use super::queries::profile_of;
use crate::base::EntityId;
use crate::document::validate::{Fix, Problem, Subject};
use crate::document::{Edit, Kind, Level, Profile, RouteShape, limits, route_line};
use crate::jobs::{Cancelled, JobContext, assert_off_window_thread};
use crate::nav::{BakeRequest, NavBundle, Needs};
use glam::DVec2;
use std::sync::Arc;

/// The edits that fix a problem; see [`Problem::fix_edits`].
///
/// # Errors
/// The job was cancelled.
pub fn fix_edits(
    problem: &Problem,
    level: &Level,
    fresh: &mut dyn FnMut() -> EntityId,
    ctx: &JobContext,
) -> Result<Vec<Edit>, Cancelled> {
    match (problem.fix, problem.subject) {
        (Some(Fix::RerouteAround), Subject::Entity(id)) => {
            assert_off_window_thread("rerouting");
            let edit = reroute_around(level, id, ctx);
            ctx.checkpoint()?;
            Ok(edit.into_iter().collect())
        }
        _ => Ok(problem.fix_edits(level, fresh)),
    }
}

/// Reroutes a route around its obstacles, for the widest agent that follows it; `None` if there is
/// no way around.
fn reroute_around(level: &Level, id: EntityId, ctx: &JobContext) -> Option<Edit> {
    let mut entity = (**level.get(id)?).clone();
    let Kind::Route(route) = &mut entity.kind else {
        return None;
    };
    let line = route_line(route);
    let profile = widest_follower(level, id);
    let request = BakeRequest {
        needs: Needs::TERRAIN,
        ..BakeRequest::for_radius(Arc::new(level.clone()), profile.body.radius)
    };
    let bundle = NavBundle::bake(request, ctx).ok()?;
    let nav = bundle.nav(profile.body.radius)?;
    let terrain = bundle.terrain();
    let (weights, _) = terrain.weights(&profile);
    let mut router = Router::default();
    let mut points: Vec<DVec2> = router
        .repaired(&nav, terrain, &weights, line.points())
        .into_iter()
        // To the millimetre: the points end up in a file.
        .map(|p| (p * 1000.0).round() / 1000.0)
        .collect();
    points.dedup();
    if route.closed && points.first() == points.last() {
        points.pop();
    }
    if points.len() < 2 || !Router::faults(&nav, &points).is_empty() {
        return None;
    }
    route.shape = RouteShape::Polyline(points);
    Some(Edit::replace(id, entity))
}

fn widest_follower(level: &Level, route: EntityId) -> Arc<Profile> {
    let followers = level.iter().filter_map(|(_, entity)| {
        let mission = entity.mission()?;
        (mission.route == Some(route)).then_some(mission.profile)
    });
    followers
        .map(|profile| profile_of(level, profile))
        .max_by(|a, b| a.body.radius.total_cmp(&b.body.radius))
        .unwrap_or_else(|| {
            let mut profile = Profile::default();
            profile.body.radius = limits::RADIUS.default;
            Arc::new(profile)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::validate::{Code, validate};
    use crate::document::{Entity, Obstacle, Route, ops};
    use crate::geometry::{Polygon, Rect};

    const WALL: EntityId = EntityId::new(1);
    const ROUTE: EntityId = EntityId::new(2);

    fn level(wall: Rect, shape: RouteShape, closed: bool) -> Level {
        let mut route = Route::new(shape);
        route.closed = closed;
        let wall = Kind::Obstacle(Obstacle::new(Polygon::rect(wall)));
        let edits = [
            Edit::create(WALL, Entity::new("Wall", wall)),
            Edit::create(ROUTE, Entity::new("Route", Kind::Route(route))),
        ];
        ops::apply(&Level::default(), &edits).expect("valid")
    }

    fn blocked(level: &Level) -> Option<Problem> {
        let problems = validate(level, None);
        problems
            .into_iter()
            .find(|problem| problem.code == Code::RouteBlocked)
    }

    fn repaired(level: &Level) -> Level {
        let problem = blocked(level).expect("the wall blocks the route");
        let mut fresh = || EntityId::new(99);
        let edits = fix_edits(&problem, level, &mut fresh, &JobContext::default());
        let edits = edits.expect("not cancelled");
        ops::apply(level, &edits).expect("valid")
    }

    fn points(level: &Level) -> Vec<DVec2> {
        match level.get(ROUTE).map(|entity| &entity.kind) {
            Some(Kind::Route(route)) => route_line(route).points().to_vec(),
            _ => Vec::new(),
        }
    }

    #[test]
    fn a_route_through_a_wall_is_rerouted_around_it_and_keeps_its_ends() {
        let wall = Rect::new(DVec2::new(40.0, 20.0), DVec2::new(50.0, 60.0));
        let ends = [DVec2::new(10.0, 50.0), DVec2::new(90.0, 50.0)];
        for closed in [false, true] {
            let mut corners = ends.to_vec();
            if closed {
                corners.push(DVec2::new(50.0, 90.0));
            }
            let level = level(wall, RouteShape::Polyline(corners), closed);
            let repaired = repaired(&level);
            assert_eq!(blocked(&repaired), None);
            let line = points(&repaired);
            assert_eq!(line.first(), Some(&ends[0]));
            assert!(line.contains(&ends[1]));
        }
    }

    #[test]
    fn a_route_that_cannot_be_rerouted_stays_as_it_is() {
        // From border to border: there is no other side.
        let wall = Rect::new(DVec2::new(40.0, -1e3), DVec2::new(50.0, 1e3));
        let corners = vec![DVec2::new(10.0, 50.0), DVec2::new(90.0, 50.0)];
        let level = level(wall, RouteShape::Polyline(corners.clone()), false);
        let problem = blocked(&level).expect("the wall blocks the route");
        let mut fresh = || EntityId::new(99);
        let edits = fix_edits(&problem, &level, &mut fresh, &JobContext::default());
        let edits = edits.expect("not cancelled");
        assert!(edits.is_empty(), "{edits:?}");
    }
}
