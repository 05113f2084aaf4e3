//! Which bundle came from which, and what changed on the way.

use super::delta::NavDelta;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// So many earlier bundles are remembered by their revisions.
const MOST_REMEMBERED: usize = 16;

/// A bundle's revision, and what changed since those that it was baked from. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct Lineage {
    revision: u64,
    /// By revision; the bundle that it was baked from first.
    history: Arc<[(u64, NavDelta)]>,
}

impl Lineage {
    /// Of a bundle baked from scratch, or from the one `before`.
    pub fn new(before: Option<&Self>, delta: NavDelta) -> Self {
        static REVISIONS: AtomicU64 = AtomicU64::new(1);
        let older = before.into_iter().flat_map(|before| {
            let known = before.history.iter().take(MOST_REMEMBERED - 1);
            known.map(|(revision, earlier)| (*revision, earlier.then(&delta)))
        });
        let last = before.map(|before| (before.revision, delta.clone()));
        Self {
            revision: REVISIONS.fetch_add(1, Ordering::Relaxed),
            history: last.into_iter().chain(older).collect(),
        }
    }

    /// Another one for every bake of this process, larger for later ones.
    pub const fn revision(&self) -> u64 {
        self.revision
    }

    /// What changed since the bundle that it was baked from; `None` if there was none.
    pub fn delta(&self) -> Option<&NavDelta> {
        self.history.first().map(|(_, delta)| delta)
    }

    /// What changed since another bundle; `None` if that is not known.
    pub fn since(&self, other: &Self) -> Option<NavDelta> {
        if self.revision == other.revision {
            return Some(NavDelta::default());
        }
        let known = self.history.iter();
        let mut known = known.filter(|(revision, _)| *revision == other.revision);
        known.next().map(|(_, delta)| delta.clone())
    }
}
