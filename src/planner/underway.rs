//! Agents that are under way while things move.
//!
//! Bandi and Thalmann 2000, §8.3: whoever is between start and goal when something comes in the way gets
//! round it from where it is, and keeps the rest of its way. Who finds no way round waits, and goes on once
//! there is one.

use super::baked::Baked;
use super::human::{Astar, Change, Trip};
use super::missions::{AgentPlan, Leg, Plans};
use super::path::{Answer, Path};
use super::replay::{Replay, Track, speed_of};
use crate::base::EntityId;
use crate::jobs::{Cancelled, JobContext};
use crate::nav::voxel::LevelVoxels;
use std::collections::BTreeMap;
use std::sync::Arc;

/// One who is on the way.
#[derive(Clone, Debug)]
struct Walker {
    /// What was walked, and what lies ahead.
    track: Track,
    trip: Trip,
    /// Where on the track the trip begins. Unit: metres.
    begins: f64,
    /// Of the trip's legs. Unit: metres.
    lengths: Vec<f64>,
    /// What the last move did to it.
    changes: Vec<Change>,
}

/// Everybody who is, and the ways that are shown for them.
#[derive(Clone, Debug, Default)]
pub struct Underway {
    walkers: BTreeMap<EntityId, Walker>,
}

impl Underway {
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.walkers.is_empty()
    }

    /// Somebody stands before something and has no way round.
    #[must_use]
    pub fn is_anyone_waiting(&self) -> bool {
        self.walkers.values().any(Walker::is_waiting)
    }

    /// Things have moved so many seconds after everybody set out: from `before`, in which the ways of
    /// `replay` were planned, to `now`.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn moved(
        &self,
        replay: &Replay,
        before: &Plans,
        now: &Baked,
        time: f64,
        ctx: &JobContext,
    ) -> Result<Self, Cancelled> {
        let mut search = Astar::default();
        let mut walkers = BTreeMap::new();
        for (id, plan) in now.plans.iter() {
            ctx.checkpoint()?;
            let (Some(old), Some(track)) = (before.get(id), replay.tracks().get(id)) else {
                continue;
            };
            let (Some(voxels), true) = (plan.voxels(), old.asks_the_same(plan)) else {
                continue;
            };
            let known = self.walkers.get(id).cloned();
            let is_same = old.voxels().is_some_and(|old| Arc::ptr_eq(old, voxels));
            let walker = match known {
                Some(walker) if is_same => Some(walker),
                None if is_same => None,
                known => {
                    let trip = || Walker::setting_out(track, old.trip(&mut search)?);
                    let walker = known.or_else(trip);
                    let speed = speed_of(&now.level, *id);
                    walker.map(|walker| walker.moved(&mut search, voxels, time, speed))
                }
            };
            walkers.extend(walker.map(|walker| (*id, walker)));
        }
        Ok(Self { walkers })
    }

    /// The ways of everybody else, and those of walkers as they have become.
    #[must_use]
    pub fn replay(&self, now: &Baked) -> Replay {
        let walked = self.walkers.iter();
        let walked = walked.map(|(id, walker)| (*id, walker.track.clone()));
        Replay::of(&now.level, &now.plans).with(walked)
    }

    /// The same as plans, to be drawn and told of.
    #[must_use]
    pub fn plans(&self, now: &Plans) -> Plans {
        let mut plans = now.clone();
        for (id, walker) in &self.walkers {
            if let Some(plan) = plans.get_mut(id) {
                *plan = Arc::new(walker.plan(plan));
            }
        }
        plans
    }
}

impl Walker {
    fn setting_out(track: &Track, trip: Trip) -> Option<Self> {
        (!trip.is_empty()).then(|| Self {
            track: track.clone(),
            begins: 0.0,
            lengths: trip.ways().map(|way| way.length).collect(),
            trip,
            changes: Vec::new(),
        })
    }

    fn is_waiting(&self) -> bool {
        matches!(self.changes.last(), Some(Change::Lost(_)))
    }

    fn moved(
        mut self,
        search: &mut Astar,
        voxels: &Arc<LevelVoxels>,
        time: f64,
        speed: f64,
    ) -> Self {
        let Some(here) = self.track.place(time) else {
            return self;
        };
        let along = self.track.along(time);
        let mut metres = along - self.begins;
        let mut left = 0;
        while left + 1 < self.lengths.len() && metres >= self.lengths[left] {
            metres -= self.lengths[left];
            left += 1;
        }
        let is_over = left + 1 == self.lengths.len() && metres >= self.lengths[left] - 1e-6;
        if is_over {
            // Whoever has arrived stays there.
            self.changes.clear();
            return self;
        }
        self.trip.drop_legs(left);
        let behind: f64 = self.lengths.drain(..left).sum();
        self.begins += behind;
        let cell = self.trip.cell_at(metres.max(0.0));
        let mut changes = self.trip.update(search, voxels, Some((here, cell)));
        // Set back to what lies behind, or on other cells: the rest is planned from there.
        if (metres < -1e-6 || changes.contains(&Change::Other))
            && let Some(anew) = self.trip.anew(search, voxels, here)
        {
            self.trip = anew;
            changes = vec![Change::None; self.trip.len()];
        }
        let is_lost = matches!(changes.last(), Some(Change::Lost(_) | Change::Other));
        let led = changes.len() - usize::from(is_lost);
        self.track = self.track.until(time);
        let ways: Vec<Path> = self.trip.ways().collect();
        for way in &ways[..led] {
            self.track.append(way, speed);
        }
        // A leg that is lost stays as it was, so that one knows where on it one stands.
        if led > 0 {
            self.begins = along;
            self.lengths = ways.iter().map(|way| way.length).collect();
        }
        self.changes = changes;
        self
    }

    /// The plan of somebody who goes like this.
    fn plan(&self, plan: &AgentPlan) -> AgentPlan {
        let way = self.track.path();
        let ends = |p: Option<&glam::DVec3>| p.copied().unwrap_or_default();
        let leg = Leg {
            from: ends(way.points.first()),
            to: ends(way.points.last()),
            answer: Answer::Found(way),
        };
        plan.walked(leg, self.changes.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::PlannerKind;
    use crate::document::template::{Options, Template};
    use crate::document::{
        Agent, Edit, Entity, Goal, Heading, Kind, KindName, Level, Mission, ops,
    };
    use crate::planner::Slopes;
    use glam::DVec3;

    const WALKER: EntityId = EntityId::new(90_000);

    /// Over the balcony of the stairs, and nobody else.
    fn level() -> Level {
        let level = Template::Stairs.build(&Options::default()).expect("drawn");
        let others = level.iter().filter(|(_, entity)| {
            matches!(entity.kind, Kind::Agent(_) | Kind::Crowd(_) | Kind::Test(_))
        });
        let mut edits: Vec<Edit> = others.map(|(id, _)| Edit::Delete { id }).collect();
        let adult = level.find(KindName::Profile, "Adult").expect("there");
        let agent = Agent {
            start: DVec3::new(3.0, 9.0, 3.06),
            heading: Heading::degrees(0.0),
            mission: Mission {
                goals: vec![Goal::At(DVec3::new(12.0, 9.0, 3.06))],
                planner: PlannerKind::Human,
                ..Mission::new(adult)
            },
        };
        edits.push(Edit::create(
            WALKER,
            Entity::new("Walker", Kind::Agent(agent)),
        ));
        ops::apply(&level, &edits).expect("valid")
    }

    fn with_crate_at(level: &Level, x: f64, y: f64, width: f64) -> Level {
        let id = level
            .find(KindName::Solid, "Crate on the balcony")
            .expect("there");
        let mut entity = (**level.get(id).expect("there")).clone();
        if let Kind::Solid(solid) = &mut entity.kind {
            (solid.position.x, solid.position.y) = (x, y);
            solid.size.y = width;
        }
        ops::apply(level, &[Edit::replace(id, entity)]).expect("valid")
    }

    fn baked(level: &Level, before: Option<&Baked>) -> Baked {
        let ctx = JobContext::default();
        Baked::bake(Arc::new(level.clone()), before, Slopes::default(), &ctx)
            .expect("not cancelled")
    }

    fn is_in_crate(p: &DVec3) -> bool {
        (p.x - 8.6).abs() < 0.25 && (p.y - 9.0).abs() < 0.45
    }

    #[test]
    fn whoever_is_under_way_gets_round_a_crate_from_where_it_is() {
        let ctx = JobContext::default();
        let level = level();
        let first = baked(&with_crate_at(&level, 8.6, 7.6, 0.4), None);
        let replay = Replay::of(&first.level, &first.plans);
        let track = &replay.tracks()[&WALKER];
        assert!(track.points().windows(2).any(|pair| {
            (0..=50).any(|i| is_in_crate(&pair[0].lerp(pair[1], f64::from(i) / 50.0)))
        }));
        let time = 0.4 * track.duration();
        let here = track.place(time).expect("on its way");
        let second = baked(&with_crate_at(&level, 8.6, 9.0, 1.0), Some(&first));
        // At rest the plan tells what somebody on the way before would do.
        assert!(matches!(
            second.plans[&WALKER].changes[..],
            [Change::Mended(_)]
        ));
        let underway = Underway::default();
        let underway = underway
            .moved(&replay, &first.plans, &second, time, &ctx)
            .expect("not cancelled");
        let went_round = underway.replay(&second);
        let round = &went_round.tracks()[&WALKER];
        // What was walked stays, and from there on it leads past the crate to the goal.
        for i in 0..=20 {
            let t = time * f64::from(i) / 20.0;
            let (a, b) = (
                track.place(t).expect("there"),
                round.place(t).expect("there"),
            );
            assert!(a.distance(b) < 1e-9, "{a} {b}");
        }
        let samples = |track: &Track| -> Vec<DVec3> {
            let at = |i: i32| track.duration() * f64::from(i) / 500.0;
            (0..=500).filter_map(|i| track.place(at(i))).collect()
        };
        assert!(!samples(round).iter().any(is_in_crate));
        assert_eq!(round.points().last(), track.points().last());
        assert!(round.duration() > track.duration());
        let plans = underway.plans(&second.plans);
        let [Change::Mended(detour)] = &plans[&WALKER].changes[..] else {
            panic!("it got round the crate");
        };
        assert!(detour.old.iter().any(is_in_crate) && !detour.new.iter().any(is_in_crate));
        assert!(detour.new[0].x >= here.x - 0.3);
        assert!((plans[&WALKER].length() - round.length()).abs() < 1e-9);

        // From wall to wall it waits before the crate; once that is gone, it goes on.
        let later = 0.5 * round.duration();
        let third = baked(&with_crate_at(&level, 8.6, 9.04, 4.0), Some(&second));
        let waiting = underway
            .moved(&went_round, &second.plans, &third, later, &ctx)
            .expect("not cancelled");
        assert!(waiting.is_anyone_waiting());
        let stopped = waiting.replay(&third);
        let stop = stopped.tracks()[&WALKER].place(later + 5.0).expect("there");
        assert!(stop.distance(round.place(later).expect("there")) < 1e-9);
        assert!((stopped.tracks()[&WALKER].duration() - later).abs() < 1e-9);
        let freed = waiting
            .moved(
                &stopped,
                &third.plans,
                &first_again(&level, &third),
                later + 5.0,
                &ctx,
            )
            .expect("not cancelled");
        assert!(!freed.is_anyone_waiting());
        let on = freed.replay(&third);
        let on = &on.tracks()[&WALKER];
        assert!(on.place(later + 5.0).expect("there").distance(stop) < 1e-9);
        assert!(on.duration() > later + 5.0);
        assert_eq!(on.points().last(), track.points().last());
        // At no time does it leap.
        let samples = samples(on);
        let step = 3.0 * on.duration() / 500.0;
        assert!(
            samples
                .windows(2)
                .all(|pair| pair[0].distance(pair[1]) < step)
        );
    }

    fn first_again(level: &Level, before: &Baked) -> Baked {
        baked(&with_crate_at(level, 8.6, 7.6, 0.4), Some(before))
    }

    #[test]
    fn whoever_has_passed_or_arrived_is_not_touched_and_who_is_set_back_plans_anew() {
        let ctx = JobContext::default();
        let level = level();
        let first = baked(&with_crate_at(&level, 8.6, 7.6, 0.4), None);
        let second = baked(&with_crate_at(&level, 8.6, 9.0, 1.0), Some(&first));
        let replay = Replay::of(&first.level, &first.plans);
        let track = replay.tracks()[&WALKER].clone();
        for time in [
            0.8 * track.duration(),
            track.duration(),
            track.duration() + 9.0,
        ] {
            let underway = Underway::default()
                .moved(&replay, &first.plans, &second, time, &ctx)
                .expect("not cancelled");
            let after = underway.replay(&second).tracks()[&WALKER].clone();
            assert!((after.length() - track.length()).abs() < 0.2, "at {time}");
            assert!(
                (after.duration() - track.duration()).abs() < 0.2,
                "at {time}"
            );
            assert!(
                underway.plans(&second.plans)[&WALKER]
                    .changes
                    .iter()
                    .all(|change| *change == Change::None)
            );
        }
        // Round the crate once, then time is set back and the crate moves again.
        let time = 0.4 * track.duration();
        let underway = Underway::default()
            .moved(&replay, &first.plans, &second, time, &ctx)
            .expect("not cancelled");
        let round = underway.replay(&second);
        let third = baked(&with_crate_at(&level, 8.6, 8.6, 1.0), Some(&second));
        let early = 0.1 * track.duration();
        let again = underway
            .moved(&round, &second.plans, &third, early, &ctx)
            .expect("not cancelled");
        let after = again.replay(&third).tracks()[&WALKER].clone();
        assert!(
            after
                .place(early)
                .expect("there")
                .distance(track.place(early).expect("there"))
                < 1e-9
        );
        assert!(
            after
                .points()
                .last()
                .expect("there")
                .distance(*track.points().last().expect("there"))
                < 0.3
        );
    }
}
