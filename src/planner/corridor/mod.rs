//! Planning with corridors: a backbone on the medial axis, the corridor around it, and a character
//! led through it by forces.
//!
//! Overmars, Karamouzas and Geraerts 2008, *Flexible Path Planning Using Corridor Maps*: the
//! original method of §3, the improved one of §4, static characters of §5, control paths of §6.
//!
//! Deviations from the paper:
//! - The paper does not say how speed is limited. Both methods are capped at the preferred speed,
//!   and both end with a damped approach to the goal. Where the goal itself attracts, the original
//!   force is at least c_s: by its formula it all but vanishes inside a wide disc.
//! - Forces alone do not keep a disc out of walls at a finite step. Each step is checked against
//!   the walls and the characters and slides along what it would enter.
//! - Where forces balance (§1: "the risk of getting stuck in local minima") the repulsion fades
//!   while no progress is made, with a push to the side; then the character gives up with a
//!   reason. [`Settings::patience_secs`] says when.
//! - A start or goal nearer to a wall than the safe distance is accepted.

mod attraction;
mod avoidance;
mod backbone;
mod control;
mod hull;
mod motion;
mod options;
mod route;
mod search;
mod session;
#[cfg(test)]
mod tests;
mod walk;
mod walking;

pub use attraction::Attraction;
pub use avoidance::{Avoidance, Character};
pub use backbone::{Backbone, CorridorRequest, NoCorridor, backbone};
pub use control::{ControlPath, shortcut};
pub use hull::{BoundaryPoint, Corridor, Piece};
pub use motion::{Method, Motion, MotionState, Obstructed, Settings, Status};
pub use options::{AttractionKind, Control, WalkOptions};
pub use route::{Guided, along_route};
pub use search::{Widest, widest_path};
pub use session::ThroughCorridor;
pub use walk::path_of;
