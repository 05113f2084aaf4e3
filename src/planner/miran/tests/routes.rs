//! Following routes: the reference point, bad input, connections and detours.

use super::*;
use crate::base::Random;
use crate::planner::trace::EventKind;

#[test]
fn the_reference_point_is_the_first_of_the_nearest_between_the_last_two() {
    let mut random = Random::new(11);
    for case in 0..60 {
        let points: Vec<(f64, f64)> = (0..3 + case % 7)
            .map(|_| random.point(DVec2::ZERO, DVec2::splat(10.0)).into())
            .collect();
        let route = route(&points, 50.0, 1.0);
        let from = random.range(0.0, route.length());
        let to = random.range(from, route.length());
        let at = random.point(DVec2::ZERO, DVec2::splat(10.0));
        let found = route.first_closest(at, from, to);
        assert!((from..=to).contains(&found));
        let distance = |along: f64| route.point_at(along).expect("a place").distance(at);
        let steps = 4000;
        let places = (0..=steps).map(|i| from + (to - from) * f64::from(i) / f64::from(steps));
        let least = places.clone().map(distance).fold(f64::INFINITY, f64::min);
        assert!(distance(found) <= least + 1e-9, "case {case}");
        let step = (to - from) / f64::from(steps);
        let earlier = places.filter(|along| *along < found - 2.0 * step);
        for along in earlier {
            assert!(distance(along) >= distance(found) - 1e-9, "case {case}");
        }
    }
}

#[test]
fn where_a_route_passes_twice_the_first_time_counts() {
    // Out, back along the same line, and out again.
    let there_and_back = route(
        &[(0.0, 0.0), (10.0, 0.0), (0.0, 0.0), (10.0, 0.0)],
        40.0,
        1.0,
    );
    assert!((there_and_back.first_closest(p(4.0, 1.0), 0.0, 30.0) - 4.0).abs() < 1e-9);
    assert!((there_and_back.first_closest(p(4.0, 1.0), 5.0, 30.0) - 16.0).abs() < 1e-9);
    assert!((there_and_back.first_closest(p(4.0, 1.0), 17.0, 18.0) - 17.0).abs() < 1e-9);
    assert!((there_and_back.last_closest(p(4.0, 1.0), 0.0) - 24.0).abs() < 1e-9);
}

#[test]
fn a_character_beside_a_hairpin_does_not_jump_to_its_other_arm() {
    // The arms are 1 m apart; with 6 m of look-ahead the 60 m between them are not skipped.
    let hairpin = [p(2.0, 10.0), p(32.0, 10.0), p(32.0, 11.0), p(2.0, 11.0)];
    let scene = Scene::new(40.0, vec![], vec![], 0.2);
    let request = scene.request(hairpin[0], hairpin[3], Some((&hairpin, 6.0, 1.0)));
    let (path, session) = scene.walk(&request);
    let path = path.expect("found");
    assert!(path.length > 54.0, "{}", path.length);
    assert_within_look_ahead(session.state().walked().expect("walked"), 6.0);
    // With all of it in reach, it is skipped.
    let request = scene.request(hairpin[0], hairpin[3], Some((&hairpin, 100.0, 1.0)));
    let path = scene.walk(&request).0.expect("found");
    assert!(path.length < 5.0, "{}", path.length);
}

fn remarks(path: &Path) -> Vec<&str> {
    let trace = path.trace.as_ref().expect("a trace");
    let noted = trace.events.iter().filter(|e| e.kind == EventKind::Noted);
    noted.map(|event| event.text.as_str()).collect()
}

#[test]
fn routes_that_mean_little_are_put_right_with_a_sentence() {
    let house = rect(14.0, 8.0, 18.0, 22.0);
    let scene = Scene::new(40.0, vec![house], vec![], 0.3);
    let (start, goal) = (p(4.0, 15.0), p(36.0, 15.0));
    let straight = [start, p(10.0, 15.0), p(12.0, 15.0), p(20.0, 15.0), goal];
    let around = [start, p(16.0, 30.0), goal];
    for (line, sigma, d, words) in [
        (
            &[][..],
            20.0,
            5.0,
            "the route has no points; one is computed",
        ),
        (&[p(16.0, 30.0)], 20.0, 5.0, "the route has one point only"),
        (
            &straight,
            20.0,
            5.0,
            "the route runs through an obstacle at 16",
        ),
        (
            &around,
            2.0,
            5.0,
            "the look-ahead σ of 2 m is shorter than the sample distance d of 5 m",
        ),
        (&around, 0.0, 5.0, "the look-ahead σ is 0"),
        (&around, f64::NAN, 5.0, "the look-ahead σ is NaN"),
        (&around, 20.0, -1.0, "the sample distance d is -1"),
        (
            &[p(8.0, 30.0), p(30.0, 30.0)],
            20.0,
            5.0,
            "the start is 15.5 m off the route",
        ),
        (
            &[start, p(10.0, 33.0), p(30.0, 28.0)],
            20.0,
            5.0,
            "the goal is 14.3 m off the route",
        ),
    ] {
        let request = scene.request(start, goal, Some((line, sigma, d)));
        let (path, session) = scene.walk(&request);
        let path = path.unwrap_or_else(|| panic!("{words}: no path"));
        scene.assert_clear(&path, words);
        let said = remarks(&path);
        assert!(
            said.iter().any(|text| text.contains(words)),
            "{words}: {said:?}"
        );
        let trace = path.trace.as_ref().expect("a trace");
        for event in &trace.events {
            if event.text.starts_with("the goal is") {
                assert_eq!(event.at, goal, "a remark stands where it belongs");
            }
        }
        let route = session.state().route().expect("a route");
        assert!(route.sample_step() <= route.look_ahead());
        let ends = [0, path.points.len() - 1].map(|i| path.points[i].truncate());
        assert_eq!(ends, [start, goal], "{words}");
    }
    // A good route has no faults, and non-finite points do not count.
    let odd = [start, p(f64::NAN, 3.0), p(16.0, 30.0), p(16.0, 30.0), goal];
    let path = scene
        .walk(&scene.request(start, goal, Some((&odd, 20.0, 5.0))))
        .0;
    assert_eq!(remarks(&path.expect("found")), [""; 0]);
}

#[test]
fn the_one_point_of_a_route_is_passed() {
    let scene = Scene::new(40.0, vec![], vec![], 0.3);
    let by = p(20.0, 35.0);
    let request = scene.request(p(2.0, 5.0), p(38.0, 5.0), Some((&[by], 4.0, 1.0)));
    let path = scene.walk(&request).0.expect("found");
    let nearest = path
        .points
        .iter()
        .map(|q| q.truncate().distance(by))
        .fold(f64::INFINITY, f64::min);
    assert!(nearest < 2.0, "{nearest}");
}

#[test]
fn what_is_not_drawn_is_told_apart() {
    let house = rect(14.0, 8.0, 18.0, 22.0);
    let scene = Scene::new(40.0, vec![house], vec![], 0.3);
    let line = [p(4.0, 15.0), p(34.0, 15.0)];
    let request = scene.request(p(4.0, 3.0), p(38.0, 20.0), Some((&line, 20.0, 5.0)));
    let (path, session) = scene.walk(&request);
    assert!(path.is_some());
    let route = session.state().route().expect("a route");
    let kinds: Vec<PartKind> = route.parts().iter().map(|part| part.kind).collect();
    assert_eq!(
        kinds,
        [
            PartKind::Connection,
            PartKind::Drawn,
            PartKind::Detour,
            PartKind::Drawn,
            PartKind::Connection,
        ]
    );
    assert_eq!(route.parts()[0].from, 0.0);
    assert_eq!(route.parts()[4].to, route.length());
    assert!(
        route
            .parts()
            .windows(2)
            .all(|pair| pair[0].to == pair[1].from)
    );
    // All of it is free.
    for pair in route.points().windows(2) {
        assert!(scene.room(pair[0], pair[1]) >= 0.3 - SLACK);
    }
}

#[test]
fn a_detour_does_not_come_back_only_to_turn_round() {
    let house = rect(10.0, 10.0, 30.0, 20.0);
    let scene = Scene::new(40.0, vec![house], vec![], 0.3);
    // Around the corner on the right, and the line continues to the right.
    let line = [p(8.0, 30.0), p(28.0, 8.0)];
    let weights = scene.weights();
    let led = Router::default().repaired(&scene.nav, scene.terrain(), &weights, &line);
    assert_eq!([led[0], led[led.len() - 1]], line);
    assert!(led.len() > 2, "there is a detour");
    for bend in led.windows(3) {
        let [a, b] = [bend[1] - bend[0], bend[2] - bend[1]];
        assert!(a.normalize().dot(b.normalize()) > -0.5, "{bend:?}");
        assert!(scene.room(bend[0], bend[1]) >= 0.3 - SLACK);
    }
}

#[test]
fn computed_routes_are_free_and_end_where_they_should_by_every_source() {
    let obstacles = vec![rect(10.0, 0.0, 12.0, 25.0), rect(20.0, 15.0, 22.0, 40.0)];
    let mud = (20.0, rect(12.5, 10.0, 19.5, 40.0));
    let scene = Scene::new(40.0, obstacles, vec![mud], 0.4);
    let (start, goal) = (p(3.0, 3.0), p(37.0, 37.0));
    let weights = scene.weights();
    for source in RouteSource::ALL {
        let path = Router::default()
            .path(&scene.nav, scene.terrain(), &weights, source, [start, goal])
            .expect("a path");
        assert_eq!([path[0], path[path.len() - 1]], [start, goal], "{source:?}");
        for pair in path.windows(2) {
            let room = scene.room(pair[0], pair[1]);
            assert!(room >= 0.4 - SLACK, "{source:?}: {room} at {pair:?}");
        }
    }
    let closed = Scene::new(40.0, vec![rect(18.0, 0.0, 20.0, 40.0)], vec![], 0.4);
    for source in RouteSource::ALL {
        let ends = [start, goal];
        let path = Router::default().path(&closed.nav, closed.terrain(), &weights, source, ends);
        assert_eq!(path, Err(NoRoute::Unreachable), "{source:?}");
    }
}
