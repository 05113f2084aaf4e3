//! What can go wrong with OpenGL. Never the end: everything drawn or computed with it can also
//! be had without it.

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GpuError {
    #[error("no OpenGL context can be had: {0}")]
    NoContext(String),
    #[error("OpenGL {found} is too old; at least {needed} is needed")]
    TooOld { found: String, needed: &'static str },
    #[error("the graphics driver did not accept a program: {0}")]
    Program(String),
    #[error("the graphics driver could not make a {what}: {reason}")]
    Object { what: &'static str, reason: String },
    #[error("{} × {} pixels are more than the graphics card's {limit}", .size[0], .size[1])]
    TooLarge { size: [u32; 2], limit: u32 },
    #[error("the graphics driver reported error {code:#06x} while {doing}")]
    Call { doing: &'static str, code: u32 },
}
