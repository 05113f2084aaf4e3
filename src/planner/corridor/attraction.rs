//! The attraction point on the control path (paper, Definition 1 and §6).

use super::control::ControlPath;
use crate::nav::corridor::CorridorMap;
use glam::DVec2;

/// Halvings of the lead until a straight line to the attraction point is clear.
const HALVINGS: usize = 6;

/// Distance between sampled discs. The paper samples densely without giving a number; this is about
/// a pixel of its figures. Unit: metres.
const DISC_STEP: f64 = 0.25;

/// Number of points tested for visibility between the character and the farthest one.
const VISIBILITY_TRIES: usize = 24;

/// How the attraction point is chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Attraction {
    /// The farthest point whose clearance disc, shrunk by the radius, contains the character.
    ClearanceDisc,
    /// A point that moves at a given speed, but leads by no more than a length of the path.
    ConstantSpeed { speed: f64, max_lead: f64 },
    /// The point at which the path leaves a circle around the character.
    Distance { distance: f64 },
    /// The farthest point, within a length of the path, that the character could walk straight to.
    Visibility { max_lead: f64 },
}

/// Position on the control path.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Lead {
    /// Length along the path of the point nearest to the character.
    pub reference: f64,
    /// Length along the path of the attraction point.
    pub along: f64,
    /// Clearance at the attraction point. Unit: metres.
    pub clearance: f64,
}

/// The paper's R[t] at a length along the path.
fn clearance_at(path: &ControlPath, along: f64) -> f64 {
    let points = path.line().points();
    let mut length = 0.0;
    for (pair, ends) in points.windows(2).zip(path.clearances().windows(2)) {
        let span = pair[0].distance(pair[1]);
        if along <= length + span {
            let share = ((along - length) / span).clamp(0.0, 1.0);
            return ends[0] + (ends[1] - ends[0]) * share;
        }
        length += span;
    }
    path.clearances().last().copied().unwrap_or(0.0)
}

/// The nearest point of the path between two lengths along it.
fn nearest_between(path: &ControlPath, p: DVec2, from: f64, to: f64) -> f64 {
    let mut best = (f64::INFINITY, from);
    let mut length = 0.0;
    for pair in path.line().points().windows(2) {
        let before = length;
        let span = pair[0].distance(pair[1]);
        length += span;
        if length < from || before > to {
            continue;
        }
        let along = (pair[1] - pair[0]) / span;
        let at = (p - pair[0]).dot(along).clamp(0.0, span);
        let at = (before + at).clamp(from, to) - before;
        let distance = (pair[0] + along * at).distance(p);
        if distance < best.0 {
            best = (distance, before + at);
        }
    }
    best.1
}

/// The largest length along the path at which the disc, shrunk by the radius, contains `x`.
fn farthest_disc(path: &ControlPath, x: DVec2, radius: f64) -> Option<f64> {
    let points = path.line().points();
    let mut end = path.line().length();
    for i in (1..points.len()).rev() {
        let (a, b) = (points[i - 1], points[i]);
        let span = a.distance(b);
        let start = end - span;
        let (r, grow) = (
            path.clearances()[i - 1] - radius,
            path.clearances()[i] - path.clearances()[i - 1],
        );
        if let Some(share) = last_inside(x - a, b - a, r, grow) {
            // One of the samples of the path, as in the paper: between them the farthest point
            // would lie on the rim of its disc, where the force is infinite.
            let (along, length) = (start + span * share, path.line().length());
            let is_end = along + 1e-6 >= length;
            return Some(if is_end {
                length
            } else {
                (along / DISC_STEP).floor() * DISC_STEP
            });
        }
        end = start;
    }
    None
}

/// The largest share s from 0 to 1 with |offset − s·along| < radius + s·grow.
fn last_inside(offset: DVec2, along: DVec2, radius: f64, grow: f64) -> Option<f64> {
    let excess = |s: f64| (offset - along * s).length() - (radius + grow * s);
    if excess(1.0) < 0.0 {
        return Some(1.0);
    }
    // Both sides squared: q(s) = a·s² + b·s + c, negative inside.
    let a = along.length_squared() - grow * grow;
    let b = -2.0 * (offset.dot(along) + radius * grow);
    let c = offset.length_squared() - radius * radius;
    // Between the axis and a goal clearance falls as fast as the character walks, so that `a` is 0
    // except for rounding: the form of the solution that does not divide by it is exact there.
    let root = (b * b - 4.0 * a * c).max(0.0).sqrt();
    let q = -0.5 * (b + root.copysign(b));
    let roots = [q / a, c / q];
    // Slightly before the root, certainly inside.
    roots
        .into_iter()
        .map(|s| s - 1e-9)
        .filter(|&s| (0.0..=1.0).contains(&s) && excess(s) < 0.0)
        .reduce(f64::max)
        .or_else(|| (excess(0.0) < 0.0).then_some(0.0))
}

impl Attraction {
    /// The next attraction point for a character at `x`, after `last`.
    pub(super) fn next(
        self,
        map: &CorridorMap,
        path: &ControlPath,
        x: DVec2,
        radius: f64,
        last: &Lead,
        step_secs: f64,
    ) -> Lead {
        let length = path.line().length();
        let from = (last.reference - 2.0 * radius).max(0.0);
        let to = (last.along.max(last.reference) + 2.0 * radius).min(length);
        let reference = nearest_between(path, x, from, to);
        let along = match self {
            Self::ClearanceDisc => farthest_disc(path, x, radius).unwrap_or(last.along),
            Self::ConstantSpeed { speed, max_lead } => {
                let next = last.along + speed * step_secs;
                self.visible(
                    map,
                    path,
                    x,
                    radius,
                    reference,
                    next.min(reference + max_lead),
                )
            }
            Self::Distance { distance } => {
                let wanted = leaves_circle(path, x, distance, reference);
                self.visible(map, path, x, radius, reference, wanted)
            }
            Self::Visibility { max_lead } => {
                let farthest = (reference + max_lead).min(length);
                farthest_visible(map, path, x, radius, reference, farthest)
            }
        };
        let along = along.clamp(0.0, length);
        Lead {
            reference,
            along,
            clearance: clearance_at(path, along),
        }
    }

    /// `wanted`, moved back towards the reference until the line to it is clear.
    fn visible(
        self,
        map: &CorridorMap,
        path: &ControlPath,
        x: DVec2,
        radius: f64,
        reference: f64,
        wanted: f64,
    ) -> f64 {
        let mut lead = (wanted - reference).max(0.0);
        for _ in 0..HALVINGS {
            let at = path.line().point_at(reference + lead).unwrap_or(x);
            if is_clear(map, x, at, radius) {
                return reference + lead;
            }
            lead *= 0.5;
        }
        reference + lead
    }
}

/// A little slack: the character itself may touch a wall.
fn is_clear(map: &CorridorMap, a: DVec2, b: DVec2, radius: f64) -> bool {
    map.walls().is_clear(a, b, radius * (1.0 - 1e-6))
}

/// Where the path, from the reference on, first leaves a circle around `x`.
fn leaves_circle(path: &ControlPath, x: DVec2, distance: f64, reference: f64) -> f64 {
    let mut length = 0.0;
    for pair in path.line().points().windows(2) {
        let before = length;
        let span = pair[0].distance(pair[1]);
        length += span;
        if length < reference || pair[1].distance(x) < distance {
            continue;
        }
        let direction = (pair[1] - pair[0]) / span;
        let middle = (x - pair[0]).dot(direction);
        let off = (x - pair[0] - direction * middle).length();
        let half = (distance * distance - off * off).max(0.0).sqrt();
        return (before + (middle + half).clamp(0.0, span)).max(reference);
    }
    length
}

fn farthest_visible(
    map: &CorridorMap,
    path: &ControlPath,
    x: DVec2,
    radius: f64,
    reference: f64,
    farthest: f64,
) -> f64 {
    let at = |share: f64| reference + (farthest - reference) * share;
    (1..=VISIBILITY_TRIES)
        .rev()
        .map(|i| at(i as f64 / VISIBILITY_TRIES as f64))
        .find(|&along| {
            let point = path.line().point_at(along).unwrap_or(x);
            is_clear(map, x, point, radius)
        })
        .unwrap_or_else(|| at(0.25 / VISIBILITY_TRIES as f64))
}
