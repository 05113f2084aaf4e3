//! What is to be simulated: a level's agents and crowds with the navigation data that leads them.

use crate::base::{Chance, ContentHash, Distribution, EntityId};
use crate::document::{
    Agent, Arrival, Crowd, Goal, Groups, Heading, Kind, Level, Mission, Profile, Repeat, Spawn,
    format,
};
use crate::geometry::Polygon;
use crate::jobs::{Cancelled, JobContext};
use crate::nav::{BakeRequest, NavBundle, NavData};
use crate::planner::queries::{MissionQueries, Stop, profile_of};
use crate::planner::{Slopes, missions, registry};
use glam::DVec3;
use std::sync::Arc;

/// Speeds are at least this share of the profile's and at most its inverse. Unit: none.
const SLOWEST: f64 = 0.3;

/// Purposes of random numbers that are drawn once for each agent.
pub(super) mod purpose {
    pub const SPEED: u64 = 11;
    pub const DELAY: u64 = 12;
    pub const PLACE: u64 = 14;
    pub const STAY: u64 = 15;
}

/// Agents that appear in one place with one mission: one agent or a crowd.
#[derive(Clone, Debug)]
pub struct Source {
    pub entity: EntityId,
    /// Where a crowd appears; an agent has a start instead.
    pub area: Option<Polygon>,
    pub start: DVec3,
    pub heading: Heading,
    pub count: u32,
    pub spawn: Spawn,
    pub mission: Mission,
    pub profile: Arc<Profile>,
    /// Unit: m/s.
    pub speed: Distribution,
    /// Between appearing and setting out. Unit: seconds.
    pub delay: Distribution,
    pub groups: Groups,
    /// Number of the goal of each leg; equal goals of all sources have equal numbers.
    pub goals: Vec<u32>,
}

/// A level ready to be simulated.
#[derive(Clone, Debug)]
pub struct Scenario {
    pub level: Arc<Level>,
    pub bundle: NavBundle,
    pub slopes: Slopes,
    /// In the level's order.
    pub sources: Vec<Source>,
}

/// All that the level's agents and crowds need.
fn request<'a>(level: Arc<Level>) -> BakeRequest<'a> {
    let mut request = missions::bake_request(Arc::clone(&level));
    for (.., crowd) in level.crowds() {
        let planner = registry::effective(crowd.mission.planner);
        request.needs = request.needs.union(registry::needs(planner));
    }
    request
}

impl Scenario {
    /// Bakes what the level's agents and crowds need.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn bake(level: Arc<Level>, ctx: &JobContext) -> Result<Self, Cancelled> {
        Ok(Self::new(NavBundle::bake(request(level), ctx)?))
    }

    /// Replaces the level by one in which things were moved; agents and crowds stay as they are.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn rebake(&mut self, level: Arc<Level>, ctx: &JobContext) -> Result<(), Cancelled> {
        let request = BakeRequest {
            before: Some(&self.bundle),
            ..request(Arc::clone(&level))
        };
        self.bundle = NavBundle::bake(request, ctx)?;
        self.level = level;
        Ok(())
    }

    /// On navigation data that was baked for the profiles in use.
    #[must_use]
    pub fn new(bundle: NavBundle) -> Self {
        let level = Arc::clone(bundle.level());
        let mut goals: Vec<Goal> = Vec::new();
        let mut number = |goal: &Goal| {
            let known = goals.iter().position(|known| known == goal);
            known.unwrap_or_else(|| {
                goals.push(*goal);
                goals.len() - 1
            }) as u32
        };
        let mut source = |entity: EntityId, mission: &Mission| {
            let profile = profile_of(&level, mission.profile);
            Source {
                entity,
                area: None,
                start: DVec3::ZERO,
                heading: Heading::default(),
                count: 1,
                spawn: Spawn::AtOnce,
                speed: Distribution::Constant(profile.pace.speed),
                delay: Distribution::default(),
                groups: Groups::default(),
                goals: mission.goals.iter().map(&mut number).collect(),
                mission: mission.clone(),
                profile,
            }
        };
        let sources = level
            .iter()
            .filter_map(|(id, entity)| match &entity.kind {
                Kind::Agent(Agent {
                    start,
                    heading,
                    mission,
                }) => Some(Source {
                    start: *start,
                    heading: *heading,
                    ..source(id, mission)
                }),
                Kind::Crowd(
                    crowd @ Crowd {
                        area,
                        spawn,
                        variety,
                        mission,
                        ..
                    },
                ) => {
                    let source = source(id, mission);
                    let mean = source.profile.pace.speed;
                    Some(Source {
                        area: Some(area.clone()),
                        count: crowd.size(),
                        spawn: spawn.clone(),
                        speed: match variety.speed_deviation {
                            0.0 => Distribution::Constant(mean),
                            deviation => Distribution::Normal { mean, deviation },
                        },
                        delay: variety.delay,
                        groups: crowd.groups.clone(),
                        ..source
                    })
                }
                _ => None,
            })
            .collect();
        Self {
            level: Arc::clone(&level),
            bundle,
            slopes: Slopes::default(),
            sources,
        }
    }

    /// Checksum of the level's text.
    #[must_use]
    pub fn level_hash(&self) -> ContentHash {
        let text = format::write(&self.level, self.level.largest_id().next());
        ContentHash::of(text.as_bytes())
    }

    /// How many agents will appear in all.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.sources.iter().map(|s| u64::from(s.count)).sum()
    }

    /// Navigation data for the agents of a source.
    #[must_use]
    pub fn nav(&self, source: &Source) -> Option<NavData> {
        self.bundle
            .nav_for(source.mission.profile, source.profile.body.radius)
    }

    /// The queries of an agent of a source from a place on.
    #[must_use]
    pub fn queries(&self, source: &Source, start: DVec3, is_reversed: bool) -> MissionQueries {
        let mut mission = source.mission.clone();
        if is_reversed {
            mission.goals.reverse();
        }
        // The way back is a mission of its own.
        mission.repeat = Repeat::Once;
        let agent = Agent {
            start,
            heading: source.heading,
            mission,
        };
        let ground = self.level.ground().map(|ground| &**ground);
        MissionQueries::of_agent(&self.level, &agent, self.slopes.on(ground))
    }

    /// The stops of an agent of a source.
    #[must_use]
    pub fn stops(&self, source: &Source, start: DVec3, is_reversed: bool) -> Vec<Stop> {
        self.queries(source, start, is_reversed).stops
    }
}

impl Source {
    /// Preferred speed of one agent. Unit: m/s.
    #[must_use]
    pub fn draw_speed(&self, chance: Chance) -> f64 {
        let usual = self.profile.pace.speed;
        let drawn = self.speed.draw(chance, purpose::SPEED);
        drawn.clamp(usual * SLOWEST, usual / SLOWEST)
    }

    /// Time between appearing and setting out. Unit: seconds.
    #[must_use]
    pub fn draw_delay(&self, chance: Chance) -> f64 {
        self.delay.draw(chance, purpose::DELAY).max(0.0)
    }

    /// When an agent of the source appears at the earliest. Unit: seconds.
    #[must_use]
    pub fn appears_at(&self, member: u32) -> f64 {
        match &self.spawn {
            Spawn::AtOnce => 0.0,
            Spawn::Stream { per_second } => f64::from(member) / per_second.max(1e-9),
            Spawn::Timetable(arrivals) => appears_with(arrivals, member),
        }
    }
}

/// When a member appears whose crowd comes in batches. Unit: seconds.
fn appears_with(arrivals: &[Arrival], member: u32) -> f64 {
    let mut before = 0;
    for arrival in arrivals {
        if member < before + arrival.count {
            let share = f64::from(member - before) / f64::from(arrival.count);
            return arrival.at + share * arrival.over;
        }
        before = before.saturating_add(arrival.count);
    }
    f64::INFINITY
}
