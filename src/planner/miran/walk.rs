//! A character's walk along a route, with new stretches of route where it loses the route.

use super::candidates::Leader;
use super::ground::{ExactGround, Eye, Ground};
use super::route::{IndicativeRoute, PartKind};
use super::sources::{NoRoute, RouteSource, Router};
use super::walker::{Status, Walked, Walker};
use crate::nav::NavData;
use crate::nav::terrain::{TerrainMap, Weights};
use crate::planner::session::Progress;
use crate::planner::trace::{Event, EventKind, TraceStep};
use glam::DVec2;

/// Largest number of recovery stretches in one walk before the line itself is followed.
const MAX_RECOVERIES: usize = 8;

/// Largest number of recovery stretches whose line is followed before all of the rest is.
const MAX_RESORTS: usize = 32;

/// Length of line that is followed before sight and forces lead again, besides some diameters of
/// the character. Unit: metres.
const KEPT: f64 = 1.0;

/// Largest number of steps in one walk before the line is followed to its end.
const MAX_WALK: usize = 200_000;

/// A route and the step from which it was followed.
#[derive(Clone, Debug)]
pub(super) struct Phase {
    pub first_step: usize,
    pub route: IndicativeRoute,
}

/// One walk with its events.
#[derive(Clone, Debug)]
pub(super) struct Walk {
    pub goal: DVec2,
    pub weights: Weights,
    pub phases: Vec<Phase>,
    pub walker: Walker,
    pub log: Walked,
    /// A new stretch of route is being searched for.
    pub is_recovering: bool,
    pub end: Option<Result<(), String>>,
}

impl Walk {
    pub fn route(&self) -> &IndicativeRoute {
        &self.phases[self.phases.len() - 1].route
    }

    /// Takes up to `budget` steps; expansions of a search for a new stretch of route count as well.
    pub fn run<L: Leader>(
        &mut self,
        nav: &NavData,
        terrain: &TerrainMap,
        router: &mut Router,
        leader: &mut L,
        budget: usize,
    ) -> Progress {
        let mut left = budget;
        while left > 0 && self.end.is_none() {
            if self.is_recovering {
                router.set_budget(left);
                self.recover(nav, terrain, router);
                left = left.min(router.budget());
                continue;
            }
            left -= 1;
            let ground = ExactGround::new(terrain, &self.weights, Some(nav.cells()));
            let Self {
                phases,
                walker,
                log,
                ..
            } = self;
            let route = &phases[phases.len() - 1].route;
            match walker.step(&ground, route, leader, &[], log) {
                Status::Walking if self.log.steps.len() - self.first_step() <= MAX_WALK => {}
                Status::Arrived => self.end = Some(Ok(())),
                Status::Walking | Status::Lost | Status::Stuck => {
                    self.is_recovering = true;
                    router.begin();
                }
            }
        }
        match &self.end {
            Some(Ok(())) => Progress::Found,
            Some(Err(_)) => Progress::Exhausted,
            None => Progress::Running,
        }
    }

    /// Computes a new stretch of route from the character to its goal (paper, §3.5). If that is
    /// also lost at once, or repeatedly, the character follows its line.
    fn recover(&mut self, nav: &NavData, terrain: &TerrainMap, router: &mut Router) {
        let at = self.walker.position();
        let why = match self.walker.status() {
            Status::Lost => "no part of the route is in sight",
            Status::Stuck => "there is no getting on along the route",
            Status::Walking | Status::Arrived => "the walk takes too long",
        };
        let place = format!("at {:.1}, {:.1}", at.x, at.y);
        let ends = [at, self.goal];
        let path = match router.path(nav, terrain, &self.weights, RouteSource::Dual, ends) {
            Ok(path) => path,
            Err(NoRoute::OutOfBudget) => return,
            Err(NoRoute::Unreachable) => {
                let text =
                    format!("{why} {place}, and no new one leads on; draw the route elsewhere");
                self.note(EventKind::Stuck, text.clone());
                self.end = Some(Err(text));
                return;
            }
        };
        self.is_recovering = false;
        let (look_ahead, sample_step) = (self.route().look_ahead(), self.route().sample_step());
        let (route, _) = IndicativeRoute::new(path, look_ahead, sample_step, PartKind::Recovery);
        let eye = ExactGround::new(terrain, &self.weights, Some(nav.cells())).eye(at);
        let steps = self.log.steps.len();
        let recoveries = self.phases.len() - 1;
        let is_lost_at_once = recoveries > 0 && steps <= self.first_step() + 1;
        let kept = if steps > MAX_WALK || recoveries > MAX_RESORTS {
            route.length()
        } else if eye.is_none() || is_lost_at_once || recoveries >= MAX_RECOVERIES {
            KEPT + 4.0 * nav.free().radius
        } else {
            0.0
        };
        let text = if kept == 0.0 {
            format!("{why} {place}: a new stretch of it leads to the goal")
        } else {
            let kept = kept.min(route.length());
            format!("{why} {place}: it keeps to the line of a new one for {kept:.1} m")
        };
        self.note(EventKind::Recovered, text);
        self.walker.take_up(eye.unwrap_or(Eye::at(at)));
        self.walker.keep_to_line(kept);
        self.phases.push(Phase {
            first_step: steps,
            route,
        });
    }

    fn first_step(&self) -> usize {
        self.phases[self.phases.len() - 1].first_step
    }

    /// Records an event at the current time and position.
    fn note(&mut self, kind: EventKind, text: String) {
        self.log.events.push(Event {
            time: self.walker.time(),
            at: self.walker.position(),
            kind,
            text,
        });
    }

    /// The trace, moment by moment, with the step that each moment belongs to. Long steps are split
    /// into as many parts as short ones would have taken, so that playback shows what happens in
    /// between.
    pub fn moments(&self) -> Vec<(usize, TraceStep, [f64; 2])> {
        let steps = &self.log.steps;
        let shortest = self.walker.settings().step_secs;
        let mut moments = Vec::with_capacity(2 * steps.len());
        let ends = steps.iter().skip(1).map(|step| (step.time, step.position));
        let ends = ends.chain([(self.walker.time(), self.walker.position())]);
        let mut phase = 0;
        for (i, ((step, along), (time, place))) in
            steps.iter().zip(&self.log.along).zip(ends).enumerate()
        {
            moments.push((i, *step, *along));
            while self
                .phases
                .get(phase + 1)
                .is_some_and(|next| next.first_step <= i)
            {
                phase += 1;
            }
            let route = &self.phases[phase].route;
            let parts = ((time - step.time) / shortest - 1e-6).ceil().max(1.0) as usize;
            let [mut reference, attraction] = *along;
            for part in 1..parts {
                let share = part as f64 / parts as f64;
                let position = step.position.lerp(place, share);
                reference = route.first_closest(position, reference, attraction);
                let moment = TraceStep {
                    time: step.time + (time - step.time) * share,
                    position,
                    // Straight on after the first short step.
                    velocity: (place - step.position) / (time - step.time),
                    reference: route.point_at(reference),
                    ..*step
                };
                moments.push((i, moment, [reference, attraction]));
            }
        }
        moments
    }

    /// All routes the character followed, joined into one line: each as far as it was followed.
    pub fn control(&self) -> Vec<DVec2> {
        let mut line = Vec::new();
        for (i, phase) in self.phases.iter().enumerate() {
            match self.phases.get(i + 1) {
                Some(next) => {
                    let last = next.first_step.checked_sub(1);
                    let left = last.and_then(|step| self.log.along.get(step));
                    line.extend(phase.route.stretch(0.0, left.map_or(0.0, |[r, _]| *r)));
                }
                None => line.extend_from_slice(phase.route.points()),
            }
        }
        line.dedup();
        line
    }
}
