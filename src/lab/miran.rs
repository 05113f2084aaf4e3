//! `wayloom lab miran` and `wayloom bench miran`: Jaklin et al. 2013, §5.
//!
//! Table 1 with our figures, what the paper says of Figures 1 and 8 in numbers, and how often the
//! paper's pixels lead to the same choice as exact lines. [`pictures`] draws Figures 1, 7 and 8.

use super::{Better, LabError, Report, Row, measure};
use crate::base::{Colour, EntityId};
use crate::document::template::{Options, Template};
use crate::document::{
    Agent, Edit, Entity, Goal, Heading, Kind, KindName, Level, Mission, PlannerKind, Profile,
    Region, ops,
};
use crate::geometry::Polygon;
use crate::jobs::JobContext;
use crate::nav::terrain::raster::TerrainRaster;
use crate::nav::terrain::{TerrainInput, TerrainMesh};
use crate::nav::trapezoid::Effort;
use crate::planner::engine::Engine;
use crate::planner::miran::{
    Chooser, Chosen, ExactGround, Eye, Ground, IndicativeRoute, IrmEngine, Leader, MiranEngine,
    RasterGround, RouteSource, Router, Settings, Status, Walked, Walker,
};
use crate::planner::prepared::{guide_of, profile_of};
use crate::planner::{Baked, Guide, NavData, Path, PathRequest, Progress, Slopes};
use crate::preview::nav::{Course, PathView, SERIES, Weight, draw_path};
use crate::preview::{Layer, Layers, Look, RenderOptions, png_of_svg, render_svg_with};
use glam::{DVec2, DVec3};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

const BUDGET: Duration = Duration::from_millis(600);

/// How many times faster than the paper's each row of Table 1 is to be.
const FASTER: f64 = 20.0;

/// σ of the paper's Figure 7, with the milliseconds of Table 1; d is 20.
const LOOK_AHEADS: [(f64, f64); 5] = [
    (100.0, 7.13),
    (250.0, 16.50),
    (300.0, 16.04),
    (400.0, 20.90),
    (1250.0, 63.33),
];

/// Pixels along the side of the pictures that the raster variant reads.
const RESOLUTIONS: [u32; 3] = [512, 1024, 2048];

/// Candidates this near to each other on the route are the same one, as a share of d: where a
/// visible interval ends, pixels are a little off.
const SAME_CANDIDATE: f64 = 0.1;

/// One agent of a sample level, ready to be asked about.
struct Subject {
    level: Level,
    nav: NavData,
    request: PathRequest,
}

fn sample(name: &str) -> Result<Level, LabError> {
    let template = Template::by_name(name)
        .ok_or_else(|| LabError::Unavailable(format!("there is no template `{name}`")))?;
    Ok(template.build(&Options::default())?)
}

impl Subject {
    fn new(sample_name: &str, agent: &str, ctx: &JobContext) -> Result<Self, LabError> {
        let level = sample(sample_name)?;
        let missing = || LabError::Unavailable(format!("there is no agent `{agent}`"));
        let id = level.find(KindName::Agent, agent).ok_or_else(missing)?;
        let entity = level.get(id).ok_or_else(missing)?;
        let Kind::Agent(agent) = &entity.kind else {
            return Err(missing());
        };
        let Some(Goal::At(goal)) = agent.mission.goals.first() else {
            return Err(missing());
        };
        let profile = profile_of(&level, agent.mission.profile);
        let nav = NavData::of_level(&level, profile.body.radius, ctx)?;
        let request = PathRequest {
            profile,
            guide: guide_of(&level, agent.mission.route),
            ..PathRequest::in_space(agent.start, *goal)
        };
        Ok(Self {
            level,
            nav,
            request,
        })
    }

    /// With another look-ahead and sample distance.
    fn tuned(mut self, look_ahead: f64, sample_step: f64) -> Self {
        if let Some(guide) = &mut self.request.guide {
            guide.look_ahead = look_ahead;
            guide.sample_step = sample_step;
        }
        self
    }

    /// Along a route computed by A* on a grid, as in the paper's Figure 1.
    fn with_grid_route(mut self, look_ahead: f64, sample_step: f64) -> Self {
        let terrain = self.nav.commons().terrain();
        let (weights, _) = terrain.weights(&self.request.profile);
        let ends = [self.request.start, self.request.goal].map(DVec3::truncate);
        let way = Router::default().way(&self.nav, terrain, &weights, RouteSource::Grid, ends);
        self.request.guide = way.ok().map(|line| Guide {
            line: line.into(),
            look_ahead,
            sample_step,
        });
        self
    }

    fn path(&self, engine: &mut dyn Engine) -> Path {
        engine.begin(&self.nav, &self.request);
        if engine.run(&self.nav, usize::MAX) == Progress::Found {
            engine.path(&self.nav, &self.request)
        } else {
            Path::default()
        }
    }

    /// The whole answer, from the route as drawn to the last step.
    fn timing(&self, engine: &mut dyn Engine) -> measure::Timing {
        measure::processor_time(
            BUDGET,
            || (),
            |()| {
                engine.begin(&self.nav, &self.request);
                engine.run(&self.nav, usize::MAX)
            },
        )
    }

    /// Metres of a path on a terrain.
    fn metres(&self, path: &Path, terrain: &str) -> f64 {
        let line: Vec<DVec2> = path.points.iter().map(|p| p.truncate()).collect();
        let map = self.nav.commons().terrain();
        let lengths = map.lengths_along(&line);
        let of = |(kind, length): (&crate::nav::terrain::TerrainKind, f64)| {
            (kind.name == terrain).then_some(length)
        };
        map.kinds().iter().zip(lengths).filter_map(of).sum()
    }
}

/// # Errors
/// Cancelled, or a sample could not be made.
pub fn run(ctx: &JobContext) -> Result<Report, LabError> {
    let mut rows = Vec::new();
    ctx.stage("Table 1");
    for (look_ahead, paper) in LOOK_AHEADS {
        ctx.checkpoint()?;
        let subject = Subject::new("mckenna", "Guard", ctx)?.tuned(look_ahead, 20.0);
        let what = format!("McKenna, MIRAN, σ = {look_ahead}, d = 20");
        rows.push(timed(&what, paper, &subject, &mut MiranEngine::default()));
    }
    let road = Subject::new("mckenna_road", "Pedestrian", ctx)?.tuned(40.0, 10.0);
    let what = "McKenna with road, MIRAN, σ = 40, d = 10";
    rows.push(timed(what, 4.66, &road, &mut MiranEngine::default()));
    let what = "McKenna with road, IRM";
    rows.push(timed(what, 4.48, &road, &mut IrmEngine::default()));
    let adult = Subject::new("forest", "Parent", ctx)?.with_grid_route(80.0, 20.0);
    let child = Subject::new("forest", "Child", ctx)?.with_grid_route(100.0, 20.0);
    for (what, paper, subject) in [
        ("Forest, adult, MIRAN, σ = 80, d = 20", 8.00, &adult),
        ("Forest, child, MIRAN, σ = 100, d = 20", 10.52, &child),
    ] {
        rows.push(timed(what, paper, subject, &mut MiranEngine::default()));
    }
    ctx.stage("Skipping");
    for (look_ahead, _) in LOOK_AHEADS {
        let subject = Subject::new("mckenna", "Guard", ctx)?.tuned(look_ahead, 20.0);
        let mut engine = MiranEngine::default();
        let path = subject.path(&mut engine);
        let what = format!("most of the route skipped at once, σ = {look_ahead}");
        let skipped = engine.walked().map_or(f64::NAN, most_skipped);
        rows.push(Row::new(what, "m", skipped).goal(look_ahead, Better::Lower));
        rows.push(Row::new(
            format!("length of the path, σ = {look_ahead}"),
            "m",
            path.length,
        ));
    }
    on_the_road(&road, &mut rows);
    in_the_forest(&adult, &child, &mut rows);
    ctx.stage("Pixels");
    agreement(&[&road, &adult, &child], ctx, &mut rows)?;
    Ok(Report {
        name: "miran".to_owned(),
        rows,
    })
}

fn timed(what: &str, paper: f64, subject: &Subject, engine: &mut dyn Engine) -> Row {
    let timing = subject.timing(engine);
    Row::new(what, "ms", timing.median * 1e3)
        .spread(timing.spread * 1e3)
        .paper(paper)
        .goal(paper / FASTER, Better::Lower)
}

/// The largest step of the reference point along the route.
fn most_skipped(walked: &Walked) -> f64 {
    walked
        .along
        .windows(2)
        .map(|pair| pair[1][0] - pair[0][0])
        .fold(0.0, f64::max)
}

/// What the paper says of Figure 8.
fn on_the_road(road: &Subject, rows: &mut Vec<Row>) {
    let miran = road.path(&mut MiranEngine::default());
    let irm = road.path(&mut IrmEngine::default());
    let mud = road.metres(&miran, "Mud");
    rows.push(
        Row::new("pedestrian in the mud, MIRAN", "m", mud)
            .goal(0.0, Better::Lower)
            .beside("IRM", road.metres(&irm, "Mud")),
    );
    for terrain in ["Sidewalk", "Road"] {
        let (ours, theirs) = (road.metres(&miran, terrain), road.metres(&irm, terrain));
        let row = Row::new(
            format!("pedestrian on the {}, MIRAN", terrain.to_lowercase()),
            "m",
            ours,
        );
        let better = if terrain == "Sidewalk" {
            Better::Higher
        } else {
            Better::Lower
        };
        rows.push(row.goal(theirs, better).beside("IRM", theirs));
    }
}

/// What the paper says of Figure 1.
fn in_the_forest(adult: &Subject, child: &Subject, rows: &mut Vec<Row>) {
    let grown_up = adult.path(&mut MiranEngine::default());
    let young = child.path(&mut MiranEngine::default());
    for (terrain, who) in [
        ("Puddle", "child"),
        ("Fallen tree", "child"),
        ("Panoramic view", "adult"),
    ] {
        let of_adult = adult.metres(&grown_up, terrain);
        let of_child = child.metres(&young, terrain);
        let (ours, other, beside) = if who == "child" {
            (of_child, of_adult, "adult")
        } else {
            (of_adult, of_child, "child")
        };
        let what = format!("{who} on \u{201c}{terrain}\u{201d}");
        let row = Row::new(what, "m", ours).beside(beside, other);
        rows.push(row.goal(other + 1.0, Better::Higher));
    }
}

/// Chooses exactly, and looks what pixels would have chosen.
struct Both<'a> {
    exact: Chooser,
    by_pixels: Chooser,
    raster: RasterGround<'a>,
    same: usize,
    steps: usize,
}

impl Leader for Both<'_> {
    fn lead<G: Ground>(
        &mut self,
        ground: &G,
        route: &IndicativeRoute,
        eye: &Eye,
        reference: f64,
        last: f64,
    ) -> Option<Chosen> {
        let exact = self.exact.lead(ground, route, eye, reference, last)?;
        let by_pixels = self
            .by_pixels
            .lead(&self.raster, route, eye, reference, last);
        self.steps += 1;
        let near = SAME_CANDIDATE * route.sample_step();
        let is_same = by_pixels.is_some_and(|other| (other.along - exact.along).abs() <= near);
        self.same += usize::from(is_same);
        Some(exact)
    }
}

fn agreement(subjects: &[&Subject], ctx: &JobContext, rows: &mut Vec<Row>) -> Result<(), LabError> {
    for resolution in RESOLUTIONS {
        let (mut same, mut steps) = (0, 0);
        for subject in subjects {
            ctx.checkpoint()?;
            let counted = compared(subject, resolution);
            same += counted[0];
            steps += counted[1];
        }
        let share = 100.0 * same as f64 / steps.max(1) as f64;
        let what = format!("steps with the same choice by pixels, {resolution}²");
        let mut row = Row::new(what, "%", share);
        if resolution == 1024 {
            row = row.goal(95.0, Better::Higher);
        }
        rows.push(row);
    }
    Ok(())
}

/// In how many steps pixels choose the same, and of how many.
fn compared(subject: &Subject, resolution: u32) -> [usize; 2] {
    let Subject {
        nav,
        request,
        level,
    } = subject;
    let terrain = nav.commons().terrain();
    let (weights, _) = terrain.weights(&request.profile);
    let ends = [request.start, request.goal].map(|p| nav.placed(p.truncate()));
    let guide = request.guide.as_ref();
    let made = Router::default().indicative(nav, terrain, &weights, guide, RouteSource::Dual, ends);
    let input = TerrainInput::of_level(level);
    let pixel = input.bounds.size().max_element() / f64::from(resolution);
    let raster = TerrainRaster::within(&input, &nav.free().areas, pixel);
    let ground = ExactGround::new(terrain, &weights, Some(nav.cells()));
    let (Ok((route, _)), Ok(raster), Some(eye)) = (made, raster, ground.eye(ends[0])) else {
        return [0, 0];
    };
    let settings = Settings::of(&request.profile, nav.free().radius);
    let mut walker = Walker::new(settings, eye);
    let mut both = Both {
        exact: Chooser::default(),
        by_pixels: Chooser::default(),
        raster: RasterGround::new(&raster, terrain, &weights),
        same: 0,
        steps: 0,
    };
    let mut log = Walked::default();
    while walker.step(&ground, &route, &mut both, &[], &mut log) == Status::Walking {}
    [both.same, both.steps]
}

/// # Errors
/// Cancelled, or a sample could not be made.
pub fn bench(ctx: &JobContext) -> Result<Report, LabError> {
    let mut rows = Vec::new();
    ctx.stage("Triangulating");
    for name in ["mckenna_road", "forest", "city"] {
        let level = sample(name)?;
        let input = TerrainInput::of_level(&level);
        let built = measure::time(BUDGET, || (), |()| TerrainMesh::build(&input, ctx).ok());
        let triangles = TerrainMesh::build(&input, ctx)?.len();
        rows.push(
            Row::new(
                format!("{triangles} triangles of {name}"),
                "ms",
                built.median * 1e3,
            )
            .spread(built.spread * 1e3),
        );
    }
    ctx.stage("Paths");
    for (name, agent) in [
        ("mckenna", "Guard"),
        ("mckenna_road", "Pedestrian"),
        ("forest", "Parent"),
    ] {
        let subject = Subject::new(name, agent, ctx)?;
        let mut engine = MiranEngine::default();
        let timing = subject.timing(&mut engine);
        let steps = engine
            .walked()
            .map_or(0, |walked| walked.steps.len())
            .max(1);
        rows.push(
            Row::new(
                format!("path in {name}, {steps} steps"),
                "ms",
                timing.median * 1e3,
            )
            .spread(timing.spread * 1e3),
        );
        let per_step = timing.median * 1e9 / steps as f64;
        rows.push(Row::new(format!("one step in {name}"), "ns", per_step));
        let mut free = subject;
        free.request.guide = None;
        let timing = free.timing(&mut engine);
        rows.push(
            Row::new(
                format!("path in {name} along a computed route"),
                "ms",
                timing.median * 1e3,
            )
            .spread(timing.spread * 1e3),
        );
    }
    ctx.stage("Painting");
    rows.push(repaint(ctx)?);
    Ok(Report {
        name: "miran".to_owned(),
        rows,
    })
}

/// Ten agents of a city are shown while somebody paints.
fn repaint(ctx: &JobContext) -> Result<Row, LabError> {
    const AGENTS: u64 = 10;
    let city = sample("city")?;
    let bounds = city.settings().bounds;
    let next = city.largest_id().next().number();
    let profile = EntityId::new(next);
    let others: Vec<EntityId> = city.agents().map(|(id, ..)| id).collect();
    let mut edits: Vec<Edit> = others.into_iter().map(|id| Edit::Delete { id }).collect();
    edits.push(Edit::create(
        profile,
        Entity::new("Walker", Kind::Profile(Profile::default())),
    ));
    let ctx_nav = NavData::of_level(&city, Profile::default().body.radius, ctx)?;
    let free_near = |wanted: DVec2| {
        (0..4000)
            .map(|i| wanted + 0.05 * f64::from(i) * DVec2::from_angle(2.4 * f64::from(i)))
            .find(|p| ctx_nav.is_placed(*p))
            .unwrap_or(wanted)
    };
    for i in 0..AGENTS {
        let share = (i as f64 + 0.5) / AGENTS as f64;
        let inner = bounds.expanded(-20.0);
        let at = |x: f64, y: f64| free_near(inner.min + inner.size() * DVec2::new(x, y));
        let kind = Kind::Agent(Agent {
            start: at(0.3, share).extend(0.0),
            heading: Heading::default(),
            mission: Mission {
                goals: vec![Goal::At(at(0.7, 1.0 - share).extend(0.0))],
                planner: PlannerKind::Miran,
                ..Mission::new(profile)
            },
        });
        edits.push(Edit::create(
            EntityId::new(next + 1 + i),
            Entity::new("", kind),
        ));
    }
    let level = ops::apply(&city, &edits)?;
    let terrain = level.terrains().last().map(|(id, ..)| id);
    let terrain = terrain.ok_or_else(|| LabError::Unavailable("no terrain".to_owned()))?;
    let before = Baked::bake(Arc::new(level.clone()), None, Slopes::default(), ctx)?;
    let patch = EntityId::new(next + 1 + AGENTS);
    let mut step = 0;
    let timing = measure::time(
        BUDGET,
        || {
            step += 1;
            let at = bounds.centre() + DVec2::new(0.37 * f64::from(step % 100), 5.0);
            let area = Polygon::regular(at, 6.0, 24, 0.0);
            let region = Entity::new("", Kind::Region(Region { area, terrain }));
            let painted = ops::apply(&level, &[Edit::create(patch, region)]);
            Arc::new(painted.unwrap_or_else(|_| level.clone()))
        },
        |level| Baked::bake_with(level, Some(&before), Slopes::default(), Effort::Live, ctx).ok(),
    );
    let what = format!("repainting in the city until {AGENTS} new paths are there");
    Ok(Row::new(what, "ms", timing.median * 1e3)
        .spread(timing.spread * 1e3)
        .goal(33.0, Better::Lower))
}

/// Figures 1, 7 and 8 as drawings and as pixels: names and contents of files.
///
/// # Errors
/// Cancelled, or a sample could not be made or drawn.
pub fn pictures(ctx: &JobContext) -> Result<Vec<(PathBuf, Vec<u8>)>, LabError> {
    let mut files = Vec::new();
    let adult = Subject::new("forest", "Parent", ctx)?.with_grid_route(80.0, 20.0);
    let child = Subject::new("forest", "Child", ctx)?.with_grid_route(100.0, 20.0);
    let family = [
        (adult.path(&mut MiranEngine::default()), SERIES[0]),
        (child.path(&mut MiranEngine::default()), SERIES[1]),
    ];
    let routes = [(&adult, SERIES[0]), (&child, SERIES[1])];
    files.extend(figure("miran_figure_1", &adult.level, &routes, &family)?);

    let mut paths = Vec::new();
    let mut guard = Subject::new("mckenna", "Guard", ctx)?;
    for ((look_ahead, _), colour) in LOOK_AHEADS.into_iter().zip(SERIES) {
        ctx.checkpoint()?;
        guard = guard.tuned(look_ahead, 20.0);
        paths.push((guard.path(&mut MiranEngine::default()), colour));
    }
    let routes = [(&guard, ROUTE)];
    files.extend(figure("miran_figure_7", &guard.level, &routes, &paths)?);

    let road = Subject::new("mckenna_road", "Pedestrian", ctx)?.tuned(40.0, 10.0);
    let paths = [
        (road.path(&mut MiranEngine::default()), SERIES[4]),
        (road.path(&mut IrmEngine::default()), SERIES[2]),
    ];
    let routes = [(&road, ROUTE)];
    files.extend(figure("miran_figure_8", &road.level, &routes, &paths)?);
    Ok(files)
}

/// Colour of a route that several paths follow.
const ROUTE: Colour = Colour::hex(0x202428);

fn figure(
    name: &str,
    level: &Level,
    routes: &[(&Subject, Colour)],
    paths: &[(Path, Colour)],
) -> Result<[(PathBuf, Vec<u8>); 2], LabError> {
    let options = RenderOptions {
        size: [1400, 1000],
        look: Look::Light,
        layers: [Layer::Bounds, Layer::Terrain, Layer::Obstacles]
            .into_iter()
            .collect::<Layers>(),
        legend: true,
        ..RenderOptions::default()
    };
    let svg = render_svg_with(level, &options, |palette, sink| {
        for (subject, colour) in routes {
            let line = subject.request.guide.as_ref().map(|guide| &guide.line);
            let view = PathView {
                agent: None,
                points: line.map(|line| line.to_vec()).unwrap_or_default(),
                colour: *colour,
                weight: Weight::Stale,
                course: Course::Bent,
            };
            draw_path(&view, palette, sink);
        }
        for (path, colour) in paths {
            let view = PathView {
                agent: None,
                points: path.points.iter().map(|p| p.truncate()).collect(),
                colour: *colour,
                weight: Weight::Selected,
                course: Course::Bent,
            };
            draw_path(&view, palette, sink);
        }
    });
    let drawn = |error: crate::preview::RenderError| LabError::Unavailable(error.to_string());
    let svg = svg.map_err(drawn)?;
    let png = png_of_svg(&svg, options.size).map_err(drawn)?;
    Ok([
        (PathBuf::from(format!("{name}.svg")), svg.into_bytes()),
        (PathBuf::from(format!("{name}.png")), png),
    ])
}
