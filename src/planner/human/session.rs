//! Human motion as a planner session that repairs its path while obstacles move.

use super::astar::{Astar, Outcome};
use super::cell_leg::CellLeg;
use super::figures::CLEARANCE;
use super::front::{Front, Until};
use super::goals::Goals;
use super::repair::{Change, Repair};
use super::smooth::smoothed;
use super::targets::{SETTLE, goals_of, settled};
use super::traversable_cells::TraversableCells;
use crate::geometry::{Polygon, Rect};
use crate::jobs::{Cancelled, JobContext};
use crate::nav::voxel::body::unit;
use crate::nav::voxel::{
    Borders, Exhausted, Explained, Explainer, Footing, LevelVoxels, Reach, SurfaceId, Unexplained,
};
use crate::nav::{NavChange, NavData};
use crate::planner::kept;
use crate::planner::pool::{Pool, Pooled};
use crate::planner::session::{NodeView, SearchView, Session, Step, Task, Updated};
use crate::planner::{NoPath, PathRequest};
use glam::{DVec2, DVec3};
use std::collections::BTreeSet;
use std::sync::Arc;

static MEMORY: Pool<Astar> = Pool::new();

/// A query in terms of cells.
#[derive(Clone, Debug)]
struct CellQuery {
    level: Arc<LevelVoxels>,
    footing: Arc<Footing>,
    start: SurfaceId,
    goals: Goals,
    /// Keeps off borders as long as a path may exist that does.
    borders: Borders,
    exempt: Arc<BTreeSet<SurfaceId>>,
}

impl CellQuery {
    fn traversable(&self) -> TraversableCells<'_> {
        let reach = Reach::new(self.level.surfaces(), &self.footing, self.borders);
        TraversableCells::with(reach, Arc::clone(&self.exempt))
    }

    fn with_borders(mut self, borders: Borders) -> Self {
        self.borders = borders;
        let reach = Reach::new(self.level.surfaces(), &self.footing, borders);
        self.exempt =
            Arc::clone(TraversableCells::between(reach, &[self.start], &self.goals).exempt());
        self
    }
}

/// A path that is repaired when obstacles move, and the query it answers.
#[derive(Clone, Debug)]
struct Held {
    leg: CellLeg,
    request: PathRequest,
}

impl Held {
    /// Whether a path for the request can be derived from this one.
    fn leads_to(&self, request: &PathRequest) -> bool {
        self.request.goal == request.goal
            && self.request.goal_area == request.goal_area
            && self.request.profile == request.profile
    }
}

#[derive(Debug)]
pub struct HumanSession {
    task: Task,
    search: Option<Pooled<Astar>>,
    /// The path is repaired before the search for a better one.
    repair: Option<Repair>,
    query: Option<CellQuery>,
    /// Cells expanded by an abandoned search, with their costs.
    given_up: Vec<(SurfaceId, u32)>,
    expanded: usize,
    /// Around all that the latest path was found by; nothing that changes elsewhere concerns it.
    read: Rect,
    /// The latest path.
    answer: Option<Held>,
    held: Option<Held>,
    change: Change,
}

impl HumanSession {
    #[must_use]
    pub fn new(nav: &NavData, request: &PathRequest) -> Self {
        // Data that is built once per level does not count as planning time.
        let _ = nav.shared().voxels();
        let mut session = Self {
            task: Task::new(nav, request),
            search: None,
            repair: None,
            query: None,
            given_up: Vec::new(),
            expanded: 0,
            read: Rect::EMPTY,
            answer: None,
            held: None,
            change: Change::None,
        };
        session.begin();
        session
    }

    /// The latest path, in cells.
    #[must_use]
    pub fn leg(&self) -> Option<&CellLeg> {
        self.answer.as_ref().map(|answer| &answer.leg)
    }

    /// Starts the query from scratch.
    fn begin(&mut self) {
        let Self {
            task,
            search,
            query,
            given_up,
            expanded,
            answer,
            repair,
            ..
        } = self;
        let search = search.get_or_insert_with(|| MEMORY.take());
        (*repair, *answer, *expanded) = (None, None, 0);
        given_up.clear();
        *query = task.timed(|nav, request| {
            let level = nav.shared().voxels().ok()?;
            let footing = level.footing(&request.profile);
            let goals = goals_of(level, &footing, request);
            let start = settled(level, &footing, request.start)?;
            if goals.is_empty() {
                return None;
            }
            let query = CellQuery {
                level: Arc::clone(level),
                footing,
                start,
                goals,
                borders: Borders::Avoid,
                exempt: Arc::default(),
            };
            Some(query.with_borders(Borders::Avoid))
        });
        if let Some(query) = query {
            search.begin(&query.traversable(), query.start, &query.goals);
        }
    }

    /// Continues without the memory of the search so far.
    fn resume(&mut self) {
        match &mut self.repair {
            Some(repair) => {
                repair.restart();
                self.search = Some(MEMORY.take());
            }
            None => self.begin(),
        }
    }

    /// The repair that the kept path needs in this state of the level.
    #[expect(
        clippy::result_large_err,
        reason = "made once per update, and only the small variants are returned"
    )]
    fn repair_of(&self, held: &Held) -> Result<Repair, Change> {
        let Task { nav, request, .. } = &self.task;
        let level = nav.shared().voxels().map_err(|_| Change::None)?;
        if !held.leads_to(request)
            || held.leg.places().len() < 2
            || (Arc::ptr_eq(level, held.leg.level()) && request.start == held.request.start)
        {
            return Err(Change::None);
        }
        if level.voxels.frame() != held.leg.level().voxels.frame() {
            return Err(Change::Other);
        }
        let at = if request.start == held.request.start {
            0
        } else {
            held.leg.cell_at(request.start).ok_or(Change::None)?
        };
        let footing = level.footing(&request.profile);
        Ok(Repair::begin(&held.leg, level, footing, at))
    }

    /// Changes further away from a cell than this neither decide whether a body can stand on it or
    /// leave it, nor are measured as its clearance. Unit: metres.
    fn margin(&self, footing: &Footing, cell: f64) -> f64 {
        let body = &footing.body;
        let layers = i32::from(body.border_layers) + 4;
        let cells = layers * body.reach + SETTLE + CLEARANCE;
        f64::from(cells) * cell + self.task.nav.free().radius
    }

    /// Around the cells that were looked at, and all that decides where a body can stand there.
    fn read_box(&self) -> Rect {
        let Some(query) = &self.query else {
            return Rect::EMPTY;
        };
        let surfaces = query.level.surfaces();
        let expanded = self.search.iter().flat_map(|search| search.expanded());
        let cells = self.given_up.iter().map(|(id, _)| id).chain(expanded);
        let place = |id: &SurfaceId| surfaces.point(*id).truncate();
        let request = &self.task.request;
        let mut read = Rect::of_points(&[request.start.truncate(), request.goal.truncate()]);
        for p in cells.chain(query.goals.cells()).map(place) {
            read = read.including(p);
        }
        let areas = request.goal_area.iter().flat_map(|areas| areas.iter());
        let areas = areas.map(Polygon::bounds);
        let read = areas.fold(read, |all, area| all.union(&area));
        read.expanded(self.margin(&query.footing, surfaces.frame.cell))
    }

    /// The answer in another state of the level, if nothing changed that it or the path that is held
    /// depends on.
    fn kept(&self, change: &NavChange, request: &PathRequest) -> Option<Held> {
        let answer = self.answer.as_ref()?;
        let delta = change.delta();
        let level = change.nav().shared().voxels().ok()?;
        let is_held = |held: &Held| {
            let places = held.leg.points();
            let places: Vec<DVec2> = places.iter().map(|p| p.truncate()).collect();
            let margin = self.margin(&held.leg.footing, level.surfaces().frame.cell);
            let around = Rect::of_points(&places).expanded(margin);
            !delta.voxels.touches(&around)
        };
        let is_untouched = matches!(self.task.end(), Some(Step::Done(_)))
            && *request == self.task.request
            && self.change == Change::None
            && !delta.terrain_kinds
            && level.voxels.frame() == answer.leg.level().voxels.frame()
            && !delta.voxels.touches(&self.read)
            && self.held.as_ref().is_none_or(is_held);
        if !is_untouched {
            return None;
        }
        Some(Held {
            leg: answer
                .leg
                .moved_to(level, level.footing(&request.profile))?,
            request: request.clone(),
        })
    }

    /// Expanded cells and their costs.
    fn expansions(&self) -> impl Iterator<Item = (SurfaceId, u32)> {
        self.search.iter().flat_map(|search| {
            let cost = |id: SurfaceId| search.cost(id).map_or(0, |cost| cost.length);
            search.expanded().iter().map(move |id| (*id, cost(*id)))
        })
    }

    /// Where the exhausted search got stuck; `None` if an end is no place to stand at.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn stuck(&self, ctx: &JobContext) -> Result<Option<Explained>, Cancelled> {
        let Some(query) = &self.query else {
            return Ok(None);
        };
        let Some(goal) = query.goals.cells().first() else {
            return Ok(None);
        };
        let CellQuery { level, footing, .. } = query;
        let explainer = Explainer {
            voxels: &level.voxels,
            footing,
        };
        let looks =
            |cells: &[SurfaceId]| -> usize { cells.iter().map(|id| footing.looks(*id)).sum() };
        let front;
        let (reached, before) = match &self.search {
            // A search that ran to its end, borders included, has expanded every reachable cell.
            Some(search) => {
                let before = self.given_up.iter().map(|(id, _)| footing.looks(*id));
                (search.expanded(), before.sum())
            }
            None => {
                let reach = Reach::new(level.surfaces(), footing, Borders::Ignore);
                let traversable = TraversableCells::new(reach);
                front = Front::spread(&traversable, &[query.start], Until::Burnt, ctx)?;
                (front.cells(), 0)
            }
        };
        let search = Exhausted {
            reached,
            looks: before + looks(reached),
        };
        explainer.reaching(*goal, search, ctx).map(Some)
    }

    fn step_repair(&mut self, left: &mut usize) -> Option<Step> {
        let Self {
            task,
            search: Some(search),
            repair: Some(repair),
            held: Some(held),
            ..
        } = self
        else {
            self.repair = None;
            return None;
        };
        let repaired = task.timed(|_, _| repair.run(&held.leg, search, left));
        let Some((change, leg)) = repaired else {
            return Some(Step::Running);
        };
        self.begin();
        self.change = change;
        let request = self.task.request.clone();
        let leg = leg?;
        let path = leg.path_for(&request, Some(&self.task.nav), 0);
        self.answer = Some(Held { leg, request });
        Some(Step::Improved {
            path,
            bound: f64::INFINITY,
        })
    }
}

impl Session for HumanSession {
    fn step(&mut self, budget: usize) -> Step {
        if let Some(end) = self.task.end() {
            return end.clone();
        }
        if self.search.is_none() {
            self.resume();
        }
        let mut left = budget;
        if self.repair.is_some()
            && let Some(step) = self.step_repair(&mut left)
        {
            return step;
        }
        while left > 0 {
            let (Some(query), Some(search)) = (&self.query, &mut self.search) else {
                self.answer = None;
                return self.task.finish(None);
            };
            let traversable = query.traversable();
            let before = search.expanded().len();
            let smoothing = query.footing.body.conduct.smoothing;
            let (outcome, path) = self.task.timed(|_, _| {
                let outcome = search.run(&traversable, &query.goals, left);
                let path = match outcome {
                    Outcome::Found(goal) => search.path_to(&traversable, goal),
                    _ => None,
                };
                (
                    outcome,
                    path.map(|path| smoothed(&traversable, &path, smoothing)),
                )
            });
            let spent = search.expanded().len();
            self.expanded = self.given_up.len() + spent;
            left = left.saturating_sub(spent - before);
            match outcome {
                Outcome::Running => return Step::Running,
                // Where no path keeps off the walls, one along them is searched for.
                Outcome::Exhausted if query.borders == Borders::Avoid => {
                    let query = query.clone().with_borders(Borders::Ignore);
                    let costs: Vec<_> = self.expansions().collect();
                    self.given_up = costs;
                    if let Some(search) = &mut self.search {
                        search.begin(&query.traversable(), query.start, &query.goals);
                    }
                    self.query = Some(query);
                }
                Outcome::Found(_) | Outcome::Exhausted => {
                    let leg = path.map(|path| {
                        let (level, footing) = (Arc::clone(&query.level), &query.footing);
                        CellLeg::new(level, Arc::clone(footing), query.borders, path)
                    });
                    let request = self.task.request.clone();
                    self.answer = leg.map(|leg| Held { leg, request });
                    let answer = self.answer.as_ref();
                    let nav = Some(&self.task.nav);
                    let path =
                        answer.map(|held| held.leg.path_for(&held.request, nav, self.expanded));
                    self.read = self.read_box();
                    let Task { nav, request, .. } = &self.task;
                    let path = path.map(|mut path| {
                        // The last cells of a row may reach beyond the level.
                        for p in &mut path.points {
                            *p = nav.bounds().clamp(p.truncate()).extend(p.z);
                        }
                        path.remarks.extend(kept::ignored_by_human(nav, request));
                        path.remarks.extend(kept::radius_lost(&path, nav));
                        path
                    });
                    return self.task.finish(path);
                }
            }
        }
        Step::Running
    }

    fn update(&mut self, change: &NavChange, request: &PathRequest) -> Updated {
        if let Some(answer) = self.kept(change, request) {
            self.answer = Some(answer);
            (self.query, self.search) = (None, None);
            self.task.keep(change.nav());
            return Updated::Kept;
        }
        self.task.restart(change.nav(), request);
        let repair = match &self.held {
            Some(held) => self.repair_of(held),
            None => Err(Change::None),
        };
        match repair {
            Ok(repair) => {
                self.search.get_or_insert_with(|| MEMORY.take());
                self.given_up.clear();
                (self.answer, self.query, self.expanded) = (None, None, 0);
                self.change = Change::None;
                self.repair = Some(repair);
                Updated::Repairing
            }
            Err(change) => {
                self.begin();
                self.change = change;
                Updated::Restarted
            }
        }
    }

    fn task(&self) -> &Task {
        &self.task
    }

    fn expanded(&self) -> usize {
        self.expanded
    }

    fn view(&self) -> SearchView {
        let (Some(query), None) = (&self.query, &self.repair) else {
            return SearchView::default();
        };
        let surfaces = query.level.surfaces();
        let conduct = &query.footing.body.conduct;
        let cell = surfaces.frame.cell / f64::from(unit(conduct.metric));
        // Cells that an abandoned search expanded remain visible.
        let nodes: Vec<NodeView> = self
            .given_up
            .iter()
            .copied()
            .chain(self.expansions())
            .map(|(id, g)| {
                let point = surfaces.point(id).truncate();
                let ahead = surfaces
                    .get(id)
                    .map_or(0, |at| query.goals.distance(conduct, at.x, at.y));
                NodeView {
                    point,
                    segment: [point; 2],
                    parent: None,
                    from: point,
                    is_closed: true,
                    is_inconsistent: false,
                    g: f64::from(g) * cell,
                    f: f64::from(g + ahead) * cell,
                }
            })
            .collect();
        SearchView {
            current: nodes.len().checked_sub(1),
            nodes,
            bound: None,
        }
    }

    fn explain(&self, ctx: &JobContext) -> Result<NoPath, Cancelled> {
        let Task { nav, request, .. } = &self.task;
        let level = match nav.shared().voxels() {
            Ok(level) => level,
            Err(error) => return Ok(NoPath::because(error.to_string())),
        };
        let footing = level.footing(&request.profile);
        let explainer = Explainer {
            voxels: &level.voxels,
            footing: &footing,
        };
        let label = |id| nav.shared().label(id);
        if request.goal_area.is_some() && goals_of(level, &footing, request).is_empty() {
            return Ok(NoPath::because(
                "this body cannot stand anywhere in the goal's area; make room in it, or move it",
            ));
        }
        for (end, p) in [("start", request.start), ("goal", request.goal)] {
            let is_area = end == "goal" && request.goal_area.is_some();
            if is_area || settled(level, &footing, p).is_some() {
                continue;
            }
            let why = explainer.place(p);
            let reason = why.map_or_else(
                || "this body cannot stand there".to_owned(),
                |why| why.sentence(label),
            );
            return Ok(NoPath {
                reason: format!(
                    "the {end} at {:.2}, {:.2}, {:.2} is no place to stand at: {reason}; move it",
                    p.x, p.y, p.z
                ),
                blocker: why.and_then(|why| why.object()),
                gap: None,
            });
        }
        let Some(told) = self.stuck(ctx)? else {
            return Ok(NoPath::because("there is no path"));
        };
        Ok(match told.why {
            Ok(why) => NoPath {
                reason: format!(
                    "{} at {:.2}, {:.2}, {:.2}; this body can go no further",
                    why.sentence(label),
                    why.at.x,
                    why.at.y,
                    why.at.z
                ),
                blocker: why.object(),
                gap: None,
            },
            Err(Unexplained::NotConnected) => NoPath::because(
                "start and goal are on parts of the level that nothing connects; \
                 draw stairs, a ramp or a bridge between them",
            ),
            Err(Unexplained::TooFar) => NoPath::because(
                "no path leads from the start to the goal, and what keeps them apart is too far \
                 from the goal to be told at once; look at the cells that are reached, or move the \
                 goal nearer",
            ),
        })
    }

    fn change(&self) -> Change {
        self.change.clone()
    }

    fn places(&self) -> Vec<DVec3> {
        self.leg().map(CellLeg::points).unwrap_or_default()
    }

    fn hold(&mut self) {
        self.held.clone_from(&self.answer);
    }

    fn release(&mut self) {
        self.search = None;
        self.given_up = Vec::new();
    }

    fn fork(&self) -> Box<dyn Session> {
        Box::new(Self {
            task: self.task.clone(),
            search: None,
            repair: self.repair.clone(),
            query: self.query.clone(),
            given_up: Vec::new(),
            expanded: self.expanded,
            read: self.read,
            answer: self.answer.clone(),
            held: self.held.clone(),
            change: self.change.clone(),
        })
    }
}
