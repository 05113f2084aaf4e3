//! The tools as commands.

use super::menu::Menu;
use super::{Entry, NO_KEY, Needs, one};
use crate::editor::chord::Chord;
use crate::interaction::{Shortcut, ToolKind};
use egui::Key;
use egui_material_icons::{MaterialIcon, icons as icon};

pub(super) const fn entry(kind: ToolKind) -> Entry {
    Entry {
        name: kind.name(),
        help: kind.help(),
        icon: tool_icon(kind),
        place: Some((Menu::Tools, kind.group() as u8)),
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
        ToolKind::Wall => icon::ICON_FENCE,
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
        ToolKind::Door => icon::ICON_DOOR_FRONT,
        ToolKind::Furniture => icon::ICON_CHAIR,
        ToolKind::Room => icon::ICON_MEETING_ROOM,
        ToolKind::Link => icon::ICON_MOVING,
        ToolKind::Exit => icon::ICON_EXIT_TO_APP,
        ToolKind::WaitingArea => icon::ICON_HOURGLASS_EMPTY,
        ToolKind::Queue => icon::ICON_LINE_START_CIRCLE,
        ToolKind::MeasuringLine => icon::ICON_LINE_END,
        ToolKind::MeasuringArea => icon::ICON_SQUARE_FOOT,
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
