//! Where the cells of one state differ from those of another.

use super::cell_map::{CellId, CellMap};
use super::delta::Changed;
use std::cmp::Ordering;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// Comparisons that are kept: every agent of a plan asks for the same one.
const MOST_KEPT: usize = 4;

/// What changed since earlier maps.
#[derive(Debug, Default)]
pub(super) struct KnownChanges(Mutex<Vec<(Weak<CellMap>, Arc<Changed>)>>);

impl KnownChanges {
    /// Compares two maps, once.
    pub fn since(&self, before: &Arc<CellMap>, after: &Arc<CellMap>) -> Arc<Changed> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_before = |(map, _): &&(Weak<CellMap>, _)| map.as_ptr() == Arc::as_ptr(before);
        if let Some((_, changed)) = known.iter().find(is_before) {
            return Arc::clone(changed);
        }
        let changed = if Arc::ptr_eq(before, after) {
            Changed::Nothing
        } else {
            between(before, after)
        };
        let changed = Arc::new(changed);
        if known.len() >= MOST_KEPT {
            known.remove(0);
        }
        known.push((Arc::downgrade(before), Arc::clone(&changed)));
        changed
    }
}

/// Boxes of the cells that only one of two maps has, or that have other portals there.
///
/// Cells are numbered from the bottom to the top, so both lists are walked side by side. A cell that
/// is in another order than the rest counts as changed.
fn between(before: &CellMap, after: &CellMap) -> Changed {
    let mut boxes = Vec::new();
    let (mut old, mut new) = (before.cells().peekable(), after.cells().peekable());
    loop {
        let order = match (old.peek(), new.peek()) {
            (None, None) => return Changed::within(boxes),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(a), Some(b)) => compare(&lowest(before, *a), &lowest(after, *b)),
        };
        let is_old = order != Ordering::Greater;
        let is_new = order != Ordering::Less;
        let a = if is_old { old.next() } else { None };
        let b = if is_new { new.next() } else { None };
        if let (Some(a), Some(b)) = (a, b)
            && is_same(before, a, after, b)
        {
            continue;
        }
        boxes.extend(a.map(|cell| before.bounds(cell)));
        boxes.extend(b.map(|cell| after.bounds(cell)));
    }
}

fn is_same(before: &CellMap, a: CellId, after: &CellMap, b: CellId) -> bool {
    let mut sides = before.sides(a).iter().zip(after.sides(b));
    before.corners(a) == after.corners(b) && sides.all(|(a, b)| a.is_some() == b.is_some())
}

/// The height of the lowest corner, and where it is; the leftmost of several.
fn lowest(map: &CellMap, cell: CellId) -> [f64; 2] {
    let keys = map.corners(cell).iter().map(|p| [p.y, p.x]);
    keys.min_by(compare).unwrap_or_default()
}

fn compare(a: &[f64; 2], b: &[f64; 2]) -> Ordering {
    a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1]))
}
