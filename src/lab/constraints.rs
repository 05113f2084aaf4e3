//! `wayloom lab constraints` and `bench constraints`: Ninomiya et al. 2014, Table I and Figures 2, 7
//! and 8–10, on our scenes.
//!
//! Every domain gets the same queries, start and goal included, on the same lattice. "As printed" is
//! A* with skips kept in the states; "adaptive" is our graph with the paper's rule of density,
//! "graded" the one whose density follows the change of the field and is finer next to walls.

use super::{Better, LabError, Report, Row, measure, scene};
use crate::base::Random;
use crate::document::template::{Options, Template};
use crate::document::{Agent, ConstraintDomain, ConstraintOptions, Kind, KindName, Level};
use crate::geometry::Polygon;
use crate::jobs::JobContext;
use crate::nav::NavData;
use crate::nav::constraint::{Field, Lattice, Placement, Region, Situation, Term};
use crate::planner::constraint::ad_star::AdStar;
use crate::planner::constraint::astar::AStar;
use crate::planner::constraint::domain::{Changed, Domain, Ground};
use crate::planner::constraint::runs::Density;
use crate::planner::constraint::{ConstraintQuery, printed};
use crate::planner::session::Progress;
use glam::{DVec2, DVec3};
use std::sync::Arc;
use std::time::Instant;

const RADIUS: f64 = 0.3;

/// Queries on all scenes together.
const QUERIES: usize = 200;

/// The bound that anytime searches begin with.
const EPSILON: f64 = 2.5;

/// A level, its lattice, and constraints to plan with.
struct Scene {
    nav: NavData,
    lattice: Arc<Lattice>,
    field: Arc<Field>,
}

impl Scene {
    fn new(
        template: Template,
        agent: &str,
        spacing: f64,
        ctx: &JobContext,
    ) -> Result<Self, LabError> {
        let level = template.build(&Options::default())?;
        let nav = scene::nav_for(&level, RADIUS, ctx)?;
        let lattice = nav.lattice(spacing);
        let field = field_of(&level, agent, &Situation::of(&level))?;
        Ok(Self {
            nav,
            lattice,
            field,
        })
    }

    fn ground(&self, domain: ConstraintDomain) -> Ground {
        let lattice = Arc::clone(&self.lattice);
        match domain {
            ConstraintDomain::Hybrid => {
                let highways = self.nav.highways(&self.lattice);
                Ground::Hybrid(lattice, highways)
            }
            ConstraintDomain::Adaptive => Ground::Adaptive(lattice, Density::PRINTED),
            ConstraintDomain::Graded => Ground::Adaptive(lattice, Density::OURS),
            ConstraintDomain::Dense | ConstraintDomain::Triangles => Ground::Dense(lattice),
        }
    }

    /// Pairs of places that are far apart and connected.
    fn queries(&self, count: usize, seed: u64) -> Vec<[DVec3; 2]> {
        let mut random = Random::new(seed);
        let bounds = self.nav.bounds();
        let far = bounds.size().min_element() * 0.5;
        let mut found = Vec::with_capacity(count);
        let mut tries = 0;
        while found.len() < count && tries < 200 * count {
            tries += 1;
            let [a, b] = [(); 2].map(|()| random.point(bounds.min, bounds.max));
            let is_fine =
                |p: DVec2| self.nav.is_placed(p) && self.field.forbidding(p.extend(0.0)).is_none();
            if a.distance(b) < far || !is_fine(a) || !is_fine(b) {
                continue;
            }
            let ends = [a.extend(0.0), b.extend(0.0)];
            let mut domain = Domain::new(
                &self.ground(ConstraintDomain::Dense),
                &self.field,
                ends[0],
                ends[1],
            );
            if a_star(&mut domain).is_some() {
                found.push(ends);
            }
        }
        found
    }
}

fn agent_of<'a>(level: &'a Level, name: &str) -> Result<&'a Agent, LabError> {
    let id = level.find(KindName::Agent, name);
    let entity = id.and_then(|id| level.get(id));
    match entity.map(|entity| &entity.kind) {
        Some(Kind::Agent(agent)) => Ok(agent),
        _ => Err(LabError::Unavailable(format!("the scene has no {name}"))),
    }
}

fn field_of(level: &Level, agent: &str, situation: &Situation) -> Result<Arc<Field>, LabError> {
    let constraints = &agent_of(level, agent)?.mission.constraints;
    let query = ConstraintQuery::of(level, constraints, ConstraintOptions::DEFAULT, situation);
    Ok(query.field)
}

/// Cost and expansions of A*.
fn a_star(domain: &mut Domain) -> Option<(f64, usize)> {
    let mut search = AStar::default();
    search.begin(domain, domain.start(), domain.goal());
    (search.run(domain, usize::MAX) == Progress::Found).then(|| {
        (
            search.cost(domain.goal()).unwrap_or(f64::INFINITY),
            search.expanded(),
        )
    })
}

/// Runs an anytime search down to ε = 1: for each bound, the cost and the expansions so far.
fn improve(search: &mut AdStar, domain: &mut Domain) -> Vec<(f64, f64, usize)> {
    let mut steps = Vec::new();
    loop {
        if search.run(domain, usize::MAX) != Progress::Found {
            return steps;
        }
        steps.push((search.epsilon(), search.cost(), search.expanded()));
        if search.epsilon() <= 1.0 {
            return steps;
        }
        let next = search.epsilon() - (EPSILON - 1.0) / 3.0;
        search.next_search(domain, if next < 1.0 + 1e-6 { 1.0 } else { next });
    }
}

/// Sums of a method over queries.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    expanded: f64,
    /// Relative to dense.
    cost: f64,
}

/// # Errors
/// Cancelled, or a scene cannot be made.
pub fn run(ctx: &JobContext) -> Result<Report, LabError> {
    let mut rows = Vec::new();
    let scenes = [
        Scene::new(Template::Guards, "Shadow", 0.5, ctx)?,
        Scene::new(Template::Mckenna, "Infiltrator", 1.0, ctx)?,
        Scene::new(Template::Night, "Wary", 1.0, ctx)?,
    ];
    for (with, paper) in [("without constraints", 25.6), ("with constraints", 28.6)] {
        ctx.stage(format!("Domains {with}"));
        rows.extend(domain_rows(&scenes, with, paper, ctx)?);
    }
    ctx.stage("Table I");
    rows.extend(table_rows(ctx)?);
    Ok(Report {
        name: "constraints".to_owned(),
        rows,
    })
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

/// Moves of the guard whose sight is avoided, in Table I and for repairs.
const MOVES: usize = 40;

/// Table I: to a first plan, to the best plan, and for a repair.
fn table_rows(ctx: &JobContext) -> Result<Vec<Row>, LabError> {
    let level = Template::Guards.build(&Options::default())?;
    let nav = scene::nav_for(&level, RADIUS, ctx)?;
    let lattice = nav.lattice(1.0);
    let guard = level
        .find(KindName::Agent, "Guard")
        .ok_or_else(|| LabError::Unavailable("the scene has no guard".to_owned()))?;
    let at = agent_of(&level, "Guard")?.start;
    let walker = agent_of(&level, "Shadow")?;
    let (start, goal) = (walker.start, agent_goal(walker)?);
    let fields: Vec<Arc<Field>> = (0..MOVES)
        .map(|step| {
            let mut situation = Situation::of(&level);
            let y = 16.0 * (step as f64 / 6.0).sin();
            let placement = Placement {
                at: at + DVec3::new(0.0, y, 0.0),
                heading: None,
            };
            situation.placements.insert(guard, placement);
            field_of(&level, "Shadow", &situation)
        })
        .collect::<Result<_, _>>()?;
    let mut rows = Vec::new();
    let table = [
        (
            "AD*, dense",
            Ground::Dense(Arc::clone(&lattice)),
            [840.0, 1940.0, 330.0],
        ),
        (
            "AD*, adaptive",
            Ground::Adaptive(Arc::clone(&lattice), Density::PRINTED),
            [220.0, 500.0, 40.0],
        ),
    ];
    for (name, ground, paper) in table {
        ctx.checkpoint()?;
        let mut times = [Vec::new(), Vec::new(), Vec::new()];
        let mut ratios = Vec::new();
        for _ in 0..5 {
            let mut domain = Domain::new(&ground, &fields[0], start, goal);
            let mut search = AdStar::default();
            let clock = Instant::now();
            search.begin(&domain, domain.start(), domain.goal(), EPSILON);
            search.run(&mut domain, usize::MAX);
            times[0].push(clock.elapsed().as_secs_f64() * 1e3);
            improve(&mut search, &mut domain);
            times[1].push(clock.elapsed().as_secs_f64() * 1e3);
            for field in &fields[1..] {
                let (millis, expanded) = repaired(&mut search, &mut domain, &ground, field, start);
                times[2].push(millis);
                let mut fresh = Domain::new(&ground, field, start, goal);
                let mut scratch = AdStar::default();
                scratch.begin(&fresh, fresh.start(), fresh.goal(), 1.0);
                improve(&mut scratch, &mut fresh);
                ratios.push(expanded as f64 / scratch.expanded().max(1) as f64);
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
        rows.push(
            Row::new(
                format!("{name}: expansions of a repair, of those from scratch, median"),
                "%",
                100.0 * median(ratios),
            )
            .goal(20.0, Better::Lower),
        );
    }
    let ground = Ground::Adaptive(lattice, Density::PRINTED);
    let mut times = Vec::new();
    for field in &fields {
        let mut domain = Domain::new(&ground, field, start, goal);
        let clock = Instant::now();
        a_star(&mut domain);
        times.push(clock.elapsed().as_secs_f64() * 1e3);
    }
    rows.push(
        Row::new("A*, adaptive: to the best plan", "ms", median(times))
            .paper(190.0)
            .goal(1.9, Better::Lower),
    );
    Ok(rows)
}

fn agent_goal(agent: &Agent) -> Result<DVec3, LabError> {
    let place = agent
        .mission
        .goals
        .iter()
        .find_map(crate::document::Goal::place);
    place.ok_or_else(|| LabError::Unavailable("the agent has no goal".to_owned()))
}

/// Repairs a plan for another field: milliseconds and expansions.
fn repaired(
    search: &mut AdStar,
    domain: &mut Domain,
    ground: &Ground,
    field: &Arc<Field>,
    start: DVec3,
) -> (f64, usize) {
    let clock = Instant::now();
    search.count_anew();
    let changed = domain.update(ground, field, start, |node| {
        search.touched().slot(node).is_some()
    });
    match changed {
        Changed::From(nodes) => {
            search.costs_changed(domain, &nodes);
            search.start_moved(domain);
            search.next_search(domain, 1.0);
        }
        Changed::Everything => search.begin(domain, domain.start(), domain.goal(), 1.0),
    }
    search.run(domain, usize::MAX);
    (clock.elapsed().as_secs_f64() * 1e3, search.expanded())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// # Errors
/// Cancelled, or a scene cannot be made.
pub fn bench(ctx: &JobContext) -> Result<Report, LabError> {
    let level = Template::City.build(&Options::default())?;
    let nav = scene::nav_for(&level, RADIUS, ctx)?;
    ctx.stage("The lattice of city");
    let built = measure::time(
        std::time::Duration::from_millis(800),
        || (),
        |()| Lattice::plane(nav.bounds(), nav.cells(), 1.0, ctx),
    );
    let lattice = nav.lattice(1.0);
    let mut rows = vec![
        Row::new("city, states 1 m apart", "", lattice.state_count() as f64),
        Row::new("building them", "ms", built.median * 1e3).spread(built.spread * 1e3),
    ];
    ctx.stage("Asking in city");
    let scene = Scene {
        field: Arc::default(),
        lattice: Arc::clone(&lattice),
        nav,
    };
    let queries = scene.queries(24, 5);
    let ground = scene.ground(ConstraintDomain::Dense);
    let mut ours = Vec::new();
    let mut peers = Vec::new();
    let mut expansions = Vec::new();
    for [start, goal] in &queries {
        ctx.checkpoint()?;
        let mut domain = Domain::new(&ground, &scene.field, *start, *goal);
        let mut search = AStar::default();
        let clock = Instant::now();
        search.begin(&domain, domain.start(), domain.goal());
        search.run(&mut domain, usize::MAX);
        let secs = clock.elapsed().as_secs_f64();
        ours.push(secs * 1e3);
        expansions.push(secs * 1e6 / search.expanded().max(1) as f64);
        peers.push(peer_secs(&lattice, *start, *goal) * 1e3);
    }
    rows.push(
        Row::new(
            "city, dense A* without constraints: per expansion, median",
            "µs",
            median(expansions),
        )
        .goal(1.0, Better::Lower),
    );
    let (ours, peer) = (median(ours), median(peers));
    rows.push(
        Row::new(
            "city, dense A* without constraints: a query, median",
            "ms",
            ours,
        )
        .beside(PEER, peer),
    );
    rows.push(
        Row::new(
            format!("times as fast as {PEER} on the same grid"),
            "×",
            peer / ours,
        )
        .goal(2.0, Better::Higher),
    );
    rows.extend(guard_rows(&scene, &queries, ctx)?);
    Ok(Report {
        name: "constraints".to_owned(),
        rows,
    })
}

const PEER: &str = "pathfinding 4";

/// The peer on the same states and steps, with the same estimate. Unit: seconds.
fn peer_secs(lattice: &Lattice, start: DVec3, goal: DVec3) -> f64 {
    let nearest = |p: DVec3| lattice.nearest(p.truncate()).unwrap_or(0);
    let (start, goal) = (nearest(start), nearest(goal));
    let goal_at = lattice.point(goal);
    // It needs whole numbers or a wrapper: tenths of millimetres.
    let whole = |metres: f64| (metres * 1e4) as u64;
    let clock = Instant::now();
    let found = pathfinding::prelude::astar(
        &start,
        |state| {
            let state = *state;
            (0..8).filter_map(move |direction| {
                let other = lattice.neighbour(state, direction)?;
                Some((other, whole(lattice.step_length(state, direction, other))))
            })
        },
        |state| whole(lattice.point(*state).distance(goal_at)),
        |state| *state == goal,
    );
    std::hint::black_box(found);
    clock.elapsed().as_secs_f64()
}

/// A guard whose sight is avoided moves by a metre.
fn guard_rows(
    scene: &Scene,
    queries: &[[DVec3; 2]],
    ctx: &JobContext,
) -> Result<Vec<Row>, LabError> {
    ctx.stage("A guard in city");
    let mut times = Vec::new();
    let mut ratios = Vec::new();
    let mut bytes = Vec::new();
    let ground = scene.ground(ConstraintDomain::Dense);
    for [start, goal] in queries.iter().take(8) {
        ctx.checkpoint()?;
        let middle = start.lerp(*goal, 0.5);
        let sight = |by: f64| {
            let view = crate::geometry::visibility::View {
                eye: middle.truncate() + DVec2::new(by, 0.0),
                range: 20.0,
                facing: 0.0,
                angle: 90_f64.to_radians(),
            };
            let level = scene.nav.level();
            let walls = level
                .obstacles()
                .flat_map(|(_, _, o)| o.area.edges().collect::<Vec<_>>());
            let seen: Vec<Polygon> = crate::geometry::visibility::visible(&view, walls)
                .into_iter()
                .collect();
            let term = Term {
                key: 1,
                name: "not near line of sight of Guard".into(),
                rule: crate::nav::constraint::FieldRule::Near,
                weight: -6.0,
                region: Arc::new(Region::of_polygons(&seen)),
            };
            Arc::new(Field::new(vec![term], 0.0))
        };
        let field = sight(0.0);
        let mut domain = Domain::new(&ground, &field, *start, *goal);
        let mut search = AdStar::default();
        search.begin(&domain, domain.start(), domain.goal(), EPSILON);
        improve(&mut search, &mut domain);
        bytes.push((search.bytes() + domain.bytes()) as f64 / search.touched().len() as f64);
        let scratch = search.expanded();
        for step in 1..=10 {
            let field = sight(f64::from(step));
            let (millis, expanded) = repaired(&mut search, &mut domain, &ground, &field, *start);
            times.push(millis);
            ratios.push(expanded as f64 / scratch.max(1) as f64);
        }
    }
    Ok(vec![
        Row::new(
            "city, AD*: a guard moved by 1 m, repair, median",
            "ms",
            median(times),
        )
        .goal(10.0, Better::Lower),
        Row::new(
            "city, AD*: expansions of a repair, of those of the first plan, median",
            "%",
            100.0 * median(ratios),
        )
        .goal(20.0, Better::Lower),
        Row::new(
            "city, AD*: memory per touched state, median",
            "B",
            median(bytes),
        )
        .goal(96.0, Better::Lower),
    ])
}
