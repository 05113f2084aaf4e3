//! What a job's work can access: cancellation and progress.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;

/// A snapshot of a job's progress.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// From 0 to 1; `None` if unknown.
    pub share: Option<f32>,
    /// The current activity, in a few words.
    pub stage: String,
}

/// In thousandths; larger values mean unknown.
const UNKNOWN: u32 = u32::MAX;

#[derive(Debug)]
struct Shared {
    cancelled: AtomicBool,
    thousandths: AtomicU32,
    stage: Mutex<String>,
}

#[derive(Clone, Debug)]
pub struct JobContext {
    shared: Arc<Shared>,
}

impl Default for JobContext {
    /// For work that runs in the foreground: never cancelled, its progress unread.
    fn default() -> Self {
        Self {
            shared: Arc::new(Shared {
                cancelled: AtomicBool::new(false),
                thousandths: AtomicU32::new(UNKNOWN),
                stage: Mutex::default(),
            }),
        }
    }
}

impl JobContext {
    /// # Errors
    /// The job was cancelled; the work should return at once.
    pub fn checkpoint(&self) -> Result<(), Cancelled> {
        if self.is_cancelled() {
            Err(Cancelled)
        } else {
            Ok(())
        }
    }

    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.shared.cancelled.load(Ordering::Relaxed)
    }

    pub fn cancel(&self) {
        self.shared.cancelled.store(true, Ordering::Relaxed);
    }

    /// `share` from 0 to 1; other values mean unknown.
    pub fn report(&self, share: f32) {
        let thousandths = if (0.0..=1.0).contains(&share) {
            (share * 1000.0).round() as u32
        } else {
            UNKNOWN
        };
        self.shared
            .thousandths
            .store(thousandths, Ordering::Relaxed);
    }

    pub fn stage(&self, name: impl Into<String>) {
        *self
            .shared
            .stage
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = name.into();
    }

    #[must_use]
    pub fn progress(&self) -> Progress {
        let thousandths = self.shared.thousandths.load(Ordering::Relaxed);
        Progress {
            share: (thousandths != UNKNOWN).then(|| thousandths as f32 / 1000.0),
            stage: self
                .shared
                .stage
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .clone(),
        }
    }
}
