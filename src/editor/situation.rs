//! The moment for which paths are planned: time of day and flags. View state of the editor, never
//! part of history.

use crate::base::EntityId;
use crate::document::{Kind, Level};
use crate::nav::constraint::Situation;
use std::collections::BTreeMap;

/// Where it differs from how the level starts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SituationView {
    /// Unit: hours.
    hour: Option<f64>,
    flags: BTreeMap<EntityId, bool>,
}

/// What the user set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SituationAsk {
    Hour(f64),
    Flag(EntityId, bool),
    /// As the level starts.
    Reset,
}

impl SituationView {
    /// Unit: hours.
    #[must_use]
    pub fn hour(&self, level: &Level) -> f64 {
        self.hour.unwrap_or(level.settings().clock.start)
    }

    #[must_use]
    pub fn is_set(&self, level: &Level, flag: EntityId) -> bool {
        self.flags
            .get(&flag)
            .copied()
            .unwrap_or_else(|| is_set_at_start(level, flag))
    }

    /// The moment, as planning takes it.
    #[must_use]
    pub fn of(&self, level: &Level) -> Situation {
        Situation {
            hour: self.hour(level),
            flags: self.flags.clone(),
            ..Situation::default()
        }
    }

    /// Nothing differs from how the level starts.
    #[must_use]
    pub fn is_usual(&self, level: &Level) -> bool {
        self.hour(level) == level.settings().clock.start
            && self
                .flags
                .iter()
                .all(|(flag, is_set)| is_set_at_start(level, *flag) == *is_set)
    }

    pub fn change(&mut self, asked: SituationAsk) {
        match asked {
            SituationAsk::Hour(hour) => self.hour = Some(hour.rem_euclid(24.0)),
            SituationAsk::Flag(flag, is_set) => {
                self.flags.insert(flag, is_set);
            }
            SituationAsk::Reset => *self = Self::default(),
        }
    }
}

fn is_set_at_start(level: &Level, flag: EntityId) -> bool {
    matches!(
        level.get(flag).map(|entity| &entity.kind),
        Some(Kind::Flag(true))
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Edit, Entity, ops};

    #[test]
    fn what_is_not_set_is_as_the_level_starts() {
        let flag = EntityId::new(1);
        let create = Edit::create(flag, Entity::new("Alarm", Kind::Flag(true)));
        let level = ops::apply(&Level::default(), &[create]).expect("valid");
        let mut view = SituationView::default();
        assert!(view.is_usual(&level) && view.is_set(&level, flag));
        assert_eq!(view.hour(&level), 12.0);
        view.change(SituationAsk::Flag(flag, false));
        view.change(SituationAsk::Hour(24.0));
        assert_eq!((view.hour(&level), view.is_set(&level, flag)), (0.0, false));
        assert!(!view.is_usual(&level));
        view.change(SituationAsk::Reset);
        assert!(view.is_usual(&level));
    }
}
