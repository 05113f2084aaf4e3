//! The domain of triangles as a graph with costs.

use super::graph::Graph;
use crate::nav::constraint::{Field, Triangles};
use glam::DVec3;
use std::collections::HashMap;
use std::sync::Arc;

/// The triangles with their costs.
#[derive(Clone, Debug)]
pub struct TriangleGraph {
    pub triangles: Arc<Triangles>,
    field: Arc<Field>,
    /// Parts of a transition are a quarter of this at most. Unit: metres.
    step: f64,
    known: HashMap<[u32; 2], f64>,
}

impl TriangleGraph {
    #[must_use]
    pub fn new(triangles: Arc<Triangles>, field: Arc<Field>, step: f64) -> Self {
        Self {
            triangles,
            field,
            step,
            known: HashMap::new(),
        }
    }

    /// Parts of lines are a quarter of this. Unit: metres.
    #[must_use]
    pub const fn spacing(&self) -> f64 {
        self.step
    }

    #[must_use]
    pub const fn field(&self) -> &Arc<Field> {
        &self.field
    }

    /// Other weights for these regions. Midpoints whose transitions have other costs.
    pub fn reweigh(&mut self, field: &Arc<Field>) -> Vec<u32> {
        self.field = Arc::clone(field);
        let before = std::mem::take(&mut self.known);
        let mut changed = Vec::new();
        for (ends, cost) in before {
            if self.cost(ends) != cost {
                changed.extend(ends);
            }
        }
        changed.sort_unstable();
        changed.dedup();
        changed
    }

    fn cost(&mut self, [a, b]: [u32; 2]) -> f64 {
        let ends = [a.min(b), a.max(b)];
        let Self {
            triangles,
            field,
            step,
            known,
        } = self;
        *known.entry(ends).or_insert_with(|| {
            let [a, b] = ends.map(|end| triangles.points[end as usize].extend(0.0));
            field.cost(a, b, *step)
        })
    }

    pub fn bytes(&self) -> usize {
        self.known.len() * 24
    }

    fn visit(&mut self, node: u32, mut visit: impl FnMut(u32, f64)) {
        let triangles = Arc::clone(&self.triangles);
        for other in triangles.beside(node) {
            let cost = self.cost([node, other]);
            if cost.is_finite() {
                visit(other, cost);
            }
        }
    }
}

impl Graph for TriangleGraph {
    fn len(&self) -> usize {
        self.triangles.points.len()
    }

    fn point(&self, node: u32) -> DVec3 {
        self.triangles.points[node as usize].extend(0.0)
    }

    fn step(&self) -> f64 {
        self.step
    }

    fn successors(&mut self, node: u32, visit: impl FnMut(u32, f64)) {
        self.visit(node, visit);
    }

    fn predecessors(&mut self, node: u32, visit: impl FnMut(u32, f64)) {
        self.visit(node, visit);
    }
}
