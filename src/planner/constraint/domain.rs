//! The domains between a start and a goal: a graph that searches work on.

use super::graph::Graph;
use super::highway_costs::HighwayCosts;
use super::runs::{Density, Runs};
use super::step_costs::StepCosts;
use super::triangle_graph::TriangleGraph;
use crate::nav::constraint::field::FieldChange;
use crate::nav::constraint::{Field, Highways, Lattice, Triangles};
use glam::DVec3;
use std::sync::Arc;

/// What a domain is built on: derived from free space alone.
#[derive(Clone, Debug)]
pub enum Ground {
    Dense(Arc<Lattice>),
    Hybrid(Arc<Lattice>, Arc<Highways>),
    Adaptive(Arc<Lattice>, Density),
    /// With the regions that were drawn into it.
    Triangles(Arc<Triangles>, f64),
}

#[derive(Clone, Debug)]
enum Inner {
    Dense(StepCosts),
    Hybrid(StepCosts, HighwayCosts),
    Adaptive(StepCosts, Density),
    Triangles(TriangleGraph),
}

/// A graph with a start and a goal, which are nodes of their own.
#[derive(Clone, Debug)]
pub struct Domain {
    inner: Inner,
    start: DVec3,
    goal: DVec3,
    goal_place: Option<[i32; 2]>,
    from_start: Vec<(u32, f64)>,
    to_goal: Vec<(u32, f64)>,
    /// From the start straight to the goal.
    direct: Option<f64>,
}

/// What an update of a domain changed.
#[derive(Clone, Debug, PartialEq)]
pub enum Changed {
    /// Transitions from these nodes may have other costs. The start's may have, always.
    From(Vec<u32>),
    Everything,
}

impl Domain {
    #[must_use]
    pub fn new(ground: &Ground, field: &Arc<Field>, start: DVec3, goal: DVec3) -> Self {
        let costs = |lattice: &Arc<Lattice>| StepCosts::new(Arc::clone(lattice), Arc::clone(field));
        let inner = match ground {
            Ground::Dense(lattice) => Inner::Dense(costs(lattice)),
            Ground::Hybrid(lattice, highways) => {
                Inner::Hybrid(costs(lattice), HighwayCosts::new(Arc::clone(highways)))
            }
            Ground::Adaptive(lattice, density) => Inner::Adaptive(costs(lattice), *density),
            Ground::Triangles(triangles, step) => {
                let (triangles, field) = (Arc::clone(triangles), Arc::clone(field));
                Inner::Triangles(TriangleGraph::new(triangles, field, *step))
            }
        };
        let mut domain = Self {
            inner,
            start,
            goal,
            goal_place: None,
            from_start: Vec::new(),
            to_goal: Vec::new(),
            direct: None,
        };
        domain.link_goal();
        domain.link_start();
        domain
    }

    /// The node of the start.
    #[must_use]
    pub fn start(&self) -> u32 {
        self.size() as u32
    }

    /// The node of the goal.
    #[must_use]
    pub fn goal(&self) -> u32 {
        self.size() as u32 + 1
    }

    fn size(&self) -> usize {
        match &self.inner {
            Inner::Dense(costs) | Inner::Hybrid(costs, _) | Inner::Adaptive(costs, _) => {
                costs.lattice().len()
            }
            Inner::Triangles(graph) => graph.len(),
        }
    }

    #[must_use]
    pub const fn field(&self) -> &Arc<Field> {
        match &self.inner {
            Inner::Dense(costs) | Inner::Hybrid(costs, _) | Inner::Adaptive(costs, _) => {
                costs.field()
            }
            Inner::Triangles(graph) => graph.field(),
        }
    }

    /// Costs of the steps of the lattice, if there is one.
    #[must_use]
    pub const fn steps(&mut self) -> Option<&mut StepCosts> {
        match &mut self.inner {
            Inner::Dense(costs) | Inner::Hybrid(costs, _) | Inner::Adaptive(costs, _) => {
                Some(costs)
            }
            Inner::Triangles(_) => None,
        }
    }

    /// Whether start and goal have transitions: where one has none, it is not on the domain.
    #[must_use]
    pub fn is_linked(&self) -> [bool; 2] {
        let direct = self.direct.is_some();
        [
            direct || !self.from_start.is_empty(),
            direct || !self.to_goal.is_empty(),
        ]
    }

    /// States next to a place, with the costs of the straight lines there.
    fn links(&self, p: DVec3) -> Vec<(u32, f64)> {
        match &self.inner {
            Inner::Dense(costs) | Inner::Hybrid(costs, _) | Inner::Adaptive(costs, _) => {
                let lattice = costs.lattice();
                let around = lattice.around(p).into_iter();
                let cost = |state| {
                    self.field()
                        .cost(p, lattice.point(state), lattice.spacing())
                };
                around
                    .map(|(state, _)| (state, cost(state)))
                    .filter(|(_, cost)| cost.is_finite())
                    .collect()
            }
            Inner::Triangles(graph) => {
                let Some(triangle) = graph.triangles.locate(p.truncate()) else {
                    return Vec::new();
                };
                let nodes = graph.triangles.triangles[triangle as usize];
                let cost = |node| {
                    self.field()
                        .cost(flat(p), graph.point(node), self.spacing())
                };
                nodes
                    .into_iter()
                    .map(|node| (node, cost(node)))
                    .filter(|(_, cost)| cost.is_finite())
                    .collect()
            }
        }
    }

    /// Parts of lines are a quarter of this. Unit: metres.
    fn spacing(&self) -> f64 {
        match &self.inner {
            Inner::Dense(costs) | Inner::Hybrid(costs, _) | Inner::Adaptive(costs, _) => {
                costs.lattice().spacing()
            }
            Inner::Triangles(graph) => graph.spacing(),
        }
    }

    fn link_goal(&mut self) {
        self.to_goal = self.links(self.goal);
        self.goal_place = match (&self.inner, self.to_goal.first()) {
            (Inner::Adaptive(costs, _), Some((state, _))) => Some(costs.lattice().place(*state)),
            _ => None,
        };
    }

    fn link_start(&mut self) {
        let mut links = self.links(self.start);
        let goal = self.goal_place;
        if let Inner::Adaptive(costs, density) = &mut self.inner {
            // The states next to the start need not be nodes of the graph; where their runs end is.
            let runs = Runs {
                density: *density,
                goal,
            };
            let mut ends = Vec::new();
            for (state, link) in &links {
                runs.successors(costs, *state, |to, cost| ends.push((to, link + cost)));
            }
            // A search from the goal keeps no others current.
            let to_goal = &self.to_goal;
            links.retain(|(state, _)| {
                runs.may_end(costs, *state) || to_goal.iter().any(|(other, _)| other == state)
            });
            links.extend(ends);
        }
        self.from_start = links;
        let (a, b) = (self.start, self.goal);
        let is_near = match &self.inner {
            Inner::Dense(costs) | Inner::Hybrid(costs, _) | Inner::Adaptive(costs, _) => {
                let lattice = costs.lattice();
                a.distance(b) <= 2.0 * lattice.spacing() && lattice.is_free(a, b)
            }
            Inner::Triangles(graph) => {
                let triangle = graph.triangles.locate(a.truncate());
                triangle.is_some() && triangle == graph.triangles.locate(b.truncate())
            }
        };
        let cost = self.field().cost(a, b, self.spacing());
        self.direct = Some(cost).filter(|cost| is_near && cost.is_finite());
    }

    /// Another start, field or ground.
    pub fn update(&mut self, ground: &Ground, field: &Arc<Field>, start: DVec3) -> Changed {
        let changes = match field.change_since(self.field()) {
            FieldChange::Terms(changes) => changes,
            _ => Vec::new(),
        };
        self.start = start;
        let mut states: Vec<u32> = Vec::new();
        let goal = self.goal_place;
        let is_same = match (&mut self.inner, ground) {
            (Inner::Dense(costs), Ground::Dense(lattice)) => {
                let changed = costs.update(lattice, field, 0.0);
                states.extend(changed.by_space);
                states.extend(changed.by_field);
                !changed.is_everything
            }
            (Inner::Hybrid(costs, ways), Ground::Hybrid(lattice, highways)) => {
                let is_kept =
                    Arc::ptr_eq(ways.highways(), highways) || **ways.highways() == **highways;
                let changed = costs.update(lattice, field, 0.0);
                states.extend(changed.by_space);
                states.extend(changed.by_field);
                if is_kept {
                    states.extend(ways.update(&changes, lattice));
                }
                is_kept && !changed.is_everything
            }
            (Inner::Adaptive(costs, density), Ground::Adaptive(lattice, wanted)) => {
                let runs = Runs {
                    density: *density,
                    goal,
                };
                let changed = costs.update(lattice, field, runs.longest(lattice));
                runs.passing(lattice, &changed.by_space, &mut states);
                states.extend(changed.by_field);
                *density == *wanted && !changed.is_everything
            }
            (Inner::Triangles(graph), Ground::Triangles(triangles, _)) => {
                let is_kept =
                    Arc::ptr_eq(&graph.triangles, triangles) || *graph.triangles == **triangles;
                if is_kept && field.base() == graph.field().base() {
                    states.extend(graph.reweigh(field));
                    true
                } else {
                    false
                }
            }
            _ => false,
        };
        if !is_same {
            *self = Self::new(ground, field, start, self.goal);
            return Changed::Everything;
        }
        let (links, place) = (std::mem::take(&mut self.to_goal), self.goal_place);
        self.link_goal();
        self.link_start();
        if place != self.goal_place {
            return Changed::Everything;
        }
        if links != self.to_goal {
            states.extend(links.iter().chain(&self.to_goal).map(|(state, _)| *state));
        }
        states.sort_unstable();
        states.dedup();
        Changed::From(states)
    }

    /// Length of a path's nodes as points, start and goal included.
    #[must_use]
    pub fn points(&self, nodes: &[u32]) -> Vec<DVec3> {
        nodes.iter().map(|node| self.point(*node)).collect()
    }

    /// Bytes that grow with what searches read of it.
    #[must_use]
    pub fn bytes(&self) -> usize {
        match &self.inner {
            Inner::Dense(costs) | Inner::Adaptive(costs, _) => costs.bytes(),
            Inner::Hybrid(costs, ways) => costs.bytes() + ways.bytes(),
            Inner::Triangles(graph) => graph.bytes(),
        }
    }

    /// Visits the transitions from the start and to the goal; true if a node has no others.
    #[inline]
    fn visit_links(&self, node: u32, mut visit: impl FnMut(u32, f64)) -> bool {
        let (start, goal) = (self.start(), self.goal());
        if node < start {
            for (state, cost) in &self.to_goal {
                if *state == node {
                    visit(goal, *cost);
                }
            }
            return false;
        }
        if node == start {
            for (state, cost) in &self.from_start {
                visit(*state, *cost);
            }
            if let Some(cost) = self.direct {
                visit(goal, cost);
            }
        }
        true
    }

    fn visit(&mut self, node: u32, is_forward: bool, mut visit: impl FnMut(u32, f64)) {
        let goal = self.goal_place;
        match &mut self.inner {
            Inner::Dense(costs) => costs.visit(node, None, visit),
            Inner::Hybrid(costs, ways) => {
                costs.visit(node, None, &mut visit);
                let (lattice, field) = (Arc::clone(costs.lattice()), Arc::clone(costs.field()));
                ways.visit(node, &lattice, &field, visit);
            }
            Inner::Adaptive(costs, density) => {
                let runs = Runs {
                    density: *density,
                    goal,
                };
                if is_forward {
                    runs.successors(costs, node, visit);
                } else {
                    runs.predecessors(costs, node, &mut visit);
                    // States next to the goal are nodes, whether runs end on them or not.
                    for (state, _) in &self.to_goal {
                        if *state != node
                            && let Some(cost) = runs.straight(costs, *state, node)
                        {
                            visit(*state, cost);
                        }
                    }
                }
            }
            Inner::Triangles(graph) if is_forward => graph.successors(node, visit),
            Inner::Triangles(graph) => graph.predecessors(node, visit),
        }
    }
}

fn flat(p: DVec3) -> DVec3 {
    p.truncate().extend(0.0)
}

impl Graph for Domain {
    fn len(&self) -> usize {
        self.size() + 2
    }

    #[inline]
    fn point(&self, node: u32) -> DVec3 {
        let size = self.size() as u32;
        match &self.inner {
            _ if node >= size => {
                let end = if node == size { self.start } else { self.goal };
                if matches!(self.inner, Inner::Triangles(_)) {
                    flat(end)
                } else {
                    end
                }
            }
            Inner::Dense(costs) | Inner::Hybrid(costs, _) | Inner::Adaptive(costs, _) => {
                costs.lattice().point(node)
            }
            Inner::Triangles(graph) => graph.point(node),
        }
    }

    fn step(&self) -> f64 {
        self.spacing() * self.field().plain_multiplier()
    }

    #[inline]
    fn successors(&mut self, node: u32, mut visit: impl FnMut(u32, f64)) {
        if !self.visit_links(node, &mut visit) {
            self.visit(node, true, visit);
        }
    }

    #[inline]
    fn successors_after(
        &mut self,
        node: u32,
        before: Option<u32>,
        mut visit: impl FnMut(u32, f64),
    ) {
        if self.visit_links(node, &mut visit) {
            return;
        }
        let before = before.filter(|before| *before < self.start());
        if let Inner::Dense(costs) = &mut self.inner {
            costs.visit(node, before, visit);
        } else {
            self.visit(node, true, visit);
        }
    }

    fn successors_at_least(&mut self, node: u32, mut visit: impl FnMut(u32, f64)) {
        if self.visit_links(node, &mut visit) {
            return;
        }
        let least = self.field().least_multiplier();
        let goal = self.goal_place;
        let lengths = |other: u32, length: f64| visit(other, least * length);
        match &mut self.inner {
            Inner::Dense(costs) => costs.lattice().visit(node, lengths),
            Inner::Hybrid(costs, ways) => {
                let mut lengths = lengths;
                costs.lattice().visit(node, &mut lengths);
                ways.visit_lengths(node, costs.lattice(), lengths);
            }
            Inner::Adaptive(costs, density) => {
                let runs = Runs {
                    density: *density,
                    goal,
                };
                runs.visit_passed(costs.lattice(), node, lengths);
            }
            Inner::Triangles(graph) => graph.successors(node, visit),
        }
    }

    #[inline]
    fn predecessors(&mut self, node: u32, mut visit: impl FnMut(u32, f64)) {
        let (start, goal) = (self.start(), self.goal());
        if node == goal {
            for (state, cost) in &self.to_goal {
                visit(*state, *cost);
            }
            if let Some(cost) = self.direct {
                visit(start, cost);
            }
        } else if node != start {
            for (state, cost) in &self.from_start {
                if *state == node {
                    visit(start, *cost);
                }
            }
            self.visit(node, false, visit);
        }
    }
}
