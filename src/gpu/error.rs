//! OpenGL errors. Never fatal: everything rendered or computed with OpenGL has a CPU fallback.

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GpuError {
    #[error("no OpenGL context is available: {0}")]
    NoContext(String),
    #[error("OpenGL {found} is too old; at least {needed} is needed")]
    TooOld { found: String, needed: &'static str },
    #[error("the graphics driver rejected a shader program: {0}")]
    Program(String),
    #[error("the graphics driver could not create a {what}: {reason}")]
    Object { what: &'static str, reason: String },
    #[error("{} × {} pixels exceed the graphics card's limit of {limit}", .size[0], .size[1])]
    TooLarge { size: [u32; 2], limit: u32 },
    #[error("the graphics driver reported error {code:#06x} while {doing}")]
    Call { doing: &'static str, code: u32 },
}
