//! Keyboard control of the list.

use super::tree::Row;
use super::{Outliner, Scene, go_to};
use crate::base::EntityId;
use crate::editor::chord::Chord;
use crate::editor::{Actions, Command};
use egui::{Key, Modifiers, Ui};

impl Outliner {
    /// Arrows move and select, with Shift they extend, with Ctrl they only move; left and right
    /// fold; Ctrl+Space selects, Enter frames, F2 renames. Space plays, as everywhere.
    pub(super) fn keys(&mut self, ui: &Ui, scene: &Scene<'_>, actions: &mut Actions) {
        let (modifiers, pressed) = ui.input(|input| {
            let pressed = [
                Key::ArrowUp,
                Key::ArrowDown,
                Key::ArrowLeft,
                Key::ArrowRight,
                Key::Home,
                Key::End,
                Key::PageUp,
                Key::PageDown,
                Key::Space,
                Key::Enter,
                Key::F2,
            ]
            .into_iter()
            .find(|key| input.key_pressed(*key));
            (input.modifiers, pressed)
        });
        if pressed.is_none() {
            return;
        }
        const PAGE: usize = 10;
        let ids: Vec<EntityId> = scene.rows.iter().filter_map(Row::id).collect();
        let at = self
            .cursor
            .and_then(|cursor| ids.iter().position(|id| *id == cursor));
        let last = ids.len().saturating_sub(1);
        let target = match pressed {
            Some(Key::ArrowUp) => at.map_or(0, |at| at.saturating_sub(1)),
            Some(Key::ArrowDown) => at.map_or(0, |at| (at + 1).min(last)),
            Some(Key::Home) => 0,
            Some(Key::End) => last,
            Some(Key::PageUp) => at.map_or(0, |at| at.saturating_sub(PAGE)),
            Some(Key::PageDown) => at.map_or(0, |at| (at + PAGE).min(last)),
            Some(Key::Space) if !modifiers.command && plays(scene) => {
                actions.command(Command::PlayPause);
                return;
            }
            Some(other) => {
                if let Some(cursor) = at.map(|at| ids[at]) {
                    self.act(other, cursor, scene, actions);
                }
                return;
            }
            None => return,
        };
        let Some(id) = ids.get(target).copied() else {
            return;
        };
        self.reveal = Some(id);
        if modifiers.command && !modifiers.shift {
            self.cursor = Some(id);
        } else {
            let extend = Modifiers {
                shift: modifiers.shift,
                ..Modifiers::NONE
            };
            self.click(id, extend, scene, actions);
        }
    }

    fn act(&mut self, key: Key, cursor: EntityId, scene: &Scene<'_>, actions: &mut Actions) {
        let open = scene.rows.iter().find_map(|row| match row {
            Row::Entity { id, open, .. } if *id == cursor => *open,
            _ => None,
        });
        match (key, open) {
            (Key::ArrowLeft, Some(true)) => self.fold_group(cursor, false),
            (Key::ArrowRight, Some(false)) => self.fold_group(cursor, true),
            (Key::ArrowLeft, _) => {
                let group = scene.level.get(cursor).and_then(|entity| entity.group);
                if let Some(group) = group.filter(|group| scene.level.contains(*group)) {
                    self.reveal = Some(group);
                    self.click(group, Modifiers::NONE, scene, actions);
                }
            }
            (Key::Space, _) => self.click(cursor, Modifiers::COMMAND, scene, actions),
            (Key::Enter, _) => go_to(scene.level, cursor, actions),
            (Key::F2, _) => self.rename(cursor, scene.level),
            _ => {}
        }
    }
}

/// Space plays, unless it was assigned to another command.
fn plays(scene: &Scene<'_>) -> bool {
    scene.state.keys().command(Chord::plain(Key::Space)) == Some(Command::PlayPause)
}
