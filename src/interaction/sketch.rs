//! A chain of points being drawn: clicks, typed numbers, undo of points, and validity.

use super::{
    context::Scene,
    entry::NumericEntry,
    hints::Hints,
    input::{Key, Pointer},
    measures,
    overlay::{HandleShape, HandleState, Overlay, OverlayStyle},
    snapping::{self, SnapScope, Snapped},
    tool::Handled,
};
use crate::geometry::{
    Polygon, Ring, crossing, lattice,
    predicates::{Meeting, meeting},
    simplify,
};
use glam::DVec2;

/// How close to the first point a click must be to close the outline. Unit: points.
const CLOSE_REACH: f64 = 10.0;
/// Direction steps with Shift. Unit: degrees.
pub const ANGLE_STEP: f64 = 15.0;

/// Whether the points form an outline or a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SketchForm {
    Ring,
    Line,
}

/// Result of a click or key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Nothing changed.
    Idle,
    Added,
    /// The user has finished the chain.
    Complete,
}

#[derive(Clone, Debug)]
pub struct Sketch {
    form: SketchForm,
    points: Vec<DVec2>,
    /// For each point, where the segment ending there crosses an earlier one.
    crossings: Vec<Option<DVec2>>,
    /// Where the next point would go.
    next: Option<Snapped>,
    entry: NumericEntry,
    /// Why the last attempt to complete it failed; cleared by the next change.
    trouble: Option<String>,
}

impl Sketch {
    #[must_use]
    pub const fn new(form: SketchForm) -> Self {
        Self {
            form,
            points: Vec::new(),
            crossings: Vec::new(),
            next: None,
            entry: NumericEntry::new(),
            trouble: None,
        }
    }

    #[must_use]
    pub fn points(&self) -> &[DVec2] {
        &self.points
    }

    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// Where the next point would go, taking typed numbers into account.
    #[must_use]
    pub fn next_point(&self) -> Option<DVec2> {
        let pointer = self.next.as_ref().map(|snapped| snapped.point);
        let from = self.points.last().copied();
        let typed = self.entry.place(from, pointer.or(from).unwrap_or_default());
        typed.ok().flatten().or(pointer)
    }

    /// The pointer's position: snapped, or in direction steps with Shift.
    #[must_use]
    pub fn place(&self, scene: &Scene<'_>, pointer: &Pointer) -> Snapped {
        let scope = SnapScope {
            own: &self.points,
            ..SnapScope::default()
        };
        let snapped = snapping::snap(scene, pointer.world, pointer.modifiers, scope);
        match self.points.last() {
            Some(from) if pointer.modifiers.shift => {
                Snapped::free(in_steps(*from, pointer.world, snapped.point))
            }
            _ => snapped,
        }
    }

    pub fn hover(&mut self, scene: &Scene<'_>, pointer: &Pointer) {
        self.next = Some(self.place(scene, pointer));
    }

    pub fn leave(&mut self) {
        self.next = None;
    }

    pub fn click(&mut self, scene: &Scene<'_>, pointer: &Pointer) -> Progress {
        if self.closes(scene, pointer.world) {
            return Progress::Complete;
        }
        self.hover(scene, pointer);
        match self.next_point() {
            Some(point) => self.push(point),
            None => Progress::Idle,
        }
    }

    /// Ignores a point equal to the last one.
    pub fn push(&mut self, point: DVec2) -> Progress {
        self.entry.clear();
        self.trouble = None;
        if let Some(last) = self.points.last() {
            if last.distance(point) < lattice::LATTICE {
                return Progress::Idle;
            }
            self.crossings.push(self.crossing_of(*last, point));
        } else {
            self.crossings.push(None);
        }
        self.points.push(point);
        Progress::Added
    }

    /// Replaces all points by those of an outline; a line returns to the first one.
    pub fn fill_loop(&mut self, corners: &[DVec2]) -> Progress {
        let again = match self.form {
            SketchForm::Ring => None,
            SketchForm::Line => corners.first(),
        };
        let points: Vec<DVec2> = corners.iter().chain(again).copied().collect();
        self.fill(&points)
    }

    /// Replaces all points.
    pub fn fill(&mut self, points: &[DVec2]) -> Progress {
        self.clear();
        for point in points {
            self.push(*point);
        }
        Progress::Complete
    }

    /// Where a new segment would cross the existing ones; sharing a corner with its neighbour does
    /// not count.
    fn crossing_of(&self, from: DVec2, to: DVec2) -> Option<DVec2> {
        let pieces = self.points.len().saturating_sub(1);
        self.points.windows(2).enumerate().find_map(|(i, pair)| {
            match meeting(pair[0], pair[1], from, to) {
                Meeting::Apart => None,
                Meeting::Touching(_) if i + 1 == pieces => None,
                // Back at the first point: the outline is about to close.
                Meeting::Touching(at)
                    if i == 0 && at == pair[0] && self.form == SketchForm::Ring =>
                {
                    None
                }
                Meeting::Touching(at) | Meeting::Crossing(at) | Meeting::Overlapping(at, _) => {
                    Some(at)
                }
            }
        })
    }

    /// Whether a click here would close the outline.
    #[must_use]
    pub fn closes(&self, scene: &Scene<'_>, at: DVec2) -> bool {
        self.form == SketchForm::Ring
            && self.entry.is_empty()
            && self.points.len() >= 3
            && self.points[0].distance(at) <= scene.view.metres(CLOSE_REACH)
    }

    /// Minimum number of points.
    #[must_use]
    pub const fn fewest_points(&self) -> usize {
        match self.form {
            SketchForm::Ring => 3,
            SketchForm::Line => 2,
        }
    }

    /// Whether a line returns to its start.
    #[must_use]
    pub fn is_loop(&self) -> bool {
        matches!(self.points[..], [first, _, _, .., last] if first == last)
    }

    /// Removes the last typed character; false if there is none.
    pub fn erase_typed(&mut self) -> bool {
        self.entry.backspace()
    }

    /// Removes the last point; false if there is none.
    pub fn pop(&mut self) -> bool {
        self.trouble = None;
        self.crossings.pop();
        self.points.pop().is_some()
    }

    /// Clears everything; false if there was nothing.
    pub fn clear(&mut self) -> bool {
        self.trouble = None;
        self.crossings.clear();
        let any = !self.points.is_empty();
        self.points.clear();
        self.entry.clear() || any
    }

    /// One stage of Esc: first the typed text, then all points.
    pub fn cancel(&mut self) -> Handled {
        if self.entry.clear() {
            return Handled::Yes;
        }
        Handled::from(self.clear())
    }

    pub fn text(&mut self, text: &str) -> Handled {
        self.trouble = None;
        Handled::from(self.entry.push(text))
    }

    /// Enter, Backspace and Ctrl+Z; `None` for keys that a sketch does not handle.
    pub fn key(&mut self, key: Key) -> Option<Progress> {
        match key {
            Key::Backspace => {
                let any = self.entry.backspace() || self.pop();
                any.then_some(Progress::Idle)
            }
            Key::Undo => {
                let any = self.entry.clear() || self.pop();
                any.then_some(Progress::Idle)
            }
            Key::Enter if !self.entry.is_empty() => {
                let from = self.points.last().copied();
                let pointer = self.next.as_ref().map(|snapped| snapped.point);
                let towards = pointer.or(from).unwrap_or_default();
                match self.entry.place(from, towards) {
                    Ok(Some(point)) => Some(self.push(point)),
                    Ok(None) => Some(Progress::Idle),
                    Err(sentence) => {
                        self.entry.refuse(sentence);
                        Some(Progress::Idle)
                    }
                }
            }
            Key::Enter if !self.points.is_empty() => Some(Progress::Complete),
            _ => None,
        }
    }

    /// The finished outline; clears the sketch. If it is invalid, the reason is shown and the
    /// sketch stays.
    pub fn take_ring(&mut self) -> Option<Ring> {
        match ring_of(&self.points) {
            Ok(ring) => {
                self.clear();
                Some(ring)
            }
            Err(sentence) => {
                self.trouble = Some(sentence);
                None
            }
        }
    }

    /// The finished line; clears the sketch. A single point is not a line.
    pub fn take_line(&mut self) -> Option<Vec<DVec2>> {
        if self.points.len() < 2 {
            self.trouble =
                Some("a line needs at least 2 points; click where the next one goes".to_owned());
            return None;
        }
        let points = std::mem::take(&mut self.points);
        self.clear();
        Some(points)
    }

    /// Shows a sentence until the next change.
    pub fn refuse(&mut self, sentence: impl Into<String>) {
        self.trouble = Some(sentence.into());
    }

    /// Hints for the status bar, with the sketch's typed text and error filled in.
    #[must_use]
    pub fn hints(&self, hints: Hints) -> Hints {
        let crossing = self
            .crossings
            .iter()
            .flatten()
            .next()
            .filter(|_| self.form == SketchForm::Ring)
            .map(|at| crossing_sentence(*at));
        hints
            .entry(self.entry.text())
            .trouble(self.entry.trouble().or(self.trouble.clone()).or(crossing))
    }

    /// The chain so far, the next segment with its length and direction, and guides.
    pub fn overlay(&self, scene: &Scene<'_>, style: OverlayStyle, out: &mut Overlay) {
        let next = self.next_point();
        if let (Some(snapped), true) = (&self.next, self.entry.is_empty()) {
            snapped.overlay(out);
        }
        let mut chain = self.points.clone();
        chain.extend(next);
        let closing = next.is_some_and(|p| self.closes(scene, p));
        let crossed = self.form == SketchForm::Ring
            && (self.crossings.iter().any(Option::is_some)
                || matches!((self.points.last(), next), (Some(from), Some(to))
                    if self.crossing_of(*from, to).is_some()));
        let style = if crossed {
            OverlayStyle::Invalid
        } else if closing {
            OverlayStyle::Ready
        } else {
            style
        };
        if self.form == SketchForm::Ring && chain.len() >= 3 {
            out.polygon(Polygon::new(chain.clone()), style);
        }
        out.polyline(chain, style);
        for (i, p) in self.points.iter().enumerate() {
            let state = if i == 0 && closing {
                HandleState::Hovered
            } else {
                HandleState::Idle
            };
            out.handle(*p, HandleShape::Square, state);
        }
        if let (Some(from), Some(to)) = (self.points.last(), next) {
            measures::label_piece(*from, to, style, out);
        }
    }
}

/// The outline of the points, counter-clockwise.
///
/// # Errors
/// A sentence about why they form none.
pub fn ring_of(points: &[DVec2]) -> Result<Ring, String> {
    if points.len() < 3 {
        return Err(format!(
            "an outline needs at least 3 corners; there are {}",
            points.len()
        ));
    }
    if simplify::tidy(points).len() < 3 {
        return Err(
            "these corners are on one line and enclose nothing; add one off the line".into(),
        );
    }
    let polygon = Polygon::new(points.to_vec());
    if let Some(contact) = crossing::first_crossing(&polygon) {
        return Err(crossing_sentence(contact.at));
    }
    Ok(polygon.normalised().outer)
}

fn crossing_sentence(at: DVec2) -> String {
    format!(
        "the outline crosses itself near {:.2}, {:.2}; Backspace removes the last corner",
        at.x, at.y
    )
}

/// The position at the nearest multiple of [`ANGLE_STEP`] from `from`, at the pointer's distance;
/// along an axis, the coordinate of the snapped position.
#[must_use]
pub fn in_steps(from: DVec2, pointer: DVec2, snapped: DVec2) -> DVec2 {
    let offset = pointer - from;
    if offset.length_squared() == 0.0 {
        return from;
    }
    let steps = (measures::direction(offset) / ANGLE_STEP).round();
    let degrees = (steps * ANGLE_STEP).rem_euclid(360.0);
    if degrees % 180.0 == 0.0 {
        return DVec2::new(snapped.x, from.y);
    }
    if degrees % 90.0 == 0.0 {
        return DVec2::new(from.x, snapped.y);
    }
    let along = DVec2::from_angle(degrees.to_radians());
    snapping::on_grid(from + along * offset.dot(along), 1e-6)
}
