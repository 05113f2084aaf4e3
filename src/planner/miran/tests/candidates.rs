//! The candidates of §3.2 and the choice of §3.3, against brute force on the polygons.

use super::*;
use crate::base::Random;
use crate::planner::trace::Candidate;

/// Candidates and choice for a character beside a reference point.
fn seen(
    scene: &Scene,
    route: &IndicativeRoute,
    at: DVec2,
    reference: f64,
    last: f64,
) -> (Vec<Candidate>, Option<Chosen>) {
    let weights = scene.weights();
    let ground = ExactGround::new(scene.terrain(), &weights, Some(scene.nav.cells()));
    let eye = ground.eye(at).expect("free");
    let mut chooser = Chooser::default();
    let mut out = Vec::new();
    chooser.candidates(&ground, route, &eye, reference, last, &mut out);
    let chosen = chooser.lead(&ground, route, &eye, reference, last);
    (out, chosen)
}

fn random_scene(random: &mut Random) -> Scene {
    let area = |random: &mut Random, size: f64| {
        let at = random.point(DVec2::splat(2.0), DVec2::splat(28.0));
        let sides = 3 + random.below(4);
        Polygon::regular(at, random.range(0.5, size), sides, random.range(0.0, 6.0))
    };
    let obstacles = (0..random.below(9)).map(|_| area(random, 3.0)).collect();
    let painted = (0..random.below(5))
        .map(|_| (random.range(0.2, 9.0), area(random, 8.0)))
        .collect();
    Scene::new(30.0, obstacles, painted, 0.0)
}

#[test]
fn candidates_are_seen_are_dense_enough_and_end_where_sight_does() {
    let mut random = Random::new(2013);
    for case in 0..40 {
        let scene = random_scene(&mut random);
        let points: Vec<(f64, f64)> = (0..6)
            .map(|_| random.point(DVec2::ONE, DVec2::splat(29.0)).into())
            .collect();
        let (look_ahead, sample_step) = (random.range(3.0, 60.0), random.range(0.3, 3.0));
        let route = route(&points, look_ahead, sample_step);
        let at = random.point(DVec2::ONE, DVec2::splat(29.0));
        if scene.obstacles.iter().any(|area| area.contains(at)) {
            continue;
        }
        let reference = random.range(0.0, route.length());
        let end = (reference + look_ahead).min(route.length());
        let (found, chosen) = seen(&scene, &route, at, reference, reference);
        // In order, within σ, visible, and weighed as in the paper.
        for pair in found.windows(2) {
            assert!(pair[0].along < pair[1].along, "case {case}: {pair:?}");
        }
        for candidate in &found {
            assert!((reference..=end + 1e-9).contains(&candidate.along));
            let blocked = scene
                .obstacles
                .iter()
                .flat_map(Polygon::edges)
                .any(|(c, d)| passes_through(at, candidate.at, c, d));
            assert!(!blocked, "case {case}: {candidate:?} from {at}");
            let beyond = candidate.along - reference;
            if beyond > 0.01 {
                let cost = scene.cost(at, candidate.at);
                let slack = 0.06 * 9.0 / beyond;
                assert!(
                    (candidate.weight - cost / beyond).abs() <= slack,
                    "case {case}: {candidate:?}, not {}",
                    cost / beyond
                );
            }
        }
        // A millimetre at a nearby corner is more on the route far away.
        // Where more than d of the route is visible, candidates are at most d apart, and one is at
        // its end if more than d is hidden there.
        let steps = ((end - reference) / 0.02) as usize;
        let is_seen = |i: usize| {
            let place = route.point_at(reference + 0.02 * i as f64);
            scene.room(at, place.expect("a place")) > 0.0
        };
        let views: Vec<bool> = (0..=steps).map(is_seen).collect();
        let mut from = 0;
        let runs = views.chunk_by(|a, b| a == b).map(|run| {
            from += run.len();
            (
                run[0],
                [from - run.len(), from].map(|i| reference + 0.02 * i as f64),
            )
        });
        let runs: Vec<(bool, [f64; 2])> = runs.collect();
        let is_long = |[from, to]: [f64; 2]| to - from > sample_step + 0.1;
        for (i, (is_seen, [from, to])) in runs.iter().enumerate() {
            if !(*is_seen && is_long([*from, *to])) {
                continue;
            }
            let inside: Vec<f64> = found.iter().map(|c| c.along).collect();
            let mut along = from + sample_step + 0.05;
            while along < *to {
                let near = inside
                    .iter()
                    .any(|c| (along - sample_step - 0.05..=along).contains(c));
                assert!(
                    near,
                    "case {case}: none within {sample_step} before {along}: {inside:?}"
                );
                along += 0.1;
            }
            if runs.get(i + 1).is_some_and(|(_, next)| is_long(*next)) {
                let at_end = inside.iter().any(|c| (c - to).abs() < 0.15);
                assert!(at_end, "case {case}: none at {to}: {inside:?}");
            }
        }
        // The choice is the least weight; ties go to the farthest.
        let Some(least) = found.iter().map(|c| c.weight).reduce(f64::min) else {
            continue;
        };
        let chosen = chosen.expect("there are candidates");
        assert!(
            chosen.weight <= least * (1.0 + 1e-6),
            "case {case}: {chosen:?} {found:?}"
        );
        let farther = found.iter().filter(|c| c.along > chosen.along + 1e-6);
        for other in farther {
            assert!(other.weight > chosen.weight * (1.0 - 1e-9), "case {case}");
        }
    }
}

#[test]
fn of_equal_weights_the_farthest_is_chosen() {
    let scene = Scene::new(40.0, vec![], vec![], 0.0);
    let straight = route(&[(2.0, 20.0), (38.0, 20.0)], 15.0, 2.0);
    for reference in [0.0, 3.0, 17.5, 30.0] {
        let at = straight.point_at(reference).expect("a place");
        let (found, chosen) = seen(&scene, &straight, at, reference, reference);
        // On the route all weights are equal.
        assert!(
            found.iter().all(|c| (c.weight - 1.0).abs() < 1e-9),
            "{found:?}"
        );
        let chosen = chosen.expect("something is seen");
        assert!((chosen.along - (reference + 15.0).min(36.0)).abs() < 1e-9);
    }
}

#[test]
fn the_reference_point_is_a_candidate_only_for_who_is_not_there() {
    let scene = Scene::new(40.0, vec![], vec![], 0.0);
    let line = route(&[(2.0, 20.0), (38.0, 20.0)], 15.0, 2.0);
    let at = |place: DVec2| seen(&scene, &line, place, 6.0, 6.0).0;
    assert!(at(p(8.0, 20.0)).iter().all(|c| c.along > 6.0));
    let beside = at(p(8.0, 21.0));
    assert_eq!(beside[0].along, 6.0);
    // The paper would divide by 0: this candidate is the fallback if there is no other.
    assert_eq!(beside[0].weight, f64::INFINITY);
    // Behind a wall with a gap, only the reference point is visible.
    let walls = vec![rect(0.0, 22.0, 7.99, 22.5), rect(8.01, 22.0, 40.0, 22.5)];
    let hidden = Scene::new(40.0, walls, vec![], 0.0);
    let (found, chosen) = seen(&hidden, &line, p(8.0, 30.0), 6.0, 6.0);
    assert!(!found.is_empty());
    assert!((chosen.expect("seen").at - p(8.0, 20.0)).length() < 0.1);
}

#[test]
fn expensive_ground_in_between_makes_nearer_candidates_better() {
    // A bog lies straight ahead; the route goes around it.
    let bog = (50.0, rect(10.0, 10.0, 20.0, 30.0));
    let scene = Scene::new(40.0, vec![], vec![bog], 0.0);
    let around = route(
        &[(5.0, 20.0), (9.0, 35.0), (21.0, 35.0), (25.0, 20.0)],
        80.0,
        1.0,
    );
    let start = p(5.0, 20.0);
    let (_, chosen) = seen(&scene, &around, start, 0.0, 0.0);
    let at = chosen.expect("seen").at;
    assert!(
        scene.cost(start, at) < 2.0 * start.distance(at),
        "into the bog: {at}"
    );
    let plain = Scene::new(40.0, vec![], vec![], 0.0);
    let (_, chosen) = seen(&plain, &around, start, 0.0, 0.0);
    assert_eq!(chosen.expect("seen").at, p(25.0, 20.0));
}
