//! Constraints: where a path should run, or must not (Ninomiya et al. 2014, §4.1).

use super::{
    annotation::Relation,
    check::{self, Checked, Refusal},
    limits,
};
use crate::base::EntityId;

/// A soft or hard constraint on where the path runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Constraint {
    pub rule: Rule,
    pub target: Target,
    pub when: When,
}

/// What a constraint or a goal refers to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Target {
    /// An annotation, an object, a route, an agent, a region or a terrain type.
    Entity(EntityId),
    /// An area relative to an object, without an annotation of its own.
    Relation {
        object: EntityId,
        relation: Relation,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub enum Rule {
    /// Attracted into the target (positive weight) or repelled (negative).
    In { weight: Weight },
    /// Attracted to the target and its surroundings, or repelled from them, within |weight| metres.
    Near { weight: Weight },
    /// Never inside.
    NotIn,
}

/// The weight of a soft constraint: above 0 attracts, below 0 repels.
#[derive(Clone, Debug, PartialEq)]
pub enum Weight {
    Constant(f64),
    /// Hours of the day with their weights, linear between them and across midnight; hours rise and
    /// there is at least one.
    ByHour(Vec<(f64, f64)>),
}

/// When a constraint acts: every given condition must hold.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct When {
    pub hours: Option<Hours>,
    pub flag: Option<FlagIs>,
}

/// A span of the day, possibly across midnight; the whole day if both ends are alike. Unit: hours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hours {
    pub from: f64,
    pub until: f64,
}

/// A condition on a flag of the level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlagIs {
    Set(EntityId),
    Unset(EntityId),
}

/// Hours of a day.
const DAY: f64 = 24.0;

impl Constraint {
    /// A constraint that always acts.
    #[must_use]
    pub const fn new(rule: Rule, target: Target) -> Self {
        Self {
            rule,
            target,
            when: When::ALWAYS,
        }
    }

    /// Restricts it.
    #[must_use]
    pub const fn when(mut self, when: When) -> Self {
        self.when = when;
        self
    }

    pub(super) fn check(&self) -> Checked {
        if let Some(weight) = self.rule.weight() {
            weight.check()?;
        }
        self.target.check()?;
        self.when.check()
    }
}

impl Rule {
    /// The weight of a soft rule; `None` if it is hard.
    #[must_use]
    pub const fn weight(&self) -> Option<&Weight> {
        match self {
            Self::In { weight } | Self::Near { weight } => Some(weight),
            Self::NotIn => None,
        }
    }

    pub const fn weight_mut(&mut self) -> Option<&mut Weight> {
        match self {
            Self::In { weight } | Self::Near { weight } => Some(weight),
            Self::NotIn => None,
        }
    }
}

impl Weight {
    /// The weight at a time of day. Unit of `hour`: hours, of any day.
    #[must_use]
    pub fn at(&self, hour: f64) -> f64 {
        let list = match self {
            Self::Constant(weight) => return *weight,
            Self::ByHour(list) => list,
        };
        let (Some(&first), Some(&last)) = (list.first(), list.last()) else {
            return 0.0;
        };
        let hour = hour.rem_euclid(DAY);
        let next = list.partition_point(|(at, _)| *at <= hour);
        let (before, after) = match next {
            0 => ((last.0 - DAY, last.1), first),
            n if n == list.len() => (last, (first.0 + DAY, first.1)),
            n => (list[n - 1], list[n]),
        };
        let span = after.0 - before.0;
        if span > 0.0 {
            before.1 + (after.1 - before.1) * (hour - before.0) / span
        } else {
            before.1
        }
    }

    /// Every weight that was given: between two of them lies each weight of the day.
    #[must_use]
    pub fn values(&self) -> Vec<f64> {
        match self {
            Self::Constant(weight) => vec![*weight],
            Self::ByHour(list) => list.iter().map(|(_, weight)| *weight).collect(),
        }
    }

    /// The largest weight of the day.
    #[must_use]
    pub fn max(&self) -> f64 {
        self.values().into_iter().fold(f64::NEG_INFINITY, f64::max)
    }

    /// The smallest weight of the day.
    #[must_use]
    pub fn min(&self) -> f64 {
        self.values().into_iter().fold(f64::INFINITY, f64::min)
    }

    /// # Errors
    /// A sentence about the first value outside its limits.
    pub fn check(&self) -> Checked {
        let list = match self {
            Self::Constant(weight) => return check::quantity(&limits::CONSTRAINT_WEIGHT, *weight),
            Self::ByHour(list) => list,
        };
        check::count(
            list.len(),
            limits::MAX_WEIGHT_HOURS,
            "the list of weights by hour",
        )?;
        if list.is_empty() {
            return Err(Refusal::new("a constraint has no weight for any hour"));
        }
        for (hour, weight) in list {
            check::quantity(&limits::TIME_OF_DAY, *hour)?;
            check::quantity(&limits::CONSTRAINT_WEIGHT, *weight)?;
        }
        if list.last().is_some_and(|(hour, _)| *hour >= DAY)
            || list.windows(2).any(|pair| pair[0].0 >= pair[1].0)
        {
            return Err(Refusal::new(
                "the hours of a constraint's weights must rise from 0:00 and end before 24:00",
            ));
        }
        Ok(())
    }
}

impl From<f64> for Weight {
    fn from(weight: f64) -> Self {
        Self::Constant(weight)
    }
}

impl When {
    pub const ALWAYS: Self = Self {
        hours: None,
        flag: None,
    };

    #[must_use]
    pub const fn between(from: f64, until: f64) -> Self {
        Self {
            hours: Some(Hours { from, until }),
            flag: None,
        }
    }

    #[must_use]
    pub const fn while_set(flag: EntityId) -> Self {
        Self {
            hours: None,
            flag: Some(FlagIs::Set(flag)),
        }
    }

    pub(super) fn check(&self) -> Checked {
        if let Some(Hours { from, until }) = self.hours {
            check::quantity(&limits::TIME_OF_DAY, from)?;
            check::quantity(&limits::TIME_OF_DAY, until)?;
        }
        Ok(())
    }

    /// Calls `visit` with the flag that it depends on.
    pub(super) fn visit_flag(&mut self, visit: impl FnOnce(&mut EntityId)) {
        if let Some(FlagIs::Set(flag) | FlagIs::Unset(flag)) = &mut self.flag {
            visit(flag);
        }
    }

    /// Whether it acts at a time of day, with the flags as `is_set` tells. Unit of `hour`: hours.
    #[must_use]
    pub fn holds(&self, hour: f64, is_set: impl FnOnce(EntityId) -> bool) -> bool {
        self.hours.is_none_or(|hours| hours.contains(hour))
            && self.flag.is_none_or(|flag| match flag {
                FlagIs::Set(flag) => is_set(flag),
                FlagIs::Unset(flag) => !is_set(flag),
            })
    }
}

impl Hours {
    /// Whether an hour of any day lies in the span: from its beginning up to its end, which is
    /// outside.
    #[must_use]
    pub fn contains(&self, hour: f64) -> bool {
        (hour - self.from).rem_euclid(DAY) < self.length()
    }

    /// Unit: hours, above 0 and at most 24.
    #[must_use]
    pub fn length(&self) -> f64 {
        let length = (self.until - self.from).rem_euclid(DAY);
        if length > 0.0 { length } else { DAY }
    }
}

impl FlagIs {
    #[must_use]
    pub const fn flag(self) -> EntityId {
        match self {
            Self::Set(flag) | Self::Unset(flag) => flag,
        }
    }

    /// As a condition on another flag.
    #[must_use]
    pub const fn on(self, flag: EntityId) -> Self {
        match self {
            Self::Set(_) => Self::Set(flag),
            Self::Unset(_) => Self::Unset(flag),
        }
    }
}

impl Target {
    /// Every entity it refers to.
    pub fn entities(&self) -> impl Iterator<Item = EntityId> + use<> {
        let (first, second) = match *self {
            Self::Entity(id) => (id, None),
            Self::Relation { object, relation } => (object, relation.other()),
        };
        std::iter::once(first).chain(second)
    }

    pub(super) fn check(&self) -> Checked {
        match self {
            Self::Entity(_) => Ok(()),
            Self::Relation { relation, .. } => relation.check(),
        }
    }

    /// Calls `visit` with every entity it refers to, and whether it is the target itself or an
    /// object of a relation.
    pub(super) fn visit(&mut self, mut visit: impl FnMut(Tie, &mut EntityId)) {
        match self {
            Self::Entity(id) => visit(Tie::Itself, id),
            Self::Relation { object, relation } => {
                visit(Tie::Object, object);
                if let Relation::Between { other } = relation {
                    visit(Tie::Object, other);
                }
            }
        }
    }
}

impl From<EntityId> for Target {
    fn from(id: EntityId) -> Self {
        Self::Entity(id)
    }
}

/// How a target refers to an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tie {
    Itself,
    /// Of a relation.
    Object,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_linear_between_their_hours_and_across_midnight() {
        let weight = Weight::ByHour(vec![(6.0, 2.0), (18.0, -4.0)]);
        for (hour, expected) in [
            (6.0, 2.0),
            (12.0, -1.0),
            (18.0, -4.0),
            (0.0, -1.0),
            (24.0, -1.0),
            (3.0, 0.5),
            (30.0, 2.0),
            (-6.0, -4.0),
        ] {
            assert!((weight.at(hour) - expected).abs() < 1e-12, "{hour}");
        }
        assert_eq!((weight.min(), weight.max()), (-4.0, 2.0));
        assert_eq!(Weight::ByHour(vec![(7.0, 3.0)]).at(1.0), 3.0);
        assert_eq!(Weight::Constant(-1.5).at(99.0), -1.5);
    }

    #[test]
    fn hours_that_do_not_rise_are_refused() {
        for list in [
            vec![],
            vec![(6.0, 1.0), (6.0, 2.0)],
            vec![(8.0, 1.0), (6.0, 2.0)],
            vec![(24.0, 1.0)],
            vec![(1.0, 5_000.0)],
            vec![(f64::NAN, 1.0)],
        ] {
            assert!(Weight::ByHour(list.clone()).check().is_err(), "{list:?}");
        }
        assert!(
            Weight::ByHour(vec![(0.0, 1.0), (23.9, 2.0)])
                .check()
                .is_ok()
        );
    }

    #[test]
    fn a_span_may_pass_midnight_or_cover_the_day() {
        let night = Hours {
            from: 22.0,
            until: 6.0,
        };
        for (hour, inside) in [(22.0, true), (0.0, true), (5.99, true), (6.0, false)] {
            assert_eq!(night.contains(hour), inside, "{hour}");
        }
        for (from, until) in [(0.0, 24.0), (8.0, 8.0), (24.0, 0.0)] {
            let whole = Hours { from, until };
            assert!((0..24).all(|hour| whole.contains(f64::from(hour))));
        }
    }

    #[test]
    fn both_conditions_must_hold() {
        let flag = EntityId::new(3);
        let mut when = When::between(8.0, 18.0);
        when.flag = Some(FlagIs::Unset(flag));
        assert!(when.holds(9.0, |_| false));
        assert!(!when.holds(9.0, |asked| asked == flag));
        assert!(!when.holds(19.0, |_| false));
        assert!(When::while_set(flag).holds(0.0, |_| true));
        assert!(When::ALWAYS.holds(0.0, |_| false));
    }
}
