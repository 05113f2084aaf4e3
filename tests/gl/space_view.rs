//! The 3D view on a real (if software) OpenGL, against the rasteriser, and as the window paints it.

use crate::{context, difference, sample};
use egui_glow::Painter;
use glam::{DVec2, DVec3, DVec4};
use std::collections::BTreeSet;
use std::sync::Arc;
use wayloom::document::MeshLibrary;
use wayloom::editor::viewport::SpacePainter;
use wayloom::editor::viewport::space_painter::frame;
use wayloom::geometry::Aabb;
use wayloom::gpu::Target;
use wayloom::interaction::space::{Direction, Projection, SpaceCamera};
use wayloom::jobs::{JobContext, JobRunner};
use wayloom::preview::Look;
use wayloom::preview::space::raster::rasterise;
use wayloom::preview::space::{GlSpace, SpaceFrame, SpaceScene, render};

const SIZE: u32 = 400;

fn seen(name: &str, projection: Projection, section: Option<f64>) -> Arc<SpaceFrame> {
    let level = sample(name);
    let scene = SpaceScene::build(
        None,
        level,
        Arc::new(MeshLibrary::default()),
        Look::Light,
        &JobContext::default(),
    )
    .expect("not cancelled");
    let viewport = DVec2::splat(f64::from(SIZE));
    let mut camera = SpaceCamera {
        projection,
        ..SpaceCamera::default()
    };
    camera.look_from(Direction::Corner);
    camera.frame(&render::bounds(&scene), viewport);
    Arc::new(frame(&scene, Vec::new(), &camera, section, viewport))
}

fn colours(pixels: &[u8]) -> usize {
    let all: BTreeSet<&[u8]> = pixels.chunks_exact(4).collect();
    all.len()
}

#[test]
fn the_window_shows_what_the_rasteriser_draws() {
    let Some(context) = context() else { return };
    let gl = context.gl();
    for (projection, section) in [
        (Projection::Perspective, None),
        (Projection::Orthographic, Some(2.0)),
    ] {
        let frame = seen("mckenna", projection, section);
        let mut window = Painter::new(Arc::clone(gl), "", None, true).expect("egui can paint");
        let mut painter = SpacePainter::new(Some(Arc::clone(gl)), &JobRunner::default());
        let ctx = egui::Context::default();
        let rect = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::Vec2::splat(SIZE as f32));
        let mut drawn = Vec::new();
        // The second frame shows the picture of the first one again.
        for _ in 0..2 {
            let input = egui::RawInput {
                screen_rect: Some(rect),
                ..egui::RawInput::default()
            };
            let mut output = ctx.run_ui(input, |ui| painter.paint_frame(ui, rect, &frame));
            let shapes = ctx.tessellate(output.shapes, output.pixels_per_point);
            let target = Target::new(gl, [SIZE; 2]).expect("a small target");
            target.bind(gl);
            window.paint_and_update_textures([SIZE; 2], 1.0, &shapes, &mut output.textures_delta);
            let pixels = target.read(gl);
            assert!(
                drawn.is_empty() || drawn == pixels,
                "the same picture twice"
            );
            drawn = pixels;
            target.delete(gl);
        }
        assert_eq!(painter.take_notice(), None);
        assert!(colours(&drawn) > 200, "{} colours", colours(&drawn));
        let twin = rasterise(&frame, [SIZE; 2], 1.0);
        let (mean, large) = difference(&drawn, &twin.rgba, SIZE, 0);
        assert!(mean < 5.0 && large < 0.02, "{mean:.2}, {large:.4}");
        painter.destroy(gl);
        window.destroy();
    }
}

#[test]
fn what_is_out_of_sight_is_left_out_and_nothing_else() {
    let whole = seen("city", Projection::Perspective, None);
    let all = whole.layers.len();
    assert_eq!(
        whole.layers.iter().filter(|l| whole.sees(l)).count(),
        all,
        "framed, everything is in sight"
    );
    // Near a corner, most of the town is behind or beside the view; the picture stays the same.
    let mut near = SpaceFrame::clone(&whole);
    let scene_bounds = whole.bounds;
    let viewport = DVec2::splat(f64::from(SIZE));
    let camera = SpaceCamera {
        target: scene_bounds.min,
        distance: scene_bounds.size().x * 0.1,
        ..SpaceCamera::default()
    };
    near.view = camera.view(whole.origin);
    near.projection = camera.projection(viewport, &scene_bounds);
    let seen: Vec<_> = near
        .layers
        .iter()
        .filter(|l| near.sees(l))
        .cloned()
        .collect();
    assert!(seen.len() < all, "{} of {all}", seen.len());
    let twin = rasterise(&near, [SIZE; 2], 1.0);
    near.layers = seen;
    let culled = rasterise(&near, [SIZE; 2], 1.0);
    let (mean, large) = difference(&twin.rgba, &culled.rgba, SIZE, 0);
    assert!(mean < 0.05 && large < 0.001, "{mean:.3}, {large:.4}");
}

#[test]
fn a_section_above_everything_changes_nothing() {
    let whole = seen("mckenna", Projection::Perspective, None);
    let cut = seen("mckenna", Projection::Perspective, Some(500.0));
    let [whole, cut] = [whole, cut].map(|frame| rasterise(&frame, [SIZE; 2], 1.0));
    let (mean, large) = difference(&whole.rgba, &cut.rgba, SIZE, 0);
    assert!(mean < 0.5 && large < 0.002, "{mean:.2}, {large:.4}");
}

/// How many bodies a place is inside of, by what a ray upwards passes.
fn volumes_at(bodies: &[(Aabb, Vec<[DVec3; 3]>)], p: DVec3) -> usize {
    let inside = |(bounds, triangles): &&(Aabb, Vec<[DVec3; 3]>)| {
        if p.cmplt(bounds.min).any() || p.cmpgt(bounds.max).any() {
            return false;
        }
        let crossings = triangles.iter().filter(|[a, b, c]| {
            let side = |u: &DVec3, v: &DVec3| (*v - *u).truncate().perp_dot((p - *u).truncate());
            let sides = [side(a, b), side(b, c), side(c, a)];
            if !(sides.iter().all(|s| *s > 0.0) || sides.iter().all(|s| *s < 0.0)) {
                return false;
            }
            let normal = (*b - *a).cross(*c - *a);
            let height = a.z - normal.truncate().dot((p - *a).truncate()) / normal.z;
            height > p.z
        });
        crossings.count() % 2 == 1
    };
    bodies.iter().filter(inside).count()
}

const SMALL: u32 = 160;

#[test]
fn volumes_are_closed_where_they_are_cut_and_nowhere_else() {
    let context = context();
    for (name, section, projection) in [
        ("stairs", 3.5, Projection::Perspective),
        ("factory", 1.5, Projection::Perspective),
        ("factory", 2.3, Projection::Orthographic),
        ("supermarket", 1.1, Projection::Perspective),
    ] {
        let level = sample(name);
        let library = Arc::new(MeshLibrary::default());
        let ctx = JobContext::default();
        let scene = SpaceScene::build(None, level, library, Look::Light, &ctx);
        let scene = scene.expect("not cancelled");
        let bodies: Vec<(Aabb, Vec<[DVec3; 3]>)> = scene
            .bodies()
            .map(|(_, body)| (body.bounds, body.object.triangles().collect()))
            .collect();
        let frame = seen(name, projection, Some(section));
        let twin = rasterise(&frame, [SMALL; 2], 1.0);
        let to_world = (frame.projection * frame.view).inverse();
        let cut = [frame.cut.r, frame.cut.g, frame.cut.b];
        let (mut closed, mut open) = (0, 0);
        for y in (2..SMALL).step_by(4) {
            for x in (2..SMALL).step_by(4) {
                let ray = |z: f64| {
                    let at = [x, y].map(|i| (f64::from(i) + 0.5) / f64::from(SMALL) * 2.0 - 1.0);
                    let p = to_world * DVec4::new(at[0], -at[1], z, 1.0);
                    p.truncate() / p.w + frame.origin
                };
                let (from, to) = (ray(-1.0), ray(1.0));
                let p = from.lerp(to, (section - from.z) / (to.z - from.z));
                // Just beneath the plane: a top in the plane itself is a top. Edges are lines and
                // belong to both sides.
                let around = [
                    (0.0, 0.0),
                    (0.3, 0.1),
                    (-0.3, 0.13),
                    (0.1, 0.3),
                    (0.13, -0.3),
                ];
                let counts = around.map(|(dx, dy)| {
                    let place = p + DVec3::new(dx, dy, -0.004);
                    let above = volumes_at(&bodies, place + DVec3::Z * 0.008);
                    volumes_at(&bodies, place).min(above) > 0
                });
                let at = ((y * SMALL + x) * 4) as usize;
                let is_cap = twin.rgba[at..at + 3] == cut;
                if counts == [true; 5] {
                    assert!(is_cap, "{name} at {p} is not closed");
                    closed += 1;
                } else if counts == [false; 5] {
                    assert!(!is_cap, "{name} at {p} is closed");
                    open += 1;
                }
            }
        }
        assert!(closed > 5 && open > 100, "{name}: {closed} and {open}");
        if let Some(context) = &context {
            let mut space = GlSpace::new(context.gl()).expect("new enough");
            space
                .draw(context.gl(), &frame, [SMALL; 2], 1.0)
                .expect("drawn");
            let drawn = space.read(context.gl());
            let (mean, large) = difference(&drawn, &twin.rgba, SMALL, 0);
            assert!(mean < 5.0 && large < 0.02, "{name}: {mean:.2}, {large:.4}");
            space.delete(context.gl());
        }
    }
}
