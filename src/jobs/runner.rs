//! Starts jobs and tracks the running ones.

use super::context::{JobContext, Progress};
use super::job::Job;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Shorter jobs are never reported: a flashing progress bar is useless.
const REPORTED_AFTER: Duration = Duration::from_millis(250);
/// How often a progress bar is updated.
const REPORT_STEP: Duration = Duration::from_millis(100);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobId(u64);

/// Whether the status bar shows a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Display {
    Shown,
    /// Housekeeping, or work whose progress is shown elsewhere.
    Quiet,
}

/// What a status bar says about one job.
#[derive(Clone, Debug)]
pub struct Report {
    pub id: JobId,
    pub title: String,
    pub progress: Progress,
    pub cancelled: bool,
}

/// Cheap to clone; clones share the list of running jobs.
#[derive(Clone, Default)]
pub struct JobRunner {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    running: Mutex<Vec<Listed>>,
    wake: Mutex<Option<Arc<dyn Fn() + Send + Sync>>>,
    started: AtomicU64,
}

struct Listed {
    id: JobId,
    title: String,
    display: Display,
    since: Instant,
    context: JobContext,
}

impl Listed {
    fn report(&self) -> Report {
        Report {
            id: self.id,
            title: self.title.clone(),
            progress: self.context.progress(),
            cancelled: self.context.is_cancelled(),
        }
    }
}

/// Keeps a job on the list of its runner.
pub(super) struct Listing {
    shared: Arc<Shared>,
    id: JobId,
}

impl Listing {
    pub(super) const fn id(&self) -> JobId {
        self.id
    }
}

impl fmt::Debug for Listing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.id.fmt(f)
    }
}

impl Drop for Listing {
    fn drop(&mut self) {
        self.shared.running().retain(|listed| listed.id != self.id);
    }
}

impl Shared {
    fn running(&self) -> MutexGuard<'_, Vec<Listed>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wake(&self) {
        let wake = self.wake.lock().unwrap_or_else(PoisonError::into_inner);
        let wake = wake.clone();
        if let Some(wake) = wake {
            wake();
        }
    }
}

impl fmt::Debug for JobRunner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let running = self.shared.running();
        let titles: Vec<&str> = running.iter().map(|job| job.title.as_str()).collect();
        f.debug_struct("JobRunner")
            .field("running", &titles)
            .finish_non_exhaustive()
    }
}

impl JobRunner {
    /// `wake` is called, on the job's thread, whenever a job has ended.
    #[must_use]
    pub fn new(wake: impl Fn() + Send + Sync + 'static) -> Self {
        let runner = Self::default();
        runner.wake_with(wake);
        runner
    }

    /// Replaces what is called whenever a job has ended.
    pub fn wake_with(&self, wake: impl Fn() + Send + Sync + 'static) {
        let mut slot = self
            .shared
            .wake
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        *slot = Some(Arc::new(wake));
    }

    #[must_use]
    pub fn has_wake(&self) -> bool {
        let slot = self.shared.wake.lock();
        slot.unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Starts a job; it is listed until it is dropped.
    #[must_use]
    pub fn spawn<T: Send + 'static>(
        &self,
        title: &str,
        display: Display,
        work: impl FnOnce(&JobContext) -> T + Send + 'static,
    ) -> Job<T> {
        let id = JobId(self.shared.started.fetch_add(1, Ordering::Relaxed));
        let context = JobContext::default();
        self.shared.running().push(Listed {
            id,
            title: title.to_owned(),
            display,
            since: Instant::now(),
            context: context.clone(),
        });
        let listing = Listing {
            shared: Arc::clone(&self.shared),
            id,
        };
        let shared = Arc::clone(&self.shared);
        Job::spawn(title, context, listing, work, move || shared.wake())
    }

    pub fn cancel(&self, id: JobId) {
        for listed in self.shared.running().iter().filter(|job| job.id == id) {
            listed.context.cancel();
        }
    }

    #[must_use]
    pub fn is_running(&self, id: JobId) -> bool {
        self.shared.running().iter().any(|listed| listed.id == id)
    }

    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.shared.running().is_empty()
    }

    /// Number of jobs started so far.
    #[must_use]
    pub fn started(&self) -> u64 {
        self.shared.started.load(Ordering::Relaxed)
    }

    /// Titles of running jobs, in starting order.
    #[must_use]
    pub fn titles(&self) -> Vec<String> {
        let running = self.shared.running();
        running.iter().map(|listed| listed.title.clone()).collect()
    }

    /// The report of one job, whatever its display, once it is worth showing.
    #[must_use]
    pub fn report(&self, id: JobId) -> Option<Report> {
        let running = self.shared.running();
        let listed = running.iter().find(|listed| listed.id == id)?;
        (listed.since.elapsed() >= REPORTED_AFTER).then(|| listed.report())
    }

    /// Reports in starting order.
    #[must_use]
    pub fn reports(&self) -> Vec<Report> {
        let running = self.shared.running();
        let is_shown = |listed: &&Listed| {
            listed.display == Display::Shown && listed.since.elapsed() >= REPORTED_AFTER
        };
        running
            .iter()
            .filter(is_shown)
            .map(Listed::report)
            .collect()
    }

    /// When reports should be read again; `None` while nothing runs.
    #[must_use]
    pub fn next_report(&self) -> Option<Duration> {
        let running = self.shared.running();
        let due = |listed: &Listed| {
            REPORTED_AFTER
                .saturating_sub(listed.since.elapsed())
                .max(REPORT_STEP)
        };
        running.iter().map(due).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn jobs_are_listed_while_they_are_held() {
        let (woken, wakes) = mpsc::channel();
        let runner = JobRunner::new(move || {
            let _ = woken.send(());
        });
        let (go_on, wait) = mpsc::channel::<()>();
        let job = runner.spawn("Counting", Display::Shown, move |_| wait.recv().is_ok());
        let id = job.id();
        assert_eq!(runner.titles(), ["Counting"]);
        assert!(runner.is_running(id) && !runner.is_idle());
        assert!(runner.reports().is_empty(), "too young to be shown");
        assert!(runner.next_report().is_some());
        go_on.send(()).expect("the job listens");
        wakes
            .recv_timeout(Duration::from_secs(10))
            .expect("woken at the end");
        assert_eq!(job.poll(), Some(Ok(true)));
        drop(job);
        assert!(runner.is_idle() && runner.next_report().is_none());
        assert_eq!(runner.started(), 1);
    }

    #[test]
    fn long_jobs_are_reported_and_cancelled_by_their_id() {
        let runner = JobRunner::default();
        let spin = |context: &JobContext| {
            while context.checkpoint().is_ok() {
                std::thread::yield_now();
            }
        };
        let shown = runner.spawn("Shown", Display::Shown, spin);
        let quiet = runner.spawn("Quiet", Display::Quiet, spin);
        std::thread::sleep(REPORTED_AFTER);
        let reports = runner.reports();
        assert_eq!(reports.len(), 1);
        assert_eq!((&*reports[0].title, reports[0].cancelled), ("Shown", false));
        assert!(runner.report(quiet.id()).is_some());
        runner.cancel(reports[0].id);
        assert!(shown.is_cancelled() && !quiet.is_cancelled());
        assert!(runner.reports()[0].cancelled, "until its end is seen");
    }
}
