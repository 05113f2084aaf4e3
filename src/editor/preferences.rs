//! What a person has chosen about the editor, kept between runs.

use super::chord::Chord;
use super::command::Command;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ThemeChoice {
    #[default]
    Dark,
    Light,
    /// Whatever the desktop says.
    System,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Preferences {
    pub theme: ThemeChoice,
    /// Size of the interface, on top of the display's own scale.
    pub scale: f32,
    pub show_frame_time: bool,
    /// Keys that differ from the default ones.
    pub keys: BTreeMap<Command, Vec<Chord>>,
}

impl Preferences {
    pub const SCALES: std::ops::RangeInclusive<f32> = 0.6..=2.5;
}

impl Default for Preferences {
    fn default() -> Self {
        Self {
            theme: ThemeChoice::default(),
            scale: 1.0,
            show_frame_time: false,
            keys: BTreeMap::new(),
        }
    }
}
