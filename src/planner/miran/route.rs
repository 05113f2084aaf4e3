//! An indicative route, ready to be followed.

use crate::document::limits;
use crate::geometry::polygon::closest_on_segment;
use glam::DVec2;

/// Largest number of samples on one route; longer routes get a longer sample distance.
const MAX_SAMPLES: f64 = 100_000.0;

/// Origin of a part of a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartKind {
    /// Drawn by the designer.
    Drawn,
    /// From the start to the drawn part, or from there to the goal.
    Connection,
    /// Around an obstacle on the drawn part.
    Detour,
    /// There is no drawn route.
    Computed,
    /// Computed during the walk, when the route was lost.
    Recovery,
}

/// A part of a route. Unit: metres along it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoutePart {
    pub from: f64,
    pub to: f64,
    pub kind: PartKind,
}

/// A fault of a route, and how it is handled.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum RouteFault {
    #[error("the route has no points; one is computed instead")]
    Empty,
    #[error("the route has one point only; a path through it is computed")]
    OnePoint,
    #[error("the look-ahead σ is {0}, which is not a length above 0; {default} m is used instead", default = limits::LOOK_AHEAD.default)]
    LookAhead(f64),
    #[error("the sample distance d is {0}, which is not a length above 0; {default} m is used instead", default = limits::SAMPLE_STEP.default)]
    SampleStep(f64),
    #[error(
        "the look-ahead σ of {look_ahead} m is shorter than the sample distance d of \
         {sample_step} m; d is taken to be as short"
    )]
    StepBeyondLookAhead { look_ahead: f64, sample_step: f64 },
    #[error(
        "the route runs through an obstacle at {:.1}, {:.1} for {length:.1} m; a detour is computed", at.x, at.y
    )]
    Blocked { at: DVec2, length: f64 },
    #[error("the {end} is {distance:.1} m off the route; a connection is computed")]
    OffRoute { end: &'static str, distance: f64 },
}

/// A curve with its look-ahead and sample distance, measured along its length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IndicativeRoute {
    points: Vec<DVec2>,
    /// Length from the first point to each point.
    along: Vec<f64>,
    /// Samples every [`Self::sample_step`], the first point included.
    samples: Vec<DVec2>,
    look_ahead: f64,
    sample_step: f64,
    parts: Vec<RoutePart>,
}

impl IndicativeRoute {
    /// A route of one kind. Repeated points count once, non-finite ones are dropped, and invalid
    /// lengths are replaced; the faults are reported.
    #[must_use]
    pub fn new(
        points: impl IntoIterator<Item = DVec2>,
        look_ahead: f64,
        sample_step: f64,
        kind: PartKind,
    ) -> (Self, Vec<RouteFault>) {
        Self::of_parts(
            [(kind, points.into_iter().collect())],
            look_ahead,
            sample_step,
        )
    }

    /// A line to measure along, without samples.
    pub(super) fn unsampled(points: &[DVec2]) -> Self {
        let mut route = Self {
            look_ahead: 1.0,
            sample_step: 1.0,
            ..Self::default()
        };
        route.append(PartKind::Drawn, points);
        route
    }

    /// From consecutive stretches of different kinds.
    #[must_use]
    pub fn of_parts(
        stretches: impl IntoIterator<Item = (PartKind, Vec<DVec2>)>,
        look_ahead: f64,
        sample_step: f64,
    ) -> (Self, Vec<RouteFault>) {
        let mut faults = Vec::new();
        let is_length = |v: f64| v.is_finite() && v > 0.0;
        let mut route = Self {
            look_ahead,
            sample_step,
            ..Self::default()
        };
        if !is_length(look_ahead) {
            faults.push(RouteFault::LookAhead(look_ahead));
            route.look_ahead = limits::LOOK_AHEAD.default;
        }
        if !is_length(sample_step) {
            faults.push(RouteFault::SampleStep(sample_step));
            route.sample_step = limits::SAMPLE_STEP.default;
        }
        if route.sample_step > route.look_ahead {
            faults.push(RouteFault::StepBeyondLookAhead {
                look_ahead: route.look_ahead,
                sample_step: route.sample_step,
            });
            route.sample_step = route.look_ahead;
        }
        for (kind, points) in stretches {
            route.append(kind, &points);
        }
        match route.points.len() {
            0 => faults.push(RouteFault::Empty),
            1 => faults.push(RouteFault::OnePoint),
            _ => {}
        }
        route.sample();
        (route, faults)
    }

    fn append(&mut self, kind: PartKind, points: &[DVec2]) {
        let before = self.length();
        self.points.reserve(points.len());
        self.along.reserve(points.len());
        for &p in points.iter().filter(|p| p.is_finite()) {
            match (self.points.last(), self.along.last()) {
                (Some(&last), Some(&along)) if last != p => {
                    let length = last.distance(p);
                    if self.goes_straight_on_to(p) {
                        self.points.pop();
                        self.along.pop();
                    }
                    self.along.push(along + length);
                    self.points.push(p);
                }
                (None, _) => {
                    self.along.push(0.0);
                    self.points.push(p);
                }
                _ => {}
            }
        }
        let after = self.length();
        match self.parts.last_mut() {
            Some(part) if part.kind == kind => part.to = after,
            _ if after > before => self.parts.push(RoutePart {
                from: before,
                to: after,
                kind,
            }),
            _ => {}
        }
    }

    /// Whether the last point lies on the line between the previous one and a new one; on a grid,
    /// most do.
    fn goes_straight_on_to(&self, p: DVec2) -> bool {
        let [.., before, last] = self.points[..] else {
            return false;
        };
        let (came, goes) = (last - before, p - last);
        let is_part_end = || {
            let part = self.parts.last();
            part.is_some_and(|part| Some(&part.to) == self.along.last())
        };
        let slack = 1e-26 * came.length_squared() * goes.length_squared();
        let aside = came.perp_dot(goes);
        aside * aside <= slack && came.dot(goes) > 0.0 && !is_part_end()
    }

    fn sample(&mut self) {
        self.sample_step = self.sample_step.max(self.length() / MAX_SAMPLES);
        let count = (self.length() / self.sample_step) as usize;
        self.samples = (0..=count)
            .filter_map(|i| self.point_at(i as f64 * self.sample_step))
            .collect();
    }

    #[must_use]
    pub fn points(&self) -> &[DVec2] {
        &self.points
    }

    pub(super) fn into_points(self) -> Vec<DVec2> {
        self.points
    }

    #[must_use]
    pub fn length(&self) -> f64 {
        self.along.last().copied().unwrap_or(0.0)
    }

    /// σ: how much of the route may be skipped at once. Unit: metres of route.
    #[must_use]
    pub const fn look_ahead(&self) -> f64 {
        self.look_ahead
    }

    /// d: the distance between candidates. Unit: metres of route.
    #[must_use]
    pub const fn sample_step(&self) -> f64 {
        self.sample_step
    }

    /// The parts of the route, from start to end.
    #[must_use]
    pub fn parts(&self) -> &[RoutePart] {
        &self.parts
    }

    #[must_use]
    pub fn goal(&self) -> Option<DVec2> {
        self.points.last().copied()
    }

    /// The points of a part of the route.
    #[must_use]
    pub fn stretch(&self, from: f64, to: f64) -> Vec<DVec2> {
        let (first, last) = (
            self.along.partition_point(|a| *a <= from),
            self.along.partition_point(|a| *a < to),
        );
        let inner = self.points.get(first..last).unwrap_or_default();
        let ends = |along: f64| self.point_at(along);
        ends(from)
            .into_iter()
            .chain(inner.iter().copied())
            .chain(ends(to))
            .collect()
    }

    /// The point at a length, clamped to the ends. `None` only if there are no points.
    #[must_use]
    pub fn point_at(&self, along: f64) -> Option<DVec2> {
        let piece = self.piece_at(along)?;
        Some(self.on_piece(piece, along))
    }

    /// The point at a length, or the first bend after `from` if that comes first, with its length.
    pub(super) fn no_farther_than_a_bend(&self, from: f64, to: f64) -> (f64, DVec2) {
        let bend = self.along.partition_point(|along| *along <= from);
        match (self.along.get(bend), self.points.get(bend)) {
            (Some(&along), Some(&place)) if along <= to => (along, place),
            _ => (to, self.point_at(to).unwrap_or_default()),
        }
    }

    /// Index of the point at or before a length, such that a piece follows if there is one.
    fn piece_at(&self, along: f64) -> Option<usize> {
        let last_piece = self.points.len().saturating_sub(2);
        let after = self.along.partition_point(|&a| a <= along);
        (!self.points.is_empty()).then(|| after.saturating_sub(1).min(last_piece))
    }

    fn on_piece(&self, piece: usize, along: f64) -> DVec2 {
        let Some(&to) = self.points.get(piece + 1) else {
            return self.points[piece];
        };
        let length = self.along[piece + 1] - self.along[piece];
        let share = ((along - self.along[piece]) / length).clamp(0.0, 1.0);
        self.points[piece].lerp(to, share)
    }

    /// The samples strictly between two lengths: index of the first, and one past the last.
    pub(super) fn samples_between(&self, from: f64, to: f64) -> std::ops::Range<usize> {
        // Samples closer than this to an end coincide with it.
        let slack = 1e-6 * self.sample_step;
        let first = ((from + slack) / self.sample_step).floor() as usize + 1;
        let last = ((to - slack) / self.sample_step).ceil().max(0.0) as usize;
        first..last.clamp(first, self.samples.len().max(first))
    }

    pub(super) fn sample_place(&self, index: usize) -> (f64, DVec2) {
        (index as f64 * self.sample_step, self.samples[index])
    }

    /// The first of the nearest points between two lengths (paper, §3.1), as a length.
    #[must_use]
    pub fn first_closest(&self, p: DVec2, from: f64, to: f64) -> f64 {
        let from = from.clamp(0.0, self.length());
        let to = to.clamp(from, self.length());
        let Some(first) = self.piece_at(from) else {
            return 0.0;
        };
        // Squared distance, distance, and length of the best point so far.
        let mut best = (f64::INFINITY, f64::INFINITY, from);
        let mut piece = first;
        while piece + 1 < self.points.len() && self.along[piece] <= to {
            let (a, b) = (self.points[piece], self.points[piece + 1]);
            let (start, end) = (self.along[piece], self.along[piece + 1]);
            let span = end - start;
            let nearest = (p - a).dot(b - a) / (b - a).length_squared();
            let mut share = nearest.clamp(0.0, 1.0);
            let mut at = start + share * span;
            // Only the first and the last piece are clipped.
            if at < from || at > to {
                at = at.clamp(from, to);
                share = ((at - start) / span).clamp(0.0, 1.0);
            }
            let squared = (a + (b - a) * share).distance_squared(p);
            if squared < best.0 {
                best = (squared, squared.sqrt(), at);
            }
            piece += 1;
            // It takes at least this much of the route to come closer than the best point.
            let near = best.1 + span;
            if b.distance_squared(p) > near * near {
                let beyond = self.along[piece] + (b.distance(p) - best.1);
                while self
                    .along
                    .get(piece + 1)
                    .is_some_and(|along| *along < beyond)
                {
                    piece += 1;
                }
            }
        }
        best.2
    }

    /// The nearest point overall, as a length; ties go to the last one.
    #[must_use]
    pub fn last_closest(&self, p: DVec2, from: f64) -> f64 {
        let mut best = (f64::INFINITY, from);
        for (pair, along) in self.points.windows(2).zip(self.along.windows(2)) {
            if along[1] < from {
                continue;
            }
            let place = closest_on_segment(pair[0], pair[1], p);
            // Clamped to `from`, it is no closer.
            if place.distance_squared(p) > (best.0 + 1e-9).powi(2) {
                continue;
            }
            let at = (along[0] + pair[0].distance(place)).max(from);
            let distance = self.point_at(at).map_or(f64::INFINITY, |q| q.distance(p));
            if distance <= best.0 + 1e-9 {
                best = (distance, at);
            }
        }
        best.1
    }

    /// Follows the route from one length to another, in either direction, to the first hit. `meets`
    /// gets a piece with its ends in walking order and returns the share of the piece at which it
    /// is hit, or else a lower bound on the distance from its end to the hit.
    pub(super) fn first_meeting(
        &self,
        from: f64,
        to: f64,
        mut meets: impl FnMut([DVec2; 2]) -> Result<f64, f64>,
    ) -> Option<f64> {
        let is_back = to < from;
        let (low, high) = if is_back { (to, from) } else { (from, to) };
        let [first, last] = [self.piece_at(from)?, self.piece_at(to)?];
        let mut piece = first;
        loop {
            let (start, end) = (self.along[piece], *self.along.get(piece + 1)?);
            // Only the first and the last piece are clipped.
            let place = |along: f64, uncut: usize| {
                if along == self.along[uncut] {
                    self.points[uncut]
                } else {
                    self.on_piece(piece, along)
                }
            };
            let (start, end) = (start.max(low), end.min(high));
            let mut next = piece;
            if end > start {
                let ends = [place(start, piece), place(end, piece + 1)];
                let ([near, far], ends) = if is_back {
                    ([end, start], [ends[1], ends[0]])
                } else {
                    ([start, end], ends)
                };
                match meets(ends) {
                    Ok(share) => return Some(near + (far - near) * share),
                    // Slightly less, so that rounding cannot skip a hit.
                    Err(away) if is_back => {
                        let beyond = far - away * (1.0 - 1e-9);
                        let skipped = self.along[..=piece].partition_point(|along| *along < beyond);
                        next = piece.min(skipped.saturating_sub(1));
                    }
                    Err(away) => {
                        let beyond = far + away * (1.0 - 1e-9);
                        let skipped = self.along[piece..].partition_point(|along| *along <= beyond);
                        next = piece + skipped.saturating_sub(1);
                    }
                }
            }
            if piece == last {
                return None;
            }
            piece = if is_back {
                next.min(piece - 1).max(last)
            } else {
                next.max(piece + 1).min(last)
            };
        }
    }
}
