//! What a character sees, weighs and walks on: exactly, or on a raster.

use crate::nav::terrain::fine_raster::FineRaster;
use crate::nav::terrain::sight::{CellSight, is_between, look, look_from};
use crate::nav::terrain::{KindId, Sight, Stop, TerrainMap, TriangleId, WallTouch, Weights};
use crate::nav::{CellId, CellMap};
use glam::DVec2;

/// A character's position and its location in the underlying structures.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Eye {
    pub at: DVec2,
    pub(super) triangle: Option<TriangleId>,
    pub(super) cell: Option<CellId>,
    /// A point known to be visible: it was before, and the character moved straight towards it.
    pub(super) sees: Option<DVec2>,
}

impl Eye {
    /// A position without known location.
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
    /// A character at a point; `None` where it does not fit.
    fn eye(&self, at: DVec2) -> Option<Eye>;

    /// Cost of the straight line to a point, Σ w(T)·l_T.
    ///
    /// # Errors
    /// Where the line is blocked.
    fn weigh(&self, eye: &Eye, to: DVec2) -> Result<f64, Stop>;

    /// Cost of the straight line to a point, walls ignored; `None` once it exceeds the limit.
    fn cost_within(&self, eye: &Eye, to: DVec2, limit: f64) -> Option<f64>;

    /// Whether a point is visible.
    ///
    /// # Errors
    /// Where the line of sight ends.
    fn look(&self, eye: &Eye, to: DVec2) -> Result<(), Stop>;

    /// Moves straight to a point.
    ///
    /// # Errors
    /// The wall that blocks the line.
    fn go(&self, eye: &Eye, to: DVec2) -> Result<Eye, Stop>;

    /// The nearest point of a wall as drawn, within reach of the character's centre.
    fn nearest_wall(&self, at: DVec2, reach: f64) -> Option<WallTouch>;

    /// Whether the wall that blocked the line before certainly blocks the line to a point now.
    fn still_hides(&self, eye: &Eye, to: DVec2, stop: &Stop) -> bool;

    /// The ends of the occluding wall and, on the side of a point, those of the walls that continue
    /// it.
    fn shadow(&self, eye: &Eye, stop: &Stop, towards: DVec2) -> [DVec2; 2];

    /// The lowest cost per metre anywhere.
    fn least_weight(&self) -> f64;

    /// Resolution of visibility boundaries. Unit: metres.
    fn resolution(&self) -> f64;

    /// Error bound of a cost: costs that differ by less are equal.
    fn blur(&self) -> f64;
}

/// The triangulation and, for discs, the cells of their free space.
#[derive(Clone, Copy, Debug)]
pub struct ExactGround<'a> {
    terrain: &'a TerrainMap,
    weights: &'a Weights,
    cells: Option<&'a CellMap>,
    /// The cost per metre, if it is uniform.
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

    /// Cost of a straight line known to be free. Where it touches a wall, rounding may put it
    /// inside for a moment, which counts as the first terrain.
    #[must_use]
    pub fn cost(&self, from: DVec2, to: DVec2, hint: Option<TriangleId>) -> f64 {
        let start = self.terrain.mesh().locate(from, hint);
        let cost = self.cost_up_to(from, to, start, f64::INFINITY);
        cost.unwrap_or(f64::INFINITY)
    }

    /// From a point in a triangle or outside the level.
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

/// An eye's cell is the one it is in.
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

/// The paper's variant: a raster, read along lines. The boundary force uses the exact walls.
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
        // A blocked line is not read any further; its cost does not matter.
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
