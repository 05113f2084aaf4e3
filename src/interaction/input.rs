//! Input events for tools: pointer, keys and text, independent of any toolkit.

use glam::DVec2;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Modifiers {
    pub shift: bool,
    /// Command on macOS.
    pub ctrl: bool,
    pub alt: bool,
}

impl Modifiers {
    pub const NONE: Self = Self {
        shift: false,
        ctrl: false,
        alt: false,
    };
    pub const SHIFT: Self = Self {
        shift: true,
        ..Self::NONE
    };
    pub const CTRL: Self = Self {
        ctrl: true,
        ..Self::NONE
    };
    pub const ALT: Self = Self {
        alt: true,
        ..Self::NONE
    };
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pointer {
    /// Unit: metres.
    pub world: DVec2,
    /// Unit: points of the screen, y down.
    pub screen: DVec2,
    pub modifiers: Modifiers,
}

/// The keys that tools handle themselves; all others are editor commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    Enter,
    Backspace,
    Delete,
    Tab,
    /// Ctrl+Z: removes the last point while drawing.
    Undo,
    /// Ctrl+A: everything the tool can select.
    SelectAll,
    /// `[`: smaller brush, fewer corners.
    Less,
    /// `]`: larger brush, more corners.
    More,
    Left,
    Right,
    Up,
    Down,
}

impl Key {
    pub const ALL: [Self; 12] = [
        Self::Enter,
        Self::Backspace,
        Self::Delete,
        Self::Tab,
        Self::Undo,
        Self::SelectAll,
        Self::Less,
        Self::More,
        Self::Left,
        Self::Right,
        Self::Up,
        Self::Down,
    ];
}

/// An event over the plan view.
///
/// A double click arrives as `Click`, then `DoubleClick` in place of the second click. A drag is
/// `DragStart` (where the button went down), any number of `DragMove`, then `DragEnd`.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    Hover(Pointer),
    /// The pointer left the view.
    Leave,
    Click(Pointer),
    DoubleClick(Pointer),
    SecondaryClick(Pointer),
    DragStart(Pointer),
    DragMove(Pointer),
    DragEnd(Pointer),
    Key(Key, Modifiers),
    /// Typed characters: numbers for the point being placed.
    Text(String),
    /// Esc: goes back one stage.
    Escape,
    /// The window lost the focus: a drag in progress is cancelled.
    FocusLost,
}
