//! OpenGL's switches: what is tested, and what somebody else was drawing into.

use glow::HasContext as _;

/// What becomes of what lies behind something drawn before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// It is not drawn.
    Tested,
    /// It is not drawn, and what is drawn hides nothing.
    TestedOnly,
    /// It is drawn all the same, and hides nothing.
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

/// Colour is blended over what is there, both sides of triangles are drawn, all is cleared.
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
        gl.clear(glow::COLOR_BUFFER_BIT | glow::DEPTH_BUFFER_BIT);
    }
}

/// What was drawn into, and which part of it, before somebody turned to something else.
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

    /// Goes back to it, without a depth test.
    pub fn restore(&self, gl: &glow::Context) {
        let [x, y, width, height] = self.viewport;
        // SAFETY: what is bound was bound before.
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
