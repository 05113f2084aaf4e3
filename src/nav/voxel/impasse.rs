//! Where a body gets stuck: among all paths to a goal that include impossible steps, the one whose
//! worst step is closest to being possible.
//!
//! Stairs that are too steep are many steps, each slightly too high: only the path over all of them
//! shows that the rise is to blame, not the floor above.
//!
//! This is asked about a search that found nothing, and costs no more than that search: both count
//! [`looks`](Footing::looks). Two floods take turns, one from the goal and one from the cells that
//! the search reached, so that the smaller side decides. A path that is not known to be the best
//! would blame the wrong thing: none is told then.

use super::body::{Line, Neighbours};
use super::footing::Footing;
use super::reach::{Borders, Reach};
use super::surface::SurfaceId;
use super::why_not::{Explainer, Met, Obstacle, WhyNot};
use crate::jobs::{Cancelled, JobContext};
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// What an explanation may cost in any case, however little the search did: a few milliseconds. A start
/// that is closed in has little to search, and its goal may lie at the far end of a maze.
pub const LEAST_LOOKS: usize = 1_000_000;

/// Columns that a flood looks at before it is the other's turn.
const TURN: usize = 2_000;

/// How far beyond a body's reach standable cells are considered. Unit: cells.
const LOOK: i32 = 4;

/// By how much the steps so far are impossible, as measured by [`Explainer::between`].
#[derive(Clone, Copy, Debug, PartialEq)]
struct Lack {
    worst: f64,
    whole: f64,
}

impl Lack {
    const NONE: Self = Self {
        worst: 0.0,
        whole: 0.0,
    };

    const fn and(self, excess: f64) -> Self {
        Self {
            worst: self.worst.max(excess),
            whole: self.whole + excess,
        }
    }
}

impl Eq for Lack {}

impl Ord for Lack {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_worst = self.worst.total_cmp(&other.worst);
        by_worst.then(self.whole.total_cmp(&other.whole))
    }
}

impl PartialOrd for Lack {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// What is done with an open cell. Possible moves come first: most cells around a rim are then known
/// to be reached without any impossible step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    Moves,
    ImpossibleSteps,
}

/// An open cell: least lack first, then nearest to the other side.
type Open = Reverse<(Lack, Phase, u32, SurfaceId)>;

/// How a flood got to a cell.
#[derive(Clone, Copy, Debug)]
struct Link {
    lack: Lack,
    /// The previous cell; `None` where the flood began.
    back: Option<SurfaceId>,
    /// What blocks the step between both and by how much, if it is impossible.
    trouble: Option<(f64, Met)>,
    phase: Phase,
    is_settled: bool,
}

/// Why there is nothing to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unexplained {
    /// No steps lead there, however large.
    NotConnected,
    /// Telling what is in the way would be dearer than the search.
    TooFar,
}

/// An explanation, and what it cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Explained {
    pub why: Result<WhyNot, Unexplained>,
    /// Columns looked at.
    pub looks: usize,
    /// Columns that it was allowed to look at.
    pub most: usize,
}

/// Everything that a search without a result has found.
#[derive(Clone, Copy, Debug)]
pub struct Exhausted<'a> {
    /// All cells that can be reached, the start first.
    pub reached: &'a [SurfaceId],
    /// Columns looked at.
    pub looks: usize,
}

/// The end that a flood begins at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Goal,
    Reached,
}

/// How a turn of a flood ended.
enum Turn {
    /// At a cell of the other side, over the best path.
    Met(SurfaceId),
    /// All has been flooded.
    Exhausted,
    Over,
}

/// Cells of one side, in the order of how impossible it is to get there.
struct Flood<'a> {
    explainer: &'a Explainer<'a>,
    lines: &'a [Line],
    side: Side,
    goal: SurfaceId,
    /// By cell: reached by the search.
    is_reached: &'a [bool],
    /// Column that is headed for.
    towards: [i32; 2],
    /// By cell: its link, plus one; 0 for cells not found so far.
    found: Vec<u32>,
    links: Vec<Link>,
    open: BinaryHeap<Open>,
}

impl<'a> Flood<'a> {
    fn begin(
        explainer: &'a Explainer<'a>,
        lines: &'a [Line],
        side: Side,
        goal: SurfaceId,
        (reached, is_reached): (&[SurfaceId], &'a [bool]),
    ) -> Self {
        let surfaces = &explainer.voxels.surfaces;
        let other_end = match side {
            Side::Goal => reached.first().copied(),
            Side::Reached => Some(goal),
        };
        let other_end = other_end.and_then(|id| surfaces.get(id));
        let mut flood = Self {
            explainer,
            lines,
            side,
            goal,
            is_reached,
            towards: other_end.map_or([0; 2], |cell| [i32::from(cell.x), i32::from(cell.y)]),
            found: vec![0; surfaces.len()],
            links: Vec::new(),
            open: BinaryHeap::new(),
        };
        match side {
            Side::Goal => flood.offer(goal, Lack::NONE, Phase::Moves, None, None),
            // Possible moves only lead to cells that were reached as well.
            Side::Reached => {
                for id in reached.iter().filter(|id| explainer.footing.is_rim(**id)) {
                    flood.offer(*id, Lack::NONE, Phase::ImpossibleSteps, None, None);
                }
            }
        }
        flood
    }

    fn link(&self, id: SurfaceId) -> Option<&Link> {
        let index = (*self.found.get(id.index())?).checked_sub(1)?;
        self.links.get(index as usize)
    }

    /// Whether no impossible step lies between a cell and where the flood began.
    fn is_connected(&self, id: SurfaceId) -> bool {
        self.link(id).is_some_and(|link| link.lack == Lack::NONE)
    }

    /// Whether a cell is known to be no harder to get to.
    fn is_known(&self, id: SurfaceId, lack: Lack) -> bool {
        self.link(id).is_some_and(|known| known.lack <= lack)
            || (self.side == Side::Reached && self.is_reached[id.index()])
    }

    fn offer(
        &mut self,
        id: SurfaceId,
        lack: Lack,
        phase: Phase,
        back: Option<SurfaceId>,
        trouble: Option<(f64, Met)>,
    ) {
        let link = Link {
            lack,
            back,
            trouble,
            phase,
            is_settled: false,
        };
        match self.found[id.index()] {
            0 => {
                self.links.push(link);
                self.found[id.index()] = self.links.len() as u32;
            }
            known => self.links[known as usize - 1] = link,
        }
        self.push(id, lack, phase);
    }

    fn push(&mut self, id: SurfaceId, lack: Lack, phase: Phase) {
        let away = self.explainer.voxels.surfaces.get(id).map_or(0, |cell| {
            let (dx, dy) = (
                i32::from(cell.x) - self.towards[0],
                i32::from(cell.y) - self.towards[1],
            );
            Neighbours::Eight.distance(dx, dy)
        });
        self.open.push(Reverse((lack, phase, away, id)));
    }

    /// Floods until it meets the other side or has looked at `most` columns.
    fn run(
        &mut self,
        most: usize,
        looks: &mut usize,
        is_met: impl Fn(SurfaceId) -> bool,
        ctx: &JobContext,
    ) -> Result<Turn, Cancelled> {
        ctx.checkpoint()?;
        let footing = self.explainer.footing;
        while let Some(entry) = self.open.pop() {
            let Reverse((lack, phase, _, id)) = entry;
            let is_current =
                |link: &Link| link.lack == lack && link.phase == phase && !link.is_settled;
            if !self.link(id).is_some_and(is_current) {
                continue;
            }
            // What the other side reaches without impossible steps is no worse than this cell, and
            // cells come in the order of how bad they are: no path is better.
            if is_met(id) {
                return Ok(Turn::Met(id));
            }
            let cost = match phase {
                Phase::Moves => footing.looks(id),
                Phase::ImpossibleSteps => self.lines.len(),
            };
            if *looks + cost > most {
                self.open.push(entry);
                return Ok(Turn::Over);
            }
            *looks += cost;
            let is_rim = footing.is_rim(id);
            let index = self.found[id.index()] as usize - 1;
            match phase {
                Phase::Moves => {
                    self.expand_moves(id, lack);
                    let link = &mut self.links[index];
                    if is_rim {
                        link.phase = Phase::ImpossibleSteps;
                        self.push(id, lack, Phase::ImpossibleSteps);
                    } else {
                        link.is_settled = true;
                    }
                }
                Phase::ImpossibleSteps => {
                    self.links[index].is_settled = true;
                    self.expand_impossible_steps(id, lack);
                }
            }
        }
        Ok(Turn::Exhausted)
    }

    fn expand_moves(&mut self, id: SurfaceId, lack: Lack) {
        let Explainer { voxels, footing } = *self.explainer;
        let surfaces = &voxels.surfaces;
        let side = self.side;
        let mut visit = |other: SurfaceId| {
            if !self.is_known(other, lack) {
                self.offer(other, lack, Phase::Moves, Some(id), None);
            }
        };
        let reach = Reach::new(surfaces, footing, Borders::Ignore);
        match (side, surfaces.get(id)) {
            (Side::Reached, _) => reach.moves_from(id, |found| visit(found.cell)),
            // Level ground is crossed from cell to cell in either direction.
            (Side::Goal, Some(cell)) if footing.is_flat(id) => {
                let strides = footing.body.strides.iter();
                for stride in strides.take_while(|stride| stride.is_contiguous()) {
                    let (x, y) = (i32::from(cell.x) + stride.dx, i32::from(cell.y) + stride.dy);
                    for other in surfaces.column(x, y).map(SurfaceId) {
                        let is_level = surfaces.cells()[other.index()].layer == cell.layer;
                        if is_level && footing.is_standable(other) {
                            visit(other);
                        }
                    }
                }
            }
            (Side::Goal, _) => reach.moves_into(id, |found| visit(found.cell)),
        }
    }

    fn expand_impossible_steps(&mut self, id: SurfaceId, lack: Lack) {
        let Explainer { voxels, footing } = *self.explainer;
        let surfaces = &voxels.surfaces;
        let Some(cell) = surfaces.get(id) else {
            return;
        };
        for line in self.lines {
            // Lines lead from the start of a step to its end.
            let sign = if self.side == Side::Goal { -1 } else { 1 };
            let (x, y) = (
                i32::from(cell.x) + sign * line.dx,
                i32::from(cell.y) + sign * line.dy,
            );
            for other in surfaces.column(x, y).map(SurfaceId) {
                if self.is_known(other, lack) || !footing.is_standable(other) {
                    continue;
                }
                let there = &surfaces.cells()[other.index()];
                let (from, to) = match self.side {
                    Side::Goal => (there, cell),
                    Side::Reached => (cell, there),
                };
                let (excess, met) = self.explainer.between(from, to, line);
                let lack = lack.and(excess);
                if !self.is_known(other, lack) {
                    let trouble = Some((excess, met.unwrap_or(Met::BORDER)));
                    self.offer(other, lack, Phase::Moves, Some(id), trouble);
                }
            }
        }
    }

    /// The worst step on the path between where the flood began and a cell; among equals the one
    /// that comes first on the way to the goal.
    fn worst_before(&self, end: SurfaceId) -> WhyNot {
        let surfaces = &self.explainer.voxels.surfaces;
        let mut at = end;
        let mut worst: Option<(f64, Met, [SurfaceId; 2])> = None;
        while let Some((link, back)) = self.link(at).and_then(|link| Some((link, link.back?))) {
            if let Some((excess, met)) = link.trouble {
                let (step, is_worse) = match self.side {
                    Side::Goal => ([at, back], worst.is_none_or(|(known, ..)| excess > known)),
                    Side::Reached => ([back, at], worst.is_none_or(|(known, ..)| excess >= known)),
                };
                if is_worse {
                    worst = Some((excess, met, step));
                }
            }
            at = back;
        }
        let worst = worst.map(|(_, met, step)| (met.named(self.explainer), step));
        match worst {
            Some((obstacle, [from, to])) if obstacle != Obstacle::Border => WhyNot {
                obstacle,
                at: surfaces.point(to),
                from: Some(surfaces.point(from)),
            },
            // Every step is possible, but too close to walls.
            _ => WhyNot {
                obstacle: Obstacle::Border,
                at: surfaces.point(self.goal),
                from: None,
            },
        }
    }
}

/// Lines along which impossible steps are tried: in 16 directions, or 4 for bodies that do not step
/// diagonally.
fn lines(footing: &Footing) -> Vec<Line> {
    let body = &footing.body;
    let span = body.reach + LOOK;
    let is_tried = |dx: i32, dy: i32| {
        let (long, short) = (dx.abs().max(dy.abs()), dx.abs().min(dy.abs()));
        let is_straight = short == 0;
        match body.conduct.neighbours {
            Neighbours::Four => is_straight,
            Neighbours::Eight => is_straight || short == long || 2 * short == long,
        }
    };
    let all = (-span..=span).flat_map(|dy| (-span..=span).map(move |dx| (dx, dy)));
    all.filter(|(dx, dy)| (*dx, *dy) != (0, 0) && is_tried(*dx, *dy))
        .map(|(dx, dy)| Line::new(body, dx, dy))
        .collect()
}

impl Explainer<'_> {
    /// Why a cell cannot be reached from those that a search has reached.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn reaching(
        &self,
        goal: SurfaceId,
        search: Exhausted<'_>,
        ctx: &JobContext,
    ) -> Result<Explained, Cancelled> {
        let most = search.looks.max(LEAST_LOOKS);
        let told = |why, looks| Ok(Explained { why, looks, most });
        if let Some(why) = self.standing(goal) {
            return told(Ok(why), 0);
        }
        let mut is_reached = vec![false; self.voxels.surfaces.len()];
        for id in search.reached {
            is_reached[id.index()] = true;
        }
        if is_reached.get(goal.index()) != Some(&false) {
            return told(Err(Unexplained::NotConnected), 0);
        }
        let lines = lines(self.footing);
        let known = (search.reached, &*is_reached);
        let mut from_goal = Flood::begin(self, &lines, Side::Goal, goal, known);
        let mut from_reached = Flood::begin(self, &lines, Side::Reached, goal, known);
        let mut looks = 0;
        let mut exhausted = [false; 2];
        while exhausted != [true; 2] {
            let before = looks;
            for side in [Side::Goal, Side::Reached] {
                if exhausted[side as usize] {
                    continue;
                }
                let most = most.min(looks + TURN);
                let (turn, flood) = match side {
                    Side::Goal => {
                        let is_met = |id: SurfaceId| is_reached[id.index()];
                        (from_goal.run(most, &mut looks, is_met, ctx)?, &from_goal)
                    }
                    Side::Reached => {
                        let is_met = |id| from_goal.is_connected(id);
                        (
                            from_reached.run(most, &mut looks, is_met, ctx)?,
                            &from_reached,
                        )
                    }
                };
                match turn {
                    Turn::Met(at) => return told(Ok(flood.worst_before(at)), looks),
                    Turn::Exhausted => exhausted[side as usize] = true,
                    Turn::Over => {}
                }
            }
            if looks == before && exhausted != [true; 2] {
                return told(Err(Unexplained::TooFar), looks);
            }
        }
        told(Err(Unexplained::NotConnected), looks)
    }
}
