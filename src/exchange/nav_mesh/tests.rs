//! The mesh covers free space, no more and no less, and connects what free space connects.

use super::*;
use crate::document::{Edit, Entity, Kind, Region, Terrain, ops};
use crate::exchange::test_level::{apply, obstacle};
use crate::geometry::Polygon;
use crate::geometry::hostile::small_polygon;
use crate::geometry::polygon::signed_area;
use proptest::prelude::*;

fn rect(x0: f64, y0: f64, x1: f64, y1: f64) -> Polygon {
    Polygon::rect(Rect::new(DVec2::new(x0, y0), DVec2::new(x1, y1)))
}

fn mesh_of(level: &Level, division: &Division) -> NavMesh {
    let level = Arc::new(level.clone());
    NavMesh::bake(&level, None, division, &JobContext::default()).expect("there is room")
}

fn area(mesh: &NavMesh) -> f64 {
    let ring = |polygon: &NavPolygon| -> Vec<DVec2> {
        let corners = polygon.corners.iter();
        corners.map(|c| mesh.vertices[*c as usize]).collect()
    };
    mesh.polygons.iter().map(|p| signed_area(&ring(p))).sum()
}

fn free_area(level: &Level, radius: f64) -> f64 {
    let request = BakeRequest {
        profiles: ProfileSet::Radii(vec![radius]),
        ..BakeRequest::of(Arc::new(level.clone()))
    };
    let bundle = NavBundle::bake(request, &JobContext::default()).expect("not cancelled");
    let space = bundle.space(radius).expect("asked for");
    space.free.areas.iter().map(Polygon::area).sum()
}

/// Polygons that can be reached from the first.
fn connected_parts(mesh: &NavMesh) -> usize {
    let mut part = vec![usize::MAX; mesh.polygons.len()];
    let mut parts = 0;
    for first in 0..part.len() {
        if part[first] != usize::MAX {
            continue;
        }
        let mut stack = vec![first];
        part[first] = parts;
        while let Some(index) = stack.pop() {
            for next in mesh.polygons[index].beside.iter().flatten() {
                if part[*next as usize] == usize::MAX {
                    part[*next as usize] = parts;
                    stack.push(*next as usize);
                }
            }
        }
        parts += 1;
    }
    parts
}

/// A level with a patch of mud that costs four times as much.
fn muddy() -> Level {
    let mud = EntityId::new(100);
    let level = apply(
        DVec2::splat(20.0),
        vec![obstacle(rect(8.0, 0.0, 9.0, 15.0))],
    );
    let terrain = Terrain::new(
        crate::base::Colour::rgb(80, 60, 40),
        crate::document::Pattern::Dots,
        4.0,
    );
    let region = Region {
        area: rect(5.0, 14.0, 12.0, 18.3),
        terrain: mud,
    };
    let edits = [
        Edit::create(mud, Entity::new("Mud", Kind::Terrain(terrain))),
        Edit::create(EntityId::new(101), Entity::new("", Kind::Region(region))),
    ];
    ops::apply(&level, &edits).expect("sound")
}

#[test]
fn two_rooms_become_a_few_polygons_of_at_most_so_many_corners() {
    let walls = vec![
        obstacle(rect(10.0, -1.0, 10.2, 0.5)),
        obstacle(rect(10.0, 1.5, 10.2, 6.0)),
    ];
    let level = apply(DVec2::new(20.2, 5.0), walls);
    for corners in [3, 4, 6, 12] {
        let mesh = mesh_of(&level, &Division::with_corners(corners));
        mesh.check_invariants().expect("sound");
        assert!(mesh.polygons.iter().all(|p| p.corners.len() <= corners));
        assert_eq!(connected_parts(&mesh), 1);
        let free = free_area(&level, mesh.radius);
        assert!((area(&mesh) - free).abs() < 1e-6);
    }
}

#[test]
fn terrain_is_kept_apart_divided_and_priced_from_one_upwards() {
    let level = muddy();
    let mesh = mesh_of(&level, &Division::with_corners(6));
    mesh.check_invariants().expect("sound");
    assert_eq!(mesh.by_terrain().len(), 2);
    assert!(mesh.has_costs());
    assert_eq!(mesh.costs, [1.0, 4.0]);
    let muddy: f64 = mesh.by_terrain()[&KindId(1)]
        .iter()
        .map(|polygon| {
            let corners = polygon.corners.iter();
            let ring: Vec<DVec2> = corners.map(|c| mesh.vertices[*c as usize]).collect();
            signed_area(&ring)
        })
        .sum();
    assert!(muddy > 10.0 && muddy < 7.0 * 4.3);
    let coarse = Division {
        detail: Some(100.0),
        ..Division::with_corners(6)
    };
    assert!(mesh_of(&level, &coarse).polygons.len() < mesh.polygons.len());
    assert!((area(&mesh) - free_area(&level, mesh.radius)).abs() < 1e-3);
}

#[test]
fn no_polygon_crosses_a_cut() {
    let division = Division {
        cuts: [vec![5.0, 12.5], vec![7.0]],
        ..Division::with_corners(6)
    };
    let mesh = mesh_of(&muddy(), &division);
    mesh.check_invariants().expect("sound");
    for polygon in &mesh.polygons {
        let corners = polygon.corners.iter();
        let bounds = Rect::of_points(corners.map(|c| &mesh.vertices[*c as usize]));
        for x in [5.0, 12.5] {
            assert!(bounds.max.x <= x || bounds.min.x >= x);
        }
        assert!(bounds.max.y <= 7.0 || bounds.min.y >= 7.0);
    }
}

/// Two grown corners that leave a passage narrower than the lattice, with terrain that crosses it.
#[test]
fn a_passage_narrower_than_the_lattice_stays_open() {
    let radius = Profile::default().body.radius;
    let wall = |from: f64, to: f64, slope: f64| {
        let ring = [(0.0, 0.0), (10.0, slope), (10.0, 1.0), (0.0, 1.0)];
        let ring = ring.map(|(x, y)| DVec2::new(from + x * (to - from) / 10.0, y));
        Polygon::new(ring.to_vec())
    };
    // From 2 r above the lower wall on, the upper one rises by less than a step over the width.
    let upper = wall(0.0, 20.0, 0.0007).map(|p| p + DVec2::new(0.0, 5.0 + 2.0 * radius));
    let lower = wall(0.0, 20.0, 0.0).map(|p| p + DVec2::new(0.0, 4.0));
    let level = apply(
        DVec2::new(20.0, 12.0),
        vec![obstacle(upper), obstacle(lower)],
    );
    let mesh = mesh_of(&level, &Division::with_corners(6));
    mesh.check_invariants().expect("sound");
    let components: std::collections::BTreeSet<u32> =
        mesh.polygons.iter().map(|p| p.component).collect();
    assert_eq!(connected_parts(&mesh), components.len());
    assert!((area(&mesh) - free_area(&level, mesh.radius)).abs() < 1e-3);
}

#[test]
fn profiles_that_do_not_exist_are_named_with_those_that_do() {
    let level = Arc::new(muddy());
    let division = Division::with_corners(6);
    let refused = NavMesh::bake(&level, Some("Giant"), &division, &JobContext::default());
    assert!(refused.expect_err("none").to_string().contains("Giant"));
    let full = apply(
        DVec2::splat(10.0),
        vec![obstacle(rect(-1.0, -1.0, 11.0, 11.0))],
    );
    let refused = NavMesh::bake(&Arc::new(full), None, &division, &JobContext::default());
    assert!(refused.expect_err("full").to_string().contains("walk"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(
        std::env::var("WAYLOOM_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(64)
    ))]

    #[test]
    fn any_level_is_covered_and_connected_as_its_free_space(
        polygons in prop::collection::vec(small_polygon(), 0..8),
        detail in prop_oneof![Just(None), (0.2f64..3.0).prop_map(Some)],
        corners in 3usize..9,
    ) {
        let entities = polygons.into_iter().map(|p| obstacle(p.map(|p| p + 6.0)));
        let entities = entities.filter(|entity| entity.check().is_ok()).collect();
        let level = apply(DVec2::splat(12.0), entities);
        let division = Division { detail, ..Division::with_corners(corners) };
        let baked = NavMesh::bake(&Arc::new(level.clone()), None, &division, &JobContext::default());
        let radius = Profile::default().body.radius;
        let free = free_area(&level, radius);
        let Ok(mesh) = baked else {
            prop_assert!(free < 1e-9);
            return Ok(());
        };
        prop_assert_eq!(mesh.check_invariants(), Ok(()));
        prop_assert!((area(&mesh) - free).abs() < 0.02, "{} {}", area(&mesh), free);
        let components: std::collections::BTreeSet<u32> =
            mesh.polygons.iter().map(|p| p.component).collect();
        prop_assert_eq!(connected_parts(&mesh), components.len());
    }
}
