//! Adaptive steps: each choice is the paper's, and they lead where short ones do.

use super::*;
use crate::base::Random;
use crate::planner::corridor::Character;

/// Steps grow up to fourteen times the shortest.
fn growing(radius: f64) -> Settings {
    let settings = Settings::of(&Profile::default(), radius);
    Settings {
        longest_step_secs: 14.0 * settings.step_secs,
        ..settings
    }
}

/// Compares each choice with all candidates at that position.
#[derive(Default)]
struct Checked {
    chooser: Chooser,
    compared: usize,
}

impl Leader for Checked {
    fn lead<G: Ground>(
        &mut self,
        ground: &G,
        route: &IndicativeRoute,
        eye: &Eye,
        reference: f64,
        last: f64,
    ) -> Option<Chosen> {
        let chosen = self.chooser.lead(ground, route, eye, reference, last);
        let mut all = Vec::new();
        let fresh = ground.eye(eye.at)?;
        Chooser::default().candidates(ground, route, &fresh, reference, last, &mut all);
        if let Some(least) = all.iter().map(|c| c.weight).reduce(f64::min) {
            let chosen = chosen.expect("there are candidates");
            assert!(
                chosen.weight <= least * (1.0 + 1e-6),
                "{chosen:?} at {eye:?} of {all:?}"
            );
            let mut farther = all.iter().filter(|c| c.along > chosen.along + 1e-6);
            assert!(farther.all(|c| c.weight > chosen.weight * (1.0 - 1e-9)));
            self.compared += 1;
        }
        chosen
    }
}

#[test]
fn at_every_step_the_choice_is_the_least_of_all_candidates() {
    let mut random = Random::new(77);
    let mut compared = 0;
    for case in 0..24 {
        let area = |random: &mut Random, size: f64| {
            let at = random.point(DVec2::ZERO, DVec2::splat(40.0));
            let sides = 3 + random.below(5);
            Polygon::regular(at, random.range(0.4, size), sides, random.range(0.0, 6.0))
        };
        let obstacles = (0..4 + random.below(16)).map(|_| area(&mut random, 2.5));
        let obstacles = obstacles.collect();
        let painted = (0..random.below(6))
            .map(|_| (random.range(0.2, 20.0), area(&mut random, 9.0)))
            .collect();
        let radius = [0.0, 0.2, 0.5][case % 3];
        let scene = Scene::new(40.0, obstacles, painted, radius);
        let weights = scene.weights();
        let ground = ExactGround::new(scene.terrain(), &weights, Some(scene.nav.cells()));
        let points: Vec<DVec2> = (0..400)
            .map(|_| random.point(DVec2::ONE, DVec2::splat(39.0)))
            .filter(|p| ground.eye(*p).is_some())
            .take(6)
            .collect();
        let (look_ahead, sample_step) = (random.range(5.0, 60.0), random.range(1.0, 16.0));
        let route = IndicativeRoute::new(points, look_ahead, sample_step, PartKind::Drawn).0;
        let eye = ground.eye(route.points()[0]).expect("free");
        let mut walker = Walker::new(growing(radius), eye);
        let (mut log, mut checked) = (Walked::default(), Checked::default());
        for _ in 0..200 {
            if walker.step(&ground, &route, &mut checked, &[], &mut log) != Status::Walking {
                break;
            }
        }
        assert_within_look_ahead(&log, look_ahead);
        compared += checked.compared;
    }
    assert!(compared > 500, "{compared}");
}

#[test]
fn in_the_open_steps_are_long_and_end_where_short_ones_do() {
    let scene = Scene::new(80.0, vec![], vec![], 0.3);
    let weights = scene.weights();
    let ground = ExactGround::new(scene.terrain(), &weights, Some(scene.nav.cells()));
    let bend = route(&[(4.0, 10.0), (60.0, 12.0), (70.0, 70.0)], 30.0, 20.0);
    let walk = |settings: Settings| {
        let eye = ground.eye(p(4.0, 10.0)).expect("free");
        let mut walker = Walker::new(settings, eye);
        let (mut log, mut chooser) = (Walked::default(), Chooser::default());
        while walker.step(&ground, &bend, &mut chooser, &[], &mut log) == Status::Walking {}
        assert_eq!(
            (walker.status(), walker.position()),
            (Status::Arrived, p(70.0, 70.0))
        );
        (log.steps, walker.time())
    };
    let (long, long_secs) = walk(growing(0.3));
    let (short, short_secs) = walk(Settings::of(&Profile::default(), 0.3));
    assert!(
        4 * long.len() < short.len(),
        "{} {}",
        long.len(),
        short.len()
    );
    assert!((long_secs - short_secs).abs() < 0.5);
    for step in &long {
        let places = short.windows(2).map(|pair| {
            let [a, b] = [pair[0].position, pair[1].position];
            segment_distance(a, b, step.position, step.position)
        });
        let aside = places.fold(f64::INFINITY, f64::min);
        // By less than the body's radius.
        assert!(aside < 0.3, "{aside} at {}", step.position);
    }
    // At full speed throughout.
    for pair in long.windows(2) {
        let walked = pair[0].position.distance(pair[1].position);
        assert!(walked <= 1.4 * (pair[1].time - pair[0].time) + 1e-9);
    }
}

#[test]
fn beside_others_and_walls_steps_are_short() {
    let scene = Scene::new(60.0, vec![rect(30.0, 0.0, 32.0, 9.6)], vec![], 0.3);
    let weights = scene.weights();
    let ground = ExactGround::new(scene.terrain(), &weights, Some(scene.nav.cells()));
    let line = route(&[(4.0, 10.1), (56.0, 10.1)], 40.0, 20.0);
    let other = Character {
        position: p(15.0, 10.2),
        radius: 0.3,
    };
    let eye = ground.eye(p(4.0, 10.1)).expect("free");
    let mut walker = Walker::new(growing(0.3), eye);
    let (mut log, mut chooser) = (Walked::default(), Chooser::default());
    while walker.step(&ground, &line, &mut chooser, &[other], &mut log) == Status::Walking {}
    assert_eq!(walker.status(), Status::Arrived);
    let mut short = 0;
    for pair in log.steps.windows(2) {
        let secs = pair[1].time - pair[0].time;
        let gap = pair[0].position.distance(other.position) - 0.6;
        let wall = scene.room(pair[0].position, pair[1].position);
        if gap < 1.5 || wall < 0.6 {
            assert!(secs <= 0.2 + 1e-9, "{secs} at {}", pair[0].position);
            short += 1;
        }
        assert!(gap > 0.0);
    }
    assert!(
        short > 10 && log.steps.len() < 150,
        "{short} of {}",
        log.steps.len()
    );
}

#[test]
fn a_replay_tells_of_moments_within_long_steps() {
    let scene = Scene::new(80.0, vec![], vec![(4.0, rect(20.0, 0.0, 30.0, 80.0))], 0.3);
    let line = [p(4.0, 10.0), p(60.0, 12.0), p(70.0, 70.0)];
    let request = scene.request(p(4.0, 10.0), p(70.0, 70.0), Some((&line, 30.0, 20.0)));
    let (path, session) = scene.walk(&request);
    let path = path.expect("found");
    let trace = path.trace.as_ref().expect("a trace");
    let decided = session.state().walked().expect("walked").steps.len();
    assert!(2 * decided < trace.steps.len(), "{decided}");
    for pair in trace.steps.windows(2) {
        let secs = pair[1].time - pair[0].time;
        assert!(secs > 0.0 && secs <= 0.2 + 1e-9, "{secs}");
        let walked = pair[0].position.distance(pair[1].position);
        assert!(walked <= 1.4 * secs + 1e-9, "{walked} in {secs}");
    }
    for step in trace.steps.iter().step_by(7) {
        // The attraction point was a candidate at every moment in between, too.
        let candidates = trace.candidates_at(step.time);
        let nearest = candidates.iter().map(|c| c.at.distance(step.attraction));
        let nearest = nearest.fold(f64::INFINITY, f64::min);
        assert!(nearest < 1e-6, "{nearest} at {}", step.time);
    }
}

#[test]
fn what_a_route_meets_is_found_whatever_is_passed_over() {
    let mut random = Random::new(5);
    for case in 0..200 {
        let mut at = DVec2::ZERO;
        let points: Vec<(f64, f64)> = (0..60)
            .map(|_| {
                at += DVec2::from_angle(random.range(-1.0, 2.0)) * random.range(0.05, 1.0);
                at.into()
            })
            .collect();
        let line = route(&points, 50.0, 1.0);
        let [from, to] = [0, 1].map(|_| random.range(0.0, line.length()));
        let (centre, radius) = (
            random.point(DVec2::ZERO, DVec2::splat(15.0)),
            random.range(0.5, 5.0),
        );
        let distance = |along: f64| line.point_at(along).expect("a place").distance(centre);
        let found = line.first_meeting(from, to, |ends| {
            // The first of many places on the piece.
            let places = (0..=1000).map(|i| f64::from(i) / 1000.0);
            let mut inside =
                places.filter(|share| ends[0].lerp(ends[1], *share).distance(centre) <= radius);
            inside
                .next()
                .ok_or_else(|| ends[1].distance(centre) - radius - 1e-3)
        });
        let expected = (0..=20_000)
            .map(|i| from + (to - from) * f64::from(i) / 20_000.0)
            .find(|along| distance(*along) <= radius);
        match (found, expected) {
            (Some(found), Some(expected)) => {
                assert!(
                    (found - expected).abs() < 0.02,
                    "case {case}: {found} {expected}"
                );
            }
            (None, None) => {}
            // Barely touched.
            (Some(at), None) | (None, Some(at)) => {
                assert!(distance(at) > radius - 1e-3, "case {case}");
            }
        }
    }
}

#[test]
fn points_on_a_straight_line_make_no_pieces() {
    let stairs: Vec<(f64, f64)> = (0..=40).map(|i| (0.1 * f64::from(i), 3.0)).collect();
    let line = route(&stairs, 2.0, 1.0);
    assert!((line.length() - 4.0).abs() < 1e-12);
    assert_eq!(line.points(), [p(0.0, 3.0), p(4.0, 3.0)]);
    // The reverse direction differs.
    let back = route(&[(0.0, 0.0), (2.0, 0.0), (1.0, 0.0)], 2.0, 1.0);
    assert_eq!(back.points().len(), 3);
    assert!((back.length() - 3.0).abs() < 1e-12);
}
