//! Values of a level and a model that are set for one run: `Visitors.count=200`,
//! `Pedestrian.speed=1.2`, `walker.time_gap=0.7`.

use super::models::{self, Model};
use crate::base::EntityId;
use crate::document::{DoorState, Edit, Entity, Kind, Level, Spawn, ops};
use std::collections::BTreeMap;

/// By name, in the form `NAME.FIELD`.
pub type Overrides = BTreeMap<String, String>;

/// Reads `KEY=VALUE`.
///
/// # Errors
/// A sentence: there is no `=` or no `.`.
pub fn parse(text: &str) -> Result<(String, String), String> {
    let wrong = || {
        format!(
            "`{text}` is no setting; write it as NAME.FIELD=VALUE, for example Visitors.count=200"
        )
    };
    let (key, value) = text.split_once('=').ok_or_else(wrong)?;
    let (name, field) = key.rsplit_once('.').ok_or_else(wrong)?;
    if name.trim().is_empty() || field.trim().is_empty() {
        return Err(wrong());
    }
    Ok((key.trim().to_owned(), value.trim().to_owned()))
}

/// Sets what is meant for the model, and gives the level with the rest.
///
/// # Errors
/// A sentence that names the setting: nothing has that name or field, or the value is refused.
pub fn apply(level: &Level, overrides: &Overrides, model: &mut dyn Model) -> Result<Level, String> {
    let mut level = level.clone();
    for (key, value) in overrides {
        let (name, field) = key.rsplit_once('.').unwrap_or((key, ""));
        let number = || {
            let number = value.parse::<f64>().ok().filter(|n| n.is_finite());
            number.ok_or_else(|| format!("{key}: `{value}` is not a number"))
        };
        if models::row(name).is_some() {
            model
                .set(field, number()?)
                .map_err(|error| format!("{key}: {error}"))?;
            continue;
        }
        let found: Vec<(EntityId, &Entity)> = level
            .iter()
            .filter(|(id, entity)| entity.label(*id).eq_ignore_ascii_case(name))
            .map(|(id, entity)| (id, &**entity))
            .collect();
        if found.is_empty() {
            return Err(format!("{key}: the level has nothing called `{name}`"));
        }
        let mut edits = Vec::new();
        for (id, entity) in found {
            let mut entity = entity.clone();
            let is_set = match set_word(&mut entity.kind, field, value) {
                Some(is_valid) => is_valid.map_err(|error| format!("{key}: {error}"))?,
                None => set(&mut entity.kind, field, number()?),
            };
            if is_set {
                edits.push(Edit::replace(id, entity));
            }
        }
        if edits.is_empty() {
            return Err(format!(
                "{key}: `{name}` has no field `{field}` that can be set; a crowd has count and \
                 per_second, a profile speed, max_speed and radius, a door state and flow, a flag state"
            ));
        }
        level = ops::apply(&level, &edits).map_err(|error| format!("{key}: {error}"))?;
    }
    Ok(level)
}

/// Fields that take a word: the state of a door or a flag. `None` for other fields.
///
/// A door that is set has this state throughout the run, whatever the clock and the flags say.
fn set_word(kind: &mut Kind, field: &str, value: &str) -> Option<Result<bool, String>> {
    match (kind, field) {
        (Kind::Door(door), "state") => Some(match DoorState::named(value) {
            Some(state) => {
                door.state = state;
                door.changes.clear();
                Ok(true)
            }
            None => Err(format!(
                "`{value}` is no state of a door; write open, shut or locked"
            )),
        }),
        (Kind::Flag(is_on), "state") => Some(match value {
            "on" | "off" => {
                *is_on = value == "on";
                Ok(true)
            }
            _ => Err(format!("`{value}` is no state of a flag; write on or off")),
        }),
        _ => None,
    }
}

/// Whether there is such a field.
fn set(kind: &mut Kind, field: &str, value: f64) -> bool {
    match (kind, field) {
        // Casts saturate, and the limits of the model are checked afterwards.
        (Kind::Crowd(crowd), "count") => crowd.count = value.round() as u32,
        (Kind::Crowd(crowd), "per_second") => {
            crowd.spawn = Spawn::Stream { per_second: value };
        }
        (Kind::Door(door), "flow") => door.flow = Some(value),
        (Kind::Profile(profile), "speed") => profile.pace.speed = value,
        (Kind::Profile(profile), "max_speed") => profile.pace.max_speed = value,
        (Kind::Profile(profile), "radius") => profile.body.radius = value,
        _ => return false,
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::template::{Options, Template};
    use crate::document::{Door, DoorChange, When};
    use glam::DVec2;

    #[test]
    fn settings_are_applied_or_refused_by_name() {
        assert_eq!(
            parse("A b.count=3"),
            Ok(("A b.count".to_owned(), "3".to_owned()))
        );
        for bad in ["", "count", "count=3", ".=", "A.=3"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
        let template = Template::by_name("city").expect("a sample");
        let level = template.build(&Options::default()).expect("valid");
        let (id, crowd, _) = level.crowds().next().expect("there is one");
        let name = crowd.label(id);
        let mut model = (models::rows()[0].new)();
        let mut with = |key: &str, value: &str| {
            let overrides = [(key.to_owned(), value.to_owned())].into_iter().collect();
            apply(&level, &overrides, &mut *model)
        };
        let changed = with(&format!("{name}.count"), "77").expect("valid");
        let count = |level: &Level| level.crowds().next().map(|(.., crowd)| crowd.count);
        assert_eq!(count(&changed), Some(77));
        assert!(with("walker.time_gap", "0.8").is_ok());
        for (key, value, told) in [
            ("walker.time_gap", "x", "not a number"),
            ("walker.nose", "1", "no parameter"),
            ("walker.time_gap", "-1", "between"),
            ("Nobody.count", "1", "nothing called"),
        ] {
            let error = with(key, value).expect_err("refused");
            assert!(error.contains(told) && error.starts_with(key), "{error}");
        }
        assert!(
            with(&format!("{name}.nose"), "1")
                .expect_err("refused")
                .contains("no field")
        );
        assert!(with(&format!("{name}.count"), "-5").is_err());
    }

    #[test]
    fn doors_and_flags_are_set_by_words() {
        let (door, flag) = (EntityId::new(1), EntityId::new(2));
        let mut gate = Door::new(DVec2::ZERO, DVec2::X);
        gate.changes.push(DoorChange {
            to: DoorState::Open,
            when: When::while_set(flag),
        });
        let edits = [
            Edit::create(door, Entity::new("Main entrance", Kind::Door(gate))),
            Edit::create(flag, Entity::new("Alarm", Kind::Flag(false))),
        ];
        let level = ops::apply(&Level::default(), &edits).expect("valid");
        let mut model = (models::rows()[0].new)();
        let mut with = |key: &str, value: &str| {
            let overrides = [(key.to_owned(), value.to_owned())].into_iter().collect();
            apply(&level, &overrides, &mut *model)
        };
        let shut = with("main entrance.state", "shut").expect("valid");
        let state = |level: &Level| {
            let (.., door) = level.doors().next().expect("there is one");
            door.state_at(12.0, |_| true)
        };
        assert_eq!(state(&level), DoorState::Open);
        assert_eq!(state(&shut), DoorState::Shut);
        assert!(with("Main entrance.flow", "1.2").is_ok());
        let alarm = with("Alarm.state", "on").expect("valid");
        assert_eq!(
            alarm.get(flag).map(|flag| &flag.kind),
            Some(&Kind::Flag(true))
        );
        for (key, value) in [
            ("Main entrance.state", "ajar"),
            ("Alarm.state", "1"),
            ("Main entrance.flow", "-1"),
        ] {
            assert!(with(key, value).expect_err("refused").starts_with(key));
        }
    }
}
