//! Samples pieces of the medial axis.
//!
//! Between two walls a piece is straight and clearance is linear; between two corners it is
//! straight, but clearance is a hyperbola; between a corner and a wall it is a parabola. There is
//! always a sample at the minimum of clearance, so clearance is monotonic between samples and
//! testing the samples tells whether a disc fits.

use crate::geometry::voronoi::{Site, SitePart};
use glam::DVec2;

/// Largest distance between a parabolic arc and its chords, and between clearance and what is
/// interpolated. Unit: metres.
pub const MAX_SAG: f64 = 0.01;

/// The sag is also limited to this fraction of the least clearance on the piece, so that the chords
/// of very narrow passages stay between their walls.
const SAG_SHARE: f64 = 0.1;

/// Maximum bisection depth of one piece; some 60,000 chords.
const MAX_DEPTH: u32 = 16;

/// Appends points strictly between `from` and `to`, in this order. The sites' indices refer to
/// `segments`.
pub(super) fn between(
    segments: &[[DVec2; 2]],
    sites: [Site; 2],
    from: DVec2,
    to: DVec2,
    out: &mut Vec<DVec2>,
) {
    let is_wall = sites.map(|site| site.part == SitePart::Inside);
    match is_wall {
        [true, true] => {}
        [false, false] => {
            let [p, q] = sites.map(|site| site.closest(segments, from));
            Hyperbola::new(p, q, from, to).sample(out);
        }
        [true, false] | [false, true] => {
            if let Some(parabola) = Parabola::between(segments, sites, from, to) {
                parabola.sample(out);
            }
        }
    }
}

/// Where a piece reverses in x or y between its ends: together with them, what its bounds are
/// spanned by.
pub(super) fn turns(
    segments: &[[DVec2; 2]],
    sites: [Site; 2],
    from: DVec2,
    to: DVec2,
) -> impl Iterator<Item = DVec2> {
    let parabola = Parabola::between(segments, sites, from, to);
    parabola.into_iter().flat_map(Parabola::turns)
}

/// Clearance along a straight piece between two corners.
struct Hyperbola {
    from: DVec2,
    along: DVec2,
    length: f64,
    /// Arc length from `from` at which the corners are nearest.
    waist: f64,
    /// Half the distance between the corners.
    least: f64,
}

impl Hyperbola {
    fn new(p: DVec2, q: DVec2, from: DVec2, to: DVec2) -> Self {
        let along = (to - from).normalize_or_zero();
        Self {
            from,
            along,
            length: from.distance(to),
            waist: (p.midpoint(q) - from).dot(along),
            least: p.distance(q) * 0.5,
        }
    }

    fn clearance(&self, s: f64) -> f64 {
        self.least.hypot(s - self.waist)
    }

    fn sample(&self, out: &mut Vec<DVec2>) {
        let sag = MAX_SAG.min(SAG_SHARE * self.least);
        let is_fine = |a: f64, b: f64| {
            let mean = 0.5 * (self.clearance(a) + self.clearance(b));
            mean - self.clearance(0.5 * (a + b)) <= sag
        };
        let place = |s: f64| self.from + self.along * s;
        halved_around(self.waist, 0.0, self.length, &is_fine, &mut |s| {
            out.push(place(s));
        });
    }
}

/// Points equidistant from a corner and a wall; `u` runs along the wall from the corner's
/// projection.
struct Parabola {
    foot: DVec2,
    along: DVec2,
    up: DVec2,
    /// Distance of the corner from the wall.
    height: f64,
    range: [f64; 2],
}

impl Parabola {
    /// `None` if the piece is not between a corner and a wall, or is straight nevertheless.
    fn between(segments: &[[DVec2; 2]], sites: [Site; 2], from: DVec2, to: DVec2) -> Option<Self> {
        let (wall, corner) = match sites.map(|site| site.part == SitePart::Inside) {
            [true, false] => (sites[0], sites[1]),
            [false, true] => (sites[1], sites[0]),
            _ => return None,
        };
        let focus = corner.closest(segments, from);
        Self::new(focus, segments[wall.segment as usize], from, to)
    }

    fn place(&self, u: f64) -> DVec2 {
        let h = self.height;
        self.foot + self.along * u + self.up * ((u * u + h * h) / (2.0 * h))
    }

    fn turns(self) -> impl Iterator<Item = DVec2> {
        let slopes = [(self.along.x, self.up.x), (self.along.y, self.up.y)];
        slopes.into_iter().filter_map(move |(along, up)| {
            let u = -along * self.height / up;
            let is_between = (u - self.range[0]) * (u - self.range[1]) < 0.0;
            is_between.then(|| self.place(u))
        })
    }

    /// `None` if the corner lies on the wall's line: the piece is straight.
    fn new(focus: DVec2, [a, b]: [DVec2; 2], from: DVec2, to: DVec2) -> Option<Self> {
        let along = (b - a).try_normalize()?;
        let foot = a + along * (focus - a).dot(along);
        let height = foot.distance(focus);
        let up = (focus - foot).try_normalize()?;
        Some(Self {
            foot,
            along,
            up,
            height,
            range: [from, to].map(|p| (p - foot).dot(along)),
        })
    }

    fn sample(&self, out: &mut Vec<DVec2>) {
        let h = self.height;
        let sag = MAX_SAG.min(SAG_SHARE * 0.5 * h);
        // The arc deviates from its chord by Δu²/8h upwards; the chord is as steep as its middle.
        let is_fine = |a: f64, b: f64| (b - a) * (b - a) <= 8.0 * sag * h.hypot(0.5 * (a + b));
        halved_around(0.0, self.range[0], self.range[1], &is_fine, &mut |u| {
            out.push(self.place(u));
        });
    }
}

/// Visits values strictly between `from` and `to`: `turn`, if it lies there, and bisections of
/// either part until each step is fine.
fn halved_around(
    turn: f64,
    from: f64,
    to: f64,
    is_fine: &impl Fn(f64, f64) -> bool,
    visit: &mut impl FnMut(f64),
) {
    if (turn - from) * (turn - to) < 0.0 {
        halved(from, turn, 0, is_fine, visit);
        visit(turn);
        halved(turn, to, 0, is_fine, visit);
    } else {
        halved(from, to, 0, is_fine, visit);
    }
}

fn halved(
    from: f64,
    to: f64,
    depth: u32,
    is_fine: &impl Fn(f64, f64) -> bool,
    visit: &mut impl FnMut(f64),
) {
    if depth >= MAX_DEPTH || is_fine(from, to) {
        return;
    }
    let middle = 0.5 * (from + to);
    halved(from, middle, depth + 1, is_fine, visit);
    visit(middle);
    halved(middle, to, depth + 1, is_fine, visit);
}
