use super::*;
use crate::base::Random;
use crate::document::{Level, format};
use crate::geometry::{boolean, hostile::small_polygon, polygon::closest_on_segment, trace};
use crate::nav::{BakeQuality, CellMap, Trapezoids, cell_map::connected};
use proptest::prelude::*;

fn bounds() -> Rect {
    Rect::new(DVec2::splat(-5.0), DVec2::splat(5.0))
}

fn built(polygons: &[Polygon], radius: f64) -> FreeSpace {
    let input = Input::of_polygons(bounds(), polygons.iter().cloned());
    FreeSpace::build(input, radius, &JobContext::default()).expect("not cancelled")
}

fn area(areas: &[Polygon]) -> f64 {
    areas.iter().map(Polygon::area).sum()
}

fn square(min: f64, max: f64) -> Polygon {
    Polygon::rect(Rect::new(DVec2::splat(min), DVec2::splat(max)))
}

#[test]
fn without_obstacles_the_bounds_are_free() {
    for (radius, expected) in [
        (0.0, 100.0),
        (1.0, 64.0),
        (5.0, 0.0),
        (1e9, 0.0),
        (f64::NAN, 100.0),
    ] {
        let free = built(&[], radius);
        assert_eq!(area(&free.areas), expected, "{radius}");
    }
}

#[test]
fn an_obstacle_over_everything_leaves_nothing() {
    assert!(built(&[square(-9.0, 9.0)], 0.5).areas.is_empty());
    assert!(built(&[square(-5.0, 5.0)], 0.0).areas.is_empty());
}

#[test]
fn walls_around_a_yard_make_two_areas_and_a_rock_in_it_is_a_hole_of_the_yard() {
    let wall = |x0: f64, y0: f64, x1: f64, y1: f64| {
        Polygon::rect(Rect::new(DVec2::new(x0, y0), DVec2::new(x1, y1)))
    };
    let obstacles = [
        wall(-3.0, -3.0, 3.0, -2.8),
        wall(-3.0, 2.8, 3.0, 3.0),
        wall(-3.0, -3.0, -2.8, 3.0),
        wall(2.8, -3.0, 3.0, 3.0),
        square(-0.5, 0.5),
        square(4.0, 4.2),
    ];
    let free = built(&obstacles, 0.1);
    assert_eq!(free.areas.len(), 2);
    let outside = free.component_of(DVec2::new(-4.5, 0.0)).expect("free");
    let yard = free.component_of(DVec2::new(-1.5, 0.0)).expect("free");
    assert_ne!(outside, yard);
    assert_eq!(free.areas[yard as usize].holes.len(), 1);
    assert_eq!(free.areas[outside as usize].holes.len(), 2);
    let rock = EntityId::new(5);
    assert_eq!(free.blockers_at(DVec2::ZERO).collect::<Vec<_>>(), [rock]);
    assert_eq!(
        free.nearest_blocker(DVec2::new(1.0, 0.0)).map(|(id, _)| id),
        Some(rock)
    );
    assert!((free.clearance(DVec2::new(1.0, 0.0)) - 0.5).abs() < 1e-12);
    assert!((free.clearance(DVec2::new(-4.9, 0.0)) - 0.1).abs() < 1e-12);
    assert_eq!(free.clearance(DVec2::ZERO), 0.0);
    assert!(!free.contains(DVec2::new(f64::NAN, 0.0)));
}

#[test]
fn a_checkerboard_of_cells_is_free_between_them_alone() {
    // Blocked and free cells touch at corners everywhere: each free cell is a separate area.
    let grid = trace::CellGrid {
        origin: DVec2::splat(-5.0),
        cell: 0.25,
        columns: 40,
        rows: 40,
    };
    let free = built(&trace::traced(&grid, |x, y| (x + y) % 2 == 0), 0.0);
    assert_eq!(free.areas.len(), 800);
    let trapezoids = Trapezoids::build(&free, &JobContext::default()).expect("not cancelled");
    assert_eq!(trapezoids.check_invariants(&free.areas), Ok(()));
    assert_eq!(trapezoids.merged.len(), 800);
}

/// Every level shipped with the program.
fn sample_levels() -> Vec<(String, Level)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../levels");
    let mut levels: Vec<_> = std::fs::read_dir(folder)
        .expect("sample levels")
        .flatten()
        .filter(|file| {
            file.path()
                .extension()
                .is_some_and(|ending| ending == "ron")
        })
        .map(|file| {
            let text = std::fs::read_to_string(file.path()).expect("readable");
            let level = format::read(&text).expect("a level").level;
            (file.file_name().to_string_lossy().into_owned(), level)
        })
        .collect();
    levels.sort_by(|a, b| a.0.cmp(&b.0));
    assert!(levels.len() > 5);
    levels
}

#[test]
fn sample_levels_are_covered_by_cells_for_any_radius() {
    let ctx = JobContext::default();
    for (name, level) in sample_levels() {
        for radius in [0.0, 0.3, 1.0, 5.0] {
            let input = Input::of_level(&level);
            let free = FreeSpace::build(input, radius, &ctx).expect("not cancelled");
            let trapezoids = Trapezoids::build(&free, &ctx).expect("not cancelled");
            let checked = trapezoids.check_invariants(&free.areas);
            assert_eq!(checked, Ok(()), "{name}, radius {radius}");
            let swept =
                Trapezoids::build_with(&free, BakeQuality::Preview, &ctx).expect("not cancelled");
            assert!(
                swept.plain.has_same_cells(&trapezoids.plain),
                "{name}, radius {radius}"
            );
            assert!(
                swept.merged.has_same_cells(&trapezoids.merged),
                "{name}, radius {radius}"
            );
            check_components(&trapezoids.plain, free.areas.len(), &name);
            check_components(&trapezoids.merged, free.areas.len(), &name);
            check_points(&free, &trapezoids, &name);
        }
    }
}

/// Two cells are connected by portals exactly if they belong to one area.
fn check_components(map: &CellMap, areas: usize, name: &str) {
    let flooded = connected(map.len(), map.portals());
    let mut area_of = vec![None; map.len()];
    let mut pieces = 0;
    for cell in map.cells() {
        let known = &mut area_of[flooded[cell.index()] as usize];
        pieces += usize::from(known.is_none());
        assert_eq!(
            *known.get_or_insert(map.component(cell)),
            map.component(cell),
            "{name}"
        );
    }
    assert_eq!(pieces, areas, "{name}: every area in one piece");
}

/// The cell at a point against the grown obstacles, and the clearance against their edges.
fn check_points(free: &FreeSpace, trapezoids: &Trapezoids, name: &str) {
    let mut random = Random::new(11);
    for _ in 0..25 {
        let p = random.point(free.bounds.min, free.bounds.max);
        let outlines = || free.grown.iter().flat_map(|grown| &grown.outline);
        let nearest = outlines()
            .map(|o| o.distance_to_edge(p))
            .fold(f64::INFINITY, f64::min);
        let is_inner = shrunk(free.bounds, free.radius).is_some_and(|inner| inner.contains(p));
        let is_free = is_inner && !outlines().any(|outline| outline.contains(p));
        // Crossings of outlines are rounded to the lattice.
        if nearest > 0.005 {
            let found = trapezoids.merged.locate(p);
            assert_eq!(found.is_some(), is_free, "{name}: {p}");
            assert_eq!(free.contains(p), is_free, "{name}: {p}");
            let component = found.map(|cell| trapezoids.merged.component(cell));
            assert_eq!(component, free.component_of(p), "{name}: {p}");
        }
        let obstacles = || free.grown.iter().map(|grown| &*grown.blocker.area);
        let clearance = if obstacles().any(|area| area.contains(p)) {
            0.0
        } else {
            obstacles()
                .chain([&Polygon::rect(free.bounds)])
                .map(|area| area.distance_to_edge(p))
                .fold(f64::INFINITY, f64::min)
        };
        assert!((free.clearance(p) - clearance).abs() < 1e-9, "{name}: {p}");
        if is_free {
            assert!(
                clearance > free.radius - 0.002,
                "{name}: {p} has only {clearance}"
            );
        }
    }
}

#[test]
fn a_noisy_grid_of_cells_with_thousands_of_equal_heights_holds() {
    let mut random = Random::new(2);
    let grid = trace::CellGrid {
        origin: DVec2::splat(-5.0),
        cell: 0.125,
        columns: 80,
        rows: 80,
    };
    let blocked: Vec<bool> = (0..6400).map(|_| random.chance(0.4)).collect();
    let polygons = trace::traced(&grid, |x, y| blocked[y * 80 + x]);
    for radius in [0.0, 0.02, 0.05] {
        let free = built(&polygons, radius);
        let trapezoids = Trapezoids::build(&free, &JobContext::default()).expect("not cancelled");
        assert_eq!(trapezoids.check_invariants(&free.areas), Ok(()), "{radius}");
        let live = Trapezoids::build_with(&free, BakeQuality::Preview, &JobContext::default());
        assert!(
            live.is_ok_and(|live| live.plain.has_same_cells(&trapezoids.plain)),
            "{radius}"
        );
        check_components(&trapezoids.merged, free.areas.len(), "grid");
        check_points(&free, &trapezoids, "grid");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(
        std::env::var("WAYLOOM_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(24)
    ))]

    #[test]
    fn free_space_is_what_no_grown_obstacle_covers(
        obstacles in prop::collection::vec(small_polygon(), 0..8),
        radius in prop_oneof![Just(0.0), Just(0.3), Just(1.0)],
        moved in any::<prop::sample::Index>(),
    ) {
        let free = built(&obstacles, radius);
        let outlines: Vec<Polygon> =
            free.grown.iter().flat_map(|grown| grown.outline.clone()).collect();
        let inner = shrunk(bounds(), radius).expect("smaller than the bounds");
        let expected = boolean::difference(&[Polygon::rect(inner)], &outlines);
        prop_assert!((area(&free.areas) - area(&expected)).abs() < 0.1);
        prop_assert_eq!(free.areas.len(), expected.len());
        for i in 0..100 {
            let p = DVec2::new(f64::from(i % 10) - 4.537, f64::from(i / 10) - 4.619);
            let border = outlines.iter().map(|o| o.distance_to_edge(p)).fold(f64::INFINITY, f64::min);
            if border > 0.01 {
                prop_assert_eq!(free.contains(p), expected.iter().any(|area| area.contains(p)));
            }
        }
        let trapezoids = Trapezoids::build(&free, &JobContext::default()).expect("not cancelled");
        prop_assert_eq!(trapezoids.check_invariants(&free.areas), Ok(()));

        if !obstacles.is_empty() {
            let mut other = obstacles;
            let moved = moved.index(other.len());
            other[moved] = other[moved].clone().map(|p| p + DVec2::new(0.5, 1.0));
            let input = Input::of_polygons(bounds(), other.clone());
            let updated = free.updated(input, &JobContext::default()).expect("not cancelled");
            prop_assert_eq!(updated, built(&other, radius));
        }
    }
}

#[test]
fn a_ring_of_very_many_points_is_grown_by_no_less_than_the_radius() {
    let radius = 0.3;
    let ring = (0..20_000).map(|i| {
        let angle = f64::from(i) / 20_000.0 * std::f64::consts::TAU;
        // A coast, not a circle.
        let reach = 3.0 + 0.2 * (9.0 * angle).sin();
        reach * DVec2::from_angle(angle)
    });
    let coast = Polygon::new(ring.collect());
    let free = built(std::slice::from_ref(&coast), radius);
    let corners: usize = free.areas.iter().map(Polygon::vertex_count).sum();
    assert!(corners < 2_000, "{corners}");
    for p in free.areas.iter().flat_map(|area| &area.holes).flatten() {
        let distance = coast
            .edges()
            .map(|(a, b)| closest_on_segment(a, b, *p).distance(*p))
            .fold(f64::INFINITY, f64::min);
        assert!(distance >= radius - 1e-9, "{distance}");
        assert!(distance <= radius + excess(radius) + 0.002, "{distance}");
    }
}

#[test]
fn what_is_too_much_is_refused_by_name() {
    let mut random = Random::new(4);
    let mut ring = |count: usize| -> Vec<DVec2> {
        let mut point = || DVec2::new(random.range(-4.0, 4.0), random.range(-4.0, 4.0));
        (0..count).map(|_| point()).collect()
    };
    let tangle = [Polygon::new(ring(3)), Polygon::new(ring(1_500))];
    let free = built(&tangle, 0.3);
    assert_eq!(free.refusal(), Some(Refusal::Tangle(EntityId::new(2))));
    assert!(free.areas.is_empty());
    // Many of them in one place hide each other.
    let heap: Vec<Polygon> = (0..300).map(|_| Polygon::new(ring(3))).collect();
    assert_eq!(built(&heap, 0.3).refusal(), None);
}
