//! Opaque 8-bit sRGB colours, written `#rrggbb`.

use std::{fmt, str::FromStr};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Colour {
    pub r: u8,
    pub g: u8,
    pub b: u8,
}

impl Colour {
    #[must_use]
    pub const fn rgb(r: u8, g: u8, b: u8) -> Self {
        Self { r, g, b }
    }

    /// `0xrrggbb`.
    #[must_use]
    pub const fn hex(rgb: u32) -> Self {
        let [_, r, g, b] = rgb.to_be_bytes();
        Self { r, g, b }
    }

    /// Linear blend: `self` at `share` 0, `other` at 1.
    #[must_use]
    pub fn mix(self, other: Self, share: f64) -> Self {
        let lane = |a: u8, b: u8| {
            (f64::from(a) + (f64::from(b) - f64::from(a)) * share.clamp(0.0, 1.0)).round() as u8
        };
        Self::rgb(
            lane(self.r, other.r),
            lane(self.g, other.g),
            lane(self.b, other.b),
        )
    }

    /// Perceived brightness from 0 (black) to 1 (white), Rec. 709 weights on the encoded values.
    #[must_use]
    pub fn luma(self) -> f64 {
        (0.2126 * f64::from(self.r) + 0.7152 * f64::from(self.g) + 0.0722 * f64::from(self.b))
            / 255.0
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.r, self.g, self.b)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a colour; write it as #rrggbb, for example #3a7d44")]
pub struct NotAColour(pub String);

impl FromStr for Colour {
    type Err = NotAColour;

    fn from_str(text: &str) -> Result<Self, NotAColour> {
        // A missing quotation mark can turn half a file into this text; quote only its beginning.
        let refuse = || NotAColour(text.chars().take(24).filter(|c| !c.is_control()).collect());
        let digits = text.strip_prefix('#').ok_or_else(refuse)?;
        if digits.len() != 6 || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Err(refuse());
        }
        u32::from_str_radix(digits, 16)
            .map(Self::hex)
            .map_err(|_| refuse())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_that_is_no_colour_is_quoted_in_short() {
        let error = format!("#12\n{}", "x".repeat(9000))
            .parse::<Colour>()
            .expect_err("refused");
        let sentence = error.to_string();
        assert!(
            sentence.len() < 100 && !sentence.contains('\n'),
            "{sentence}"
        );
    }

    #[test]
    fn text_and_colour_round_trip() {
        let colour = Colour::rgb(58, 125, 68);
        assert_eq!(colour.to_string(), "#3a7d44");
        assert_eq!("#3a7d44".parse(), Ok(colour));
        for bad in [
            "", "3a7d44", "#3a7d4", "#3a7d4g", "#+a7d44", "#3a7d444", "#é7d44",
        ] {
            assert!(bad.parse::<Colour>().is_err(), "{bad}");
        }
    }
}
