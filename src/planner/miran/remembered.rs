//! A finished walk, kept to inspect its candidates.

use super::candidates::Chooser;
use super::ground::{ExactGround, Ground};
use super::walk::{Phase, Walk};
use crate::nav::NavData;
use crate::nav::terrain::Weights;
use crate::planner::trace::{Candidate, Recall, TraceStep};
use glam::DVec2;

/// A finished walk whose candidates can be weighed again. The walk itself skips those that cannot
/// win.
#[derive(Debug)]
pub(super) struct Remembered {
    nav: NavData,
    weights: Weights,
    phases: Vec<Phase>,
    positions: Vec<DVec2>,
    along: Vec<[f64; 2]>,
}

impl Remembered {
    /// With all moments of a walk, as returned by [`Walk::moments`].
    pub fn of(nav: &NavData, walk: &Walk, moments: &[(usize, TraceStep, [f64; 2])]) -> Self {
        // Phases start at steps; here, at moments.
        let first_moment = |step: usize| moments.partition_point(|(index, ..)| *index < step);
        let phases = walk.phases.iter().map(|phase| Phase {
            first_step: first_moment(phase.first_step),
            route: phase.route.clone(),
        });
        Self {
            nav: nav.clone(),
            weights: walk.weights.clone(),
            phases: phases.collect(),
            positions: moments.iter().map(|(_, step, _)| step.position).collect(),
            along: moments.iter().map(|(.., along)| *along).collect(),
        }
    }
}

impl Recall for Remembered {
    fn candidates(&self, step: usize) -> Vec<Candidate> {
        let mut found = Vec::new();
        let terrain = self.nav.shared().terrain();
        let ground = ExactGround::new(terrain, &self.weights, Some(self.nav.cells()));
        let phase = self
            .phases
            .partition_point(|phase| phase.first_step <= step)
            .checked_sub(1)
            .map(|phase| &self.phases[phase]);
        let eye = self.positions.get(step).and_then(|at| ground.eye(*at));
        if let (Some(phase), Some(eye), Some([reference, _])) = (phase, eye, self.along.get(step)) {
            let last = if step == phase.first_step {
                0.0
            } else {
                self.along[step - 1][1]
            };
            let mut chooser = Chooser::default();
            chooser.candidates(&ground, &phase.route, &eye, *reference, last, &mut found);
        }
        found
    }
}
