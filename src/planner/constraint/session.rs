//! Constraint-aware planning as a session that keeps what it learnt while the world changes.
//!
//! The memory of AD* is handed from one session to the next: a fork shares the place where it is
//! kept, takes it when it begins, and puts it back when it is released or dropped. A memory knows
//! the field, the lattice and the start that it is for, and is consistent between any two
//! expansions. So whoever takes it next compares it with the query at hand and repairs the
//! difference, whether the session before came to its end or its job was cancelled.

use super::ad_star::{AdStar, Standing};
use super::astar::AStar;
use super::domain::{Changed, Domain, Ground};
use super::graph::Graph;
use super::grounds::{ground_of, has_storeys, is_connected};
use super::no_path;
use super::pull::{cost_of, pulled, tightened};
use super::replan::{Replan, ReplanKind};
use crate::document::{Action, ConstraintOptions, ConstraintSearch};
use crate::jobs::{Cancelled, JobContext};
use crate::nav::constraint::field::{FieldChange, TermChange};
use crate::nav::constraint::{Field, Lattice};
use crate::nav::{NavChange, NavData};
use crate::planner::explain::explain;
use crate::planner::finish::finish_path;
use crate::planner::human::HumanSession;
use crate::planner::session::{NodeView, Progress, SearchView, Session, Step, Task, Updated, run};
use crate::planner::{Answer, NoPath, Path, PathRequest, metrics};
use glam::{DVec2, DVec3};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// By how much ε falls from one search to the next, as a share of what it began with above 1.
const FALL: f64 = 1.0 / 3.0;

/// Above the ground by more than this, a path leads over something. Unit: metres.
const ON_GROUND: f64 = 0.05;

/// Most records of plans that a session keeps.
const MOST_REPLANS: usize = 200;

/// Beyond this share of the known states, a change is no local one, and a new search is cheaper.
const LARGE_CHANGE: f64 = 0.8;

#[derive(Debug)]
enum Search {
    AStar(AStar),
    /// ARA* is AD* that forgets when the world changes.
    Anytime(AdStar),
}

/// What a search has learnt, and what that holds for.
#[derive(Debug)]
struct Memory {
    domain: Domain,
    search: Search,
    ground: Ground,
    lattice: Arc<Lattice>,
    options: ConstraintOptions,
    ends: [DVec3; 2],
    /// Expansions of the last search from scratch, once it came to its end.
    from_scratch: usize,
}

impl Memory {
    fn new(ground: Ground, lattice: Arc<Lattice>, request: &PathRequest, ends: [DVec3; 2]) -> Self {
        let options = request.constraints.options;
        let domain = Domain::new(&ground, &request.constraints.field, ends[0], ends[1]);
        let search = match options.search {
            ConstraintSearch::AStar => {
                let mut search = AStar::default();
                search.begin(&domain, domain.start(), domain.goal());
                Search::AStar(search)
            }
            ConstraintSearch::AraStar | ConstraintSearch::AdStar => {
                let mut search = AdStar::default();
                search.begin(&domain, domain.start(), domain.goal(), options.epsilon);
                Search::Anytime(search)
            }
        };
        Self {
            domain,
            search,
            ground,
            lattice,
            options,
            ends,
            from_scratch: 0,
        }
    }

    const fn expanded(&self) -> usize {
        match &self.search {
            Search::AStar(search) => search.expanded(),
            Search::Anytime(search) => search.expanded(),
        }
    }

    /// Its states in drawable form.
    fn view(&self) -> SearchView {
        let domain = &self.domain;
        let to = match &self.search {
            Search::AStar(_) => domain.point(domain.goal()),
            Search::Anytime(_) => domain.point(domain.start()),
        };
        let node = |node: u32, g: f64, parent: Option<u32>, standing: Standing| {
            let point = domain.point(node);
            NodeView {
                point: point.truncate(),
                segment: [point.truncate(); 2],
                parent: parent.map(|parent| parent as usize),
                from: point.truncate(),
                is_closed: standing != Standing::Open,
                is_inconsistent: standing == Standing::Inconsistent,
                g,
                f: g + point.distance(to),
            }
        };
        let (known, current): (Vec<(u32, NodeView)>, _) = match &self.search {
            Search::AStar(search) => {
                let known = search.known().map(|(slot, at, g, before, is_closed)| {
                    let standing = if is_closed {
                        Standing::Closed
                    } else {
                        Standing::Open
                    };
                    (slot, node(at, g, before, standing))
                });
                (known.collect(), search.current())
            }
            Search::Anytime(search) => {
                let known = search.known();
                let known =
                    known.map(|(slot, at, g, next, standing)| (slot, node(at, g, next, standing)));
                (known.collect(), search.current())
            }
        };
        // Slots grow, but leave gaps.
        let index_of = |slot: usize| {
            let found = known.binary_search_by_key(&slot, |(slot, _)| *slot as usize);
            found.ok()
        };
        let mut nodes: Vec<NodeView> = known.iter().map(|(_, node)| *node).collect();
        for index in 0..nodes.len() {
            nodes[index].parent = nodes[index].parent.and_then(index_of);
            if let Some(parent) = nodes[index].parent {
                nodes[index].from = nodes[parent].point;
            }
        }
        let current = current.and_then(|slot| index_of(slot as usize));
        SearchView {
            nodes,
            current,
            bound: match &self.search {
                Search::AStar(_) => None,
                Search::Anytime(search) => Some(search.epsilon()),
            },
        }
    }
}

/// The place that forks of a session share.
type Shelf = Arc<Mutex<Option<Memory>>>;

#[derive(Debug)]
pub struct ConstraintSession {
    task: Task,
    memory: Option<Memory>,
    shelf: Shelf,
    expanded: usize,
    replans: Arc<Vec<Replan>>,
    /// The record of the plan under way.
    replan: Option<Replan>,
}

impl ConstraintSession {
    #[must_use]
    pub fn new(nav: &NavData, request: &PathRequest) -> Self {
        // Data that is built once per map does not count as planning time.
        let _ = ground_of(nav, request);
        let mut session = Self {
            task: Task::new(nav, request),
            memory: None,
            shelf: Shelf::default(),
            expanded: 0,
            replans: Arc::default(),
            replan: None,
        };
        session.begin();
        session
    }

    /// The field that it plans in.
    #[must_use]
    pub const fn field(&self) -> &Arc<Field> {
        &self.task.request.constraints.field
    }

    /// Bytes of search memory, and states that it has touched.
    #[must_use]
    pub fn memory_use(&self) -> Option<(usize, usize)> {
        let memory = self.memory.as_ref()?;
        let (bytes, touched) = match &memory.search {
            Search::AStar(search) => (search.bytes(), search.touched()),
            Search::Anytime(search) => (search.bytes(), search.touched()),
        };
        Some((bytes + memory.domain.bytes(), touched))
    }

    /// How well the path that is known now is bounded; `None` before there is one.
    #[must_use]
    pub fn epsilon(&self) -> Option<f64> {
        match &self.memory.as_ref()?.search {
            Search::AStar(_) => None,
            Search::Anytime(search) => Some(search.epsilon()),
        }
    }

    /// What is known of the path while none is found.
    #[must_use]
    pub fn partial(&self) -> Vec<DVec3> {
        let Some(memory) = &self.memory else {
            return Vec::new();
        };
        let nodes = match &memory.search {
            Search::AStar(search) => search.partial(),
            Search::Anytime(search) => search.partial(&memory.domain),
        };
        memory.domain.points(&nodes)
    }

    fn take(&mut self) -> Option<Memory> {
        let own = self.memory.take();
        own.or_else(|| {
            let mut shelf = self.shelf.lock().unwrap_or_else(PoisonError::into_inner);
            shelf.take()
        })
    }

    fn put_back(&mut self) {
        if let Some(memory) = self.memory.take()
            && memory.options.search == ConstraintSearch::AdStar
        {
            let mut shelf = self.shelf.lock().unwrap_or_else(PoisonError::into_inner);
            *shelf = Some(memory);
        }
    }

    /// Begins the query with what is known.
    fn begin(&mut self) -> Updated {
        let known = self.take();
        self.expanded = 0;
        let (memory, replan) = self.task.timed(|nav, request| {
            let Some((ground, lattice)) = ground_of(nav, request) else {
                return (None, None);
            };
            let ends = ends_of(nav, request);
            let is_placed = |end: &DVec3| nav.is_placed(end.truncate());
            if !has_storeys(nav.level()) && !ends.iter().all(is_placed) {
                return (None, None);
            }
            let known = known.filter(|known| {
                known.options == request.constraints.options
                    && known.options.search == ConstraintSearch::AdStar
                    && known.ends[1] == ends[1]
            });
            match known {
                Some(mut known) => {
                    let replan = repaired(&mut known, ground, lattice, request, ends);
                    (Some(known), Some(replan))
                }
                None => {
                    let memory = Memory::new(ground, lattice, request, ends);
                    (Some(memory), Some(Replan::from_scratch()))
                }
            }
        });
        self.memory = memory;
        let is_repair = replan
            .as_ref()
            .is_some_and(|replan| replan.kind == ReplanKind::Repaired);
        self.replan = replan;
        if is_repair {
            Updated::Repairing
        } else {
            Updated::Restarted
        }
    }

    /// The path that is known now, pulled straight, with its figures. What is improved further is
    /// not drawn tight.
    fn path(&self, is_last: bool) -> Option<Path> {
        let memory = self.memory.as_ref()?;
        let nodes = match &memory.search {
            Search::AStar(search) => search.path_to(memory.domain.goal()),
            Search::Anytime(search) => search.path(),
        };
        if nodes.last() != Some(&memory.domain.goal()) {
            return None;
        }
        let Task { nav, request, .. } = &self.task;
        let field = &request.constraints.field;
        let step = memory.lattice.spacing();
        let clock = std::time::Instant::now();
        let points = memory.domain.points(&nodes);
        let is_in_space = has_storeys(nav.level());
        let is_free = |a: DVec3, b: DVec3| {
            (!is_in_space || (a.z - b.z).abs() < 1e-6) && memory.lattice.is_free(a, b)
        };
        let mut points = pulled(&points, field, step, is_free);
        if is_last {
            points = tightened(points, field, step, is_free);
        }
        let micros = clock.elapsed().as_secs_f64() * 1e6;
        let mut path = if is_in_space {
            path_in_space(&points, nav, self.expanded)
        } else {
            let plan: Vec<DVec2> = points.iter().map(|p| p.truncate()).collect();
            finish_path(&plan, nav, request, self.expanded)
        };
        path.cost = cost_of(&points, field, step);
        path.cost_by = shares(&points, field, step);
        path.plan_micros += micros;
        Some(path)
    }

    fn note(&mut self, bound: f64, cost: f64) {
        let expanded = self.expanded;
        if let Some(replan) = &mut self.replan {
            replan.steps.push((expanded, bound, cost));
        }
    }

    /// Closes the record of this plan.
    fn finish(&mut self, path: Option<Path>) -> Step {
        let cost = path.as_ref().map_or(f64::INFINITY, |path| path.cost);
        let end = self.task.finish(path);
        if let Some(memory) = &mut self.memory
            && self
                .replan
                .as_ref()
                .is_some_and(|replan| replan.kind == ReplanKind::FromScratch)
        {
            memory.from_scratch = self.expanded;
        }
        if let Some(mut replan) = self.replan.take() {
            replan.expanded = self.expanded;
            replan.cost = cost;
            replan.micros = self.task.micros();
            if replan.kind == ReplanKind::FromScratch {
                replan.expanded_from_scratch = self.expanded;
            }
            let replans = Arc::make_mut(&mut self.replans);
            if replans.len() >= MOST_REPLANS {
                replans.remove(0);
            }
            replans.push(replan);
        }
        end
    }
}

impl Replan {
    /// Nothing is known yet.
    const fn from_scratch() -> Self {
        Self {
            what: Vec::new(),
            kind: ReplanKind::FromScratch,
            area: None,
            touched: 0,
            expanded: 0,
            expanded_from_scratch: 0,
            cost: f64::INFINITY,
            micros: 0.0,
            steps: Vec::new(),
        }
    }
}

/// Start and goal where they can be stood at; in plan, unless there are storeys.
fn ends_of(nav: &NavData, request: &PathRequest) -> [DVec3; 2] {
    if has_storeys(nav.level()) {
        [request.start, request.goal]
    } else {
        request.placed_ends(nav).map(|p| p.extend(0.0))
    }
}

/// Brings what is known in line with a query, and notes what changed.
fn repaired(
    known: &mut Memory,
    ground: Ground,
    lattice: Arc<Lattice>,
    request: &PathRequest,
    ends: [DVec3; 2],
) -> Replan {
    let field = &request.constraints.field;
    let mut what = Vec::new();
    let mut area = None;
    match field.change_since(known.domain.field()) {
        FieldChange::Nothing => {}
        FieldChange::Base => what.push("the base weight".to_owned()),
        FieldChange::Terms(changes) => {
            what.extend(changes.iter().map(|change| change.name().to_owned()));
            area = changes
                .iter()
                .flat_map(TermChange::influence)
                .reduce(|all, part| all.union(&part));
        }
    }
    if ends[0] != known.ends[0] {
        what.push("the start".to_owned());
    }
    if !Arc::ptr_eq(&lattice, &known.lattice) {
        what.push("free space".to_owned());
    }
    let epsilon = known.options.epsilon;
    let Memory { domain, search, .. } = known;
    let Search::Anytime(search) = search else {
        return Replan {
            what,
            area,
            ..Replan::from_scratch()
        };
    };
    let changed = domain.update(&ground, field, ends[0], |node| search.knows(node));
    search.count_anew();
    let mut touched = 0;
    let mut kind = ReplanKind::FromScratch;
    let count_known = |nodes: &[u32]| {
        let is_known = |node: &&u32| search.knows(**node);
        nodes.iter().filter(is_known).count()
    };
    if let Changed::From(nodes) = changed
        && (count_known(&nodes) as f64) < LARGE_CHANGE * search.touched() as f64
    {
        touched = search.costs_changed(domain, &nodes);
        search.start_moved(domain);
        // A local change is repaired at the bound that was reached.
        let bound = search.epsilon();
        search.next_search(domain, bound);
        kind = ReplanKind::Repaired;
    } else {
        search.begin(domain, domain.start(), domain.goal(), epsilon);
    }
    (known.ground, known.lattice, known.ends) = (ground, lattice, ends);
    Replan {
        what,
        kind,
        area,
        touched,
        expanded_from_scratch: known.from_scratch,
        ..Replan::from_scratch()
    }
}

/// How the cost of a path divides among the constraints.
fn shares(points: &[DVec3], field: &Field, step: f64) -> BTreeMap<String, f64> {
    let mut by = BTreeMap::new();
    for pair in points.windows(2) {
        *by.entry("distance".to_owned()).or_insert(0.0) += pair[0].distance(pair[1]);
        field.shares(pair[0], pair[1], step, |term, share| {
            let name = term.map_or("base".to_owned(), |term| {
                format!("constraint:{}", term.name)
            });
            *by.entry(name).or_insert(0.0) += share;
        });
    }
    by.retain(|_, share| *share != 0.0);
    by
}

/// A path over surfaces.
fn path_in_space(points: &[DVec3], nav: &NavData, expanded: usize) -> Path {
    let plan: Vec<DVec2> = points.iter().map(|p| p.truncate()).collect();
    // Free space is that of the ground: on a deck, its footprint is no obstacle.
    let is_on_ground = points.iter().all(|p| {
        let ground = nav
            .ground()
            .map_or(0.0, |ground| ground.height(p.truncate()));
        (p.z - ground).abs() < ON_GROUND
    });
    let clearance = if is_on_ground {
        metrics::clearance_in(&plan, nav.free())
    } else {
        metrics::Clearance::UNKNOWN
    };
    Path {
        actions: vec![Action::Walk; points.len()],
        length: metrics::length(points),
        min_clearance: clearance.min,
        mean_clearance: clearance.mean,
        mean_curvature: metrics::mean_curvature(&plan),
        expanded,
        points: points.to_vec(),
        ..Path::default()
    }
}

impl Session for ConstraintSession {
    fn step(&mut self, budget: usize) -> Step {
        if let Some(end) = self.task.end() {
            return end.clone();
        }
        if self.memory.is_none() {
            self.begin();
        }
        let Self { task, memory, .. } = self;
        let Some(memory) = memory else {
            return self.finish(None);
        };
        let Memory { domain, search, .. } = memory;
        let (progress, bound) = task.timed(|_, _| match search {
            Search::AStar(search) => (search.run(domain, budget), 1.0),
            Search::Anytime(search) => (search.run(domain, budget), search.epsilon()),
        });
        self.expanded = memory.expanded();
        match progress {
            Progress::Running => Step::Running,
            Progress::Exhausted => self.finish(None),
            Progress::Found => {
                let Some(path) = self.path(bound <= 1.0) else {
                    return self.finish(None);
                };
                self.note(bound, path.cost);
                if bound <= 1.0 {
                    return self.finish(Some(path));
                }
                if let Some(Memory {
                    domain,
                    search: Search::Anytime(search),
                    options,
                    ..
                }) = &mut self.memory
                {
                    let next = bound - (options.epsilon - 1.0) * FALL;
                    // Rounding must not leave a last search that gains nothing.
                    search.next_search(domain, if next < 1.0 + 1e-6 { 1.0 } else { next });
                }
                Step::Improved { path, bound }
            }
        }
    }

    fn update(&mut self, change: &NavChange, request: &PathRequest) -> Updated {
        let nav = change.nav();
        let _ = ground_of(nav, request);
        self.task.restart(nav, request);
        self.begin()
    }

    fn task(&self) -> &Task {
        &self.task
    }

    fn expanded(&self) -> usize {
        self.expanded
    }

    fn replans(&self) -> &[Replan] {
        &self.replans
    }

    /// Once released, what AD* keeps for the next repair.
    fn view(&self) -> SearchView {
        if let Some(memory) = &self.memory {
            return memory.view();
        }
        let shelf = self.shelf.lock().unwrap_or_else(PoisonError::into_inner);
        shelf
            .as_ref()
            .map_or_else(SearchView::default, Memory::view)
    }

    fn explain(&self, ctx: &JobContext) -> Result<NoPath, Cancelled> {
        let Task { nav, request, .. } = &self.task;
        let is_in_space = has_storeys(nav.level());
        let Some((ground, lattice)) = ground_of(nav, request) else {
            let error = nav.shared().voxels().err();
            return Ok(NoPath::because(error.map_or_else(
                || "there is no path".to_owned(),
                ToString::to_string,
            )));
        };
        let ends = ends_of(nav, request);
        let field = &request.constraints.field;
        if let Some(reason) = no_path::explained(&ground, field, ends, ctx)? {
            return Ok(reason);
        }
        if !is_in_space && is_connected(nav, ends.map(DVec3::truncate)) {
            return Ok(NoPath::because(format!(
                "states {} m apart do not fit through the passages to the goal; choose a smaller spacing",
                lattice.spacing()
            )));
        }
        let plain = explain(nav, request, ctx)?;
        let is_placed = ends.iter().all(|end| nav.is_placed(end.truncate()));
        if !(is_in_space || is_placed) {
            return Ok(plain);
        }
        for (end, p) in [("start", ends[0]), ("goal", ends[1])] {
            if lattice.around(p).is_empty() {
                return Ok(NoPath::because(format!(
                    "the {end} at {:.2}, {:.2} has no room for states {} m apart around it; move it, or choose a smaller spacing",
                    p.x,
                    p.y,
                    lattice.spacing()
                )));
            }
        }
        if !is_in_space {
            return Ok(plain);
        }
        // Cell by cell: what stops a body there stops its states, too.
        let mut walk = HumanSession::new(nav, request);
        Ok(match run(&mut walk, ctx)? {
            Answer::NotFound(why) => why,
            Answer::Found(_) => NoPath::because(format!(
                "states {} m apart do not fit through the passages to the goal; choose a smaller spacing",
                lattice.spacing()
            )),
        })
    }

    fn release(&mut self) {
        self.put_back();
    }

    fn fork(&self) -> Box<dyn Session> {
        Box::new(Self {
            task: self.task.clone(),
            memory: None,
            shelf: Arc::clone(&self.shelf),
            expanded: self.expanded,
            replans: Arc::clone(&self.replans),
            replan: None,
        })
    }
}

impl Drop for ConstraintSession {
    /// A cancelled job leaves what it learnt for the next one.
    fn drop(&mut self) {
        self.put_back();
    }
}
