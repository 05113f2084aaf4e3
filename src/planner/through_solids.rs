//! Paths of planners that only know the plane, where they pass through a solid or should lead onto
//! one.

use super::missions::{Leg, Plans};
use super::registry;
use crate::base::EntityId;
use crate::document::validate::{Code, Fix, Problem, Severity, Subject};
use crate::document::{Kind, Level, Solid, SolidShape};
use crate::geometry::Rect;
use crate::geometry::polygon::{ring_contains, ring_edges};
use glam::{DVec2, DVec3};

/// The impassable part of a solid.
struct Body {
    id: EntityId,
    outline: Vec<DVec2>,
    bounds: Rect,
    /// Underside and top. Unit: metres.
    heights: [f64; 2],
}

impl Body {
    /// Arches and decks can be passed underneath.
    fn of(id: EntityId, solid: &Solid) -> Option<Self> {
        let ends =
            |pick: fn(f64, f64) -> f64| solid.corners().map(|c| c.z).into_iter().reduce(pick);
        let (low, high) = (ends(f64::min)?, ends(f64::max)?);
        let low = match &solid.shape {
            SolidShape::Arch { .. } => return None,
            SolidShape::Platform { thickness, .. } => low.max(high - thickness),
            SolidShape::Box
            | SolidShape::Ramp
            | SolidShape::Stairs { .. }
            | SolidShape::Cylinder
            | SolidShape::Mesh(_) => low,
        };
        Some(Self {
            id,
            outline: solid.footprint(),
            bounds: solid.bounds(),
            heights: [low, high],
        })
    }

    /// Where a straight line first enters it, for a body whose knees and head are this high above
    /// the line.
    fn met_by(&self, [from, to]: [DVec3; 2], [knees, head]: [f64; 2]) -> Option<DVec2> {
        let ground = [from.z.min(to.z), from.z.max(to.z)];
        if self.heights[1] <= ground[0] + knees || self.heights[0] >= ground[1] + head {
            return None;
        }
        let (a, b) = (from.truncate(), to.truncate());
        if !self.bounds.overlaps(&Rect::spanning(a, b)) {
            return None;
        }
        // Footprints are convex and counter-clockwise: a point inside is left of every edge.
        let (mut first, mut last) = (0.0_f64, 1.0_f64);
        for (p, q) in ring_edges(&self.outline) {
            let side = q - p;
            let (at_a, at_b) = (side.perp_dot(a - p), side.perp_dot(b - p));
            match (at_a > 0.0, at_b > 0.0) {
                (false, false) => return None,
                (false, true) => first = first.max(at_a / (at_a - at_b)),
                (true, false) => last = last.min(at_a / (at_a - at_b)),
                (true, true) => {}
            }
        }
        (first < last).then(|| a.lerp(b, first))
    }

    /// Whether a point is on top of it, within a step.
    fn carries(&self, place: DVec3, step: f64) -> bool {
        (self.heights[1] - place.z).abs() <= step && ring_contains(&self.outline, place.truncate())
    }
}

/// An end of a leg that is on a solid while the path stays below: the solid, which end, and the
/// height difference.
fn missed_storey<'a>(
    leg: &Leg,
    bodies: &'a [Body],
    step: f64,
) -> Option<(&'a Body, &'static str, DVec3, f64)> {
    let points = &leg.answer.path()?.points;
    let ends = [
        (leg.to, points.last()?, "goal"),
        (leg.from, points.first()?, "start"),
    ];
    ends.into_iter().find_map(|(place, end, what)| {
        let above = place.z - end.z;
        let body = bodies.iter().find(|body| body.carries(place, step))?;
        (above > step).then_some((body, what, place, above))
    })
}

/// Agents whose paths pass through solids, or beneath those that they should lead onto, because
/// their planners know obstacles only.
#[must_use]
pub fn problems(level: &Level, plans: &Plans) -> Vec<Problem> {
    let bodies: Vec<Body> = level
        .solids()
        .filter(|(id, ..)| level.is_visible(*id))
        .filter_map(|(id, _, solid)| Body::of(id, solid))
        .collect();
    if bodies.is_empty() {
        return Vec::new();
    }
    let through = |agent: EntityId| -> Option<Problem> {
        let mission = level.get(agent)?.mission()?;
        if registry::is_in_space(mission.planner) {
            return None;
        }
        let Kind::Profile(profile) = &level.get(mission.profile)?.kind else {
            return None;
        };
        let range = [profile.body.step_height, profile.body.height];
        let planner = registry::title(mission.planner);
        let legs = &plans.get(&agent)?.legs;
        let missed = legs
            .iter()
            .find_map(|leg| missed_storey(leg, &bodies, range[0]));
        if let Some((body, what, place, above)) = missed {
            let label = level.label(body.id);
            return Some(Problem {
                severity: Severity::Warning,
                code: Code::OtherStorey,
                subject: Subject::Entity(agent),
                message: format!(
                    "its {what} is on {label}, {above:.1} m above its path, as {planner} knows the \
                     ground only; plan it in 3D, or move the {what} down",
                ),
                at: Some(place.truncate()),
                fix: Some(Fix::PlanInSpace),
            });
        }
        let (body, at) = plans.get(&agent)?.paths().find_map(|path| {
            let pieces = path.points.windows(2).map(|pair| [pair[0], pair[1]]);
            pieces
                .flat_map(|piece| bodies.iter().map(move |body| (body, piece)))
                .find_map(|(body, piece)| Some((body, body.met_by(piece, range)?)))
        })?;
        Some(Problem {
            severity: Severity::Warning,
            code: Code::ThroughSolid,
            subject: Subject::Entity(agent),
            message: format!(
                "its path passes through {}, as {planner} knows obstacles only, no solids; plan it in \
                 3D, or draw an obstacle there",
                level.label(body.id),
            ),
            at: Some(at),
            fix: Some(Fix::PlanInSpace),
        })
    };
    plans.keys().filter_map(|agent| through(*agent)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Agent, Edit, Entity, Goal, Heading, Mission, PlannerId, Profile, ops};
    use crate::jobs::JobContext;
    use crate::nav::NavBundle;
    use crate::planner::missions;
    use crate::planner::{PlannedLevel, Slopes};
    use std::sync::Arc;

    fn baked(solid: Solid, planner: PlannerId) -> Vec<Problem> {
        between([(1.0, 0.0), (9.0, 0.0)], solid, planner)
    }

    /// Problems of a path between two points with these x and z.
    fn between(ends: [(f64, f64); 2], solid: Solid, planner: PlannerId) -> Vec<Problem> {
        let [start, goal] = ends.map(|(x, z)| DVec3::new(x, 5.0, z));
        let profile = EntityId::new(1);
        let mut mission = Mission::new(profile);
        mission.planner = planner;
        mission.goals = vec![Goal::At(goal)];
        let agent = Agent {
            start,
            heading: Heading::default(),
            mission,
        };
        let entities = [
            Entity::new("Everybody", Kind::Profile(Profile::default())),
            Entity::new("Walker", Kind::Agent(agent)),
            Entity::new("Crate", Kind::Solid(solid)),
        ];
        let edits: Vec<Edit> = entities
            .into_iter()
            .zip(1..)
            .map(|(entity, id)| Edit::create(EntityId::new(id), entity))
            .collect();
        let level = Arc::new(ops::apply(&Level::default(), &edits).expect("a sound level"));
        let ctx = JobContext::default();
        let bundle = NavBundle::bake(missions::bake_request(level), &ctx).expect("not cancelled");
        let baked = PlannedLevel::plan(bundle, None, Slopes::default(), &ctx);
        let baked = baked.expect("not cancelled");
        let codes = [Code::ThroughSolid, Code::OtherStorey];
        let is_it = |problem: &&Problem| codes.contains(&problem.code);
        baked.problems.iter().filter(is_it).cloned().collect()
    }

    fn solid(shape: SolidShape, z: f64, height: f64) -> Solid {
        let size = DVec3::new(2.0, 4.0, height);
        Solid::new(shape, DVec3::new(5.0, 5.0, z), size)
    }

    #[test]
    fn what_stands_in_the_way_is_walked_around() {
        let found = baked(solid(SolidShape::Box, 0.0, 1.0), PlannerId::PORTAL);
        assert_eq!(found, Vec::new());
    }

    #[test]
    fn a_line_meets_a_solid_where_it_enters_it() {
        let crate_of_1_m = solid(SolidShape::Box, 0.0, 1.0);
        let body = Body::of(EntityId::new(3), &crate_of_1_m).expect("impassable");
        let line = [1.0, 9.0].map(|x| DVec3::new(x, 5.0, 0.0));
        let at = body.met_by(line, [0.4, 1.8]).expect("in the way");
        assert!(at.distance(DVec2::new(4.0, 5.0)) < 1e-6, "{at}");
        assert_eq!(body.met_by(line, [1.2, 1.8]), None, "stepped over");
        let beside = line.map(|p| p + 3.0 * DVec3::Y);
        assert_eq!(body.met_by(beside, [0.4, 1.8]), None);
    }

    #[test]
    fn what_is_stepped_on_or_passed_beneath_is_no_trouble() {
        let deck = SolidShape::Platform {
            thickness: 0.2,
            posts: 0.0,
        };
        for (shape, z, height) in [
            (SolidShape::Box, 0.0, 0.1),
            (SolidShape::Box, 2.5, 1.0),
            (deck, 0.0, 3.0),
        ] {
            let found = baked(solid(shape, z, height), PlannerId::PORTAL);
            assert_eq!(found, Vec::new());
        }
        let low = SolidShape::Platform {
            thickness: 0.2,
            posts: 0.0,
        };
        let found = baked(solid(low, 0.0, 1.0), PlannerId::PORTAL);
        assert_eq!(
            found,
            Vec::new(),
            "one too low to walk beneath is gone around"
        );
    }

    #[test]
    fn ends_on_a_deck_above_the_way_are_told() {
        let deck = || {
            let shape = SolidShape::Platform {
                thickness: 0.2,
                posts: 0.0,
            };
            solid(shape, 0.0, 3.0)
        };
        for (ends, what) in [
            ([(1.0, 0.0), (5.0, 3.0)], "goal"),
            ([(5.0, 3.0), (9.0, 0.0)], "start"),
        ] {
            let found = between(ends, deck(), PlannerId::PORTAL);
            let [problem] = &found[..] else {
                panic!("{found:?}")
            };
            let told = format!("its {what} is on Crate, 3.0 m above its path");
            assert!(problem.message.starts_with(&told), "{problem}");
            assert_eq!(problem.code, Code::OtherStorey);
            assert_eq!(problem.at, Some(DVec2::splat(5.0)));
        }
        // Beneath it, and above it where there is nothing to stand on.
        for goal in [(5.0, 0.0), (9.0, 3.0)] {
            let found = between([(1.0, 0.0), goal], deck(), PlannerId::PORTAL);
            assert_eq!(found, Vec::new());
        }
    }

    #[test]
    fn human_motion_goes_round() {
        let found = baked(solid(SolidShape::Box, 0.0, 1.0), PlannerId::HUMAN);
        assert_eq!(found, Vec::new());
    }
}
