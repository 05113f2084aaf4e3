//! Agents that are still to come.

use super::World;
use super::agents::{Birth, Newcomer, Record};
use super::event::{RunEvent, RunEventKind};
use super::neighbours::{Neighbour, NeighbourGrid};
use super::placement::{self, GivenAway};
use super::planning::{Choice, Planned, new_plan, plan};
use super::scenario::{Scenario, Source, purpose};
use super::walls::Walls;
use crate::base::{Chance, Random};
use crate::document::Spawn;
use crate::jobs::{Cancelled, JobContext};
use crate::nav::NavData;
use crate::planner::registry;
use glam::{DVec2, DVec3};
use rayon::prelude::*;

/// Places that are tried for one agent in one tick.
const TRIES: u64 = 16;

/// Distance that is left between bodies that appear. Unit: metres.
const ROOM: f64 = 0.01;

/// Width of the strips in which groups stand. Unit: metres.
const STRIP: f64 = 1.6;

#[derive(Debug)]
pub(super) struct Appearing {
    sources: Vec<Waiting>,
    /// Index of the next agent.
    next: u32,
}

#[derive(Debug)]
struct Waiting {
    /// How many of the source have appeared.
    appeared: u32,
    count: u32,
    /// For those that appear at once.
    places: Vec<DVec2>,
    /// It was said that there is not enough room.
    is_reported: bool,
    /// Number of the group of each member; empty if everyone walks alone.
    groups: Vec<u32>,
}

/// An agent that is about to appear.
struct Candidate {
    source: usize,
    member: u32,
    id: u32,
    at: DVec3,
    chance: Chance,
}

impl Appearing {
    pub fn new(scenario: &Scenario, walls: &Walls, seed: u64) -> Self {
        let mut next_group = 0;
        // Crowds whose areas overlap must not stand in each other.
        let mut taken: Vec<Neighbour> = Vec::new();
        let mut others = NeighbourGrid::default();
        let mut waiting = |(index, source): (usize, &Source)| {
            let at_once = source.spawn == Spawn::AtOnce;
            let groups = grouped(source, seed, index, &mut next_group);
            let mut places = match &source.area {
                Some(area) if at_once => {
                    let radius = source.profile.body.radius;
                    let nav = scenario.nav(source);
                    let largest = taken.iter().map(|body| body.radius).fold(0.0, f64::max);
                    let is_free = |p: DVec2| {
                        is_free(p, radius, nav.as_ref(), walls)
                            && !others.is_occupied(p, 0.0, radius + ROOM, largest)
                    };
                    let mut random = Random::stream(seed, 0x5eed_0000 + index as u64);
                    let apart = 2.0 * radius + ROOM;
                    let count = source.count as usize;
                    let places = placement::places(area, count, apart, &mut random, is_free);
                    taken.extend(places.iter().map(|place| Neighbour {
                        position: *place,
                        radius,
                        ..Neighbour::default()
                    }));
                    others.rebuild(&taken);
                    places
                }
                _ => Vec::new(),
            };
            together(&mut places, &groups);
            Waiting {
                groups,
                appeared: 0,
                count: source.count,
                places,
                is_reported: false,
            }
        };
        Self {
            sources: scenario
                .sources
                .iter()
                .enumerate()
                .map(&mut waiting)
                .collect(),
            next: 0,
        }
    }

    pub fn is_over(&self) -> bool {
        self.sources.iter().all(|s| s.appeared >= s.count)
    }
}

/// The group of each member of a crowd, by numbers that no other crowd has.
fn grouped(source: &Source, seed: u64, index: usize, next: &mut u32) -> Vec<u32> {
    if source.groups.sizes.is_empty() {
        return Vec::new();
    }
    let mut random = Random::stream(seed, 0x0006_0000 + index as u64);
    let sizes = source.groups.divide(source.count, || random.unit());
    let mut groups = Vec::with_capacity(source.count as usize);
    for size in sizes {
        groups.extend(std::iter::repeat_n(*next, size as usize));
        *next += 1;
    }
    groups
}

/// Orders places so that those that follow one another are neighbours: in strips, to and fro.
fn together(places: &mut [DVec2], groups: &[u32]) {
    if groups.is_empty() {
        return;
    }
    let strip = |p: &DVec2| (p.y / STRIP).floor();
    places.sort_by(|a, b| {
        let is_back = strip(a).rem_euclid(2.0) == 1.0;
        let along = a.x.total_cmp(&b.x);
        let along = if is_back { along.reverse() } else { along };
        strip(a).total_cmp(&strip(b)).then(along)
    });
}

fn is_free(p: DVec2, radius: f64, nav: Option<&NavData>, walls: &Walls) -> bool {
    walls.clearance(p) >= radius && nav.is_some_and(|nav| nav.cells().locate(p).is_some())
}

impl World {
    /// Lets everyone appear whose time has come and for whom there is room.
    pub(super) fn appear(&mut self, ctx: &JobContext) -> Result<(), Cancelled> {
        if self.appearing.is_over() {
            return Ok(());
        }
        let candidates = self.candidates();
        if candidates.is_empty() {
            return Ok(());
        }
        // Planning is the expensive part; results come back in order.
        let planned: Vec<Planned> = candidates
            .par_iter()
            .map(|candidate| {
                let source = &self.scenario.sources[candidate.source];
                plan(
                    &self.scenario,
                    source,
                    candidate.at,
                    Choice::default(),
                    &self.walls,
                    ctx,
                )
            })
            .collect::<Result<_, Cancelled>>()?;
        for (candidate, planned) in candidates.into_iter().zip(planned) {
            self.add(&candidate, planned);
        }
        Ok(())
    }

    fn candidates(&mut self) -> Vec<Candidate> {
        let time = self.time();
        let seed = self.options.seed;
        let mut found: Vec<Candidate> = Vec::new();
        let mut crowded = Vec::new();
        let mut given_away = GivenAway::new(super::largest_radius(&self.scenario));
        self.grid.rebuild(&self.agents.bodies);
        for (index, source) in self.scenario.sources.iter().enumerate() {
            let radius = source.profile.body.radius;
            let nav = self.scenario.nav(source);
            loop {
                let waiting = &self.appearing.sources[index];
                let member = waiting.appeared;
                if member >= waiting.count || source.appears_at(member) > time + 1e-9 {
                    break;
                }
                let id = self.appearing.next;
                let chance = Chance::new(seed, u64::from(id), 0);
                let at = match &source.area {
                    None => Some(source.start),
                    Some(area) => {
                        let given = waiting.places.get(member as usize).copied();
                        let is_open = |p: DVec2| {
                            area.contains(p)
                                && is_free(p, radius, nav.as_ref(), &self.walls)
                                && !self.grid.is_occupied(p, 0.0, radius + ROOM, 2.0 * radius)
                                && given_away.is_open(p, radius + ROOM)
                        };
                        let bounds = area.bounds();
                        let mut random =
                            Chance::new(seed, u64::from(id), self.tick).stream(purpose::PLACE);
                        let drawn = || {
                            (0..TRIES)
                                .map(|_| random.point(bounds.min, bounds.max))
                                .find(|p| is_open(*p))
                        };
                        given
                            .or_else(drawn)
                            .map(|p| p.extend(ground(&self.scenario, p)))
                    }
                };
                let Some(at) = at else {
                    crowded.push(index);
                    break;
                };
                self.appearing.sources[index].appeared += 1;
                self.appearing.next += 1;
                given_away.give(at.truncate(), radius);
                found.push(Candidate {
                    source: index,
                    member,
                    id,
                    at,
                    chance,
                });
            }
        }
        for index in crowded {
            self.report_no_room(index);
        }
        found
    }

    /// Says once that a crowd does not fit, with the place.
    fn report_no_room(&mut self, index: usize) {
        let waiting = &mut self.appearing.sources[index];
        let source = &self.scenario.sources[index];
        if waiting.is_reported || source.spawn != Spawn::AtOnce {
            return;
        }
        waiting.is_reported = true;
        let Some(area) = &source.area else { return };
        let radius = source.profile.body.radius;
        self.events.push(RunEvent {
            tick: self.tick,
            agent: None,
            kind: RunEventKind::Unplaced,
            at: area.centroid().extend(0.0),
            text: format!(
                "{}: {} of {} agents of radius {radius} m find room; the others appear when some \
                 have left; enlarge the area or lower the number",
                self.scenario.level.label(source.entity),
                waiting.appeared,
                waiting.count,
            ),
        });
    }

    fn add(&mut self, candidate: &Candidate, planned: Planned) {
        let source = &self.scenario.sources[candidate.source];
        let speed = source.draw_speed(candidate.chance);
        let sets_out = self.time() + source.draw_delay(candidate.chance);
        let Planned {
            mut guides,
            reason,
            legs,
        } = planned;
        if !guides.is_empty() {
            self.plans.push(new_plan(self.tick, candidate.id, &guides));
        }
        guides.reverse();
        let guide = guides.pop();
        let is_first = candidate.member == 0;
        if let Some(reason) = reason.filter(|_| is_first || guide.is_none()) {
            let planner = registry::title(registry::effective(source.mission.planner));
            self.events.push(RunEvent {
                tick: self.tick,
                agent: Some(candidate.id),
                kind: RunEventKind::Unreachable,
                at: candidate.at,
                text: format!(
                    "{}: {reason} ({planner})",
                    self.scenario.level.label(source.entity)
                ),
            });
        }
        let position = candidate.at.truncate();
        let ahead = guide.as_ref().and_then(|guide| guide.ahead().next());
        let heading = ahead.and_then(|p| (p.truncate() - position).try_normalize());
        let birth = Birth {
            tick: self.tick,
            index: candidate.id,
            entity: source.entity,
            member: candidate.member,
            radius: source.profile.body.radius,
            speed,
            sets_out,
            at: candidate.at,
        };
        self.births.push(birth);
        let groups = &self.appearing.sources[candidate.source].groups;
        if let Some(group) = groups.get(candidate.member as usize) {
            self.companies.join(*group, candidate.id);
        }
        self.agents.push(Newcomer {
            id: candidate.id,
            entity: source.entity,
            body: Neighbour {
                position,
                radius: birth.radius,
                height: candidate.at.z,
                goal: source.goals.first().copied().unwrap_or(u32::MAX),
                remaining: f64::INFINITY,
                ..Neighbour::default()
            },
            heading: heading.unwrap_or(DVec2::X),
            max_speed: source.profile.pace.max_speed.max(speed),
            guide,
            record: Record {
                source: candidate.source as u32,
                member: candidate.member,
                leg: 0,
                legs,
                ahead: guides,
                is_reversed: false,
                speed,
                sets_out,
                anchor: position,
                anchored: self.tick,
                is_stuck: false,
                attempts: 0,
                stay: None,
            },
        });
    }
}

/// Height of the ground. Unit: metres.
fn ground(scenario: &Scenario, p: DVec2) -> f64 {
    scenario.level.ground().map_or(0.0, |field| field.height(p))
}
