//! The terrains as a texture for the ground.

use crate::document::{Kind, Level};
use crate::geometry::{Rect, polygon::ring_edges};
use crate::preview::style::Palette;
use glam::DVec2;

/// Longer side. Unit: texels.
const SIDE: f64 = 2048.0;
/// Small levels need no finer texture. Unit: texels per metre.
const FINEST: f64 = 64.0;

/// Row by row from the lower left; red, green, blue, 255.
#[derive(Clone, Debug, PartialEq)]
pub struct GroundPicture {
    pub area: Rect,
    pub size: [u32; 2],
    pub texels: Vec<u8>,
}

impl GroundPicture {
    /// Base terrain and regions from bottom to top, each in its toned colour.
    #[must_use]
    pub fn of(level: &Level, palette: &Palette) -> Self {
        let area = level.settings().bounds;
        let extent = area.size().max(DVec2::splat(1e-3));
        let scale = (SIDE / extent.max_element()).min(FINEST);
        let side = |metres: f64| (metres * scale).ceil().clamp(1.0, SIDE) as usize;
        let (width, height) = (side(extent.x), side(extent.y));
        let terrain_colour = |id| match &level.get(id)?.kind {
            Kind::Terrain(terrain) => Some(palette.terrain(terrain.colour)),
            _ => None,
        };
        let base = level.settings().base_terrain.and_then(terrain_colour);
        let base = base.unwrap_or(palette.ground);
        let mut texels = [base.r, base.g, base.b, 255].repeat(width * height);
        let per_metre = DVec2::new(width as f64, height as f64) / extent;
        for (id, _, region) in level.regions() {
            let Some(colour) = terrain_colour(region.terrain).filter(|_| level.is_visible(id))
            else {
                continue;
            };
            let edges: Vec<(DVec2, DVec2)> = region
                .area
                .rings()
                .flat_map(|ring| ring_edges(ring))
                .map(|(a, b)| ((a - area.min) * per_metre, (b - area.min) * per_metre))
                .collect();
            fill(&edges, width, height, |from, until, row| {
                for texel in
                    texels[(row * width + from) * 4..(row * width + until) * 4].chunks_exact_mut(4)
                {
                    texel.copy_from_slice(&[colour.r, colour.g, colour.b, 255]);
                }
            });
        }
        Self {
            area,
            size: [width as u32, height as u32],
            texels,
        }
    }

    /// The colour of the ground at a point.
    #[must_use]
    pub fn at(&self, p: DVec2) -> [u8; 3] {
        let share = (p - self.area.min) / self.area.size();
        let last = DVec2::new(f64::from(self.size[0]), f64::from(self.size[1])) - 1.0;
        let texel = (share * (last + 1.0)).floor().clamp(DVec2::ZERO, last);
        let at = 4 * (texel.y as usize * self.size[0] as usize + texel.x as usize);
        [self.texels[at], self.texels[at + 1], self.texels[at + 2]]
    }
}

/// Runs of texels whose centres are inside by the even–odd rule, row by row.
fn fill(
    edges: &[(DVec2, DVec2)],
    width: usize,
    height: usize,
    mut run: impl FnMut(usize, usize, usize),
) {
    let low = edges.iter().map(|e| e.0.y).fold(f64::INFINITY, f64::min);
    let high = edges
        .iter()
        .map(|e| e.0.y)
        .fold(f64::NEG_INFINITY, f64::max);
    if low > high || low.is_nan() || high.is_nan() {
        return;
    }
    let first = low.floor().clamp(0.0, height as f64) as usize;
    let last = high.ceil().clamp(0.0, height as f64) as usize;
    // Each edge is assigned to the rows it crosses, so that a row only checks its own.
    let mut crossings: Vec<Vec<f64>> = vec![Vec::new(); last.saturating_sub(first)];
    for (a, b) in edges {
        let (a, b) = if a.y <= b.y { (a, b) } else { (b, a) };
        let from = ((a.y - 0.5).ceil().max(first as f64)) as usize;
        let until = ((b.y - 0.5).ceil().min(last as f64)).max(0.0) as usize;
        for row in from..until.max(from) {
            let y = row as f64 + 0.5;
            crossings[row - first].push(a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y));
        }
    }
    for (row, mut xs) in (first..).zip(crossings) {
        xs.sort_unstable_by(f64::total_cmp);
        for pair in xs.chunks_exact(2) {
            let texel = |x: f64| (x - 0.5).ceil().clamp(0.0, width as f64) as usize;
            let (from, until) = (texel(pair[0]), texel(pair[1]));
            if from < until {
                run(from, until, row);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Polygon, hostile};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_texel_is_filled_exactly_when_its_centre_is_inside(polygon in hostile::small_polygon()) {
            let shift = DVec2::new(5.3, 4.7);
            let polygon: Polygon = polygon.map(|p| p * 0.9 + shift);
            let edges: Vec<_> = polygon.edges().collect();
            let mut filled = [false; 100];
            fill(&edges, 10, 10, |from, until, row| {
                for x in from..until {
                    filled[row * 10 + x] = true;
                }
            });
            for y in 0..10 {
                for x in 0..10 {
                    let centre = DVec2::new(f64::from(x) + 0.5, f64::from(y) + 0.5);
                    if polygon.distance_to_edge(centre) > 1e-6 {
                        let index = (y * 10 + x) as usize;
                        prop_assert_eq!(filled[index], polygon.contains(centre), "{}", centre);
                    }
                }
            }
        }
    }
}
