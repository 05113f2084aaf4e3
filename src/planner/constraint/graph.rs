//! What searches need to know of a domain.

use glam::DVec3;

/// A graph whose costs are computed when they are first read. No transition costs less than its
/// straight length, so that the distance to a point is a consistent estimate.
pub trait Graph {
    /// Nodes are below this.
    fn len(&self) -> usize;

    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn point(&self, node: u32) -> DVec3;

    /// What a usual transition costs, more or less: open lists are divided by it.
    fn step(&self) -> f64;

    /// Visits the ends of all transitions from a node with their costs, which are finite.
    fn successors(&mut self, node: u32, visit: impl FnMut(u32, f64));

    /// As [`Self::successors`] of a node that was reached best from another. Those that the other one
    /// leads to at no greater cost may be left out.
    #[inline]
    fn successors_after(&mut self, node: u32, _before: Option<u32>, visit: impl FnMut(u32, f64)) {
        self.successors(node, visit);
    }

    /// Visits where transitions from a node may lead, whatever the field is, with costs that are not
    /// above theirs: what can be said of a node before the field around it is evaluated.
    fn successors_at_least(&mut self, node: u32, visit: impl FnMut(u32, f64)) {
        self.successors(node, visit);
    }

    /// Visits the beginnings of all transitions to a node.
    fn predecessors(&mut self, node: u32, visit: impl FnMut(u32, f64));
}
