//! The plan view on a real (if software) OpenGL, without a window. Where a machine has no EGL
//! these tests say so and pass: the editor then draws without OpenGL as well.
#![cfg(feature = "gui")]

mod discretize;
mod plan_view;
mod space_view;
mod terrain;
mod voronoi;
mod window;

use std::sync::Arc;
use wayloom::document::{Level, format};
use wayloom::gpu::{HeadlessContext, Target, clear};
use wayloom::preview::Palette;

fn context() -> Option<HeadlessContext> {
    HeadlessContext::new()
        .map_err(|error| eprintln!("skipped: {error}"))
        .ok()
}

fn sample(name: &str) -> Arc<Level> {
    let path = format!("{}/levels/{name}.ron", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the sample levels are part of the sources");
    Arc::new(format::read(&text).expect("sample levels are valid").level)
}

/// A target filled with what lies around a level.
fn canvas(gl: &glow::Context, size: u32, palette: &Palette) -> Target {
    let target = Target::new(gl, [size, size]).expect("a small target can be had");
    target.bind(gl);
    let around = palette.surroundings;
    clear(
        gl,
        [around.r, around.g, around.b].map(|lane| f32::from(lane) / 255.0),
    );
    target
}

/// Mean and share of large differences between two pictures, within a border left out.
fn difference(a: &[u8], b: &[u8], size: u32, border: u32) -> (f64, f64) {
    assert_eq!(a.len(), b.len());
    let inside = border..size - border;
    let (mut sum, mut large, mut count) = (0_u64, 0_u32, 0_u32);
    for y in inside.clone() {
        for x in inside.clone() {
            let at = 4 * (y * size + x) as usize;
            let most = (at..at + 3).map(|i| a[i].abs_diff(b[i])).max().unwrap_or(0);
            sum += u64::from(most);
            large += u32::from(most > 60);
            count += 1;
        }
    }
    (
        sum as f64 / f64::from(count),
        f64::from(large) / f64::from(count),
    )
}
