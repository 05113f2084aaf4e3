//! Vertex and index buffers.

use super::GpuError;
use glow::HasContext as _;
use std::ops::Range;

/// Layout of one vertex attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attribute {
    pub lanes: u8,
    pub of: AttributeType,
    /// From the start of the vertex. Unit: bytes.
    pub offset: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttributeType {
    Float,
    /// 16-bit integers, converted to floats of equal value.
    Short,
    /// Bytes, normalised to 0…1.
    UnitByte,
    /// Signed bytes, passed as integers.
    SignedByte,
}

/// A vertex array with its two buffers; can be refilled.
#[derive(Debug)]
pub struct MeshBuffer {
    array: glow::VertexArray,
    vertices: glow::Buffer,
    indices: glow::Buffer,
    /// Number of indices, limited to what OpenGL can count.
    count: usize,
}

impl MeshBuffer {
    /// An empty buffer for vertices of `stride` bytes; attributes are numbered from 0.
    ///
    /// # Errors
    /// The driver cannot create it.
    pub fn new(
        gl: &glow::Context,
        attributes: &[Attribute],
        stride: usize,
    ) -> Result<Self, GpuError> {
        let failed = |reason: String| GpuError::Object {
            what: "vertex buffer",
            reason,
        };
        // SAFETY: the context is current; objects created before a failure are deleted.
        unsafe {
            let array = gl.create_vertex_array().map_err(failed)?;
            let vertices = gl.create_buffer().map_err(|reason| {
                gl.delete_vertex_array(array);
                failed(reason)
            })?;
            let indices = gl.create_buffer().map_err(|reason| {
                gl.delete_vertex_array(array);
                gl.delete_buffer(vertices);
                failed(reason)
            })?;
            gl.bind_vertex_array(Some(array));
            gl.bind_buffer(glow::ARRAY_BUFFER, Some(vertices));
            gl.bind_buffer(glow::ELEMENT_ARRAY_BUFFER, Some(indices));
            let stride = stride as i32;
            for (attribute, index) in attributes.iter().zip(0..) {
                let (lanes, at) = (i32::from(attribute.lanes), i32::from(attribute.offset));
                gl.enable_vertex_attrib_array(index);
                match attribute.of {
                    AttributeType::Float => {
                        gl.vertex_attrib_pointer_f32(index, lanes, glow::FLOAT, false, stride, at);
                    }
                    AttributeType::Short => {
                        gl.vertex_attrib_pointer_f32(index, lanes, glow::SHORT, false, stride, at);
                    }
                    AttributeType::UnitByte => gl.vertex_attrib_pointer_f32(
                        index,
                        lanes,
                        glow::UNSIGNED_BYTE,
                        true,
                        stride,
                        at,
                    ),
                    AttributeType::SignedByte => {
                        gl.vertex_attrib_pointer_i32(index, lanes, glow::BYTE, stride, at);
                    }
                }
            }
            gl.bind_vertex_array(None);
            gl.bind_buffer(glow::ARRAY_BUFFER, None);
            Ok(Self {
                array,
                vertices,
                indices,
                count: 0,
            })
        }
    }

    /// Replaces the contents. Indices must be valid for the vertices.
    pub fn fill(&mut self, gl: &glow::Context, vertices: &[u8], indices: &[u32]) {
        // SAFETY: the buffers are this context's; the slices are read before the calls return.
        unsafe {
            // The index buffer is part of the vertex array's state: bind that first.
            gl.bind_vertex_array(Some(self.array));
            gl.bind_buffer(glow::ARRAY_BUFFER, Some(self.vertices));
            gl.buffer_data_u8_slice(glow::ARRAY_BUFFER, vertices, glow::DYNAMIC_DRAW);
            gl.buffer_data_u8_slice(
                glow::ELEMENT_ARRAY_BUFFER,
                bytemuck::cast_slice(indices),
                glow::DYNAMIC_DRAW,
            );
            gl.bind_vertex_array(None);
            gl.bind_buffer(glow::ARRAY_BUFFER, None);
        }
        // More than OpenGL can count are not drawn.
        self.count = if i32::try_from(size_of_val(indices)).is_ok() {
            indices.len()
        } else {
            0
        };
    }

    /// Draws all triangles with the bound program.
    pub fn draw(&self, gl: &glow::Context) {
        self.draw_some(gl, 0..self.count);
    }

    /// Draws the triangles of a range of indices.
    pub fn draw_some(&self, gl: &glow::Context, indices: Range<usize>) {
        let end = indices.end.min(self.count);
        let start = indices.start.min(end);
        if start == end {
            return;
        }
        let (count, offset) = ((end - start) as i32, (start * size_of::<u32>()) as i32);
        // SAFETY: `fill` put `self.count` indices into the buffer, and `end` is not beyond them.
        unsafe {
            gl.bind_vertex_array(Some(self.array));
            gl.draw_elements(glow::TRIANGLES, count, glow::UNSIGNED_INT, offset);
            gl.bind_vertex_array(None);
        }
    }

    pub fn delete(self, gl: &glow::Context) {
        // SAFETY: created by this context, deleted once.
        unsafe {
            gl.delete_vertex_array(self.array);
            gl.delete_buffer(self.vertices);
            gl.delete_buffer(self.indices);
        }
    }
}
