use super::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

const PATIENCE: Duration = Duration::from_secs(10);

/// A memo, its runner and the wake-ups that reach its owner.
struct Bench {
    jobs: JobRunner,
    wakes: Receiver<()>,
    memo: Memo<u32, Value>,
}

type Value = Arc<u32>;

impl Bench {
    fn new(superseded: Superseded) -> Self {
        let (woken, wakes) = channel();
        let woken = Mutex::new(woken);
        let jobs = JobRunner::new(move || {
            let _ = woken.lock().expect("no panic while locked").send(());
        });
        let memo = Memo::new("Counting", Display::Shown, superseded);
        Self { jobs, wakes, memo }
    }

    /// Requests a value that is computed at once.
    fn want(&mut self, key: u32) -> Option<Settled> {
        self.memo
            .want(&self.jobs, key, move |_| Ok(Arc::new(key * 10)))
    }

    /// Requests a value that is computed once the sender is used; ignores whether the job still
    /// exists.
    fn want_slowly(&mut self, key: u32) -> Sender<Result<u32, Stopped>> {
        let (answer, made) = channel();
        self.memo.want(&self.jobs, key, move |_| {
            made.recv().unwrap_or(Err(Stopped::Cancelled)).map(Arc::new)
        });
        answer
    }

    fn woken(&self) {
        self.wakes.recv_timeout(PATIENCE).expect("woken at the end");
    }

    fn value(&self) -> Option<u32> {
        self.memo.value().map(|value| **value)
    }
}

#[test]
fn a_key_is_worked_on_once() {
    let mut bench = Bench::new(Superseded::Cancel);
    assert_eq!(bench.want(1), None);
    assert!(bench.memo.is_running() && !bench.memo.is_fresh());
    bench.woken();
    assert_eq!(bench.want(1), Some(Settled::Value), "told once");
    assert_eq!((bench.want(1), bench.value()), (None, Some(10)));
    assert!(bench.memo.is_fresh() && !bench.memo.is_stale());
    assert_eq!(bench.jobs.started(), 1);
    assert!(bench.jobs.is_idle());
}

#[test]
fn the_old_value_stays_stale_until_the_new_one_arrives() {
    let mut bench = Bench::new(Superseded::Cancel);
    bench.want(1);
    bench.woken();
    bench.want(1);
    let answer = bench.want_slowly(2);
    assert_eq!(bench.value(), Some(10));
    assert!(bench.memo.is_stale() && bench.memo.stale_since().is_some());
    answer.send(Ok(20)).expect("the job listens");
    bench.woken();
    assert_eq!(bench.memo.poll(), Some(Settled::Value));
    assert_eq!(bench.value(), Some(20));
    assert!(bench.memo.is_fresh() && bench.memo.stale_since().is_none());
}

#[test]
fn superseded_work_is_cancelled_and_its_result_never_shown() {
    let mut bench = Bench::new(Superseded::Cancel);
    let first = bench.want_slowly(1);
    bench.want(2);
    // The first job ignores cancellation and ends last.
    bench.woken();
    bench.want(2);
    assert_eq!(bench.value(), Some(20));
    first.send(Ok(10)).expect("the job listens");
    bench.woken();
    assert_eq!(bench.want(2), None);
    assert_eq!(bench.value(), Some(20));
}

#[test]
fn superseded_work_may_finish_so_that_a_drag_shows_something() {
    let mut bench = Bench::new(Superseded::FINISH);
    let first = bench.want_slowly(1);
    bench.want(2);
    bench.want(3);
    assert_eq!(bench.jobs.started(), 1);
    first.send(Ok(10)).expect("the job listens");
    bench.woken();
    assert_eq!(bench.want(4), Some(Settled::Value));
    assert_eq!(bench.value(), Some(10), "one behind");
    assert!(bench.memo.is_stale() && bench.memo.is_running());
    assert_eq!(bench.jobs.started(), 2, "the states between are left out");
    bench.woken();
    bench.want(4);
    assert_eq!(bench.value(), Some(40));
}

#[test]
fn superseded_work_is_given_up_after_a_while() {
    let mut bench = Bench::new(Superseded::FinishWithin(Duration::ZERO));
    let _first = bench.want_slowly(1);
    std::thread::sleep(Duration::from_millis(2));
    bench.want(1);
    assert_eq!(bench.jobs.started(), 1, "the wanted key may take its time");
    bench.want(2);
    assert_eq!(bench.jobs.started(), 2);
    bench.woken();
    bench.want(2);
    assert_eq!(bench.value(), Some(20));
}

#[test]
fn going_back_to_a_known_key_ends_the_work() {
    let mut bench = Bench::new(Superseded::FINISH);
    bench.want(1);
    bench.woken();
    bench.want(1);
    let _second = bench.want_slowly(2);
    bench.want(1);
    assert!(!bench.memo.is_running() && bench.memo.is_fresh());
}

#[test]
fn cancelled_by_the_user_means_declined_until_the_key_changes() {
    let mut bench = Bench::new(Superseded::FINISH);
    let _slow = bench.want_slowly(1);
    bench.memo.cancel();
    assert!(!bench.memo.is_running() && bench.memo.is_declined(&1));
    bench.want(1);
    assert_eq!(bench.jobs.started(), 1, "not begun again by itself");
    bench.want(2);
    assert_eq!(bench.jobs.started(), 2);
    assert!(!bench.memo.is_declined(&1));
}

#[test]
fn the_cross_of_the_status_bar_works_on_work_that_does_not_listen() {
    let mut bench = Bench::new(Superseded::FINISH);
    let slow = bench.want_slowly(1);
    let id = bench.memo.job().expect("running");
    bench.jobs.cancel(id);
    let clicked = Instant::now();
    assert_eq!(bench.want(1), Some(Settled::Declined));
    assert!(clicked.elapsed() < Duration::from_millis(100));
    assert!(!bench.memo.is_running() && bench.jobs.is_idle());
    // Its late result is not shown.
    slow.send(Ok(10)).expect("the job listens");
    bench.woken();
    assert_eq!((bench.want(1), bench.value()), (None, None));
}

#[test]
fn cancelling_declines_what_is_wanted_even_if_an_older_state_runs() {
    let mut bench = Bench::new(Superseded::FINISH);
    let _slow = bench.want_slowly(1);
    bench.want(2);
    bench.jobs.cancel(bench.memo.job().expect("running"));
    assert_eq!(bench.want(2), Some(Settled::Declined));
    assert!(bench.memo.is_declined(&2) && !bench.memo.is_running());
}

#[test]
fn a_result_that_comes_before_the_click_is_taken() {
    let mut bench = Bench::new(Superseded::Cancel);
    bench.want(1);
    bench.woken();
    bench
        .jobs
        .cancel(bench.memo.job().expect("not fetched yet"));
    assert_eq!(bench.want(1), Some(Settled::Value));
    assert_eq!(bench.value(), Some(10));
}

#[test]
fn force_begins_again_although_nothing_changed() {
    let mut bench = Bench::new(Superseded::FINISH);
    bench.want(1);
    bench.woken();
    bench.want(1);
    bench.memo.force();
    assert!(!bench.memo.is_fresh());
    let slow = bench.want_slowly(1);
    bench.want(1);
    assert!(bench.memo.is_running() && bench.memo.is_stale());
    slow.send(Ok(11)).expect("the job listens");
    bench.woken();
    assert_eq!(bench.want(1), Some(Settled::Value));
    assert_eq!((bench.value(), bench.memo.is_fresh()), (Some(11), true));
    assert_eq!(bench.jobs.started(), 2);
    bench.memo.force();
    let _slow = bench.want_slowly(1);
    bench.memo.cancel();
    assert!(bench.memo.is_fresh(), "as good as before");
    bench.want(1);
    assert_eq!(bench.jobs.started(), 3);
    bench.memo.force();
    bench.want(1);
    assert_eq!(bench.jobs.started(), 4, "declined work, too");
    bench.memo.force();
    bench.want(1);
    assert_eq!(bench.jobs.started(), 5, "and running work");
}

#[test]
fn errors_and_panics_are_kept_and_not_repeated() {
    let mut bench = Bench::new(Superseded::Cancel);
    bench.want(1);
    bench.woken();
    bench.want(1);
    let answer = bench.want_slowly(2);
    answer
        .send(Err(Stopped::Failed("too narrow".to_owned())))
        .expect("the job listens");
    bench.woken();
    assert_eq!(bench.want(2), Some(Settled::Failed));
    assert_eq!(bench.want(2), None);
    assert_eq!(bench.jobs.started(), 2);
    let failed = MemoError::Failed("too narrow".to_owned());
    assert_eq!(bench.memo.error(), Some(&failed));
    assert_eq!(bench.value(), Some(10), "the last value stays");
    assert!(!bench.memo.is_declined(&2));
    // `resume_unwind` prints nothing: this panic is expected.
    bench.memo.want(&bench.jobs, 3, |_| {
        std::panic::resume_unwind(Box::new("broken".to_owned()))
    });
    bench.woken();
    assert_eq!(bench.want(3), Some(Settled::Failed));
    let panicked = JobError::Panicked("broken".to_owned());
    assert_eq!(bench.memo.error(), Some(&MemoError::Job(panicked)));
    bench.want(1);
    assert!(bench.memo.is_fresh());
}

#[test]
fn a_known_value_can_be_put_in() {
    let mut bench = Bench::new(Superseded::FINISH);
    let _slow = bench.want_slowly(1);
    bench.memo.set(1, Arc::new(11));
    assert!(!bench.memo.is_running() && bench.memo.is_fresh());
    assert_eq!(bench.memo.take().as_deref(), Some(&11));
    assert_eq!(bench.value(), None);
}

#[test]
fn progress_is_told_while_it_runs() {
    let mut bench = Bench::new(Superseded::Cancel);
    let (go_on, wait) = channel::<()>();
    bench.memo.want(&bench.jobs, 1, move |context| {
        context.stage("halfway");
        context.report(0.5);
        let _ = wait.recv();
        Ok(Arc::new(1))
    });
    let id = bench.memo.job().expect("running");
    let since = Instant::now();
    let report = loop {
        if let Some(report) = bench.jobs.report(id).filter(|r| r.progress.share.is_some()) {
            break report;
        }
        assert!(since.elapsed() < PATIENCE);
        std::thread::yield_now();
    };
    assert_eq!(report.title, "Counting");
    assert_eq!(report.progress.stage, "halfway");
    let _ = go_on.send(());
}

/// Reports on which thread it was freed.
#[derive(Debug)]
struct Traced {
    freed_here: Arc<AtomicBool>,
    freed: Sender<()>,
    owner: std::thread::ThreadId,
}

impl Drop for Traced {
    fn drop(&mut self) {
        let is_owner = std::thread::current().id() == self.owner;
        self.freed_here.fetch_or(is_owner, Ordering::SeqCst);
        let _ = self.freed.send(());
    }
}

#[test]
fn old_values_are_freed_in_the_background() {
    let freed_here = Arc::new(AtomicBool::new(false));
    let (freed, freed_values) = channel();
    let owner = std::thread::current().id();
    let value = || Traced {
        freed_here: Arc::clone(&freed_here),
        freed: freed.clone(),
        owner,
    };
    let mut memo = Memo::new("Counting", Display::Quiet, Superseded::Cancel);
    memo.set(1, value());
    memo.set(2, value());
    memo.forget();
    // Computed, but never collected.
    let (woken, wakes) = channel();
    let woken = Mutex::new(woken);
    let jobs = JobRunner::new(move || {
        let _ = woken.lock().expect("no panic while locked").send(());
    });
    let unfetched = value();
    memo.want(&jobs, 3, move |_| Ok(unfetched));
    wakes.recv_timeout(PATIENCE).expect("woken at the end");
    memo.forget();
    memo.set(5, value());
    drop(memo);
    for _ in 0..4 {
        freed_values.recv_timeout(PATIENCE).expect("freed");
    }
    assert!(!freed_here.load(Ordering::SeqCst));
}

#[test]
fn many_changes_end_with_the_last_key() {
    for superseded in [
        Superseded::Cancel,
        Superseded::FINISH,
        Superseded::FinishWithin(Duration::from_micros(50)),
    ] {
        let mut bench = Bench::new(superseded);
        for key in 0..200 {
            bench.want(key);
            if key % 7 == 0 {
                std::thread::yield_now();
            }
        }
        let since = Instant::now();
        while !bench.memo.is_fresh() {
            assert!(since.elapsed() < PATIENCE, "{superseded:?}");
            bench.want(199);
            std::thread::yield_now();
        }
        assert_eq!(bench.value(), Some(1990));
        assert!(bench.jobs.is_idle());
    }
}
