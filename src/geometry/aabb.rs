//! Axis-aligned boxes in space.

use super::Rect;
use glam::{DAffine3, DVec3};

/// From `min` to `max`; empty if `min` exceeds `max` on any axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    pub min: DVec3,
    pub max: DVec3,
}

impl Aabb {
    /// Contains nothing; the neutral element of [`union`](Self::union).
    pub const EMPTY: Self = Self {
        min: DVec3::INFINITY,
        max: DVec3::NEG_INFINITY,
    };

    #[must_use]
    pub const fn new(min: DVec3, max: DVec3) -> Self {
        Self { min, max }
    }

    #[must_use]
    pub fn of_points(points: impl IntoIterator<Item = DVec3>) -> Self {
        points.into_iter().fold(Self::EMPTY, |b, p| b.including(p))
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        !self.min.cmple(self.max).all()
    }

    /// Zero for an empty box.
    #[must_use]
    pub fn size(&self) -> DVec3 {
        if self.is_empty() {
            DVec3::ZERO
        } else {
            self.max - self.min
        }
    }

    #[must_use]
    pub fn centre(&self) -> DVec3 {
        (self.min + self.max) * 0.5
    }

    #[must_use]
    pub fn including(&self, p: DVec3) -> Self {
        Self::new(self.min.min(p), self.max.max(p))
    }

    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self::new(self.min.min(other.min), self.max.max(other.max))
    }

    #[must_use]
    pub fn expanded(&self, by: f64) -> Self {
        Self::new(self.min - DVec3::splat(by), self.max + DVec3::splat(by))
    }

    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }

    #[must_use]
    pub fn corners(&self) -> [DVec3; 8] {
        std::array::from_fn(|i| {
            let pick = |bit: usize, low: f64, high: f64| if i >> bit & 1 == 0 { low } else { high };
            DVec3::new(
                pick(0, self.min.x, self.max.x),
                pick(1, self.min.y, self.max.y),
                pick(2, self.min.z, self.max.z),
            )
        })
    }

    /// Bounds of the box after `map`; an empty box stays empty.
    #[must_use]
    pub fn transformed(&self, map: &DAffine3) -> Self {
        if self.is_empty() {
            return Self::EMPTY;
        }
        Self::of_points(self.corners().map(|p| map.transform_point3(p)))
    }

    /// Projection onto the ground plane.
    #[must_use]
    pub fn plan(&self) -> Rect {
        Rect::new(self.min.truncate(), self.max.truncate())
    }
}
