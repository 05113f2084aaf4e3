//! Which planner answers: one identity from the level file to menus and the command line.

use std::fmt;
use std::sync::{PoisonError, RwLock};

/// A planner by its name on the command line, such as `miran`. What is known of a planner beyond its
/// name stands in its row of the planner registry; an id without a row is kept, but no planner
/// answers for it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlannerId(&'static str);

/// Ids that were added to [`PlannerId::BUILT_IN`] at run time, in that order.
static ADDED: RwLock<Vec<PlannerId>> = RwLock::new(Vec::new());

impl PlannerId {
    pub const PORTAL: Self = Self("portal");
    pub const PORTAL_CENTRE: Self = Self("portal-center");
    pub const PORTAL_THIRD: Self = Self("portal-third");
    pub const PORTAL_TENTH: Self = Self("portal-tenth");
    pub const OPTIMAL: Self = Self("optimal");
    pub const CORRIDOR_ORIGINAL: Self = Self("corridor-original");
    pub const CORRIDOR: Self = Self("corridor");
    pub const IRM: Self = Self("irm");
    pub const MIRAN: Self = Self("miran");
    pub const CONSTRAINT: Self = Self("constraint");
    pub const HUMAN: Self = Self("human");

    /// In the order in which menus and tables list them.
    pub const BUILT_IN: [Self; 11] = [
        Self::PORTAL,
        Self::PORTAL_CENTRE,
        Self::PORTAL_THIRD,
        Self::PORTAL_TENTH,
        Self::OPTIMAL,
        Self::CORRIDOR_ORIGINAL,
        Self::CORRIDOR,
        Self::IRM,
        Self::MIRAN,
        Self::CONSTRAINT,
        Self::HUMAN,
    ];

    /// For planners that are added: lower-case words joined by hyphens.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self(name)
    }

    /// As on the command line.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.0
    }

    /// The id of a name; `None` if no planner of this program is called so.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let is_it = |id: &&Self| id.0 == name;
        let built_in = Self::BUILT_IN.iter().find(is_it).copied();
        built_in.or_else(|| {
            let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
            added.iter().find(is_it).copied()
        })
    }

    /// Makes files and the command line know this name.
    pub fn add(self) {
        if Self::named(self.0).is_none() {
            let mut added = ADDED.write().unwrap_or_else(PoisonError::into_inner);
            added.push(self);
        }
    }
}

impl Default for PlannerId {
    fn default() -> Self {
        Self::PORTAL
    }
}

impl fmt::Debug for PlannerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl fmt::Display for PlannerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_known_once_it_was_added() {
        for id in PlannerId::BUILT_IN {
            assert_eq!(PlannerId::named(id.as_str()), Some(id));
        }
        let toy = PlannerId::new("planner-of-this-test");
        assert_eq!(PlannerId::named("planner-of-this-test"), None);
        toy.add();
        toy.add();
        assert_eq!(PlannerId::named("planner-of-this-test"), Some(toy));
    }
}
