//! Candidates on the visible part of the route, and the choice among them.

use super::ground::{Eye, Ground};
use super::route::IndicativeRoute;
use crate::nav::terrain::Stop;
use crate::planner::trace::Candidate;
use glam::DVec2;

/// Weights that differ by less count as equal: along a straight route over one terrain they differ
/// by rounding only.
const TIE: f64 = 1e-9;

/// A character this close to its reference point is at it. Unit: metres.
const AT_REFERENCE: f64 = 1e-6;

/// Walls followed when locating the end of a visible interval, before falling back to bisection.
const MAX_WALLS: usize = 16;

/// Subdivisions of the sample distance that are tried when no sample is visible.
const FINE: f64 = 16.0;

/// The attraction point on the route.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chosen {
    /// Unit: metres along the route.
    pub along: f64,
    pub at: DVec2,
    /// ω. Infinite for the reference point itself, which is chosen only if nothing else is visible.
    pub weight: f64,
}

impl Chosen {
    const fn of(candidate: Candidate) -> Self {
        let Candidate { at, along, weight } = candidate;
        Self { along, at, weight }
    }
}

/// A rule that picks the attraction point on a route.
pub trait Leader {
    /// The attraction point for a character at `eye` beside `reference`; `last` is the previous
    /// one. `None` if no point of the route can be walked to.
    fn lead<G: Ground>(
        &mut self,
        ground: &G,
        route: &IndicativeRoute,
        eye: &Eye,
        reference: f64,
        last: f64,
    ) -> Option<Chosen>;
}

/// A potential candidate.
#[derive(Clone, Copy, Debug)]
struct Node {
    along: f64,
    at: DVec2,
    /// Whether it is visible, once tested.
    sight: Option<Result<(), Stop>>,
    /// ω, if it is visible and within the limit.
    weight: Option<f64>,
}

impl Node {
    const fn new((along, at): (f64, DVec2)) -> Self {
        Self {
            along,
            at,
            sight: None,
            weight: None,
        }
    }
}

/// MIRAN's choice (paper, §3.2 and §3.3), with memory kept from step to step.
#[derive(Clone, Debug, Default)]
pub struct Chooser {
    nodes: Vec<Node>,
    memory: Memory,
    /// Counts candidates from where each visible interval begins, and weighs all of them.
    pub as_printed: bool,
    /// Steps since this was set to 0, and candidates weighed in them; counted as printed only.
    pub steps: usize,
    pub weighed: usize,
}

/// Number of route samples for which an occluding wall is remembered; two per sample distance.
const REMEMBERED: usize = 128;

/// Walls that hid points of the route. Most still do a step later, which is quick to test. Stale
/// entries do no harm: each wall is tested before it counts.
#[derive(Clone, Debug, Default)]
struct Memory {
    hidden_by: Vec<Option<Stop>>,
}

impl Memory {
    /// The slot of a point on the route. Shared with its neighbours and with points far along the
    /// route.
    fn near(&mut self, along: f64, sample_step: f64) -> &mut Option<Stop> {
        self.hidden_by.resize(REMEMBERED, None);
        // The values fit the casts.
        &mut self.hidden_by[(2.0 * along / sample_step) as usize % REMEMBERED]
    }
}

/// The end of the look-ahead: never more than σ, not even by rounding.
fn farthest(route: &IndicativeRoute, reference: f64) -> f64 {
    let end = reference + route.look_ahead();
    let end = if end - reference > route.look_ahead() {
        end.next_down()
    } else {
        end
    };
    end.min(route.length())
}

/// The input of one step.
struct View<'a, G> {
    ground: &'a G,
    route: &'a IndicativeRoute,
    eye: &'a Eye,
    reference: f64,
}

impl<G: Ground> View<'_, G> {
    /// ω for a cost. At the reference point itself the paper divides by 0.
    fn weight(&self, cost: f64, along: f64) -> f64 {
        let beyond = along - self.reference;
        if beyond > 0.0 {
            cost / beyond
        } else {
            f64::INFINITY
        }
    }

    /// Lower bound on the weight between two points of the route, from their distances: the
    /// distance to the eye changes by no more than the length along the route.
    fn least_between(&self, least: f64, near: (f64, f64), far: (f64, f64)) -> f64 {
        let ([a, to_a], [b, to_b]) = ([near.0, near.1], [far.0, far.1]);
        let nearest = 0.5 * (to_a + to_b - (b - a));
        let at = 0.5 * (to_a - to_b + a + b);
        if nearest <= 0.0 || at <= self.reference {
            return 0.0;
        }
        let inner = self.weight(least * nearest, at);
        inner.min(self.weight(least * to_b, b))
    }

    /// Error bound of a weight.
    fn blur(&self, along: f64) -> f64 {
        let blur = self.ground.blur();
        if blur > 0.0 && along > self.reference {
            self.weight(blur, along)
        } else {
            0.0
        }
    }

    /// Whether a point is visible; records the wall that hides it.
    fn look(&self, node: &mut Node, memory: &mut Memory) -> bool {
        node.sight
            .get_or_insert_with(|| self.look_at(node.along, node.at, memory))
            .is_ok()
    }

    fn look_at(&self, along: f64, at: DVec2, memory: &mut Memory) -> Result<(), Stop> {
        let known = memory.near(along, self.route.sample_step());
        if let Some(stop) = known.filter(|stop| self.ground.still_hides(self.eye, at, stop)) {
            return Err(stop);
        }
        let sight = self.ground.look(self.eye, at);
        *known = sight.err();
        sight
    }

    /// ω of a visible point, unless it exceeds the limit.
    fn weigh(&self, along: f64, at: DVec2, limit: f64) -> Option<f64> {
        let beyond = along - self.reference;
        if beyond > 0.0 {
            let cost = self.ground.cost_within(self.eye, at, limit * beyond)?;
            Some(cost / beyond)
        } else {
            (limit == f64::INFINITY).then_some(f64::INFINITY)
        }
    }

    /// The last visible point between a visible and a hidden one.
    ///
    /// The shadow over the hidden point ends at a line past one end of its wall. Just outside that
    /// shadow, either the route is visible or another wall hides it, whose shadow is left next.
    fn border(&self, seen: f64, hidden: f64, stop: Stop, memory: &mut Memory) -> f64 {
        let step = self.ground.resolution();
        let (mut seen, mut hidden, mut stop) = (seen, hidden, stop);
        let towards = self.route.point_at(seen).unwrap_or(self.eye.at);
        for round in 0.. {
            if (seen - hidden).abs() <= step {
                break;
            }
            let left = (round < MAX_WALLS)
                .then(|| {
                    self.leaves_shadow(seen, hidden, &self.ground.shadow(self.eye, &stop, towards))
                })
                .flatten()
                .map(|along| along + (seen - hidden).signum() * 0.5 * step);
            let between = |along: &f64| (along - seen) * (along - hidden) < 0.0;
            let follows_wall = left.filter(between);
            let at = follows_wall.unwrap_or(0.5 * (seen + hidden));
            let Some(place) = self.route.point_at(at) else {
                break;
            };
            match self.look_at(at, place, memory) {
                Ok(()) => {
                    seen = at;
                    if follows_wall.is_some() {
                        break;
                    }
                }
                Err(next) => (hidden, stop) = (at, next),
            }
        }
        seen
    }

    /// The end of a visible interval between two neighbouring points, one visible and one hidden,
    /// unless its weight exceeds the limit.
    fn border_between(
        &self,
        near: &Node,
        far: &Node,
        limit: f64,
        memory: &mut Memory,
    ) -> Option<Candidate> {
        let (seen, hidden, stop) = match (near.sight?, far.sight?) {
            (Ok(()), Err(stop)) => (near.along, far.along, stop),
            (Err(stop), Ok(())) => (far.along, near.along, stop),
            _ => return None,
        };
        let along = self.border(seen, hidden, stop, memory);
        if along == seen {
            return None;
        }
        let at = self.route.point_at(along)?;
        let weight = self.weigh(along, at, limit)?;
        Some(Candidate { at, along, weight })
    }

    /// Where the route, from a hidden point towards a visible one, first leaves the wedge between
    /// the eye and the ends of a wall.
    fn leaves_shadow(&self, seen: f64, hidden: f64, wall: &[DVec2; 2]) -> Option<f64> {
        if wall[0] == wall[1] {
            return None;
        }
        let eye = self.eye.at;
        let rims = wall.map(|corner| corner - eye);
        let per_metre = rims.map(|rim| 1.0 / rim.length());
        self.route.first_meeting(hidden, seen, |ends| {
            let [from, to] = ends.map(|end| end - eye);
            let (mut first, mut away) = (None::<f64>, f64::INFINITY);
            for (rim, per_metre) in rims.iter().zip(per_metre) {
                let [p, q] = [rim.perp_dot(from), rim.perp_dot(to)];
                let share = p / (p - q);
                if p * q <= 0.0 && share > 1e-12 && share <= 1.0 {
                    first = Some(first.map_or(share, |first| first.min(share)));
                }
                away = away.min(q.abs() * per_metre);
            }
            first.ok_or(away)
        })
    }
}

impl Chooser {
    /// All potential candidates in order along the route: the reference point, samples every d, the
    /// last attraction point, and the end of the look-ahead.
    fn gather<G: Ground>(&mut self, view: &View<'_, G>, last: f64) {
        let (route, reference) = (view.route, view.reference);
        let end = farthest(route, reference);
        let place = |along: f64| route.point_at(along).map(|at| (along, at));
        self.nodes.clear();
        self.nodes.extend(place(reference).map(Node::new));
        let samples = route.samples_between(reference, end);
        self.nodes
            .extend(samples.map(|index| Node::new(route.sample_place(index))));
        if end > reference {
            self.nodes.extend(place(end).map(Node::new));
        }
        let after = self.nodes.partition_point(|node| node.along < last);
        let neighbours = &self.nodes[after.saturating_sub(1)..self.nodes.len().min(after + 1)];
        let is_new = |node: &Node| (node.along - last).abs() > AT_REFERENCE;
        if last > reference && last < end && neighbours.iter().all(is_new) {
            let last = place(last).map(Node::new);
            self.nodes.splice(after..after, last);
        }
    }

    /// Every candidate with its weight, in order along the route, for overlays. The choice itself
    /// skips candidates that cannot win.
    pub fn candidates<G: Ground>(
        &mut self,
        ground: &G,
        route: &IndicativeRoute,
        eye: &Eye,
        reference: f64,
        last: f64,
        out: &mut Vec<Candidate>,
    ) {
        let view = View {
            ground,
            route,
            eye,
            reference,
        };
        self.gather(&view, last);
        for i in 0..self.nodes.len() {
            let (before, rest) = self.nodes.split_at_mut(i);
            let (before, node) = (before.last(), &mut rest[0]);
            let memory = &mut self.memory;
            let is_seen = view.look(node, memory);
            if let Some(before) = before
                && let Some(border) = view.border_between(before, node, f64::INFINITY, memory)
            {
                out.push(border);
            }
            let is_here = i == 0 && node.at.distance(eye.at) <= AT_REFERENCE;
            if is_seen
                && !is_here
                && let Some(weight) = view.weigh(node.along, node.at, f64::INFINITY)
            {
                out.push(Candidate {
                    at: node.at,
                    along: node.along,
                    weight,
                });
            }
        }
    }

    /// Weighs potential candidates; the chosen one weighs no more than the lightest. The last
    /// attraction point is tested early because it is hard to beat.
    fn ceiling_of_all<G: Ground>(&mut self, view: &View<'_, G>, least: f64, last: f64) -> f64 {
        let mut ceiling = self.ceiling(view, last);
        let mut limit = ceiling;
        for i in (0..self.nodes.len()).rev() {
            let node = &mut self.nodes[i];
            let distance = node.at.distance(view.eye.at);
            let is_here = i == 0 && distance <= AT_REFERENCE;
            if is_here || view.weight(least * distance, node.along) > limit {
                continue;
            }
            let allowed = limit - view.blur(node.along);
            let weight = match node.weight {
                Some(weight) => (weight <= allowed).then_some(weight),
                None => view.weigh(node.along, node.at, allowed),
            };
            let Some(weight) = weight.filter(|_| view.look(node, &mut self.memory)) else {
                continue;
            };
            node.weight = Some(weight);
            let blur = view.blur(node.along);
            ceiling = ceiling.min(weight * (1.0 + TIE) + 3.0 * blur);
            // Ties go to the farthest: nearer ones must be lighter.
            limit = weight * (1.0 - TIE) - blur;
        }
        ceiling
    }

    /// The weight of the last attraction point, if visible: an upper bound for the choice.
    fn ceiling<G: Ground>(&mut self, view: &View<'_, G>, last: f64) -> f64 {
        let index = self
            .nodes
            .partition_point(|node| node.along < last - AT_REFERENCE);
        let Some(node) = self.nodes.get_mut(index) else {
            return f64::INFINITY;
        };
        if (node.along - last).abs() > AT_REFERENCE || !view.look(node, &mut self.memory) {
            return f64::INFINITY;
        }
        let weight = view.weigh(node.along, node.at, f64::INFINITY);
        node.weight = weight.filter(|weight| weight.is_finite());
        weight.map_or(f64::INFINITY, |weight| {
            weight * (1.0 + TIE) + 2.0 * view.blur(last)
        })
    }

    /// The lightest candidate; ties go to the farthest. Equals the first minimum among
    /// [`Self::candidates`], but skips points that cannot beat the best known one.
    fn choose<G: Ground>(&mut self, view: &View<'_, G>, last: f64) -> Option<Chosen> {
        let least = view.ground.least_weight();
        let eye = view.eye.at;
        let ceiling = self.ceiling_of_all(view, least, last);
        let mut best: Option<Chosen> = None;
        let mut limit = ceiling;
        // Distance from the eye to the previous point, which is farther along.
        let mut far_distance = f64::INFINITY;
        for i in (0..self.nodes.len()).rev() {
            let (low, high) = self.nodes.split_at_mut(i + 1);
            let node = &mut low[i];
            let distance = node.at.distance(eye);
            if let Some(far) = high.first_mut() {
                let ends = [(node.along, distance), (far.along, far_distance)];
                if view.least_between(least, ends[0], ends[1]) <= limit {
                    let memory = &mut self.memory;
                    view.look(node, memory);
                    view.look(far, memory);
                    let allowed = limit - view.blur(far.along);
                    if let Some(border) = view.border_between(node, far, allowed, memory) {
                        best = Some(Chosen::of(border));
                        limit = border.weight * (1.0 - TIE) - view.blur(border.along);
                    }
                }
            }
            far_distance = distance;
            let allowed = limit - view.blur(node.along);
            if let Some(weight) = node.weight.filter(|weight| *weight <= allowed) {
                best = Some(Chosen {
                    along: node.along,
                    at: node.at,
                    weight,
                });
                limit = weight * (1.0 - TIE) - view.blur(node.along);
            }
        }
        best
    }
}

impl Chooser {
    /// The lightest of all candidates, ties to the farthest: ends of visible intervals, and points
    /// every d from the beginning of each (§3.2, §3.3).
    fn choose_as_printed<G: Ground>(&mut self, view: &View<'_, G>) -> Option<Chosen> {
        let step = view.route.sample_step();
        let mut best: Option<Chosen> = None;
        self.steps += 1;
        let intervals = self.visible_intervals(view);
        for [from, to] in intervals {
            let count = ((to - from) / step).ceil().max(0.0) as usize;
            let inner = (0..count).map(|i| from + i as f64 * step);
            for along in inner.chain([to]) {
                let Some(at) = view.route.point_at(along) else {
                    continue;
                };
                let is_reference = along - view.reference <= AT_REFERENCE;
                if is_reference && at.distance(view.eye.at) <= AT_REFERENCE {
                    continue;
                }
                self.weighed += 1;
                let Some(weight) = view.weigh(along, at, f64::INFINITY) else {
                    continue;
                };
                if best.is_none_or(|best| weight <= best.weight * (1.0 + TIE)) {
                    best = Some(Chosen { along, at, weight });
                }
            }
        }
        best
    }

    /// The parts of the route within the look-ahead that are visible, as lengths along it.
    fn visible_intervals<G: Ground>(&mut self, view: &View<'_, G>) -> Vec<[f64; 2]> {
        let mut intervals: Vec<[f64; 2]> = Vec::new();
        let mut is_open = false;
        for i in 0..self.nodes.len() {
            let (before, rest) = self.nodes.split_at_mut(i);
            let node = &mut rest[0];
            let memory = &mut self.memory;
            let is_seen = view.look(node, memory);
            let border = before.last().and_then(|before| {
                let border = match (before.sight?, node.sight?) {
                    (Ok(()), Err(stop)) => view.border(before.along, node.along, stop, memory),
                    (Err(stop), Ok(())) => view.border(node.along, before.along, stop, memory),
                    _ => return None,
                };
                Some(border)
            });
            match (is_open, is_seen, intervals.last_mut()) {
                (true, true, Some(last)) => last[1] = node.along,
                (true, false, Some(last)) => last[1] = border.unwrap_or(last[1]),
                (false, true, _) => {
                    let from = border.unwrap_or(node.along);
                    intervals.push([from, node.along]);
                }
                _ => {}
            }
            is_open = is_seen;
        }
        intervals
    }
}

impl Leader for Chooser {
    fn lead<G: Ground>(
        &mut self,
        ground: &G,
        route: &IndicativeRoute,
        eye: &Eye,
        reference: f64,
        last: f64,
    ) -> Option<Chosen> {
        let view = View {
            ground,
            route,
            eye,
            reference,
        };
        self.gather(&view, last);
        let chosen = if self.as_printed {
            self.choose_as_printed(&view)
        } else {
            self.choose(&view, last)
        };
        if chosen.is_some() {
            return chosen;
        }
        // No sample is visible, but points between samples may be.
        let end = farthest(route, reference);
        let step = (route.sample_step() / FINE).max((end - reference) / 4096.0);
        let count = ((end - reference) / step).ceil().max(0.0) as usize;
        self.nodes.clear();
        self.nodes.extend((0..=count).filter_map(|i| {
            let along = (reference + i as f64 * step).min(end);
            Some(Node::new((along, route.point_at(along)?)))
        }));
        self.choose(&view, f64::NEG_INFINITY)
    }
}
