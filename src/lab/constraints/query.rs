//! Scenes, and what is asked in them.

use super::super::measure::thread_time;
use super::super::{LabError, scene};
use super::{EPSILON, RADIUS};
use crate::base::Random;
use crate::document::sentence::{Names, parse};
use crate::document::template::{Options, Template};
use crate::document::{
    Agent, ConstraintDomain, ConstraintOptions, Kind, KindName, Level, PlannerId,
};
use crate::jobs::JobContext;
use crate::nav::NavData;
use crate::nav::constraint::{Field, Lattice, Situation, Term};
use crate::planner::constraint::ConstraintQuery;
use crate::planner::constraint::ad_star::AdStar;
use crate::planner::constraint::astar::AStar;
use crate::planner::constraint::domain::{Changed, Domain, Ground};
use crate::planner::constraint::runs::Density;
use crate::planner::session::Progress;
use crate::planner::{MissionQueries, MissionSession};
use glam::{DVec2, DVec3};
use std::sync::Arc;
use std::time::Duration;

/// A level, its lattice, and constraints to plan with.
pub(super) struct Scene {
    pub nav: NavData,
    pub lattice: Arc<Lattice>,
    pub field: Arc<Field>,
}

impl Scene {
    pub fn new(
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

    pub fn ground(&self, domain: ConstraintDomain) -> Ground {
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
    pub fn queries(&self, count: usize, seed: u64) -> Vec<[DVec3; 2]> {
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

pub(super) fn agent_of<'a>(level: &'a Level, name: &str) -> Result<&'a Agent, LabError> {
    let id = level.find(KindName::Agent, name);
    let entity = id.and_then(|id| level.get(id));
    match entity.map(|entity| &entity.kind) {
        Some(Kind::Agent(agent)) => Ok(agent),
        _ => Err(LabError::Unavailable(format!("the scene has no {name}"))),
    }
}

pub(super) fn field_of(
    level: &Level,
    agent: &str,
    situation: &Situation,
) -> Result<Arc<Field>, LabError> {
    let constraints = &agent_of(level, agent)?.mission.constraints;
    let query = ConstraintQuery::of(level, constraints, ConstraintOptions::DEFAULT, situation);
    Ok(query.field)
}

/// Cost and expansions of A*.
pub(super) fn a_star(domain: &mut Domain) -> Option<(f64, usize)> {
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
pub(super) fn improve(search: &mut AdStar, domain: &mut Domain) -> Vec<(f64, f64, usize)> {
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

pub(super) fn agent_goal(agent: &Agent) -> Result<DVec3, LabError> {
    let place = agent
        .mission
        .goals
        .iter()
        .find_map(crate::document::Goal::place);
    place.ok_or_else(|| LabError::Unavailable("the agent has no goal".to_owned()))
}

/// Processor time since then, on this thread. Unit: milliseconds.
pub(super) fn millis_since(clock: Duration) -> f64 {
    thread_time().saturating_sub(clock).as_secs_f64() * 1e3
}

/// What one search expanded and found.
pub(super) struct Seen {
    pub expanded: Vec<DVec3>,
    pub path: Vec<DVec3>,
    pub cost: f64,
}

/// A* with the states that it expanded.
pub(super) fn seen(domain: &mut Domain) -> Option<Seen> {
    let mut search = AStar::default();
    search.begin(domain, domain.start(), domain.goal());
    if search.run(domain, usize::MAX) != Progress::Found {
        return None;
    }
    let closed = search.known().filter(|(.., is_closed)| *is_closed);
    let closed: Vec<u32> = closed.map(|(_, node, ..)| node).collect();
    Some(Seen {
        expanded: domain.points(&closed),
        path: domain.points(&search.path_to(domain.goal())),
        cost: search.cost(domain.goal())?,
    })
}

/// A path of the product, and what it was planned in.
pub(super) struct Planned {
    pub points: Vec<DVec3>,
    pub length: f64,
    pub field: Arc<Field>,
}

impl Planned {
    /// Metres of the path for which something holds.
    pub fn metres(&self, holds: impl Fn(DVec3) -> bool) -> f64 {
        /// Unit: metres.
        const SAMPLE: f64 = 0.05;
        let mut sum = 0.0;
        for pair in self.points.windows(2) {
            let length = pair[0].distance(pair[1]);
            let count = (length / SAMPLE).ceil().max(1.0) as usize;
            let at = |i: usize| pair[0].lerp(pair[1], (i as f64 + 0.5) / count as f64);
            let inside = (0..count).filter(|i| holds(at(*i))).count();
            sum += length * inside as f64 / count as f64;
        }
        sum
    }

    /// Metres of the path in the region of a constraint.
    pub fn metres_in(&self, term: &Term) -> f64 {
        self.metres(|p| term.region.contains(p))
    }
}

/// Plans for an agent as the product does, with its own constraints or with those of a sentence.
pub(super) fn planned(
    level: &Level,
    nav: &NavData,
    agent: &str,
    sentence: Option<&str>,
    situation: &Situation,
    ctx: &JobContext,
) -> Result<Planned, LabError> {
    let mut walker = agent_of(level, agent)?.clone();
    if let Some(text) = sentence {
        walker.mission.constraints = match parse(text, &Names::of(level)) {
            Ok(sentence) => sentence.constraints,
            Err(error) => return Err(LabError::Unavailable(error.to_string())),
        };
    }
    let queries = MissionQueries::in_situation(level, &walker, None, situation);
    let (_, legs) = MissionSession::plan(PlannerId::CONSTRAINT, nav, &queries, ctx)
        .map_err(|error| LabError::Unavailable(error.to_string()))?;
    let path = legs.first().and_then(|leg| leg.answer.path());
    let Some(path) = path else {
        return Err(LabError::Unavailable(format!("{agent} finds no path")));
    };
    Ok(Planned {
        points: path.points.clone(),
        length: path.length,
        field: queries.about.constraints.field,
    })
}

/// Repairs a plan for another field: milliseconds and expansions.
pub(super) fn repaired(
    search: &mut AdStar,
    domain: &mut Domain,
    ground: &Ground,
    field: &Arc<Field>,
    start: DVec3,
) -> (f64, usize) {
    let clock = thread_time();
    search.count_anew();
    let changed = domain.update(ground, field, start);
    match changed {
        Changed::From(nodes) => {
            search.costs_changed(domain, &nodes);
            search.start_moved(domain);
            search.next_search(domain, 1.0);
        }
        Changed::Everything => search.begin(domain, domain.start(), domain.goal(), 1.0),
    }
    search.run(domain, usize::MAX);
    (millis_since(clock), search.expanded())
}

pub(super) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
