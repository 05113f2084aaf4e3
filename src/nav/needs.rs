//! Which parts common to all radii are read.

use std::ops::{BitOr, BitOrAssign};

/// A set of shared parts: what a planner reads, or what a bake builds at once. Other parts are
/// built on first use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs(u8);

impl Needs {
    pub const NOTHING: Self = Self(0);
    /// The corridor map.
    pub const CORRIDORS: Self = Self(1);
    /// The triangulated terrain.
    pub const TERRAIN: Self = Self(1 << 1);
    /// The level's bodies in cells.
    pub const VOXELS: Self = Self(1 << 2);
    pub const EVERYTHING: Self = Self(0b111);

    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl BitOr for Needs {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        self.union(other)
    }
}

impl BitOrAssign for Needs {
    fn bitor_assign(&mut self, other: Self) {
        *self = self.union(other);
    }
}

impl FromIterator<Self> for Needs {
    fn from_iter<I: IntoIterator<Item = Self>>(all: I) -> Self {
        all.into_iter().fold(Self::NOTHING, Self::union)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_join_and_contain_their_parts() {
        let both: Needs = [Needs::CORRIDORS, Needs::TERRAIN].into_iter().collect();
        assert!(both.contains(Needs::CORRIDORS) && both.contains(Needs::TERRAIN));
        assert!(!both.contains(Needs::VOXELS) && !both.contains(Needs::EVERYTHING));
        assert!(both.contains(Needs::NOTHING) && Needs::NOTHING.is_empty());
        assert_eq!(both | Needs::VOXELS, Needs::EVERYTHING);
    }
}
