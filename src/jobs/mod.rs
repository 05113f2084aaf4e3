//! Work beside the window: one thread per job, with progress and cancellation.
//!
//! The work sees a [`JobContext`]; whoever started it holds a [`Job`] and asks it now and then.
//! A panic inside the work ends the job, not the program.

pub mod context;
pub mod job;

pub use context::{Cancelled, JobContext, Progress};
pub use job::{Job, JobError};
