//! The painter as the window calls it: through egui and its paint callback.

use crate::{canvas, context, difference, sample};
use egui_glow::Painter;
use std::sync::{Arc, OnceLock};
use wayloom::document::{Level, MeshLibrary, Selection};
use wayloom::editor::viewport::{PlanPainter, PlanScene};
use wayloom::interaction::{Camera, Overlay};
use wayloom::preview::{Layers, Look};

const SIZE: u32 = 640;
static NO_MESHES: OnceLock<Arc<MeshLibrary>> = OnceLock::new();

fn scene<'a>(level: &'a Arc<Level>, selection: &'a Selection) -> PlanScene<'a> {
    let size = f64::from(SIZE);
    PlanScene {
        navigation: None,
        level,
        meshes: NO_MESHES.get_or_init(Arc::default),
        selection,
        hovered: None,
        overlay: Overlay::default(),
        camera: Camera::framing(level.extent(), glam::DVec2::splat(size)),
        look: Look::Dark,
        layers: Layers::ALL,
        rulers: true,
        pointer: None,
    }
}

/// Two frames, as the fonts are there only in the second one.
fn picture(gl: &Arc<glow::Context>, painter: &mut PlanPainter, scene: &PlanScene<'_>) -> Vec<u8> {
    let mut window = Painter::new(Arc::clone(gl), "", None, true).expect("egui can paint here");
    let context = egui::Context::default();
    let rect = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::Vec2::splat(SIZE as f32));
    let mut pixels = Vec::new();
    for _ in 0..2 {
        let input = egui::RawInput {
            screen_rect: Some(rect),
            ..egui::RawInput::default()
        };
        let mut output = context.run_ui(input, |ui| painter.paint_scene(ui, rect, scene));
        let shapes = context.tessellate(output.shapes, output.pixels_per_point);
        let target = canvas(gl, SIZE, scene.look.palette());
        window.paint_and_update_textures([SIZE; 2], 1.0, &shapes, &mut output.textures_delta);
        pixels = target.read(gl);
        target.delete(gl);
    }
    window.destroy();
    pixels
}

#[test]
fn without_opengl_the_view_looks_much_the_same() {
    let Some(context) = context() else { return };
    let gl = context.gl();
    let level = sample("mckenna");
    let house = level.obstacles().next().expect("McKenna has houses").0;
    let selection = Selection::one(house);
    let scene = scene(&level, &selection);
    let mut with = PlanPainter::new(Some(Arc::clone(gl)));
    let drawn = picture(gl, &mut with, &scene);
    assert_eq!(with.take_notice(), None);
    let mut without = PlanPainter::new(None);
    let soft = picture(gl, &mut without, &scene);
    let (mean, large) = difference(&drawn, &soft, SIZE, 0);
    assert!(mean < 6.0 && large < 0.03, "{mean:.2}, {large:.4}");
    // Not all one colour: something was drawn.
    assert!(drawn.chunks_exact(4).any(|p| p != &drawn[..4]));
    with.destroy(gl);
    let after = picture(gl, &mut with, &scene);
    assert_eq!(after, soft, "painting goes on without OpenGL");
}
