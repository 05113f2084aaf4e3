//! Table I: to a first plan, to the best plan, and for a repair. Times are processor times.

use super::super::measure::thread_time;
use super::super::{Better, LabError, Row, scene};
use super::query::{
    a_star, agent_goal, agent_of, field_of, improve, median, millis_since, repaired,
};
use super::{EPSILON, RADIUS};
use crate::document::template::{Options, Template};
use crate::document::{KindName, Level};
use crate::jobs::JobContext;
use crate::nav::constraint::{Field, Lattice, Placement, Situation};
use crate::planner::constraint::ad_star::{AdStar, Standing};
use crate::planner::constraint::domain::{Domain, Ground};
use crate::planner::constraint::runs::Density;
use glam::DVec3;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Moves of the guard whose sight is avoided, by a metre each.
const MOVES: u32 = 40;

/// After so many it turns around.
const TURN: u32 = 12;

/// Unit: metres.
const SPACING: f64 = 1.0;

/// The guarded yard while the guard walks up and down: one field after each metre.
pub(super) struct Patrol {
    pub lattice: Arc<Lattice>,
    pub fields: Vec<Arc<Field>>,
    pub start: DVec3,
    pub goal: DVec3,
}

impl Patrol {
    pub fn new(ctx: &JobContext) -> Result<Self, LabError> {
        Self::at(SPACING, ctx)
    }

    /// With states so many metres apart.
    pub fn at(spacing: f64, ctx: &JobContext) -> Result<Self, LabError> {
        let level = Template::Guards.build(&Options::default())?;
        let nav = scene::nav_for(&level, RADIUS, ctx)?;
        let walker = agent_of(&level, "Shadow")?;
        let steps = 0..=MOVES;
        let fields = steps.map(|step| field_of(&level, "Shadow", &guard_after(&level, step)?));
        Ok(Self {
            lattice: nav.lattice(spacing),
            fields: fields.collect::<Result<_, _>>()?,
            start: walker.start,
            goal: agent_goal(walker)?,
        })
    }
}

/// With the guard so many metres from where it stands, up and down the yard.
fn guard_after(level: &Level, step: u32) -> Result<Situation, LabError> {
    let guard = level
        .find(KindName::Agent, "Guard")
        .ok_or_else(|| LabError::Unavailable("the scene has no guard".to_owned()))?;
    let at = agent_of(level, "Guard")?.start;
    // Down first, then up and down between two ends.
    let phase = f64::from((step + TURN / 2) % (2 * TURN));
    let by = (phase - f64::from(TURN)).abs() - f64::from(TURN / 2);
    let placement = Placement {
        at: at + DVec3::new(0.0, by, 0.0),
        heading: None,
    };
    let mut situation = Situation::of(level);
    situation.placements.insert(guard, placement);
    Ok(situation)
}

/// Plans from scratch: milliseconds and the search.
fn scratch(
    ground: &Ground,
    field: &Arc<Field>,
    start: DVec3,
    goal: DVec3,
    epsilon: f64,
) -> (f64, AdStar) {
    let clock = thread_time();
    let mut domain = Domain::new(ground, field, start, goal);
    let mut search = AdStar::default();
    search.begin(&domain, domain.start(), domain.goal(), epsilon);
    improve(&mut search, &mut domain);
    (millis_since(clock), search)
}

/// What the states that a search has expanded cost.
fn costs(search: &AdStar) -> BTreeMap<u32, f64> {
    let closed = search
        .known()
        .filter(|(.., standing)| *standing == Standing::Closed);
    closed.map(|(_, node, cost, ..)| (node, cost)).collect()
}

pub(super) fn rows(ctx: &JobContext) -> Result<Vec<Row>, LabError> {
    let patrol = Patrol::new(ctx)?;
    let Patrol {
        lattice,
        fields,
        start,
        goal,
    } = &patrol;
    let mut rows = Vec::new();
    // The size of the scene, as Figure 2 gives it.
    for (what, field, paper) in [
        ("with constraints", &fields[0], 892.0),
        ("without constraints", &Arc::default(), 493.0),
    ] {
        let ground = Ground::Dense(Arc::clone(lattice));
        let mut domain = Domain::new(&ground, field, *start, *goal);
        let expanded = a_star(&mut domain).map_or(f64::NAN, |(_, expanded)| expanded as f64);
        let what = format!("the scene of Table I, dense, A*: expansions {what}");
        rows.push(Row::new(what, "", expanded).paper(paper));
    }
    let table = [
        (
            "AD*, dense",
            Ground::Dense(Arc::clone(lattice)),
            [840.0, 1940.0, 330.0],
        ),
        (
            "AD*, adaptive",
            Ground::Adaptive(Arc::clone(lattice), Density::PRINTED),
            [220.0, 500.0, 40.0],
        ),
    ];
    for (name, ground, paper) in table {
        ctx.checkpoint()?;
        let mut times = [const { Vec::new() }; 3];
        let (mut of_all, mut of_one, mut of_time) = (Vec::new(), Vec::new(), Vec::new());
        let mut must = Vec::new();
        for _ in 0..5 {
            let mut before = costs(&scratch(&ground, &fields[0], *start, *goal, 1.0).1);
            let mut domain = Domain::new(&ground, &fields[0], *start, *goal);
            let mut search = AdStar::default();
            let clock = thread_time();
            search.begin(&domain, domain.start(), domain.goal(), EPSILON);
            search.run(&mut domain, usize::MAX);
            times[0].push(millis_since(clock));
            improve(&mut search, &mut domain);
            times[1].push(millis_since(clock));
            for field in &fields[1..] {
                let (millis, expanded) = repaired(&mut search, &mut domain, &ground, field, *start);
                times[2].push(millis);
                let (millis_anew, anew) = scratch(&ground, field, *start, *goal, EPSILON);
                let all = anew.expanded().max(1) as f64;
                of_all.push(100.0 * expanded as f64 / all);
                of_time.push(100.0 * millis / millis_anew);
                let (_, one) = scratch(&ground, field, *start, *goal, 1.0);
                of_one.push(100.0 * expanded as f64 / one.expanded().max(1) as f64);
                let now = costs(&one);
                let is_other = |(node, cost): &(&u32, &f64)| {
                    let known = before.get(*node);
                    known.is_none_or(|known| (known - **cost).abs() > 1e-9 * known)
                };
                must.push(100.0 * now.iter().filter(is_other).count() as f64 / all);
                before = now;
            }
        }
        let [first, best, repair] = times.map(median);
        for (what, ours, paper) in [
            ("to a first plan", first, paper[0]),
            ("to the best plan", best, paper[1]),
            ("repair", repair, paper[2]),
        ] {
            rows.push(
                Row::new(format!("{name}: {what}"), "ms", ours)
                    .paper(paper)
                    .goal(paper / 100.0, Better::Lower),
            );
        }
        let ratio = |what: &str, values: Vec<f64>| {
            Row::new(format!("{name}: {what}, median"), "%", median(values))
        };
        let printed = 100.0 * paper[2] / paper[1];
        rows.push(
            ratio("time of a repair, of planning from scratch", of_time)
                .paper(printed)
                .goal(20.0, Better::Lower),
        );
        rows.push(
            ratio("expansions of a repair, of planning from scratch", of_all)
                .goal(20.0, Better::Lower),
        );
        rows.push(ratio(
            "expansions of a repair, of one search at ε = 1",
            of_one,
        ));
        rows.push(ratio(
            "states on the way whose costs are others after a move, of planning from scratch",
            must,
        ));
    }
    let ground = Ground::Adaptive(Arc::clone(lattice), Density::PRINTED);
    let times = fields.iter().map(|field| {
        let mut domain = Domain::new(&ground, field, *start, *goal);
        let clock = thread_time();
        a_star(&mut domain);
        millis_since(clock)
    });
    let times: Vec<f64> = times.collect();
    for (what, ours, paper) in [
        ("to the best plan", times[0], 190.0),
        ("after a change, from scratch", median(times), 180.0),
    ] {
        rows.push(
            Row::new(format!("A*, adaptive: {what}"), "ms", ours)
                .paper(paper)
                .goal(paper / 100.0, Better::Lower),
        );
    }
    Ok(rows)
}
