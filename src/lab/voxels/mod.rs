//! `wayloom lab voxels` and `wayloom bench voxels`: scenes in cells, their borders and paths through them.
//!
//! Bandi and Thalmann 2000, Table 1, on levels of our own after its figures and in its grids; then what
//! the paper says in words or shows in figures. Rows with the paper's figure use the rules that it
//! prints ([`Conduct::AS_PRINTED`]); beside them stands what Wayloom does by default. Times are those
//! of one core.

mod bench;
mod labyrinth;
mod paths;
mod pictures;
mod table;
#[cfg(test)]
mod tests;

pub use bench::bench;
pub use pictures::pictures;

use super::report::Printed;
use super::{LabError, Report, scene};
use crate::document::template::{Options, Template};
use crate::document::{Agent, Kind, Level, Profile, Settings};
use crate::document::{Edit, ops};
use crate::geometry::VoxelFrame;
use crate::jobs::JobContext;
use crate::nav::voxel::{BodyCells, Conduct, LevelVoxels, VoxelOptions};
use crate::nav::{BakeRequest, NavBundle, Needs};
use crate::planner::PathRequest;
use crate::planner::human::{Astar, CellLeg, Target};
use crate::planner::queries::{profile_of, stops};
use std::sync::Arc;
use std::time::Duration;

const BUDGET: Duration = Duration::from_millis(400);

impl Printed for Conduct {
    fn is_as_printed(&self) -> bool {
        *self == Self::AS_PRINTED
    }
}

/// One of the paper's scenes.
struct Scene {
    name: &'static str,
    build: fn() -> Result<Level, LabError>,
    /// Columns along x and y, and layers.
    grid: [u32; 3],
    /// Seconds for discretisation and for borders.
    seconds: [f64; 2],
    /// Size of its file, in kilobytes.
    file: Option<f64>,
}

fn sample(template: Template) -> Result<Level, LabError> {
    Ok(template.build(&Options::default())?)
}

/// Table 1.
const TABLE: [Scene; 4] = [
    Scene {
        name: "labyrinth",
        build: labyrinth::level,
        grid: [72, 93, 23],
        seconds: [3.0, 6.0],
        file: Some(443.0),
    },
    Scene {
        name: "stairs",
        build: || sample(Template::Stairs),
        grid: [53, 91, 102],
        seconds: [5.0, 10.0],
        file: None,
    },
    Scene {
        name: "factory",
        build: || sample(Template::Factory),
        grid: [69, 69, 95],
        seconds: [40.0, 8.0],
        file: Some(609.0),
    },
    Scene {
        name: "supermarket",
        build: || sample(Template::Supermarket),
        grid: [162, 236, 90],
        seconds: [45.0, 5.0],
        file: Some(1_500.0),
    },
];

/// A level with other rules for the use of cells.
fn with_rules(level: &Level, rules: Conduct) -> Result<Level, LabError> {
    let settings = Settings {
        cell_rules: rules,
        ..Settings::clone(level.settings())
    };
    Ok(ops::apply(level, &[Edit::Settings(Arc::new(settings))])?)
}

/// One of Table 1's scenes in its grid, used by some rules.
struct Subject {
    name: &'static str,
    level: Level,
    frame: VoxelFrame,
    built: Arc<LevelVoxels>,
    agent: Agent,
    profile: Arc<Profile>,
    rules: Conduct,
}

impl Subject {
    fn of(scene: &Scene, rules: Conduct, ctx: &JobContext) -> Result<Self, LabError> {
        let level = with_rules(&(scene.build)()?, rules)?;
        let built = voxels(&level, &VoxelOptions::in_grid(scene.grid), ctx)?;
        // The first whose profile fits through everything; in levels of the paper the one of its figure.
        let agents = level.iter().filter_map(|(_, entity)| match &entity.kind {
            Kind::Agent(agent) => Some(agent.clone()),
            _ => None,
        });
        let agent = agents
            .min_by(|a, b| {
                let radius = |agent: &Agent| profile_of(&level, agent.mission.profile).body.radius;
                radius(a).total_cmp(&radius(b))
            })
            .ok_or_else(|| LabError::Unavailable("the level has no agent".to_owned()))?;
        Ok(Self {
            name: scene.name,
            frame: *built.voxels.frame(),
            profile: profile_of(&level, agent.mission.profile),
            built,
            agent,
            rules,
            level,
        })
    }

    fn body(&self) -> BodyCells {
        let Profile {
            body,
            action_priority,
            ..
        } = &*self.profile;
        BodyCells::new(body, action_priority, self.rules, &self.frame)
    }

    fn request(&self) -> Option<PathRequest> {
        let goal = stops(&self.level, &self.agent).first()?.place;
        Some(PathRequest {
            profile: Arc::clone(&self.profile),
            ..PathRequest::in_space(self.agent.start, goal)
        })
    }

    /// A path by these rules, and the number of cells that were expanded.
    fn walk(&self) -> Option<(CellLeg, usize)> {
        CellLeg::plan(
            &mut Astar::default(),
            &self.built,
            &self.profile,
            self.agent.start,
            &[Target::At(self.request()?.goal)],
            self.rules.smoothing,
        )
    }

    fn title(&self) -> String {
        let [x, y, z] = self.frame.size;
        // As the paper writes it, with y up.
        format!("{} {x}×{z}×{y}", self.name)
    }
}

fn baked(
    level: &Level,
    options: &VoxelOptions,
    before: Option<&NavBundle>,
    ctx: &JobContext,
) -> Result<(NavBundle, Arc<LevelVoxels>), LabError> {
    let request = BakeRequest {
        options: Arc::new(options.clone()).into(),
        needs: Needs::VOXELS,
        before,
        ..scene::shared_request(level.clone())
    };
    let bundle = NavBundle::bake(request, ctx)?;
    let voxels = bundle.voxels().cloned();
    let voxels = voxels.map_err(|error| LabError::Unavailable(error.to_string()))?;
    Ok((bundle, voxels))
}

fn voxels(
    level: &Level,
    options: &VoxelOptions,
    ctx: &JobContext,
) -> Result<Arc<LevelVoxels>, LabError> {
    baked(level, options, None, ctx).map(|(_, voxels)| voxels)
}

/// All that is measured happens on one thread.
fn on_one_core<T: Send>(work: impl FnOnce() -> Result<T, LabError> + Send) -> Result<T, LabError> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .map_err(|error| LabError::Unavailable(error.to_string()))?;
    pool.install(work)
}

/// # Errors
/// Cancelled, or a scene cannot be made.
pub fn run(ctx: &JobContext) -> Result<Report, LabError> {
    let mut rows = table::drawn_rows(ctx)?;
    rows.extend(on_one_core(|| {
        let mut rows = Vec::new();
        for scene in &TABLE {
            ctx.stage(format!("Discretising {}", scene.name));
            ctx.checkpoint()?;
            rows.extend(table::rows(scene, ctx)?);
        }
        rows.extend(paths::natural_rows(ctx)?);
        rows.extend(paths::gap_rows(ctx)?);
        Ok(rows)
    })?);
    Ok(Report {
        name: "voxels".to_owned(),
        rows,
    })
}
