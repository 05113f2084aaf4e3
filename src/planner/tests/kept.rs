//! Sessions across changes: what a change cannot touch is kept, and whatever is kept is what planning
//! from scratch gives.

use super::cases;
use crate::base::{EntityId, Random};
use crate::document::{
    Agent, Edit, Entity, Goal, Heading, Kind, Level, Mission, Obstacle, PlannerId, Profile,
    Settings, ops,
};
use crate::geometry::{Polygon, Rect};
use crate::jobs::JobContext;
use crate::nav::{BakeQuality, BakeRequest, NavBundle};
use crate::planner::planned_level::PATHS;
use crate::planner::*;
use glam::DVec2;
use proptest::prelude::*;
use std::sync::Arc;

/// Side of the level. Unit: metres.
const SIZE: f64 = 60.0;
const HOUSES: u64 = 40;
const PROFILE: EntityId = EntityId::new(1_000);
const PLANNERS: [PlannerId; 5] = [
    PlannerId::PORTAL,
    PlannerId::PORTAL_CENTRE,
    PlannerId::PORTAL_TENTH,
    PlannerId::OPTIMAL,
    PlannerId::HUMAN,
];

fn house(at: DVec2, turn: f64) -> Entity {
    let area = Polygon::regular(at, 2.2, 5, turn);
    Entity::new("", Kind::Obstacle(Obstacle::new(area)))
}

/// Houses, and an agent of each planner that walks along the lower edge.
fn town(seed: u64) -> Level {
    let mut random = Random::new(seed);
    let settings = Settings {
        bounds: Rect::new(DVec2::ZERO, DVec2::splat(SIZE)),
        ..Settings::default()
    };
    let mut edits = vec![
        Edit::Settings(settings.into()),
        Edit::create(PROFILE, Entity::new("", Kind::Profile(Profile::default()))),
    ];
    for id in 1..=HOUSES {
        let at = random.point(DVec2::splat(4.0), DVec2::splat(SIZE - 4.0));
        edits.push(Edit::create(EntityId::new(id), house(at, random.unit())));
    }
    for (planner, id) in PLANNERS.into_iter().zip(2_000..) {
        let kind = Kind::Agent(Agent {
            start: DVec2::new(1.0, 1.0).extend(0.0),
            heading: Heading::default(),
            mission: Mission {
                goals: vec![Goal::At(DVec2::new(18.0, 12.0).extend(0.0))],
                planner,
                ..Mission::new(PROFILE)
            },
        });
        edits.push(Edit::create(EntityId::new(id), Entity::new("", kind)));
    }
    ops::apply(&Level::default(), &edits).expect("valid")
}

fn planned(level: &Level, before: Option<&PlannedLevel>, quality: BakeQuality) -> PlannedLevel {
    let ctx = JobContext::default();
    let request = BakeRequest {
        quality,
        before: before.map(|before| &before.bundle),
        ..missions::bake_request(Arc::new(level.clone()))
    };
    let bundle = NavBundle::bake(request, &ctx).expect("not cancelled");
    PlannedLevel::plan(bundle, before, Slopes::default(), &ctx).expect("not cancelled")
}

/// Legs that were searched for.
fn searched(planned: &PlannedLevel) -> usize {
    let mut stages = planned.times.iter();
    let stage = stages.find(|time| time.stage == PATHS);
    stage.expect("planned").work.made
}

fn moved(level: &Level, house_id: u64, at: DVec2) -> Level {
    let edit = Edit::replace(EntityId::new(house_id), house(at, 0.3));
    ops::apply(level, &[edit]).expect("valid")
}

fn same(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() < 1e-9
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(6)))]
    #[test]
    fn plans_that_go_on_are_those_from_scratch(
        seed in 0_u64..1_000,
        moves in prop::collection::vec((1..=HOUSES, 2.0..SIZE - 2.0, 2.0..SIZE - 2.0), 1..6),
        is_dragged: bool,
    ) {
        let quality = if is_dragged { BakeQuality::Preview } else { BakeQuality::Full };
        let mut level = town(seed);
        let mut last = planned(&level, None, BakeQuality::Full);
        for (id, x, y) in moves {
            level = moved(&level, id, DVec2::new(x, y));
            last = planned(&level, Some(&last), quality);
            let fresh = planned(&level, None, quality);
            for (id, plan) in fresh.plans.iter() {
                let kept = &last.plans[id];
                let planner = plan.session().planner();
                prop_assert_eq!(kept.trouble().is_some(), plan.trouble().is_some(), "{}", planner);
                for (a, b) in kept.paths().zip(plan.paths()) {
                    prop_assert_eq!(&a.points, &b.points, "{}", planner);
                    prop_assert!(same(a.min_clearance, b.min_clearance), "{}", planner);
                    prop_assert!(same(a.mean_clearance, b.mean_clearance), "{}", planner);
                    prop_assert_eq!(&a.remarks, &b.remarks, "{}", planner);
                }
            }
        }
    }
}

#[test]
fn a_house_that_moves_far_away_is_planned_around_by_no_agent() {
    let level = town(7);
    let first = planned(&level, None, BakeQuality::Full);
    assert_eq!(searched(&first), PLANNERS.len());
    let far = moved(&level, 1, DVec2::new(SIZE - 5.0, SIZE - 5.0));
    let mut last = planned(&far, Some(&first), BakeQuality::Preview);
    for step in 0..4 {
        let at = DVec2::new(SIZE - 6.0 - f64::from(step), SIZE - 5.0);
        let far = moved(&far, 1, at);
        last = planned(&far, Some(&last), BakeQuality::Preview);
        assert_eq!(searched(&last), 0);
        assert_eq!(last.plans.len(), PLANNERS.len());
    }
    let across = moved(&far, 1, DVec2::new(9.0, 6.0));
    let across = planned(&across, Some(&last), BakeQuality::Preview);
    assert_eq!(searched(&across), PLANNERS.len());
}
