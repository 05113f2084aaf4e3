//! What differs between two drawings: edges that went, edges that came, and where.

use super::arrangement::{Segment, key, ordered};
use super::build::for_edges_within;
use super::input::TerrainInput;
use super::mesh::snapped;
use crate::geometry::{Polygon, Rect};

/// Beyond the edges themselves, what rounding may move. Unit: lattice steps.
const MARGIN: f64 = 2.0;

/// On the lattice, in lattice steps.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Change {
    pub removed: Vec<Segment>,
    pub added: Vec<Segment>,
    /// Everything outside of these is as it was.
    pub scopes: Vec<Rect>,
    /// Whether obstacles are among what differs.
    pub moves_walls: bool,
}

impl Change {
    /// `None` where all is different: other bounds, or other numbers for the terrain types.
    pub fn between(before: &TerrainInput, after: &TerrainInput) -> Option<Self> {
        let same_kinds = before.kinds.len() == after.kinds.len()
            && (before.kinds.iter().zip(&after.kinds)).all(|(a, b)| a.id == b.id);
        if before.bounds != after.bounds || !same_kinds {
            return None;
        }
        let mut change = Self::default();
        for (old, new) in differing(&before.obstacles, &after.obstacles) {
            change.replace(old, new, after.bounds);
        }
        change.moves_walls = !change.scopes.is_empty();
        for (old, new) in differing(&before.patches, &after.patches) {
            let [old_area, new_area] = [old, new].map(|patch| patch.map(|patch| &patch.area));
            if old.zip(new).is_some_and(|(old, new)| old.kind == new.kind) {
                change.replace(old_area, new_area, after.bounds);
            } else {
                change.replace(old_area, None, after.bounds);
                change.replace(None, new_area, after.bounds);
            }
        }
        let inner = Rect::new(snapped(after.bounds.min), snapped(after.bounds.max));
        for scope in &mut change.scopes {
            *scope = Rect::new(inner.clamp(scope.min), inner.clamp(scope.max));
        }
        Some(change)
    }

    /// One area in place of another. By the even–odd rule, only what lies between edges that are
    /// not of both is of another kind.
    fn replace(&mut self, old: Option<&Polygon>, new: Option<&Polygon>, bounds: Rect) {
        let edges = |area: Option<&Polygon>| {
            let mut edges = Vec::new();
            if let Some(area) = area {
                for_edges_within(area, bounds, |edge| edges.extend(ordered(edge)));
            }
            edges.sort_unstable_by_key(|edge| edge.map(key));
            edges
        };
        let (old, new) = (edges(old), edges(new));
        let (removed, added) = (without(&old, &new), without(&new, &old));
        let scope = Rect::of_points(removed.iter().chain(&added).flatten());
        if !scope.is_empty() {
            self.scopes.push(scope.expanded(MARGIN));
        }
        self.removed.extend(removed);
        self.added.extend(added);
    }
}

/// What is in one sorted list and not in another; equal entries count each.
fn without(edges: &[Segment], others: &[Segment]) -> Vec<Segment> {
    let mut others = others.iter().peekable();
    let mut left = Vec::new();
    for edge in edges {
        let at = edge.map(key);
        while others.next_if(|other| other.map(key) < at).is_some() {}
        if others.next_if(|other| other.map(key) == at).is_none() {
            left.push(*edge);
        }
    }
    left
}

/// Entries of two lists that are not the same: place by place where both are as long, else all
/// between what they have in common at their beginning and at their end.
fn differing<'a, T: PartialEq>(
    before: &'a [T],
    after: &'a [T],
) -> Vec<(Option<&'a T>, Option<&'a T>)> {
    if before.len() == after.len() {
        let pairs = before.iter().zip(after).filter(|(a, b)| a != b);
        return pairs.map(|(a, b)| (Some(a), Some(b))).collect();
    }
    let first = before.iter().zip(after).take_while(|(a, b)| a == b).count();
    let (before, after) = (&before[first..], &after[first..]);
    let ends = before.iter().rev().zip(after.iter().rev());
    let last = ends.take_while(|(a, b)| a == b).count();
    let gone = before[..before.len() - last].iter();
    let come = after[..after.len() - last].iter();
    gone.map(|old| (Some(old), None))
        .chain(come.map(|new| (None, Some(new))))
        .collect()
}
