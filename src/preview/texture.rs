//! The patterns that tell terrains apart without colour, drawn once and used by every sink: one
//! square tile each, anchored to the world, its size on the screen kept near [`TILE`].

use crate::document::Pattern;

/// Side of a tile as drawn below. Unit: pixels.
pub const TILE: f64 = 24.0;

/// The tile's strokes as SVG, in a square of [`TILE`], y down. Ink is black; `None` for plain.
#[must_use]
pub const fn tile(pattern: Pattern) -> Option<Tile> {
    Some(match pattern {
        Pattern::Plain => return None,
        Pattern::Dots => Tile {
            path: "M6 6h0M18 18h0",
            width: 2.8,
        },
        Pattern::Hatch => Tile {
            path: "M-2 14L14 -2M-2 26L26 -2M10 26L26 10",
            width: 1.3,
        },
        Pattern::CrossHatch => Tile {
            path: "M-2 14L14 -2M-2 26L26 -2M10 26L26 10M-2 10L14 26M-2 -2L26 26M10 -2L26 14",
            width: 1.1,
        },
        Pattern::Waves => Tile {
            path: "M-6 6q6 -5 12 0t12 0t12 0M-12 18q6 -5 12 0t12 0t12 0t12 0",
            width: 1.3,
        },
        Pattern::Tufts => Tile {
            path: "M6 10V4.5M6 10L2.8 6M6 10L9.2 6M18 22V16.5M18 22L14.8 18M18 22L21.2 18",
            width: 1.2,
        },
        Pattern::Bricks => Tile {
            path: "M-1 6H25M-1 18H25M6 6V18M18 -1V6M18 18V25",
            width: 1.1,
        },
    })
}

/// A stroked path with round ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tile {
    pub path: &'static str,
    /// Unit: pixels of the tile.
    pub width: f64,
}

/// The side of a tile in the world: the power of two whose size on the screen is nearest to
/// [`TILE`], so that patterns keep their place while zooming. Unit: metres.
#[must_use]
pub fn tile_metres(pixels_per_metre: f64) -> f64 {
    (TILE / pixels_per_metre).log2().round().exp2()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_keep_their_size_on_the_screen() {
        for scale in [1e-4, 0.3, 1.0, 7.0, 33.0, 5000.0] {
            let pixels = tile_metres(scale) * scale;
            assert!(
                (TILE * 0.7..TILE * 1.42).contains(&pixels),
                "{scale} {pixels}"
            );
        }
    }

    #[test]
    fn every_pattern_but_plain_has_a_tile() {
        for pattern in Pattern::ALL {
            assert_eq!(tile(pattern).is_none(), pattern == Pattern::Plain);
        }
    }
}
