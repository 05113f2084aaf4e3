//! `wayloom lab voxels` and `wayloom bench voxels`: scenes in cells, their borders and paths through them.
//!
//! Bandi and Thalmann 2000, Table 1, on levels of our own after its figures and in its grids. Times are those of
//! one core.

use super::{Better, LabError, Report, Row, measure, scene};
use crate::base::Backend;
use crate::base::EntityId;
use crate::document::template::{self, Template};
use crate::document::{Agent, Edit, Entity, Kind, Level, Profile, Solid, SolidShape, ops};
use crate::geometry::VoxelFrame;
use crate::jobs::JobContext;
use crate::nav::voxel::{
    BodyCells, Conduct, Discretizer, Footing, LevelVoxels, VoxelOptions, Voxels,
};
use crate::nav::{BakeRequest, NavBundle, Needs};
use crate::planner::human::{Astar, CellLeg, Smoothing, Target};
use crate::planner::queries::{profile_of, stops};
use glam::DVec3;
use std::sync::Arc;
use std::time::Duration;

const BUDGET: Duration = Duration::from_millis(700);

/// Seconds for discretisation and for borders, of the paper's Table 1.
const TABLE: [(Template, [f64; 2]); 4] = [
    (Template::Labyrinth, [3.0, 6.0]),
    (Template::Stairs, [5.0, 10.0]),
    (Template::Factory, [40.0, 8.0]),
    (Template::Supermarket, [45.0, 5.0]),
];

/// "Around a second even for complex scenes".
const PAPER_PATH_SECS: f64 = 1.0;

/// Columns and layers of the large grid, and how far apart its columns are.
const LARGE: [u32; 3] = [1024, 1024, 64];
const HOUSES: usize = 169;

/// One of Table 1's scenes in its grid.
struct Subject {
    name: &'static str,
    level: Level,
    frame: VoxelFrame,
    built: Arc<LevelVoxels>,
    agent: Agent,
    profile: Arc<Profile>,
}

impl Subject {
    fn of(template: Template, ctx: &JobContext) -> Result<Self, LabError> {
        let level = template.build(&template::Options::default())?;
        let options = template
            .paper_grid()
            .map(VoxelOptions::in_grid)
            .unwrap_or_default();
        let built = voxels(&level, &options, ctx)?;
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
            name: template.name(),
            frame: *built.voxels.frame(),
            profile: profile_of(&level, agent.mission.profile),
            built,
            agent,
            level,
        })
    }

    fn body(&self) -> BodyCells {
        let Profile {
            body,
            action_priority,
            ..
        } = &*self.profile;
        BodyCells::new(body, action_priority, Conduct::default(), &self.frame)
    }

    fn walk(&self) -> Option<CellLeg> {
        let goal = stops(&self.level, &self.agent).first()?.place;
        let planned = CellLeg::plan(
            &mut Astar::default(),
            &self.built,
            &self.profile,
            self.agent.start,
            &[Target::At(goal)],
            Smoothing::Junctions,
        );
        planned.map(|(leg, _)| leg)
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
    let rows = on_one_core(|| {
        let mut rows = Vec::new();
        for (template, [discretised, bordered]) in TABLE {
            ctx.stage(format!("Discretising {}", template.name()));
            ctx.checkpoint()?;
            let subject = Subject::of(template, ctx)?;
            rows.extend(table_rows(&subject, discretised, bordered, ctx)?);
        }
        Ok(rows)
    })?;
    Ok(Report {
        name: "voxels".to_owned(),
        rows,
    })
}

/// Times of one scene. Unit: seconds.
struct Times {
    discretised: measure::Timing,
    bordered: measure::Timing,
    path: measure::Timing,
}

fn times(subject: &Subject, ctx: &JobContext) -> Result<Times, LabError> {
    let voxels = &subject.built.voxels;
    let discretised = measure::processor_time(
        BUDGET,
        || Arc::clone(&voxels.scene),
        |scene| Voxels::build(subject.frame, scene, voxels.sampling, ctx).ok(),
    );
    ctx.checkpoint()?;
    let bordered = measure::processor_time(
        BUDGET,
        || subject.body(),
        |body| Footing::build(body, &voxels.surfaces),
    );
    ctx.checkpoint()?;
    let path = measure::processor_time(BUDGET, || (), |()| subject.walk());
    Ok(Times {
        discretised,
        bordered,
        path,
    })
}

fn table_rows(
    subject: &Subject,
    discretised: f64,
    bordered: f64,
    ctx: &JobContext,
) -> Result<Vec<Row>, LabError> {
    let times = times(subject, ctx)?;
    let title = subject.title();
    let found = subject.walk();
    Ok(vec![
        Row::new(
            format!("{title}: discretised"),
            "ms",
            times.discretised.median * 1e3,
        )
        .spread(times.discretised.spread * 1e3)
        .paper(discretised * 1e3)
        .goal(100.0, Better::Lower),
        Row::new(
            format!("{title}: bordered"),
            "ms",
            times.bordered.median * 1e3,
        )
        .spread(times.bordered.spread * 1e3)
        .paper(bordered * 1e3)
        .goal(100.0, Better::Lower),
        Row::new(
            format!("{title}: discretised and bordered"),
            "ms",
            (times.discretised.median + times.bordered.median) * 1e3,
        )
        .paper((discretised + bordered) * 1e3)
        .goal(100.0, Better::Lower),
        Row::new(format!("{title}: a path"), "ms", times.path.median * 1e3)
            .spread(times.path.spread * 1e3)
            .paper(PAPER_PATH_SECS * 1e3)
            .goal(5.0, Better::Lower),
        Row::new(
            format!("{title}: cells on that path"),
            "",
            found.map_or(0.0, |walk| walk.path().cells.len() as f64),
        ),
        Row::new(
            format!("{title}: triangles"),
            "",
            subject.built.voxels.scene.triangle_count() as f64,
        ),
        Row::new(
            format!("{title}: surface cells"),
            "",
            subject.built.surfaces().len() as f64,
        ),
        Row::new(
            format!("{title}: border cells"),
            "",
            Footing::build(subject.body(), subject.built.surfaces()).border_count() as f64,
        ),
    ])
}

/// # Errors
/// Cancelled, or a scene cannot be made.
pub fn bench(ctx: &JobContext) -> Result<Report, LabError> {
    let mut rows = on_one_core(|| {
        let mut rows = Vec::new();
        for (template, _) in TABLE {
            ctx.stage(format!("Measuring {}", template.name()));
            ctx.checkpoint()?;
            let subject = Subject::of(template, ctx)?;
            let times = times(&subject, ctx)?;
            let title = subject.title();
            let both = times.discretised.median + times.bordered.median;
            rows.push(
                Row::new(
                    format!("{title}: discretised and bordered"),
                    "ms",
                    both * 1e3,
                )
                .spread((times.discretised.spread + times.bordered.spread) * 1e3)
                .goal(100.0, Better::Lower),
            );
            rows.push(
                Row::new(format!("{title}: a path"), "ms", times.path.median * 1e3)
                    .spread(times.path.spread * 1e3)
                    .goal(5.0, Better::Lower),
            );
        }
        rows.extend(large_rows(ctx)?);
        Ok(rows)
    })?;
    rows.extend(gl_rows(ctx)?);
    Ok(Report {
        name: "voxels".to_owned(),
        rows,
    })
}

/// A town with a crate of two metres in its middle.
fn town(crate_at: DVec3) -> Result<Level, LabError> {
    let town = scene::town(HOUSES, 10)?;
    let solid = Solid::new(SolidShape::Box, crate_at, DVec3::splat(2.0));
    let id = EntityId::new(1_000_000);
    let entity = Entity::new("Crate", Kind::Solid(solid));
    Ok(ops::apply(&town, &[Edit::create(id, entity)])?)
}

/// The large grid: baked whole, and after something has moved.
fn large_rows(ctx: &JobContext) -> Result<Vec<Row>, LabError> {
    let [x, y, z] = LARGE;
    let title = format!("{x}×{y}×{z}");
    ctx.stage(format!("Baking {title}"));
    let options = VoxelOptions::in_grid(LARGE);
    let profile = Profile::default();
    let middle = scene::town(HOUSES, 10)?.settings().bounds.centre();
    let place = |step: f64| (middle + step).extend(0.0);
    let level = town(place(0.0))?;
    let before = measure::resident_bytes();
    let (bundle, first) = baked(&level, &options, None, ctx)?;
    let footing = first.footing(&profile);
    let after = measure::resident_bytes();
    let whole = measure::processor_time(
        BUDGET,
        || (),
        |()| {
            let built = voxels(&level, &options, ctx).ok()?;
            Some(built.footing(&profile))
        },
    );
    ctx.checkpoint()?;
    // Back and forth, so that every turn moves the crate.
    let moved = town(place(1.3))?;
    let (other, second) = baked(&moved, &options, Some(&bundle), ctx)?;
    drop(second.footing(&profile));
    let states = [(level, bundle), (moved, other)];
    let mut turn = 0;
    let mut touched = 0;
    let update = measure::processor_time(
        BUDGET,
        || {
            turn += 1;
            (turn % 2, 1 - turn % 2)
        },
        |(from, to): (usize, usize)| {
            let built = baked(&states[to].0, &options, Some(&states[from].1), ctx);
            let (_, built) = built.ok()?;
            touched = built.voxels.touched.len();
            Some((built.footing(&profile), built))
        },
    );
    let grown = match (before, after) {
        (Some(before), Some(after)) => after.saturating_sub(before) as f64 / 1e6,
        _ => first.voxels.bytes() as f64 / 1e6,
    };
    Ok(vec![
        Row::new(
            format!("{title}: discretised and bordered"),
            "ms",
            whole.median * 1e3,
        )
        .spread(whole.spread * 1e3)
        .goal(2_000.0, Better::Lower),
        Row::new(format!("{title}: memory grown while baking"), "MB", grown)
            .goal(1_000.0, Better::Lower),
        Row::new(
            format!("{title}: memory of grid, surfaces and borders"),
            "MB",
            (first.voxels.bytes() + footing.bytes()) as f64 / 1e6,
        ),
        Row::new(
            format!("{title}: surface cells"),
            "",
            first.surfaces().len() as f64,
        ),
        Row::new(
            format!("{title}: baked again after a crate of 2 m moved"),
            "ms",
            update.median * 1e3,
        )
        .spread(update.spread * 1e3)
        .goal(50.0, Better::Lower),
        Row::new(
            format!("{title}: tiles touched by that"),
            "",
            touched as f64,
        ),
    ])
}

/// The paper's method, where OpenGL is available.
fn gl_rows(ctx: &JobContext) -> Result<Vec<Row>, LabError> {
    let mut gl = Discretizer::new(Backend::Gl);
    if gl.report().is_some() {
        return Ok(Vec::new());
    }
    let mut rows = Vec::new();
    for (template, _) in TABLE {
        ctx.stage(format!("Drawing {}", template.name()));
        ctx.checkpoint()?;
        let subject = Subject::of(template, ctx)?;
        let voxels = &subject.built.voxels;
        let timing = measure::time(
            BUDGET,
            || Arc::clone(&voxels.scene),
            |scene| gl.voxels(subject.frame, scene, voxels.sampling, ctx).ok(),
        );
        let title = format!("{}: discretised by OpenGL ({})", subject.title(), gl.by());
        rows.push(Row::new(title, "ms", timing.median * 1e3).spread(timing.spread * 1e3));
    }
    Ok(rows)
}
