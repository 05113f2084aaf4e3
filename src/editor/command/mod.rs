//! Everything a person can ask the editor to do, in one list.
//!
//! Menus, tool bar, palette, key map, context menus and the help page are all read from here.
//! Overlays and panels bring their commands with their rows.

mod fixed;
mod menu;
mod needs;
mod tool;

pub use fixed::Command;
pub use menu::{Menu, TOOL_GROUPS, group_name};
pub use needs::Needs;

use super::EditorState;
use super::chord::Chord;
use super::docking::{Pane, Views};
use super::panels::registry::{self, Place};
use crate::document::WeightPreset;
use crate::interaction::ToolKind;
use crate::interaction::space::Direction;
use crate::preview::OverlayId;
use crate::preview::overlays::{self, Group};
use egui_material_icons::{MaterialIcon, icons as icon};

/// What is said about a command everywhere.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub name: &'static str,
    /// What it does, without a full stop.
    pub help: &'static str,
    pub icon: MaterialIcon,
    /// Its menu and the section within it.
    pub place: Option<(Menu, u8)>,
    pub needs: Needs,
    pub keys: Keys,
}

/// Default keys: at most two.
pub type Keys = [Option<Chord>; 2];

pub const NO_KEY: Keys = [None, None];

#[must_use]
pub const fn one(chord: Chord) -> Keys {
    [Some(chord), None]
}

const fn two(first: Chord, second: Chord) -> Keys {
    [Some(first), Some(second)]
}

/// Of an overlay that is shown or hidden.
fn overlay_entry(id: OverlayId) -> Entry {
    let row = overlays::row(id);
    Entry {
        name: row.map_or(id.0, |row| row.title),
        help: row.map_or("", |row| row.help),
        icon: row.map_or(icon::ICON_LAYERS, |row| MaterialIcon::new(row.icon)),
        place: Some(menu::OVERLAYS),
        needs: Needs::Level,
        keys: NO_KEY,
    }
}

/// Of a panel that is opened or closed.
fn panel_entry(pane: Pane) -> Entry {
    let row = registry::row(pane);
    Entry {
        name: row.map_or(pane.0, |row| row.title),
        help: row.map_or("", |row| row.help),
        icon: row.map_or(icon::ICON_SPACE_DASHBOARD, |row| row.icon),
        place: Some(menu::PANELS),
        needs: Needs::Level,
        keys: row.map_or(NO_KEY, |row| row.keys),
    }
}

/// The switches of all overlays, with that of all paths beside the paths themselves.
fn overlay_commands() -> Vec<Command> {
    let mut commands = Vec::new();
    for row in overlays::rows() {
        commands.push(Command::ShowOverlay(row.id));
        if row.id == OverlayId::PATHS {
            commands.push(Command::ShowAllPaths);
        }
    }
    commands
}

impl Command {
    /// Every command: those of the menus in order, then the tools.
    pub fn all() -> impl Iterator<Item = Self> {
        let with_rows = |fixed: &Self| -> Vec<Self> {
            let mut commands = match fixed {
                Self::ResetLayout => registry::rows()
                    .into_iter()
                    .filter(|row| row.place != Place::View)
                    .map(|row| Self::TogglePanel(row.pane))
                    .collect(),
                Self::ShowAllPaths => return overlay_commands(),
                _ => Vec::new(),
            };
            commands.push(*fixed);
            commands
        };
        Self::FIXED
            .iter()
            .flat_map(with_rows)
            .chain(ToolKind::ALL.map(Self::Tool))
    }

    /// How files refer to it.
    #[must_use]
    pub fn id(self) -> String {
        match self {
            Self::Tool(kind) => format!("Tool{kind:?}"),
            Self::ShowOverlay(id) => format!("overlay/{id}"),
            Self::TogglePanel(pane) => format!("panel/{pane:?}"),
            fixed => format!("{fixed:?}"),
        }
    }

    #[must_use]
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    #[must_use]
    pub fn is_enabled(self, state: &EditorState) -> bool {
        self.entry().needs.met(state)
    }

    /// The group of overlays that it belongs to.
    #[must_use]
    pub fn group(self) -> Option<Group> {
        match self {
            Self::ShowOverlay(id) => overlays::row(id).map(|row| row.group),
            Self::ShowAllPaths => Some(Group::Paths),
            _ => None,
        }
    }

    /// Whose tastes a command gives to the selected profiles.
    #[must_use]
    pub const fn preset(self) -> Option<WeightPreset> {
        Some(match self {
            Self::WeighPedestrian => WeightPreset::Pedestrian,
            Self::WeighAnimal => WeightPreset::Animal,
            Self::WeighVehicle => WeightPreset::Vehicle,
            Self::WeighAdult => WeightPreset::Adult,
            Self::WeighChild => WeightPreset::Child,
            _ => return None,
        })
    }

    /// Its key works while the player is in sight.
    #[must_use]
    pub const fn is_playback(self) -> bool {
        matches!(
            self,
            Self::PlayPause
                | Self::StepForward
                | Self::StepBack
                | Self::PlayFromStart
                | Self::PlayToEnd
                | Self::NextEvent
                | Self::PreviousEvent
        )
    }

    /// Where a command looks from in the 3D view.
    #[must_use]
    pub const fn direction(self) -> Option<Direction> {
        Some(match self {
            Self::LookFromCorner => Direction::Corner,
            Self::LookFromTop => Direction::Top,
            Self::LookFromFront => Direction::Front,
            Self::LookFromBack => Direction::Back,
            Self::LookFromRight => Direction::Right,
            Self::LookFromLeft => Direction::Left,
            _ => return None,
        })
    }

    /// For commands that switch something: is it on? `None` for the others.
    #[must_use]
    pub fn is_on(self, state: &EditorState) -> Option<bool> {
        let grid = state.document().level().settings().grid;
        Some(match self {
            Self::Tool(kind) => state.level_is_open() && state.toolbox.current() == kind,
            Self::ShowPlan => Views::of(&state.open_panes) == Views::Plan,
            Self::ShowSpace => Views::of(&state.open_panes) == Views::Space,
            Self::ShowBoth => Views::of(&state.open_panes) == Views::Both,
            Self::ToggleSection => state.space.section.is_some(),
            Self::ToggleGrid => grid.visible,
            Self::ToggleSnap => state.toolbox.defaults.snap,
            Self::ToggleRulers => state.view.show.rulers,
            Self::ToggleLabels => state.view.show.labels,
            Self::ToggleFrameTime => state.preferences.show_frame_time,
            Self::TogglePanel(pane) => state.open_panes.contains(&pane),
            Self::ShowOverlay(id) => state.navigation.overlays.contains(id),
            Self::ToggleNavigation => state.navigation.visible,
            Self::ShowAllPaths => state.navigation.all_paths,
            Self::PlayLoop => state.navigation.player.clock.loops,
            Self::PlayOnlySelected => state.navigation.player.only_selected,
            Self::HideArrived => state.navigation.player.hides_arrived,
            Self::PlayFollow => state.navigation.player.follow,
            Self::ShowGhost => state.navigation.player.simulation.shows_ghost,
            Self::PlayBothMethods => state.navigation.player.side_by_side,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::Key;
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn no_two_commands_share_a_name_an_id_or_a_default_key() {
        let (mut names, mut ids, mut keys) = (BTreeSet::new(), BTreeSet::new(), BTreeMap::new());
        for command in Command::all() {
            let entry = command.entry();
            assert!(names.insert(entry.name), "{}", entry.name);
            assert!(ids.insert(command.id()), "{}", command.id());
            for key in entry.keys.into_iter().flatten() {
                let taken = keys.insert(key, command);
                assert_eq!(taken, None, "{key} is also for {command:?}");
            }
            assert!(!entry.help.ends_with('.'), "{}", entry.name);
        }
    }

    #[test]
    fn a_tool_has_the_key_printed_on_it() {
        assert_eq!(
            Command::Tool(ToolKind::Rotate).entry().keys,
            one(Chord::plain(Key::E))
        );
        assert_eq!(
            Command::Tool(ToolKind::CrowdArea).entry().keys,
            one(Chord::shift(Key::A))
        );
    }

    #[test]
    fn nothing_but_a_level_needs_a_level() {
        let nothing_open = EditorState::default();
        for command in Command::all() {
            assert_eq!(
                command.is_enabled(&nothing_open),
                command.entry().needs == Needs::Nothing,
                "{command:?}"
            );
        }
    }
}
