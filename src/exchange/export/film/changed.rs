//! What changes from one picture to the next: films store no more than that.

use crate::preview::Pixels;

/// A part of a picture. Unit: pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub x: u32,
    pub y: u32,
    pub width: u32,
    pub height: u32,
}

impl Part {
    pub const fn whole(pixels: &Pixels) -> Self {
        let [width, height] = pixels.size;
        Self {
            x: 0,
            y: 0,
            width,
            height,
        }
    }

    /// The smallest rectangle outside of which two pictures are equal; one pixel if they are equal
    /// everywhere.
    pub fn changed(before: &Pixels, after: &Pixels) -> Self {
        if before.size != after.size {
            return Self::whole(after);
        }
        let [width, height] = after.size;
        let row = |pixels: &Pixels, y: u32| {
            let at = 4 * (y * width) as usize;
            at..(at + 4 * width as usize).min(pixels.rgba.len())
        };
        let (mut x0, mut x1, mut y0, mut y1) = (width, 0, height, 0);
        for y in 0..height {
            let (a, b) = (&before.rgba[row(before, y)], &after.rgba[row(after, y)]);
            if a == b {
                continue;
            }
            y0 = y0.min(y);
            y1 = y + 1;
            let differs = |(a, b): (&[u8], &[u8])| a != b;
            let mut pairs = a.chunks_exact(4).zip(b.chunks_exact(4));
            let first = pairs.position(differs).unwrap_or(0) as u32;
            let mut pairs = a.chunks_exact(4).zip(b.chunks_exact(4));
            let last = pairs.rposition(differs).unwrap_or(0) as u32;
            x0 = x0.min(first);
            x1 = x1.max(last + 1);
        }
        if x0 >= x1 {
            return Self {
                x: 0,
                y: 0,
                width: 1,
                height: 1,
            };
        }
        Self {
            x: x0,
            y: y0,
            width: x1 - x0,
            height: y1 - y0,
        }
    }

    /// Red, green and blue of its pixels, row by row.
    pub fn rgb(self, pixels: &Pixels) -> Vec<u8> {
        let mut out = Vec::with_capacity(3 * (self.width * self.height) as usize);
        for y in self.y..self.y + self.height {
            let at = 4 * (y * pixels.size[0] + self.x) as usize;
            let row = &pixels.rgba[at..at + 4 * self.width as usize];
            for pixel in row.chunks_exact(4) {
                out.extend_from_slice(&pixel[..3]);
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pixels(marks: &[(u32, u32)]) -> Pixels {
        let mut rgba = vec![7; 4 * 10 * 6];
        for (x, y) in marks {
            rgba[4 * (y * 10 + x) as usize] = 200;
        }
        Pixels {
            size: [10, 6],
            rgba,
        }
    }

    #[test]
    fn the_part_is_as_small_as_it_can_be() {
        let none = pixels(&[]);
        let part = Part::changed(&none, &pixels(&[(2, 1), (7, 4)]));
        let (x, y, width, height) = (2, 1, 6, 4);
        assert_eq!(
            part,
            Part {
                x,
                y,
                width,
                height
            }
        );
        assert_eq!(Part::changed(&none, &none).rgb(&none), [7, 7, 7]);
        assert_eq!(part.rgb(&none).len(), 3 * 24);
    }
}
