//! All that planners stand on, for one radius.

use super::optimal::Corners;
use super::places::Pinches;
use super::portal::PortalGraph;
use crate::base::EntityId;
use crate::document::Level;
use crate::geometry::lattice::LATTICE;
use crate::geometry::{HeightField, Polygon, Rect};
use crate::jobs::{Cancelled, JobContext};
use crate::nav::{CellMap, Commons, FreeSpace, Trapezoids, free_space::Input};
use glam::DVec2;
use std::sync::{Arc, OnceLock};

/// Something that nobody walks through, with the name that explanations use.
#[derive(Clone, Debug, PartialEq)]
pub struct Blocker {
    pub id: EntityId,
    pub label: String,
    pub area: Polygon,
}

/// What a body of one radius plans on, and what searches derive from it when first asked.
#[derive(Debug)]
struct Room {
    free: Arc<FreeSpace>,
    cells: Arc<CellMap>,
    blockers: Vec<Blocker>,
    pinches: Pinches,
    corners: OnceLock<Corners>,
    whole: OnceLock<PortalGraph>,
    thirds: OnceLock<PortalGraph>,
    tenths: OnceLock<PortalGraph>,
}

/// Free space and cells for one radius, the ground, and what is common to all radii.
#[derive(Clone, Debug)]
pub struct NavData {
    room: Arc<Room>,
    ground: Option<Arc<HeightField>>,
    commons: Arc<Commons>,
}

impl NavData {
    /// From what was baked already. `blockers` are for explanations alone.
    #[must_use]
    pub fn new(
        free: Arc<FreeSpace>,
        cells: Arc<CellMap>,
        blockers: Vec<Blocker>,
        ground: Option<Arc<HeightField>>,
        commons: Arc<Commons>,
    ) -> Self {
        let room = Room {
            pinches: Pinches::of(&cells),
            free,
            cells,
            blockers,
            corners: OnceLock::new(),
            whole: OnceLock::new(),
            thirds: OnceLock::new(),
            tenths: OnceLock::new(),
        };
        Self {
            room: Arc::new(room),
            ground,
            commons,
        }
    }

    /// The same room on other ground, or with other terrain or solids about it.
    #[must_use]
    pub fn with(&self, ground: Option<Arc<HeightField>>, commons: Arc<Commons>) -> Self {
        Self {
            room: Arc::clone(&self.room),
            ground,
            commons,
        }
    }

    /// Bakes a level for agents of one radius.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn of_level(level: &Level, radius: f64, ctx: &JobContext) -> Result<Self, Cancelled> {
        Self::with_commons(level, radius, Commons::of(level, None), ctx)
    }

    /// The same with what was chosen for all radii.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn with_commons(
        level: &Level,
        radius: f64,
        commons: Commons,
        ctx: &JobContext,
    ) -> Result<Self, Cancelled> {
        let input = Input::of_level(level);
        let blockers = named(level, &input);
        let free = FreeSpace::build(input, radius, ctx)?;
        let cells = Trapezoids::build(&free, ctx)?.merged;
        let ground = level.ground().cloned();
        let commons = Arc::new(commons);
        Ok(Self::new(free.into(), cells, blockers, ground, commons))
    }

    #[must_use]
    pub fn free(&self) -> &FreeSpace {
        &self.room.free
    }

    #[must_use]
    pub fn cells(&self) -> &CellMap {
        &self.room.cells
    }

    #[must_use]
    pub fn ground(&self) -> Option<&HeightField> {
        self.ground.as_deref()
    }

    #[must_use]
    pub fn blockers(&self) -> &[Blocker] {
        &self.room.blockers
    }

    /// What a blocker is called.
    #[must_use]
    pub fn label(&self, id: EntityId) -> &str {
        self.room
            .blockers
            .iter()
            .find(|blocker| blocker.id == id)
            .map_or("an obstacle", |blocker| &blocker.label)
    }

    #[must_use]
    pub fn bounds(&self) -> Rect {
        self.room.free.bounds
    }

    #[must_use]
    pub fn commons(&self) -> &Commons {
        &self.commons
    }

    #[must_use]
    pub fn pinches(&self) -> &Pinches {
        &self.room.pinches
    }

    #[must_use]
    pub fn corners(&self) -> &Corners {
        self.room
            .corners
            .get_or_init(|| Corners::of(&self.room.cells))
    }

    /// A node for each portal.
    #[must_use]
    pub fn whole_portals(&self) -> &PortalGraph {
        self.room
            .whole
            .get_or_init(|| PortalGraph::new(&self.room.cells, None))
    }

    /// Portals cut to at most a third of the map's width.
    #[must_use]
    pub fn third_portals(&self) -> &PortalGraph {
        self.room.thirds.get_or_init(|| self.cut(3.0))
    }

    /// Portals cut to at most a tenth of the map's width.
    #[must_use]
    pub fn tenth_portals(&self) -> &PortalGraph {
        self.room.tenths.get_or_init(|| self.cut(10.0))
    }

    fn cut(&self, parts: f64) -> PortalGraph {
        PortalGraph::new(&self.room.cells, Some(self.bounds().size().x / parts))
    }
}

/// Places this near to free space count as in it: its corners are rounded to the lattice.
const NEAR: [f64; 2] = [LATTICE, 2.0 * LATTICE];

impl NavData {
    /// The place, or one in free space next to it; the place itself where there is none.
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
