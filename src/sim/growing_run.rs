//! A recording that can be opened while the run that it is of still goes on.

use super::wlrec::Run;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Recordings are opened again this many times less often than that takes.
const OPENING_SHARE: u32 = 4;

/// Shortest time between two openings.
const LEAST_PAUSE: Duration = Duration::from_millis(40);

/// The newest recording of a run that goes on; clones share it.
#[derive(Clone, Debug, Default)]
pub struct GrowingRun {
    newest: Arc<Mutex<Option<Arc<Run>>>>,
}

impl GrowingRun {
    /// The run as far as it is recorded; `None` before its first two seconds.
    #[must_use]
    pub fn newest(&self) -> Option<Arc<Run>> {
        let newest = self.newest.lock().unwrap_or_else(PoisonError::into_inner);
        newest.clone()
    }

    fn publish(&self, run: Run) {
        let mut newest = self.newest.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(earlier) = &*newest {
            run.adopt(earlier);
        }
        *newest = Some(Arc::new(run));
    }

    /// What a simulation writes its recording to.
    #[must_use]
    pub fn sink(&self) -> GrowingSink {
        GrowingSink {
            run: self.clone(),
            bytes: Vec::new(),
            opened: None,
        }
    }
}

/// Collects a recording and opens it from time to time.
#[derive(Debug)]
pub struct GrowingSink {
    run: GrowingRun,
    bytes: Vec<u8>,
    /// When it was opened last, and how long that took.
    opened: Option<(Instant, Duration)>,
}

impl GrowingSink {
    /// Opens all that was written.
    pub fn publish(&mut self) {
        let started = Instant::now();
        // Before its first chunk there is nothing to open.
        if let Ok(run) = Run::open(self.bytes.as_slice()) {
            self.run.publish(run);
            self.opened = Some((Instant::now(), started.elapsed()));
        }
    }

    fn is_due(&self) -> bool {
        self.opened.is_none_or(|(at, took)| {
            let pause = took.saturating_mul(OPENING_SHARE).max(LEAST_PAUSE);
            at.elapsed() >= pause
        })
    }
}

impl Write for GrowingSink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    /// Whole blocks are there now.
    fn flush(&mut self) -> std::io::Result<()> {
        if self.is_due() {
            self.publish();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::template::{Options, Template};
    use crate::jobs::JobContext;
    use crate::sim::simulation::{SimulationOptions, simulate};

    #[test]
    fn a_run_that_goes_on_is_known_up_to_its_last_chunk_and_whole_at_the_end() {
        let level = Template::Rooms.build(&Options::default()).expect("drawn");
        let growing = GrowingRun::default();
        assert!(growing.newest().is_none());
        let options = SimulationOptions {
            seconds: 7.0,
            until_empty: false,
            ..SimulationOptions::default()
        };
        let ctx = JobContext::default();
        let (mut sink, _) = simulate(&level, &options, growing.sink(), &ctx).expect("runs");
        let before = growing.newest().expect("the first chunk is there");
        assert!(before.duration() >= 2.0);
        sink.publish();
        let whole = growing.newest().expect("it was opened");
        assert!(
            (whole.duration() - 7.0).abs() < 1e-9,
            "{}",
            whole.duration()
        );
        // What was known before is a beginning of it.
        assert_eq!(before.moment(1.3), whole.moment(1.3));
    }
}
