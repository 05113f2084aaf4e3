//! The level a designer draws, as plain data.

pub mod agent;
pub mod annotation;
pub mod cells;
pub mod check;
pub mod entity;
pub mod heading;
pub mod level;
pub mod limits;
pub mod mesh_source;
pub mod nav_test;
pub mod obstacle;
pub mod planner_id;
pub mod profile;
pub mod route;
pub mod settings;
pub mod solid;
pub mod terrain;
pub mod walk;

pub use agent::{Agent, Constraint, Crowd, Goal, Mission, Rule, Spawn, When};
pub use annotation::{Annotation, Relation};
pub use cells::CellSize;
pub use check::Refusal;
pub use entity::{Entity, Kind, KindName, Note, tag};
pub use heading::Heading;
pub use level::Level;
pub use mesh_source::{MeshSource, UpAxis};
pub use nav_test::{Expectation, NavTest, Query};
pub use obstacle::{Motion, Obstacle, Repeat};
pub use planner_id::PlannerId;
pub use profile::{Action, Body, Pace, Profile};
pub use route::{Knot, Route, RouteShape};
pub use settings::{Clock, Grid, Settings, Snap};
pub use solid::{ArchHead, Opening, Rotation, Solid, SolidShape};
pub use terrain::{Pattern, Region, Terrain};
pub use walk::{AttractionKind, Control, WalkOptions};
