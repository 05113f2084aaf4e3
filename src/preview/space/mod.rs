//! A level in space, as triangles, lines and boxes: for OpenGL, and for a rasteriser of our own
//! where there is none.
//!
//! What is to be seen is a list of [layers](SpaceLayer). Whoever has something to show over the
//! level — cells, fronts, paths — fills a layer with boxes, lines, triangles and labels and gives
//! it to the [frame](SpaceFrame); the layer is sent to the graphics card once and drawn from then
//! on for as long as the same one is given again.

pub mod body;

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
pub use frame::{Placed, SpaceFrame};
#[cfg(feature = "gl")]
pub use gl_space::GlSpace;
pub use ground_picture::GroundPicture;
pub use layer::{Manner, SpaceBox, SpaceLabel, SpaceLayer, SpaceLine, SpaceVertex};
pub use scene::SpaceScene;
pub use storeys::{Storey, storeys};
