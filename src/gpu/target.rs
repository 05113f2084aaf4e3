//! An offscreen render target that can be read back.

use super::GpuError;
use glow::HasContext as _;

/// A framebuffer of 8-bit RGBA colours.
#[derive(Debug)]
pub struct Target {
    size: [u32; 2],
    framebuffer: glow::Framebuffer,
    colour: glow::Renderbuffer,
}

impl Target {
    /// # Errors
    /// The size is zero or exceeds the GPU's limit, or the driver cannot create it.
    pub fn new(gl: &glow::Context, size: [u32; 2]) -> Result<Self, GpuError> {
        let failed = |reason: String| GpuError::Object {
            what: "framebuffer",
            reason,
        };
        // SAFETY: the context is current; objects created before a failure are deleted.
        unsafe {
            let limit = gl.get_parameter_i32(glow::MAX_RENDERBUFFER_SIZE).max(0) as u32;
            if size.iter().any(|side| *side == 0 || *side > limit) {
                return Err(GpuError::TooLarge { size, limit });
            }
            let framebuffer = gl.create_framebuffer().map_err(failed)?;
            let colour = gl.create_renderbuffer().map_err(|reason| {
                gl.delete_framebuffer(framebuffer);
                failed(reason)
            })?;
            gl.bind_renderbuffer(glow::RENDERBUFFER, Some(colour));
            gl.renderbuffer_storage(
                glow::RENDERBUFFER,
                glow::RGBA8,
                size[0] as i32,
                size[1] as i32,
            );
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
            gl.framebuffer_renderbuffer(
                glow::FRAMEBUFFER,
                glow::COLOR_ATTACHMENT0,
                glow::RENDERBUFFER,
                Some(colour),
            );
            let status = gl.check_framebuffer_status(glow::FRAMEBUFFER);
            gl.bind_framebuffer(glow::FRAMEBUFFER, None);
            let target = Self {
                size,
                framebuffer,
                colour,
            };
            if status == glow::FRAMEBUFFER_COMPLETE {
                Ok(target)
            } else {
                target.delete(gl);
                Err(failed(format!("it is incomplete ({status:#06x})")))
            }
        }
    }

    #[must_use]
    pub const fn framebuffer(&self) -> glow::Framebuffer {
        self.framebuffer
    }

    /// Binds the whole target for drawing.
    pub fn bind(&self, gl: &glow::Context) {
        // SAFETY: this context's framebuffer.
        unsafe {
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(self.framebuffer));
            gl.disable(glow::SCISSOR_TEST);
            gl.viewport(0, 0, self.size[0] as i32, self.size[1] as i32);
        }
    }

    /// The image: 8-bit RGBA, row by row from the top.
    #[must_use]
    pub fn read(&self, gl: &glow::Context) -> Vec<u8> {
        let row = self.size[0] as usize * 4;
        let mut pixels = vec![0; row * self.size[1] as usize];
        // SAFETY: the slice holds as many pixels as are read; rows of four-byte pixels need no
        // padding.
        unsafe {
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(self.framebuffer));
            gl.read_pixels(
                0,
                0,
                self.size[0] as i32,
                self.size[1] as i32,
                glow::RGBA,
                glow::UNSIGNED_BYTE,
                glow::PixelPackData::Slice(Some(&mut pixels)),
            );
        }
        // OpenGL counts rows from the bottom.
        pixels.rchunks(row).flatten().copied().collect()
    }

    pub fn delete(self, gl: &glow::Context) {
        // SAFETY: created by this context, deleted once.
        unsafe {
            gl.delete_framebuffer(self.framebuffer);
            gl.delete_renderbuffer(self.colour);
        }
    }
}
