//! The two switches of every drawn entity: visible or hidden, unlocked or locked.

use crate::document::{Entity, KindName};
use egui_material_icons::{MaterialIcon, icons};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switch {
    Visibility,
    Lock,
}

impl Switch {
    pub const ALL: [Self; 2] = [Self::Visibility, Self::Lock];

    /// Definitions are neither visible nor movable.
    #[must_use]
    pub fn belongs_to(kind: KindName) -> bool {
        kind.is_placed() || matches!(kind, KindName::Layer | KindName::Group)
    }

    #[must_use]
    pub const fn is_on(self, entity: &Entity) -> bool {
        match self {
            Self::Visibility => entity.visible,
            Self::Lock => entity.locked,
        }
    }

    pub const fn set(self, entity: &mut Entity, on: bool) {
        match self {
            Self::Visibility => entity.visible = on,
            Self::Lock => entity.locked = on,
        }
    }

    /// Visible and unlocked: the defaults, which need not be shown all the time.
    #[must_use]
    pub const fn is_usual(self, on: bool) -> bool {
        match self {
            Self::Visibility => on,
            Self::Lock => !on,
        }
    }

    /// The icon of the current state.
    #[must_use]
    pub const fn icon(self, on: bool) -> MaterialIcon {
        match (self, on) {
            (Self::Visibility, true) => icons::ICON_VISIBILITY,
            (Self::Visibility, false) => icons::ICON_VISIBILITY_OFF,
            (Self::Lock, true) => icons::ICON_LOCK,
            (Self::Lock, false) => icons::ICON_LOCK_OPEN,
        }
    }

    /// What a click does.
    #[must_use]
    pub const fn verb(self, on: bool) -> &'static str {
        match (self, on) {
            (Self::Visibility, true) => "Hide",
            (Self::Visibility, false) => "Show",
            (Self::Lock, true) => "Unlock",
            (Self::Lock, false) => "Lock",
        }
    }
}
