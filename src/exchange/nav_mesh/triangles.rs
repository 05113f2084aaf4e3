//! The triangles of free space, before they are merged.

use super::FINE;
use crate::geometry::lattice::PER_METRE;
use crate::nav::CellMap;
use crate::nav::terrain::{BLOCKED, KindId, TerrainMesh, TriangleId};
use glam::DVec2;

/// No neighbour: a wall.
pub(super) const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Triangle {
    /// Counter-clockwise; index into the points.
    pub corners: [u32; 3],
    /// Across the side from corner `i` to the next.
    pub beside: [u32; 3],
    pub kind: KindId,
    pub component: u32,
}

#[derive(Debug, Default)]
pub(super) struct Triangles {
    /// Unit: steps of the fine lattice. Halves and smaller fractions occur, which are exact.
    pub points: Vec<DVec2>,
    pub list: Vec<Triangle>,
}

/// The component of each free triangle. Those that no border separates are of one, which is looked up where it is
/// widest; [`NONE`] where even that is rounded out of free space.
fn components(mesh: &TerrainMesh, cells: &CellMap, free: &[u32], number_of: &[u32]) -> Vec<u32> {
    let mut components = vec![NONE; free.len()];
    let mut is_met = vec![false; free.len()];
    let mut group: Vec<u32> = Vec::new();
    for first in 0..free.len() as u32 {
        if std::mem::replace(&mut is_met[first as usize], true) {
            continue;
        }
        group.clear();
        group.push(first);
        let (mut next, mut widest, mut most) = (0, first, -1.0);
        while let Some(&here) = group.get(next) {
            next += 1;
            let id = TriangleId(free[here as usize]);
            let [a, b, c] = [0, 1, 2].map(|i| mesh.triangle_side(id, i)[0]);
            let room = (b - a).perp_dot(c - a).abs();
            if room > most {
                (widest, most) = (here, room);
            }
            let besides = mesh.triangles_beside(id).into_iter();
            for (beside, is_border) in besides.zip(mesh.triangle_borders(id)) {
                let other = beside.map_or(NONE, |other| number_of[other.0 as usize]);
                if !is_border
                    && other != NONE
                    && !std::mem::replace(&mut is_met[other as usize], true)
                {
                    group.push(other);
                }
            }
        }
        let middle = mesh.triangle_middle(TriangleId(free[widest as usize])) / FINE;
        let component = cells.locate(middle).map(|cell| cells.component(cell));
        if let Some(component) = component {
            for &index in &group {
                components[index as usize] = component;
            }
        }
    }
    components
}

impl Triangles {
    pub fn of(mesh: &TerrainMesh, cells: &CellMap) -> Self {
        let mut number_of = vec![NONE; mesh.len()];
        let mut free: Vec<u32> = Vec::new();
        for (index, (_, kind)) in (0_u32..).zip(mesh.triangles()) {
            if kind != BLOCKED {
                number_of[index as usize] = free.len() as u32;
                free.push(index);
            }
        }
        let mut triangles = Self::default();
        let mut number_of_point = vec![NONE; mesh.point_count()];
        let components = components(mesh, cells, &free, &number_of);
        for (&index, component) in free.iter().zip(components) {
            let id = TriangleId(index);
            let points = mesh.triangle_corners(id);
            let corners = [0, 1, 2].map(|i| {
                let number = &mut number_of_point[points[i] as usize];
                if *number == NONE {
                    *number = triangles.points.len() as u32;
                    let at = (mesh.triangle_side(id, i)[0] * PER_METRE).round();
                    triangles.points.push(at);
                }
                *number
            });
            let beside = mesh
                .triangles_beside(id)
                .map(|beside| beside.map_or(NONE, |other| number_of[other.0 as usize]));
            triangles.list.push(Triangle {
                corners,
                beside,
                kind: mesh.triangle_kind(id),
                component,
            });
        }
        triangles.spread_components();
        triangles.keep_walls();
        triangles
    }

    /// Slivers whose middle is rounded out of free space belong to a neighbour.
    fn spread_components(&mut self) {
        let is_known = |triangle: &Triangle| triangle.component != NONE;
        if self.list.iter().all(is_known) {
            return;
        }
        let mut queue: Vec<u32> = (0..self.list.len() as u32)
            .filter(|index| is_known(&self.list[*index as usize]))
            .collect();
        let mut next = 0;
        while let Some(&index) = queue.get(next) {
            next += 1;
            let Triangle {
                beside, component, ..
            } = self.list[index as usize];
            for other in beside.into_iter().filter(|other| *other != NONE) {
                let other_triangle = &mut self.list[other as usize];
                if other_triangle.component == NONE {
                    other_triangle.component = component;
                    queue.push(other);
                }
            }
        }
    }

    /// Sides between components are walls that rounding left no thickness. Each gets a point in
    /// the middle of its upper side: whoever joins sides by their ends finds different ones.
    fn keep_walls(&mut self) {
        for index in 0..self.list.len() as u32 {
            for i in 0..3 {
                let Triangle {
                    corners,
                    beside,
                    component,
                    ..
                } = self.list[index as usize];
                let other = beside[i];
                if other == NONE || self.list[other as usize].component == component {
                    continue;
                }
                self.list[index as usize].beside[i] = NONE;
                let back = self.side_towards(other, index);
                if let Some(back) = back {
                    self.list[other as usize].beside[back] = NONE;
                }
                let ends = [corners[i], corners[(i + 1) % 3]].map(|c| self.points[c as usize]);
                let middle = self.add_point(ends[0].midpoint(ends[1]));
                self.split_one(index, i, middle);
            }
        }
    }

    pub fn add_point(&mut self, at: DVec2) -> u32 {
        self.points.push(at);
        self.points.len() as u32 - 1
    }

    /// The side of a triangle across which another one lies.
    pub fn side_towards(&self, triangle: u32, other: u32) -> Option<usize> {
        let beside = self.list[triangle as usize].beside;
        beside.iter().position(|beside| *beside == other)
    }

    /// Divides a triangle from the middle of its side `i` to the corner opposite. The first half,
    /// which keeps the number, is the one at corner `i`. Returns the number of the second. What
    /// lies across the divided side stays as it was for both.
    pub fn split_one(&mut self, index: u32, i: usize, middle: u32) -> u32 {
        let whole = self.list[index as usize];
        let [a, b, c] = [0, 1, 2].map(|k| whole.corners[(i + k) % 3]);
        let [across_ab, across_bc, across_ca] = [0, 1, 2].map(|k| whole.beside[(i + k) % 3]);
        let second = self.list.len() as u32;
        self.list.push(Triangle {
            corners: [middle, b, c],
            beside: [across_ab, across_bc, index],
            ..whole
        });
        self.list[index as usize] = Triangle {
            corners: [a, middle, c],
            beside: [across_ab, second, across_ca],
            ..whole
        };
        if across_bc != NONE
            && let Some(side) = self.side_towards(across_bc, index)
        {
            self.list[across_bc as usize].beside[side] = second;
        }
        second
    }

    /// Terrains that occur, in order.
    pub fn kinds(&self) -> Vec<KindId> {
        let mut kinds: Vec<KindId> = self.list.iter().map(|triangle| triangle.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }
}
