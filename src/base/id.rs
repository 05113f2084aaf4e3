//! Entity identifiers.

use std::fmt;

/// Identifies one entity of one level. Never reused, not even after a delete or an undo.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntityId(u64);

/// Ids from here on belong to parts. They fit into the whole numbers that a double holds exactly, as
/// readers of exports need.
const FIRST_PART: u64 = 1 << 52;
/// How many parts one entity can have.
const PARTS: u64 = 1 << 12;

impl EntityId {
    /// The id with this number in a file.
    #[must_use]
    pub const fn new(number: u64) -> Self {
        Self(number)
    }

    #[must_use]
    pub const fn number(self) -> u64 {
        self.0
    }

    /// The id of a part that follows from this entity, such as a piece of a wall; `None` beyond the
    /// parts that one entity can have, and for ids too large to have any.
    #[must_use]
    pub const fn part(self, index: u64) -> Option<Self> {
        if index >= PARTS || self.0 >= FIRST_PART / PARTS {
            return None;
        }
        Some(Self(FIRST_PART + self.0 * PARTS + index))
    }

    /// Whether it belongs to a part, which no file stores and no edit names.
    #[must_use]
    pub const fn is_part(self) -> bool {
        self.0 >= FIRST_PART
    }

    /// The entity that a part follows from; any other id is its own owner.
    #[must_use]
    pub const fn owner(self) -> Self {
        if self.is_part() {
            Self((self.0 - FIRST_PART) / PARTS)
        } else {
            self
        }
    }

    /// The smallest id of a part.
    #[must_use]
    pub const fn first_part() -> Self {
        Self(FIRST_PART)
    }

    /// The next id. Saturates, so that a hostile file cannot make it wrap.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

impl fmt::Display for EntityId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.owner().0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_knows_its_owner() {
        for number in [0, 1, 77, FIRST_PART / PARTS - 1] {
            let owner = EntityId::new(number);
            for index in [0, 1, PARTS - 1] {
                let part = owner.part(index).expect("within the limits");
                assert!(part.is_part() && !owner.is_part());
                assert_eq!(part.owner(), owner);
                assert_eq!(part.to_string(), owner.to_string());
                assert!(part.number() < 1 << 53);
            }
            assert_eq!(owner.part(PARTS), None);
        }
        assert_eq!(EntityId::new(FIRST_PART / PARTS).part(0), None);
    }
}
