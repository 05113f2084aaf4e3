//! All that planners stand on, for one radius.

use super::optimal::Corners;
use super::places::Pinches;
use super::portal::PortalGraph;
use crate::base::EntityId;
use crate::document::Level;
use crate::geometry::{HeightField, Polygon, Rect};
use crate::jobs::{Cancelled, JobContext};
use crate::nav::{CellMap, FreeSpace, Trapezoids, free_space::Input};
use std::sync::{Arc, OnceLock};

/// Something that nobody walks through, with the name that explanations use.
#[derive(Clone, Debug, PartialEq)]
pub struct Blocker {
    pub id: EntityId,
    pub label: String,
    pub area: Polygon,
}

/// Free space and cells for one radius, and what searches derive from them when first asked.
#[derive(Debug)]
pub struct NavData {
    free: Arc<FreeSpace>,
    cells: Arc<CellMap>,
    blockers: Vec<Blocker>,
    ground: Option<Arc<HeightField>>,
    pinches: Pinches,
    corners: OnceLock<Corners>,
    whole: OnceLock<PortalGraph>,
    thirds: OnceLock<PortalGraph>,
    tenths: OnceLock<PortalGraph>,
}

impl NavData {
    /// From what was baked already. `blockers` are for explanations alone.
    #[must_use]
    pub fn new(
        free: Arc<FreeSpace>,
        cells: Arc<CellMap>,
        blockers: Vec<Blocker>,
        ground: Option<Arc<HeightField>>,
    ) -> Self {
        Self {
            pinches: Pinches::of(&cells),
            free,
            cells,
            blockers,
            ground,
            corners: OnceLock::new(),
            whole: OnceLock::new(),
            thirds: OnceLock::new(),
            tenths: OnceLock::new(),
        }
    }

    /// Bakes a level for agents of one radius.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn of_level(level: &Level, radius: f64, ctx: &JobContext) -> Result<Self, Cancelled> {
        let input = Input::of_level(level);
        let blockers = named(level, &input);
        let free = FreeSpace::build(input, radius, ctx)?;
        let cells = Trapezoids::build(&free, ctx)?.merged;
        let ground = level.ground().cloned();
        Ok(Self::new(free.into(), cells, blockers, ground))
    }

    #[must_use]
    pub fn free(&self) -> &FreeSpace {
        &self.free
    }

    #[must_use]
    pub fn cells(&self) -> &CellMap {
        &self.cells
    }

    #[must_use]
    pub fn ground(&self) -> Option<&HeightField> {
        self.ground.as_deref()
    }

    #[must_use]
    pub fn blockers(&self) -> &[Blocker] {
        &self.blockers
    }

    /// What a blocker is called.
    #[must_use]
    pub fn label(&self, id: EntityId) -> &str {
        self.blockers
            .iter()
            .find(|blocker| blocker.id == id)
            .map_or("an obstacle", |blocker| &blocker.label)
    }

    #[must_use]
    pub fn bounds(&self) -> Rect {
        self.free.bounds
    }

    #[must_use]
    pub const fn pinches(&self) -> &Pinches {
        &self.pinches
    }

    #[must_use]
    pub fn corners(&self) -> &Corners {
        self.corners.get_or_init(|| Corners::of(&self.cells))
    }

    /// A node for each portal.
    #[must_use]
    pub fn whole_portals(&self) -> &PortalGraph {
        self.whole
            .get_or_init(|| PortalGraph::new(&self.cells, None))
    }

    /// Portals cut to at most a third of the map's width.
    #[must_use]
    pub fn third_portals(&self) -> &PortalGraph {
        self.thirds.get_or_init(|| self.cut(3.0))
    }

    /// Portals cut to at most a tenth of the map's width.
    #[must_use]
    pub fn tenth_portals(&self) -> &PortalGraph {
        self.tenths.get_or_init(|| self.cut(10.0))
    }

    fn cut(&self, parts: f64) -> PortalGraph {
        PortalGraph::new(&self.cells, Some(self.bounds().size().x / parts))
    }
}

/// The blockers of free space with their labels in the level.
#[must_use]
pub fn named(level: &Level, input: &Input) -> Vec<Blocker> {
    input
        .blockers
        .iter()
        .map(|blocker| Blocker {
            id: blocker.id,
            label: level.label(blocker.id),
            area: blocker.area.clone(),
        })
        .collect()
}
