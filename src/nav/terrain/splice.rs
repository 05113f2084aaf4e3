//! Incremental triangulation: rebuilds the triangles near a small change and keeps all others.
//!
//! The triangles near the change are removed, which leaves a cavity whose rim consists of triangle
//! sides. The edges inside, minus the removed and plus the added ones, are split and triangulated
//! separately. Sides across the rim are then flipped until they are Delaunay again, so the
//! triangles equal those of a triangulation from scratch, up to ties and the rounding of crossings.

use super::arrangement::{Segment, key, ordered, planar};
use super::build::{for_edges_within, triangulated};
use super::cavity::Cavity;
use super::change::Change;
use super::hot_pixel::passes;
use super::input::TerrainInput;
use super::locate::Buckets;
use super::mesh::{BLOCKED, NONE, TerrainMesh, Triangle};
use super::paint::Painter;
use crate::geometry::{Rect, lattice::LATTICE};
use std::collections::{BTreeMap, BTreeSet};

/// Rounding may move an edge across the rim; then the cavity grows, at most this often.
const MAX_ROUNDS: usize = 16;

/// A lattice point as a key.
type GridPoint = [i64; 2];

/// A side of the rim, with the cavity on its left.
#[derive(Clone, Copy, Debug)]
struct Seam {
    /// The triangle on its right, which stays, and which of its sides this is.
    outer: u32,
    outer_side: usize,
    /// Whether it is a constraint edge.
    is_border: bool,
}

/// Edges that a side may be part of.
struct Edges(Vec<Segment>);

impl Edges {
    fn covers(&self, [a, b]: Segment) -> bool {
        self.0.iter().any(|&[from, to]| {
            let scope = Rect::spanning(from, to).expanded(1.0);
            scope.contains(a) && scope.contains(b) && passes([from, to], a) && passes([from, to], b)
        })
    }
}

/// Edges of a drawing near a rectangle of the lattice.
fn edges_near(input: &TerrainInput, scope: Rect) -> Vec<Segment> {
    let is_near = |place: &Rect| scope.overlaps(place);
    let mut edges = Vec::new();
    for area in input.areas() {
        let extent = Rect::of_points(area.points());
        let extent = Rect::new(extent.min / LATTICE, extent.max / LATTICE).expanded(1.0);
        if is_near(&extent) {
            for_edges_within(area, input.bounds, |edge| {
                if is_near(&Rect::spanning(edge[0], edge[1]).expanded(1.0)) {
                    edges.push(edge);
                }
            });
        }
    }
    edges
}

impl TerrainMesh {
    /// The mesh after a change; `None` if more than `most` triangles would have to be removed, or
    /// if the result is inconsistent. With how many triangles were made.
    pub(super) fn spliced(
        &self,
        change: &Change,
        input: &TerrainInput,
        most: usize,
    ) -> Option<(Self, usize)> {
        if self.is_empty() {
            return None;
        }
        if change.scopes.is_empty() {
            return Some((self.clone(), 0));
        }
        let mut cavity = Cavity::new(self, &change.scopes, most)?;
        let removed = Edges(change.removed.clone());
        let added = Edges(change.added.clone());
        let current = if removed.0.is_empty() {
            Edges(Vec::new())
        } else {
            Edges(edges_near(input, self.extent(&cavity.triangles)))
        };
        let stays = |ends: Segment| !removed.covers(ends) || current.covers(ends);
        for _ in 0..MAX_ROUNDS {
            let mut edges = change.added.clone();
            let mut rim = Vec::new();
            for (ends, is_border, beyond) in cavity.sides() {
                let is_kept = beyond == NONE || (is_border && stays(ends));
                let is_seam = beyond != NONE && !cavity.has(beyond);
                if is_seam {
                    rim.push((ends, is_kept || added.covers(ends), beyond));
                }
                if is_kept || is_seam {
                    edges.push(ends);
                }
            }
            let pieces = planar(edges);
            let is_from_scratch = |ends: Segment| {
                let ends = ordered(ends).map(|ends| ends.map(key));
                pieces
                    .binary_search_by_key(&ends, |piece| Some(piece.map(key)))
                    .is_ok()
            };
            let mut is_torn = false;
            for (ends, _, beyond) in &rim {
                if !is_from_scratch(*ends) {
                    is_torn = true;
                    cavity.take(*beyond);
                }
            }
            if is_torn {
                continue;
            }
            if rim.is_empty() {
                return None;
            }
            return self.filled(&cavity, &rim, &pieces, change, input);
        }
        None
    }

    /// The bounds of some triangles. Unit: lattice steps.
    fn extent(&self, triangles: &[u32]) -> Rect {
        triangles.iter().fold(Rect::EMPTY, |sum, index| {
            sum.union(&Rect::of_points(&self.corners(*index)))
        })
    }

    /// The cavity filled with triangles between pieces of edges.
    fn filled(
        &self,
        cavity: &Cavity<'_>,
        rim: &[(Segment, bool, u32)],
        pieces: &[Segment],
        change: &Change,
        input: &TerrainInput,
    ) -> Option<(Self, usize)> {
        let mut seams: BTreeMap<[GridPoint; 2], Seam> = BTreeMap::new();
        for (ends, is_border, outer) in rim {
            let corners = self.corners(*outer);
            let outer_side =
                (0..3).find(|&i| corners[i] == ends[1] && corners[(i + 1) % 3] == ends[0])?;
            let seam = Seam {
                outer: *outer,
                outer_side,
                is_border: *is_border,
            };
            seams.insert(ends.map(key), seam);
        }
        let patch = triangulated(pieces);
        let inside = inside(&patch, &seams);
        let mut mesh = self.clone();
        let slots = mesh.make_room(cavity, inside.len())?;
        // The patch's corners as mesh indices.
        let mut corners: BTreeMap<GridPoint, u32> = BTreeMap::new();
        for &index in &cavity.triangles {
            for corner in self.triangles[index as usize].corners {
                corners.insert(key(self.points[corner as usize]), corner);
            }
        }
        let mut slot_of = vec![NONE; patch.len()];
        for (&local, &slot) in inside.iter().zip(&slots.fresh) {
            slot_of[local as usize] = slot;
        }
        let mut seam_sides = Vec::with_capacity(seams.len());
        for (&local, &slot) in inside.iter().zip(&slots.fresh) {
            let triangle = &patch.triangles[local as usize];
            let places = patch.corners(local);
            let numbers = places.map(|p| {
                *corners.entry(key(p)).or_insert_with(|| {
                    mesh.points.push(p);
                    mesh.points.len() as u32 - 1
                })
            });
            let mut made = Triangle {
                corners: numbers,
                beside: [NONE; 3],
                kind: BLOCKED,
            };
            let mut is_border = patch.is_border[local as usize];
            for i in 0..3 {
                let ends = [places[i], places[(i + 1) % 3]].map(key);
                if let Some(seam) = seams.get(&ends) {
                    let outer = slots.moved.get(&seam.outer).copied().unwrap_or(seam.outer);
                    made.beside[i] = outer;
                    is_border[i] = seam.is_border;
                    mesh.triangles[outer as usize].beside[seam.outer_side] = slot;
                    mesh.is_border[outer as usize][seam.outer_side] = seam.is_border;
                    seam_sides.push((slot, i));
                } else if triangle.beside[i] != NONE {
                    made.beside[i] = slot_of[triangle.beside[i] as usize];
                }
            }
            mesh.triangles[slot as usize] = made;
            mesh.is_border[slot as usize] = is_border;
        }
        if seam_sides.len() != seams.len() {
            return None;
        }
        let extent = mesh.extent(&slots.fresh);
        let extent = Rect::new(extent.min * LATTICE, extent.max * LATTICE);
        mesh.paint(&Painter::new(input, &[extent]), &slots.fresh);
        mesh.flip_to_delaunay(seam_sides);
        mesh.find_sole_kind();
        mesh.buckets = Buckets::new(&mesh);
        if change.moves_walls {
            mesh.raise_walls();
        }
        Some((mesh, slots.fresh.len()))
    }

    /// Makes room for `count` triangles in place of the cavity's. Surplus slots are filled with the
    /// last triangles of the mesh.
    fn make_room(&mut self, cavity: &Cavity<'_>, count: usize) -> Option<Slots> {
        let mut free = cavity.triangles.clone();
        free.sort_unstable();
        let mut slots = Slots {
            fresh: Vec::with_capacity(count),
            moved: BTreeMap::new(),
        };
        let taken = free.len().min(count);
        slots.fresh.extend_from_slice(&free[..taken]);
        for _ in taken..count {
            slots.fresh.push(self.triangles.len() as u32);
            self.triangles.push(self.triangles[0]);
            self.is_border.push([false; 3]);
        }
        let mut holes: BTreeSet<u32> = free[taken..].iter().copied().collect();
        while !holes.is_empty() {
            let last = self.triangles.len() as u32 - 1;
            let moved = self.triangles.pop()?;
            let is_border = self.is_border.pop()?;
            if holes.remove(&last) {
                continue;
            }
            let hole = holes.pop_first()?;
            self.triangles[hole as usize] = moved;
            self.is_border[hole as usize] = is_border;
            for beside in moved.beside.into_iter().filter(|beside| *beside != NONE) {
                // Neighbours in the cavity are removed or rewritten.
                let Some(neighbour) = self.triangles.get_mut(beside as usize) else {
                    continue;
                };
                for back in neighbour.beside.iter_mut().filter(|back| **back == last) {
                    *back = hole;
                }
            }
            if let Some(slot) = slots.fresh.iter_mut().find(|slot| **slot == last) {
                *slot = hole;
            } else {
                slots.moved.insert(last, hole);
            }
        }
        Some(slots)
    }
}

/// Where new triangles go, and which old ones were moved.
struct Slots {
    fresh: Vec<u32>,
    moved: BTreeMap<u32, u32>,
}

/// Triangles of a patch on the left of its seams.
fn inside(patch: &TerrainMesh, seams: &BTreeMap<[GridPoint; 2], Seam>) -> Vec<u32> {
    let ends = |index: u32, i: usize| {
        let corners = patch.corners(index);
        [corners[i], corners[(i + 1) % 3]].map(key)
    };
    let is_seam = |index: u32, i: usize| seams.contains_key(&ends(index, i));
    let mut is_inside = vec![false; patch.len()];
    let mut front: Vec<u32> = (0..patch.len() as u32)
        .filter(|&index| (0..3).any(|i| is_seam(index, i)))
        .collect();
    while let Some(here) = front.pop() {
        if std::mem::replace(&mut is_inside[here as usize], true) {
            continue;
        }
        for (i, beside) in patch.triangles[here as usize]
            .beside
            .into_iter()
            .enumerate()
        {
            if beside != NONE && !is_seam(here, i) {
                front.push(beside);
            }
        }
    }
    (0..patch.len() as u32)
        .filter(|index| is_inside[*index as usize])
        .collect()
}
