//! A level in 3D as triangles, lines and boxes: for OpenGL, and for a software rasteriser without
//! it.
//!
//! A 3D image is a list of [layers](SpaceLayer). Whatever is shown over the level — cells, fronts,
//! paths — fills a layer with boxes, lines, triangles and labels and adds it to the
//! [frame](SpaceFrame); a layer is uploaded to the GPU once and reused while it is part of the
//! frame.

pub mod body;
pub mod body_groups;

pub mod figure;
pub mod frame;
#[cfg(feature = "gl")]
pub mod gl_space;
pub mod ground_picture;
pub mod layer;
pub mod raster;
pub mod render;
pub mod scene;
#[cfg(test)]
mod scene_tests;
pub mod signs;
pub mod storeys;

pub use body::Body;
pub use figure::SpaceFigure;
pub use frame::{Placed, SpaceFrame};
#[cfg(feature = "gl")]
pub use gl_space::GlSpace;
pub use ground_picture::GroundPicture;
pub use layer::{Manner, SpaceBox, SpaceLabel, SpaceLayer, SpaceLine, SpaceVertex};
pub use scene::SpaceScene;
pub use storeys::{Storey, storeys};
