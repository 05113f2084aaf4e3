//! Measuring: medians over enough repetitions, and memory.

use std::time::{Duration, Instant};

/// A median and half the distance between the quartiles. Unit: seconds.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    pub median: f64,
    pub spread: f64,
}

/// Repeats `work` for about `budget`, at least five times. Setting up happens outside the clock.
pub fn time<T, R>(budget: Duration, set_up: impl FnMut() -> T, work: impl FnMut(T) -> R) -> Timing {
    let began = Instant::now();
    repeated(budget, || began.elapsed(), set_up, work)
}

/// In processor time: on a busy machine hardly more than on an idle one. What several
/// threads share counts in full, so that the time of day is never longer on a machine of its own.
pub fn processor_time<T, R>(
    budget: Duration,
    set_up: impl FnMut() -> T,
    work: impl FnMut(T) -> R,
) -> Timing {
    repeated(budget, process_time, set_up, work)
}

fn repeated<T, R>(
    budget: Duration,
    clock: impl Fn() -> Duration,
    mut set_up: impl FnMut() -> T,
    mut work: impl FnMut(T) -> R,
) -> Timing {
    let mut seconds = Vec::new();
    let began = Instant::now();
    while seconds.len() < 5 || (began.elapsed() < budget && seconds.len() < 10_000) {
        let input = set_up();
        let start = clock();
        let result = std::hint::black_box(work(input));
        seconds.push(clock().saturating_sub(start).as_secs_f64());
        drop(result);
    }
    seconds.sort_by(f64::total_cmp);
    let at = |share: f64| seconds[((seconds.len() - 1) as f64 * share).round() as usize];
    Timing {
        median: at(0.5),
        spread: (at(0.75) - at(0.25)) * 0.5,
    }
}

/// Processor time of this thread, which a busy machine does not inflate; wall-clock time where the
/// system does not count it.
#[must_use]
pub fn thread_time() -> Duration {
    #[cfg(unix)]
    {
        counted(rustix::time::ClockId::ThreadCPUTime)
    }
    #[cfg(not(unix))]
    time_of_day()
}

/// Processor time of all threads of this process together.
#[must_use]
pub fn process_time() -> Duration {
    #[cfg(unix)]
    {
        counted(rustix::time::ClockId::ProcessCPUTime)
    }
    #[cfg(not(unix))]
    time_of_day()
}

#[cfg(unix)]
fn counted(clock: rustix::time::ClockId) -> Duration {
    let time = rustix::time::clock_gettime(clock);
    Duration::new(
        time.tv_sec.try_into().unwrap_or(0),
        time.tv_nsec.try_into().unwrap_or(0),
    )
}

#[cfg(not(unix))]
fn time_of_day() -> Duration {
    std::time::SystemTime::UNIX_EPOCH
        .elapsed()
        .unwrap_or_default()
}

/// Memory that this process has in use now, where the system tells. Unit: bytes.
#[must_use]
pub fn resident_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|line| line.starts_with("VmRSS:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}
