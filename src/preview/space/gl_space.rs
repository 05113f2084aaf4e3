//! Renders a 3D image with OpenGL.

use super::figure::{self, SpaceFigure};
use super::frame::SpaceFrame;
use super::layer::{Manner, SpaceBox, SpaceLayer, SpaceLine, SpaceVertex};
use crate::base::Colour;
use crate::gpu::{
    self, Attribute, AttributeType, Depth, DepthTarget, Destination, GpuError, InstanceBuffer,
    MeshBuffer, Program, Texture, state,
};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::mem::offset_of;
use std::sync::{Arc, Weak};

/// The shader's mode for the section plane.
const CAP: i32 = 3;

/// Means no section.
const NO_SECTION: f32 = 1e30;
/// Lines are drawn closer to the eye than the faces they lie on, by this fraction.
const NEARER: f64 = 0.0015;

/// A layer's buffers on the GPU.
#[derive(Debug, Default)]
struct Buffers {
    faces: Option<MeshBuffer>,
    lines: Option<InstanceBuffer>,
    boxes: Option<InstanceBuffer>,
    figures: Option<InstanceBuffer>,
}

/// GPU objects of the 3D view.
#[derive(Debug)]
pub struct GlSpace {
    faces: Program,
    boxes: Program,
    figures: Program,
    lines: Program,
    sky: Program,
    copy: Program,
    whole: InstanceBuffer,
    /// The section plane, around everything drawn.
    plane: MeshBuffer,
    layers: BTreeMap<u64, Buffers>,
    ground: Option<(Weak<super::GroundPicture>, Texture)>,
    target: Option<DepthTarget>,
}

impl GlSpace {
    /// # Errors
    /// The context is too old, or the driver reported an error.
    pub fn new(gl: &glow::Context) -> Result<Self, GpuError> {
        let face = include_str!("../../../assets/shaders/space/space.frag");
        let screen = include_str!("../../../assets/shaders/space/screen.vert");
        Ok(Self {
            faces: Program::new(
                gl,
                include_str!("../../../assets/shaders/space/space.vert"),
                face,
            )?,
            boxes: Program::new(
                gl,
                include_str!("../../../assets/shaders/space/box.vert"),
                face,
            )?,
            figures: Program::new(
                gl,
                include_str!("../../../assets/shaders/space/figure.vert"),
                face,
            )?,
            lines: Program::new(
                gl,
                include_str!("../../../assets/shaders/space/line.vert"),
                include_str!("../../../assets/shaders/space/line.frag"),
            )?,
            sky: Program::new(
                gl,
                screen,
                include_str!("../../../assets/shaders/space/sky.frag"),
            )?,
            copy: Program::new(
                gl,
                screen,
                include_str!("../../../assets/shaders/space/copy.frag"),
            )?,
            whole: InstanceBuffer::new(gl, &[], 0)?,
            plane: MeshBuffer::new(gl, &VERTEX, size_of::<SpaceVertex>())?,
            layers: BTreeMap::new(),
            ground: None,
            target: None,
        })
    }

    /// Renders the frame off screen; frees layers that were not drawn.
    ///
    /// # Errors
    /// The size exceeds the GPU's limit, or OpenGL reported an error.
    pub fn draw(
        &mut self,
        gl: &glow::Context,
        frame: &SpaceFrame,
        size: [u32; 2],
        pixels_per_point: f32,
    ) -> Result<(), GpuError> {
        if self
            .target
            .as_ref()
            .is_none_or(|target| target.size() != size)
        {
            if let Some(target) = self.target.take() {
                target.delete(gl);
            }
            self.target = Some(DepthTarget::new(gl, size)?);
        }
        self.send(gl, frame)?;
        if let Some(corners) = frame.section_plane() {
            let vertices = corners.map(|p| SpaceVertex {
                position: p.as_vec3().to_array(),
                colour: [255; 4],
            });
            let indices = [0, 1, 2, 0, 2, 3];
            self.plane
                .fill(gl, bytemuck::cast_slice(&vertices), &indices);
        }
        if let Some(target) = &self.target {
            target.bind(gl);
            state::begin_space(gl);
            self.draw_sky(gl, frame);
            self.draw_layers(gl, frame, size, pixels_per_point);
            target.resolve(gl);
        }
        gpu::check(gl, "drawing in space")
    }

    /// Copies the last image to the current target.
    pub fn show(&self, gl: &glow::Context) {
        let Some(target) = &self.target else {
            return;
        };
        gpu::blend_over(gl);
        self.copy.bind(gl);
        self.copy.set_int(gl, "u_picture", 0);
        target.texture().bind(gl);
        self.whole.draw_once(gl, 3);
    }

    /// The last image: 8-bit RGBA, row by row from the top.
    #[must_use]
    pub fn read(&self, gl: &glow::Context) -> Vec<u8> {
        self.target
            .as_ref()
            .map(|target| target.read(gl))
            .unwrap_or_default()
    }

    /// Renders if something changed, and copies the image to the current target.
    ///
    /// # Errors
    /// See [`draw`](Self::draw).
    pub fn draw_and_show(
        &mut self,
        gl: &glow::Context,
        frame: Option<&SpaceFrame>,
        size: [u32; 2],
        pixels_per_point: f32,
    ) -> Result<(), GpuError> {
        let destination = Destination::current(gl);
        let outcome = match frame {
            Some(frame) => self.draw(gl, frame, size, pixels_per_point),
            None => Ok(()),
        };
        destination.restore(gl);
        outcome?;
        self.show(gl);
        gpu::check(gl, "showing the 3D view")
    }

    fn send(&mut self, gl: &glow::Context, frame: &SpaceFrame) -> Result<(), GpuError> {
        let wanted: BTreeSet<u64> = frame.layers.iter().map(|p| p.layer.id()).collect();
        let gone: Vec<u64> = self
            .layers
            .keys()
            .copied()
            .filter(|id| !wanted.contains(id))
            .collect();
        for id in gone {
            if let Some(buffers) = self.layers.remove(&id) {
                buffers.delete(gl);
            }
        }
        for placed in &frame.layers {
            if let Entry::Vacant(place) = self.layers.entry(placed.layer.id()) {
                place.insert(Buffers::of(gl, &placed.layer)?);
            }
        }
        let current = match (&self.ground, &frame.ground) {
            (Some((of, _)), Some(picture)) => of.as_ptr() == Arc::as_ptr(picture),
            (None, None) => true,
            _ => false,
        };
        if !current {
            if let Some((_, texture)) = self.ground.take() {
                texture.delete(gl);
            }
            if let Some(picture) = &frame.ground {
                let texture = Texture::new(gl, picture.size, Some(&picture.texels))?;
                self.ground = Some((Arc::downgrade(picture), texture));
            }
        }
        Ok(())
    }

    fn draw_sky(&self, gl: &glow::Context, frame: &SpaceFrame) {
        state::set_depth(gl, Depth::Ignored);
        self.sky.bind(gl);
        self.sky.set_vec3(gl, "u_above", light(frame.sky[0]));
        self.sky.set_vec3(gl, "u_below", light(frame.sky[1]));
        self.whole.draw_once(gl, 3);
    }

    fn draw_layers(
        &self,
        gl: &glow::Context,
        frame: &SpaceFrame,
        size: [u32; 2],
        pixels_per_point: f32,
    ) {
        for program in [&self.faces, &self.boxes, &self.figures, &self.lines] {
            program.bind(gl);
            set_view(gl, program, frame);
        }
        self.lines.bind(gl);
        self.lines
            .set_vec2(gl, "u_viewport", size.map(|side| side as f32));
        self.lines
            .set_float(gl, "u_pixels_per_point", pixels_per_point);
        let depth = frame.view.inverse().w_axis.truncate() - (frame.bounds.centre() - frame.origin);
        let nearer = if is_flat(frame) {
            NEARER * depth.length().max(1.0)
        } else {
            NEARER
        };
        self.lines.set_float(gl, "u_nearer", nearer as f32);
        let near = frame.projection.w_axis.z / (frame.projection.z_axis.z - 1.0);
        self.lines.set_float(gl, "u_near", near.abs() as f32);
        if let Some((_, texture)) = &self.ground {
            texture.bind(gl);
        }
        let (over, within): (Vec<_>, Vec<_>) = frame
            .layers
            .iter()
            .filter(|placed| frame.sees(placed))
            .partition(|placed| placed.layer.manner == Manner::OnTop);
        state::set_depth(gl, Depth::Tested);
        for placed in &within {
            self.draw_faces(gl, frame, placed, 1.0);
        }
        self.draw_caps(gl, frame, &within);
        for placed in &within {
            self.draw_boxes(gl, frame, placed);
            self.draw_figures(gl, frame, placed);
        }
        state::set_depth(gl, Depth::TestedOnly);
        for placed in &within {
            self.draw_lines(gl, frame, placed, 1.0);
        }
        // What is on top shows faintly through what is in front of it.
        for (depth, strength) in [(Depth::Ignored, 0.3), (Depth::TestedOnly, 1.0)] {
            state::set_depth(gl, depth);
            for placed in &over {
                self.draw_faces(gl, frame, placed, strength);
                self.draw_lines(gl, frame, placed, strength);
            }
        }
    }

    /// Closes volumes where they are cut open: counted in the stencil buffer, filled at the height
    /// of the section.
    fn draw_caps(&self, gl: &glow::Context, frame: &SpaceFrame, layers: &[&super::Placed]) {
        if frame.section_plane().is_none() {
            return;
        }
        state::begin_counting(gl);
        for placed in layers {
            if placed.layer.manner == Manner::Closed {
                state::set_mirrored(gl, is_mirrored(placed));
                self.draw_faces(gl, frame, placed, 1.0);
            }
        }
        state::begin_counted(gl);
        self.faces.bind(gl);
        self.faces
            .set_mat4(gl, "u_model", &glam::Mat4::IDENTITY.to_cols_array());
        self.faces.set_int(gl, "u_manner", CAP);
        self.plane.draw(gl);
        state::end_counted(gl);
    }

    fn draw_faces(
        &self,
        gl: &glow::Context,
        frame: &SpaceFrame,
        placed: &super::Placed,
        strength: f32,
    ) {
        let Some(buffer) = self
            .layers
            .get(&placed.layer.id())
            .and_then(|b| b.faces.as_ref())
        else {
            return;
        };
        self.faces.bind(gl);
        set_layer(gl, &self.faces, frame, placed, strength);
        buffer.draw(gl);
    }

    fn draw_boxes(&self, gl: &glow::Context, frame: &SpaceFrame, placed: &super::Placed) {
        let Some(buffer) = self
            .layers
            .get(&placed.layer.id())
            .and_then(|b| b.boxes.as_ref())
        else {
            return;
        };
        self.boxes.bind(gl);
        set_layer(gl, &self.boxes, frame, placed, 1.0);
        buffer.draw(gl, 36);
    }

    fn draw_figures(&self, gl: &glow::Context, frame: &SpaceFrame, placed: &super::Placed) {
        let buffers = self.layers.get(&placed.layer.id());
        let Some(buffer) = buffers.and_then(|b| b.figures.as_ref()) else {
            return;
        };
        self.figures.bind(gl);
        set_layer(gl, &self.figures, frame, placed, 1.0);
        self.figures.set_float(gl, "u_least", figure::LEAST);
        buffer.draw(gl, figure::CORNERS);
    }

    fn draw_lines(
        &self,
        gl: &glow::Context,
        frame: &SpaceFrame,
        placed: &super::Placed,
        strength: f32,
    ) {
        let Some(buffer) = self
            .layers
            .get(&placed.layer.id())
            .and_then(|b| b.lines.as_ref())
        else {
            return;
        };
        self.lines.bind(gl);
        set_layer(gl, &self.lines, frame, placed, strength);
        buffer.draw(gl, 6);
    }

    pub fn delete(self, gl: &glow::Context) {
        let people = self.figures;
        for program in [
            self.faces, self.boxes, people, self.lines, self.sky, self.copy,
        ] {
            program.delete(gl);
        }
        self.whole.delete(gl);
        self.plane.delete(gl);
        for buffers in self.layers.into_values() {
            buffers.delete(gl);
        }
        if let Some((_, texture)) = self.ground {
            texture.delete(gl);
        }
        if let Some(target) = self.target {
            target.delete(gl);
        }
    }
}

fn light(colour: Colour) -> [f32; 3] {
    [colour.r, colour.g, colour.b].map(|lane| f32::from(lane) / 255.0)
}

/// Orthographic projections do not divide by distance.
fn is_flat(frame: &SpaceFrame) -> bool {
    frame.projection.w_axis.w != 0.0
}

fn set_view(gl: &glow::Context, program: &Program, frame: &SpaceFrame) {
    program.set_mat4(gl, "u_view", &frame.view.as_mat4().to_cols_array());
    program.set_mat4(
        gl,
        "u_projection",
        &frame.projection.as_mat4().to_cols_array(),
    );
    let world_from_eye = frame.view.inverse();
    let eye = world_from_eye.w_axis.truncate().as_vec3().to_array();
    let back = world_from_eye.z_axis.truncate().as_vec3().to_array();
    program.set_vec3(gl, "u_eye", eye);
    program.set_vec3(gl, "u_back", back);
    program.set_int(gl, "u_flat_view", i32::from(is_flat(frame)));
    let section = frame
        .cut_height()
        .map_or(NO_SECTION, |height| height as f32);
    program.set_float(gl, "u_section", section);
    program.set_vec3(gl, "u_cut", light(frame.cut));
    program.set_int(gl, "u_ground", 0);
    if let Some(picture) = &frame.ground {
        let min = (picture.area.min - frame.origin.truncate()).as_vec2();
        let size = picture.area.size().as_vec2();
        program.set_vec4(gl, "u_area", [min.x, min.y, size.x, size.y]);
    }
}

/// Mirroring turns counter-clockwise into clockwise.
fn is_mirrored(placed: &super::Placed) -> bool {
    placed.placement.matrix3.determinant() < 0.0
}

fn set_layer(
    gl: &glow::Context,
    program: &Program,
    frame: &SpaceFrame,
    placed: &super::Placed,
    strength: f32,
) {
    let model = frame.model(&placed.placement);
    program.set_mat4(gl, "u_model", &model.to_cols_array());
    let manner = match placed.layer.manner {
        Manner::Surface | Manner::OnTop => 0,
        Manner::Closed => 1,
        Manner::Ground if frame.ground.is_some() => 2,
        Manner::Ground => 0,
    };
    program.set_int(gl, "u_manner", manner);
    program.set_int(gl, "u_mirrored", i32::from(is_mirrored(placed)));
    program.set_float(gl, "u_strength", strength);
}

impl Buffers {
    fn of(gl: &glow::Context, layer: &SpaceLayer) -> Result<Self, GpuError> {
        let mut buffers = Self::default();
        if !layer.indices.is_empty() {
            let mut faces = MeshBuffer::new(gl, &VERTEX, size_of::<SpaceVertex>())?;
            faces.fill(gl, bytemuck::cast_slice(&layer.vertices), &layer.indices);
            buffers.faces = Some(faces);
        }
        if !layer.lines.is_empty() {
            let mut lines = InstanceBuffer::new(gl, &LINE, size_of::<SpaceLine>())?;
            lines.fill(gl, bytemuck::cast_slice(&layer.lines), layer.lines.len());
            buffers.lines = Some(lines);
        }
        if !layer.boxes.is_empty() {
            let mut boxes = InstanceBuffer::new(gl, &BOX, size_of::<SpaceBox>())?;
            boxes.fill(gl, bytemuck::cast_slice(&layer.boxes), layer.boxes.len());
            buffers.boxes = Some(boxes);
        }
        if !layer.figures.is_empty() {
            let mut figures = InstanceBuffer::new(gl, &FIGURE, size_of::<SpaceFigure>())?;
            let bytes = bytemuck::cast_slice(&layer.figures);
            figures.fill(gl, bytes, layer.figures.len());
            buffers.figures = Some(figures);
        }
        Ok(buffers)
    }

    fn delete(self, gl: &glow::Context) {
        if let Some(faces) = self.faces {
            faces.delete(gl);
        }
        for buffer in [self.lines, self.boxes, self.figures].into_iter().flatten() {
            buffer.delete(gl);
        }
    }
}

const fn floats(lanes: u8, offset: usize) -> Attribute {
    Attribute {
        lanes,
        of: AttributeType::Float,
        offset: offset as u16,
    }
}

const fn bytes(offset: usize) -> Attribute {
    Attribute {
        lanes: 4,
        of: AttributeType::UnitByte,
        offset: offset as u16,
    }
}

const VERTEX: [Attribute; 2] = [
    floats(3, offset_of!(SpaceVertex, position)),
    bytes(offset_of!(SpaceVertex, colour)),
];

const LINE: [Attribute; 4] = [
    floats(3, offset_of!(SpaceLine, from)),
    floats(3, offset_of!(SpaceLine, to)),
    bytes(offset_of!(SpaceLine, colour)),
    floats(1, offset_of!(SpaceLine, width)),
];

const FIGURE: [Attribute; 4] = [
    floats(3, offset_of!(SpaceFigure, foot)),
    floats(4, offset_of!(SpaceFigure, heading)),
    floats(1, offset_of!(SpaceFigure, stride)),
    bytes(offset_of!(SpaceFigure, colour)),
];

const BOX: [Attribute; 3] = [
    floats(3, offset_of!(SpaceBox, centre)),
    floats(3, offset_of!(SpaceBox, half)),
    bytes(offset_of!(SpaceBox, colour)),
];
