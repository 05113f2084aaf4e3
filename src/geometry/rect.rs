//! Axis-aligned rectangles.

use glam::DVec2;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rect {
    pub min: DVec2,
    pub max: DVec2,
}

impl Rect {
    /// Contains nothing; the neutral element of the union.
    pub const EMPTY: Self = Self {
        min: DVec2::INFINITY,
        max: DVec2::NEG_INFINITY,
    };

    #[must_use]
    pub const fn new(min: DVec2, max: DVec2) -> Self {
        Self { min, max }
    }

    /// The rectangle spanned by two opposite corners in any order.
    #[must_use]
    pub fn spanning(a: DVec2, b: DVec2) -> Self {
        Self::new(a.min(b), a.max(b))
    }

    #[must_use]
    pub fn around(centre: DVec2, half_size: DVec2) -> Self {
        Self::new(centre - half_size, centre + half_size)
    }

    #[must_use]
    pub fn of_points<'a>(points: impl IntoIterator<Item = &'a DVec2>) -> Self {
        points.into_iter().fold(Self::EMPTY, |r, p| r.including(*p))
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        !(self.min.x <= self.max.x && self.min.y <= self.max.y)
    }

    #[must_use]
    pub fn size(&self) -> DVec2 {
        if self.is_empty() {
            DVec2::ZERO
        } else {
            self.max - self.min
        }
    }

    #[must_use]
    pub fn centre(&self) -> DVec2 {
        (self.min + self.max) * 0.5
    }

    #[inline]
    #[must_use]
    pub fn including(&self, p: DVec2) -> Self {
        Self::new(self.min.min(p), self.max.max(p))
    }

    #[inline]
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self::new(self.min.min(other.min), self.max.max(other.max))
    }

    #[inline]
    #[must_use]
    pub fn expanded(&self, by: f64) -> Self {
        if self.is_empty() {
            *self
        } else {
            Self::new(self.min - by, self.max + by)
        }
    }

    /// Borders included.
    #[inline]
    #[must_use]
    pub fn contains(&self, p: DVec2) -> bool {
        p.x >= self.min.x && p.x <= self.max.x && p.y >= self.min.y && p.y <= self.max.y
    }

    #[must_use]
    pub fn contains_rect(&self, other: &Self) -> bool {
        other.is_empty() || (self.contains(other.min) && self.contains(other.max))
    }

    /// Borders included: touching rectangles overlap.
    #[inline]
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        self.min.x <= other.max.x
            && other.min.x <= self.max.x
            && self.min.y <= other.max.y
            && other.min.y <= self.max.y
    }

    #[inline]
    #[must_use]
    pub fn clamp(&self, p: DVec2) -> DVec2 {
        p.max(self.min).min(self.max)
    }

    /// Counter-clockwise from the lower left corner.
    #[must_use]
    pub fn corners(&self) -> [DVec2; 4] {
        [
            self.min,
            DVec2::new(self.max.x, self.min.y),
            self.max,
            DVec2::new(self.min.x, self.max.y),
        ]
    }
}
