//! A part that is built once and shared by all states of the level with equal inputs.

use super::stages::{StageTime, Work};
use crate::jobs::{Cancelled, JobContext, assert_off_window_thread};
use std::convert::Infallible;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Instant;

#[derive(Debug)]
struct Part<T> {
    built: OnceLock<T>,
    /// Locked while building.
    turn: Mutex<()>,
}

/// A part and its sharers.
#[derive(Debug)]
pub(super) struct Slot<T>(Arc<Part<T>>);

impl<T> Default for Slot<T> {
    fn default() -> Self {
        Self(Arc::new(Part {
            built: OnceLock::new(),
            turn: Mutex::new(()),
        }))
    }
}

impl<T> Slot<T> {
    pub(super) fn shared(&self) -> Self {
        Self(Arc::clone(&self.0))
    }

    pub(super) fn is_shared_with(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// What was built, if it was.
    pub(super) fn get(&self) -> Option<&T> {
        self.0.built.get()
    }

    /// The part, built now if necessary. Of two concurrent callers, one builds and the other waits.
    pub(super) fn get_or_try_build<E>(
        &self,
        build: impl FnOnce() -> Result<T, E>,
    ) -> Result<&T, E> {
        if let Some(built) = self.get() {
            return Ok(built);
        }
        assert_off_window_thread("building navigation data");
        // A thread of the pool does not wait: the work it would wait for may be waiting for the
        // pool. It builds as well, and the first result counts.
        let may_wait = rayon::current_thread_index().is_none();
        let turn = &self.0.turn;
        let _turn = may_wait.then(|| turn.lock().unwrap_or_else(PoisonError::into_inner));
        if let Some(built) = self.get() {
            return Ok(built);
        }
        let built = build()?;
        Ok(self.0.built.get_or_init(|| built))
    }

    /// As [`Self::get_or_try_build`] for builds that cannot fail.
    pub(super) fn get_or_build(&self, build: impl FnOnce() -> T) -> &T {
        let built: Result<_, Infallible> = self.get_or_try_build(|| Ok(build()));
        match built {
            Ok(built) => built,
            Err(never) => match never {},
        }
    }

    /// Builds the part as a stage of a bake, unless that is done, and notes how long it took; once
    /// for each list of times. `result` tells what came of it, in words.
    ///
    /// # Errors
    /// The job was cancelled.
    pub(super) fn stage(
        &self,
        stage: &'static str,
        ctx: &JobContext,
        times: &mut Vec<StageTime>,
        build: impl FnOnce() -> Result<T, Cancelled>,
        result: impl FnOnce(&T) -> (String, Work),
    ) -> Result<(), Cancelled> {
        if times.iter().any(|time| time.stage == stage) {
            return Ok(());
        }
        ctx.stage(stage);
        let mut took = None;
        let built = self.get_or_try_build(|| {
            let started = Instant::now();
            let built = build()?;
            took = Some(started.elapsed());
            Ok(built)
        })?;
        let (result, work) = result(built);
        times.push(StageTime {
            stage,
            radius: None,
            took,
            result,
            work: if took.is_some() {
                work
            } else {
                Work::none(work.of)
            },
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    #[test]
    fn of_two_who_ask_at_once_one_builds() {
        let slot: Slot<u32> = Slot::default();
        let builds = AtomicUsize::new(0);
        let ask = || {
            *slot.get_or_build(|| {
                std::thread::sleep(Duration::from_millis(20));
                builds.fetch_add(1, Ordering::SeqCst) as u32
            })
        };
        std::thread::scope(|scope| {
            let threads = [(); 4].map(|()| scope.spawn(ask));
            for thread in threads {
                assert_eq!(thread.join().expect("it builds"), 0);
            }
        });
        assert_eq!(builds.load(Ordering::SeqCst), 1);
    }

    #[test]
    fn who_waited_for_one_that_was_cancelled_builds() {
        let slot: Slot<u32> = Slot::default();
        std::thread::scope(|scope| {
            let cancelled = scope.spawn(|| {
                slot.get_or_try_build(|| {
                    std::thread::sleep(Duration::from_millis(20));
                    Err(Cancelled)
                })
                .is_err()
            });
            std::thread::sleep(Duration::from_millis(5));
            assert_eq!(*slot.get_or_build(|| 7), 7);
            assert!(cancelled.join().expect("it ends"));
        });
    }

    #[test]
    fn the_pool_never_waits_for_itself() {
        use rayon::prelude::*;
        let slot: Slot<usize> = Slot::default();
        // Each builder needs the pool, on which the others run.
        let sums: Vec<usize> = (0..64_usize)
            .into_par_iter()
            .map(|_| *slot.get_or_build(|| (0..1000_usize).into_par_iter().sum()))
            .collect();
        assert!(sums.iter().all(|&sum| sum == 499_500));
    }
}
