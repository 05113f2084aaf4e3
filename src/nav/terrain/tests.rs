//! The triangulation, traced lines and the image, against the polygons as drawn.

use super::raster::TerrainRaster;
use super::sight::{CellSight, look};
use super::*;
use crate::geometry::{
    Polygon, Rect,
    hostile::{any_polygon, small_polygon},
    polygon::closest_on_segment,
    predicates::{Meeting, meeting},
};
use crate::jobs::JobContext;
use crate::nav::free_space::{FreeSpace, Input};
use crate::nav::trapezoid::Trapezoids;
use glam::DVec2;
use proptest::prelude::*;

fn kinds(count: u16) -> Vec<TerrainKind> {
    (0..count)
        .map(|i| TerrainKind {
            id: None,
            name: format!("kind {i}"),
            weight: f64::from(i) + 1.0,
        })
        .collect()
}

fn input(obstacles: Vec<Polygon>, patches: Vec<Polygon>) -> TerrainInput {
    TerrainInput {
        bounds: Rect::new(DVec2::splat(-5.0), DVec2::splat(5.0)),
        obstacles: obstacles.into_iter().map(Into::into).collect(),
        patches: patches
            .into_iter()
            .zip(1_u16..)
            .map(|(area, number)| Patch::new(area, KindId(number % 4)))
            .collect(),
        kinds: kinds(4),
    }
}

fn map(input: &TerrainInput) -> TerrainMap {
    TerrainMap::build(input, &JobContext::default()).expect("not cancelled")
}

fn square(min: f64, max: f64) -> Polygon {
    Polygon::rect(Rect::new(DVec2::splat(min), DVec2::splat(max)))
}

/// The terrain at a point, straight from the polygons.
fn kind_at(input: &TerrainInput, p: DVec2) -> Option<KindId> {
    if !input.bounds.contains(p) || input.obstacles.iter().any(|area| area.contains(p)) {
        return None;
    }
    let top = input
        .patches
        .iter()
        .rev()
        .find(|patch| patch.area.contains(p));
    Some(top.map_or(KindId(0), |patch| patch.kind))
}

fn all_edges(input: &TerrainInput) -> Vec<(DVec2, DVec2)> {
    let rim = Polygon::rect(input.bounds);
    input
        .areas()
        .chain([&rim])
        .flat_map(Polygon::edges)
        .collect()
}

/// Lengths per kind and whether all is free, by splitting the line at every edge.
fn clipped(input: &TerrainInput, a: DVec2, b: DVec2) -> (Vec<f64>, bool) {
    let along = b - a;
    let mut cuts = vec![0.0, 1.0];
    for (c, d) in all_edges(input) {
        let mut cut = |p: DVec2| cuts.push((p - a).dot(along) / along.length_squared());
        match meeting(a, b, c, d) {
            Meeting::Apart => {}
            Meeting::Touching(p) | Meeting::Crossing(p) => cut(p),
            Meeting::Overlapping(p, q) => {
                cut(p);
                cut(q);
            }
        }
    }
    cuts.sort_by(f64::total_cmp);
    let mut lengths = vec![0.0; input.kinds.len()];
    for pair in cuts.windows(2).filter(|pair| pair[1] > pair[0]) {
        let middle = a + along * (0.5 * (pair[0] + pair[1]));
        let Some(kind) = kind_at(input, middle) else {
            return (lengths, false);
        };
        lengths[kind.index()] += (pair[1] - pair[0]) * along.length();
    }
    (lengths, true)
}

/// Distance of a line to the nearest corner or crossing of borders, where a millimetre decides.
fn nearest_corner(input: &TerrainInput, a: DVec2, b: DVec2) -> f64 {
    let edges = all_edges(input);
    let mut corners: Vec<DVec2> = edges.iter().flat_map(|(c, d)| [*c, *d]).collect();
    for (i, (c, d)) in edges.iter().enumerate() {
        for (e, f) in &edges[..i] {
            match meeting(*c, *d, *e, *f) {
                Meeting::Apart => {}
                Meeting::Touching(p) | Meeting::Crossing(p) => corners.push(p),
                Meeting::Overlapping(p, q) => corners.extend([p, q]),
            }
        }
    }
    corners
        .iter()
        .map(|p| closest_on_segment(a, b, *p).distance(*p))
        .fold(f64::INFINITY, f64::min)
}

/// How near a place comes to a border: crossings are rounded to the lattice, and the borders
/// between them move along by up to half a step.
fn nearest_border(input: &TerrainInput, p: DVec2) -> f64 {
    all_edges(input)
        .iter()
        .map(|(a, b)| closest_on_segment(*a, *b, p).distance(p))
        .fold(f64::INFINITY, f64::min)
}

fn probe() -> impl Strategy<Value = DVec2> {
    (-5.0..5.0, -5.0..5.0).prop_map(DVec2::from)
}

/// Nearly parallel to all others, about a step wide or less, and up to a level long.
fn sliver() -> impl Strategy<Value = Polygon> {
    let height = || prop_oneof![-1e-6..1e-6, -4e-3..4e-3, Just(0.0)];
    let far = prop_oneof![Just(1e-6), Just(0.9), Just(1e6)];
    (far, [height(), height(), height()], prop::bool::ANY).prop_map(|(far, heights, is_steep)| {
        let [a, b, c] = heights;
        let corners = [(-far, a), (far, b), (0.7 * far, c)].map(DVec2::from);
        let turned = |p: DVec2| if is_steep { p.perp() } else { p };
        Polygon {
            outer: corners.map(turned).to_vec(),
            holes: Vec::new(),
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn a_walk_tells_what_cutting_the_line_at_every_border_tells(
        obstacles in prop::collection::vec(small_polygon(), 0..3),
        patches in prop::collection::vec(small_polygon(), 0..5),
        lines in prop::collection::vec([probe(), probe()], 12),
    ) {
        let input = input(obstacles, patches);
        let map = map(&input);
        prop_assert_eq!(map.mesh().check_invariants(), Ok(()));
        for [a, b] in lines {
            let ends = [a, b].map(|p| nearest_border(&input, p));
            if nearest_corner(&input, a, b) < 0.01 || ends[0].min(ends[1]) < 0.002 {
                continue;
            }
            let (expected, is_clear) = clipped(&input, a, b);
            let mut lengths = vec![0.0; input.kinds.len()];
            let sight = map.walk(a, b, None, |kind, length| lengths[kind.index()] += length);
            prop_assert_eq!(sight.is_clear(), is_clear, "{} {}", a, b);
            for (found, expected) in lengths.iter().zip(&expected) {
                prop_assert!((found - expected).abs() < 0.5, "{lengths:?} {expected:?}");
            }
            // Integer corners are on the lattice: only crossings are rounded, by half a step.
            let total: f64 = lengths.iter().sum();
            match sight {
                Sight::Clear(end) => {
                    prop_assert!((total - a.distance(b)).abs() < 1e-9);
                    prop_assert_eq!(map.mesh().locate(b, Some(end)).is_some(), true);
                }
                Sight::Blocked(stop) => {
                    prop_assert!((total - stop.distance).abs() < 1e-9);
                    prop_assert!((stop.at - a - (b - a).normalize() * stop.distance).length() < 1e-9);
                }
            }
            let along = map.lengths_along(&[a, b]);
            prop_assert!((along.iter().sum::<f64>() - a.distance(b)).abs() < 1e-9);
        }
    }

    #[test]
    fn a_cost_is_that_of_all_stretches_unless_it_is_above_the_limit(
        obstacles in prop::collection::vec(small_polygon(), 0..3),
        patches in prop::collection::vec(small_polygon(), 0..6),
        (a, b) in (probe(), probe()),
        share in 0.5_f64..1.5,
    ) {
        let input = input(obstacles, patches);
        let map = map(&input);
        let weight = |kind: Option<KindId>| kind.map_or(1.5, |kind| f64::from(kind.0) + 1.0);
        let mut cost = 0.0;
        map.mesh().walk_through(a, b, None, |kind, length| cost += weight(kind) * length);
        let start = map.mesh().locate(a, None).expect("inside");
        let within = |limit| map.mesh().cost_within(start, [a, b], weight, 1.0, limit);
        let whole = within(f64::INFINITY).expect("there is no limit");
        prop_assert!((whole - cost).abs() <= 1e-6 * (1.0 + cost), "{whole} and {cost}");
        let limit = cost * share;
        match within(limit) {
            Some(found) => prop_assert!(found <= limit && (found - whole).abs() <= 1e-9 * whole),
            None => prop_assert!(whole >= limit * (1.0 - 1e-9)),
        }
    }

    #[test]
    fn every_place_is_of_the_terrain_painted_last(
        obstacles in prop::collection::vec(small_polygon(), 0..3),
        patches in prop::collection::vec(small_polygon(), 0..6),
        probes in prop::collection::vec(probe(), 30),
    ) {
        let input = input(obstacles, patches);
        let map = map(&input);
        let raster = TerrainRaster::of(&input, 0.05).expect("small");
        for p in probes {
            let border = nearest_border(&input, p);
            let expected = kind_at(&input, p);
            if border > 0.002 {
                prop_assert_eq!(map.kind_at(p), expected, "{}", p);
            }
            if border > 0.05 {
                prop_assert_eq!(raster.kind_at(p), expected, "{}", p);
            }
        }
    }

    #[test]
    fn any_drawing_at_all_gives_a_sound_triangulation(
        obstacles in prop::collection::vec(any_polygon(), 0..4),
        patches in prop::collection::vec(any_polygon(), 0..4),
        lines in prop::collection::vec([probe(), probe()], 4),
    ) {
        for size in [5.0, 1e6] {
            let mut input = input(obstacles.clone(), patches.clone());
            input.bounds = Rect::new(DVec2::splat(-size), DVec2::splat(size));
            let map = map(&input);
            prop_assert_eq!(map.mesh().check_invariants(), Ok(()));
            for [a, b] in &lines {
                let mut total = 0.0;
                let sight = map.walk(*a * (size / 5.0), *b * (size / 5.0), None, |_, length| total += length);
                prop_assert!(total.is_finite() && total >= 0.0);
                prop_assert!(!sight.is_clear() || (total - a.distance(*b) * (size / 5.0)).abs() < 1e-6 * size);
            }
        }
    }

    #[test]
    fn slivers_of_any_size_give_a_sound_triangulation(
        slivers in prop::collection::vec(sliver(), 1..7),
        size in prop_oneof![Just(1e-6), Just(1.0), Just(1e6)],
    ) {
        let mut input = input(slivers.clone(), slivers.into_iter().rev().collect());
        input.bounds = Rect::new(DVec2::splat(-size), DVec2::splat(size));
        prop_assert_eq!(map(&input).mesh().check_invariants(), Ok(()));
    }

    #[test]
    fn the_nearest_wall_is_the_nearest_of_all(
        obstacles in prop::collection::vec(small_polygon(), 0..4), p in probe(), reach in 0.0..4.0,
    ) {
        let map = map(&input(obstacles, vec![]));
        let walls = map.mesh().walls();
        let least = walls
            .iter()
            .map(|[a, b]| closest_on_segment(*a, *b, p).distance(p))
            .fold(f64::INFINITY, f64::min);
        match map.mesh().nearest_wall(p, reach) {
            Some(touch) => prop_assert!((touch.distance - least).abs() < 1e-12 && least <= reach),
            None => prop_assert!(least > reach),
        }
    }

    #[test]
    fn discs_see_along_the_free_space_of_their_radius(
        obstacles in prop::collection::vec(small_polygon(), 0..4),
        lines in prop::collection::vec([probe(), probe()], 12),
        radius in prop_oneof![Just(0.0), 0.1..1.0],
    ) {
        let bounds = Rect::new(DVec2::splat(-5.0), DVec2::splat(5.0));
        let ctx = JobContext::default();
        let free = FreeSpace::build(Input::of_polygons(bounds, obstacles), radius, &ctx);
        let free = free.expect("not cancelled");
        let cells = Trapezoids::build(&free, &ctx).expect("not cancelled").merged;
        for [a, b] in lines {
            let edges: Vec<_> = free.areas.iter().flat_map(Polygon::edges).collect();
            let corner = edges
                .iter()
                .map(|(c, _)| closest_on_segment(a, b, *c).distance(*c))
                .fold(f64::INFINITY, f64::min);
            if corner < 1e-6 {
                continue;
            }
            let meets = |(c, d): &(DVec2, DVec2)| !matches!(meeting(a, b, *c, *d), Meeting::Apart);
            let expected = free.contains(a) && !edges.iter().any(meets);
            let sight = look(&cells, a, b, None);
            prop_assert_eq!(sight.is_clear(), expected, "{} {}", a, b);
            // From a free point, the walls along the line agree or are inconclusive.
            if free.contains(a)
                && let Some(told) = cells.sight_walls().look(a, b)
            {
                prop_assert_eq!(told.is_ok(), expected, "{} {}", a, b);
                if let (Err(told), CellSight::Blocked(stop)) = (told, sight) {
                    prop_assert_eq!((told.wall, told.side), (stop.wall, stop.side));
                    prop_assert!(told.at.distance(stop.at) < 1e-9);
                    prop_assert!((told.distance - stop.distance).abs() < 1e-9);
                }
            }
            if let CellSight::Blocked(stop) = sight
                && free.contains(a)
            {
                let to_wall = closest_on_segment(stop.wall[0], stop.wall[1], stop.at);
                prop_assert!(to_wall.distance(stop.at) < 1e-6);
                let short = a.lerp(stop.at, 0.999);
                prop_assert!(look(&cells, a, short, cells.locate(a)).is_clear());
            }
        }
    }
}

#[test]
fn lines_from_along_and_through_corners_have_answers() {
    let input = input(
        vec![square(1.0, 2.0)],
        vec![square(-3.0, 0.0), square(-2.0, -1.0)],
    );
    let map = map(&input);
    let at = |x: f64, y: f64| DVec2::new(x, y);
    let walk = |a: DVec2, b: DVec2| {
        let mut lengths = [0.0; 4];
        let sight = map.walk(a, b, None, |kind, length| lengths[kind.index()] += length);
        (sight.is_clear(), lengths)
    };
    // Corner to corner through both patches, along a border, and to itself.
    let diagonal = walk(at(-3.0, -3.0), at(0.0, 0.0));
    let root = 2.0_f64.sqrt();
    assert!(diagonal.0 && (diagonal.1[1] - 2.0 * root).abs() < 1e-9);
    assert!((diagonal.1[2] - root).abs() < 1e-9);
    assert!(walk(at(-3.0, -4.0), at(-3.0, 4.0)).0);
    assert!(walk(at(-3.0, -3.0), at(-3.0, -3.0)).0);
    assert!(walk(at(-5.0, -5.0), at(-5.0, 5.0)).0);
    // The outside is visible from the border of an obstacle.
    assert!(walk(at(1.0, 1.5), at(0.0, 1.5)).0);
    assert!(!walk(at(1.0, 1.5), at(3.0, 1.5)).0);
    assert!(!walk(at(1.5, 1.5), at(3.0, 1.5)).0);
    assert!(!walk(at(0.0, 1.0), at(9.0, 1.0)).0);
    for bad in [DVec2::NAN, DVec2::INFINITY, at(1e300, -1e300)] {
        assert!(!walk(bad, at(0.0, 0.0)).0 && !walk(at(0.0, 0.0), bad).0);
    }
    assert_eq!(map.kind_at(at(-1.5, -1.5)), Some(KindId(2)));
    assert_eq!(map.kind_at(at(1.5, 1.5)), None);
    assert_eq!(map.kind_at(DVec2::NAN), None);
    assert_eq!(map.mesh().nearest_wall(DVec2::NAN, 1.0), None);
}

#[test]
fn weights_that_mean_nothing_count_as_one_and_are_reported() {
    let mut kinds = kinds(4);
    kinds[1].weight = 0.0;
    kinds[2].weight = f64::NAN;
    let (weights, faults) = Weights::new(&kinds, |kind| kind.weight);
    assert_eq!(faults.len(), 2);
    assert!(
        faults[0].to_string().contains("kind 1 is 0"),
        "{}",
        faults[0]
    );
    assert_eq!((weights.get(KindId(1)), weights.get(KindId(3))), (1.0, 4.0));
    assert_eq!((weights.least(), weights.get(KindId(99))), (1.0, 1.0));
}

#[test]
fn a_level_without_area_has_no_triangles_and_sees_nothing() {
    for size in [0.0, f64::NAN, f64::INFINITY, -1.0] {
        let mut input = input(vec![], vec![square(0.0, 1.0)]);
        input.bounds = Rect::new(DVec2::ZERO, DVec2::splat(size));
        let map = map(&input);
        assert!(map.mesh().is_empty());
        assert!(
            !map.walk(DVec2::ZERO, DVec2::ONE, None, |_, _| ())
                .is_clear()
        );
        assert_eq!(map.lengths_along(&[DVec2::ZERO, DVec2::X])[0], 1.0);
    }
}

#[test]
fn the_picture_has_limits() {
    use super::raster::RasterError;
    let input = input(vec![], vec![]);
    assert_eq!(TerrainRaster::of(&input, 0.0), Err(RasterError::NoArea));
    assert_eq!(
        TerrainRaster::of(&input, f64::NAN),
        Err(RasterError::NoArea)
    );
    assert_eq!(TerrainRaster::of(&input, 1e-5), Err(RasterError::TooLarge));
    let raster = TerrainRaster::of(&input, 20.0).expect("one pixel");
    assert_eq!(raster.kinds.len(), 1);
}
