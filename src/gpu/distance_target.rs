//! A render target for distances: colours that encode numbers, with a depth each.

use super::GpuError;
use glow::HasContext as _;

/// Two textures of equal size, drawn into together: 8-bit RGBA and 32-bit depth.
#[derive(Debug)]
pub struct DistanceTarget {
    size: [u32; 2],
    framebuffer: glow::Framebuffer,
    colour: glow::Texture,
    depth: glow::Texture,
}

impl DistanceTarget {
    /// The largest side a target can have on this context.
    #[must_use]
    pub fn limit(gl: &glow::Context) -> u32 {
        // SAFETY: queries the current context.
        let [texture, width] = [glow::MAX_TEXTURE_SIZE, glow::MAX_RENDERBUFFER_SIZE]
            .map(|name| unsafe { gl.get_parameter_i32(name) }.max(0) as u32);
        texture.min(width)
    }

    /// # Errors
    /// The size is zero or exceeds the GPU's limit, or the driver cannot create it.
    pub fn new(gl: &glow::Context, size: [u32; 2]) -> Result<Self, GpuError> {
        let failed = |reason: String| GpuError::Object {
            what: "framebuffer with depth",
            reason,
        };
        let limit = Self::limit(gl);
        if size.iter().any(|side| *side == 0 || *side > limit) {
            return Err(GpuError::TooLarge { size, limit });
        }
        let colour = texture(gl, size, glow::RGBA8, glow::RGBA, glow::UNSIGNED_BYTE)?;
        let depth = texture(
            gl,
            size,
            glow::DEPTH_COMPONENT32F,
            glow::DEPTH_COMPONENT,
            glow::FLOAT,
        )
        // SAFETY: created above, no longer used.
        .inspect_err(|_| unsafe { gl.delete_texture(colour) })?;
        // SAFETY: the context is current; objects created before a failure are deleted.
        unsafe {
            let framebuffer = gl.create_framebuffer().map_err(|reason| {
                gl.delete_texture(colour);
                gl.delete_texture(depth);
                failed(reason)
            })?;
            let before = gl.get_parameter_framebuffer(glow::FRAMEBUFFER_BINDING);
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
            for (place, texture) in [
                (glow::COLOR_ATTACHMENT0, colour),
                (glow::DEPTH_ATTACHMENT, depth),
            ] {
                gl.framebuffer_texture_2d(
                    glow::FRAMEBUFFER,
                    place,
                    glow::TEXTURE_2D,
                    Some(texture),
                    0,
                );
            }
            let status = gl.check_framebuffer_status(glow::FRAMEBUFFER);
            gl.bind_framebuffer(glow::FRAMEBUFFER, before);
            let target = Self {
                size,
                framebuffer,
                colour,
                depth,
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
    pub const fn size(&self) -> [u32; 2] {
        self.size
    }

    /// Binds the lower left part for drawing and clears it: colours all ones, depths 1.
    pub fn begin(&self, gl: &glow::Context, [width, height]: [u32; 2]) {
        // SAFETY: this context's framebuffer; state changes only.
        unsafe {
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(self.framebuffer));
            gl.disable(glow::SCISSOR_TEST);
            gl.viewport(0, 0, width as i32, height as i32);
            gl.disable(glow::BLEND);
            gl.disable(glow::DITHER);
            gl.disable(glow::CULL_FACE);
            gl.enable(glow::DEPTH_TEST);
            gl.depth_mask(true);
            gl.color_mask(true, true, true, true);
            gl.clear_color(1.0, 1.0, 1.0, 1.0);
            gl.clear_depth_f32(1.0);
            gl.clear(glow::COLOR_BUFFER_BIT | glow::DEPTH_BUFFER_BIT);
        }
    }

    /// Binds both textures for a program: colours first.
    pub fn bind_textures(&self, gl: &glow::Context) {
        // SAFETY: this context's textures.
        unsafe {
            for (unit, texture) in [(glow::TEXTURE0, self.colour), (glow::TEXTURE1, self.depth)] {
                gl.active_texture(unit);
                gl.bind_texture(glow::TEXTURE_2D, Some(texture));
            }
            gl.active_texture(glow::TEXTURE0);
        }
    }

    /// Reads the lower left part, row by row from the bottom: colours as little-endian numbers, and
    /// depths. OpenGL ES cannot read depths.
    #[must_use]
    pub fn read(&self, gl: &glow::Context, [width, height]: [u32; 2]) -> (Vec<u32>, Vec<f32>) {
        let (width, height) = (width.min(self.size[0]), height.min(self.size[1]));
        let count = width as usize * height as usize;
        let mut colours = vec![0_u32; count];
        let mut depths = vec![0.0_f32; count];
        let parts: [(u32, u32, &mut [u8]); 2] = [
            (
                glow::RGBA,
                glow::UNSIGNED_BYTE,
                bytemuck::cast_slice_mut(&mut colours),
            ),
            (
                glow::DEPTH_COMPONENT,
                glow::FLOAT,
                bytemuck::cast_slice_mut(&mut depths),
            ),
        ];
        // SAFETY: each slice holds as many pixels of four bytes as are read.
        unsafe {
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(self.framebuffer));
            for (format, kind, slice) in parts {
                let slice = glow::PixelPackData::Slice(Some(slice));
                gl.read_pixels(0, 0, width as i32, height as i32, format, kind, slice);
            }
        }
        for colour in &mut colours {
            *colour = u32::from_le(*colour);
        }
        (colours, depths)
    }

    pub fn delete(self, gl: &glow::Context) {
        // SAFETY: created by this context, deleted once.
        unsafe {
            gl.delete_framebuffer(self.framebuffer);
            gl.delete_texture(self.colour);
            gl.delete_texture(self.depth);
        }
    }
}

fn texture(
    gl: &glow::Context,
    size: [u32; 2],
    inner: u32,
    format: u32,
    kind: u32,
) -> Result<glow::Texture, GpuError> {
    // SAFETY: the context is current; no pixels are read.
    unsafe {
        let texture = gl.create_texture().map_err(|reason| GpuError::Object {
            what: "texture",
            reason,
        })?;
        gl.bind_texture(glow::TEXTURE_2D, Some(texture));
        gl.tex_image_2d(
            glow::TEXTURE_2D,
            0,
            inner as i32,
            size[0] as i32,
            size[1] as i32,
            0,
            format,
            kind,
            glow::PixelUnpackData::Slice(None),
        );
        for (name, value) in [
            (glow::TEXTURE_MIN_FILTER, glow::NEAREST),
            (glow::TEXTURE_MAG_FILTER, glow::NEAREST),
            (glow::TEXTURE_WRAP_S, glow::CLAMP_TO_EDGE),
            (glow::TEXTURE_WRAP_T, glow::CLAMP_TO_EDGE),
        ] {
            gl.tex_parameter_i32(glow::TEXTURE_2D, name, value as i32);
        }
        gl.bind_texture(glow::TEXTURE_2D, None);
        Ok(texture)
    }
}
