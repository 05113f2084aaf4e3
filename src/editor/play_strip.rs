//! Playing from the top of the window: play, time, speed and the next event, whatever panels are open.

use super::panels::playback::clock;
use super::playback::Play;
use super::{Action, Actions, Command, EditorState, theme};
use crate::editor::theme::Palette;
use egui::accesskit::Role;
use egui::{Button, ComboBox, RichText, Ui, WidgetInfo, vec2};
use egui_material_icons::icons;

/// What is offered; any other speed can be typed in the panel.
pub const SPEEDS: [f64; 8] = [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0];

/// Of a button. Unit: points.
const BUTTON: egui::Vec2 = vec2(26.0, 20.0);
/// Of the time, so that nothing moves while it passes. Unit: points.
const TIME_WIDTH: f32 = 112.0;
const SPEED_WIDTH: f32 = 52.0;

/// The next speed of the list above this one, or below it.
#[must_use]
pub fn next_speed(speed: f64, faster: bool) -> f64 {
    let next = if faster {
        SPEEDS.into_iter().find(|other| *other > speed + 1e-9)
    } else {
        SPEEDS.into_iter().rev().find(|other| *other < speed - 1e-9)
    };
    next.unwrap_or(speed)
}

/// From right to left, as the right end of the menu bar is laid out.
pub fn play_strip_ui(ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
    let selected = state.selected_agent();
    let player = &state.navigation.player;
    ui.spacing_mut().item_spacing.x = 4.0;
    ui.spacing_mut().button_padding = vec2(4.0, 0.0);
    button_ui(
        ui,
        state,
        Command::NextEvent,
        icons::ICON_SKIP_NEXT,
        "Skip to the next event",
        actions,
    );
    speed_ui(ui, player.clock.speed(), actions);
    let (time, duration) = (player.time(selected), player.duration(selected));
    let text = if duration > 0.0 {
        format!("{} / {}", clock(time), clock(duration))
    } else {
        clock(time)
    };
    let label = egui::Label::new(RichText::new(text).monospace().small());
    ui.add_sized([TIME_WIDTH, BUTTON.y], label)
        .on_hover_text("Time of what is played, of how much there is");
    let (icon, name) = if player.clock.is_playing() {
        (icons::ICON_PAUSE, "Pause")
    } else {
        (icons::ICON_PLAY_ARROW, "Play")
    };
    button_ui(ui, state, Command::PlayPause, icon, name, actions);
}

fn button_ui(
    ui: &mut Ui,
    state: &EditorState,
    command: Command,
    icon: egui_material_icons::MaterialIcon,
    name: &str,
    actions: &mut Actions,
) {
    let enabled = command.is_enabled(state);
    let accent = Palette::of(ui.visuals()).accent;
    let mut text = theme::icon(icon, theme::ICON_SMALL);
    if command == Command::PlayPause && enabled {
        text = text.color(accent);
    }
    let response = ui.add_enabled(enabled, Button::new(text).min_size(BUTTON));
    response.widget_info(|| WidgetInfo::labeled(Role::Button, enabled, name));
    let key = state.keys().first_key(command);
    let key = key.map_or_else(String::new, |key| format!(" ({key})"));
    let response = response
        .on_hover_text(format!("{name}{key}\n{}.", command.entry().help))
        .on_disabled_hover_text(command.entry().needs.reason());
    if response.clicked() {
        actions.command(command);
    }
}

fn speed_ui(ui: &mut Ui, speed: f64, actions: &mut Actions) {
    let text = |speed: f64| format!("×{speed}");
    let shown = ComboBox::from_id_salt("speed of the strip")
        .width(SPEED_WIDTH)
        .selected_text(text((speed * 100.0).round() / 100.0))
        .show_ui(ui, |ui| {
            for offered in SPEEDS {
                let is_now = (offered - speed).abs() < 1e-9;
                if ui.selectable_label(is_now, text(offered)).clicked() {
                    actions.push(Action::Play(Play::Speed(offered)));
                }
            }
        });
    let name = "Speed of playing";
    shown
        .response
        .widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, name));
    shown.response.on_hover_text(format!(
        "{name}: 1 is real time. {} and {} change it.",
        Command::Slower.name(),
        Command::Faster.name()
    ));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::clock::SPEED;

    #[test]
    fn every_offered_speed_is_reached_step_by_step_and_is_within_the_limits() {
        let mut speed = 0.1;
        for expected in SPEEDS {
            speed = next_speed(speed, true);
            assert_eq!(speed, expected);
            SPEED.check(speed).expect("the clock takes it");
        }
        assert_eq!(next_speed(speed, true), 32.0, "the fastest stays");
        assert_eq!(next_speed(3.0, false), 2.0, "a typed speed joins the list");
        assert_eq!(next_speed(0.25, false), 0.25);
    }
}
