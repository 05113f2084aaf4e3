//! Agents and crowds: can they stand at their start and reach their goals?

use super::{Code, Fix, Problem, Severity, obstacles::ObstacleIndex};
use crate::base::EntityId;
use crate::document::model::{Body, Entity, Goal, Kind, Level, Mission, Profile};
use glam::{DVec2, DVec3};

/// Densest crowd that can still be placed without overlap: hexagonal packing covers 0.9069, random
/// placement stalls well before. Fraction of the area covered by bodies.
const DENSEST: f64 = 0.5;

pub(super) fn check(
    level: &Level,
    obstacles: &ObstacleIndex<'_>,
    id: EntityId,
    entity: &Entity,
    problems: &mut Vec<Problem>,
) {
    let Some(mission) = entity.mission() else {
        return;
    };
    let body = body_of(level, mission);
    if let Kind::Agent(agent) = &entity.kind {
        check_place(
            level,
            obstacles,
            id,
            agent.start,
            &body,
            Standing::Start,
            problems,
        );
    }
    if let Kind::Crowd(crowd) = &entity.kind {
        let bodies = f64::from(crowd.count) * std::f64::consts::PI * body.radius * body.radius;
        let area = crowd.area.area();
        if bodies > DENSEST * area {
            let room =
                (DENSEST * area / (std::f64::consts::PI * body.radius * body.radius)).floor();
            let problem = Problem::new(
                Severity::Warning,
                Code::CrowdTooDense,
                id,
                format!(
                    "{} agents do not fit into {area:.0} m²; there is room for {room:.0}",
                    crowd.count
                ),
            )
            .at(crowd.area.centroid());
            problems.push(if room >= 1.0 {
                problem.fixed_by(Fix::SetCount(room as u32))
            } else {
                problem
            });
        }
    }
    for (index, goal) in mission.goals.iter().enumerate() {
        if let Goal::At(place) = goal {
            check_place(
                level,
                obstacles,
                id,
                *place,
                &body,
                Standing::Goal(index),
                problems,
            );
        }
    }
    if mission.goals.is_empty() && mission.route.is_none() {
        problems.push(Problem::new(
            Severity::Information,
            Code::NoGoal,
            id,
            "it has no goal and no route, so it will not move",
        ));
    }
}

#[derive(Clone, Copy)]
enum Standing {
    Start,
    Goal(usize),
}

fn check_place(
    level: &Level,
    obstacles: &ObstacleIndex<'_>,
    id: EntityId,
    place: DVec3,
    body: &Body,
    standing: Standing,
    problems: &mut Vec<Problem>,
) {
    let (what, code) = match standing {
        Standing::Start => ("its start".to_owned(), Code::StartBlocked),
        Standing::Goal(index) => (format!("its goal {}", index + 1), Code::GoalBlocked),
    };
    let p = place.truncate();
    if !level.settings().bounds.contains(p) {
        // Already reported with the entity's bounds; a blocker outside would only repeat it.
        return;
    }
    let Some((blocker, clearance)) = obstacles.blocking(place, body) else {
        return;
    };
    let problem = if clearance < 0.0 {
        Problem::new(
            Severity::Error,
            code,
            id,
            format!("{what} is inside {}; move it out", blocker.label),
        )
    } else {
        Problem::new(
            Severity::Warning,
            code,
            id,
            format!(
                "{what} is {clearance:.2} m from {}, closer than its radius of {} m; move it away",
                blocker.label, body.radius
            ),
        )
    }
    .at(p);
    let free = nearest_free(level, obstacles, place, body, |_| true);
    problems.push(match (free, standing) {
        (Some(to), Standing::Start) => problem.fixed_by(Fix::MoveStart(to)),
        (Some(to), Standing::Goal(index)) => problem.fixed_by(Fix::MoveGoal { index, to }),
        (None, _) => problem,
    });
}

/// The nearest allowed position where the body fits, on rings around its start.
pub(super) fn nearest_free(
    level: &Level,
    obstacles: &ObstacleIndex<'_>,
    place: DVec3,
    body: &Body,
    is_allowed: impl Fn(DVec2) -> bool,
) -> Option<DVec3> {
    let bounds = level.settings().bounds.expanded(-body.radius);
    let fits = |candidate: DVec3| {
        bounds.contains(candidate.truncate())
            && obstacles.blocking(candidate, body).is_none()
            && is_allowed(candidate.truncate())
    };
    (1..=200).find_map(|ring| {
        let distance = f64::from(ring) * body.radius.max(0.05);
        (0..16).find_map(|i| {
            let offset = DVec2::from_angle(f64::from(i) * std::f64::consts::TAU / 16.0);
            // Rounded to a centimetre: the position ends up in a file.
            let p = ((place.truncate() + offset * distance) * 100.0).round() / 100.0;
            let candidate = p.extend(place.z);
            fits(candidate).then_some(candidate)
        })
    })
}

pub(super) fn body_of(level: &Level, mission: &Mission) -> Body {
    level
        .get(mission.profile)
        .and_then(|entity| match &entity.kind {
            Kind::Profile(profile) => Some(profile.body),
            _ => None,
        })
        .unwrap_or_else(|| Profile::default().body)
}
