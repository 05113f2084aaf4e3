//! From keys to tools and commands.
//!
//! Keys never fire while a person types: a chord that would write or edit text belongs to the
//! text field that has the focus. Keys that move between controls or press them belong to the
//! control that has the focus, unless that is the plan view. What the tool in hand has a use for
//! goes there first; the rest are commands.

use super::chord::Chord;
use super::command::Needs;
use super::panels::Inspector;
use super::{Command, Editor};
use crate::interaction::{self, Handled};
use egui::{Event, Key};

/// Who has the keyboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Focus {
    /// No widget in particular, or one of the views.
    Plan,
    Control,
    Text,
}

pub(super) fn run_commands(ctx: &egui::Context, editor: &mut Editor) {
    if !editor.dialogs.is_empty() || editor.windows.palette.is_open() {
        return;
    }
    let focus = if editor.panels.get::<Inspector>().awaits_text() {
        Focus::Text
    } else {
        let state = &editor.state;
        focus(ctx, [state.view.focus_id, state.space.focus_id])
    };
    // egui takes the focus from a field on Esc before any widget sees the key: Esc belongs to
    // the widget that had the keyboard a moment ago.
    let before = ctx.data_mut(|data| {
        let id = egui::Id::unique("keyboard focus");
        let before: Option<Focus> = data.get_temp(id);
        data.insert_temp(id, focus);
        before.unwrap_or(focus)
    });
    let menu_is_open = egui::Popup::is_any_open(ctx);
    let mut events = ctx.input_mut(|input| std::mem::take(&mut input.events));
    let swallowed = focus == Focus::Plan && !menu_is_open && type_into_tool(editor, &events);
    events.retain(|event| {
        if let Event::Paste(text) = event
            && focus != Focus::Text
            && editor.state.level_is_open()
        {
            // What a command asked for, or Ctrl+V, which the system turns into this whatever the
            // key map says.
            let key = editor.state.keys().command(Chord::ctrl(Key::V));
            match (editor.paste_to, key) {
                (Some(_), _) | (None, Some(Command::Paste)) => editor.paste(text),
                (None, Some(command)) => editor.ask(command),
                (None, None) => {}
            }
            return false;
        }
        if let Event::Key {
            key,
            pressed: false,
            ..
        } = event
            && editor.state.navigation.player.fires(*key)
        {
            editor.ask(Command::PlayPause);
        }
        let Some(chord) = chord_of(event) else {
            return !(swallowed && matches!(event, Event::Text(_)));
        };
        if swallowed && chord.types_text() && !is_tool_key(chord) {
            return false;
        }
        let focus = if chord.key == Key::Escape && focus == Focus::Plan {
            before
        } else {
            focus
        };
        if chord == Chord::plain(Key::Escape) && !menu_is_open && editor.windows.find.has_focus() {
            editor.windows.find.close();
            return false;
        }
        if menu_is_open || !may_fire(chord, focus) {
            return true;
        }
        if editor.state.space.is_flying && flies(chord) {
            return false;
        }
        let in_sight = editor.state.navigation.player.is_in_sight();
        let command = editor
            .state
            .keys()
            .command(chord)
            .filter(|command| in_sight || !command.is_playback() || is_play(*command))
            // Digits belong to whatever panel has the keyboard.
            .filter(|command| command.entry().needs != Needs::Space || focus == Focus::Plan);
        if focus == Focus::Plan && offer_to_tool(editor, chord, command) == Handled::Yes {
            return false;
        }
        match command {
            // Held down it moves the view.
            Some(Command::PlayPause) if editor.state.level_is_open() => {
                editor.state.navigation.player.arm(chord.key);
            }
            Some(Command::PlayPause) | None => {}
            Some(command) => editor.ask(command),
        }
        command.is_none()
    });
    ctx.input_mut(|input| input.events = events);
}

/// The one key of the player that needs no player in sight: it opens it.
const fn is_play(command: Command) -> bool {
    matches!(command, Command::PlayPause)
}

fn focus(ctx: &egui::Context, views: [Option<egui::Id>; 2]) -> Focus {
    let elsewhere = |id: Option<egui::Id>| id.is_some() && !views.contains(&id);
    if ctx.text_edit_focused() {
        Focus::Text
    } else if elsewhere(ctx.memory(egui::Memory::focused)) || elsewhere(ctx.dragged_id()) {
        Focus::Control
    } else {
        Focus::Plan
    }
}

fn chord_of(event: &Event) -> Option<Chord> {
    match event {
        Event::Key {
            key,
            pressed: true,
            modifiers,
            ..
        } => Some(Chord::of(*key, *modifiers)),
        Event::Copy => Some(Chord::ctrl(Key::C)),
        Event::Cut => Some(Chord::ctrl(Key::X)),
        _ => None,
    }
}

/// Numbers typed while drawing go to the tool. True when it took any.
fn type_into_tool(editor: &mut Editor, events: &[Event]) -> bool {
    if !editor.state.level_is_open() {
        return false;
    }
    let mut taken = false;
    for event in events {
        if let Event::Text(text) = event {
            let handled = editor
                .state
                .send_to_tool(interaction::Event::Text(text.clone()));
            taken |= handled == Handled::Yes;
        }
    }
    taken
}

fn is_tool_key(chord: Chord) -> bool {
    matches!(
        chord.key,
        Key::Enter | Key::Backspace | Key::Delete | Key::Tab | Key::Escape
    )
}

/// Letters that move the eye while the right button is down.
const fn flies(chord: Chord) -> bool {
    !chord.ctrl
        && !chord.alt
        && matches!(
            chord.key,
            Key::W | Key::A | Key::S | Key::D | Key::Q | Key::E
        )
}

/// Keys that tools act on themselves. Those that are commands elsewhere follow the key map.
fn offer_to_tool(editor: &mut Editor, chord: Chord, command: Option<Command>) -> Handled {
    use interaction::Key as ToolKey;
    if !editor.state.level_is_open() {
        return Handled::No;
    }
    if editor.state.space.is_dragging() && chord.key != Key::Escape {
        // Commands wait until the drag is over.
        if command == Some(Command::Undo) {
            editor.state.cancel_space_drag();
        }
        return Handled::Yes;
    }
    let key = match command {
        Some(Command::Undo) => Some(ToolKey::Undo),
        Some(Command::SelectAll) => Some(ToolKey::SelectAll),
        Some(Command::Delete) => Some(ToolKey::Delete),
        Some(Command::NudgeLeft | Command::NudgeFarLeft) => Some(ToolKey::Left),
        Some(Command::NudgeRight | Command::NudgeFarRight) => Some(ToolKey::Right),
        Some(Command::NudgeUp | Command::NudgeFarUp) => Some(ToolKey::Up),
        Some(Command::NudgeDown | Command::NudgeFarDown) => Some(ToolKey::Down),
        Some(_) => None,
        None => match chord.key {
            Key::Enter => Some(ToolKey::Enter),
            Key::Backspace => Some(ToolKey::Backspace),
            Key::Delete => Some(ToolKey::Delete),
            Key::Tab => Some(ToolKey::Tab),
            Key::OpenBracket | Key::OpenCurlyBracket => Some(ToolKey::Less),
            Key::CloseBracket | Key::CloseCurlyBracket => Some(ToolKey::More),
            Key::Escape => return escape(editor),
            _ => None,
        },
    };
    let Some(key) = key else {
        return Handled::No;
    };
    let modifiers = interaction::Modifiers {
        shift: chord.shift,
        ctrl: chord.ctrl,
        alt: chord.alt,
    };
    editor
        .state
        .send_to_tool(interaction::Event::Key(key, modifiers))
}

/// One stage back: work in progress, then a window beside it, then tool and selection.
fn escape(editor: &mut Editor) -> Handled {
    let state = &mut editor.state;
    if state.cancel_space_drag() {
        return Handled::Yes;
    }
    let view = state.view.for_tools();
    let taken_back = state.toolbox.take_back(&mut state.level, &view);
    if taken_back == Handled::Yes
        || editor.windows.find.close()
        || editor.windows.help.close()
        || editor.windows.guide.close()
    {
        return Handled::Yes;
    }
    editor.state.send_to_tool(interaction::Event::Escape)
}

fn may_fire(chord: Chord, focus: Focus) -> bool {
    match focus {
        Focus::Plan => true,
        Focus::Control => !works_controls(chord),
        Focus::Text => !edits_text(chord),
    }
}

/// Chords that a text field has a use for.
fn edits_text(chord: Chord) -> bool {
    let functional = (Key::F1..=Key::F35).contains(&chord.key);
    let own = chord.ctrl
        && matches!(
            chord.key,
            Key::A
                | Key::C
                | Key::H
                | Key::U
                | Key::V
                | Key::W
                | Key::X
                | Key::Y
                | Key::Z
                | Key::Backspace
                | Key::Delete
        );
    let modifiers = egui::Modifiers {
        alt: chord.alt,
        shift: chord.shift,
        command: chord.ctrl,
        ..egui::Modifiers::NONE
    };
    let moves = egui::KeyboardShortcut::new(modifiers, chord.key).conflicts_with_text_editing();
    !functional && (own || chord.types_text() || moves)
}

/// Chords that press or leave the control with the focus.
const fn works_controls(chord: Chord) -> bool {
    chord.types_text()
        && matches!(
            chord.key,
            Key::Space
                | Key::Enter
                | Key::Tab
                | Key::Escape
                | Key::ArrowLeft
                | Key::ArrowRight
                | Key::ArrowUp
                | Key::ArrowDown
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typing_keeps_letters_and_editing_keys_but_not_commands() {
        for typed in [
            Chord::plain(Key::Q),
            Chord::shift(Key::F),
            Chord::plain(Key::Delete),
            Chord::plain(Key::Space),
            Chord::ctrl(Key::Z),
            Chord::ctrl(Key::A),
            Chord::ctrl_shift(Key::Z),
            Chord::plain(Key::Escape),
        ] {
            assert!(!may_fire(typed, Focus::Text), "{typed}");
            assert!(may_fire(typed, Focus::Plan), "{typed}");
        }
        for command in [
            Chord::ctrl(Key::S),
            Chord::ctrl(Key::K),
            Chord::ctrl_shift(Key::P),
            Chord::plain(Key::F1),
        ] {
            assert!(may_fire(command, Focus::Text), "{command}");
        }
    }

    #[test]
    fn a_focused_control_keeps_the_keys_that_work_it() {
        assert!(!may_fire(Chord::plain(Key::Space), Focus::Control));
        assert!(!may_fire(Chord::plain(Key::ArrowDown), Focus::Control));
        assert!(may_fire(Chord::plain(Key::Q), Focus::Control));
        assert!(may_fire(Chord::ctrl(Key::S), Focus::Control));
    }
}
