//! Triangle lists that implement [`Drawing`].

use super::super::{Attribute, AttributeType, GpuError, MeshBuffer};
use super::{Drawing, Part};
use glam::DVec3;

/// Triangles on the GPU, grouped by meaning.
#[derive(Debug)]
pub struct TriangleDrawing {
    origin: DVec3,
    /// Open, open and forbidden, closed, closed and forbidden; empty groups are omitted.
    groups: Vec<Group>,
}

#[derive(Debug)]
struct Group {
    closed: bool,
    forbidden: bool,
    buffer: MeshBuffer,
}

impl Group {
    const fn is_of(&self, part: Part) -> bool {
        match part {
            Part::Everything => true,
            Part::Forbidden => self.forbidden,
            Part::Closed => self.closed,
            Part::ClosedForbidden => self.closed && self.forbidden,
        }
    }
}

impl TriangleDrawing {
    /// Objects as triangles, with flags for closed and forbidden. Coordinates are stored relative
    /// to `origin`, which should be near.
    ///
    /// # Errors
    /// The driver cannot store them.
    pub fn new<'a>(
        gl: &glow::Context,
        origin: DVec3,
        objects: impl IntoIterator<Item = (&'a [[DVec3; 3]], bool, bool)>,
    ) -> Result<Self, GpuError> {
        let mut corners: [Vec<[f32; 3]>; 4] = Default::default();
        for (triangles, closed, forbidden) in objects {
            // Closed bodies must face outwards, however they were drawn.
            let turned = closed && volume(triangles, origin) < 0.0;
            let group = &mut corners[usize::from(closed) * 2 + usize::from(forbidden)];
            for [a, b, c] in triangles {
                let [b, c] = if turned { [c, b] } else { [b, c] };
                group.extend([a, b, c].map(|p| (*p - origin).as_vec3().to_array()));
            }
        }
        let mut drawing = Self {
            origin,
            groups: Vec::new(),
        };
        let place = [Attribute {
            lanes: 3,
            of: AttributeType::Float,
            offset: 0,
        }];
        for (index, corners) in corners.iter().enumerate() {
            if corners.is_empty() {
                continue;
            }
            let mut buffer = match MeshBuffer::new(gl, &place, size_of::<[f32; 3]>()) {
                Ok(buffer) => buffer,
                Err(error) => {
                    drawing.delete(gl);
                    return Err(error);
                }
            };
            let indices: Vec<u32> = (0..corners.len() as u32).collect();
            buffer.fill(gl, bytemuck::cast_slice(corners), &indices);
            drawing.groups.push(Group {
                closed: index >= 2,
                forbidden: index % 2 == 1,
                buffer,
            });
        }
        Ok(drawing)
    }

    pub fn delete(self, gl: &glow::Context) {
        for group in self.groups {
            group.buffer.delete(gl);
        }
    }
}

/// Six times the enclosed volume; negative if the triangles face inwards.
fn volume(triangles: &[[DVec3; 3]], origin: DVec3) -> f64 {
    triangles
        .iter()
        .map(|triangle| {
            let [a, b, c] = triangle.map(|corner| corner - origin);
            a.dot(b.cross(c))
        })
        .sum()
}

impl Drawing for TriangleDrawing {
    fn origin(&self) -> DVec3 {
        self.origin
    }

    fn has(&self, part: Part) -> bool {
        self.groups.iter().any(|group| group.is_of(part))
    }

    fn draw(&self, gl: &glow::Context, part: Part) {
        for group in self.groups.iter().filter(|group| group.is_of(part)) {
            group.buffer.draw(gl);
        }
    }
}
