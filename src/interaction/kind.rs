//! All tools, with their titles, help texts and keys.

use super::{tool::Tool, tools};

/// The key that selects a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shortcut {
    pub key: char,
    pub shift: bool,
}

/// Groups of the tool bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ToolGroup {
    Select,
    Shape,
    Terrain,
    Route,
    Meaning,
    Passage,
    People,
    Solid,
    Inspect,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ToolKind {
    #[default]
    Select,
    Move,
    Rotate,
    Scale,
    Vertices,
    Wall,
    Rectangle,
    Polygon,
    Ellipse,
    RegularPolygon,
    Freehand,
    Hole,
    Knife,
    TerrainBrush,
    TerrainPolygon,
    HeightBrush,
    RoutePolyline,
    RouteFreehand,
    RouteBezier,
    AnnotationArea,
    AnnotationRelation,
    TagForbidden,
    Door,
    Room,
    Link,
    Agent,
    CrowdArea,
    Exit,
    WaitingArea,
    Queue,
    Furniture,
    SolidBox,
    SolidRamp,
    SolidStairs,
    SolidCylinder,
    SolidArch,
    SolidPlatform,
    Measure,
    MeasuringLine,
    MeasuringArea,
    WhyNot,
    Note,
}

struct About {
    name: &'static str,
    help: &'static str,
    /// A name from the Material Symbols set.
    icon: &'static str,
    group: ToolGroup,
    shortcut: Option<Shortcut>,
}

impl ToolKind {
    /// Whether it also shows the handles for σ and d of a selected route.
    #[must_use]
    pub const fn shows_route_reach(self) -> bool {
        matches!(
            self,
            Self::Select
                | Self::Vertices
                | Self::RoutePolyline
                | Self::RouteFreehand
                | Self::RouteBezier
        )
    }

    pub const ALL: [Self; 42] = [
        Self::Select,
        Self::Move,
        Self::Rotate,
        Self::Scale,
        Self::Vertices,
        Self::Wall,
        Self::Rectangle,
        Self::Polygon,
        Self::Ellipse,
        Self::RegularPolygon,
        Self::Freehand,
        Self::Hole,
        Self::Knife,
        Self::TerrainBrush,
        Self::TerrainPolygon,
        Self::HeightBrush,
        Self::RoutePolyline,
        Self::RouteFreehand,
        Self::RouteBezier,
        Self::AnnotationArea,
        Self::AnnotationRelation,
        Self::TagForbidden,
        Self::Door,
        Self::Room,
        Self::Link,
        Self::Agent,
        Self::CrowdArea,
        Self::Exit,
        Self::WaitingArea,
        Self::Queue,
        Self::Furniture,
        Self::SolidBox,
        Self::SolidRamp,
        Self::SolidStairs,
        Self::SolidCylinder,
        Self::SolidArch,
        Self::SolidPlatform,
        Self::Measure,
        Self::MeasuringLine,
        Self::MeasuringArea,
        Self::WhyNot,
        Self::Note,
    ];

    #[must_use]
    pub const fn name(self) -> &'static str {
        self.about().name
    }

    #[must_use]
    pub const fn help(self) -> &'static str {
        self.about().help
    }

    #[must_use]
    pub const fn icon(self) -> &'static str {
        self.about().icon
    }

    #[must_use]
    pub const fn group(self) -> ToolGroup {
        self.about().group
    }

    #[must_use]
    pub const fn shortcut(self) -> Option<Shortcut> {
        self.about().shortcut
    }

    const fn about(self) -> About {
        const fn about(
            name: &'static str,
            help: &'static str,
            icon: &'static str,
            group: ToolGroup,
            shortcut: Option<Shortcut>,
        ) -> About {
            About {
                name,
                help,
                icon,
                group,
                shortcut,
            }
        }
        const fn key(key: char) -> Option<Shortcut> {
            Some(Shortcut { key, shift: false })
        }
        const fn shift(key: char) -> Option<Shortcut> {
            Some(Shortcut { key, shift: true })
        }
        use ToolGroup as G;
        match self {
            Self::Select => about(
                "Select",
                "Click to select, drag to move, drag on empty ground to select many",
                "arrow_selector_tool",
                G::Select,
                key('Q'),
            ),
            Self::Move => about(
                "Move",
                "Drag the selection, or an arrow to move along one axis",
                "open_with",
                G::Select,
                key('W'),
            ),
            Self::Rotate => about(
                "Rotate",
                "Drag the ring to rotate the selection about its centre",
                "rotate_right",
                G::Select,
                key('E'),
            ),
            Self::Scale => about(
                "Scale",
                "Drag a handle to scale the selection",
                "aspect_ratio",
                G::Select,
                key('R'),
            ),
            Self::Vertices => about(
                "Edit vertices",
                "Drag corners and curve handles; double-click an edge to add a corner",
                "polyline",
                G::Select,
                key('V'),
            ),
            Self::Wall => about(
                "Wall",
                "Click corner after corner of a wall, or drag a room of four walls",
                "fence",
                G::Shape,
                shift('B'),
            ),
            Self::Rectangle => about(
                "Rectangle",
                "Drag from corner to corner",
                "rectangle",
                G::Shape,
                key('B'),
            ),
            Self::Polygon => about(
                "Polygon",
                "Click the corners of an outline",
                "pentagon",
                G::Shape,
                key('O'),
            ),
            Self::Ellipse => about(
                "Ellipse",
                "Drag the box around an ellipse",
                "circle",
                G::Shape,
                key('C'),
            ),
            Self::RegularPolygon => about(
                "Regular polygon",
                "Drag from the centre to a corner",
                "hexagon",
                G::Shape,
                key('Y'),
            ),
            Self::Freehand => about(
                "Freehand area",
                "Draw around an area in one stroke",
                "gesture",
                G::Shape,
                key('D'),
            ),
            Self::Hole => about(
                "Hole",
                "Draw a hole into an obstacle or a region",
                "join_inner",
                G::Shape,
                key('H'),
            ),
            Self::Knife => about(
                "Knife",
                "Drag a line across shapes to split them",
                "content_cut",
                G::Shape,
                key('K'),
            ),
            Self::TerrainBrush => about(
                "Terrain brush",
                "Paint terrain; Alt erases, right-click picks",
                "brush",
                G::Terrain,
                key('T'),
            ),
            Self::TerrainPolygon => about(
                "Terrain polygon",
                "Click the corners of a terrain region",
                "landscape",
                G::Terrain,
                shift('T'),
            ),
            Self::HeightBrush => about(
                "Height brush",
                "Raise, lower, smooth and flatten the ground",
                "terrain",
                G::Terrain,
                key('Z'),
            ),
            Self::RoutePolyline => about(
                "Route",
                "Click the points of an indicative route",
                "route",
                G::Route,
                key('L'),
            ),
            Self::RouteFreehand => about(
                "Freehand route",
                "Draw an indicative route in one stroke",
                "draw",
                G::Route,
                shift('L'),
            ),
            Self::RouteBezier => about(
                "Curved route",
                "Click knots, drag them to bend the curve",
                "line_curve",
                G::Route,
                key('U'),
            ),
            Self::AnnotationArea => about(
                "Area (drawn)",
                "Click the corners of an area that constraints can refer to",
                "select_all",
                G::Meaning,
                key('N'),
            ),
            Self::AnnotationRelation => about(
                "Area (relative)",
                "Click an object for the area in front of it, behind it or around it; click two for the area between them",
                "share",
                G::Meaning,
                shift('N'),
            ),
            Self::TagForbidden => about(
                "Forbid",
                "Click what agents may not step on; click again to allow it",
                "block",
                G::Meaning,
                key('X'),
            ),
            Self::Door => about(
                "Door",
                "Click a wall to put a door into it, or drag from jamb to jamb; a door that is shut blocks",
                "door_front",
                G::Passage,
                shift('D'),
            ),
            Self::Room => about(
                "Room",
                "Click what walls enclose to name it, measure it and lay a floor",
                "meeting_room",
                G::Meaning,
                shift('R'),
            ),
            Self::Link => about(
                "Link",
                "Drag from place to place: a jump, ladder, drop, lift, teleport or door",
                "moving",
                G::Passage,
                shift('J'),
            ),
            Self::Agent => about(
                "Agent",
                "Drag from the start to the goal; click to add further goals",
                "directions_walk",
                G::People,
                key('A'),
            ),
            Self::CrowdArea => about(
                "Crowd",
                "Click the corners of the area where a crowd appears",
                "groups",
                G::People,
                shift('A'),
            ),
            Self::Exit => about(
                "Exit",
                "Click the corners of an area in which agents leave, or drag a rectangle",
                "exit_to_app",
                G::People,
                shift('E'),
            ),
            Self::WaitingArea => about(
                "Waiting area",
                "Click the corners of an area in which agents wait, or drag a rectangle",
                "hourglass_empty",
                G::People,
                shift('W'),
            ),
            Self::Queue => about(
                "Queue",
                "Click the counter, then the line of people backwards",
                "line_start_circle",
                G::People,
                shift('Q'),
            ),
            Self::Furniture => about(
                "Furniture",
                "Click to place tables, shelves, trees, cars and more; drag for a row, or scatter them",
                "chair",
                G::Solid,
                shift('U'),
            ),
            Self::SolidBox => about(
                "Box",
                "Drag the footprint of a box",
                "deployed_code",
                G::Solid,
                key('S'),
            ),
            Self::SolidRamp => about(
                "Ramp",
                "Drag the footprint of a ramp from bottom to top",
                "signal_cellular_4_bar",
                G::Solid,
                None,
            ),
            Self::SolidStairs => about(
                "Stairs",
                "Drag the footprint of stairs from bottom to top",
                "stairs",
                G::Solid,
                shift('S'),
            ),
            Self::SolidCylinder => about(
                "Cylinder",
                "Drag the box around a cylinder",
                "database",
                G::Solid,
                None,
            ),
            Self::SolidArch => about(
                "Arch",
                "Drag the length of a wall with an opening: a doorway or an arch",
                "door_open",
                G::Solid,
                None,
            ),
            Self::SolidPlatform => about(
                "Platform",
                "Drag a deck on posts, walkable above and below",
                "table_restaurant",
                G::Solid,
                None,
            ),
            Self::Measure => about(
                "Measure",
                "Click points to measure lengths, angles and areas",
                "straighten",
                G::Inspect,
                key('M'),
            ),
            Self::MeasuringLine => about(
                "Measuring line",
                "Drag a line across which runs count agents",
                "line_end",
                G::Inspect,
                shift('M'),
            ),
            Self::MeasuringArea => about(
                "Measuring area",
                "Click the corners of an area in which runs measure density and speed",
                "square_foot",
                G::Inspect,
                shift('O'),
            ),
            Self::WhyNot => about(
                "Why not?",
                "Point anywhere to see why an agent cannot get there: the step, the gap, the headroom",
                "live_help",
                G::Inspect,
                key('J'),
            ),
            Self::Note => about(
                "Note",
                "Click to place a note",
                "sticky_note_2",
                G::Inspect,
                key('I'),
            ),
        }
    }

    /// Creates a tool of this kind.
    #[must_use]
    pub fn construct(self) -> Box<dyn Tool> {
        tools::construct(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_tool_has_its_own_name_icon_and_key() {
        let names: BTreeSet<_> = ToolKind::ALL.iter().map(|kind| kind.name()).collect();
        let icons: BTreeSet<_> = ToolKind::ALL.iter().map(|kind| kind.icon()).collect();
        assert_eq!(names.len(), ToolKind::ALL.len());
        assert_eq!(icons.len(), ToolKind::ALL.len());
        let keys: Vec<_> = ToolKind::ALL.iter().filter_map(|k| k.shortcut()).collect();
        assert_eq!(keys.iter().collect::<BTreeSet<_>>().len(), keys.len());
        // Keys that other parts of the editor use without Shift.
        assert!(!keys.iter().any(|s| !s.shift && "FGP".contains(s.key)));
    }

    #[test]
    fn a_constructed_tool_knows_what_it_is() {
        for kind in ToolKind::ALL {
            assert_eq!(kind.construct().kind(), kind);
        }
    }
}
