//! An array of grey-scale textures of one size that repeat in all directions.

use super::GpuError;
use glow::HasContext as _;

/// Minification filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Smoothing {
    /// The nearest mipmap level: a third of the cost in software rendering.
    WithinSize,
    /// Interpolates between the two nearest mipmap levels.
    BetweenSizes,
}

#[derive(Debug)]
pub struct TextureArray {
    texture: glow::Texture,
}

impl TextureArray {
    /// One layer per entry of `layers`, each `side` × `side` bytes, row by row; filtered and with
    /// all mipmap levels.
    ///
    /// # Errors
    /// The driver cannot create it, or a layer has another size.
    pub fn new(
        gl: &glow::Context,
        side: u32,
        layers: &[Vec<u8>],
        smoothing: Smoothing,
    ) -> Result<Self, GpuError> {
        let failed = |reason: String| GpuError::Object {
            what: "texture",
            reason,
        };
        let size = side as usize * side as usize;
        if layers.iter().any(|layer| layer.len() != size) {
            return Err(failed("a layer has the wrong size".to_owned()));
        }
        let smaller = match smoothing {
            Smoothing::WithinSize => glow::LINEAR_MIPMAP_NEAREST,
            Smoothing::BetweenSizes => glow::LINEAR_MIPMAP_LINEAR,
        };
        let pixels = layers.concat();
        // SAFETY: the context is current; `pixels` holds what the sizes say, and its rows need
        // no padding once the alignment is 1.
        unsafe {
            let texture = gl.create_texture().map_err(failed)?;
            let target = glow::TEXTURE_2D_ARRAY;
            gl.bind_texture(target, Some(texture));
            gl.pixel_store_i32(glow::UNPACK_ALIGNMENT, 1);
            gl.tex_image_3d(
                target,
                0,
                glow::R8 as i32,
                side as i32,
                side as i32,
                layers.len() as i32,
                0,
                glow::RED,
                glow::UNSIGNED_BYTE,
                glow::PixelUnpackData::Slice(Some(&pixels)),
            );
            gl.pixel_store_i32(glow::UNPACK_ALIGNMENT, 4);
            for (name, value) in [
                (glow::TEXTURE_MIN_FILTER, smaller),
                (glow::TEXTURE_MAG_FILTER, glow::LINEAR),
                (glow::TEXTURE_WRAP_S, glow::REPEAT),
                (glow::TEXTURE_WRAP_T, glow::REPEAT),
            ] {
                gl.tex_parameter_i32(target, name, value as i32);
            }
            gl.generate_mipmap(target);
            gl.bind_texture(target, None);
            Ok(Self { texture })
        }
    }

    /// Binds it to texture unit `unit`.
    pub fn bind(&self, gl: &glow::Context, unit: u32) {
        // SAFETY: this context's texture.
        unsafe {
            gl.active_texture(glow::TEXTURE0 + unit);
            gl.bind_texture(glow::TEXTURE_2D_ARRAY, Some(self.texture));
            gl.active_texture(glow::TEXTURE0);
        }
    }

    pub fn delete(self, gl: &glow::Context) {
        // SAFETY: created by this context, deleted once.
        unsafe { gl.delete_texture(self.texture) }
    }
}
