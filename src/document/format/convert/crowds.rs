//! Doors, links, places of crowds, and how a level is simulated.

use super::{from_place, from_point, from_points, id, place, point, points, v2};
use crate::base::{Distribution, EntityId};
use crate::document::model::{
    Arrival, Crowd, DensityLimit, Door, DoorChange, DoorState, Exit, FlagIs, GroupSize, Groups,
    Link, LinkAction, LinkDirection, LinkPace, Measure, MeasureShape, Queue, RunExpectation,
    SimulationSettings, Spawn, Swing, Variety, Wait, WaitingArea, When,
};
use std::collections::BTreeSet;

same_variants! {
    DoorState = DoorState { Open, Shut, Locked }
    Swing = Swing { Left, Right, Double, Sliding, None }
    LinkAction = LinkAction { Jump, Ladder, Drop, Lift, Teleport, Door }
}

fn ids(set: &BTreeSet<EntityId>) -> Vec<v2::Id> {
    set.iter().copied().map(id).collect()
}

fn from_ids(list: Vec<v2::Id>) -> BTreeSet<EntityId> {
    list.into_iter().map(EntityId::new).collect()
}

impl From<FlagIs> for v2::FlagIs {
    fn from(flag: FlagIs) -> Self {
        match flag {
            FlagIs::Set(flag) => Self::Set(id(flag)),
            FlagIs::Unset(flag) => Self::Unset(id(flag)),
        }
    }
}

impl From<v2::FlagIs> for FlagIs {
    fn from(flag: v2::FlagIs) -> Self {
        match flag {
            v2::FlagIs::Set(flag) => Self::Set(EntityId::new(flag)),
            v2::FlagIs::Unset(flag) => Self::Unset(EntityId::new(flag)),
        }
    }
}

impl From<When> for v2::When {
    fn from(when: When) -> Self {
        Self {
            hours: when.hours.map(|hours| (hours.from, hours.until)),
            flag: when.flag.map(Into::into),
        }
    }
}

impl From<v2::When> for When {
    fn from(when: v2::When) -> Self {
        Self {
            hours: when
                .hours
                .map(|(from, until)| crate::document::model::Hours { from, until }),
            flag: when.flag.map(Into::into),
        }
    }
}

impl From<Distribution> for v2::Delay {
    fn from(time: Distribution) -> Self {
        match time {
            Distribution::Constant(value) => Self::Constant(value),
            Distribution::Uniform { from, to } => Self::Uniform { from, to },
            Distribution::Normal { mean, deviation } => Self::Normal { mean, deviation },
            Distribution::LogNormal { mean, deviation } => Self::LogNormal { mean, deviation },
            Distribution::Gamma { shape, scale } => Self::Gamma { shape, scale },
            Distribution::Weibull { shape, scale } => Self::Weibull { shape, scale },
        }
    }
}

impl From<v2::Delay> for Distribution {
    fn from(time: v2::Delay) -> Self {
        match time {
            v2::Delay::Constant(value) => Self::Constant(value),
            v2::Delay::Uniform { from, to } => Self::Uniform { from, to },
            v2::Delay::Normal { mean, deviation } => Self::Normal { mean, deviation },
            v2::Delay::LogNormal { mean, deviation } => Self::LogNormal { mean, deviation },
            v2::Delay::Gamma { shape, scale } => Self::Gamma { shape, scale },
            v2::Delay::Weibull { shape, scale } => Self::Weibull { shape, scale },
        }
    }
}

impl From<&Crowd> for v2::Crowd {
    fn from(crowd: &Crowd) -> Self {
        let delay = crowd.variety.delay;
        // No delay is omitted from files; −0 is written explicitly.
        let has_delay = !matches!(delay, Distribution::Constant(value) if value.to_bits() == 0);
        Self {
            area: (&crowd.area).into(),
            count: crowd.count,
            per_second: match crowd.spawn {
                Spawn::Stream { per_second } => Some(per_second),
                Spawn::AtOnce | Spawn::Timetable(_) => None,
            },
            timetable: match &crowd.spawn {
                Spawn::AtOnce | Spawn::Stream { .. } => Vec::new(),
                Spawn::Timetable(arrivals) => arrivals
                    .iter()
                    .map(|arrival| v2::Arrival {
                        at: arrival.at,
                        count: arrival.count,
                        over: arrival.over,
                    })
                    .collect(),
            },
            groups: crowd
                .groups
                .sizes
                .iter()
                .map(|group| (group.size, group.share))
                .collect(),
            speed_deviation: crowd.variety.speed_deviation,
            delay: has_delay.then(|| delay.into()),
            mission: (&crowd.mission).into(),
        }
    }
}

impl From<v2::Crowd> for Crowd {
    /// Of a timetable and a rate, the timetable counts.
    fn from(crowd: v2::Crowd) -> Self {
        let arrival = |arrival: v2::Arrival| Arrival {
            at: arrival.at,
            count: arrival.count,
            over: arrival.over,
        };
        let stream = |per_second| Spawn::Stream { per_second };
        Self {
            area: crowd.area.into(),
            count: crowd.count,
            spawn: if crowd.timetable.is_empty() {
                crowd.per_second.map_or(Spawn::AtOnce, stream)
            } else {
                Spawn::Timetable(crowd.timetable.into_iter().map(arrival).collect())
            },
            variety: Variety {
                speed_deviation: crowd.speed_deviation,
                delay: crowd.delay.map_or_else(Distribution::default, Into::into),
            },
            groups: Groups {
                sizes: crowd
                    .groups
                    .into_iter()
                    .map(|(size, share)| GroupSize { size, share })
                    .collect(),
            },
            mission: crowd.mission.into(),
        }
    }
}

impl From<&Door> for v2::Door {
    fn from(door: &Door) -> Self {
        Self {
            from: point(door.jambs[0]),
            to: point(door.jambs[1]),
            base: door.base,
            height: door.height,
            state: door.state.into(),
            changes: door
                .changes
                .iter()
                .map(|change| v2::DoorChange {
                    to: change.to.into(),
                    when: change.when.into(),
                })
                .collect(),
            locked_for: ids(&door.locked_for),
            flow: door.flow,
            swing: door.swing.into(),
            wall: door.wall.map(id),
        }
    }
}

impl From<v2::Door> for Door {
    fn from(door: v2::Door) -> Self {
        Self {
            jambs: [from_point(door.from), from_point(door.to)],
            base: door.base,
            height: door.height,
            state: door.state.into(),
            changes: door
                .changes
                .into_iter()
                .map(|change| DoorChange {
                    to: change.to.into(),
                    when: change.when.into(),
                })
                .collect(),
            locked_for: from_ids(door.locked_for),
            flow: door.flow,
            swing: door.swing.into(),
            wall: door.wall.map(EntityId::new),
        }
    }
}

impl From<&Link> for v2::Link {
    fn from(link: &Link) -> Self {
        Self {
            action: link.action.into(),
            from: place(link.from),
            to: place(link.to),
            one_way: link.direction == LinkDirection::OneWay,
            cost: link.cost,
            pace: match link.pace {
                LinkPace::Profile => v2::LinkPace::Profile,
                LinkPace::Speed(speed) => v2::LinkPace::Speed(speed),
                LinkPace::Time(seconds) => v2::LinkPace::Time(seconds),
            },
            profiles: ids(&link.profiles),
            animation: link.animation.clone(),
        }
    }
}

impl From<v2::Link> for Link {
    fn from(link: v2::Link) -> Self {
        Self {
            action: link.action.into(),
            from: from_place(link.from),
            to: from_place(link.to),
            direction: if link.one_way {
                LinkDirection::OneWay
            } else {
                LinkDirection::BothWays
            },
            cost: link.cost,
            pace: match link.pace {
                v2::LinkPace::Profile => LinkPace::Profile,
                v2::LinkPace::Speed(speed) => LinkPace::Speed(speed),
                v2::LinkPace::Time(seconds) => LinkPace::Time(seconds),
            },
            profiles: from_ids(link.profiles),
            animation: link.animation,
        }
    }
}

impl From<&Exit> for v2::Exit {
    fn from(exit: &Exit) -> Self {
        Self {
            area: (&exit.area).into(),
            base: exit.base,
        }
    }
}

impl From<v2::Exit> for Exit {
    fn from(exit: v2::Exit) -> Self {
        Self {
            area: exit.area.into(),
            base: exit.base,
        }
    }
}

impl From<&WaitingArea> for v2::WaitingArea {
    fn from(waiting: &WaitingArea) -> Self {
        Self {
            area: (&waiting.area).into(),
            base: waiting.base,
            wait: match waiting.wait {
                Wait::For(time) => v2::Wait::For(time.into()),
                Wait::UntilHour(hour) => v2::Wait::UntilHour(hour),
                Wait::Until(flag) => v2::Wait::Until(flag.into()),
            },
        }
    }
}

impl From<v2::WaitingArea> for WaitingArea {
    fn from(waiting: v2::WaitingArea) -> Self {
        Self {
            area: waiting.area.into(),
            base: waiting.base,
            wait: match waiting.wait {
                v2::Wait::For(time) => Wait::For(time.into()),
                v2::Wait::UntilHour(hour) => Wait::UntilHour(hour),
                v2::Wait::Until(flag) => Wait::Until(flag.into()),
            },
        }
    }
}

impl From<&Queue> for v2::Queue {
    fn from(queue: &Queue) -> Self {
        Self {
            line: points(&queue.line),
            base: queue.base,
            spacing: queue.spacing,
            service: queue.service.into(),
        }
    }
}

impl From<v2::Queue> for Queue {
    fn from(queue: v2::Queue) -> Self {
        Self {
            line: from_points(queue.line),
            base: queue.base,
            spacing: queue.spacing,
            service: queue.service.into(),
        }
    }
}

impl From<&Measure> for v2::Kind {
    fn from(measure: &Measure) -> Self {
        let base = measure.base;
        match &measure.shape {
            MeasureShape::Line([from, to]) => Self::MeasuringLine(v2::MeasuringLine {
                from: point(*from),
                to: point(*to),
                base,
            }),
            MeasureShape::Area(area) => Self::MeasuringArea(v2::MeasuringArea {
                area: area.into(),
                base,
            }),
        }
    }
}

impl From<v2::MeasuringLine> for Measure {
    fn from(line: v2::MeasuringLine) -> Self {
        Self {
            shape: MeasureShape::Line([from_point(line.from), from_point(line.to)]),
            base: line.base,
        }
    }
}

impl From<v2::MeasuringArea> for Measure {
    fn from(area: v2::MeasuringArea) -> Self {
        Self {
            shape: MeasureShape::Area(area.area.into()),
            base: area.base,
        }
    }
}

impl From<&SimulationSettings> for v2::Simulation {
    fn from(simulation: &SimulationSettings) -> Self {
        Self {
            seed: simulation.seed,
            step: simulation.step,
            model: simulation.model.clone(),
            duration: simulation.duration,
        }
    }
}

impl From<v2::Simulation> for SimulationSettings {
    fn from(simulation: v2::Simulation) -> Self {
        Self {
            seed: simulation.seed,
            step: simulation.step,
            model: simulation.model,
            duration: simulation.duration,
        }
    }
}

impl From<&RunExpectation> for v2::RunExpectation {
    fn from(run: &RunExpectation) -> Self {
        Self {
            all_out_within: run.all_out_within,
            max_density: run
                .max_density
                .iter()
                .map(|density| (id(density.area), density.limit))
                .collect(),
            none_stuck: run.none_stuck,
        }
    }
}

impl From<v2::RunExpectation> for RunExpectation {
    fn from(run: v2::RunExpectation) -> Self {
        Self {
            all_out_within: run.all_out_within,
            max_density: run
                .max_density
                .into_iter()
                .map(|(area, limit)| DensityLimit {
                    area: EntityId::new(area),
                    limit,
                })
                .collect(),
            none_stuck: run.none_stuck,
        }
    }
}
