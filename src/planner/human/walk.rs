//! Somebody on a way through cells, and what becomes of the way while things move (§8.3).

use super::astar::Astar;
use super::cell_path::CellPath;
use super::detour::{Detour, Loss, OnGrid};
use super::engine::settled;
use super::figures::way_of;
use super::goals::Goals;
use super::reroute::{Rerouted, rerouted};
use super::smooth::{Smoothing, cost_of, smoothed};
use super::ways::Ways;
use crate::document::Profile;
use crate::geometry::Polygon;
use crate::nav::voxel::{Borders, CellPlace, Footing, LevelVoxels, Reach, SurfaceCell, SurfaceId};
use crate::planner::{Path, PathRequest};
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

impl Target {
    /// Where a way may end: at a place, or in an area. That is drawn in plan, so every storey of it
    /// counts, and the nearest is taken.
    #[must_use]
    pub fn all(area: Option<&[Polygon]>, place: DVec3) -> Vec<Self> {
        match area {
            Some(areas) => areas
                .iter()
                .map(|area| Self::Region {
                    area: area.clone(),
                    heights: f64::NEG_INFINITY..=f64::INFINITY,
                })
                .collect(),
            None => vec![Self::At(place)],
        }
    }
}

/// What a change of the level did to a walk.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Change {
    /// Nothing of what lies ahead.
    #[default]
    None,
    /// It leads round what has come.
    Mended(Detour),
    /// There is no way left. The old one is kept, to go on once there is.
    Lost(Loss),
    /// Cells are others than they were: nothing can be said of the old ones.
    Other,
}

#[derive(Clone, Debug)]
pub struct Walk {
    profile: Arc<Profile>,
    smoothing: Smoothing,
    level: Arc<LevelVoxels>,
    footing: Arc<Footing>,
    borders: Borders,
    path: CellPath,
    /// Cells that were looked at to plan it.
    expanded: usize,
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
        search: &mut Astar,
        level: &Arc<LevelVoxels>,
        profile: &Arc<Profile>,
        from: DVec3,
        targets: &[Target],
        smoothing: Smoothing,
    ) -> Option<Self> {
        let footing = level.footing(profile);
        let start = settled(level, &footing, from)?;
        let goals = goals(level, &footing, targets);
        let mut expanded = 0;
        for borders in [Borders::Avoid, Borders::Ignore] {
            let reach = Reach::new(level.surfaces(), &footing, borders);
            let ways = Ways::between(reach, &[start], &goals);
            let found = search.plan(&ways, start, &goals);
            expanded += search.expanded().len();
            if let Some(path) = found {
                let path = smoothed(&ways, &path, smoothing);
                let mut walk = Self {
                    profile: Arc::clone(profile),
                    smoothing,
                    level: Arc::clone(level),
                    borders,
                    path: CellPath::default(),
                    expanded,
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
        let place = |id: &SurfaceId| surfaces.get(*id).map(SurfaceCell::place);
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
    pub const fn profile(&self) -> &Arc<Profile> {
        &self.profile
    }

    #[must_use]
    pub const fn footing(&self) -> &Arc<Footing> {
        &self.footing
    }

    #[must_use]
    pub const fn expanded(&self) -> usize {
        self.expanded
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

    /// The way for somebody who goes from `start` to `goal`, without its clearance.
    #[must_use]
    pub fn way(&self, start: DVec3, goal: DVec3) -> Path {
        let request = PathRequest::in_space(start, goal);
        way_of(&self.level, &self.path, &request)
    }

    /// Something has moved while one is at cell number `at`: from there on only what is ruptured is
    /// searched for anew, and smoothed again. What lies behind is forgotten: the walk begins where one
    /// is, but where it is lost or the level is the same as before.
    pub fn update(&mut self, search: &mut Astar, level: &Arc<LevelVoxels>, at: usize) -> Change {
        if Arc::ptr_eq(level, &self.level) || self.places.len() < 2 {
            return Change::None;
        }
        if level.voxels.frame() != self.level.voxels.frame() {
            return Change::Other;
        }
        let at = at.min(self.places.len() - 1);
        let footing = level.footing(&self.profile);
        let mut lost = 0;
        for borders in [self.borders, Borders::Ignore] {
            let reach = Reach::new(level.surfaces(), &footing, borders);
            let (path, change) = match rerouted(search, reach, &self.places, at, self.smoothing) {
                Rerouted::Lost { at } => {
                    lost = at;
                    continue;
                }
                Rerouted::Intact => match self.rest(level, at) {
                    Some(path) => (path, Change::None),
                    None => continue,
                },
                Rerouted::Mended {
                    path,
                    rupture,
                    expanded,
                    ..
                } => {
                    let new = OnGrid { level, path: &path };
                    let detour = Detour::between(self.on_grid(), at, new, rupture, expanded);
                    (path, Change::Mended(detour))
                }
            };
            self.level = Arc::clone(level);
            self.footing = footing;
            self.borders = borders;
            self.take(path);
            return change;
        }
        Change::Lost(Loss::of(self.on_grid(), lost, level, &footing))
    }

    fn on_grid(&self) -> OnGrid<'_> {
        OnGrid {
            level: &self.level,
            path: &self.path,
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::template::{Options, Template};
    use crate::document::{Edit, Kind, KindName, Level, ops};
    use crate::geometry::Rect;
    use crate::jobs::JobContext;
    use crate::nav::voxel::VoxelOptions;
    use glam::DVec2;

    fn stairs() -> Level {
        Template::Stairs.build(&Options::default()).expect("drawn")
    }

    fn built(level: &Level, before: Option<&LevelVoxels>) -> Arc<LevelVoxels> {
        let options = VoxelOptions::default();
        let built = LevelVoxels::build(level, &options, before, &JobContext::default());
        Arc::new(built.expect("small enough"))
    }

    fn profile(level: &Level, name: &str) -> Arc<Profile> {
        let id = level.find(KindName::Profile, name).expect("there");
        match &level.get(id).expect("there").kind {
            Kind::Profile(profile) => Arc::new(profile.clone()),
            _ => panic!("no profile"),
        }
    }

    /// The level with the crate of the balcony somewhere else.
    fn with_crate_at(level: &Level, x: f64, y: f64, width: f64) -> Level {
        let id = level
            .find(KindName::Solid, "Crate on the balcony")
            .expect("there");
        let mut entity = (**level.get(id).expect("there")).clone();
        if let Kind::Solid(solid) = &mut entity.kind {
            (solid.position.x, solid.position.y) = (x, y);
            solid.size.y = width;
        }
        ops::apply(level, &[Edit::replace(id, entity)]).expect("valid")
    }

    fn check(walk: &Walk) {
        let reach = Reach::new(walk.level.surfaces(), &walk.footing, walk.borders);
        let CellPath { cells, actions, .. } = walk.path();
        assert_eq!(cells.len(), actions.len());
        for (pair, action) in cells.windows(2).zip(&actions[1..]) {
            assert_eq!(reach.action(pair[0], pair[1]), Some(*action));
        }
        assert_eq!(walk.path().junctions.last(), Some(&(cells.len() - 1)));
        assert_eq!(walk.points().len(), cells.len());
    }

    #[test]
    fn a_crate_on_the_balcony_ruptures_the_way_and_only_its_middle_changes() {
        let level = stairs();
        let before = built(&level, None);
        let adult = profile(&level, "Adult");
        let (from, to) = (DVec3::new(3.0, 9.0, 3.06), DVec3::new(12.0, 9.0, 3.06));
        let plan = |voxels: &Arc<LevelVoxels>| {
            Walk::plan(
                &mut Astar::default(),
                voxels,
                &adult,
                from,
                &[Target::At(to)],
                Smoothing::Junctions,
            )
        };
        let first = plan(&before).expect("over the gap");
        check(&first);
        let search = &mut Astar::default();
        // Somewhere else nothing happens, and the walk goes on from where one is.
        let aside = with_crate_at(&level, 8.6, 7.6, 0.4);
        let aside = built(&aside, Some(&before));
        let mut walk = first.clone();
        assert_eq!(walk.update(search, &aside, 3), Change::None);
        check(&walk);
        assert_eq!(walk.path().cells.len(), first.path().cells.len() - 3);
        // Onto the way.
        let blocked = with_crate_at(&level, 8.6, 9.0, 1.0);
        let voxels = built(&blocked, Some(&before));
        let fresh = built(&blocked, None);
        assert!(voxels.voxels.touched.len() < fresh.voxels.touched.len());
        assert_eq!(voxels.voxels.grid, fresh.voxels.grid);
        assert_eq!(voxels.surfaces(), fresh.surfaces());
        assert_eq!(voxels.footing(&adult), fresh.footing(&adult));
        let mut walk = first.clone();
        let Change::Mended(detour) = walk.update(search, &voxels, 0) else {
            panic!("the crate stands on the way");
        };
        let crate_id = level
            .find(KindName::Solid, "Crate on the balcony")
            .expect("there");
        assert_eq!(detour.around, [crate_id]);
        assert!(detour.kept > 0.3 && detour.kept < 0.95, "{}", detour.kept);
        assert!(detour.length() >= detour.old_length());
        // What is left leads through the crate, what is walked instead does not.
        let is_inside = |p: &DVec3| (p.x - 8.6).abs() < 0.3 && (p.y - 9.0).abs() < 0.5;
        assert!(detour.old.iter().any(is_inside) && !detour.new.iter().any(is_inside));
        for (a, b) in [
            (detour.old.first(), detour.new.first()),
            (detour.old.last(), detour.new.last()),
        ] {
            assert!(a.expect("there").distance(*b.expect("there")) < 0.3);
        }
        let expanded = detour.expanded;
        check(&walk);
        assert_eq!(walk.places.first(), first.places.first());
        assert_eq!(walk.places.last(), first.places.last());
        // What was planned anew from the start is no shorter than what was mended by more than a
        // smoothing, and took more looking.
        let anew = plan(&fresh).expect("round the crate");
        assert!(walk.path().cost >= anew.path().cost);
        assert!(expanded < first.path().cells.len() * 60, "{expanded}");
        // A crate from wall to wall leaves no way; the old one is kept and goes on once it is gone.
        let shut = with_crate_at(&level, 8.6, 9.04, 4.0);
        let shut = built(&shut, Some(&voxels));
        let kept = walk.path().clone();
        let Change::Lost(loss) = walk.update(search, &shut, 2) else {
            panic!("nothing leads round");
        };
        assert_eq!(loss.blocker(), Some(crate_id));
        assert!((loss.at.x - 8.6).abs() < 0.8, "{}", loss.at);
        let words = loss.sentence(|id| level.label(id));
        assert!(
            words.contains("blocked at") && words.contains("Crate on the balcony"),
            "{words}"
        );
        assert_eq!(*walk.path(), kept);
        assert_eq!(walk.update(search, &before, 0), Change::None);
        check(&walk);
    }

    #[test]
    fn of_several_targets_and_of_a_region_the_nearest_is_gone_to() {
        let level = stairs();
        let voxels = built(&level, None);
        let adult = profile(&level, "Adult");
        let from = DVec3::new(9.0, 2.0, 0.0);
        let plan = |targets: &[Target]| {
            let search = &mut Astar::default();
            Walk::plan(search, &voxels, &adult, from, targets, Smoothing::Junctions)
        };
        let near = Target::At(DVec3::new(11.5, 6.5, 0.0));
        let far = Target::At(DVec3::new(9.0, 9.0, 3.06));
        let both = plan(&[far.clone(), near.clone()]).expect("a way");
        let one = plan(&[near]).expect("a way");
        assert_eq!(both.path().cost, one.path().cost);
        let area = |z: f64| Target::Region {
            area: Polygon::rect(Rect::new(DVec2::new(7.0, 8.0), DVec2::new(11.0, 10.0))),
            heights: z - 0.3..=z + 0.3,
        };
        let [floor, balcony] = [0.0, 3.06].map(|z| plan(&[area(z)]).expect("a way"));
        for (walk, z) in [(&floor, 0.0), (&balcony, 3.06)] {
            check(walk);
            let end = *walk.points().last().expect("a way has points");
            assert!((end.z - z).abs() < 0.2, "{end}");
            assert!((7.0..=11.0).contains(&end.x) && (8.0..=10.0).contains(&end.y));
        }
        assert!(balcony.path().cost > floor.path().cost);
        // Any cell of the region is as far or further.
        let whole = plan(&[far]).expect("a way");
        assert!(whole.path().cost >= balcony.path().cost);
        assert!(plan(&[area(50.0)]).is_none() && plan(&[]).is_none());
    }
}
