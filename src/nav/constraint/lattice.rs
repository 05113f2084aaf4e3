//! The dense states of a level: a square lattice over free space, or over the walkable surfaces of
//! all storeys (Ninomiya et al. 2014, §4.2).
//!
//! A state has up to eight neighbours, one in each direction. A transition exists only if the whole
//! straight line is free for the body, in both directions. States are numbered in blocks of eight by
//! eight, so that what a search touches lies together.

use super::plane::Plane;
use super::storeys::Storeys;
use crate::geometry::Rect;
use crate::jobs::{Cancelled, JobContext};
use crate::nav::CellMap;
use crate::nav::voxel::{Borders, Footing, SurfaceCells};
use glam::{DVec2, DVec3};
use std::sync::Arc;

/// Directions, counter-clockwise from +x. Direction `k + 4` is opposite to `k`.
pub const DIRECTIONS: usize = 8;

/// Steps of the directions, in columns and rows.
pub const OFFSETS: [[i32; 2]; DIRECTIONS] = [
    [1, 0],
    [1, 1],
    [0, 1],
    [-1, 1],
    [-1, 0],
    [-1, -1],
    [0, -1],
    [1, -1],
];

/// The opposite direction.
#[must_use]
pub const fn opposite(direction: usize) -> usize {
    (direction + 4) % DIRECTIONS
}

/// States per page: what a search touches is kept page by page.
pub const PAGE: usize = 64;

/// Dense states and their transitions.
#[derive(Clone, Debug, PartialEq)]
pub enum Lattice {
    Plane(Plane),
    Storeys(Storeys),
}

impl Default for Lattice {
    /// Without states.
    fn default() -> Self {
        Self::Plane(Plane::default())
    }
}

impl Lattice {
    /// Whether it was built with this spacing.
    #[must_use]
    pub fn is_for(&self, spacing: f64) -> bool {
        match self {
            Self::Plane(plane) => plane.asked() == spacing,
            Self::Storeys(_) => false,
        }
    }

    /// Over the free space of a body.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn plane(
        bounds: Rect,
        cells: &CellMap,
        spacing: f64,
        ctx: &JobContext,
    ) -> Result<Self, Cancelled> {
        Ok(Self::Plane(Plane::build(bounds, cells, spacing, ctx)?))
    }

    /// Over the surfaces that a body can stand on.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn storeys(
        cells: &Arc<SurfaceCells>,
        footing: &Arc<Footing>,
        spacing: f64,
        borders: Borders,
        ctx: &JobContext,
    ) -> Result<Self, Cancelled> {
        Ok(Self::Storeys(Storeys::build(
            cells, footing, spacing, borders, ctx,
        )?))
    }

    /// Numbers of states are below this; not all of them are states.
    #[must_use]
    pub const fn len(&self) -> usize {
        match self {
            Self::Plane(plane) => plane.state_count(),
            Self::Storeys(storeys) => storeys.len(),
        }
    }

    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Distance between states in a row. Unit: metres.
    #[must_use]
    pub fn spacing(&self) -> f64 {
        match self {
            Self::Plane(plane) => plane.spacing(),
            Self::Storeys(storeys) => storeys.spacing(),
        }
    }

    /// The most that a transition covers in plan. Unit: metres.
    #[must_use]
    pub fn longest(&self) -> f64 {
        match self {
            // Both ends may be moved to where there is room.
            Self::Plane(plane) => plane.spacing() * 3.0,
            Self::Storeys(storeys) => storeys.spacing() * 1.5,
        }
    }

    #[must_use]
    pub fn is_state(&self, state: u32) -> bool {
        match self {
            Self::Plane(plane) => plane.open(state) != 0,
            Self::Storeys(storeys) => (state as usize) < storeys.len(),
        }
    }

    #[must_use]
    pub fn state_count(&self) -> usize {
        (0..self.len() as u32)
            .filter(|state| self.is_state(*state))
            .count()
    }

    #[inline]
    #[must_use]
    pub fn point(&self, state: u32) -> DVec3 {
        match self {
            Self::Plane(plane) => plane.point(state).extend(0.0),
            Self::Storeys(storeys) => storeys.point(state),
        }
    }

    /// Directions with a transition, one bit each.
    #[inline]
    #[must_use]
    pub fn open(&self, state: u32) -> u8 {
        match self {
            Self::Plane(plane) => plane.open(state),
            Self::Storeys(storeys) => storeys.open(state),
        }
    }

    /// The state at the other end of a transition.
    #[inline]
    #[must_use]
    pub fn neighbour(&self, state: u32, direction: usize) -> Option<u32> {
        match self {
            Self::Plane(plane) => {
                (plane.open(state) >> direction & 1 == 1).then(|| plane.beside(state, direction))
            }
            Self::Storeys(storeys) => storeys.neighbour(state, direction),
        }
    }

    /// Visits the neighbours of a state with the lengths of the steps there.
    #[inline]
    pub fn visit(&self, state: u32, mut visit: impl FnMut(u32, f64)) {
        match self {
            Self::Plane(plane) => plane.visit(state, None, visit),
            Self::Storeys(_) => {
                for direction in 0..DIRECTIONS {
                    if let Some(other) = self.neighbour(state, direction) {
                        visit(other, self.step_length(state, direction, other));
                    }
                }
            }
        }
    }

    /// Column and row of a state.
    #[inline]
    #[must_use]
    pub fn place(&self, state: u32) -> [i32; 2] {
        match self {
            Self::Plane(plane) => plane.place(state),
            Self::Storeys(storeys) => storeys.place(state),
        }
    }

    /// Whether a state was moved off its column and row, to where there is room.
    #[inline]
    #[must_use]
    pub fn is_moved(&self, state: u32) -> bool {
        match self {
            Self::Plane(plane) => plane.is_moved(state),
            Self::Storeys(_) => false,
        }
    }

    /// Length of a transition, along the ground. Unit: metres.
    #[inline]
    #[must_use]
    pub fn step_length(&self, state: u32, direction: usize, other: u32) -> f64 {
        match self {
            Self::Plane(plane) => plane.step_length(state, direction, other),
            Self::Storeys(storeys) => storeys.point(state).distance(storeys.point(other)),
        }
    }

    /// Around the states of a page, in plan; empty if it has none.
    #[must_use]
    pub fn page_bounds(&self, page: usize) -> Rect {
        match self {
            Self::Plane(plane) => plane.page_bounds(page),
            Self::Storeys(storeys) => storeys.page_bounds(page),
        }
    }

    #[must_use]
    pub const fn page_count(&self) -> usize {
        self.len().div_ceil(PAGE)
    }

    /// States from which a straight line leads to a place, with its length, nearest states first.
    #[must_use]
    pub fn around(&self, p: DVec3) -> Vec<(u32, f64)> {
        match self {
            Self::Plane(plane) => plane.around(p.truncate()),
            Self::Storeys(storeys) => storeys.around(p),
        }
    }

    /// Whether a straight line is free for the body.
    #[must_use]
    pub fn is_free(&self, from: DVec3, to: DVec3) -> bool {
        match self {
            Self::Plane(plane) => plane.is_free(from.truncate(), to.truncate()),
            Self::Storeys(storeys) => storeys.is_free(from, to),
        }
    }

    /// Whether steps lead from one place to another.
    #[must_use]
    pub fn connects(&self, from: DVec3, to: DVec3) -> bool {
        match self {
            Self::Plane(plane) => plane.connects(from.truncate(), to.truncate()),
            Self::Storeys(storeys) => storeys.connects(from, to),
        }
    }

    /// The nearest state to a place.
    #[must_use]
    pub fn nearest(&self, p: DVec2) -> Option<u32> {
        match self {
            Self::Plane(plane) => plane.nearest(p),
            Self::Storeys(_) => None,
        }
    }

    /// States whose transitions or places differ from those of an earlier lattice; `None` if the
    /// numbers of states do not agree.
    #[must_use]
    pub fn changed_since(&self, before: &Self) -> Option<Vec<u32>> {
        match (self, before) {
            (Self::Plane(now), Self::Plane(before)) => now.changed_since(before),
            (Self::Storeys(now), Self::Storeys(before)) if now == before => Some(Vec::new()),
            _ => None,
        }
    }

    /// Bytes that it occupies.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        match self {
            Self::Plane(plane) => plane.bytes(),
            Self::Storeys(storeys) => storeys.bytes(),
        }
    }
}
