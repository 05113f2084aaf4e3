//! Search memory between queries.
//!
//! A search keeps arrays as long as its graph. They are lent to the running session and passed on
//! to the next: a query allocates nothing that grows with the map, and thousands of agents keep
//! their sessions without keeping that memory.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

/// Largest number of idle values: more concurrent searches are rare.
const MOST_IDLE: usize = 8;

/// Memory of one kind of search that no session is using.
#[derive(Debug)]
pub struct Pool<T: 'static>(Mutex<Vec<T>>);

impl<T: Default> Default for Pool<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Default> Pool<T> {
    #[must_use]
    pub const fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    /// Memory of an earlier search, or new memory.
    pub fn take(&'static self) -> Pooled<T> {
        let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Pooled {
            value: idle.pop().unwrap_or_default(),
            pool: self,
        }
    }
}

/// Returns to its pool when dropped.
pub struct Pooled<T: Default + 'static> {
    value: T,
    pool: &'static Pool<T>,
}

impl<T: Default> Drop for Pooled<T> {
    fn drop(&mut self) {
        let mut idle = self.pool.0.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < MOST_IDLE {
            idle.push(std::mem::take(&mut self.value));
        }
    }
}

impl<T: Default> Deref for Pooled<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: Default> DerefMut for Pooled<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
    }
}

impl<T: Default + fmt::Debug> fmt::Debug for Pooled<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_handed_on_from_one_search_to_the_next() {
        static POOL: Pool<Vec<u8>> = Pool::new();
        let mut first = POOL.take();
        first.reserve(1000);
        let at = first.as_ptr();
        drop(first);
        let again = POOL.take();
        assert_eq!((again.as_ptr(), again.capacity() >= 1000), (at, true));
        assert_eq!(
            POOL.take().capacity(),
            0,
            "concurrent users get separate memory"
        );
    }
}
