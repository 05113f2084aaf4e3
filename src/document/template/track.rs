//! Coordinates along and beside a winding line.

use super::shape::Frame;
use glam::DVec2;

/// A line parameterised by arc length.
#[derive(Clone, Debug)]
pub(super) struct Track<'a> {
    line: &'a [DVec2],
}

impl<'a> Track<'a> {
    pub(super) const fn new(line: &'a [DVec2]) -> Self {
        Self { line }
    }

    /// A frame at arc length `along`: `u` forwards, `v` to the left; extrapolates the last segment
    /// beyond the end.
    pub(super) fn frame(&self, along: f64) -> Frame {
        let mut left = along;
        let mut frame = Frame::towards(DVec2::ZERO, DVec2::X);
        for (i, pair) in self.line.windows(2).enumerate() {
            let length = pair[0].distance(pair[1]);
            frame = Frame::towards(pair[0], pair[1]).moved(left);
            if left <= length || i + 2 == self.line.len() {
                break;
            }
            left -= length;
        }
        frame
    }

    /// The point at arc length `along`, `left` metres to the left.
    pub(super) fn beside(&self, along: f64, left: f64) -> DVec2 {
        self.frame(along).at(0.0, left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_go_round_bends() {
        let line = [DVec2::ZERO, DVec2::new(10.0, 0.0), DVec2::new(10.0, 10.0)];
        let track = Track::new(&line);
        let near = |p: DVec2, x: f64, y: f64| p.distance(DVec2::new(x, y)) < 1e-9;
        assert!(near(track.beside(4.0, 2.0), 4.0, 2.0));
        assert!(near(track.beside(13.0, 2.0), 8.0, 3.0));
        assert!(near(track.beside(25.0, 0.0), 10.0, 15.0));
    }
}
