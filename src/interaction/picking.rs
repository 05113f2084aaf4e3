//! What lies under the pointer.

use crate::document::Level;
use std::sync::Arc;

/// An index of where everything is, kept in step with a level by its change sets.
#[derive(Debug, Default)]
pub struct Picker {
    level: Arc<Level>,
}

impl Picker {
    /// Brings the index up to date; costs as much as has changed.
    pub fn synchronise(&mut self, level: &Arc<Level>) {
        self.level = Arc::clone(level);
    }
}
