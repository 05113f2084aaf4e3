//! A level's voxels as shapes for the plan and layers for the 3D view: what is solid, what is
//! standable, what a body can reach and at what distance.
//!
//! Equal cells are merged into rectangles before drawing: half a million of them stay as fast as a
//! few thousand.

pub mod actions;
pub mod detours;
pub(in crate::preview) mod merge;
pub mod plan;
pub mod space;
#[cfg(test)]
mod tests;

pub use actions::{action_layer, draw_actions};
pub use detours::{add_detours, draw_detours};
pub use plan::{PlanPart, draw_cells, draw_doors, plan_parts};
pub use space::{SpacePart, space_layer, space_layers, space_parts};

use super::primitive::{Fill, Ink, Plane};
use super::style::Palette;
use crate::document::Pattern;
use crate::nav::voxel::{Storey, SurfaceId};
use crate::planner::human::{AgainstExact, Reachability, Standing};

/// Colour steps of the front; each is a separate part, so that playback only adds parts.
pub const BANDS: u32 = 48;

/// What can be shown of the voxel grid, from the bottom to the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CellLayer {
    /// What is solid.
    Occupied,
    /// What can be stood on.
    Surfaces,
    /// Where a body gets to.
    Reachable,
    /// Too near to walls and edges.
    Borders,
    /// What no agent may step on.
    Forbidden,
    /// How far each place is.
    Front,
    /// Where voxels and free space disagree.
    Lost,
}

impl CellLayer {
    /// The plane that its cells lie on.
    #[must_use]
    pub const fn plane(self) -> Plane {
        match self {
            Self::Occupied => Plane::OccupiedCells,
            Self::Surfaces => Plane::SurfaceCells,
            Self::Reachable => Plane::ReachableCells,
            Self::Borders => Plane::BorderCells,
            Self::Forbidden => Plane::ForbiddenCells,
            Self::Front => Plane::FrontCells,
            Self::Lost => Plane::LostCells,
        }
    }
}

/// Which part of a level's voxels is shown.
#[derive(Clone, Copy, Debug)]
pub struct CellView<'a> {
    pub reachability: &'a Reachability,
    /// Only what belongs to this storey.
    pub storey: Storey,
    pub against: Option<&'a AgainstExact>,
}

/// Levels of the front that share a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Band {
    pub index: u8,
    /// The first of its levels, and the first beyond.
    pub low: u32,
    pub high: u32,
}

impl CellView<'_> {
    /// The bands of the front, nearest first.
    pub fn bands(&self) -> impl Iterator<Item = Band> + use<> {
        let levels = self
            .reachability
            .front()
            .map_or(0, |front| front.level_count() as u32);
        let wide = band_width(levels);
        (0..levels.div_ceil(wide)).map(move |index| Band {
            index: index as u8,
            low: index * wide,
            high: (index * wide + wide).min(levels),
        })
    }

    /// Visits every cell of the storey that a layer shows, in grid order, with its tint. Solid
    /// cells are not surfaces: they are handled separately.
    fn for_each(&self, layer: CellLayer, mut visit: impl FnMut(SurfaceId, u8)) {
        let (reachability, surfaces) = (self.reachability, self.reachability.surfaces());
        let in_storey = |id: &SurfaceId| self.storey.contains(surfaces.point(*id).z);
        match layer {
            CellLayer::Lost => {
                // Both lists are sorted; together they need not be.
                let against = self.against.into_iter();
                let mut all: Vec<(SurfaceId, u8)> = against
                    .flat_map(|against| {
                        let lost = against.lost.iter().map(|id| (*id, 0));
                        lost.chain(against.gained.iter().map(|id| (*id, 1)))
                    })
                    .filter(|(id, _)| in_storey(id))
                    .collect();
                all.sort_unstable();
                all.into_iter().for_each(|(id, tint)| visit(id, tint));
            }
            CellLayer::Front => {
                let Some(front) = reachability.front() else {
                    return;
                };
                let wide = band_width(front.level_count() as u32);
                for id in surfaces.ids().filter(in_storey) {
                    if let Some(level) = front.level(id) {
                        visit(id, (level / wide) as u8);
                    }
                }
            }
            _ => {
                for id in surfaces.ids().filter(in_storey) {
                    if let Some(tint) = self.tint_of(layer, id) {
                        visit(id, tint);
                    }
                }
            }
        }
    }

    fn tint_of(&self, layer: CellLayer, id: SurfaceId) -> Option<u8> {
        let reachability = self.reachability;
        let footing = &reachability.footing;
        match layer {
            CellLayer::Surfaces => Some(if footing.is_upright(id) {
                0
            } else if footing.is_standable(id) {
                1
            } else {
                2
            }),
            CellLayer::Reachable => match reachability.standing(id) {
                Standing::Reached(_) => Some(0),
                Standing::Squeezed(_) => Some(1),
                Standing::CutOff | Standing::Unfit => None,
            },
            // Only where reachable: the tops of walls have borders, too.
            CellLayer::Borders => {
                let standing = reachability.standing(id);
                let is_meant = reachability.start.is_none()
                    || matches!(standing, Standing::Reached(_) | Standing::Squeezed(_));
                Some(footing.border_layer(id)).filter(|layer| *layer > 0 && is_meant)
            }
            CellLayer::Forbidden => reachability.surfaces().get(id)?.forbidden.then_some(0),
            _ => None,
        }
    }
}

/// Number of levels per band.
fn band_width(levels: u32) -> u32 {
    levels.div_ceil(BANDS).max(1)
}

/// Height steps that distinguish solid cells on the plan.
const HEIGHT_TINTS: u8 = 6;

/// Appearance of a layer's cells.
fn fill_of(layer: CellLayer, tint: u8, bands: usize, palette: &Palette) -> Fill {
    let plain = |colour, alpha| Fill::plain(Ink::new(colour, alpha));
    let hatched = |colour, alpha: f64, lines: f64| Fill {
        ink: Ink::new(colour, alpha),
        texture: Pattern::Hatch,
        texture_ink: Ink::new(colour, lines),
    };
    match (layer, tint) {
        (CellLayer::Occupied, tint) => {
            let share = f64::from(tint) / f64::from(HEIGHT_TINTS - 1);
            plain(palette.occupied, 0.18 + 0.42 * share)
        }
        (CellLayer::Surfaces, 0) => plain(palette.surface, 0.22),
        (CellLayer::Surfaces, 1) => hatched(palette.bend, 0.18, 0.5),
        (CellLayer::Surfaces, _) => plain(palette.blocker, 0.16),
        (CellLayer::Reachable, 0) => plain(palette.reachable, 0.34),
        (CellLayer::Reachable, _) => hatched(palette.reachable, 0.12, 0.45),
        (CellLayer::Borders, layer) => {
            plain(palette.border, (0.62 - 0.12 * f64::from(layer)).max(0.2))
        }
        (CellLayer::Forbidden, _) => hatched(palette.forbidden, 0.3, 0.85),
        (CellLayer::Front, band) => {
            let share = f64::from(band) / (bands.max(2) - 1) as f64;
            plain(palette.front_at(share), 0.55)
        }
        (CellLayer::Lost, 0) => hatched(palette.lost, 0.35, 0.9),
        (_, _) => hatched(palette.gained, 0.25, 0.8),
    }
}
