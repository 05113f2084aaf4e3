//! A render target whose pixels are columns of cells, with additive blending.

use super::{GpuError, distance_target::DistanceTarget};
use glow::HasContext as _;

/// What is stored per column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellValues {
    /// One saturating byte for each of 32 layers: whether anything was drawn.
    Marks,
    /// Four floating-point numbers.
    Sums,
}

impl CellValues {
    /// Number of RGBA attachments drawn into together; OpenGL 3.3 guarantees eight.
    const fn pictures(self) -> usize {
        match self {
            Self::Marks => 8,
            Self::Sums => 1,
        }
    }
}

#[derive(Debug)]
pub struct CellTarget {
    values: CellValues,
    framebuffer: glow::Framebuffer,
    textures: Vec<glow::Texture>,
}

impl CellTarget {
    /// # Errors
    /// The size is zero or exceeds the GPU's limit, or the driver cannot render to this format.
    pub fn new(gl: &glow::Context, size: [u32; 2], values: CellValues) -> Result<Self, GpuError> {
        let failed = |reason: String| GpuError::Object {
            what: "framebuffer of cells",
            reason,
        };
        let limit = DistanceTarget::limit(gl);
        if size.iter().any(|side| *side == 0 || *side > limit) {
            return Err(GpuError::TooLarge { size, limit });
        }
        let (inner, kind) = match values {
            CellValues::Marks => (glow::RGBA8, glow::UNSIGNED_BYTE),
            CellValues::Sums => (glow::RGBA32F, glow::FLOAT),
        };
        // SAFETY: the context is current; no pixels are read; objects created before a failure are
        // deleted.
        unsafe {
            let mut target = Self {
                values,
                framebuffer: gl.create_framebuffer().map_err(failed)?,
                textures: Vec::new(),
            };
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(target.framebuffer));
            let mut places = Vec::new();
            for place in glow::COLOR_ATTACHMENT0..glow::COLOR_ATTACHMENT0 + values.pictures() as u32
            {
                let texture = match gl.create_texture() {
                    Ok(texture) => texture,
                    Err(reason) => {
                        target.delete(gl);
                        return Err(failed(reason));
                    }
                };
                target.textures.push(texture);
                gl.bind_texture(glow::TEXTURE_2D, Some(texture));
                gl.tex_image_2d(
                    glow::TEXTURE_2D,
                    0,
                    inner as i32,
                    size[0] as i32,
                    size[1] as i32,
                    0,
                    glow::RGBA,
                    kind,
                    glow::PixelUnpackData::Slice(None),
                );
                for name in [glow::TEXTURE_MIN_FILTER, glow::TEXTURE_MAG_FILTER] {
                    gl.tex_parameter_i32(glow::TEXTURE_2D, name, glow::NEAREST as i32);
                }
                gl.framebuffer_texture_2d(
                    glow::FRAMEBUFFER,
                    place,
                    glow::TEXTURE_2D,
                    Some(texture),
                    0,
                );
                places.push(place);
            }
            gl.bind_texture(glow::TEXTURE_2D, None);
            gl.draw_buffers(&places);
            let status = gl.check_framebuffer_status(glow::FRAMEBUFFER);
            gl.bind_framebuffer(glow::FRAMEBUFFER, None);
            if status == glow::FRAMEBUFFER_COMPLETE {
                Ok(target)
            } else {
                target.delete(gl);
                Err(failed(format!("it is incomplete ({status:#06x})")))
            }
        }
    }

    /// Binds and clears the lower left part for drawing.
    pub fn begin(&self, gl: &glow::Context, [width, height]: [u32; 2]) {
        // SAFETY: this context's framebuffer; state changes only.
        unsafe {
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(self.framebuffer));
            gl.viewport(0, 0, width as i32, height as i32);
            for switch in [
                glow::SCISSOR_TEST,
                glow::DEPTH_TEST,
                glow::CULL_FACE,
                glow::DITHER,
            ] {
                gl.disable(switch);
            }
            gl.color_mask(true, true, true, true);
            gl.front_face(glow::CCW);
            gl.clear_color(0.0, 0.0, 0.0, 0.0);
            gl.clear(glow::COLOR_BUFFER_BIT);
            gl.enable(glow::BLEND);
            gl.blend_equation(glow::FUNC_ADD);
            gl.blend_func(glow::ONE, glow::ONE);
        }
    }

    /// For each pixel of the lower left part, one bit per layer that was drawn to; row by row from
    /// the bottom.
    #[must_use]
    pub fn marks(&self, gl: &glow::Context, size: [u32; 2]) -> Vec<u32> {
        let mut marks = vec![0_u32; size[0] as usize * size[1] as usize];
        let mut pixels = vec![0_u8; marks.len() * 4];
        for picture in 0..self.textures.len() {
            self.read(gl, picture, size, &mut pixels);
            for (mark, lanes) in marks.iter_mut().zip(pixels.chunks_exact(4)) {
                for (lane, value) in lanes.iter().enumerate() {
                    *mark |= u32::from(*value != 0) << (4 * picture + lane);
                }
            }
        }
        marks
    }

    /// The sums of the lower left part, row by row from the bottom.
    #[must_use]
    pub fn sums(&self, gl: &glow::Context, size: [u32; 2]) -> Vec<[f32; 4]> {
        let mut sums = vec![[0.0_f32; 4]; size[0] as usize * size[1] as usize];
        self.read(gl, 0, size, bytemuck::cast_slice_mut(&mut sums));
        sums
    }

    fn read(&self, gl: &glow::Context, picture: usize, size: [u32; 2], into: &mut [u8]) {
        let (kind, bytes) = match self.values {
            CellValues::Marks => (glow::UNSIGNED_BYTE, 4),
            CellValues::Sums => (glow::FLOAT, 16),
        };
        assert_eq!(into.len(), size[0] as usize * size[1] as usize * bytes);
        // SAFETY: the slice holds as many pixels as are read; rows of them need no padding.
        unsafe {
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(self.framebuffer));
            gl.read_buffer(glow::COLOR_ATTACHMENT0 + picture as u32);
            gl.read_pixels(
                0,
                0,
                size[0] as i32,
                size[1] as i32,
                glow::RGBA,
                kind,
                glow::PixelPackData::Slice(Some(into)),
            );
        }
    }

    pub fn delete(self, gl: &glow::Context) {
        // SAFETY: created by this context, deleted once.
        unsafe {
            gl.bind_framebuffer(glow::FRAMEBUFFER, None);
            gl.disable(glow::BLEND);
            gl.delete_framebuffer(self.framebuffer);
            for texture in self.textures {
                gl.delete_texture(texture);
            }
        }
    }
}
