//! Agents over time.
//!
//! A planner's path with times is a [`Trajectory`]; a run of all agents leaves a [`Recording`]; a
//! [`Playback`] shows recordings at the time of a [`Clock`]. Windows, renderings and exports read
//! recordings and nothing else, so they all agree on where an agent is.

pub mod clock;
pub mod comparison;
pub mod curves;
pub mod live_agents;
pub mod playback;
pub mod recording;
pub mod trajectory;

pub use clock::Clock;
pub use comparison::Alternative;
pub use curves::Curves;
pub use live_agents::LiveAgents;
pub use playback::{AgentPose, Moment, Playback};
pub use recording::{Configuration, RecordedEvent, Recording};
pub use trajectory::{LegTime, Pose, Trajectory};

/// One step of simulated time: that of the papers' walks (Jaklin et al. 2013, §4.3). Unit: seconds.
pub const STEP: f64 = 0.05;
