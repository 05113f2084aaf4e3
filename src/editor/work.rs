//! Long work beside the window: what runs, how far it is, and what happens when it is done.

use super::Editor;
use crate::jobs::{Job, JobContext, JobError, Progress};
use std::time::{Duration, Instant};

/// Work that is over sooner is never shown: a bar that flashes tells nobody anything.
const SHOWN_AFTER: Duration = Duration::from_millis(250);
/// How often a progress bar moves.
const STEP: Duration = Duration::from_millis(100);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaskId(u64);

/// Whether the status bar shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Display {
    Shown,
    /// Small housekeeping that nobody waits for.
    Quiet,
}

trait Pending {
    fn progress(&self) -> Progress;
    fn cancel(&self);
    /// Hands the result to the editor once there is one.
    fn deliver(&mut self) -> Option<Delivery>;
}

type Delivery = Box<dyn FnOnce(&mut Editor)>;

struct Task<T, F> {
    job: Job<T>,
    done: Option<F>,
}

impl<T, F> Pending for Task<T, F>
where
    T: Send + 'static,
    F: FnOnce(&mut Editor, Result<T, JobError>) + 'static,
{
    fn progress(&self) -> Progress {
        self.job.progress()
    }

    fn cancel(&self) {
        self.job.cancel();
    }

    fn deliver(&mut self) -> Option<Delivery> {
        let outcome = self.job.poll()?;
        let done = self.done.take()?;
        Some(Box::new(move |editor| done(editor, outcome)))
    }
}

struct Running {
    id: TaskId,
    title: String,
    display: Display,
    since: Instant,
    cancelled: bool,
    task: Box<dyn Pending>,
}

impl Running {
    fn report(&self) -> Report {
        Report {
            id: self.id,
            title: self.title.clone(),
            progress: self.task.progress(),
            cancelled: self.cancelled,
        }
    }
}

/// What the status bar says about one task.
#[derive(Clone, Debug)]
pub struct Report {
    pub id: TaskId,
    pub title: String,
    pub progress: Progress,
    pub cancelled: bool,
}

#[derive(Default)]
pub struct Work {
    running: Vec<Running>,
    next: u64,
}

impl std::fmt::Debug for Work {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let titles: Vec<&str> = self
            .running
            .iter()
            .map(|task| task.title.as_str())
            .collect();
        f.debug_struct("Work").field("running", &titles).finish()
    }
}

impl Work {
    /// Starts work on a thread of its own; `done` gets its result on the window's thread.
    pub fn start<T: Send + 'static>(
        &mut self,
        ctx: &egui::Context,
        title: impl Into<String>,
        display: Display,
        work: impl FnOnce(&JobContext) -> T + Send + 'static,
        done: impl FnOnce(&mut Editor, Result<T, JobError>) + 'static,
    ) -> TaskId {
        let id = TaskId(self.next);
        self.next += 1;
        let title = title.into();
        let wake = ctx.clone();
        let job = Job::spawn(&title, work, move || wake.request_repaint());
        self.running.push(Running {
            id,
            title,
            display,
            since: Instant::now(),
            cancelled: false,
            task: Box::new(Task {
                job,
                done: Some(done),
            }),
        });
        ctx.request_repaint_after(SHOWN_AFTER);
        id
    }

    pub fn cancel(&mut self, id: TaskId) {
        for task in self.running.iter_mut().filter(|task| task.id == id) {
            task.cancelled = true;
            task.task.cancel();
        }
    }

    #[must_use]
    pub fn is_running(&self, id: TaskId) -> bool {
        self.running.iter().any(|task| task.id == id)
    }

    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.running.is_empty()
    }

    /// What is finished, in the order it was started.
    pub(super) fn take_finished(&mut self) -> Vec<Delivery> {
        let mut finished = Vec::new();
        self.running.retain_mut(|task| match task.task.deliver() {
            Some(delivery) => {
                finished.push(delivery);
                false
            }
            None => true,
        });
        finished
    }

    /// What to show of one task, once that is worth it; keeps the window painting slowly.
    pub fn report(&self, ctx: &egui::Context, id: TaskId) -> Option<Report> {
        let task = self.running.iter().find(|task| task.id == id)?;
        if task.since.elapsed() < SHOWN_AFTER {
            return None;
        }
        ctx.request_repaint_after(STEP);
        Some(task.report())
    }

    /// What to show; keeps the window painting slowly while there is anything.
    pub fn reports(&self, ctx: &egui::Context) -> Vec<Report> {
        let shown: Vec<Report> = self
            .running
            .iter()
            .filter(|task| task.display == Display::Shown && task.since.elapsed() >= SHOWN_AFTER)
            .map(Running::report)
            .collect();
        if !shown.is_empty() {
            ctx.request_repaint_after(STEP);
        }
        shown
    }
}
