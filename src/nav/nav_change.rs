//! What planner sessions are told when a level changed.

use super::delta::{Changed, NavDelta};
use super::nav_data::NavData;
use std::sync::Arc;

/// The navigation data of a state, with what changed since an earlier one.
#[derive(Clone, Debug)]
pub struct NavChange {
    before: NavData,
    nav: NavData,
    delta: NavDelta,
}

impl NavChange {
    /// Where `nav` was not baked from `before`, nothing changed in parts that both share, and
    /// everything in others.
    #[must_use]
    pub fn between(before: &NavData, nav: &NavData) -> Self {
        let known = nav.lineage.since(&before.lineage);
        Self {
            delta: known.unwrap_or_else(|| nav.shared().compared(before.shared())),
            before: before.clone(),
            nav: nav.clone(),
        }
    }

    /// Of the new state.
    #[must_use]
    pub const fn nav(&self) -> &NavData {
        &self.nav
    }

    /// Of the earlier state.
    #[must_use]
    pub const fn before(&self) -> &NavData {
        &self.before
    }

    #[must_use]
    pub const fn delta(&self) -> &NavDelta {
        &self.delta
    }

    /// Where cells are not as they were: further away from what moved than
    /// [obstacles](NavDelta::obstacles) tell, as the borders of cells end at the next wall.
    #[must_use]
    pub fn cells(&self) -> Arc<Changed> {
        let [before, after] = [&self.before, &self.nav].map(NavData::space);
        after.tables.changes.since(&before.merged, &after.merged)
    }
}
