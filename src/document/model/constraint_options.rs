//! Options of the constraint-aware planner (Ninomiya et al. 2014, §§3, 5).

use super::{
    check::{self, Checked},
    limits,
};

/// The graph that is searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ConstraintDomain {
    /// Midpoints of the sides of a triangulation.
    Triangles,
    /// A uniform grid.
    Dense,
    /// The grid with the triangulation's sides as highways.
    Hybrid,
    /// The grid, with steps skipped where little acts (the paper's *adaptive highway*).
    Adaptive,
    /// Adaptive after the change of the field instead of its size, and finer near walls.
    #[default]
    Graded,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ConstraintSearch {
    AStar,
    /// Anytime: improves a first path.
    AraStar,
    /// Anytime and dynamic: repairs its path as well.
    #[default]
    AdStar,
}

/// Options of the planner `constraint`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConstraintOptions {
    pub domain: ConstraintDomain,
    pub search: ConstraintSearch,
    /// Distance between neighbouring states; chosen automatically if omitted. Unit: metres.
    pub spacing: Option<f64>,
    /// Inflation of the heuristic that an anytime search starts with (ε₀).
    pub epsilon: f64,
    /// Expansions per step: the paper's t_max, but independent of the machine.
    pub expansions: u32,
}

impl ConstraintOptions {
    pub const DEFAULT: Self = Self {
        domain: ConstraintDomain::Graded,
        search: ConstraintSearch::AdStar,
        spacing: None,
        epsilon: limits::EPSILON.default,
        expansions: limits::EXPANSIONS.default as u32,
    };

    pub(super) fn check(&self) -> Checked {
        if let Some(spacing) = self.spacing {
            check::quantity(&limits::STATE_SPACING, spacing)?;
        }
        check::quantity(&limits::EPSILON, self.epsilon)?;
        check::quantity(&limits::EXPANSIONS, f64::from(self.expansions))
    }
}

impl Default for ConstraintOptions {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl ConstraintDomain {
    pub const ALL: [Self; 5] = [
        Self::Triangles,
        Self::Dense,
        Self::Hybrid,
        Self::Adaptive,
        Self::Graded,
    ];

    /// Name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Triangles => "triangles",
            Self::Dense => "dense",
            Self::Hybrid => "hybrid",
            Self::Adaptive => "adaptive",
            Self::Graded => "graded",
        }
    }

    /// Title in the interface.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Triangles => "Triangles",
            Self::Dense => "Dense",
            Self::Hybrid => "Hybrid",
            Self::Adaptive => "Adaptive",
            Self::Graded => "Graded (adaptive)",
        }
    }

    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|domain| domain.name() == name)
    }
}

impl ConstraintSearch {
    pub const ALL: [Self; 3] = [Self::AStar, Self::AraStar, Self::AdStar];

    /// Name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::AStar => "a-star",
            Self::AraStar => "ara-star",
            Self::AdStar => "ad-star",
        }
    }

    /// Title in the interface.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::AStar => "A*",
            Self::AraStar => "ARA* (anytime)",
            Self::AdStar => "AD* (anytime, repairs)",
        }
    }

    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|search| search.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for domain in ConstraintDomain::ALL {
            assert_eq!(ConstraintDomain::named(domain.name()), Some(domain));
        }
        for search in ConstraintSearch::ALL {
            assert_eq!(ConstraintSearch::named(search.name()), Some(search));
        }
        assert_eq!(ConstraintDomain::named("sparse"), None);
        assert_eq!(ConstraintSearch::named(""), None);
    }

    #[test]
    fn options_beyond_their_limits_are_refused() {
        assert!(ConstraintOptions::DEFAULT.check().is_ok());
        for wrong in [
            ConstraintOptions {
                epsilon: 0.5,
                ..ConstraintOptions::DEFAULT
            },
            ConstraintOptions {
                spacing: Some(0.0),
                ..ConstraintOptions::DEFAULT
            },
            ConstraintOptions {
                expansions: 0,
                ..ConstraintOptions::DEFAULT
            },
        ] {
            assert!(wrong.check().is_err(), "{wrong:?}");
        }
    }
}
