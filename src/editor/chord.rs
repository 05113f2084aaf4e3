//! A key with its modifiers, as people write it: `Ctrl+Shift+Z`.

use egui::{Key, Modifiers};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Chord {
    /// The command key on a Mac.
    pub ctrl: bool,
    pub alt: bool,
    pub shift: bool,
    pub key: Key,
}

impl Chord {
    #[must_use]
    pub const fn plain(key: Key) -> Self {
        Self {
            ctrl: false,
            alt: false,
            shift: false,
            key,
        }
    }

    #[must_use]
    pub const fn ctrl(key: Key) -> Self {
        let mut chord = Self::plain(key);
        chord.ctrl = true;
        chord
    }

    #[must_use]
    pub const fn shift(key: Key) -> Self {
        let mut chord = Self::plain(key);
        chord.shift = true;
        chord
    }

    #[must_use]
    pub const fn alt(key: Key) -> Self {
        let mut chord = Self::plain(key);
        chord.alt = true;
        chord
    }

    #[must_use]
    pub const fn ctrl_shift(key: Key) -> Self {
        let mut chord = Self::ctrl(key);
        chord.shift = true;
        chord
    }

    #[must_use]
    pub const fn of(key: Key, modifiers: Modifiers) -> Self {
        Self {
            ctrl: modifiers.command || modifiers.ctrl,
            alt: modifiers.alt,
            shift: modifiers.shift,
            key,
        }
    }

    /// Would type a character into a text field.
    #[must_use]
    pub const fn types_text(&self) -> bool {
        !self.ctrl && !self.alt
    }
}

impl fmt::Display for Chord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (held, name) in [
            (self.ctrl, "Ctrl+"),
            (self.alt, "Alt+"),
            (self.shift, "Shift+"),
        ] {
            if held {
                f.write_str(name)?;
            }
        }
        f.write_str(key_name(self.key))
    }
}

/// Names that read well in a menu; egui's own for the rest.
const fn short_names() -> [(Key, &'static str); 6] {
    [
        (Key::Escape, "Esc"),
        (Key::Delete, "Del"),
        (Key::PageUp, "PgUp"),
        (Key::PageDown, "PgDn"),
        (Key::OpenBracket, "["),
        (Key::CloseBracket, "]"),
    ]
}

fn key_name(key: Key) -> &'static str {
    short_names()
        .into_iter()
        .find(|(short, _)| *short == key)
        .map_or_else(|| key.name(), |(_, name)| name)
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a key; write it like Ctrl+Shift+Z")]
pub struct NotAChord(String);

impl FromStr for Chord {
    type Err = NotAChord;

    fn from_str(text: &str) -> Result<Self, NotAChord> {
        let mut chord = Self::plain(Key::Space);
        let mut rest = text;
        loop {
            if let Some(after) = rest.strip_prefix("Ctrl+") {
                chord.ctrl = true;
                rest = after;
            } else if let Some(after) = rest.strip_prefix("Alt+") {
                chord.alt = true;
                rest = after;
            } else if let Some(after) = rest.strip_prefix("Shift+") {
                chord.shift = true;
                rest = after;
            } else {
                break;
            }
        }
        chord.key = short_names()
            .into_iter()
            .find(|(_, name)| *name == rest)
            .map(|(key, _)| key)
            .or_else(|| Key::from_name(rest))
            .ok_or_else(|| NotAChord(text.to_owned()))?;
        Ok(chord)
    }
}

impl TryFrom<String> for Chord {
    type Error = NotAChord;

    fn try_from(text: String) -> Result<Self, NotAChord> {
        text.parse()
    }
}

impl From<Chord> for String {
    fn from(chord: Chord) -> Self {
        chord.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_chord_reads_back_as_it_is_written() {
        for key in Key::ALL {
            for chord in [
                Chord::plain(*key),
                Chord::ctrl_shift(*key),
                Chord::alt(*key),
                Chord::shift(*key),
            ] {
                assert_eq!(chord.to_string().parse(), Ok(chord), "{chord}");
            }
        }
        assert!("Ctrl+".parse::<Chord>().is_err());
        assert!("Hyper+Q".parse::<Chord>().is_err());
    }
}
