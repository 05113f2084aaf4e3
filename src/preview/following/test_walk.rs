//! A recorded path for tests.

use crate::geometry::curve::Polyline;
use crate::planner::Path;
use crate::planner::trace::{Candidate, Event, EventKind, Recall, Trace, TraceStep};
use glam::DVec2;
use std::sync::Arc;

/// Identical candidates at every step.
#[derive(Debug)]
struct Always([Candidate; 4]);

impl Recall for Always {
    fn candidates(&self, _step: usize) -> Vec<Candidate> {
        self.0.to_vec()
    }
}

pub fn p(x: f64, y: f64) -> DVec2 {
    DVec2::new(x, y)
}

/// A path straight from (0, 0) to (20, 0) along a route with a detour of 20 m up and down between x
/// = 8 and x = 12.
pub fn detour() -> (Path, Polyline) {
    let route = Polyline::new([
        p(0.0, 0.0),
        p(8.0, 0.0),
        p(8.0, 10.0),
        p(12.0, 10.0),
        p(12.0, 0.0),
        p(20.0, 0.0),
    ]);
    let steps: Vec<TraceStep> = (0..=40)
        .map(|i| {
            let x = f64::from(i) * 0.5;
            let reference = if x > 8.0 && x < 12.0 {
                p(if x < 10.0 { 8.0 } else { 12.0 }, 0.0)
            } else {
                p(x, 0.0)
            };
            TraceStep {
                time: f64::from(i) * 0.5,
                position: p(x, 0.0),
                reference: Some(reference),
                attraction: p(12.0, 0.0),
                ..TraceStep::default()
            }
        })
        .collect();
    let candidate = |along: f64, weight| Candidate {
        at: route.point_at(along).expect("has points"),
        along,
        weight,
    };
    let trace = Trace {
        recall: Some(Arc::new(Always([
            candidate(2.0, 1.0),
            candidate(4.0, 2.0),
            candidate(6.0, 8.0),
            candidate(32.0, 0.5),
        ]))),
        control: route.points().to_vec(),
        events: vec![Event {
            time: 3.0,
            at: p(5.0, 0.0),
            kind: EventKind::Recovered,
            text: "pushed off.".to_owned(),
        }],
        steps,
        ..Trace::default()
    };
    let path = Path {
        points: (0..=40)
            .map(|i| p(f64::from(i) * 0.5, 0.0).extend(0.0))
            .collect(),
        times: (0..=40).map(|i| f64::from(i) * 0.5).collect(),
        trace: Some(Arc::new(trace)),
        ..Path::default()
    };
    (path, route)
}
