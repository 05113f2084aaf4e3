//! The planners by name.

use crate::document::PlannerKind;

/// Every way of planning that an agent can be given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PlannerChoice {
    #[default]
    Portal,
    PortalCentre,
    PortalThird,
    PortalTenth,
    Optimal,
    CorridorOriginal,
    Corridor,
    Irm,
    Miran,
    Constraint,
    Human,
}

impl PlannerChoice {
    pub const ALL: [Self; 11] = [
        Self::Portal,
        Self::PortalCentre,
        Self::PortalThird,
        Self::PortalTenth,
        Self::Optimal,
        Self::CorridorOriginal,
        Self::Corridor,
        Self::Irm,
        Self::Miran,
        Self::Constraint,
        Self::Human,
    ];

    /// As on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Portal => "portal",
            Self::PortalCentre => "portal-center",
            Self::PortalThird => "portal-third",
            Self::PortalTenth => "portal-tenth",
            Self::Optimal => "optimal",
            Self::CorridorOriginal => "corridor-original",
            Self::Corridor => "corridor",
            Self::Irm => "irm",
            Self::Miran => "miran",
            Self::Constraint => "constraint",
            Self::Human => "human",
        }
    }

    /// As in menus: an agent's planner by its own name, the others after what they vary.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Portal => PlannerKind::Portal.name(),
            Self::PortalCentre => "Portals (centres)",
            Self::PortalThird => "Portals (a third of the map)",
            Self::PortalTenth => "Portals (a tenth of the map)",
            Self::Optimal => PlannerKind::Optimal.name(),
            Self::CorridorOriginal => PlannerKind::CorridorOriginal.name(),
            Self::Corridor => PlannerKind::Corridor.name(),
            Self::Irm => PlannerKind::Irm.name(),
            Self::Miran => PlannerKind::Miran.name(),
            Self::Constraint => PlannerKind::Constraint.name(),
            Self::Human => PlannerKind::Human.name(),
        }
    }

    /// Whether it can be asked already.
    #[must_use]
    pub const fn is_ready(self) -> bool {
        matches!(
            self,
            Self::Portal
                | Self::PortalCentre
                | Self::PortalThird
                | Self::PortalTenth
                | Self::Optimal
                | Self::CorridorOriginal
                | Self::Corridor
                | Self::Irm
                | Self::Miran
                | Self::Human
        )
    }

    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|choice| choice.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_planners_share_a_title() {
        let mut titles = PlannerChoice::ALL.map(PlannerChoice::title).to_vec();
        titles.sort_unstable();
        titles.dedup();
        assert_eq!(titles.len(), PlannerChoice::ALL.len());
        for kind in PlannerKind::ALL {
            assert!(titles.contains(&kind.name()), "{}", kind.name());
        }
    }
}
