//! The overlays: one row each. Menus, palette, keys, panels, legends, the command line and every
//! sink that draws them are read from here.
//!
//! A new overlay is a function that draws it and one row in [`ROWS`]; a plug-in hands its row to
//! [`register`].

mod drawing;
mod picture;
mod row;
mod scene;
mod set;
#[cfg(test)]
mod tests;

pub use picture::{PictureOf, draw_plan, draw_space, picture_bake, picture_scene};
pub use row::{Group, Inputs, OverlayId, OverlayRow, PlanDrawing, SpaceDrawing, Swatch};
pub use scene::{CorridorInput, ForceInput, MomentInput, OverlayScene, PathInput, VoxelInput};
pub use set::Overlays;

use crate::preview::crowd::SERVICE_COLOURS;
use crate::preview::layer::Layer;
use crate::preview::voxel::CellLayer;
use crate::sim::measures::HeatKind;
use drawing::{no_constraints, no_corridor, no_forces, no_route};
use std::sync::{PoisonError, RwLock};

impl OverlayId {
    /// What a map of a run shows.
    #[must_use]
    pub fn heat_kind(self) -> Option<HeatKind> {
        Some(match self {
            Self::MAX_DENSITY => HeatKind::MaxDensity,
            Self::MEAN_DENSITY => HeatKind::MeanDensity,
            Self::USAGE => HeatKind::Usage,
            Self::SPEEDS => HeatKind::Speed,
            Self::TIME_TO_EXIT => HeatKind::TimeToExit,
            Self::SERVICE => HeatKind::Service,
            _ => return None,
        })
    }

    pub const PATHS: Self = Self("paths");
    pub const SEARCH: Self = Self("search");
    pub const SKIPPED: Self = Self("skipped");
    pub const SIGHT: Self = Self("sight");
    pub const CANDIDATES: Self = Self("candidates");
    pub const FREE_SPACE: Self = Self("free-space");
    pub const TRAPEZOIDS: Self = Self("trapezoids");
    pub const CELLS: Self = Self("cells");
    pub const PORTALS: Self = Self("portals");
    pub const FIELD: Self = Self("field");
    pub const CONSTRAINTS: Self = Self("constraints");
    pub const STATES: Self = Self("states");
    pub const FOCUS: Self = Self("focus");
    pub const HOURS: Self = Self("hours");
    pub const REGIONS: Self = Self("regions");
    pub const DISTANCES: Self = Self("distances");
    pub const MEDIAL_AXIS: Self = Self("medial-axis");
    pub const SPOKES: Self = Self("spokes");
    pub const PINCHES: Self = Self("pinches");
    pub const CORRIDORS: Self = Self("corridors");
    pub const FORCES: Self = Self("forces");
    pub const OCCUPIED: Self = Self("occupied");
    pub const SURFACES: Self = Self("surfaces");
    pub const REACHABLE: Self = Self("reachable");
    pub const BORDERS: Self = Self("borders");
    pub const FORBIDDEN: Self = Self("forbidden");
    pub const FRONT: Self = Self("front");
    pub const LOST: Self = Self("lost");
    pub const MAX_DENSITY: Self = Self("density");
    pub const MEAN_DENSITY: Self = Self("mean-density");
    pub const USAGE: Self = Self("usage");
    pub const SPEEDS: Self = Self("speeds");
    pub const TIME_TO_EXIT: Self = Self("time-to-exit");
    pub const SERVICE: Self = Self("service");
}

/// Cells of the voxel grid, in the plan and in space.
const fn cells(
    id: OverlayId,
    title: &'static str,
    help: &'static str,
    icon: &'static str,
    layer: CellLayer,
    swatch: Swatch,
) -> OverlayRow {
    OverlayRow {
        id,
        title,
        help,
        icon,
        group: Group::Voxels,
        swatch,
        is_default: false,
        inputs: Inputs::VOXELS,
        plan: PlanDrawing::Cells(layer),
        space: SpaceDrawing::Cells(layer),
        absent: |_| None,
    }
}

/// A map of the run that is played.
const fn heat(
    id: OverlayId,
    title: &'static str,
    help: &'static str,
    icon: &'static str,
    swatch: Swatch,
    plan: PlanDrawing,
    space: SpaceDrawing,
) -> OverlayRow {
    OverlayRow {
        id,
        title,
        help,
        icon,
        group: Group::Crowds,
        swatch,
        is_default: false,
        inputs: Inputs::HEAT,
        plan,
        space,
        absent: |_| None,
    }
}

/// All that the program brings, in the order in which they are listed.
const ROWS: &[OverlayRow] = &[
    OverlayRow {
        id: OverlayId::PATHS,
        title: "Paths",
        help: "Shows the paths of agents, what they do on them, and where they are blocked",
        icon: "\u{eacd}",
        group: Group::Paths,
        swatch: Swatch::Profiles,
        is_default: true,
        inputs: Inputs::PATHS,
        plan: PlanDrawing::Shapes(drawing::paths),
        space: SpaceDrawing::Layers(drawing::paths_in_space),
        absent: |_| None,
    },
    OverlayRow {
        id: OverlayId::SEARCH,
        title: "Search",
        help: "Shows what the search on the planner bench has looked at",
        icon: "\u{e2db}",
        group: Group::Paths,
        swatch: Swatch::Colour(|palette| palette.open),
        is_default: true,
        inputs: Inputs::SEARCH,
        plan: PlanDrawing::Shapes(drawing::search),
        space: SpaceDrawing::Nothing,
        absent: |_| None,
    },
    OverlayRow {
        id: OverlayId::SKIPPED,
        title: "Skipped parts",
        help: "Shows what the selected agent leaves out of its route, how it gets to it, and where it lost it",
        icon: "\u{ebfc}",
        group: Group::Routes,
        swatch: Swatch::Colour(|palette| palette.skipped),
        is_default: true,
        inputs: Inputs::PATHS,
        plan: PlanDrawing::Shapes(drawing::skipped),
        space: SpaceDrawing::Nothing,
        absent: no_route,
    },
    OverlayRow {
        id: OverlayId::SIGHT,
        title: "Route in sight",
        help: "Shows what the selected agent sees of its route, at the place of its path under the pointer",
        icon: "\u{ebf6}",
        group: Group::Routes,
        swatch: Swatch::Colour(|palette| palette.sight),
        is_default: false,
        inputs: Inputs::MOMENT,
        plan: PlanDrawing::Shapes(drawing::sight),
        space: SpaceDrawing::Nothing,
        absent: no_route,
    },
    OverlayRow {
        id: OverlayId::CANDIDATES,
        title: "Candidates",
        help: "Shows the points that the selected agent could go to next, with what each would cost",
        icon: "\u{e268}",
        group: Group::Routes,
        swatch: Swatch::Colour(|palette| palette.current),
        is_default: false,
        inputs: Inputs::MOMENT,
        plan: PlanDrawing::Shapes(drawing::candidates),
        space: SpaceDrawing::Nothing,
        absent: no_route,
    },
    OverlayRow {
        id: OverlayId::FREE_SPACE,
        title: "Free space",
        help: "Shows where the centre of an agent may be",
        icon: "\u{e3c2}",
        group: Group::CellMap,
        swatch: Swatch::Colour(|palette| palette.free_space),
        is_default: false,
        inputs: Inputs::SPACE,
        plan: PlanDrawing::Shapes(drawing::free_space),
        space: SpaceDrawing::Nothing,
        absent: |_| None,
    },
    OverlayRow {
        id: OverlayId::TRAPEZOIDS,
        title: "Trapezoids",
        help: "Shows what free space is cut into, before merging",
        icon: "\u{e86b}",
        group: Group::CellMap,
        swatch: Swatch::Colour(|palette| palette.cell),
        is_default: false,
        inputs: Inputs::SPACE,
        plan: PlanDrawing::Shapes(drawing::trapezoids),
        space: SpaceDrawing::Nothing,
        absent: |_| None,
    },
    OverlayRow {
        id: OverlayId::CELLS,
        title: "Cells",
        help: "Shows the convex cells that trapezoids are merged into",
        icon: "\u{e42b}",
        group: Group::CellMap,
        swatch: Swatch::Colour(|palette| palette.cell),
        is_default: false,
        inputs: Inputs::SPACE,
        plan: PlanDrawing::Shapes(drawing::merged_cells),
        space: SpaceDrawing::Nothing,
        absent: |_| None,
    },
    OverlayRow {
        id: OverlayId::PORTALS,
        title: "Portals",
        help: "Shows the sides that paths cross from cell to cell",
        icon: "\u{effd}",
        group: Group::CellMap,
        swatch: Swatch::Colour(|palette| palette.portal),
        is_default: false,
        inputs: Inputs::SPACE,
        plan: PlanDrawing::Shapes(drawing::portals),
        space: SpaceDrawing::Nothing,
        absent: |_| None,
    },
    OverlayRow {
        id: OverlayId::FIELD,
        title: "Constraint field",
        help: "Shows what the constraints of the selected agent multiply lengths by, with lines of equal value",
        icon: "\u{f53e}",
        group: Group::Constraints,
        swatch: Swatch::Colours(|palette| palette.heat.to_vec()),
        is_default: false,
        inputs: Inputs::FIELD,
        plan: PlanDrawing::Shapes(drawing::field),
        space: SpaceDrawing::Nothing,
        absent: no_constraints,
    },
    OverlayRow {
        id: OverlayId::CONSTRAINTS,
        title: "Constraint regions",
        help: "Shows the regions that constraints name, with their sentences; hard ones hatched",
        icon: "\u{e574}",
        group: Group::Constraints,
        swatch: Swatch::Colours(|palette| {
            vec![palette.attractor, palette.repeller, palette.forbidden]
        }),
        is_default: false,
        inputs: Inputs::CONSTRAINTS,
        plan: PlanDrawing::Shapes(drawing::constraints),
        space: SpaceDrawing::Layers(drawing::constraints_in_space),
        absent: no_constraints,
    },
    OverlayRow {
        id: OverlayId::STATES,
        title: "Search states",
        help: "Shows the states that the last search of the selected agent expanded, left open, or found inconsistent",
        icon: "\u{e9b6}",
        group: Group::Constraints,
        swatch: Swatch::Colours(|palette| vec![palette.closed, palette.open, palette.current]),
        is_default: false,
        inputs: Inputs::STATES,
        plan: PlanDrawing::Shapes(drawing::states),
        space: SpaceDrawing::Nothing,
        absent: no_constraints,
    },
    OverlayRow {
        id: OverlayId::FOCUS,
        title: "Constraint in focus",
        help: "Shows the constraint under the pointer in the inspector alone, and the path without it",
        icon: "\u{e3b4}",
        group: Group::Constraints,
        swatch: Swatch::Colour(|palette| palette.repeller),
        is_default: true,
        inputs: Inputs::FOCUS,
        plan: PlanDrawing::Shapes(drawing::focus),
        space: SpaceDrawing::Nothing,
        absent: |_| None,
    },
    OverlayRow {
        id: OverlayId::HOURS,
        title: "Times of day",
        help: "Shows when agents whose constraints depend on the clock get where on their paths",
        icon: "\u{efd6}",
        group: Group::Constraints,
        swatch: Swatch::Colour(|palette| palette.text),
        is_default: true,
        inputs: Inputs::PATHS,
        plan: PlanDrawing::Shapes(drawing::hours),
        space: SpaceDrawing::Nothing,
        absent: |_| None,
    },
    OverlayRow {
        id: OverlayId::REGIONS,
        title: "Voronoi regions",
        help: "Shows which obstacle is nearest, in its colour",
        icon: "\u{eaa6}",
        group: Group::Clearance,
        swatch: Swatch::Colour(|palette| palette.annotation),
        is_default: false,
        inputs: Inputs::LEVEL,
        plan: PlanDrawing::Field(|style| style.regions = true),
        space: SpaceDrawing::Nothing,
        absent: |_| None,
    },
    OverlayRow {
        id: OverlayId::DISTANCES,
        title: "Distance field",
        help: "Shows how far the nearest obstacle is, with lines of equal distance",
        icon: "\u{e176}",
        group: Group::Clearance,
        swatch: Swatch::Colour(|palette| palette.portal),
        is_default: false,
        inputs: Inputs::LEVEL,
        plan: PlanDrawing::Field(|style| style.distances = true),
        space: SpaceDrawing::Nothing,
        absent: |_| None,
    },
    OverlayRow {
        id: OverlayId::MEDIAL_AXIS,
        title: "Medial axis",
        help: "Shows the middle between obstacles, coloured by how wide it is there",
        icon: "\u{e922}",
        group: Group::Clearance,
        swatch: Swatch::Colour(|palette| palette.axis_wide),
        is_default: false,
        inputs: Inputs::CORRIDORS,
        plan: PlanDrawing::Shapes(drawing::medial_axis),
        space: SpaceDrawing::Nothing,
        absent: |_| None,
    },
    OverlayRow {
        id: OverlayId::SPOKES,
        title: "Closest points",
        help: "Shows what each place of the medial axis is between",
        icon: "\u{e3e4}",
        group: Group::Clearance,
        swatch: Swatch::Colour(|palette| palette.axis_narrow),
        is_default: false,
        inputs: Inputs::CORRIDORS,
        plan: PlanDrawing::Shapes(drawing::spokes),
        space: SpaceDrawing::Nothing,
        absent: |_| None,
    },
    OverlayRow {
        id: OverlayId::PINCHES,
        title: "Narrow places",
        help: "Shows the gaps that are too narrow for the body on the Clearance panel, and the one picked out there",
        icon: "\u{e94d}",
        group: Group::Clearance,
        swatch: Swatch::Colour(|palette| palette.blocker),
        is_default: true,
        inputs: Inputs::PINCHES,
        plan: PlanDrawing::Shapes(drawing::pinches),
        space: SpaceDrawing::Nothing,
        absent: |_| None,
    },
    OverlayRow {
        id: OverlayId::CORRIDORS,
        title: "Corridors",
        help: "Shows the corridor that the selected agent keeps to: its backbone, its discs and its border",
        icon: "\u{e6dd}",
        group: Group::Clearance,
        swatch: Swatch::Colour(|palette| palette.corridor),
        is_default: false,
        inputs: Inputs::PATHS,
        plan: PlanDrawing::Shapes(drawing::corridors),
        space: SpaceDrawing::Nothing,
        absent: no_corridor,
    },
    OverlayRow {
        id: OverlayId::FORCES,
        title: "Forces",
        help: "Shows what draws and pushes the selected agent while it is played",
        icon: "\u{ea50}",
        group: Group::Clearance,
        swatch: Swatch::Colour(|palette| palette.motion),
        is_default: false,
        inputs: Inputs::FORCES,
        plan: PlanDrawing::Shapes(drawing::forces),
        space: SpaceDrawing::Nothing,
        absent: no_forces,
    },
    cells(
        OverlayId::OCCUPIED,
        "Solid cells",
        "Shows the cells of the voxel grid that something fills",
        "\u{efc9}",
        CellLayer::Occupied,
        Swatch::Colour(|palette| palette.occupied),
    ),
    cells(
        OverlayId::SURFACES,
        "Surface cells",
        "Shows the cells that a foot can be put on; hatched where one must bend",
        "\u{e9b0}",
        CellLayer::Surfaces,
        Swatch::Colour(|palette| palette.surface),
    ),
    cells(
        OverlayId::REACHABLE,
        "Reachable cells",
        "Shows where the selected agent gets to; hatched where only along walls",
        "\u{f87d}",
        CellLayer::Reachable,
        Swatch::Colour(|palette| palette.reachable),
    ),
    cells(
        OverlayId::BORDERS,
        "Border cells",
        "Shows the cells that agents keep off because walls or drops are near",
        "\u{e22f}",
        CellLayer::Borders,
        Swatch::Colour(|palette| palette.border),
    ),
    cells(
        OverlayId::FORBIDDEN,
        "Forbidden cells",
        "Shows the cells that no agent may step on",
        "\u{f19f}",
        CellLayer::Forbidden,
        Swatch::Colour(|palette| palette.forbidden),
    ),
    cells(
        OverlayId::FRONT,
        "Navigation front",
        "Colours cells by how far they are from the selected agent",
        "\u{ef55}",
        CellLayer::Front,
        Swatch::Colour(|palette| palette.front[1]),
    ),
    cells(
        OverlayId::LOST,
        "Lost by cells",
        "Shows where exact free space leads and cells do not, and the doors that a cell size loses",
        "\u{eb4e}",
        CellLayer::Lost,
        Swatch::Colour(|palette| palette.lost),
    ),
    heat(
        OverlayId::MAX_DENSITY,
        "Maximum density",
        "Shows the greatest density of people during the run, in a disc around each place",
        "\u{f8ea}",
        Swatch::Colours(|palette| palette.heat.to_vec()),
        PlanDrawing::Shapes(|scene, palette, sink| {
            drawing::heat(scene, HeatKind::MaxDensity, palette, sink);
        }),
        SpaceDrawing::Layers(|scene, signs, layers| {
            drawing::heat_in_space(scene, HeatKind::MaxDensity, signs, layers);
        }),
    ),
    heat(
        OverlayId::MEAN_DENSITY,
        "Mean density",
        "Shows the density of people on average over the run",
        "\u{e3a5}",
        Swatch::Colours(|palette| palette.heat.to_vec()),
        PlanDrawing::Shapes(|scene, palette, sink| {
            drawing::heat(scene, HeatKind::MeanDensity, palette, sink);
        }),
        SpaceDrawing::Layers(|scene, signs, layers| {
            drawing::heat_in_space(scene, HeatKind::MeanDensity, signs, layers);
        }),
    ),
    heat(
        OverlayId::USAGE,
        "Usage",
        "Shows how many people came by each place",
        "\u{e536}",
        Swatch::Colours(|palette| palette.heat.to_vec()),
        PlanDrawing::Shapes(|scene, palette, sink| {
            drawing::heat(scene, HeatKind::Usage, palette, sink);
        }),
        SpaceDrawing::Layers(|scene, signs, layers| {
            drawing::heat_in_space(scene, HeatKind::Usage, signs, layers);
        }),
    ),
    heat(
        OverlayId::SPEEDS,
        "Mean speed",
        "Shows how fast people were on average; slow places stand out",
        "\u{e9e4}",
        Swatch::Colours(|palette| palette.heat.to_vec()),
        PlanDrawing::Shapes(|scene, palette, sink| {
            drawing::heat(scene, HeatKind::Speed, palette, sink);
        }),
        SpaceDrawing::Layers(|scene, signs, layers| {
            drawing::heat_in_space(scene, HeatKind::Speed, signs, layers);
        }),
    ),
    heat(
        OverlayId::TIME_TO_EXIT,
        "Time to exit",
        "Shows how long people took from each place until they arrived",
        "\u{e425}",
        Swatch::Colours(|palette| palette.heat.to_vec()),
        PlanDrawing::Shapes(|scene, palette, sink| {
            drawing::heat(scene, HeatKind::TimeToExit, palette, sink);
        }),
        SpaceDrawing::Layers(|scene, signs, layers| {
            drawing::heat_in_space(scene, HeatKind::TimeToExit, signs, layers);
        }),
    ),
    heat(
        OverlayId::SERVICE,
        "Level of service",
        "Shows Fruin’s level of service for walkways, by the greatest density",
        "\u{e8e8}",
        Swatch::Colours(|_| SERVICE_COLOURS.to_vec()),
        PlanDrawing::Shapes(|scene, palette, sink| {
            drawing::heat(scene, HeatKind::Service, palette, sink);
        }),
        SpaceDrawing::Layers(|scene, signs, layers| {
            drawing::heat_in_space(scene, HeatKind::Service, signs, layers);
        }),
    ),
];

/// Rows added while the program runs.
static ADDED: RwLock<Vec<&'static OverlayRow>> = RwLock::new(Vec::new());

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is an overlay or a layer called `{0}` already; give this one another id")]
pub struct NameTaken(pub OverlayId);

/// Adds an overlay; from then on it is listed and drawn like any other.
///
/// # Errors
/// Its id is taken.
pub fn register(row: &'static OverlayRow) -> Result<(), NameTaken> {
    let mut added = ADDED.write().unwrap_or_else(PoisonError::into_inner);
    let known = ROWS.iter().chain(added.iter().copied());
    let is_taken = known.map(|known| known.id).any(|id| id == row.id)
        || Layer::ALL.iter().any(|layer| layer.name() == row.id.0);
    if is_taken {
        return Err(NameTaken(row.id));
    }
    added.push(row);
    Ok(())
}

/// Every overlay, group by group.
#[must_use]
pub fn rows() -> Vec<&'static OverlayRow> {
    let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
    let mut rows: Vec<_> = ROWS.iter().chain(added.iter().copied()).collect();
    rows.sort_by_key(|row| row.group);
    rows
}

#[must_use]
pub fn row(id: OverlayId) -> Option<&'static OverlayRow> {
    by_name(id.0)
}

/// The overlay of that id, as files and the command line spell it.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static OverlayRow> {
    let builtin = ROWS.iter().find(|row| row.id.0 == name);
    builtin.or_else(|| {
        let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
        added.iter().copied().find(|row| row.id.0 == name)
    })
}
