//! Many of one small thing: attributes for each instance, corners made by the shader.

use super::{Attribute, AttributeType, GpuError};
use glow::HasContext as _;

#[derive(Debug)]
pub struct InstanceBuffer {
    array: glow::VertexArray,
    instances: glow::Buffer,
    count: i32,
}

impl InstanceBuffer {
    /// An empty buffer for instances of `stride` bytes; attributes are numbered from 0.
    ///
    /// # Errors
    /// The driver cannot make one.
    pub fn new(
        gl: &glow::Context,
        attributes: &[Attribute],
        stride: usize,
    ) -> Result<Self, GpuError> {
        let failed = |reason: String| GpuError::Object {
            what: "instance buffer",
            reason,
        };
        // SAFETY: the context is current; what is made before a failure is deleted.
        unsafe {
            let array = gl.create_vertex_array().map_err(failed)?;
            let instances = gl.create_buffer().map_err(|reason| {
                gl.delete_vertex_array(array);
                failed(reason)
            })?;
            gl.bind_vertex_array(Some(array));
            gl.bind_buffer(glow::ARRAY_BUFFER, Some(instances));
            for (attribute, index) in attributes.iter().zip(0..) {
                let (lanes, at) = (i32::from(attribute.lanes), i32::from(attribute.offset));
                let (kind, unit) = match attribute.of {
                    AttributeType::Float => (glow::FLOAT, false),
                    AttributeType::Short => (glow::SHORT, false),
                    AttributeType::UnitByte => (glow::UNSIGNED_BYTE, true),
                    AttributeType::SignedByte => (glow::BYTE, false),
                };
                gl.enable_vertex_attrib_array(index);
                gl.vertex_attrib_pointer_f32(index, lanes, kind, unit, stride as i32, at);
                gl.vertex_attrib_divisor(index, 1);
            }
            gl.bind_vertex_array(None);
            gl.bind_buffer(glow::ARRAY_BUFFER, None);
            Ok(Self {
                array,
                instances,
                count: 0,
            })
        }
    }

    /// Replaces the contents: `count` instances in `bytes`.
    pub fn fill(&mut self, gl: &glow::Context, bytes: &[u8], count: usize) {
        // SAFETY: the buffer is this context's; the slice is read before the call returns.
        unsafe {
            gl.bind_buffer(glow::ARRAY_BUFFER, Some(self.instances));
            gl.buffer_data_u8_slice(glow::ARRAY_BUFFER, bytes, glow::STATIC_DRAW);
            gl.bind_buffer(glow::ARRAY_BUFFER, None);
        }
        self.count = i32::try_from(count).unwrap_or(0);
    }

    /// Draws so many corners of each instance as triangles, with the program that is bound.
    pub fn draw(&self, gl: &glow::Context, corners: i32) {
        self.draw_instances(gl, corners, self.count);
    }

    /// One instance without attributes: a shader that needs nothing but a corner's number.
    pub fn draw_once(&self, gl: &glow::Context, corners: i32) {
        self.draw_instances(gl, corners, 1);
    }

    fn draw_instances(&self, gl: &glow::Context, corners: i32, count: i32) {
        if count == 0 {
            return;
        }
        // SAFETY: `fill` put `count` instances into the buffer, or no attribute reads it.
        unsafe {
            gl.bind_vertex_array(Some(self.array));
            gl.draw_arrays_instanced(glow::TRIANGLES, 0, corners, count);
            gl.bind_vertex_array(None);
        }
    }

    pub fn delete(self, gl: &glow::Context) {
        // SAFETY: made by this context, deleted once.
        unsafe {
            gl.delete_vertex_array(self.array);
            gl.delete_buffer(self.instances);
        }
    }
}
