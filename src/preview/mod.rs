//! Every structure of a level as shapes with semantic styles, and the sinks that draw them.

pub mod cache;
pub mod constraint;
pub mod corridor;
pub mod crowd;
pub mod film;
pub mod following;
pub mod frame;
pub mod furniture;
pub mod label;
pub mod layer;
pub mod mesh;
pub mod moment;
pub mod nav;
pub mod overlays;
pub mod paths;
pub mod pdf;
pub mod primitive;
pub mod raster;
pub mod regions;
pub mod render;
pub mod shape;
pub mod shares;
#[cfg(test)]
mod showcase;
pub mod space;
pub mod step;
pub mod style;
pub mod svg;
pub mod texture;
pub mod typeface;
pub mod voxel;

pub use film::PlanFilm;
pub use layer::{Layer, Layers};
pub use overlays::{OverlayId, OverlayScene, Overlays};
pub use primitive::{Plane, Primitive, Shape, Sink};
pub use raster::tile_mask;
pub use render::{
    Figure, LineKey, Pixels, RenderError, RenderOptions, View, png_of_svg, render_figure_svg,
    render_map_svg, render_overlays_png, render_overlays_svg, render_pixels, render_png,
    render_svg, render_svg_with,
};
pub use shape::Scene;
pub use style::{Look, Palette};
