//! The playback clock: current time and speed.

use crate::base::{Quantity, Unit};

/// Lowest and highest speed; 1 is real time.
pub const SPEED: Quantity = Quantity::new("speed", Unit::One, 0.1, 64.0, 1.0);

/// Time is counted in whole microseconds: steps add up exactly, however many are taken.
const MICROS_PER_SEC: f64 = 1e6;

/// [`super::STEP`] in the clock's own unit.
const STEP_MICROS: u64 = 50_000;

/// Longer durations are clamped: some thirty years. Unit: microseconds.
const LATEST: u64 = 1_000_000_000_000_000;

/// A clock that runs from 0 to a duration, which is passed to every call: paths become longer and
/// shorter while they are played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    micros: u64,
    speed: f64,
    is_playing: bool,
    /// Restarts at the end.
    pub loops: bool,
    /// The part that is repeated, if not all of it. Unit: microseconds.
    span: Option<[u64; 2]>,
}

/// Shortest part that can be repeated. Unit: seconds.
const SHORTEST_SPAN: f64 = 0.1;

impl Default for Clock {
    fn default() -> Self {
        Self {
            micros: 0,
            speed: SPEED.default,
            is_playing: false,
            loops: false,
            span: None,
        }
    }
}

/// The first tick of the clock that is not before a time.
fn micros(secs: f64) -> u64 {
    // A negative time and NaN become 0.
    ((secs * MICROS_PER_SEC).ceil() as u64).min(LATEST)
}

impl Clock {
    /// Unit: seconds.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.micros as f64 / MICROS_PER_SEC
    }

    /// Whole steps of [`super::STEP`] since the start.
    #[must_use]
    pub const fn tick(&self) -> u64 {
        self.micros / STEP_MICROS
    }

    /// 1 is real time.
    #[must_use]
    pub const fn speed(&self) -> f64 {
        self.speed
    }

    #[must_use]
    pub const fn is_playing(&self) -> bool {
        self.is_playing
    }

    /// Whether it plays or is past the start, so that agents may be between start and goal.
    #[must_use]
    pub const fn has_begun(&self) -> bool {
        self.is_playing || self.micros > 0
    }

    pub const fn pause(&mut self) {
        self.is_playing = false;
    }

    /// Returns to the start and pauses; speed and looping stay.
    pub const fn reset(&mut self) {
        self.micros = 0;
        self.is_playing = false;
    }

    /// The part that is repeated. Unit: seconds.
    #[must_use]
    pub fn span(&self) -> Option<[f64; 2]> {
        Some(self.span?.map(|micros| micros as f64 / MICROS_PER_SEC))
    }

    /// Repeats a part; all of it, if none is given or if it is too short to be seen.
    pub fn set_span(&mut self, span: Option<[f64; 2]>) {
        let span = span.map(|[a, b]| [a.min(b), a.max(b)]);
        let span = span.filter(|[from, to]| to - from >= SHORTEST_SPAN);
        self.span = span.map(|span| span.map(micros));
        self.loops |= self.span.is_some();
    }

    /// Advances by real time. At the end it stops or restarts.
    pub fn advance(&mut self, real_secs: f64, duration: f64) {
        if !self.is_playing || real_secs.is_nan() {
            return;
        }
        let passed = (real_secs * self.speed * MICROS_PER_SEC).round() as u64;
        let before = self.micros;
        self.micros = self.micros.saturating_add(passed);
        let end = micros(duration);
        if let Some([from, to]) = self.span.filter(|_| self.loops) {
            // From outside one plays into the part.
            let to = to.min(end);
            if before < to && self.micros >= to && from < to {
                self.micros = from + (self.micros - to) % (to - from);
                return;
            }
        }
        if self.micros >= end {
            if self.loops && end > 0 {
                self.micros %= end;
            } else {
                self.micros = end;
                self.is_playing = false;
            }
        }
    }

    /// Plays or pauses; at the end it restarts.
    pub fn toggle(&mut self, duration: f64) {
        self.is_playing = !self.is_playing;
        if self.is_playing && self.micros >= micros(duration) {
            self.micros = 0;
        }
    }

    /// Moves by a number of whole steps and pauses.
    pub fn step(&mut self, steps: i32, duration: f64) {
        self.is_playing = false;
        let end = micros(duration);
        let now = self.micros.min(end);
        let from = if steps < 0 {
            now.div_ceil(STEP_MICROS)
        } else {
            now / STEP_MICROS
        };
        let to = from.saturating_add_signed(steps.into());
        self.micros = to.saturating_mul(STEP_MICROS).min(end);
    }

    /// Seeks to a time within the duration.
    pub fn seek(&mut self, time: f64, duration: f64) {
        let nearest = (time * MICROS_PER_SEC).round() as u64;
        self.micros = nearest.min(micros(duration));
    }

    pub fn set_speed(&mut self, speed: f64) {
        if speed.is_finite() {
            self.speed = SPEED.clamp(speed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::STEP;
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_clock_stops_at_the_end_or_begins_again() {
        let mut clock = Clock::default();
        clock.advance(1.0, 10.0);
        assert_eq!((clock.time(), clock.has_begun()), (0.0, false), "paused");
        clock.toggle(10.0);
        clock.set_speed(4.0);
        clock.advance(2.0, 10.0);
        assert_eq!((clock.time(), clock.has_begun()), (8.0, true));
        clock.loops = true;
        clock.advance(1.0, 10.0);
        assert_eq!((clock.time(), clock.is_playing()), (2.0, true));
        clock.loops = false;
        clock.advance(5.0, 10.0);
        assert_eq!((clock.time(), clock.is_playing()), (10.0, false));
        clock.toggle(10.0);
        assert_eq!((clock.time(), clock.is_playing()), (0.0, true));
        clock.reset();
        assert_eq!((clock.time(), clock.speed()), (0.0, 4.0));
        assert!(!clock.is_playing());
    }

    #[test]
    fn steps_lead_from_one_whole_step_to_the_next() {
        let mut clock = Clock::default();
        assert_eq!(STEP_MICROS, micros(STEP));
        clock.step(3, 10.0);
        assert_eq!((clock.time(), clock.tick()), (0.15, 3));
        clock.step(-9, 10.0);
        assert_eq!(clock.time(), 0.0);
        // From between two steps to the next one, and to the last one.
        clock.seek(0.07, 10.0);
        clock.step(1, 10.0);
        assert_eq!(clock.time(), 0.1);
        clock.seek(0.07, 10.0);
        clock.step(-1, 10.0);
        assert_eq!(clock.time(), 0.05);
        clock.seek(0.07, 0.08);
        clock.step(1, 0.08);
        assert_eq!(clock.time(), 0.08, "no further than the end");
        // The recording became shorter than the current time.
        clock.seek(7.0, 10.0);
        clock.step(-1, 3.0);
        assert_eq!(clock.time(), 2.95);
    }

    #[test]
    fn a_part_is_repeated_once_it_is_entered() {
        let mut clock = Clock::default();
        clock.set_span(Some([4.0, 2.0]));
        assert_eq!((clock.span(), clock.loops), (Some([2.0, 4.0]), true));
        clock.toggle(10.0);
        clock.advance(3.0, 10.0);
        assert_eq!(clock.time(), 3.0);
        clock.advance(1.5, 10.0);
        assert_eq!(clock.time(), 2.5);
        clock.seek(6.0, 10.0);
        clock.advance(5.0, 10.0);
        assert_eq!(clock.time(), 1.0, "behind the part all of it is repeated");
        // A recording that ends within the part is repeated up to its end.
        clock.seek(2.5, 3.0);
        clock.advance(0.75, 3.0);
        assert_eq!(clock.time(), 2.25);
        clock.set_span(Some([3.0, 3.01]));
        assert_eq!(clock.span(), None, "too short");
    }

    #[test]
    fn odd_times_and_speeds_do_no_harm() {
        let mut clock = Clock::default();
        clock.set_speed(4.0);
        for speed in [f64::NAN, f64::INFINITY] {
            clock.set_speed(speed);
            assert_eq!(clock.speed(), 4.0);
        }
        clock.set_speed(0.0);
        assert_eq!(clock.speed(), 0.1);
        clock.loops = true;
        clock.toggle(0.0);
        clock.advance(1.0, 0.0);
        assert_eq!(clock.time(), 0.0);
        for time in [f64::NAN, -3.0, f64::NEG_INFINITY] {
            clock.seek(time, 10.0);
            assert_eq!(clock.time(), 0.0);
        }
        clock.seek(f64::INFINITY, 10.0);
        assert_eq!(clock.time(), 10.0);
        clock.seek(1.0, f64::NAN);
        assert_eq!(clock.time(), 0.0);
    }

    proptest! {
        #[test]
        fn the_end_is_reached_whatever_the_duration(duration in 0.0..1e5_f64) {
            let mut clock = Clock::default();
            clock.seek(f64::INFINITY, duration);
            prop_assert!(clock.time() >= duration && clock.time() < duration + 2e-6);
        }

        #[test]
        fn forty_steps_are_two_seconds_from_any_step(start in 0_i32..100_000) {
            let mut clock = Clock::default();
            clock.step(start, 1e6);
            let from = clock.time();
            for _ in 0..40 {
                clock.step(1, 1e6);
            }
            prop_assert!((clock.time() - from - 2.0).abs() < 1e-9);
            prop_assert_eq!(clock.tick(), start as u64 + 40);
            clock.step(-40, 1e6);
            prop_assert_eq!(clock.time(), from);
        }
    }
}
