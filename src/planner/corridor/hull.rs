//! A corridor: discs along a backbone, and its border as segments and arcs (paper, §4.1).

use crate::geometry::polygon::closest_on_segment;
use crate::nav::corridor::Sample;
use glam::DVec2;
use rstar::{AABB, PointDistance, RTree, RTreeObject};
use std::f64::consts::TAU;

/// Closest points nearer to each other than this share of the clearance coincide: no arc between.
const SAME: f64 = 1e-6;

/// One part of a corridor's border.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Piece {
    /// Along a wall.
    Segment { from: DVec2, to: DVec2 },
    /// Around a point of the backbone, across an opening or at either end.
    Arc {
        centre: DVec2,
        radius: f64,
        /// Unit: radians.
        start: f64,
        /// How far the arc goes clockwise. Unit: radians, from 0 to 2π.
        sweep: f64,
    },
}

impl Piece {
    #[must_use]
    pub fn closest(&self, p: DVec2) -> DVec2 {
        match *self {
            Self::Segment { from, to } => closest_on_segment(from, to, p),
            Self::Arc {
                centre,
                radius,
                start,
                sweep,
            } => {
                let turned = (start - (p - centre).to_angle()).rem_euclid(TAU);
                let angle = if turned <= sweep {
                    start - turned
                } else if turned - sweep < TAU - turned {
                    start - sweep
                } else {
                    start
                };
                centre + DVec2::from_angle(angle) * radius
            }
        }
    }
}

impl RTreeObject for Piece {
    type Envelope = AABB<[f64; 2]>;

    fn envelope(&self) -> Self::Envelope {
        match *self {
            Self::Segment { from, to } => AABB::from_corners(from.to_array(), to.to_array()),
            Self::Arc { centre, radius, .. } => {
                let reach = DVec2::splat(radius);
                AABB::from_corners((centre - reach).to_array(), (centre + reach).to_array())
            }
        }
    }
}

impl PointDistance for Piece {
    fn distance_2(&self, p: &[f64; 2]) -> f64 {
        let p = DVec2::from_array(*p);
        self.closest(p).distance_squared(p)
    }
}

/// The nearest point of a corridor's border: the paper's cp(x).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundaryPoint {
    pub point: DVec2,
    pub distance: f64,
}

#[derive(Clone, Debug)]
pub struct Corridor {
    samples: Vec<Sample>,
    pieces: Vec<Piece>,
    tree: RTree<Piece>,
}

impl Corridor {
    /// Around samples in walking order.
    #[must_use]
    pub fn new(samples: Vec<Sample>) -> Self {
        let pieces = border(&samples);
        Self {
            tree: RTree::bulk_load(pieces.clone()),
            pieces,
            samples,
        }
    }

    /// Centres and radii of the discs, with their contacts on either side.
    #[must_use]
    pub fn samples(&self) -> &[Sample] {
        &self.samples
    }

    /// The border, clockwise: the left side, the far end, the right side backwards, the near end.
    #[must_use]
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Unit: metres.
    #[must_use]
    pub fn min_clearance(&self) -> f64 {
        let clearances = self.samples.iter().map(|s| s.clearance);
        clearances.fold(f64::INFINITY, f64::min)
    }

    /// The nearest point of the border; `None` only without a border.
    #[must_use]
    pub fn closest(&self, p: DVec2) -> Option<BoundaryPoint> {
        if !p.is_finite() {
            return None;
        }
        let point = self.tree.nearest_neighbor(p.to_array())?.closest(p);
        Some(BoundaryPoint {
            point,
            distance: point.distance(p),
        })
    }

    /// Whether a point is in one of the discs, or one interpolated between two samples.
    #[must_use]
    pub fn contains(&self, p: DVec2) -> bool {
        let within = |s: &Sample| s.point.distance(p) <= s.clearance;
        self.samples.iter().any(within)
            || self.samples.windows(2).any(|pair| {
                let along = pair[1].point - pair[0].point;
                let share = (p - pair[0].point).dot(along) / along.length_squared();
                (0.0..=1.0).contains(&share) && within(&pair[0].lerp(&pair[1], share))
            })
    }
}

fn border(samples: &[Sample]) -> Vec<Piece> {
    let (Some(first), Some(last)) = (samples.first(), samples.last()) else {
        return Vec::new();
    };
    let side = |a: &Sample, b: &Sample, from: DVec2, to: DVec2| {
        let same = SAME * a.clearance.max(1e-3);
        if from.distance(to) <= same {
            None
        } else if a.point.distance(b.point) <= same {
            Some(arc(a, from, to))
        } else {
            Some(Piece::Segment { from, to })
        }
    };
    let left = samples
        .windows(2)
        .filter_map(|pair| side(&pair[0], &pair[1], pair[0].left, pair[1].left));
    let right = samples
        .windows(2)
        .rev()
        .filter_map(|pair| side(&pair[1], &pair[0], pair[1].right, pair[0].right));
    left.chain([arc(last, last.left, last.right)])
        .chain(right)
        .chain([arc(first, first.right, first.left)])
        .collect()
}

fn arc(around: &Sample, from: DVec2, to: DVec2) -> Piece {
    let centre = around.point;
    let start = (from - centre).to_angle();
    Piece::Arc {
        centre,
        radius: around.clearance,
        start,
        sweep: (start - (to - centre).to_angle()).rem_euclid(TAU),
    }
}
