//! Agents and crowds: where and how they start.

use super::list::list_ui;
use super::rows::number_row;
use crate::base::Distribution;
use crate::document::{
    Agent, Arrival, Crowd, Entity, GroupSize, Groups, Kind, Spawn, Variety, limits,
};
use crate::editor::panels::field::{Manner, section};
use crate::editor::panels::form::{Field, Form, field, lens};
use egui::Ui;

const START: Field = field("Start", "Where the agent starts.");
const ELEVATION: Field = field("Elevation", "Height of the start; picks the storey.");
const HEADING: Field = field("Heading", "The direction it faces at the start.");
const COUNT: Field = field("Agents", "Total number of agents.");
const SPAWN: Field = field("Appear", "All at once or as a stream.");
const DEVIATION: Field = field(
    "Deviation",
    "Standard deviation of the preferred speeds around that of the profile.",
);
const DELAY: Field = field(
    "Delays",
    "How the times differ between appearing and setting out.",
);
const WAIT: Field = field("Delay", "Everyone waits so long before setting out.");
const EARLIEST: Field = field("Earliest", "No agent sets out before this time.");
const LATEST: Field = field("Latest", "Everyone has set out by then.");
const MEAN: Field = field("Mean", "Of the delay, or of its logarithm.");
const SPREAD: Field = field(
    "Spread",
    "Standard deviation of the delay, or of its logarithm.",
);
const SHAPE: Field = field("Shape", "Of the distribution: larger is more even.");
const SCALE: Field = field("Scale", "Of the distribution: larger is later.");
const TIMETABLE: Field = field("Timetable", "Batches of agents, as trains bring them.");
const GROUPS: Field = field(
    "Groups",
    "Agents that walk together, such as couples and families.",
);
const RATE: Field = field("Rate", "Agents per second until all have appeared.");

pub fn ui(ui: &mut Ui, form: &mut Form<'_, Entity>) {
    if form.all(|entity| matches!(entity.kind, Kind::Agent(_))) {
        section(ui, "Agent", |ui| {
            let start = lens!(Kind::Agent(Agent { start, .. }) => *start);
            form.place(ui, START, ELEVATION, start);
            let heading = lens!(Kind::Agent(a) => a.heading.degrees);
            form.number(ui, HEADING, &limits::HEADING, heading);
        });
    } else if form.all(|entity| matches!(entity.kind, Kind::Crowd(_))) {
        section(ui, "Crowd", |ui| crowd_ui(ui, form));
    }
}

fn crowd_ui(ui: &mut Ui, form: &mut Form<'_, Entity>) {
    // A timetable has counts of its own.
    let count = lens!(Kind::Crowd(
        Crowd { spawn: Spawn::AtOnce | Spawn::Stream { .. }, count, .. }) => *count);
    form.count(ui, COUNT, &limits::CROWD_COUNT, count);
    let current = |entity: &Entity| match &entity.kind {
        Kind::Crowd(crowd) => Some(match crowd.spawn {
            Spawn::AtOnce => 0,
            Spawn::Stream { .. } => 1,
            Spawn::Timetable(_) => 2,
        }),
        _ => None,
    };
    let options = ["All at once", "In a stream", "By a timetable"];
    form.variant(ui, SPAWN, &options, current, |entity, index| {
        if let Kind::Crowd(crowd) = &mut entity.kind {
            crowd.spawn = match index {
                0 => Spawn::AtOnce,
                1 => Spawn::Stream {
                    per_second: limits::SPAWN_RATE.default,
                },
                _ => Spawn::Timetable(vec![Arrival {
                    at: limits::ARRIVAL.default,
                    count: crowd.count,
                    over: limits::ALIGHTING.default,
                }]),
            };
        }
    });
    let rate = lens!(
        Kind::Crowd(Crowd { spawn: Spawn::Stream { per_second }, .. }) => *per_second
    );
    form.number(ui, RATE, &limits::SPAWN_RATE, rate);
    let timetable = lens!(
        Kind::Crowd(Crowd { spawn: Spawn::Timetable(arrivals), .. }) => *arrivals
    );
    form.custom(ui, TIMETABLE, timetable, arrivals_ui);
    let groups = lens!(Kind::Crowd(Crowd { groups: Groups { sizes }, .. }) => *sizes);
    form.custom(ui, GROUPS, groups, groups_ui);
    let deviation = lens!(Kind::Crowd(c) => c.variety.speed_deviation);
    form.number(ui, DEVIATION, &limits::SPEED_DEVIATION, deviation);
    delay_ui(ui, form);
}

/// Batches, such as trains; keeps at least one.
fn arrivals_ui(ui: &mut Ui, arrivals: &mut Vec<Arrival>) -> Option<Manner> {
    let before = arrivals.clone();
    let mut manner = list_ui(ui, "Arrival", arrivals, |ui, arrival| {
        let at = number_row(
            ui,
            "At",
            "Since the run began.",
            &limits::ARRIVAL,
            &mut arrival.at,
        );
        let mut count = f64::from(arrival.count);
        let agents = number_row(ui, "Agents", "", &limits::CROWD_COUNT, &mut count);
        arrival.count = count.round() as u32;
        let help = "Time over which they appear.";
        number_row(ui, "Over", help, &limits::ALIGHTING, &mut arrival.over)
            .or(agents)
            .or(at)
    });
    if arrivals.is_empty() {
        *arrivals = before;
        manner = None;
    }
    if ui.button("Add an arrival").clicked() {
        let mut next = *arrivals.last()?;
        next.at += limits::ARRIVAL.default;
        arrivals.push(next);
        manner = Some(Manner::Chosen);
    }
    manner
}

/// Sizes of groups and how common they are.
fn groups_ui(ui: &mut Ui, sizes: &mut Vec<GroupSize>) -> Option<Manner> {
    let mut manner = list_ui(ui, "Group", sizes, |ui, group| {
        let mut size = f64::from(group.size);
        let people = number_row(
            ui,
            "Agents",
            "In one group.",
            &limits::GROUP_SIZE,
            &mut size,
        );
        group.size = size.round() as u32;
        let help = "How common such groups are beside the others.";
        number_row(ui, "Share", help, &limits::GROUP_SHARE, &mut group.share).or(people)
    });
    let add = ui
        .button("Add groups")
        .on_hover_text("Agents of a group appear and stay together. Without any, all walk alone.");
    if add.clicked() {
        sizes.push(GroupSize {
            size: sizes.last().map_or(2, |group| group.size + 1),
            share: limits::GROUP_SHARE.default,
        });
        manner = Some(Manner::Chosen);
    }
    manner
}

/// The distribution of the times at which a crowd's agents set out, and its parameters.
fn delay_ui(ui: &mut Ui, form: &mut Form<'_, Entity>) {
    let current = |entity: &Entity| match &entity.kind {
        Kind::Crowd(crowd) => Some(match crowd.variety.delay {
            Distribution::Constant(_) => 0,
            Distribution::Uniform { .. } => 1,
            Distribution::Normal { .. } => 2,
            Distribution::LogNormal { .. } => 3,
            Distribution::Gamma { .. } => 4,
            Distribution::Weibull { .. } => 5,
        }),
        _ => None,
    };
    let options = [
        "Equal",
        "Uniform",
        "Normal",
        "Log-normal",
        "Gamma",
        "Weibull",
    ];
    form.variant(ui, DELAY, &options, current, |entity, index| {
        if let Kind::Crowd(crowd) = &mut entity.kind {
            crowd.variety.delay = match index {
                0 => Distribution::default(),
                1 => Distribution::Uniform {
                    from: 0.0,
                    to: 10.0,
                },
                2 => Distribution::Normal {
                    mean: 10.0,
                    deviation: 3.0,
                },
                3 => Distribution::LogNormal {
                    mean: 2.0,
                    deviation: 0.5,
                },
                4 => Distribution::Gamma {
                    shape: 1.3,
                    scale: 10.0,
                },
                _ => Distribution::Weibull {
                    shape: 1.2,
                    scale: 10.0,
                },
            };
        }
    });
    macro_rules! parameter {
        ($field:expr, $limits:expr, $pattern:pat => $value:expr) => {
            form.number(
                ui,
                $field,
                $limits,
                lens!(Kind::Crowd(Crowd { variety: Variety { delay: $pattern, .. }, .. }) => $value),
            );
        };
    }
    parameter!(WAIT, &limits::DELAY, Distribution::Constant(value) => *value);
    parameter!(EARLIEST, &limits::DELAY, Distribution::Uniform { from, .. } => *from);
    parameter!(LATEST, &limits::DELAY, Distribution::Uniform { to, .. } => *to);
    parameter!(MEAN, &limits::DELAY, Distribution::Normal { mean, .. } => *mean);
    parameter!(SPREAD, &limits::DELAY, Distribution::Normal { deviation, .. } => *deviation);
    parameter!(MEAN, &limits::LOG_DELAY, Distribution::LogNormal { mean, .. } => *mean);
    parameter!(SPREAD, &limits::LOG_DELAY, Distribution::LogNormal { deviation, .. } => *deviation);
    parameter!(SHAPE, &limits::DELAY_SHAPE,
        Distribution::Gamma { shape, .. } | Distribution::Weibull { shape, .. } => *shape);
    parameter!(SCALE, &limits::DELAY,
        Distribution::Gamma { scale, .. } | Distribution::Weibull { scale, .. } => *scale);
}
