//! Who crosses a line, and when.

use super::people::Frames;
use crate::sim::world::AgentIndex;
use glam::DVec2;

/// The first crossing of a line by one person.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    pub id: AgentIndex,
    /// The first frame on the other side, counted from the first.
    pub frame: usize,
    /// Unit: m/s.
    pub speed: f64,
    /// From the left of the line, looking along it, to its right.
    pub is_rightwards: bool,
}

/// The first crossing of each person, ordered by time. A step that ends exactly on the line does not
/// cross it; the next one, which begins there, does.
#[must_use]
pub fn crossings(frames: &Frames, line: [DVec2; 2]) -> Vec<Crossing> {
    let mut found: Vec<Crossing> = frames
        .tracks()
        .into_iter()
        .filter_map(|(id, track)| {
            track.windows(2).find_map(|pair| {
                let [(before, a), (frame, b)] = [pair[0], pair[1]];
                // Frames in which it was not seen.
                let is_next = frame == before + 1;
                (is_next && meets(a, b, line)).then(|| Crossing {
                    id,
                    frame,
                    speed: a.distance(b) / frames.interval,
                    is_rightwards: (line[1] - line[0]).perp_dot(b - a) < 0.0,
                })
            })
        })
        .collect();
    found.sort_by_key(|crossing| (crossing.frame, crossing.id));
    found
}

/// Whether a step crosses a line.
pub(super) fn meets(a: DVec2, b: DVec2, [c, d]: [DVec2; 2]) -> bool {
    let side = |p: DVec2, q: DVec2, r: DVec2| (q - p).perp_dot(r - p);
    let (s, t) = (side(c, d, a), side(c, d, b));
    let (u, v) = (side(a, b, c), side(a, b, d));
    let changes_side = s * t < 0.0 || s == 0.0 && t != 0.0;
    changes_side && u * v <= 0.0
}

/// People per second between the first and the last crossing within some seconds; `None` with
/// fewer than two.
#[must_use]
pub fn flow(crossings: &[Crossing], interval: f64) -> Option<f64> {
    let (first, last) = (crossings.first()?, crossings.last()?);
    let secs = (last.frame - first.frame) as f64 * interval;
    (secs > 0.0).then(|| (crossings.len() - 1) as f64 / secs)
}
