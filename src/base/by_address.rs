//! Shared values compared by identity.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// A shared value that equals only itself: what makes an immutable snapshot a cheap key. Holding
/// it keeps its address from being given to another value.
pub struct ByAddress<T: ?Sized>(pub Arc<T>);

impl<T: ?Sized> ByAddress<T> {
    #[must_use]
    pub fn of(shared: &Arc<T>) -> Self {
        Self(Arc::clone(shared))
    }
}

impl<T: ?Sized> Clone for ByAddress<T> {
    fn clone(&self) -> Self {
        Self::of(&self.0)
    }
}

impl<T: ?Sized> PartialEq for ByAddress<T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl<T: ?Sized> Eq for ByAddress<T> {}

impl<T: ?Sized> Deref for ByAddress<T> {
    type Target = Arc<T>;

    fn deref(&self) -> &Arc<T> {
        &self.0
    }
}

impl<T: ?Sized> fmt::Debug for ByAddress<T> {
    /// The address alone: keys are printed often, levels are long.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ByAddress({:p})", Arc::as_ptr(&self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::ByAddress;
    use std::sync::Arc;

    #[test]
    fn only_the_very_value_equals_itself() {
        let value = Arc::new(vec![1, 2]);
        let key = ByAddress::of(&value);
        assert_eq!(key, key.clone());
        assert_eq!(key, ByAddress::of(&value));
        assert_ne!(key, ByAddress(Arc::new(vec![1, 2])));
        assert_eq!(key.len(), 2);
    }
}
