//! The newest navigation data, published by the bake before agents are planned on it.

use crate::nav::NavBundle;
use std::sync::{Arc, Mutex, PoisonError};

/// Shared by the window and the bake in the background.
#[derive(Clone, Debug, Default)]
pub(super) struct NewestBundle(Arc<Mutex<Option<NavBundle>>>);

impl NewestBundle {
    pub(super) fn get(&self) -> Option<NavBundle> {
        let newest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        newest.clone()
    }

    pub(super) fn take(&self) -> Option<NavBundle> {
        let mut newest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        newest.take()
    }

    pub(super) fn publish(&self, bundle: &NavBundle) {
        let mut newest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *newest = Some(bundle.clone());
    }
}
