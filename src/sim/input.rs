//! What is changed from outside while a run goes on.
//!
//! Inputs belong to a recording as the seed does: simulated again with them, a run is identical.

use crate::base::EntityId;
use crate::document::DoorState;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// One change.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// An obstacle or a solid has its middle elsewhere from now on.
    Move {
        entity: EntityId,
        to: DVec3,
    },
    SetFlag {
        flag: EntityId,
        is_set: bool,
    },
    /// A door by hand; `None` leaves it to the clock and flags again.
    Door {
        door: EntityId,
        state: Option<DoorState>,
    },
}

/// A change and when it acts: before the step from this tick to the next.
#[derive(Clone, Debug, PartialEq)]
pub struct TimedInput {
    pub tick: u64,
    pub input: Input,
}

/// Places are rounded to this, so that a text can hold them exactly. Unit: metres.
const UNIT: f64 = 1e-6;

/// In recordings.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Stored {
    Move { entity: u64, to: [i64; 3] },
    SetFlag { flag: u64, is_set: bool },
    Door { door: u64, state: Option<String> },
}

impl Input {
    /// With places as a recording can hold them; `None` if they are not finite.
    #[must_use]
    pub fn rounded(self) -> Option<Self> {
        Some(match self {
            Self::Move { entity, to } => Self::Move {
                entity,
                to: place(whole(Some(to).filter(|to| to.is_finite())?)),
            },
            other => other,
        })
    }

    /// As in recordings: JSON.
    #[must_use]
    pub fn to_text(&self) -> String {
        let stored = match self {
            Self::Move { entity, to } => Stored::Move {
                entity: entity.number(),
                to: whole(*to),
            },
            Self::SetFlag { flag, is_set } => Stored::SetFlag {
                flag: flag.number(),
                is_set: *is_set,
            },
            Self::Door { door, state } => Stored::Door {
                door: door.number(),
                state: state.map(|state| state.name().to_lowercase()),
            },
        };
        serde_json::to_string(&stored).unwrap_or_default()
    }

    /// `None` for a text that is no input, or of a later version.
    #[must_use]
    pub fn of_text(text: &str) -> Option<Self> {
        Some(match serde_json::from_str(text).ok()? {
            Stored::Move { entity, to } => Self::Move {
                entity: EntityId::new(entity),
                to: place(to),
            },
            Stored::SetFlag { flag, is_set } => Self::SetFlag {
                flag: EntityId::new(flag),
                is_set,
            },
            Stored::Door { door, state } => Self::Door {
                door: EntityId::new(door),
                state: match state {
                    Some(name) => Some(DoorState::named(&name)?),
                    None => None,
                },
            },
        })
    }
}

/// Casts saturate.
fn whole(place: DVec3) -> [i64; 3] {
    place.to_array().map(|v| (v / UNIT).round() as i64)
}

fn place(whole: [i64; 3]) -> DVec3 {
    DVec3::from(whole.map(|v| v as f64 * UNIT))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_read_as_they_were_written() {
        let inputs = [
            Input::Move {
                entity: EntityId::new(7),
                to: DVec3::new(0.1, -2.5e-9, 1e6 / 3.0),
            },
            Input::SetFlag {
                flag: EntityId::new(u64::MAX),
                is_set: true,
            },
            Input::Door {
                door: EntityId::new(9),
                state: Some(DoorState::Locked),
            },
            Input::Door {
                door: EntityId::new(9),
                state: None,
            },
        ];
        for input in inputs {
            let input = input.rounded().expect("finite");
            assert_eq!(input.clone().rounded(), Some(input.clone()));
            assert_eq!(Input::of_text(&input.to_text()), Some(input));
        }
        for bad in ["", "{}", "[1]", r#"{"move":{"entity":1}}"#] {
            assert_eq!(Input::of_text(bad), None, "{bad}");
        }
    }
}
