//! The level as a whole, and its definitions: names, profiles, tests, motion.

use super::{Code, Fix, Problem, Severity, Subject};
use crate::base::EntityId;
use crate::document::model::{
    Entity, Expectation, Kind, KindName, Level, Solid, SolidShape, entity::Role, tag,
};
use crate::document::solid_mesh::fitting;
use std::collections::BTreeMap;

pub(super) fn check_level(level: &Level, problems: &mut Vec<Problem>) {
    let settings = level.settings();
    if let Some(base) = settings.base_terrain
        && level.kind_of(base) != Some(KindName::Terrain)
    {
        problems.push(Problem {
            severity: Severity::Error,
            code: Code::DanglingReference,
            subject: Subject::Level,
            message: format!("the base terrain {base} no longer exists; choose another one"),
            at: None,
            fix: Some(Fix::DropReference {
                to: base,
                role: Role::Terrain,
            }),
        });
    }
    if let Some(ground) = level.ground()
        && !ground
            .bounds()
            .expanded(1e-9)
            .contains_rect(&settings.bounds)
    {
        problems.push(Problem {
            severity: Severity::Information,
            code: Code::GroundTooSmall,
            subject: Subject::Level,
            message: "the height field does not cover the level; beyond its border the height is constant".to_owned(),
            at: None,
            fix: None,
        });
    }
    check_names(level, problems);
}

/// Constraints, tests and the command line refer to these by name.
fn check_names(level: &Level, problems: &mut Vec<Problem>) {
    let mut seen: BTreeMap<(KindName, &str), EntityId> = BTreeMap::new();
    for (id, entity) in level.iter() {
        let kind = entity.kind.name();
        let is_referred_to = matches!(
            kind,
            KindName::Terrain | KindName::Profile | KindName::Flag | KindName::Annotation
        );
        if !is_referred_to || entity.name.is_empty() {
            continue;
        }
        if let Some(first) = seen.get(&(kind, entity.name.as_str())) {
            problems.push(
                Problem::new(
                    Severity::Information,
                    Code::DuplicateName,
                    id,
                    format!(
                        "{first} is another {} with the same name; rename one of them",
                        kind.singular().to_lowercase()
                    ),
                )
                .fixed_by(Fix::NumberName),
            );
        } else {
            seen.insert((kind, &entity.name), id);
        }
    }
}

pub(super) fn check(id: EntityId, entity: &Entity, problems: &mut Vec<Problem>) {
    match &entity.kind {
        Kind::Profile(profile) => {
            if profile.body.bent_height > profile.body.height {
                problems.push(
                    Problem::new(
                        Severity::Warning,
                        Code::BodyContradiction,
                        id,
                        format!(
                            "its bent height of {} m exceeds its height of {} m; lower it",
                            profile.body.bent_height, profile.body.height
                        ),
                    )
                    .fixed_by(Fix::LowerBentHeight),
                );
            }
            if profile.pace.max_speed < profile.pace.speed {
                problems.push(
                    Problem::new(
                        Severity::Warning,
                        Code::BodyContradiction,
                        id,
                        format!(
                            "its top speed of {} m/s is below its preferred speed of {} m/s; raise it",
                            profile.pace.max_speed, profile.pace.speed
                        ),
                    )
                    .fixed_by(Fix::RaiseMaxSpeed),
                );
            }
        }
        Kind::Obstacle(obstacle) => match (entity.has_tag(tag::DYNAMIC), &obstacle.motion) {
            (true, None) => problems.push(
                Problem::new(
                    Severity::Information,
                    Code::MotionMismatch,
                    id,
                    "it is tagged dynamic but has no motion path",
                )
                .at(obstacle.area.centroid()),
            ),
            (false, Some(_)) => problems.push(
                Problem::new(
                    Severity::Warning,
                    Code::MotionMismatch,
                    id,
                    "it has a motion path but is not tagged dynamic; tag it or remove the path",
                )
                .at(obstacle.area.centroid())
                .fixed_by(Fix::AddTag(tag::DYNAMIC)),
            ),
            _ => {}
        },
        Kind::Test(test) => {
            let Expectation {
                reachable,
                max_length,
                max_cost,
                min_clearance,
                never_in,
                run: _,
            } = &test.expectation;
            let asks_more = max_length.is_some()
                || max_cost.is_some()
                || min_clearance.is_some()
                || !never_in.is_empty();
            if !reachable && asks_more {
                problems.push(Problem::new(
                    Severity::Warning,
                    Code::TestContradiction,
                    id,
                    "it expects no path and yet says what the path must be like; remove one of the two",
                ));
            }
        }
        Kind::Solid(solid) => check_opening(id, solid, problems),
        Kind::Terrain(_)
        | Kind::Flag(_)
        | Kind::Layer
        | Kind::Group
        | Kind::Region(_)
        | Kind::Wall(_)
        | Kind::Route(_)
        | Kind::Annotation(_)
        | Kind::Agent(_)
        | Kind::Crowd(_)
        | Kind::Door(_)
        | Kind::Link(_)
        | Kind::Exit(_)
        | Kind::WaitingArea(_)
        | Kind::Queue(_)
        | Kind::Measure(_)
        | Kind::Note(_) => {}
    }
}

/// An opening wider or higher than its wall is shrunk to fit, which is rarely intended.
fn check_opening(id: EntityId, solid: &Solid, problems: &mut Vec<Problem>) {
    let SolidShape::Arch { opening, .. } = solid.shape else {
        return;
    };
    let fits = fitting(solid.size, opening);
    if fits != opening {
        problems.push(
            Problem::new(
                Severity::Warning,
                Code::OpeningTooLarge,
                id,
                format!(
                    "its opening of {} m × {} m does not fit into a wall of {} m × {} m and is cut to {:.2} m × {:.2} m; make the wall larger or the opening smaller",
                    opening.width, opening.height, solid.size.y, solid.size.z, fits.width, fits.height
                ),
            )
            .at(solid.position.truncate()),
        );
    }
}
