//! Buttons, switches and the timeline of the player.

use super::run_bar::{settings_ui, source_ui};
use crate::base::EntityId;
use crate::editor::panels::field::button::icon_button_if;
use crate::editor::panels::field::{Number, Shared};
use crate::editor::playback::Play;
use crate::editor::player::Source;
use crate::editor::theme::{Palette, panel};
use crate::editor::{Action, Actions, Command, EditorState};
use crate::preview::OverlayId;
use crate::sim::clock::SPEED;
use egui::{DragValue, Key, RichText, Sense, Ui, vec2};
use egui_material_icons::icons;

/// Height of a row of controls: plots need the rest. Unit: points.
const ROW: f32 = 20.0;

/// How far an arrow key jumps. Unit: seconds.
const JUMP: f64 = 1.0;

/// Keys of the panel itself: digits set the speed, arrows jump, Space plays.
pub(super) fn keys(ui: &Ui, actions: &mut Actions) {
    const DIGITS: [Key; 9] = [
        Key::Num1,
        Key::Num2,
        Key::Num3,
        Key::Num4,
        Key::Num5,
        Key::Num6,
        Key::Num7,
        Key::Num8,
        Key::Num9,
    ];
    ui.input(|input| {
        if input.modifiers.any() {
            return;
        }
        for (key, speed) in DIGITS.into_iter().zip(1..) {
            if input.key_pressed(key) {
                actions.push(Action::Play(Play::Speed(f64::from(speed))));
            }
        }
        for (key, secs) in [(Key::ArrowLeft, -JUMP), (Key::ArrowRight, JUMP)] {
            if input.key_pressed(key) {
                actions.push(Action::Play(Play::Jump(secs)));
            }
        }
        if input.key_pressed(Key::Space) {
            actions.push(Action::Play(Play::Toggle));
        }
    });
}

pub(super) fn controls_ui(
    ui: &mut Ui,
    state: &EditorState,
    selected: Option<EntityId>,
    actions: &mut Actions,
) {
    let player = &state.navigation.player;
    let clock = player.clock;
    let is_simulated = player.source == Source::Simulation;
    let can_play = is_simulated || player.duration(selected) > 0.0;
    let help = |command: Command| {
        let entry = command.entry();
        let key = state.keys().first_key(command);
        key.map_or_else(
            || entry.name.to_owned(),
            |key| format!("{} ({key})", entry.name),
        )
    };
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(panel::GAP, 1.0);
        ui.spacing_mut().interact_size.y = ROW;
        let mut button = |ui: &mut Ui, icon, command: Command, asked: Play| {
            if icon_button_if(ui, can_play, icon, &help(command)).clicked() {
                actions.push(Action::Play(asked));
            }
        };
        button(
            ui,
            icons::ICON_FIRST_PAGE,
            Command::PlayFromStart,
            Play::Seek(0.0),
        );
        button(
            ui,
            icons::ICON_SKIP_PREVIOUS,
            Command::StepBack,
            Play::Step(-1),
        );
        let icon = if clock.is_playing() {
            icons::ICON_PAUSE
        } else {
            icons::ICON_PLAY_ARROW
        };
        button(ui, icon, Command::PlayPause, Play::Toggle);
        button(
            ui,
            icons::ICON_SKIP_NEXT,
            Command::StepForward,
            Play::Step(1),
        );
        button(ui, icons::ICON_LAST_PAGE, Command::PlayToEnd, Play::End);
        ui.separator();
        if is_simulated {
            time_ui(ui, state, actions);
        }
        let mut speed = clock.speed();
        let label = ui.weak("Speed");
        label
            .clone()
            .on_hover_text("1 is real time; or press a digit after a click into this panel.");
        let field = Number::new(&SPEED, Shared::Same(speed)).prefix("×");
        if field.inline(ui, label.id, &mut speed).change.is_some() {
            actions.push(Action::Play(Play::Speed(speed)));
        }
        source_ui(ui, state, actions);
        if is_simulated {
            settings_ui(ui, state, actions);
        }
        if !is_simulated {
            let switches = [
                Command::PlayLoop,
                Command::PlayOnlySelected,
                Command::PlayFollow,
                Command::HideArrived,
                Command::ShowOverlay(OverlayId::FORCES),
                Command::PlayBothMethods,
            ];
            switches_ui(ui, &switches, state, actions);
        }
    });
}

pub(super) fn switches_ui(
    ui: &mut Ui,
    commands: &[Command],
    state: &EditorState,
    actions: &mut Actions,
) {
    for &command in commands {
        let mut on = command.is_on(state).unwrap_or(false);
        let entry = command.entry();
        if ui
            .checkbox(&mut on, entry.name)
            .on_hover_text(entry.help)
            .changed()
        {
            actions.command(command);
        }
    }
}

/// The time as it is typed, of how much there is.
fn time_ui(ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
    let player = &state.navigation.player;
    let duration = player.duration(None);
    let label = ui.weak("Time");
    let mut time = player.time(None);
    let field = DragValue::new(&mut time)
        .speed(0.1)
        .range(0.0..=duration)
        .custom_formatter(|secs, _| clock(secs))
        .custom_parser(typed_time);
    let field = ui.add_sized([66.0, ROW], field).labelled_by(label.id);
    if field
        .on_hover_text("Type seconds, or minutes and seconds as 1:30")
        .changed()
    {
        actions.push(Action::Play(Play::Seek(time)));
    }
    ui.weak(format!("of {}", clock(duration)));
}

/// `90`, `1:30`, `1:30.5`.
fn typed_time(text: &str) -> Option<f64> {
    let mut secs = 0.0;
    for part in text.trim().split(':') {
        let part: f64 = part.trim().parse().ok().filter(|v: &f64| *v >= 0.0)?;
        secs = secs * 60.0 + part;
    }
    secs.is_finite().then_some(secs)
}

pub(super) fn timeline_ui(
    ui: &mut Ui,
    state: &EditorState,
    selected: Option<EntityId>,
    actions: &mut Actions,
) {
    let player = &state.navigation.player;
    let duration = player.duration(selected);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = panel::GAP;
        let mut time = player.time(selected);
        let text = format!("{} / {}", clock(time), clock(duration));
        let label = ui.label(RichText::new(text).monospace());
        ui.spacing_mut().slider_width = (ui.available_width() - 12.0).max(60.0);
        let slider = egui::Slider::new(&mut time, 0.0..=duration.max(1e-3))
            .show_value(false)
            .trailing_fill(true);
        let response = ui
            .add_enabled(duration > 0.0, slider)
            .labelled_by(label.id)
            .on_hover_text(
                "Drag through time. After a click into this panel arrows jump by a second.",
            );
        if response.changed() {
            actions.push(Action::Play(Play::Seek(time)));
        }
        marks_ui(ui, response.rect, state, selected, duration);
    });
}

/// Events of the selected agent, as marks on the timeline.
fn marks_ui(
    ui: &Ui,
    rect: egui::Rect,
    state: &EditorState,
    selected: Option<EntityId>,
    duration: f64,
) {
    let Some(agent) = selected.filter(|_| duration > 0.0) else {
        return;
    };
    let palette = Palette::of(ui.visuals());
    let playback = state.navigation.player.playback(selected);
    let events = playback.recordings().flat_map(|(_, shown)| shown.events());
    for event in events.filter(|event| event.agent == agent) {
        let time = event.time;
        let share = (time / duration).clamp(0.0, 1.0) as f32;
        let x = egui::lerp(rect.x_range(), share);
        let mark = egui::Rect::from_center_size(egui::pos2(x, rect.center().y), vec2(4.0, 14.0));
        ui.painter().rect_filled(mark, 1.5, palette.warning);
        let id = ui.scope_id().with(("event", time.to_bits()));
        ui.interact(mark.expand(3.0), id, Sense::hover())
            .on_hover_text(format!("{}: {}", clock(time), event.text));
    }
}

/// `1:02.35`.
#[must_use]
pub fn clock(secs: f64) -> String {
    let hundredths = (secs.max(0.0) * 100.0).round().min(1e12) as u64;
    let (minutes, rest) = (hundredths / 6000, hundredths % 6000);
    format!("{minutes}:{:02}.{:02}", rest / 100, rest % 100)
}

#[cfg(test)]
mod tests {
    use super::{clock, typed_time};

    #[test]
    fn times_are_typed_in_seconds_or_as_on_a_clock() {
        assert_eq!(typed_time("90"), Some(90.0));
        assert_eq!(typed_time(" 1:30.5 "), Some(90.5));
        assert_eq!(typed_time("1:00:00"), Some(3600.0));
        for bad in ["", "abc", "-3", "1:x", "inf"] {
            assert_eq!(typed_time(bad), None, "{bad}");
        }
    }

    #[test]
    fn times_read_like_a_clock() {
        for (secs, text) in [
            (0.0, "0:00.00"),
            (59.996, "1:00.00"),
            (62.345, "1:02.35"),
            (-3.0, "0:00.00"),
            (f64::NAN, "0:00.00"),
        ] {
            assert_eq!(clock(secs), text);
        }
    }
}
