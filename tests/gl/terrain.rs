//! The terrain of each pixel: OpenGL against the processor.

use crate::{context, sample};
use glam::{DVec2, UVec2};
use wayloom::base::Random;
use wayloom::geometry::{Polygon, Rect, polygon::closest_on_segment};
use wayloom::jobs::JobContext;
use wayloom::nav::terrain::raster::TerrainRaster;
use wayloom::nav::terrain::{KindId, Patch, TerrainInput, TerrainKind, TerrainMesh};
use wayloom::nav::{BakeRequest, NavBundle};

/// A middle of a pixel as near as this to a border may be drawn on either side of it. Unit: pixels.
const ROUNDING: f64 = 0.01;

/// Crossings are rounded to the lattice in triangles, not in polygons. Unit: metres.
const LATTICE: f64 = 0.0015;

fn assert_same(gl: &glow::Context, input: &TerrainInput, resolution: f64, name: &str) {
    let pixel = input.bounds.size().max_element() / resolution;
    let mesh = TerrainMesh::build(input, &JobContext::default()).expect("not cancelled");
    let drawn = TerrainRaster::drawn(gl, &mesh, pixel).expect("drawn");
    let filled = TerrainRaster::of(input, pixel).expect("not too large");
    assert_eq!((drawn.size, drawn.origin), (filled.size, filled.origin));
    let rim = Polygon::rect(input.bounds);
    let rim = rim.edges().map(|(a, b)| [a, b]);
    let borders: Vec<[DVec2; 2]> = mesh.borders().chain(rim).collect();
    let mut differing = 0;
    for (index, kinds) in drawn.kinds.iter().zip(&filled.kinds).enumerate() {
        if kinds.0 == kinds.1 {
            continue;
        }
        differing += 1;
        let (x, y) = (index as u32 % drawn.size.x, index as u32 / drawn.size.x);
        let middle = drawn.middle(UVec2::new(x, y));
        let gap = borders
            .iter()
            .map(|[a, b]| closest_on_segment(*a, *b, middle).distance(middle))
            .fold(f64::INFINITY, f64::min);
        assert!(
            gap <= ROUNDING * pixel + LATTICE,
            "{name}: {kinds:?} at {middle}, {gap} m from the nearest border"
        );
    }
    // A whole column may have its middles on a border.
    assert!(
        differing * 4 < drawn.kinds.len(),
        "{name}: {differing} differ"
    );
}

#[test]
fn cards_draw_the_terrain_of_levels_as_the_processor_does() {
    let Some(context) = context() else { return };
    for (name, resolution) in [("mckenna_road", 512.0), ("forest", 400.0), ("rooms", 300.0)] {
        let request = BakeRequest::of(sample(name));
        let bundle = NavBundle::bake(request, &JobContext::default()).expect("not cancelled");
        assert_same(context.gl(), bundle.shared().drawing(), resolution, name);
    }
}

#[test]
fn cards_draw_any_painting_as_the_processor_does() {
    let Some(context) = context() else { return };
    let cases = std::env::var("WAYLOOM_CASES").ok();
    let cases = cases.and_then(|n| n.parse().ok()).unwrap_or(24_u64);
    for case in 0..cases {
        let mut random = Random::stream(31, case);
        let size = random.point(DVec2::splat(5.0), DVec2::splat(60.0)).round();
        let mut area = || {
            let at = random.point(DVec2::ZERO, size);
            let radii = random.point(DVec2::splat(0.2), 0.3 * size);
            if random.chance(0.4) {
                // On the lattice and flush with each other now and then.
                Polygon::rect(Rect::around(at.round(), radii.round().max(DVec2::ONE)))
            } else {
                Polygon::ellipse(at, radii, 3 + random.below(9), random.range(0.0, 6.0))
            }
        };
        let input = TerrainInput {
            bounds: Rect::new(DVec2::ZERO, size),
            obstacles: (0..case % 4).map(|_| area().into()).collect(),
            patches: (0..1 + case % 9)
                .map(|i| Patch::new(area(), KindId((i % 5) as u16)))
                .collect(),
            kinds: (0..5).map(|_| TerrainKind::bare()).collect(),
        };
        assert_same(context.gl(), &input, 150.0, &format!("case {case}"));
    }
}
