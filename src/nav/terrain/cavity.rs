//! The triangles near a change.

use super::arrangement::Segment;
use super::mesh::{NONE, TerrainMesh};
use crate::geometry::{
    Rect,
    predicates::{Side, side},
};
use glam::DVec2;
use std::collections::{BTreeSet, VecDeque};

/// The triangles to remove.
pub(super) struct Cavity<'a> {
    mesh: &'a TerrainMesh,
    is_inside: Vec<bool>,
    pub triangles: Vec<u32>,
}

impl<'a> Cavity<'a> {
    /// All triangles that intersect some rectangles, unless there are more than `most`.
    pub fn new(mesh: &'a TerrainMesh, scopes: &[Rect], most: usize) -> Option<Self> {
        let mut cavity = Self {
            mesh,
            is_inside: vec![false; mesh.len()],
            triangles: Vec::new(),
        };
        for scope in scopes {
            let mut seen = BTreeSet::new();
            let mut front = VecDeque::from([mesh.locate_step(scope.centre(), None)?]);
            while let Some(here) = front.pop_front() {
                if !seen.insert(here) || !overlaps(mesh.corners(here), scope) {
                    continue;
                }
                cavity.take(here);
                if cavity.triangles.len() > most {
                    return None;
                }
                let besides = mesh.triangles[here as usize].beside;
                front.extend(besides.into_iter().filter(|next| *next != NONE));
            }
        }
        Some(cavity)
    }

    pub fn take(&mut self, triangle: u32) {
        if !std::mem::replace(&mut self.is_inside[triangle as usize], true) {
            self.triangles.push(triangle);
        }
    }

    pub fn has(&self, triangle: u32) -> bool {
        triangle != NONE && self.is_inside[triangle as usize]
    }

    /// Every side of its triangles, shared ones once, with the triangle beyond.
    pub fn sides(&self) -> impl Iterator<Item = (Segment, bool, u32)> + '_ {
        self.triangles.iter().flat_map(move |&index| {
            let triangle = &self.mesh.triangles[index as usize];
            let corners = self.mesh.corners(index);
            (0..3).filter_map(move |i| {
                let beyond = triangle.beside[i];
                let ends = [corners[i], corners[(i + 1) % 3]];
                let is_border = self.mesh.is_border[index as usize][i];
                (!self.has(beyond) || index < beyond).then_some((ends, is_border, beyond))
            })
        })
    }
}

/// Whether a triangle intersects a rectangle, borders included.
fn overlaps(corners: [DVec2; 3], scope: &Rect) -> bool {
    Rect::of_points(&corners).overlaps(scope)
        && (0..3).all(|i| {
            let (a, b) = (corners[i], corners[(i + 1) % 3]);
            let mut places = scope.corners().into_iter();
            !places.all(|p| side(a, b, p) == Side::Right)
        })
}
