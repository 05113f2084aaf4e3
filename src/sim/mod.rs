//! Agents over time.
//!
//! A [`World`] moves agents and crowds that avoid each other, by one of the [`models`]; its run is
//! written as a file ([`wlrec`]). A planner's path with times is a [`Trajectory`]. A [`Recording`]
//! holds either, and a [`Playback`] shows recordings at the time of a [`Clock`]. Windows, renderings and exports read
//! recordings and nothing else, so they all agree on where an agent is.

pub mod acting;
pub mod clock;
pub mod comparison;
pub mod curves;
pub mod digest;
pub mod input;
pub mod live_agents;
pub mod live_run;
pub mod measures;
pub mod models;
pub mod overrides;
pub mod playback;
pub mod recording;
pub mod run_tests;
pub mod simulation;
pub mod trajectory;
pub mod walked;
pub mod wlrec;
pub mod world;

pub use acting::Acting;
pub use clock::Clock;
pub use comparison::Alternative;
pub use curves::Curves;
pub use digest::RunDigest;
pub use input::{Input, TimedInput};
pub use live_agents::LiveAgents;
pub use live_run::{LiveRun, RunState, RunStatus};
pub use playback::{AgentPose, Moment, Playback, RunBody};
pub use recording::{Configuration, RecordedEvent, Recording};
pub use trajectory::{LegTime, Pose, Trajectory};
pub use walked::Walked;
pub use world::{Scenario, World, WorldOptions};

/// One step of simulated time: that of the papers' walks (Jaklin et al. 2013, §4.3). Unit: seconds.
pub const STEP: f64 = 0.05;
