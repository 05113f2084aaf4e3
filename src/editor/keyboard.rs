//! From keys to commands.
//!
//! Keys never fire while a person types: a chord that would write or edit text belongs to the
//! text field that has the focus. Keys that move between controls or press them belong to the
//! control that has the focus, unless that is the plan view.

use super::chord::Chord;
use super::{Command, Editor};
use egui::{Event, Key};

pub(super) fn run_commands(ctx: &egui::Context, editor: &mut Editor) {
    if ctx.memory(|memory| memory.top_modal_layer().is_some()) {
        return;
    }
    let typing = ctx.text_edit_focused();
    let elsewhere = ctx.memory(|memory| {
        memory
            .focused()
            .is_some_and(|id| Some(id) != editor.state.view.focus_id)
    });
    let mut commands = Vec::new();
    ctx.input_mut(|input| {
        input.events.retain(|event| {
            let command = command_of(event, editor, typing, elsewhere);
            commands.extend(command);
            command.is_none()
        });
    });
    for command in commands {
        editor.ask(command);
    }
}

fn command_of(event: &Event, editor: &Editor, typing: bool, elsewhere: bool) -> Option<Command> {
    let chord = match event {
        Event::Key {
            key,
            pressed: true,
            modifiers,
            ..
        } => Chord::of(*key, *modifiers),
        Event::Copy => Chord::ctrl(Key::C),
        Event::Cut => Chord::ctrl(Key::X),
        _ => return None,
    };
    if typing && edits_text(chord) || elsewhere && moves_between_controls(chord) {
        return None;
    }
    editor.state.keys().command(chord)
}

/// Chords that a text field has a use for.
fn edits_text(chord: Chord) -> bool {
    let modifiers = egui::Modifiers {
        alt: chord.alt,
        shift: chord.shift,
        command: chord.ctrl,
        ..egui::Modifiers::NONE
    };
    let functional = (Key::F1..=Key::F35).contains(&chord.key);
    let own = chord.ctrl
        && matches!(
            chord.key,
            Key::A
                | Key::C
                | Key::V
                | Key::X
                | Key::Y
                | Key::Z
                | Key::U
                | Key::W
                | Key::H
                | Key::Backspace
                | Key::Delete
        );
    !functional
        && (own
            || !chord.ctrl && !chord.alt
            || egui::KeyboardShortcut::new(modifiers, chord.key).conflicts_with_text_editing())
}

/// Chords that press or leave the control with the focus.
const fn moves_between_controls(chord: Chord) -> bool {
    !chord.ctrl
        && !chord.alt
        && matches!(
            chord.key,
            Key::Space
                | Key::Enter
                | Key::Tab
                | Key::ArrowLeft
                | Key::ArrowRight
                | Key::ArrowUp
                | Key::ArrowDown
        )
}
