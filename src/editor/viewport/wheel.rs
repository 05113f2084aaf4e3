//! The wheel and the pinch of two fingers.

use crate::editor::preferences::Preferences;

/// How far a notch of the wheel scrolls in egui. Unit: points.
const POINTS_PER_NOTCH: f64 = 40.0;

/// By how much a view shall come nearer in this frame; 1 leaves it as it is.
pub(super) fn zoom_factor(ui: &egui::Ui, preferences: &Preferences) -> f64 {
    let (scroll, pinch) = ui.input(|input| {
        (
            f64::from(input.smooth_scroll_delta.y),
            f64::from(input.zoom_delta()),
        )
    });
    let direction = if preferences.invert_wheel { -1.0 } else { 1.0 };
    let notches = direction * scroll / POINTS_PER_NOTCH;
    pinch * f64::from(preferences.wheel_step).powf(notches)
}
