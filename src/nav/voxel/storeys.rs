//! Storeys: heights at which much of a level is standable, one above the other.

use super::footing::Footing;
use super::surface::{SurfaceCells, SurfaceId};
use std::collections::BTreeMap;

/// Floors closer than this are one storey. Unit: metres.
const LEAST: f64 = 1.8;

/// Minimum size of a floor, as a fraction of the largest one above the ground.
const SHARE: f64 = 0.25;

/// Surfaces up to this much below a floor belong to it: thresholds, sunken corners. Unit: metres.
const MARGIN: f64 = 0.3;

/// One floor and what is reached from it at about its height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Storey {
    /// The height of most of it. Unit: metres.
    pub floor: f64,
    /// Everything between these heights belongs to it. Unit: metres.
    pub low: f64,
    pub high: f64,
}

impl Storey {
    /// All heights.
    pub const ALL: Self = Self {
        floor: 0.0,
        low: f64::NEG_INFINITY,
        high: f64::INFINITY,
    };

    #[must_use]
    pub fn contains(&self, z: f64) -> bool {
        z >= self.low && z < self.high
    }
}

/// The storeys of a level from the bottom up; one if nothing is above anything else. A hill is not
/// a storey: only floors with another one beneath count.
#[must_use]
pub fn storeys(surfaces: &SurfaceCells, footing: &Footing) -> Vec<Storey> {
    let (mut ground, mut above) = (BTreeMap::<u16, usize>::new(), BTreeMap::<u16, usize>::new());
    let layers = (LEAST / surfaces.frame.layer).ceil() as u16;
    let mut before: Option<(u16, u16, u16)> = None;
    for id in surfaces.ids().filter(|id| footing.is_standable(*id)) {
        let cell = &surfaces.cells()[id.index()];
        // Cells of a column are consecutive, lowest first.
        let lowest = before.filter(|(x, y, _)| (*x, *y) == (cell.x, cell.y));
        match lowest {
            Some((.., lowest)) if cell.layer >= lowest.saturating_add(layers) => {
                *above.entry(cell.layer).or_default() += 1;
            }
            Some(_) => {}
            None => {
                *ground.entry(cell.layer).or_default() += 1;
                before = Some((cell.x, cell.y, cell.layer));
            }
        }
    }
    let most = |counts: &BTreeMap<u16, usize>| {
        let by_count = |a: &(&u16, &usize), b: &(&u16, &usize)| a.1.cmp(b.1).then(b.0.cmp(a.0));
        counts.iter().max_by(by_count).map(|(layer, _)| *layer)
    };
    let Some(base) = most(&ground) else {
        return vec![Storey::ALL];
    };
    // A floor may straddle two layers.
    let weight = |layer: u16| -> usize {
        let near = layer.saturating_sub(1)..=layer.saturating_add(1);
        above.range(near).map(|(_, count)| count).sum()
    };
    let mut candidates: Vec<(usize, u16)> = above.keys().map(|l| (weight(*l), *l)).collect();
    candidates.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    let largest = candidates.first().map_or(0, |(count, _)| *count);
    let mut floors = vec![base];
    for (count, layer) in candidates {
        let is_apart = floors.iter().all(|floor| floor.abs_diff(layer) >= layers);
        if is_apart && count as f64 >= SHARE * largest as f64 && layer > base {
            floors.push(layer);
        }
    }
    floors.sort_unstable();
    let height = |layer: u16| mean_height(surfaces, footing, layer);
    let heights: Vec<f64> = floors.into_iter().map(height).collect();
    (0..heights.len())
        .map(|i| Storey {
            floor: heights[i],
            low: if i == 0 {
                f64::NEG_INFINITY
            } else {
                heights[i] - MARGIN
            },
            high: heights.get(i + 1).map_or(f64::INFINITY, |z| z - MARGIN),
        })
        .collect()
}

/// Average height of the surfaces in a layer. Unit: metres.
fn mean_height(surfaces: &SurfaceCells, footing: &Footing, layer: u16) -> f64 {
    let standing = |id: &SurfaceId| footing.is_standable(*id);
    let (mut sum, mut count) = (0.0, 0_usize);
    for id in surfaces.ids().filter(standing) {
        if surfaces.cells()[id.index()].layer == layer {
            sum += surfaces.point(id).z;
            count += 1;
        }
    }
    sum / count.max(1) as f64
}
