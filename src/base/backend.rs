//! OpenGL, or the processor in its place.

/// By what pictures and cells shall be made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backend {
    /// OpenGL where it can be had.
    #[default]
    Auto,
    Gl,
    Cpu,
}
