//! Everything a person can ask the editor to do, in one list.
//!
//! Menus, tool bar, palette, key map, context menus and the help page are all read from here.

use super::EditorState;
use super::chord::Chord;
use super::docking::{Pane, Views};
use crate::document::WeightPreset;
use crate::interaction::space::Direction;
use crate::interaction::{Shortcut, ToolGroup, ToolKind};
use crate::preview::Layer;
use egui::Key;
use egui_material_icons::{MaterialIcon, icons as icon};

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
            (Self::Edit, 2) => "Selection",
            (Self::Arrange, 2) => "Order",
            (Self::Arrange, 3) => "Align and distribute",
            (Self::Arrange, 4) => "Mirror and turn",
            (Self::Arrange, 5) => "Shapes",
            (Self::View, 1) => "Grid and overlays",
            (Self::View, 2) => "Panels",
            (Self::View, 4) => "Interface",
            (Self::View, 6) => "Navigation structures",
            (Self::View, 7) => "Playback",
            (Self::View, 8) => "Look in 3D",
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
pub const TOOL_GROUPS: [ToolGroup; 8] = [
    ToolGroup::Select,
    ToolGroup::Shape,
    ToolGroup::Terrain,
    ToolGroup::Route,
    ToolGroup::Meaning,
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
        ToolGroup::Meaning => "Areas and meaning",
        ToolGroup::People => "Agents and crowds",
        ToolGroup::Solid => "Solids",
        ToolGroup::Inspect => "Measure and note",
    }
}

/// What must hold before a command can do anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    Nothing,
    Level,
    /// The level has a file.
    File,
    /// Something was exported before.
    LastExport,
    Selection,
    OneSelected,
    TwoSelected,
    ThreeSelected,
    Undo,
    Redo,
    /// The level has a height field.
    Heights,
    /// The level has none.
    LevelGround,
    /// The 3D view is in sight.
    Space,
}

impl Needs {
    #[must_use]
    pub fn met(self, state: &EditorState) -> bool {
        if self != Self::Nothing && !state.level_is_open() {
            return false;
        }
        let document = state.document();
        match self {
            Self::Nothing | Self::Level => true,
            Self::File => state.path().is_some(),
            Self::LastExport => state.last_export.is_some(),
            Self::Selection => !document.selection().is_empty(),
            Self::OneSelected => document.selection().len() == 1,
            Self::TwoSelected => document.selection().len() >= 2,
            Self::ThreeSelected => document.selection().len() >= 3,
            Self::Undo => document.undo_labels().len() > 0,
            Self::Redo => document.redo_labels().len() > 0,
            Self::Heights => document.level().ground().is_some(),
            Self::LevelGround => document.level().ground().is_none(),
            Self::Space => state.open_panes.contains(&Pane::Space),
        }
    }

    /// Why a command is greyed out.
    #[must_use]
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Nothing => "",
            Self::Level => "Open or make a level first.",
            Self::File => "The level has not been saved to a file yet.",
            Self::LastExport => "Nothing has been exported yet; choose Export first.",
            Self::Selection => "Select something first.",
            Self::OneSelected => "Select exactly one object first.",
            Self::TwoSelected => "Select at least two objects first.",
            Self::ThreeSelected => "Select at least three objects first.",
            Self::Undo => "There is nothing to undo.",
            Self::Redo => "There is nothing to do again.",
            Self::Heights => "The level has no height field.",
            Self::LevelGround => "The level has a height field already.",
            Self::Space => "Open the 3D view first (F8).",
        }
    }
}

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

macro_rules! commands {
    ($($variant:ident: $name:literal, $help:literal, $icon:ident, $place:expr, $needs:ident, $keys:expr;)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Command {
            /// Takes a tool in hand.
            Tool(ToolKind),
            $($variant,)*
        }

        impl Command {
            /// All but the tools, in the order of the menus.
            const FIXED: &'static [Self] = &[$(Self::$variant,)*];

            #[must_use]
            pub const fn entry(self) -> Entry {
                match self {
                    Self::Tool(kind) => tool_entry(kind),
                    $(Self::$variant => Entry {
                        name: $name,
                        help: $help,
                        icon: icon::$icon,
                        place: $place,
                        needs: Needs::$needs,
                        keys: $keys,
                    },)*
                }
            }
        }
    };
}

use Menu::{Arrange, Edit, File, Help, Tools, View};

const NO_KEY: Keys = [None, None];

const fn one(chord: Chord) -> Keys {
    [Some(chord), None]
}

const fn two(first: Chord, second: Chord) -> Keys {
    [Some(first), Some(second)]
}

const fn plain(key: Key) -> Keys {
    one(Chord::plain(key))
}

const fn shift(key: Key) -> Keys {
    one(Chord::shift(key))
}

const fn ctrl(key: Key) -> Keys {
    one(Chord::ctrl(key))
}

const fn ctrl_shift(key: Key) -> Keys {
    one(Chord::ctrl_shift(key))
}

const fn alt(key: Key) -> Keys {
    one(Chord::alt(key))
}

#[rustfmt::skip]
commands! {
    NewLevel: "New level…", "Starts an empty level, or one from a template", ICON_NOTE_ADD, Some((File, 0)), Nothing, ctrl(Key::N);
    Open: "Open…", "Opens a level from a file", ICON_FOLDER_OPEN, Some((File, 0)), Nothing, ctrl(Key::O);
    Welcome: "Welcome page", "Closes the level and shows samples and recent files", ICON_HOME, Some((File, 0)), Nothing, NO_KEY;
    Save: "Save", "Writes the level to its file; the version before is kept as a backup", ICON_SAVE, Some((File, 1)), Level, ctrl(Key::S);
    SaveAs: "Save as…", "Writes the level to another file and goes on with that", ICON_SAVE_AS, Some((File, 1)), Level, ctrl_shift(Key::S);
    Revert: "Revert to saved", "Goes back to what the file holds", ICON_RESTORE_PAGE, Some((File, 1)), File, NO_KEY;
    Import: "Import…", "Reads another program’s file into a new level, or a mesh into this one", ICON_DOWNLOAD, Some((File, 2)), Nothing, ctrl(Key::I);
    ReadMeshes: "Read meshes again", "Reads the mesh files beside the level anew", ICON_SYNC, Some((Arrange, 5)), Level, NO_KEY;
    Export: "Export…", "Writes the level in another program’s format", ICON_UPLOAD, Some((File, 2)), Level, ctrl(Key::E);
    BakeForEngines: "Bake for engines…", "Writes navigation data that games and simulations read", ICON_PACKAGE_2, Some((File, 2)), Level, NO_KEY;
    ExportAgain: "Export again", "Repeats the last export, to the same file", ICON_REPLAY, Some((File, 2)), LastExport, ctrl_shift(Key::E);
    AddHeightField: "Add height field…", "Lays posts over the level whose heights can be shaped", ICON_ELEVATION, Some((Tools, 8)), LevelGround, NO_KEY;
    ImportHeights: "Import heights…", "Takes the ground’s heights from a grey-scale picture", ICON_FILTER_HDR, Some((Tools, 8)), Level, NO_KEY;
    RemoveHeightField: "Remove height field", "Makes the ground level again", ICON_LAYERS_CLEAR, Some((Tools, 8)), Heights, NO_KEY;
    WeighPedestrian: "Weights of a pedestrian", "Gives the selected profiles weights that like sidewalks and shun mud", ICON_DIRECTIONS_WALK, Some((Tools, 9)), Selection, NO_KEY;
    WeighAnimal: "Weights of an animal", "Gives the selected profiles weights that keep to the forest", ICON_PETS, Some((Tools, 9)), Selection, NO_KEY;
    WeighVehicle: "Weights of a vehicle", "Gives the selected profiles weights that keep to the road", ICON_DIRECTIONS_CAR, Some((Tools, 9)), Selection, NO_KEY;
    WeighAdult: "Weights of an adult", "Gives the selected profiles weights that like paths and views", ICON_MAN, Some((Tools, 9)), Selection, NO_KEY;
    WeighChild: "Weights of a child", "Gives the selected profiles weights that like puddles and fallen trees", ICON_CHILD_CARE, Some((Tools, 9)), Selection, NO_KEY;
    Unweigh: "The terrains’ own weights", "Takes all weights of their own away from the selected profiles", ICON_RESTART_ALT, Some((Tools, 9)), Selection, NO_KEY;
    Screenshot: "Save picture of the view…", "Writes what the view shows as a PNG file", ICON_PHOTO_CAMERA, Some((File, 3)), Level, plain(Key::F12);
    Quit: "Quit", "Closes the editor; asks first if there is unsaved work", ICON_LOGOUT, Some((File, 9)), Nothing, ctrl(Key::Q);

    Undo: "Undo", "Takes back the last change", ICON_UNDO, Some((Edit, 0)), Undo, ctrl(Key::Z);
    Redo: "Redo", "Does again what was taken back", ICON_REDO, Some((Edit, 0)), Redo, two(Chord::ctrl_shift(Key::Z), Chord::ctrl(Key::Y));
    Cut: "Cut", "Moves the selection to the clipboard", ICON_CONTENT_CUT, Some((Edit, 1)), Selection, ctrl(Key::X);
    Copy: "Copy", "Copies the selection to the clipboard", ICON_CONTENT_COPY, Some((Edit, 1)), Selection, ctrl(Key::C);
    Paste: "Paste", "Places what the clipboard holds at the pointer", ICON_CONTENT_PASTE, Some((Edit, 1)), Level, ctrl(Key::V);
    PasteInPlace: "Paste in place", "Places what the clipboard holds where it was copied", ICON_CONTENT_PASTE_GO, Some((Edit, 1)), Level, ctrl_shift(Key::V);
    Duplicate: "Duplicate", "Makes a copy beside the selection", ICON_LIBRARY_ADD, Some((Edit, 1)), Selection, ctrl(Key::D);
    Delete: "Delete", "Removes the selection", ICON_DELETE, Some((Edit, 1)), Selection, plain(Key::Delete);
    Rename: "Rename", "Gives the selected object another name", ICON_DRIVE_FILE_RENAME_OUTLINE, Some((Edit, 1)), OneSelected, plain(Key::F2);
    SelectAll: "Select all", "Selects everything in sight that is not locked", ICON_SELECT_ALL, Some((Edit, 2)), Level, ctrl(Key::A);
    SelectNone: "Select nothing", "Clears the selection", ICON_DESELECT, Some((Edit, 2)), Selection, ctrl_shift(Key::A);
    SelectInverse: "Invert selection", "Selects what is not selected, and the other way round", ICON_FLIP_TO_BACK, Some((Edit, 2)), Level, NO_KEY;
    SelectSimilar: "Select similar", "Selects everything of the same kind as the selection", ICON_INTERESTS, Some((Edit, 2)), Selection, NO_KEY;
    FindReplace: "Find and replace…", "Finds objects by name, kind or tag, and changes tags and terrains of many at once", ICON_FIND_REPLACE, Some((Edit, 3)), Level, ctrl(Key::F);
    Settings: "Settings…", "Theme, size of the interface, and how the editor behaves", ICON_SETTINGS, Some((Edit, 4)), Nothing, ctrl(Key::Comma);
    KeyMap: "Keys…", "Shows every key and changes it", ICON_KEYBOARD, Some((Edit, 4)), Nothing, NO_KEY;

    Group: "Group", "Makes one group of the selection", ICON_FOLDER, Some((Arrange, 0)), Selection, ctrl(Key::G);
    Ungroup: "Ungroup", "Takes the selection out of its group", ICON_FOLDER_OFF, Some((Arrange, 0)), Selection, ctrl_shift(Key::G);
    Hide: "Hide", "Hides the selection", ICON_VISIBILITY_OFF, Some((Arrange, 1)), Selection, ctrl(Key::H);
    ShowAll: "Show everything", "Shows all that was hidden", ICON_VISIBILITY, Some((Arrange, 1)), Level, ctrl_shift(Key::H);
    Lock: "Lock", "Keeps the selection from being changed in the plan view", ICON_LOCK, Some((Arrange, 1)), Selection, ctrl(Key::L);
    UnlockAll: "Unlock everything", "Unlocks all that was locked", ICON_LOCK_OPEN, Some((Arrange, 1)), Level, ctrl_shift(Key::L);
    Forbid: "Forbid or allow", "Keeps everybody off the selected obstacles and solids, or lets them step there again", ICON_BLOCK, Some((Arrange, 1)), Selection, ctrl_shift(Key::X);
    BringToFront: "Bring to front", "Puts the selection above everything", ICON_FLIP_TO_FRONT, Some((Arrange, 2)), Selection, ctrl_shift(Key::PageUp);
    Raise: "Raise", "Puts the selection one step higher", ICON_ARROW_UPWARD, Some((Arrange, 2)), Selection, plain(Key::PageUp);
    Lower: "Lower", "Puts the selection one step lower", ICON_ARROW_DOWNWARD, Some((Arrange, 2)), Selection, plain(Key::PageDown);
    SendToBack: "Send to back", "Puts the selection below everything", ICON_VERTICAL_ALIGN_BOTTOM, Some((Arrange, 2)), Selection, ctrl_shift(Key::PageDown);
    AlignLeft: "Align left", "Lines up the left edges", ICON_ALIGN_HORIZONTAL_LEFT, Some((Arrange, 3)), TwoSelected, NO_KEY;
    AlignCentre: "Align centres across", "Lines up the centres on one vertical line", ICON_ALIGN_HORIZONTAL_CENTER, Some((Arrange, 3)), TwoSelected, NO_KEY;
    AlignRight: "Align right", "Lines up the right edges", ICON_ALIGN_HORIZONTAL_RIGHT, Some((Arrange, 3)), TwoSelected, NO_KEY;
    AlignTop: "Align top", "Lines up the upper edges", ICON_ALIGN_VERTICAL_TOP, Some((Arrange, 3)), TwoSelected, NO_KEY;
    AlignMiddle: "Align centres down", "Lines up the centres on one horizontal line", ICON_VERTICAL_ALIGN_CENTER, Some((Arrange, 3)), TwoSelected, NO_KEY;
    AlignBottom: "Align bottom", "Lines up the lower edges", ICON_ALIGN_VERTICAL_BOTTOM, Some((Arrange, 3)), TwoSelected, NO_KEY;
    DistributeAcross: "Distribute across", "Makes equal gaps from left to right", ICON_HORIZONTAL_DISTRIBUTE, Some((Arrange, 3)), ThreeSelected, NO_KEY;
    DistributeDown: "Distribute down", "Makes equal gaps from top to bottom", ICON_VERTICAL_DISTRIBUTE, Some((Arrange, 3)), ThreeSelected, NO_KEY;
    MirrorAcross: "Mirror across", "Swaps left and right of the selection", ICON_FLIP, Some((Arrange, 4)), Selection, NO_KEY;
    MirrorDown: "Mirror down", "Swaps top and bottom of the selection", ICON_SWAP_VERT, Some((Arrange, 4)), Selection, NO_KEY;
    TurnLeft: "Turn left by 90°", "Turns the selection counter-clockwise about its centre", ICON_ROTATE_90_DEGREES_CCW, Some((Arrange, 4)), Selection, NO_KEY;
    TurnRight: "Turn right by 90°", "Turns the selection clockwise about its centre", ICON_ROTATE_90_DEGREES_CW, Some((Arrange, 4)), Selection, NO_KEY;
    DropToFloor: "Drop to floor", "Lets the selection down onto what is beneath it", ICON_VERTICAL_ALIGN_BOTTOM, Some((Arrange, 6)), Selection, shift(Key::End);
    Union: "Unite", "Makes one shape of the selected ones", ICON_JOIN_FULL, Some((Arrange, 5)), TwoSelected, NO_KEY;
    Subtract: "Subtract", "Cuts the upper shapes out of the lowest one", ICON_JOIN_LEFT, Some((Arrange, 5)), TwoSelected, NO_KEY;
    Intersect: "Intersect", "Keeps what the selected shapes have in common", ICON_JOIN_INNER, Some((Arrange, 5)), TwoSelected, NO_KEY;
    Offset: "Grow or shrink…", "Moves the outlines of the selection outwards or inwards", ICON_EXPAND_CONTENT, Some((Arrange, 5)), Selection, NO_KEY;
    Simplify: "Simplify…", "Removes points that hardly matter", ICON_TIMELINE, Some((Arrange, 5)), Selection, NO_KEY;
    Convert: "Convert…", "Turns obstacles, regions, areas and routes into each other", ICON_CONVERSION_PATH, Some((Arrange, 5)), Selection, NO_KEY;

    ShowPlan: "Plan only", "Shows the level from above alone", ICON_MAP, Some((View, 0)), Level, plain(Key::F7);
    ShowSpace: "3D only", "Shows the level in space alone", ICON_VIEW_IN_AR, Some((View, 0)), Level, plain(Key::F8);
    ShowBoth: "Plan and 3D", "Shows the level from above and in space, side by side", ICON_VERTICAL_SPLIT, Some((View, 0)), Level, plain(Key::F9);
    FrameSelection: "Frame selection", "Shows all that is selected", ICON_CENTER_FOCUS_STRONG, Some((View, 0)), Selection, plain(Key::F);
    FrameAll: "Frame all", "Shows the whole level", ICON_FIT_SCREEN, Some((View, 0)), Level, shift(Key::F);
    ResetView: "Zoom to 100 %", "Shows ten points to the metre, where the view is", ICON_ZOOM_OUT_MAP, Some((View, 0)), Level, ctrl(Key::Num0);
    ZoomIn: "Zoom in", "Comes closer", ICON_ZOOM_IN, Some((View, 0)), Level, two(Chord::plain(Key::Plus), Chord::plain(Key::Equals));
    ZoomOut: "Zoom out", "Goes farther away", ICON_ZOOM_OUT, Some((View, 0)), Level, plain(Key::Minus);
    LookFromCorner: "From the corner", "Turns the 3D view to look from above and in front", ICON_DEPLOYED_CODE, Some((View, 8)), Space, plain(Key::Num9);
    LookFromTop: "From the top", "Turns the 3D view to look straight down", ICON_VERTICAL_ALIGN_BOTTOM, Some((View, 8)), Space, plain(Key::Num7);
    LookFromFront: "From the front", "Turns the 3D view to look from the south", ICON_ARROW_UPWARD, Some((View, 8)), Space, plain(Key::Num1);
    LookFromBack: "From behind", "Turns the 3D view to look from the north", ICON_ARROW_DOWNWARD, Some((View, 8)), Space, ctrl(Key::Num1);
    LookFromRight: "From the right", "Turns the 3D view to look from the east", ICON_ARROW_BACK, Some((View, 8)), Space, plain(Key::Num3);
    LookFromLeft: "From the left", "Turns the 3D view to look from the west", ICON_ARROW_FORWARD, Some((View, 8)), Space, ctrl(Key::Num3);
    ToggleProjection: "Perspective or parallel", "Changes between perspective and parallel lines in the 3D view", ICON_3D, Some((View, 8)), Space, plain(Key::Num5);
    ToggleSection: "Section", "Cuts the level open in the 3D view, or shows it whole", ICON_CONTENT_CUT, Some((View, 8)), Space, plain(Key::Num0);
    StoreyUp: "One storey up", "Shows the level in 3D up to the next higher storey", ICON_FLOOR, Some((View, 8)), Space, alt(Key::PageUp);
    StoreyDown: "One storey down", "Shows the level in 3D up to the next lower storey", ICON_STAIRS, Some((View, 8)), Space, alt(Key::PageDown);
    ToggleGrid: "Grid", "Shows or hides the grid", ICON_GRID_ON, Some((View, 1)), Level, plain(Key::G);
    GridCoarser: "Coarser grid", "Doubles the distance of the grid’s lines", ICON_GRID_GOLDENRATIO, Some((View, 1)), Level, ctrl(Key::PageUp);
    GridFiner: "Finer grid", "Halves the distance of the grid’s lines", ICON_GRID_4X4, Some((View, 1)), Level, ctrl(Key::PageDown);
    ToggleSnap: "Snapping", "Draws the pointer to the grid, corners, edges and axes; Ctrl in a drag turns it round", ICON_POINT_SCAN, Some((View, 1)), Level, shift(Key::G);
    ToggleRulers: "Rulers", "Shows or hides the rulers along the plan view", ICON_STRAIGHTEN, Some((View, 1)), Level, NO_KEY;
    ToggleLabels: "Names", "Shows or hides names in the plan view", ICON_LABEL, Some((View, 1)), Level, NO_KEY;
    ToggleNavigation: "Navigation overlay", "Shows or hides paths and what else is switched on in the navigation panel", ICON_CONVERSION_PATH_OFF, Some((View, 1)), Level, plain(Key::P);
    ToggleOutliner: "Outliner", "Opens or closes the list of everything in the level", ICON_ACCOUNT_TREE, Some((View, 2)), Level, alt(Key::Num1);
    ToggleInspector: "Inspector", "Opens or closes the details of the selection", ICON_TUNE, Some((View, 2)), Level, alt(Key::Num2);
    ToggleProblems: "Problems", "Opens or closes the list of what is wrong with the level", ICON_FACT_CHECK, Some((View, 2)), Level, alt(Key::Num3);
    ToggleHistory: "History", "Opens or closes the list of changes", ICON_HISTORY, Some((View, 2)), Level, alt(Key::Num4);
    ToggleLayers: "Layers", "Opens or closes the list of layers", ICON_LAYERS, Some((View, 2)), Level, alt(Key::Num5);
    ToggleTerrains: "Terrain weights", "Opens or closes the table of what each terrain costs each profile", ICON_GRASS, Some((View, 2)), Level, alt(Key::Num6);
    ToggleProfiles: "Profiles", "Opens or closes the table of bodies and paces", ICON_ACCESSIBILITY_NEW, Some((View, 2)), Level, alt(Key::Num7);
    ToggleNavigationPanel: "Navigation", "Opens or closes what was baked: structures, paths, times, tests", ICON_EXPLORE, Some((View, 2)), Level, alt(Key::Num8);
    ToggleBench: "Planner bench", "Opens or closes the comparison of planners for the selected agent", ICON_LEADERBOARD, Some((View, 2)), Level, alt(Key::Num9);
    ToggleClearance: "Clearance", "Opens or closes the narrow places of the level and whom they stop", ICON_COMPRESS, Some((View, 2)), Level, NO_KEY;
    ToggleVoxels: "Bodies and cells", "Opens or closes what a body makes of the level in cells: storeys, front, lost doors", ICON_EMOJI_PEOPLE, Some((View, 2)), Level, NO_KEY;
    TogglePlayback: "Playback", "Opens or closes the player of planned ways", ICON_SLOW_MOTION_VIDEO, Some((View, 2)), Level, alt(Key::Num0);
    ResetLayout: "Reset layout", "Puts every panel back to where it was at first", ICON_SPACE_DASHBOARD, Some((View, 2)), Level, NO_KEY;
    ToggleTheme: "Dark or light", "Changes between the dark and the light theme", ICON_CONTRAST, Some((View, 4)), Nothing, NO_KEY;
    LargerInterface: "Larger interface", "Makes text and buttons larger", ICON_TEXT_INCREASE, Some((View, 4)), Nothing, two(Chord::ctrl(Key::Plus), Chord::ctrl(Key::Equals));
    SmallerInterface: "Smaller interface", "Makes text and buttons smaller", ICON_TEXT_DECREASE, Some((View, 4)), Nothing, ctrl(Key::Minus);
    FullScreen: "Full screen", "Fills the whole display, or goes back to a window", ICON_FULLSCREEN, Some((View, 5)), Nothing, plain(Key::F11);
    ToggleFrameTime: "Frame time", "Shows in the status bar how long a frame takes", ICON_SPEED, Some((View, 5)), Nothing, NO_KEY;

    ShowFreeSpace: "Free space", "Shows where the centre of an agent may be", ICON_CROP_FREE, Some((View, 6)), Level, NO_KEY;
    ShowTrapezoids: "Trapezoids", "Shows what free space is cut into, before merging", ICON_CHANGE_HISTORY, Some((View, 6)), Level, NO_KEY;
    ShowCells: "Cells", "Shows the convex cells that trapezoids are merged into", ICON_VIEW_COMPACT, Some((View, 6)), Level, NO_KEY;
    ShowPortals: "Portals", "Shows the borders that paths cross from cell to cell", ICON_DOOR_FRONT, Some((View, 6)), Level, NO_KEY;
    ShowRegions: "Voronoi regions", "Shows which obstacle is nearest, in its colour", ICON_HIVE, Some((View, 6)), Level, NO_KEY;
    ShowDistances: "Distance field", "Shows how far the nearest obstacle is, with lines of equal distance", ICON_WAVES, Some((View, 6)), Level, NO_KEY;
    ShowMedialAxis: "Medial axis", "Shows the middle between obstacles, coloured by how wide it is there", ICON_TIMELINE, Some((View, 6)), Level, NO_KEY;
    ShowSpokes: "Closest points", "Shows what each place of the medial axis is between", ICON_FLARE, Some((View, 6)), Level, NO_KEY;
    ShowCorridors: "Corridors", "Shows the corridor of the selected agent: its discs and its border", ICON_BUBBLE_CHART, Some((View, 6)), Level, NO_KEY;
    ShowForces: "Forces", "Shows what draws and pushes the selected agent while it is played", ICON_DOUBLE_ARROW, Some((View, 6)), Level, NO_KEY;
    ShowSearch: "Search", "Shows what the search on the bench has looked at", ICON_TRAVEL_EXPLORE, Some((View, 6)), Level, NO_KEY;
    ShowPaths: "Paths", "Shows the way of every agent", ICON_TIMELINE, Some((View, 6)), Level, NO_KEY;
    ShowAllPaths: "All paths", "Shows the ways of all agents, or only of those that are selected", ICON_ALT_ROUTE, Some((View, 6)), Level, NO_KEY;
    ShowSkipped: "Skipped parts", "Shows what the selected agent leaves out of its route, how it gets to it, and where it lost it", ICON_REMOVE_ROAD, Some((View, 6)), Level, NO_KEY;
    ShowSight: "Route in sight", "Shows what the selected agent sees of its route, at the place of its way under the pointer", ICON_EMERGENCY_SHARE, Some((View, 6)), Level, NO_KEY;
    ShowCandidates: "Candidates", "Shows the points that the selected agent could go to next, with what each would cost", ICON_SCATTER_PLOT, Some((View, 6)), Level, NO_KEY;
    ShowOccupied: "Solid cells", "Shows the cells of the voxel grid that something fills", ICON_VIEW_IN_AR, Some((View, 6)), Level, NO_KEY;
    ShowSurfaces: "Surface cells", "Shows the cells that a foot can be put on; hatched where one must bend", ICON_GRID_VIEW, Some((View, 6)), Level, NO_KEY;
    ShowReachable: "Reachable cells", "Shows where the selected agent gets to; hatched where only along walls", ICON_FOOTPRINT, Some((View, 6)), Level, NO_KEY;
    ShowBorders: "Border cells", "Shows the cells that agents keep off because walls or drops are near", ICON_BORDER_OUTER, Some((View, 6)), Level, NO_KEY;
    ShowForbidden: "Forbidden cells", "Shows the cells that nobody may step on", ICON_DO_NOT_STEP, Some((View, 6)), Level, NO_KEY;
    ShowFront: "Navigation front", "Colours cells by how far they are from the selected agent", ICON_LOCAL_FIRE_DEPARTMENT, Some((View, 6)), Level, NO_KEY;
    ShowLost: "Lost by cells", "Shows where exact free space leads and cells do not, and the doors that a cell size loses", ICON_NO_MEETING_ROOM, Some((View, 6)), Level, NO_KEY;
    Bake: "Bake again", "Bakes all navigation from scratch; it is kept current by itself", ICON_REFRESH, Some((View, 6)), Level, plain(Key::F5);

    PlayPause: "Play or pause", "Lets agents walk their planned ways, or stops them", ICON_PLAY_ARROW, Some((View, 7)), Level, plain(Key::Space);
    StepForward: "Step forward", "Goes on by a twentieth of a second", ICON_SKIP_NEXT, Some((View, 7)), Level, ctrl(Key::ArrowRight);
    StepBack: "Step back", "Goes back by a twentieth of a second", ICON_SKIP_PREVIOUS, Some((View, 7)), Level, ctrl(Key::ArrowLeft);
    PlayFromStart: "To the start", "Puts agents back to where they start", ICON_FIRST_PAGE, Some((View, 7)), Level, plain(Key::Home);
    PlayToEnd: "To the end", "Puts agents to where they arrive", ICON_LAST_PAGE, Some((View, 7)), Level, plain(Key::End);

    PlayLoop: "Loop", "Begins anew at the end", ICON_LOOP, Some((View, 7)), Level, NO_KEY;
    PlayOnlySelected: "Only the selected", "Plays the selected agent alone; otherwise all agents at once", ICON_PERSON, Some((View, 7)), Level, NO_KEY;
    PlayFollow: "Follow", "Moves the view along with the selected agent", ICON_MY_LOCATION, Some((View, 7)), Level, NO_KEY;
    PlayBothMethods: "Both corridor methods", "Lets the selected agent walk its way by the original and by the improved corridor method, beside each other", ICON_COMPARE_ARROWS, Some((View, 7)), Level, NO_KEY;

    NudgeLeft: "Nudge left", "Moves the selection by one unit of the grid", ICON_ARROW_BACK, None, Selection, plain(Key::ArrowLeft);
    NudgeRight: "Nudge right", "Moves the selection by one unit of the grid", ICON_ARROW_FORWARD, None, Selection, plain(Key::ArrowRight);
    NudgeUp: "Nudge up", "Moves the selection by one unit of the grid", ICON_NORTH, None, Selection, plain(Key::ArrowUp);
    NudgeDown: "Nudge down", "Moves the selection by one unit of the grid", ICON_SOUTH, None, Selection, plain(Key::ArrowDown);
    NudgeFarLeft: "Nudge far left", "Moves the selection by ten units of the grid", ICON_KEYBOARD_DOUBLE_ARROW_LEFT, None, Selection, shift(Key::ArrowLeft);
    NudgeFarRight: "Nudge far right", "Moves the selection by ten units of the grid", ICON_KEYBOARD_DOUBLE_ARROW_RIGHT, None, Selection, shift(Key::ArrowRight);
    NudgeFarUp: "Nudge far up", "Moves the selection by ten units of the grid", ICON_KEYBOARD_DOUBLE_ARROW_UP, None, Selection, shift(Key::ArrowUp);
    NudgeFarDown: "Nudge far down", "Moves the selection by ten units of the grid", ICON_KEYBOARD_DOUBLE_ARROW_DOWN, None, Selection, shift(Key::ArrowDown);

    Palette: "Command palette…", "Finds any command by a few letters of its name", ICON_SEARCH, Some((Help, 0)), Nothing, two(Chord::ctrl(Key::K), Chord::ctrl_shift(Key::P));
    Help: "Keys and gestures", "Shows what every key and every gesture does", ICON_HELP, Some((Help, 0)), Nothing, plain(Key::F1);
    Guide: "Guide", "The guide to the editor, to read beside the work", ICON_MENU_BOOK, Some((Help, 0)), Nothing, NO_KEY;
    About: "About Wayloom", "Version, licence, and what it is made with", ICON_INFO, Some((Help, 1)), Nothing, NO_KEY;
}

const fn tool_entry(kind: ToolKind) -> Entry {
    Entry {
        name: kind.name(),
        help: kind.help(),
        icon: tool_icon(kind),
        place: Some((Tools, kind.group() as u8)),
        needs: Needs::Level,
        keys: match kind.shortcut() {
            Some(Shortcut { key, shift }) => match letter(key) {
                Some(key) if shift => one(Chord::shift(key)),
                Some(key) => one(Chord::plain(key)),
                None => NO_KEY,
            },
            None => NO_KEY,
        },
    }
}

/// The letter keys, which egui lists without a gap.
const fn letter(key: char) -> Option<Key> {
    const LETTERS: [Key; 26] = [
        Key::A,
        Key::B,
        Key::C,
        Key::D,
        Key::E,
        Key::F,
        Key::G,
        Key::H,
        Key::I,
        Key::J,
        Key::K,
        Key::L,
        Key::M,
        Key::N,
        Key::O,
        Key::P,
        Key::Q,
        Key::R,
        Key::S,
        Key::T,
        Key::U,
        Key::V,
        Key::W,
        Key::X,
        Key::Y,
        Key::Z,
    ];
    if key.is_ascii_uppercase() {
        Some(LETTERS[(key as u8 - b'A') as usize])
    } else {
        None
    }
}

const fn tool_icon(kind: ToolKind) -> MaterialIcon {
    match kind {
        ToolKind::Select => icon::ICON_ARROW_SELECTOR_TOOL,
        ToolKind::Move => icon::ICON_OPEN_WITH,
        ToolKind::Rotate => icon::ICON_ROTATE_RIGHT,
        ToolKind::Scale => icon::ICON_ASPECT_RATIO,
        ToolKind::Vertices => icon::ICON_POLYLINE,
        ToolKind::Rectangle => icon::ICON_RECTANGLE,
        ToolKind::Polygon => icon::ICON_PENTAGON,
        ToolKind::Ellipse => icon::ICON_CIRCLE,
        ToolKind::RegularPolygon => icon::ICON_HEXAGON,
        ToolKind::Freehand => icon::ICON_GESTURE,
        ToolKind::Hole => icon::ICON_JOIN_INNER,
        ToolKind::Knife => icon::ICON_CONTENT_CUT,
        ToolKind::TerrainBrush => icon::ICON_BRUSH,
        ToolKind::TerrainPolygon => icon::ICON_GRASS,
        ToolKind::HeightBrush => icon::ICON_LANDSCAPE,
        ToolKind::RoutePolyline => icon::ICON_ROUTE,
        ToolKind::RouteFreehand => icon::ICON_DRAW,
        ToolKind::RouteBezier => icon::ICON_LINE_CURVE,
        ToolKind::AnnotationArea => icon::ICON_SELECT_ALL,
        ToolKind::AnnotationRelation => icon::ICON_HUB,
        ToolKind::TagForbidden => icon::ICON_BLOCK,
        ToolKind::Agent => icon::ICON_DIRECTIONS_WALK,
        ToolKind::CrowdArea => icon::ICON_GROUPS,
        ToolKind::SolidBox => icon::ICON_DEPLOYED_CODE,
        ToolKind::SolidRamp => icon::ICON_SIGNAL_CELLULAR_4_BAR,
        ToolKind::SolidStairs => icon::ICON_STAIRS,
        ToolKind::SolidCylinder => icon::ICON_DATABASE,
        ToolKind::SolidArch => icon::ICON_DOOR_OPEN,
        ToolKind::SolidPlatform => icon::ICON_TABLE_RESTAURANT,
        ToolKind::Measure => icon::ICON_STRAIGHTEN,
        ToolKind::WhyNot => icon::ICON_LIVE_HELP,
        ToolKind::Note => icon::ICON_STICKY_NOTE_2,
    }
}

impl Command {
    /// Every command: those of the menus in order, then the tools.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::FIXED
            .iter()
            .copied()
            .chain(ToolKind::ALL.map(Self::Tool))
    }

    /// How files refer to it.
    #[must_use]
    pub fn id(self) -> String {
        match self {
            Self::Tool(kind) => format!("Tool{kind:?}"),
            fixed => format!("{fixed:?}"),
        }
    }

    #[must_use]
    pub const fn name(self) -> &'static str {
        self.entry().name
    }

    #[must_use]
    pub fn is_enabled(self, state: &EditorState) -> bool {
        self.entry().needs.met(state)
    }

    /// The structure that a command shows or hides.
    #[must_use]
    pub const fn layer(self) -> Option<Layer> {
        Some(match self {
            Self::ShowFreeSpace => Layer::FreeSpace,
            Self::ShowTrapezoids => Layer::Trapezoids,
            Self::ShowCells => Layer::Cells,
            Self::ShowPortals => Layer::Portals,
            Self::ShowRegions => Layer::Regions,
            Self::ShowDistances => Layer::Distances,
            Self::ShowMedialAxis => Layer::MedialAxis,
            Self::ShowSpokes => Layer::Spokes,
            Self::ShowCorridors => Layer::Corridors,
            Self::ShowForces => Layer::Forces,
            Self::ShowSearch => Layer::Search,
            Self::ShowPaths => Layer::Paths,
            Self::ShowSkipped => Layer::Skipped,
            Self::ShowSight => Layer::Sight,
            Self::ShowCandidates => Layer::Candidates,
            Self::ShowOccupied => Layer::Occupied,
            Self::ShowSurfaces => Layer::Surfaces,
            Self::ShowReachable => Layer::Reachable,
            Self::ShowBorders => Layer::Borders,
            Self::ShowForbidden => Layer::Forbidden,
            Self::ShowFront => Layer::Front,
            Self::ShowLost => Layer::Lost,
            _ => return None,
        })
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
            Self::ToggleOutliner => state.open_panes.contains(&Pane::Outliner),
            Self::ToggleInspector => state.open_panes.contains(&Pane::Inspector),
            Self::ToggleProblems => state.open_panes.contains(&Pane::Problems),
            Self::ToggleHistory => state.open_panes.contains(&Pane::History),
            Self::ToggleLayers => state.open_panes.contains(&Pane::Layers),
            Self::ToggleTerrains => state.open_panes.contains(&Pane::Terrains),
            Self::ToggleProfiles => state.open_panes.contains(&Pane::Profiles),
            Self::ToggleNavigationPanel => state.open_panes.contains(&Pane::Navigation),
            Self::ToggleBench => state.open_panes.contains(&Pane::Bench),
            Self::ToggleClearance => state.open_panes.contains(&Pane::Clearance),
            Self::ToggleVoxels => state.open_panes.contains(&Pane::Voxels),
            Self::TogglePlayback => state.open_panes.contains(&Pane::Playback),
            Self::ToggleNavigation => state.navigation.visible,
            Self::ShowFreeSpace
            | Self::ShowTrapezoids
            | Self::ShowCells
            | Self::ShowPortals
            | Self::ShowRegions
            | Self::ShowDistances
            | Self::ShowMedialAxis
            | Self::ShowSpokes
            | Self::ShowCorridors
            | Self::ShowForces
            | Self::ShowSearch
            | Self::ShowPaths
            | Self::ShowSkipped
            | Self::ShowSight
            | Self::ShowCandidates
            | Self::ShowOccupied
            | Self::ShowSurfaces
            | Self::ShowReachable
            | Self::ShowBorders
            | Self::ShowForbidden
            | Self::ShowFront
            | Self::ShowLost => state.navigation.layers.contains(self.layer()?),
            Self::ShowAllPaths => state.navigation.all_paths,
            Self::PlayLoop => state.navigation.playback.head.loops,
            Self::PlayOnlySelected => state.navigation.playback.only_selected,
            Self::PlayFollow => state.navigation.playback.follow,
            Self::PlayBothMethods => state.navigation.playback.side_by_side,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
        assert_eq!(Command::Tool(ToolKind::Rotate).entry().keys, plain(Key::E));
        assert_eq!(
            Command::Tool(ToolKind::CrowdArea).entry().keys,
            shift(Key::A)
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
