//! The plan view and the 3D view: what they show, and what the pointer does in them.

pub mod gl_plan;
mod label_paint;
mod overlay_layer;
mod overlay_shapes;
pub mod painter;
mod path_tip;
mod plan_buffer;
mod plan_programs;
pub mod plan_view;
mod play_button;
mod playback_shapes;
mod profile_legend;
pub mod regions_layer;
mod rulers;
mod scale_bar;
pub mod scene;
mod soft_plan;
mod soft_space;
mod space_bar;
mod space_gizmo;
mod space_labels;
pub mod space_layers;
pub mod space_painter;
mod space_tool;
pub mod space_view;
mod view_cube;
mod voxel_layer;
mod voxel_space;
mod wheel;

pub use painter::PlanPainter;
pub use plan_view::plan_view_ui;
pub use scene::PlanScene;
pub use space_painter::SpacePainter;
pub use space_view::space_view_ui;

use crate::base::Colour;
use crate::preview::primitive::Ink;
use egui::Color32;

const fn solid(colour: Colour) -> Color32 {
    Color32::from_rgb(colour.r, colour.g, colour.b)
}

fn colour(ink: Ink) -> Color32 {
    let alpha = (ink.alpha.clamp(0.0, 1.0) * 255.0).round() as u8;
    Color32::from_rgba_unmultiplied(ink.colour.r, ink.colour.g, ink.colour.b, alpha)
}
