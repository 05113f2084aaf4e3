//! A path from cell to cell, with the grid it was found on.

use super::astar::Astar;
use super::cell_path::CellPath;
use super::detour::OnGrid;
use super::figures::path_of;
use super::goals::Goals;
use super::smooth::{Smoothing, cost_of, smoothed};
use super::targets::{SETTLE, Target, goals, settled};
use super::taut::Line;
use super::traversable_cells::TraversableCells;
use crate::document::Profile;
use crate::nav::NavData;
use crate::nav::voxel::{Borders, CellPlace, Footing, LevelVoxels, Reach, SurfaceCell, SurfaceId};
use crate::planner::{Path, PathRequest};
use glam::DVec3;
use std::sync::Arc;
use std::time::Instant;

#[derive(Clone, Debug)]
pub struct CellLeg {
    pub(super) level: Arc<LevelVoxels>,
    pub(super) footing: Arc<Footing>,
    pub(super) borders: Borders,
    path: CellPath,
    /// Coordinates of the path's cells. Valid in every grid of this frame.
    places: Vec<CellPlace>,
}

impl CellLeg {
    #[must_use]
    pub fn new(
        level: Arc<LevelVoxels>,
        footing: Arc<Footing>,
        borders: Borders,
        path: CellPath,
    ) -> Self {
        let surfaces = level.surfaces();
        let place = |id: &SurfaceId| surfaces.get(*id).map(SurfaceCell::place);
        Self {
            places: path.cells.iter().filter_map(place).collect(),
            level,
            footing,
            borders,
            path,
        }
    }

    /// The path to the nearest target, away from walls where possible, and the number of cells
    /// expanded. Runs at once: for measurements and tests.
    #[must_use]
    pub fn plan(
        search: &mut Astar,
        level: &Arc<LevelVoxels>,
        profile: &Profile,
        from: DVec3,
        targets: &[Target],
        smoothing: Smoothing,
    ) -> Option<(Self, usize)> {
        let footing = level.footing(profile);
        let start = settled(level, &footing, from)?;
        let goals = goals(level, &footing, targets);
        let mut expanded = 0;
        for borders in [Borders::Avoid, Borders::Ignore] {
            let reach = Reach::new(level.surfaces(), &footing, borders);
            let traversable = TraversableCells::between(reach, &[start], &goals);
            let found = search.plan(&traversable, start, &goals);
            expanded += search.expanded().len();
            if let Some(path) = found {
                let path = smoothed(&traversable, &path, smoothing);
                let leg = Self::new(Arc::clone(level), Arc::clone(&footing), borders, path);
                return Some((leg, expanded));
            }
        }
        None
    }

    #[must_use]
    pub const fn path(&self) -> &CellPath {
        &self.path
    }

    #[must_use]
    pub const fn level(&self) -> &Arc<LevelVoxels> {
        &self.level
    }

    #[must_use]
    pub fn places(&self) -> &[CellPlace] {
        &self.places
    }

    /// Whether it passes through the border.
    #[must_use]
    pub fn is_squeezed(&self) -> bool {
        self.borders == Borders::Ignore
    }

    /// As points on the ground, one per cell.
    #[must_use]
    pub fn points(&self) -> Vec<DVec3> {
        self.path.points(self.level.surfaces())
    }

    /// As a path from the exact start of a request to its exact goal. Where free space is at hand, a
    /// taut string keeps the body's radius.
    #[must_use]
    pub fn path_for(&self, request: &PathRequest, nav: Option<&NavData>, expanded: usize) -> Path {
        let clock = Instant::now();
        let reach = Reach::new(self.level.surfaces(), &self.footing, self.borders);
        let cells = &self.path.cells;
        let ends: Vec<SurfaceId> = cells.first().into_iter().copied().collect();
        let goals = Goals::new(self.level.surfaces(), cells.last().copied());
        let traversable = TraversableCells::between(reach, &ends, &goals);
        let line = Line::of(&self.level, traversable, nav, &self.path, request);
        let path = path_of(&self.level, &line, &self.path, request);
        Path {
            expanded,
            plan_micros: path.plan_micros + clock.elapsed().as_secs_f64() * 1e6,
            remarks: line.remarks(),
            ..path
        }
    }

    /// This path in another state of the grid; `None` if one of its cells is gone.
    pub(super) fn moved_to(&self, level: &Arc<LevelVoxels>, footing: Arc<Footing>) -> Option<Self> {
        let surfaces = level.surfaces();
        let cells = self.places.iter().map(|place| surfaces.at(*place));
        let path = CellPath {
            cells: cells.collect::<Option<_>>()?,
            ..self.path.clone()
        };
        Some(Self::new(Arc::clone(level), footing, self.borders, path))
    }

    pub(super) fn on_grid(&self) -> OnGrid<'_> {
        OnGrid {
            level: &self.level,
            path: &self.path,
        }
    }

    /// The index of the cell that an agent at this position is on; `None` if it is too far from the
    /// path.
    #[must_use]
    pub fn cell_at(&self, place: DVec3) -> Option<usize> {
        let points = self.points();
        let frame = &self.level.surfaces().frame;
        let reach = f64::from(SETTLE + 1) * frame.cell.hypot(frame.cell);
        let ends = points.iter().skip(1).chain(points.last());
        let (distance, cell) = points
            .iter()
            .zip(ends)
            .enumerate()
            .map(|(index, (a, b))| {
                let along = *b - *a;
                let share = (place - *a).dot(along) / along.length_squared();
                // A single point is its own end.
                let share = if share.is_finite() {
                    share.clamp(0.0, 1.0)
                } else {
                    0.0
                };
                let distance = (*a + along * share).distance(place);
                (distance, index + usize::from(share > 0.5))
            })
            .min_by(|a, b| a.0.total_cmp(&b.0))?;
        (distance <= reach).then_some(cell)
    }

    /// The cells ahead of a cell, with their ids in another grid.
    pub(super) fn rest(&self, level: &LevelVoxels, at: usize) -> Option<CellPath> {
        let surfaces = level.surfaces();
        let ahead = self.places[at..].iter().map(|place| surfaces.at(*place));
        let cells: Vec<SurfaceId> = ahead.collect::<Option<_>>()?;
        let mut junctions = vec![0];
        let later = self.path.junctions.iter().filter(|index| **index > at);
        junctions.extend(later.map(|index| index - at));
        let reach = Reach::new(surfaces, &self.footing, self.borders);
        Some(CellPath {
            actions: self.path.actions[at..].to_vec(),
            cost: cost_of(&TraversableCells::new(reach), &cells),
            junctions,
            cells,
        })
    }
}
