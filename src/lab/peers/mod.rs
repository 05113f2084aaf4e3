//! `wayloom bench peers`: our planners and those of others, on the same maps, in one run.
//!
//! Each query is asked of everyone in turn, three times over, and the fastest answer counts: what
//! else the machine does at the moment meets all alike. Detour runs in a program of its own, which
//! measures itself the same way.

mod detour;
mod maps;

use super::trapezoids::median;
use super::{Better, LabError, Report, Row, scene};
use crate::base::Random;
use crate::document::Level;
use crate::geometry::Polygon;
use crate::jobs::JobContext;
use crate::nav::NavData;
use crate::planner::metrics::length_in_plan;
use crate::planner::optimal::OptimalSearch;
use crate::planner::portal::{Placing, PortalSearch};
use glam::{DVec2, Vec2};
use std::path::Path;
use std::time::Instant;

const POLYANYA: &str = "polyanya 0.18";
const DETOUR: &str = "Detour";
const QUERIES: usize = 500;
const ROUNDS: usize = 3;

/// Largest share of the peer's time that we want to take.
const SHARE_OF_POLYANYA: f64 = 0.33;
const SHARE_OF_DETOUR: f64 = 0.5;
/// Largest gaps to the shortest paths that we want. Unit: per cent.
const MEAN_GAP: f64 = 0.2;
const WORST_GAP: f64 = 3.0;

/// # Errors
/// Cancelled, or a map cannot be made.
pub fn run(ctx: &JobContext) -> Result<Report, LabError> {
    report(maps::generated(ctx)?, ctx)
}

/// On every map and level of a folder.
///
/// # Errors
/// Cancelled, or the folder cannot be read.
pub fn run_on(folder: &Path, ctx: &JobContext) -> Result<Report, LabError> {
    report(maps::of_folder(folder, ctx)?, ctx)
}

fn report(levels: Vec<(String, Level)>, ctx: &JobContext) -> Result<Report, LabError> {
    let mut rows = Vec::new();
    let mut is_whole = true;
    for (name, level) in levels {
        ctx.stage(format!("Asking on {name}"));
        rows.extend(polyanya_rows(&name, &level, ctx)?);
        ctx.checkpoint()?;
        match detour_rows(&name, &level, ctx)? {
            Some(beside) => rows.extend(beside),
            None => is_whole = false,
        }
        ctx.checkpoint()?;
    }
    let name = if is_whole {
        "peers"
    } else {
        "peers, without Detour: it has not been fetched, which `scripts/readers detour` does"
    };
    Ok(Report {
        name: name.to_owned(),
        rows,
    })
}

/// What one planner answered for each query.
#[derive(Clone, Debug, Default)]
struct Answers {
    /// Of the fastest round. Unit: microseconds.
    micros: Vec<f64>,
    /// Infinite where it found no path. Unit: metres.
    lengths: Vec<f64>,
}

impl Answers {
    fn add(&mut self, query: usize, (micros, length): (f64, f64)) {
        if self.micros.len() <= query {
            self.micros.push(micros);
            self.lengths.push(length);
        } else {
            self.micros[query] = self.micros[query].min(micros);
        }
    }

    fn total(&self) -> f64 {
        self.micros.iter().sum()
    }

    fn median(&self) -> f64 {
        median(self.micros.clone())
    }

    /// How much longer than the best, query by query. Unit: per cent.
    fn gaps(&self, best: &Self) -> Vec<f64> {
        let pairs = self.lengths.iter().zip(&best.lengths);
        pairs
            .filter(|(theirs, best)| **best > 0.0 && best.is_finite() && theirs.is_finite())
            .map(|(ours, best)| 100.0 * (ours / best - 1.0).max(0.0))
            .collect()
    }
}

fn timed(ask: impl FnOnce() -> f64) -> (f64, f64) {
    let began = Instant::now();
    let length = std::hint::black_box(ask());
    (began.elapsed().as_secs_f64() * 1e6, length)
}

/// The searches of ours that are compared, on one map.
struct Ours<'a> {
    nav: &'a NavData,
    portals: PortalSearch,
    optimum: OptimalSearch,
}

impl<'a> Ours<'a> {
    fn new(nav: &'a NavData) -> Self {
        Self {
            nav,
            portals: PortalSearch::new(Placing::Movable),
            optimum: OptimalSearch::default(),
        }
    }

    fn by_portals(&mut self, [start, goal]: [DVec2; 2]) -> f64 {
        let (cells, graph) = (self.nav.cells(), self.nav.whole_portals());
        self.portals
            .begin(cells, self.nav.pinches(), graph, start, goal);
        self.portals.run(cells, graph, usize::MAX);
        found(self.portals.path())
    }

    fn shortest(&mut self, [start, goal]: [DVec2; 2]) -> f64 {
        let (pinches, corners) = (self.nav.pinches(), self.nav.corners());
        self.optimum
            .begin(self.nav.cells(), pinches, corners, start, goal);
        self.optimum.run(corners, usize::MAX);
        found(self.optimum.path())
    }
}

/// For an agent that is a point.
fn polyanya_rows(name: &str, level: &Level, ctx: &JobContext) -> Result<Vec<Row>, LabError> {
    let nav = scene::nav_for(level, 0.0, ctx)?;
    let Some((component, area)) = largest(&nav) else {
        return Ok(Vec::new());
    };
    let queries = queries(&nav, component);
    let peer = polyanya_mesh(area);
    ctx.checkpoint()?;
    let mut ours = Ours::new(&nav);
    let [mut portals, mut best, mut theirs] = [(); 3].map(|()| Answers::default());
    let single = |p: DVec2| Vec2::new(p.x as f32, p.y as f32);
    for _ in 0..ROUNDS {
        for (i, &query) in queries.iter().enumerate() {
            portals.add(i, timed(|| ours.by_portals(query)));
            best.add(i, timed(|| ours.shortest(query)));
            let [start, goal] = query.map(single);
            theirs.add(
                i,
                timed(|| {
                    let path = peer.path(start, goal);
                    path.map_or(f64::INFINITY, |path| f64::from(path.length))
                }),
            );
        }
        ctx.checkpoint()?;
    }
    let mut rows = vec![
        Row::new(
            format!("{name}: shortest path, median of {}", queries.len()),
            "µs",
            best.median(),
        )
        .beside(POLYANYA, theirs.median()),
        Row::new(
            format!("{name}: shortest paths ÷ polyanya, all together"),
            "×",
            best.total() / theirs.total(),
        )
        .goal(SHARE_OF_POLYANYA, Better::Lower),
        Row::new(format!("{name}: portals, median"), "µs", portals.median())
            .beside(POLYANYA, theirs.median()),
    ];
    let gaps = portals.gaps(&best);
    rows.extend(gap_rows(name, "portals", &gaps, Goals::Ours));
    Ok(rows)
}

/// For a body of the least radius: Detour's mesh comes from our export, which is for a profile.
fn detour_rows(name: &str, level: &Level, ctx: &JobContext) -> Result<Option<Vec<Row>>, LabError> {
    let nav = scene::nav_for(level, detour::RADIUS, ctx)?;
    let Some((component, _)) = largest(&nav) else {
        return Ok(Some(Vec::new()));
    };
    let queries = queries(&nav, component);
    let Some(theirs) = detour::answers(level, &queries, ctx)? else {
        return Ok(None);
    };
    let mut ours = Ours::new(&nav);
    let [mut portals, mut best] = [(); 2].map(|()| Answers::default());
    for _ in 0..ROUNDS {
        for (i, &query) in queries.iter().enumerate() {
            portals.add(i, timed(|| ours.by_portals(query)));
            best.add(i, timed(|| ours.shortest(query)));
        }
        ctx.checkpoint()?;
    }
    let mut rows = vec![
        Row::new(
            format!("{name}, body of 1 cm: portals, median"),
            "µs",
            portals.median(),
        )
        .beside(DETOUR, theirs.median()),
        Row::new(
            format!("{name}, body of 1 cm: portals ÷ Detour, all together"),
            "×",
            portals.total() / theirs.total(),
        )
        .goal(SHARE_OF_DETOUR, Better::Lower),
        Row::new(
            format!("{name}, body of 1 cm: shortest paths ÷ Detour, all together"),
            "×",
            best.total() / theirs.total(),
        ),
    ];
    rows.extend(gap_rows(name, DETOUR, &theirs.gaps(&best), Goals::None));
    Ok(Some(rows))
}

fn found(path: &[DVec2]) -> f64 {
    match path {
        [] => f64::INFINITY,
        path => length_in_plan(path),
    }
}

/// Whether gaps are ours to make small.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Goals {
    Ours,
    None,
}

fn gap_rows(name: &str, of: &str, gaps: &[f64], goals: Goals) -> [Row; 2] {
    let mean = gaps.iter().sum::<f64>() / gaps.len().max(1) as f64;
    let worst = gaps.iter().copied().fold(0.0, f64::max);
    let figures = [("mean", mean, MEAN_GAP), ("worst", worst, WORST_GAP)];
    figures.map(|(which, gap, goal)| {
        let what = format!("{name}: {which} gap of {of} to the shortest path");
        let row = Row::new(what, "%", gap);
        match goals {
            Goals::Ours => row.goal(goal, Better::Lower),
            Goals::None => row,
        }
    })
}

/// The largest connected area, and its number: peers know one area alone.
fn largest(nav: &NavData) -> Option<(u32, &Polygon)> {
    let areas = (0..).zip(&nav.free().areas);
    areas.max_by(|a, b| a.1.area().total_cmp(&b.1.area()))
}

/// Random pairs of places in an area.
fn queries(nav: &NavData, component: u32) -> Vec<[DVec2; 2]> {
    let (bounds, cells) = (nav.bounds(), nav.cells());
    let mut random = Random::new(21);
    let mut place = || {
        let p = random.point(bounds.min, bounds.max);
        let is_inside = cells
            .locate(p)
            .is_some_and(|cell| cells.component(cell) == component);
        is_inside.then_some(p)
    };
    let mut places = Vec::new();
    for _ in 0..10_000 * QUERIES {
        places.extend(place());
        if places.len() == 2 * QUERIES {
            break;
        }
    }
    places
        .chunks_exact(2)
        .map(|pair| [pair[0], pair[1]])
        .collect()
}

/// The mesh that the peer makes of an area, merged and with its index built.
fn polyanya_mesh(area: &Polygon) -> polyanya::Mesh {
    let single = |p: &DVec2| Vec2::new(p.x as f32, p.y as f32);
    let outer: Vec<Vec2> = area.outer.iter().map(single).collect();
    let mut drawing = polyanya::Triangulation::from_outer_edges(&outer);
    for hole in &area.holes {
        drawing.add_obstacle(hole.iter().map(single));
    }
    let mut mesh = drawing.as_navmesh();
    mesh.merge_polygons();
    mesh.bake();
    mesh
}
