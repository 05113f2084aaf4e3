//! How an option looks to people: its names, its kind, and the values it takes.

use crate::base::{Quantity, Unit, decimal};
use std::fmt;

/// What kind of value an option takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OptionKind {
    Number {
        limits: Quantity,
        /// No fractions: a count.
        is_whole: bool,
        /// May be left to the format.
        can_be_automatic: bool,
    },
    Choice(&'static [Choice]),
    Switch,
    /// One of the level's profiles, or none.
    Profile,
    /// Some of the level's profiles, or all.
    Profiles,
    /// Numbers of cells along x, y and z; may be left to the format.
    Grid,
}

/// One of several values with names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// What the command line takes.
    pub id: &'static str,
    /// What dialogs show.
    pub label: &'static str,
    pub help: &'static str,
}

impl Choice {
    #[must_use]
    pub const fn new(id: &'static str, label: &'static str, help: &'static str) -> Self {
        Self { id, label, help }
    }
}

/// What people see of an option.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OptionSpec {
    /// Its flag on the command line is `--key`.
    pub key: &'static str,
    pub label: &'static str,
    /// One line, without a full stop.
    pub help: &'static str,
    pub kind: OptionKind,
    /// Dialogs show it only on demand.
    pub is_advanced: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub enum OptionValue {
    /// Left to the format.
    Automatic,
    Number(f64),
    /// The id of a [`Choice`].
    Choice(&'static str),
    Switch(bool),
    /// By name.
    Profile(String),
    /// By name.
    Profiles(Vec<String>),
    Grid([u32; 3]),
}

impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Automatic => f.write_str("automatic"),
            Self::Number(number) => f.write_str(&decimal::plain(*number)),
            Self::Choice(id) => f.write_str(id),
            Self::Switch(is_on) => f.write_str(if *is_on { "yes" } else { "no" }),
            Self::Profile(name) => f.write_str(name),
            Self::Profiles(names) => f.write_str(&names.join(", ")),
            Self::Grid([x, y, z]) => write!(f, "{x}x{y}x{z}"),
        }
    }
}

/// Why a value is not taken: a sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct OptionError(String);

impl OptionError {
    #[must_use]
    pub fn new(sentence: impl Into<String>) -> Self {
        Self(sentence.into())
    }
}

impl OptionSpec {
    /// Whether its flag is followed by a value.
    #[must_use]
    pub const fn takes_value(&self) -> bool {
        !matches!(self.kind, OptionKind::Switch)
    }

    /// What stands for the value in the command line's help.
    #[must_use]
    pub const fn value_name(&self) -> &'static str {
        match self.kind {
            OptionKind::Number { is_whole: true, .. } => "N",
            OptionKind::Number { limits, .. } => match limits.unit {
                Unit::Metre => "METRES",
                _ => "NUMBER",
            },
            OptionKind::Choice(_) => "WHAT",
            OptionKind::Switch => "",
            OptionKind::Profile | OptionKind::Profiles => "NAME",
            OptionKind::Grid => "XxYxZ",
        }
    }

    /// Reads what was given on the command line, once or several times.
    ///
    /// # Errors
    /// It is no such value; a sentence says what is.
    pub fn parse(&self, texts: &[String]) -> Result<OptionValue, OptionError> {
        if self.kind == OptionKind::Profiles {
            return Ok(OptionValue::Profiles(texts.to_vec()));
        }
        let text = match texts {
            [text] => text.trim(),
            [] if self.kind == OptionKind::Switch => "yes",
            _ => {
                return Err(OptionError(format!(
                    "--{} is given more than once",
                    self.key
                )));
            }
        };
        let wrong =
            |expected: &str| OptionError(format!("--{}: `{text}` is not {expected}", self.key));
        let value = match self.kind {
            OptionKind::Number {
                can_be_automatic: true,
                ..
            }
            | OptionKind::Grid
                if text == "auto" =>
            {
                OptionValue::Automatic
            }
            OptionKind::Number { is_whole, .. } => {
                let expected = if is_whole {
                    "a whole number"
                } else {
                    "a number"
                };
                let number: f64 = text.parse().map_err(|_| wrong(expected))?;
                if is_whole && number.fract() != 0.0 {
                    return Err(wrong(expected));
                }
                OptionValue::Number(number)
            }
            OptionKind::Choice(choices) => {
                let chosen = choices.iter().find(|choice| choice.id == text);
                let ids: Vec<&str> = choices.iter().map(|choice| choice.id).collect();
                let chosen = chosen.ok_or_else(|| wrong(&format!("one of {}", ids.join(", "))))?;
                OptionValue::Choice(chosen.id)
            }
            OptionKind::Switch => OptionValue::Switch(text != "no"),
            OptionKind::Profile | OptionKind::Profiles => OptionValue::Profile(text.to_owned()),
            OptionKind::Grid => OptionValue::Grid(
                grid(text)
                    .ok_or_else(|| wrong("three whole numbers with z up, for example 53x91x102"))?,
            ),
        };
        self.check(&value)?;
        Ok(value)
    }

    /// # Errors
    /// The value is of another kind or beyond the limits.
    pub fn check(&self, value: &OptionValue) -> Result<(), OptionError> {
        let fits = match (self.kind, value) {
            (OptionKind::Number { limits, .. }, OptionValue::Number(number)) => {
                return limits
                    .check(*number)
                    .map_err(|error| OptionError(error.to_string()));
            }
            (OptionKind::Choice(choices), OptionValue::Choice(id)) => {
                choices.iter().any(|choice| choice.id == *id)
            }
            (
                OptionKind::Number {
                    can_be_automatic: true,
                    ..
                }
                | OptionKind::Profile
                | OptionKind::Profiles
                | OptionKind::Grid,
                OptionValue::Automatic,
            )
            | (OptionKind::Switch, OptionValue::Switch(_))
            | (OptionKind::Profile, OptionValue::Profile(_))
            | (OptionKind::Profiles, OptionValue::Profiles(_)) => true,
            (OptionKind::Grid, OptionValue::Grid(size)) => size.iter().all(|count| *count > 0),
            _ => false,
        };
        if fits {
            Ok(())
        } else {
            Err(OptionError(format!("{value} is no value of {}", self.key)))
        }
    }
}

fn grid(text: &str) -> Option<[u32; 3]> {
    let parts: Option<Vec<u32>> = text
        .split(['x', 'X', '×'])
        .map(|part| part.trim().parse().ok().filter(|n: &u32| *n > 0))
        .collect();
    parts?.try_into().ok()
}
