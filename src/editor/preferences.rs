//! User preferences of the editor, kept between runs.

use super::key_map::{self, Changes};
use crate::planner::Slopes;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ThemeChoice {
    #[default]
    Dark,
    Light,
    /// Follows the desktop.
    System,
}

impl ThemeChoice {
    pub const ALL: [Self; 3] = [Self::Dark, Self::Light, Self::System];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dark => "Dark",
            Self::Light => "Light",
            Self::System => "Follow the desktop",
        }
    }
}

/// Which file dialogs to use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum DialogChoice {
    /// The desktop's own if available, else Wayloom's.
    #[default]
    Desktop,
    Own,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Preferences {
    pub theme: ThemeChoice,
    /// Size of the interface, on top of the display's own scale.
    pub scale: f32,
    /// Scrolling down zooms in instead of out.
    pub invert_wheel: bool,
    /// Zoom factor per notch of the wheel.
    pub wheel_step: f32,
    pub dialogs: DialogChoice,
    pub show_frame_time: bool,
    /// How paths treat slopes.
    pub slopes: Slopes,
    /// Keys that differ from the defaults.
    pub keys: Changes,
}

impl Preferences {
    pub const SCALES: std::ops::RangeInclusive<f32> = 0.6..=2.5;
    pub const WHEEL_STEPS: std::ops::RangeInclusive<f32> = 1.05..=2.0;

    /// Clamps values from a file to their limits.
    #[must_use]
    pub fn limited(mut self) -> Self {
        let limit = |value: f32, range: std::ops::RangeInclusive<f32>, default: f32| {
            if value.is_finite() {
                value.clamp(*range.start(), *range.end())
            } else {
                default
            }
        };
        let default = Self::default();
        self.scale = limit(self.scale, Self::SCALES, default.scale);
        self.slopes = self.slopes.limited();
        key_map::migrate(&mut self.keys);
        self.wheel_step = limit(self.wheel_step, Self::WHEEL_STEPS, default.wheel_step);
        self
    }
}

impl Default for Preferences {
    fn default() -> Self {
        Self {
            theme: ThemeChoice::default(),
            scale: 1.0,
            invert_wheel: false,
            wheel_step: 1.2,
            dialogs: DialogChoice::default(),
            show_frame_time: false,
            slopes: Slopes::default(),
            keys: Changes::new(),
        }
    }
}
