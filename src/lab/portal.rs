//! `wayloom bench portal`: how long baking and queries on portals take, how that grows, and a peer
//! on the same maps.
//!
//! Figures should not depend on what else the machine does: bakes are measured in processor time,
//! all threads counted; queries, too short for that clock, are asked several times, and the fastest
//! answer of each counts, the peer's as well.

use super::trapezoids::{PlannedMap, median, optimal_outcome, portal_outcome};
use super::{Better, LabError, Report, Row, measure, scene};
use crate::document::template::Template;
use crate::document::{Edit, Kind, Level, ops};
use crate::jobs::JobContext;
use crate::nav::{BakeQuality, BakeRequest, NavBundle};
use crate::planner::portal::{Placing, PortalSearch};
use glam::{DVec2, Vec2};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The body that levels are baked for. Unit: metres.
const RADIUS: f64 = 0.3;
const BUDGET: Duration = Duration::from_millis(1000);
const QUERIES: usize = 10_000;
/// How often each query is asked.
const ROUNDS: usize = 3;
const PEER: &str = "polyanya 0.18";

/// Corners of the towns that show how baking grows.
const SIZES: [usize; 5] = [1_000, 3_000, 10_000, 30_000, 100_000];
const CORNERS: usize = 10;

/// # Errors
/// Cancelled, or a scene cannot be made.
pub fn run(ctx: &JobContext) -> Result<Report, LabError> {
    let mut rows = Vec::new();
    for template in [Template::Loose, Template::Dense] {
        ctx.stage(format!("Asking on {}", template.name()));
        rows.extend(query_rows(template, ctx)?);
    }
    for template in [Template::Loose, Template::Dense] {
        let level = template.build(&Default::default())?;
        let timing = bake_time(&level, BUDGET, ctx);
        rows.push(
            Row::new(
                format!("bake {}, processor time", template.name()),
                "ms",
                timing.median * 1e3,
            )
            .spread(timing.spread * 1e3)
            .goal(5.0, Better::Lower),
        );
    }
    rows.extend(growth_rows(ctx)?);
    rows.push(drag_row(ctx)?);
    Ok(Report {
        name: "portal".to_owned(),
        rows,
    })
}

fn query_rows(template: Template, ctx: &JobContext) -> Result<Vec<Row>, LabError> {
    let name = template.name();
    let map = PlannedMap::of_template(template, ctx)?;
    let queries = map.queries(QUERIES);
    let graph = map.nav.whole_portals();
    let ours = fastest(|| portal_outcome(&map, graph, Placing::Movable, &queries).micros);
    ctx.checkpoint()?;
    let best = fastest(|| optimal_outcome(&map, &queries).micros);
    ctx.checkpoint()?;
    let peer = peer_micros(&map, &queries);
    ctx.checkpoint()?;
    Ok(vec![
        Row::new(format!("query on {name}, portals"), "µs", ours)
            .goal(10.0, Better::Lower)
            .beside(PEER, peer),
        Row::new(format!("query on {name}, shortest path"), "µs", best).beside(PEER, peer),
    ])
}

/// The median over all queries, each as fast as in its fastest round.
fn fastest(round: impl Fn() -> Vec<f64>) -> f64 {
    let mut least = round();
    for _ in 1..ROUNDS {
        for (least, again) in least.iter_mut().zip(round()) {
            *least = least.min(again);
        }
    }
    median(least)
}

/// Median time of the peer's queries, on the mesh that it makes of the same free space.
fn peer_micros(map: &PlannedMap, queries: &[[DVec2; 2]]) -> f64 {
    let single = |p: DVec2| Vec2::new(p.x as f32, p.y as f32);
    let Some(largest) = map
        .nav
        .free()
        .areas
        .iter()
        .max_by(|a, b| a.area().total_cmp(&b.area()))
    else {
        return f64::NAN;
    };
    let outer: Vec<Vec2> = largest.outer.iter().copied().map(single).collect();
    let mut drawing = polyanya::Triangulation::from_outer_edges(&outer);
    for hole in &largest.holes {
        drawing.add_obstacle(hole.iter().copied().map(single));
    }
    let mut mesh = drawing.as_navmesh();
    mesh.merge_polygons();
    mesh.bake();
    let ask = |&[start, goal]: &[DVec2; 2]| {
        let began = Instant::now();
        std::hint::black_box(mesh.path(single(start), single(goal)));
        began.elapsed().as_secs_f64() * 1e6
    };
    fastest(|| queries.iter().map(ask).collect())
}

/// Free space, trapezoids, merging and the graph of portals, in processor time.
fn bake_time(level: &Level, budget: Duration, ctx: &JobContext) -> measure::Timing {
    measure::processor_time(
        budget,
        || (),
        |()| {
            let nav = scene::nav_for(level, RADIUS, ctx).ok()?;
            let (_, _) = (nav.whole_portals(), nav.pinches());
            Some(nav)
        },
    )
}

fn growth_rows(ctx: &JobContext) -> Result<Vec<Row>, LabError> {
    let mut rows = Vec::new();
    let mut levels = Vec::new();
    for (i, corners) in SIZES.into_iter().enumerate() {
        ctx.stage(format!("Baking {corners} corners"));
        ctx.report(i as f32 / SIZES.len() as f32);
        let level = scene::town(corners / CORNERS, CORNERS)?;
        let timing = bake_time(&level, BUDGET, ctx);
        ctx.checkpoint()?;
        levels.push((corners as f64, level));
        let row = Row::new(
            format!("bake {corners} corners, processor time"),
            "ms",
            timing.median * 1e3,
        )
        .spread(timing.spread * 1e3);
        rows.push(if i + 1 == SIZES.len() {
            row.goal(1500.0, Better::Lower)
        } else {
            row
        });
    }
    let [(few, small), .., (many, large)] = &levels[..] else {
        return Ok(rows);
    };
    // In turns, so that both meet the machine in the same mood.
    let mut growths = Vec::new();
    for _ in 0..5 {
        let [low, high] = [small, large].map(|level| {
            let budget = Duration::from_millis(100);
            bake_time(level, budget, ctx).median
        });
        ctx.checkpoint()?;
        growths.push((high / (many * many.log2())) / (low / (few * few.log2())));
    }
    // 1 is n log n. Along the range, memory outgrows the caches, which costs something once.
    rows.push(
        Row::new(
            "growth from 1,000 to 100,000 corners, against n log n",
            "×",
            median(growths),
        )
        .goal(1.5, Better::Lower),
    );
    Ok(rows)
}

/// What a frame has to do while one of 2,000 obstacles is dragged: everything up to the new path.
fn drag_row(ctx: &JobContext) -> Result<Row, LabError> {
    ctx.stage("Dragging an obstacle");
    let level = scene::town(2_000, CORNERS)?;
    let bounds = level.settings().bounds;
    let Some((id, entity, obstacle)) = level.obstacles().nth(level.len() / 2) else {
        return Err(LabError::Unavailable("the town is empty".to_owned()));
    };
    let mut bundle = NavBundle::bake(
        BakeRequest::for_radius(Arc::new(level.clone()), RADIUS),
        ctx,
    )?;
    let mut engine = PortalSearch::new(Placing::Movable);
    let mut found = 0;
    let mut step = 0;
    let moved_level = |step: usize| -> Option<Level> {
        let by = DVec2::new(0.05 * (step % 40) as f64, 0.03 * (step % 60) as f64);
        let mut obstacle = obstacle.clone();
        obstacle.area = obstacle.area.map(|p| p + by);
        let mut entity = entity.clone();
        entity.kind = Kind::Obstacle(obstacle);
        ops::apply(&level, &[Edit::replace(id, entity)]).ok()
    };
    let timing = measure::processor_time(
        BUDGET,
        || {
            step += 1;
            moved_level(step)
        },
        |moved| {
            let request = BakeRequest {
                quality: BakeQuality::Preview,
                before: Some(&bundle),
                ..BakeRequest::for_radius(Arc::new(moved?), RADIUS)
            };
            bundle = NavBundle::bake(request, ctx).ok()?;
            let nav = bundle.nav(RADIUS)?;
            let (cells, graph) = (nav.cells(), nav.whole_portals());
            let inset = DVec2::splat(1.0);
            let ends = [bounds.min + inset, bounds.max - inset];
            engine.begin(cells, nav.pinches(), graph, ends[0], ends[1]);
            engine.run(cells, graph, usize::MAX);
            found += usize::from(engine.path().len() > 1);
            Some(())
        },
    );
    if found == 0 {
        return Err(LabError::Unavailable("no path was found".to_owned()));
    }
    Ok(Row::new(
        "new path while dragging 1 of 2000 obstacles, processor time",
        "ms",
        timing.median * 1e3,
    )
    .spread(timing.spread * 1e3)
    .goal(33.0, Better::Lower))
}
