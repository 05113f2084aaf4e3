use super::*;
use crate::document::PlannerId;
use crate::document::template::{Options, Template};
use crate::document::{Agent, Edit, Entity, Goal, Heading, Kind, KindName, Level, Mission, ops};
use crate::nav::{BakeRequest, NavBundle};
use crate::planner::{Slopes, missions};
use glam::DVec3;

const WALKER: EntityId = EntityId::new(90_000);

/// One agent over the balcony of the stairs.
fn level() -> Level {
    let level = Template::Stairs.build(&Options::default()).expect("drawn");
    let others = level.iter().filter(|(_, entity)| {
        matches!(entity.kind, Kind::Agent(_) | Kind::Crowd(_) | Kind::Test(_))
    });
    let mut edits: Vec<Edit> = others.map(|(id, _)| Edit::Delete { id }).collect();
    let adult = level.find(KindName::Profile, "Adult").expect("there");
    let agent = Agent {
        start: DVec3::new(3.0, 9.0, 3.06),
        heading: Heading::degrees(0.0),
        mission: Mission {
            goals: vec![Goal::At(DVec3::new(12.0, 9.0, 3.06))],
            planner: PlannerId::HUMAN,
            ..Mission::new(adult)
        },
    };
    edits.push(Edit::create(
        WALKER,
        Entity::new("Walker", Kind::Agent(agent)),
    ));
    ops::apply(&level, &edits).expect("valid")
}

fn with_crate_at(level: &Level, x: f64, y: f64, width: f64) -> Level {
    let id = level
        .find(KindName::Solid, "Crate on the balcony")
        .expect("there");
    let mut entity = (**level.get(id).expect("there")).clone();
    if let Kind::Solid(solid) = &mut entity.kind {
        (solid.position.x, solid.position.y) = (x, y);
        solid.size.y = width;
    }
    ops::apply(level, &[Edit::replace(id, entity)]).expect("valid")
}

fn baked(level: &Level, before: Option<&PlannedLevel>) -> PlannedLevel {
    let ctx = JobContext::default();
    let request = BakeRequest {
        before: before.map(|before| &before.bundle),
        ..missions::bake_request(Arc::new(level.clone()))
    };
    let bundle = NavBundle::bake(request, &ctx).expect("not cancelled");
    PlannedLevel::plan(bundle, before, Slopes::default(), &ctx).expect("not cancelled")
}

fn walked(recording: &Recording) -> &Arc<Trajectory> {
    recording.trajectory(WALKER).expect("recorded")
}

fn is_in_crate(p: &DVec3) -> bool {
    (p.x - 8.6).abs() < 0.25 && (p.y - 9.0).abs() < 0.45
}

#[test]
fn an_agent_under_way_gets_round_a_crate_from_where_it_is() {
    let ctx = JobContext::default();
    let level = level();
    let first = baked(&with_crate_at(&level, 8.6, 7.6, 0.4), None);
    let recording = Recording::of_plans(&first.level, &first.plans);
    let trajectory = walked(&recording);
    assert!(trajectory.points().windows(2).any(|pair| {
        (0..=50).any(|i| is_in_crate(&pair[0].lerp(pair[1], f64::from(i) / 50.0)))
    }));
    let time = 0.4 * trajectory.duration();
    let here = trajectory.place(time).expect("walking");
    let second = baked(&with_crate_at(&level, 8.6, 9.0, 1.0), Some(&first));
    // At rest the plan says what an agent on the previous path would do.
    assert!(matches!(
        second.plans[&WALKER].changes[..],
        [Change::Repaired(_)]
    ));
    let live = LiveAgents::default();
    let live = live
        .repair(&recording, &first.plans, &second, time, &ctx)
        .expect("not cancelled");
    let went_round = live.recording(&second);
    let round = walked(&went_round);
    // The walked part stays, and the rest leads past the crate to the goal.
    for i in 0..=20 {
        let t = time * f64::from(i) / 20.0;
        let (a, b) = (
            trajectory.place(t).expect("there"),
            round.place(t).expect("there"),
        );
        assert!(a.distance(b) < 1e-9, "{a} {b}");
    }
    let samples = |trajectory: &Trajectory| -> Vec<DVec3> {
        let at = |i: i32| trajectory.duration() * f64::from(i) / 500.0;
        (0..=500).filter_map(|i| trajectory.place(at(i))).collect()
    };
    assert!(!samples(round).iter().any(is_in_crate));
    assert_eq!(round.points().last(), trajectory.points().last());
    assert!(round.duration() > trajectory.duration());
    let plans = live.plans(&second.plans);
    let [Change::Repaired(detour)] = &plans[&WALKER].changes[..] else {
        panic!("it got round the crate");
    };
    assert!(detour.old.iter().any(is_in_crate) && !detour.new.iter().any(is_in_crate));
    assert!(detour.new[0].x >= here.x - 0.3);
    assert!((plans[&WALKER].length() - round.length()).abs() < 1e-9);

    // Blocked from wall to wall it waits before the crate; once that is gone, it goes on.
    let later = 0.5 * round.duration();
    let third = baked(&with_crate_at(&level, 8.6, 9.04, 4.0), Some(&second));
    let waiting = live
        .repair(&went_round, &second.plans, &third, later, &ctx)
        .expect("not cancelled");
    assert!(waiting.is_any_waiting());
    let stopped = waiting.recording(&third);
    let stop = walked(&stopped).place(later + 5.0).expect("there");
    assert!(stop.distance(round.place(later).expect("there")) < 1e-9);
    assert!((walked(&stopped).duration() - later).abs() < 1e-9);
    let freed = waiting
        .repair(
            &stopped,
            &third.plans,
            &first_again(&level, &third),
            later + 5.0,
            &ctx,
        )
        .expect("not cancelled");
    assert!(!freed.is_any_waiting());
    let on = freed.recording(&third);
    let on = walked(&on);
    assert!(on.place(later + 5.0).expect("there").distance(stop) < 1e-9);
    assert!(on.duration() > later + 5.0);
    assert_eq!(on.points().last(), trajectory.points().last());
    // It never leaps.
    let samples = samples(on);
    let step = 3.0 * on.duration() / 500.0;
    assert!(
        samples
            .windows(2)
            .all(|pair| pair[0].distance(pair[1]) < step)
    );
}

fn first_again(level: &Level, before: &PlannedLevel) -> PlannedLevel {
    baked(&with_crate_at(level, 8.6, 7.6, 0.4), Some(before))
}

#[test]
fn agents_that_have_passed_or_arrived_stay_as_they_are_and_those_set_back_plan_again() {
    let ctx = JobContext::default();
    let level = level();
    let first = baked(&with_crate_at(&level, 8.6, 7.6, 0.4), None);
    let second = baked(&with_crate_at(&level, 8.6, 9.0, 1.0), Some(&first));
    let recording = Recording::of_plans(&first.level, &first.plans);
    let trajectory = Arc::clone(walked(&recording));
    for time in [
        0.8 * trajectory.duration(),
        trajectory.duration(),
        trajectory.duration() + 9.0,
    ] {
        let live = LiveAgents::default()
            .repair(&recording, &first.plans, &second, time, &ctx)
            .expect("not cancelled");
        let after = Arc::clone(walked(&live.recording(&second)));
        assert!(
            (after.length() - trajectory.length()).abs() < 0.2,
            "at {time}"
        );
        assert!(
            (after.duration() - trajectory.duration()).abs() < 0.2,
            "at {time}"
        );
        assert!(
            live.plans(&second.plans)[&WALKER]
                .changes
                .iter()
                .all(|change| *change == Change::None)
        );
    }
    // Around the crate once, then time is set back and the crate moves again.
    let time = 0.4 * trajectory.duration();
    let live = LiveAgents::default()
        .repair(&recording, &first.plans, &second, time, &ctx)
        .expect("not cancelled");
    let round = live.recording(&second);
    let third = baked(&with_crate_at(&level, 8.6, 8.6, 1.0), Some(&second));
    let early = 0.1 * trajectory.duration();
    let again = live
        .repair(&round, &second.plans, &third, early, &ctx)
        .expect("not cancelled");
    let after = Arc::clone(walked(&again.recording(&third)));
    assert!(
        after
            .place(early)
            .expect("there")
            .distance(trajectory.place(early).expect("there"))
            < 1e-9
    );
    assert!(
        after
            .points()
            .last()
            .expect("there")
            .distance(*trajectory.points().last().expect("there"))
            < 0.3
    );
}
