//! One icon per kind of entity.

use crate::document::KindName;
use egui_material_icons::{MaterialIcon, icons};

#[must_use]
pub const fn of_kind(kind: KindName) -> MaterialIcon {
    match kind {
        KindName::Terrain => icons::ICON_GRASS,
        KindName::Profile => icons::ICON_ACCESSIBILITY_NEW,
        KindName::Flag => icons::ICON_FLAG,
        KindName::Layer => icons::ICON_LAYERS,
        KindName::Group => icons::ICON_FOLDER,
        KindName::Region => icons::ICON_TEXTURE,
        KindName::Obstacle => icons::ICON_DOMAIN,
        KindName::Wall => icons::ICON_FENCE,
        KindName::Solid => icons::ICON_DEPLOYED_CODE,
        KindName::Route => icons::ICON_ROUTE,
        KindName::Annotation => icons::ICON_ACTIVITY_ZONE,
        KindName::Agent => icons::ICON_DIRECTIONS_WALK,
        KindName::Crowd => icons::ICON_GROUPS,
        KindName::Door => icons::ICON_DOOR_FRONT,
        KindName::Link => icons::ICON_MOVING,
        KindName::Exit => icons::ICON_EXIT_TO_APP,
        KindName::WaitingArea => icons::ICON_HOURGLASS_EMPTY,
        KindName::Queue => icons::ICON_LINE_START_CIRCLE,
        KindName::Measure => icons::ICON_SQUARE_FOOT,
        KindName::Note => icons::ICON_STICKY_NOTE_2,
        KindName::Test => icons::ICON_FACT_CHECK,
    }
}
