//! `wayloom lab trapezoids`: Niederberger, Radovic and Gross 2004, Table 1 and Figures 8 and 9.
//!
//! Our own maps after the paper's description: 100 and 200 obstacles on 1000 × 1000, an agent that
//! is a point. Random queries between free places of one component.

use super::{Better, LabError, Report, Row, scene};
use crate::base::Random;
use crate::document::Level;
use crate::document::template::{self, Template};
use crate::jobs::JobContext;
use crate::nav::{CellMap, NavData, PortalGraph};
use crate::planner::metrics;
use crate::planner::optimal::OptimalSearch;
use crate::planner::portal::{Placing, PortalSearch};
use crate::planner::session::Progress;
use glam::DVec2;
use std::time::Instant;

const QUERIES: usize = 10_000;

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
        let level = template.build(&template::Options::default())?;
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
        )
        .paper(printed.obstacles),
        Row::new(format!("{name}: trapezoids"), "", trapezoids as f64),
        Row::new(
            format!("{name}: cells removed by merging"),
            "%",
            100.0 * removed as f64 / trapezoids.max(1) as f64,
        )
        .paper(50.0),
    ];
    for ((baseline, graph), nodes) in BASELINES.iter().zip(graphs).zip(printed.nodes) {
        rows.push(
            Row::new(
                format!("{name}: nodes, {baseline}"),
                "",
                graph.nodes.len() as f64,
            )
            .paper(nodes),
        );
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
            .paper(printed.as_short)
            .goal(90.0, Better::Higher),
        );
        rows.push(
            Row::new(
                format!("{name}: shorter than {baseline}"),
                "%",
                share(&|i| ours.lengths[i] < theirs.lengths[i] - SAME),
            )
            .paper(printed.shorter)
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
    let gaps: Vec<f64> = ours
        .lengths
        .iter()
        .zip(&best.lengths)
        .filter(|(_, best)| **best > 0.0)
        .map(|(ours, best)| 100.0 * (ours / best - 1.0))
        .collect();
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
        .paper(printed.micros)
        .goal(10.0, Better::Lower),
    );
    Ok(rows)
}
