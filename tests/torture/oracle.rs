//! Shortest paths of a disc by an own visibility graph, written apart from the program's geometry.
//!
//! Obstacles are cut into triangles, each triangle is grown by a disc with few corners, and what is
//! grown is convex: whether a line enters it is decided by clipping the line. With a disc inside the
//! real one, paths are too short; with one around it, too long. Between the two lies the truth.

use glam::DVec2;
use std::collections::BinaryHeap;

/// Corners of the discs.
const SIDES: usize = 32;

/// How deep a line may enter what is grown: rounding. Unit: metres.
const SKIN: f64 = 1e-7;

fn cross(a: DVec2, b: DVec2) -> f64 {
    a.x * b.y - a.y * b.x
}

/// Counter-clockwise.
#[derive(Debug)]
struct Convex {
    corners: Vec<DVec2>,
    low: DVec2,
    high: DVec2,
}

impl Convex {
    fn around(mut points: Vec<DVec2>) -> Self {
        points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
        let mut corners: Vec<DVec2> = Vec::new();
        for half in 0..2 {
            let least = corners.len() + 1;
            let in_order: Box<dyn Iterator<Item = &DVec2>> = if half == 0 {
                Box::new(points.iter())
            } else {
                Box::new(points.iter().rev())
            };
            for p in in_order {
                while corners.len() > least {
                    let [a, b] = [corners[corners.len() - 2], corners[corners.len() - 1]];
                    if cross(b - a, *p - a) > 1e-12 {
                        break;
                    }
                    corners.pop();
                }
                corners.push(*p);
            }
            corners.pop();
        }
        let low = corners.iter().copied().fold(DVec2::INFINITY, DVec2::min);
        let high = corners
            .iter()
            .copied()
            .fold(DVec2::NEG_INFINITY, DVec2::max);
        Self { corners, low, high }
    }

    /// How long a part of a line is inside, deeper than the skin.
    fn length_inside(&self, a: DVec2, b: DVec2) -> f64 {
        let (low, high) = (a.min(b), a.max(b));
        if low.x > self.high.x || low.y > self.high.y || high.x < self.low.x || high.y < self.low.y
        {
            return 0.0;
        }
        let (mut from, mut to) = (0.0_f64, 1.0_f64);
        for (i, p) in self.corners.iter().enumerate() {
            let along = (self.corners[(i + 1) % self.corners.len()] - *p).normalize_or_zero();
            if along == DVec2::ZERO {
                continue;
            }
            // Positive on the inner side.
            let depth = |q: DVec2| cross(along, q - *p) - SKIN;
            let (first, second) = (depth(a), depth(b));
            if first <= 0.0 && second <= 0.0 {
                return 0.0;
            }
            if first <= 0.0 {
                from = from.max(first / (first - second));
            } else if second <= 0.0 {
                to = to.min(first / (first - second));
            }
        }
        (to - from).max(0.0) * a.distance(b)
    }

    fn contains(&self, p: DVec2) -> bool {
        let depth = |i: usize| {
            let (a, b) = (self.corners[i], self.corners[(i + 1) % self.corners.len()]);
            cross((b - a).normalize_or_zero(), p - a)
        };
        self.corners.len() > 2 && (0..self.corners.len()).all(|i| depth(i) > SKIN)
    }
}

/// Ears of a simple ring, cut off one after the other.
pub fn triangles(ring: &[DVec2]) -> Vec<[DVec2; 3]> {
    let mut left: Vec<DVec2> = ring.to_vec();
    let area: f64 = (0..left.len())
        .map(|i| cross(left[i], left[(i + 1) % left.len()]))
        .sum();
    if area < 0.0 {
        left.reverse();
    }
    let mut found = Vec::new();
    while left.len() > 3 {
        let count = left.len();
        let corner = |i: usize| {
            let [a, b, c] = [
                left[(i + count - 1) % count],
                left[i],
                left[(i + 1) % count],
            ];
            let is_ear = cross(b - a, c - b) >= 0.0
                && left.iter().all(|p| {
                    [a, b, c].contains(p)
                        || cross(b - a, *p - a) < 0.0
                        || cross(c - b, *p - b) < 0.0
                        || cross(a - c, *p - c) < 0.0
                });
            is_ear.then_some([a, b, c])
        };
        // Rounding may leave none: then the sharpest is taken.
        let ear = (0..count).find(|i| corner(*i).is_some()).unwrap_or(0);
        found.push([
            left[(ear + count - 1) % count],
            left[ear],
            left[(ear + 1) % count],
        ]);
        left.remove(ear);
    }
    if let [a, b, c] = left[..] {
        found.push([a, b, c]);
    }
    found
}

/// Free space of a disc.
#[derive(Debug)]
pub struct Free {
    low: DVec2,
    high: DVec2,
    pieces: Vec<Convex>,
}

impl Free {
    /// For a disc that is inside one of this radius, or around it.
    pub fn new(size: DVec2, obstacles: &[Vec<DVec2>], radius: f64, is_around: bool) -> Self {
        let step = std::f64::consts::TAU / SIDES as f64;
        let out = if is_around {
            radius / (step * 0.5).cos()
        } else {
            radius
        };
        let disc: Vec<DVec2> = (0..SIDES)
            .map(|i| out * DVec2::from_angle((i as f64 + 0.5) * step))
            .collect();
        let grown = |triangle: [DVec2; 3]| {
            let sums = triangle.iter().flat_map(|p| disc.iter().map(|d| *p + *d));
            Convex::around(sums.collect())
        };
        Self {
            low: DVec2::splat(radius),
            high: size - DVec2::splat(radius),
            pieces: obstacles
                .iter()
                .flat_map(|ring| triangles(ring))
                .map(grown)
                .filter(|piece| piece.corners.len() > 2)
                .collect(),
        }
    }

    pub fn contains(&self, p: DVec2) -> bool {
        let is_in = p.cmpge(self.low - SKIN).all() && p.cmple(self.high + SKIN).all();
        is_in && !self.pieces.iter().any(|piece| piece.contains(p))
    }

    fn sees(&self, a: DVec2, b: DVec2) -> bool {
        // Slivers of pieces that meet in a corner are no walls.
        let inside = |piece: &Convex| piece.length_inside(a, b) > 1e-6;
        !self.pieces.iter().any(inside)
    }

    /// Length of the shortest path.
    pub fn shortest(&self, start: DVec2, goal: DVec2) -> Option<f64> {
        if !self.contains(start) || !self.contains(goal) {
            return None;
        }
        // With the corners before and after: paths bend around a corner, never the other way.
        let mut nodes: Vec<(DVec2, Option<[DVec2; 2]>)> = vec![(start, None), (goal, None)];
        for piece in &self.pieces {
            let count = piece.corners.len();
            for (i, p) in piece.corners.iter().enumerate() {
                if self.contains(*p) {
                    let beside = [
                        piece.corners[(i + count - 1) % count],
                        piece.corners[(i + 1) % count],
                    ];
                    nodes.push((*p, Some(beside)));
                }
            }
        }
        let touches = |(p, beside): &(DVec2, Option<[DVec2; 2]>), from: DVec2| {
            beside.is_none_or(|[before, after]| {
                let side = |q: DVec2| cross(*p - from, q - from);
                side(before) * side(after) >= -1e-12
            })
        };
        let mut known = vec![f64::INFINITY; nodes.len()];
        let mut is_done = vec![false; nodes.len()];
        known[0] = 0.0;
        let mut open = BinaryHeap::new();
        // Costs as whole nanometres, so that they can be ordered.
        let key = |metres: f64| std::cmp::Reverse((metres * 1e9) as u64);
        open.push((key(start.distance(goal)), 0));
        while let Some((_, at)) = open.pop() {
            if std::mem::replace(&mut is_done[at], true) {
                continue;
            }
            if at == 1 {
                return Some(known[1]);
            }
            let from = nodes[at].0;
            for other in 1..nodes.len() {
                let to = nodes[other].0;
                let length = known[at] + from.distance(to);
                if !is_done[other]
                    && length < known[other]
                    && touches(&nodes[at], to)
                    && touches(&nodes[other], from)
                    && self.sees(from, to)
                {
                    known[other] = length;
                    open.push((key(length + to.distance(goal)), other));
                }
            }
        }
        None
    }
}

/// Distance from a place to the nearest obstacle or border, negative inside.
pub fn clearance(size: DVec2, obstacles: &[Vec<DVec2>], p: DVec2) -> f64 {
    let to_bounds = p.min(size - p).min_element();
    let of_ring = |ring: &Vec<DVec2>| {
        let (mut least, mut is_inside) = (f64::INFINITY, false);
        for (i, a) in ring.iter().enumerate() {
            let b = ring[(i + 1) % ring.len()];
            let along = b - *a;
            let t = ((p - *a).dot(along) / along.length_squared().max(1e-300)).clamp(0.0, 1.0);
            least = least.min((*a + along * t).distance(p));
            if (a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x) {
                is_inside = !is_inside;
            }
        }
        if is_inside { -least } else { least }
    };
    obstacles.iter().map(of_ring).fold(to_bounds, f64::min)
}

#[test]
fn the_oracle_goes_around_a_square() {
    let square = [(4.0, 4.0), (6.0, 4.0), (6.0, 6.0), (4.0, 6.0)].map(DVec2::from);
    let size = DVec2::splat(10.0);
    let ends = [DVec2::new(1.0, 5.0), DVec2::new(9.0, 5.0)];
    let point = Free::new(size, &[square.to_vec()], 0.0, false);
    let exact = 2.0 * 3.0_f64.hypot(1.0) + 2.0;
    let found = point.shortest(ends[0], ends[1]).expect("open");
    assert!((found - exact).abs() < 1e-6, "{found}");
    // A disc of radius 1 rolls around two corners.
    let [inner, outer] = [false, true].map(|is_around| {
        let free = Free::new(size, &[square.to_vec()], 1.0, is_around);
        free.shortest(ends[0], ends[1]).expect("open")
    });
    // Tangents from (3, 1) below a corner's circle, the arcs, and the side between them.
    let tangent = (3.0_f64.powi(2) + 1.0 - 1.0).sqrt();
    let turn = (1.0_f64 / 3.0).atan() + (1.0 / 10.0_f64.sqrt()).asin();
    let rolled = 2.0 * tangent + 2.0 * turn + 2.0;
    assert!(inner < rolled && rolled < outer, "{inner} {rolled} {outer}");
    assert!(outer - inner < 0.03);
    assert_eq!(
        clearance(size, &[square.to_vec()], DVec2::new(3.0, 5.0)),
        1.0
    );
    assert_eq!(
        clearance(size, &[square.to_vec()], DVec2::new(5.0, 5.0)),
        -1.0
    );
    let walls: Vec<DVec2> = [(-1.0, 4.0), (11.0, 4.0), (11.0, 5.0), (-1.0, 5.0)]
        .map(DVec2::from)
        .to_vec();
    let shut = Free::new(size, &[walls], 0.0, false);
    assert_eq!(
        shut.shortest(DVec2::new(1.0, 1.0), DVec2::new(1.0, 9.0)),
        None
    );
}
