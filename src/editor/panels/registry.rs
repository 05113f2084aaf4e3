//! The panels: one row each. The layout, its tabs, the menu, the palette and the keys are read
//! from here.
//!
//! A new panel is its file and one row in [`ROWS`]; what it remembers between frames is kept in
//! [`Panels`](super::Panels) by its type. A plug-in hands its row to [`register`].

use super::{
    ClearancePanel, ClockPanel, History, Inspector, Layers, NavigationPanel, Outliner,
    PlannerBench, PlaybackPanel, PlotsPanel, Problems, Profiles, ReplansPanel, VoxelsPanel,
    Weights,
};
use crate::editor::EditorState;
use crate::editor::chord::Chord;
use crate::editor::command::{Keys, NO_KEY, one};
use crate::editor::docking::Docking;
use crate::editor::viewport::{plan_view_ui, space_view_ui};
use egui::{Key, Ui};
use egui_material_icons::{MaterialIcon, icons as icon};
use serde::{Serialize, Serializer};
use std::fmt;
use std::sync::{PoisonError, RwLock};

/// The name by which layouts and keys refer to a panel: one word in lower case.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pane(pub &'static str);

impl Pane {
    pub const PLAN: Self = Self("plan");
    pub const SPACE: Self = Self("space");
    pub const OUTLINER: Self = Self("outliner");
    pub const INSPECTOR: Self = Self("inspector");
    pub const PROBLEMS: Self = Self("problems");
    pub const HISTORY: Self = Self("history");
    pub const LAYERS: Self = Self("layers");
    pub const TERRAINS: Self = Self("terrains");
    pub const PROFILES: Self = Self("profiles");
    pub const NAVIGATION: Self = Self("navigation");
    pub const BENCH: Self = Self("bench");
    pub const CLEARANCE: Self = Self("clearance");
    pub const VOXELS: Self = Self("voxels");
    pub const PLAYBACK: Self = Self("playback");
    pub const PLOTS: Self = Self("plots");
    pub const CLOCK: Self = Self("clock");
    pub const REPLANS: Self = Self("replans");
}

impl fmt::Debug for Pane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// As a word without quotes, like the variants of the enum that earlier layouts have.
impl Serialize for Pane {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_unit_variant("Pane", 0, self.0)
    }
}

/// Where a panel is until the user moves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// One of the two views of the level, which have neither a tab nor a close button.
    View,
    /// At the side, above.
    UpperSide,
    /// At the side, below.
    LowerSide,
    /// Under the views: the how many-th tab.
    Below(u8),
}

impl Place {
    /// Whether both are tabs of one area.
    #[must_use]
    pub const fn is_beside(self, other: Self) -> bool {
        matches!(
            (self, other),
            (Self::UpperSide, Self::UpperSide)
                | (Self::LowerSide, Self::LowerSide)
                | (Self::Below(_), Self::Below(_))
        )
    }
}

/// One panel.
#[derive(Clone, Copy, Debug)]
pub struct PanelRow {
    pub pane: Pane,
    pub title: &'static str,
    /// What is in it, after "Opens or closes", without a full stop.
    pub help: &'static str,
    pub icon: MaterialIcon,
    pub place: Place,
    /// Open and close it.
    pub keys: Keys,
    pub ui: fn(&mut Ui, &mut Docking<'_>),
    /// A number that stands on its tab.
    pub count: fn(&EditorState) -> usize,
}

const fn none(_: &EditorState) -> usize {
    0
}

const fn alt(key: Key) -> Keys {
    one(Chord::alt(key))
}

/// All that the program brings, in the order of the menu.
const ROWS: &[PanelRow] = &[
    PanelRow {
        pane: Pane::PLAN,
        title: "Plan",
        help: "Opens or closes the plan view",
        icon: icon::ICON_MAP,
        place: Place::View,
        keys: NO_KEY,
        ui: |ui, docking| plan_view_ui(ui, docking.state, docking.painters.plan, docking.actions),
        count: none,
    },
    PanelRow {
        pane: Pane::SPACE,
        title: "3D",
        help: "Opens or closes the 3D view",
        icon: icon::ICON_VIEW_IN_AR,
        place: Place::View,
        keys: NO_KEY,
        ui: |ui, docking| space_view_ui(ui, docking.state, docking.painters.space, docking.actions),
        count: none,
    },
    PanelRow {
        pane: Pane::OUTLINER,
        title: "Outliner",
        help: "Opens or closes the list of everything in the level",
        icon: icon::ICON_ACCOUNT_TREE,
        place: Place::UpperSide,
        keys: alt(Key::Num1),
        ui: |ui, docking| {
            let panel = docking.panels.get::<Outliner>();
            panel.ui(ui, docking.state, docking.actions);
        },
        count: none,
    },
    PanelRow {
        pane: Pane::INSPECTOR,
        title: "Inspector",
        help: "Opens or closes the details of the selection",
        icon: icon::ICON_TUNE,
        place: Place::LowerSide,
        keys: alt(Key::Num2),
        ui: |ui, docking| {
            let panel = docking.panels.get::<Inspector>();
            panel.ui(ui, docking.state, docking.actions);
        },
        count: none,
    },
    PanelRow {
        pane: Pane::PROBLEMS,
        title: "Problems",
        help: "Opens or closes the list of problems",
        icon: icon::ICON_FACT_CHECK,
        place: Place::Below(0),
        keys: alt(Key::Num3),
        ui: |ui, docking| {
            let panel = docking.panels.get::<Problems>();
            panel.ui(ui, docking.state, docking.actions);
        },
        count: |state| state.problems().len(),
    },
    PanelRow {
        pane: Pane::HISTORY,
        title: "History",
        help: "Opens or closes the list of changes",
        icon: icon::ICON_HISTORY,
        place: Place::Below(6),
        keys: alt(Key::Num4),
        ui: |ui, docking| {
            let panel = docking.panels.get::<History>();
            panel.ui(ui, docking.state, docking.actions);
        },
        count: none,
    },
    PanelRow {
        pane: Pane::LAYERS,
        title: "Layers",
        help: "Opens or closes the list of layers",
        icon: icon::ICON_LAYERS,
        place: Place::UpperSide,
        keys: alt(Key::Num5),
        ui: |ui, docking| {
            let panel = docking.panels.get::<Layers>();
            panel.ui(ui, docking.state, docking.actions);
        },
        count: none,
    },
    PanelRow {
        pane: Pane::TERRAINS,
        title: "Terrain weights",
        help: "Opens or closes the table of terrain costs by profile",
        icon: icon::ICON_GRASS,
        place: Place::Below(7),
        keys: alt(Key::Num6),
        ui: |ui, docking| {
            let panel = docking.panels.get::<Weights>();
            panel.ui(ui, docking.state, docking.actions);
        },
        count: none,
    },
    PanelRow {
        pane: Pane::PROFILES,
        title: "Profiles",
        help: "Opens or closes the table of bodies and speeds",
        icon: icon::ICON_ACCESSIBILITY_NEW,
        place: Place::Below(8),
        keys: alt(Key::Num7),
        ui: |ui, docking| {
            let panel = docking.panels.get::<Profiles>();
            panel.ui(ui, docking.state, docking.actions);
        },
        count: none,
    },
    PanelRow {
        pane: Pane::NAVIGATION,
        title: "Navigation",
        help: "Opens or closes the navigation panel: overlays, paths, times, tests",
        icon: icon::ICON_EXPLORE,
        place: Place::Below(1),
        keys: alt(Key::Num8),
        ui: |ui, docking| {
            let panel = docking.panels.get::<NavigationPanel>();
            panel.ui(ui, docking.state, docking.actions);
        },
        count: none,
    },
    PanelRow {
        pane: Pane::BENCH,
        title: "Planner bench",
        help: "Opens or closes the comparison of planners for the selected agent",
        icon: icon::ICON_LEADERBOARD,
        place: Place::Below(3),
        keys: alt(Key::Num9),
        ui: |ui, docking| {
            let panel = docking.panels.get::<PlannerBench>();
            panel.ui(ui, docking.state, docking.actions);
        },
        count: none,
    },
    PanelRow {
        pane: Pane::REPLANS,
        title: "Replans",
        help: "Opens or closes the list of plans and repairs of agents with constraints",
        icon: icon::ICON_PUBLISHED_WITH_CHANGES,
        place: Place::Below(9),
        keys: NO_KEY,
        ui: |ui, docking| {
            let panel = docking.panels.get::<ReplansPanel>();
            panel.ui(ui, docking.state, docking.actions);
        },
        count: none,
    },
    PanelRow {
        pane: Pane::CLEARANCE,
        title: "Clearance",
        help: "Opens or closes the list of narrow passages and the profiles they stop",
        icon: icon::ICON_COMPRESS,
        place: Place::Below(4),
        keys: NO_KEY,
        ui: |ui, docking| {
            let panel = docking.panels.get::<ClearancePanel>();
            panel.ui(ui, docking.state, docking.actions);
        },
        count: none,
    },
    PanelRow {
        pane: Pane::VOXELS,
        title: "Bodies and cells",
        help: "Opens or closes the voxel panel: storeys, front, lost doors",
        icon: icon::ICON_EMOJI_PEOPLE,
        place: Place::Below(5),
        keys: NO_KEY,
        ui: |ui, docking| {
            let panel = docking.panels.get::<VoxelsPanel>();
            panel.ui(ui, docking.state, docking.actions);
        },
        count: none,
    },
    PanelRow {
        pane: Pane::PLAYBACK,
        title: "Simulation",
        help: "Opens or closes the simulation: run, timeline, playback",
        icon: icon::ICON_SLOW_MOTION_VIDEO,
        place: Place::Below(2),
        keys: alt(Key::Num0),
        ui: |ui, docking| {
            let panel = docking.panels.get::<PlaybackPanel>();
            panel.ui(ui, docking.state, docking.actions);
        },
        count: none,
    },
    PanelRow {
        pane: Pane::PLOTS,
        title: "Plots",
        help: "Opens or closes the plots of the run: arrivals, flows, densities, speeds, times",
        icon: icon::ICON_SHOW_CHART,
        place: Place::Below(11),
        keys: NO_KEY,
        ui: |ui, docking| {
            let panel = docking.panels.get::<PlotsPanel>();
            panel.ui(ui, docking.state, docking.actions);
        },
        count: none,
    },
    PanelRow {
        pane: Pane::CLOCK,
        title: "Clock",
        help: "Opens or closes the clock: time of day and flags for which paths are planned",
        icon: icon::ICON_SCHEDULE,
        place: Place::Below(10),
        keys: NO_KEY,
        ui: |ui, docking| {
            let panel = docking.panels.get::<ClockPanel>();
            panel.ui(ui, docking.state, docking.actions);
        },
        count: none,
    },
];

/// Rows added while the program runs.
static ADDED: RwLock<Vec<&'static PanelRow>> = RwLock::new(Vec::new());

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is a panel called `{0:?}` already; give this one another name")]
pub struct NameTaken(pub Pane);

/// Adds a panel; from then on it is in every layout, in the menu and in the palette.
///
/// # Errors
/// Its name is taken.
pub fn register(row: &'static PanelRow) -> Result<(), NameTaken> {
    if self::row(row.pane).is_some() {
        return Err(NameTaken(row.pane));
    }
    let mut added = ADDED.write().unwrap_or_else(PoisonError::into_inner);
    added.push(row);
    Ok(())
}

/// Every panel, in the order of the menu.
#[must_use]
pub fn rows() -> Vec<&'static PanelRow> {
    let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
    ROWS.iter().chain(added.iter().copied()).collect()
}

#[must_use]
pub fn row(pane: Pane) -> Option<&'static PanelRow> {
    rows().into_iter().find(|row| row.pane == pane)
}

/// The panel of a name in a layout file; earlier ones spell it with a capital letter.
#[must_use]
pub fn named(name: &str) -> Option<Pane> {
    let mut rows = rows().into_iter();
    let row = rows.find(|row| row.pane.0.eq_ignore_ascii_case(name))?;
    Some(row.pane)
}
