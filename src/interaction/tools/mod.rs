//! The tools, one file each.

pub mod agent;
pub mod bezier;
pub mod brush;
pub mod door;
pub mod ellipse;
pub mod forbid;
pub mod freehand;
pub mod furniture;
mod handle_drag;
pub mod handles;
pub mod height_brush;
pub mod hole;
pub mod knife;
pub mod measure;
mod move_drag;
pub mod note;
pub mod passage;
pub mod polygon;
pub mod queue;
pub mod rectangle;
mod rectangle_drag;
pub mod regular_polygon;
pub mod relation;
pub mod room;
mod rotate_drag;
pub mod route;
pub mod route_reach;
mod scale_drag;
pub mod select;
pub mod selecting;
mod sketch_drag;
pub mod sketch_tool;
pub mod solid;
pub mod span;
mod transform_drag;
mod vertex_drag;
mod vertex_marquee;
pub mod vertices;
pub mod wall;
pub mod why_not;

use super::{kind::ToolKind, tool::Tool};

/// Creates a tool of a kind.
#[must_use]
pub fn construct(kind: ToolKind) -> Box<dyn Tool> {
    match kind {
        ToolKind::Select | ToolKind::Move | ToolKind::Rotate | ToolKind::Scale => {
            Box::new(select::SelectTool::new(kind))
        }
        ToolKind::Vertices => Box::<vertices::VertexTool>::default(),
        ToolKind::Rectangle => Box::new(rectangle::RectangleTool::new(rectangle::Rectangle)),
        ToolKind::Ellipse => Box::new(ellipse::EllipseTool::new(ellipse::Ellipse)),
        ToolKind::RegularPolygon => Box::new(regular_polygon::RegularPolygonTool::new(
            regular_polygon::RegularPolygon,
        )),
        ToolKind::SolidBox
        | ToolKind::SolidRamp
        | ToolKind::SolidStairs
        | ToolKind::SolidCylinder
        | ToolKind::SolidArch
        | ToolKind::SolidPlatform => Box::new(solid::SolidTool::new(solid::PlaceSolid(kind))),
        ToolKind::Polygon
        | ToolKind::TerrainPolygon
        | ToolKind::AnnotationArea
        | ToolKind::CrowdArea
        | ToolKind::Exit
        | ToolKind::WaitingArea
        | ToolKind::MeasuringArea => Box::new(polygon::PolygonTool::new(polygon::DrawArea(kind))),
        ToolKind::Wall => Box::new(wall::WallTool::new(wall::DrawWall)),
        ToolKind::Furniture => Box::<furniture::FurnitureTool>::default(),
        ToolKind::Room => Box::<room::RoomTool>::default(),
        ToolKind::Door => Box::<door::DoorTool>::default(),
        ToolKind::Link | ToolKind::MeasuringLine => {
            Box::new(passage::PassageTool::new(passage::DrawSpan(kind)))
        }
        ToolKind::Queue => Box::new(queue::QueueTool::new(queue::DrawQueue)),
        ToolKind::Hole => Box::new(hole::HoleTool::new(hole::DrawHole)),
        ToolKind::Knife => Box::<knife::KnifeTool>::default(),
        ToolKind::Freehand | ToolKind::RouteFreehand => Box::new(freehand::FreehandTool(kind)),
        ToolKind::RoutePolyline => Box::new(route::RouteTool::new(route::DrawRoute)),
        ToolKind::RouteBezier => Box::<bezier::BezierTool>::default(),
        ToolKind::AnnotationRelation => Box::<relation::RelationTool>::default(),
        ToolKind::TagForbidden => Box::<forbid::ForbidTool>::default(),
        ToolKind::Agent => Box::<agent::AgentTool>::default(),
        ToolKind::Measure => Box::new(measure::MeasureTool::new(measure::Measuring::default())),
        ToolKind::WhyNot => Box::<why_not::WhyNotTool>::default(),
        ToolKind::Note => Box::<note::NoteTool>::default(),
        ToolKind::TerrainBrush => Box::<brush::BrushTool>::default(),
        ToolKind::HeightBrush => Box::<height_brush::HeightBrushTool>::default(),
    }
}
