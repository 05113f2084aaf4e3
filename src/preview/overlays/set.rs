//! Which overlays are shown.

use super::row::{Inputs, OverlayId, OverlayRow};
use crate::preview::regions::RegionStyle;
use crate::preview::voxel::CellLayer;
use std::collections::BTreeSet;

/// A set of overlays, by id.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Overlays(BTreeSet<OverlayId>);

impl Overlays {
    pub const NONE: Self = Self(BTreeSet::new());

    /// What is shown until the user says otherwise.
    #[must_use]
    pub fn usual() -> Self {
        super::rows()
            .into_iter()
            .filter(|row| row.is_default)
            .map(|row| row.id)
            .collect()
    }

    #[must_use]
    pub fn contains(&self, id: OverlayId) -> bool {
        self.0.contains(&id)
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn set(&mut self, id: OverlayId, shown: bool) {
        if shown {
            self.0.insert(id);
        } else {
            self.0.remove(&id);
        }
    }

    #[must_use]
    pub fn with(mut self, id: OverlayId) -> Self {
        self.set(id, true);
        self
    }

    /// Their rows, in the order in which they are listed.
    pub fn rows(&self) -> impl Iterator<Item = &'static OverlayRow> {
        super::rows()
            .into_iter()
            .filter(|row| self.0.contains(&row.id))
    }

    /// Whether any of them reads one of these.
    #[must_use]
    pub fn read(&self, inputs: Inputs) -> bool {
        self.rows().any(|row| row.inputs.any(inputs))
    }

    /// The cells that are to be drawn, from the bottom to the top.
    #[must_use]
    pub fn cells(&self) -> Vec<CellLayer> {
        let mut cells: Vec<CellLayer> = self.rows().filter_map(OverlayRow::cells).collect();
        cells.sort_unstable();
        cells
    }

    /// What is painted pixel by pixel under the level, in this style; `None` where nothing is.
    #[must_use]
    pub fn field(&self, mut style: RegionStyle) -> Option<RegionStyle> {
        let mut any = false;
        for row in self.rows() {
            if let super::PlanDrawing::Field(add) = row.plan {
                add(&mut style);
                any = true;
            }
        }
        any.then_some(style)
    }
}

impl FromIterator<OverlayId> for Overlays {
    fn from_iter<I: IntoIterator<Item = OverlayId>>(ids: I) -> Self {
        Self(ids.into_iter().collect())
    }
}
