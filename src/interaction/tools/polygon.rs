//! Outlines drawn corner by corner: obstacles, terrain, areas, crowds.

use super::sketch_tool::{Purpose, SketchTool, outline_hints};
use crate::geometry::Polygon;
use crate::interaction::{
    context::ToolContext,
    creation::Creation,
    defaults::AreaKind,
    hints::Hints,
    kind::ToolKind,
    sketch::{Sketch, SketchForm},
};

/// What the outlines become; for [`ToolKind::Polygon`], taken from the defaults.
#[derive(Debug)]
pub struct DrawArea(pub ToolKind);

pub type PolygonTool = SketchTool<DrawArea>;

impl Purpose for DrawArea {
    fn kind(&self) -> ToolKind {
        self.0
    }

    fn form(&self) -> SketchForm {
        SketchForm::Ring
    }

    /// The generic polygon tool leaves rectangles to the rectangle tool; the others do not.
    fn drag_spans_rectangle(&self) -> bool {
        self.0 != ToolKind::Polygon
    }

    fn complete(&mut self, ctx: &mut ToolContext<'_>, sketch: &mut Sketch) {
        if let Some(ring) = sketch.take_ring() {
            let area = match self.0 {
                ToolKind::TerrainPolygon => AreaKind::Region,
                ToolKind::AnnotationArea => AreaKind::Annotation,
                ToolKind::CrowdArea => AreaKind::Crowd,
                ToolKind::Exit => AreaKind::Exit,
                ToolKind::WaitingArea => AreaKind::WaitingArea,
                ToolKind::MeasuringArea => AreaKind::MeasuringArea,
                _ => ctx.defaults.area,
            };
            create_area(ctx, area, Polygon::new(ring));
        }
    }

    fn hints(&self, sketch: &Sketch) -> Hints {
        let first = if self.drag_spans_rectangle() {
            "Click the first corner, or drag a rectangle"
        } else {
            "Click the first corner"
        };
        outline_hints(sketch, first)
    }
}

/// Creates and selects an area in one undo step.
pub fn create_area(ctx: &mut ToolContext<'_>, area: AreaKind, polygon: Polygon) {
    let creation = Creation::area(ctx, area);
    let kind = creation.area_kind(ctx, area, polygon);
    if ctx.commit(draw_label(area), creation.edits(kind)) {
        ctx.select_one(creation.id);
    }
}

/// Label of the undo step.
#[must_use]
pub const fn draw_label(area: AreaKind) -> &'static str {
    match area {
        AreaKind::Obstacle => "Draw obstacle",
        AreaKind::Region => "Draw terrain",
        AreaKind::Annotation => "Draw area",
        AreaKind::Crowd => "Draw crowd",
        AreaKind::Exit => "Draw exit",
        AreaKind::WaitingArea => "Draw waiting area",
        AreaKind::MeasuringArea => "Draw measuring area",
    }
}
