//! One job on a thread of its own.

use super::context::{JobContext, Progress};
use super::runner::{JobId, Listing};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JobError {
    #[error("the work stopped because of an internal error: {0}")]
    Panicked(String),
    #[error("no thread could be started for the work: {0}")]
    NoThread(String),
}

/// Handle of a running job. Dropping it cancels the work.
#[derive(Debug)]
pub struct Job<T> {
    context: JobContext,
    result: Receiver<Result<T, JobError>>,
    id: JobId,
    /// Its entry in the list of the runner that started it.
    listing: Option<Listing>,
}

impl<T: Send + 'static> Job<T> {
    /// Starts the work. `wake` is called once the result can be fetched.
    pub(super) fn spawn(
        name: &str,
        context: JobContext,
        listing: Listing,
        work: impl FnOnce(&JobContext) -> T + Send + 'static,
        wake: impl FnOnce() + Send + 'static,
    ) -> Self {
        let (sender, result) = sync_channel(1);
        let inside = context.clone();
        let fallback = sender.clone();
        let started = std::thread::Builder::new()
            .name(name.to_owned())
            .spawn(move || {
                let outcome = catch_unwind(AssertUnwindSafe(|| work(&inside)))
                    .map_err(|panic| JobError::Panicked(panic_text(&*panic)));
                // Without a receiver the job was dropped, and its result is not needed.
                let _ = sender.send(outcome);
                wake();
            });
        if let Err(error) = started {
            let _ = fallback.send(Err(JobError::NoThread(error.to_string())));
        }
        Self {
            context,
            result,
            id: listing.id(),
            listing: Some(listing),
        }
    }

    /// Cancels the work and frees any result in the background.
    pub fn retire(mut self) {
        self.context.cancel();
        self.listing = None;
        super::drop_in_background(self);
    }

    /// Among the jobs of the runner that started it.
    #[must_use]
    pub const fn id(&self) -> JobId {
        self.id
    }

    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.context.is_cancelled()
    }

    /// The result, once there is one.
    #[must_use]
    pub fn poll(&self) -> Option<Result<T, JobError>> {
        match self.result.try_recv() {
            Ok(outcome) => Some(outcome),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Err(JobError::Panicked(
                "the result was lost or fetched before".to_owned(),
            ))),
        }
    }

    pub fn cancel(&self) {
        self.context.cancel();
    }

    #[must_use]
    pub fn progress(&self) -> Progress {
        self.context.progress()
    }
}

impl<T> Drop for Job<T> {
    fn drop(&mut self) {
        self.context.cancel();
    }
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "unknown".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::{Cancelled, Display, JobRunner};
    use std::sync::mpsc;
    use std::time::Duration;

    /// Waits for the wake-up, then fetches.
    fn outcome<T: Send + 'static>(
        work: impl FnOnce(&JobContext) -> T + Send + 'static,
        then: impl FnOnce(&Job<T>),
    ) -> Result<T, JobError> {
        let (woken, wakes) = mpsc::channel();
        let jobs = JobRunner::new(move || {
            let _ = woken.send(());
        });
        let job = jobs.spawn("test", Display::Quiet, work);
        then(&job);
        wakes
            .recv_timeout(Duration::from_secs(10))
            .expect("the job ends");
        job.poll().expect("woken only when there is a result")
    }

    #[test]
    fn a_job_hands_over_its_result_and_its_progress() {
        let (go_on, wait) = mpsc::channel();
        let result = outcome(
            move |context| {
                context.stage("halfway");
                context.report(0.5);
                let _ = wait.recv();
                42
            },
            |job| {
                while job.progress().share.is_none() {
                    std::thread::yield_now();
                }
                assert_eq!(job.progress().share, Some(0.5));
                assert_eq!(job.progress().stage, "halfway");
                assert!(job.poll().is_none());
                let _ = go_on.send(());
            },
        );
        assert_eq!(result, Ok(42));
    }

    #[test]
    fn cancelling_reaches_the_work() {
        let result = outcome(
            |context| {
                while context.checkpoint().is_ok() {
                    std::thread::yield_now();
                }
                context.checkpoint()
            },
            Job::cancel,
        );
        assert_eq!(result, Ok(Err(Cancelled)));
    }

    #[test]
    fn a_panic_becomes_an_error() {
        // `resume_unwind` prints nothing: this panic is expected.
        let broken = |_: &JobContext| std::panic::resume_unwind(Box::new("broken".to_owned()));
        let result: Result<(), _> = outcome(broken, |_| {});
        assert_eq!(result, Err(JobError::Panicked("broken".to_owned())));
    }
}
