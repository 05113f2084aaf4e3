//! Tools and gestures, without any window: pointer events in, edits out.

pub mod camera;
pub mod transform;

pub use camera::Camera;
