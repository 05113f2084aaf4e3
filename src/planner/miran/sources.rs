//! Sources of indicative routes: drawn ones, fitted to free space, and computed ones.

use super::dual::{DualQuery, DualSearch};
use super::grid::grid_route;
use super::ground::{ExactGround, Ground};
use super::route::{IndicativeRoute, PartKind, RouteFault};
use crate::document::limits;
use crate::nav::CellMap;
use crate::nav::NavData;
use crate::nav::terrain::raster::TerrainRaster;
use crate::nav::terrain::sight::{CellSight, look};
use crate::nav::terrain::{TerrainMap, Weights};
use crate::planner::corridor::{CorridorRequest, backbone};
use crate::planner::optimal::OptimalSearch;
use crate::planner::request::Guide;
use crate::planner::session::Progress;
use glam::DVec2;

/// Points closer than this to the route are on it. Unit: metres.
const ON_ROUTE: f64 = 0.01;

/// Distance between test points on a drawn route. Unit: metres.
const PROBE_STEP: f64 = 0.25;

/// Largest number of test points on a drawn route.
const MAX_PROBES: f64 = 20_000.0;

/// Distances by which bends of shortest paths are moved off walls; the first that fits is used.
/// Unit: metres.
const EASINGS: [f64; 4] = [0.05, 0.02, 0.005, 0.001];

/// Distances from the route above this are reported. Unit: metres.
const OFF_ROUTE: f64 = 0.5;

/// Cells along the longer side of the grid that routes are computed on.
const GRID_CELLS: f64 = 512.0;

/// How a route is computed if none is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RouteSource {
    /// A* on the dual of the triangulation, pulled tight where that costs no more.
    #[default]
    Dual,
    /// A* on a grid.
    Grid,
    /// The backbone of the corridor map: midway between obstacles, regardless of terrain.
    Backbone,
}

impl RouteSource {
    pub const ALL: [Self; 3] = [Self::Dual, Self::Grid, Self::Backbone];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dual => "Triangles",
            Self::Grid => "Grid",
            Self::Backbone => "Corridor backbone",
        }
    }
}

/// Why there is no route.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoRoute {
    #[error("no path leads from the start to the goal")]
    Unreachable,
    /// Call again with a new budget.
    #[error("the search is not over yet")]
    OutOfBudget,
}

/// Computes routes for one body on one level, with memory kept between queries.
///
/// A route takes several searches in sequence. When the budget runs out, results so far are kept,
/// and repeating the query resumes the unfinished search.
#[derive(Clone, Debug, Default)]
pub struct Router {
    dual: DualSearch,
    optimal: OptimalSearch,
    expanded: usize,
    /// Expansions left; unlimited without a budget.
    left: Option<usize>,
    /// Results of this route's searches in order, and how many of them were replayed since the last
    /// budget was set.
    found: Vec<Option<Vec<DVec2>>>,
    asked: usize,
    /// The search after those has begun.
    is_searching: bool,
}

impl Router {
    /// Nodes expanded since the last [`Self::reset`].
    #[must_use]
    pub const fn expanded(&self) -> usize {
        self.expanded
    }

    /// Forgets earlier queries.
    pub fn reset(&mut self) {
        self.expanded = 0;
        self.begin();
    }

    /// Starts a new route.
    pub fn begin(&mut self) {
        self.found.clear();
        self.asked = 0;
        self.is_searching = false;
    }

    /// Sets the number of expansions allowed from now on.
    pub const fn set_budget(&mut self, budget: usize) {
        self.left = Some(budget);
        self.asked = 0;
    }

    /// The remaining budget.
    #[must_use]
    pub fn budget(&self) -> usize {
        self.left.unwrap_or(usize::MAX)
    }

    fn spend(&mut self, expansions: usize) {
        self.expanded += expansions;
        self.left = self.left.map(|left| left.saturating_sub(expansions));
    }

    /// The result of the next search, if it was already run.
    fn known(&mut self) -> Option<Option<Vec<DVec2>>> {
        let known = self.found.get(self.asked).cloned();
        self.asked += usize::from(known.is_some());
        known
    }

    fn remember(&mut self, found: Option<Vec<DVec2>>) -> Option<Vec<DVec2>> {
        // Without a budget no search is repeated.
        if self.left.is_some() {
            self.found.push(found.clone());
            self.asked += 1;
        }
        self.is_searching = false;
        found
    }

    /// A path between two points by the chosen source, entirely in free space.
    ///
    /// # Errors
    /// There is none, or the budget was spent.
    pub fn path(
        &mut self,
        nav: &NavData,
        terrain: &TerrainMap,
        weights: &Weights,
        source: RouteSource,
        [start, goal]: [DVec2; 2],
    ) -> Result<Vec<DVec2>, NoRoute> {
        let cells = nav.cells();
        let radius = nav.free().radius;
        let found = match source {
            RouteSource::Dual => self.cheapest(&DualQuery {
                terrain,
                weights,
                cells: Some(cells),
                radius,
                start,
                goal,
            })?,
            RouteSource::Grid => {
                let input = nav.shared().drawing();
                let pixel = input.bounds.size().max_element() / GRID_CELLS;
                let grid = TerrainRaster::within(input, &nav.free().areas, pixel.max(0.05));
                let found = grid
                    .ok()
                    .and_then(|grid| grid_route(&grid, weights, start, goal));
                found.map(|(points, expanded)| {
                    self.expanded += expanded;
                    points
                })
            }
            RouteSource::Backbone => nav.shared().corridors().ok().and_then(|corridors| {
                let request = CorridorRequest {
                    start,
                    goal,
                    radius,
                    safe_distance: radius,
                };
                let found = backbone(&corridors.map, &request).ok()?;
                self.expanded += found.expanded;
                let middle = found.corridor.samples().iter().map(|sample| sample.point);
                Some([start].into_iter().chain(middle).chain([goal]).collect())
            }),
        };
        let threaded = match found.map(|points| self.threaded(nav, &points)) {
            Some(Ok(points)) => Some(points),
            Some(Err(NoRoute::OutOfBudget)) => return Err(NoRoute::OutOfBudget),
            Some(Err(NoRoute::Unreachable)) | None => None,
        };
        match (threaded, source) {
            (Some(points), RouteSource::Dual) => Ok(tightened(
                &ExactGround::new(terrain, weights, Some(cells)),
                points,
            )),
            // Most cells of a grid path lie straight between others.
            (Some(points), _) => Ok(IndicativeRoute::unsampled(&points).into_points()),
            (None, _) => self.shortest(nav, start, goal),
        }
    }

    /// A path on the dual of the triangulation.
    fn cheapest(&mut self, query: &DualQuery<'_>) -> Result<Option<Vec<DVec2>>, NoRoute> {
        if let Some(known) = self.known() {
            return Ok(known);
        }
        if !std::mem::replace(&mut self.is_searching, true) {
            self.dual.begin(query);
        }
        let before = self.dual.expanded();
        let progress = self.dual.run(query, self.budget());
        self.spend(self.dual.expanded() - before);
        let found = match progress {
            Progress::Running => return Err(NoRoute::OutOfBudget),
            Progress::Found => self.dual.chain(query),
            Progress::Exhausted => None,
        };
        Ok(self.remember(found))
    }

    fn shortest(
        &mut self,
        nav: &NavData,
        start: DVec2,
        goal: DVec2,
    ) -> Result<Vec<DVec2>, NoRoute> {
        if let Some(known) = self.known() {
            return known.ok_or(NoRoute::Unreachable);
        }
        let (cells, corners) = (nav.cells(), nav.corners());
        if !std::mem::replace(&mut self.is_searching, true) {
            self.optimal
                .begin(cells, nav.pinches(), corners, start, goal);
        }
        let before = self.optimal.expanded();
        let progress = self.optimal.run(corners, self.budget());
        self.spend(self.optimal.expanded() - before);
        let found = match progress {
            Progress::Running => return Err(NoRoute::OutOfBudget),
            Progress::Found => Some(eased(cells, self.optimal.path().to_vec())),
            Progress::Exhausted => None,
        };
        self.remember(found).ok_or(NoRoute::Unreachable)
    }

    /// Fits a chain of points to free space: drops blocked points, and joins neighbours that do not
    /// see each other by the shortest path.
    fn threaded(&mut self, nav: &NavData, points: &[DVec2]) -> Result<Vec<DVec2>, NoRoute> {
        let cells = nav.cells();
        let mut free = points
            .iter()
            .copied()
            .filter(|p| cells.locate(*p).is_some());
        let mut out: Vec<DVec2> = free.next().into_iter().collect();
        let mut hint = None;
        for next in free {
            let Some(&here) = out.last() else { break };
            if here == next {
                continue;
            }
            if let CellSight::Clear(cell) = look(cells, here, next, hint) {
                out.push(next);
                hint = Some(cell);
            } else {
                let path = self.shortest(nav, here, next)?;
                out.extend(path.into_iter().skip(1));
            }
        }
        Ok(out)
    }

    /// Faults of a drawn route for a body: where it runs through obstacles.
    #[must_use]
    pub fn faults(nav: &NavData, line: &[DVec2]) -> Vec<RouteFault> {
        let drawn = IndicativeRoute::unsampled(line);
        let blocked = blocked_stretches(nav, &drawn);
        blocked.iter().filter_map(BlockedStretch::fault).collect()
    }

    /// A drawn route with detours around its obstacles, as far as there are any. Offered to
    /// designers as a fix.
    #[must_use]
    pub fn repaired(
        &mut self,
        nav: &NavData,
        terrain: &TerrainMap,
        weights: &Weights,
        line: &[DVec2],
    ) -> Vec<DVec2> {
        let drawn = IndicativeRoute::unsampled(line);
        let blocked = blocked_stretches(nav, &drawn);
        let parts = self.rerouted(nav, terrain, weights, &drawn, &blocked);
        let parts = parts.unwrap_or_default().into_iter();
        let mut points: Vec<DVec2> = parts.flat_map(|(_, points)| points).collect();
        points.dedup();
        points
    }

    /// Stretches of a drawn route and detours around the obstacles on it.
    fn rerouted(
        &mut self,
        nav: &NavData,
        terrain: &TerrainMap,
        weights: &Weights,
        drawn: &IndicativeRoute,
        blocked: &[BlockedStretch],
    ) -> Result<Vec<(PartKind, Vec<DVec2>)>, NoRoute> {
        if blocked.is_empty() {
            return Ok(vec![(PartKind::Drawn, drawn.points().to_vec())]);
        }
        let mut parts = Vec::new();
        let mut from = 0.0;
        for (i, stretch) in blocked.iter().enumerate() {
            let mut comes_back = stretch.to;
            let mut detour = None;
            let before = drawn.point_at(stretch.from);
            let after = drawn.point_at(stretch.to);
            if let (Some(before), Some(after)) = (before, after)
                && stretch.from > 0.0
                && stretch.to < drawn.length()
            {
                let ends = [before, after];
                detour = match self.path(nav, terrain, weights, RouteSource::Dual, ends) {
                    Ok(path) => Some(path),
                    Err(NoRoute::Unreachable) => None,
                    Err(NoRoute::OutOfBudget) => return Err(NoRoute::OutOfBudget),
                };
            }
            if let Some(path) = &mut detour {
                let until = blocked.get(i + 1).map_or(drawn.length(), |next| next.from);
                comes_back = rejoined(nav.cells(), drawn, path, comes_back, until);
            }
            if stretch.from > from {
                parts.push((PartKind::Drawn, drawn.stretch(from, stretch.from)));
            }
            from = comes_back;
            parts.extend(detour.map(|path| (PartKind::Detour, path)));
        }
        if from < drawn.length() {
            parts.push((PartKind::Drawn, drawn.stretch(from, drawn.length())));
        }
        Ok(parts)
    }

    /// The route for a query: the drawn one from the point nearest to the start to the point
    /// nearest to the goal, with connections; or a computed one.
    ///
    /// # Errors
    /// No path leads from the start to the goal, or the budget was spent.
    pub fn indicative(
        &mut self,
        nav: &NavData,
        terrain: &TerrainMap,
        weights: &Weights,
        guide: Option<&Guide>,
        source: RouteSource,
        [start, goal]: [DVec2; 2],
    ) -> Result<(IndicativeRoute, Vec<RouteFault>), NoRoute> {
        let (look_ahead, sample_step) = guide.map_or(
            (limits::LOOK_AHEAD.default, limits::SAMPLE_STEP.default),
            |guide| (guide.look_ahead, guide.sample_step),
        );
        let line: Vec<DVec2> = guide
            .map(|guide| {
                guide
                    .line
                    .iter()
                    .copied()
                    .filter(|p| p.is_finite())
                    .collect()
            })
            .unwrap_or_default();
        let mut faults = Vec::new();
        let mut stretches: Vec<(PartKind, Vec<DVec2>)> = Vec::new();
        let mut here = start;
        if guide.is_some() && line.is_empty() {
            faults.push(RouteFault::Empty);
        } else if line.len() == 1 {
            faults.push(RouteFault::OnePoint);
        }
        if !line.is_empty() {
            let fitted = fitted(&line, start, goal);
            faults.extend(off_route(&fitted, start, goal));
            let drawn = IndicativeRoute::unsampled(&fitted);
            let blocked = blocked_stretches(nav, &drawn);
            faults.extend(blocked.iter().filter_map(BlockedStretch::fault));
            for (kind, points) in self.rerouted(nav, terrain, weights, &drawn, &blocked)? {
                let Some((&first, &last)) = points.first().zip(points.last()) else {
                    continue;
                };
                if nav.cells().locate(first).is_none() {
                    continue;
                }
                if here.distance(first) > ON_ROUTE || stretches.is_empty() {
                    let kind = if kind == PartKind::Drawn && !stretches.is_empty() {
                        PartKind::Detour
                    } else {
                        PartKind::Connection
                    };
                    match self.joined(nav, terrain, weights, here, first) {
                        Ok(path) => stretches.push((kind, path)),
                        // Unreachable stretches are left out.
                        Err(NoRoute::Unreachable) => continue,
                        Err(NoRoute::OutOfBudget) => return Err(NoRoute::OutOfBudget),
                    }
                }
                stretches.push((kind, points));
                here = last;
            }
        }
        if stretches.is_empty() {
            let path = self.path(nav, terrain, weights, source, [start, goal])?;
            stretches.push((PartKind::Computed, path));
        } else if here != goal {
            let path = self.joined(nav, terrain, weights, here, goal)?;
            stretches.push((PartKind::Connection, path));
        }
        let (route, of_lengths) = IndicativeRoute::of_parts(stretches, look_ahead, sample_step);
        faults.extend(of_lengths.into_iter().filter(|fault| {
            // A start at the goal is no fault of the route.
            !matches!(fault, RouteFault::OnePoint | RouteFault::Empty)
        }));
        Ok((route, faults))
    }

    /// A straight line where that is free, otherwise a path on the dual.
    fn joined(
        &mut self,
        nav: &NavData,
        terrain: &TerrainMap,
        weights: &Weights,
        from: DVec2,
        to: DVec2,
    ) -> Result<Vec<DVec2>, NoRoute> {
        let ends = [from, to];
        if from.distance(to) <= ON_ROUTE && look(nav.cells(), from, to, None).is_clear() {
            return Ok(ends.to_vec());
        }
        self.path(nav, terrain, weights, RouteSource::Dual, ends)
    }
}

/// Ends that lie beside the followed part of the route.
fn off_route(fitted: &[DVec2], start: DVec2, goal: DVec2) -> impl Iterator<Item = RouteFault> {
    let fault = |place: Option<&DVec2>, at: DVec2, end: &'static str| {
        let distance = place?.distance(at);
        (distance > OFF_ROUTE).then_some(RouteFault::OffRoute { end, distance })
    };
    let start = fault(fitted.first(), start, "start");
    start.into_iter().chain(fault(fitted.last(), goal, "goal"))
}

/// The part of a line between the points nearest to the start and to the goal, in the direction
/// that walks less of it backwards.
fn fitted(line: &[DVec2], start: DVec2, goal: DVec2) -> Vec<DVec2> {
    let drawn = IndicativeRoute::unsampled(line);
    let length = drawn.length();
    let from = drawn.first_closest(start, 0.0, length);
    let to = drawn.last_closest(goal, 0.0);
    if from <= to {
        return drawn.stretch(from, to);
    }
    // Either the goal comes again later on, or the line is walked backwards.
    let later = drawn.last_closest(goal, from);
    let distance = |along: f64| {
        drawn
            .point_at(along)
            .map_or(f64::INFINITY, |p| p.distance(goal))
    };
    if distance(later) <= distance(to) + ON_ROUTE {
        return drawn.stretch(from, later);
    }
    let mut back = drawn.stretch(to, from);
    back.reverse();
    back
}

/// Moves the end of a detour further along its line, up to a limit, if it would otherwise return
/// only to turn around and its last bend sees the new end. Returns the end's length along the line.
fn rejoined(
    cells: &CellMap,
    line: &IndicativeRoute,
    path: &mut [DVec2],
    at: f64,
    limit: f64,
) -> f64 {
    let [.., bend, end] = path else {
        return at;
    };
    let gap = bend.distance(*end).min(limit - at);
    for share in [1.0, 0.5, 0.25] {
        let along = at + gap * share;
        let Some(place) = line.point_at(along) else {
            break;
        };
        let turns_round = (*end - *bend).dot(place - *end) < 0.0;
        if turns_round && look(cells, *bend, place, None).is_clear() {
            *end = place;
            return along;
        }
    }
    at
}

/// A blocked part of a line.
#[derive(Clone, Copy, Debug)]
struct BlockedStretch {
    /// The last free point before it and the first one after it. Unit: metres along the line.
    from: f64,
    to: f64,
    middle: Option<DVec2>,
}

impl BlockedStretch {
    fn fault(&self) -> Option<RouteFault> {
        let length = self.to - self.from;
        self.middle.map(|at| RouteFault::Blocked { at, length })
    }
}

/// Where a line leaves the free space of a body.
fn blocked_stretches(nav: &NavData, drawn: &IndicativeRoute) -> Vec<BlockedStretch> {
    let cells = nav.cells();
    let is_placed = |p: &DVec2| cells.locate(*p).is_some();
    let mut is_free = drawn.points().first().is_some_and(is_placed);
    let mut hint = None;
    for pair in drawn.points().windows(2) {
        // From one free point to the next; cells are queried in close cases only.
        if !is_free || cells.sight_walls().look(pair[0], pair[1]) == Some(Ok(())) {
            continue;
        }
        match look(cells, pair[0], pair[1], hint) {
            CellSight::Clear(cell) => hint = Some(cell),
            CellSight::Blocked(_) => is_free = false,
        }
    }
    if is_free {
        return Vec::new();
    }
    let length = drawn.length();
    let count = (length / PROBE_STEP).ceil().clamp(1.0, MAX_PROBES);
    let mut out: Vec<BlockedStretch> = Vec::new();
    let mut before: Option<(f64, DVec2)> = None;
    let mut open: Option<f64> = None;
    let mut close = |from: f64, to: f64| {
        out.push(BlockedStretch {
            from,
            to,
            middle: drawn.point_at(0.5 * (from + to)),
        });
    };
    for i in 0..=count as usize {
        let along = length * i as f64 / count;
        let Some(at) = drawn.point_at(along) else {
            break;
        };
        if cells.locate(at).is_none() {
            open.get_or_insert(before.map_or(0.0, |(along, _)| along));
            continue;
        }
        match (open.take(), before) {
            (Some(from), _) => close(from, along),
            // Thin obstacles fit between two test points.
            (None, Some((from, p))) if !look(cells, p, at, None).is_clear() => {
                let is_bend = drawn
                    .stretch(from, along)
                    .windows(2)
                    .all(|pair| look(cells, pair[0], pair[1], None).is_clear());
                if !is_bend {
                    close(from, along);
                }
            }
            _ => {}
        }
        before = Some((along, at));
    }
    if let Some(from) = open {
        close(from, length);
    }
    out
}

/// A chain of points without those that a straight line can skip at no greater cost.
fn tightened(ground: &ExactGround<'_>, points: Vec<DVec2>) -> Vec<DVec2> {
    let mut sums = vec![0.0];
    for pair in points.windows(2) {
        sums.push(sums[sums.len() - 1] + ground.cost(pair[0], pair[1], None));
    }
    let mut kept: Vec<DVec2> = points.first().copied().into_iter().collect();
    let mut here = 0;
    while here + 1 < points.len() {
        let eye = ground.eye(points[here]);
        let is_cheaper = |to: usize| {
            let straight = eye.and_then(|eye| ground.weigh(&eye, points[to]).ok());
            straight.is_some_and(|cost| cost <= (sums[to] - sums[here]) * (1.0 + 1e-9))
        };
        let mut reached = here + 1;
        let mut stride = 1;
        while reached + stride < points.len() && is_cheaper(reached + stride) {
            reached += stride;
            stride *= 2;
        }
        while stride > 0 {
            if reached + stride < points.len() && is_cheaper(reached + stride) {
                reached += stride;
            }
            stride /= 2;
        }
        kept.push(points[reached]);
        here = reached;
    }
    kept
}

/// Moves the bends of a shortest path slightly off the walls where there is room, so that rounding
/// does not stop an agent that follows it.
fn eased(cells: &CellMap, mut path: Vec<DVec2>) -> Vec<DVec2> {
    for i in 1..path.len().saturating_sub(1) {
        let [before, bend, after] = [path[i - 1], path[i], path[i + 1]];
        let inwards = (before - bend).normalize_or_zero() + (after - bend).normalize_or_zero();
        let Some(outwards) = (-inwards).try_normalize() else {
            continue;
        };
        let places = EASINGS.into_iter().map(|by| bend + outwards * by);
        let sees = |from: DVec2, to: DVec2| look(cells, from, to, None).is_clear();
        let eased = places
            .into_iter()
            .find(|place| sees(*place, before) && sees(*place, after));
        path[i] = eased.unwrap_or(bend);
    }
    path
}
