//! Searches that can be taken step by step: for animation, cancelling and determinism in one.

use super::path::{NoPath, Path};
use glam::DVec2;

/// What became of a search after some steps.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    Running,
    Done(Path),
    NoPath(NoPath),
}

/// How the bare search stands, before its path is dressed with figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    Running,
    Found,
    Exhausted,
}

/// A search under way. Budgets are counted in expansions, never in time: the same question takes
/// the same steps on every machine.
pub trait Search: std::fmt::Debug {
    /// Takes up to `budget` nodes from the open list. After the end, answers the same again.
    fn step(&mut self, budget: usize) -> Step;

    /// What an animation shows now.
    fn view(&self) -> SearchView;

    /// Nodes taken from the open list so far.
    fn expanded(&self) -> usize;
}

/// The state of a search as things to draw.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchView {
    pub nodes: Vec<NodeView>,
    /// Index into `nodes` of the node expanded last.
    pub current: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeView {
    /// Where the node stands now.
    pub point: DVec2,
    /// What it may move on, or the interval that it stands for.
    pub segment: [DVec2; 2],
    /// Index into the view's nodes.
    pub parent: Option<usize>,
    /// Where the link to the parent comes from.
    pub from: DVec2,
    pub is_closed: bool,
    /// Cost so far, and with the estimate of what remains. Unit: metres.
    pub g: f64,
    pub f: f64,
}
