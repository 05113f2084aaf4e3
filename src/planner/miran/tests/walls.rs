//! Walkers never pass through walls: at any step size, with any radius, however thin the wall.

use super::*;
use crate::nav::terrain::sight::look;

/// A complete walk, as its positions.
fn steps(scene: &Scene, route: &IndicativeRoute, settings: Settings) -> (Vec<DVec2>, Status) {
    let weights = scene.weights();
    let ground = ExactGround::new(scene.terrain(), &weights, Some(scene.nav.cells()));
    let eye = ground.eye(route.points()[0]).expect("free");
    let mut walker = Walker::new(settings, eye);
    let (mut log, mut chooser) = (Walked::default(), Chooser::default());
    let mut places = vec![walker.position()];
    for _ in 0..60_000 {
        let status = walker.step(&ground, route, &mut chooser, &[], &mut log);
        places.push(walker.position());
        if status != Status::Walking {
            assert_within_look_ahead(&log, route.look_ahead());
            return (places, status);
        }
    }
    panic!("no end at step {}", settings.step_secs);
}

/// Thin walls, with gaps at one end and the other.
fn slalom(radius: f64) -> Scene {
    let walls = vec![
        rect(10.0, 0.0, 10.002, 32.0),
        rect(18.0, 8.0, 18.3, 40.0),
        rect(26.0, 0.0, 26.002, 30.0),
    ];
    Scene::new(40.0, walls, vec![], radius)
}

#[test]
fn nobody_tunnels_at_any_step_size() {
    let points = [
        (3.0, 3.0),
        (8.0, 36.0),
        (12.0, 36.0),
        (17.0, 4.0),
        (19.5, 4.0),
        (24.0, 35.0),
        (28.0, 35.0),
        (37.0, 3.0),
    ];
    let route = route(&points, 30.0, 2.0);
    for radius in [0.0, 0.3, 1.0] {
        let scene = slalom(radius);
        for (step_secs, longest) in [
            (0.02, 1.0),
            (0.02, 300.0),
            (0.2, 1.0),
            (0.2, 8.0),
            (1.0, 1.0),
            (1.0, 8.0),
            (7.0, 1.0),
            (100.0, 1.0),
        ] {
            for (speed, steering) in [(1.4, 5.0), (30.0, 2.0)] {
                let settings = Settings {
                    radius,
                    safe_distance: radius,
                    speed,
                    steering,
                    step_secs,
                    longest_step_secs: longest * step_secs,
                };
                let about =
                    format!("radius {radius}, step {step_secs} to {longest}, speed {speed}");
                let (places, status) = steps(&scene, &route, settings);
                for pair in places.windows(2) {
                    let through = scene
                        .obstacles
                        .iter()
                        .flat_map(Polygon::edges)
                        .any(|(c, d)| passes_through(pair[0], pair[1], c, d));
                    assert!(!through, "{about}: {pair:?}");
                    let room = scene.room(pair[0], pair[1]);
                    assert!(room >= radius - SLACK, "{about}: {room} at {pair:?}");
                }
                // Small steps always arrive; after large ones, a new stretch may be needed.
                if step_secs <= 0.2 && speed < 2.0 {
                    assert_eq!(status, Status::Arrived, "{about}");
                }
                if status == Status::Arrived {
                    assert_eq!(places.last(), route.goal().as_ref());
                }
            }
        }
    }
}

#[test]
fn discs_of_any_radius_take_the_gaps_that_they_fit_through() {
    // Gaps of 0.5 m, 1 m and 4 m, one after the other along the wall.
    let walls = vec![
        rect(20.0, 0.0, 21.0, 10.0),
        rect(20.0, 10.5, 21.0, 20.0),
        rect(20.0, 21.0, 21.0, 30.0),
        rect(20.0, 34.0, 21.0, 40.0),
    ];
    let crossings = [
        (0.0, 10.25),
        (0.2, 10.25),
        (0.4, 20.5),
        (0.6, 32.0),
        (1.8, 32.0),
    ];
    for (radius, y) in crossings {
        let scene = Scene::new(40.0, walls.clone(), vec![], radius);
        let request = scene.request(p(5.0, 6.0), p(35.0, 6.0), None);
        for mut session in scene.sessions(&request) {
            let path = found(&mut *session).expect("found");
            scene.assert_clear(&path, &format!("radius {radius}"));
            let crossing = path.points.windows(2).find_map(|pair| {
                let [a, b] = [pair[0].truncate(), pair[1].truncate()];
                let share = (20.5 - a.x) / (b.x - a.x);
                (a.x <= 20.5 && b.x > 20.5).then(|| a.lerp(b, share).y)
            });
            let crossing = crossing.expect("on the other side");
            assert!((crossing - y).abs() < 2.0, "radius {radius}: at {crossing}");
        }
    }
    let scene = Scene::new(40.0, walls, vec![], 2.2);
    let request = scene.request(p(5.0, 6.0), p(35.0, 6.0), None);
    let (path, session) = scene.walk(&request);
    assert!(path.is_none());
    assert!(reason(&session).contains("4.00 m wide"));
}

#[test]
fn a_line_of_sight_may_touch_corners_on_both_sides() {
    // Two blocks whose corners both lie on the straight line, one on its left, one on its right.
    let blocks = vec![rect(10.0, 20.0, 14.0, 26.0), rect(24.0, 14.0, 28.0, 20.0)];
    let scene = Scene::new(40.0, blocks, vec![], 0.0);
    let cells = scene.nav.cells();
    for (a, b) in [
        (p(2.0, 20.0), p(38.0, 20.0)),
        (p(10.0, 20.0), p(38.0, 20.0)),
        (p(14.0, 20.0), p(24.0, 20.0)),
        (p(12.0, 20.0), p(26.0, 20.0)),
        (p(10.0, 18.0), p(10.0, 34.0)),
        (p(14.0, 34.0), p(14.0, 12.0)),
        (p(28.0, 2.0), p(28.0, 30.0)),
    ] {
        for [from, to] in [[a, b], [b, a]] {
            let sight = look(cells, from, to, None);
            assert!(sight.is_clear(), "{from} to {to}: {sight:?}");
        }
    }
    // Slightly to the side, the block obstructs the line.
    for y in [20.002, 19.998] {
        assert!(!look(cells, p(2.0, y), p(38.0, y), None).is_clear());
    }
}
