//! The typeface of pictures, the same as the window's: it travels with the program, so that a
//! picture looks the same on every machine.

use glam::DVec2;
use skrifa::{FontRef, MetadataProvider, instance::LocationRef, prelude::Size};

pub const FAMILY: &str = "Ubuntu";
pub const BYTES: &[u8] = epaint_default_fonts::UBUNTU_LIGHT;
/// Height of a line of text as a share of its size.
const LINE_HEIGHT: f64 = 1.15;
/// Advance of a character that the typeface does not have, as a share of the size.
const FALLBACK_ADVANCE: f64 = 0.6;

/// Width and height of one line of text. Unit: that of `size`.
#[must_use]
pub fn measure(text: &str, size: f64) -> DVec2 {
    let fallback = FALLBACK_ADVANCE * size;
    let width = match FontRef::new(BYTES) {
        Ok(font) => {
            let metrics = font.glyph_metrics(Size::new(size as f32), LocationRef::default());
            let map = font.charmap();
            text.chars()
                .map(|c| {
                    map.map(c)
                        .and_then(|glyph| metrics.advance_width(glyph))
                        .map_or(fallback, f64::from)
                })
                .sum()
        }
        Err(_) => text.chars().count() as f64 * fallback,
    };
    DVec2::new(width, size * LINE_HEIGHT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_those_of_the_typeface() {
        assert!(measure("WWW", 12.0).x > 2.0 * measure("iii", 12.0).x);
        let one = measure("Gate house", 12.0);
        let double = measure("Gate house", 24.0);
        assert!((double.x - 2.0 * one.x).abs() < 0.1);
        assert!((45.0..75.0).contains(&one.x), "{one}");
        assert!(measure("門", 10.0).x > 0.0);
        assert_eq!(measure("", 12.0).x, 0.0);
    }
}
