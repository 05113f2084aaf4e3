//! Off the route, and back; and the last resort.

use super::*;
use crate::planner::corridor::Character;
use crate::planner::trace::EventKind;

fn door(radius: f64) -> Scene {
    let walls = vec![rect(9.0, 0.0, 11.0, 8.0), rect(9.5, 8.42, 10.5, 20.0)];
    Scene::new(20.0, walls, vec![], radius)
}

#[test]
fn a_door_hardly_wider_than_the_body_is_passed() {
    for radius in [0.0, 0.1, 0.2, 0.205] {
        let scene = door(radius);
        for route in [
            None,
            Some((&[p(2.0, 10.0), p(10.0, 8.21), p(18.0, 10.0)][..], 20.0, 2.0)),
        ] {
            let request = scene.request(p(2.0, 10.0), p(18.0, 10.0), route);
            for mut session in scene.sessions(&request) {
                let path = found(&mut *session)
                    .unwrap_or_else(|| panic!("{radius}: {}", reason(&*session)));
                scene.assert_clear(&path, &format!("radius {radius}"));
                assert!(path.length < 18.0, "radius {radius}: {}", path.length);
            }
        }
    }
}

#[test]
fn pushed_behind_a_wall_the_route_is_lost_and_a_new_stretch_leads_on() {
    let scene = Scene::new(40.0, vec![rect(5.0, 18.0, 35.0, 19.0)], vec![], 0.2);
    let weights = scene.weights();
    let ground = ExactGround::new(scene.terrain(), &weights, Some(scene.nav.cells()));
    let line = route(&[(6.0, 10.0), (34.0, 10.0)], 8.0, 2.0);
    let mut walker = Walker::new(
        Settings::of(&Profile::default(), 0.2),
        ground.eye(p(6.0, 10.0)).expect("free"),
    );
    let (mut log, mut chooser) = (Walked::default(), Chooser::default());
    for _ in 0..20 {
        assert_eq!(
            walker.step(&ground, &line, &mut chooser, &[], &mut log),
            Status::Walking
        );
    }
    // Beyond the wall, where no step could have led.
    walker.push_to(ground.eye(p(20.0, 30.0)).expect("free"));
    assert_eq!(
        walker.step(&ground, &line, &mut chooser, &[], &mut log),
        Status::Lost
    );
    let ends = [walker.position(), p(34.0, 10.0)];
    let path = Router::default().path(
        &scene.nav,
        scene.terrain(),
        &weights,
        RouteSource::Dual,
        ends,
    );
    let (stretch, _) = IndicativeRoute::new(path.expect("a path"), 8.0, 2.0, PartKind::Recovery);
    walker.take_up(*walker.eye());
    while walker.step(&ground, &stretch, &mut chooser, &[], &mut log) == Status::Walking {}
    assert_eq!(
        (walker.status(), walker.position()),
        (Status::Arrived, p(34.0, 10.0))
    );
}

#[test]
fn pushed_aside_in_the_open_it_comes_back_without_help() {
    let scene = Scene::new(40.0, vec![], vec![], 0.2);
    let weights = scene.weights();
    let ground = ExactGround::new(scene.terrain(), &weights, Some(scene.nav.cells()));
    let line = route(&[(4.0, 10.0), (36.0, 10.0)], 8.0, 2.0);
    let eye = ground.eye(p(4.0, 10.0)).expect("free");
    let mut walker = Walker::new(Settings::of(&Profile::default(), 0.2), eye);
    let (mut log, mut chooser) = (Walked::default(), Chooser::default());
    for _ in 0..10 {
        walker.step(&ground, &line, &mut chooser, &[], &mut log);
    }
    walker.push_to(ground.eye(p(8.0, 25.0)).expect("free"));
    while walker.step(&ground, &line, &mut chooser, &[], &mut log) == Status::Walking {}
    assert_eq!(walker.status(), Status::Arrived);
    assert_within_look_ahead(&log, 8.0);
}

#[test]
fn others_are_kept_away_from() {
    let scene = Scene::new(40.0, vec![], vec![], 0.3);
    let weights = scene.weights();
    let ground = ExactGround::new(scene.terrain(), &weights, Some(scene.nav.cells()));
    let line = route(&[(4.0, 10.0), (36.0, 10.0)], 8.0, 2.0);
    let other = Character {
        position: p(20.0, 10.1),
        radius: 0.3,
    };
    let nearest = |others: &[Character]| {
        let eye = ground.eye(p(4.0, 10.0)).expect("free");
        let mut walker = Walker::new(Settings::of(&Profile::default(), 0.3), eye);
        let (mut log, mut chooser) = (Walked::default(), Chooser::default());
        while walker.step(&ground, &line, &mut chooser, others, &mut log) == Status::Walking {}
        assert_eq!(walker.status(), Status::Arrived);
        let distances = log
            .steps
            .iter()
            .map(|s| s.position.distance(other.position));
        distances.fold(f64::INFINITY, f64::min)
    };
    let (alone, beside) = (nearest(&[]), nearest(&[other]));
    assert!(alone < 0.3 && beside > 0.6, "{alone} and {beside}");
}

#[test]
fn the_last_resort_keeps_to_the_line_bend_by_bend() {
    let scene = door(0.2);
    let weights = scene.weights();
    let ground = ExactGround::new(scene.terrain(), &weights, Some(scene.nav.cells()));
    let bends = [
        (2.0, 10.0),
        (9.2, 8.21),
        (10.8, 8.21),
        (14.0, 12.0),
        (18.0, 10.0),
    ];
    let line = route(&bends, 20.0, 2.0);
    let eye = ground.eye(p(2.0, 10.0)).expect("free");
    for (until, is_from_scratch) in [(f64::INFINITY, true), (9.0, false)] {
        let mut walker = Walker::new(Settings::of(&Profile::default(), 0.2), eye);
        walker.keep_to_line(until);
        let (mut log, mut chooser) = (Walked::default(), Chooser::default());
        while walker.step(&ground, &line, &mut chooser, &[], &mut log) == Status::Walking {}
        assert_eq!(
            (walker.status(), walker.position()),
            (Status::Arrived, p(18.0, 10.0))
        );
        let is_passed =
            |bend: &(f64, f64)| log.steps.iter().any(|s| s.position == p(bend.0, bend.1));
        assert!(is_passed(&bends[1]));
        assert_eq!(bends[..4].iter().all(is_passed), is_from_scratch);
        // At full speed throughout.
        for pair in log.steps.windows(2) {
            let walked = pair[0].position.distance(pair[1].position);
            assert!(walked <= 1.4 * (pair[1].time - pair[0].time) + 1e-9);
        }
    }
}

#[test]
fn events_come_in_the_order_of_time_and_name_their_places() {
    let scene = door(0.205);
    let request = scene.request(p(2.0, 10.0), p(18.0, 10.0), None);
    for mut session in scene.sessions(&request) {
        let path = found(&mut *session).expect("found");
        let trace = path.trace.as_ref().expect("a trace");
        assert!(
            trace
                .events
                .windows(2)
                .all(|pair| pair[0].time <= pair[1].time)
        );
        let recovered = trace
            .events
            .iter()
            .filter(|e| e.kind == EventKind::Recovered);
        for event in recovered {
            assert!(
                event
                    .text
                    .contains(&format!("at {:.1}, {:.1}", event.at.x, event.at.y))
            );
        }
        assert!(
            trace
                .steps
                .windows(2)
                .all(|pair| pair[0].time <= pair[1].time)
        );
    }
}
