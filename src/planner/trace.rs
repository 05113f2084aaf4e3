//! Traces of simulated walks: forces and choices at each step, for playback and inspection.

use super::corridor::Corridor;
use glam::DVec2;
use std::sync::Arc;

/// Recomputes what a walker weighed at a step: too much data to keep for all steps, few of which
/// are ever inspected.
pub trait Recall: std::fmt::Debug + Send + Sync {
    /// In order along the route.
    fn candidates(&self, step: usize) -> Vec<Candidate>;
}

/// One entry for each step of a simulated walk.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    pub steps: Vec<TraceStep>,
    /// Recomputes the candidates of a step; `None` for walks without any.
    pub recall: Option<Arc<dyn Recall>>,
    /// Ordered by time.
    pub events: Vec<Event>,
    /// The line it followed: the backbone, a shortcut, an indicative route.
    pub control: Vec<DVec2>,
    /// The corridor it kept to: backbone and clearances. `None` for planners without one.
    pub corridor: Option<Arc<Corridor>>,
}

/// The walker's state before a step, and what moved it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TraceStep {
    /// Since the start of the leg. Unit: seconds.
    pub time: f64,
    pub position: DVec2,
    /// Unit: m/s.
    pub velocity: DVec2,
    /// The attraction point.
    pub attraction: DVec2,
    /// The reference point on the route, if it follows one.
    pub reference: Option<DVec2>,
    pub forces: Forces,
}

/// Accelerations, as the papers name them. Unit: m/s².
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Forces {
    /// Towards the attraction point, F_s or F_a.
    pub steering: DVec2,
    /// Away from the boundary, F_b.
    pub boundary: DVec2,
    /// Away from other characters, F_o.
    pub others: DVec2,
}

/// A point of the route that could have been the attraction point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    pub at: DVec2,
    /// Along the route. Unit: metres.
    pub along: f64,
    /// Cost per metre of the straight line there.
    pub weight: f64,
}

/// An event for the timeline.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Since the start of the leg. Unit: seconds.
    pub time: f64,
    pub at: DVec2,
    pub kind: EventKind,
    /// A sentence.
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// A part of the route was skipped.
    Skipped,
    /// The route was lost, and a new stretch was computed.
    Recovered,
    /// It gave up.
    Stuck,
    /// A fault of the query that was corrected.
    Noted,
}

/// Candidates and the corridor follow from the rest.
impl PartialEq for Trace {
    fn eq(&self, other: &Self) -> bool {
        self.steps == other.steps && self.events == other.events && self.control == other.control
    }
}

impl Trace {
    /// The current step at a time; `None` for a trace without steps.
    #[must_use]
    pub fn step_at(&self, time: f64) -> Option<&TraceStep> {
        self.steps.get(self.index_at(time))
    }

    fn index_at(&self, time: f64) -> usize {
        let after = self.steps.partition_point(|step| step.time <= time);
        after.saturating_sub(1)
    }

    /// The candidates of the current step at a time.
    #[must_use]
    pub fn candidates_at(&self, time: f64) -> Vec<Candidate> {
        let index = self.index_at(time);
        match &self.recall {
            Some(recall) if index < self.steps.len() => recall.candidates(index),
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_step_at_a_time_is_the_last_begun() {
        let step = |time| TraceStep {
            time,
            ..TraceStep::default()
        };
        let trace = Trace {
            steps: vec![step(0.0), step(0.5), step(1.0)],
            ..Trace::default()
        };
        for (at, time) in [(-1.0, 0.0), (0.0, 0.0), (0.7, 0.5), (1.0, 1.0), (9.0, 1.0)] {
            let step = trace.step_at(at).expect("there are some");
            assert_eq!(step.time, time, "at {at}");
            assert!(trace.candidates_at(at).is_empty());
        }
        assert_eq!(Trace::default().step_at(0.0), None);
    }
}
