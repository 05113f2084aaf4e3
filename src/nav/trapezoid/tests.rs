use super::*;
use crate::base::Random;
use crate::geometry::{
    Polygon, Rect,
    boolean::{self, Combine, combine},
    hostile::small_polygon,
    lattice::Collinear,
};
use crate::nav::CellId;
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
    built_with(areas, 0.0, BakeQuality::Full)
}

fn built_with(areas: &[Polygon], concavity: f64, quality: BakeQuality) -> Trapezoids {
    let merging = Merging { concavity };
    Trapezoids::of_areas(areas, merging, quality, &JobContext::default()).expect("not cancelled")
}

/// The sweep and Seidel's construction are independent implementations.
fn check_sweep(areas: &[Polygon], expected: &Trapezoids) -> Trapezoids {
    let swept = built_with(areas, 0.0, BakeQuality::Preview);
    assert!(
        swept.plain.has_same_cells(&expected.plain),
        "before merging"
    );
    assert!(
        swept.merged.has_same_cells(&expected.merged),
        "after merging"
    );
    swept
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

#[test]
fn a_convex_area_is_merged_into_one_cell() {
    for sides in [3, 5, 8, 33, 100] {
        let areas = boolean::repaired(&Polygon::regular(DVec2::ONE, 50.0, sides, 0.1));
        let trapezoids = built(&areas);
        assert_eq!(trapezoids.check_invariants(&areas), Ok(()));
        assert_eq!(trapezoids.plain.len(), areas[0].outer.len() - 1);
        assert_eq!(trapezoids.merged.len(), 1);
        assert_eq!(trapezoids.removed(), trapezoids.plain.len() - 1);
        let corners = trapezoids.merged.corners(CellId(0)).len();
        assert_eq!(corners, areas[0].outer.len());
    }
}

#[test]
fn tolerance_merges_cells_around_a_nearly_round_obstacle() {
    let bounds = Rect::new(DVec2::splat(-5.0), DVec2::splat(5.0));
    let areas = areas_of(bounds, &[Polygon::regular(DVec2::ZERO, 2.0, 64, 0.1)]);
    let cells = |concavity| built_with(&areas, concavity, BakeQuality::Full).merged;
    let (strict, loose) = (cells(0.0), cells(0.05));
    assert!(
        loose.len() < strict.len() / 2,
        "{} of {}",
        loose.len(),
        strict.len()
    );
    let area = |map: &CellMap| map.cells().map(|cell| map.area(cell)).sum::<f64>();
    assert!((area(&loose) - area(&strict)).abs() < 1e-9);
}

#[test]
fn the_same_input_gives_the_same_cells_and_cancelling_stops() {
    let bounds = Rect::new(DVec2::splat(-5.0), DVec2::splat(5.0));
    let areas = areas_of(bounds, &[Polygon::regular(DVec2::ZERO, 2.0, 64, 0.1)]);
    assert_eq!(built(&areas), built(&areas));
    let ctx = JobContext::default();
    ctx.cancel();
    for quality in [BakeQuality::Preview, BakeQuality::Full] {
        assert!(Trapezoids::of_areas(&areas, Merging::default(), quality, &ctx).is_err());
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
        let swept = check_sweep(&areas, &trapezoids);
        prop_assert_eq!(swept.check_invariants(&areas), Ok(()));
        check_locate(&swept, &areas, bounds, 50);
    }
}
