//! What the domains save and cost, over many queries.

use super::super::{Better, LabError, Row};
use super::query::{Scene, a_star, improve};
use crate::document::ConstraintDomain;
use crate::document::template::Template;
use crate::jobs::JobContext;
use crate::planner::constraint::ad_star::AdStar;
use crate::planner::constraint::domain::Domain;
use crate::planner::constraint::printed;
use crate::planner::constraint::runs::Density;
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

const METHODS: [&str; 5] = [
    "adaptive as printed, A*",
    "adaptive, A*",
    "adaptive, search from the goal",
    "graded, search from the goal",
    "hybrid, A*",
];

fn domain_rows(
    scenes: &[Scene],
    with: &str,
    paper: f64,
    ctx: &JobContext,
) -> Result<Vec<Row>, LabError> {
    let is_plain = with.starts_with("without");
    let mut dense = 0.0;
    let mut dense_back = 0.0;
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
            let Some((cost, expanded)) = a_star(&mut make(ConstraintDomain::Dense)) else {
                continue;
            };
            let back = |domain: ConstraintDomain| {
                let mut domain = make(domain);
                let mut search = AdStar::default();
                search.begin(&domain, domain.start(), domain.goal(), 1.0);
                improve(&mut search, &mut domain)
                    .last()
                    .map(|step| (step.1, step.2))
            };
            let Some((_, expanded_back)) = back(ConstraintDomain::Dense) else {
                continue;
            };
            let as_printed = printed::search(&mut make(ConstraintDomain::Dense), Density::PRINTED);
            let found = [
                as_printed.map(|found| (found.cost, found.expanded)),
                a_star(&mut make(ConstraintDomain::Adaptive)),
                back(ConstraintDomain::Adaptive),
                back(ConstraintDomain::Graded),
                a_star(&mut make(ConstraintDomain::Hybrid)),
            ];
            if found.iter().any(Option::is_none) {
                continue;
            }
            count += 1.0;
            dense += expanded as f64;
            dense_back += expanded_back as f64;
            for (sum, found) in sums.iter_mut().zip(found.into_iter().flatten()) {
                sum.expanded += found.1 as f64;
                sum.cost += found.0 / cost;
            }
        }
    }
    if count == 0.0 {
        return Err(LabError::Unavailable("no query has a path".to_owned()));
    }
    let mut rows = vec![Row::new(
        format!("dense, A*: expansions, {with}, mean of {count}"),
        "",
        dense / count,
    )];
    for (name, sum) in METHODS.iter().zip(sums) {
        let whole = if name.contains("from the goal") {
            dense_back
        } else {
            dense
        };
        let saved = 100.0 * (1.0 - sum.expanded / whole);
        let more = 100.0 * (sum.cost / count - 1.0);
        let saved = Row::new(format!("{name}: expansions saved, {with}"), "%", saved);
        let more = Row::new(format!("{name}: cost above dense, {with}"), "%", more);
        if name.starts_with("hybrid") {
            rows.push(
                saved
                    .paper(if is_plain { 37.9 } else { 3.3 })
                    .goal(1.0, Better::Higher),
            );
            rows.push(more);
        } else {
            rows.push(saved.paper(paper).goal(25.0, Better::Higher));
            rows.push(more.paper(7.4).goal(8.0, Better::Lower));
        }
    }
    Ok(rows)
}
