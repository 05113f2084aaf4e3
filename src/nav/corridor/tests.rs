//! The map against brute force.

use super::*;
use crate::base::random::Random;
use crate::geometry::{
    Polygon, Rect,
    boolean::difference,
    hostile::{any_polygon, small_polygon},
    lattice::LATTICE,
    offset::{Join, grow},
};
use crate::jobs::JobContext;
use crate::nav::free_space::{FreeSpace, Input, excess};
use crate::nav::trapezoid::Trapezoids;
use glam::DVec2;
use proptest::prelude::*;

/// Cases of the long tests: `WAYLOOM_CASES`, or few.
fn cases(few: usize) -> usize {
    std::env::var("WAYLOOM_CASES")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(few)
}

fn square(from: f64, to: f64) -> Polygon {
    Polygon::rect(Rect::new(DVec2::splat(from), DVec2::splat(to)))
}

fn map(bounds: Rect, obstacles: &[Polygon], dead_ends: DeadEnds) -> CorridorMap {
    build_between(bounds, obstacles, dead_ends, &JobContext::default()).expect("in range")
}

fn bounds(size: f64) -> Rect {
    Rect::new(DVec2::ZERO, DVec2::splat(size))
}

/// Random blocks of various shapes, some overlapping.
fn town(random: &mut Random, size: f64, count: usize) -> Vec<Polygon> {
    (0..count)
        .map(|_| {
            let at = random.point(DVec2::ZERO, DVec2::splat(size));
            let radii = random.point(DVec2::splat(size / 40.0), DVec2::splat(size / 8.0));
            if random.chance(0.5) {
                Polygon::rect(Rect::around(at, radii))
            } else {
                Polygon::ellipse(at, radii, 3 + random.below(5), random.range(0.0, 6.0))
            }
        })
        .collect()
}

#[test]
fn a_square_room_has_four_edges_into_its_corners() {
    let room = map(bounds(10.0), &[], DeadEnds::Keep);
    assert_eq!(room.check_invariants(), Ok(()));
    assert_eq!((room.vertices().len(), room.edges().len()), (5, 4));
    let middle = room.vertices().iter().find(|v| v.touches.len() == 4);
    let middle = middle.expect("four walls are equally near");
    assert!(middle.point.distance(DVec2::splat(5.0)) < 1e-9);
    assert!((middle.clearance - 5.0).abs() < 1e-9);
    assert!(room.edges().iter().all(|edge| edge.is_dead_end));
    for dead_ends in [DeadEnds::CutCorners, DeadEnds::Prune] {
        let pruned = map(bounds(10.0), &[], dead_ends);
        assert_eq!((pruned.vertices().len(), pruned.edges().len()), (1, 0));
    }
}

#[test]
fn clearance_is_half_the_width_in_a_straight_corridor() {
    let corridor = Rect::new(DVec2::ZERO, DVec2::new(20.0, 4.0));
    let map = map(corridor, &[], DeadEnds::CutCorners);
    assert_eq!(map.edges().len(), 1);
    assert!(
        map.samples()
            .iter()
            .all(|s| (s.clearance - 2.0).abs() < 1e-9)
    );
    assert!(
        map.samples()
            .iter()
            .all(|s| (s.left.y - s.right.y).abs() > 3.9)
    );
    assert_eq!(map.check_invariants(), Ok(()));
}

#[test]
fn a_loop_around_a_block_stays_when_dead_ends_go() {
    let map = map(bounds(10.0), &[square(4.0, 6.0)], DeadEnds::Prune);
    assert_eq!(map.check_invariants(), Ok(()));
    let length: f64 = map.edges().iter().map(|edge| edge.length).sum();
    assert!(length > 20.0 && map.edges().iter().all(|edge| !edge.is_dead_end));
    for sample in map.samples() {
        assert!(
            [sample.left_blocker, sample.right_blocker].contains(&Some(0)),
            "{sample:?}"
        );
        assert!([sample.left_blocker, sample.right_blocker].contains(&None));
    }
}

#[test]
fn the_narrowest_place_is_the_first_pinch_and_cuts_there() {
    // A wall with a gap of 1 m and one of 2 m.
    let wall =
        |from: f64, to: f64| Polygon::rect(Rect::new(DVec2::new(9.0, from), DVec2::new(11.0, to)));
    let obstacles = [wall(-1.0, 5.0), wall(6.0, 14.0), wall(16.0, 21.0)];
    let map = map(bounds(20.0), &obstacles, DeadEnds::Keep);
    assert_eq!(map.check_invariants(), Ok(()));
    let pinches = map.pinch_points();
    let widths: Vec<f64> = pinches.iter().map(|p| p.width).collect();
    assert!(widths.len() >= 2, "{widths:?}");
    assert!(
        (widths[0] - 1.0).abs() < 1e-6 && (widths[1] - 2.0).abs() < 1e-6,
        "{widths:?}"
    );
    let blockers = [
        pinches[0].sample.left_blocker,
        pinches[0].sample.right_blocker,
    ];
    assert!(blockers.contains(&Some(0)) && blockers.contains(&Some(1)));
    let (a, b) = (DVec2::new(2.0, 10.0), DVec2::new(18.0, 10.0));
    for (radius, together) in [(0.4, true), (0.9, true), (1.01, false)] {
        let parts = map.components(radius);
        let of = |p| parts.of(&map, p).expect("fits");
        assert_eq!(of(a) == of(b), together, "{radius}");
    }
    assert_eq!(map.components(1.01).of(&map, DVec2::new(10.0, 5.5)), None);
}

#[test]
fn rooms_that_touch_in_a_point_are_not_joined() {
    let rooms = [square(0.0, 4.0), square(4.0, 8.0)];
    let map = build(
        &rooms,
        &Blockers::default(),
        DeadEnds::Keep,
        &JobContext::default(),
    )
    .expect("in range");
    assert_eq!(map.check_invariants(), Ok(()));
    let parts = map.components(0.0);
    assert_eq!(parts.count(), 2);
    assert_ne!(
        parts.of(&map, DVec2::splat(1.0)),
        parts.of(&map, DVec2::splat(7.0))
    );
}

#[test]
fn nothing_and_everything_blocked_give_an_empty_map() {
    let blocked = map(bounds(4.0), &[square(-1.0, 5.0)], DeadEnds::Keep);
    assert_eq!(blocked, CorridorMap::default());
    assert_eq!(blocked.nearest(DVec2::ONE), None);
    assert_eq!(blocked.retract(DVec2::ONE), None);
    assert!(blocked.pinch_points().is_empty());
    assert_eq!(blocked.components(1.0).count(), 0);
    let cancelled = JobContext::default();
    cancelled.cancel();
    assert!(matches!(
        build_between(bounds(4.0), &[], DeadEnds::Keep, &cancelled),
        Err(CorridorError::Cancelled(_))
    ));
}

#[test]
fn random_towns_are_exact() {
    for case in 0..cases(12) {
        let mut random = Random::stream(11, case as u64);
        let count = 1 + random.below(12);
        let obstacles = town(&mut random, 100.0, count);
        for dead_ends in [DeadEnds::Keep, DeadEnds::CutCorners, DeadEnds::Prune] {
            let map = map(bounds(100.0), &obstacles, dead_ends);
            assert_eq!(map.check_invariants(), Ok(()), "case {case}");
        }
    }
}

/// Large enough for several boxes: an incremental update gives the map that a full build gives.
#[test]
fn an_incremental_update_equals_a_full_build() {
    let mut random = Random::new(16);
    let mut obstacles: Vec<Polygon> = (0..49)
        .map(|i| {
            let at = DVec2::new(f64::from(i % 7), f64::from(i / 7)) * 14.0 + 7.0;
            let radii = random.point(DVec2::splat(2.0), DVec2::splat(6.0));
            Polygon::ellipse(at, radii, 7, random.range(0.0, 6.0))
        })
        .collect();
    let mut before = map(bounds(100.0), &obstacles, DeadEnds::Keep);
    assert!(before.walls().list().len() > 256);
    assert_eq!(before.check_invariants(), Ok(()));
    for _ in 0..3 {
        let moved = random.below(obstacles.len());
        let by = random.point(DVec2::splat(-3.0), DVec2::splat(3.0));
        obstacles[moved] = obstacles[moved].clone().map(|p| p + by);
        let ctx = JobContext::default();
        let dead_ends = DeadEnds::Keep;
        let after = rebuild_between(bounds(100.0), &obstacles, dead_ends, Some(&before), &ctx);
        let after = after.expect("in range");
        assert_eq!(after, map(bounds(100.0), &obstacles, DeadEnds::Keep));
        assert_eq!(after.check_invariants(), Ok(()));
        assert_ne!(after, before);
        before = after;
    }
}

#[test]
fn every_free_place_retracts_to_a_wider_one_that_holds_it() {
    for case in 0..cases(12) {
        let mut random = Random::stream(12, case as u64);
        let obstacles = town(&mut random, 100.0, 8);
        let map = map(bounds(100.0), &obstacles, DeadEnds::Keep);
        for _ in 0..50 {
            let p = random.point(DVec2::ZERO, DVec2::splat(100.0));
            let Some(clearance) = map.walls().clearance(p) else {
                assert_eq!(map.retract(p), None);
                continue;
            };
            let at = map.retract(p).expect("free");
            assert!(
                at.clearance >= clearance - MAX_SAG,
                "case {case}: {p} {at:?}"
            );
            assert!(
                at.point.distance(p) <= at.clearance - clearance + 5.0 * MAX_SAG,
                "case {case}: {p} {clearance} {at:?}"
            );
        }
    }
}

/// Two points are in one component exactly when cells and portals of that radius connect them. Free
/// space for portals has round corners approximated by chords on the lattice, up to [`excess`] too
/// far out, so the map is queried with a radius slightly smaller and larger.
#[test]
fn connectivity_is_that_of_the_portals() {
    let ctx = JobContext::default();
    let mut told = [0, 0];
    for case in 0..cases(200) {
        let mut random = Random::stream(13, case as u64);
        let count = 4 + random.below(10);
        let obstacles = town(&mut random, 60.0, count);
        let map = map(bounds(60.0), &obstacles, DeadEnds::Keep);
        let radius = random.range(0.1, 4.0);
        let input = Input::of_polygons(bounds(60.0), obstacles);
        let free = FreeSpace::build(input, radius, &ctx).expect("not cancelled");
        let cells = Trapezoids::build(&free, &ctx).expect("not cancelled");
        let cells = cells.merged;
        let less = map.components(radius - 2.0 * LATTICE);
        let more = map.components(radius + excess(radius) + 2.0 * LATTICE);
        let places: Vec<(DVec2, u32)> = (0..20)
            .map(|_| random.point(DVec2::ZERO, DVec2::splat(60.0)))
            .filter_map(|p| Some((p, cells.component(cells.locate(p)?))))
            .collect();
        for (i, &(p, in_p)) in places.iter().enumerate() {
            assert!(less.of(&map, p).is_some(), "case {case}: {p} at {radius}");
            for &(q, in_q) in &places[..i] {
                if in_p == in_q {
                    assert_eq!(less.of(&map, p), less.of(&map, q), "case {case}: {p} {q}");
                }
                if let (Some(a), Some(b)) = (more.of(&map, p), more.of(&map, q))
                    && a == b
                {
                    assert_eq!(in_p, in_q, "case {case}: {p} {q} at {radius}");
                }
                told[usize::from(in_p == in_q)] += 1;
            }
        }
    }
    assert!(told[0] > 5 && told[1] > 100, "{told:?}");
}

/// Two points are in one component exactly when polygons grown by the radius agree. Polygons are
/// rounded to millimetres and chords, so the map is queried with a radius slightly smaller and
/// larger.
#[test]
fn connectivity_is_that_of_grown_polygons() {
    const SLACK: f64 = 0.02;
    let mut told = [0, 0];
    for case in 0..cases(20) {
        let mut random = Random::stream(13, case as u64);
        let count = 4 + random.below(10);
        let obstacles = town(&mut random, 60.0, count);
        let map = map(bounds(60.0), &obstacles, DeadEnds::Keep);
        let radius = random.range(0.1, 4.0);
        let free = difference(&[Polygon::rect(bounds(60.0))], &obstacles);
        let grown = grow(&free, -radius, Join::Round { sag: 0.005 });
        let (less, more) = (
            map.components(radius - SLACK),
            map.components(radius + SLACK),
        );
        let places: Vec<(DVec2, usize)> = (0..40)
            .map(|_| random.point(DVec2::ZERO, DVec2::splat(60.0)))
            .filter_map(|p| Some((p, grown.iter().position(|area| area.contains(p))?)))
            .collect();
        for (i, &(p, in_p)) in places.iter().enumerate() {
            assert!(less.of(&map, p).is_some(), "case {case}: {p} at {radius}");
            for &(q, in_q) in &places[..i] {
                if in_p == in_q {
                    assert_eq!(less.of(&map, p), less.of(&map, q), "case {case}: {p} {q}");
                }
                if let (Some(a), Some(b)) = (more.of(&map, p), more.of(&map, q))
                    && a == b
                {
                    assert_eq!(in_p, in_q, "case {case}: {p} {q} at {radius}");
                }
                told[usize::from(in_p == in_q)] += 1;
            }
        }
    }
    assert!(told[0] > 5 && told[1] > 100, "{told:?}");
}

/// The distance from `p` to the nearest of a sorted-by-x list, up to `reach`.
fn distance_to(points: &[DVec2], p: DVec2, reach: f64) -> f64 {
    let from = points.partition_point(|q| q.x < p.x - reach);
    points[from..]
        .iter()
        .take_while(|q| q.x <= p.x + reach)
        .map(|q| q.distance(p))
        .fold(f64::INFINITY, f64::min)
}

#[test]
fn the_picture_and_the_map_agree_within_a_pixel() {
    let pixel = 0.5;
    let diagonal = pixel * 2.0_f64.sqrt();
    for case in 0..cases(2).min(50) {
        let mut random = Random::stream(14, case as u64);
        // Apart from each other: between touching ones, colours meet in slivers below a pixel.
        let obstacles: Vec<Polygon> = (0..12)
            .map(|i| {
                let cell = DVec2::new(f64::from(i % 4), f64::from(i / 4)) * 25.0;
                let at = cell + random.point(DVec2::splat(11.0), DVec2::splat(14.0));
                let radii = random.point(DVec2::splat(2.0), DVec2::splat(9.0));
                Polygon::ellipse(at, radii, 3 + random.below(5), random.range(0.0, 6.0))
            })
            .collect();
        let map = map(bounds(100.0), &obstacles, DeadEnds::Keep);
        let skeleton = raster::NearestRaster::of(bounds(100.0), &obstacles, pixel)
            .expect("few pixels")
            .skeleton();
        let mut drawn: Vec<DVec2> = skeleton
            .links
            .iter()
            .map(|(ends, _)| {
                let [a, b] = ends.map(|i| skeleton.points[i as usize].point);
                a.midpoint(b)
            })
            .collect();
        let mut exact = Vec::new();
        for edge in 0..map.edges().len() {
            for pair in map.samples_of(EdgeId(edge as u32)).windows(2) {
                // Sides of one obstacle have one colour.
                let differs = |s: &Sample| s.left_blocker != s.right_blocker;
                if differs(&pair[0]) && differs(&pair[1]) {
                    let steps = (pair[0].point.distance(pair[1].point) / 0.05).ceil();
                    exact.extend(
                        (0..=steps as usize)
                            .map(|i| pair[0].point.lerp(pair[1].point, i as f64 / steps.max(1.0))),
                    );
                }
            }
        }
        for list in [&mut drawn, &mut exact] {
            list.sort_by(|a, b| a.x.total_cmp(&b.x));
        }
        assert!(drawn.len() > 500 && exact.len() > 500);
        for &p in &drawn {
            let away = distance_to(&exact, p, 3.0);
            assert!(away <= diagonal, "case {case}: drawn {p} is {away} off");
        }
        for &p in &exact {
            let away = distance_to(&drawn, p, 3.0);
            assert!(away <= diagonal, "case {case}: exact {p} is {away} off");
        }
    }
}

#[test]
fn a_picture_holds_the_nearest_obstacle_of_each_pixel() {
    let mut random = Random::new(15);
    let obstacles = town(&mut random, 50.0, 6);
    let raster = raster::NearestRaster::of(bounds(50.0), &obstacles, 1.0).expect("few pixels");
    let rim = Polygon::rect(bounds(50.0));
    for y in 0..raster.size.y {
        for x in 0..raster.size.x {
            let p = raster.middle(x, y);
            let distance = |o: &Polygon| {
                if o.contains(p) {
                    0.0
                } else {
                    o.distance_to_edge(p)
                }
            };
            let least = obstacles
                .iter()
                .map(distance)
                .fold(rim.distance_to_edge(p), f64::min);
            let at = (y * raster.size.x + x) as usize;
            assert!((raster.distances[at] - least).abs() < 1e-9, "{p}");
            let colour = raster.colours[at] as usize;
            let of = obstacles
                .get(colour)
                .map_or(rim.distance_to_edge(p), distance);
            assert!((of - least).abs() < 1e-9, "{p}");
        }
    }
}

#[test]
fn a_picture_without_pixels_or_with_too_many_is_refused() {
    let of = |bounds, pixel| raster::NearestRaster::of(bounds, &[], pixel).map(|r| r.size);
    assert_eq!(of(bounds(1.0), 0.0), Err(raster::RasterError::NoArea));
    assert_eq!(of(bounds(1.0), f64::NAN), Err(raster::RasterError::NoArea));
    assert_eq!(of(Rect::EMPTY, 1.0), Err(raster::RasterError::NoArea));
    assert_eq!(of(bounds(1e6), 0.01), Err(raster::RasterError::TooLarge));
    assert!(of(bounds(1.0), 10.0).is_ok());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(48) as u32))]

    #[test]
    fn hostile_areas_are_exact(
        areas in prop::collection::vec(small_polygon(), 0..4), radius in 0.0..2.0
    ) {
        for dead_ends in [DeadEnds::Keep, DeadEnds::CutCorners, DeadEnds::Prune] {
            let map = build(&areas, &Blockers::new(&areas), dead_ends, &JobContext::default());
            let map = map.expect("in range");
            prop_assert_eq!(map.check_invariants(), Ok(()));
            for pinch in map.pinch_points() {
                let at = |share: f64| {
                    map.components(pinch.width * 0.5 * share).of_sample(pinch.at.sample)
                };
                prop_assert!(at(0.999).is_some() && at(1.001).is_none());
            }
            let parts = map.components(radius);
            for (sample, index) in map.samples().iter().zip(0..) {
                prop_assert_eq!(parts.of_sample(index).is_some(), sample.clearance >= radius);
            }
        }
    }

    #[test]
    fn anything_at_all_gives_a_map_or_an_error(
        obstacles in prop::collection::vec(any_polygon(), 0..4), size in 1.0..1e6
    ) {
        let bounds = Rect::around(DVec2::ZERO, DVec2::splat(size));
        let map = build_between(bounds, &obstacles, DeadEnds::Keep, &JobContext::default());
        if let Ok(map) = map {
            prop_assert!(map.samples().iter().all(|s| s.point.is_finite()));
            if map.samples().len() < 5_000 {
                prop_assert_eq!(map.check_invariants(), Ok(()));
            }
        }
    }
}
