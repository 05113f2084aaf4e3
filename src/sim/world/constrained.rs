//! Agents with constraints plan again while they and others walk.
//!
//! At a fixed interval the constraints of each such agent are resolved for the moment: the level's
//! clock, and where the agents of the level are that its constraints may name. Its session repairs
//! the plan from where the agent is. An agent without a path waits, says why, and asks again.

use super::World;
use super::event::{AgentIndex, RunEventKind};
use super::guide::Guide;
use super::planning::{following, placed};
use super::scenario::Source;
use crate::base::EntityId;
use crate::document::{Heading, PlannerId};
use crate::jobs::{Cancelled, JobContext};
use crate::nav::constraint::{Field, Placement, Situation};
use crate::planner::constraint::ConstraintQuery;
use crate::planner::mission_session::Baseline;
use crate::planner::queries::Stop;
use crate::planner::{Answer, MissionSession, Path, PlanError};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Time between two looks at where the others are. Unit: seconds.
const INTERVAL: f64 = 0.5;

/// Corners of two plans that are closer than this are one. Unit: metres.
const SAME_CORNER: f64 = 0.3;

/// What constrained agents know from one look to the next.
#[derive(Debug, Default)]
pub(super) struct Constrained {
    known: BTreeMap<AgentIndex, Known>,
    /// Where agents of the level were last, also of those that have left.
    places: BTreeMap<EntityId, Placement>,
}

#[derive(Debug)]
struct Known {
    session: MissionSession,
    field: Arc<Field>,
    /// The leg that it is for.
    leg: (usize, bool),
    is_waiting: bool,
}

/// What an agent came to.
struct Looked {
    slot: usize,
    known: Option<Known>,
    /// `None` if nothing has changed for it.
    answer: Option<(Answer, Stop)>,
}

fn is_constrained(source: &Source) -> bool {
    source.mission.planner == PlannerId::CONSTRAINT && !source.mission.constraints.is_empty()
}

impl Constrained {
    /// Plans from scratch for an agent that was led elsewhere.
    pub fn forget(&mut self, agent: AgentIndex) {
        self.known.remove(&agent);
    }
}

impl World {
    /// Lets agents with constraints look around, if it is time.
    pub(super) fn follow_constraints(&mut self, ctx: &JobContext) -> Result<(), Cancelled> {
        let interval = (INTERVAL / self.options.step).round().max(1.0) as u64;
        let is_any = self.scenario.sources.iter().any(is_constrained);
        if !is_any || !self.tick.is_multiple_of(interval) {
            return Ok(());
        }
        let situation = self.situation();
        let slots = 0..self.agents.len();
        let due: Vec<usize> = slots
            .filter(|slot| is_constrained(self.source_of(*slot)))
            .collect();
        let mut known = std::mem::take(&mut self.constrained.known);
        let due: Vec<(usize, Option<Known>)> = due
            .into_iter()
            .map(|slot| (slot, known.remove(&self.agents.ids[slot])))
            .collect();
        let looked: Vec<Looked> = due
            .into_par_iter()
            .map(|(slot, known)| self.look_around(slot, known, &situation, ctx))
            .collect::<Result<_, Cancelled>>()?;
        // What is left of `known` is of agents that are gone.
        for looked in looked {
            self.take_advice(looked);
        }
        Ok(())
    }

    fn source_of(&self, slot: usize) -> &Source {
        &self.scenario.sources[self.agents.records[slot].source as usize]
    }

    /// The moment: time of day, and where the agents of the level are.
    fn situation(&mut self) -> Situation {
        for slot in 0..self.agents.len() {
            if self.source_of(slot).area.is_some() {
                continue;
            }
            let heading = self.agents.headings[slot].to_angle().to_degrees();
            let placement = Placement {
                at: self.agents.place(slot),
                heading: Some(Heading::degrees(heading)),
            };
            let entity = self.agents.entities[slot];
            self.constrained.places.insert(entity, placement);
        }
        let level = &self.scenario.level;
        let clock = level.settings().clock;
        Situation {
            hour: (clock.start + self.time() * clock.speed / 3600.0).rem_euclid(24.0),
            placements: self.constrained.places.clone(),
            ..Situation::of(level)
        }
    }

    fn look_around(
        &self,
        slot: usize,
        known: Option<Known>,
        situation: &Situation,
        ctx: &JobContext,
    ) -> Result<Looked, Cancelled> {
        let record = &self.agents.records[slot];
        let source = self.source_of(slot);
        let unchanged = |known: Option<Known>| Looked {
            slot,
            known,
            answer: None,
        };
        let Some(nav) = self.scenario.nav(source) else {
            return Ok(unchanged(known));
        };
        let here = self.agents.place(slot);
        let is_in = |p: &glam::DVec2| nav.cells().locate(*p).is_some();
        let start = placed(here.truncate(), is_in).extend(here.z);
        let mut queries = self.scenario.queries(source, start, record.is_reversed);
        queries.stops.drain(..record.leg.min(queries.stops.len()));
        queries.stops.truncate(1);
        let Some(stop) = queries.stops.first().cloned() else {
            return Ok(unchanged(known));
        };
        let mission = &source.mission;
        queries.about.constraints = ConstraintQuery::of(
            &self.scenario.level,
            &mission.constraints,
            mission.constraint_options,
            situation,
        );
        let field = Arc::clone(&queries.about.constraints.field);
        let leg = (record.leg, record.is_reversed);
        let known = known.filter(|known| known.leg == leg);
        // One that waits stands still: nothing has changed for it either.
        let is_settled = |known: &Known| *known.field == *field;
        if known.as_ref().is_some_and(is_settled) {
            return Ok(unchanged(known));
        }
        let planned = match &known {
            Some(known) => known
                .session
                .plan_again(&nav, &queries, Baseline::Last, ctx),
            None => MissionSession::plan(PlannerId::CONSTRAINT, &nav, &queries, ctx),
        };
        let (session, legs) = match planned {
            Ok(planned) => planned,
            Err(PlanError::Cancelled(cancelled)) => return Err(cancelled),
            Err(_) => return Ok(unchanged(known)),
        };
        let answer = legs.into_iter().next().map(|leg| (leg.answer, stop));
        Ok(Looked {
            slot,
            known: Some(Known {
                session,
                field,
                leg,
                is_waiting: known.is_some_and(|known| known.is_waiting),
            }),
            answer,
        })
    }

    /// Follows the new path, or waits.
    fn take_advice(&mut self, looked: Looked) {
        let Looked {
            slot,
            mut known,
            answer,
        } = looked;
        let was_waiting = known.as_ref().is_some_and(|known| known.is_waiting);
        let mut is_waiting = was_waiting;
        match answer {
            None => {}
            Some((Answer::Found(path), stop)) => {
                is_waiting = false;
                let is_new = was_waiting || !self.is_followed(slot, &path);
                if is_new {
                    let radius = self.agents.bodies[slot].radius;
                    let following = following(PlannerId::CONSTRAINT);
                    let guide =
                        Guide::new(&path, stop.area.clone(), following, radius, &self.walls);
                    self.agents.guides[slot] = guide;
                    if self.tick > 0 {
                        let text = if was_waiting {
                            "there is a path again"
                        } else {
                            "its constraints lead elsewhere now"
                        };
                        self.event(slot, RunEventKind::Replanned, text.to_owned());
                    }
                }
            }
            Some((Answer::NotFound(why), _)) => {
                is_waiting = true;
                self.agents.guides[slot] = None;
                if !was_waiting {
                    let text = format!("waits: {}", why.reason);
                    self.event(slot, RunEventKind::Unreachable, text);
                }
            }
        }
        if let Some(known) = &mut known {
            known.is_waiting = is_waiting;
        }
        let id = self.agents.ids[slot];
        self.constrained
            .known
            .extend(known.map(|known| (id, known)));
    }

    /// Whether a path leads on as the one that is followed.
    fn is_followed(&self, slot: usize, path: &Path) -> bool {
        let Some(guide) = &self.agents.guides[slot] else {
            return false;
        };
        let ahead: Vec<_> = guide.ahead().collect();
        // The first point of the new path is where the agent is.
        let new = path.points.get(1..).unwrap_or_default();
        ahead.len() == new.len()
            && ahead
                .iter()
                .zip(new)
                .all(|(a, b)| a.truncate().distance(b.truncate()) < SAME_CORNER)
    }
}
