//! Goals that no agent gets to: every planner, on every sample level, says what is in the way, and
//! the answer costs no more than the search.

use super::cases;
use crate::base::{EntityId, Random};
use crate::document::template::{Options, Template};
use crate::document::{Edit, Entity, Kind, Level, Obstacle, PlannerId, Profile, ops};
use crate::geometry::{Polygon, Rect};
use crate::jobs::JobContext;
use crate::nav::{BakeRequest, NavBundle, NavData, Needs};
use crate::planner::*;
use glam::{DVec2, DVec3};
use std::sync::Arc;

const RING: EntityId = EntityId::new(900_000);

/// Half of the width of the yard inside the ring, and the thickness of its walls. Unit: metres.
const YARD: f64 = 3.0;
const WALL: f64 = 0.6;

/// Adds a yard with walls all around, too high to be climbed.
fn with_yard(level: &Level, centre: DVec2) -> Level {
    let square = |half: f64| {
        Polygon::rect(Rect::new(
            centre - DVec2::splat(half),
            centre + DVec2::splat(half),
        ))
    };
    let mut area = square(YARD + WALL);
    area.holes
        .push(square(YARD).outer.into_iter().rev().collect());
    let ring = Obstacle {
        height: 6.0,
        ..Obstacle::new(area)
    };
    let edit = Edit::create(RING, Entity::new("Ring", Kind::Obstacle(ring)));
    ops::apply(level, &[edit]).expect("valid")
}

fn baked(level: Level, radius: f64) -> NavData {
    let ctx = JobContext::default();
    let request = BakeRequest::for_radius(Arc::new(level), radius);
    let bundle = NavBundle::bake(request, &ctx).expect("not cancelled");
    let nav = bundle.nav(radius).expect("baked");
    let all = Needs::CORRIDORS.union(Needs::TERRAIN).union(Needs::VOXELS);
    nav.prepare(all, &ctx).expect("not cancelled");
    nav
}

#[test]
fn every_planner_on_every_sample_level_says_what_is_in_the_way() {
    let ctx = JobContext::default();
    for template in Template::samples() {
        let level = template.build(&Options::default()).expect("drawn");
        let bounds = level.settings().bounds;
        let random = &mut Random::new(14);
        let margin = DVec2::splat(YARD + WALL + 0.5);
        let centre = random.point(bounds.min + margin, bounds.max - margin);
        let profile = Arc::new(Profile::default());
        let nav = baked(with_yard(&level, centre), profile.body.radius);
        let in_yard = |p: DVec2| (p - centre).abs().max_element() < YARD;
        let (mut explained, mut asked) = (0, 0);
        for _ in 0..cases(1) {
            let half = DVec2::splat(YARD - 2.0 * profile.body.radius);
            let inside = random.point(centre - half, centre + half);
            let outside = random.point(bounds.min, bounds.max);
            let is_apart = !in_yard(outside) && nav.is_placed(inside) && nav.is_placed(outside);
            if !is_apart {
                continue;
            }
            let ends = if random.chance(0.5) {
                [inside, outside]
            } else {
                [outside, inside]
            };
            let [start, goal] = ends.map(|p| {
                let ground = nav.ground().map_or(0.0, |ground| ground.height(p));
                DVec3::new(p.x, p.y, ground)
            });
            let request = PathRequest {
                profile: Arc::clone(&profile),
                ..PathRequest::in_space(start, goal)
            };
            let available = PlannerId::BUILT_IN.into_iter();
            let in_plan =
                |id: &PlannerId| registry::is_available(*id) && !registry::is_in_space(*id);
            for id in available.filter(in_plan) {
                let what = format!("{}, {id}, {start} to {goal}", template.name());
                let answer = registry::plan(id, &nav, &request, &ctx).expect("a valid query");
                let Answer::NotFound(why) = answer else {
                    panic!("{what}: a path through the ring");
                };
                assert_eq!(why.blocker, Some(RING), "{what}: {}", why.reason);
            }
            let what = format!("{}, {start} to {goal}", template.name());
            let mut session = human::HumanSession::new(&nav, &request);
            while session.step(session::CANCEL_INTERVAL) == Step::Running {}
            let why = session.explain(&ctx).expect("not cancelled");
            assert!(!why.reason.is_empty(), "{what}");
            // On other solids a start or goal may be no place to stand at.
            let Some(told) = session.stuck(&ctx).expect("not cancelled") else {
                continue;
            };
            asked += 1;
            assert!(told.looks <= told.most, "{what}: {told:?}");
            if told.why.is_ok() {
                explained += 1;
                assert_eq!(why.blocker, Some(RING), "{what}: {}", why.reason);
            }
        }
        // Of many, a few may be given up when their budget is spent.
        let is_enough = 10 * explained >= 9 * asked;
        assert!(is_enough, "{}: {explained} of {asked}", template.name());
    }
}
