//! A value that is kept current in the background.
//!
//! The owner states in every frame what it wants: a key, and the work that computes its value.
//! While the key stays, nothing happens. When it changes, a job runs; the previous value stays
//! visible, marked stale, until the new one arrives. The outcome of a key is kept, be it a value,
//! an error or the user's cancellation, so that no work is repeated in vain.

#[cfg(test)]
mod tests;

use super::context::{Cancelled, JobContext};
use super::drop_in_background;
use super::job::{Job, JobError};
use super::runner::{Display, JobId, JobRunner};
use std::time::{Duration, Instant};

/// What happens to running work when another key is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Superseded {
    /// Cancelled at once.
    Cancel,
    /// Runs to its end: during a drag every state is short-lived, and a slightly old value is
    /// better than none. Cancelled once it has taken longer than this.
    FinishWithin(Duration),
}

impl Superseded {
    /// Runs to its end, however long that takes.
    pub const FINISH: Self = Self::FinishWithin(Duration::MAX);
}

/// Why work ended without a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    Cancelled,
    /// There is no value for this key, and this is why.
    Failed(String),
}

impl From<Cancelled> for Stopped {
    fn from(Cancelled: Cancelled) -> Self {
        Self::Cancelled
    }
}

/// Why a key has no value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MemoError {
    #[error("{0}")]
    Failed(String),
    #[error(transparent)]
    Job(#[from] JobError),
}

/// What came of the last job, told once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settled {
    /// There is a new value, possibly of an outdated key.
    Value,
    /// The user cancelled it: nothing runs until the key changes or the work is forced.
    Declined,
    /// There is none, and [`Memo::error`] says why.
    Failed,
}

#[derive(Clone, Debug)]
enum Ending {
    Declined,
    Failed(MemoError),
}

#[derive(Debug)]
struct Running<K, V> {
    key: K,
    job: Job<Result<V, Stopped>>,
    since: Instant,
}

#[derive(Debug)]
pub struct Memo<K, V: Send + 'static> {
    title: &'static str,
    display: Display,
    superseded: Superseded,
    wanted: Option<K>,
    value: Option<(K, V)>,
    running: Option<Running<K, V>>,
    /// The key for which work ended without a value.
    ended: Option<(K, Ending)>,
    forced: bool,
    /// A forced recomputation is running: until it ends, the value counts as stale.
    is_void: bool,
    stale_since: Option<Instant>,
}

impl<K, V: Send + 'static> Memo<K, V> {
    /// `title` names the work in the status bar.
    #[must_use]
    pub const fn new(title: &'static str, display: Display, superseded: Superseded) -> Self {
        Self {
            title,
            display,
            superseded,
            wanted: None,
            value: None,
            running: None,
            ended: None,
            forced: false,
            is_void: false,
            stale_since: None,
        }
    }

    /// The last value, which may be stale.
    #[must_use]
    pub fn value(&self) -> Option<&V> {
        self.value.as_ref().map(|(_, value)| value)
    }

    /// The key of the last value.
    #[must_use]
    pub fn key(&self) -> Option<&K> {
        self.value.as_ref().map(|(key, _)| key)
    }

    /// The key that was wanted last.
    #[must_use]
    pub const fn wanted(&self) -> Option<&K> {
        self.wanted.as_ref()
    }

    /// The key of the running work.
    #[must_use]
    pub fn running_key(&self) -> Option<&K> {
        self.running.as_ref().map(|running| &running.key)
    }

    /// When that work started.
    #[must_use]
    pub fn running_since(&self) -> Option<Instant> {
        self.running.as_ref().map(|running| running.since)
    }

    #[must_use]
    pub const fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// The running job, for its progress.
    #[must_use]
    pub fn job(&self) -> Option<JobId> {
        self.running.as_ref().map(|running| running.job.id())
    }

    /// Since when the value has been outdated; restarts whenever a value arrives, even an outdated
    /// one.
    #[must_use]
    pub const fn stale_since(&self) -> Option<Instant> {
        self.stale_since
    }

    /// Sets what happens to running work when another key is wanted.
    pub const fn set_superseded(&mut self, superseded: Superseded) {
        self.superseded = superseded;
    }

    /// Recomputes the value when it is wanted next, even if its key did not change.
    pub fn force(&mut self) {
        self.forced = true;
        self.ended = None;
    }

    #[must_use]
    pub const fn is_forced(&self) -> bool {
        self.forced
    }

    /// Resets: cancels work and frees the value.
    pub fn forget(&mut self) {
        self.retire();
        self.discard_value();
        self.wanted = None;
        self.ended = None;
        self.forced = false;
        self.is_void = false;
        self.stale_since = None;
    }

    fn retire(&mut self) {
        if let Some(running) = self.running.take() {
            running.job.retire();
        }
    }

    fn discard_value(&mut self) {
        if let Some((_, old)) = self.value.take() {
            drop_in_background(old);
        }
    }
}

impl<K: Clone + PartialEq, V: Send + 'static> Memo<K, V> {
    /// Requests the value of a key: starts `work` unless the value exists, is being computed, or is
    /// known to fail. Collects finished work, and reports the outcome of the last job once.
    pub fn want(
        &mut self,
        jobs: &JobRunner,
        key: K,
        work: impl FnOnce(&JobContext) -> Result<V, Stopped> + Send + 'static,
    ) -> Option<Settled> {
        let settled = self.poll();
        self.wanted = Some(key.clone());
        if let Some((known, _)) = &mut self.value
            && !(self.forced || self.is_void)
            && *known == key
        {
            // Equal keys may hold on to different states; the newest is the one to keep.
            *known = key;
            self.stale_since = None;
            self.retire();
            return settled;
        }
        self.stale_since.get_or_insert_with(Instant::now);
        if let Some(running) = &self.running {
            let is_outdated = match self.superseded {
                _ if self.forced => true,
                _ if running.key == key => false,
                Superseded::Cancel => true,
                Superseded::FinishWithin(limit) => running.since.elapsed() > limit,
            };
            if !is_outdated {
                return settled;
            }
            self.retire();
        }
        if !self.forced && self.ended.as_ref().is_some_and(|(ended, _)| *ended == key) {
            return settled;
        }
        self.is_void |= self.forced;
        self.forced = false;
        self.ended = None;
        self.running = Some(Running {
            key,
            job: jobs.spawn(self.title, self.display, work),
            since: Instant::now(),
        });
        settled
    }

    /// Collects finished work without requesting more; reports the outcome of the last job once.
    pub fn poll(&mut self) -> Option<Settled> {
        let running = self.running.as_ref()?;
        let ending = match running.job.poll() {
            Some(Ok(Ok(value))) => {
                let key = running.key.clone();
                self.running = None;
                self.set(key, value);
                return Some(Settled::Value);
            }
            Some(Ok(Err(Stopped::Failed(reason)))) => Ending::Failed(MemoError::Failed(reason)),
            Some(Ok(Err(Stopped::Cancelled))) => Ending::Declined,
            Some(Err(error)) => Ending::Failed(MemoError::Job(error)),
            // The job may take a while to notice; the user need not wait for it.
            None if running.job.is_cancelled() => Ending::Declined,
            None => return None,
        };
        // The user's cancellation applies to the wanted key, not to whatever happens to run.
        let declined = self
            .wanted
            .clone()
            .filter(|_| matches!(ending, Ending::Declined));
        let key = declined.unwrap_or_else(|| running.key.clone());
        self.retire();
        let settled = match ending {
            Ending::Declined => {
                // The value that was to be recomputed is valid again.
                self.is_void = false;
                Settled::Declined
            }
            Ending::Failed(_) => Settled::Failed,
        };
        self.ended = Some((key, ending));
        Some(settled)
    }

    /// Sets a value that is already known. Work for its key is cancelled.
    pub fn set(&mut self, key: K, value: V) {
        if self.running_key() == Some(&key) {
            self.retire();
        }
        self.discard_value();
        self.ended.take_if(|(ended, _)| *ended == key);
        self.is_void = false;
        let is_fresh = self.wanted.is_none() || self.wanted.as_ref() == Some(&key);
        self.stale_since = (!is_fresh).then(Instant::now);
        self.value = Some((key, value));
    }

    /// Takes the value out.
    pub fn take(&mut self) -> Option<V> {
        self.value.take().map(|(_, value)| value)
    }

    /// Cancels running work on behalf of the user: it does not restart until the key changes or it
    /// is forced.
    pub fn cancel(&mut self) {
        if let Some(running) = self.running.as_ref() {
            let key = self.wanted.clone();
            let key = key.unwrap_or_else(|| running.key.clone());
            self.retire();
            self.is_void = false;
            self.ended = Some((key, Ending::Declined));
        }
    }

    /// Whether the value is that of the last wanted key. A value set before any key was wanted is
    /// fresh.
    #[must_use]
    pub fn is_fresh(&self) -> bool {
        match &self.wanted {
            Some(wanted) => self.is_of(wanted),
            None => self.value.is_some() && !(self.forced || self.is_void),
        }
    }

    /// Whether the value is that of another key than the last wanted one.
    #[must_use]
    pub fn is_stale(&self) -> bool {
        self.value.is_some() && !self.is_fresh()
    }

    /// Whether the value is that of this key, and no other was asked for by force.
    #[must_use]
    pub fn is_of(&self, key: &K) -> bool {
        !(self.forced || self.is_void) && self.key() == Some(key)
    }

    /// Whether the user cancelled the work for this key.
    #[must_use]
    pub fn is_declined(&self, key: &K) -> bool {
        matches!(&self.ended, Some((ended, Ending::Declined)) if ended == key)
    }

    /// Whether work for the key wanted last ended without a value: it was cancelled, or failed.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        let ended = self.ended.as_ref().map(|(key, _)| key);
        ended.is_some() && ended == self.wanted.as_ref() && !self.is_running()
    }

    /// Why the last key has no value.
    #[must_use]
    pub fn error(&self) -> Option<&MemoError> {
        match &self.ended {
            Some((_, Ending::Failed(error))) => Some(error),
            _ => None,
        }
    }
}

impl<K, V: Send + 'static> Drop for Memo<K, V> {
    fn drop(&mut self) {
        self.retire();
        self.discard_value();
    }
}
