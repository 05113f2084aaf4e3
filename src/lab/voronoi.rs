//! `wayloom bench voronoi`: how long corridor maps take beside the bare Voronoi diagram of the
//! same segments, how soon a change is in the map, and what a walk costs.
//!
//! Times of day: a map may use every core, the bare diagram uses one. Both are measured in turns,
//! so that they meet the machine in the same mood, and their ratio is the median of the turns'.

use super::{Better, LabError, Report, Row, measure, scene, trapezoids::median};
use crate::base::{Backend, Random};
use crate::document::template::{self, Template};
use crate::document::{Edit, Kind, Level, ops};
use crate::geometry::{Polygon, Rect, lattice::LATTICE};
use crate::jobs::JobContext;
use crate::nav::corridor::raster::{Drawer, Skeleton};
use crate::nav::corridor::{CorridorMap, DeadEnds, Walls, build_between};
use crate::nav::{BakeRequest, NavBundle, Needs};
use crate::planner::corridor::{
    ControlPath, CorridorRequest, Method, Motion, Settings, Status, backbone, shortcut,
};
use boostvoronoi::prelude as boost;
use glam::DVec2;
use std::time::{Duration, Instant};

const PEER: &str = "boostvoronoi 0.12";
const BUDGET: Duration = Duration::from_millis(1500);
/// Walls of the towns that show how maps grow.
const SIZES: [usize; 4] = [100, 1_000, 10_000, 100_000];
const CORNERS: usize = 10;
/// Of those who walk. Unit: metres.
const RADIUS: f64 = 0.4;
const WALKS: usize = 50;
/// Width of the pictures that skeletons are taken from. Unit: pixels.
const PICTURE: f64 = 1024.0;

/// # Errors
/// Cancelled, or a scene cannot be made.
pub fn run(ctx: &JobContext) -> Result<Report, LabError> {
    let mut rows = Vec::new();
    let mckenna = Template::Mckenna.build(&template::Options::default())?;
    rows.extend(rows_beside("mckenna", &mckenna, Some(5.0), ctx)?);
    for walls in SIZES {
        let town = scene::town(walls / CORNERS, CORNERS)?;
        rows.extend(rows_beside(&format!("{walls} walls"), &town, None, ctx)?);
    }
    rows.extend(city_rows(ctx)?);
    rows.extend(picture_rows(&mckenna, PICTURE, ctx)?);
    rows.extend(walk_rows(&mckenna, ctx)?);
    Ok(Report {
        name: "voronoi".to_owned(),
        rows,
    })
}

fn areas_of(level: &Level) -> (Rect, Vec<Polygon>) {
    let areas = level.obstacles().map(|(.., o)| o.area.clone()).collect();
    (level.settings().bounds, areas)
}

fn built(level: &Level, ctx: &JobContext) -> Result<CorridorMap, LabError> {
    let (bounds, areas) = areas_of(level);
    build_between(bounds, &areas, DeadEnds::Keep, ctx)
        .map_err(|error| LabError::Unavailable(error.to_string()))
}

/// The bare diagram of the same walls; `false` if it fails.
fn bare(walls: &Walls) -> bool {
    let middle = walls.extent().centre();
    let place = |p: DVec2| {
        let step = ((p - middle) / LATTICE).round();
        [step.x as i32, step.y as i32]
    };
    let segments = walls
        .list()
        .iter()
        .map(|wall| boost::Line::<i32>::from([place(wall.from), place(wall.to)]));
    let swept = boost::Builder::<i32>::default()
        .with_segments(segments)
        .and_then(boost::Builder::build);
    std::hint::black_box(swept).is_ok()
}

fn rows_beside(
    name: &str,
    level: &Level,
    goal: Option<f64>,
    ctx: &JobContext,
) -> Result<Vec<Row>, LabError> {
    ctx.stage(format!("Building the map of {name}"));
    let map = built(level, ctx)?;
    let (bounds, areas) = areas_of(level);
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let began = Instant::now();
    while ours.len() < 3 || (began.elapsed() < BUDGET && ours.len() < 200) {
        ctx.checkpoint()?;
        let start = Instant::now();
        let again = build_between(bounds, &areas, DeadEnds::Keep, ctx);
        ours.push(start.elapsed().as_secs_f64());
        drop(again);
        let start = Instant::now();
        if !bare(map.walls()) {
            return Err(LabError::Unavailable("the bare diagram failed".to_owned()));
        }
        theirs.push(start.elapsed().as_secs_f64());
    }
    let ratios = ours.iter().zip(&theirs).map(|(a, b)| a / b).collect();
    let row = Row::new(
        format!("corridor map of {name}, {} walls", map.walls().list().len()),
        "ms",
        median(ours) * 1e3,
    )
    .beside(PEER, median(theirs) * 1e3);
    Ok(vec![
        match goal {
            Some(goal) => row.goal(goal, Better::Lower),
            None => row,
        },
        Row::new(
            format!("corridor map ÷ bare diagram, {name}"),
            "×",
            median(ratios),
        )
        .goal(1.5, Better::Lower),
    ])
}

/// An obstacle of the city is let go somewhere else.
fn city_rows(ctx: &JobContext) -> Result<Vec<Row>, LabError> {
    ctx.stage("Moving an obstacle of city");
    let city = Template::City.build(&template::Options::default())?;
    let obstacles: Vec<_> = city.obstacles().map(|(id, ..)| id).collect();
    let Some(&id) = obstacles.get(obstacles.len() / 2) else {
        return Err(LabError::Unavailable("the city is empty".to_owned()));
    };
    let moved = |by: DVec2| -> Option<Level> {
        let mut entity = (**city.get(id)?).clone();
        if let Kind::Obstacle(obstacle) = &mut entity.kind {
            obstacle.area = obstacle.area.clone().map(|p| p + by);
        }
        ops::apply(&city, &[Edit::replace(id, entity)]).ok()
    };
    let walls = built(&city, ctx)?.walls().list().len();
    let bake = |level: Level, before: Option<&NavBundle>| {
        let request = BakeRequest {
            needs: Needs::CORRIDORS,
            before,
            ..scene::shared_request(level)
        };
        NavBundle::bake(request, ctx)
    };
    let mut before = bake(city.clone(), None)?;
    let failed = |_| LabError::Unavailable("the map could not be built".to_owned());
    before.corridors().map_err(failed)?;
    let mut step = 0.0;
    let mut next = || {
        step += 0.01;
        moved(DVec2::new(step, -step)).unwrap_or_else(|| city.clone())
    };
    let timing = measure::time(BUDGET, &mut next, |level| {
        before = bake(level, Some(&before)).ok()?;
        before.corridors().ok().map(|_| ())
    });
    let whole = measure::time(BUDGET, next, |level| bake(level, None).ok());
    ctx.checkpoint()?;
    Ok(vec![
        Row::new(
            format!("exact map of city, {walls} walls, after an obstacle was let go"),
            "ms",
            timing.median * 1e3,
        )
        .spread(timing.spread * 1e3)
        .goal(150.0, Better::Lower),
        Row::new("the whole map rebuilt", "ms", whole.median * 1e3).spread(whole.spread * 1e3),
    ])
}

/// The paper's construction of the map, from a picture of distance meshes: by the graphics card and by the
/// processor, and how far its skeleton is from the exact axis.
fn picture_rows(level: &Level, across: f64, ctx: &JobContext) -> Result<Vec<Row>, LabError> {
    ctx.stage("Drawing mckenna");
    let (bounds, areas) = areas_of(level);
    let pixel = bounds.size().max_element() / across;
    let map = built(level, ctx)?;
    let mut rows = Vec::new();
    for backend in [Backend::Gl, Backend::Cpu] {
        let mut drawer = Drawer::new(backend);
        // Where there is no OpenGL, the processor is measured once.
        if backend == Backend::Gl && drawer.report().is_some() {
            continue;
        }
        let mut skeleton = Skeleton::default();
        let timing = measure::time(
            BUDGET,
            || (),
            |()| {
                let picture = drawer.picture(bounds, &areas, pixel);
                skeleton = picture
                    .map(|picture| picture.skeleton())
                    .unwrap_or_default();
            },
        );
        ctx.checkpoint()?;
        let by = drawer
            .by()
            .split([',', '('])
            .next()
            .unwrap_or_default()
            .trim();
        let what = format!("skeleton of mckenna from {across} pixels across, by {by}");
        let row = Row::new(what, "ms", timing.median * 1e3);
        rows.push(row.spread(timing.spread * 1e3));
        let off = skeleton.points.iter().filter_map(|point| {
            let nearest = map.nearest(point.point)?;
            Some(nearest.point.distance(point.point) / (pixel * std::f64::consts::SQRT_2))
        });
        let what = format!("its points from the exact axis, 19 of 20 within, by {by}");
        let off = at_share(off.collect(), 0.95);
        rows.push(Row::new(what, "pixel diagonals", off).goal(1.0, Better::Lower));
    }
    Ok(rows)
}

/// The value that so large a share of all does not exceed; 0 without any.
fn at_share(mut values: Vec<f64>, share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let last = values.len().saturating_sub(1) as f64;
    values
        .get((last * share).round() as usize)
        .copied()
        .unwrap_or(0.0)
}

/// What a simulated second of one agent costs, and the search for its backbone.
fn walk_rows(level: &Level, ctx: &JobContext) -> Result<Vec<Row>, LabError> {
    ctx.stage("Walking");
    let map = built(level, ctx)?;
    let extent = map.extent();
    let mut random = Random::new(8);
    let mut place = || {
        (0..10_000)
            .map(|_| random.point(extent.min, extent.max))
            .find(|&p| map.walls().clearance(p).is_some_and(|c| c >= 2.0 * RADIUS))
    };
    let requests: Vec<CorridorRequest> = (0..WALKS)
        .filter_map(|_| {
            Some(CorridorRequest {
                start: place()?,
                goal: place()?,
                radius: RADIUS,
                safe_distance: RADIUS,
            })
        })
        .collect();
    let mut rows = Vec::new();
    let mut searches = Vec::new();
    for (name, settings) in [
        ("original", Settings::new(Method::Original, RADIUS)),
        ("improved", Settings::natural(RADIUS)),
    ] {
        let mut costs = Vec::new();
        let mut controls = Vec::new();
        for request in &requests {
            ctx.checkpoint()?;
            let start = Instant::now();
            let Ok(found) = backbone(&map, request) else {
                continue;
            };
            searches.push(start.elapsed().as_secs_f64() * 1e6);
            let CorridorRequest { start, goal, .. } = *request;
            let began = Instant::now();
            let samples = found.corridor.samples();
            let mut control = ControlPath::of_backbone(&map, start, samples, goal);
            if settings.method == Method::Improved {
                control = shortcut(&map, &control, 2.0 * RADIUS);
            }
            controls.push(began.elapsed().as_secs_f64() * 1e6);
            let mut motion = Motion::new(&map, &found.corridor, &control, &[], settings);
            let began = measure::thread_time();
            let mut ticks = 0;
            while motion.step() == Status::Moving {
                ticks += 1;
            }
            let took = measure::thread_time().saturating_sub(began).as_secs_f64();
            costs.push(took * 1e3 / (f64::from(ticks.max(1)) * settings.step_secs));
        }
        rows.push(
            Row::new(
                format!("one simulated second of one agent, {name}"),
                "ms",
                median(costs),
            )
            .goal(0.2, Better::Lower),
        );
        rows.push(Row::new(
            format!("its control path, {name}"),
            "µs",
            median(controls),
        ));
    }
    rows.push(Row::new(
        "backbone and corridor of a query on mckenna",
        "µs",
        median(searches),
    ));
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skeletons_of_pictures_lie_on_the_exact_axis() {
        let mckenna = Template::Mckenna.build(&template::Options::default());
        let rows = picture_rows(&mckenna.expect("valid"), 128.0, &JobContext::default());
        let rows = rows.expect("drawn");
        assert!(rows.len() == 2 || rows.len() == 4, "{rows:?}");
        for row in rows.iter().filter(|row| row.goal.is_some()) {
            assert!(row.ours > 0.0 && row.met == Some(true), "{row:?}");
        }
    }
}
