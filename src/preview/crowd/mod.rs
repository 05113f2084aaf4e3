//! Crowds at a moment and over time: colours, trails and maps.

pub mod colouring;
pub mod heat_map;
pub mod view;

pub use colouring::ColourBy;
pub use heat_map::{HeatMap, HeatSet, SERVICE_COLOURS, service_names};
pub use view::{CrowdView, Picked, Trail};
