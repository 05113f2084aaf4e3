//! Rasterises numbered triangles into an image of numbers: the terrain of a level per pixel.
//!
//! Jaklin et al. 2013, §5 extract terrain and obstacles from the colour buffer; here the colour is
//! the terrain's number, so that nothing has to be inferred from it.

use super::{
    GpuError,
    mesh_buffer::{Attribute, AttributeType, MeshBuffer},
    program::Program,
    target::Target,
};
use bytemuck::{Pod, Zeroable};
use glam::Vec2;
use glow::HasContext as _;

/// A triangle with a number. Unit: pixels from the lower left corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Patch {
    pub corners: [Vec2; 3],
    pub number: u16,
}

/// Value of pixels that no triangle covers.
pub const NOTHING: u16 = u16::MAX;

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Corner {
    at: [f32; 2],
    number: [u8; 4],
}

const VERTEX: &str = "
layout(location = 0) in vec2 at;
layout(location = 1) in vec4 number;
uniform vec2 size;
flat out vec4 colour;
void main() {
    colour = number;
    gl_Position = vec4(2.0 * at / size - 1.0, 0.0, 1.0);
}";

const FRAGMENT: &str = "
flat in vec4 colour;
out vec4 pixel;
void main() { pixel = colour; }";

/// The number at the centre of each pixel, row by row from the lower left.
///
/// # Errors
/// The size exceeds the GPU's limit, or the driver reported an error.
pub fn draw(gl: &glow::Context, size: [u32; 2], patches: &[Patch]) -> Result<Vec<u16>, GpuError> {
    let target = Target::new(gl, size)?;
    let outcome = draw_into(gl, &target, size, patches);
    target.delete(gl);
    outcome
}

fn draw_into(
    gl: &glow::Context,
    target: &Target,
    size: [u32; 2],
    patches: &[Patch],
) -> Result<Vec<u16>, GpuError> {
    let program = Program::new(gl, VERTEX, FRAGMENT)?;
    let attributes = [
        Attribute {
            lanes: 2,
            of: AttributeType::Float,
            offset: 0,
        },
        Attribute {
            lanes: 4,
            of: AttributeType::UnitByte,
            offset: 8,
        },
    ];
    let mut buffer = match MeshBuffer::new(gl, &attributes, size_of::<Corner>()) {
        Ok(buffer) => buffer,
        Err(error) => {
            program.delete(gl);
            return Err(error);
        }
    };
    let corners: Vec<Corner> = patches
        .iter()
        .flat_map(|patch| {
            let [low, high] = patch.number.to_le_bytes();
            patch.corners.map(|at| Corner {
                at: at.to_array(),
                number: [low, high, 0, 255],
            })
        })
        .collect();
    let indices: Vec<u32> = (0..corners.len() as u32).collect();
    buffer.fill(gl, bytemuck::cast_slice(&corners), &indices);
    target.bind(gl);
    // SAFETY: the context is current and the target is bound.
    unsafe {
        gl.disable(glow::BLEND);
        gl.disable(glow::DEPTH_TEST);
        gl.disable(glow::CULL_FACE);
        gl.disable(glow::DITHER);
        gl.clear_color(1.0, 1.0, 0.0, 1.0);
        gl.clear(glow::COLOR_BUFFER_BIT);
    }
    program.bind(gl);
    program.set_vec2(gl, "size", size.map(|side| side as f32));
    buffer.draw(gl);
    let pixels = target.read(gl);
    buffer.delete(gl);
    program.delete(gl);
    // Flip from top-down to bottom-up.
    let row = size[0] as usize * 4;
    Ok(pixels
        .rchunks(row)
        .flat_map(|row| row.chunks_exact(4))
        .map(|pixel| u16::from_le_bytes([pixel[0], pixel[1]]))
        .collect())
}
