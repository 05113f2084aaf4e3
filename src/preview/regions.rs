//! Colours of Voronoi regions and distances, for pictures that are made pixel by pixel.
//!
//! The window's graphics card does the same in a shader; the two must look alike.

use super::style::Look;
use crate::base::{Colour, EntityId};
use crate::document::Level;
use crate::geometry::Polygon;
use crate::nav::free_space::HEAD_ROOM;
use glam::DVec2;

/// The number of the level's border; as a colour it is told apart from "nothing".
const BORDER: u32 = 0x00ff_fffe;

/// Pieces of outline of all that blocks, each with the number of what it belongs to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RegionSites {
    pub outlines: Vec<(Polygon, u32)>,
}

/// The number that a region is coloured by: the same for an obstacle as long as it exists.
const fn number_of(id: EntityId) -> u32 {
    (id.number() & 0x00ff_ffff) as u32
}

impl RegionSites {
    /// Everything that blocks the plan, and the level's border.
    #[must_use]
    pub fn of_level(level: &Level) -> Self {
        let blockers = level
            .obstacles()
            .filter(|(_, _, obstacle)| obstacle.base < HEAD_ROOM)
            .map(|(id, _, obstacle)| (obstacle.area.clone(), number_of(id)));
        let border = (Polygon::rect(level.settings().bounds), BORDER);
        Self {
            outlines: blockers.chain([border]).collect(),
        }
    }

    /// Finite pieces with the numbers of their obstacles.
    #[must_use]
    pub fn segments(&self) -> (Vec<[DVec2; 2]>, Vec<u32>) {
        let edges = self.outlines.iter().flat_map(|(outline, number)| {
            outline
                .edges()
                .filter(|(a, b)| a.is_finite() && b.is_finite())
                .map(move |(a, b)| ([a, b], *number))
        });
        edges.unzip()
    }
}

/// What is shown of regions and distances, and how.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RegionStyle {
    pub look: Look,
    pub regions: bool,
    pub distances: bool,
    /// Between lines of equal distance. Unit: metres.
    pub spacing: f64,
}

/// Lines of equal distance are at least so far apart. Unit: points.
const LEAST_SPACING: f64 = 14.0;

impl RegionStyle {
    /// A round distance between lines for a scale in points per metre.
    #[must_use]
    pub fn spacing_for(points_per_metre: f64) -> f64 {
        let least = LEAST_SPACING / points_per_metre.max(1e-9);
        let power = 10.0_f64.powf(least.log10().floor());
        [1.0, 2.0, 5.0, 10.0]
            .map(|step| step * power)
            .into_iter()
            .find(|spacing| *spacing >= least)
            .unwrap_or(10.0 * power)
    }

    /// Ink of lines of equal distance and of what is near a wall.
    #[must_use]
    pub const fn near(&self) -> Colour {
        self.look.palette().portal
    }

    /// Colour of a region, premultiplied with its opacity; from 0 to 1.
    #[must_use]
    pub fn ink(&self, number: u32, is_border: bool, metres: f64, pixel: f64) -> [f64; 4] {
        let is_light = self.look == Look::Light;
        let mut sum = [0.0; 4];
        if self.regions {
            let (colour, strength) = if is_border {
                ([if is_light { 0.08 } else { 1.0 }; 3], 0.6)
            } else {
                (region(number), if is_light { 0.36 } else { 0.30 })
            };
            sum = premultiplied(colour, strength);
        }
        if self.distances {
            let close = (-metres / (2.0 * self.spacing)).exp();
            let off = ((metres / self.spacing + 0.5).fract() - 0.5).abs() * self.spacing / pixel;
            let line = if metres > 0.5 * self.spacing {
                1.0 - smooth_step(0.5, 1.3, off)
            } else {
                0.0
            };
            let strength = 0.55 * close.max(line);
            let Colour { r, g, b } = self.near();
            let over = premultiplied([r, g, b].map(|lane| f64::from(lane) / 255.0), strength);
            sum = std::array::from_fn(|i| over[i] + sum[i] * (1.0 - strength));
        }
        sum
    }
}

fn premultiplied([r, g, b]: [f64; 3], alpha: f64) -> [f64; 4] {
    [r * alpha, g * alpha, b * alpha, alpha]
}

fn smooth_step(from: f64, to: f64, at: f64) -> f64 {
    let t = ((at - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Neighbouring numbers get colours far apart; the same number always the same one.
fn region(number: u32) -> [f64; 3] {
    let number = f64::from(number);
    let turn = (number * 0.618_033_988_7).fract();
    let shade = (number * 0.754_877_666_2).fract();
    let full = [0.0, 2.0 / 3.0, 1.0 / 3.0].map(|lane: f64| {
        let around = (turn + lane).fract() * 6.0 - 3.0;
        (around.abs() - 1.0).clamp(0.0, 1.0)
    });
    let grey = full[0] * 0.299 + full[1] * 0.587 + full[2] * 0.114;
    full.map(|lane| {
        let even = lane * 0.75 + grey * 0.25 + (0.5 - grey) * 0.55;
        (even * (0.8 + 0.35 * shade)).clamp(0.0, 1.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_distance_are_round_and_far_enough_apart() {
        for scale in [1e-4, 0.3, 1.0, 7.0, 96.0, 5_000.0] {
            let spacing = RegionStyle::spacing_for(scale);
            let apart = spacing * scale;
            assert!(
                (LEAST_SPACING..LEAST_SPACING * 2.6).contains(&apart),
                "{scale}: {apart}"
            );
        }
        assert!(RegionStyle::spacing_for(0.0).is_finite());
    }

    #[test]
    fn regions_keep_their_colour_and_neighbours_differ() {
        for number in 0..200 {
            assert_eq!(region(number), region(number));
            let (a, b) = (region(number), region(number + 1));
            let apart: f64 = a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum();
            assert!(apart > 0.2, "{number}");
        }
    }
}
