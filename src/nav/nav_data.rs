//! Everything that planners read, for one radius.

use super::blocks::Blocks;
use super::cell_changes::KnownChanges;
use super::cell_map::CellMap;
use super::constraint::{Highways, Lattice, Triangles};
use super::corners::Corners;
use super::free_space::{Blocker, FreeSpace};
use super::lineage::Lineage;
use super::needs::Needs;
use super::pinches::Pinches;
use super::portal_graph::PortalGraph;
use super::shared_nav::SharedNav;
use super::stages::NavSpace;
use super::voxel::Borders;
use crate::base::EntityId;
use crate::document::{Kind, Level, Profile};
use crate::geometry::lattice::LATTICE;
use crate::geometry::{HeightField, Rect};
use crate::jobs::{Cancelled, JobContext};
use glam::DVec2;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// What searches derive from the cells of one radius on first use.
#[derive(Debug, Default)]
pub(super) struct CellTables {
    pinches: OnceLock<Pinches>,
    blocks: OnceLock<Arc<Blocks>>,
    corners: OnceLock<Corners>,
    whole: OnceLock<PortalGraph>,
    thirds: OnceLock<PortalGraph>,
    tenths: OnceLock<PortalGraph>,
    lattices: Mutex<Vec<Arc<Lattice>>>,
    /// Highways with the lattice they are for.
    highways: Mutex<Vec<(Arc<Lattice>, Arc<Highways>)>>,
    pub(super) changes: KnownChanges,
}

/// Lattices and highways that are kept: one for each spacing in use.
const MOST_LATTICES: usize = 8;

/// Free space and cells for one radius, the ground, and what is common to all radii: a handle on
/// parts of a [bundle](super::NavBundle), cheap to clone.
#[derive(Clone, Debug)]
pub struct NavData {
    space: Arc<NavSpace>,
    shared: Arc<SharedNav>,
    pub(super) lineage: Lineage,
}

impl NavData {
    pub(super) const fn new(
        space: Arc<NavSpace>,
        shared: Arc<SharedNav>,
        lineage: Lineage,
    ) -> Self {
        Self {
            space,
            shared,
            lineage,
        }
    }

    #[must_use]
    pub const fn space(&self) -> &Arc<NavSpace> {
        &self.space
    }

    #[must_use]
    pub fn free(&self) -> &FreeSpace {
        &self.space.free
    }

    #[must_use]
    pub fn cells(&self) -> &CellMap {
        &self.space.merged
    }

    #[must_use]
    pub fn level(&self) -> &Arc<Level> {
        self.shared.level()
    }

    #[must_use]
    pub fn ground(&self) -> Option<&HeightField> {
        self.shared.ground().map(|ground| &**ground)
    }

    /// What blocks the plan, in the level's order.
    pub fn blockers(&self) -> impl Iterator<Item = &Blocker> {
        self.space.free.blockers()
    }

    /// A blocker's label.
    #[must_use]
    pub fn label(&self, id: EntityId) -> String {
        let level = self.level();
        match level.get(id).map(|entity| &entity.kind) {
            Some(Kind::Obstacle(_) | Kind::Solid(_)) => level.label(id),
            Some(Kind::Door(_)) => self.shared.label(id),
            _ => "an obstacle".to_owned(),
        }
    }

    #[must_use]
    pub fn bounds(&self) -> Rect {
        self.space.free.bounds
    }

    #[must_use]
    pub const fn shared(&self) -> &Arc<SharedNav> {
        &self.shared
    }

    /// Builds shared parts now. Otherwise they are built on first use, which cannot be cancelled.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn prepare(&self, parts: Needs, ctx: &JobContext) -> Result<(), Cancelled> {
        self.shared.prepare(parts, ctx, &mut Vec::new())
    }

    #[must_use]
    pub fn pinches(&self) -> &Pinches {
        let tables = &self.space.tables;
        tables.pinches.get_or_init(|| Pinches::of(self.cells()))
    }

    /// What dead ends are told by.
    #[must_use]
    pub fn blocks(&self) -> &Arc<Blocks> {
        let tables = &self.space.tables;
        tables
            .blocks
            .get_or_init(|| Arc::new(Blocks::of(self.cells())))
    }

    #[must_use]
    pub fn corners(&self) -> &Corners {
        let tables = &self.space.tables;
        tables
            .corners
            .get_or_init(|| Corners::of(self.cells(), self.blocks()))
    }

    /// A node for each portal.
    #[must_use]
    pub fn whole_portals(&self) -> &PortalGraph {
        let tables = &self.space.tables;
        tables
            .whole
            .get_or_init(|| PortalGraph::new(self.cells(), self.blocks(), None))
    }

    /// Portals cut to at most a third of the map's width.
    #[must_use]
    pub fn third_portals(&self) -> &PortalGraph {
        self.space.tables.thirds.get_or_init(|| self.cut(3.0))
    }

    /// Portals cut to at most a tenth of the map's width.
    #[must_use]
    pub fn tenth_portals(&self) -> &PortalGraph {
        self.space.tables.tenths.get_or_init(|| self.cut(10.0))
    }

    /// Dense states in free space, about this far apart. Unit: metres.
    #[must_use]
    pub fn lattice(&self, spacing: f64) -> Arc<Lattice> {
        let mut known = locked(&self.space.tables.lattices);
        if let Some(lattice) = known.iter().find(|lattice| lattice.is_for(spacing)) {
            return Arc::clone(lattice);
        }
        // A job that is known here alone is never cancelled.
        let ctx = JobContext::default();
        let built = Lattice::plane(self.bounds(), self.cells(), spacing, &ctx);
        let lattice = Arc::new(built.unwrap_or_default());
        keep(&mut known, Arc::clone(&lattice));
        lattice
    }

    /// Dense states on the surfaces that a body can stand on; `None` if the level is too large for
    /// its cells.
    #[must_use]
    pub fn storey_lattice(
        &self,
        profile: &Profile,
        spacing: f64,
        borders: Borders,
    ) -> Option<Arc<Lattice>> {
        let voxels = self.shared.voxels().ok()?;
        Some(voxels.lattice(profile, spacing, borders))
    }

    /// The highways of a lattice over this free space.
    #[must_use]
    pub fn highways(&self, lattice: &Arc<Lattice>) -> Arc<Highways> {
        let mut known = locked(&self.space.tables.highways);
        if let Some((_, highways)) = known.iter().find(|(of, _)| Arc::ptr_eq(of, lattice)) {
            return Arc::clone(highways);
        }
        let triangles = Triangles::build(self.free(), self.cells(), None);
        let highways = Arc::new(Highways::over(lattice, &triangles));
        keep(&mut known, (Arc::clone(lattice), Arc::clone(&highways)));
        highways
    }

    fn cut(&self, parts: f64) -> PortalGraph {
        let width = self.bounds().size().x / parts;
        PortalGraph::new(self.cells(), self.blocks(), Some(width))
    }
}

fn locked<T>(list: &Mutex<Vec<T>>) -> std::sync::MutexGuard<'_, Vec<T>> {
    list.lock().unwrap_or_else(PoisonError::into_inner)
}

fn keep<T>(list: &mut Vec<T>, item: T) {
    if list.len() >= MOST_LATTICES {
        list.remove(0);
    }
    list.push(item);
}

/// Points this close to free space count as in it: its corners are rounded to the lattice.
const NEAR: [f64; 2] = [LATTICE, 2.0 * LATTICE];

impl NavData {
    /// The point itself, or the nearest one in free space; unchanged if there is none.
    #[must_use]
    pub fn placed(&self, p: DVec2) -> DVec2 {
        if self.cells().locate(p).is_some() {
            return p;
        }
        NEAR.into_iter()
            .flat_map(|distance| {
                (0..8).map(move |i| {
                    p + distance * DVec2::from_angle(f64::from(i) * std::f64::consts::FRAC_PI_4)
                })
            })
            .find(|q| self.cells().locate(*q).is_some())
            .unwrap_or(p)
    }

    /// Whether a place is in free space, or next to it.
    #[must_use]
    pub fn is_placed(&self, p: DVec2) -> bool {
        self.cells().locate(self.placed(p)).is_some()
    }
}
