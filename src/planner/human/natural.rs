//! How natural paths of human motion are: beside the exact shortest ones of the same body.

use super::session::HumanSession;
use crate::base::Random;
use crate::document::{PlannerId, Profile};
use crate::jobs::{Cancelled, JobContext};
use crate::nav::NavData;
use crate::planner::registry::{self, PlanError};
use crate::planner::{Path, PathRequest, metrics, session};
use glam::DVec2;
use std::sync::Arc;

/// Ends of paths this close are not compared. Unit: metres.
const LEAST: f64 = 5.0;

/// Length of the ends of a path where hooks are looked for, and the turn that is one.
const HOOK: f64 = 0.6;
const HOOKED: f64 = 5.0;

/// Sums over pairs of places that both planners connect.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Naturalness {
    pub pairs: usize,
    /// Of the pairs, how many only one of both planners connects.
    pub unlike: usize,
    /// Unit: metres.
    pub length: f64,
    pub shortest: f64,
    /// Unit: radians.
    pub turning: f64,
    pub least_turning: f64,
    /// Of twice as many ends, how many turn within 0.6 m by more than 5° that the shortest path does
    /// not turn there.
    pub hooks: usize,
    /// Smallest clearance of any path. Unit: metres.
    pub clearance: f64,
}

impl Naturalness {
    #[must_use]
    pub fn length_ratio(&self) -> f64 {
        self.length / self.shortest
    }

    #[must_use]
    pub fn turning_ratio(&self) -> f64 {
        self.turning / self.least_turning
    }

    /// Over pairs of random places in the free space of a body.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn of(
        nav: &NavData,
        profile: &Arc<Profile>,
        pairs: usize,
        seed: u64,
        ctx: &JobContext,
    ) -> Result<Self, Cancelled> {
        let mut random = Random::new(seed);
        let bounds = nav.bounds();
        let mut sums = Self {
            clearance: f64::INFINITY,
            ..Self::default()
        };
        let mut place = || loop {
            let p = random.point(bounds.min, bounds.max);
            if nav.cells().locate(p).is_some() {
                return p;
            }
        };
        while sums.pairs + sums.unlike < pairs {
            ctx.checkpoint()?;
            let (start, goal) = (place(), place());
            if start.distance(goal) < LEAST {
                continue;
            }
            let request = PathRequest {
                profile: Arc::clone(profile),
                ..PathRequest::new(start, goal)
            };
            let ours = session::run(&mut HumanSession::new(nav, &request), ctx)?;
            let best = match registry::plan(PlannerId::OPTIMAL, nav, &request, ctx) {
                Ok(best) => best,
                Err(PlanError::Cancelled(cancelled)) => return Err(cancelled),
                Err(_) => continue,
            };
            match (ours.path(), best.path()) {
                (Some(ours), Some(best)) => sums.add(ours, best),
                (None, None) => {}
                _ => sums.unlike += 1,
            }
        }
        Ok(sums)
    }

    fn add(&mut self, ours: &Path, best: &Path) {
        let plan = |path: &Path| path.points.iter().map(|p| p.truncate()).collect();
        let (line, straight): (Vec<DVec2>, Vec<DVec2>) = (plan(ours), plan(best));
        self.pairs += 1;
        self.length += metrics::length_in_plan(&line);
        self.shortest += metrics::length_in_plan(&straight);
        self.turning += metrics::turning(&line);
        self.least_turning += metrics::turning(&straight);
        self.clearance = self.clearance.min(ours.min_clearance);
        let reversed = |line: &[DVec2]| line.iter().rev().copied().collect::<Vec<_>>();
        let ends = [
            (line.clone(), straight.clone()),
            (reversed(&line), reversed(&straight)),
        ];
        for (line, straight) in ends {
            let turn =
                metrics::turning(&beginning(&line)) - metrics::turning(&beginning(&straight));
            self.hooks += usize::from(turn.to_degrees() > HOOKED);
        }
    }
}

/// The first stretch of a line.
fn beginning(line: &[DVec2]) -> Vec<DVec2> {
    let mut left = HOOK;
    let mut taken: Vec<DVec2> = line.first().copied().into_iter().collect();
    for pair in line.windows(2) {
        taken.push(pair[1]);
        left -= pair[0].distance(pair[1]);
        if left <= 0.0 {
            break;
        }
    }
    taken
}
