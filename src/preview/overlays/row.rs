//! What is said about an overlay, once.

use super::scene::OverlayScene;
use crate::base::Colour;
use crate::document::Level;
use crate::planner::missions::AgentPlan;
use crate::preview::nav::colour_of;
use crate::preview::primitive::Sink;
use crate::preview::regions::RegionStyle;
use crate::preview::space::SpaceLayer;
use crate::preview::space::signs::Signs;
use crate::preview::style::Palette;
use crate::preview::voxel::CellLayer;
use std::fmt;

/// The name by which files, keys and the command line refer to an overlay: lower case, with hyphens.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OverlayId(pub &'static str);

impl fmt::Debug for OverlayId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl fmt::Display for OverlayId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// What overlays are sorted by, wherever they are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    Paths,
    Routes,
    CellMap,
    Constraints,
    Clearance,
    Voxels,
    Crowds,
}

impl Group {
    pub const ALL: [Self; 7] = [
        Self::Paths,
        Self::Routes,
        Self::CellMap,
        Self::Constraints,
        Self::Clearance,
        Self::Voxels,
        Self::Crowds,
    ];

    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Paths => "Paths",
            Self::Routes => "Routes",
            Self::CellMap => "Cell map",
            Self::Constraints => "Constraints",
            Self::Clearance => "Clearance",
            Self::Voxels => "Voxels",
            Self::Crowds => "Crowds",
        }
    }
}

/// Which parts of an [`OverlayScene`] an overlay reads. It is given these and no others, and is
/// drawn again when one of them changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inputs(u16);

impl Inputs {
    /// The level alone: nothing has to be baked.
    pub const LEVEL: Self = Self(1);
    /// Free space and cells for one radius.
    pub const SPACE: Self = Self(1 << 1);
    /// The corridor map, its narrow places, and the body that is asked about.
    pub const CORRIDORS: Self = Self(1 << 2);
    /// What a body makes of the voxel grid.
    pub const VOXELS: Self = Self(1 << 3);
    /// The plans of agents, and which of them are shown.
    pub const PATHS: Self = Self(1 << 4);
    /// A search that is taken step by step.
    pub const SEARCH: Self = Self(1 << 5);
    /// The moment at which agents are shown on their paths.
    pub const MOMENT: Self = Self(1 << 6);
    /// What moves the selected agent while it is played.
    pub const FORCES: Self = Self(1 << 7);
    /// The corridor map's narrow places, where another overlay or panel had it built.
    pub const PINCHES: Self = Self(1 << 8);
    /// The multiplier field of one agent's constraints.
    pub const FIELD: Self = Self(1 << 9);
    /// The regions of constraints.
    pub const CONSTRAINTS: Self = Self(1 << 10);
    /// The states that one agent's search has touched.
    pub const STATES: Self = Self(1 << 11);
    /// The constraint that is picked out.
    pub const FOCUS: Self = Self(1 << 12);

    /// Maps of the run that is played.
    pub const HEAT: Self = Self(1 << 13);

    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether any of these is among them.
    #[must_use]
    pub const fn any(self, of: Self) -> bool {
        self.0 & of.0 != 0
    }
}

/// How an overlay is drawn over the plan.
#[derive(Clone, Copy, Debug)]
pub enum PlanDrawing {
    Shapes(fn(&OverlayScene, &Palette, &mut dyn Sink)),
    /// Painted pixel by pixel: what it adds to the picture.
    Field(fn(&mut RegionStyle)),
    /// Cells of the voxel grid, merged where they are alike; in the window by a job.
    Cells(CellLayer),
}

/// How an overlay is drawn in space.
#[derive(Clone, Copy, Debug)]
pub enum SpaceDrawing {
    /// In the plan only.
    Nothing,
    Layers(fn(&OverlayScene, &Signs<'_>, &mut Vec<SpaceLayer>)),
    Cells(CellLayer),
}

/// What stands for an overlay in legends and beside switches.
#[derive(Clone, Copy, Debug)]
pub enum Swatch {
    Colour(fn(&Palette) -> Colour),
    /// Several colours, each with a meaning of its own.
    Colours(fn(&Palette) -> Vec<Colour>),
    /// The colours of the agents' profiles.
    Profiles,
}

/// So many profiles stand for all.
const MOST_COLOURS: usize = 3;

impl Swatch {
    #[must_use]
    pub fn colours(self, level: &Level, palette: &Palette) -> Vec<Colour> {
        let pick = match self {
            Self::Colour(pick) => return vec![pick(palette)],
            Self::Colours(pick) => return pick(palette),
            Self::Profiles => |palette: &Palette| palette.path,
        };
        let mut colours: Vec<Colour> = Vec::new();
        for (id, ..) in level.agents() {
            let colour = colour_of(level, id, palette);
            if !colours.contains(&colour) {
                colours.push(colour);
            }
            if colours.len() == MOST_COLOURS {
                break;
            }
        }
        if colours.is_empty() {
            colours.push(pick(palette));
        }
        colours
    }
}

/// One overlay: menus, palette, keys, panels, legends and the command line are read from it.
#[derive(Clone, Copy, Debug)]
pub struct OverlayRow {
    pub id: OverlayId,
    pub title: &'static str,
    /// What it shows, as a sentence without a full stop.
    pub help: &'static str,
    /// A code point of Material Symbols.
    pub icon: &'static str,
    pub group: Group,
    pub swatch: Swatch,
    /// Switched on unless the user says otherwise.
    pub is_default: bool,
    pub inputs: Inputs,
    pub plan: PlanDrawing,
    pub space: SpaceDrawing,
    /// For overlays of single agents: why there is nothing to show of an agent's plan.
    pub absent: fn(&AgentPlan) -> Option<&'static str>,
}

impl OverlayRow {
    /// The cells it shows, if it is drawn as cells.
    #[must_use]
    pub const fn cells(&self) -> Option<CellLayer> {
        match self.plan {
            PlanDrawing::Cells(cells) => Some(cells),
            PlanDrawing::Shapes(_) | PlanDrawing::Field(_) => None,
        }
    }
}
