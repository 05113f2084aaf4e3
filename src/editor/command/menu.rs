//! Where commands stand in the menu bar.

use crate::interaction::ToolGroup;

/// The section of all overlays, and that of all panels.
pub(super) const OVERLAYS: (Menu, u8) = (Menu::View, 6);
pub(super) const PANELS: (Menu, u8) = (Menu::View, 2);

/// The menus of the menu bar, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Menu {
    File,
    Edit,
    Arrange,
    View,
    Tools,
    Help,
}

impl Menu {
    pub const ALL: [Self; 6] = [
        Self::File,
        Self::Edit,
        Self::Arrange,
        Self::View,
        Self::Tools,
        Self::Help,
    ];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::File => "File",
            Self::Edit => "Edit",
            Self::Arrange => "Arrange",
            Self::View => "View",
            Self::Tools => "Tools",
            Self::Help => "Help",
        }
    }

    /// Whether a section is of switches, several of which are often wanted at once.
    #[must_use]
    pub const fn stays_open(self, section: u8) -> bool {
        matches!((self, section), (Self::View, 1 | 2 | 6))
    }

    /// Sections with a name are submenus.
    #[must_use]
    pub const fn submenu(self, section: u8) -> Option<&'static str> {
        Some(match (self, section) {
            (Self::File, 4) => "Recordings and pictures",
            (Self::Edit, 2) => "Selection",
            (Self::Arrange, 2) => "Order",
            (Self::Arrange, 3) => "Align and distribute",
            (Self::Arrange, 4) => "Mirror and rotate",
            (Self::Arrange, 5) => "Shapes",
            (Self::View, 1) => "Grid and overlays",
            (Self::View, 2) => "Panels",
            (Self::View, 4) => "Interface",
            (Self::View, 6) => "Navigation structures",
            (Self::View, 7) => "Simulation",
            (Self::View, 8) => "3D view",
            (Self::Tools, 8) => "Height field",
            (Self::Tools, 9) => "Terrain weights",
            (Self::Tools, section) if section > 0 => {
                group_name(TOOL_GROUPS[section as usize % TOOL_GROUPS.len()])
            }
            _ => return None,
        })
    }
}

/// As tool bar and menu list them: a group's place is its section in the menu.
pub const TOOL_GROUPS: [ToolGroup; 9] = [
    ToolGroup::Select,
    ToolGroup::Shape,
    ToolGroup::Terrain,
    ToolGroup::Route,
    ToolGroup::Meaning,
    ToolGroup::Passage,
    ToolGroup::People,
    ToolGroup::Solid,
    ToolGroup::Inspect,
];

#[must_use]
pub const fn group_name(group: ToolGroup) -> &'static str {
    match group {
        ToolGroup::Select => "Select and change",
        ToolGroup::Shape => "Shapes",
        ToolGroup::Terrain => "Terrain",
        ToolGroup::Route => "Routes",
        ToolGroup::Meaning => "Areas",
        ToolGroup::Passage => "Doors and links",
        ToolGroup::People => "Agents and crowds",
        ToolGroup::Solid => "Solids",
        ToolGroup::Inspect => "Measure and note",
    }
}
