//! What an agent knows and is attracted to at one moment.

use super::followed::ON_ROUTE;
use crate::geometry::curve::Polyline;
use crate::planner::Path;
use crate::planner::trace::Candidate;
use glam::DVec2;

/// What an agent knows and is attracted to at one moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Moment {
    pub position: DVec2,
    pub reference: DVec2,
    pub attraction: DVec2,
    /// Parts of the route that it could go straight to.
    pub visible: Vec<Vec<DVec2>>,
    pub candidates: Vec<Candidate>,
    /// Distance between candidates on the route. Unit: metres.
    pub spacing: f64,
}

impl Moment {
    /// What the agent knew `seconds` after it set out on this leg; `None` for a path that follows
    /// no route. `sees` tests visibility between two points.
    #[must_use]
    pub fn of(
        path: &Path,
        seconds: f64,
        spacing: f64,
        sees: impl Fn(DVec2, DVec2) -> bool,
    ) -> Option<Self> {
        let trace = path.trace.as_deref()?;
        let step = trace.step_at(seconds)?;
        let reference = step.reference?;
        let candidates = trace.candidates_at(seconds);
        let control = Polyline::new(trace.control.iter().copied());
        let mut visible: Vec<Vec<DVec2>> = Vec::new();
        for pair in candidates.windows(2) {
            let [from, to] = [pair[0].along, pair[1].along];
            let part = between(&control, &pair[0], &pair[1]);
            let middle = Polyline::new(part.iter().copied()).point_at((to - from) * 0.5);
            // Ends of what is visible are candidates: farther apart, something hides the middle;
            // nearer, it still may.
            let is_seen = middle.is_some_and(|middle| sees(step.position, middle));
            if to - from > spacing * (1.0 + 1e-6) || !is_seen {
                continue;
            }
            match visible.last_mut() {
                Some(last) if last.last() == Some(&pair[0].at) => {
                    last.extend(part.into_iter().skip(1));
                }
                _ => visible.push(part),
            }
        }
        Some(Self {
            position: step.position,
            reference,
            attraction: step.attraction,
            visible,
            candidates,
            spacing,
        })
    }

    /// The chosen candidate.
    #[must_use]
    pub fn chosen(&self) -> Option<usize> {
        let distance = |candidate: &Candidate| candidate.at.distance(self.attraction);
        (0..self.candidates.len()).min_by(|a, b| {
            distance(&self.candidates[*a]).total_cmp(&distance(&self.candidates[*b]))
        })
    }
}

/// The route from one candidate to the next. After a recovery the control line is not the route
/// they were measured along; then they are close enough for a straight line.
fn between(control: &Polyline, from: &Candidate, to: &Candidate) -> Vec<DVec2> {
    let is_implemented = |candidate: &Candidate| {
        let at = control.point_at(candidate.along);
        at.is_some_and(|at| at.distance(candidate.at) <= ON_ROUTE)
    };
    let mut part = if is_implemented(from) && is_implemented(to) {
        control.part(from.along, to.along)
    } else {
        Vec::new()
    };
    if part.len() < 2 {
        part = vec![from.at, to.at];
    }
    let last = part.len() - 1;
    (part[0], part[last]) = (from.at, to.at);
    part
}

#[cfg(test)]
mod tests {
    use super::super::test_walk::{detour, p};
    use super::*;

    #[test]
    fn a_moment_shows_what_is_visible_between_candidates() {
        let (path, _) = detour();
        let moment = Moment::of(&path, 0.0, 2.0, |_, _| true).expect("follows a route");
        assert_eq!(
            moment.visible,
            [vec![p(2.0, 0.0), p(4.0, 0.0), p(6.0, 0.0)]]
        );
        assert_eq!(moment.chosen(), Some(3));
        let hidden = |_: DVec2, to: DVec2| to.x < 4.5;
        let moment = Moment::of(&path, 0.0, 2.0, hidden).expect("follows a route");
        assert_eq!(moment.visible, [vec![p(2.0, 0.0), p(4.0, 0.0)]]);
        assert_eq!(Moment::of(&Path::default(), 0.0, 2.0, |_, _| true), None);
    }
}
