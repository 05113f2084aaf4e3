//! Tools and gestures, without any window: pointer events in, edits out.

pub mod camera;

pub use camera::Camera;
