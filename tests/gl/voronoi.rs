//! The nearest obstacle of each pixel: OpenGL against the processor, and both against the exact
//! corridor map.

use crate::{context, sample};
use glam::{DVec2, UVec2};
use wayloom::base::Backend;
use wayloom::base::Random;
use wayloom::geometry::{Polygon, Rect, polygon::closest_on_segment};
use wayloom::gpu::voronoi::NearestPass;
use wayloom::jobs::JobContext;
use wayloom::nav::corridor::raster::{Drawer, NearestRaster};
use wayloom::nav::corridor::{CorridorMap, DeadEnds, EdgeId, build_between};
use wayloom::nav::{BakeRequest, NavBundle};

/// Every sample level; the first four in a short run.
const LEVELS: [&str; 8] = [
    "mckenna",
    "rooms",
    "labyrinth",
    "loose",
    "mckenna_road",
    "dense",
    "forest",
    "city",
];

/// Random levels of a long run, by `WAYLOOM_CASES`.
fn many() -> Option<usize> {
    std::env::var("WAYLOOM_CASES").ok()?.parse().ok()
}

fn obstacles_of(name: &str) -> (Rect, Vec<Polygon>) {
    let request = BakeRequest::of(sample(name));
    let bundle = NavBundle::bake(request, &JobContext::default()).expect("not cancelled");
    let input = bundle.shared().obstacles();
    let areas = input.blockers.iter().map(|b| Polygon::clone(&b.area));
    (input.bounds, areas.collect())
}

/// Houses of all sorts; every other level has some that overlap or lie flush.
fn town(case: usize) -> (Rect, Vec<Polygon>) {
    let mut random = Random::stream(77, case as u64);
    let size = 60.0;
    let count = 1 + random.below(40);
    let mut houses: Vec<Polygon> = Vec::new();
    while houses.len() < count {
        let at = random.point(DVec2::ZERO, DVec2::splat(size));
        let radii = random.point(DVec2::splat(0.6), DVec2::splat(6.0));
        let house = if random.chance(0.5) {
            // On a lattice, so that walls are flush now and then.
            Polygon::rect(Rect::around(at.round(), radii.round().max(DVec2::ONE)))
        } else {
            Polygon::ellipse(at, radii, 3 + random.below(6), random.range(0.0, 6.0))
        };
        let is_apart = |other: &Polygon| !other.bounds().expanded(1.0).overlaps(&house.bounds());
        if case % 2 == 1 || houses.iter().all(is_apart) || random.chance(0.02) {
            houses.push(house);
        }
    }
    (Rect::new(DVec2::ZERO, DVec2::splat(size)), houses)
}

fn distance(polygon: &Polygon, p: DVec2) -> f64 {
    if polygon.contains(p) {
        0.0
    } else {
        polygon.distance_to_edge(p)
    }
}

/// Equal pictures: where colours differ, both obstacles are as near within a pixel, and the
/// distances are one.
fn assert_twins(about: &str, drawn: &NearestRaster, twin: &NearestRaster, areas: &[Polygon]) {
    assert_eq!((drawn.origin, drawn.size), (twin.origin, twin.size));
    let bounds = Rect::new(
        drawn.origin,
        drawn.origin + drawn.size.as_dvec2() * drawn.pixel,
    );
    let rim = Polygon::rect(bounds);
    let pixel = drawn.pixel;
    let mut differing = 0;
    for y in 0..drawn.size.y {
        for x in 0..drawn.size.x {
            let at = (y * drawn.size.x + x) as usize;
            let (a, b) = (drawn.distances[at], twin.distances[at]);
            // Graphics cards place corners to 1/256 of a pixel, so that a middle that close to a
            // side may be inside or outside.
            assert!((a - b).abs() <= 0.02 * pixel, "{about} {x},{y}: {a} {b}");
            let colours = [drawn.colours[at], twin.colours[at]];
            if colours[0] != colours[1] {
                differing += 1;
                let p = drawn.middle(x, y);
                let to = colours.map(|c| {
                    areas
                        .get(c as usize)
                        .map_or(rim.distance_to_edge(p), |o| distance(o, p))
                });
                assert!(
                    (to[0] - to[1]).abs() <= pixel,
                    "{about} {p}: {colours:?} {to:?}"
                );
            }
        }
    }
    let share = f64::from(differing) / drawn.colours.len() as f64;
    assert!(share < 0.01, "{about}: {share} of the pixels differ");
}

/// How far picture and map are apart, at most. Unit: pixels.
#[derive(Clone, Copy, Debug, Default)]
struct Apart {
    from_axis: f64,
    from_picture: f64,
    clearance: f64,
    axis_points: usize,
    picture_points: usize,
}

/// The least distance from `p` to a side between pixels of different colours, up to two pixels.
fn to_boundary(raster: &NearestRaster, p: DVec2) -> f64 {
    let at = (p - raster.origin) / raster.pixel;
    let size = raster.size.as_ivec2();
    let base = at.floor().as_ivec2();
    let colour = |x: i32, y: i32| raster.colours[(y * size.x + x) as usize];
    let mut least = f64::INFINITY;
    for y in (base.y - 3).max(0)..(base.y + 4).min(size.y) {
        for x in (base.x - 3).max(0)..(base.x + 4).min(size.x) {
            let corner = |dx: i32, dy: i32| DVec2::new(f64::from(x + dx), f64::from(y + dy));
            let here = colour(x, y);
            if x + 1 < size.x && colour(x + 1, y) != here {
                let on = closest_on_segment(corner(1, 0), corner(1, 1), at);
                least = least.min(on.distance(at));
            }
            if y + 1 < size.y && colour(x, y + 1) != here {
                let on = closest_on_segment(corner(0, 1), corner(1, 1), at);
                least = least.min(on.distance(at));
            }
        }
    }
    least
}

fn compare(raster: &NearestRaster, map: &CorridorMap, areas: &[Polygon], bounds: Rect) -> Apart {
    let mut apart = Apart::default();
    let pixel = raster.pixel;
    let rim = Polygon::rect(bounds);
    let of = |blocker: Option<u32>| blocker.map_or(&rim, |i| &areas[i as usize]);
    for edge in 0..map.edges().len() {
        for pair in map.samples_of(EdgeId(edge as u32)).windows(2) {
            for sample in pair {
                let at = ((sample.point - raster.origin) / pixel).as_uvec2();
                let at = at.min(raster.size - UVec2::ONE);
                let drawn = raster.distances[(at.y * raster.size.x + at.x) as usize];
                apart.clearance = apart
                    .clearance
                    .max((drawn - sample.clearance).abs() / pixel);
            }
            // Parts of one obstacle have one colour; where another one touches it, either may
            // give the pixel its colour.
            let is_between = pair.iter().all(|s| {
                let [left, right] = [s.left_blocker, s.right_blocker].map(of);
                s.left_blocker != s.right_blocker
                    && s.clearance > pixel
                    && left.distance_to_edge(s.right) > pixel
                    && right.distance_to_edge(s.left) > pixel
            });
            if !is_between {
                continue;
            }
            let steps = (pair[0].point.distance(pair[1].point) / pixel)
                .ceil()
                .max(1.0);
            for step in 0..=steps as usize {
                let p = pair[0].point.lerp(pair[1].point, step as f64 / steps);
                apart.axis_points += 1;
                apart.from_axis = apart.from_axis.max(to_boundary(raster, p));
            }
        }
    }
    let skeleton = raster.skeleton();
    for (ends, colours) in &skeleton.links {
        let [a, b] = ends.map(|i| skeleton.points[i as usize]);
        let p = a.point.midpoint(b.point);
        // Where two obstacles lie flush, their colours meet although there is one wall.
        let near = colours.map(|c| {
            let outline = areas.get(c as usize).unwrap_or(&rim);
            let to = |&(a, b): &(DVec2, DVec2)| closest_on_segment(a, b, p).distance_squared(p);
            let nearest = outline.edges().min_by(|a, b| to(a).total_cmp(&to(b)));
            nearest.map_or(p, |(a, b)| closest_on_segment(a, b, p))
        });
        if near[0].distance(near[1]) < 2.0 * pixel {
            continue;
        }
        apart.picture_points += 1;
        let on_axis = map.nearest(p).expect("there is an axis");
        apart.from_picture = apart.from_picture.max(on_axis.point.distance(p) / pixel);
        for end in [a, b] {
            if let Some(clearance) = map.walls().clearance(end.point) {
                apart.clearance = apart
                    .clearance
                    .max((end.clearance - clearance).abs() / pixel);
            }
        }
    }
    apart
}

fn assert_agree(about: &str, apart: Apart) {
    eprintln!("{about}: {apart:.3?}");
    let diagonal = 2.0_f64.sqrt();
    assert!(apart.from_axis <= diagonal, "{about}: {apart:?}");
    assert!(apart.from_picture <= diagonal, "{about}: {apart:?}");
    assert!(apart.clearance <= 1.0, "{about}: {apart:?}");
}

fn map_of(bounds: Rect, areas: &[Polygon]) -> CorridorMap {
    build_between(bounds, areas, DeadEnds::Keep, &JobContext::default()).expect("in range")
}

#[test]
fn pictures_of_sample_levels_agree_with_twin_and_map() {
    let Some(context) = context() else { return };
    let gl = context.gl();
    let mut pass = NearestPass::new(gl).expect("the shaders compile");
    let longest = if many().is_some() { 2048.0 } else { 400.0 };
    let count = if many().is_some() { LEVELS.len() } else { 4 };
    for name in &LEVELS[..count] {
        let (bounds, areas) = obstacles_of(name);
        let pixel = bounds.size().max_element() / longest;
        let drawn = NearestRaster::drawn(gl, &mut pass, bounds, &areas, pixel, None)
            .expect("OpenGL has nothing to complain about");
        let twin = NearestRaster::of(bounds, &areas, pixel).expect("few pixels");
        assert_twins(name, &drawn, &twin, &areas);
        let apart = compare(&drawn, &map_of(bounds, &areas), &areas, bounds);
        assert!(
            apart.axis_points > 100 && apart.picture_points > 100,
            "{name}: {apart:?}"
        );
        assert_agree(name, apart);
    }
    pass.delete(gl);
}

#[test]
fn pictures_of_random_levels_agree_with_twin_and_map() {
    let Some(context) = context() else { return };
    let gl = context.gl();
    let mut pass = NearestPass::new(gl).expect("the shaders compile");
    let mut compared = 0;
    for case in 0..many().unwrap_or(16) {
        let (bounds, areas) = town(case);
        let pixel = bounds.size().max_element() / 300.0;
        let drawn = NearestRaster::drawn(gl, &mut pass, bounds, &areas, pixel, None)
            .expect("OpenGL has nothing to complain about");
        let twin = NearestRaster::of(bounds, &areas, pixel).expect("few pixels");
        let about = format!("case {case}");
        assert_twins(&about, &drawn, &twin, &areas);
        let apart = compare(&drawn, &map_of(bounds, &areas), &areas, bounds);
        compared += apart.axis_points.min(apart.picture_points);
        assert_agree(&about, apart);
    }
    assert!(compared > 5_000, "{compared}");
    pass.delete(gl);
}

#[test]
fn a_picture_in_parts_is_the_whole_picture() {
    let Some(context) = context() else { return };
    let gl = context.gl();
    let mut pass = NearestPass::new(gl).expect("the shaders compile");
    let (bounds, areas) = obstacles_of("mckenna");
    let mut draw =
        |tile| NearestRaster::drawn(gl, &mut pass, bounds, &areas, 0.7, tile).expect("drawn");
    let whole = draw(None);
    for tile in [1 << 20, 100, 37] {
        let parts = draw(Some(tile));
        let differing = |i: &usize| whole.colours[*i] != parts.colours[*i];
        let differing = (0..whole.colours.len()).filter(differing).count();
        assert!(differing < 20, "{tile}: {differing} pixels");
        for (a, b) in whole.distances.iter().zip(&parts.distances) {
            assert!((a - b).abs() < 0.02 * whole.pixel, "{tile}");
        }
    }
    pass.delete(gl);
    wayloom::gpu::check(gl, "deleting").expect("nothing was deleted twice");
}

#[test]
fn outlines_without_sense_are_drawn_without_trouble() {
    let Some(context) = context() else { return };
    let gl = context.gl();
    let mut pass = NearestPass::new(gl).expect("the shaders compile");
    let bounds = Rect::new(DVec2::ZERO, DVec2::splat(10.0));
    let points = |list: &[[f64; 2]]| Polygon::new(list.iter().copied().map(DVec2::from).collect());
    let odd = [
        Polygon::default(),
        points(&[[f64::NAN, 1.0], [2.0, 2.0], [3.0, f64::INFINITY]]),
        points(&[[4.0, 4.0]]),
        points(&[[1.0, 1.0], [3.0, 3.0], [3.0, 1.0], [1.0, 3.0]]),
        points(&[[-1e6, 5.0], [1e6, 5.0], [1e6, 5.2]]),
        points(&[[7.0, 7.0], [7.0, 7.0], [7.0, 7.0]]),
    ];
    let drawn = NearestRaster::drawn(gl, &mut pass, bounds, &odd, 0.05, None).expect("drawn");
    let twin = NearestRaster::of(bounds, &odd, 0.05).expect("few pixels");
    let wrong = drawn.distances.iter().zip(&twin.distances);
    let wrong = wrong.filter(|(a, b)| (*a - *b).abs() > 0.1).count();
    assert!(wrong < drawn.distances.len() / 100, "{wrong}");
    pass.delete(gl);
}

#[test]
fn the_backend_is_reported_and_both_draw_the_same() {
    let (bounds, areas) = town(4);
    let mut processor = Drawer::new(Backend::Cpu);
    assert_eq!(
        (processor.by(), processor.report()),
        ("the processor", None)
    );
    let expected = processor.picture(bounds, &areas, 0.5).expect("few pixels");
    let mut card = Drawer::new(Backend::Auto);
    let drawn = card.picture(bounds, &areas, 0.5).expect("few pixels");
    // Without EGL there is a sentence, and the picture all the same.
    assert_eq!(card.report().is_some(), card.by() == "the processor");
    assert_twins("drawer", &drawn, &expected, &areas);
}
