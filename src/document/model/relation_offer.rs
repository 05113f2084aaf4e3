//! The relations that are offered for an object, in order.

use super::{KindName, RelationKind};

/// Relations that the tool offers; a route always uses *along*.
const OFFERED: [RelationKind; 8] = [
    RelationKind::Front,
    RelationKind::Back,
    RelationKind::Left,
    RelationKind::Right,
    RelationKind::Around,
    RelationKind::LineOfSight,
    RelationKind::PersonalSpace,
    RelationKind::Between,
];

impl RelationKind {
    /// The relations to choose from.
    pub const OFFERED: [Self; 8] = OFFERED;

    /// Where the area lies, in the tool's words.
    #[must_use]
    pub const fn phrase(self) -> &'static str {
        match self {
            Self::Front => "in front",
            Self::Back => "behind",
            Self::Left => "to the left",
            Self::Right => "to the right",
            Self::Around => "around",
            Self::LineOfSight => "in sight",
            Self::PersonalSpace => "personal space",
            Self::Between => "between two",
            Self::Along => "along",
        }
    }

    /// Whether an object of that kind can have such an area beside it: only agents claim personal
    /// space.
    #[must_use]
    pub fn suits(self, object: KindName) -> bool {
        match self {
            Self::PersonalSpace => object == KindName::Agent,
            Self::Along => object == KindName::Route,
            _ => object != KindName::Route,
        }
    }

    #[must_use]
    pub fn next(self) -> Self {
        self.moved_by(1)
    }

    #[must_use]
    pub fn previous(self) -> Self {
        self.moved_by(OFFERED.len() - 1)
    }

    fn moved_by(self, places: usize) -> Self {
        let at = OFFERED.iter().position(|kind| *kind == self).unwrap_or(0);
        OFFERED[(at + places) % OFFERED.len()]
    }

    /// This one, or the next that is possible beside an object of that kind.
    #[must_use]
    pub fn suiting(self, object: KindName) -> Self {
        (0..OFFERED.len())
            .map(|places| self.moved_by(places))
            .find(|kind| kind.suits(object))
            .unwrap_or(self)
    }

    /// The next one that takes a single object of that kind.
    #[must_use]
    pub fn next_single(self, object: KindName) -> Self {
        match self.next().suiting(object) {
            Self::Between => Self::Front,
            next => next,
        }
    }
}
