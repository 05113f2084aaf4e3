//! Routes over terrain are the cheapest of their graphs: both searches against one without tricks.

use crate::cases;
use glam::{DVec2, IVec2, UVec2};
use std::collections::BTreeMap;
use wayloom::base::Random;
use wayloom::geometry::{Polygon, Rect};
use wayloom::jobs::JobContext;
use wayloom::nav::terrain::raster::TerrainRaster;
use wayloom::nav::terrain::{
    BLOCKED, KindId, Patch, TerrainInput, TerrainKind, TerrainMap, TriangleId, Weights,
};
use wayloom::planner::miran::{DualQuery, DualSearch, grid_route};
use wayloom::planner::session::Progress;

fn kinds(random: &mut Random, count: usize) -> Vec<TerrainKind> {
    (0..count)
        .map(|i| TerrainKind {
            id: None,
            name: format!("kind {i}"),
            weight: 0.5 + random.unit() * 6.0,
        })
        .collect()
}

fn scene(random: &mut Random) -> TerrainInput {
    let shape = |random: &mut Random, size: f64| {
        let at = random.point(DVec2::ZERO, DVec2::splat(20.0));
        if random.chance(0.5) {
            let half = random.point(DVec2::splat(0.4), DVec2::splat(size));
            Polygon::rect(Rect::around(at, half))
        } else {
            let sides = 3 + random.below(6);
            let radius = random.range(0.4, size);
            Polygon::regular(at, radius, sides, random.range(0.0, 6.0))
        }
    };
    let kinds = kinds(random, 4);
    TerrainInput {
        bounds: Rect::new(DVec2::ZERO, DVec2::splat(20.0)),
        obstacles: (0..random.below(6))
            .map(|_| shape(random, 3.0).into())
            .collect(),
        patches: (0..random.below(8))
            .map(|_| Patch {
                area: shape(random, 6.0).into(),
                kind: KindId(random.below(4) as u16),
            })
            .collect(),
        kinds,
    }
}

/// Least cost from one node to another, one node settled after the other without any estimate.
fn dijkstra<N: Ord + Copy>(
    first: N,
    last: N,
    neighbours: impl Fn(N) -> Vec<(N, f64)>,
) -> Option<f64> {
    let mut open: BTreeMap<N, f64> = BTreeMap::from([(first, 0.0)]);
    let mut settled: BTreeMap<N, f64> = BTreeMap::new();
    while let Some((&node, &cost)) = open.iter().min_by(|a, b| a.1.total_cmp(b.1)) {
        open.remove(&node);
        settled.insert(node, cost);
        if node == last {
            return Some(cost);
        }
        for (next, step) in neighbours(node) {
            if !settled.contains_key(&next) {
                let known = open.entry(next).or_insert(f64::INFINITY);
                *known = known.min(cost + step);
            }
        }
    }
    None
}

/// Where the line between the middles of two triangles crosses their side, a tenth away from its
/// ends at least.
fn crossing([a, b]: [DVec2; 2], from: DVec2, to: DVec2) -> DVec2 {
    let share = (from - a).perp_dot(to - from) / (b - a).perp_dot(to - from);
    let share = if share.is_finite() { share } else { 0.5 };
    a.lerp(b, share.clamp(0.1, 0.9))
}

/// What a chain of crossings costs on the dual graph: from middle to crossing to middle.
fn cost_on_dual(map: &TerrainMap, weights: &Weights, route: &[DVec2]) -> f64 {
    let mesh = map.mesh();
    let (start, goal) = (route[0], route[route.len() - 1]);
    let first = mesh.locate(start, None).expect("inside");
    let last = mesh.locate(goal, None).expect("inside");
    let middle = |t: TriangleId| match t {
        t if t == first => start,
        t if t == last => goal,
        t => mesh.triangle_middle(t),
    };
    let weight = |t: TriangleId| weights.get(mesh.triangle_kind(t));
    let mut cost = 0.0;
    let mut here = first;
    for place in &route[1..route.len() - 1] {
        // The side that is crossed there, which the line between both middles tells.
        let (next, crossed) = (0..3)
            .filter_map(|i| {
                let next = mesh.triangles_beside(here)[i]?;
                let at = crossing(mesh.triangle_side(here, i), middle(here), middle(next));
                Some((next, at))
            })
            .min_by(|a, b| a.1.distance(*place).total_cmp(&b.1.distance(*place)))
            .expect("a triangle has neighbours");
        assert!(crossed.distance(*place) < 1e-9, "{place} is not a crossing");
        cost += weight(here) * middle(here).distance(crossed);
        cost += weight(next) * crossed.distance(middle(next));
        here = next;
    }
    assert_eq!(here, last, "the route ends elsewhere");
    if first == last {
        weight(first) * start.distance(goal)
    } else {
        cost
    }
}

#[test]
fn the_route_on_the_dual_graph_is_the_cheapest() {
    let mut found = 0;
    let mut search = DualSearch::default();
    for seed in 0..cases(150) {
        let mut random = Random::new(seed);
        let input = scene(&mut random);
        let map = TerrainMap::build(&input, &JobContext::default()).expect("not cancelled");
        let (weights, faults) = Weights::new(&input.kinds, |kind| kind.weight);
        assert!(faults.is_empty());
        let mesh = map.mesh();
        for _ in 0..4 {
            let [start, goal] = [0; 2].map(|_| random.point(DVec2::splat(0.1), DVec2::splat(19.9)));
            let [Some(first), Some(last)] = [start, goal].map(|p| mesh.locate(p, None)) else {
                panic!("inside the bounds");
            };
            if [first, last]
                .iter()
                .any(|t| mesh.triangle_kind(*t) == BLOCKED)
            {
                continue;
            }
            let middle = |t: TriangleId| match t {
                t if t == first => start,
                t if t == last => goal,
                t => mesh.triangle_middle(t),
            };
            let neighbours = |here: u32| {
                let here = TriangleId(here);
                let sides = mesh.triangles_beside(here).into_iter().enumerate();
                let steps = sides.filter_map(|(i, next)| {
                    let next = next?;
                    let kinds = [here, next].map(|t| mesh.triangle_kind(t));
                    let (from, to) = (middle(here), middle(next));
                    let at = crossing(mesh.triangle_side(here, i), from, to);
                    let cost = weights.get(kinds[0]) * from.distance(at)
                        + weights.get(kinds[1]) * at.distance(to);
                    (kinds[1] != BLOCKED).then_some((next.0, cost))
                });
                steps.collect()
            };
            let expected = dijkstra(first.0, last.0, neighbours);
            let query = DualQuery {
                terrain: &map,
                weights: &weights,
                cells: None,
                radius: 0.0,
                start,
                goal,
            };
            search.begin(&query);
            let is_found = search.run(&query, usize::MAX) == Progress::Found;
            let route = search.chain(&query).filter(|_| is_found);
            assert_eq!(route.is_some(), expected.is_some(), "seed {seed}");
            if let (Some(route), Some(expected)) = (route, expected)
                && first != last
            {
                let cost = cost_on_dual(&map, &weights, &route);
                assert!(
                    (cost - expected).abs() <= 1e-6 * expected,
                    "seed {seed}: {cost} instead of {expected}"
                );
                found += 1;
            }
        }
    }
    assert!(found > 100, "only {found} routes were compared");
}

#[test]
fn the_route_on_the_grid_is_the_cheapest_and_cuts_no_corner() {
    let mut found = 0;
    for seed in 0..cases(150) {
        let mut random = Random::new(seed);
        let size = UVec2::new(4 + random.below(12) as u32, 4 + random.below(12) as u32);
        let kinds = kinds(&mut random, 4);
        let (weights, _) = Weights::new(&kinds, |kind| kind.weight);
        let grid = TerrainRaster {
            origin: random.point(DVec2::splat(-9.0), DVec2::splat(9.0)),
            pixel: random.range(0.2, 2.0),
            size,
            kinds: (0..size.x * size.y)
                .map(|_| match random.below(10) {
                    0..=3 => BLOCKED,
                    kind => KindId(kind as u16 % 4),
                })
                .collect(),
        };
        let at = |cell: IVec2| grid.kind(cell);
        let free: Vec<IVec2> = (0..size.y as i32)
            .flat_map(|y| (0..size.x as i32).map(move |x| IVec2::new(x, y)))
            .filter(|cell| at(*cell) != BLOCKED)
            .collect();
        let (Some(&first), Some(&last)) = (random.pick(&free), random.pick(&free)) else {
            continue;
        };
        // A diagonal step needs both cells beside it.
        let may_step = |here: IVec2, step: IVec2| {
            at(here + step) != BLOCKED
                && at(here + step * IVec2::X) != BLOCKED
                && at(here + step * IVec2::Y) != BLOCKED
        };
        let cost_of = |here: IVec2, step: IVec2| {
            let mean = 0.5 * (weights.get(at(here)) + weights.get(at(here + step)));
            mean * step.as_dvec2().length() * grid.pixel
        };
        let around: Vec<IVec2> = (-1..=1)
            .flat_map(|y| (-1..=1).map(move |x| IVec2::new(x, y)))
            .filter(|step| *step != IVec2::ZERO)
            .collect();
        let expected = dijkstra(first.to_array(), last.to_array(), |here| {
            let here = IVec2::from_array(here);
            let steps = around.iter().filter(|step| may_step(here, **step));
            steps
                .map(|step| ((here + *step).to_array(), cost_of(here, *step)))
                .collect()
        });
        let places = [first, last].map(|cell| grid.middle(cell.as_uvec2()));
        let route = grid_route(&grid, &weights, places[0], places[1]);
        assert_eq!(route.is_some(), expected.is_some(), "seed {seed}");
        let (Some((route, _)), Some(expected)) = (route, expected) else {
            continue;
        };
        let cells: Vec<IVec2> = route.iter().map(|p| grid.pixel_at(*p)).collect();
        let mut cost = 0.0;
        for pair in cells.windows(2).filter(|pair| pair[0] != pair[1]) {
            let step = pair[1] - pair[0];
            assert!(
                step.abs().max_element() == 1,
                "seed {seed}: a jump of {step}"
            );
            assert!(
                may_step(pair[0], step),
                "seed {seed}: a corner is cut at {}",
                pair[0]
            );
            cost += cost_of(pair[0], step);
        }
        assert_eq!(
            (cells[0], cells[cells.len() - 1]),
            (first, last),
            "seed {seed}"
        );
        assert!(
            (cost - expected).abs() <= 1e-6 * (1.0 + expected),
            "seed {seed}: {cost} instead of {expected}"
        );
        found += 1;
    }
    assert!(found > 50, "only {found} routes were compared");
}
