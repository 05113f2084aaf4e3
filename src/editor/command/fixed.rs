//! The commands that the program itself brings, in the order of the menus.

use super::menu::Menu::{Arrange, Edit, File, Help, Tools, View};
use super::{Entry, Keys, NO_KEY, Needs, one, overlay_entry, panel_entry, tool, two};
use crate::editor::chord::Chord;
use crate::editor::docking::Pane;
use crate::interaction::ToolKind;
use crate::preview::OverlayId;
use egui::Key;
use egui_material_icons::icons as icon;

macro_rules! commands {
    ($($variant:ident: $name:literal, $help:literal, $icon:ident, $place:expr, $needs:ident, $keys:expr;)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Command {
            /// Takes a tool in hand.
            Tool(ToolKind),
            /// Shows or hides an overlay.
            ShowOverlay(OverlayId),
            /// Opens or closes a panel.
            TogglePanel(Pane),
            $($variant,)*
        }

        impl Command {
            /// Those without a row elsewhere, in the order of the menus.
            pub(super) const FIXED: &'static [Self] = &[$(Self::$variant,)*];

            #[must_use]
            pub fn entry(self) -> Entry {
                match self {
                    Self::Tool(kind) => tool::entry(kind),
                    Self::ShowOverlay(id) => overlay_entry(id),
                    Self::TogglePanel(pane) => panel_entry(pane),
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
    Welcome: "Welcome page", "Closes the level and shows samples and recent files", ICON_HOME, Some((Help, 0)), Nothing, NO_KEY;
    Save: "Save", "Writes the level to its file; the previous version is kept as a backup", ICON_SAVE, Some((File, 1)), Level, ctrl(Key::S);
    SaveAs: "Save as…", "Writes the level to another file and continues with it", ICON_SAVE_AS, Some((File, 1)), Level, ctrl_shift(Key::S);
    Revert: "Revert to saved", "Discards all changes since the last save", ICON_RESTORE_PAGE, Some((File, 1)), File, NO_KEY;
    Import: "Import…", "Reads another program’s file into a new level, or a mesh into this one", ICON_DOWNLOAD, Some((File, 2)), Nothing, ctrl(Key::I);
    ReadMeshes: "Reload meshes", "Reloads the mesh files beside the level", ICON_SYNC, Some((Arrange, 5)), Level, NO_KEY;
    Export: "Export…", "Writes the level in another program’s format", ICON_UPLOAD, Some((File, 2)), Level, ctrl(Key::E);
    BakeForEngines: "Bake for engines…", "Writes navigation data that games and simulations read", ICON_PACKAGE_2, Some((File, 2)), Level, NO_KEY;
    ExportAgain: "Export again", "Repeats the last export, to the same file", ICON_REPLAY, Some((File, 2)), LastExport, ctrl_shift(Key::E);
    AddHeightField: "Add height field…", "Covers the level with posts whose heights can be shaped", ICON_ELEVATION, Some((Tools, 8)), LevelGround, NO_KEY;
    ImportHeights: "Import heights…", "Imports the ground’s heights from a grey-scale image", ICON_FILTER_HDR, Some((Tools, 8)), Level, NO_KEY;
    RemoveHeightField: "Remove height field", "Makes the ground flat again", ICON_LAYERS_CLEAR, Some((Tools, 8)), Heights, NO_KEY;
    WeighPedestrian: "Pedestrian weights", "Sets weights that prefer sidewalks and avoid mud on the selected profiles", ICON_DIRECTIONS_WALK, Some((Tools, 9)), Selection, NO_KEY;
    WeighAnimal: "Animal weights", "Sets weights that prefer the forest on the selected profiles", ICON_PETS, Some((Tools, 9)), Selection, NO_KEY;
    WeighVehicle: "Vehicle weights", "Sets weights that prefer the road on the selected profiles", ICON_DIRECTIONS_CAR, Some((Tools, 9)), Selection, NO_KEY;
    WeighAdult: "Adult weights", "Sets weights that prefer paths and views on the selected profiles", ICON_MAN, Some((Tools, 9)), Selection, NO_KEY;
    WeighChild: "Child weights", "Sets weights that prefer puddles and fallen trees on the selected profiles", ICON_CHILD_CARE, Some((Tools, 9)), Selection, NO_KEY;
    Unweigh: "Reset weights to defaults", "Removes the selected profiles' own weights", ICON_RESTART_ALT, Some((Tools, 9)), Selection, NO_KEY;
    OpenRecording: "Open recording…", "Opens a recorded run, or trajectories of real people, to be played", ICON_VIDEO_FILE, Some((File, 4)), Nothing, NO_KEY;
    OpenGhost: "Open recording as ghost…", "Lays a second recording behind the one that is played, on one clock", ICON_BLUR_ON, Some((File, 4)), Level, NO_KEY;
    SaveRecording: "Save recording…", "Writes the run that is shown to a file", ICON_SAVE_ALT, Some((File, 4)), Run, NO_KEY;
    Screenshot: "Save image of the view…", "Saves the view as a PNG file", ICON_PHOTO_CAMERA, Some((File, 4)), Level, plain(Key::F12);
    Quit: "Quit", "Closes the editor; asks first if there is unsaved work", ICON_LOGOUT, Some((File, 9)), Nothing, ctrl(Key::Q);

    Undo: "Undo", "Reverts the last change", ICON_UNDO, Some((Edit, 0)), Undo, ctrl(Key::Z);
    Redo: "Redo", "Repeats what was undone", ICON_REDO, Some((Edit, 0)), Redo, two(Chord::ctrl_shift(Key::Z), Chord::ctrl(Key::Y));
    Cut: "Cut", "Moves the selection to the clipboard", ICON_CONTENT_CUT, Some((Edit, 1)), Selection, ctrl(Key::X);
    Copy: "Copy", "Copies the selection to the clipboard", ICON_CONTENT_COPY, Some((Edit, 1)), Selection, ctrl(Key::C);
    Paste: "Paste", "Pastes at the pointer", ICON_CONTENT_PASTE, Some((Edit, 1)), Level, ctrl(Key::V);
    PasteInPlace: "Paste in place", "Pastes at the original position", ICON_CONTENT_PASTE_GO, Some((Edit, 1)), Level, ctrl_shift(Key::V);
    Duplicate: "Duplicate", "Duplicates the selection beside the original", ICON_LIBRARY_ADD, Some((Edit, 1)), Selection, ctrl(Key::D);
    Delete: "Delete", "Removes the selection", ICON_DELETE, Some((Edit, 1)), Selection, plain(Key::Delete);
    Rename: "Rename", "Renames the selected object", ICON_DRIVE_FILE_RENAME_OUTLINE, Some((Edit, 1)), OneSelected, plain(Key::F2);
    SelectAll: "Select all", "Selects everything visible that is not locked", ICON_SELECT_ALL, Some((Edit, 2)), Level, ctrl(Key::A);
    SelectNone: "Select nothing", "Clears the selection", ICON_DESELECT, Some((Edit, 2)), Selection, ctrl_shift(Key::A);
    SelectInverse: "Invert selection", "Selects everything that is not selected", ICON_FLIP_TO_BACK, Some((Edit, 2)), Level, NO_KEY;
    SelectSimilar: "Select similar", "Selects everything of the same kind as the selection", ICON_INTERESTS, Some((Edit, 2)), Selection, NO_KEY;
    FindReplace: "Find and replace…", "Finds objects by name, kind or tag, and changes tags and terrains of many at once", ICON_FIND_REPLACE, Some((Edit, 3)), Level, ctrl(Key::F);
    Settings: "Settings…", "Theme, interface size and behaviour", ICON_SETTINGS, Some((Edit, 4)), Nothing, ctrl(Key::Comma);
    KeyMap: "Keys…", "Shows and changes the keys of all commands", ICON_KEYBOARD, Some((Edit, 4)), Nothing, NO_KEY;

    Group: "Group", "Groups the selection", ICON_FOLDER, Some((Arrange, 0)), Selection, ctrl(Key::G);
    Ungroup: "Ungroup", "Removes the selection from its group", ICON_FOLDER_OFF, Some((Arrange, 0)), Selection, ctrl_shift(Key::G);
    Hide: "Hide", "Hides the selection", ICON_VISIBILITY_OFF, Some((Arrange, 1)), Selection, ctrl(Key::H);
    ShowAll: "Show everything", "Shows everything that was hidden", ICON_VISIBILITY, Some((Arrange, 1)), Level, ctrl_shift(Key::H);
    Lock: "Lock", "Keeps the selection from being changed in the plan view", ICON_LOCK, Some((Arrange, 1)), Selection, ctrl(Key::L);
    UnlockAll: "Unlock everything", "Unlocks everything that was locked", ICON_LOCK_OPEN, Some((Arrange, 1)), Level, ctrl_shift(Key::L);
    Forbid: "Forbid or allow", "Forbids or allows stepping on the selected obstacles and solids", ICON_BLOCK, Some((Arrange, 1)), Selection, ctrl_shift(Key::X);
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
    TurnLeft: "Rotate left by 90°", "Rotates the selection counter-clockwise about its centre", ICON_ROTATE_90_DEGREES_CCW, Some((Arrange, 4)), Selection, NO_KEY;
    TurnRight: "Rotate right by 90°", "Rotates the selection clockwise about its centre", ICON_ROTATE_90_DEGREES_CW, Some((Arrange, 4)), Selection, NO_KEY;
    DropToFloor: "Drop to floor", "Lowers the selection onto what is beneath it", ICON_VERTICAL_ALIGN_BOTTOM, Some((Arrange, 6)), Selection, shift(Key::End);
    Union: "Unite", "Unites the selected shapes", ICON_JOIN_FULL, Some((Arrange, 5)), TwoSelected, NO_KEY;
    Subtract: "Subtract", "Cuts the upper shapes out of the lowest one", ICON_JOIN_LEFT, Some((Arrange, 5)), TwoSelected, NO_KEY;
    Intersect: "Intersect", "Keeps the intersection of the selected shapes", ICON_JOIN_INNER, Some((Arrange, 5)), TwoSelected, NO_KEY;
    Offset: "Grow or shrink…", "Moves the outlines of the selection outwards or inwards", ICON_EXPAND_CONTENT, Some((Arrange, 5)), Selection, NO_KEY;
    Simplify: "Simplify…", "Removes points that barely change the shape", ICON_TIMELINE, Some((Arrange, 5)), Selection, NO_KEY;
    SuggestAnnotations: "Suggest areas", "Proposes areas that suit the selection: in front, between, along, inside", ICON_LIGHTBULB, Some((Arrange, 5)), Selection, NO_KEY;
    Convert: "Convert…", "Converts between obstacles, regions, areas and routes", ICON_CONVERSION_PATH, Some((Arrange, 5)), Selection, NO_KEY;

    ShowPlan: "Plan only", "Shows only the plan view", ICON_MAP, Some((View, 0)), Level, plain(Key::F7);
    ShowSpace: "3D only", "Shows only the 3D view", ICON_VIEW_IN_AR, Some((View, 0)), Level, plain(Key::F8);
    ShowBoth: "Plan and 3D", "Shows the plan and 3D views side by side", ICON_VERTICAL_SPLIT, Some((View, 0)), Level, plain(Key::F9);
    FrameSelection: "Frame selection", "Moves the view to the selection", ICON_CENTER_FOCUS_STRONG, Some((View, 0)), Selection, plain(Key::F);
    FrameAll: "Frame all", "Shows the whole level", ICON_FIT_SCREEN, Some((View, 0)), Level, shift(Key::F);
    ResetView: "Zoom to 100 %", "Sets the scale to ten points per metre", ICON_ZOOM_OUT_MAP, Some((View, 0)), Level, ctrl(Key::Num0);
    ZoomIn: "Zoom in", "Zooms in", ICON_ZOOM_IN, Some((View, 0)), Level, two(Chord::plain(Key::Plus), Chord::plain(Key::Equals));
    ZoomOut: "Zoom out", "Zooms out", ICON_ZOOM_OUT, Some((View, 0)), Level, plain(Key::Minus);
    LookFromCorner: "From the corner", "Views the level from above and in front", ICON_DEPLOYED_CODE, Some((View, 8)), Space, plain(Key::Num9);
    LookFromTop: "From the top", "Views the level from above", ICON_VERTICAL_ALIGN_BOTTOM, Some((View, 8)), Space, plain(Key::Num7);
    LookFromFront: "From the front", "Views the level from the south", ICON_ARROW_UPWARD, Some((View, 8)), Space, plain(Key::Num1);
    LookFromBack: "From behind", "Views the level from the north", ICON_ARROW_DOWNWARD, Some((View, 8)), Space, ctrl(Key::Num1);
    LookFromRight: "From the right", "Views the level from the east", ICON_ARROW_BACK, Some((View, 8)), Space, plain(Key::Num3);
    LookFromLeft: "From the left", "Views the level from the west", ICON_ARROW_FORWARD, Some((View, 8)), Space, ctrl(Key::Num3);
    ToggleProjection: "Perspective or orthographic", "Switches the 3D view between perspective and orthographic", ICON_3D, Some((View, 8)), Space, plain(Key::Num5);
    ToggleSection: "Section", "Toggles the section of the 3D view", ICON_CONTENT_CUT, Some((View, 8)), Space, plain(Key::Num0);
    StoreyUp: "One storey up", "Shows the level in 3D up to the next higher storey", ICON_FLOOR, Some((View, 8)), Space, alt(Key::PageUp);
    StoreyDown: "One storey down", "Shows the level in 3D up to the next lower storey", ICON_STAIRS, Some((View, 8)), Space, alt(Key::PageDown);
    ToggleGrid: "Grid", "Shows or hides the grid", ICON_GRID_ON, Some((View, 1)), Level, plain(Key::G);
    GridCoarser: "Coarser grid", "Doubles the grid spacing", ICON_GRID_GOLDENRATIO, Some((View, 1)), Level, ctrl(Key::PageUp);
    GridFiner: "Finer grid", "Halves the grid spacing", ICON_GRID_4X4, Some((View, 1)), Level, ctrl(Key::PageDown);
    ToggleSnap: "Snapping", "Snaps the pointer to the grid, corners, edges and axes; Ctrl during a drag inverts it", ICON_POINT_SCAN, Some((View, 1)), Level, shift(Key::G);
    ToggleRulers: "Rulers", "Shows or hides the rulers along the plan view", ICON_STRAIGHTEN, Some((View, 1)), Level, NO_KEY;
    ToggleLabels: "Names", "Shows or hides names in the plan view", ICON_LABEL, Some((View, 1)), Level, NO_KEY;
    ToggleNavigation: "Navigation overlay", "Shows or hides all navigation overlays", ICON_CONVERSION_PATH_OFF, Some((View, 1)), Level, plain(Key::P);
    ResetLayout: "Reset layout", "Restores the default layout", ICON_SPACE_DASHBOARD, Some((View, 2)), Level, NO_KEY;
    ToggleTheme: "Dark or light theme", "Switches between the dark and the light theme", ICON_CONTRAST, Some((View, 4)), Nothing, NO_KEY;
    LargerInterface: "Larger interface", "Makes text and buttons larger", ICON_TEXT_INCREASE, Some((View, 4)), Nothing, two(Chord::ctrl(Key::Plus), Chord::ctrl(Key::Equals));
    SmallerInterface: "Smaller interface", "Makes text and buttons smaller", ICON_TEXT_DECREASE, Some((View, 4)), Nothing, ctrl(Key::Minus);
    FullScreen: "Full screen", "Switches between full screen and a window", ICON_FULLSCREEN, Some((View, 5)), Nothing, plain(Key::F11);
    ToggleFrameTime: "Frame time", "Shows in the status bar how long a frame takes", ICON_SPEED, Some((View, 5)), Nothing, NO_KEY;

    ShowAllPaths: "All paths", "Shows the paths of all agents, or only of those that are selected", ICON_ALT_ROUTE, Some((View, 6)), Level, NO_KEY;
    Bake: "Bake again", "Bakes all navigation data from scratch; normally it is updated automatically", ICON_REFRESH, Some((View, 6)), Level, plain(Key::F5);

    PlayPause: "Play or pause", "Simulates the level’s agents and crowds and plays them, or pauses", ICON_PLAY_ARROW, Some((View, 7)), Level, plain(Key::Space);
    StepForward: "Step forward", "Advances by a twentieth of a second", ICON_SKIP_NEXT, Some((View, 7)), Level, ctrl(Key::ArrowRight);
    StepBack: "Step back", "Goes back by a twentieth of a second", ICON_SKIP_PREVIOUS, Some((View, 7)), Level, ctrl(Key::ArrowLeft);
    PlayFromStart: "To the start", "Jumps to the start", ICON_FIRST_PAGE, Some((View, 7)), Level, plain(Key::Home);
    PlayToEnd: "To the end", "Jumps to the end", ICON_LAST_PAGE, Some((View, 7)), Level, plain(Key::End);

    NextEvent: "Next event", "Goes to the next event of the run and to its place", ICON_KEYBOARD_TAB, Some((View, 7)), Run, plain(Key::Period);
    PreviousEvent: "Previous event", "Goes to the event of the run before and to its place", ICON_KEYBOARD_TAB_RTL, Some((View, 7)), Run, plain(Key::Comma);
    Faster: "Faster", "Plays at the next higher speed, up to 32 times real time", ICON_FAST_FORWARD, Some((View, 7)), Level, alt(Key::Period);
    Slower: "Slower", "Plays at the next lower speed", ICON_FAST_REWIND, Some((View, 7)), Level, alt(Key::Comma);
    RunAgain: "Run again", "Simulates the level as it is now, from the start; the last run stays as a ghost", ICON_DIRECTIONS_RUN, Some((View, 7)), Level, plain(Key::F6);
    StopRun: "Stop", "Ends a simulation that goes on, or goes back to the level as it is drawn", ICON_STOP, Some((View, 7)), Run, shift(Key::F6);
    ShowGhost: "Ghost", "Shows or hides the last run, as hollow figures on the same clock", ICON_BLUR_ON, Some((View, 7)), Run, NO_KEY;

    PlayLoop: "Loop", "Restarts at the end", ICON_LOOP, Some((View, 7)), Level, NO_KEY;
    PlayOnlySelected: "Only the selected", "Plays the selected agent alone; otherwise all agents at once", ICON_PERSON, Some((View, 7)), Level, NO_KEY;
    HideArrived: "Hide the arrived", "Shows agents only until they have arrived, when planned paths are played", ICON_PERSON_OFF, Some((View, 7)), Level, NO_KEY;
    PlayFollow: "Follow", "Moves the view along with the selected agent", ICON_MY_LOCATION, Some((View, 7)), Level, NO_KEY;
    PlayBothMethods: "Both corridor methods", "Plays the selected agent with the original and the improved corridor method, side by side", ICON_COMPARE_ARROWS, Some((View, 7)), Level, NO_KEY;

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
    FirstLevel: "First level, step by step", "Leads through a first level in eight small steps", ICON_SCHOOL, Some((Help, 0)), Nothing, NO_KEY;
    Guide: "Guide", "The guide to the editor, in a window that can stay open", ICON_MENU_BOOK, Some((Help, 0)), Nothing, NO_KEY;
    About: "About Wayloom", "Version, licence and credits", ICON_INFO, Some((Help, 1)), Nothing, NO_KEY;
}
