//! Triangles of the plan view on the graphics card.

use super::plan_programs::PlanPrograms;
use crate::gpu::{Attribute, AttributeType, GpuError, MeshBuffer};
use crate::preview::mesh::{Mesh, Vertex, VertexKind};
use std::mem::offset_of;
use std::ops::Range;

/// Fewer triangles without a pattern than this, between others with one, are drawn with them:
/// changing the program costs more than their few pixels.
const WORTH_A_CHANGE: usize = 200;

/// Whether triangles have a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coating {
    Plain,
    Patterned,
}

/// Triangles, one after the other, that one program draws.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Run {
    coating: Coating,
    /// Into the mesh's indices.
    indices: Range<usize>,
}

fn runs(mesh: &Mesh) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let coating = |corner: u32| {
        let vertex = &mesh.vertices[corner as usize];
        if vertex.kind == VertexKind::Fill as u8 && vertex.texture > 0 {
            Coating::Patterned
        } else {
            Coating::Plain
        }
    };
    for (triangle, number) in mesh.indices.chunks_exact(3).zip(0..) {
        let coating = coating(triangle[0]);
        let indices = 3 * number..3 * number + 3;
        match &mut runs[..] {
            [.., last] if last.coating == coating => last.indices.end = indices.end,
            [.., before, plain]
                if coating == Coating::Patterned
                    && before.coating == coating
                    && plain.indices.len() < 3 * WORTH_A_CHANGE =>
            {
                before.indices.end = indices.end;
                runs.pop();
            }
            _ => runs.push(Run { coating, indices }),
        }
    }
    runs
}

/// A mesh and which program draws which part of it.
#[derive(Debug)]
pub(super) struct PlanBuffer {
    mesh: MeshBuffer,
    runs: Vec<Run>,
}

impl PlanBuffer {
    /// # Errors
    /// The driver cannot make one.
    pub(super) fn new(gl: &glow::Context) -> Result<Self, GpuError> {
        Ok(Self {
            mesh: MeshBuffer::new(gl, &ATTRIBUTES, size_of::<Vertex>())?,
            runs: Vec::new(),
        })
    }

    pub(super) fn fill(&mut self, gl: &glow::Context, mesh: &Mesh) {
        let vertices = bytemuck::cast_slice(&mesh.vertices);
        self.mesh.fill(gl, vertices, &mesh.indices);
        self.runs = runs(mesh);
    }

    /// Draws all triangles; `bound` is the coating whose program is bound, before and after.
    pub(super) fn draw(&self, gl: &glow::Context, programs: &PlanPrograms, bound: &mut Coating) {
        for run in &self.runs {
            if run.coating != *bound {
                programs.bind(gl, run.coating);
                *bound = run.coating;
            }
            self.mesh.draw_some(gl, run.indices.clone());
        }
    }

    pub(super) fn delete(self, gl: &glow::Context) {
        self.mesh.delete(gl);
    }
}

const ATTRIBUTES: [Attribute; 9] = {
    use AttributeType::{Float, Short, SignedByte, UnitByte};
    const fn attribute(lanes: u8, of: AttributeType, offset: usize) -> Attribute {
        Attribute {
            lanes,
            of,
            offset: offset as u16,
        }
    }
    [
        attribute(2, Float, offset_of!(Vertex, position)),
        attribute(2, Float, offset_of!(Vertex, size)),
        attribute(2, Float, offset_of!(Vertex, width)),
        attribute(2, Float, offset_of!(Vertex, along)),
        attribute(2, Short, offset_of!(Vertex, offset)),
        attribute(2, Short, offset_of!(Vertex, normal)),
        attribute(4, UnitByte, offset_of!(Vertex, ink)),
        attribute(4, UnitByte, offset_of!(Vertex, texture_ink)),
        attribute(4, SignedByte, offset_of!(Vertex, kind)),
    ]
};

#[cfg(test)]
mod tests {
    use super::*;

    /// One triangle for each letter: `p`atterned, `f`ill without, `s`troke.
    fn mesh(letters: &str) -> Mesh {
        let mut mesh = Mesh::default();
        for letter in letters.chars() {
            let mut vertex: Vertex = Vertex::BLANK;
            vertex.texture = u8::from(letter != 'f');
            vertex.kind = if letter == 's' {
                VertexKind::Stroke as u8
            } else {
                VertexKind::Fill as u8
            };
            let first = mesh.vertices.len() as u32;
            mesh.vertices.extend([vertex; 3]);
            mesh.indices.extend([first, first + 1, first + 2]);
        }
        mesh
    }

    fn shown(letters: &str) -> Vec<(Coating, usize)> {
        let runs = runs(&mesh(letters));
        let mut at = 0;
        for run in &runs {
            assert_eq!(run.indices.start, at, "nothing is left out or drawn twice");
            at = run.indices.end;
        }
        assert_eq!(at, 3 * letters.len());
        let triangles = |run: &Run| (run.coating, run.indices.len() / 3);
        runs.iter().map(triangles).collect()
    }

    #[test]
    fn only_long_stretches_without_patterns_change_the_program() {
        use Coating::{Patterned, Plain};
        assert_eq!(shown(""), []);
        assert_eq!(shown("fsfs"), [(Plain, 4)]);
        assert_eq!(shown("ffpsfppss"), [(Plain, 2), (Patterned, 5), (Plain, 2)]);
        let long = "s".repeat(WORTH_A_CHANGE);
        assert_eq!(
            shown(&format!("p{long}p")),
            [(Patterned, 1), (Plain, WORTH_A_CHANGE), (Patterned, 1)]
        );
    }
}
