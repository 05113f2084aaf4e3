//! Ground height on a regular grid of posts, bilinear between them.

use super::Rect;
use glam::{DVec2, DVec3};
use std::sync::Arc;

/// Heights at `columns` × `rows` posts, row by row from the lower left.
#[derive(Clone, Debug, PartialEq)]
pub struct HeightField {
    pub origin: DVec2,
    /// Distance between neighbouring posts. Unit: metres.
    pub spacing: f64,
    pub columns: usize,
    pub rows: usize,
    pub heights: Arc<[f64]>,
}

impl HeightField {
    /// A flat grid of posts covering `area`.
    #[must_use]
    pub fn flat(area: Rect, spacing: f64, height: f64) -> Self {
        let posts = |extent: f64| (extent / spacing).ceil().max(1.0) as usize + 1;
        let (columns, rows) = (posts(area.size().x), posts(area.size().y));
        Self {
            origin: area.min,
            spacing,
            columns,
            rows,
            heights: vec![height; columns * rows].into(),
        }
    }

    #[must_use]
    pub fn bounds(&self) -> Rect {
        let extent = DVec2::new(
            self.columns.saturating_sub(1) as f64,
            self.rows.saturating_sub(1) as f64,
        ) * self.spacing;
        Rect::new(self.origin, self.origin + extent)
    }

    /// The height of a post; outside the grid, that of the nearest post.
    #[must_use]
    pub fn post(&self, column: usize, row: usize) -> f64 {
        let column = column.min(self.columns.saturating_sub(1));
        let row = row.min(self.rows.saturating_sub(1));
        self.heights
            .get(row * self.columns + column)
            .copied()
            .unwrap_or(0.0)
    }

    /// Bilinear between posts, constant beyond the border.
    #[must_use]
    pub fn height(&self, p: DVec2) -> f64 {
        let (column, row, share) = self.locate(p);
        let low = self.post(column, row) * (1.0 - share.x) + self.post(column + 1, row) * share.x;
        let high =
            self.post(column, row + 1) * (1.0 - share.x) + self.post(column + 1, row + 1) * share.x;
        low * (1.0 - share.y) + high * share.y
    }

    /// Rise per metre along x and y on the bilinear patch containing `p`.
    #[must_use]
    pub fn gradient(&self, p: DVec2) -> DVec2 {
        if !self.bounds().contains(p) {
            return DVec2::ZERO;
        }
        let (column, row, share) = self.locate(p);
        let [a, b, c, d] =
            [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(right, up)| self.post(column + right, row + up));
        DVec2::new(
            (b - a) * (1.0 - share.y) + (d - c) * share.y,
            (c - a) * (1.0 - share.x) + (d - b) * share.x,
        ) / self.spacing
    }

    #[must_use]
    pub fn lift(&self, p: DVec2) -> DVec3 {
        p.extend(self.height(p))
    }

    /// Lowest and highest post.
    #[must_use]
    pub fn range(&self) -> (f64, f64) {
        self.heights
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), h| {
                (low.min(*h), high.max(*h))
            })
    }

    /// Resamples the ground over `area` with a new post spacing.
    #[must_use]
    pub fn resampled(&self, area: Rect, spacing: f64) -> Self {
        let mut field = Self::flat(area, spacing, 0.0);
        field.heights = (0..field.heights.len())
            .map(|i| {
                let post = DVec2::new((i % field.columns) as f64, (i / field.columns) as f64);
                self.height(field.origin + post * spacing)
            })
            .collect();
        field
    }

    /// Number of posts [`flat`](Self::flat) would create; check it before allocating.
    #[must_use]
    pub fn posts_over(area: Rect, spacing: f64) -> f64 {
        let posts = |extent: f64| (extent / spacing).ceil().max(1.0) + 1.0;
        posts(area.size().x) * posts(area.size().y)
    }

    /// The patch containing `p`, and the position within it from 0 to 1.
    fn locate(&self, p: DVec2) -> (usize, usize, DVec2) {
        let last = DVec2::new(
            self.columns.saturating_sub(2) as f64,
            self.rows.saturating_sub(2) as f64,
        );
        let cell = (p - self.origin) / self.spacing;
        let corner = cell.floor().min(last).max(DVec2::ZERO);
        let share = (cell - corner).clamp(DVec2::ZERO, DVec2::ONE);
        (corner.x as usize, corner.y as usize, share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plane_is_reproduced_exactly_and_its_slope_known() {
        let mut field = HeightField::flat(
            Rect::new(DVec2::new(-2.0, 1.0), DVec2::new(8.0, 7.0)),
            2.0,
            0.0,
        );
        field.heights = (0..field.rows * field.columns)
            .map(|i| 0.5 * (i % field.columns) as f64 - (i / field.columns) as f64)
            .collect();
        let height = |p: DVec2| 0.25 * (p.x + 2.0) - 0.5 * (p.y - 1.0);
        for p in [
            DVec2::new(0.3, 2.2),
            DVec2::new(7.9, 6.9),
            DVec2::new(-2.0, 1.0),
        ] {
            assert!((field.height(p) - height(p)).abs() < 1e-12);
            assert!((field.gradient(p) - DVec2::new(0.25, -0.5)).length() < 1e-12);
        }
        assert_eq!(field.height(DVec2::new(-50.0, 1.0)), 0.0);
        assert_eq!(field.gradient(DVec2::new(-50.0, 1.0)), DVec2::ZERO);
        assert_eq!(field.lift(DVec2::new(-2.0, 1.0)).z, 0.0);
        assert_eq!(field.range(), (-3.0, 2.5));
        let finer = field.resampled(field.bounds(), 0.5);
        assert_eq!(finer.bounds(), field.bounds());
        let posts = HeightField::posts_over(field.bounds(), 0.5);
        assert_eq!(finer.heights.len() as f64, posts);
        let p = DVec2::new(0.3, 2.2);
        assert!((finer.height(p) - height(p)).abs() < 1e-12);
    }
}
