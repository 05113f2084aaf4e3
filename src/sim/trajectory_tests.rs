use super::*;
use crate::planner::{Answer, NoPath};
use proptest::prelude::*;

fn path(points: &[[f64; 2]], times: &[f64]) -> Path {
    Path {
        points: points.iter().map(|p| DVec2::from(*p).extend(0.0)).collect(),
        times: times.to_vec(),
        ..Path::default()
    }
}

fn legs(paths: Vec<Path>) -> Vec<Leg> {
    let leg = |path: Path| Leg {
        from: DVec3::ZERO,
        to: DVec3::ZERO,
        answer: Answer::Found(path),
    };
    paths.into_iter().map(leg).collect()
}

fn trajectory(paths: Vec<Path>, speed: f64) -> Trajectory {
    let trajectory = Trajectory::of_legs(&legs(paths), speed).expect("points");
    trajectory.check_invariants();
    trajectory
}

#[test]
fn legs_follow_each_other_at_the_profiles_speed_or_at_their_own_times() {
    let drawn = path(&[[0.0, 0.0], [4.0, 0.0]], &[]);
    let walked = path(&[[4.0, 0.0], [4.0, 1.0], [4.0, 4.0]], &[0.0, 2.0, 3.0]);
    let trajectory = trajectory(vec![drawn, walked], 2.0);
    assert_eq!((trajectory.duration(), trajectory.length()), (5.0, 8.0));
    let pose = trajectory.pose(1.0).expect("points");
    assert_eq!((pose.point, pose.heading), (DVec3::new(2.0, 0.0, 0.0), 0.0));
    assert_eq!((pose.speed, pose.along), (2.0, 2.0));
    let pose = trajectory.pose(3.0).expect("points");
    assert_eq!((pose.point.y, pose.speed), (0.5, 0.5));
    assert!((pose.heading - std::f64::consts::FRAC_PI_2).abs() < 1e-12);
    let at = |time| trajectory.leg_at(time);
    assert_eq!(at(1.5), LegTime { leg: 0, secs: 1.5 });
    assert_eq!(at(3.5), LegTime { leg: 1, secs: 1.5 });
    assert_eq!(at(99.0), LegTime { leg: 1, secs: 3.0 });
    assert_eq!(at(-1.0), LegTime { leg: 0, secs: 0.0 });
}

#[test]
fn before_the_start_an_agent_stands_there_and_after_the_end_it_stays() {
    let trajectory = trajectory(vec![path(&[[1.0, 0.0], [4.0, 0.0]], &[])], 1.0);
    for time in [-1.0, f64::NEG_INFINITY, f64::NAN, 0.0] {
        let pose = trajectory.pose(time).expect("points");
        assert_eq!((pose.point.x, pose.along), (1.0, 0.0), "at {time}");
    }
    for time in [3.0, 99.0, f64::INFINITY] {
        let pose = trajectory.pose(time).expect("points");
        assert_eq!((pose.point.x, pose.speed, pose.along), (4.0, 0.0, 3.0));
    }
    let alone = Trajectory::of_legs(&legs(vec![path(&[[2.0, 3.0]], &[])]), 1.0);
    let pose = alone.expect("a point").pose(5.0).expect("a point");
    assert_eq!((pose.point.x, pose.speed, pose.heading), (2.0, 0.0, 0.0));
}

#[test]
fn a_leg_without_a_path_ends_the_trajectory() {
    let mut legs = legs(vec![path(&[[0.0, 0.0], [1.0, 0.0]], &[])]);
    legs.push(Leg {
        answer: Answer::NotFound(NoPath {
            reason: String::new(),
            blocker: None,
            gap: None,
        }),
        ..legs[0].clone()
    });
    legs.push(legs[0].clone());
    let found = Trajectory::of_legs(&legs, 1.0).expect("one leg");
    assert_eq!(found.length(), 1.0);
    assert_eq!(Trajectory::of_legs(&legs[1..], 1.0), None);
}

#[test]
fn an_agent_walks_from_where_a_leg_ends_to_where_the_next_begins() {
    let first = path(&[[0.0, 0.0], [2.0, 0.0]], &[]);
    let second = path(&[[3.0, 0.0], [5.0, 0.0]], &[0.0, 4.0]);
    let trajectory = trajectory(vec![first, second], 1.0);
    assert_eq!((trajectory.duration(), trajectory.length()), (7.0, 5.0));
    let x = |time| trajectory.pose(time).expect("points").point.x;
    assert_eq!((x(2.0), x(2.5), x(3.0), x(5.0)), (2.0, 2.5, 3.0, 4.0));
    assert_eq!(trajectory.leg_at(2.5).leg, 0);
    assert_eq!(trajectory.leg_at(4.0), LegTime { leg: 1, secs: 1.0 });
}

#[test]
fn a_jump_leaves_the_ground_and_comes_back_to_it() {
    let mut jump = path(&[[0.0, 0.0], [1.0, 0.0], [3.0, 0.0], [4.0, 0.0]], &[]);
    jump.actions = vec![Action::Walk, Action::Walk, Action::Jump, Action::Walk];
    let trajectory = trajectory(vec![jump], 1.0);
    let z = |time| trajectory.pose(time).expect("points").point.z;
    assert!(z(0.5) == 0.0 && z(3.5) == 0.0);
    assert!((z(2.0) - jump_rise(2.0, 0.5)).abs() < 1e-12 && z(2.0) > 0.3);
    assert!(z(1.0 + 1e-6) < 1e-5 && z(3.0 - 1e-6) < 1e-5);
    assert_eq!(trajectory.place(2.0).expect("points").z, 0.0);
    let action = |time| trajectory.pose(time).expect("points").action;
    assert_eq!((action(2.0), action(3.5)), (Action::Jump, Action::Walk));
}

#[test]
fn an_agent_that_waits_stands_still_and_looks_ahead() {
    let mut ending_in_a_jump = path(&[[0.0, 0.0], [0.0, 2.0]], &[]);
    ending_in_a_jump.actions = vec![Action::Walk, Action::Jump];
    let whole = trajectory(vec![ending_in_a_jump], 1.0);
    let mut waiting = whole.until(6.0);
    waiting.check_invariants();
    assert_eq!((waiting.duration(), waiting.length()), (6.0, 2.0));
    let pose = waiting.pose(4.0).expect("points");
    assert_eq!(pose.point, DVec3::new(0.0, 2.0, 0.0), "on the ground");
    assert_eq!((pose.speed, pose.action), (0.0, Action::Walk));
    assert!((pose.heading - std::f64::consts::FRAC_PI_2).abs() < 1e-12);
    waiting.append(&path(&[[0.0, 2.0], [3.0, 2.0]], &[]), 1.0);
    assert_eq!((waiting.duration(), waiting.length()), (9.0, 5.0));
    assert_eq!(waiting.pose(7.0).expect("points").point.x, 1.0);
}

#[test]
fn traces_and_events_are_those_of_the_leg_under_way() {
    let step = |time, x| TraceStep {
        time,
        attraction: DVec2::new(x, 0.0),
        ..TraceStep::default()
    };
    let mut second = path(&[[1.0, 0.0], [2.0, 0.0]], &[0.0, 1.0]);
    second.trace = Some(Arc::new(Trace {
        steps: vec![step(0.0, 7.0), step(0.5, 8.0)],
        events: vec![Event {
            time: 0.25,
            at: DVec2::ZERO,
            kind: crate::planner::trace::EventKind::Noted,
            text: String::new(),
        }],
        ..Trace::default()
    }));
    let first = path(&[[0.0, 0.0], [1.0, 0.0]], &[]);
    let trajectory = trajectory(vec![first, second], 0.5);
    assert!(trajectory.trace_at(1.9).is_none());
    let at = |time| trajectory.trace_at(time).map(|(_, step)| step.attraction.x);
    assert_eq!((at(2.2), at(2.6)), (Some(7.0), Some(8.0)));
    let times: Vec<f64> = trajectory.events().map(|(time, _)| time).collect();
    assert_eq!(times, [2.25]);
}

/// Points on a small grid, so that some coincide.
fn places() -> impl Strategy<Value = Vec<[f64; 2]>> {
    let place = (-5_i32..5, -5_i32..5).prop_map(|(x, y)| [f64::from(x), f64::from(y)]);
    prop::collection::vec(place, 1..8)
}

/// A path with or without its own times, which may pause.
fn paths() -> impl Strategy<Value = Vec<Path>> {
    let path = (places(), prop::bool::ANY, any::<u64>()).prop_map(|(points, is_timed, seed)| {
        let mut random = crate::base::Random::new(seed);
        let mut time = 0.0;
        let times = points.iter().map(|_| {
            let now = time;
            time += 0.25 * random.below(8) as f64;
            now
        });
        let times: Vec<f64> = times.collect();
        let mut path = path(&points, if is_timed { &times } else { &[] });
        let action = |_| match random.below(3) {
            0 => Action::Jump,
            1 => Action::Bend,
            _ => Action::Walk,
        };
        path.actions = points.iter().map(action).collect();
        path
    });
    prop::collection::vec(path, 1..4)
}

proptest! {
    #[test]
    fn poses_are_continuous_and_lengths_never_fall(paths in paths(), speed in 0.5..3.0_f64) {
        let trajectory = trajectory(paths, speed);
        let count = 400;
        let step = trajectory.duration() / f64::from(count);
        // Its fastest piece, feet in a jump included. Every piece takes time.
        let fastest = (1..trajectory.points.len())
            .map(|i| (i, trajectory.along[i] - trajectory.along[i - 1]))
            .filter(|(_, moved)| *moved > 0.0)
            .map(|(i, moved)| {
                let lasts = trajectory.times[i] - trajectory.times[i - 1];
                (moved + 4.0 * jump_rise(moved, 0.5)) / lasts
            })
            .fold(4.0 * jump_rise(0.0, 0.5) / 0.25, f64::max);
        prop_assert!(fastest.is_finite());
        let poses: Vec<Pose> = (-5..count + 5)
            .filter_map(|i| trajectory.pose(f64::from(i) * step))
            .collect();
        for pair in poses.windows(2) {
            let moved = pair[0].point.distance(pair[1].point);
            prop_assert!(moved <= fastest * step + 1e-9, "{moved} m in {step} s");
            prop_assert!(pair[0].along <= pair[1].along + 1e-12);
        }
        prop_assert!((poses[poses.len() - 1].along - trajectory.length()).abs() < 1e-9);
    }

    #[test]
    fn the_part_up_to_a_time_is_the_same_up_to_then(
        paths in paths(),
        share in 0.0..1.3_f64,
    ) {
        let whole = trajectory(paths, 1.0);
        let time = whole.duration() * share;
        let part = whole.until(time);
        part.check_invariants();
        prop_assert!(part.duration() <= time.max(0.0) + 1e-9);
        for i in 0..20 {
            let t = time * f64::from(i) / 20.0;
            let (a, b) = (whole.place(t), part.place(t));
            prop_assert!(a.zip(b).is_some_and(|(a, b)| a.distance(b) < 1e-9));
        }
    }

    #[test]
    fn no_path_however_odd_breaks_a_trajectory(
        points in prop::collection::vec((-5_i32..5, -5_i32..5), 0..8),
        times in prop::collection::vec(prop_oneof![0.0..5.0, Just(f64::NAN)], 0..8),
        speed in prop_oneof![0.1..3.0, Just(0.0), Just(f64::NAN)],
        ask in prop::collection::vec(-1.0..20.0, 5),
    ) {
        let points: Vec<[f64; 2]> =
            points.into_iter().map(|(x, y)| [f64::from(x), f64::from(y)]).collect();
        let trajectory = Trajectory::of_legs(&legs(vec![path(&points, &times)]), speed);
        prop_assert_eq!(trajectory.is_some(), !points.is_empty());
        if let Some(trajectory) = trajectory {
            trajectory.check_invariants();
            let reach = trajectory.length();
            for time in ask {
                let pose = trajectory.pose(time).expect("points");
                prop_assert!(pose.point.is_finite() && pose.heading.is_finite());
                prop_assert!(pose.speed.is_finite());
                prop_assert!((0.0..=reach + 1e-9).contains(&pose.along));
            }
            let samples = trajectory.sampled(10, |p| p.x);
            prop_assert_eq!(samples.len(), 11);
            prop_assert!(trajectory.curvatures().iter().all(|c| c[1].is_finite()));
        }
    }
}
