//! Choice between OpenGL and its CPU fallback.

/// What renders images and discretises geometry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backend {
    /// OpenGL if a context can be created, otherwise the CPU.
    #[default]
    Auto,
    Gl,
    Cpu,
}
