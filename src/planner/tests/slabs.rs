//! Test maps from an independent construction: horizontal slabs.

use crate::geometry::{Polygon, Rect, boolean, polygon::ring_edges};
use crate::nav::CellMap;
use glam::DVec2;
use std::collections::{BTreeMap, BTreeSet};

/// Trapezoids between the edges of areas, as Seidel's, by brute force.
pub fn trapezoids(areas: &[Polygon]) -> Vec<Vec<DVec2>> {
    let edges: Vec<[DVec2; 2]> = areas
        .iter()
        .flat_map(|area| area.rings().flat_map(|ring| ring_edges(ring)))
        .filter(|(a, b)| a.y != b.y)
        .map(|(a, b)| if a.y < b.y { [a, b] } else { [b, a] })
        .collect();
    let vertices: BTreeSet<[u64; 2]> = areas
        .iter()
        .flat_map(Polygon::points)
        .map(|p| [p.x.to_bits(), p.y.to_bits()])
        .collect();
    let vertices: Vec<DVec2> = vertices
        .iter()
        .map(|[x, y]| DVec2::new(f64::from_bits(*x), f64::from_bits(*y)))
        .collect();
    let mut levels: Vec<f64> = vertices.iter().map(|p| p.y).collect();
    levels.sort_by(f64::total_cmp);
    levels.dedup();
    let at = |edge: usize, y: f64| {
        let [a, b] = edges[edge];
        if y == a.y {
            a
        } else if y == b.y {
            b
        } else {
            DVec2::new(a.x + (b.x - a.x) * ((y - a.y) / (b.y - a.y)), y)
        }
    };
    // Open trapezoids: (left edge, right edge) → bottom.
    let mut open: BTreeMap<(usize, usize), f64> = BTreeMap::new();
    let mut done: Vec<(usize, usize, f64, f64)> = Vec::new();
    for pair in levels.windows(2) {
        let (low, high) = (pair[0], pair[1]);
        let middle = (low + high) * 0.5;
        let mut crossing: Vec<usize> = (0..edges.len())
            .filter(|&e| edges[e][0].y <= low && edges[e][1].y >= high)
            .collect();
        crossing.sort_by(|&a, &b| {
            at(a, middle)
                .x
                .total_cmp(&at(b, middle).x)
                .then(at(a, high).x.total_cmp(&at(b, high).x))
        });
        let mut next = BTreeMap::new();
        for side in crossing.chunks_exact(2) {
            let key = (side[0], side[1]);
            // A corner between the two edges on this level ends the trapezoid below.
            let (left, right) = (at(key.0, low).x, at(key.1, low).x);
            let is_cut = vertices
                .iter()
                .any(|v| v.y == low && v.x >= left && v.x <= right);
            let bottom = open.remove(&key);
            match bottom {
                Some(bottom) if !is_cut => {
                    next.insert(key, bottom);
                }
                bottom => {
                    if let Some(bottom) = bottom {
                        done.push((key.0, key.1, bottom, low));
                    }
                    next.insert(key, low);
                }
            }
        }
        done.extend(open.iter().map(|(k, bottom)| (k.0, k.1, *bottom, low)));
        open = next;
    }
    let top = levels.last().copied().unwrap_or_default();
    done.extend(open.iter().map(|(k, bottom)| (k.0, k.1, *bottom, top)));
    // Every corner on a trapezoid's level becomes a corner of it.
    let mut by_level: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
    let bits = |v: f64| {
        (
            v.to_bits() ^ (((v.to_bits() as i64) >> 63) as u64 | 1 << 63),
            v,
        )
            .0
    };
    let unbits = |b: u64| f64::from_bits(if b >> 63 == 1 { b ^ (1 << 63) } else { !b });
    let mut add = |p: DVec2| {
        by_level.entry(bits(p.y)).or_default().insert(bits(p.x));
    };
    for &(left, right, low, high) in &done {
        for y in [low, high] {
            add(at(left, y));
            add(at(right, y));
        }
    }
    vertices.iter().copied().for_each(&mut add);
    let row = |y: f64, from: f64, to: f64| -> Vec<DVec2> {
        by_level[&bits(y)]
            .range(bits(from.min(to))..=bits(from.max(to)))
            .map(|&x| DVec2::new(unbits(x), y))
            .collect()
    };
    done.iter()
        .map(|&(left, right, low, high)| {
            let mut cell = row(low, at(left, low).x, at(right, low).x);
            cell.extend(row(high, at(left, high).x, at(right, high).x).iter().rev());
            cell.dedup();
            cell
        })
        .filter(|cell| cell.len() > 2)
        .collect()
}

/// The free space in `bounds` without `obstacles`, in trapezoids.
pub fn map(bounds: Rect, obstacles: &[Polygon]) -> CellMap {
    CellMap::from_polygons(&trapezoids(&free(bounds, obstacles)))
}

pub fn free(bounds: Rect, obstacles: &[Polygon]) -> Vec<Polygon> {
    boolean::difference(&[Polygon::rect(bounds)], obstacles)
}
