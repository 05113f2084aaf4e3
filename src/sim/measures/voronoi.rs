//! Density by Voronoi cells (Steffen and Seyfried 2010): everyone spreads over the ground that is
//! nearer to them than to anybody else.

use super::people::Position;
use crate::geometry::triangulation::Triangulation;
use crate::geometry::{Polygon, Rect};
use glam::DVec2;
use rstar::RTree;
use rstar::primitives::GeomWithData;
use std::collections::BTreeMap;

/// Cells reach no farther than this from a person.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CutOff {
    /// Unit: metres.
    pub radius: f64,
    /// The circle is a polygon with so many sides in each quarter.
    pub quarter: usize,
}

impl Default for CutOff {
    fn default() -> Self {
        Self {
            radius: 0.8,
            quarter: 3,
        }
    }
}

/// Where people can be, in triangles, so that a cell is cut at walls exactly.
#[derive(Clone, Debug)]
pub struct Walkable {
    bounds: Rect,
    triangles: Vec<[DVec2; 3]>,
    /// Of each triangle, what is behind each side; `usize::MAX` for a wall.
    neighbours: Vec<[usize; 3]>,
}

impl Walkable {
    /// Polygons whose rings do not cross.
    #[must_use]
    pub fn new(polygons: &[Polygon]) -> Self {
        let rings: Vec<_> = polygons.iter().flat_map(Polygon::rings).cloned().collect();
        let mesh = Triangulation::of_rings(&rings);
        let mut sides: BTreeMap<[u32; 2], usize> = BTreeMap::new();
        for (index, corners) in mesh.triangles.iter().enumerate() {
            for i in 0..3 {
                sides.insert([corners[i], corners[(i + 1) % 3]], index);
            }
        }
        let neighbours = mesh.triangles.iter().map(|corners| {
            std::array::from_fn(|i| {
                let back = [corners[(i + 1) % 3], corners[i]];
                sides.get(&back).copied().unwrap_or(usize::MAX)
            })
        });
        Self {
            bounds: polygons
                .iter()
                .fold(Rect::EMPTY, |all, polygon| all.union(&polygon.bounds())),
            neighbours: neighbours.collect(),
            triangles: mesh
                .triangles
                .iter()
                .map(|corners| corners.map(|i| mesh.points[i as usize]))
                .collect(),
        }
    }

    /// The parts of a convex cell that can be reached from `from` within it, as convex pieces.
    fn parts(&self, cell: &[DVec2], from: DVec2) -> Vec<Vec<DVec2>> {
        if !self.bounds.contains(from) {
            return Vec::new();
        }
        let start = self.triangles.iter().position(|t| covers(t, from));
        let mut seen = vec![false; self.triangles.len()];
        let mut parts = Vec::new();
        let mut queue: Vec<usize> = start.into_iter().collect();
        while let Some(index) = queue.pop() {
            if std::mem::replace(&mut seen[index], true) {
                continue;
            }
            let triangle = &self.triangles[index];
            let part = clipped(cell, triangle);
            if part.len() < 3 {
                continue;
            }
            for (side, next) in self.neighbours[index].iter().enumerate() {
                let (a, b) = (triangle[side], triangle[(side + 1) % 3]);
                if *next != usize::MAX && crosses(cell, a, b) {
                    queue.push(*next);
                }
            }
            parts.push(part);
        }
        parts
    }
}

fn covers(ring: &[DVec2], p: DVec2) -> bool {
    (0..ring.len()).all(|i| {
        let (a, b) = (ring[i], ring[(i + 1) % ring.len()]);
        (b - a).perp_dot(p - a) >= -1e-12
    })
}

/// Whether a segment has a piece within a convex polygon.
fn crosses(cell: &[DVec2], a: DVec2, b: DVec2) -> bool {
    let (mut low, mut high) = (0.0_f64, 1.0_f64);
    let along = b - a;
    for i in 0..cell.len() {
        let (from, to) = (cell[i], cell[(i + 1) % cell.len()]);
        let side = to - from;
        let (at, change) = (side.perp_dot(a - from), side.perp_dot(along));
        if change == 0.0 {
            if at < 0.0 {
                return false;
            }
        } else if change > 0.0 {
            low = low.max(-at / change);
        } else {
            high = high.min(-at / change);
        }
    }
    high - low > 1e-12
}

/// A convex polygon within another (Sutherland and Hodgman 1974); both counter-clockwise.
fn clipped(subject: &[DVec2], by: &[DVec2]) -> Vec<DVec2> {
    let mut ring = subject.to_vec();
    for i in 0..by.len() {
        let (a, b) = (by[i], by[(i + 1) % by.len()]);
        clip(&mut ring, a, (b - a).perp());
        if ring.is_empty() {
            break;
        }
    }
    ring
}

/// Keeps what is on the side of a line that `inward` points to.
fn clip(ring: &mut Vec<DVec2>, on: DVec2, inward: DVec2) {
    let depth = |p: DVec2| (p - on).dot(inward);
    let mut kept = Vec::with_capacity(ring.len() + 1);
    for i in 0..ring.len() {
        let (p, q) = (ring[i], ring[(i + 1) % ring.len()]);
        let (s, t) = (depth(p), depth(q));
        if s >= 0.0 {
            kept.push(p);
        }
        if (s > 0.0 && t < 0.0) || (s < 0.0 && t > 0.0) {
            kept.push(p.lerp(q, s / (s - t)));
        }
    }
    *ring = kept;
}

fn area_of(ring: &[DVec2]) -> f64 {
    let Some(&origin) = ring.first() else {
        return 0.0;
    };
    let twice: f64 = ring
        .windows(2)
        .map(|pair| (pair[0] - origin).perp_dot(pair[1] - origin))
        .sum();
    0.5 * twice
}

/// The cells of those within a part of the plan, cut at walls, in convex pieces; in the order of
/// `frame`. Others limit the cells, too.
#[must_use]
pub fn cells_of(
    frame: &[Position],
    walkable: &Walkable,
    cut_off: Option<CutOff>,
    within: Option<Rect>,
) -> Vec<Vec<Vec<DVec2>>> {
    let tree: RTree<GeomWithData<[f64; 2], usize>> = RTree::bulk_load(
        frame
            .iter()
            .enumerate()
            .map(|(i, position)| GeomWithData::new(position.at.to_array(), i))
            .collect(),
    );
    frame
        .iter()
        .enumerate()
        .filter(|(_, me)| within.is_none_or(|part| part.contains(me.at)))
        .map(|(index, me)| {
            let mut cell = match cut_off {
                Some(cut_off) => circle(me.at, cut_off),
                None => walkable.bounds.corners().to_vec(),
            };
            // Nearest first: those beyond twice the farthest corner cut nothing off.
            for other in tree.nearest_neighbor_iter(me.at.to_array()) {
                if other.data == index {
                    continue;
                }
                let at = DVec2::from(*other.geom());
                let apart = at.distance(me.at);
                let farthest = cell.iter().map(|p| p.distance(me.at)).fold(0.0, f64::max);
                if apart > 2.0 * farthest {
                    break;
                }
                if apart > 0.0 {
                    clip(&mut cell, me.at.midpoint(at), me.at - at);
                }
            }
            walkable.parts(&cell, me.at)
        })
        .collect()
}

/// A regular polygon on a circle, with a corner on each axis.
fn circle(centre: DVec2, cut_off: CutOff) -> Vec<DVec2> {
    let sides = 4 * cut_off.quarter.max(1);
    (0..sides)
        .map(|i| {
            let angle = std::f64::consts::TAU * i as f64 / sides as f64;
            centre + DVec2::from_angle(angle) * cut_off.radius
        })
        .collect()
}

/// Share of cells within a convex area, by its size. Unit: 1/m².
#[must_use]
pub fn voronoi_density(cells: &[Vec<Vec<DVec2>>], area: &[DVec2]) -> f64 {
    let people: f64 = cells
        .iter()
        .map(|parts| {
            let whole: f64 = parts.iter().map(|part| area_of(part)).sum();
            let inside: f64 = parts.iter().map(|part| area_of(&clipped(part, area))).sum();
            if whole > 0.0 { inside / whole } else { 0.0 }
        })
        .sum();
    people / area_of(area).abs().max(f64::MIN_POSITIVE)
}
