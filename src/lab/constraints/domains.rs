//! What the domains save and cost, over many queries.

use super::super::{Better, LabError, Row};
use super::EPSILON;
use super::query::{Scene, a_star};
use crate::document::ConstraintDomain;
use crate::document::template::Template;
use crate::jobs::JobContext;
use crate::planner::constraint::ad_star::AdStar;
use crate::planner::constraint::domain::Domain;
use crate::planner::constraint::printed;
use crate::planner::constraint::runs::Density;
use crate::planner::session::Progress;
use std::sync::Arc;

/// Queries on all scenes together.
const QUERIES: usize = 200;

/// Sums of a method over queries.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    expanded: f64,
    /// Relative to dense.
    cost: f64,
}

/// The scenes that means and medians are taken over.
pub(super) fn scenes(ctx: &JobContext) -> Result<[Scene; 3], LabError> {
    Ok([
        Scene::new(Template::Guards, "Shadow", 0.5, ctx)?,
        Scene::new(Template::Mckenna, "Infiltrator", 1.0, ctx)?,
        Scene::new(Template::Night, "Wary", 1.0, ctx)?,
    ])
}

/// With and without constraints, with the paper's saving in the example of Figure 2.
pub(super) fn rows(scenes: &[Scene], ctx: &JobContext) -> Result<Vec<Row>, LabError> {
    let mut rows = Vec::new();
    for (with, paper) in [("without constraints", 25.6), ("with constraints", 28.6)] {
        ctx.stage(format!("Domains {with}"));
        rows.extend(domain_rows(scenes, with, paper, ctx)?);
    }
    Ok(rows)
}

/// What a method is compared with: dense, searched likewise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Beside {
    AStar,
    /// From the goal.
    Back,
    /// From the goal, within the first bound.
    First,
}

/// What the paper says of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Paper {
    Adaptive,
    Hybrid,
}

const METHODS: [(&str, Beside, Paper); 7] = [
    ("adaptive as printed, A*", Beside::AStar, Paper::Adaptive),
    (
        "adaptive as printed with the first step not counted, A*",
        Beside::AStar,
        Paper::Adaptive,
    ),
    ("adaptive, A*", Beside::AStar, Paper::Adaptive),
    (
        "adaptive, search from the goal",
        Beside::Back,
        Paper::Adaptive,
    ),
    (
        "graded, search from the goal",
        Beside::Back,
        Paper::Adaptive,
    ),
    ("hybrid, A*", Beside::AStar, Paper::Hybrid),
    (
        "hybrid, first plan within ε = 2.5",
        Beside::First,
        Paper::Hybrid,
    ),
];

/// The printed rule, if the step that leaves a state in all directions is none of the four skips.
const FOUR_MORE: Density = Density {
    steps: Density::PRINTED.steps + 1,
    ..Density::PRINTED
};

fn domain_rows(
    scenes: &[Scene],
    with: &str,
    paper: f64,
    ctx: &JobContext,
) -> Result<Vec<Row>, LabError> {
    let is_plain = with.starts_with("without");
    let mut dense = [0.0; 3];
    let mut count = 0.0;
    let mut sums = [Sum::default(); METHODS.len()];
    for (index, scene) in scenes.iter().enumerate() {
        let field = if is_plain {
            Arc::default()
        } else {
            Arc::clone(&scene.field)
        };
        let share = QUERIES / scenes.len() + usize::from(index < QUERIES % scenes.len());
        for [start, goal] in scene.queries(share, index as u64 + 1) {
            ctx.checkpoint()?;
            let make = |domain| Domain::new(&scene.ground(domain), &field, start, goal);
            let back = |domain: ConstraintDomain, epsilon: f64| {
                let mut domain = make(domain);
                let mut search = AdStar::default();
                search.begin(&domain, domain.start(), domain.goal(), epsilon);
                let is_found = search.run(&mut domain, usize::MAX) == Progress::Found;
                is_found.then(|| (search.cost(), search.expanded()))
            };
            let as_printed = |density: Density| {
                let found = printed::search(&mut make(ConstraintDomain::Dense), density);
                found.map(|found| (found.cost, found.expanded))
            };
            let beside = [
                a_star(&mut make(ConstraintDomain::Dense)),
                back(ConstraintDomain::Dense, 1.0),
                back(ConstraintDomain::Dense, EPSILON),
            ];
            let found = [
                as_printed(Density::PRINTED),
                as_printed(FOUR_MORE),
                a_star(&mut make(ConstraintDomain::Adaptive)),
                back(ConstraintDomain::Adaptive, 1.0),
                back(ConstraintDomain::Graded, 1.0),
                a_star(&mut make(ConstraintDomain::Hybrid)),
                back(ConstraintDomain::Hybrid, EPSILON),
            ];
            if beside.iter().chain(&found).any(Option::is_none) {
                continue;
            }
            count += 1.0;
            let beside = beside.map(Option::unwrap_or_default);
            for (sum, (_, expanded)) in dense.iter_mut().zip(beside) {
                *sum += expanded as f64;
            }
            let found = found.into_iter().flatten();
            for ((sum, found), (_, by, _)) in sums.iter_mut().zip(found).zip(METHODS) {
                sum.expanded += found.1 as f64;
                sum.cost += found.0 / beside[by as usize].0;
            }
        }
    }
    if count == 0.0 {
        return Err(LabError::Unavailable("no query has a path".to_owned()));
    }
    let mut rows = vec![Row::new(
        format!("dense, A*: expansions, {with}, mean of {count}"),
        "",
        dense[Beside::AStar as usize] / count,
    )];
    for ((name, beside, by), sum) in METHODS.into_iter().zip(sums) {
        let saved = 100.0 * (1.0 - sum.expanded / dense[beside as usize]);
        let more = 100.0 * (sum.cost / count - 1.0);
        let saved = Row::new(format!("{name}: expansions saved, {with}"), "%", saved);
        let more = Row::new(format!("{name}: cost above dense, {with}"), "%", more);
        match by {
            Paper::Hybrid => {
                let paper = if is_plain { 37.9 } else { 3.3 };
                rows.push(saved.paper(paper).goal(1.0, Better::Higher));
                rows.push(more);
            }
            Paper::Adaptive => {
                rows.push(saved.paper(paper).goal(25.0, Better::Higher));
                rows.push(more.paper(7.4).goal(8.0, Better::Lower));
            }
        }
    }
    Ok(rows)
}
