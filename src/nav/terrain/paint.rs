//! Assigns terrain to triangles.

use super::input::TerrainInput;
use super::map::KindId;
use super::mesh::{BLOCKED, NONE, TerrainMesh};
use crate::geometry::{Polygon, Rect, lattice::LATTICE};
use crate::nav::box_tree::BoxTree;
use glam::DVec2;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Open,
    /// In the current group.
    Met,
    Known,
}

impl TerrainMesh {
    /// Assigns kinds to the `fresh` triangles; all others keep theirs. Triangles not separated by a
    /// border have one kind, decided at the one with the most room around its centre, so that
    /// slivers never decide.
    pub(super) fn paint(&mut self, painter: &Painter<'_>, fresh: &[u32]) {
        let mut marks = vec![Mark::Known; self.triangles.len()];
        for index in fresh {
            marks[*index as usize] = Mark::Open;
        }
        let mut group: Vec<u32> = Vec::new();
        for &first in fresh {
            if marks[first as usize] != Mark::Open {
                continue;
            }
            marks[first as usize] = Mark::Met;
            group.clear();
            group.push(first);
            let (mut next, mut best, mut room) = (0, first, self.room(first));
            let mut known = None;
            while let Some(&here) = group.get(next) {
                next += 1;
                let besides = self.triangles[here as usize].beside;
                for (beside, border) in besides.into_iter().zip(self.is_border[here as usize]) {
                    if border || beside == NONE {
                        continue;
                    }
                    match marks[beside as usize] {
                        Mark::Met => continue,
                        Mark::Known => {
                            known.get_or_insert(self.triangles[beside as usize].kind);
                            continue;
                        }
                        Mark::Open => marks[beside as usize] = Mark::Met,
                    }
                    group.push(beside);
                    let its_room = self.room(beside);
                    if its_room > room {
                        (best, room) = (beside, its_room);
                    }
                }
            }
            let kind = known.unwrap_or_else(|| painter.kind_at(self.middle(best) * LATTICE));
            for index in &group {
                self.triangles[*index as usize].kind = kind;
                marks[*index as usize] = Mark::Known;
            }
        }
    }

    /// Twice the area divided by the longest side: small for slivers.
    fn room(&self, index: u32) -> f64 {
        let [a, b, c] = self.corners(index);
        let longest = [(a, b), (b, c), (c, a)]
            .into_iter()
            .map(|(p, q)| p.distance_squared(q))
            .fold(1.0, f64::max);
        (b - a).perp_dot(c - a).powi(2) / longest
    }
}

/// Finds the terrain at a point from the polygons as drawn.
pub(super) struct Painter<'a> {
    obstacles: Layer<'a>,
    patches: Layer<'a>,
    kinds: Vec<KindId>,
}

/// Polygons in painting order, with a spatial index.
struct Layer<'a> {
    areas: Vec<&'a Polygon>,
    tree: BoxTree,
}

impl<'a> Layer<'a> {
    fn new(bounds: &Rect, areas: Vec<&'a Polygon>) -> Self {
        let boxes: Vec<Rect> = areas.iter().map(|a| Rect::of_points(a.points())).collect();
        Self {
            areas,
            tree: BoxTree::new(bounds, boxes.into_iter()),
        }
    }

    fn at(&self, p: DVec2) -> impl Iterator<Item = u32> + '_ {
        let near = self.tree.near_point(p);
        near.filter(move |index| self.areas[*index as usize].contains(p))
    }
}

impl<'a> Painter<'a> {
    /// For points within some rectangles.
    pub fn new(input: &'a TerrainInput, scopes: &[Rect]) -> Self {
        let is_asked = |area: &&Polygon| {
            let bounds = Rect::of_points(area.points());
            let is_finite = area.points().all(|p| p.is_finite());
            is_finite && scopes.iter().any(|scope| scope.overlaps(&bounds))
        };
        let patches = || input.patches.iter().filter(|patch| is_asked(&&*patch.area));
        Self {
            obstacles: Layer::new(
                &input.bounds,
                input
                    .obstacles
                    .iter()
                    .map(|area| &**area)
                    .filter(is_asked)
                    .collect(),
            ),
            patches: Layer::new(&input.bounds, patches().map(|patch| &*patch.area).collect()),
            kinds: patches().map(|patch| patch.kind).collect(),
        }
    }

    fn kind_at(&self, p: DVec2) -> KindId {
        if self.obstacles.at(p).next().is_some() {
            return BLOCKED;
        }
        let top = self.patches.at(p).max();
        top.map_or(KindId(0), |top| self.kinds[top as usize])
    }
}
