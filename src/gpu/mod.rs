//! OpenGL programs, buffers and render targets, and a headless context.
//!
//! Everything here takes a [`glow::Context`] that is current on the calling thread: the window's
//! during a paint callback, the headless one from its creation on. Objects are freed by `delete`,
//! not on drop: only the caller knows whether the context still exists.

// OpenGL is a foreign interface: every call is unsafe. All of them are in this room.
#![allow(unsafe_code)]

pub mod cell_target;
pub mod depth_target;
pub mod discretize;
pub mod distance_target;
pub mod error;
pub mod headless;
pub mod instance_buffer;
pub mod mesh_buffer;
pub mod program;
pub mod state;
pub mod target;
pub mod terrain;
pub mod texture;
pub mod texture_array;
pub mod voronoi;

pub use cell_target::{CellTarget, CellValues};
pub use depth_target::DepthTarget;
pub use distance_target::DistanceTarget;
pub use error::GpuError;
pub use headless::HeadlessContext;
pub use instance_buffer::InstanceBuffer;
pub use mesh_buffer::{Attribute, AttributeType, MeshBuffer};
pub use program::Program;
pub use state::{Depth, Destination};
pub use target::Target;
pub use texture::Texture;
pub use texture_array::{Smoothing, TextureArray};

use glow::HasContext as _;

/// Blends colours by opacity, later over earlier. Colours are premultiplied.
pub fn blend_over(gl: &glow::Context) {
    // SAFETY: state changes only; the context is current.
    unsafe {
        gl.disable(glow::DEPTH_TEST);
        gl.disable(glow::CULL_FACE);
        gl.enable(glow::BLEND);
        gl.blend_equation(glow::FUNC_ADD);
        gl.blend_func_separate(
            glow::ONE,
            glow::ONE_MINUS_SRC_ALPHA,
            glow::ONE_MINUS_DST_ALPHA,
            glow::ONE,
        );
    }
}

/// Fills the target, within the scissor, with one opaque colour.
pub fn clear(gl: &glow::Context, [r, g, b]: [f32; 3]) {
    // SAFETY: as above.
    unsafe {
        gl.clear_color(r, g, b, 1.0);
        gl.clear(glow::COLOR_BUFFER_BIT);
    }
}

/// Whether OpenGL runs on the CPU, which makes each pixel far slower.
#[must_use]
pub fn is_software(gl: &glow::Context) -> bool {
    // SAFETY: reads a name of the current context.
    let name = unsafe { gl.get_parameter_string(glow::RENDERER) }.to_lowercase();
    ["llvmpipe", "softpipe", "swiftshader", "software"]
        .iter()
        .any(|known| name.contains(known))
}

/// Waits until all issued commands are done; for measurements.
pub fn finish(gl: &glow::Context) {
    // SAFETY: changes nothing.
    unsafe { gl.finish() };
}

/// The first error since the last check, as a sentence.
///
/// # Errors
/// OpenGL reported an error, or the context is lost.
pub fn check(gl: &glow::Context, doing: &'static str) -> Result<(), GpuError> {
    // SAFETY: reads and resets the error flag.
    match unsafe { gl.get_error() } {
        glow::NO_ERROR => Ok(()),
        code => {
            // There may be several flags; a lost context raises one forever.
            for _ in 0..16 {
                // SAFETY: as above.
                if unsafe { gl.get_error() } == glow::NO_ERROR {
                    break;
                }
            }
            Err(GpuError::Call { doing, code })
        }
    }
}
