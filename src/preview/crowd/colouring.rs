//! What the colours of people stand for.

use crate::base::{Colour, EntityId};
use crate::document::{Goal, Level, Target};
use crate::planner::registry;
use crate::preview::moment::series_colour;
use crate::preview::nav::colour_of;
use crate::preview::style::Palette;
use crate::sim::{AgentPose, Moment, Walked};
use glam::DVec2;
use std::collections::BTreeMap;

/// A property that people are coloured by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum ColourBy {
    #[default]
    Profile,
    Speed,
    Density,
    Delay,
    Goal,
    Planner,
}

/// Speeds and densities at the ends of the scales. Units: m/s, 1/m², seconds.
const FASTEST: f64 = 1.6;
const DENSEST: f64 = 4.0;
const LATEST: f64 = 30.0;

/// Neighbours within this distance count. Unit: metres.
const REACH: f64 = 1.2;

/// An entry of the legend: its name, and one colour or a scale.
pub type Entry = (String, Vec<Colour>);

impl ColourBy {
    pub const ALL: [Self; 6] = [
        Self::Profile,
        Self::Speed,
        Self::Density,
        Self::Delay,
        Self::Goal,
        Self::Planner,
    ];

    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Profile => "Profile",
            Self::Speed => "Speed",
            Self::Density => "Density",
            Self::Delay => "Delay",
            Self::Goal => "Goal",
            Self::Planner => "Planner",
        }
    }

    /// On the command line.
    #[must_use]
    pub fn name(self) -> String {
        self.title().to_lowercase()
    }

    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|by| by.name() == name)
    }

    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::Profile => "The colour of each one’s profile",
            Self::Speed => "How fast each one is; slow people stand out",
            Self::Density => "How many others are around each one",
            Self::Delay => "How much later each one is than at its preferred speed",
            Self::Goal => "Where each one goes",
            Self::Planner => "By whom each one’s path is planned",
        }
    }

    /// The colour of everyone at a moment, in its order. `walked` is needed for delays alone.
    #[must_use]
    pub fn colours(
        self,
        moment: &Moment,
        level: &Level,
        walked: Option<&Walked>,
        palette: &Palette,
    ) -> Vec<Colour> {
        let agents = moment.agents.iter();
        match self {
            Self::Profile => {
                let mut known: BTreeMap<EntityId, Colour> = BTreeMap::new();
                let mut colour = |id| {
                    let colour = known.entry(id);
                    *colour.or_insert_with(|| colour_of(level, id, palette))
                };
                agents.map(|shown| colour(shown.agent)).collect()
            }
            Self::Speed => {
                let colour = |shown: &AgentPose| palette.heat_at(1.0 - shown.pose.speed / FASTEST);
                agents.map(colour).collect()
            }
            Self::Density => {
                let share = |density: f64| palette.heat_at(density / DENSEST);
                densities(moment).into_iter().map(share).collect()
            }
            Self::Delay => {
                let delay = |shown: &AgentPose| {
                    let body = shown.body.as_ref()?;
                    let walked = walked?.at(shown.index?, moment.time)?;
                    let since = (moment.time - body.sets_out).max(0.0);
                    Some((since - walked / body.preferred.max(0.1)).max(0.0))
                };
                let colour = |shown| palette.heat_at(delay(shown).unwrap_or(0.0) / LATEST);
                agents.map(colour).collect()
            }
            Self::Goal | Self::Planner => {
                let groups = self.groups(moment, level);
                let colour = |shown: &AgentPose| {
                    let key = self.key(level, shown.agent);
                    let at = groups.iter().position(|known| *known == key);
                    series_colour(at.unwrap_or(0))
                };
                agents.map(colour).collect()
            }
        }
    }

    /// What a group is called.
    fn key(self, level: &Level, agent: EntityId) -> String {
        let Some(mission) = level.get(agent).and_then(|entity| entity.mission()) else {
            return String::new();
        };
        if self == Self::Planner {
            return registry::title(mission.planner).to_owned();
        }
        match mission.goals.last() {
            Some(Goal::At(at)) => format!("{:.0}, {:.0}", at.x, at.y),
            Some(Goal::Inside(id) | Goal::Patrol(id)) => target_label(level, *id),
            Some(Goal::NearestExit) => "Nearest exit".to_owned(),
            None => "No goal".to_owned(),
        }
    }

    fn groups(self, moment: &Moment, level: &Level) -> Vec<String> {
        let ids = moment.ids().into_iter();
        let mut groups: Vec<String> = ids.map(|id| self.key(level, id)).collect();
        groups.sort();
        groups.dedup();
        groups
    }

    /// The legend; nothing for profiles, which have one of their own.
    #[must_use]
    pub fn legend(self, moment: &Moment, level: &Level, palette: &Palette) -> Vec<Entry> {
        let scale = |name: &str, backwards: bool| {
            let at = |i: i32| {
                let share = f64::from(i) / 11.0;
                palette.heat_at(if backwards { 1.0 - share } else { share })
            };
            vec![(name.to_owned(), (0..12).map(at).collect())]
        };
        match self {
            Self::Profile => Vec::new(),
            Self::Speed => scale(&format!("Speed 0–{FASTEST} m/s"), true),
            Self::Density => scale(&format!("Density 0–{DENSEST}/m²"), false),
            Self::Delay => scale(&format!("Delay 0–{LATEST} s"), false),
            Self::Goal | Self::Planner => {
                let groups = self.groups(moment, level).into_iter().enumerate();
                groups
                    .map(|(i, name)| (name, vec![series_colour(i)]))
                    .collect()
            }
        }
    }
}

/// What a goal is called.
fn target_label(level: &Level, target: Target) -> String {
    match target {
        Target::Entity(id) => level.label(id),
        Target::Relation { object, .. } => level.label(object),
    }
}

/// People within reach of each one, itself included, for each square metre.
fn densities(moment: &Moment) -> Vec<f64> {
    let square = |at: DVec2| {
        let cell = (at / REACH).floor();
        (cell.x as i64, cell.y as i64)
    };
    let place = |shown: &AgentPose| (shown.pose.point.truncate(), shown.pose.point.z);
    let mut squares: std::collections::HashMap<(i64, i64), Vec<(DVec2, f64)>> =
        std::collections::HashMap::new();
    for shown in &moment.agents {
        let (at, z) = place(shown);
        squares.entry(square(at)).or_default().push((at, z));
    }
    let area = std::f64::consts::PI * REACH * REACH;
    let density = |shown: &AgentPose| {
        let (at, z) = place(shown);
        let (x, y) = square(at);
        let near = (x - 1..=x + 1).flat_map(|x| (y - 1..=y + 1).map(move |y| (x, y)));
        let others = near.filter_map(|cell| squares.get(&cell)).flatten();
        let is_near =
            |(p, h): &&(DVec2, f64)| p.distance_squared(at) <= REACH * REACH && (h - z).abs() < 2.0;
        others.filter(is_near).count() as f64 / area
    };
    moment.agents.iter().map(density).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preview::Look;
    use crate::sim::Pose;
    use glam::DVec3;

    fn moment(places: &[(f64, f64, f64)]) -> Moment {
        let pose = |(x, y, speed): &(f64, f64, f64)| AgentPose {
            agent: EntityId::new(1),
            index: None,
            series: None,
            pose: Pose {
                point: DVec3::new(*x, *y, 0.0),
                heading: 0.0,
                speed: *speed,
                along: 0.0,
                action: crate::document::Action::Walk,
            },
            leg: crate::sim::LegTime::default(),
            body: None,
        };
        Moment {
            time: 0.0,
            agents: places.iter().map(pose).collect(),
            lines: Vec::new(),
        }
    }

    #[test]
    fn dense_and_slow_people_are_hot() {
        let moment = moment(&[(0.0, 0.0, 0.0), (0.5, 0.0, 1.6), (9.0, 0.0, 0.8)]);
        let palette = Look::Dark.palette();
        let level = Level::default();
        let by = |by: ColourBy| by.colours(&moment, &level, None, palette);
        let speed = by(ColourBy::Speed);
        assert_eq!(speed[0], palette.heat_at(1.0));
        assert_eq!(speed[1], palette.heat_at(0.0));
        let density = by(ColourBy::Density);
        assert_eq!(density[0], density[1]);
        assert_ne!(density[0], density[2]);
        let area = std::f64::consts::PI * REACH * REACH;
        assert_eq!(density[2], palette.heat_at(1.0 / area / DENSEST));
        for colours in ColourBy::ALL.map(by) {
            assert_eq!(colours.len(), 3);
        }
    }

    #[test]
    fn names_lead_back_to_what_they_stand_for() {
        for by in ColourBy::ALL {
            assert_eq!(ColourBy::by_name(&by.name()), Some(by));
        }
        assert_eq!(ColourBy::by_name("height"), None);
    }
}
