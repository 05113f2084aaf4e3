//! Differences between two drawings: removed edges, added edges, and where they are.

use super::arrangement::{Segment, key, ordered};
use super::build::for_edges_within;
use super::input::{Patch, TerrainInput};
use super::mesh::snapped;
use crate::geometry::{Polygon, Rect};
use std::sync::Arc;

/// Margin around the edges for what rounding may move. Unit: lattice steps.
const MARGIN: f64 = 2.0;

/// On the lattice, in lattice steps.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Change {
    pub removed: Vec<Segment>,
    pub added: Vec<Segment>,
    /// Everything outside of these is unchanged.
    pub scopes: Vec<Rect>,
    /// Whether obstacles changed.
    pub moves_walls: bool,
}

impl Change {
    /// `None` if everything differs: other bounds, or other numbers for the terrain types.
    pub fn between(before: &TerrainInput, after: &TerrainInput) -> Option<Self> {
        let same_kinds = before.kinds.len() == after.kinds.len()
            && (before.kinds.iter().zip(&after.kinds)).all(|(a, b)| a.id == b.id);
        if before.bounds != after.bounds || !same_kinds {
            return None;
        }
        let mut change = Self::default();
        let is_same = |a: &Arc<Polygon>, b: &Arc<Polygon>| Arc::ptr_eq(a, b) || a == b;
        for (old, new) in differing(&before.obstacles, &after.obstacles, is_same) {
            let [old, new] = [old, new].map(|area| area.map(|area| &**area));
            change.replace(old, new, after.bounds);
        }
        change.moves_walls = !change.scopes.is_empty();
        let is_same = |a: &Patch, b: &Patch| a.kind == b.kind && is_same(&a.area, &b.area);
        for (old, new) in differing(&before.patches, &after.patches, is_same) {
            let [old_area, new_area] = [old, new].map(|patch| patch.map(|patch| &*patch.area));
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

    /// Replaces one area by another. By the even–odd rule, only what lies between edges that are
    /// not common to both changes its kind.
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

/// Multiset difference of two sorted lists.
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

/// Entries of two lists that differ: element by element if both have equal length, otherwise
/// everything between the common prefix and suffix.
fn differing<'a, T>(
    before: &'a [T],
    after: &'a [T],
    is_same: impl Fn(&T, &T) -> bool,
) -> Vec<(Option<&'a T>, Option<&'a T>)> {
    if before.len() == after.len() {
        let pairs = before.iter().zip(after).filter(|(a, b)| !is_same(a, b));
        return pairs.map(|(a, b)| (Some(a), Some(b))).collect();
    }
    let first = before
        .iter()
        .zip(after)
        .take_while(|(a, b)| is_same(a, b))
        .count();
    let (before, after) = (&before[first..], &after[first..]);
    let ends = before.iter().rev().zip(after.iter().rev());
    let last = ends.take_while(|(a, b)| is_same(a, b)).count();
    let gone = before[..before.len() - last].iter();
    let come = after[..after.len() - last].iter();
    gone.map(|old| (Some(old), None))
        .chain(come.map(|new| (None, Some(new))))
        .collect()
}
