//! Whether crowds can get where they are to go, before anything is simulated: one path from the
//! middle of each.

use super::mission_session::MissionSession;
use super::queries::{MissionQueries, free_inside, nearest_inside};
use super::request::SlopeLimits;
use super::{Answer, PlanError, registry};
use crate::base::EntityId;
use crate::document::validate::{Code, Problem, Severity};
use crate::document::{Agent, Crowd, Goal, Heading, Kind, Level, PlannerId, Repeat};
use crate::geometry::Polygon;
use crate::jobs::{Cancelled, JobContext};
use crate::nav::{NavBundle, NavData};
use glam::{DVec2, DVec3};

/// Most exits that are tried for a crowd.
const MOST_EXITS: usize = 32;

/// Crowds that cannot appear or cannot reach their goals, and exits that no crowd can reach.
///
/// # Errors
/// The job was cancelled.
pub fn problems(
    level: &Level,
    bundle: &NavBundle,
    slope: Option<SlopeLimits>,
    ctx: &JobContext,
) -> Result<Vec<Problem>, Cancelled> {
    let mut found = Vec::new();
    let exits: Vec<(EntityId, Polygon)> = level
        .iter()
        .filter_map(|(id, entity)| match &entity.kind {
            Kind::Exit(exit) => Some((id, exit.area.clone())),
            _ => None,
        })
        .take(MOST_EXITS)
        .collect();
    let mut is_reached = vec![false; exits.len()];
    let mut is_asked = false;
    for (id, entity) in level.iter() {
        let Kind::Crowd(crowd) = &entity.kind else {
            continue;
        };
        let planner = registry::effective(crowd.mission.planner);
        let is_in_space = registry::row(planner).is_some_and(registry::PlannerRow::is_in_space);
        let radius = super::queries::radius_of(level, crowd.mission.profile);
        let Some(nav) = bundle.nav_for(crowd.mission.profile, radius) else {
            continue;
        };
        // Paths in space are planned when the crowd appears.
        if is_in_space || crowd.mission.goals.is_empty() {
            continue;
        }
        let is_free = |p: DVec2| nav.cells().locate(p).is_some();
        let middle = crowd.area.centroid();
        let areas = std::slice::from_ref(&crowd.area);
        let Some(start) = Some(middle)
            .filter(|p| crowd.area.contains(*p) && is_free(*p))
            .or_else(|| free_inside(areas, middle, is_free))
        else {
            let text = "no agent finds room in its area: it is outside of what can be walked";
            let problem = Problem::new(Severity::Error, Code::StartBlocked, id, text.to_owned());
            found.push(problem.at(middle));
            continue;
        };
        let probe = Probe {
            level,
            nav: &nav,
            crowd,
            start,
            slope,
        };
        if crowd.mission.goals.contains(&Goal::NearestExit) && !exits.is_empty() {
            is_asked = true;
            let mut reason = None;
            for (area, is_reached) in exits.iter().map(|(_, area)| area).zip(&mut is_reached) {
                match probe.obstacle(Some(area), ctx)? {
                    None => *is_reached = true,
                    why => reason = reason.or(why),
                }
            }
            if is_reached.iter().any(|reached| *reached) {
                continue;
            }
            found.extend(reason.map(|why| why.problem(id)));
            continue;
        }
        found.extend(probe.obstacle(None, ctx)?.map(|why| why.problem(id)));
    }
    for ((id, area), _) in exits
        .iter()
        .zip(is_reached)
        .filter(|(_, reached)| is_asked && !reached)
    {
        let text = "no crowd that leaves by the nearest exit can reach this one".to_owned();
        let problem = Problem::new(Severity::Warning, Code::Unreachable, *id, text);
        found.push(problem.at(area.centroid()));
    }
    Ok(found)
}

/// One of a crowd.
struct Probe<'a> {
    level: &'a Level,
    nav: &'a NavData,
    crowd: &'a Crowd,
    start: DVec2,
    slope: Option<SlopeLimits>,
}

/// Why there is no path.
struct Obstacle {
    reason: String,
    at: DVec2,
}

impl Obstacle {
    fn problem(self, crowd: EntityId) -> Problem {
        Problem::new(Severity::Error, Code::Unreachable, crowd, self.reason).at(self.at)
    }
}

impl Probe<'_> {
    /// What is in the way of the first leg without a path; `exit` stands for the nearest exit.
    fn obstacle(
        &self,
        exit: Option<&Polygon>,
        ctx: &JobContext,
    ) -> Result<Option<Obstacle>, Cancelled> {
        let mut mission = self.crowd.mission.clone();
        mission.repeat = Repeat::Once;
        let height = self.level.ground().map_or(0.0, |g| g.height(self.start));
        let agent = Agent {
            start: self.start.extend(height),
            heading: Heading::default(),
            mission,
        };
        let mut queries = MissionQueries::of_agent(self.level, &agent, self.slope);
        if let Some(exit) = exit {
            for stop in &mut queries.stops {
                let areas = [exit.clone()];
                if stop.area.as_ref().is_some_and(|areas| areas.contains(exit))
                    && let Some(place) = nearest_inside(&areas, self.start)
                {
                    stop.place = place.extend(stop.place.z);
                    stop.area = Some(areas.into());
                }
            }
        }
        queries.keep_free(|p| self.nav.cells().locate(p).is_some());
        // Whether there is a path does not depend on what it costs.
        let legs = match MissionSession::plan(PlannerId::PORTAL, self.nav, &queries, ctx) {
            Ok((_, legs)) => legs,
            Err(PlanError::Cancelled(cancelled)) => return Err(cancelled),
            Err(error) => {
                return Ok(Some(Obstacle {
                    reason: error.to_string(),
                    at: self.start,
                }));
            }
        };
        Ok(legs.iter().find_map(|leg| match &leg.answer {
            Answer::Found(_) => None,
            Answer::NotFound(reason) => {
                let end = DVec3::truncate(leg.to);
                Some(Obstacle {
                    reason: reason.reason.clone(),
                    at: reason.gap.as_ref().map_or(end, |gap| gap.at),
                })
            }
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Edit, Entity, Exit, Mission, Obstacle, Profile, Settings, Spawn, ops};
    use crate::geometry::Rect;
    use crate::planner::missions;
    use std::sync::Arc;

    const ADULT: EntityId = EntityId::new(1);

    fn rect(x0: f64, y0: f64, x1: f64, y1: f64) -> Polygon {
        Polygon::rect(Rect::new(DVec2::new(x0, y0), DVec2::new(x1, y1)))
    }

    fn wall(x0: f64, y0: f64, x1: f64, y1: f64) -> Kind {
        Kind::Obstacle(Obstacle::new(rect(x0, y0, x1, y1)))
    }

    fn crowd(area: Polygon, goal: Goal) -> Kind {
        Kind::Crowd(Crowd {
            area,
            count: 5,
            spawn: Spawn::AtOnce,
            variety: Default::default(),
            groups: Default::default(),
            mission: Mission {
                goals: vec![goal],
                ..Mission::new(ADULT)
            },
        })
    }

    /// Problems of a level of 20 m by 10 m, whose things have the numbers from 2 on.
    fn found(kinds: Vec<Kind>) -> Vec<(Code, u64)> {
        let settings = Settings {
            bounds: Rect::new(DVec2::ZERO, DVec2::new(20.0, 10.0)),
            ..Settings::default()
        };
        let mut edits = vec![
            Edit::Settings(Arc::new(settings)),
            Edit::create(
                ADULT,
                Entity::new("Adult", Kind::Profile(Profile::default())),
            ),
        ];
        let numbered = (2..).zip(kinds);
        edits.extend(
            numbered.map(|(number, kind)| {
                Edit::create(EntityId::new(number), Entity::new("Thing", kind))
            }),
        );
        let level = Arc::new(ops::apply(&Level::default(), &edits).expect("valid"));
        let ctx = JobContext::default();
        let request = missions::bake_request(Arc::clone(&level));
        let bundle = NavBundle::bake(request, &ctx).expect("not cancelled");
        let found = problems(&level, &bundle, None, &ctx).expect("not cancelled");
        let subject = |problem: &Problem| match problem.subject {
            crate::document::validate::Subject::Entity(id) => id.number(),
            _ => 0,
        };
        assert!(found.iter().all(|problem| problem.at.is_some()));
        found.iter().map(|p| (p.code, subject(p))).collect()
    }

    #[test]
    fn crowds_without_room_or_path_and_exits_that_none_reaches_are_named() {
        let exit = |x0: f64| Kind::Exit(Exit::new(rect(x0, 4.0, x0 + 1.0, 6.0)));
        let here = || rect(4.0, 4.0, 6.0, 6.0);
        // All is well.
        let kinds = vec![exit(18.0), crowd(here(), Goal::NearestExit)];
        assert_eq!(found(kinds), []);
        // A wall is before the second exit.
        let kinds = vec![
            exit(1.0),
            exit(18.0),
            crowd(here(), Goal::NearestExit),
            wall(12.0, 0.0, 12.2, 10.0),
        ];
        assert_eq!(found(kinds), [(Code::Unreachable, 3)]);
        // And before the only one.
        let kinds = vec![
            exit(18.0),
            crowd(here(), Goal::NearestExit),
            wall(12.0, 0.0, 12.2, 10.0),
        ];
        assert_eq!(
            found(kinds),
            [(Code::Unreachable, 3), (Code::Unreachable, 2)]
        );
        let kinds = vec![
            crowd(here(), Goal::At(DVec3::new(18.0, 5.0, 0.0))),
            wall(12.0, 0.0, 12.2, 10.0),
            crowd(
                rect(14.0, 2.0, 15.0, 3.0),
                Goal::At(DVec3::new(18.0, 5.0, 0.0)),
            ),
            wall(13.5, 1.5, 15.5, 3.5),
        ];
        assert_eq!(
            found(kinds),
            [(Code::Unreachable, 2), (Code::StartBlocked, 4)]
        );
        // The nearest place of the goal is in a wall.
        let kinds = vec![
            Kind::Exit(Exit::new(rect(9.0, 0.0, 18.0, 10.0))),
            wall(8.0, 2.0, 12.0, 8.0),
            crowd(here(), Goal::NearestExit),
        ];
        assert_eq!(found(kinds), []);
    }
}
