//! A level in voxels, as shapes for the plan and as layers in space: what is solid, what can be stood on,
//! where a body gets to and how far that is.
//!
//! Cells that are alike are merged into rectangles before anything is drawn: half a million of them
//! stay as quick as a few thousand.

pub mod actions;
pub mod detours;
mod merge;
pub mod plan;
pub mod space;
#[cfg(test)]
mod tests;

pub use actions::{action_layer, draw_actions};
pub use detours::{add_detours, draw_detours};
pub use plan::{PlanPart, draw_cells, draw_doors, plan_parts};
pub use space::{SpacePart, space_layer, space_parts};

use super::layer::Layer;
use super::primitive::{Fill, Ink, Plane};
use super::style::Palette;
use crate::document::Pattern;
use crate::nav::voxel::{Storey, SurfaceId};
use crate::planner::human::{AgainstExact, Standing, Survey};

/// The front is drawn in so many steps of colour; each is a part of its own, so that playing it
/// only adds parts.
pub const BANDS: u32 = 48;

/// What of a level's voxels is to be seen.
#[derive(Clone, Copy, Debug)]
pub struct CellView<'a> {
    pub survey: &'a Survey,
    /// Only what belongs to it.
    pub storey: Storey,
    pub against: Option<&'a AgainstExact>,
}

/// Which levels of the front share a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Band {
    pub index: u8,
    /// The first of its levels, and the first that is not.
    pub low: u32,
    pub high: u32,
}

impl CellView<'_> {
    /// The bands of the front, the nearest first.
    pub fn bands(&self) -> impl Iterator<Item = Band> + use<> {
        let levels = self
            .survey
            .front()
            .map_or(0, |front| front.level_count() as u32);
        let wide = band_width(levels);
        (0..levels.div_ceil(wide)).map(move |index| Band {
            index: index as u8,
            low: index * wide,
            high: (index * wide + wide).min(levels),
        })
    }

    /// Every cell of the storey that a layer shows, in the order of the grid, with its tint. Solid
    /// cells are no surfaces: they have a way of their own.
    fn for_each(&self, layer: Layer, mut visit: impl FnMut(SurfaceId, u8)) {
        let (survey, surfaces) = (self.survey, self.survey.surfaces());
        let in_storey = |id: &SurfaceId| self.storey.contains(surfaces.point(*id).z);
        match layer {
            Layer::Lost => {
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
            Layer::Front => {
                let Some(front) = survey.front() else {
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

    fn tint_of(&self, layer: Layer, id: SurfaceId) -> Option<u8> {
        let survey = self.survey;
        let footing = &survey.footing;
        match layer {
            Layer::Surfaces => Some(if footing.is_upright(id) {
                0
            } else if footing.is_standable(id) {
                1
            } else {
                2
            }),
            Layer::Reachable => match survey.standing(id) {
                Standing::Reached(_) => Some(0),
                Standing::Squeezed(_) => Some(1),
                Standing::CutOff | Standing::Unfit => None,
            },
            // Of what is got to at all: the tops of walls have borders, too.
            Layer::Borders => {
                let standing = survey.standing(id);
                let is_meant = survey.start.is_none()
                    || matches!(standing, Standing::Reached(_) | Standing::Squeezed(_));
                Some(footing.border_layer(id)).filter(|layer| *layer > 0 && is_meant)
            }
            Layer::Forbidden => survey.surfaces().get(id)?.forbidden.then_some(0),
            _ => None,
        }
    }
}

/// So many levels share a band.
fn band_width(levels: u32) -> u32 {
    levels.div_ceil(BANDS).max(1)
}

/// The plane that a layer's cells lie on.
#[must_use]
pub const fn plane_of(layer: Layer) -> Option<Plane> {
    Some(match layer {
        Layer::Occupied => Plane::OccupiedCells,
        Layer::Surfaces => Plane::SurfaceCells,
        Layer::Reachable => Plane::ReachableCells,
        Layer::Borders => Plane::BorderCells,
        Layer::Forbidden => Plane::ForbiddenCells,
        Layer::Front => Plane::FrontCells,
        Layer::Lost => Plane::LostCells,
        _ => return None,
    })
}

/// Steps of height in which solid cells are told apart on the plan.
const HEIGHT_TINTS: u8 = 6;

/// What cells of a layer look like.
fn fill_of(layer: Layer, tint: u8, bands: usize, palette: &Palette) -> Fill {
    let plain = |colour, alpha| Fill::plain(Ink::new(colour, alpha));
    let hatched = |colour, alpha: f64, lines: f64| Fill {
        ink: Ink::new(colour, alpha),
        texture: Pattern::Hatch,
        texture_ink: Ink::new(colour, lines),
    };
    match (layer, tint) {
        (Layer::Occupied, tint) => {
            let share = f64::from(tint) / f64::from(HEIGHT_TINTS - 1);
            plain(palette.occupied, 0.18 + 0.42 * share)
        }
        (Layer::Surfaces, 0) => plain(palette.surface, 0.22),
        (Layer::Surfaces, 1) => hatched(palette.bend, 0.18, 0.5),
        (Layer::Surfaces, _) => plain(palette.blocker, 0.16),
        (Layer::Reachable, 0) => plain(palette.reachable, 0.34),
        (Layer::Reachable, _) => hatched(palette.reachable, 0.12, 0.45),
        (Layer::Borders, layer) => plain(palette.border, (0.62 - 0.12 * f64::from(layer)).max(0.2)),
        (Layer::Forbidden, _) => hatched(palette.forbidden, 0.3, 0.85),
        (Layer::Front, band) => {
            let share = f64::from(band) / (bands.max(2) - 1) as f64;
            plain(palette.front_at(share), 0.55)
        }
        (Layer::Lost, 0) => hatched(palette.lost, 0.35, 0.9),
        (_, _) => hatched(palette.gained, 0.25, 0.8),
    }
}
