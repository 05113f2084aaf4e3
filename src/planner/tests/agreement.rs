//! Planners against each other and against brute force, on degenerate levels.

use super::{cases, oracle, slabs};
use crate::geometry::{
    Polygon, Rect,
    hostile::{small_point, small_polygon},
    polygon::closest_on_segment,
};
use crate::nav::CellMap;
use crate::nav::{Blocks, Corners, Pinches, PortalGraph};
use crate::planner::metrics::length_in_plan;
use crate::planner::optimal::OptimalSearch;
use crate::planner::portal::{Placing, PortalSearch};
use crate::planner::session::Progress;
use glam::DVec2;
use proptest::prelude::*;
use std::sync::Arc;

fn bounds() -> Rect {
    Rect::new(DVec2::splat(-5.0), DVec2::splat(5.0))
}

/// Obstacles on small integer coordinates: aligned, touching, overlapping, without area.
fn obstacles() -> impl Strategy<Value = Vec<Polygon>> {
    let block = (small_point(), 1_i32..4, 1_i32..4).prop_map(|(p, w, h)| {
        Polygon::rect(Rect::new(
            p,
            p + DVec2::new(f64::from(w), f64::from(h)) * 0.5,
        ))
    });
    let any = prop_oneof![3 => block, 1 => small_polygon()];
    prop::collection::vec(any, 0..7)
}

/// On walls, corners and portals as often as elsewhere.
fn place() -> impl Strategy<Value = DVec2> {
    prop_oneof![
        small_point(),
        (-5.0..5.0, -5.0..5.0).prop_map(|(x, y)| DVec2::new(x, y)),
        (-10_i32..11, -5.0..5.0).prop_map(|(x, y)| DVec2::new(f64::from(x) * 0.5, y)),
    ]
}

/// Each planner's path, if any.
fn ask(map: &CellMap, start: DVec2, goal: DVec2) -> (Vec<Option<Vec<DVec2>>>, Option<Vec<DVec2>>) {
    let pinches = Pinches::of(map);
    let blocks = Arc::new(Blocks::of(map));
    let answers = [
        (Placing::Movable, None),
        (Placing::Centre, None),
        (Placing::Centre, Some(10.0 / 3.0)),
        (Placing::Centre, Some(1.0)),
    ]
    .into_iter()
    .map(|(placing, width)| {
        let graph = PortalGraph::new(map, &blocks, width);
        let mut engine = PortalSearch::new(placing);
        engine.begin(map, &pinches, &graph, start, goal);
        // In small steps, which must not matter.
        while engine.run(map, &graph, 3) == Progress::Running {}
        (engine.progress() == Progress::Found).then(|| engine.path().to_vec())
    })
    .collect();
    let corners = Corners::of(map, &blocks);
    let mut engine = OptimalSearch::default();
    engine.begin(map, &pinches, &corners, start, goal);
    while engine.run(&corners, 3) == Progress::Running {}
    let optimal = (engine.progress() == Progress::Found).then(|| engine.path().to_vec());
    (answers, optimal)
}

fn check(map: &CellMap, areas: &[Polygon], start: DVec2, goal: DVec2) -> Result<(), TestCaseError> {
    let (answers, optimal) = ask(map, start, goal);
    let components = |p: DVec2| -> Vec<u32> {
        map.cells()
            .filter(|cell| map.covers(*cell, p))
            .map(|cell| map.component(cell))
            .collect()
    };
    let of_goal = components(goal);
    let is_connected = components(start).iter().any(|c| of_goal.contains(c));
    // Portal ends on walls are rounded: exactly on a wall, the cells' own test is too strict.
    let is_on_wall = |p: DVec2| areas.iter().any(|area| area.distance_to_edge(p) < 1e-9);
    if is_on_wall(start) || is_on_wall(goal) {
        prop_assert!(optimal.is_some() || !is_connected);
    } else {
        prop_assert_eq!(optimal.is_some(), is_connected);
    }
    let Some(optimal) = optimal else {
        prop_assert!(answers.iter().all(Option::is_none));
        return Ok(());
    };
    let shortest = length_in_plan(&optimal);
    for path in answers.iter().map(Option::as_ref).chain([Some(&optimal)]) {
        let path = path.ok_or_else(|| TestCaseError::fail("a planner found no path"))?;
        prop_assert_eq!((path[0], path[path.len() - 1]), (start, goal));
        prop_assert!(
            length_in_plan(path) >= shortest - 1e-9,
            "{:?} {:?}",
            path,
            optimal
        );
        for pair in path.windows(2) {
            prop_assert!(oracle::sees(areas, pair[0], pair[1]), "{:?}", pair);
        }
    }
    let brute = oracle::shortest(areas, start, goal);
    let brute = brute.ok_or_else(|| TestCaseError::fail("brute force found no path"))?;
    prop_assert!(shortest >= brute - 1e-9, "{} {}", shortest, brute);
    // Brute force passes where free space touches itself, planners do not.
    let touches = areas.iter().flat_map(Polygon::points).any(|&p| {
        let edges = areas.iter().flat_map(Polygon::edges);
        let at = edges.filter(|(a, b)| closest_on_segment(*a, *b, p).distance(p) < 1e-9);
        at.count() > 2
    });
    if !touches {
        prop_assert!(
            shortest <= brute + 1e-9,
            "{} {} {:?}",
            shortest,
            brute,
            optimal
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(120)))]
    #[test]
    fn planners_agree_with_brute_force_on_slabs(
        obstacles in obstacles(), start in place(), goal in place()
    ) {
        let areas = slabs::free(bounds(), &obstacles);
        check(&slabs::map(bounds(), &obstacles), &areas, start, goal)?;
    }

    #[test]
    fn planners_agree_with_brute_force_on_merged_trapezoids(
        obstacles in obstacles(), start in place(), goal in place()
    ) {
        let ctx = crate::jobs::JobContext::default();
        let input = crate::nav::free_space::Input::of_polygons(bounds(), obstacles);
        let free = crate::nav::FreeSpace::build(input, 0.0, &ctx).expect("not cancelled");
        let map = crate::nav::Trapezoids::build(&free, &ctx).expect("not cancelled").merged;
        check(&map, &free.areas, start, goal)?;
    }
}

/// The corner at which both touch is near the start on one side of it, and on the shortest path
/// around them on the other.
#[test]
fn a_corner_that_was_reached_on_one_side_can_be_turned_at_on_the_other() {
    let ring = |corners: [(f64, f64); 3]| Polygon::new(corners.map(DVec2::from).to_vec());
    let obstacles = [
        ring([(-3.0, 0.0), (4.0, 2.0), (0.0, 0.0)]),
        ring([(4.0, 2.0), (2.0, 3.0), (3.0, 3.0)]),
    ];
    let areas = slabs::free(bounds(), &obstacles);
    let map = slabs::map(bounds(), &obstacles);
    let (start, goal) = (DVec2::new(3.54, 2.18), DVec2::new(0.0, -2.84));
    check(&map, &areas, start, goal).expect("planners agree");
    let (_, optimal) = ask(&map, start, goal);
    let path = optimal.expect("found");
    assert!(path.contains(&DVec2::new(4.0, 2.0)), "{path:?}");
}

#[test]
fn the_optimum_is_that_of_the_peer() {
    let mut random = crate::base::Random::new(7);
    let bounds = Rect::new(DVec2::ZERO, DVec2::splat(100.0));
    let mut compared = 0;
    for _ in 0..6 {
        let obstacles: Vec<Polygon> = (0..12)
            .map(|_| {
                let at = random.point(DVec2::splat(8.0), DVec2::splat(92.0));
                Polygon::regular(
                    at,
                    random.range(2.0, 9.0),
                    3 + random.below(5),
                    random.unit(),
                )
            })
            .collect();
        let map = slabs::map(bounds, &obstacles);
        let mesh = peer(&map);
        for _ in 0..30 {
            let mut place = || random.point(bounds.min, bounds.max);
            let (start, goal) = (place(), place());
            let (_, Some(path)) = ask(&map, start, goal) else {
                continue;
            };
            let single = |p: DVec2| glam::Vec2::new(p.x as f32, p.y as f32);
            let Some(theirs) = mesh.path(single(start), single(goal)) else {
                continue;
            };
            let ours = length_in_plan(&path);
            compared += 1;
            assert!(
                (ours - f64::from(theirs.length)).abs() < 2e-3 * (1.0 + ours),
                "{ours} {}",
                theirs.length
            );
        }
    }
    assert!(compared > 100, "{compared}");
}

/// The cells as a mesh of the crate `polyanya`.
fn peer(map: &CellMap) -> polyanya::Mesh {
    let mut vertices: Vec<(DVec2, Vec<u32>)> = Vec::new();
    let mut polygons = Vec::new();
    for cell in map.cells() {
        let corners = map.corners(cell).iter().map(|p| {
            let at = vertices
                .iter()
                .position(|(q, _)| q == p)
                .unwrap_or_else(|| {
                    vertices.push((*p, Vec::new()));
                    vertices.len() - 1
                });
            vertices[at].1.push(cell.0);
            at as u32
        });
        let corners: Vec<u32> = corners.collect();
        polygons.push(polyanya::Polygon::new(corners, false));
    }
    // A vertex on a wall knows that there is nothing on one side.
    let mut at_wall = vec![false; vertices.len()];
    for (cell, polygon) in map.cells().zip(&polygons) {
        for (i, portal) in map.sides(cell).iter().enumerate() {
            if portal.is_none() {
                let next = (i + 1) % polygon.vertices.len();
                at_wall[polygon.vertices[i] as usize] = true;
                at_wall[polygon.vertices[next] as usize] = true;
            }
        }
    }
    let vertices = vertices
        .into_iter()
        .zip(at_wall)
        .map(|((p, mut cells), is_wall)| {
            // Counter-clockwise, beginning behind the wall.
            let angle = |cell: &u32| {
                let corners = map.corners(crate::nav::CellId(*cell));
                let centre = corners.iter().copied().sum::<DVec2>() / corners.len() as f64;
                (centre - p).to_angle()
            };
            cells.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
            if is_wall {
                cells.push(u32::MAX);
            }
            polyanya::Vertex::new(glam::Vec2::new(p.x as f32, p.y as f32), cells)
        })
        .collect();
    let mut mesh = polyanya::Mesh::new(vertices, polygons).expect("the cells are in order");
    mesh.bake();
    mesh
}
