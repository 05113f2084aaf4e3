//! OpenGL state: depth and stencil tests, and saving the current framebuffer.

use glow::HasContext as _;

/// Depth test modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Hidden fragments are discarded.
    Tested,
    /// Hidden fragments are discarded; depth is not written.
    TestedOnly,
    /// Everything is drawn; depth is not written.
    Ignored,
}

pub fn set_depth(gl: &glow::Context, depth: Depth) {
    // SAFETY: state changes only; the context is current.
    unsafe {
        gl.enable(glow::DEPTH_TEST);
        gl.depth_func(if depth == Depth::Ignored {
            glow::ALWAYS
        } else {
            glow::LEQUAL
        });
        gl.depth_mask(depth == Depth::Tested);
    }
}

/// Prepares drawing in 3D: blending on, both sides of triangles drawn, target cleared.
pub fn begin_space(gl: &glow::Context) {
    // SAFETY: as above.
    unsafe {
        gl.disable(glow::CULL_FACE);
        gl.enable(glow::BLEND);
        gl.blend_equation(glow::FUNC_ADD);
        gl.blend_func_separate(
            glow::SRC_ALPHA,
            glow::ONE_MINUS_SRC_ALPHA,
            glow::ONE,
            glow::ONE_MINUS_SRC_ALPHA,
        );
        gl.depth_mask(true);
        gl.clear_color(0.0, 0.0, 0.0, 1.0);
        gl.clear_depth_f32(1.0);
        gl.disable(glow::STENCIL_TEST);
        gl.stencil_mask(0xff);
        gl.clear_stencil(0);
        gl.clear(glow::COLOR_BUFFER_BIT | glow::DEPTH_BUFFER_BIT | glow::STENCIL_BUFFER_BIT);
    }
}

/// Counts faces in the stencil buffer: back faces up, front faces down. Where a volume is cut open,
/// a back face is left over.
pub fn begin_counting(gl: &glow::Context) {
    // SAFETY: state changes only; the context is current.
    unsafe {
        gl.enable(glow::STENCIL_TEST);
        gl.stencil_func(glow::ALWAYS, 0, 0xff);
        gl.stencil_op_separate(glow::FRONT, glow::KEEP, glow::DECR_WRAP, glow::DECR_WRAP);
        gl.stencil_op_separate(glow::BACK, glow::KEEP, glow::INCR_WRAP, glow::INCR_WRAP);
        gl.color_mask(false, false, false, false);
    }
    set_depth(gl, Depth::Ignored);
}

/// Sets which winding is the front of what is drawn next.
pub fn set_mirrored(gl: &glow::Context, mirrored: bool) {
    // SAFETY: a state change only.
    unsafe { gl.front_face(if mirrored { glow::CW } else { glow::CCW }) }
}

/// Draws only where the stencil count is not zero.
pub fn begin_counted(gl: &glow::Context) {
    set_mirrored(gl, false);
    // SAFETY: state changes only.
    unsafe {
        gl.color_mask(true, true, true, true);
        gl.stencil_func(glow::NOTEQUAL, 0, 0xff);
        gl.stencil_op(glow::KEEP, glow::KEEP, glow::KEEP);
    }
    set_depth(gl, Depth::Tested);
}

pub fn end_counted(gl: &glow::Context) {
    // SAFETY: a state change only.
    unsafe { gl.disable(glow::STENCIL_TEST) }
}

/// The framebuffer and viewport that were bound before, for restoring them.
#[derive(Debug)]
pub struct Destination {
    framebuffer: Option<glow::Framebuffer>,
    viewport: [i32; 4],
    scissor: bool,
}

impl Destination {
    #[must_use]
    pub fn current(gl: &glow::Context) -> Self {
        let mut viewport = [0; 4];
        // SAFETY: queries; the slice has the four numbers that a viewport has.
        unsafe {
            gl.get_parameter_i32_slice(glow::VIEWPORT, &mut viewport);
            Self {
                framebuffer: gl.get_parameter_framebuffer(glow::DRAW_FRAMEBUFFER_BINDING),
                viewport,
                scissor: gl.is_enabled(glow::SCISSOR_TEST),
            }
        }
    }

    /// Restores it, with the depth test off.
    pub fn restore(&self, gl: &glow::Context) {
        let [x, y, width, height] = self.viewport;
        // SAFETY: restores what was bound before.
        unsafe {
            gl.bind_framebuffer(glow::FRAMEBUFFER, self.framebuffer);
            gl.viewport(x, y, width, height);
            if self.scissor {
                gl.enable(glow::SCISSOR_TEST);
            }
            gl.disable(glow::DEPTH_TEST);
            gl.depth_mask(true);
        }
    }
}
