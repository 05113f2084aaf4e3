//! Shader programs, written once for OpenGL 3.3 and OpenGL ES 3.0.

use super::GpuError;
use glow::HasContext as _;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// A linked program with its uniforms by name.
#[derive(Debug)]
pub struct Program {
    program: glow::Program,
    uniforms: RefCell<BTreeMap<&'static str, Option<glow::UniformLocation>>>,
}

impl Program {
    /// Compiles and links. The sources carry no `#version` line; it is added for the context.
    ///
    /// # Errors
    /// The context is too old, or the driver rejects the source; the message contains its log.
    pub fn new(gl: &glow::Context, vertex: &str, fragment: &str) -> Result<Self, GpuError> {
        let stages = [
            (glow::VERTEX_SHADER, vertex),
            (glow::FRAGMENT_SHADER, fragment),
        ];
        Self::linked(gl, &stages)
    }

    /// Like [`Self::new`], with a geometry shader.
    ///
    /// # Errors
    /// See [`Self::new`]; OpenGL ES has no geometry shaders.
    pub fn with_geometry(
        gl: &glow::Context,
        vertex: &str,
        geometry: &str,
        fragment: &str,
    ) -> Result<Self, GpuError> {
        let version = gl.version();
        if version.is_embedded {
            return Err(GpuError::TooOld {
                found: format!("ES {}.{}", version.major, version.minor),
                needed: "3.3 (not ES)",
            });
        }
        let stages = [
            (glow::VERTEX_SHADER, vertex),
            (glow::GEOMETRY_SHADER, geometry),
            (glow::FRAGMENT_SHADER, fragment),
        ];
        Self::linked(gl, &stages)
    }

    fn linked(gl: &glow::Context, stages: &[(u32, &str)]) -> Result<Self, GpuError> {
        let version = gl.version();
        let header = match (version.is_embedded, version.major, version.minor) {
            (false, major, minor) if (major, minor) >= (3, 3) => "#version 330 core\n",
            (true, major, _) if major >= 3 => {
                "#version 300 es\nprecision highp float;\nprecision highp int;\n\
                 precision highp sampler2DArray;\n"
            }
            (embedded, major, minor) => {
                return Err(GpuError::TooOld {
                    found: format!("{}{major}.{minor}", if embedded { "ES " } else { "" }),
                    needed: "3.3 (or ES 3.0)",
                });
            }
        };
        let refused = |reason: String| GpuError::Program(reason.trim().to_owned());
        // SAFETY: the context is current; every object created here is deleted on each exit.
        unsafe {
            let program = gl.create_program().map_err(refused)?;
            let mut shaders = Vec::new();
            let mut outcome = Ok(());
            for (kind, source) in stages {
                match gl.create_shader(*kind) {
                    Ok(shader) => {
                        gl.shader_source(shader, &format!("{header}{source}"));
                        gl.compile_shader(shader);
                        gl.attach_shader(program, shader);
                        if !gl.get_shader_compile_status(shader) {
                            outcome = Err(refused(gl.get_shader_info_log(shader)));
                        }
                        shaders.push(shader);
                    }
                    Err(reason) => outcome = Err(refused(reason)),
                }
            }
            if outcome.is_ok() {
                gl.link_program(program);
                if !gl.get_program_link_status(program) {
                    outcome = Err(refused(gl.get_program_info_log(program)));
                }
            }
            for shader in shaders {
                gl.detach_shader(program, shader);
                gl.delete_shader(shader);
            }
            if let Err(error) = outcome {
                gl.delete_program(program);
                return Err(error);
            }
            Ok(Self {
                program,
                uniforms: RefCell::default(),
            })
        }
    }

    /// Makes it the current program.
    pub fn bind(&self, gl: &glow::Context) {
        // SAFETY: the program was created by this context and is deleted only with `self`.
        unsafe { gl.use_program(Some(self.program)) }
    }

    pub fn set_float(&self, gl: &glow::Context, name: &'static str, value: f32) {
        let location = self.location(gl, name);
        // SAFETY: the location is this program's; none is ignored.
        unsafe { gl.uniform_1_f32(location.as_ref(), value) }
    }

    pub fn set_int(&self, gl: &glow::Context, name: &'static str, value: i32) {
        let location = self.location(gl, name);
        // SAFETY: as above.
        unsafe { gl.uniform_1_i32(location.as_ref(), value) }
    }

    pub fn set_vec2(&self, gl: &glow::Context, name: &'static str, value: [f32; 2]) {
        let location = self.location(gl, name);
        // SAFETY: as above.
        unsafe { gl.uniform_2_f32(location.as_ref(), value[0], value[1]) }
    }

    pub fn set_vec3(&self, gl: &glow::Context, name: &'static str, value: [f32; 3]) {
        let location = self.location(gl, name);
        let [x, y, z] = value;
        // SAFETY: as above.
        unsafe { gl.uniform_3_f32(location.as_ref(), x, y, z) }
    }

    pub fn set_vec4(&self, gl: &glow::Context, name: &'static str, value: [f32; 4]) {
        let location = self.location(gl, name);
        let [x, y, z, w] = value;
        // SAFETY: as above.
        unsafe { gl.uniform_4_f32(location.as_ref(), x, y, z, w) }
    }

    /// Column-major.
    pub fn set_mat4(&self, gl: &glow::Context, name: &'static str, value: &[f32; 16]) {
        let location = self.location(gl, name);
        // SAFETY: as above.
        unsafe { gl.uniform_matrix_4_f32_slice(location.as_ref(), false, value) }
    }

    pub fn delete(self, gl: &glow::Context) {
        // SAFETY: created by this context, deleted once.
        unsafe { gl.delete_program(self.program) }
    }

    fn location(&self, gl: &glow::Context, name: &'static str) -> Option<glow::UniformLocation> {
        *self.uniforms.borrow_mut().entry(name).or_insert_with(|| {
            // SAFETY: the program was linked by this context.
            unsafe { gl.get_uniform_location(self.program, name) }
        })
    }
}
