//! Which key does what: the defaults, with what a person has changed.

use super::chord::Chord;
use super::command::Command;
use super::panels::registry;
use crate::preview::overlays;
use std::collections::BTreeMap;

/// Changed keys as kept in the preferences: by the command's id, so that a command which another
/// version of the program does not know does no harm there.
pub type Changes = BTreeMap<String, Vec<Chord>>;

#[derive(Clone, Debug)]
pub struct KeyMap {
    keys: BTreeMap<Command, Vec<Chord>>,
    commands: BTreeMap<Chord, Command>,
}

impl KeyMap {
    #[must_use]
    pub fn new(changes: &Changes) -> Self {
        let keys: BTreeMap<Command, Vec<Chord>> = Command::all()
            .map(|command| {
                let keys = changes
                    .get(&command.id())
                    .cloned()
                    .unwrap_or_else(|| default_keys(command));
                (command, keys)
            })
            .collect();
        // On a conflict a changed key wins over a default one, and the first command otherwise.
        let mut commands = BTreeMap::new();
        for changed in [true, false] {
            for (command, chords) in &keys {
                if changes.contains_key(&command.id()) == changed {
                    for chord in chords {
                        commands.entry(*chord).or_insert(*command);
                    }
                }
            }
        }
        Self { keys, commands }
    }

    #[must_use]
    pub fn command(&self, chord: Chord) -> Option<Command> {
        self.commands.get(&chord).copied()
    }

    #[must_use]
    pub fn keys(&self, command: Command) -> &[Chord] {
        self.keys.get(&command).map_or(&[], Vec::as_slice)
    }

    /// The key to show beside the command's name.
    #[must_use]
    pub fn first_key(&self, command: Command) -> Option<Chord> {
        self.keys(command).first().copied()
    }

    /// Other commands with the same key.
    pub fn others_with(&self, chord: Chord, command: Command) -> impl Iterator<Item = Command> {
        self.keys
            .iter()
            .filter(move |(other, chords)| **other != command && chords.contains(&chord))
            .map(|(other, _)| *other)
    }
}

#[must_use]
pub fn default_keys(command: Command) -> Vec<Chord> {
    command.entry().keys.into_iter().flatten().collect()
}

/// Gives a command other keys; the defaults are not kept as a change.
pub fn assign(changes: &mut Changes, command: Command, keys: Vec<Chord>) {
    if keys == default_keys(command) {
        changes.remove(&command.id());
    } else {
        changes.insert(command.id(), keys);
    }
}

/// Names from before overlays and panels had rows: `ShowFreeSpace`, `ToggleOutliner`.
pub fn migrate(changes: &mut Changes) {
    let old: Vec<(String, String)> = changes
        .keys()
        .filter_map(|name| Some((name.clone(), renamed(name)?.id())))
        .collect();
    for (old, new) in old {
        if let Some(keys) = changes.remove(&old) {
            changes.entry(new).or_insert(keys);
        }
    }
}

fn renamed(name: &str) -> Option<Command> {
    // Commands that still have such a name.
    if Command::all().any(|command| command.id() == name) {
        return None;
    }
    if let Some(overlay) = name.strip_prefix("Show") {
        let row = overlays::by_name(&kebab(overlay))?;
        return Some(Command::ShowOverlay(row.id));
    }
    let panel = name.strip_prefix("Toggle")?;
    let panel = panel.strip_suffix("Panel").unwrap_or(panel);
    registry::named(panel).map(Command::TogglePanel)
}

/// `FreeSpace` as `free-space`.
fn kebab(name: &str) -> String {
    let mut kebab = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !kebab.is_empty() {
            kebab.push('-');
        }
        kebab.extend(letter.to_lowercase());
    }
    kebab
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editor::docking::Pane;
    use crate::preview::OverlayId;
    use egui::Key;

    #[test]
    fn a_changed_key_replaces_the_default_and_wins_a_conflict() {
        let mut changes = Changes::new();
        assign(&mut changes, Command::Quit, vec![Chord::ctrl(Key::S)]);
        let map = KeyMap::new(&changes);
        assert_eq!(map.command(Chord::ctrl(Key::S)), Some(Command::Quit));
        assert_eq!(map.command(Chord::ctrl(Key::Q)), None);
        assert_eq!(
            map.others_with(Chord::ctrl(Key::S), Command::Quit)
                .collect::<Vec<_>>(),
            [Command::Save]
        );
        assign(&mut changes, Command::Quit, default_keys(Command::Quit));
        assert!(changes.is_empty());
    }

    #[test]
    fn keys_chosen_under_earlier_names_still_work() {
        let chosen = [
            (
                "ShowMedialAxis",
                Command::ShowOverlay(OverlayId::MEDIAL_AXIS),
            ),
            ("ShowLost", Command::ShowOverlay(OverlayId::LOST)),
            ("ToggleOutliner", Command::TogglePanel(Pane::OUTLINER)),
            (
                "ToggleNavigationPanel",
                Command::TogglePanel(Pane::NAVIGATION),
            ),
            ("ToggleNavigation", Command::ToggleNavigation),
            ("ShowAllPaths", Command::ShowAllPaths),
        ];
        for (name, command) in chosen {
            let key = Chord::ctrl_shift(Key::F3);
            let mut changes = Changes::from([(name.to_owned(), vec![key])]);
            migrate(&mut changes);
            assert_eq!(KeyMap::new(&changes).command(key), Some(command), "{name}");
        }
    }

    #[test]
    fn a_command_of_another_version_does_no_harm() {
        let changes = Changes::from([("Teleport".to_owned(), vec![Chord::ctrl(Key::T)])]);
        let map = KeyMap::new(&changes);
        assert_eq!(map.command(Chord::ctrl(Key::T)), None);
        assert_eq!(map.command(Chord::ctrl(Key::S)), Some(Command::Save));
    }
}
