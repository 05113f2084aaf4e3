//! A multisampled render target with depth and stencil that resolves to a texture.

use super::{GpuError, Texture};
use glow::HasContext as _;

/// Samples per pixel, where supported.
const SAMPLES: i32 = 4;

/// A multisampled framebuffer with depth and stencil, and the texture it resolves to.
#[derive(Debug)]
pub struct DepthTarget {
    size: [u32; 2],
    drawn: glow::Framebuffer,
    colour: glow::Renderbuffer,
    depth: glow::Renderbuffer,
    resolved: glow::Framebuffer,
    texture: Texture,
}

impl DepthTarget {
    /// # Errors
    /// The size is zero or exceeds the GPU's limit, or the driver cannot create it.
    pub fn new(gl: &glow::Context, size: [u32; 2]) -> Result<Self, GpuError> {
        // SAFETY: a query; the context is current.
        let (limit, samples) = unsafe {
            (
                gl.get_parameter_i32(glow::MAX_RENDERBUFFER_SIZE).max(0) as u32,
                gl.get_parameter_i32(glow::MAX_SAMPLES).clamp(0, SAMPLES),
            )
        };
        if size.iter().any(|side| *side == 0 || *side > limit) {
            return Err(GpuError::TooLarge { size, limit });
        }
        match Self::with_samples(gl, size, samples) {
            Err(_) if samples > 0 => Self::with_samples(gl, size, 0),
            outcome => outcome,
        }
    }

    fn with_samples(gl: &glow::Context, size: [u32; 2], samples: i32) -> Result<Self, GpuError> {
        let failed = |reason: String| GpuError::Object {
            what: "framebuffer",
            reason,
        };
        let (width, height) = (size[0] as i32, size[1] as i32);
        let texture = Texture::new(gl, size, None)?;
        // SAFETY: the context is current; all objects are created before use, and a failure leaves
        // a few names behind that are freed with the context.
        unsafe {
            let drawn = gl.create_framebuffer().map_err(failed)?;
            let resolved = gl.create_framebuffer().map_err(failed)?;
            let colour = gl.create_renderbuffer().map_err(failed)?;
            let depth = gl.create_renderbuffer().map_err(failed)?;
            for (buffer, format) in [(colour, glow::RGBA8), (depth, glow::DEPTH24_STENCIL8)] {
                gl.bind_renderbuffer(glow::RENDERBUFFER, Some(buffer));
                gl.renderbuffer_storage_multisample(
                    glow::RENDERBUFFER,
                    samples,
                    format,
                    width,
                    height,
                );
            }
            gl.bind_renderbuffer(glow::RENDERBUFFER, None);
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(drawn));
            for (place, buffer) in [
                (glow::COLOR_ATTACHMENT0, colour),
                (glow::DEPTH_STENCIL_ATTACHMENT, depth),
            ] {
                gl.framebuffer_renderbuffer(
                    glow::FRAMEBUFFER,
                    place,
                    glow::RENDERBUFFER,
                    Some(buffer),
                );
            }
            let first = gl.check_framebuffer_status(glow::FRAMEBUFFER);
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(resolved));
            gl.framebuffer_texture_2d(
                glow::FRAMEBUFFER,
                glow::COLOR_ATTACHMENT0,
                glow::TEXTURE_2D,
                Some(texture.name()),
                0,
            );
            let second = gl.check_framebuffer_status(glow::FRAMEBUFFER);
            gl.bind_framebuffer(glow::FRAMEBUFFER, None);
            let target = Self {
                size,
                drawn,
                colour,
                depth,
                resolved,
                texture,
            };
            let complete = glow::FRAMEBUFFER_COMPLETE;
            if first == complete && second == complete {
                Ok(target)
            } else {
                target.delete(gl);
                Err(failed(format!(
                    "it is incomplete ({first:#06x}, {second:#06x})"
                )))
            }
        }
    }

    #[must_use]
    pub const fn size(&self) -> [u32; 2] {
        self.size
    }

    /// Binds the whole target for drawing.
    pub fn bind(&self, gl: &glow::Context) {
        // SAFETY: this context's framebuffer.
        unsafe {
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(self.drawn));
            gl.disable(glow::SCISSOR_TEST);
            gl.viewport(0, 0, self.size[0] as i32, self.size[1] as i32);
        }
    }

    /// Resolves the samples into the texture.
    pub fn resolve(&self, gl: &glow::Context) {
        let (width, height) = (self.size[0] as i32, self.size[1] as i32);
        // SAFETY: both framebuffers are this context's and of one size.
        unsafe {
            gl.bind_framebuffer(glow::READ_FRAMEBUFFER, Some(self.drawn));
            gl.bind_framebuffer(glow::DRAW_FRAMEBUFFER, Some(self.resolved));
            gl.blit_framebuffer(
                0,
                0,
                width,
                height,
                0,
                0,
                width,
                height,
                glow::COLOR_BUFFER_BIT,
                glow::NEAREST,
            );
            gl.bind_framebuffer(glow::FRAMEBUFFER, None);
        }
    }

    /// The last resolved image.
    #[must_use]
    pub const fn texture(&self) -> &Texture {
        &self.texture
    }

    /// The resolved image: 8-bit RGBA, row by row from the top.
    #[must_use]
    pub fn read(&self, gl: &glow::Context) -> Vec<u8> {
        let row = self.size[0] as usize * 4;
        let mut pixels = vec![0; row * self.size[1] as usize];
        // SAFETY: the slice holds as many pixels as are read.
        unsafe {
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(self.resolved));
            gl.read_pixels(
                0,
                0,
                self.size[0] as i32,
                self.size[1] as i32,
                glow::RGBA,
                glow::UNSIGNED_BYTE,
                glow::PixelPackData::Slice(Some(&mut pixels)),
            );
            gl.bind_framebuffer(glow::FRAMEBUFFER, None);
        }
        pixels.rchunks(row).flatten().copied().collect()
    }

    pub fn delete(self, gl: &glow::Context) {
        // SAFETY: created by this context, deleted once.
        unsafe {
            gl.delete_framebuffer(self.drawn);
            gl.delete_framebuffer(self.resolved);
            gl.delete_renderbuffer(self.colour);
            gl.delete_renderbuffer(self.depth);
        }
        self.texture.delete(gl);
    }
}
