//! Guards the window's thread against long-running work.

use std::cell::Cell;

thread_local! {
    static MARKED: Cell<bool> = const { Cell::new(false) };
}

/// While it lives, its thread counts as the window's.
#[derive(Debug)]
pub struct WindowThread {
    was_marked: bool,
}

impl WindowThread {
    /// Marks the current thread, until the guard is dropped: for the length of a frame.
    #[must_use]
    pub fn mark() -> Self {
        Self {
            was_marked: MARKED.replace(true),
        }
    }
}

impl Drop for WindowThread {
    fn drop(&mut self) {
        MARKED.set(self.was_marked);
    }
}

/// Whether the current thread draws the window.
#[must_use]
pub fn is_window_thread() -> bool {
    MARKED.get()
}

/// Called at the entry of everything that may take longer than a frame. No-op in release builds: a
/// slow frame is better than none.
///
/// # Panics
/// In builds with debug assertions, on the window's thread.
#[track_caller]
pub fn assert_off_window_thread(what: &str) {
    debug_assert!(
        !is_window_thread(),
        "{what} ran on the window's thread; it belongs in a job"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_marked_thread_counts_and_only_while_marked() {
        assert!(!is_window_thread());
        {
            let _frame = WindowThread::mark();
            assert!(is_window_thread());
            {
                let _nested = WindowThread::mark();
            }
            assert!(is_window_thread(), "a nested frame ends alone");
            let elsewhere = std::thread::spawn(is_window_thread).join();
            assert!(!elsewhere.expect("no panic"));
        }
        assert!(!is_window_thread());
        assert_off_window_thread("nothing");
    }

    #[test]
    #[cfg(debug_assertions)]
    fn work_on_the_windows_thread_is_a_mistake() {
        let caught = std::panic::catch_unwind(|| {
            let _frame = WindowThread::mark();
            assert_off_window_thread("a bake");
        });
        assert!(caught.is_err());
        assert!(!is_window_thread(), "unwinding ends the frame");
    }
}
