//! Corridors and walks, checked step by step.

use super::*;
use crate::base::random::Random;
use crate::document::{Template, template::Options};
use crate::geometry::{Polygon, Rect};
use crate::jobs::JobContext;
use crate::nav::corridor::{CorridorMap, DeadEnds, MAX_SAG, build_between};
use glam::DVec2;

fn cases(few: usize) -> usize {
    std::env::var("WAYLOOM_CASES")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(few)
}

fn map(bounds: Rect, obstacles: &[Polygon]) -> CorridorMap {
    build_between(bounds, obstacles, DeadEnds::Keep, &JobContext::default()).expect("in range")
}

fn mckenna() -> CorridorMap {
    let options = Options {
        seed: 0,
        size: None,
        height: None,
    };
    let level = Template::Mckenna.build(&options).expect("a sample");
    let obstacles: Vec<Polygon> = level.obstacles().map(|(.., o)| o.area.clone()).collect();
    assert!(obstacles.len() >= 23);
    map(level.settings().bounds, &obstacles)
}

/// A wall with two gaps: 1 m at y = 5.5, 3 m at y = 15.5.
fn gates() -> CorridorMap {
    let wall =
        |from: f64, to: f64| Polygon::rect(Rect::new(DVec2::new(9.0, from), DVec2::new(11.0, to)));
    map(
        Rect::new(DVec2::ZERO, DVec2::splat(20.0)),
        &[wall(-1.0, 5.0), wall(6.0, 14.0), wall(17.0, 21.0)],
    )
}

fn request(start: (f64, f64), goal: (f64, f64), radius: f64) -> CorridorRequest {
    CorridorRequest {
        start: start.into(),
        goal: goal.into(),
        radius,
        safe_distance: radius,
    }
}

/// A point where a disc of the radius fits, away from characters.
fn free_place(random: &mut Random, map: &CorridorMap, radius: f64) -> DVec2 {
    let extent = map.extent();
    loop {
        let p = random.point(extent.min, extent.max);
        if map.walls().clearance(p).is_some_and(|c| c >= radius) {
            return p;
        }
    }
}

#[test]
fn a_small_character_takes_the_near_gate_and_a_large_one_the_wide_gate() {
    let map = gates();
    let through = |radius: f64| {
        let found = backbone(&map, &request((4.0, 4.0), (16.0, 4.0), radius));
        let found = found.expect("there is a path");
        let at_wall = found.corridor.samples().iter().find(|s| s.point.x > 9.5);
        (at_wall.expect("passes the wall").point.y, found.is_tight)
    };
    let (near, far) = (through(0.2), through(0.4));
    assert!((near.0 - 5.5).abs() < 0.5 && !near.1, "{near:?}");
    assert!((far.0 - 15.5).abs() < 1.0 && !far.1, "{far:?}");
    let squeezed = through(1.2);
    assert!(
        (squeezed.0 - 15.5).abs() < 1.0 && squeezed.1,
        "{squeezed:?}"
    );
}

#[test]
fn no_way_comes_with_the_reason() {
    let map = gates();
    let ask = |start, goal, radius| backbone(&map, &request(start, goal, radius)).map(|_| ());
    match ask((4.0, 4.0), (16.0, 4.0), 1.7) {
        Err(NoCorridor::TooNarrow { width, narrowest }) => {
            assert!((width - 3.0).abs() < 0.01, "{width}");
            assert!((narrowest.point.x - 10.0).abs() < 1.1, "{narrowest:?}");
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(
        ask((10.0, 1.0), (16.0, 4.0), 0.2),
        Err(NoCorridor::StartBlocked)
    );
    assert_eq!(
        ask((4.0, 4.0), (99.0, 4.0), 0.2),
        Err(NoCorridor::GoalBlocked)
    );
    assert_eq!(
        ask((4.0, 4.0), (f64::NAN, 4.0), 0.2),
        Err(NoCorridor::GoalBlocked)
    );
    assert_eq!(
        ask((4.0, 4.0), (16.0, 4.0), f64::NAN),
        Err(NoCorridor::NoRadius)
    );
    assert!(matches!(
        ask((0.1, 4.0), (16.0, 4.0), 0.5),
        Err(NoCorridor::StartTooNarrow { .. })
    ));
    let two_rooms = Polygon::rect(Rect::new(DVec2::new(9.0, -1.0), DVec2::new(11.0, 21.0)));
    let parted = self::map(Rect::new(DVec2::ZERO, DVec2::splat(20.0)), &[two_rooms]);
    assert_eq!(
        backbone(&parted, &request((4.0, 4.0), (16.0, 4.0), 0.2)).map(|_| ()),
        Err(NoCorridor::Separated)
    );
}

#[test]
fn the_border_is_one_closed_line_that_no_wall_crosses() {
    let map = mckenna();
    let mut random = Random::new(21);
    for _ in 0..6 {
        let (start, goal) = (
            free_place(&mut random, &map, 0.5),
            free_place(&mut random, &map, 0.5),
        );
        let request = request(start.into(), goal.into(), 0.5);
        let Ok(found) = backbone(&map, &request) else {
            continue;
        };
        let pieces = found.corridor.pieces();
        let ends = |piece: &Piece| match *piece {
            Piece::Segment { from, to } => [from, to],
            Piece::Arc {
                centre,
                radius,
                start,
                sweep,
            } => [start, start - sweep].map(|a| centre + DVec2::from_angle(a) * radius),
        };
        for (piece, next) in pieces.iter().zip(pieces.iter().cycle().skip(1)) {
            // The discs at either end lie on chords, which are off by the sag.
            let gap = ends(piece)[1].distance(ends(next)[0]);
            assert!(gap < 2.0 * MAX_SAG, "{piece:?} {next:?}");
        }
        assert!(found.corridor.contains(start) && found.corridor.contains(goal));
        // The border is never farther than the nearest wall, and never inside one.
        for _ in 0..50 {
            let at = random.pick(found.corridor.samples()).expect("samples");
            let angle = random.range(0.0, std::f64::consts::TAU);
            let p = at.point + DVec2::from_angle(angle) * (at.clearance * random.unit() * 0.99);
            let clearance = map.walls().clearance(p).expect("in a free disc");
            let border = found.corridor.closest(p).expect("a border");
            assert!(border.distance <= clearance + 0.02, "{p}");
            let brute = pieces
                .iter()
                .map(|piece| piece.closest(p).distance(p))
                .fold(f64::INFINITY, f64::min);
            assert!((brute - border.distance).abs() < 1e-9);
        }
    }
}

#[test]
fn a_route_leads_through_the_gate_it_passes() {
    let map = gates();
    let ask = request((4.0, 4.0), (16.0, 4.0), 0.2);
    let route = [(4.0, 4.0), (5.0, 15.0), (15.0, 15.2), (16.0, 4.0)].map(DVec2::from);
    let found = along_route(&map, &ask, &route).expect("a path").backbone;
    let at_wall = found.corridor.samples().iter().find(|s| s.point.x > 9.5);
    assert!((at_wall.expect("passes").point.y - 15.5).abs() < 1.0);
    // A route through the wall is joined where possible.
    let through = [(4.0, 4.0), (16.0, 10.0)].map(DVec2::from);
    assert!(along_route(&map, &ask, &through).is_ok());
    let inside = [(10.0, 1.0), (10.0, 2.0)].map(DVec2::from);
    assert!(matches!(
        along_route(&map, &ask, &inside),
        Err(NoCorridor::RouteBlocked)
    ));
    // No part of the corridor is walked twice.
    let samples = found.corridor.samples();
    for pair in samples.windows(3) {
        let back = (pair[1].point - pair[0].point).dot(pair[2].point - pair[1].point);
        let (a, b) = (pair[1].point - pair[0].point, pair[2].point - pair[1].point);
        assert!(back >= -0.999 * a.length() * b.length() || a.length() * b.length() < 1e-9);
    }
}

#[test]
fn shortcuts_are_shorter_and_keep_the_clearance() {
    let map = mckenna();
    let mut random = Random::new(22);
    for _ in 0..10 {
        let (start, goal) = (
            free_place(&mut random, &map, 1.5),
            free_place(&mut random, &map, 1.5),
        );
        let Ok(found) = backbone(&map, &request(start.into(), goal.into(), 0.5)) else {
            continue;
        };
        let control = ControlPath::of_backbone(&map, start, found.corridor.samples(), goal);
        let short = shortcut(&map, &control, 1.0);
        assert!(short.line().length() <= control.line().length() + 1e-9);
        let ends = short.line().points();
        assert_eq!((ends[0], ends[ends.len() - 1]), (start, goal));
        for pair in ends.windows(2) {
            assert!(map.walls().is_clear(pair[0], pair[1], 0.49), "{pair:?}");
        }
    }
}

const ATTRACTIONS: [Attraction; 4] = [
    Attraction::ClearanceDisc,
    Attraction::ConstantSpeed {
        speed: 1.4,
        max_lead: 4.0,
    },
    Attraction::Distance { distance: 3.0 },
    Attraction::Visibility { max_lead: 8.0 },
];

/// Walks and checks every step; returns the points and how it ended.
fn walked(motion: &mut Motion, map: &CorridorMap, people: &[Character], radius: f64) -> Vec<DVec2> {
    let mut points = vec![motion.state().position];
    let mut ticks = 0;
    while motion.step() == Status::Moving {
        ticks += 1;
        assert!(ticks < 200_000, "neither arrives nor gives up");
        points.push(motion.state().position);
    }
    points.push(motion.state().position);
    points.dedup();
    for pair in points.windows(2) {
        assert!(pair[0].distance(pair[1]) < 0.3);
        assert!(
            map.walls().is_clear(pair[0], pair[1], radius - 1e-6),
            "{pair:?}"
        );
        assert!(map.walls().is_free(pair[1]));
        for person in people {
            let gap = person.position.distance(pair[1]) - person.radius - radius;
            let before = person.position.distance(pair[0]) - person.radius - radius;
            assert!(
                gap >= -1e-6 || gap >= before - 1e-9,
                "walked into a character"
            );
        }
    }
    points
}

#[test]
fn every_way_of_attraction_and_both_methods_arrive_without_a_collision() {
    let map = mckenna();
    let radius = 0.5;
    let mut arrived = 0;
    for case in 0..cases(2) {
        let mut random = Random::stream(23, case as u64);
        let (start, goal) = (
            free_place(&mut random, &map, radius),
            free_place(&mut random, &map, radius),
        );
        let Ok(found) = backbone(&map, &request(start.into(), goal.into(), radius)) else {
            continue;
        };
        let control = ControlPath::of_backbone(&map, start, found.corridor.samples(), goal);
        let short = shortcut(&map, &control, 2.0 * radius);
        let walks = ATTRACTIONS
            .iter()
            .flat_map(|&attraction| [(Method::Improved, attraction, &control)])
            .chain(
                ATTRACTIONS[1..]
                    .iter()
                    .map(|&a| (Method::Improved, a, &short)),
            )
            .chain([(Method::Original, Attraction::ClearanceDisc, &control)]);
        for (method, attraction, path) in walks {
            let settings = Settings {
                attraction,
                ..Settings::new(method, radius)
            };
            let mut motion = Motion::new(&map, &found.corridor, path, &[], settings);
            let points = walked(&mut motion, &map, &[], radius);
            assert_eq!(
                motion.status(),
                Status::Arrived,
                "case {case}: {start} to {goal}, {method:?} {attraction:?}, at {:?}",
                points.last()
            );
            assert_eq!(points.last(), Some(&goal));
            arrived += 1;
        }
    }
    assert!(arrived > 0);
}

#[test]
fn the_disc_of_the_attraction_point_holds_the_character_all_the_way() {
    let map = mckenna();
    let mut random = Random::new(25);
    let radius = 0.5;
    for _ in 0..6 {
        let (start, goal) = (
            free_place(&mut random, &map, radius),
            free_place(&mut random, &map, radius),
        );
        let Ok(found) = backbone(&map, &request(start.into(), goal.into(), radius)) else {
            continue;
        };
        let control = ControlPath::of_backbone(&map, start, found.corridor.samples(), goal);
        let settings = Settings::new(Method::Improved, radius);
        let mut motion = Motion::new(&map, &found.corridor, &control, &[], settings);
        let mut before = 0.0;
        while motion.step() == Status::Moving {
            let state = motion.state();
            let room = map.walls().clearance(state.attraction_point).expect("free") - radius;
            assert!(
                state.attraction_point.distance(state.position) < room + 0.05,
                "{state:?}"
            );
            let along = control
                .line()
                .closest(state.attraction_point)
                .expect("a line")
                .along;
            // It may fall back a little when the character drifts outwards in a bend.
            assert!(along > before - 3.0, "{before} {state:?}");
            before = along;
        }
    }
}

#[test]
fn somebody_in_a_narrow_gate_is_named_as_the_reason() {
    let map = gates();
    let radius = 0.3;
    let ask = request((4.0, 5.5), (16.0, 5.5), radius);
    let narrow = CorridorRequest {
        safe_distance: 0.1,
        ..ask
    };
    let found = backbone(&map, &narrow).expect("a path");
    let control = ControlPath::of_backbone(&map, ask.start, found.corridor.samples(), ask.goal);
    let people = [Character {
        position: DVec2::new(10.0, 5.5),
        radius: 0.4,
    }];
    for method in [Method::Original, Method::Improved] {
        let settings = Settings::new(method, radius);
        let mut motion = Motion::new(&map, &found.corridor, &control, &people, settings);
        walked(&mut motion, &map, &people, radius);
        assert_eq!(
            motion.status(),
            Status::Stuck(Obstructed::ByCharacter { index: 0 }),
            "{method:?}"
        );
    }
}

#[test]
fn settings_that_make_no_sense_end_at_once() {
    let map = gates();
    let found = backbone(&map, &request((4.0, 4.0), (16.0, 4.0), 0.2)).expect("a path");
    let path = ControlPath::of_backbone(
        &map,
        DVec2::splat(4.0),
        found.corridor.samples(),
        DVec2::new(16.0, 4.0),
    );
    let ends = |settings| {
        let mut motion = Motion::new(&map, &found.corridor, &path, &[], settings);
        motion.step()
    };
    let good = Settings::new(Method::Improved, 0.2);
    for bad in [
        Settings { speed: 0.0, ..good },
        Settings {
            step_secs: f64::NAN,
            ..good
        },
        Settings {
            radius: -1.0,
            ..good
        },
    ] {
        assert_eq!(ends(bad), Status::Stuck(Obstructed::BySettings));
    }
    assert_eq!(
        ends(Settings {
            radius: 4.5,
            ..good
        }),
        Status::Stuck(Obstructed::AtStart)
    );
    let empty = ControlPath::default();
    let mut motion = Motion::new(&map, &found.corridor, &empty, &[], good);
    assert_eq!(motion.step(), Status::Stuck(Obstructed::AtStart));
}
