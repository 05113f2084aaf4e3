//! Measuring: medians over enough repetitions, and memory.

use std::time::{Duration, Instant};

/// A median and half the distance between the quartiles. Unit: seconds.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    pub median: f64,
    pub spread: f64,
}

/// Repeats `work` for about `budget`, at least five times. Setting up happens outside the clock.
pub fn time<T, R>(
    budget: Duration,
    mut set_up: impl FnMut() -> T,
    mut work: impl FnMut(T) -> R,
) -> Timing {
    let mut seconds = Vec::new();
    let began = Instant::now();
    while seconds.len() < 5 || (began.elapsed() < budget && seconds.len() < 10_000) {
        let input = set_up();
        let start = Instant::now();
        let result = std::hint::black_box(work(input));
        seconds.push(start.elapsed().as_secs_f64());
        drop(result);
    }
    seconds.sort_by(f64::total_cmp);
    let at = |share: f64| seconds[((seconds.len() - 1) as f64 * share).round() as usize];
    Timing {
        median: at(0.5),
        spread: (at(0.75) - at(0.25)) * 0.5,
    }
}

/// Time that this thread has worked, so that a busy machine makes nothing slow; where nobody
/// keeps count of that, the time of day.
#[must_use]
pub fn thread_time() -> Duration {
    #[cfg(unix)]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Duration::new(
            time.tv_sec.try_into().unwrap_or(0),
            time.tv_nsec.try_into().unwrap_or(0),
        )
    }
    #[cfg(not(unix))]
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
