//! Heights of a rectangle of posts: what one brush stroke changes.

use super::HeightField;
use std::sync::Arc;

/// Rows from the lower left, `columns` heights each.
///
/// A stroke changes few of a field's posts; storing only those keeps the journal small.
#[derive(Clone, Debug, PartialEq)]
pub struct HeightPatch {
    /// Column of the lower left post.
    pub column: usize,
    pub row: usize,
    pub columns: usize,
    pub heights: Arc<[f64]>,
}

impl HeightPatch {
    #[must_use]
    pub fn rows(&self) -> usize {
        self.heights.len() / self.columns.max(1)
    }

    /// Whether it has at least one full row and lies inside the field.
    #[must_use]
    pub fn fits(&self, field: &HeightField) -> bool {
        let ends_within = |from: usize, count: usize, all: usize| {
            from.checked_add(count).is_some_and(|e| e <= all)
        };
        self.columns > 0
            && !self.heights.is_empty()
            && self.heights.len().is_multiple_of(self.columns)
            && ends_within(self.column, self.columns, field.columns)
            && ends_within(self.row, self.rows(), field.rows)
            && field.heights.len() == field.columns * field.rows
    }

    /// Copies the field's current heights; the rectangle is clamped to the field.
    #[must_use]
    pub fn of(field: &HeightField, columns: [usize; 2], rows: [usize; 2]) -> Self {
        let [left, right] = columns.map(|c| c.min(field.columns));
        let [low, high] = rows.map(|r| r.min(field.rows));
        let heights = (low..high)
            .flat_map(|row| (left..right.max(left)).map(move |column| field.post(column, row)))
            .collect();
        Self {
            column: left,
            row: low,
            columns: right.saturating_sub(left),
            heights,
        }
    }
}

impl HeightField {
    /// The field with the patch applied; `None` if the patch does not fit.
    #[must_use]
    pub fn patched(&self, patch: &HeightPatch) -> Option<Self> {
        if !patch.fits(self) {
            return None;
        }
        let start = |row: usize| (patch.row + row) * self.columns + patch.column;
        let mut rows = patch.heights.chunks_exact(patch.columns).enumerate();
        let same = rows
            .clone()
            .all(|(i, row)| self.heights[start(i)..start(i) + patch.columns] == *row);
        let mut field = self.clone();
        if !same {
            let mut heights = self.heights.to_vec();
            rows.by_ref().for_each(|(i, row)| {
                heights[start(i)..start(i) + patch.columns].copy_from_slice(row);
            });
            field.heights = heights.into();
        }
        Some(field)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Rect;
    use glam::DVec2;

    fn field() -> HeightField {
        let mut field = HeightField::flat(Rect::new(DVec2::ZERO, DVec2::new(4.0, 2.0)), 1.0, 0.0);
        field.heights = (0..15).map(f64::from).collect();
        field
    }

    #[test]
    fn a_patch_changes_its_posts_and_no_others() {
        let patch = HeightPatch {
            column: 1,
            row: 1,
            columns: 2,
            heights: [50.0, 51.0, 52.0, 53.0].into(),
        };
        let patched = field().patched(&patch).expect("fits");
        for row in 0..3 {
            for column in 0..5 {
                let inside = (1..3).contains(&column) && (1..3).contains(&row);
                let expected = if inside {
                    50.0 + ((row - 1) * 2 + column - 1) as f64
                } else {
                    (row * 5 + column) as f64
                };
                assert_eq!(patched.post(column, row), expected);
            }
        }
        assert_eq!(HeightPatch::of(&patched, [1, 3], [1, 3]), patch);
    }

    #[test]
    fn unchanged_heights_keep_their_allocation() {
        let field = field();
        let same = field
            .patched(&HeightPatch::of(&field, [0, 5], [0, 3]))
            .expect("fits");
        assert!(Arc::ptr_eq(&same.heights, &field.heights));
    }

    #[test]
    fn what_reaches_over_the_edge_or_is_ragged_does_not_fit() {
        let patch = |column, row, columns, count: usize| HeightPatch {
            column,
            row,
            columns,
            heights: vec![1.0; count].into(),
        };
        for misfit in [
            patch(4, 0, 2, 2),
            patch(0, 2, 1, 2),
            patch(0, 0, 2, 3),
            patch(0, 0, 0, 0),
            patch(0, 0, 1, 0),
            patch(usize::MAX, 0, 2, 2),
            patch(0, usize::MAX, 1, 1),
        ] {
            assert_eq!(field().patched(&misfit), None, "{misfit:?}");
        }
    }
}
