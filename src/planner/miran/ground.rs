//! What a character sees, weighs and walks on: exactly, or by the pixels of a picture.

use crate::nav::terrain::fine_raster::FineRaster;
use crate::nav::terrain::sight::{CellSight, is_between, look, look_from};
use crate::nav::terrain::{KindId, Sight, Stop, TerrainMap, TriangleId, WallTouch, Weights};
use crate::nav::{CellId, CellMap};
use glam::DVec2;

/// A character's place, and where that is in the structures underneath.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Eye {
    pub at: DVec2,
    pub(super) triangle: Option<TriangleId>,
    pub(super) cell: Option<CellId>,
    /// A place that is known to be in sight, as it was before and the character came straight
    /// towards it.
    pub(super) sees: Option<DVec2>,
}

impl Eye {
    /// Somewhere, of which nothing is known yet.
    #[must_use]
    pub const fn at(at: DVec2) -> Self {
        Self {
            at,
            triangle: None,
            cell: None,
            sees: None,
        }
    }
}

/// The ground under one character.
pub trait Ground {
    /// Somebody at a place; `None` where the character does not fit.
    fn eye(&self, at: DVec2) -> Option<Eye>;

    /// What the straight way to a place costs, Σ w(T)·l_T; or what is in the way.
    ///
    /// # Errors
    /// Where the way ends.
    fn weigh(&self, eye: &Eye, to: DVec2) -> Result<f64, Stop>;

    /// What the straight way to a place costs, walls aside; `None` once that is above the limit.
    fn cost_within(&self, eye: &Eye, to: DVec2, limit: f64) -> Option<f64>;

    /// Whether a place is in sight.
    ///
    /// # Errors
    /// Where the line of sight ends.
    fn look(&self, eye: &Eye, to: DVec2) -> Result<(), Stop>;

    /// Straight to a place; the character is there afterwards.
    ///
    /// # Errors
    /// What is in the way.
    fn go(&self, eye: &Eye, to: DVec2) -> Result<Eye, Stop>;

    /// The nearest place of a wall as drawn, within reach of the character's centre.
    fn nearest_wall(&self, at: DVec2, reach: f64) -> Option<WallTouch>;

    /// Whether what was in the way before certainly is in the way to a place now.
    fn still_hides(&self, eye: &Eye, to: DVec2, stop: &Stop) -> bool;

    /// The ends of what hides behind the wall that is in the way and, on the side of a place,
    /// those that it goes on in.
    fn shadow(&self, eye: &Eye, stop: &Stop, towards: DVec2) -> [DVec2; 2];

    /// The smallest cost per metre anywhere.
    fn least_weight(&self) -> f64;

    /// How finely borders of sight are to be found. Unit: metres.
    fn resolution(&self) -> f64;

    /// By how much a cost may be off: costs that differ by less are the same.
    fn blur(&self) -> f64;
}

/// The triangulation and, for discs, the cells of their free space.
#[derive(Clone, Copy, Debug)]
pub struct ExactGround<'a> {
    terrain: &'a TerrainMap,
    weights: &'a Weights,
    cells: Option<&'a CellMap>,
    /// The cost per metre, where it is the same everywhere.
    sole_weight: Option<f64>,
}

impl<'a> ExactGround<'a> {
    /// For a point, or for a disc on the cells of its free space.
    #[must_use]
    pub fn new(terrain: &'a TerrainMap, weights: &'a Weights, cells: Option<&'a CellMap>) -> Self {
        let sole = terrain.mesh().sole_kind();
        Self {
            terrain,
            weights,
            cells,
            sole_weight: sole.map(|kind| weights.get(kind)),
        }
    }

    #[must_use]
    pub const fn terrain(&self) -> &'a TerrainMap {
        self.terrain
    }

    #[must_use]
    pub const fn weights(&self) -> &'a Weights {
        self.weights
    }

    /// What a straight way costs that is known to be free. Where it touches a wall, rounding may
    /// put it inside for a moment: as if that were of the first kind.
    #[must_use]
    pub fn cost(&self, from: DVec2, to: DVec2, hint: Option<TriangleId>) -> f64 {
        let start = self.terrain.mesh().locate(from, hint);
        let cost = self.cost_up_to(from, to, start, f64::INFINITY);
        cost.unwrap_or(f64::INFINITY)
    }

    /// From a place in a triangle, or outside the level.
    fn cost_up_to(
        &self,
        from: DVec2,
        to: DVec2,
        start: Option<TriangleId>,
        limit: f64,
    ) -> Option<f64> {
        let weight = |kind: Option<KindId>| self.weights.get(kind.unwrap_or(KindId(0)));
        let (Some(start), None) = (start, self.sole_weight) else {
            let cost = self.sole_weight.unwrap_or(weight(None)) * from.distance(to);
            return (cost <= limit).then_some(cost);
        };
        let least = self.weights.least();
        let mesh = self.terrain.mesh();
        mesh.cost_within(start, [from, to], weight, least, limit)
    }
}

/// An eye's cell is the one that it is in.
fn see(cells: &CellMap, eye: &Eye, to: DVec2) -> CellSight {
    match eye.cell {
        Some(cell) => look_from(cells, cell, eye.at, to),
        None => look(cells, eye.at, to, None),
    }
}

impl Ground for ExactGround<'_> {
    fn eye(&self, at: DVec2) -> Option<Eye> {
        let triangle = self.terrain.mesh().locate(at, None)?;
        let cell = match self.cells {
            Some(cells) => Some(cells.locate(at)?),
            None => {
                self.terrain.kind_at(at)?;
                None
            }
        };
        Some(Eye {
            at,
            triangle: Some(triangle),
            cell,
            sees: None,
        })
    }

    fn weigh(&self, eye: &Eye, to: DVec2) -> Result<f64, Stop> {
        if let Some(cells) = self.cells {
            if let CellSight::Blocked(stop) = see(cells, eye, to) {
                return Err(stop);
            }
            return Ok(self.cost(eye.at, to, eye.triangle));
        }
        let mut sum = 0.0;
        let sight = self
            .terrain
            .walk(eye.at, to, eye.triangle, |kind: KindId, length| {
                sum += self.weights.get(kind) * length;
            });
        match sight {
            Sight::Clear(_) => Ok(sum),
            Sight::Blocked(stop) => Err(stop),
        }
    }

    fn cost_within(&self, eye: &Eye, to: DVec2, limit: f64) -> Option<f64> {
        let start = eye.triangle;
        let start = start.or_else(|| self.terrain.mesh().locate(eye.at, None));
        self.cost_up_to(eye.at, to, start, limit)
    }

    fn look(&self, eye: &Eye, to: DVec2) -> Result<(), Stop> {
        if eye.sees == Some(to) {
            return Ok(());
        }
        match self.cells {
            Some(cells) => {
                let told = eye.cell.and_then(|_| cells.sight_walls().look(eye.at, to));
                told.unwrap_or_else(|| match see(cells, eye, to) {
                    CellSight::Clear(_) => Ok(()),
                    CellSight::Blocked(stop) => Err(stop),
                })
            }
            None => match self.terrain.walk(eye.at, to, eye.triangle, |_, _| ()) {
                Sight::Clear(_) => Ok(()),
                Sight::Blocked(stop) => Err(stop),
            },
        }
    }

    fn go(&self, eye: &Eye, to: DVec2) -> Result<Eye, Stop> {
        let Some(cells) = self.cells else {
            return match self.terrain.walk(eye.at, to, eye.triangle, |_, _| ()) {
                Sight::Clear(triangle) => Ok(Eye {
                    at: to,
                    triangle: Some(triangle),
                    cell: None,
                    sees: None,
                }),
                Sight::Blocked(stop) => Err(stop),
            };
        };
        match see(cells, eye, to) {
            CellSight::Clear(cell) => Ok(Eye {
                at: to,
                triangle: self.terrain.mesh().locate(to, eye.triangle),
                cell: Some(cell),
                sees: None,
            }),
            CellSight::Blocked(stop) => Err(stop),
        }
    }

    fn nearest_wall(&self, at: DVec2, reach: f64) -> Option<WallTouch> {
        self.terrain.mesh().nearest_wall(at, reach)
    }

    fn still_hides(&self, eye: &Eye, to: DVec2, stop: &Stop) -> bool {
        self.cells
            .is_some_and(|cells| is_between(cells, stop, eye.at, to))
    }

    fn shadow(&self, eye: &Eye, stop: &Stop, towards: DVec2) -> [DVec2; 2] {
        self.cells.map_or(stop.wall, |cells| {
            cells.sight_walls().silhouette(cells, eye.at, stop, towards)
        })
    }

    fn least_weight(&self) -> f64 {
        self.sole_weight.unwrap_or(self.weights.least())
    }

    fn resolution(&self) -> f64 {
        1e-3
    }

    fn blur(&self) -> f64 {
        0.0
    }
}

/// The paper's variant: a picture, read along lines. Walls push by the exact ones.
#[derive(Clone, Copy, Debug)]
pub struct RasterGround<'a> {
    raster: &'a FineRaster,
    terrain: &'a TerrainMap,
    weights: &'a Weights,
}

impl<'a> RasterGround<'a> {
    #[must_use]
    pub const fn new(
        raster: &'a FineRaster,
        terrain: &'a TerrainMap,
        weights: &'a Weights,
    ) -> Self {
        Self {
            raster,
            terrain,
            weights,
        }
    }

    fn stop(eye: &Eye) -> Stop {
        Stop::at_once(eye.at)
    }
}

impl Ground for RasterGround<'_> {
    fn eye(&self, at: DVec2) -> Option<Eye> {
        self.raster.room_at(at).filter(|room| *room >= 0.0)?;
        Some(Eye::at(at))
    }

    fn weigh(&self, eye: &Eye, to: DVec2) -> Result<f64, Stop> {
        let mut sum = 0.0;
        let is_clear = self.raster.walk(eye.at, to, |kind, length| {
            sum += self.weights.get(kind) * length;
        });
        if is_clear {
            Ok(sum)
        } else {
            Err(Self::stop(eye))
        }
    }

    fn cost_within(&self, eye: &Eye, to: DVec2, limit: f64) -> Option<f64> {
        // Beyond what blocks it, a line is not read on; it does not matter then.
        let cost = self.weigh(eye, to).unwrap_or(0.0);
        (cost <= limit).then_some(cost)
    }

    fn look(&self, eye: &Eye, to: DVec2) -> Result<(), Stop> {
        if self.raster.walk(eye.at, to, |_, _| ()) {
            Ok(())
        } else {
            Err(Self::stop(eye))
        }
    }

    fn go(&self, eye: &Eye, to: DVec2) -> Result<Eye, Stop> {
        self.look(eye, to).map(|()| Eye::at(to))
    }

    fn nearest_wall(&self, at: DVec2, reach: f64) -> Option<WallTouch> {
        self.terrain.mesh().nearest_wall(at, reach)
    }

    fn still_hides(&self, _eye: &Eye, _to: DVec2, _stop: &Stop) -> bool {
        false
    }

    fn shadow(&self, _eye: &Eye, stop: &Stop, _towards: DVec2) -> [DVec2; 2] {
        stop.wall
    }

    fn least_weight(&self) -> f64 {
        self.weights.least()
    }

    fn resolution(&self) -> f64 {
        self.raster.pixel() / 16.0
    }

    fn blur(&self) -> f64 {
        0.0
    }
}
