//! A path from cell to cell, drawn as a person would walk it: a string pulled tight.
//!
//! Bandi and Thalmann 2000 stop at straight lines between cells (§7.4), whose corners are centres of
//! cells. Here the string is pulled on: every point of it sees as far ahead, and then as far back, as
//! the cells between allow. Where the body walks on the ground and the exact free space is at hand,
//! the string is that of the cone of sight through it, so that the path is as short as can be and
//! keeps the body's radius. Steps across gaps and jumps stay where the search put them.
//!
//! Cells are conservative: a wall that touches a cell fills it. Where the exact free space says that
//! a body passes, a cell filled by an obstacle that this space knows is passed over.
//!
//! Last, cells with too little support are not stepped on (§9.1, super-sampling).

use super::cell_path::{CellPath, penalty};
use super::smooth::{Smoothing, spanned};
use super::traversable_cells::TraversableCells;
use crate::base::EntityId;
use crate::document::Action;
use crate::nav::voxel::{BodyCells, Borders, LevelVoxels, SurfaceId};
use crate::nav::{CellId, CellMap, NavData, PortalId};
use crate::planner::PathRequest;
use crate::planner::funnel::{self, Gate};
use crate::planner::kept::noted;
use crate::planner::slope::{exit_towards, sees};
use crate::planner::trace::Event;
use glam::DVec2;
use std::cell::OnceCell;
use std::collections::BTreeSet;

/// Times that the string is pulled from either end.
const ROUNDS: usize = 3;

/// Above the ground by more than this, a body stands on something. Unit: metres.
const ON_GROUND: f64 = 0.05;

/// Differences below this are rounding. Unit: metres.
const NEAR: f64 = 0.01;

/// A place on a path, and the action that leads there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Knot {
    pub at: DVec2,
    pub cell: SurfaceId,
    pub action: Action,
}

/// A path as it is walked.
#[derive(Debug)]
pub struct Line<'a> {
    level: &'a LevelVoxels,
    traversable: TraversableCells<'a>,
    nav: Option<&'a NavData>,
    pub knots: Vec<Knot>,
    /// Where too many weak cells follow each other to reach over them.
    weak: Option<(DVec2, f64)>,
    known: OnceCell<BTreeSet<EntityId>>,
}

impl<'a> Line<'a> {
    /// From the exact start of a request to its exact goal, where these are next to its ends.
    #[must_use]
    pub fn of(
        level: &'a LevelVoxels,
        traversable: TraversableCells<'a>,
        nav: Option<&'a NavData>,
        path: &CellPath,
        request: &PathRequest,
    ) -> Self {
        let surfaces = level.surfaces();
        let points = path.points(surfaces);
        let mut knots: Vec<Knot> = points
            .iter()
            .zip(&path.cells)
            .zip(&path.actions)
            .map(|((point, cell), action)| Knot {
                at: point.truncate(),
                cell: *cell,
                action: *action,
            })
            .collect();
        let last = knots.len().saturating_sub(1);
        // An agent that is placed beside a cell starts where it was placed.
        for (index, end) in [(0, request.start), (last, request.goal)] {
            if let Some(knot) = knots.get_mut(index)
                && knot.at.distance(end.truncate()) <= surfaces.frame.cell
            {
                knot.at = end.truncate();
            }
        }
        let mut line = Self {
            level,
            traversable,
            nav: nav.filter(|_| level.has_ground()),
            knots: Vec::new(),
            weak: None,
            known: OnceCell::new(),
        };
        let body = line.body();
        if body.conduct.smoothing == Smoothing::Taut {
            knots = line.tight(&knots);
        }
        if body.threshold > 0 {
            knots = line.without_weak(&knots);
        }
        line.knots = knots;
        line
    }

    #[must_use]
    pub const fn body(&self) -> &'a BodyCells {
        self.traversable.reach.body()
    }

    /// Distance to obstacles, where the exact free space tells it. Unit: metres.
    #[must_use]
    pub fn exact_clearance(&self, knot: &Knot) -> Option<f64> {
        let nav = self.nav.filter(|_| self.is_on_ground(knot))?;
        Some(nav.free().clearance(knot.at))
    }

    /// What a body does on this path that it was not asked to.
    #[must_use]
    pub fn remarks(&self) -> Vec<Event> {
        let mut remarks = Vec::new();
        let cell = self.level.surfaces().frame.cell;
        let body = self.body();
        if body.border_layers == 0 && body.body.radius > 0.5 * cell + NEAR {
            let text = "there is no border: nothing keeps this body off walls and edges".to_owned();
            remarks.extend(self.knots.first().map(|knot| noted(knot.at, text)));
        }
        remarks.extend(self.squeezed());
        if let Some((at, length)) = self.weak {
            let text = format!(
                "the path steps on {length:.2} m of weak support, farther than a step of {:.2} m",
                body.body.foot_span
            );
            remarks.push(noted(at, text));
        }
        remarks
    }

    /// Where a path that could not keep off the border is in it, unless it keeps the body's radius
    /// there all the same.
    fn squeezed(&self) -> Option<Event> {
        let reach = &self.traversable.reach;
        if reach.borders == Borders::Avoid {
            return None;
        }
        let radius = self.body().body.radius;
        let is_tight = |knot: &Knot| {
            reach.footing.is_border(knot.cell)
                && self
                    .exact_clearance(knot)
                    .is_none_or(|metres| metres + NEAR < radius)
        };
        let (mut length, mut first) = (0.0, None);
        for pair in self.knots.windows(2) {
            if is_tight(&pair[1]) {
                length += pair[0].at.distance(pair[1].at);
                first = first.or(Some(pair[1].at));
            }
        }
        let text = format!(
            "the body squeezes through: no path keeps off walls and edges, {length:.1} m of this one \
             are in the border"
        );
        first.map(|at| noted(at, text))
    }

    fn is_on_ground(&self, knot: &Knot) -> bool {
        self.nav.is_some_and(|nav| {
            let z = self.level.surfaces().point(knot.cell).z;
            let ground = nav.ground().map_or(0.0, |ground| ground.lift(knot.at).z);
            (z - ground).abs() <= ON_GROUND && nav.is_placed(knot.at)
        })
    }

    fn columns_of(&self, at: DVec2) -> DVec2 {
        let frame = &self.level.surfaces().frame;
        (at - frame.origin.truncate()) / frame.cell
    }

    /// Pulls each stretch between two leaps.
    fn tight(&self, knots: &[Knot]) -> Vec<Knot> {
        let mut tight: Vec<Knot> = Vec::with_capacity(knots.len());
        let mut from = 0;
        for to in 0..knots.len() {
            let is_leap = knots.get(to + 1).is_none_or(|next| {
                next.action == Action::Jump
                    || spanned(&self.traversable, &[knots[to].cell, next.cell]) > 1
            });
            if is_leap {
                tight.extend(self.pulled(&knots[from..=to]));
                from = to + 1;
            }
        }
        tight
    }

    /// A stretch without leaps. The ends stay.
    fn pulled(&self, knots: &[Knot]) -> Vec<Knot> {
        if knots.len() < 2 {
            return knots.to_vec();
        }
        if knots.iter().all(|knot| self.is_on_ground(knot))
            && let Some(exact) = self.through_free_space(knots)
        {
            return exact;
        }
        let mut line = knots.to_vec();
        for _ in 0..ROUNDS {
            let before = length(&line);
            line = self.pulled_from_end(&self.pulled_from_start(&line));
            if length(&line) > before - NEAR {
                break;
            }
        }
        // What is left on the ground follows the exact free space.
        let mut whole: Vec<Knot> = Vec::with_capacity(line.len());
        for run in line.chunk_by(|a, b| self.is_on_ground(a) == self.is_on_ground(b)) {
            let exact = (run.len() > 2 && self.is_on_ground(&run[0]))
                .then(|| self.through_free_space(run))
                .flatten();
            match exact {
                Some(exact) => whole.extend(exact),
                None => whole.extend(run),
            }
        }
        whole
    }

    /// Sums of penalties up to each knot.
    fn penalties(&self, line: &[Knot]) -> Vec<u32> {
        let mut sum = 0_u32;
        let each = line.iter().enumerate().map(|(index, knot)| {
            if index > 0 {
                sum = sum.saturating_add(penalty(self.body(), knot.action, 1));
            }
            sum
        });
        each.collect()
    }

    /// From each corner to the farthest place on the line that it sees.
    fn pulled_from_start(&self, line: &[Knot]) -> Vec<Knot> {
        let sums = self.penalties(line);
        let mut kept = vec![line[0]];
        let mut at = 0;
        while at + 1 < line.len() {
            let see = |ahead: usize| {
                let to = &line[at + ahead];
                self.seen(&line[at], to, sums[at + ahead] - sums[at])
            };
            let (ahead, stretch) = farthest(line.len() - 1 - at, see);
            match stretch {
                Some(stretch) => kept.extend(stretch),
                None => kept.push(line[at + 1]),
            }
            at += ahead;
        }
        kept
    }

    /// The same from the other end.
    fn pulled_from_end(&self, line: &[Knot]) -> Vec<Knot> {
        let sums = self.penalties(line);
        let mut parts: Vec<Vec<Knot>> = Vec::new();
        let mut at = line.len() - 1;
        while at > 0 {
            let see = |back: usize| {
                let from = &line[at - back];
                self.seen(from, &line[at], sums[at] - sums[at - back])
            };
            let (back, stretch) = farthest(at, see);
            parts.push(stretch.unwrap_or_else(|| vec![line[at]]));
            at -= back;
        }
        let rest = parts.into_iter().rev().flatten();
        std::iter::once(line[0]).chain(rest).collect()
    }

    /// The straight line to a place, without its beginning, if a body can walk along it at no greater
    /// penalty: from column to column, each reachable from the one before and off the border, or known
    /// to keep the body's radius.
    fn seen(&self, from: &Knot, to: &Knot, allowed: u32) -> Option<Vec<Knot>> {
        let is_exact = OnceCell::new();
        let is_exact = || {
            *is_exact.get_or_init(|| {
                self.nav.is_some_and(|nav| {
                    let [a, b] = [from.at, to.at].map(|p| nav.placed(p));
                    sees(nav.cells(), a, b)
                })
            })
        };
        let found = self.traced(from, to.at, allowed, &is_exact)?;
        let end = found.last()?;
        let surfaces = self.level.surfaces();
        let [here, there] = [end.cell, to.cell].map(|id| surfaces.get(id));
        let is_there = end.cell == to.cell || here?.height().abs_diff(there?.height()) <= 1;
        let must_be_exact = || {
            self.nav.is_some()
                && self.is_on_ground(from)
                && found.iter().all(|k| self.is_on_ground(k))
        };
        (is_there && (is_exact() || !must_be_exact())).then_some(found)
    }

    /// The columns on a straight line, without the first; `None` where the body cannot follow it.
    fn traced(
        &self,
        from: &Knot,
        to: DVec2,
        mut allowed: u32,
        is_exact: &impl Fn() -> bool,
    ) -> Option<Vec<Knot>> {
        let surfaces = self.level.surfaces();
        let (a, b) = (self.columns_of(from.at), self.columns_of(to));
        let mut column = [a.x.floor() as i32, a.y.floor() as i32];
        let end = [b.x.floor() as i32, b.y.floor() as i32];
        let start = surfaces.get(from.cell)?;
        let mut is_beside = column != [i32::from(start.x), i32::from(start.y)];
        let mut crossing = Crossings::new(a, b, column);
        let mut cell = from.cell;
        let mut found: Vec<Knot> = Vec::new();
        while column != end {
            let (entered, step) = crossing.next()?;
            column = [column[0] + step[0], column[1] + step[1]];
            let left = crossing.peek();
            let at = from.at.lerp(to, f64::midpoint(entered, left));
            match self.surface_from(cell, column, is_beside, is_exact) {
                Some((next, action)) => {
                    allowed = allowed.checked_sub(penalty(self.body(), action, 1))?;
                    cell = next;
                    is_beside = false;
                    found.push(Knot { at, cell, action });
                }
                None if is_exact() && self.is_filled_by_known(cell, column) => is_beside = true,
                None => return None,
            }
        }
        let action = found.last().map_or(Action::Walk, |knot| knot.action);
        let last = Knot {
            at: to,
            cell,
            action,
        };
        match found.last_mut() {
            Some(knot) if !is_beside => *knot = last,
            _ => found.push(last),
        }
        Some(found)
    }

    /// The surface of a column that is reached from a cell, nearest in height.
    fn surface_from(
        &self,
        from: SurfaceId,
        [x, y]: [i32; 2],
        is_beside: bool,
        is_exact: &impl Fn() -> bool,
    ) -> Option<(SurfaceId, Action)> {
        let surfaces = self.level.surfaces();
        let reach = &self.traversable.reach;
        let height = surfaces.get(from)?.height();
        let reached = |id: SurfaceId| {
            let rise = (surfaces.get(id)?.height() - height).abs();
            let action = if is_beside {
                // What lies between is filled, but passed.
                let is_step = rise < self.body().stepping && reach.footing.is_standable(id);
                is_step.then_some(Action::Walk)
            } else {
                reach.action(from, id)
            };
            let at = surfaces.point(id).truncate();
            let here = Knot {
                at,
                cell: id,
                action: Action::Walk,
            };
            let is_open = || {
                self.traversable.is_open(id)
                    || is_exact() && (self.is_on_ground(&here) || self.is_level(from, id))
            };
            action
                .filter(|_| is_open())
                .map(|action| (rise, id, action))
        };
        let found = surfaces.column(x, y).map(SurfaceId).filter_map(reached);
        let nearest = found.min_by_key(|(rise, ..)| *rise);
        nearest.map(|(_, id, action)| (id, action))
    }

    /// Whether two cells are on the ground, at one height: the centre of the second may be too near
    /// to a wall although the line through it is not.
    fn is_level(&self, from: SurfaceId, to: SurfaceId) -> bool {
        let surfaces = self.level.surfaces();
        self.nav.is_some_and(|nav| {
            [from, to].into_iter().all(|id| {
                let p = surfaces.point(id);
                let ground = nav
                    .ground()
                    .map_or(0.0, |ground| ground.lift(p.truncate()).z);
                (p.z - ground).abs() <= ON_GROUND
            })
        })
    }

    /// Whether a column is filled, above the ground on which a cell lies, by something that the exact
    /// free space goes around.
    fn is_filled_by_known(&self, beside: SurfaceId, [x, y]: [i32; 2]) -> bool {
        let Some(nav) = self.nav else {
            return false;
        };
        let surfaces = self.level.surfaces();
        let (Some(cell), Ok(x), Ok(y)) = (surfaces.get(beside), u32::try_from(x), u32::try_from(y))
        else {
            return false;
        };
        let known = self
            .known
            .get_or_init(|| nav.blockers().map(|blocker| blocker.id).collect());
        let voxels = &self.level.voxels;
        let [width, height, layers] = surfaces.frame.size;
        if x >= width || y >= height {
            return false;
        }
        let low = u32::from(cell.layer) + 1;
        let high = (low + self.body().bent.unsigned_abs()).min(layers);
        (low..high)
            .find(|layer| voxels.grid.is_occupied(x, y, *layer))
            .and_then(|layer| voxels.object_in(x, y, layer)?.id)
            .is_some_and(|id| known.contains(&id))
    }

    /// The shortest path beside the same obstacles through the exact free space, if a body can walk
    /// along all of it.
    fn through_free_space(&self, knots: &[Knot]) -> Option<Vec<Knot>> {
        let nav = self.nav?;
        let mut line: Vec<DVec2> = knots.iter().map(|knot| knot.at).collect();
        funnel::straighten(&mut line);
        let (first, last) = (nav.placed(*line.first()?), nav.placed(*line.last()?));
        let gates = gates_along(
            nav.cells(),
            &line.iter().map(|p| nav.placed(*p)).collect::<Vec<_>>(),
        )?;
        let mut corners = Vec::new();
        funnel::shortest(first, last, &gates, &mut corners);
        let mut left = *self.penalties(knots).last()?;
        let mut found = vec![Knot {
            action: knots[0].action,
            ..knots[0]
        }];
        for corner in &corners[1..] {
            let from = *found.last()?;
            let stretch = self.traced(&from, *corner, left, &|| true)?;
            let spent: u32 = stretch
                .iter()
                .map(|knot| penalty(self.body(), knot.action, 1))
                .sum();
            left = left.saturating_sub(spent);
            found.extend(stretch);
        }
        let end = found.last_mut()?;
        end.at = knots.last()?.at;
        (length(&found) <= length(knots) + NEAR).then_some(found)
    }

    /// Cells of which too little is there are passed over, as far as a step reaches.
    fn without_weak(&mut self, knots: &[Knot]) -> Vec<Knot> {
        let surfaces = self.level.surfaces();
        let body = self.body();
        let span = body.body.foot_span + 1e-9;
        let is_weak = |index: usize| {
            index > 0
                && index + 1 < knots.len()
                && surfaces
                    .get(knots[index].cell)
                    .is_some_and(|cell| cell.weight < body.threshold)
        };
        let mut kept: Vec<Knot> = Vec::with_capacity(knots.len());
        let mut at = 0;
        while at < knots.len() {
            if !is_weak(at) {
                kept.push(knots[at]);
                at += 1;
                continue;
            }
            let end = (at..knots.len()).find(|i| !is_weak(*i)).unwrap_or(at);
            let from = knots[at - 1].at;
            let length = from.distance(knots[end].at);
            if length <= span {
                // One step over all of them, by the least preferred of their actions.
                let actions = knots[at..=end].iter().map(|knot| knot.action);
                let action = actions.max_by_key(|action| body.rank(*action));
                kept.push(Knot {
                    action: action.unwrap_or(Action::Walk),
                    ..knots[end]
                });
                at = end + 1;
            } else {
                if self.weak.is_none_or(|(_, known)| known < length) {
                    self.weak = Some((knots[at].at, length));
                }
                kept.extend(&knots[at..end]);
                at = end;
            }
        }
        kept
    }
}

fn length(line: &[Knot]) -> f64 {
    let pairs = line.windows(2);
    pairs.map(|pair| pair[0].at.distance(pair[1].at)).sum()
}

/// The farthest of 1 to `most` that is seen: looked for in growing leaps, then between the last two.
fn farthest<T>(most: usize, see: impl Fn(usize) -> Option<T>) -> (usize, Option<T>) {
    let (mut good, mut bad) = ((1, None), most + 1);
    let mut leap = 2;
    while leap < bad {
        match see(leap) {
            Some(seen) => {
                good = (leap, Some(seen));
                leap = if leap == most {
                    most + 1
                } else {
                    (2 * leap).min(most)
                };
            }
            None => bad = leap,
        }
    }
    while good.0 + 1 < bad {
        let middle = usize::midpoint(good.0, bad);
        match see(middle) {
            Some(seen) => good = (middle, Some(seen)),
            None => bad = middle,
        }
    }
    good
}

/// Where a line passes from column to column: at which share of it, and by how many columns along
/// x and y. Through a corner it passes diagonally.
struct Crossings {
    step: [i32; 2],
    /// Shares at which the next border along x and y is met.
    next: [f64; 2],
    /// Shares from one border to the next.
    apart: [f64; 2],
}

impl Crossings {
    fn new(a: DVec2, b: DVec2, column: [i32; 2]) -> Self {
        let along = b - a;
        let mut this = Self {
            step: [0; 2],
            next: [f64::INFINITY; 2],
            apart: [f64::INFINITY; 2],
        };
        for axis in 0..2 {
            let (from, by) = (a[axis], along[axis]);
            if by != 0.0 {
                let border = f64::from(column[axis]) + if by > 0.0 { 1.0 } else { 0.0 };
                this.step[axis] = if by > 0.0 { 1 } else { -1 };
                this.next[axis] = (border - from) / by;
                this.apart[axis] = 1.0 / by.abs();
            }
        }
        this
    }

    /// Share at which the present column is left, 1 in the last.
    fn peek(&self) -> f64 {
        self.next[0].min(self.next[1]).min(1.0)
    }

    fn next(&mut self) -> Option<(f64, [i32; 2])> {
        const CORNER: f64 = 1e-9;
        let at = self.next[0].min(self.next[1]);
        if at > 1.0 + CORNER {
            return None;
        }
        let step = [0, 1].map(|axis| {
            if self.next[axis] > at + CORNER {
                return 0;
            }
            self.next[axis] += self.apart[axis];
            self.step[axis]
        });
        Some((at.min(1.0), step))
    }
}

/// The portals that a line passes, without detours into a cell and back; `None` where it leaves the
/// cells.
fn gates_along(map: &CellMap, line: &[DVec2]) -> Option<Vec<Gate>> {
    let mut cell = map.locate(*line.first()?)?;
    let mut passed: Vec<(PortalId, CellId)> = Vec::new();
    for pair in line.windows(2) {
        let mut before = None;
        let mut steps = 0;
        while !map.covers(cell, pair[1]) {
            let portal = exit_towards(map, cell, before, pair[0], pair[1])?;
            let next = map.portal(portal).beyond(cell);
            match passed.last() {
                Some((last, _)) if *last == portal => {
                    passed.pop();
                }
                _ => passed.push((portal, cell)),
            }
            before = Some(cell);
            cell = next;
            steps += 1;
            if steps > map.len() {
                return None;
            }
        }
    }
    let gate = |(portal, from): (PortalId, CellId)| {
        let [left, right] = map.portal(portal).ends_from(from);
        Gate { left, right }
    };
    Some(passed.into_iter().map(gate).collect())
}
