//! Somebody on a way through cells, and what becomes of the way while things move (§8.3).

use super::astar::Astar;
use super::cell_path::CellPath;
use super::engine::settled;
use super::goals::Goals;
use super::reroute::{Rerouted, rerouted};
use super::smooth::{Smoothing, cost_of, smoothed};
use super::ways::Ways;
use crate::document::Profile;
use crate::geometry::Polygon;
use crate::nav::voxel::{Borders, CellPlace, Footing, LevelVoxels, Reach, SurfaceId};
use glam::DVec3;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Where a walk may end; of several, where one gets first.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    At(DVec3),
    /// Anywhere within an area that lies between two heights. Unit: metres.
    Region {
        area: Polygon,
        heights: RangeInclusive<f64>,
    },
}

/// What a change of the level did to a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Nothing of what lies ahead.
    None,
    /// It leads round what has come; so many cells were looked at for that.
    Mended { expanded: usize },
    /// There is no way left. The old one is kept, to go on once there is.
    Lost,
}

#[derive(Clone, Debug)]
pub struct Walk {
    profile: Arc<Profile>,
    smoothing: Smoothing,
    search: Astar,
    level: Arc<LevelVoxels>,
    footing: Arc<Footing>,
    borders: Borders,
    path: CellPath,
    /// Of the path's cells: they mean the same in every grid of this frame.
    places: Vec<CellPlace>,
}

/// The cells of all targets.
#[must_use]
pub fn goals(level: &LevelVoxels, footing: &Footing, targets: &[Target]) -> Goals {
    let surfaces = level.surfaces();
    let cells = targets.iter().flat_map(|target| match target {
        Target::At(p) => settled(level, footing, *p).into_iter().collect(),
        Target::Region { area, heights } => {
            let region = Goals::region(surfaces, footing, area, heights.clone());
            region.cells().to_vec()
        }
    });
    Goals::new(surfaces, cells)
}

impl Walk {
    /// The way to the nearest target, off walls where that leads anywhere.
    #[must_use]
    pub fn plan(
        level: &Arc<LevelVoxels>,
        profile: &Arc<Profile>,
        from: DVec3,
        targets: &[Target],
        smoothing: Smoothing,
    ) -> Option<Self> {
        let footing = level.footing(profile);
        let start = settled(level, &footing, from)?;
        let goals = goals(level, &footing, targets);
        let mut search = Astar::default();
        for borders in [Borders::Avoid, Borders::Ignore] {
            let reach = Reach::new(level.surfaces(), &footing, borders);
            let ways = Ways::between(reach, &[start], &goals);
            if let Some(path) = search.plan(&ways, start, &goals) {
                let path = smoothed(&ways, &path, smoothing);
                let mut walk = Self {
                    profile: Arc::clone(profile),
                    smoothing,
                    search,
                    level: Arc::clone(level),
                    borders,
                    path: CellPath::default(),
                    places: Vec::new(),
                    footing,
                };
                walk.take(path);
                return Some(walk);
            }
        }
        None
    }

    fn take(&mut self, path: CellPath) {
        let surfaces = self.level.surfaces();
        let place = |id: &SurfaceId| surfaces.get(*id).map(|cell| cell.place());
        self.places = path.cells.iter().filter_map(place).collect();
        self.path = path;
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
    pub const fn footing(&self) -> &Arc<Footing> {
        &self.footing
    }

    /// Whether it leads through the border.
    #[must_use]
    pub fn is_squeezed(&self) -> bool {
        self.borders == Borders::Ignore
    }

    /// The way as points on the ground, one for each cell.
    #[must_use]
    pub fn points(&self) -> Vec<DVec3> {
        self.path.points(self.level.surfaces())
    }

    /// Something has moved while one is at cell number `at`: from there on only what is ruptured is
    /// searched for anew, and smoothed again. What lies behind is forgotten: the walk begins where one
    /// is, but where it is lost or the level is the same as before.
    pub fn update(&mut self, level: &Arc<LevelVoxels>, at: usize) -> Change {
        if Arc::ptr_eq(level, &self.level) || self.places.len() < 2 {
            return Change::None;
        }
        if level.voxels.frame() != self.level.voxels.frame() {
            return Change::Lost;
        }
        let at = at.min(self.places.len() - 1);
        let footing = level.footing(&self.profile);
        for borders in [self.borders, Borders::Ignore] {
            let reach = Reach::new(level.surfaces(), &footing, borders);
            let (path, change) =
                match rerouted(&mut self.search, reach, &self.places, at, self.smoothing) {
                    Rerouted::Lost => continue,
                    Rerouted::Intact => match self.rest(level, at) {
                        Some(path) => (path, Change::None),
                        None => continue,
                    },
                    Rerouted::Mended { path, expanded, .. } => (path, Change::Mended { expanded }),
                };
            self.level = Arc::clone(level);
            self.footing = footing;
            self.borders = borders;
            self.take(path);
            return change;
        }
        Change::Lost
    }

    /// What lies ahead, with the numbers that its cells have in another grid.
    fn rest(&self, level: &LevelVoxels, at: usize) -> Option<CellPath> {
        let surfaces = level.surfaces();
        let ahead = self.places[at..].iter().map(|place| surfaces.at(*place));
        let cells: Vec<SurfaceId> = ahead.collect::<Option<_>>()?;
        let mut junctions = vec![0];
        let later = self.path.junctions.iter().filter(|index| **index > at);
        junctions.extend(later.map(|index| index - at));
        let reach = Reach::new(surfaces, &self.footing, self.borders);
        Some(CellPath {
            actions: self.path.actions[at..].to_vec(),
            cost: cost_of(&Ways::new(reach), &cells),
            junctions,
            cells,
        })
    }
}
