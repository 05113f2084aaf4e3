//! The tools, one file each.

pub mod agent;
pub mod bezier;
pub mod ellipse;
pub mod forbid;
pub mod freehand;
pub mod hole;
pub mod knife;
pub mod measure;
pub mod note;
pub mod polygon;
pub mod rectangle;
pub mod regular_polygon;
pub mod relation;
pub mod route;
mod sketch_drag;
pub mod sketch_tool;
pub mod solid;
pub mod span;

use super::{
    context::{Scene, ToolContext},
    hints::Hints,
    input::Pointer,
    kind::ToolKind,
    tool::Tool,
};

/// A fresh tool of a kind.
#[must_use]
pub fn construct(kind: ToolKind) -> Box<dyn Tool> {
    match kind {
        ToolKind::Rectangle => Box::new(rectangle::RectangleTool::new(rectangle::Rectangle)),
        ToolKind::Ellipse => Box::new(ellipse::EllipseTool::new(ellipse::Ellipse)),
        ToolKind::RegularPolygon => Box::new(regular_polygon::RegularPolygonTool::new(
            regular_polygon::RegularPolygon,
        )),
        ToolKind::SolidBox
        | ToolKind::SolidRamp
        | ToolKind::SolidStairs
        | ToolKind::SolidCylinder => Box::new(solid::SolidTool::new(solid::PlaceSolid(kind))),
        ToolKind::Polygon
        | ToolKind::TerrainPolygon
        | ToolKind::AnnotationArea
        | ToolKind::CrowdArea => Box::new(polygon::PolygonTool::new(polygon::DrawArea(kind))),
        ToolKind::Hole => Box::new(hole::HoleTool::new(hole::DrawHole)),
        ToolKind::Knife => Box::<knife::KnifeTool>::default(),
        ToolKind::Freehand | ToolKind::RouteFreehand => Box::new(freehand::FreehandTool(kind)),
        ToolKind::RoutePolyline => Box::new(route::RouteTool::new(route::DrawRoute)),
        ToolKind::RouteBezier => Box::<bezier::BezierTool>::default(),
        ToolKind::AnnotationRelation => Box::<relation::RelationTool>::default(),
        ToolKind::TagForbidden => Box::<forbid::ForbidTool>::default(),
        ToolKind::Agent => Box::<agent::AgentTool>::default(),
        ToolKind::Measure => Box::new(measure::MeasureTool::new(measure::Measuring::default())),
        ToolKind::Note => Box::<note::NoteTool>::default(),
        _ => Box::new(Still(kind)),
    }
}

#[derive(Debug)]
struct Still(ToolKind);

impl Tool for Still {
    fn kind(&self) -> ToolKind {
        self.0
    }

    fn click(&mut self, _ctx: &mut ToolContext<'_>, _pointer: &Pointer) {}

    fn hints(&self, _scene: &Scene<'_>) -> Hints {
        Hints::new(self.0.help())
    }
}
