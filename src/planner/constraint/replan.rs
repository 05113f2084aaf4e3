//! What a change of the world cost: the record that the window lists.

use crate::geometry::Rect;

/// One plan or repair of a session.
#[derive(Clone, Debug, PartialEq)]
pub struct Replan {
    /// What changed, in words; empty for the first plan.
    pub what: Vec<String>,
    pub kind: ReplanKind,
    /// Where the field changed; `None` if it did not, or everywhere.
    pub area: Option<Rect>,
    /// States whose costs changed and that the search knew.
    pub touched: usize,
    /// Expansions of this plan, and of the last one from scratch.
    pub expanded: usize,
    pub expanded_from_scratch: usize,
    /// Cost of the path after it; infinite if there is none.
    pub cost: f64,
    /// Unit: microseconds.
    pub micros: f64,
    /// How the cost fell over the expansions: expansions, bound, cost.
    pub steps: Vec<(usize, f64, f64)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplanKind {
    FromScratch,
    Repaired,
}

impl Replan {
    /// Nothing is known yet.
    pub(super) const fn from_scratch() -> Self {
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
