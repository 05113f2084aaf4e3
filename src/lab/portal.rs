//! `wayloom bench portal`: how long baking and queries on portals take, how that grows, and a peer
//! on the same maps.

use super::trapezoids::{PlannedMap, median, optimal_outcome, portal_outcome};
use super::{Better, LabError, Report, Row, measure, scene};
use crate::document::Level;
use crate::document::template::Template;
use crate::jobs::JobContext;
use crate::nav::{FreeSpace, Trapezoids, free_space::Input};
use crate::planner::places::Pinches;
use crate::planner::portal::{Placing, PortalGraph};
use glam::{DVec2, Vec2};
use std::time::{Duration, Instant};

/// The body that levels are baked for. Unit: metres.
const RADIUS: f64 = 0.3;
const BUDGET: Duration = Duration::from_millis(1000);
const QUERIES: usize = 10_000;
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
        let timing = bake_time(&level, ctx);
        rows.push(
            Row::new(
                format!("bake {}", template.name()),
                "ms",
                timing.median * 1e3,
            )
            .spread(timing.spread * 1e3)
            .goal(5.0, Better::Lower),
        );
    }
    rows.extend(growth_rows(ctx)?);
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
    // The first round warms up: scratch memory grows to its size.
    portal_outcome(
        &map,
        graph,
        Placing::Movable,
        &queries[..queries.len() / 10],
    );
    let ours = portal_outcome(&map, graph, Placing::Movable, &queries);
    let best = optimal_outcome(&map, &queries);
    ctx.checkpoint()?;
    let peer = peer_micros(&map, &queries);
    ctx.checkpoint()?;
    Ok(vec![
        Row::new(
            format!("query on {name}, portals"),
            "µs",
            ours.median_micros(),
        )
        .goal(10.0, Better::Lower)
        .beside(PEER, peer),
        Row::new(
            format!("query on {name}, shortest path"),
            "µs",
            best.median_micros(),
        )
        .beside(PEER, peer),
    ])
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
    let micros = queries
        .iter()
        .map(|&[start, goal]| {
            let began = Instant::now();
            std::hint::black_box(mesh.path(single(start), single(goal)));
            began.elapsed().as_secs_f64() * 1e6
        })
        .collect();
    median(micros)
}

/// Free space, trapezoids, merging and the graph of portals.
fn bake_time(level: &Level, ctx: &JobContext) -> measure::Timing {
    measure::time(
        BUDGET,
        || (),
        |()| {
            let free = FreeSpace::build(Input::of_level(level), RADIUS, ctx).ok()?;
            let cells = Trapezoids::build(&free, ctx).ok()?;
            Some((
                PortalGraph::new(&cells.merged, None),
                Pinches::of(&cells.merged),
            ))
        },
    )
}

fn growth_rows(ctx: &JobContext) -> Result<Vec<Row>, LabError> {
    let mut rows = Vec::new();
    let mut per_unit = Vec::new();
    for (i, corners) in SIZES.into_iter().enumerate() {
        ctx.stage(format!("Baking {corners} corners"));
        ctx.report(i as f32 / SIZES.len() as f32);
        let level = scene::town(corners / CORNERS, CORNERS)?;
        let timing = bake_time(&level, ctx);
        ctx.checkpoint()?;
        let n = corners as f64;
        per_unit.push(timing.median / (n * n.log2()));
        let row = Row::new(format!("bake {corners} corners"), "ms", timing.median * 1e3)
            .spread(timing.spread * 1e3);
        rows.push(if i + 1 == SIZES.len() {
            row.goal(1500.0, Better::Lower)
        } else {
            row
        });
    }
    // 1 is n log n. Memory grows out of the caches on the way, which costs something once.
    rows.push(
        Row::new(
            "growth from 1,000 to 100,000 corners, against n log n",
            "×",
            per_unit[per_unit.len() - 1] / per_unit[0],
        )
        .goal(1.5, Better::Lower),
    );
    Ok(rows)
}
