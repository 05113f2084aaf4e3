//! `wayloom lab trapezoids`: Niederberger, Radovic and Gross 2004, Table 1 and Figures 8 and 9.
//!
//! The paper's maps are not printed, but their numbers of nodes are those of overlapping rectangles
//! along the axes: 100 and 200 of them on 1000 × 1000, of which half a side is 0.3 to 1 times a radius
//! of 10 to 70. Rows with the paper's figures are means over maps of eight seeds. Beside them stand our
//! own maps, whose obstacles are convex and apart: n of them with V corners leave at least V + 2n
//! portals, so that they have more nodes than the paper's, not fewer. An agent is a point; random
//! queries are between free places of one component.

use super::{Better, LabError, Report, Row, report, scene};
use crate::base::{EntityId, Random};
use crate::document::template::{self, Template};
use crate::document::{Edit, Entity, Kind, Level, Obstacle, Settings, ops};
use crate::geometry::{Polygon, Rect};
use crate::jobs::JobContext;
use crate::nav::{CellMap, NavData, PortalGraph};
use crate::planner::metrics;
use crate::planner::optimal::OptimalSearch;
use crate::planner::portal::{Placing, PortalSearch};
use crate::planner::session::Progress;
use glam::DVec2;
use std::sync::Arc;
use std::time::Instant;

const QUERIES: usize = 10_000;

/// Maps with the paper's figures, for each of both densities.
const SEEDS: u64 = 8;

impl report::Printed for Placing {
    /// Nodes that move along their portals.
    fn is_as_printed(&self) -> bool {
        *self == Self::Movable
    }
}

/// Lengths that differ by less are equal. Unit: metres.
const SAME: f64 = 1e-6;

/// What the paper says of one of its maps.
struct Printed {
    template: Template,
    obstacles: f64,
    /// Nodes by portal centres, portals up to 1/3 and up to 1/10 of the map's width.
    nodes: [f64; 3],
    /// Paths as short or shorter than the baselines', and strictly shorter. Unit: per cent.
    as_short: f64,
    shorter: f64,
    /// Mean time of a query. Unit: microseconds.
    micros: f64,
}

const PRINTED: [Printed; 2] = [
    Printed {
        template: Template::Loose,
        obstacles: 100.0,
        nodes: [281.0, 323.0, 567.0],
        as_short: 97.0,
        shorter: 60.0,
        micros: 190.0,
    },
    Printed {
        template: Template::Dense,
        obstacles: 200.0,
        nodes: [395.0, 408.0, 568.0],
        as_short: 90.0,
        shorter: 50.0,
        micros: 280.0,
    },
];

const BASELINES: [&str; 3] = ["portal centres", "portals up to 1/3", "portals up to 1/10"];

/// # Errors
/// Cancelled, or a map cannot be drawn.
pub fn run(ctx: &JobContext) -> Result<Report, LabError> {
    let mut rows = Vec::new();
    for printed in &PRINTED {
        rows.extend(paper_rows(printed, ctx)?);
    }
    for printed in &PRINTED {
        rows.extend(map_rows(printed, ctx)?);
    }
    Ok(Report {
        name: "trapezoids".to_owned(),
        rows,
    })
}

/// A level that planners can be asked about.
#[derive(Debug)]
pub(super) struct PlannedMap {
    pub level: Level,
    pub nav: NavData,
    /// Cells before merging.
    pub trapezoids: usize,
}

impl PlannedMap {
    /// For an agent that is a point, as in the paper.
    pub(super) fn of_template(template: Template, ctx: &JobContext) -> Result<Self, LabError> {
        Self::of(template.build(&template::Options::default())?, ctx)
    }

    fn of(level: Level, ctx: &JobContext) -> Result<Self, LabError> {
        let nav = scene::nav_for(&level, 0.0, ctx)?;
        Ok(Self {
            trapezoids: nav.space().plain.len(),
            nav,
            level,
        })
    }

    pub(super) fn cells(&self) -> &CellMap {
        self.nav.cells()
    }

    /// Random pairs of places that a path connects.
    pub(super) fn queries(&self, count: usize) -> Vec<[DVec2; 2]> {
        let bounds = self.level.settings().bounds;
        let mut random = Random::new(2004);
        let mut place = || {
            let p = random.point(bounds.min, bounds.max);
            Some((p, self.cells().component(self.cells().locate(p)?)))
        };
        let mut queries = Vec::new();
        // Where next to nothing is free, fewer queries are better than none at all.
        for _ in 0..1000 * count {
            if let (Some((a, in_a)), Some((b, in_b))) = (place(), place())
                && in_a == in_b
            {
                queries.push([a, b]);
            }
            if queries.len() == count {
                break;
            }
        }
        queries
    }
}

/// What one planner answered for each query.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub lengths: Vec<f64>,
    pub micros: Vec<f64>,
}

impl Outcome {
    fn push(&mut self, began: Instant, path: &[DVec2], progress: Progress) {
        self.micros.push(began.elapsed().as_secs_f64() * 1e6);
        self.lengths.push(match progress {
            Progress::Found => metrics::length_in_plan(path),
            _ => f64::INFINITY,
        });
    }

    pub(super) fn median_micros(&self) -> f64 {
        median(self.micros.clone())
    }
}

pub(super) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

pub(super) fn portal_outcome(
    map: &PlannedMap,
    graph: &PortalGraph,
    placing: Placing,
    queries: &[[DVec2; 2]],
) -> Outcome {
    let mut engine = PortalSearch::new(placing);
    let mut outcome = Outcome::default();
    for &[start, goal] in queries {
        let began = Instant::now();
        engine.begin(map.cells(), map.nav.pinches(), graph, start, goal);
        let progress = engine.run(map.cells(), graph, usize::MAX);
        outcome.push(began, engine.path(), progress);
    }
    outcome
}

pub(super) fn optimal_outcome(map: &PlannedMap, queries: &[[DVec2; 2]]) -> Outcome {
    let mut engine = OptimalSearch::default();
    let mut outcome = Outcome::default();
    for &[start, goal] in queries {
        let began = Instant::now();
        engine.begin(
            map.cells(),
            map.nav.pinches(),
            map.nav.corners(),
            start,
            goal,
        );
        let progress = engine.run(map.nav.corners(), usize::MAX);
        outcome.push(began, engine.path(), progress);
    }
    outcome
}

/// A map like the paper's: rectangles along the axes that may overlap.
fn rectangles(count: usize, seed: u64) -> Result<Level, LabError> {
    const EDGE: f64 = 1000.0;
    let mut random = Random::new(seed);
    let settings = Settings {
        name: format!("{count} rectangles, {seed}"),
        bounds: Rect::new(DVec2::ZERO, DVec2::splat(EDGE)),
        ..Settings::default()
    };
    let mut edits = vec![Edit::Settings(Arc::new(settings))];
    edits.extend((0..count).map(|index| {
        let radius = random.range(10.0, 70.0);
        let half = DVec2::new(random.range(0.3, 1.0), random.range(0.3, 1.0)) * radius;
        let centre = random.point(DVec2::ZERO, DVec2::splat(EDGE));
        let within = |p: DVec2| (p.clamp(DVec2::ZERO, DVec2::splat(EDGE)) * 100.0).round() / 100.0;
        let area = Rect::new(within(centre - half), within(centre + half));
        let name = format!("Rectangle {}", index + 1);
        let obstacle = Obstacle::new(Polygon::rect(area));
        Edit::create(
            EntityId::new(index as u64 + 1),
            Entity::new(name, Kind::Obstacle(obstacle)),
        )
    }));
    Ok(ops::apply(&Level::default(), &edits)?)
}

/// What one map says beside the paper.
#[derive(Clone, Copy, Debug, Default)]
struct Found {
    nodes: [f64; 3],
    as_short: [f64; 3],
    shorter: [f64; 3],
    micros: f64,
    gap: f64,
}

fn share(count: usize, holds: impl Fn(usize) -> bool) -> f64 {
    100.0 * (0..count).filter(|i| holds(*i)).count() as f64 / count.max(1) as f64
}

impl Found {
    fn on(map: &PlannedMap, queries: usize, ctx: &JobContext) -> Result<Self, LabError> {
        let graphs = [
            map.nav.whole_portals(),
            map.nav.third_portals(),
            map.nav.tenth_portals(),
        ];
        let queries = map.queries(queries);
        let ours = portal_outcome(map, graphs[0], Placing::Movable, &queries);
        let best = optimal_outcome(map, &queries);
        let mut found = Self {
            nodes: graphs.map(|graph| graph.nodes.len() as f64),
            micros: mean(&ours.micros),
            gap: mean(&gaps(&ours, &best)),
            ..Self::default()
        };
        for (index, graph) in graphs.into_iter().enumerate() {
            ctx.checkpoint()?;
            let theirs = portal_outcome(map, graph, Placing::Centre, &queries);
            let count = queries.len();
            found.as_short[index] = share(count, |i| ours.lengths[i] <= theirs.lengths[i] + SAME);
            found.shorter[index] = share(count, |i| ours.lengths[i] < theirs.lengths[i] - SAME);
        }
        Ok(found)
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// How much longer paths are than the shortest. Unit: per cent.
fn gaps(ours: &Outcome, best: &Outcome) -> Vec<f64> {
    let pairs = ours.lengths.iter().zip(&best.lengths);
    pairs
        .filter(|(_, best)| **best > 0.0)
        .map(|(ours, best)| 100.0 * (ours / best - 1.0))
        .collect()
}

/// Means over the maps that fit the paper's figures.
fn paper_rows(printed: &Printed, ctx: &JobContext) -> Result<Vec<Row>, LabError> {
    let count = printed.obstacles as usize;
    let name = format!("{count} rectangles");
    ctx.stage(format!("Planning on {name}"));
    let mut all = Vec::new();
    for seed in 1..=SEEDS {
        let map = PlannedMap::of(rectangles(count, seed)?, ctx)?;
        all.push(Found::on(&map, QUERIES / SEEDS as usize, ctx)?);
    }
    let of = |pick: &dyn Fn(&Found) -> f64| mean(&all.iter().map(pick).collect::<Vec<_>>());
    let row = |what: &str, unit: &'static str, figure: f64| {
        Row::new(format!("{name}: {what}"), unit, figure).by(&Placing::Movable)
    };
    let mut rows = Vec::new();
    for (index, baseline) in BASELINES.into_iter().enumerate() {
        let paper = printed.nodes[index];
        let nodes = row(&format!("nodes, {baseline}"), "", of(&|f| f.nodes[index])).paper(paper);
        // The maps are taken to be like the paper's because of these.
        rows.push(nodes.within(0.85 * paper, 1.15 * paper));
    }
    for (index, baseline) in BASELINES.into_iter().enumerate() {
        let what = format!("as short as {baseline}, or shorter");
        let as_short = row(&what, "%", of(&|f| f.as_short[index]));
        rows.push(as_short.paper(printed.as_short).goal(90.0, Better::Higher));
        let what = format!("shorter than {baseline}");
        let shorter = row(&what, "%", of(&|f| f.shorter[index]));
        rows.push(shorter.paper(printed.shorter).goal(50.0, Better::Higher));
    }
    rows.push(
        row("mean time of a query", "µs", of(&|f| f.micros))
            .paper(printed.micros)
            .goal(printed.micros / 10.0, Better::Lower),
    );
    rows.push(row("mean gap to the shortest path", "%", of(&|f| f.gap)).goal(2.0, Better::Lower));
    Ok(rows)
}

/// Our own maps, without a column of the paper.
fn map_rows(printed: &Printed, ctx: &JobContext) -> Result<Vec<Row>, LabError> {
    let name = printed.template.name();
    ctx.stage(format!("Planning on {name}"));
    let map = PlannedMap::of_template(printed.template, ctx)?;
    let graphs = [
        map.nav.whole_portals(),
        map.nav.third_portals(),
        map.nav.tenth_portals(),
    ];
    let queries = map.queries(QUERIES);

    let trapezoids = map.trapezoids;
    let removed = trapezoids - map.cells().len();
    let mut rows = vec![
        Row::new(
            format!("{name}: obstacles"),
            "",
            map.level.obstacles().count() as f64,
        ),
        Row::new(format!("{name}: trapezoids"), "", trapezoids as f64),
        Row::new(
            format!("{name}: cells removed by merging, flat trapezoids not counted"),
            "%",
            100.0 * removed as f64 / trapezoids.max(1) as f64,
        ),
    ];
    for (baseline, graph) in BASELINES.iter().zip(graphs) {
        let what = format!("{name}: nodes, {baseline}");
        rows.push(Row::new(what, "", graph.nodes.len() as f64));
    }

    let ours = portal_outcome(&map, graphs[0], Placing::Movable, &queries);
    for (baseline, graph) in BASELINES.iter().zip(graphs) {
        ctx.checkpoint()?;
        let theirs = portal_outcome(&map, graph, Placing::Centre, &queries);
        let share = |holds: &dyn Fn(usize) -> bool| {
            let count = (0..queries.len()).filter(|i| holds(*i)).count();
            100.0 * count as f64 / queries.len().max(1) as f64
        };
        rows.push(
            Row::new(
                format!("{name}: as short as {baseline}, or shorter"),
                "%",
                share(&|i| ours.lengths[i] <= theirs.lengths[i] + SAME),
            )
            .goal(90.0, Better::Higher),
        );
        rows.push(
            Row::new(
                format!("{name}: shorter than {baseline}"),
                "%",
                share(&|i| ours.lengths[i] < theirs.lengths[i] - SAME),
            )
            .goal(50.0, Better::Higher),
        );
        rows.push(Row::new(
            format!("{name}: faster than {baseline}"),
            "%",
            share(&|i| ours.micros[i] < theirs.micros[i]),
        ));
    }
    ctx.checkpoint()?;
    let best = optimal_outcome(&map, &queries);
    let gaps = gaps(&ours, &best);
    rows.push(
        Row::new(
            format!("{name}: mean gap to the shortest path"),
            "%",
            gaps.iter().sum::<f64>() / gaps.len().max(1) as f64,
        )
        .goal(2.0, Better::Lower),
    );
    rows.push(Row::new(
        format!("{name}: worst gap to the shortest path"),
        "%",
        gaps.iter().copied().fold(0.0, f64::max),
    ));
    rows.push(
        Row::new(
            format!("{name}: median time of a query"),
            "µs",
            ours.median_micros(),
        )
        .goal(10.0, Better::Lower),
    );
    Ok(rows)
}
