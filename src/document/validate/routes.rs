//! Indicative routes.

use super::{Code, Fix, Problem, Severity, obstacles::ObstacleIndex};
use crate::base::EntityId;
use crate::document::model::{Entity, Kind};
use crate::document::route_line;

pub(super) fn check(
    obstacles: &ObstacleIndex<'_>,
    id: EntityId,
    entity: &Entity,
    problems: &mut Vec<Problem>,
) {
    let Kind::Route(route) = &entity.kind else {
        return;
    };
    let line = route_line(route);
    if line.length() <= 0.0 {
        problems.push(
            Problem::new(
                Severity::Warning,
                Code::RouteTooShort,
                id,
                "the route has fewer than two distinct points; redraw it or remove it",
            )
            .fixed_by(Fix::Remove),
        );
        return;
    }
    if let Some(blocker) = obstacles.crossed_by(line.points()) {
        problems.push(
            Problem::new(
                Severity::Warning,
                Code::RouteBlocked,
                id,
                format!(
                    "it leads through {}; agents leave it there and come back to it behind; lead it \
                     around",
                    blocker.label
                ),
            )
            .at(blocker.obstacle.area.centroid())
            .fixed_by(Fix::RerouteAround),
        );
    }
    if route.look_ahead < route.sample_step {
        problems.push(
            Problem::new(
                Severity::Warning,
                Code::LookAheadTooShort,
                id,
                format!(
                    "its look-ahead σ of {} m is shorter than its sample distance d of {} m; \
                     agents take d to be as short; raise σ or lower d",
                    route.look_ahead, route.sample_step
                ),
            )
            .fixed_by(Fix::RaiseLookAhead),
        );
    }
}
