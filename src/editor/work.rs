//! Long work that was asked for once: what runs, and what happens when it is done. Values that are
//! kept current are [`Memo`](crate::jobs::Memo)s; both run on one [`JobRunner`].

use super::Editor;
pub use crate::jobs::{Display, JobId, Report};
use crate::jobs::{Job, JobContext, JobError, JobRunner};

type Delivery = Box<dyn FnOnce(&mut Editor)>;

trait Pending {
    fn id(&self) -> JobId;

    /// Hands the result to the editor once there is one.
    fn deliver(&mut self) -> Option<Delivery>;

    /// Gives up the result; the work ends when it notices.
    fn retire(self: Box<Self>);
}

struct Task<T, F> {
    job: Job<T>,
    done: Option<F>,
}

impl<T, F> Pending for Task<T, F>
where
    T: Send + 'static,
    F: FnOnce(&mut Editor, Result<T, JobError>) + 'static,
{
    fn id(&self) -> JobId {
        self.job.id()
    }

    fn deliver(&mut self) -> Option<Delivery> {
        let outcome = self.job.poll()?;
        let done = self.done.take()?;
        Some(Box::new(move |editor| done(editor, outcome)))
    }

    fn retire(self: Box<Self>) {
        self.job.retire();
    }
}

#[derive(Default)]
pub struct Work {
    jobs: JobRunner,
    tasks: Vec<Box<dyn Pending>>,
}

impl std::fmt::Debug for Work {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Work")
            .field("jobs", &self.jobs)
            .finish_non_exhaustive()
    }
}

impl Work {
    /// What all background work of the window runs on.
    #[must_use]
    pub const fn jobs(&self) -> &JobRunner {
        &self.jobs
    }

    /// Jobs that end have the window painted.
    pub(super) fn wake(&self, ctx: &egui::Context) {
        if !self.jobs.has_wake() {
            let ctx = ctx.clone();
            self.jobs.wake_with(move || ctx.request_repaint());
        }
    }

    /// Starts work on a thread of its own; `done` gets its result on the window's thread.
    pub fn start<T: Send + 'static>(
        &mut self,
        ctx: &egui::Context,
        title: impl Into<String>,
        display: Display,
        work: impl FnOnce(&JobContext) -> T + Send + 'static,
        done: impl FnOnce(&mut Editor, Result<T, JobError>) + 'static,
    ) -> JobId {
        self.wake(ctx);
        let job = self.jobs.spawn(&title.into(), display, work);
        let id = job.id();
        self.tasks.push(Box::new(Task {
            job,
            done: Some(done),
        }));
        id
    }

    /// Ends a job at once: it is off the list and has no result, however long its thread takes to notice.
    pub fn cancel(&mut self, id: JobId) {
        self.jobs.cancel(id);
        for task in self.tasks.extract_if(.., |task| task.id() == id) {
            task.retire();
        }
    }

    #[must_use]
    pub fn is_running(&self, id: JobId) -> bool {
        self.jobs.is_running(id)
    }

    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.jobs.is_idle()
    }

    /// What is finished, in the order it was started.
    pub(super) fn take_finished(&mut self) -> Vec<Delivery> {
        let mut finished = Vec::new();
        self.tasks.retain_mut(|task| match task.deliver() {
            Some(delivery) => {
                finished.push(delivery);
                false
            }
            None => true,
        });
        finished
    }

    /// Keeps the window painting slowly while there is progress to show.
    pub(super) fn keep_reporting(&self, ctx: &egui::Context) {
        if let Some(after) = self.jobs.next_report() {
            ctx.request_repaint_after(after);
        }
    }
}
