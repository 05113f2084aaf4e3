//! Incremental triangulation against one from scratch.

use super::splice_checks::assert_same_ground;
use super::*;
use crate::base::Random;
use crate::document::template::{Options, Template};
use crate::geometry::{
    Polygon, Rect,
    hostile::{any_polygon, small_polygon},
};
use crate::jobs::JobContext;
use glam::DVec2;
use proptest::prelude::*;
use std::sync::Arc;

fn kinds(count: usize) -> Vec<TerrainKind> {
    (0..count).map(|_| TerrainKind::bare()).collect()
}

fn drawing(size: f64, obstacles: Vec<Polygon>, patches: Vec<(Polygon, u16)>) -> TerrainInput {
    TerrainInput {
        bounds: Rect::new(DVec2::splat(-size), DVec2::splat(size)),
        obstacles: obstacles.into_iter().map(Arc::new).collect(),
        patches: patches
            .into_iter()
            .map(|(area, kind)| Patch::new(area, KindId(kind % 4)))
            .collect(),
        kinds: kinds(4),
    }
}

fn built(input: &TerrainInput) -> TerrainTriangulation {
    TerrainTriangulation::build(input.clone(), &JobContext::default()).expect("not cancelled")
}

fn updated(ground: &TerrainTriangulation, input: &TerrainInput) -> TerrainTriangulation {
    // No limit on removed triangles: drawings here are small.
    let updated = ground.updated_within(1.0, Arc::new(input.clone()), &JobContext::default());
    updated.expect("not cancelled")
}

/// Degenerate and overlapping shapes.
fn shape() -> impl Strategy<Value = Polygon> {
    let place = || prop_oneof![Just(0.0), -2.5_f64..2.5].prop_map(|x| (x * 4.0).round() * 3.0);
    (small_polygon(), place(), place()).prop_map(|(area, x, y)| moved(&area, DVec2::new(x, y)))
}

fn painted() -> impl Strategy<Value = (Polygon, u16)> {
    (shape(), 0..4_u16)
}

fn moved(area: &Polygon, by: DVec2) -> Polygon {
    let ring = |ring: &Vec<DVec2>| ring.iter().map(|p| *p + by).collect();
    Polygon {
        outer: ring(&area.outer),
        holes: area.holes.iter().map(ring).collect(),
    }
}

/// A random edit of a drawing.
#[derive(Clone, Debug)]
enum Act {
    Paint(Polygon, u16),
    Block(Polygon),
    /// The patch or obstacle with that number, modulo their count.
    Erase(usize),
    Clear(usize),
    Repaint(usize, Polygon, u16),
    MoveObstacle(usize, DVec2),
    MoveCorner(usize, usize, DVec2),
}

fn act() -> impl Strategy<Value = Act> {
    let offset = || (-1.0..1.0, -1.0..1.0).prop_map(DVec2::from);
    prop_oneof![
        3 => painted().prop_map(|(area, kind)| Act::Paint(area, kind)),
        1 => any_polygon().prop_map(|area| Act::Paint(area, 2)),
        2 => shape().prop_map(Act::Block),
        1 => (0..8_usize).prop_map(Act::Erase),
        1 => (0..8_usize).prop_map(Act::Clear),
        2 => (0..8_usize, painted()).prop_map(|(i, (area, kind))| Act::Repaint(i, area, kind)),
        2 => (0..8_usize, offset()).prop_map(|(i, by)| Act::MoveObstacle(i, by)),
        3 => (0..8_usize, 0..8_usize, offset()).prop_map(|(i, j, by)| Act::MoveCorner(i, j, by)),
    ]
}

fn done(input: &mut TerrainInput, act: Act) {
    let nth = |index: usize, count: usize| (count > 0).then(|| index % count.max(1));
    let (patches, obstacles) = (input.patches.len(), input.obstacles.len());
    match act {
        Act::Paint(area, kind) => input.patches.push(Patch::new(area, KindId(kind))),
        Act::Block(area) => input.obstacles.push(Arc::new(area)),
        Act::Erase(i) => {
            nth(i, patches).map(|i| input.patches.remove(i));
        }
        Act::Clear(i) => {
            nth(i, obstacles).map(|i| input.obstacles.remove(i));
        }
        Act::Repaint(i, area, kind) => {
            if let Some(i) = nth(i, patches) {
                input.patches[i] = Patch::new(area, KindId(kind));
            }
        }
        Act::MoveObstacle(i, by) => {
            if let Some(i) = nth(i, obstacles) {
                input.obstacles[i] = Arc::new(moved(&input.obstacles[i], by));
            }
        }
        Act::MoveCorner(i, j, by) => {
            if let Some(i) = nth(i, patches)
                && let outer = &mut Arc::make_mut(&mut input.patches[i].area).outer
                && let Some(j) = nth(j, outer.len())
            {
                outer[j] += by;
            }
        }
    }
}

fn cases() -> ProptestConfig {
    let wanted = std::env::var("WAYLOOM_CASES").ok();
    ProptestConfig::with_cases(wanted.and_then(|n| n.parse().ok()).unwrap_or(64))
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn what_is_changed_step_by_step_is_as_if_drawn_at_once(
        size in prop_oneof![Just(5.0), Just(40.0)],
        obstacles in prop::collection::vec(shape(), 0..4),
        patches in prop::collection::vec(painted(), 0..5),
        acts in prop::collection::vec(act(), 1..6),
        seed in 0..1000_u64,
    ) {
        let mut input = drawing(size, obstacles, patches);
        let mut ground = built(&input);
        for act in acts {
            done(&mut input, act);
            ground = updated(&ground, &input);
            prop_assert_eq!(ground.mesh().check_invariants(), Ok(()));
            assert_same_ground(&input, ground.mesh(), built(&input).mesh(), seed)?;
        }
    }
}

#[test]
fn a_brush_in_the_city_leaves_all_but_a_few_triangles_alone() {
    let template = Template::by_name("city").expect("a sample");
    let level = template.build(&Options::default()).expect("valid");
    let obstacles = crate::nav::free_space::Input::of_level(&level);
    let mut input = TerrainInput::new(&obstacles, &Paint::of_level(&level));
    let ground = built(&input);
    let mut random = Random::new(3);
    let bounds = input.bounds;
    input
        .patches
        .push(Patch::new(Polygon::default(), KindId(1)));
    for _ in 0..6 {
        let at = random.point(bounds.min, bounds.max);
        let last = input.patches.len() - 1;
        input.patches[last].area = Arc::new(Polygon::regular(at, 6.0, 24, 0.0));
        let spliced = updated(&ground, &input);
        assert!(!spliced.is_from_scratch(), "made from scratch");
        assert_eq!(spliced.mesh().check_invariants(), Ok(()));
        let before: std::collections::BTreeSet<_> = corners_of(ground.mesh());
        let after = corners_of(spliced.mesh());
        let fresh = after.difference(&before).count();
        assert!(fresh > 20 && fresh < 1500, "{fresh} new triangles");
        let work = spliced.work();
        assert!(work.made > 20 && work.made < 1500 && work.of == spliced.mesh().len());
        let whole = built(&input);
        assert_same_ground(&input, spliced.mesh(), whole.mesh(), 1).expect("the same");
    }
    // Back to the original: identical triangles, not only equal ground.
    input.patches.pop();
    let back = updated(&updated(&ground, &input), &input);
    assert_eq!(corners_of(back.mesh()), corners_of(ground.mesh()));
}

fn corners_of(mesh: &TerrainMesh) -> std::collections::BTreeSet<[[i64; 2]; 3]> {
    let place = |p: DVec2| [(p.x * 1e3).round() as i64, (p.y * 1e3).round() as i64];
    let sorted = |mut corners: [[i64; 2]; 3]| {
        corners.sort_unstable();
        corners
    };
    mesh.triangles()
        .map(|(corners, _)| sorted(corners.map(place)))
        .collect()
}

#[test]
fn other_bounds_and_other_terrain_types_are_made_from_scratch() {
    let square = |size: f64| Polygon::rect(Rect::around(DVec2::ZERO, DVec2::splat(size)));
    let input = drawing(5.0, vec![square(1.0)], vec![(square(2.0), 1)]);
    let ground = built(&input);
    assert!(updated(&ground, &drawing(6.0, vec![square(1.0)], vec![])).is_from_scratch());
    let mut other = input.clone();
    other.kinds = kinds(5);
    assert!(updated(&ground, &other).is_from_scratch());
    let same = updated(&ground, &input);
    assert_eq!(same.mesh(), ground.mesh());
    // Empty before and after.
    let nothing = drawing(0.0, vec![], vec![]);
    assert!(
        updated(&built(&nothing), &input)
            .mesh()
            .kind_at(DVec2::splat(1.5))
            .is_some()
    );
    assert!(updated(&ground, &nothing).mesh().is_empty());
}
