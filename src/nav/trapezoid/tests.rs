use super::*;
use crate::base::Random;
use crate::geometry::{
    Polygon, Rect,
    boolean::{Combine, combine},
    hostile::small_polygon,
    lattice::Collinear,
};
use glam::DVec2;
use proptest::prelude::*;

fn areas_of(bounds: Rect, obstacles: &[Polygon]) -> Vec<Polygon> {
    combine(
        Combine::Difference,
        &[Polygon::rect(bounds)],
        obstacles,
        Collinear::Keep,
    )
}

fn built(areas: &[Polygon]) -> Trapezoids {
    Trapezoids::of_areas(areas, Merging::default(), &JobContext::default()).expect("not cancelled")
}

/// Every answer of `locate` against the polygons themselves.
fn check_locate(trapezoids: &Trapezoids, areas: &[Polygon], bounds: Rect, count: usize) {
    let mut random = Random::new(1);
    for _ in 0..count {
        let p = random.point(bounds.min - 0.1, bounds.max + 0.1);
        if areas.iter().any(|area| area.distance_to_edge(p) < 1e-9) {
            continue;
        }
        let expected = areas.iter().position(|area| area.contains(p));
        for map in [&trapezoids.plain, &trapezoids.merged] {
            let found = map.locate(p);
            assert_eq!(
                found.map(|cell| map.component(cell) as usize),
                expected,
                "{p}"
            );
            if let Some(cell) = found {
                assert!(map.covers(cell, p), "{p} in {cell:?}");
            }
        }
    }
}

#[test]
fn a_rectangle_is_one_cell() {
    let areas = [Polygon::rect(Rect::new(DVec2::ZERO, DVec2::new(4.0, 2.0)))];
    let trapezoids = built(&areas);
    assert_eq!(trapezoids.plain.len(), 1);
    assert_eq!(trapezoids.check_invariants(&areas), Ok(()));
    for corner in areas[0].points() {
        assert!(trapezoids.merged.locate(*corner).is_some(), "{corner}");
    }
    assert!(trapezoids.merged.locate(DVec2::new(5.0, 1.0)).is_none());
}

#[test]
fn nothing_gives_no_cells() {
    for areas in [vec![], vec![Polygon::default()]] {
        let trapezoids = built(&areas);
        assert!(trapezoids.plain.is_empty() && trapezoids.merged.is_empty());
        assert_eq!(trapezoids.merged.locate(DVec2::ZERO), None);
    }
}

proptest! {
    #[test]
    fn hostile_polygons_are_covered_exactly(
        obstacles in prop::collection::vec(small_polygon(), 0..6)
    ) {
        let bounds = Rect::new(DVec2::splat(-4.0), DVec2::splat(4.0));
        let areas = areas_of(bounds, &obstacles);
        let trapezoids = built(&areas);
        prop_assert_eq!(trapezoids.check_invariants(&areas), Ok(()));
        prop_assert!(trapezoids.merged.len() >= areas.len());
        check_locate(&trapezoids, &areas, bounds, 50);
    }
}
