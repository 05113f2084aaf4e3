//! Which key does what: the defaults, with what a person has changed.

use super::chord::Chord;
use super::command::Command;
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

#[cfg(test)]
mod tests {
    use super::*;
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
    fn a_command_of_another_version_does_no_harm() {
        let changes = Changes::from([("Teleport".to_owned(), vec![Chord::ctrl(Key::T)])]);
        let map = KeyMap::new(&changes);
        assert_eq!(map.command(Chord::ctrl(Key::T)), None);
        assert_eq!(map.command(Chord::ctrl(Key::S)), Some(Command::Save));
    }
}
