//! Overlay of the nearest-obstacle image on a view: coloured regions, lines of equal distance.

use super::{NearestMesh, NearestPass};
use crate::gpu::{Attribute, AttributeType, DistanceTarget, GpuError, MeshBuffer, Program};
use glow::HasContext as _;

/// How the image is shown in one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RegionsLook {
    /// Opacity of the regions, from 0 to 1.
    pub regions: f32,
    pub distances: f32,
    pub is_light: bool,
    /// Spacing of the lines of equal distance. Unit: metres.
    pub spacing: f64,
    /// Colour of lines and of what is near a wall, from 0 to 1.
    pub near: [f32; 3],
    /// Body radius, shown as blocked near walls. Unit: metres.
    pub body: Option<f64>,
    /// Colour of what is blocked for the body, from 0 to 1.
    pub blocked: [f32; 3],
    /// Lower left and upper right corner of the covered area, from −1 to 1 in the view.
    pub covers: [[f32; 2]; 2],
    /// Size of a window pixel and of an image pixel. Unit: metres.
    pub window_pixel: f64,
    pub picture_pixel: f64,
    /// Image pixels along the view; the last one may extend beyond it.
    pub spans: [f32; 2],
}

/// GPU objects of the overlay.
#[derive(Debug)]
pub struct RegionsOverlay {
    pass: NearestPass,
    program: Program,
    quad: MeshBuffer,
    target: Option<DistanceTarget>,
    /// What the target holds: revision, size, and distance at depth 1 in pixels.
    holds: Option<(u64, [u32; 2], f64)>,
}

impl RegionsOverlay {
    /// # Errors
    /// The context is too old, or the driver reported an error.
    pub fn new(gl: &glow::Context) -> Result<Self, GpuError> {
        let pass = NearestPass::new(gl)?;
        let made = Program::new(
            gl,
            include_str!("../../../assets/shaders/voronoi/regions.vert"),
            include_str!("../../../assets/shaders/voronoi/regions.frag"),
        )
        .and_then(|program| {
            let corner = Attribute {
                lanes: 2,
                of: AttributeType::Float,
                offset: 0,
            };
            match MeshBuffer::new(gl, &[corner], 8) {
                Ok(quad) => Ok((program, quad)),
                Err(error) => {
                    program.delete(gl);
                    Err(error)
                }
            }
        });
        let (program, mut quad) = match made {
            Ok(made) => made,
            Err(error) => {
                pass.delete(gl);
                return Err(error);
            }
        };
        let corners: [[f32; 2]; 4] = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        quad.fill(gl, bytemuck::cast_slice(&corners), &[0, 1, 2, 0, 2, 3]);
        Ok(Self {
            pass,
            program,
            quad,
            target: None,
            holds: None,
        })
    }

    /// Whether the target already holds this revision.
    #[must_use]
    pub fn has(&self, revision: u64) -> bool {
        self.holds.is_some_and(|(held, ..)| held == revision)
    }

    /// Renders the image off screen; preserves framebuffer, viewport and scissor.
    ///
    /// # Errors
    /// The GPU cannot create a target of that size.
    pub fn take(
        &mut self,
        gl: &glow::Context,
        revision: u64,
        mesh: &NearestMesh,
    ) -> Result<(), GpuError> {
        let size = mesh.size.to_array();
        let fits = |target: &DistanceTarget| {
            let [width, height] = target.size();
            width >= size[0] && height >= size[1]
        };
        if !self.target.as_ref().is_some_and(fits) {
            if let Some(old) = self.target.take() {
                old.delete(gl);
            }
            self.holds = None;
            // Allocate some extra: a window being resized asks every frame.
            let limit = DistanceTarget::limit(gl);
            let roomy = size.map(|side| side.next_multiple_of(256).min(limit.max(side)));
            self.target = Some(DistanceTarget::new(gl, roomy)?);
        }
        let Some(target) = &self.target else {
            return Ok(());
        };
        // SAFETY: reads and restores state; the context is current.
        unsafe {
            let framebuffer = gl.get_parameter_framebuffer(glow::FRAMEBUFFER_BINDING);
            let mut viewport = [0; 4];
            gl.get_parameter_i32_slice(glow::VIEWPORT, &mut viewport);
            let scissor = gl.is_enabled(glow::SCISSOR_TEST);
            self.pass.draw(gl, mesh, target);
            gl.bind_framebuffer(glow::FRAMEBUFFER, framebuffer);
            let [x, y, width, height] = viewport;
            gl.viewport(x, y, width, height);
            if scissor {
                gl.enable(glow::SCISSOR_TEST);
            }
        }
        self.holds = Some((revision, size, mesh.reach));
        Ok(())
    }

    /// Blends the last image over the view, with the plan's blend mode.
    pub fn show(&self, gl: &glow::Context, look: &RegionsLook) {
        let (Some(target), Some((_, size, reach))) = (&self.target, self.holds) else {
            return;
        };
        let program = &self.program;
        program.bind(gl);
        target.bind_textures(gl);
        program.set_int(gl, "owners", 0);
        program.set_int(gl, "depths", 1);
        let whole = target.size();
        let texel = [1.0 / whole[0] as f32, 1.0 / whole[1] as f32];
        let used = [look.spans[0] * texel[0], look.spans[1] * texel[1]];
        let drawn = [size[0] as f32 * texel[0], size[1] as f32 * texel[1]];
        program.set_vec2(gl, "used", used);
        program.set_vec2(gl, "drawn", drawn);
        program.set_vec2(gl, "texel", texel);
        program.set_vec2(gl, "low", look.covers[0]);
        program.set_vec2(gl, "high", look.covers[1]);
        program.set_float(gl, "reach", (reach * look.picture_pixel) as f32);
        program.set_float(gl, "pixel", look.window_pixel as f32);
        program.set_float(gl, "spacing", look.spacing as f32);
        program.set_float(gl, "regions", look.regions);
        program.set_float(gl, "distances", look.distances);
        program.set_float(gl, "is_light", f32::from(u8::from(look.is_light)));
        let [red, green, blue] = look.near;
        program.set_vec2(gl, "near_red_green", [red, green]);
        program.set_float(gl, "near_blue", blue);
        program.set_float(gl, "body", look.body.map_or(-1.0, |radius| radius as f32));
        let [red, green, blue] = look.blocked;
        program.set_vec2(gl, "blocked_red_green", [red, green]);
        program.set_float(gl, "blocked_blue", blue);
        self.quad.draw(gl);
    }

    pub fn delete(self, gl: &glow::Context) {
        self.pass.delete(gl);
        self.program.delete(gl);
        self.quad.delete(gl);
        if let Some(target) = self.target {
            target.delete(gl);
        }
    }
}
