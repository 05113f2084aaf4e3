//! What a polygon without a kind of its own stands for.

use super::options::Choice;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Polygons {
    /// The custom of the format. WKT: walkable if all polygons together are one connected area, as
    /// JuPedSim asks for, and obstacles if they lie apart, as buildings do. GeoJSON: obstacles.
    #[default]
    Auto,
    /// Where agents may go; everything around is blocked, and so are the holes.
    Walkable,
    Obstacles,
}

impl Polygons {
    pub const ALL: [Self; 3] = [Self::Auto, Self::Walkable, Self::Obstacles];

    pub const CHOICES: &'static [Choice] = &[
        Choice::new(
            "auto",
            "Detect automatically",
            "As the format has it, or as the shapes suggest",
        ),
        Choice::new(
            "walkable",
            "Walkable",
            "Where agents may go; everything around is blocked, and so are the holes",
        ),
        Choice::new("obstacles", "Obstacles", "What blocks agents"),
    ];

    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Walkable => "walkable",
            Self::Obstacles => "obstacles",
        }
    }

    /// `Auto` for what is no id.
    #[must_use]
    pub fn named(id: &str) -> Self {
        let mut all = Self::ALL.into_iter();
        all.find(|one| one.id() == id).unwrap_or_default()
    }
}
