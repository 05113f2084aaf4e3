//! Background work: one thread per job, with progress and cancellation.
//!
//! Work gets a [`JobContext`]; its owner holds a [`Job`] and polls it. A [`JobRunner`] starts jobs
//! and lists the running ones for a status bar. A [`Memo`] keeps a value current: when its key
//! changes, a job computes the new value and the old one stays visible until then. A panic inside
//! the work ends the job, not the program.

pub mod context;
pub mod job;
pub mod memo;
pub mod runner;
pub mod window_thread;

pub use context::{Cancelled, JobContext, Progress};
pub use job::{Job, JobError};
pub use memo::{Memo, MemoError, Settled, Stopped, Superseded};
pub use runner::{Display, JobId, JobRunner, Report};
pub use window_thread::assert_off_window_thread;

/// Frees a value on a worker thread: large ones take longer to free than a frame lasts.
pub fn drop_in_background<T: Send + 'static>(value: T) {
    rayon::spawn(move || drop(value));
}
