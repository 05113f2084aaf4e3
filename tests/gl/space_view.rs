//! The 3D view on a real (if software) OpenGL, against the rasteriser, and as the window paints it.

use crate::{context, difference, sample};
use egui_glow::Painter;
use glam::DVec2;
use std::collections::BTreeSet;
use std::sync::Arc;
use wayloom::document::MeshLibrary;
use wayloom::editor::viewport::SpacePainter;
use wayloom::editor::viewport::space_painter::frame;
use wayloom::gpu::Target;
use wayloom::interaction::space::{Direction, Projection, SpaceCamera};
use wayloom::jobs::JobContext;
use wayloom::preview::Look;
use wayloom::preview::space::raster::rasterise;
use wayloom::preview::space::{SpaceFrame, SpaceScene, render};

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
    camera.frame(&render::bounds(&scene, &scene.level), viewport);
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
        let mut painter = SpacePainter::new(Some(Arc::clone(gl)));
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
