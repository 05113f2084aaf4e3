//! Textures.

use super::GpuError;
use glow::HasContext as _;

#[derive(Debug)]
pub struct Texture {
    texture: glow::Texture,
}

impl Texture {
    /// 8-bit RGBA, row by row from the bottom; with mipmaps if pixels are given, empty otherwise.
    ///
    /// # Errors
    /// The number of pixels does not match the size, or the driver cannot create it.
    pub fn new(
        gl: &glow::Context,
        size: [u32; 2],
        pixels: Option<&[u8]>,
    ) -> Result<Self, GpuError> {
        let failed = |reason: String| GpuError::Object {
            what: "texture",
            reason,
        };
        let bytes = size[0] as usize * size[1] as usize * 4;
        if pixels.is_some_and(|pixels| pixels.len() != bytes) {
            return Err(failed(
                "the number of pixels does not match the size".to_owned(),
            ));
        }
        let filter = if pixels.is_some() {
            glow::LINEAR_MIPMAP_LINEAR
        } else {
            glow::LINEAR
        };
        // SAFETY: the context is current; the slice holds what the size says.
        unsafe {
            let texture = gl.create_texture().map_err(failed)?;
            gl.bind_texture(glow::TEXTURE_2D, Some(texture));
            gl.tex_image_2d(
                glow::TEXTURE_2D,
                0,
                glow::RGBA8 as i32,
                size[0] as i32,
                size[1] as i32,
                0,
                glow::RGBA,
                glow::UNSIGNED_BYTE,
                glow::PixelUnpackData::Slice(pixels),
            );
            for (name, value) in [
                (glow::TEXTURE_MIN_FILTER, filter),
                (glow::TEXTURE_MAG_FILTER, glow::LINEAR),
                (glow::TEXTURE_WRAP_S, glow::CLAMP_TO_EDGE),
                (glow::TEXTURE_WRAP_T, glow::CLAMP_TO_EDGE),
            ] {
                gl.tex_parameter_i32(glow::TEXTURE_2D, name, value as i32);
            }
            if pixels.is_some() {
                gl.generate_mipmap(glow::TEXTURE_2D);
            }
            gl.bind_texture(glow::TEXTURE_2D, None);
            Ok(Self { texture })
        }
    }

    pub(super) const fn name(&self) -> glow::Texture {
        self.texture
    }

    /// Binds it to texture unit 0.
    pub fn bind(&self, gl: &glow::Context) {
        // SAFETY: this context's texture.
        unsafe {
            gl.active_texture(glow::TEXTURE0);
            gl.bind_texture(glow::TEXTURE_2D, Some(self.texture));
        }
    }

    pub fn delete(self, gl: &glow::Context) {
        // SAFETY: created by this context, deleted once.
        unsafe { gl.delete_texture(self.texture) }
    }
}
